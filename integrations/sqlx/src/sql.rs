//! The queries as SQL text.
//!
//! **Queries name their columns** (`sitemap-sqlx`: `lately`, `changed`). SQLite keeps the names of a prepared statement's columns while
//! `SELECT *` returns others, so that a value could come from another column. One query describes names and types of all columns, whatever
//! is in the table: a row of nulls from an outer join. It runs at most every second, and after a failure. A change of the columns counts a
//! generation, which is a comment in each query's text: so every connection prepares its statements again, without a list of connections.
//! SeaORM and Diesel name their columns themselves, and get a new generation when a query fails only because of its old plan.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use sitemap_site::Key;
use sitemap_site::source::{BoxError, Span, WrongKey};
use tokio::sync::OnceCell;

use crate::backend::Dialect;

/// The rows of a section.
#[derive(Clone, Debug)]
pub(crate) struct RowQuery {
    /// The table or subquery after `FROM`.
    pub(crate) from: String,
    /// The table whose primary key is used, if no key is set.
    pub(crate) table: Option<String>,
    pub(crate) keys: Option<Vec<String>>,
    filter: Option<String>,
    /// Number of values that are bound in the filter.
    values: usize,
    /// The columns to read; `None` for all.
    read: Option<Vec<String>>,
    /// The lastmod, as SQL.
    pub(crate) lastmod: Option<String>,
    /// The expression that selects it as text, if it is not selected unchanged.
    pub(crate) selected: Option<String>,
}

/// The columns of the rows, as the database described them.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub(crate) dialect: Dialect,
    /// The columns of the key.
    pub(crate) names: Vec<String>,
    /// Their types, which determine how values are read and compared; each empty if the database does not need them.
    pub(crate) types: Vec<String>,
    /// The names and types of the columns to read.
    pub(crate) read: Vec<(String, String)>,
    /// Counts the changes of the columns. It is part of each query's text, since databases cache prepared statements by their text, with
    /// the columns of that time.
    pub(crate) generation: u64,
    /// `true` if the key is null in a row, once known.
    pub(crate) nulls: Arc<OnceCell<bool>>,
    pub(crate) described: Instant,
}

/// The name of a key column of a result, from 0: no column of the rows that are read has it.
pub(crate) fn key_name(at: usize, read: &[(String, String)]) -> String {
    let mut name = format!("sitemap_key_{at}");
    while read.iter().any(|(other, _)| other.eq_ignore_ascii_case(&name)) {
        name.push('_');
    }
    name
}

/// The name of the lastmod of a result.
pub(crate) const LASTMOD: &str = "sitemap_lastmod";

impl RowQuery {
    pub(crate) fn table(table: &str) -> Self {
        RowQuery {
            from: table.to_owned(),
            table: Some(table.to_owned()),
            keys: None,
            filter: None,
            values: 0,
            read: None,
            lastmod: None,
            selected: None,
        }
    }

    pub(crate) fn query(query: &str) -> Self {
        RowQuery {
            from: format!("({query}) AS sitemap_rows"),
            table: None,
            keys: None,
            filter: None,
            values: 0,
            read: None,
            lastmod: None,
            selected: None,
        }
    }

    pub(crate) fn key(&mut self, columns: impl IntoIterator<Item = &'static str>) {
        self.keys = Some(columns.into_iter().map(str::to_owned).collect());
    }

    pub(crate) fn read(&mut self, columns: impl IntoIterator<Item = &'static str>) {
        self.read = Some(columns.into_iter().map(str::to_owned).collect());
    }

    pub(crate) fn filter(&mut self, condition: &str) {
        self.filter = Some(match self.filter.take() {
            None => condition.to_owned(),
            Some(filter) => format!("({filter}) AND ({condition})"),
        });
    }

    /// Takes the lastmod and the conditions that a type declares.
    pub(crate) fn declare(&mut self, dialect: Dialect, declared: &sitemap_serde::convert::Columns) {
        for (column, is_listed) in declared.flags {
            let column = dialect.quoted(column);
            self.filter(&if *is_listed {
                column
            } else {
                format!("NOT {column}")
            });
        }
        // The newest value ignores NULLs, which are absent dates.
        let newest = declared.lastmod.iter().map(|column| dialect.quoted(column));
        self.lastmod = newest.reduce(|newest, column| {
            let function = dialect.greatest;
            format!("COALESCE({function}({newest}, {column}), {newest}, {column})")
        });
        let text = dialect.as_text;
        self.selected = self
            .lastmod
            .as_ref()
            .map(|lastmod| format!("CAST({lastmod} AS {text})"));
    }

