//! Logical plans.

use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion_proto::logical_plan::LogicalExtensionCodec;

use super::table::SitemapTable;
use super::{Formats, decode, encode};
use crate::parts::one_input;
use crate::{Parts, PartsNode, SitemapFormatFactory};

/// Encodes [`PartsNode`]s and tables of [sitemaps](super::SitemapTables) in logical plans, and everything else by another codec.
#[derive(Debug)]
pub struct SitemapLogicalCodec {
    others: Arc<dyn LogicalExtensionCodec>,
    formats: Formats,
}

impl SitemapLogicalCodec {
    /// `others` is the codec for everything else: the engine's, or datafusion-proto's default.
    pub fn new(others: Arc<dyn LogicalExtensionCodec>) -> Self {
        SitemapLogicalCodec {
            others,
            formats: Formats::registered(),
        }
    }

    /// Adds your own format, or replaces the format with its name. Tables are encoded with the format's name, so the codecs of all
    /// processes need the same formats.
    #[must_use]
    pub fn with_format(mut self, format: SitemapFormatFactory) -> Self {
        self.formats.add(format);
        self
    }
}

impl LogicalExtensionCodec for SitemapLogicalCodec {
    fn try_decode(&self, bytes: &[u8], inputs: &[LogicalPlan], context: &TaskContext) -> Result<Extension> {
        let Some((parts, _)) = decode::<Parts>(bytes)? else {
            return self.others.try_decode(bytes, inputs, context);
        };
        let node = Arc::new(PartsNode::try_new(one_input(inputs)?, parts)?);
        Ok(Extension { node })
    }

    fn try_encode(&self, extension: &Extension, into: &mut Vec<u8>) -> Result<()> {
        match extension.node.as_any().downcast_ref::<PartsNode>() {
            Some(node) => encode(node.parts(), into),
            None => self.others.try_encode(extension, into),
        }
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        name: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        match decode(bytes)? {
            Some((files, _)) => super::table::open(files, schema, &self.formats),
            None => self
                .others
                .try_decode_table_provider(bytes, name, schema, context),
        }
    }

    fn try_encode_table_provider(
        &self,
        name: &TableReference,
        table: Arc<dyn TableProvider>,
        into: &mut Vec<u8>,
    ) -> Result<()> {
        match table.downcast_ref::<SitemapTable>() {
            Some(table) => encode(table.files(), into),
            None => self.others.try_encode_table_provider(name, table, into),
        }
    }

    fn try_decode_file_format(
        &self,
        bytes: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.others.try_decode_file_format(bytes, context)
    }

    fn try_encode_file_format(&self, into: &mut Vec<u8>, format: Arc<dyn FileFormatFactory>) -> Result<()> {
        self.others.try_encode_file_format(into, format)
    }

    functions_by_others!();
}
