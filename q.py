import duckdb,sys
for q in [
"""SELECT p.loc, image."image:loc" AS image, image."image:title" AS title FROM 'pages.jsonl' AS p, unnest(p."image:image") AS t(image)""",
"""SELECT loc, link."@hreflang" AS language, link."@href" AS href FROM (SELECT loc, unnest("xhtml:link") AS link FROM 'pages.jsonl')""",
"""SELECT strftime(lastmod::TIMESTAMP, '%Y-%m') AS month, count(*) AS pages FROM 'pages.jsonl' GROUP BY month ORDER BY month""",
"""SELECT typeof(lastmod) FROM 'pages.jsonl'""",
]:
    try: print(duckdb.sql(q).fetchall())
    except Exception as e: print("ERR",str(e)[:300])
