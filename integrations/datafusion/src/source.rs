//! Reading files one after the other, each from its beginning.

use std::io::{self, Read};
use std::sync::Arc;

use bytes::Bytes;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::config::ConfigOptions;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileOpenFuture, FileOpener, FileScanConfig, FileSource};
use datafusion::datasource::projection::{ProjectionOpener, SplitProjection};
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_plan::filter_pushdown::{FilterPushdownPropagation, PushedDown};
use datafusion::physical_plan::metrics::ExecutionPlanMetricsSet;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use object_store::{GetOptions, GetResultPayload, ObjectStore};
use sitemap_arrow::{BatchReader, BatchReaderBuilder, Input};
use tokio::sync::mpsc;

use crate::format::Reading;

/// Blocks of an object that are fetched before they are read, and batches that are read before they are used.
const AHEAD: usize = 4;

/// The content of a table of sitemaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Entries,
    Problems,
}

impl Table {
    pub(crate) fn schema(self) -> SchemaRef {
        match self {
            Table::Entries => sitemap_arrow::schema(),
            Table::Problems => sitemap_arrow::problems_schema(),
        }
    }
}

#[derive(Clone)]
pub(crate) struct SitemapSource {
    table_schema: TableSchema,
    projection: SplitProjection,
    reading: Arc<Reading>,
    reader: BatchReaderBuilder,
    table: Table,
    batch_size: usize,
    metrics: ExecutionPlanMetricsSet,
}

impl SitemapSource {
    pub(crate) fn new(
        table_schema: TableSchema,
        reading: Arc<Reading>,
        reader: BatchReaderBuilder,
        table: Table,
    ) -> Self {
        SitemapSource {
            projection: SplitProjection::unprojected(&table_schema),
            table_schema,
            reading,
            reader,
            table,
            batch_size: 8192,
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    #[cfg(feature = "proto")]
    pub(crate) fn reading(&self) -> &Reading {
        &self.reading
    }
}

impl FileSource for SitemapSource {
    fn create_file_opener(
        &self,
        object_store: Arc<dyn ObjectStore>,
        base_config: &FileScanConfig,
        _: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let file_schema = self.table_schema.file_schema();
        let columns: Vec<String> = self
            .projection
            .file_indices
            .iter()
            .map(|index| file_schema.field(*index).name().clone())
            .collect();
        let mut reader = self.reader.clone();
        // Never reads more rows at once than the limit.
        let rows = base_config
            .limit
            .map_or(self.batch_size, |limit| limit.min(self.batch_size));
        reader.batch_rows(rows);
        if self.table == Table::Entries {
            reader.columns(&columns)?;
        } else {
            reader.columns(Vec::<&str>::new())?.keep_problems(rows, 16 << 20);
        }
        let opener = SitemapOpener {
            object_store,
            reader,
            table: self.table,
            columns,
        };
        ProjectionOpener::try_new(self.projection.clone(), Arc::new(opener), file_schema)
    }

    fn table_schema(&self) -> &TableSchema {
        &self.table_schema
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        Arc::new(SitemapSource {
            batch_size,
            ..self.clone()
        })
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn try_pushdown_projection(&self, projection: &ProjectionExprs) -> Result<Option<Arc<dyn FileSource>>> {
        let merged = self.projection.source.try_merge(projection)?;
        Ok(Some(Arc::new(SitemapSource {
            projection: SplitProjection::new(self.table_schema.file_schema(), &merged),
            ..self.clone()
        })))
    }

    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        Ok(FilterPushdownPropagation::with_parent_pushdown_result(vec![
            PushedDown::No;
            filters.len()
        ]))
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &'static str {
        match self.table {
            Table::Entries => "sitemap",
            Table::Problems => "sitemap_problems",
        }
    }

    /// A document can only be read from its beginning.
    fn supports_repartitioning(&self) -> bool {
        false
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        datafusion::physical_plan::apply_expression_roots(self.projection.source.iter(), f)
    }
}

struct SitemapOpener {
    object_store: Arc<dyn ObjectStore>,
    reader: BatchReaderBuilder,
    table: Table,
    columns: Vec<String>,
}

impl FileOpener for SitemapOpener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let store = Arc::clone(&self.object_store);
        let (reader, table, columns) = (self.reader.clone(), self.table, self.columns.clone());
        Ok(Box::pin(async move {
            let location = file.object_meta.location;
            let name = location.to_string();
            let found = store.get_opts(&location, GetOptions::default()).await?;
            let (blocks, input) = match found.payload {
                GetResultPayload::File(file, _) => (None, Input::reader(name, file)),
                GetResultPayload::Stream(content) => {
                    let (sender, receiver) = mpsc::channel(AHEAD);
                    let blocks = Blocks {
                        receiver,
                        rest: Bytes::new(),
                        has_ended: false,
                    };
                    (Some((content, sender)), Input::reader(name, blocks))
                }
            };
            if let Some((content, sender)) = blocks {
                tokio::spawn(fetch(content, sender));
            }
            Ok(read(reader.read([input]), table, columns))
        }))
    }
}

