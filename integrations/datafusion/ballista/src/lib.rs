//! Sets of sitemaps written, and sitemaps read, by a [Ballista](https://datafusion.apache.org/ballista/) cluster.
//!
//! ```
//! use std::fs;
//! use std::sync::Arc;
//!
//! use sitemap_ballista::InProcess;
//! use sitemap_datafusion::Parts;
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::Builder::new().prefix("sitemaps").tempdir()?;
//! # let folder = folder.path();
//! # let path = folder.display();
//! fs::create_dir(folder.join("pages"))?;
//! fs::write(folder.join("pages/1.csv"), "id,updated\n1,2026-05-01\n2,2026-05-03\n")?;
//! fs::write(folder.join("pages/2.csv"), "id,updated\n3,2026-05-02\n4,2026-05-04\n")?;
//!
//! // A scheduler and two executors in this process; or `sitemap_ballista::connect("df://scheduler:50050")`.
//! let cluster = InProcess::start(2, 1, Arc::default()).await?.connect().await?;
//!
//! let products = cluster
//!     .sql(&format!("SELECT id, '/products/' || id AS loc, updated AS lastmod FROM '{path}/pages/*.csv'"))
//!     .await?;
//! let parts = Parts::new(format!("{path}/public"), "https://example.com")?.section("products").key("id");
//! let summary = parts.write(products).await?;
//! assert_eq!((summary.entries, summary.files), (4, 3)); // a part for each file, and sitemap.xml
//!
//! let hosts = cluster
//!     .sql(&format!(
//!         "SELECT split_part(loc, '/', 3) AS host, count(*) AS pages, max(lastmod) AS newest
//!          FROM '{path}/public/current/sitemap-*.xml' GROUP BY host"
//!     ))
//!     .await?;
//! assert_eq!(hosts.count().await?, 1);
//! # Ok(())
//! # }
//! ```
//!
//! # Writing
//!
//! Ballista runs a query's tasks in executors on any number of machines. With `COPY … TO`, all rows of a query go to one task. With
//! [`Parts`](sitemap_datafusion::Parts), each task writes its own rows as parts of a set, to a directory or an object store, and returns
//! one row for each part. The client collects these rows and publishes the parts of all tasks at once. No row of the query goes through the
//! scheduler or the client, as `EXPLAIN` shows:
//!
//! ```text
//! ShuffleWriterExec: partitioning: None
//!   PartsExec: target=file:///shared/public, section=products
//!     SortExec: expr=[id@0 ASC, loc@1 ASC], preserve_partitioning=[true]
//!       DataSourceExec: file_groups={2 groups: [[pages/1.csv], [pages/2.csv]]}, …
//! ```
//!
//! The query determines the partitions: `SET datafusion.execution.target_partitions` divides files among this number of tasks, and
//! [`Parts::shuffle`](sitemap_datafusion::Parts::shuffle) divides rows by their keys. DataFusion sends the paths of Parquet and CSV files
//! without their patterns (`*.parquet`): put a query's files in a folder of their own. The patterns of sitemaps are sent.
//!
//! Ballista runs *a task that fails* again, and moves the tasks of a lost executor to another. The tasks' names and the content of their
//! parts stay the same, and the list contains only the output of the last run. The next commit removes the unfinished output of a killed
//! executor. Finished parts of a task that are in no committed list might belong to another job: the first commit a day later removes them
//! from a directory.
//!
//! *Rows that break a rule* fail the job, or are skipped ([`Parts::on_invalid`](sitemap_datafusion::Parts::on_invalid)); the tasks count
//! them, and the client's summary has the total.
//!
//! # Reading
//!
//! Paths and tables of sitemaps work as in [`sitemap_datafusion`]: each partition is a task, and one task reads a file. Add your own
//! formats to the [codecs](sitemap_datafusion::SitemapPhysicalCodec) of all processes.
//!
//! # Processes
//!
//! Ballista's own binaries do not support sitemaps. [`scheduler`] and [`executor`] add this support to their configuration; the example
//! `cluster` is a program with both and a client:
//!
//! ```text
//! $ cargo run --release --example cluster -- scheduler 50050
//! $ cargo run --release --example cluster -- executor 50050 50051 50052 4
//! $ cargo run --release --example cluster -- write df://localhost:50050 /shared/pages /shared/public https://example.com 8
//! $ cargo run --release --example cluster -- report df://localhost:50050 '/shared/public/current/sitemap-*.xml.gz'
//! ```
//!
//! All processes reach the set by the same path or URL. For an object store, register it in the runtime environments of the scheduler, the
//! executors and the client (`override_runtime_producer`, `override_session_builder`).
//!
//! # Time and memory
//!
//! A million pages from four Parquet files as a compressed set, by the example's scheduler and two executors of one core each. With one
//! task, one executor works and the other is idle:
//!
//! | tasks | processor time of a busy executor | its peak memory |
//! |---|---|---|
//! | 1 | 32 s | 198 MB |
//! | 2 | 15 s | 172 MB |
//! | 4 | 14 s | 147 MB |
//!
//! The best of two runs with one and with two tasks, and one run with four, on a machine with other load. The engine and this crate were
//! built without optimisations, `sitemap-serde`, `sitemap-site`, `sitemap-arrow` and `sitemap-datafusion` with them: compare the times only
//! with each other. A task sorts its rows, which takes most of the memory.
//!
//! # Versions
//!
//! This crate uses Ballista 55, which is for DataFusion 55, and follows each of its major versions.

