//! Errors of reading a folder and its ledger.

use std::error;
use std::fmt;
use std::io;
use std::path::Path;

/// A result whose error is [`Error`] by default.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error in reading a folder of pages, or in reading or writing a ledger.
///
/// Its message describes the problem and the remedy. Programs match on its [`kind`](Self::kind).
///
/// ```
/// use sitemap_pages::{ErrorKind, FolderBuilder};
///
/// let error = FolderBuilder::new("example.com").read("public").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Setting);
/// assert_eq!(
///     error.to_string(),
///     "the base `example.com` is not that of a site: write it with its scheme, such as `https://example.com/`"
/// );
/// ```
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    source: Option<io::Error>,
}

/// The kind of an [`Error`].
///
/// ```
/// use sitemap_pages::{ErrorKind, Ledger};
///
/// assert_eq!(Ledger::parse("sitemap-ledger 1\n").unwrap_err().kind(), ErrorKind::Ledger);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file system failed.
    Io,
    /// A setting is invalid.
    Setting,
    /// The folder does not exist, or has no pages.
    Folder,
    /// The ledger is damaged, has a merge conflict, or is of a newer version.
    Ledger,
    /// The sitemap cannot be written or published.
    Output,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            source: None,
        }
    }

    /// An operation on a file failed.
    pub(crate) fn file(operation: &str, path: &Path, source: io::Error) -> Self {
        Error {
            kind: ErrorKind::Io,
            message: format!("cannot {operation} {}: {source}", path.display()),
            source: Some(source),
        }
    }

    /// The kind of the error.
    ///
    /// ```
    /// use sitemap_pages::{ErrorKind, Ledger};
    ///
    /// assert_eq!(Ledger::parse("").unwrap_err().kind(), ErrorKind::Ledger);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Prepends the name of the file that the error is about.
    pub(crate) fn at(mut self, path: &Path) -> Self {
        self.message = format!("{}: {}", path.display(), self.message);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
