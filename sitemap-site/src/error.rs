//! Errors of sets.

use std::error;
use std::fmt;
use std::io;
use std::path::Path;

use sitemap_serde::__internal::Advice;

/// A result whose error is [`Error`] by default.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error from writing, publishing or reading a set.
///
/// Its message has the place, the value, the allowed values and the fix; [`kind`](Self::kind) is for programs.
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn error::Error + Send + Sync>>,
}

/// The advice to publish a set without the published state.
pub(crate) fn replace_damaged() -> Advice {
    Advice::of_api(
        "SetBuilder::replace_damaged",
        "publish the whole set with `SetBuilder::replace_damaged(true)`, which goes on without it",
    )
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file system or the storage failed. The published set stays unchanged.
    Io,
    /// An entry breaks a rule of the format; the part continues without it. [`Error::entry_error`] is the entry's error.
    Entry,
    /// A setting or a name is invalid.
    Setting,
    /// The set exceeds a limit of the format.
    Limit,
    /// Another program is committing to the same set.
    Locked,
    /// The set would be empty, or would lose more than half of its entries.
    Shrunk,
    /// The lists contradict each other, or another program has committed in the meantime.
    Conflict,
    /// Published files, or files written for a commit, are missing or were changed.
    Damaged,
    /// The rows of a source cannot be read, or are not in the order of their keys.
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

    /// An operation on a file failed.
    pub(crate) fn file(what: &str, path: &Path, source: io::Error) -> Self {
        let message = format!("cannot {what} {}: {}", path.display(), Chain(&source));
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

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The error of an entry or document, which names the broken rule, if that is the cause.
    pub fn entry_error(&self) -> Option<&sitemap_serde::Error> {
        self.0.source.as_deref()?.downcast_ref()
    }

    /// The cause of this error, such as an error of a file, a storage or a source, in its own type. Its text is part of this
    /// error's message, so [`source`](error::Error::source) returns the cause's own source.
    pub fn cause(&self) -> Option<&(dyn error::Error + Send + Sync + 'static)> {
        self.0.source.as_deref()
    }

    /// The underlying error of the file or storage.
    #[cfg(feature = "serve")]
    pub(crate) fn io(&self) -> Option<&io::Error> {
        self.0.source.as_deref()?.downcast_ref()
    }

    /// Returns `true` if only a row is refused, not the whole task.
    pub(crate) fn is_of_row(&self) -> bool {
        matches!(self.kind(), ErrorKind::Entry | ErrorKind::Limit)
    }

    /// Prepends the section to the message, unless the error has named it where it occurred.
    #[cfg(feature = "serve")]
    pub(crate) fn of_section(self, section: &str) -> Self {
        let place = format!("section {section}");
        if self.0.message.starts_with(&place) {
            return self;
        }
        self.at(place)
    }

    /// Prepends the place where it happened to the message.
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
    /// The source of the underlying error, whose own text is part of this error's message.
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.0.source.as_deref().and_then(error::Error::source)
    }
}

/// Converts the kind: an error of the entry, of a limit, or of the file.
impl From<sitemap_serde::Error> for Error {
    fn from(error: sitemap_serde::Error) -> Self {
        let kind = match error.kind() {
            sitemap_serde::ErrorKind::Io => ErrorKind::Io,
            sitemap_serde::ErrorKind::Limit => ErrorKind::Limit,
            _ => ErrorKind::Entry,
        };
        Error::caused(kind, error.to_string(), error)
    }
}

/// An error with its causes, for logs and messages: `the row cannot be read: unknown status`. A cause whose text is already part of the
/// message is not repeated.
#[derive(Clone, Copy)]
pub(crate) struct Chain<'a>(pub(crate) &'a (dyn error::Error + 'static));

impl Chain<'_> {
    /// Maximum number of causes: an error may be its own cause.
    const MAX_CAUSES: usize = 20;
}

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.0.to_string();
        let causes = std::iter::successors(self.0.source(), |cause| cause.source());
        for cause in causes.take(Self::MAX_CAUSES) {
            let cause = cause.to_string();
            if !text.contains(&cause) {
                text = format!("{text}: {cause}");
            }
        }
        f.write_str(&text)
    }
}

impl From<sitemap_serde::ValueError> for Error {
    fn from(error: sitemap_serde::ValueError) -> Self {
        sitemap_serde::Error::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cause is an error of its own type, and its text is not repeated by a chain of sources.
    #[test]
    fn the_cause_of_an_error() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let error = Error::file("write", Path::new("/set/sitemap.xml"), full);
        let cause: &io::Error = error.cause().unwrap().downcast_ref().unwrap();
        assert_eq!(cause.kind(), io::ErrorKind::StorageFull);
        assert_eq!(
            error.to_string(),
            "cannot write /set/sitemap.xml: no storage space"
        );
        assert!(error::Error::source(&error).is_none());
        assert!(Error::new(ErrorKind::Setting, "x").cause().is_none());
    }
}
