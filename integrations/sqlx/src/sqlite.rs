//! SQLite.

use sitemap_site::KeyValue;
use sitemap_site::source::BoxError;
use sqlx::{Arguments, AssertSqlSafe, Decode, Pool, Row, Sqlite, Type, TypeInfo, ValueRef};

use crate::backend::{Backend, Dialect, Driver, Found, driver};
use crate::sql::RowQuery;

impl Backend for Sqlite {}

impl Driver for Sqlite {
    const DIALECT: Dialect = Dialect {
        // In double quotes, SQLite reads an unknown name as a text.
        quote: '`',
        parameter: |number| format!("${number}"),
        casts: false,
        row_values: true,
        explain: "EXPLAIN QUERY PLAN",
    };

    async fn primary_key(pool: &Pool<Self>, table: &str) -> Result<Vec<String>, sqlx::Error> {
        let (schema, table) = table
            .split_once('.')
            .map_or((None, table), |(schema, table)| (Some(schema), table));
        sqlx::query_scalar("SELECT name FROM pragma_table_info($1, $2) WHERE pk > 0 ORDER BY pk")
            .bind(table.trim_matches('"').to_owned())
            .bind(schema.map(|schema| schema.trim_matches('"').to_owned()))
            .fetch_all(pool)
            .await
    }

    /// Values have types, columns do not. Values of different types are ordered: numbers, texts, blobs.
    async fn types(
        _: &Pool<Self>,
        _: &RowQuery,
        names: &[String],
    ) -> Result<Option<Vec<String>>, sqlx::Error> {
        Ok(Some(vec![String::new(); names.len()]))
    }

    fn bind(arguments: &mut Self::Arguments, value: &KeyValue, _: &str) -> Result<(), BoxError> {
        match value {
            KeyValue::Integer(number) => arguments.add(*number),
            KeyValue::Text(text) => arguments.add(text.clone()),
            KeyValue::Bytes(bytes) => arguments.add(bytes.clone()),
            other => Err(format!("SQLite has no key such as {other}").into()),
        }
    }

    fn key_value(row: &Self::Row, column: &str, _: &str) -> Result<Option<KeyValue>, BoxError> {
        let value = row.try_get_raw(column)?;
        let kind = value.type_info().into_owned();
        Ok(match kind.name() {
            "INTEGER" | "BOOLEAN" => Some(KeyValue::Integer(row.try_get_unchecked(column)?)),
            "TEXT" | "DATE" | "TIME" | "DATETIME" => Some(KeyValue::Text(row.try_get_unchecked(column)?)),
            "BLOB" => Some(KeyValue::Bytes(row.try_get_unchecked(column)?)),
            "NULL" => None,
            other => return Err(format!("its type is {other}; a key has integers, texts or blobs").into()),
        })
    }

    fn explained(row: &Self::Row) -> Result<String, sqlx::Error> {
        row.try_get("detail")
    }

    driver!();
}
