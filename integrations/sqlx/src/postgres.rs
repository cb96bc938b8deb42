//! PostgreSQL.

use sitemap_site::KeyValue;
use sitemap_site::source::{BoxError, WrongKey};
use sqlx::{Arguments, AssertSqlSafe, Column, Decode, Executor, Pool, Postgres, Row, Type};

use crate::backend::{Backend, Dialect, Driver, RowStream, driver};
use crate::sql::described;

impl Backend for Postgres {}

impl Driver for Postgres {
    const DIALECT: Dialect = Dialect {
        quote: '"',
        as_text: "TEXT",
        greatest: "GREATEST",
        sorts: "Sort",
        parameter: |number| format!("${number}"),
        has_question_marks: true,
        bound: |value, kind| format!("{value}::{kind}"),
        // Every type converts to text.
        key: |column, _| format!("{column}::text"),
        notices_changes: true,
        row_values: true,
        explain: "EXPLAIN (COSTS OFF)",
    };

    const PRIMARY_KEY: &'static str = "SELECT a.attname::text FROM pg_index i \
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey) \
        WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)";

    const NOT_NULL: &'static str =
        "SELECT attname::text FROM pg_attribute WHERE attrelid = $1::regclass AND attnotnull AND attnum > 0";

    fn table_arguments(table: &str) -> Result<Self::Arguments, BoxError> {
        let mut arguments = Self::Arguments::default();
        arguments.add(table.to_owned())?;
        Ok(arguments)
    }

    /// The columns of a query are not in the catalogue.
    ///
    /// A value that is cast to the name of a type with a schema keeps its length: `bit` and `character` without one are of length 1. A value
    /// of a domain is compared as one of its type.
    fn head(names: &[String], _: bool) -> Vec<String> {
        let types = names.iter().map(|name| {
            format!(
                "(SELECT quote_ident(n.nspname) || '.' || quote_ident(t.typname) FROM pg_catalog.pg_type d \
                 JOIN pg_catalog.pg_type t ON t.oid = COALESCE(NULLIF(d.typbasetype, 0), d.oid) \
                 JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace WHERE d.oid = pg_typeof({})::oid)",
                described(Self::DIALECT, name)
            )
        });
        vec![format!(
            "ARRAY[{}] AS sitemap_types",
            types.collect::<Vec<_>>().join(", ")
        )]
    }

    fn types(row: &Self::Row, _: &[String]) -> Result<Vec<String>, BoxError> {
        Ok(row.try_get(0)?)
    }

    fn bind(arguments: &mut Self::Arguments, value: &KeyValue, kind: &str) -> Result<(), BoxError> {
        // Each value has exactly one form in addresses.
        match value {
            KeyValue::Integer(number) if is_integer(kind) => arguments.add(number.to_string()),
            KeyValue::Text(text) if !is_integer(kind) => arguments.add(text.clone()),
            _ => Err(WrongKey.into()),
        }
    }

    fn key_value(row: &Self::Row, column: usize, kind: &str) -> Result<Option<KeyValue>, BoxError> {
        let text: Option<String> = row.try_get(column)?;
        Ok(match text {
            Some(text) if is_integer(kind) => Some(KeyValue::Integer(text.parse()?)),
            text => text.map(KeyValue::Text),
        })
    }

    fn explained(row: &Self::Row) -> Result<String, sqlx::Error> {
        row.try_get(0)
    }

    driver!();
}

fn is_integer(kind: &str) -> bool {
    matches!(
        kind,
        "pg_catalog.int2" | "pg_catalog.int4" | "pg_catalog.int8" | "pg_catalog.oid"
    )
}
