//! MySQL and MariaDB.

use sitemap_site::KeyValue;
use sitemap_site::source::{BoxError, WrongKey};
use sqlx::{Arguments, AssertSqlSafe, Column, Decode, Executor, MySql, Pool, Row, Type, TypeInfo};

use crate::backend::{Backend, Dialect, Driver, RowStream, driver};
use crate::sql::{described, key_name};

impl Backend for MySql {}

impl Driver for MySql {
    const DIALECT: Dialect = Dialect {
        quote: '`',
        as_text: "CHAR",
        greatest: "GREATEST",
        sorts: "filesort",
        parameter: |_| "?".to_owned(),
        casts: false,
        notices_changes: false,
        row_values: false,
        explain: "EXPLAIN",
    };

    // MySQL 8 returns these texts as bytes, unless they are cast.
    const PRIMARY_KEY: &'static str = "SELECT CAST(column_name AS CHAR) FROM information_schema.statistics \
        WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND index_name = 'PRIMARY' ORDER BY seq_in_index";

    const NOT_NULL: &'static str = "SELECT CAST(column_name AS CHAR) FROM information_schema.columns \
        WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND is_nullable = 'NO'";

    fn table_arguments(table: &str) -> Result<Self::Arguments, BoxError> {
        let (schema, table) = table
            .split_once('.')
            .map_or((None, table), |(schema, table)| (Some(schema), table));
        let mut arguments = Self::Arguments::default();
        arguments.add(schema.map(|schema| schema.trim_matches('`').to_owned()))?;
        arguments.add(table.trim_matches('`').to_owned())?;
        Ok(arguments)
    }

    fn head(names: &[String], _: bool) -> Vec<String> {
        let key =
            |(at, name): (usize, &String)| format!("{} AS {}", described(Self::DIALECT, name), key_name(at));
        names.iter().enumerate().map(key).collect()
    }

    /// MySQL treats `id > 'x'` as `id > 0`, so values of another type must not be compared.
    fn types(row: &Self::Row, names: &[String]) -> Result<Vec<String>, BoxError> {
        let types = row.columns().iter().map(|column| column.type_info().name());
        Ok(types.take(names.len()).map(str::to_owned).collect())
    }

    fn bind(arguments: &mut Self::Arguments, value: &KeyValue, kind: &str) -> Result<(), BoxError> {
        match (value, KeyKind::of(kind)) {
            (KeyValue::Integer(number), Some(KeyKind::Integer)) => arguments.add(*number),
            (KeyValue::Text(text), Some(KeyKind::Text)) => arguments.add(text.clone()),
            (KeyValue::Bytes(bytes), Some(KeyKind::Bytes)) => arguments.add(bytes.clone()),
            _ => Err(WrongKey.into()),
        }
    }

    fn key_value(row: &Self::Row, column: &str, kind: &str) -> Result<Option<KeyValue>, BoxError> {
        Ok(match KeyKind::of(kind) {
            Some(KeyKind::Integer) if kind.ends_with(UNSIGNED) => {
                let number: Option<u64> = row.try_get(column)?;
                number.map(i64::try_from).transpose()?.map(KeyValue::Integer)
            }
            Some(KeyKind::Integer) => {
                let number: Option<i64> = row.try_get(column)?;
                number.map(KeyValue::Integer)
            }
            Some(KeyKind::Text) => row.try_get::<Option<String>, _>(column)?.map(KeyValue::Text),
            Some(KeyKind::Bytes) => row.try_get::<Option<Vec<u8>>, _>(column)?.map(KeyValue::Bytes),
            None => return Err(format!("its type is {kind}; a key has integers, texts or bytes").into()),
        })
    }

    /// The relevant columns of a plan: `products range PRIMARY Using where`
    fn explained(row: &Self::Row) -> Result<String, sqlx::Error> {
        let columns = ["table", "type", "key", "Extra"].map(|column| {
            let text = row.try_get_unchecked::<Option<String>, _>(column);
            text.map(Option::unwrap_or_default)
        });
        let [table, kind, key, extra] = columns;
        Ok(format!("{} {} {} {}", table?, kind?, key?, extra?))
    }

    driver!();
}

/// The end of the name of a type.
const UNSIGNED: &str = " UNSIGNED";

enum KeyKind {
    Integer,
    Text,
    Bytes,
}

impl KeyKind {
    fn of(name: &str) -> Option<Self> {
        let integer = name.strip_suffix(UNSIGNED).unwrap_or(name);
        match integer {
            "TINYINT" | "SMALLINT" | "MEDIUMINT" | "INT" | "BIGINT" => Some(KeyKind::Integer),
            "CHAR" | "VARCHAR" | "TINYTEXT" | "TEXT" | "MEDIUMTEXT" | "LONGTEXT" | "ENUM" => {
                Some(KeyKind::Text)
            }
            "BINARY" | "VARBINARY" | "TINYBLOB" | "BLOB" | "MEDIUMBLOB" | "LONGBLOB" => Some(KeyKind::Bytes),
            _ => None,
        }
    }
}
