//! PostgreSQL.

use sitemap_site::KeyValue;
use sitemap_site::source::{BoxError, WrongKey};
use sqlx::{Arguments, AssertSqlSafe, Decode, Pool, Postgres, Row, Type};

use crate::backend::{Backend, Dialect, Driver, Found, driver};
use crate::sql::RowQuery;

impl Backend for Postgres {}

impl Driver for Postgres {
    const DIALECT: Dialect = Dialect {
        quote: '"',
        parameter: |number| format!("${number}"),
        casts: true,
        row_values: true,
        explain: "EXPLAIN (COSTS OFF)",
    };

    async fn primary_key(pool: &Pool<Self>, table: &str) -> Result<Vec<String>, sqlx::Error> {
        let names = "SELECT a.attname::text FROM pg_index i \
                     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey) \
                     WHERE i.indrelid = $1::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)";
        sqlx::query_scalar(names)
            .bind(table.to_owned())
            .fetch_all(pool)
            .await
    }

    /// Determined from a row, since the columns of a query are not in the catalogue.
    async fn types(
        pool: &Pool<Self>,
        plan: &RowQuery,
        names: &[String],
    ) -> Result<Option<Vec<String>>, sqlx::Error> {
        let types: Vec<_> = names
            .iter()
            .map(|name| format!("pg_typeof({})::text", Self::DIALECT.quoted(name)))
            .collect();
        let sql = format!("SELECT ARRAY[{}] FROM {} LIMIT 1", types.join(", "), plan.from);
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_optional(pool).await
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
