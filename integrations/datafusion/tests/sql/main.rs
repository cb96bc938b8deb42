//! Sitemaps in SQL: reading, rejecting and writing.

mod parts;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::prelude::{SessionConfig, SessionContext};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures::TryStreamExt;
use log::{Log, Metadata, Record};
use object_store::memory::InMemory;
use object_store::{ObjectStore, ObjectStoreExt};
use sitemap_serde::{Reader, UrlEntry};
use sitemap_site::SitemapSet;
use tempfile::TempDir;

const ROOT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">";

/// DataFusion skips folders whose names begin with a dot.
fn folder() -> TempDir {
    tempfile::Builder::new().prefix("sitemaps").tempdir().unwrap()
}

fn context() -> SessionContext {
    let config = SessionConfig::new()
        .with_target_partitions(2)
        .with_batch_size(100);
    let context = SessionContext::new_with_config(config).enable_url_table();
    sitemap_datafusion::register(&context).unwrap();
    context
}

/// The result as a table.
async fn query(context: &SessionContext, sql: &str) -> Result<String> {
    let batches = context.sql(sql).await?.collect().await?;
    Ok(pretty_format_batches(&batches)?.to_string())
}

/// The values of a result of one row and column.
async fn value(context: &SessionContext, sql: &str) -> String {
    let table = query(context, sql).await.unwrap();
    table.lines().nth(3).unwrap().trim_matches(['|', ' ']).to_owned()
}

async fn error(context: &SessionContext, sql: &str) -> String {
    query(context, sql).await.unwrap_err().strip_backtrace()
}

/// Three files of 1,000 entries, two of them compressed.
fn sitemaps() -> TempDir {
    let folder = folder();
    for file in 1..=3 {
        let mut xml = ROOT.to_owned();
        for i in 0..1000 {
            let image = format!(
                "<image:image><image:loc>https://example.com/{file}-{i}.jpg</image:loc></image:image>"
            );
            let _ = write!(
                xml,
                "<url><loc>https://example.com/{file}/{i}</loc><lastmod>20{:02}-05-01</lastmod><priority>0.{}</priority>{}</url>",
                20 + file,
                i % 10,
                if i % 2 == 0 { &image } else { "" }
            );
        }
        xml.push_str("</urlset>");
        if file == 3 {
            fs::write(folder.path().join("3.xml"), xml).unwrap();
        } else {
            let packed = fs::File::create(folder.path().join(format!("{file}.xml.gz"))).unwrap();
            let mut packed = GzEncoder::new(packed, Compression::fast());
            packed.write_all(xml.as_bytes()).unwrap();
            packed.finish().unwrap();
        }
    }
    folder
}

#[tokio::test]
async fn files_are_queried_by_their_paths() {
    let folder = sitemaps();
    let (context, path) = (context(), folder.path().display());
    assert_eq!(
        value(&context, &format!("SELECT count(*) FROM '{path}/*.xml.gz'")).await,
        "2000"
    );
    let sql = format!(
        "SELECT date_part('year', lastmod_at) AS year, count(*) AS pages, max(priority) AS priority, sum(cardinality(images)) AS images,
                min(images[1]['loc']) AS image
         FROM '{path}/*.xml.gz' GROUP BY year ORDER BY year"
    );
    assert_eq!(
        query(&context, &sql).await.unwrap(),
        "\
+------+-------+----------+--------+-----------------------------+
| year | pages | priority | images | image                       |
+------+-------+----------+--------+-----------------------------+
| 2021 | 1000  | 0.9      | 500    | https://example.com/1-0.jpg |
| 2022 | 1000  | 0.9      | 500    | https://example.com/2-0.jpg |
+------+-------+----------+--------+-----------------------------+"
    );
    assert_eq!(
        value(
            &context,
            &format!("SELECT loc FROM '{path}/3.xml' WHERE entry = 8")
        )
        .await,
        "https://example.com/3/7"
    );
    let source = value(&context, &format!("SELECT DISTINCT source FROM '{path}/3.xml'")).await;
    assert!(folder.path().join("3.xml").ends_with(&source), "{source}");
}

