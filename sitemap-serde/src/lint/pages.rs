//! Rules about the pages of a site: the entries must agree with the pages themselves.
//!
//! **What pages say themselves** reaches the lint through a trait, `SitePages` (`lint/pages`): the rules and messages are the library's,
//! and `sitemap-pages` knows the files (`site_pages`), as the command's `lint --pages` uses it.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::Arc;

use sitemap_values::quote::quote;
use sitemap_values::{Precision, Rule, W3cDateTime};

use crate::error::{Error, Message, Suggestion};
use crate::loc::is_same;
use crate::record::RecordView;
use crate::schema::Alternate;

use super::alternates::Link;
use super::entry::Links;
use super::finding::{Finding, Findings};

/// The pages of a site, for comparison with the entries by a [`Linter`](super::Linter::pages).
///
/// ```
/// use sitemap_serde::lint::{Linter, PageStatus, SitePage, SitePages};
///
/// #[derive(Debug)]
/// struct Shop;
///
/// impl SitePages for Shop {
///     fn status(&self, url: &str) -> PageStatus {
///         match url {
///             "https://example.com/" => PageStatus::Listed(SitePage::new(0, url)),
///             "https://example.com/cart" => PageStatus::NoIndex("line 3 of cart.html".into()),
///             _ => PageStatus::Unknown,
///         }
///     }
///
///     fn urls(&self) -> Vec<String> {
///         vec!["https://example.com/".into()]
///     }
/// }
///
/// let found = Linter::new().pages(Shop).check(b"https://example.com/cart\n");
/// assert_eq!(
///     found[0].message(),
///     "`https://example.com/cart` is listed, and may not be indexed: line 3 of cart.html (L-NOINDEX); remove the entry, or let the page \
///      be indexed"
/// );
/// assert_eq!(found[1].message(), "`https://example.com/` may be indexed, and is not listed (L-UNLISTED); list it");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not know the pages of a site",
    label = "does not implement `SitePages`",
    note = "implement it, from your own records of which pages may be indexed; for a folder of built pages it is `FolderPages` of sitemap-pages"
)]
pub trait SitePages: fmt::Debug + Send + Sync {
    /// Returns the known state of the page at an absolute URL.
    fn status(&self, url: &str) -> PageStatus;

    /// The URLs of the pages that should be listed, in the order of their [numbers](SitePage::number).
    fn urls(&self) -> Vec<String>;
}

/// The known state of the page at a URL. The texts give the reason, such as the file and line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageStatus {
    /// Unknown, for example a page of another site.
    Unknown,
    /// The page should be listed.
    Listed(SitePage),
    /// The page may not be indexed (L-NOINDEX).
    NoIndex(String),
    /// The URL redirects to another (L-REDIRECT).
    Redirect(String),
    /// The page names another address as canonical (L-CANONICAL).
    NotCanonical(String),
    /// `robots.txt` blocks it for crawlers (L-ROBOTS).
    Blocked(String),
    /// There is no page (L-MISSING).
    Missing(String),
}

/// A page that should be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SitePage {
    /// Its number among the [URLs](SitePages::urls), from 0.
    pub number: usize,
    /// The URL that should be listed.
    pub url: String,
    /// The time of the last change, according to the page itself (L-PAGEDATE).
    pub lastmod: Option<W3cDateTime>,
    /// The page in other languages, and itself, according to its own links (L-HREFLANG). They are shared, since every entry that links to
    /// a page requests its status.
    pub alternates: Arc<[Alternate]>,
}

impl SitePage {
    /// A page without a date and alternates.
    pub fn new(number: usize, url: impl Into<String>) -> Self {
        SitePage {
            number,
            url: url.into(),
            lastmod: None,
            alternates: Arc::default(),
        }
    }
}

impl PageStatus {
    /// The error for a loc with this status, if it should not be listed.
    fn error(&self, loc: &str) -> Option<Error> {
        let (problem, reason, advice, rule) = match self {
            PageStatus::Unknown => return None,
            PageStatus::Listed(page) => return page.address_error(loc),
            PageStatus::NoIndex(reason) => (
                "may not be indexed",
                reason,
                "remove the entry, or let the page be indexed",
                Rule::NoIndex,
            ),
            PageStatus::Redirect(reason) => (
                "leads to another address",
                reason,
                "list the address that it leads to",
                Rule::Redirect,
            ),
            PageStatus::NotCanonical(reason) => (
                "is not the canonical address of its page",
                reason,
                "list the canonical address",
                Rule::Canonical,
            ),
            PageStatus::Blocked(reason) => (
                "is blocked for crawlers",
                reason,
                "take the page out of the sitemap, or allow it",
                Rule::Robots,
            ),
            PageStatus::Missing(reason) => ("is no page", reason, "remove the entry", Rule::Missing),
        };
        let message = Message::new(format!("{} is listed, and {problem}: {reason}", quote(loc)));
        Some(Error::data(message.advice(advice)).breaks(rule))
    }

    /// Why the page is not listed.
    fn reason(&self) -> Option<&str> {
        match self {
            PageStatus::Unknown | PageStatus::Listed(_) => None,
            PageStatus::NoIndex(reason)
            | PageStatus::Redirect(reason)
            | PageStatus::NotCanonical(reason)
            | PageStatus::Blocked(reason)
            | PageStatus::Missing(reason) => Some(reason),
        }
    }
}

