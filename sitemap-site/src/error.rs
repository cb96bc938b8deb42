//! What can go wrong with a set.

use std::error;
use std::fmt;
use std::io;
use std::path::Path;

/// The result of what can fail with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a set cannot be written, published or read.
///
/// It says where, what was found, what is allowed and what to do; [`kind`](Self::kind) is for programs.
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn error::Error + Send + Sync>>,
}

/// What kind of an [`Error`] it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file system or the storage failed. What was published stays published.
    Io,
    /// An entry breaks a rule of the format; the part goes on without it. [`Error::entry`] is the rule's error.
    Entry,
    /// A setting or a name is wrong.
    Setting,
    /// More than the format allows in one set.
    Limit,
    /// Another program is committing to the same set.
    Locked,
    /// The set would be empty, or less than half of what it was.
    Shrunk,
    /// The lists do not fit together, or another program has committed in between.
    Conflict,
    /// What is published, or was written to be published, is not what it should be.
    Damaged,
    /// Rows cannot be read from their source.
    Source,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            source: None,
        }))
    }

    /// What was done to a file failed.
    pub(crate) fn file(what: &str, path: &Path, source: io::Error) -> Self {
        let message = format!("cannot {what} {}: {source}", path.display());
        Error::caused(ErrorKind::Io, message, source)
    }

    pub(crate) fn caused(
        kind: ErrorKind,
        message: impl Into<String>,
        source: impl Into<Box<dyn error::Error + Send + Sync>>,
    ) -> Self {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            source: Some(source.into()),
        }))
    }

    /// What kind of an error it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The error of the entry, or of the document, with the id of the rule that it breaks.
    pub fn entry(&self) -> Option<&sitemap_serde::Error> {
        self.0.source.as_deref()?.downcast_ref()
    }

    /// The same with where it happened before the message.
    pub(crate) fn at(mut self, place: impl fmt::Display) -> Self {
        self.0.message = format!("{place}: {}", self.0.message);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {:?})", self.0.kind, self.0.message)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// By its category: of the entry, of the limits, or of the file.
impl From<sitemap_serde::Error> for Error {
    fn from(error: sitemap_serde::Error) -> Self {
        let kind = match error.category() {
            sitemap_serde::Category::Io => ErrorKind::Io,
            sitemap_serde::Category::Limit => ErrorKind::Limit,
            _ => ErrorKind::Entry,
        };
        Error::caused(kind, error.to_string(), error)
    }
}