#[tokio::test]
async fn a_table_of_a_folder() {
    let folder = sitemaps();
    let (context, path) = (context(), folder.path().display());
    context
        .sql(&format!(
            "CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION '{path}/'"
        ))
        .await
        .unwrap();
    assert_eq!(value(&context, "SELECT count(*) FROM pages").await, "3000");
    assert_eq!(
        value(
            &context,
            "SELECT count(DISTINCT source) FROM pages WHERE priority > 0.85"
        )
        .await,
        "3"
    );
}

/// The query's columns become the scan's; one partition reads a file.
#[tokio::test]
async fn the_plan_reads_what_is_needed() {
    let folder = sitemaps();
    let (context, path) = (context(), folder.path().display());
    let sql = format!("EXPLAIN SELECT loc FROM '{path}/*.xml.gz' WHERE priority > 0.5 LIMIT 7");
    let plan = query(&context, &sql).await.unwrap();
    let scan = plan.lines().find(|line| line.contains("DataSourceExec")).unwrap();
    assert!(
        scan.contains("file_groups={2 groups: [[") && scan.contains("projection=[loc, priority]"),
        "{plan}"
    );
    assert!(
        scan.contains("file_type=sitemap") && !scan.contains(".xml.gz:"),
        "{plan}"
    );
    // Computed columns read only their inputs.
    let sql = format!("EXPLAIN SELECT upper(loc), entry + 1 FROM '{path}/3.xml'");
    let plan = query(&context, &sql).await.unwrap();
    assert!(
        plan.contains("DataSourceExec") && !plan.contains("videos"),
        "{plan}"
    );
}

/// Nothing is read after a limit: damage there is not found. An unlimited query finds it.
#[tokio::test]
async fn a_limit_ends_the_reading() {
    let folder = folder();
    let path = folder.path().join("damaged.xml");
    let page = |i: usize| {
        format!(
            "<url><loc>https://example.com/{i}-{}</loc></url>",
            "x".repeat(1000)
        )
    };
    let pages: String = (0..5000).map(page).collect();
    fs::write(
        &path,
        format!("{ROOT}{pages}<url><loc>nowhere</loc></url></urlset>"),
    )
    .unwrap();
    let (context, path) = (context(), path.display());
    let limited = query(&context, &format!("SELECT entry FROM '{path}' LIMIT 2"))
        .await
        .unwrap();
    assert_eq!(
        limited,
        "+-------+\n| entry |\n+-------+\n| 1     |\n| 2     |\n+-------+"
    );
    let message = error(&context, &format!("SELECT count(*) FROM '{path}'")).await;
    assert!(
        message.contains("damaged.xml: `nowhere` ") && message.contains("entry 5001 · loc"),
        "{message}"
    );
}

#[tokio::test]
async fn what_is_wrong_is_a_table_too() {
    let folder = folder();
    let path = folder.path().display();
    fs::write(
        folder.path().join("1.xml"),
        format!("{ROOT}<url><loc>https://example.com/?a&b</loc><priority>high</priority></url></urlset>"),
    )
    .unwrap();
    fs::write(
        folder.path().join("2.xml"),
        "<!doctype html><title>Not found</title>",
    )
    .unwrap();
    let context = context();
    for (table, format) in [("pages", "SITEMAP"), ("problems", "SITEMAP_PROBLEMS")] {
        let sql = format!(
            "CREATE EXTERNAL TABLE {table} STORED AS {format} LOCATION '{path}/' OPTIONS (mode 'lenient', skip_refused true)"
        );
        context.sql(&sql).await.unwrap();
    }
    assert_eq!(
        value(&context, "SELECT loc FROM pages").await,
        "https://example.com/?a&b"
    );
    assert_eq!(
        query(
            &context,
            "SELECT rule, refused, line, path FROM problems ORDER BY source, byte"
        )
        .await
        .unwrap(),
        "\
+--------+----------+------+--------------------+
| rule   | refused  | line | path               |
+--------+----------+------+--------------------+
| P-ESC  |          | 1    | entry 1            |
| P-PRIO |          | 1    | entry 1 · priority |
| P-NS   | document | 1    |                    |
+--------+----------+------+--------------------+"
    );
    assert_eq!(
        value(
            &context,
            "SELECT count(*) FROM problems WHERE severity = 'warning'"
        )
        .await,
        "1"
    );
    // In strict mode, both tables contain the rejections.
    let sql = format!("CREATE EXTERNAL TABLE strict STORED AS SITEMAP LOCATION '{path}/'");
    context.sql(&sql).await.unwrap();
    assert!(error(&context, "SELECT * FROM strict").await.contains(".xml: "));
    let sql = format!("CREATE EXTERNAL TABLE wrong STORED AS SITEMAP_PROBLEMS LOCATION '{path}/'");
    context.sql(&sql).await.unwrap();
    assert_eq!(value(&context, "SELECT count(*) FROM wrong").await, "2");
}

