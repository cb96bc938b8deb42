//! MySQL and MariaDB.

use sitemap_site::KeyValue;
use sitemap_site::source::{BoxError, WrongKey};
use sqlx::{Arguments, AssertSqlSafe, Column, Decode, Executor, MySql, Pool, Row, Type, TypeInfo};

use crate::backend::{Backend, Dialect, Driver, RowStream, driver};
use crate::sql::described;

impl Backend for MySql {}

impl Driver for MySql {
    const DIALECT: Dialect = Dialect {
        quote: '`',
        as_text: "CHAR",
        greatest: "GREATEST",
        sorts: "filesort",
        parameter: |_| "?".to_owned(),
        has_question_marks: false,
        bound: |value, kind| match KeyKind::of(kind) {
            // MySQL compares decimals and texts as floating-point numbers.
            Some(KeyKind::Decimal) => format!("CAST({value} AS DECIMAL(65, 30))"),
            _ => value.to_owned(),
        },
        key: |column, kind| match KeyKind::of(kind) {
            Some(KeyKind::Written | KeyKind::Date | KeyKind::Time | KeyKind::Decimal) => {
                format!("CAST({column} AS CHAR)")
            }
            _ => column.to_owned(),
        },
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

    /// The columns, and the character set of each.
    fn head(names: &[String], _: bool) -> Vec<String> {
        let columns = names.iter().map(|name| described(Self::DIALECT, name));
        let sets = columns
            .clone()
            .map(|column| format!("CAST(CHARSET({column}) AS CHAR)"));
        columns.clone().chain(sets).collect()
    }

    /// MySQL treats `id > 'x'` as `id > 0`, so values of another type must not be compared. MariaDB's types `UUID` and `INET6` look like bytes,
    /// but have a character set.
    fn types(row: &Self::Row, names: &[String]) -> Result<Vec<String>, BoxError> {
        let types = row.columns().iter().map(|column| column.type_info().name());
        let types = types.take(names.len()).enumerate().map(|(at, name)| {
            let set: Option<String> = row.try_get(names.len() + at)?;
            let is_written =
                matches!(KeyKind::of(name), Some(KeyKind::Bytes)) && set.as_deref() != Some("binary");
            Ok(if is_written { WRITTEN } else { name }.to_owned())
        });
        types.collect()
    }

    fn bind(arguments: &mut Self::Arguments, value: &KeyValue, kind: &str) -> Result<(), BoxError> {
        match (value, KeyKind::of(kind)) {
            (KeyValue::Integer(number), Some(KeyKind::Integer)) => arguments.add(*number),
            (KeyValue::Text(text), Some(KeyKind::Text)) => arguments.add(text.clone()),
            (KeyValue::Text(text), Some(kind)) if kind.has(text) => arguments.add(text.clone()),
            (KeyValue::Bytes(bytes), Some(KeyKind::Bytes)) => arguments.add(bytes.clone()),
            _ => Err(WrongKey.into()),
        }
    }

    fn key_value(row: &Self::Row, column: usize, kind: &str) -> Result<Option<KeyValue>, BoxError> {
        Ok(match KeyKind::of(kind) {
            Some(KeyKind::Integer) if kind.ends_with(UNSIGNED) => {
                let number: Option<u64> = row.try_get(column)?;
                let signed = number.map(|number| {
                    i64::try_from(number)
                        .map_err(|_| format!("its value {number} is greater than {}", i64::MAX))
                });
                signed.transpose()?.map(KeyValue::Integer)
            }
            Some(KeyKind::Integer) => {
                let number: Option<i64> = row.try_get(column)?;
                number.map(KeyValue::Integer)
            }
            Some(KeyKind::Text | KeyKind::Written | KeyKind::Date | KeyKind::Time | KeyKind::Decimal) => {
                row.try_get::<Option<String>, _>(column)?.map(KeyValue::Text)
            }
            Some(KeyKind::Bytes) => row.try_get::<Option<Vec<u8>>, _>(column)?.map(KeyValue::Bytes),
            None if kind == "ENUM" => {
                return Err(
                    "its type is ENUM, whose values are compared as texts and ordered by their definition"
                        .into(),
                );
            }
            None => {
                return Err(format!(
                    "its type is {kind}; a key has integers, decimals, texts, dates or bytes"
                )
                .into());
            }
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

/// The types of MariaDB whose values are compared with their texts.
const WRITTEN: &str = "UUID or INET";

#[derive(Clone, Copy)]
enum KeyKind {
    Integer,
    Text,
    Bytes,
    /// A UUID or an IP address.
    Written,
    Date,
    /// A date and time.
    Time,
    Decimal,
}

impl KeyKind {
    fn of(name: &str) -> Option<Self> {
        let integer = name.strip_suffix(UNSIGNED).unwrap_or(name);
        match integer {
            "TINYINT" | "SMALLINT" | "MEDIUMINT" | "INT" | "BIGINT" => Some(KeyKind::Integer),
            "CHAR" | "VARCHAR" | "TINYTEXT" | "TEXT" | "MEDIUMTEXT" | "LONGTEXT" => Some(KeyKind::Text),
            "BINARY" | "VARBINARY" | "TINYBLOB" | "BLOB" | "MEDIUMBLOB" | "LONGBLOB" => Some(KeyKind::Bytes),
            "DATE" => Some(KeyKind::Date),
            "DATETIME" | "TIMESTAMP" => Some(KeyKind::Time),
            "DECIMAL" => Some(KeyKind::Decimal),
            WRITTEN => Some(KeyKind::Written),
            _ => None,
        }
    }

    /// Returns `true` if a text has the form of the type's values. MySQL compares others as the value 0, or as texts.
    fn has(self, text: &str) -> bool {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let parts = |text: &str, separator, lengths: &[usize]| {
            let parts: Vec<_> = text.split(separator).collect();
            parts.iter().all(|part| digits(part))
                && parts.iter().map(|part| part.len()).eq(lengths.iter().copied())
        };
        match self {
            KeyKind::Date => parts(text, '-', &[4, 2, 2]),
            KeyKind::Time => {
                let (text, fraction) = text.split_once('.').unwrap_or((text, "0"));
                text.split_once(' ').is_some_and(|(date, time)| {
                    KeyKind::Date.has(date) && parts(time, ':', &[2, 2, 2]) && digits(fraction)
                })
            }
            KeyKind::Decimal => {
                let number = text.strip_prefix('-').unwrap_or(text);
                let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
                digits(whole) && digits(fraction)
            }
            KeyKind::Written => {
                let is_hexadecimal = |byte: u8| byte.is_ascii_hexdigit() || b"-:.".contains(&byte);
                !text.is_empty() && text.bytes().all(is_hexadecimal)
            }
            KeyKind::Integer | KeyKind::Text | KeyKind::Bytes => false,
        }
    }
}
