//! The error about a source that compares keys differently from their order.

use std::fmt;

use crate::key::Key;
use crate::source::Source;

/// How a source has been shown to compare keys differently from their order.
#[derive(Debug)]
pub(crate) struct Disorder {
    /// The columns of the key and their types; empty if the source does not know them.
    columns: Vec<(String, String)>,
    what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// A range up to a key does not have the row of its key, or the range after it has.
    Itself(Key),
    /// A row is on the wrong side of the end of a range.
    Misplaced { row: Key, end: Key },
    /// This number of rows is neither in the range up to a key nor in the range after it.
    Unranged { rows: u64, key: Key },
}

impl Disorder {
    pub(super) fn new<S: Source>(source: &S, what: What) -> Self {
        let columns = source.key_columns();
        Disorder { columns, what }
    }
}

impl fmt::Display for Disorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.columns.as_slice() {
            [] => f.write_str("the source does not compare keys as it orders them")?,
            columns => {
                let word = if columns.len() == 1 { "" } else { "s" };
                write!(f, "the key column{word} ")?;
                for (at, (name, kind)) in columns.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(f, "{comma}`{name}` ({kind})")?;
                }
                f.write_str(if columns.len() == 1 {
                    " is not compared as it is ordered"
                } else {
                    " are not compared as they are ordered"
                })?;
            }
        }
        match &self.what {
            What::Itself(key) => write!(
                f,
                ": the row of the key {key} is not in the range up to it, or in the range after it"
            )?,
            What::Misplaced { row, end } => write!(
                f,
                ": compared with the key {end}, the row {row} is on the other side than in the order of the rows"
            )?,
            What::Unranged { rows, key } => write!(
                f,
                ": {rows} rows are neither in the range up to the key {key} nor in the range after it, as if their keys were null"
            )?,
        }
        f.write_str(", so rows would be missing in the sitemap; name other columns as the key")
    }
}

impl std::error::Error for Disorder {}
