//! The node of a logical plan.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::common::{DFSchema, DFSchemaRef};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{Expr, LogicalPlan, UserDefinedLogicalNodeCore};

use super::{Parts, one_input, parts_schema};

/// A node of a logical plan that writes its input as parts of a set, one task for each partition. [`Parts::plan`] makes it.
#[derive(Clone, Debug)]
pub struct PartsNode {
    input: LogicalPlan,
    parts: Parts,
    schema: DFSchemaRef,
}

impl PartsNode {
    /// Writes the rows of `input`.
    ///
    /// # Errors
    /// If the column `loc` or a column of the key is missing.
    pub fn try_new(input: LogicalPlan, parts: Parts) -> Result<Self> {
        for column in parts.order() {
            if !input
                .schema()
                .fields()
                .iter()
                .any(|field| *field.name() == column)
            {
                return Err(DataFusionError::Plan(format!(
                    "the query has no column `{column}`: every row needs a `loc`, and the columns of its key"
                )));
            }
        }
        Ok(PartsNode {
            input,
            parts,
            schema: Arc::new(DFSchema::try_from(parts_schema())?),
        })
    }

    /// The settings for writing parts.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }
}

// The schema is the same for all.
impl PartialEq for PartsNode {
    fn eq(&self, other: &Self) -> bool {
        self.input == other.input && self.parts == other.parts
    }
}

impl Eq for PartsNode {}

impl PartialOrd for PartsNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.parts.partial_cmp(&other.parts) {
            Some(Ordering::Equal) => self.input.partial_cmp(&other.input),
            order => order,
        }
    }
}

impl Hash for PartsNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.input.hash(state);
        self.parts.hash(state);
    }
}

impl UserDefinedLogicalNodeCore for PartsNode {
    fn name(&self) -> &'static str {
        "SitemapParts"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.input]
    }

    fn schema(&self) -> &DFSchemaRef {
        &self.schema
    }

    /// Columns are found by their names, as in a batch.
    fn expressions(&self) -> Vec<Expr> {
        Vec::new()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SitemapParts: {}", self.parts)
    }

    fn with_exprs_and_inputs(&self, _: Vec<Expr>, inputs: Vec<LogicalPlan>) -> Result<Self> {
        PartsNode::try_new(one_input(&inputs)?, self.parts.clone())
    }
}

impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let section = &self.writing.section;
        write!(f, "target={}, section={section}", self.target)
    }
}
