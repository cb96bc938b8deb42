//! A million rows of SQLite as one sitemap, with four processes and one commit: `workers DIRECTORY [ROWS]`
//!
//! It fills a database in the directory and starts itself once for each quarter of the ids. A worker prints the list of the
//! parts that it has written; the first process publishes all lists at once, in `DIRECTORY/sitemaps`.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use diesel::connection::{DefaultLoadingMode, SimpleConnection};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use sitemap_serde::{OnInvalid, SitemapEntry};
use sitemap_site::{PartList, SitemapSet};

const WORKERS: i64 = 4;

#[derive(QueryableByName, SitemapEntry)]
#[sitemap(loc = "/products/{slug}")]
struct Product {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    slug: String,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [directory] => publish(directory, 1_000_000),
        [directory, rows] => publish(directory, rows.parse()?),
        [directory, task, first, last] => write(directory, task, first.parse()?, last.parse()?),
        _ => bail!("usage: workers DIRECTORY [ROWS]"),
    }
}

fn open(directory: &str) -> Result<(SqliteConnection, SitemapSet)> {
    let connection = SqliteConnection::establish(&format!("{directory}/products.sqlite"))?;
    let set = SitemapSet::directory(Path::new(directory).join("sitemaps"), "https://example.com")
        .gzip(6)
        .on_invalid(OnInvalid::SkipEntry)
        .open()?;
    Ok((connection, set))
}

fn write(directory: &str, task: &str, first: i64, last: i64) -> Result<()> {
    let (mut connection, set) = open(directory)?;
    let mut writer = set.task_writer("products", task)?;
    let query = format!("SELECT id, slug FROM products WHERE id BETWEEN {first} AND {last} ORDER BY id");
    for product in diesel::sql_query(query).load_iter::<Product, DefaultLoadingMode>(&mut connection)? {
        let product = product?;
        writer.write(product.id, &product)?;
    }
    Ok(serde_json::to_writer(std::io::stdout(), &writer.finish()?)?)
}

fn publish(directory: &str, rows: i64) -> Result<()> {
    let (mut connection, set) = open(directory).with_context(|| format!("cannot use {directory}"))?;
    connection.batch_execute(&format!(
        "CREATE TABLE IF NOT EXISTS products (id INTEGER PRIMARY KEY, slug TEXT NOT NULL);
         WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < {rows})
         INSERT OR IGNORE INTO products SELECT id, 'product-' || id FROM ids"
    ))?;
    let start = |task: i64| {
        let range =
            [task, rows * task / WORKERS + 1, rows * (task + 1) / WORKERS].map(|number| number.to_string());
        let mut worker = Command::new(env::current_exe()?);
        worker.arg(directory).args(range).stdout(Stdio::piped()).spawn()
    };
    let mut lists: Vec<PartList> = Vec::new();
    for worker in (0..WORKERS).map(start).collect::<Result<Vec<_>, _>>()? {
        let output = worker.wait_with_output()?;
        ensure!(
            output.status.success(),
            "a worker has failed; the sitemap stays as it was"
        );
        lists.push(serde_json::from_slice(&output.stdout)?);
    }
    println!("{}", set.commit(&lists)?);
    Ok(())
}
