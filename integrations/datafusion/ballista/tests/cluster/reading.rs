//! Reading by two executors of this process.

use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use sitemap_arrow::BatchReaderBuilder;
use sitemap_ballista::InProcess;
use sitemap_datafusion::SitemapFormatFactory;
use sitemap_serde::Mode;
use tempfile::TempDir;

use crate::pages::{cluster, folder};

/// Six sitemaps of three hosts with 500 entries each, and a seventh with a wrong priority, a wrong loc and a missing end.
fn sitemaps() -> TempDir {
    let folder = folder();
    let root = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    for file in 0..6 {
        let mut xml = root.to_owned();
        for entry in 0..500 {
            let (host, day) = (file % 3, entry % 28 + 1);
            let _ = write!(
                xml,
                "<url><loc>https://{host}.example/{file}/{entry}</loc><lastmod>202{file}-02-{day:02}</lastmod></url>"
            );
        }
        xml.push_str("</urlset>");
        fs::write(folder.path().join(format!("good-{file}.xml")), xml).unwrap();
    }
    let broken = format!(
        "{root}<url><loc>https://3.example/</loc><priority>high</priority></url><url><loc>mailto:a@3.example</loc></url>"
    );
    fs::write(folder.path().join("broken.xml"), broken).unwrap();
    folder
}

async fn query(context: &SessionContext, sql: &str) -> Result<String> {
    let batches = context.sql(sql).await?.collect().await?;
    Ok(pretty_format_batches(&batches)?.to_string())
}

/// A session on one machine, for comparison of the results.
fn local() -> SessionContext {
    let context = SessionContext::new().enable_url_table();
    sitemap_datafusion::register(&context).unwrap();
    context
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_counts_and_dates_of_many_sitemaps() {
    let folder = sitemaps();
    let path = folder.path().display();
    let context = cluster(3).await;
    let sql = format!(
        "SELECT split_part(loc, '/', 3) AS host, count(*) AS pages, count(DISTINCT source) AS files,
                min(lastmod) AS oldest, max(lastmod_at) AS newest
         FROM '{path}/good-*.xml' GROUP BY host ORDER BY host"
    );
    let expected = "\
+-----------+-------+-------+------------+----------------------+
| host      | pages | files | oldest     | newest               |
+-----------+-------+-------+------------+----------------------+
| 0.example | 1000  | 2     | 2020-02-01 | 2023-02-28T00:00:00Z |
| 1.example | 1000  | 2     | 2021-02-01 | 2024-02-28T00:00:00Z |
| 2.example | 1000  | 2     | 2022-02-01 | 2025-02-28T00:00:00Z |
+-----------+-------+-------+------------+----------------------+";
    assert_eq!(query(&context, &sql).await.unwrap(), expected);

    assert_eq!(query(&local(), &sql).await.unwrap(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_options_of_a_table_reach_the_executors() {
    let folder = sitemaps();
    let path = folder.path().display();
    let context = cluster(2).await;
    let create = |name: &str, format: &str, options: &str| {
        format!("CREATE EXTERNAL TABLE {name} STORED AS {format} LOCATION '{path}' OPTIONS ({options})")
    };
    let tables = [
        create("strict", "SITEMAP", "mode 'strict'"),
        create("pages", "SITEMAP", "mode 'lenient', skip_refused true"),
        create("problems", "SITEMAP_PROBLEMS", "mode 'lenient'"),
    ];
    let local = local();
    for table in &tables {
        query(&context, table).await.unwrap();
        query(&local, table).await.unwrap();
    }

    let refused = query(&context, "SELECT count(*) FROM strict").await.unwrap_err();
    assert!(refused.to_string().contains("broken.xml"), "{refused}");
    // Columns, a filter, a limit, a subquery.
    for (sql, row) in [
        (
            "SELECT count(loc) AS pages, count(priority) AS rated FROM pages",
            "| 3002  | 0     |",
        ),
        (
            "SELECT entry, loc FROM pages
             WHERE lastmod = (SELECT max(lastmod) FROM pages WHERE loc LIKE '%/5/%') AND entry > 100 ORDER BY entry LIMIT 1",
            "| 112   | https://2.example/5/111 |",
        ),
        ("SELECT count(*) AS problems FROM problems", "| 3        |"),
    ] {
        let table = query(&context, sql).await.unwrap();
        assert_eq!(table, query(&local, sql).await.unwrap());
        assert_eq!(table.lines().nth(3).unwrap(), row, "{table}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_format_that_the_executors_do_not_know_is_an_error() {
    let folder = sitemaps();
    let path = folder.path().display();
    let context = cluster(2).await;
    let mut reader = BatchReaderBuilder::new();
    reader.mode(Mode::Lenient).skip_refused(true);
    let format = SitemapFormatFactory::new("crawled").with_reader(reader);
    context
        .state_ref()
        .write()
        .register_file_format(Arc::new(format), false)
        .unwrap();
    fs::rename(folder.path().join("good-0.xml"), folder.path().join("0.crawled")).unwrap();
    let error = query(&context, &format!("SELECT count(*) FROM '{path}/0.crawled'"))
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the format `crawled` is not known in this process"),
        "{error}"
    );
}

#[tokio::test]
async fn a_cluster_that_would_run_nothing_is_refused() {
    for (executors, cores) in [(0, 1), (1, 0)] {
        let error = InProcess::start(executors, cores, Arc::default())
            .await
            .unwrap_err();
        assert!(
            error.to_string().contains("without executors or cores"),
            "{error}"
        );
    }
}
