//! The second batch: rejections and repairs.

use std::sync::{Arc, LazyLock};

use arrow_array::RecordBatch;
use arrow_array::types::Int64Type;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use sitemap_serde::{Diagnostic, Error, Position, Rule};

use crate::column::{Numbers, Text};

/// The size of a problem without its texts.
const ROW: usize = 64;

/// The schema of the batches of problems from [`BatchReader::take_problems`](crate::BatchReader::take_problems).
///
/// | column | type | content |
/// |---|---|---|
/// | `source` | Utf8 | the document's [name](crate::Input::name) |
/// | `refused` | Utf8 | `entry`: the entry is in no batch; `document`: reading the document ended; null: it was repaired, or a value was dropped |
/// | `severity` | Utf8 | how crawlers treat it: `note`, `warning`, `error` |
/// | `rule` | Utf8 | the broken [`Rule`](sitemap_serde::Rule), such as `P-PRIO`; null if no rule of the format is broken, as when a file cannot be opened |
/// | `entry` | Int64 | the entry's number in its document, from 1; null outside of entries |
/// | `line`, `column` | Int64 | position of the problem, from 1; null if it concerns the whole document |
/// | `byte` | Int64 | the same as a byte offset in the document |
/// | `path` | Utf8 | entry and field: `entry 3 · image:image[1] · image:loc` |
/// | `message` | Utf8 | the rejected text, the allowed values, and the advice |
pub fn problems_schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
        Arc::new(Schema::new(vec![
            Field::new("source", DataType::Utf8, false),
            Field::new("refused", DataType::Utf8, true),
            Field::new("severity", DataType::Utf8, false),
            Field::new("rule", DataType::Utf8, true),
            Field::new("entry", DataType::Int64, true),
            Field::new("line", DataType::Int64, true),
            Field::new("column", DataType::Int64, true),
            Field::new("byte", DataType::Int64, true),
            Field::new("path", DataType::Utf8, true),
            Field::new("message", DataType::Utf8, false),
        ]))
    });
    Arc::clone(&SCHEMA)
}

/// The facts about one problem.
struct Problem<'a> {
    source: &'a str,
    refused: Option<&'a str>,
    severity: &'a str,
    rule: Option<&'a str>,
    position: Option<Position>,
    entry: Option<u64>,
    path: Option<&'a str>,
    message: &'a str,
}

/// Problems while they are collected, within the limits.
#[derive(Debug)]
pub(crate) struct Problems {
    most_rows: usize,
    most_bytes: usize,
    texts: [Text; 6],
    numbers: [Numbers<Int64Type>; 4],
    len: usize,
    bytes: usize,
    dropped: u64,
}

impl Problems {
    pub(crate) fn new(most_rows: usize, most_bytes: usize) -> Self {
        Problems {
            most_rows,
            most_bytes,
            texts: std::array::from_fn(|_| Text::new()),
            numbers: std::array::from_fn(|_| Numbers::new()),
            len: 0,
            bytes: 0,
            dropped: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number of problems that exceeded the limits.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(crate) fn count_dropped(&mut self, count: u64) {
        self.dropped = self.dropped.saturating_add(count);
    }

    /// An entry or a document that was refused.
    pub(crate) fn refuse(&mut self, source: &str, error: &Error) {
        let refused = if error.ends_reading() { "document" } else { "entry" };
        self.push(&Problem {
            source,
            refused: Some(refused),
            severity: "error",
            rule: error.rule().map(Rule::as_str),
            position: error.position(),
            entry: error.entry(),
            path: error.path(),
            message: &error.to_string(),
        });
    }

    /// A document, or an entry, that was refused for a reason that is not of the format.
    pub(crate) fn refuse_with(&mut self, source: &str, refused: &str, entry: Option<u64>, message: &str) {
        self.push(&Problem {
            source,
            refused: Some(refused),
            severity: "error",
            rule: None,
            position: None,
            entry,
            path: None,
            message,
        });
    }

    pub(crate) fn repair(&mut self, source: &str, diagnostic: &Diagnostic) {
        self.push(&Problem {
            source,
            refused: None,
            severity: diagnostic.severity().as_str(),
            rule: Some(diagnostic.rule().as_str()),
            position: diagnostic.position(),
            entry: diagnostic.entry(),
            path: diagnostic.path(),
            message: diagnostic.message(),
        });
    }

    fn push(&mut self, problem: &Problem<'_>) {
        let texts = [
            Some(problem.source),
            problem.refused,
            Some(problem.severity),
            problem.rule,
            problem.path,
            Some(problem.message),
        ];
        let bytes = ROW + texts.iter().flatten().map(|text| text.len()).sum::<usize>();
        if self.len >= self.most_rows || self.bytes.saturating_add(bytes) > self.most_bytes {
            return self.count_dropped(1);
        }
        for (column, text) in self.texts.iter_mut().zip(texts) {
            match text {
                // There is room: the limit in bytes is below a column's.
                Some(text) => {
                    let _ = column.push(text);
                }
                None => column.push_null(),
            }
        }
        let position = problem.position;
        let numbers = [
            problem.entry,
            position.map(|position| position.line()),
            position.map(|position| position.column()),
            position.map(|position| position.byte()),
        ];
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            column.push(number.map(|number| i64::try_from(number).unwrap_or(i64::MAX)));
        }
        self.len += 1;
        self.bytes += bytes;
    }

    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let [source, refused, severity, rule, path, message] = &mut self.texts;
        let [entry, line, column, byte] = &mut self.numbers;
        (self.len, self.bytes) = (0, 0);
        RecordBatch::try_new(
            problems_schema(),
            vec![
                Arc::new(source.finish()?),
                Arc::new(refused.finish()?),
                Arc::new(severity.finish()?),
                Arc::new(rule.finish()?),
                Arc::new(entry.finish()?),
                Arc::new(line.finish()?),
                Arc::new(column.finish()?),
                Arc::new(byte.finish()?),
                Arc::new(path.finish()?),
                Arc::new(message.finish()?),
            ],
        )
    }
}
