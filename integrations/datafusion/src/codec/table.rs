//! Tables of sitemaps in logical plans.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DataFusionError, Statistics};
use datafusion::config::ConfigOptions;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::datasource::{provider_as_source, source_as_provider};
use datafusion::error::Result;
use datafusion::logical_expr::{Expr, LogicalPlan, TableProviderFilterPushDown, TableType};
use datafusion::optimizer::AnalyzerRule;
use datafusion::physical_plan::ExecutionPlan;
use serde::{Deserialize, Serialize};

use super::Formats;
use crate::format::{Reading, SitemapFormat};

/// The files of a table, and how they are read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Files {
    reading: Reading,
    /// Each with the pattern of the files' names, if there is one.
    paths: Vec<(String, Option<String>)>,
    extension: String,
}

impl Files {
    /// `None` if the table's files are not sitemaps.
    fn of(table: &ListingTable) -> Result<Option<Files>> {
        let options = table.options();
        let Some(format) = options.format.downcast_ref::<SitemapFormat>() else {
            return Ok(None);
        };
        if !options.table_partition_cols.is_empty() {
            return Err(DataFusionError::NotImplemented(
                "a table of sitemaps with partition columns cannot be sent to another process".to_owned(),
            ));
        }
        Ok(Some(Files {
            reading: format.reading().clone(),
            paths: table.table_paths().iter().map(path_of).collect(),
            extension: options.file_extension.clone(),
        }))
    }
}

fn path_of(url: &ListingTableUrl) -> (String, Option<String>) {
    let pattern = url.get_glob().as_ref();
    (
        url.to_string(),
        pattern.map(|pattern| pattern.as_str().to_owned()),
    )
}

/// The table of these files.
pub(super) fn open(files: Files, schema: SchemaRef, formats: &Formats) -> Result<Arc<dyn TableProvider>> {
    let format = Arc::new(formats.format(&files.reading)?);
    let options = ListingOptions::new(format).with_file_extension(files.extension);
    let paths = files.paths.iter().map(|(path, pattern)| {
        let url = ListingTableUrl::parse(path)?;
        match pattern {
            Some(pattern) => url.with_glob(pattern),
            None => Ok(url),
        }
    });
    let config = ListingTableConfig::new_with_multi_paths(paths.collect::<Result<_>>()?)
        .with_listing_options(options)
        .with_schema(schema);
    Ok(Arc::new(ListingTable::try_new(config)?))
}

/// Makes tables of sitemaps encodable in a session whose queries run in other processes.
///
/// DataFusion asks no codec about tables of files in logical plans, made by `CREATE EXTERNAL TABLE` or as paths in a query. This rule wraps
/// tables of sitemaps, so that DataFusion asks the [codec](super::SitemapLogicalCodec).
#[derive(Clone, Copy, Debug, Default)]
pub struct SitemapTables;

impl AnalyzerRule for SitemapTables {
    fn name(&self) -> &'static str {
        "sitemap_tables"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let wrap = |plan| {
            let LogicalPlan::TableScan(mut scan) = plan else {
                return Ok(Transformed::no(plan));
            };
            // A source may be of another kind, which is not a table.
            let Ok(table) = source_as_provider(&scan.source) else {
                return Ok(Transformed::no(LogicalPlan::TableScan(scan)));
            };
            let files = match table.downcast_ref::<ListingTable>() {
                Some(listing) => Files::of(listing)?,
                None => None,
            };
            let Some(files) = files else {
                return Ok(Transformed::no(LogicalPlan::TableScan(scan)));
            };
            scan.source = provider_as_source(Arc::new(SitemapTable { table, files }));
            Ok(Transformed::yes(LogicalPlan::TableScan(scan)))
        };
        Ok(plan.transform_down_with_subqueries(wrap)?.data)
    }
}

/// A table of sitemaps that is not a [`ListingTable`] for the encoder.
#[derive(Debug)]
pub(super) struct SitemapTable {
    table: Arc<dyn TableProvider>,
    files: Files,
}

impl SitemapTable {
    pub(super) fn files(&self) -> &Files {
        &self.files
    }
}

#[async_trait]
impl TableProvider for SitemapTable {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }

    fn table_type(&self) -> TableType {
        self.table.table_type()
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.table.scan(session, projection, filters, limit).await
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        self.table.supports_filters_pushdown(filters)
    }

    fn statistics(&self) -> Option<Statistics> {
        self.table.statistics()
    }
}
