//! `COPY`: the rows of a query as a set, published when all are written.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::datasource::sink::DataSink;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, SendableRecordBatchStream};
use sitemap_site::{CommitSummary, PartList};

use crate::options::Writing;
use crate::write::{self, Task};

/// The task's name in the set: there is one.
const TASK: &str = "copy";

#[derive(Debug)]
pub(crate) struct SitemapSink {
    config: FileSinkConfig,
    writing: Writing,
}

impl SitemapSink {
    pub(crate) fn new(config: FileSinkConfig, writing: Writing) -> Self {
        SitemapSink { config, writing }
    }

    fn target(&self) -> Result<&ListingTableUrl> {
        match &self.config.table_paths[..] {
            [target] => write::check_target(target).map(|()| target),
            _ => Err(DataFusionError::Plan(
                "a set of sitemaps is written to one place".to_owned(),
            )),
        }
    }
}

/// Logs the counts of skipped, dropped and leftover items: `COPY` returns a number and nothing
/// else.
fn report(published: &CommitSummary) {
    let CommitSummary { skipped, dropped, .. } = *published;
    if skipped > 0 || dropped > 0 {
        log::warn!(
            "{skipped} rows were skipped, and {dropped} values dropped: {}",
            published.problems.join("; ")
        );
    }
    for problem in &published.cleanup_problems {
        log::warn!("{problem}");
    }
}

#[async_trait]
impl DataSink for SitemapSink {
    fn schema(&self) -> &SchemaRef {
        &self.config.output_schema
    }

    async fn write_all(&self, rows: SendableRecordBatchStream, context: &Arc<TaskContext>) -> Result<u64> {
        let writing = &self.writing;
        let set = write::set(writing, self.target()?, &context.runtime_env())?;
        let written = write::write(rows, set, writing, Task::Named(TASK)).await?;
        let Some(written) = written else { return Ok(0) };
        let updates = writing.updates;
        let publish = move || {
            let lists = [written.list];
            let published = if updates {
                written.set.update(&lists)
            } else {
                written.set.commit(&lists)
            };
            report(&published.map_err(write::failed)?);
            Ok(lists.iter().map(PartList::entries).sum())
        };
        tokio::task::spawn_blocking(publish)
            .await
            .map_err(|error| DataFusionError::External(error.into()))?
    }
}

impl DisplayAs for SitemapSink {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let section = &self.writing.section;
        write!(
            f,
            "SitemapSink(target={}, section={section})",
            self.config.original_url
        )
    }
}
