//! Errors of reading documents, and of writing batches.

use std::error::Error as StdError;
use std::fmt;

use crate::model::ENTRY;

/// A rejected entry or document, with its origin. It is the source of the `ArrowError::ExternalError` that a
/// [`BatchReader`](crate::BatchReader) returns.
///
/// ```
/// use arrow_schema::ArrowError;
/// use sitemap_arrow::{BatchReaderBuilder, ReadError};
/// use sitemap_serde::ErrorKind;
///
/// let mut reader = BatchReaderBuilder::new().read([("https://example.com/", "<html></html>")]);
/// let Some(Err(ArrowError::ExternalError(error))) = reader.next() else { panic!() };
/// let error: &ReadError = error.downcast_ref().unwrap();
/// assert_eq!(error.document(), "https://example.com/");
/// assert_eq!(error.error().kind(), ErrorKind::Data);
/// ```
#[derive(Debug)]
pub struct ReadError {
    document: String,
    error: sitemap_serde::Error,
}

impl ReadError {
    pub(crate) fn new(document: String, error: sitemap_serde::Error) -> Self {
        ReadError { document, error }
    }

    /// The [name](crate::Input::name) of the document.
    pub fn document(&self) -> &str {
        &self.document
    }

    /// The problem: rule, position and message.
    pub fn error(&self) -> &sitemap_serde::Error {
        &self.error
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.document.escape_debug(), self.error)
    }
}

impl StdError for ReadError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.error)
    }
}

/// A batch that cannot be written: the column and row, the rejected value, and the allowed ones.
#[derive(Debug)]
pub struct BatchError {
    column: Option<String>,
    row: Option<usize>,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// A result whose error is [`BatchError`] by default.
pub type Result<T, E = BatchError> = std::result::Result<T, E>;

impl BatchError {
    pub(crate) fn column(column: &str, message: impl Into<String>) -> Self {
        BatchError {
            column: Some(column.to_owned()),
            row: None,
            message: message.into(),
            source: None,
        }
    }

    pub(crate) fn batch(message: impl Into<String>) -> Self {
        BatchError {
            column: None,
            row: None,
            message: message.into(),
            source: None,
        }
    }

    pub(crate) fn at_row(mut self, row: usize) -> Self {
        self.row = Some(row);
        self
    }

    /// A row that the output rejected, and the path of the entry's error: `entry 3 · image:image[1] · image:loc`.
    pub(crate) fn of_row(
        row: usize,
        path: Option<&str>,
        error: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        let field = path.and_then(|path| path.split(" · ").nth(1));
        let field = field.and_then(|field| field.split('[').next());
        let part = field.and_then(|field| ENTRY.iter().find(|part| part.serde == field));
        let column = part.map(|part| part.name.to_owned());
        let error = error.into();
        BatchError {
            column,
            row: Some(row),
            message: error.to_string(),
            source: Some(error),
        }
    }

    /// The column, if the error concerns one; within a struct or list, its path: `images.loc`.
    pub fn column_name(&self) -> Option<&str> {
        self.column.as_deref()
    }

    /// The row of the batch, from 0, if the error concerns one.
    pub fn row(&self) -> Option<usize> {
        self.row
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.column, self.row) {
            (Some(column), Some(row)) => write!(f, "column `{}`, row {row}: ", column.escape_debug())?,
            (Some(column), None) => write!(f, "column `{}`: ", column.escape_debug())?,
            (None, Some(row)) => write!(f, "row {row}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.message)
    }
}

impl StdError for BatchError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.source {
            Some(source) => Some(&**source),
            None => None,
        }
    }
}
