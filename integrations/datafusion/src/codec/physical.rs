//! Physical plans.

use std::sync::Arc;

use datafusion::common::DataFusionError;
use datafusion::datasource::physical_plan::FileScanConfig;
use datafusion::datasource::source::DataSourceExec;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr_common::physical_expr::proto_decode::PhysicalExprDecodeCtx;
use datafusion::physical_expr_common::physical_expr::proto_encode::PhysicalExprEncodeCtx;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::from_proto::parse_protobuf_file_scan_config;
use datafusion_proto::physical_plan::to_proto::serialize_file_scan_config;
use datafusion_proto::physical_plan::{
    PhysicalExtensionCodec, PhysicalPlanDecodeContext, PhysicalProtoConverterExtension,
};
use datafusion_proto::protobuf::FileScanExecConf;
use prost::Message;
use serde::{Deserialize, Serialize};

use super::{Formats, decode, encode};
use crate::format::Reading;
use crate::parts::one_input;
use crate::source::SitemapSource;
use crate::{Parts, PartsExec, SitemapFormatFactory};

/// Encodes [`PartsExec`]s and scans of sitemaps in physical plans, and everything else by another codec.
#[derive(Debug)]
pub struct SitemapPhysicalCodec {
    others: Arc<dyn PhysicalExtensionCodec>,
    formats: Formats,
}

#[derive(Serialize, Deserialize)]
enum Node {
    Parts(Parts),
    /// The bytes of a `FileScanExecConf` follow.
    Scan(Reading),
}

impl SitemapPhysicalCodec {
    /// `others` is the codec for everything else: the engine's, or datafusion-proto's default.
    pub fn new(others: Arc<dyn PhysicalExtensionCodec>) -> Self {
        SitemapPhysicalCodec {
            others,
            formats: Formats::registered(),
        }
    }

    /// Adds your own format, like [`SitemapLogicalCodec::with_format`](super::SitemapLogicalCodec::with_format).
    #[must_use]
    pub fn with_format(mut self, format: SitemapFormatFactory) -> Self {
        self.formats.add(format);
        self
    }
}

/// The scan and its source, if the plan reads sitemaps.
fn scan_of(plan: &dyn ExecutionPlan) -> Option<(&FileScanConfig, &SitemapSource)> {
    let scan = plan.downcast_ref::<DataSourceExec>()?.data_source();
    let scan = scan.downcast_ref::<FileScanConfig>()?;
    Some((scan, scan.file_source().downcast_ref::<SitemapSource>()?))
}

impl PhysicalExtensionCodec for SitemapPhysicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match decode::<Node>(bytes)? {
            None => self.others.try_decode(bytes, inputs, context, converter),
            Some((Node::Parts(parts), _)) => Ok(Arc::new(PartsExec::new(one_input(inputs)?, parts))),
            Some((Node::Scan(reading), files)) => {
                let files = FileScanExecConf::decode(files)
                    .map_err(|error| DataFusionError::External(error.into()))?;
                let schema = FileScanConfig::parse_table_schema_from_proto(&files)?;
                let source = Arc::new(self.formats.format(&reading)?.source(schema));
                let context = PhysicalPlanDecodeContext::new(context, self);
                let scan = parse_protobuf_file_scan_config(&files, &context, converter, source)?;
                Ok(DataSourceExec::from_data_source(scan))
            }
        }
    }

    fn try_encode(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        into: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        if let Some(parts) = plan.downcast_ref::<PartsExec>() {
            return encode(&Node::Parts(parts.parts().clone()), into);
        }
        let Some((scan, source)) = scan_of(plan.as_ref()) else {
            return self.others.try_encode(plan, into, converter);
        };
        encode(&Node::Scan(source.reading().clone()), into)?;
        let files = serialize_file_scan_config(scan, self, converter)?;
        files
            .encode(into)
            .map_err(|error| DataFusionError::External(error.into()))
    }

    fn try_decode_expr(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn PhysicalExpr>],
        context: &PhysicalExprDecodeCtx<'_>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        self.others.try_decode_expr(bytes, inputs, context)
    }

    fn try_encode_expr(
        &self,
        expression: &Arc<dyn PhysicalExpr>,
        into: &mut Vec<u8>,
        context: &PhysicalExprEncodeCtx<'_>,
    ) -> Result<()> {
        self.others.try_encode_expr(expression, into, context)
    }

    functions_by_others!();
}
