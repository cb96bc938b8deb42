//! Why a document cannot be rendered.

use std::fmt;

use super::disorder::Disorder;
use crate::error::Chain;
use crate::key::Key;
use crate::source::{BoxError, Panicked};

/// Why a document cannot be rendered.
#[derive(Debug)]
pub(crate) enum Unrendered {
    /// The range has no entries.
    Empty,
    /// The range has rows to list, but all of them were skipped because of an error.
    AllSkipped { skipped: u64, first: String },
    /// A row is invalid, and the policy is to fail.
    Invalid(String),
    /// The range has more entries or bytes than these rules allow a part. This number of its rows fit.
    Full { rows: u64, rules: String },
    /// The range is not listed, and has more rows than this number, the entries of a sitemap.
    TooLarge(u64),
    /// Two rows have the same key, so a batch that ends between them would lose one.
    SameKey(Key),
    /// Keys are not compared as they are ordered, so a batch would lose rows.
    Disordered(Disorder),
    /// The rows cannot be read.
    Source(BoxError),
    /// The document cannot be written.
    Document(crate::Error),
}

impl Unrendered {
    /// Returns `true` if a call of the source panicked.
    pub(super) fn is_panic(&self) -> bool {
        matches!(self, Unrendered::Source(error) if error.is::<Panicked>())
    }
}

impl From<Disorder> for Unrendered {
    fn from(disorder: Disorder) -> Self {
        Unrendered::Disordered(disorder)
    }
}

impl From<Panicked> for Unrendered {
    fn from(panicked: Panicked) -> Self {
        Unrendered::Source(panicked.into())
    }
}

impl fmt::Display for Unrendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unrendered::Empty => f.write_str("there are no entries in the range"),
            Unrendered::AllSkipped { skipped, first } => write!(
                f,
                "none of its rows can be listed: {skipped} are skipped, the first of them since {first}"
            ),
            Unrendered::Invalid(problem) => write!(f, "a row is invalid: {problem}"),
            Unrendered::TooLarge(most) => write!(f, "it has more than {most} rows"),
            Unrendered::Full { rows, rules } => write!(
                f,
                "the range has more entries or bytes than a sitemap may have ({rules}): {rows} of its rows fit in; it is being split"
            ),
            Unrendered::SameKey(key) => write!(
                f,
                "two rows have the key {key}: the key columns of a source are unique and not null; name columns that are, such as \
                 the primary key"
            ),
            Unrendered::Disordered(disorder) => disorder.fmt(f),
            Unrendered::Source(error) => write!(f, "the rows cannot be read: {}", Chain(&**error)),
            Unrendered::Document(error) => write!(f, "the document cannot be written: {}", Chain(error)),
        }
    }
}
