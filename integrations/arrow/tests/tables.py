"""What pyarrow and DuckDB find in the tables that the example has written, and tables of theirs for it to read."""

import json
import sys

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

folder = sys.argv[1]


def rows(table):
    """Rows as the test expects them: times in microseconds, floats as they are."""
    table = table.set_column(
        table.schema.get_field_index("lastmod_at"), "lastmod_at", pc.cast(table["lastmod_at"], pa.int64())
    )
    return table.to_pylist()


with pa.OSFile(f"{folder}/pages.arrow") as file:
    from_ipc = pa.ipc.open_file(file).read_all()
from_parquet = pq.read_table(f"{folder}/pages.parquet")
assert from_ipc.schema.equals(from_parquet.schema), (from_ipc.schema, from_parquet.schema)
from_ipc.validate(full=True)
from_parquet.validate(full=True)

connection = duckdb.connect()
connection.execute("SET TimeZone = 'UTC'")
by_sql = connection.execute(
    f"""
    SELECT loc, lastmod, epoch_us(lastmod_at), changefreq, priority, len(images), images[1].loc, videos[1].prices[1].currency,
           news[1].publication.name, list_transform(alternates, lambda link: link.hreflang), mobile,
           page_map.data_objects[1].attributes[1].value, entry, byte
    FROM '{folder}/pages.parquet' ORDER BY source, entry
    """
).fetchall()
grouped = connection.execute(
    """
    SELECT date_part('year', lastmod_at) AS year, count(*), max(priority) FROM from_ipc GROUP BY year ORDER BY year NULLS FIRST
    """
).fetchall()

# DuckDB's Parquet: lists of structs of its own making, a timestamp, a decimal. pyarrow's IPC: large strings, dictionaries, nanoseconds.
connection.execute(
    f"""
    COPY (
        SELECT i AS id, '/duck/' || i AS loc, TIMESTAMPTZ '2026-05-01 00:00:00+00' + INTERVAL (i) HOUR AS lastmod_at,
               0.25::DECIMAL(3, 2) AS priority, 'weekly' AS changefreq,
               [{{'loc': '/duck/' || i || '.jpg', 'title': 'Duck ' || i}}] AS images
        FROM range(1000) AS numbers(i)
    ) TO '{folder}/by-duckdb.parquet' (FORMAT parquet, COMPRESSION uncompressed)
    """
)
table = pa.table(
    {
        "loc": pa.array(["/arrow/0", "/arrow/1"], pa.large_string()),
        "lastmod": pa.array([0, None], pa.timestamp("ns")),
        "changefreq": pa.array(["daily", None]).dictionary_encode(),
        "alternates": pa.array(
            [[{"rel": "alternate", "hreflang": "de", "href": "https://example.com/de"}], []],
            pa.large_list(pa.struct({"rel": pa.string(), "hreflang": pa.string(), "href": pa.string()})),
        ),
    }
)
with pa.OSFile(f"{folder}/by-pyarrow.arrow", "wb") as file:
    with pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)

json.dump({"ipc": rows(from_ipc), "parquet": rows(from_parquet), "sql": by_sql, "grouped": grouped}, sys.stdout)
