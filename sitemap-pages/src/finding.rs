//! Problems of the pages.

use std::fmt;

use sitemap_serde::lint::Severity;

/// A problem in the folder that should be fixed: a link to nowhere, an impossible date, an unreadable file.
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
    /// The path of the file in the folder, percent-encoded; empty if it is about the whole site.
    pub file: String,
    /// The line, from 1; `None` if it is about the whole file.
    pub line: Option<usize>,
    /// The kind, for programs.
    pub kind: FindingKind,
    /// The problem, and its consequence.
    pub message: String,
}

/// The kind of a [`Finding`].
///
/// ```
/// use sitemap_pages::FindingKind;
/// use sitemap_serde::lint::Severity;
///
/// assert_eq!(FindingKind::LinkLoop.name(), "link-loop");
/// assert_eq!(FindingKind::LinkLoop.severity(), Severity::Warning);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingKind {
    /// A canonical address or redirect leads to a missing page.
    LeadsNowhere,
    /// A canonical address or redirect leads to a page that leads elsewhere.
    Chain,
    /// Canonical addresses or redirects lead in a circle.
    Loop,
    /// A canonical address or redirect leads to a page that is not listed.
    LeadsToUnlisted,
    /// A page names several canonical addresses, or an invalid URL. Search engines ignore both.
    Canonical,
    /// Several pages name one canonical address.
    SharedCanonical,
    /// Several files have one URL.
    SharedUrl,
    /// A page's canonical address is not in the form that most others have.
    UrlStyle,
    /// A date is invalid, is in the future, or is the same on all pages.
    Date,
    /// A page in another language does not exist, is not listed, or does not link back.
    Alternate,
    /// A page in another language is on another site.
    AlternateOutside,
    /// No page links to a listed page.
    Unlinked,
    /// A page has no blocks to compare with the ledger.
    NoBlocks,
    /// Pages changed only where most pages of their kind did, or as many others did. They keep their dates.
    Template,
    /// A `robots.txt` has no effect at its place.
    Robots,
    /// The host would not understand a rule in a file, such as `_redirects`.
    HostFile,
    /// A file of a host, or a rule in it, is not read.
    HostIgnored,
    /// A pattern of files matches none.
    Pattern,
    /// A link leads to a folder that contains it.
    LinkLoop,
    /// A file is named like a page, but its content is not HTML.
    NotHtml,
    /// A file or folder cannot be read.
    Unreadable,
    /// The format of sitemaps does not allow a value.
    Refused,
    /// A page has more images than an entry may have.
    Images,
}

impl FindingKind {
    /// All kinds, in the order of their declaration.
    ///
    /// ```
    /// use sitemap_pages::FindingKind;
    ///
    /// let errors = FindingKind::ALL.iter().filter(|kind| kind.severity() == sitemap_serde::lint::Severity::Error);
    /// assert_eq!(errors.count(), 7);
    /// ```
    pub const ALL: [FindingKind; 23] = [
        FindingKind::LeadsNowhere,
        FindingKind::Chain,
        FindingKind::Loop,
        FindingKind::LeadsToUnlisted,
        FindingKind::Canonical,
        FindingKind::SharedCanonical,
        FindingKind::SharedUrl,
        FindingKind::UrlStyle,
        FindingKind::Date,
        FindingKind::Alternate,
        FindingKind::AlternateOutside,
        FindingKind::Unlinked,
        FindingKind::NoBlocks,
        FindingKind::Template,
        FindingKind::Robots,
        FindingKind::HostFile,
        FindingKind::HostIgnored,
        FindingKind::Pattern,
        FindingKind::LinkLoop,
        FindingKind::NotHtml,
        FindingKind::Unreadable,
        FindingKind::Refused,
        FindingKind::Images,
    ];

    /// Returns the name in reports.
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
            FindingKind::Canonical => "canonical",
            FindingKind::SharedCanonical => "shared-canonical",
            FindingKind::SharedUrl => "shared-url",
            FindingKind::UrlStyle => "url-style",
            FindingKind::Date => "date",
            FindingKind::Alternate => "alternate",
            FindingKind::AlternateOutside => "alternate-outside",
            FindingKind::Unlinked => "unlinked",
            FindingKind::NoBlocks => "no-blocks",
            FindingKind::Template => "template",
            FindingKind::Robots => "robots",
            FindingKind::HostFile => "host-file",
            FindingKind::HostIgnored => "host-ignored",
            FindingKind::Pattern => "pattern",
            FindingKind::LinkLoop => "link-loop",
            FindingKind::NotHtml => "not-html",
            FindingKind::Unreadable => "unreadable",
            FindingKind::Refused => "refused",
            FindingKind::Images => "images",
        }
    }

    /// Returns the default severity of findings of this kind.
    ///
    /// An error changes which pages are listed, a warning is probably a mistake, and a note reports missing knowledge or an unused
    /// value.
    ///
    /// ```
    /// use sitemap_pages::FindingKind;
    /// use sitemap_serde::lint::Severity;
    ///
    /// assert_eq!(FindingKind::LeadsNowhere.severity(), Severity::Error);
    /// assert_eq!(FindingKind::NoBlocks.severity(), Severity::Note);
    /// ```
    pub fn severity(self) -> Severity {
        match self {
            FindingKind::LeadsNowhere
            | FindingKind::Loop
            | FindingKind::LeadsToUnlisted
            | FindingKind::Canonical
            | FindingKind::HostFile
            | FindingKind::Unreadable
            | FindingKind::Refused => Severity::Error,
            FindingKind::Chain
            | FindingKind::SharedUrl
            | FindingKind::UrlStyle
            | FindingKind::Date
            | FindingKind::Alternate
            | FindingKind::Robots
            | FindingKind::Pattern
            | FindingKind::LinkLoop
            | FindingKind::NotHtml
            | FindingKind::Images => Severity::Warning,
            FindingKind::SharedCanonical
            | FindingKind::AlternateOutside
            | FindingKind::Unlinked
            | FindingKind::NoBlocks
            | FindingKind::HostIgnored
            | FindingKind::Template => Severity::Note,
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
            _ if self.file.is_empty() => f.write_str(&self.message),
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}