fn entries(folder: &Path) -> Vec<UrlEntry> {
    let set = SitemapSet::directory(folder, "https://example.com")
        .open()
        .unwrap();
    set.entries().unwrap().map(Result::unwrap).collect()
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder.join("current")).unwrap();
    let mut names: Vec<_> = names
        .map(|name| name.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A million rows are 20 full parts and an index, in order; the same query again changes no file.
#[tokio::test]
async fn a_query_becomes_a_set() {
    let folder = folder();
    let context = context();
    let sql = format!(
        "COPY (SELECT value AS id, '/products/' || value AS loc, to_timestamp(value * 3600) AS lastmod_at,
                      CASE WHEN value % 3 = 0 THEN 'daily' END AS changefreq
               FROM generate_series(1, 120000) ORDER BY value)
         TO '{}' STORED AS SITEMAP OPTIONS (base 'https://example.com', section 'products', key 'id', gzip true)",
        folder.path().display()
    );
    assert_eq!(value(&context, &sql).await, "120000");
    let parts = [
        "sitemap-products-1.xml.gz",
        "sitemap-products-2.xml.gz",
        "sitemap-products-3.xml.gz",
        "sitemap.xml",
    ];
    assert_eq!(files(folder.path()), parts);
    let written = entries(folder.path());
    assert_eq!(written.len(), 120_000);
    for (id, entry) in (1..).zip(&written) {
        assert_eq!(entry.loc, format!("https://example.com/products/{id}"));
        assert_eq!(entry.changefreq.is_some(), id % 3 == 0);
    }
    assert_eq!(written[23].lastmod.unwrap().to_string(), "1970-01-02T00:00:00Z");
    let first = Reader::from_path(folder.path().join("current").join(parts[0]))
        .unwrap()
        .into_iter()
        .count();
    assert_eq!(first, 50_000);
    let modified = |name| {
        fs::metadata(folder.path().join("current").join(name))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = modified(parts[1]);
    query(&context, &sql).await.unwrap();
    assert_eq!(modified(parts[1]), before);
}

/// Sitemaps to sitemaps, with images, next to another section.
#[tokio::test]
async fn sections_are_updated() {
    let sitemaps = sitemaps();
    let folder = folder();
    let (context, from, to) = (context(), sitemaps.path().display(), folder.path().display());
    let copy = |select: &str, options: &str| {
        format!("COPY ({select}) TO '{to}' STORED AS SITEMAP OPTIONS (base 'https://example.com', {options})")
    };
    let all = copy(
        &format!("SELECT * FROM '{from}/*.xml.gz' ORDER BY source, entry"),
        "section 'pages', max_entries 900",
    );
    assert_eq!(value(&context, &all).await, "2000");
    let one = copy("SELECT '/about' AS loc", "section 'about', update true");
    assert_eq!(value(&context, &one).await, "1");
    let names = [
        "sitemap-about-1.xml",
        "sitemap-pages-1.xml",
        "sitemap-pages-2.xml",
        "sitemap-pages-3.xml",
        "sitemap.xml",
    ];
    assert_eq!(files(folder.path()), names);
    let written = entries(folder.path());
    assert_eq!(written.len(), 2001);
    assert_eq!(
        written.iter().map(|entry| entry.images.len()).sum::<usize>(),
        1000
    );
    // If `update` is off, the set contains only the last output, unless it would lose too much.
    let shrunk = copy("SELECT '/about' AS loc", "section 'about'");
    assert!(error(&context, &shrunk).await.contains("entries"), "shrunk");
    assert_eq!(entries(folder.path()).len(), 2001);
    let shrunk = copy("SELECT '/about' AS loc", "section 'about', allow_shrinking true");
    assert_eq!(value(&context, &shrunk).await, "1");
    assert_eq!(entries(folder.path()).len(), 1);
}

/// A query that fails publishes nothing, in the middle or at the end; rows may be skipped instead.
#[tokio::test]
async fn nothing_is_published_by_a_query_that_fails() {
    let folder = folder();
    let (context, to) = (context(), folder.path().display());
    let copy = |select: &str, options: &str| {
        format!("COPY ({select}) TO '{to}' STORED AS SITEMAP OPTIONS (base 'https://example.com'{options})")
    };
    let good = copy(
        "SELECT '/' || value AS loc FROM generate_series(1, 1000) ORDER BY value",
        "",
    );
    assert_eq!(value(&context, &good).await, "1000");
    let rows = "FROM generate_series(1, 1000) ORDER BY value";
    let failing = [
        (
            format!("SELECT '/' || (1 / (value - 990)) AS loc {rows}"),
            "Divide by zero",
        ),
        (
            format!("SELECT CASE WHEN value = 990 THEN 'nowhere' ELSE '/' || value END AS loc {rows}"),
            "column `loc`, row 89: section pages: `nowhere`",
        ),
        (
            format!("SELECT value AS loc {rows}"),
            "column `loc`: it is of the type Int64, and has to be text",
        ),
        (
            format!("SELECT '/' || value AS url {rows}"),
            "column `url`: it means nothing in a sitemap",
        ),
        (
            format!(
                "SELECT '/' || value AS loc, CASE WHEN value <> 990 THEN 0.5 ELSE 1.5 END AS priority {rows}"
            ),
            "(P-PRIO)",
        ),
    ];
    for (select, expected) in failing {
        let message = error(&context, &copy(&select, "")).await;
        assert!(message.contains(expected), "{message}");
        assert_eq!(entries(folder.path()).len(), 1000);
        assert_eq!(entries(folder.path())[0].loc, "https://example.com/1");
    }
    let select =
        format!("SELECT value, CASE WHEN value = 990 THEN 'nowhere' ELSE '/new/' || value END AS loc {rows}");
    assert_eq!(
        value(&context, &copy(&select, ", on_invalid skip, ignore_others true")).await,
        "999"
    );
    assert_eq!(entries(folder.path())[998].loc, "https://example.com/new/1000");
}

/// The warnings of the crate log.
struct Warnings(Mutex<Vec<String>>);

static WARNINGS: Warnings = Warnings(Mutex::new(Vec::new()));

impl Log for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("sitemap_datafusion")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            self.0.lock().unwrap().push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

#[tokio::test]
async fn rows_that_are_skipped_are_logged() {
    log::set_logger(&WARNINGS).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
    let folder = folder();
    let copy = format!(
        "COPY (SELECT * FROM (VALUES ('/1'), ('elsewhere'), ('/3')) AS rows(loc))
         TO '{}' STORED AS SITEMAP OPTIONS (base 'https://logged.example', on_invalid skip)",
        folder.path().display()
    );
    assert_eq!(value(&context(), &copy).await, "2");
    let warnings = WARNINGS.0.lock().unwrap();
    let mine: Vec<_> = warnings
        .iter()
        .filter(|warning| warning.contains("`elsewhere`"))
        .collect();
    assert_eq!(mine.len(), 1, "{warnings:?}");
    assert!(
        mine[0].starts_with("1 rows were skipped, and 0 values dropped: "),
        "{mine:?}"
    );
}

#[tokio::test]
async fn settings_that_are_wrong() {
    let folder = folder();
    let (context, to) = (context(), folder.path().display());
    let copy = |format: &str, options: &str| {
        format!("COPY (SELECT '/' AS loc) TO '{to}' STORED AS {format} {options}")
    };
    let cases = [
        (
            copy("SITEMAP", ""),
            "no `base`: add the URL of the site, as in `OPTIONS (base 'https://example.com')`",
        ),
        (
            copy("SITEMAP", "OPTIONS (url 'https://example.com')"),
            "`url` is not an option of sitemaps, which are: mode, skip_refused, base, files_url, section, key, gzip, max_entries, on_invalid, \
             ignore_others, update, allow_shrinking",
        ),
        (
            copy("SITEMAP", "OPTIONS (gzip 'maybe')"),
            "the option `gzip` is `maybe`, and has to be `true` or `false`",
        ),
        (
            copy("SITEMAP", "OPTIONS (max_entries 50001)"),
            "the option `max_entries` is `50001`, and has to be a number from 1 to 50000",
        ),
        (
            copy("SITEMAP", "OPTIONS (mode 'kind')"),
            "the option `mode` is `kind`, and has to be `strict`, `lenient` or `correcting`",
        ),
        (copy("SITEMAP", "OPTIONS (base 'example.com')"), "example.com"),
        (
            copy("SITEMAP", "OPTIONS (base 'https://example.com', section 'A B')"),
            "cannot be the name of a section",
        ),
        (
            copy("SITEMAP", "OPTIONS (base 'https://example.com', key 'id')"),
            "column `id`: there is no such column",
        ),
        (
            copy(
                "SITEMAP",
                "PARTITIONED BY (loc) OPTIONS (base 'https://example.com')",
            ),
            "leave out `PARTITIONED BY`",
        ),
        (
            copy("SITEMAP_PROBLEMS", ""),
            "problems are read from sitemaps, and cannot be written",
        ),
    ];
    for (sql, expected) in cases {
        let message = error(&context, &sql).await;
        assert!(message.contains(expected), "{sql}: {message}");
    }
    assert!(!folder.path().join("current").exists());
    fs::write(folder.path().join("a.xml"), format!("{ROOT}</urlset>")).unwrap();
    context
        .sql(&format!(
            "CREATE EXTERNAL TABLE t STORED AS SITEMAP LOCATION '{to}/' OPTIONS (base 'https://example.com')"
        ))
        .await
        .unwrap();
    let message = error(&context, "INSERT INTO t (loc, mobile, images, videos, news, alternates, source, entry, byte) SELECT '/', false, [] AS a, [] AS b, [] AS c, [] AS d, 'a', 1, 1 AS e").await;
    assert!(message.contains("use `COPY … TO`, not `INSERT`"), "{message}");
    assert!(!folder.path().join("current").exists());
}

/// A set in an object store, read back from there in blocks.
#[tokio::test(flavor = "multi_thread")]
async fn sets_in_object_stores() {
    let context = context();
    let store = Arc::new(InMemory::new());
    let url = "memory://bucket".parse().unwrap();
    context.register_object_store(&url, Arc::clone(&store) as Arc<dyn ObjectStore>);
    let sql = "COPY (SELECT '/products/' || value AS loc FROM generate_series(1, 60000) ORDER BY value)
               TO 'memory://bucket/public' STORED AS SITEMAP OPTIONS (base 'https://example.com', gzip true)";
    for _ in 0..2 {
        assert_eq!(value(&context, sql).await, "60000");
    }
    assert!(store.get(&"public/sitemap.xml".into()).await.is_ok());
    let parts = store
        .list(Some(&"public".into()))
        .map_ok(|part| part.location.to_string());
    let mut parts: Vec<_> = parts.try_collect().await.unwrap();
    parts.retain(|part| part.ends_with(".xml.gz"));
    assert_eq!(parts.len(), 2);
    let mut counts = Vec::new();
    for part in parts {
        let count = format!("SELECT count(DISTINCT loc) FROM 'memory://bucket/{part}'");
        counts.push(value(&context, &count).await);
        let source = format!("SELECT DISTINCT source FROM 'memory://bucket/{part}'");
        assert_eq!(value(&context, &source).await, part);
    }
    counts.sort();
    assert_eq!(counts, ["10000", "50000"]);
    // The index is not a list of pages.
    let sql = "CREATE EXTERNAL TABLE pages STORED AS SITEMAP LOCATION 'memory://bucket/public/' OPTIONS (skip_refused true)";
    context.sql(sql).await.unwrap();
    assert_eq!(value(&context, "SELECT count(*) FROM pages").await, "60000");
}
