//! Writing: the rows of a query as a set, published when all are written.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::datasource::physical_plan::FileSinkConfig;
use datafusion::datasource::sink::DataSink;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, SendableRecordBatchStream};
use futures::StreamExt;
use object_store::ObjectStore;
use sitemap_site::{SetBuilder, SitemapSet, Summary};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::options::Writing;
use crate::storage::Store;

/// The task's name in the set: there is one.
const TASK: &str = "copy";

/// Batches that wait to be written.
const AHEAD: usize = 2;

#[derive(Debug)]
pub(crate) struct SitemapSink {
    config: FileSinkConfig,
    base: String,
    writing: Writing,
}

enum Rows {
    Batch(RecordBatch),
    /// Nothing comes after it, and nothing failed: without it nothing is published.
    End,
}

impl SitemapSink {
    pub(crate) fn new(config: FileSinkConfig, base: String, writing: Writing) -> Self {
        SitemapSink {
            config,
            base,
            writing,
        }
    }

    fn target(&self) -> Result<&ListingTableUrl> {
        match &self.config.table_paths[..] {
            [target] => Ok(target),
            _ => Err(DataFusionError::Plan(
                "a set of sitemaps is written to one place".to_owned(),
            )),
        }
    }

    fn set(&self, context: &TaskContext) -> Result<SetBuilder> {
        let target = self.target()?;
        let mut set = if target.scheme() == "file" {
            SitemapSet::directory(folder(target)?, &self.base)
        } else {
            let store: Arc<dyn ObjectStore> = context.runtime_env().object_store(target)?;
            let store = Store::new(store, target.prefix().clone(), Handle::current());
            SitemapSet::storage(store, &self.base)
        };
        let writing = &self.writing;
        set = set.gzip(writing.gzip).allow_shrinking(writing.may_shrink);
        if let Some(place) = &writing.place {
            set = set.place(place);
        }
        if let Some(entries) = writing.most_entries {
            set = set.entries(entries);
        }
        Ok(set)
    }
}

/// The directory that a `file:` URL names.
fn folder(target: &ListingTableUrl) -> Result<PathBuf> {
    let url = url::Url::parse(target.as_str()).map_err(|error| DataFusionError::External(error.into()))?;
    url.to_file_path()
        .map_err(|()| DataFusionError::Plan(format!("{url} is not the path of a directory")))
}

/// Writes what is received, and publishes it at its end. Returns the number of entries.
fn write(set: SetBuilder, writing: &Writing, mut rows: mpsc::Receiver<Rows>) -> Result<u64> {
    let failed = |error: sitemap_site::Error| DataFusionError::External(error.into());
    let set = set.open().map_err(failed)?;
    let mut part = set.part_writer(&writing.section, TASK).map_err(failed)?;
    let mut written = 0;
    loop {
        match rows.blocking_recv() {
            Some(Rows::Batch(batch)) => {
                let refused = |error: sitemap_arrow::BatchError| DataFusionError::External(error.into());
                let entries = writing.entries.build(&batch).map_err(refused)?;
                if writing.leaves_out {
                    for (number, row) in entries.rows().enumerate() {
                        let key = entries.key(number).map_err(refused)?;
                        written += part.write_or_leave_out(key.as_ref(), &row).map_err(failed)?;
                    }
                } else {
                    written += entries.write_to_part(&mut part).map_err(refused)?;
                }
            }
            Some(Rows::End) => break,
            // The query failed or was cancelled.
            None => {
                return Err(DataFusionError::Execution(
                    "the query has ended before its rows".to_owned(),
                ));
            }
        }
    }
    let lists = [part.finish().map_err(failed)?];
    let published = if writing.updates {
        set.update(&lists)
    } else {
        set.commit(&lists)
    };
    report(&published.map_err(failed)?);
    Ok(written)
}

/// Logs what was left out and left behind: `COPY` returns a number and nothing else.
fn report(published: &Summary) {
    let left_out = &published.left_out;
    if left_out.count > 0 {
        log::warn!(
            "rows left out of the sitemap: {}: {}",
            left_out.count,
            left_out.reasons.join("; ")
        );
    }
    for problem in &published.leavings {
        log::warn!("{problem}");
    }
}

#[async_trait]
impl DataSink for SitemapSink {
    fn schema(&self) -> &SchemaRef {
        &self.config.output_schema
    }

    async fn write_all(
        &self,
        mut data: SendableRecordBatchStream,
        context: &Arc<TaskContext>,
    ) -> Result<u64> {
        let (set, writing) = (self.set(context)?, self.writing.clone());
        let (sender, receiver) = mpsc::channel(AHEAD);
        let writer = tokio::task::spawn_blocking(move || write(set, &writing, receiver));
        let mut failed = None;
        while let Some(batch) = data.next().await {
            match batch {
                Ok(batch) => {
                    if sender.send(Rows::Batch(batch)).await.is_err() {
                        // The writer has failed, and says why.
                        break;
                    }
                }
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        if failed.is_none() {
            let _ = sender.send(Rows::End).await;
        }
        drop(sender);
        let written = writer
            .await
            .map_err(|error| DataFusionError::External(error.into()))?;
        match failed {
            Some(error) => Err(error),
            None => written,
        }
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
