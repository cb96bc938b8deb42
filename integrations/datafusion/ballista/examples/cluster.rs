//! A set of sitemaps that a cluster writes from Parquet files, and reads again.
//!
//! ```text
//! cluster demo FOLDER ROWS                          everything in this process: a scheduler, two executors, both jobs
//! cluster pages FOLDER ROWS FILES                   makes Parquet files of pages
//! cluster scheduler PORT                            runs a scheduler
//! cluster executor SCHEDULER-PORT PORT PORT CORES   runs an executor, which serves results and takes orders at its ports
//! cluster write SCHEDULER PAGES PUBLIC BASE TASKS   writes the pages as a set, by that many tasks
//! cluster report SCHEDULER SITEMAPS                 hosts, counts and dates of sitemaps
//! ```
//!
//! `SCHEDULER` is a URL such as `df://localhost:50050`. All processes must reach the folders by the same paths.

use std::env;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use sitemap_ballista::InProcess;
use sitemap_datafusion::Parts;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Result {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["demo", folder, rows] => demo(Path::new(folder), rows.parse()?).await,
        ["pages", folder, rows, files] => pages(folder, rows.parse()?, files.parse()?).await,
        ["scheduler", port] => scheduler(port.parse()?).await,
        ["executor", scheduler, results, orders, cores] => {
            let config = ExecutorProcessConfig {
                scheduler_port: scheduler.parse()?,
                port: results.parse()?,
                grpc_port: orders.parse()?,
                vcores: cores.parse()?,
                ..ExecutorProcessConfig::default()
            };
            executor(config).await
        }
        ["write", scheduler, pages, public, base, tasks] => {
            let cluster = sitemap_ballista::connect(scheduler).await?;
            write(&cluster, pages, public, base, tasks.parse()?).await
        }
        ["report", scheduler, sitemaps] => {
            let cluster = sitemap_ballista::connect(scheduler).await?;
            report(&cluster, sitemaps).await
        }
        _ => Err(
            "which of: demo, pages, scheduler, executor, write, report? See the head of the example".into(),
        ),
    }
}

async fn demo(folder: &Path, rows: u64) -> Result {
    let path = |name: &str| folder.join(name).display().to_string();
    pages(&path("pages"), rows, 2).await?;
    let cluster = InProcess::start(2, 1, Arc::default()).await?.connect().await?;
    write(
        &cluster,
        &path("pages"),
        &path("public"),
        "https://example.com",
        2,
    )
    .await?;
    report(&cluster, &path("public/current/sitemap-*.xml.gz")).await
}

/// Makes Parquet files with ids and dates of pages, as a database exports them.
async fn pages(folder: &str, rows: u64, files: u64) -> Result {
    let context = SessionContext::new();
    for file in 0..files {
        let (first, last) = (rows * file / files + 1, rows * (file + 1) / files);
        let copy = format!(
            "COPY (SELECT value AS id, to_timestamp_seconds(1700000000 + value * 60) AS updated \
             FROM generate_series({first}, {last})) TO '{folder}/{file}.parquet' STORED AS PARQUET"
        );
        context.sql(&copy).await?.collect().await?;
    }
    Ok(())
}

async fn scheduler(port: u16) -> Result {
    let config = SchedulerConfig {
        bind_port: port,
        // A lost executor is noticed within seconds, where the default is minutes. Busy ones report every 5 seconds.
        executor_timeout_seconds: 15,
        expire_dead_executor_interval_seconds: 1,
        ..SchedulerConfig::default().with_scheduler_policy(TaskSchedulingPolicy::PullStaged)
    };
    let config = sitemap_ballista::scheduler(config);
    let cluster = BallistaCluster::new_from_config(&config).await?;
    start_server(cluster, ([127, 0, 0, 1], port).into(), Arc::new(config)).await?;
    Ok(())
}

async fn executor(config: ExecutorProcessConfig) -> Result {
    let config = ExecutorProcessConfig {
        // The maximum time for the scheduler's start.
        scheduler_connect_timeout_seconds: 60,
        executor_heartbeat_interval_seconds: 1,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        ..config
    };
    start_executor_process(Arc::new(sitemap_ballista::executor(config))).await?;
    Ok(())
}

/// Writes the pages of Parquet files as a set.
async fn write(cluster: &SessionContext, pages: &str, public: &str, base: &str, tasks: usize) -> Result {
    let begun = Instant::now();
    cluster
        .sql(&format!("SET datafusion.execution.target_partitions = {tasks}"))
        .await?;
    cluster
        .register_parquet("pages", pages, ParquetReadOptions::default())
        .await?;
    let query = cluster
        .sql("SELECT id, '/products/' || id AS loc, updated AS lastmod FROM pages")
        .await?;
    let parts = Parts::new(public, base)?.section("products").key("id").gzip(true);

    // `Parts::write` does the following at once.
    let written = parts.plan(query)?.collect().await?;
    println!("{}", pretty_format_batches(&without_lists(&written)?)?);
    let summary = parts.commit(&written, &cluster.runtime_env()).await?;
    println!(
        "{} entries in {} files, {} skipped, {:.1?}",
        summary.entries,
        summary.files,
        summary.skipped,
        begun.elapsed()
    );
    Ok(())
}

fn without_lists(written: &[RecordBatch]) -> Result<Vec<RecordBatch>> {
    let shown = written.iter().map(|batch| batch.project(&[0, 1, 2, 3]));
    Ok(shown.collect::<std::result::Result<_, _>>()?)
}

/// Counts the pages of sitemaps by host.
async fn report(cluster: &SessionContext, sitemaps: &str) -> Result {
    let rows = cluster
        .sql(&format!(
            "SELECT split_part(loc, '/', 3) AS host, count(*) AS pages, count(DISTINCT source) AS files,
                    min(lastmod_at) AS oldest, max(lastmod_at) AS newest
             FROM '{sitemaps}' GROUP BY host ORDER BY pages DESC, host"
        ))
        .await?
        .collect()
        .await?;
    println!("{}", pretty_format_batches(&rows)?);
    Ok(())
}
