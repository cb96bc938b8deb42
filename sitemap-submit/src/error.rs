//! The error of a setting, a page or a record.

use std::fmt;

/// Why a setting is invalid, a page cannot be sent, or a record cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
}

/// A result whose error is [`Error`] by default.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Error {
            message: message.into(),
        }
    }
}

impl From<sitemap_serde::Error> for Error {
    fn from(error: sitemap_serde::Error) -> Self {
        Error::new(error.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
