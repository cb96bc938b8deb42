//! Pages that are not listed, and why.

use std::fmt;

/// A page that is not listed.
///
/// ```
/// use sitemap_pages::{FolderBuilder, Reason};
///
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("index.html"), "<p>Home")?;
/// std::fs::write(folder.path().join("draft.html"), "<meta name=robots content=noindex><p>Draft")?;
/// let read = FolderBuilder::new("https://example.com").read(folder.path())?;
/// let skipped = &read.skipped()[0];
/// assert_eq!((skipped.file.as_str(), &skipped.reason), ("draft.html", &Reason::NoIndex { line: 1 }));
/// assert_eq!(skipped.to_string(), "draft.html:1: `noindex`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedPage {
    /// The path of the file in the folder, percent-encoded.
    pub file: String,
    /// The reason.
    pub reason: Reason,
}

/// The reason why a page is not listed.
///
/// ```
/// use sitemap_pages::Reason;
///
/// assert_eq!(Reason::ErrorPage.name(), "error-page");
/// assert_eq!(Reason::ErrorPage.to_string(), "a page for errors");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A pattern of [`FolderBuilder::exclude`](crate::FolderBuilder::exclude) names it.
    Excluded,
    /// The page for requests that fail, such as `404.html`.
    ErrorPage,
    /// A search engine uses the file to verify who owns the site.
    Verification,
    /// It has neither a title nor text, like a part of a page, or it is the empty `200.html` of an application.
    Fragment,
    /// The page has `noindex` or `none` in `<meta name="robots">` or `<meta name="googlebot">`.
    NoIndex {
        /// The line of the tag.
        line: usize,
    },
    /// The directive `unavailable_after` of the page's `robots` names a date that is past.
    Unavailable {
        /// The line of the tag.
        line: usize,
        /// The date, as written.
        after: String,
    },
    /// The host sends `X-Robots-Tag: noindex` with it.
    Header {
        /// The file that says so, such as `_headers`.
        file: &'static str,
        /// The line of the rule.
        line: usize,
    },
    /// `robots.txt` does not allow crawlers to read it.
    Robots,
    /// The host redirects its address.
    Redirect {
        /// The file that says so, such as `_redirects`.
        file: &'static str,
        /// The line of the rule.
        line: usize,
        /// Where it leads.
        to: String,
    },
    /// The host answers with an error instead.
    Gone {
        /// The file that says so, such as `_redirects`.
        file: &'static str,
        /// The line of the rule.
        line: usize,
        /// The status of the answer, such as 410.
        status: u16,
    },
    /// The page leads to another one by `<meta http-equiv="refresh">`.
    Refresh {
        /// The line of the tag.
        line: usize,
        /// Where it leads, as written.
        to: String,
    },
    /// Another address is canonical.
    Canonical {
        /// The line of the tag.
        line: usize,
        /// The canonical address, as written.
        to: String,
    },
    /// The host sends `Link` with it, and so names another address as canonical.
    CanonicalHeader {
        /// The file that says so, such as `_headers`.
        file: &'static str,
        /// The line of the rule.
        line: usize,
        /// The canonical address, as written.
        to: String,
    },
    /// It is named like a page, but its content is not HTML.
    NotHtml,
    /// Another page has the same address.
    Duplicate {
        /// The other page's file, percent-encoded.
        of: String,
    },
    /// The format of sitemaps does not allow its address.
    Refused {
        /// The rule that it breaks.
        message: String,
    },
    /// The file cannot be read, or was removed while the folder was read.
    Unreadable {
        /// The error.
        message: String,
    },
}

impl Reason {
    /// Returns the name in reports.
    ///
    /// ```
    /// assert_eq!(sitemap_pages::Reason::NoIndex { line: 3 }.name(), "noindex");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Reason::Excluded => "excluded",
            Reason::ErrorPage => "error-page",
            Reason::Verification => "verification",
            Reason::Fragment => "fragment",
            Reason::NoIndex { .. } => "noindex",
            Reason::Unavailable { .. } => "unavailable",
            Reason::Header { .. } => "header",
            Reason::Robots => "robots",
            Reason::Redirect { .. } => "redirect",
            Reason::Gone { .. } => "gone",
            Reason::Refresh { .. } => "refresh",
            Reason::Canonical { .. } | Reason::CanonicalHeader { .. } => "canonical",
            Reason::NotHtml => "not-html",
            Reason::Duplicate { .. } => "duplicate",
            Reason::Refused { .. } => "refused",
            Reason::Unreadable { .. } => "unreadable",
        }
    }

    /// Returns the line in the page, if the reason is there.
    fn line(&self) -> Option<usize> {
        match self {
            Reason::NoIndex { line }
            | Reason::Unavailable { line, .. }
            | Reason::Refresh { line, .. }
            | Reason::Canonical { line, .. } => Some(*line),
            _ => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Excluded => f.write_str("excluded"),
            Reason::ErrorPage => f.write_str("a page for errors"),
            Reason::Verification => f.write_str("a search engine's verification of the owner"),
            Reason::Fragment => f.write_str("no page by itself, since it has no title or no text"),
            Reason::NoIndex { .. } => f.write_str("`noindex`"),
            Reason::Unavailable { after, .. } => write!(f, "`unavailable_after: {after}`"),
            Reason::Header { file, line } => write!(f, "`X-Robots-Tag` in {file}:{line}"),
            Reason::Robots => f.write_str("not allowed by robots.txt"),
            Reason::Redirect { file, line, to } => write!(f, "redirected to `{to}` by {file}:{line}"),
            Reason::Gone { file, line, status } => write!(f, "answered with {status} by {file}:{line}"),
            Reason::Refresh { to, .. } => write!(f, "redirects to `{to}`"),
            Reason::Canonical { to, .. } => write!(f, "its canonical address is `{to}`"),
            Reason::CanonicalHeader { file, line, to } => {
                write!(f, "its canonical address is `{to}` by `Link` in {file}:{line}")
            }
            Reason::NotHtml => f.write_str("is not HTML"),
            Reason::Duplicate { of } => write!(f, "has the address of {of}"),
            Reason::Refused { message } => f.write_str(message),
            Reason::Unreadable { message } => write!(f, "cannot be read: {message}"),
        }
    }
}

impl fmt::Display for SkippedPage {
    /// `FILE:LINE: REASON`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason.line() {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.reason),
            None => write!(f, "{}: {}", self.file, self.reason),
        }
    }
}
