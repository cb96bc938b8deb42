//! Writing by two executors of this process.

use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::prelude::SessionContext;
use object_store::memory::InMemory;
use object_store::{ObjectStore, ObjectStoreExt};
use sitemap_ballista::InProcess;
use sitemap_datafusion::{Parts, part_lists};

use crate::pages::{BASE, cluster, contents, folder, locs, locs_of, make, parts, path, rows, staged};

#[tokio::test(flavor = "multi_thread")]
async fn each_partition_writes_parts_and_the_client_publishes_them() {
    let folder = folder();
    make(&folder, 120_000, 4).await;
    let context = cluster(4).await;
    let public = path(&folder, "public");

    let settings = Parts::new(&public, BASE)
        .unwrap()
        .section("products")
        .key("id")
        .gzip(true)
        .max_entries(20_000);
    let query = settings.plan(rows(&context, &folder).await).unwrap();
    let written = query.collect().await.unwrap();
    let parts = parts(&written);
    let files: Vec<String> = staged(&public)
        .into_values()
        .flatten()
        .filter(|name| name.ends_with(".xml.gz"))
        .collect();
    assert_eq!(parts.len(), files.len());
    assert_eq!(parts.len(), 8, "30,000 rows each are two parts: {parts:?}");
    assert_eq!(contents(&written).len(), 4);
    let entries: i64 = parts.iter().map(|(_, _, entries, _)| entries).sum();
    assert_eq!(entries, 120_000);
    assert!(parts.iter().all(|(_, _, _, bytes)| *bytes > 1000));

    let summary = settings.commit(&written, &context.runtime_env()).await.unwrap();
    assert_eq!((summary.entries, summary.files), (120_000, 9));
    assert_eq!(summary.skipped, 0);
    assert!(locs(&public) == locs_of(1..=120_000));
    assert!(staged(&public).is_empty(), "{:?}", staged(&public));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_runs_again_writes_the_same_under_the_same_names() {
    let folder = folder();
    make(&folder, 50_000, 4).await;
    let context = cluster(3).await;
    let settings = |public: &str| {
        let parts = Parts::new(path(&folder, public), BASE).unwrap();
        // Rows of a shuffle come in any order, and are sorted.
        parts
            .section("products")
            .key("id")
            .max_entries(10_000)
            .shuffle(true)
    };
    let query = rows(&context, &folder).await;
    let mut runs = Vec::new();
    for public in ["a", "b", "b"] {
        let plan = settings(public).plan(query.clone()).unwrap();
        runs.push(plan.collect().await.unwrap());
    }
    assert_eq!(contents(&runs[0]).len(), 3);
    assert_eq!(contents(&runs[0]), contents(&runs[1]));
    assert_eq!(contents(&runs[0]), contents(&runs[2]));
    assert_eq!(parts(&runs[0]), parts(&runs[2]));

    let environment = context.runtime_env();
    settings("a").commit(&runs[0], &environment).await.unwrap();
    // The lists of either run can be committed, and make the same files.
    settings("b").commit(&runs[2], &environment).await.unwrap();
    let names = |public: &str| {
        let current = folder.path().join(public).join("current");
        let mut files: Vec<_> = std::fs::read_dir(current)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                (
                    path.file_name().unwrap().to_owned(),
                    std::fs::read(&path).unwrap(),
                )
            })
            .filter(|(name, _)| name.to_str() != Some("sitemap.xml"))
            .collect();
        files.sort();
        files
    };
    assert!(names("a").len() >= 6);
    assert!(names("a") == names("b"));
    assert!(locs(&path(&folder, "b")) == locs_of(1..=50_000));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_row_goes_through_the_scheduler_or_the_client() {
    let folder = folder();
    make(&folder, 1000, 2).await;
    let context = cluster(2).await;
    let settings = Parts::new(path(&folder, "public"), BASE).unwrap().key("id");
    let query = settings.plan(rows(&context, &folder).await).unwrap();
    let explained = query
        .clone()
        .explain(false, false)
        .unwrap()
        .collect()
        .await
        .unwrap();
    let explained = pretty_format_batches(&explained).unwrap().to_string();
    println!("{explained}");
    assert_eq!(
        explained.matches("PartsExec: target=file://").count(),
        2,
        "{explained}"
    );
    assert_eq!(
        explained.matches("SitemapParts: target=file://").count(),
        1,
        "{explained}"
    );
    // One stage reads and writes: rows are brought together nowhere.
    for brings_together in [
        "CoalescePartitionsExec",
        "SortPreservingMergeExec",
        "RepartitionExec",
        "ShuffleReaderExec",
    ] {
        assert!(!explained.contains(brings_together), "{explained}");
    }
    assert!(!folder.path().join("public").exists(), "EXPLAIN wrote");

    // The query was run: the client received two rows.
    let written = query.collect().await.unwrap();
    assert_eq!(written.iter().map(RecordBatch::num_rows).sum::<usize>(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_are_skipped_reach_the_client() {
    let folder = folder();
    make(&folder, 10_000, 2).await;
    let context = cluster(2).await;
    rows(&context, &folder).await;
    // All rows of the first file, and a row of the second.
    let sql = "SELECT id, CASE WHEN id <= 5000 OR id = 7000 THEN 'mailto:' || id ELSE '/' || id END AS loc FROM pages";
    let query = context.sql(sql).await.unwrap();
    let public = path(&folder, "public");
    let settings = Parts::new(&public, BASE).unwrap().key("id");

    let refused = settings.write(query.clone()).await.unwrap_err().strip_backtrace();
    assert!(refused.contains("mailto:"), "{refused}");
    assert!(!folder.path().join("public/current").exists());

    let settings = settings.on_invalid(sitemap_serde::OnInvalid::SkipEntry);
    let written = settings.plan(query).unwrap().collect().await.unwrap();
    assert_eq!(parts(&written).len(), 1);
    let lists = part_lists(&written).unwrap();
    let mut skipped: Vec<u64> = lists.iter().map(sitemap_site::PartList::skipped).collect();
    skipped.sort_unstable();
    assert_eq!(skipped, [1, 5000]);
    let summary = settings.commit(&written, &context.runtime_env()).await.unwrap();
    assert_eq!((summary.entries, summary.skipped), (4999, 5001));
    assert!(
        summary
            .problems
            .iter()
            .any(|reason| reason.contains("mailto:7000"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_written_is_an_error_and_nothing_is_published() {
    let folder = folder();
    make(&folder, 1000, 2).await;
    let context = cluster(2).await;
    let query = rows(&context, &folder).await;
    let public = path(&folder, "public");
    let settings = Parts::new(&public, BASE).unwrap();

    let error = settings
        .clone()
        .key("sku")
        .plan(query.clone())
        .unwrap_err()
        .strip_backtrace();
    assert!(error.contains("the query has no column `sku`"), "{error}");
    // `id` is not the key, and means nothing.
    let error = settings.write(query).await.unwrap_err().strip_backtrace();
    assert!(error.contains("`id`"), "{error}");

    // The same row in both partitions.
    let twice = "SELECT '/' || (id % 500) AS loc FROM pages";
    let error = settings
        .write(context.sql(twice).await.unwrap())
        .await
        .unwrap_err()
        .strip_backtrace();
    assert!(error.contains("2 partitions begin with the same row"), "{error}");
    assert!(!folder.path().join("public/current").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_go_to_an_object_store() {
    let folder = folder();
    make(&folder, 30_000, 2).await;
    let store = Arc::new(InMemory::new());
    let url = ObjectStoreUrl::parse("memory://bucket").unwrap();
    let environment = || {
        let environment = RuntimeEnv::default();
        environment.register_object_store(url.as_ref(), Arc::clone(&store) as Arc<dyn ObjectStore>);
        Arc::new(environment)
    };
    let cluster = InProcess::start(2, 1, environment()).await.unwrap();
    let context: SessionContext = cluster.connect().await.unwrap();
    context.register_object_store(url.as_ref(), Arc::clone(&store) as Arc<dyn ObjectStore>);
    crate::pages::set_partitions(&context, 2).await;

    let settings = Parts::new("memory://bucket/site", BASE)
        .unwrap()
        .key("id")
        .gzip(true)
        .max_entries(10_000);
    let summary = settings.write(rows(&context, &folder).await).await.unwrap();
    assert_eq!((summary.entries, summary.files), (30_000, 5));
    let index = store
        .get(&"site/sitemap.xml".into())
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    let index = String::from_utf8(index.to_vec()).unwrap();
    assert_eq!(index.matches("<sitemap>").count(), 4, "{index}");
}