    /// The lastmod as a column of a result.
    fn selected(&self) -> Option<String> {
        let lastmod = self.selected.as_ref().or(self.lastmod.as_ref())?;
        Some(format!("{lastmod} AS {LASTMOD}"))
    }

    pub(crate) fn add_value(&mut self) {
        self.values += 1;
    }

    /// Rejects a filter with more or fewer placeholders than values: a range's ends would take the place of missing values.
    pub(crate) fn check_values(&self, dialect: Dialect) -> Result<(), BoxError> {
        let filter = self.filter.as_deref().unwrap_or_default();
        let placeholders = placeholders(filter, dialect);
        if placeholders == self.values {
            return Ok(());
        }
        let placeholder = (dialect.parameter)(1);
        Err(format!(
            "the filter `{filter}` has {placeholders} placeholders such as `{placeholder}`, and {} values: call `bind` after `filter` for each \
             placeholder",
            self.values
        )
        .into())
    }

    /// One row of nulls, for any content of the table, with the columns of the rows after `head`.
    pub(crate) fn describe(&self, dialect: Dialect, head: &[String], generation: u64) -> String {
        let columns = match &self.read {
            Some(columns) => columns.iter().map(|name| described(dialect, name)).collect(),
            None => vec!["sitemap_rows.*".to_owned()],
        };
        let columns = [head, &columns].concat().join(", ");
        let from = &self.from;
        let sql = format!(
            "SELECT {columns} FROM (SELECT 1 AS sitemap_one) AS sitemap_any LEFT JOIN (SELECT * FROM {from}) AS sitemap_rows ON 1 = 0"
        );
        numbered(sql, generation)
    }

    /// A row with a null in its key.
    pub(crate) fn nulls(&self, dialect: Dialect, names: &[String]) -> String {
        let null: Vec<_> = names
            .iter()
            .map(|name| format!("{} IS NULL", dialect.quoted(name)))
            .collect();
        format!(
            "SELECT 1 FROM {} WHERE {}({}) LIMIT 1",
            self.from,
            self.filter_and(),
            null.join(" OR ")
        )
    }

    /// The filter comes first in each query, since MySQL numbers placeholders by their order.
    fn filter_and(&self) -> String {
        self.filter
            .as_ref()
            .map(|filter| format!("({filter}) AND "))
            .unwrap_or_default()
    }

    /// The rows of a range.
    pub(crate) fn page(&self, columns: &Columns, span: &Span) -> String {
        let read = columns
            .read
            .iter()
            .map(|(name, _)| format!("{}, ", columns.dialect.quoted(name)));
        self.select(columns, span, &read.collect::<String>())
    }

    /// The keys of a range and their lastmods.
    pub(crate) fn keys(&self, columns: &Columns, span: &Span) -> String {
        let lastmod = self.selected().map(|lastmod| format!("{lastmod}, "));
        self.select(columns, span, &lastmod.unwrap_or_default())
    }

    /// The query of the rows with the newest lastmods, which has one parameter, the limit; `None` without a column of lastmods.
    pub(crate) fn latest(&self, columns: &Columns) -> Option<String> {
        let (lastmod, selected) = (self.lastmod.as_ref()?, self.selected()?);
        let (keys, from) = (columns.as_keys(), &self.from);
        let (filter, limit) = (self.filter_and(), (columns.dialect.parameter)(self.values + 1));
        let sql = format!(
            "SELECT {selected}, {keys} FROM {from} WHERE {filter}{lastmod} IS NOT NULL ORDER BY {lastmod} DESC LIMIT {limit}"
        );
        Some(numbered(sql, columns.generation))
    }

    /// The number of rows of a range.
    pub(crate) fn count(&self, columns: &Columns, span: &Span) -> String {
        let (within, _) = self.within(columns, span);
        numbered(format!("SELECT COUNT(*){within}"), columns.generation)
    }

    fn select(&self, columns: &Columns, span: &Span, more: &str) -> String {
        let (within, parameters) = self.within(columns, span);
        let mut sql = format!("SELECT {more}{}{within}", columns.as_keys());
        // Order by the columns, not by their aliases in the result, which are text in PostgreSQL.
        let order: Vec<_> = columns
            .names
            .iter()
            .map(|name| columns.dialect.quoted(name))
            .collect();
        let limit = (columns.dialect.parameter)(parameters + 1);
        // Writing to a `String` does not fail.
        let _ = write!(sql, " ORDER BY {} LIMIT {limit}", order.join(", "));
        numbered(sql, columns.generation)
    }

