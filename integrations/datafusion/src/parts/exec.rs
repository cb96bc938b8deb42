//! The node of a physical plan.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::Session;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::execution::context::QueryPlanner;
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{LogicalPlan, UserDefinedLogicalNode};
use datafusion::physical_expr::expressions::col;
use datafusion::physical_expr::{
    Distribution, EquivalenceProperties, LexRequirement, OrderingRequirements, PhysicalExpr,
    PhysicalSortRequirement,
};
use datafusion::physical_plan::execution_plan::{
    Boundedness, ChildrenPropertiesMode, EmissionType, ReplaceChildrenOptions,
};
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder, MetricsSet};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, InputDistributionRequirements, Partitioning, PlanProperties,
    SendableRecordBatchStream,
};
use datafusion::physical_planner::{DefaultPhysicalPlanner, ExtensionPlanner, PhysicalPlanner};
use futures::{TryStreamExt, stream};

use super::rows::rows_of;
use super::{Parts, PartsNode, one_input, parts_schema};
use crate::write::{self, Task};

/// A node of a physical plan that writes each partition of its input as parts of a set, and returns a [row for each part](parts_schema).
/// [`PartsQueryPlanner`] makes it.
#[derive(Clone, Debug)]
pub struct PartsExec {
    input: Arc<dyn ExecutionPlan>,
    parts: Parts,
    properties: Arc<PlanProperties>,
    metrics: ExecutionPlanMetricsSet,
}

impl PartsExec {
    /// Writes the partitions of `input`.
    pub fn new(input: Arc<dyn ExecutionPlan>, parts: Parts) -> Self {
        let partitions = input.properties().partitioning.partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(parts_schema()),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Final,
            Boundedness::Bounded,
        );
        PartsExec {
            input,
            parts,
            properties: Arc::new(properties),
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    /// The settings for writing parts.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// The columns that order the rows. A missing one is an error when rows are written.
    fn columns(&self) -> Vec<Arc<dyn PhysicalExpr>> {
        let schema = self.input.schema();
        let columns = self.parts.order().into_iter();
        columns.filter_map(|column| col(&column, &schema).ok()).collect()
    }
}

impl DisplayAs for PartsExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PartsExec: {}", self.parts)
    }
}

impl ExecutionPlan for PartsExec {
    fn name(&self) -> &'static str {
        "PartsExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        let distribution = if self.parts.shuffles {
            let mut key = self.columns();
            key.truncate(self.parts.writing.key.len().max(1));
            Distribution::KeyPartitioned(key)
        } else {
            Distribution::UnspecifiedDistribution
        };
        InputDistributionRequirements::new(vec![distribution])
    }

    /// In either direction.
    fn required_input_ordering(&self) -> Vec<Option<OrderingRequirements>> {
        let columns = self.columns().into_iter();
        let columns = columns.map(|column| PhysicalSortRequirement::new(column, None));
        vec![LexRequirement::new(columns).map(OrderingRequirements::new)]
    }

    /// More partitions would be more tasks, and smaller parts.
    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(PartsExec::new(
            one_input(&children)?,
            self.parts.clone(),
        )))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(
            children,
            ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute),
        )
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let rows = self.input.execute(partition, Arc::clone(&context))?;
        let parts = self.parts.clone();
        let entries = MetricBuilder::new(&self.metrics).counter("entries", partition);
        let skipped = MetricBuilder::new(&self.metrics).counter("skipped", partition);
        let written = async move {
            let set = write::set(&parts.writing, &parts.url()?, &context.runtime_env())?;
            let task = Task::ByFirstRow(parts.order());
            // The set is dropped, which keeps the parts for the process that publishes them.
            let written = write::write(rows, set, &parts.writing, task).await;
            // Only its text reaches another process.
            let written = written.map_err(|error| DataFusionError::Execution(error.strip_backtrace()))?;
            let Some(written) = written else {
                return Ok(None);
            };
            let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
            entries.add(count(written.list.entries()));
            skipped.add(count(written.list.skipped()));
            rows_of(&written.list).map(Some)
        };
        let batches = stream::once(written).try_filter_map(|batch| async { Ok(batch) });
        Ok(Box::pin(RecordBatchStreamAdapter::new(parts_schema(), batches)))
    }

    fn metrics(&self) -> Option<MetricsSet> {
        Some(self.metrics.clone_inner())
    }
}

/// Plans [`PartsNode`]s, and everything else like DataFusion.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartsQueryPlanner;

#[async_trait]
impl QueryPlanner for PartsQueryPlanner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        session: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        DefaultPhysicalPlanner::with_extension_planners(vec![Arc::new(*self)])
            .create_physical_plan(plan, session)
            .await
    }
}

#[async_trait]
impl ExtensionPlanner for PartsQueryPlanner {
    async fn plan_extension(
        &self,
        _: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        _: &[&LogicalPlan],
        inputs: &[Arc<dyn ExecutionPlan>],
        _: &dyn Session,
        _: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let node = node.as_any().downcast_ref::<PartsNode>();
        Ok(node.zip(inputs.first()).map(|(node, input)| {
            let exec = PartsExec::new(Arc::clone(input), node.parts().clone());
            Arc::new(exec) as Arc<dyn ExecutionPlan>
        }))
    }
}
