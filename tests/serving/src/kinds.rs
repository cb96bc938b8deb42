//! Tables with keys of every kind, and what a site makes of them: each row is listed once, or the source is refused.

use std::collections::BTreeMap;

use http::Request;
use sitemap_site::{IntoSection, Site, SiteBuilder};

use crate::{body, sitemaps, urls};

/// The number of rows of a table of [`Kind`].
pub const KIND_ROWS: usize = 700;

/// A table with a key of some type.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name: of the table, too.
    pub name: &'static str,
    /// The Rust type that an ORM has for the key.
    pub class: Class,
    /// The statements that make it.
    pub sql: String,
    /// The columns of the key; several only in [`Class::Several`].
    pub key: &'static [&'static str],
}

/// Types of keys in ORMs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// An integer of 64 bits.
    Integer,
    /// A text.
    Text,
    /// A text of a fixed length.
    Padded,
    /// A UUID.
    Uuid,
    /// Bytes.
    Bytes,
    /// A type of which ORMs have a type of their own.
    Other,
    /// Several columns.
    Several,
}

/// What a site makes of a table: `Ok` if each row is listed once, or the error of `ready`.
///
/// # Panics
/// If the site is ready, and a row is not listed, or listed twice, or another instance has other addresses, or a check finds something.
pub async fn listed_once<S: IntoSection>(source: impl Fn() -> S, name: &str) -> Result<(), String> {
    let mut refused = None;
    for part_rows in [5_000, 100] {
        let mut indexes = Vec::new();
        for instance in 0..2 {
            let mut site = SiteBuilder::new("https://example.com");
            site.section("pages", source())
                .part_rows(part_rows)
                .batch_rows(90);
            let site = site.build().expect("a site");
            if let Err(error) = site.ready().await {
                refused = Some(error.to_string());
                continue;
            }
            assert!(
                refused.is_none(),
                "{name} {part_rows}: ready, and before {refused:?}"
            );
            let (status, index) = ask(&site, "/sitemap.xml").await;
            assert_eq!(status, 200, "{name} {part_rows}: {index}");
            let mut found: BTreeMap<String, usize> = BTreeMap::new();
            for part in sitemaps(&index) {
                if instance > 0 {
                    break;
                }
                let path = part.loc.trim_start_matches("https://example.com");
                let (status, xml) = ask(&site, path).await;
                assert_eq!(status, 200, "{name} {part_rows}: {path}: {xml}");
                for page in urls(&xml) {
                    *found.entry(page.loc).or_default() += 1;
                }
            }
            if instance == 0 {
                assert_eq!(found.len(), KIND_ROWS, "{name} {part_rows}");
                assert!(found.values().all(|times| *times == 1), "{name} {part_rows}");
                let report = site.check().await.expect("a report");
                assert!(report.is_clean(), "{name}: {report}");
                assert_eq!(report.sections[0].rows, KIND_ROWS as u64, "{name}");
            }
            indexes.push(index);
        }
        assert!(
            indexes.windows(2).all(|pair| pair[0] == pair[1]),
            "{name} {part_rows}"
        );
    }
    refused.map_or(Ok(()), Err)
}

async fn ask(site: &Site, path: &str) -> (u16, String) {
    let request = Request::get(path).body(()).expect("a request");
    let response = site.respond(&request).await;
    (response.status().as_u16(), body(response).await)
}

