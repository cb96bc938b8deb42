//! Pages to write, and the written pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::dataframe::DataFrame;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use sitemap_ballista::InProcess;
use sitemap_datafusion::part_lists;
use sitemap_site::SitemapSet;
use tempfile::TempDir;

pub(crate) const BASE: &str = "https://example.com";

/// DataFusion skips folders whose names begin with a dot.
pub(crate) fn folder() -> TempDir {
    tempfile::Builder::new().prefix("cluster").tempdir().unwrap()
}

pub(crate) fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// Parquet files with `rows` pages in the folder `pages`.
pub(crate) async fn make(folder: &TempDir, rows: u64, files: u64) {
    let context = SessionContext::new();
    for file in 0..files {
        let (first, last) = (rows * file / files + 1, rows * (file + 1) / files);
        let copy = format!(
            "COPY (SELECT value AS id, to_timestamp_seconds(1700000000 + value * 60) AS updated \
             FROM generate_series({first}, {last})) TO '{}/{file}.parquet' STORED AS PARQUET",
            path(folder, "pages")
        );
        context.sql(&copy).await.unwrap().collect().await.unwrap();
    }
}

/// Two executors in this process, and a session whose scans have that many partitions.
pub(crate) async fn cluster(partitions: usize) -> SessionContext {
    let cluster = InProcess::start(2, 1, Arc::default()).await.unwrap();
    let context = cluster.connect().await.unwrap();
    set_partitions(&context, partitions).await;
    context
}

pub(crate) async fn set_partitions(context: &SessionContext, partitions: usize) {
    let set = format!("SET datafusion.execution.target_partitions = {partitions}");
    context.sql(&set).await.unwrap();
}

/// The pages of the Parquet files as rows of a set.
pub(crate) async fn rows(context: &SessionContext, folder: &TempDir) -> DataFrame {
    context
        .register_parquet("pages", path(folder, "pages"), ParquetReadOptions::default())
        .await
        .unwrap();
    let sql = "SELECT id, '/products/' || id AS loc, updated AS lastmod FROM pages";
    context.sql(sql).await.unwrap()
}

/// Task, part, entries and bytes of each row that has a part.
pub(crate) fn parts(written: &[RecordBatch]) -> BTreeSet<(String, i64, i64, i64)> {
    let mut parts = BTreeSet::new();
    for batch in written {
        let tasks = batch.column(0).as_string::<i32>();
        let numbers = |column: usize| batch.column(column).as_primitive::<Int64Type>();
        for row in 0..batch.num_rows() {
            if !numbers(1).is_null(row) {
                let [part, entries, bytes] = [1, 2, 3].map(|column| numbers(column).value(row));
                assert!(parts.insert((tasks.value(row).to_owned(), part, entries, bytes)));
            }
        }
    }
    parts
}

/// The hashes of the parts' content, in order, by task.
pub(crate) fn contents(written: &[RecordBatch]) -> BTreeMap<String, Vec<String>> {
    let lists = part_lists(written).unwrap();
    let content = |list: &sitemap_site::PartList| list.parts().map(|part| part.hash.to_string()).collect();
    lists
        .iter()
        .map(|list| (list.task().to_owned(), content(list)))
        .collect()
}

/// The unpublished files of a set, by the session that wrote them.
pub(crate) fn staged(public: &str) -> BTreeMap<String, Vec<String>> {
    let names = |path: &Path| -> Vec<String> {
        let Ok(entries) = fs::read_dir(path) else {
            return Vec::new();
        };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    };
    let staging = Path::new(public).join("state/staging");
    let sessions = names(&staging).into_iter();
    sessions
        .map(|session| {
            let files = names(&staging.join(&session));
            (session, files)
        })
        .collect()
}

/// The locs of a published set; each is in it once.
pub(crate) fn locs(public: &str) -> BTreeSet<String> {
    let set = SitemapSet::directory(public, BASE).open().unwrap();
    let mut locs = BTreeSet::new();
    for entry in set.entries().unwrap() {
        let loc = entry.unwrap().loc;
        assert!(locs.insert(loc.clone()), "{loc} is there twice");
    }
    locs
}

/// The locs that the pages with these ids have.
pub(crate) fn locs_of(ids: impl IntoIterator<Item = u64>) -> BTreeSet<String> {
    let locs = ids.into_iter().map(|id| format!("{BASE}/products/{id}"));
    locs.collect()
}
