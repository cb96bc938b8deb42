//! The severity of a problem.

use std::fmt;
use std::str::FromStr;

use crate::error::{Message, Result, ValueError};
use crate::quote::quote;

/// The severity of a [`Diagnostic`](https://docs.rs/sitemap-serde/latest/sitemap_serde/struct.Diagnostic.html): how crawlers treat the problem.
///
/// ```
/// use sitemap_serde::lint::Severity;
///
/// assert!(Severity::Note < Severity::Warning && Severity::Warning < Severity::Error);
/// assert_eq!("warning".parse::<Severity>()?, Severity::Warning);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Crawlers accept the value, but it could be better.
    Note,
    /// Crawlers ignore the value.
    Warning,
    /// Crawlers reject the document, or the entry.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Parses `note`, `warning` (or `warn`) or `error`, in upper or lower case.
///
/// # Errors
///
/// A [`ValueError`] for any other text.
impl FromStr for Severity {
    type Err = ValueError;

    fn from_str(name: &str) -> Result<Self> {
        [Severity::Note, Severity::Warning, Severity::Error]
            .into_iter()
            .find(|severity| severity.as_str().eq_ignore_ascii_case(name))
            .or_else(|| name.eq_ignore_ascii_case("warn").then_some(Severity::Warning))
            .ok_or_else(|| {
                ValueError::new(
                    Message::new(format!("{} is not a severity", quote(name)))
                        .advice("write `note`, `warning` or `error`"),
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_have_names() {
        for severity in [Severity::Note, Severity::Warning, Severity::Error] {
            assert_eq!(
                severity.to_string().to_uppercase().parse::<Severity>().unwrap(),
                severity
            );
        }
        assert_eq!("Warn".parse::<Severity>().unwrap(), Severity::Warning);
        assert_eq!(
            "fatal".parse::<Severity>().unwrap_err().to_string(),
            "`fatal` is not a severity; write `note`, `warning` or `error`"
        );
    }
}
