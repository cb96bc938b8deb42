//! Sets written by several tasks of this process.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::dataframe::DataFrame;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt;
use sitemap_datafusion::{Parts, PartsQueryPlanner, part_lists};

use crate::{entries, folder};

const BASE: &str = "https://example.com";

fn context() -> SessionContext {
    let state = SessionStateBuilder::new_with_default_features()
        .with_config(SessionConfig::new().with_target_partitions(3))
        .with_query_planner(Arc::new(PartsQueryPlanner))
        .build();
    SessionContext::new_with_state(state)
}

fn parts(folder: &Path) -> Parts {
    Parts::new(folder.to_str().unwrap(), BASE).unwrap()
}

async fn select(sql: &str) -> DataFrame {
    context().sql(sql).await.unwrap()
}

/// The unpublished files.
fn staged(folder: &Path) -> usize {
    let sessions = std::fs::read_dir(folder.join("state/staging"))
        .into_iter()
        .flatten();
    let files = sessions.flat_map(|session| std::fs::read_dir(session.unwrap().path()).into_iter().flatten());
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.contains(".xml")).count()
}

/// One or two of three tasks have no rows, and return no list.
#[tokio::test]
async fn tasks_without_rows() {
    let folder = folder();
    let settings = parts(folder.path()).shuffle(true);
    let one = select("SELECT '/1' AS loc").await;
    let written = settings.plan(one.clone()).unwrap().collect().await.unwrap();
    assert_eq!(part_lists(&written).unwrap().len(), 1);
    assert_eq!(settings.write(one).await.unwrap().entries, 1);

    // No task has rows: the set would lose its entries.
    let none = select("SELECT '/1' AS loc WHERE false").await;
    let written = settings.plan(none.clone()).unwrap().collect().await.unwrap();
    assert_eq!(part_lists(&written).unwrap().len(), 0);
    let error = settings.write(none.clone()).await.unwrap_err().strip_backtrace();
    assert!(
        error.contains("the set would be empty, and the published one has 1 entry"),
        "{error}"
    );
    assert_eq!(entries(folder.path()).len(), 1);
    let summary = settings.allow_shrinking(true).write(none).await.unwrap();
    assert_eq!((summary.entries, summary.files), (0, 1));
}

/// The columns of a join keep their names.
#[tokio::test]
async fn two_columns_of_one_name() {
    let folder = folder();
    let rows = "(SELECT 1 AS id, '/1' AS loc)";
    for (columns, name) in [("a.loc, b.loc, a.id", "loc"), ("a.loc, a.id, b.id", "id")] {
        let query = select(&format!(
            "SELECT {columns} FROM {rows} a JOIN {rows} b ON a.id = b.id"
        ))
        .await;
        let error = parts(folder.path()).key("id").write(query).await.unwrap_err();
        let error = error.strip_backtrace();
        assert!(
            error.contains(&format!("column `{name}`: there are two columns of this name")),
            "{error}"
        );
    }
    assert!(!folder.path().join("current").exists());
}

/// A row without a loc or key is an error also where invalid ones are skipped.
#[tokio::test]
async fn nulls() {
    let folder = folder();
    let rows = "FROM (VALUES (1, '/1'), (2, 'elsewhere'), (3, NULL), (NULL, '/4')) AS rows(id, loc)";
    let settings = parts(folder.path())
        .key("id")
        .on_invalid(sitemap_serde::OnInvalid::SkipEntry);
    for (condition, expected) in [
        ("id IS NOT NULL", "column `loc`, row 2: it is null"),
        ("loc IS NOT NULL", "column `id`, row 2: it is null"),
    ] {
        let query = select(&format!("SELECT id, loc {rows} WHERE {condition}")).await;
        let error = settings.write(query).await.unwrap_err().strip_backtrace();
        assert!(error.contains(expected), "{error}");
    }
    let query = select(&format!(
        "SELECT id, loc {rows} WHERE id IS NOT NULL AND loc IS NOT NULL"
    ))
    .await;
    let summary = settings.write(query).await.unwrap();
    assert_eq!((summary.entries, summary.skipped), (1, 1));
}

/// DataFusion takes some characters of paths for patterns; of a URL it does not.
#[tokio::test]
async fn a_folder_whose_name_is_a_pattern() {
    let folder = folder();
    let path = format!("{}/site[1]", folder.path().display());
    let error = Parts::new(&path, BASE).unwrap_err().strip_backtrace();
    assert!(error.contains("is a pattern of paths"), "{error}");
    let copy = format!("COPY (SELECT '/1' AS loc) TO '{path}' STORED AS SITEMAP OPTIONS (base '{BASE}')");
    let error = crate::error(&crate::context(), &copy).await;
    assert!(error.contains("`site[1]` is a pattern of paths"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    let url = format!("file://{}/site%5B1%5D", folder.path().display());
    let settings = Parts::new(url, BASE).unwrap();
    settings.write(select("SELECT '/1' AS loc").await).await.unwrap();
    assert_eq!(entries(Path::new(&path)).len(), 1);
}

/// A query whose result is no longer awaited leaves nothing behind.
#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_is_dropped() {
    let folder = folder();
    let query = select("SELECT value, '/' || value AS loc FROM generate_series(1, 300000)").await;
    let settings = parts(folder.path()).key("value");
    let mut rows = settings.plan(query).unwrap().execute_stream().await.unwrap();
    let until = async |is_done: &(dyn Fn() -> bool + Sync)| {
        for _ in 0..6000 {
            if is_done() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("waited for a minute");
    };
    let reading = tokio::spawn(async move { rows.next().await });
    until(&|| staged(folder.path()) > 0).await;
    reading.abort();
    until(&|| staged(folder.path()) == 0).await;
    assert!(!folder.path().join("current").exists());
}

/// Rows of parts may have been kept in a file that has another type for text.
#[tokio::test]
async fn lists_of_any_type_of_text() {
    let folder = folder();
    let settings = parts(folder.path());
    let plan = settings.plan(select("SELECT '/1' AS loc").await).unwrap();
    let written = plan.collect().await.unwrap();
    let lists = part_lists(&written).unwrap();
    assert_eq!(lists.len(), 1);
    for text in [DataType::Utf8View, DataType::LargeUtf8] {
        let batches = written.iter().map(|batch| {
            let list = cast(batch.column_by_name("list").unwrap(), &text).unwrap();
            RecordBatch::try_from_iter_with_nullable([("list", list, true)]).unwrap()
        });
        let found = part_lists(&batches.collect::<Vec<_>>()).unwrap();
        assert_eq!(format!("{found:?}"), format!("{lists:?}"));
    }
    let other: ArrayRef = Arc::new(StringArray::from(vec!["{}"]));
    for (name, expected) in [("lists", "there is no column `list`"), ("list", "missing field")] {
        let batch = RecordBatch::try_from_iter([(name, Arc::clone(&other))]).unwrap();
        let error = part_lists(&[batch]).unwrap_err().strip_backtrace();
        assert!(error.contains(expected), "{error}");
    }
}