/// A table of one key column: its name, type and the value of row `n`.
type Column = (&'static str, Class, &'static str, &'static str);

/// Statements for a table with these values, for the numbers of `FROM`.
fn tables(columns: &[Column], from: &str, text: &str, mixed: &str) -> Vec<Kind> {
    let kind = |&(name, class, sql_type, value): &Column| {
        let value = value.replace("MIXED", mixed);
        let sql = format!(
            "CREATE TABLE {name} (id {sql_type} PRIMARY KEY, slug {text} NOT NULL);
             INSERT INTO {name} SELECT {value}, CONCAT('p', n) FROM {from};"
        );
        Kind {
            name,
            class,
            sql,
            key: &["id"],
        }
    };
    columns.iter().map(kind).collect()
}

fn other(name: &'static str, class: Class, key: &'static [&'static str], sql: &str) -> Kind {
    let sql = sql.to_owned();
    Kind {
        name,
        class,
        sql,
        key,
    }
}

/// Tables of PostgreSQL.
pub fn postgres_kinds() -> Vec<Kind> {
    use Class::{Bytes, Integer, Other, Padded, Several, Text, Uuid};

    let setup = "CREATE EXTENSION IF NOT EXISTS citext; CREATE SCHEMA hidden;
        CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        CREATE DOMAIN short AS varchar(40);
        DO $$ BEGIN EXECUTE (SELECT 'CREATE TYPE sizes AS ENUM (' || string_agg(quote_literal('e' || n * 1237 % 4099), ',' ORDER BY n) || ')'
            FROM generate_series(1, 700) n); END $$;";
    let columns = [
        ("smallints", Other, "smallint", "n - 300"),
        ("integers", Other, "integer", "n * -7"),
        ("bigints", Integer, "bigint", "(n - 300) * 9000000000000000"),
        ("oids", Other, "oid", "n::oid"),
        ("numerics", Other, "numeric", "(n - 300) * 1.25"),
        (
            "scaled",
            Other,
            "numeric(30, 12)",
            "(n - 300) * 12345678901.000000000001",
        ),
        ("doubles", Other, "double precision", "(n - 300) / 3.0::float8"),
        ("texts", Text, "text", "MIXED"),
        ("varchars", Text, "varchar(40)", "MIXED"),
        ("chars", Padded, "char(26)", "MIXED"),
        ("bpchars", Padded, "bpchar", "MIXED"),
        ("cs", Text, "text COLLATE \"C\"", "MIXED"),
        ("icus", Text, "text COLLATE \"und-x-icu\"", "MIXED"),
        ("caseless_texts", Text, "text COLLATE caseless", "MIXED"),
        ("citexts", Text, "citext", "MIXED"),
        (
            "blanks",
            Text,
            "text",
            "repeat(' ', n % 3) || n || repeat(' ', n % 5)",
        ),
        ("domains", Text, "short", "MIXED"),
        ("names", Other, "name", "MIXED"),
        ("enums", Other, "sizes", "('e' || n * 1237 % 4099)::sizes"),
        ("uuids", Uuid, "uuid", "md5(n::text)::uuid"),
        ("bits", Other, "bit(16)", "(n * 37)::bit(16)"),
        ("varbits", Other, "varbit", "(n * 37)::bit(16)::varbit"),
        ("byteas", Bytes, "bytea", "decode(md5(n::text), 'hex')"),
        ("dates", Other, "date", "'1999-01-01'::date + n"),
        (
            "timestamps",
            Other,
            "timestamp",
            "'2026-05-01'::timestamp + n * interval '1.000001 s'",
        ),
        (
            "timestamptzs",
            Other,
            "timestamptz",
            "'2026-05-01'::timestamptz + n * interval '1.000001 s'",
        ),
        ("times", Other, "time", "time '00:00' + n * interval '1.000001 s'"),
        ("intervals", Other, "interval", "n * interval '1 day 1.000001 s'"),
        ("inets", Other, "inet", "'10.0.0.0'::inet + n * 7"),
        ("arrays", Other, "int[]", "ARRAY[n % 7, n]"),
        ("long_texts", Text, "text", "repeat('ж', 40) || n"),
    ];
    let mixed = "CASE WHEN n % 3 = 0 THEN upper(to_hex(n * 1237 % 4096)) ELSE to_hex(n * 1237 % 4096) END || '-' || n";
    let mut kinds = tables(&columns, "generate_series(1, 700) AS n", "text", mixed);
    kinds.insert(0, other("setup", Other, &[], setup));
    kinds.extend([
        other("hidden_citexts", Text, &["id"], &format!(
            "ALTER EXTENSION citext SET SCHEMA hidden; CREATE TABLE hidden_citexts (id hidden.citext PRIMARY KEY, slug text NOT NULL);
             INSERT INTO hidden_citexts SELECT {mixed}, 'p' || n FROM generate_series(1, 700) n")),
        other("nulls", Text, &["id"], "CREATE TABLE nulls (id text UNIQUE, slug text NOT NULL);
            INSERT INTO nulls SELECT CASE WHEN n % 70 > 0 THEN 'r' || n END, 'p' || n FROM generate_series(1, 700) n"),
        other("views", Text, &["id"], "CREATE VIEW views AS SELECT t.id, i.slug FROM texts t JOIN integers i USING (slug)"),
        other("partitions", Integer, &["id"], "CREATE TABLE partitions (id bigint PRIMARY KEY, slug text NOT NULL) PARTITION BY HASH (id);
            CREATE TABLE partitions_0 PARTITION OF partitions FOR VALUES WITH (MODULUS 2, REMAINDER 0);
            CREATE TABLE partitions_1 PARTITION OF partitions FOR VALUES WITH (MODULUS 2, REMAINDER 1);
            INSERT INTO partitions SELECT n, 'p' || n FROM generate_series(1, 700) n"),
        other("secured", Integer, &["id"], "CREATE TABLE secured (id bigint PRIMARY KEY, slug text NOT NULL);
            INSERT INTO secured SELECT n, 'p' || n FROM generate_series(1, 1400) n;
            ALTER TABLE secured ENABLE ROW LEVEL SECURITY; ALTER TABLE secured FORCE ROW LEVEL SECURITY;
            CREATE POLICY half ON secured USING (id % 2 = 0)"),
        other("twos", Several, &["lang", "id"], "CREATE TABLE twos (lang text, id int, slug text NOT NULL, PRIMARY KEY (lang, id));
            INSERT INTO twos SELECT (ARRAY['de', 'en', 'Fr'])[n % 3 + 1], n, 'p' || n FROM generate_series(1, 700) n"),
        other("padded_twos", Several, &["lang", "id"], "CREATE TABLE padded_twos (lang char(3), id bit(12), slug text NOT NULL,
            PRIMARY KEY (lang, id)); INSERT INTO padded_twos SELECT (ARRAY['de', 'en', 'Fr'])[n % 3 + 1], n::bit(12), 'p' || n
            FROM generate_series(1, 700) n"),
        other("taken_names", Integer, &["id"], "CREATE TABLE taken_names (id bigint PRIMARY KEY, sitemap_key_0 text NOT NULL, slug text NOT NULL);
            INSERT INTO taken_names SELECT n, 'k' || n, 'p' || n FROM generate_series(1, 700) n"),
        other("named_keys", Other, &["sitemap_key_0"], "CREATE TABLE named_keys (sitemap_key_0 bigint PRIMARY KEY, slug text NOT NULL);
            INSERT INTO named_keys SELECT n, 'p' || n FROM generate_series(1, 700) n"),
    ]);
    kinds
}

/// Tables of MariaDB.
pub fn mariadb_kinds() -> Vec<Kind> {
    use Class::{Bytes, Integer, Other, Text};

    let enum_values: Vec<_> = (1..=700).map(|n| format!("'e{}'", n * 1_237 % 4_099)).collect();
    let columns = [
        ("ints", Other, "int", "n * -7"),
        ("bigints", Integer, "bigint", "(n - 300) * 9000000000000000"),
        ("unsigneds", Other, "bigint unsigned", "n"),
        (
            "beyonds",
            Other,
            "bigint unsigned",
            "CAST(n AS UNSIGNED) + 9223372036854775800",
        ),
        ("varchars", Text, "varchar(40)", "MIXED"),
        ("bins", Text, "varchar(40) COLLATE utf8mb4_bin", "MIXED"),
        ("latins", Text, "varchar(40) CHARACTER SET latin1", "MIXED"),
        ("chars", Text, "char(26)", "MIXED"),
        (
            "blanks",
            Text,
            "varchar(40)",
            "CONCAT(REPEAT(' ', n % 3), n, REPEAT(' ', n % 5))",
        ),
        ("long_texts", Text, "varchar(90)", "CONCAT(REPEAT('ж', 40), n)"),
        ("binaries", Bytes, "binary(16)", "UNHEX(MD5(n))"),
        ("varbinaries", Bytes, "varbinary(20)", "UNHEX(MD5(n))"),
        (
            "uuids",
            Text,
            "uuid",
            "CONCAT(LEFT(MD5(n), 8), '-', MID(MD5(n), 9, 4), '-4', MID(MD5(n), 14, 3), '-8', MID(MD5(n), 18, 3), '-', MID(MD5(n), 21, 12))",
        ),
        ("inet6s", Text, "inet6", "CONCAT('2001:db8::', LOWER(HEX(n * 7)))"),
        ("dates", Other, "date", "'1999-01-01' + INTERVAL n DAY"),
        (
            "datetimes",
            Other,
            "datetime(6)",
            "'2026-05-01 00:00:00' + INTERVAL n * 1000001 MICROSECOND",
        ),
        (
            "timestamps",
            Other,
            "timestamp(6)",
            "'2026-05-01 00:00:00' + INTERVAL n * 1000001 MICROSECOND",
        ),
        ("decimals", Other, "decimal(12, 2)", "(n - 300) * 1.25"),
        (
            "long_decimals",
            Other,
            "decimal(40, 12)",
            "(n - 300) + 1234567890123456789012.000000000001",
        ),
        ("doubles", Other, "double", "(n - 300) / 3"),
        ("bits", Other, "bit(16)", "n * 37"),
    ];
    let mixed = "CONCAT(IF(n % 3 = 0, UPPER(HEX(n * 1237 % 4096)), LOWER(HEX(n * 1237 % 4096))), '-', n)";
    let mut kinds = tables(
        &columns,
        "(SELECT CAST(seq AS SIGNED) AS n FROM seq_1_to_700) AS ns",
        "varchar(20)",
        mixed,
    );
    let enums = enum_values.join(", ");
    kinds.extend([
        other("enums", Text, &["id"], &format!(
            "CREATE TABLE enums (id ENUM({enums}) PRIMARY KEY, slug varchar(20) NOT NULL);
             INSERT INTO enums SELECT n, CONCAT('p', n) FROM (SELECT CAST(seq AS SIGNED) AS n FROM seq_1_to_700) AS ns")),
        other("nulls", Text, &["id"], "CREATE TABLE nulls (id varchar(40) UNIQUE, slug varchar(20) NOT NULL);
            INSERT INTO nulls SELECT IF(n % 70 > 0, CONCAT('r', n), NULL), CONCAT('p', n) FROM (SELECT CAST(seq AS SIGNED) AS n FROM seq_1_to_700) AS ns"),
        other("views", Text, &["id"], "CREATE VIEW views AS SELECT t.id, i.slug FROM varchars t JOIN ints i USING (slug)"),
        other("taken_names", Integer, &["id"], "CREATE TABLE taken_names (id bigint PRIMARY KEY, sitemap_key_0 varchar(20) NOT NULL, slug varchar(20) NOT NULL);
            INSERT INTO taken_names SELECT n, CONCAT('k', n), CONCAT('p', n) FROM (SELECT CAST(seq AS SIGNED) AS n FROM seq_1_to_700) AS ns"),
    ]);
    kinds
}

/// Tables of SQLite.
pub fn sqlite_kinds() -> Vec<Kind> {
    use Class::{Bytes, Integer, Other, Several, Text};

    let columns = [
        ("integers", Integer, "INTEGER", "(n - 300) * 9000000000000000"),
        ("ints", Integer, "INT NOT NULL", "n * -7"),
        ("texts", Text, "TEXT NOT NULL", "MIXED"),
        ("nocases", Text, "TEXT NOT NULL COLLATE NOCASE", "MIXED"),
        (
            "rtrims",
            Text,
            "TEXT NOT NULL COLLATE RTRIM",
            "printf('%s%*s', n, n % 5, '')",
        ),
        (
            "long_texts",
            Text,
            "TEXT NOT NULL",
            "replace(hex(zeroblob(20)), '0', 'ж') || n",
        ),
        (
            "blobs",
            Bytes,
            "BLOB NOT NULL",
            "CAST(n * 1237 % 4099 || 'x' AS BLOB)",
        ),
        ("reals", Other, "REAL NOT NULL", "(n - 300) / 3.0"),
        ("numerics", Other, "NUMERIC NOT NULL", "(n - 300) * 1.25"),
        (
            "mixed_types",
            Other,
            "NOT NULL",
            "CASE n % 3 WHEN 0 THEN n WHEN 1 THEN 't' || n ELSE CAST(n AS BLOB) END",
        ),
    ];
    let from =
        "(WITH RECURSIVE ns (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ns WHERE n < 700) SELECT n FROM ns)";
    let mixed = "CASE WHEN n % 3 = 0 THEN upper(printf('%x', n * 1237 % 4096)) ELSE printf('%x', n * 1237 % 4096) END || '-' || n";
    let mut kinds = tables(&columns, from, "TEXT", mixed);
    for kind in &mut kinds {
        kind.sql = kind.sql.replace("CONCAT('p', n)", "'p' || n");
    }
    kinds.extend([
        other("nulls", Text, &["id"], &format!("CREATE TABLE nulls (id TEXT PRIMARY KEY, slug TEXT NOT NULL);
            INSERT INTO nulls SELECT CASE WHEN n % 70 > 0 THEN 'r' || n END, 'p' || n FROM {from}")),
        other("views", Text, &["id"], "CREATE VIEW views AS SELECT t.id, i.slug FROM texts t JOIN ints i USING (slug)"),
        other("twos", Several, &["lang", "id"], &format!("CREATE TABLE twos (lang TEXT NOT NULL, id INT NOT NULL, slug TEXT NOT NULL, PRIMARY KEY (lang, id)) WITHOUT ROWID;
            INSERT INTO twos SELECT CASE n % 3 WHEN 0 THEN 'de' WHEN 1 THEN 'en' ELSE 'Fr' END, n, 'p' || n FROM {from}")),
        other("taken_names", Integer, &["id"], &format!("CREATE TABLE taken_names (id INTEGER PRIMARY KEY, sitemap_key_0 TEXT NOT NULL, slug TEXT NOT NULL);
            INSERT INTO taken_names SELECT n, 'k' || n, 'p' || n FROM {from}")),
    ]);
    kinds
}
