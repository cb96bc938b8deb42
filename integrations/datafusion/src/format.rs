//! The formats: DataFusion's entry point to the rest of this crate.
//!
//! **DataFusion** (`integrations/datafusion`, a workspace of its own). `format` tells DataFusion the formats, `source` reads a file on a
//! blocking thread, since reading blocks and takes processor time, `sink` is the `DataSink` of `COPY`, and `storage` adapts DataFusion's
//! object stores. DataFusion's own way of writing files is not used: it cuts files after whole batches, only by their number of rows, and
//! names them at random. The sink's task says that it has received all rows before it commits; a query that fails or is cancelled does not
//! say so.
//!
//! `COPY` is one task by design, since a `DataSinkExec` has one partition. `parts` is a plan node (`PartsNode`, planned as `PartsExec`)
//! that writes each partition of its input as the parts of one task and returns a row per part, the task's `PartList` in the first. The
//! process that started the query commits the lists. A partition's number says nothing where an engine sends it to another process, so a
//! task is named after its first row, in the order of its keys, which the node requires; two tasks of the same name are an error before the
//! commit.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{DataFusionError, GetExt, Statistics};
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::datasource::listing_table_factory::ListingTableFactory;
use datafusion::datasource::physical_plan::{FileScanConfig, FileSinkConfig, FileSource};
use datafusion::datasource::sink::DataSinkExec;
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::Result;
use datafusion::logical_expr::dml::InsertOp;
use datafusion::physical_expr::LexRequirement;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionContext;
use object_store::{ObjectMeta, ObjectStore};
use sitemap_arrow::BatchReaderBuilder;

use crate::options::{self, Writing};
use crate::sink::SitemapSink;
use crate::source::{SitemapSource, Table};

/// Registers the formats `sitemap`, `xml` and `sitemap_problems` in a session.
///
/// # Errors
/// If any of them is already registered.
pub fn register(context: &SessionContext) -> Result<()> {
    let state = context.state_ref();
    let mut state = state.write();
    for factory in registered() {
        // `CREATE EXTERNAL TABLE` looks for a name in upper case.
        let name = factory.name.to_uppercase();
        state.register_file_format(Arc::new(factory), false)?;
        state
            .table_factories_mut()
            .insert(name, Arc::new(ListingTableFactory::new()));
    }
    Ok(())
}

/// The formats that [`register`] registers.
pub(crate) fn registered() -> [SitemapFormatFactory; 3] {
    [
        SitemapFormatFactory::new("sitemap"),
        SitemapFormatFactory::new("xml"),
        SitemapFormatFactory::problems("sitemap_problems"),
    ]
}

/// A format of sitemaps under a name, for `STORED AS` and the end of paths. [`register`] registers three.
///
/// ```
/// use std::sync::Arc;
///
/// use datafusion::prelude::SessionContext;
/// use sitemap_arrow::BatchReaderBuilder;
/// use sitemap_datafusion::SitemapFormatFactory;
/// use sitemap_serde::Mode;
///
/// // Paths that end in `.crawled` are read as far as they can be.
/// let mut reader = BatchReaderBuilder::new();
/// reader.mode(Mode::Lenient).skip_refused(true);
/// let format = SitemapFormatFactory::new("crawled").with_reader(reader);
/// let context = SessionContext::new();
/// context.state_ref().write().register_file_format(Arc::new(format), false)?;
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SitemapFormatFactory {
    name: String,
    reader: BatchReaderBuilder,
    table: Table,
}

impl SitemapFormatFactory {
    /// The entries of sitemaps.
    pub fn new(name: impl Into<String>) -> Self {
        SitemapFormatFactory {
            name: name.into(),
            reader: BatchReaderBuilder::new(),
            table: Table::Entries,
        }
    }

    /// The problems of sitemaps.
    pub fn problems(name: impl Into<String>) -> Self {
        let mut reader = BatchReaderBuilder::new();
        reader.skip_refused(true);
        SitemapFormatFactory {
            name: name.into(),
            reader,
            table: Table::Problems,
        }
    }

    /// Sets the settings for reading documents. DataFusion decides the columns and the number of rows of
    /// a batch.
    #[must_use]
    pub fn with_reader(mut self, reader: BatchReaderBuilder) -> Self {
        self.reader = reader;
        if self.table == Table::Problems {
            self.reader.skip_refused(true);
        }
        self
    }
}