impl SitePage {
    fn address_error(&self, loc: &str) -> Option<Error> {
        (!is_same(loc, &self.url)).then(|| {
            let message = Message::new(format!(
                "{} is listed, and the address of its page is {}",
                quote(loc),
                quote(&self.url)
            ));
            let suggestion = Suggestion::probable(self.url.clone());
            Error::data(message.advice("list that one").suggestion(suggestion)).breaks(Rule::Canonical)
        })
    }

    fn lastmod_error(&self, lastmod: W3cDateTime) -> Option<Error> {
        let own = self.lastmod?;
        let order = is_newer(lastmod, own)
            .then_some("newer")
            .or(is_newer(own, lastmod).then_some("older"))?;
        let message = Message::new(format!(
            "`{lastmod}` is {order} than the date that the page states, `{own}`"
        ));
        Some(Error::data(message.advice("write when the page was last changed")).breaks(Rule::PageDate))
    }

    /// Reports alternates that differ between the page and its entry. Alternates without known pages are not compared.
    fn check_alternates(&self, pages: &dyn SitePages, links: &[Link<'_>], found: &mut Findings) {
        if links.is_empty() || self.alternates.is_empty() {
            return;
        }
        let (mut of_entry, mut of_page) = (BTreeMap::new(), BTreeMap::new());
        for link in links {
            let status = pages.status(link.href);
            if let PageStatus::Listed(page) = status {
                of_entry.insert((link.hreflang.to_ascii_lowercase(), page.number), link.href);
            } else if let Some(reason) = status.reason() {
                let href = quote(link.href);
                found.push(of_hreflang(format!(
                    "the alternate {href} in `{}` is not to be listed: {reason}",
                    link.hreflang
                )));
            }
        }
        for alternate in self.alternates.iter() {
            let hreflang = alternate.hreflang.as_deref().unwrap_or_default();
            if let PageStatus::Listed(page) = pages.status(&alternate.href) {
                of_page.insert((hreflang.to_ascii_lowercase(), page.number), &*alternate.href);
            }
        }
        let mut compare = |these: &Alternates<'_>, others: &Alternates<'_>, this: &str, other: &str| {
            for (key, href) in these.iter().filter(|(key, _)| !others.contains_key(*key)) {
                let (hreflang, href) = (&key.0, quote(href));
                found.push(of_hreflang(format!(
                    "the {this} has the alternate {href} in `{hreflang}`, and its {other} does not"
                )));
            }
        };
        compare(&of_entry, &of_page, "entry", "page");
        compare(&of_page, &of_entry, "page", "entry");
    }
}

/// The URLs of alternates, by their language and the number of the page.
type Alternates<'a> = BTreeMap<(String, usize), &'a str>;

fn of_hreflang(problem: String) -> Finding {
    let message = Message::new(problem).advice("make both say the same, or keep only one");
    Finding::new(Error::data(message).breaks(Rule::Hreflang))
}

/// Returns `true` if a date is certainly newer than another. Days may differ by one, since their zones may differ.
fn is_newer(date: W3cDateTime, other: W3cDateTime) -> bool {
    const DAY: i64 = 24 * 60 * 60;
    let precision = date.precision().min(other.precision());
    let difference = date.truncated_to(precision).unix_time().0 - other.truncated_to(precision).unix_time().0;
    difference > if precision > Precision::Day { 0 } else { DAY }
}

/// Compares an entry with its page. Returns the page's number if it should be listed.
pub(super) fn check(
    pages: &dyn SitePages,
    has_robots: bool,
    view: &RecordView<'_, '_>,
    links: &Links<'_>,
    found: &mut Findings,
) -> Option<usize> {
    let status = pages.status(links.loc);
    // The robots.txt given to the lint is more precise.
    let is_checked = has_robots && matches!(status, PageStatus::Blocked(_));
    if let Some((_, node)) = view.table.loc()
        && let Some(error) = status.error(links.loc).filter(|_| !is_checked)
    {
        found.push(Finding::at(error.within("loc"), view, node));
    }
    let PageStatus::Listed(page) = status else {
        return None;
    };
    if let Some((lastmod, node)) = links.lastmod
        && let Some(error) = page.lastmod_error(lastmod)
    {
        found.push(Finding::at(error.within("lastmod"), view, node));
    }
    page.check_alternates(pages, &links.alternates, found);
    Some(page.number)
}

/// The numbers of the pages that the documents list.
#[derive(Debug, Default)]
pub(super) struct Listed(HashSet<usize>);

impl Listed {
    pub(super) fn add(&mut self, numbers: &[usize]) {
        self.0.extend(numbers);
    }

    /// The errors for pages that no document lists.
    pub(super) fn missing(&self, pages: &dyn SitePages) -> Vec<Error> {
        pages
            .urls()
            .into_iter()
            .enumerate()
            .filter(|(number, _)| !self.0.contains(number))
            .map(|(_, address)| {
                let message = Message::new(format!("{} may be indexed, and is not listed", quote(&address)));
                Error::data(message.advice("list it")).breaks(Rule::Unlisted)
            })
            .collect()
    }
}
