//! What is wrong with the pages.

use std::fmt;

/// Something in the folder that should be mended: a link that leads nowhere, a date that cannot be, a file that cannot be read.
///
/// ```
/// use sitemap_pages::{FindingKind, FolderBuilder};
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.html"), "<link rel=canonical href=/b>")?;
/// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
/// let read = FolderBuilder::new("https://example.com").read(folder.path())?;
/// let finding = &read.findings()[0];
/// assert_eq!(finding.kind, FindingKind::LeadsNowhere);
/// assert_eq!(finding.to_string(), "a.html:1: the canonical address `/b` leads nowhere: there is no page at this address");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The path of the file in the folder, percent-encoded.
    pub file: String,
    /// The line, from 1; `None` if it is about the whole file.
    pub line: Option<usize>,
    /// What kind it is of, for programs.
    pub kind: FindingKind,
    /// What was found, and what follows.
    pub message: String,
}

/// The kind of a [`Finding`].
///
/// ```
/// assert_eq!(sitemap_pages::FindingKind::LinkLoop.name(), "link-loop");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingKind {
    /// A canonical address or redirect leads to a page that does not exist.
    LeadsNowhere,
    /// A canonical address or redirect leads to a page that leads on.
    Chain,
    /// Canonical addresses or redirects lead in a circle.
    Loop,
    /// A canonical address or redirect leads to a page that is not listed.
    LeadsToUnlisted,
    /// Several pages name one canonical address, or have one address.
    SharedCanonical,
    /// A page's canonical address, or a link, is not in the form that most others have.
    UrlStyle,
    /// A date is none, is in the future, or is the same on all pages.
    Date,
    /// A page in another language does not exist, is not listed, or does not link back.
    Alternate,
    /// A page has nothing that could be compared with the ledger.
    NoBlocks,
    /// A `robots.txt` that has no effect where it is.
    Robots,
    /// A link that leads to a folder in which it is.
    LinkLoop,
    /// A file or folder that cannot be read.
    Unreadable,
    /// A value that the format of sitemaps does not allow.
    Refused,
    /// A page has more images than an entry may have.
    Images,
}

impl FindingKind {
    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(sitemap_pages::FindingKind::LeadsNowhere.name(), "leads-nowhere");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::LeadsNowhere => "leads-nowhere",
            FindingKind::Chain => "chain",
            FindingKind::Loop => "loop",
            FindingKind::LeadsToUnlisted => "leads-to-unlisted",
            FindingKind::SharedCanonical => "shared-canonical",
            FindingKind::UrlStyle => "url-style",
            FindingKind::Date => "date",
            FindingKind::Alternate => "alternate",
            FindingKind::NoBlocks => "no-blocks",
            FindingKind::Robots => "robots",
            FindingKind::LinkLoop => "link-loop",
            FindingKind::Unreadable => "unreadable",
            FindingKind::Refused => "refused",
            FindingKind::Images => "images",
        }
    }
}

impl Finding {
    pub(crate) fn new(
        file: impl Into<String>,
        line: Option<usize>,
        kind: FindingKind,
        message: impl Into<String>,
    ) -> Self {
        Finding {
            file: file.into(),
            line,
            kind,
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    /// `FILE:LINE: MESSAGE`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}
