//! SQLite.
//!
//! **One SQLite.** A program can link one libsqlite3-sys, and Cargo holds a whole workspace to that. Diesel, sqlx and SeaORM agree on 0.37.

use sitemap_site::KeyValue;
use sitemap_site::source::BoxError;
use sqlx::{Arguments, AssertSqlSafe, Column, Decode, Executor, Pool, Row, Sqlite, Type, TypeInfo, ValueRef};

use crate::backend::{Backend, Dialect, Driver, RowStream, driver};
use crate::sql::described;

impl Backend for Sqlite {}

impl Driver for Sqlite {
    const DIALECT: Dialect = Dialect {
        // In double quotes, SQLite reads an unknown name as a text.
        quote: '`',
        as_text: "TEXT",
        greatest: "MAX",
        sorts: "TEMP B-TREE",
        parameter: |number| format!("${number}"),
        has_question_marks: false,
        bound: |value, _| value.to_owned(),
        key: |column, _| column.to_owned(),
        notices_changes: false,
        row_values: true,
        explain: "EXPLAIN QUERY PLAN",
    };

    const PRIMARY_KEY: &'static str = "SELECT name FROM pragma_table_info($1, $2) WHERE pk > 0 ORDER BY pk";

    // An INTEGER PRIMARY KEY is the row's number, which is never null; others may be. It has no index of its own.
    const NOT_NULL: &'static str = "SELECT name FROM pragma_table_info($1, $2) WHERE \"notnull\" <> 0 \
        OR (pk = 1 AND type = 'INTEGER' COLLATE NOCASE \
            AND NOT EXISTS (SELECT 1 FROM pragma_table_info($1, $2) WHERE pk > 1) \
            AND NOT EXISTS (SELECT 1 FROM pragma_index_list($1, $2) WHERE origin = 'pk'))";

    fn table_arguments(table: &str) -> Result<Self::Arguments, BoxError> {
        let (schema, table) = table
            .split_once('.')
            .map_or((None, table), |(schema, table)| (Some(schema), table));
        let mut arguments = Self::Arguments::default();
        arguments.add(table.trim_matches('"').to_owned())?;
        arguments.add(schema.map(|schema| schema.trim_matches('"').to_owned()))?;
        Ok(arguments)
    }

    /// A key set by name may be a `rowid`, which is not a column of a subquery. A detected key is a column, which must exist.
    fn head(names: &[String], is_named: bool) -> Vec<String> {
        if is_named {
            return Vec::new();
        }
        names.iter().map(|name| described(Self::DIALECT, name)).collect()
    }

    /// Values have types, columns do not. Values of different types are ordered: numbers, texts, blobs.
    fn types(_: &Self::Row, names: &[String]) -> Result<Vec<String>, BoxError> {
        Ok(vec![String::new(); names.len()])
    }

    fn bind(arguments: &mut Self::Arguments, value: &KeyValue, _: &str) -> Result<(), BoxError> {
        match value {
            KeyValue::Integer(number) => arguments.add(*number),
            KeyValue::Text(text) => arguments.add(text.clone()),
            KeyValue::Bytes(bytes) => arguments.add(bytes.clone()),
            other => Err(format!("SQLite has no key such as {other}").into()),
        }
    }

    fn key_value(row: &Self::Row, column: usize, _: &str) -> Result<Option<KeyValue>, BoxError> {
        let value = row.try_get_raw(column)?;
        if value.is_null() {
            // It has the type of the column.
            return Ok(None);
        }
        let kind = value.type_info().into_owned();
        Ok(match kind.name() {
            "INTEGER" | "BOOLEAN" => Some(KeyValue::Integer(row.try_get_unchecked(column)?)),
            "TEXT" | "DATE" | "TIME" | "DATETIME" => Some(KeyValue::Text(row.try_get_unchecked(column)?)),
            // A column of decimals compares its numbers and texts of numbers as numbers. Those of other columns are not exact.
            "REAL" if row.column(column).type_info().name() != "REAL" => {
                let number: f64 = row.try_get_unchecked(column)?;
                Some(KeyValue::Text(number.to_string()))
            }
            "BLOB" => Some(KeyValue::Bytes(row.try_get_unchecked(column)?)),
            other => return Err(format!("its type is {other}; a key has integers, texts or blobs").into()),
        })
    }

    fn explained(row: &Self::Row) -> Result<String, sqlx::Error> {
        row.try_get("detail")
    }

    driver!();
}