type Batches = BatchReader<std::array::IntoIter<Input, 1>>;

/// Reads on a blocking thread, since reading takes processor time, and may wait for a disk or for blocks. It ends when no batches are
/// wanted any longer.
fn read(reader: Batches, table: Table, columns: Vec<String>) -> BoxStream<'static, Result<RecordBatch>> {
    let (sender, receiver) = mpsc::channel(AHEAD);
    tokio::task::spawn_blocking(move || match table {
        Table::Entries => {
            for batch in reader {
                if sender.blocking_send(batch).is_err() {
                    break;
                }
            }
        }
        Table::Problems => problems(reader, &columns, &sender),
    });
    stream::unfold(receiver, async |mut receiver| {
        let batch = receiver.recv().await?;
        Some((batch.map_err(DataFusionError::from), receiver))
    })
    .boxed()
}

/// Sends the problems, one batch for each batch of entries.
fn problems(mut reader: Batches, columns: &[String], sender: &mpsc::Sender<Result<RecordBatch, ArrowError>>) {
    let mut is_open = true;
    while is_open {
        let batch = reader.next();
        is_open = batch.as_ref().is_some_and(Result::is_ok);
        let taken = match batch {
            Some(Err(error)) => Err(error),
            _ => reader.take_problems().and_then(|batch| {
                let schema = batch.schema();
                let indexes = columns.iter().map(|name| schema.index_of(name));
                batch.project(&indexes.collect::<Result<Vec<_>, _>>()?)
            }),
        };
        if sender.blocking_send(taken).is_err() {
            return;
        }
        if reader.dropped_problems() > 0 {
            let message = "a batch of entries has more problems than a batch of problems has room for: raise datafusion.execution.batch_size";
            let _ = sender.blocking_send(Err(ArrowError::ExternalError(message.into())));
            return;
        }
    }
}

/// Fetches an object's blocks, until it ends or its reader stops.
async fn fetch(
    mut content: BoxStream<'static, object_store::Result<Bytes>>,
    sender: mpsc::Sender<io::Result<Bytes>>,
) {
    loop {
        let block = content.try_next().await.map_err(io::Error::other).transpose();
        let is_last = !matches!(block, Some(Ok(_)));
        // An empty block marks the end; a stopped task does not send it.
        let sent = sender.send(block.unwrap_or_else(|| Ok(Bytes::new()))).await;
        if is_last || sent.is_err() {
            return;
        }
    }
}

/// The blocks of an object as a stream, on a blocking thread.
struct Blocks {
    receiver: mpsc::Receiver<io::Result<Bytes>>,
    rest: Bytes,
    has_ended: bool,
}

impl Read for Blocks {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() && !self.has_ended {
            match self.receiver.blocking_recv() {
                Some(block) => {
                    self.rest = block?;
                    self.has_ended = self.rest.is_empty();
                }
                None => return Err(io::Error::other("fetching was stopped")),
            }
        }
        let size = self.rest.len().min(into.len());
        into[..size].copy_from_slice(&self.rest.split_to(size));
        Ok(size)
    }
}