impl GetExt for SitemapFormatFactory {
    fn get_ext(&self) -> String {
        self.name.clone()
    }
}

impl SitemapFormatFactory {
    /// The format with the options of a statement.
    pub(crate) fn format(&self, options: &HashMap<String, String>) -> Result<SitemapFormat> {
        let mut reader = self.reader.clone();
        let writing = options::parse(options, &mut reader)?;
        if self.table == Table::Problems {
            reader.skip_refused(true);
        }
        Ok(SitemapFormat {
            reading: Arc::new(Reading {
                format: self.name.clone(),
                options: options::of_reading(options),
            }),
            reader,
            table: self.table,
            writing: Some(writing),
        })
    }
}

impl FileFormatFactory for SitemapFormatFactory {
    fn create(
        &self,
        _: &dyn Session,
        format_options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        Ok(Arc::new(self.format(format_options)?))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(SitemapFormat {
            reading: Arc::new(Reading {
                format: self.name.clone(),
                options: HashMap::new(),
            }),
            reader: self.reader.clone(),
            table: self.table,
            writing: None,
        })
    }
}

/// The options for reading files, for other processes with the same formats.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "proto", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Reading {
    /// The name of the format.
    pub(crate) format: String,
    /// The options of reading in a statement, unchanged.
    pub(crate) options: HashMap<String, String>,
}

#[derive(Debug)]
pub(crate) struct SitemapFormat {
    reading: Arc<Reading>,
    reader: BatchReaderBuilder,
    table: Table,
    /// `None` if there are no options: a required one is missing.
    writing: Option<Writing>,
}

impl SitemapFormat {
    #[cfg(feature = "proto")]
    pub(crate) fn reading(&self) -> &Reading {
        &self.reading
    }

    pub(crate) fn source(&self, table_schema: TableSchema) -> SitemapSource {
        let reading = Arc::clone(&self.reading);
        SitemapSource::new(table_schema, reading, self.reader.clone(), self.table)
    }
}

#[async_trait]
impl FileFormat for SitemapFormat {
    fn get_ext(&self) -> String {
        self.reading.format.clone()
    }

    /// DataFusion makes the pattern for the files of a folder of this: plain and compressed ones.
    fn get_ext_with_compression(&self, _: &FileCompressionType) -> Result<String> {
        Ok("xml*".to_owned())
    }

    /// Compressed documents are recognised by their content.
    fn compression_type(&self) -> Option<FileCompressionType> {
        Some(FileCompressionType::UNCOMPRESSED)
    }

    async fn infer_schema(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        _: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        Ok(self.table.schema())
    }

    async fn infer_stats(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        table_schema: SchemaRef,
        _: &ObjectMeta,
    ) -> Result<Statistics> {
        Ok(Statistics::new_unknown(&table_schema))
    }

    async fn create_physical_plan(
        &self,
        _: &dyn Session,
        conf: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(DataSourceExec::from_data_source(conf))
    }

    async fn create_writer_physical_plan(
        &self,
        input: Arc<dyn ExecutionPlan>,
        _: &dyn Session,
        conf: FileSinkConfig,
        order_requirements: Option<LexRequirement>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let refuse = |message: &str| Err(DataFusionError::Plan(message.to_owned()));
        if self.table == Table::Problems {
            return refuse(
                "problems are read from sitemaps, and cannot be written: write them as CSV or Parquet",
            );
        }
        if conf.insert_op != InsertOp::Append || !conf.file_group.is_empty() {
            return refuse("a set of sitemaps is written as a whole: use `COPY … TO`, not `INSERT`");
        }
        if !conf.table_partition_cols.is_empty() {
            return refuse("a set of sitemaps is cut into parts by itself: leave out `PARTITIONED BY`");
        }
        let writing = self.writing.clone().filter(|writing| writing.base.is_some());
        let Some(writing) = writing else {
            return refuse(
                "no `base`: add the URL of the site, as in `OPTIONS (base 'https://example.com')`",
            );
        };
        let sink = SitemapSink::new(conf, writing);
        Ok(Arc::new(DataSinkExec::new(
            input,
            Arc::new(sink),
            order_requirements,
        )))
    }

    fn file_source(&self, table_schema: TableSchema) -> Arc<dyn FileSource> {
        Arc::new(self.source(table_schema))
    }
}
