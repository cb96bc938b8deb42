//! The error of a section that could not be counted or rendered.

use std::fmt;

use crate::error::{Error, ErrorKind};

/// The error for a table of parts that could not be built or updated, or for parts that could not be purged or rendered. The last
/// good table stays in use.
#[derive(Clone, Debug)]
pub(crate) struct RefreshError {
    section: String,
    reason: String,
    /// The errors of other sections.
    others: Vec<RefreshError>,
}

impl RefreshError {
    pub(super) fn new(section: &str, reason: impl Into<String>) -> Self {
        RefreshError {
            section: section.to_owned(),
            reason: reason.into(),
            others: Vec::new(),
        }
    }

    /// One error of the errors of several sections, if there are any.
    pub(super) fn all(errors: Vec<RefreshError>) -> Result<(), RefreshError> {
        let mut errors = errors.into_iter();
        match errors.next() {
            None => Ok(()),
            Some(first) => Err(RefreshError {
                others: errors.collect(),
                ..first
            }),
        }
    }
}

impl fmt::Display for RefreshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A section's name is none.
        let what = if self.section.contains("://") {
            "sitemap"
        } else {
            "section"
        };
        write!(f, "{what} `{}`: {}", self.section, self.reason)?;
        self.others.iter().try_for_each(|other| write!(f, "; {other}"))
    }
}

impl From<RefreshError> for Error {
    fn from(error: RefreshError) -> Self {
        Error::new(ErrorKind::Source, error.to_string())
    }
}
