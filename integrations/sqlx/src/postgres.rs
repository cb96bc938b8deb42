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
        casts: true,
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
    fn head(names: &[String], _: bool) -> Vec<String> {
        let types = names
            .iter()
            .map(|name| format!("pg_typeof({})::text", described(Self::DIALECT, name)));
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

    fn key_value(row: &Self::Row, column: &str, kind: &str) -> Result<Option<KeyValue>, BoxError> {
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
    matches!(kind, "smallint" | "integer" | "bigint" | "oid")
}