    /// The table and the conditions of a range, and the number of parameters in them.
    fn within(&self, columns: &Columns, span: &Span) -> (String, usize) {
        let mut sql = format!(" FROM {}", self.from);
        let mut parameter = self.values;
        let mut word = " WHERE";
        if let Some(filter) = &self.filter {
            let _ = write!(sql, "{word} ({filter})");
            word = " AND";
        }
        for (bound, operator) in [(&span.after, ">"), (&span.to, "<=")] {
            if bound.is_some() {
                let names: Vec<_> = columns
                    .names
                    .iter()
                    .map(|name| columns.dialect.quoted(name))
                    .collect();
                let values = columns.types.iter().map(|kind| {
                    parameter += 1;
                    (columns.dialect.bound)(&(columns.dialect.parameter)(parameter), kind)
                });
                let values = row_value(&values.collect::<Vec<_>>());
                let _ = write!(sql, "{word} {} {operator} {values}", row_value(&names));
                word = " AND";
            }
        }
        (sql, parameter)
    }
}

/// A text that differs in each generation.
fn numbered(mut sql: String, generation: u64) -> String {
    if generation > 0 {
        let _ = write!(sql, " /* {generation} */");
    }
    sql
}

/// A column of the query that describes the rows.
pub(crate) fn described(dialect: Dialect, name: &str) -> String {
    format!("sitemap_rows.{}", dialect.quoted(name))
}

/// The number of placeholders outside of quotes: the highest number after a `$`, or the number of `?`, which is an operator in PostgreSQL.
fn placeholders(condition: &str, dialect: Dialect) -> usize {
    let is_numbered = (dialect.parameter)(1) == "$1";
    let (mut highest, mut unnumbered) = (0, 0);
    let mut rest = condition;
    while let Some(at) = rest.find(['\'', '"', '`', '$', '?']) {
        let (before, found) = rest.split_at(at);
        let (found, after) = found.split_at(1);
        let is_in_name = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        rest = match found {
            "$" if is_numbered && !is_in_name => {
                let digits = after.bytes().take_while(u8::is_ascii_digit).count();
                let (number, after) = after.split_at(digits);
                highest = highest.max(number.parse().unwrap_or(0));
                after
            }
            "$" => after,
            "?" => {
                unnumbered += usize::from(!dialect.has_question_marks);
                after
            }
            quote => after.split_once(quote).map_or("", |(_, after)| after),
        };
    }
    highest + unnumbered
}

/// `a`, or `(a, b)`
fn row_value(values: &[String]) -> String {
    let list = values.join(", ");
    if values.len() == 1 {
        list
    } else {
        format!("({list})")
    }
}

impl Columns {
    /// The key columns with the names of a result's.
    fn as_keys(&self) -> String {
        let column = |(at, (name, kind)): (usize, (&String, &String))| {
            let column = (self.dialect.key)(&self.dialect.quoted(name), kind);
            format!("{column} AS {}", key_name(at, &self.read))
        };
        self.names
            .iter()
            .zip(&self.types)
            .enumerate()
            .map(column)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The ends of a range, both with a value for each column.
    pub(crate) fn bounds<'a>(
        &self,
        span: &'a Span,
    ) -> Result<impl Iterator<Item = &'a Key> + use<'a>, WrongKey> {
        let bounds = span.after.iter().chain(&span.to);
        if bounds.clone().any(|key| key.values().len() != self.names.len()) {
            return Err(WrongKey);
        }
        Ok(bounds)
    }
}

pub(crate) fn ambiguous(name: &str) -> BoxError {
    format!(
        "the query has two columns `{name}`: give one of them another name, as in `SELECT s.{name} AS other`"
    )
    .into()
}

pub(crate) fn no_key(plan: &RowQuery) -> BoxError {
    match &plan.table {
        Some(table) => {
            format!("`{table}` has no primary key: name columns that are unique and not null with `key`")
                .into()
        }
        None => "a query has no primary key: name columns that are unique and not null with `key`".into(),
    }
}

pub(crate) fn null_key(names: &[String]) -> BoxError {
    let names = names.join(", ");
    format!("the key ({names}) is null in a row, and such a row does not belong to any range of keys: leave these rows out with `filter`, or name other columns with `key`").into()
}

pub(crate) fn composite(names: &[String]) -> BoxError {
    let names = names.join(", ");
    format!("the key has several columns ({names}), and MySQL uses no index for ranges of several columns: name one column that is unique and not null with `key`").into()
}

pub(crate) fn wrong_type(columns: &Columns, at: usize, error: &BoxError) -> BoxError {
    let name = columns.names.get(at).map_or("", String::as_str);
    format!("the key column `{name}` cannot be read: {error}").into()
}