mod cluster;

pub use cluster::InProcess;

use std::sync::Arc;

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use ballista_core::utils::default_session_builder;
use ballista_executor::executor_process::ExecutorProcessConfig;
use ballista_scheduler::config::SchedulerConfig;
use datafusion::error::Result;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use sitemap_datafusion::{PartsQueryPlanner, SitemapLogicalCodec, SitemapPhysicalCodec, SitemapTables};

/// The configuration of sessions: Ballista's, with the codecs for sitemaps.
///
/// In a scan of files, each partition reads its own files only (`datafusion.execution.enable_file_stream_work_stealing` is off), so that a task
/// which is run again writes the same parts.
pub fn session_config() -> SessionConfig {
    SessionConfig::new_with_ballista()
        .with_ballista_logical_extension_codec(logical_codec())
        .with_ballista_physical_extension_codec(physical_codec())
        .set_bool("datafusion.execution.enable_file_stream_work_stealing", false)
}

/// The codec of logical plans: sitemaps, and everything that Ballista encodes.
pub fn logical_codec() -> Arc<SitemapLogicalCodec> {
    Arc::new(SitemapLogicalCodec::new(Arc::new(
        BallistaLogicalExtensionCodec::default(),
    )))
}

/// The codec of physical plans: sitemaps, and everything that Ballista encodes.
pub fn physical_codec() -> Arc<SitemapPhysicalCodec> {
    Arc::new(SitemapPhysicalCodec::new(Arc::new(
        BallistaPhysicalExtensionCodec::default(),
    )))
}

/// A client's session on the cluster whose scheduler has this URL, such as `df://scheduler:50050`. Paths in queries are tables, and the formats of
/// [`sitemap_datafusion::register`] are known.
///
/// # Errors
/// If the URL is invalid. The scheduler is reached by the first query.
pub async fn connect(scheduler: &str) -> Result<SessionContext> {
    let state = SessionStateBuilder::new_with_default_features()
        .with_config(session_config())
        .with_analyzer_rule(Arc::new(SitemapTables))
        .build();
    let context = SessionContext::remote_with_state(scheduler, state)
        .await?
        .enable_url_table();
    sitemap_datafusion::register(&context)?;
    Ok(context)
}

/// The state of the scheduler's sessions, which plans the writing of parts.
///
/// # Errors
/// Those of Ballista's own.
pub fn scheduler_state(config: SessionConfig) -> Result<SessionState> {
    let state = default_session_builder(config)?;
    Ok(SessionStateBuilder::new_from_existing(state)
        .with_query_planner(Arc::new(PartsQueryPlanner))
        .build())
}

/// Configures a scheduler for sitemaps.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use ballista_scheduler::cluster::BallistaCluster;
/// use ballista_scheduler::config::SchedulerConfig;
/// use ballista_scheduler::scheduler_process::start_server;
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let config = sitemap_ballista::scheduler(SchedulerConfig::default());
/// let cluster = BallistaCluster::new_from_config(&config).await?;
/// start_server(cluster, "0.0.0.0:50050".parse()?, Arc::new(config)).await?;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn scheduler(config: SchedulerConfig) -> SchedulerConfig {
    SchedulerConfig {
        override_config_producer: Some(Arc::new(session_config)),
        override_session_builder: Some(Arc::new(scheduler_state)),
        override_logical_codec: Some(logical_codec()),
        override_physical_codec: Some(physical_codec()),
        ..config
    }
}

/// Configures an executor for sitemaps.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let config = ExecutorProcessConfig {
///     scheduler_host: "scheduler".to_owned(),
///     vcores: 4,
///     ..ExecutorProcessConfig::default()
/// };
/// start_executor_process(Arc::new(sitemap_ballista::executor(config))).await?;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn executor(config: ExecutorProcessConfig) -> ExecutorProcessConfig {
    ExecutorProcessConfig {
        override_config_producer: Some(Arc::new(session_config)),
        override_logical_codec: Some(logical_codec()),
        override_physical_codec: Some(physical_codec()),
        ..config
    }
}
