//! A condition that only changes the text of a query.

use diesel::backend::Backend;
use diesel::expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate};
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::Bool;

/// A condition that is always true, with a number in its text.
///
/// Connections cache the plans of queries by their texts. PostgreSQL rejects a plan if a migration has changed the types of its
/// result.
#[derive(Clone, Copy, Debug)]
pub struct Revision(u64);

impl Revision {
    /// The condition with a number.
    pub fn new(number: u64) -> Self {
        Revision(number)
    }
}

impl Expression for Revision {
    type SqlType = Bool;
}

impl<QS> AppearsOnTable<QS> for Revision {}

impl<QS> SelectableExpression<QS> for Revision {}

impl<GB> ValidGrouping<GB> for Revision {
    type IsAggregate = is_aggregate::Never;
}

impl QueryId for Revision {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<DB: Backend> QueryFragment<DB> for Revision {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        pass.push_sql("1 = 1 /* ");
        pass.push_sql(&self.0.to_string());
        pass.push_sql(" */");
        Ok(())
    }
}
