//! Comparing two sitemaps, or two sets of sitemaps: which pages were added, removed or changed.
//!
//! Fields are compared by their values: the priorities `1.0` and `1` are equal, as are two spellings of one instant, the children of a
//! video or an image in any order, and an empty element and a missing one. [`Diff::exact`] compares the texts instead.
//!
//! Two locs are one page if their URLs are equal after the normalization of RFC 3986 and RFC 5891: `https://example.com` is
//! `https://example.com/`, `%c3` is `%C3`, and a host is its punycode. A page whose loc is only spelt differently is
//! [respelt](Change::Respelt).
//!
//! Only pages are compared. An index lists sitemaps, so it is skipped and [counted](Summary::indexes). Text sitemaps and feeds are read
//! like by [`ReaderBuilder::other_formats`](crate::ReaderBuilder::other_formats).
//!
//! If both sides are sorted by their normalized locs, as sitemaps written in key order usually are, the comparison uses constant memory. Otherwise it keeps a
//! hash of 16 bytes for each page, a hash of 8 bytes for the fields of each page of the old side, and the changed entries.
//!
//! ```
//! use sitemap_serde::diff::{Change, Diff, Input};
//!
//! let entry = |rest: &str| format!("<url><loc>https://example.com/{rest}</url>");
//! let urlset = |entries: &[String]| {
//!     let entries = entries.concat();
//!     format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</urlset>")
//! };
//! let old = urlset(&[entry("a</loc>"), entry("b</loc><lastmod>2026-05-01</lastmod>"), entry("c</loc>")]);
//! let new = urlset(&[entry("b</loc><lastmod>2026-05-02</lastmod>"), entry("c</loc>"), entry("d</loc>")]);
//!
//! let mut changes = Vec::new();
//! let summary = Diff::new().run(
//!     &mut [Input::from_slice("old.xml", old.as_bytes())],
//!     &mut [Input::from_slice("new.xml", new.as_bytes())],
//!     |change| {
//!         changes.push(change);
//!         Ok(())
//!     },
//! )?;
//! assert_eq!((summary.added, summary.removed, summary.changed, summary.same), (1, 1, 1, 1));
//! let lines: Vec<_> = changes.iter().map(Change::to_string).collect();
//! assert_eq!(
//!     lines,
//!     [
//!         "- https://example.com/a",
//!         "~ https://example.com/b lastmod: 2026-05-01 -> 2026-05-02",
//!         "+ https://example.com/d",
//!     ]
//! );
//! # Ok::<(), sitemap_serde::Error>(())
//! ```

mod documents;
mod entry;
mod hashed;
mod sorted;

use std::fmt;

pub use crate::lint::Input;

use crate::error::Result;
use crate::filter::Filter;
use crate::reader::Record;

use entry::Entry;

/// Compares two sides; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Diff {
    ignored: Vec<String>,
    exact: bool,
    filter: Option<Filter>,
}

impl Diff {
    /// Compares the values of all fields.
    pub fn new() -> Self {
        Diff::default()
    }

    /// Ignores a field, given by its serde name: `lastmod`, `image:image`.
    ///
    /// ```
    /// use sitemap_serde::diff::{Diff, Input};
    ///
    /// let old = "<urlset><url><loc>https://example.com/</loc><priority>0.5</priority></url></urlset>";
    /// let new = "<urlset><url><loc>https://example.com/</loc></url></urlset>";
    /// let summary = Diff::new().ignore("priority").run(
    ///     &mut [Input::from_slice("old.xml", old.as_bytes())],
    ///     &mut [Input::from_slice("new.xml", new.as_bytes())],
    ///     |_| Ok(()),
    /// )?;
    /// assert!(summary.is_empty());
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn ignore(&mut self, field: impl Into<String>) -> &mut Self {
        self.ignored.push(field.into());
        self
    }

    /// Compares the texts of fields instead of their values, and also elements and attributes of other namespaces, as [expanded
    /// names](crate::ReaderBuilder::expanded_names). Off by default.
    ///
    /// ```
    /// use sitemap_serde::diff::{Diff, Input};
    ///
    /// let old = "<urlset><url><loc>https://example.com/</loc><priority>1.0</priority></url></urlset>";
    /// let new = "<urlset><url><loc>https://example.com/</loc><priority>1</priority></url></urlset>";
    /// for (exact, changed) in [(false, 0), (true, 1)] {
    ///     let summary = Diff::new().exact(exact).run(
    ///         &mut [Input::from_slice("old.xml", old.as_bytes())],
    ///         &mut [Input::from_slice("new.xml", new.as_bytes())],
    ///         |_| Ok(()),
    ///     )?;
    ///     assert_eq!(summary.changed, changed);
    /// }
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn exact(&mut self, exact: bool) -> &mut Self {
        self.exact = exact;
        self
    }

    /// Compares only the pages that a filter keeps, of both sides. A page that the filter keeps on one side only, such as one whose lastmod
    /// has advanced over a date, is added or removed.
    ///
    /// ```
    /// use sitemap_serde::Filter;
    /// use sitemap_serde::diff::{Diff, Input};
    ///
    /// let old = "<urlset><url><loc>https://example.com/blog/1</loc></url></urlset>";
    /// let new = "<urlset><url><loc>https://example.com/about</loc></url></urlset>";
    /// let mut diff = Diff::new();
    /// diff.filter(Filter::new().locs(|loc| loc.contains("/blog/")));
    /// let summary = diff.run(
    ///     &mut [Input::from_slice("old.xml", old.as_bytes())],
    ///     &mut [Input::from_slice("new.xml", new.as_bytes())],
    ///     |_| Ok(()),
    /// )?;
    /// assert_eq!((summary.added, summary.removed), (0, 1));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn filter(&mut self, filter: Filter) -> &mut Self {
        self.filter = Some(filter);
        self
    }

    /// Compares both sides and calls `report` with each change. Each document is opened and read two or three times.
    ///
    /// Unreadable entries, repeated locs and indexes are skipped and counted. If entries of the new side cannot be read, no page is
    /// [removed](Change::Removed): pages that only the old side lists are [missing](Change::Missing).
    ///
    /// # Errors
    /// If a document cannot be opened, is not well-formed, or is not a sitemap; if a side has only indexes; and errors of `report`.
    pub fn run(
        &self,
        old: &mut [Input<'_>],
        new: &mut [Input<'_>],
        mut report: impl FnMut(Change) -> Result<()>,
    ) -> Result<Summary> {
        if sorted::unread_of_sorted(old)?.is_some()
            && let Some(unread_new) = sorted::unread_of_sorted(new)?
        {
            sorted::run(self, old, new, unread_new, &mut report)
        } else {
            hashed::run(self, old, new, &mut report)
        }
    }

    /// The values of an entry's fields as one text, except for its loc and ignored fields: entries with the same values have the same text.
    /// They are the `values` of a [`Change`].
    #[doc(hidden)]
    pub fn values(&self, record: &Record) -> String {
        Entry::of(record, self).values()
    }

    fn is_ignored(&self, field: &str) -> bool {
        self.ignored.iter().any(|ignored| ignored == field)
    }
}

/// Numbers of pages by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Listed only by the new side.
    pub added: u64,
    /// Listed only by the old side.
    pub removed: u64,
    /// Listed only by the old side, when entries of the new side could not be read.
    pub missing: u64,
    /// Listed by both, with other fields.
    pub changed: u64,
    /// Listed by both, with the same fields, and with another spelling of the loc.
    pub respelt: u64,
    /// Listed by both, with the same fields.
    pub same: u64,
    /// Unreadable entries of the old side.
    pub unread_old: u64,
    /// Unreadable entries of the new side.
    pub unread_new: u64,
    /// Entries of both sides whose loc had been listed before.
    pub repeated: u64,
    /// Indexes of both sides.
    pub indexes: u64,
}

impl Summary {
    /// Returns `true` if there are no changes.
    pub fn is_empty(&self) -> bool {
        (self.added, self.removed, self.missing) == (0, 0, 0) && (self.changed, self.respelt) == (0, 0)
    }

    /// Returns `true` if every entry of both sides could be read.
    pub fn is_whole(&self) -> bool {
        (self.unread_old, self.unread_new) == (0, 0)
    }

    /// Counts a page that both sides list, by its change.
    fn both(&mut self, change: Option<&Change>) {
        match change {
            None => self.same += 1,
            Some(Change::Respelt { .. }) => self.respelt += 1,
            Some(_) => self.changed += 1,
        }
    }

    /// Counts a page that only the old side lists. Unreadable entries of the new side must have been counted before.
    fn only_old(&mut self, loc: &str) -> Change {
        let loc = loc.to_owned();
        if self.unread_new == 0 {
            self.removed += 1;
            Change::Removed { loc }
        } else {
            self.missing += 1;
            Change::Missing { loc }
        }
    }
}

/// A page that was added, removed, respelt or changed, or is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Only the new side lists the page.
    Added {
        /// The page's loc.
        loc: String,
        /// The values of its entry as one text. Two entries with the same values have the same text.
        values: String,
    },
    /// Only the old side lists the page.
    Removed {
        /// The page's loc.
        loc: String,
    },
    /// Only the old side lists the page. It may be among the unreadable entries of the new side.
    Missing {
        /// The page's loc.
        loc: String,
    },
    /// Both sides list the page with the same fields, but spell its loc differently: `https://example.com` and
    /// `https://example.com/`.
    Respelt {
        /// The loc of the new side.
        loc: String,
        /// The loc of the old side.
        before: String,
    },
    /// Both sides list the page, with different fields.
    Changed {
        /// The page's loc, as the new side spells it.
        loc: String,
        /// The fields that differ, sorted by name. `loc` is among them if it is spelt differently.
        fields: Vec<FieldChange>,
        /// The values of its new entry as one text. Two entries with the same values have the same text.
        values: String,
    },
}

impl Change {
    /// The page's loc.
    pub fn loc(&self) -> &str {
        match self {
            Change::Added { loc, .. }
            | Change::Removed { loc }
            | Change::Missing { loc }
            | Change::Respelt { loc, .. }
            | Change::Changed { loc, .. } => loc,
        }
    }
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldChange {
    /// The serde name of the field: `lastmod`, `image:image`.
    pub name: String,
    /// The old value as text; `None` if the field is missing. An element with children or attributes is written as
    /// `{name=text …}`, and repeated elements are separated by spaces.
    pub before: Option<String>,
    /// The new value, in the same form.
    pub after: Option<String>,
}

/// `+ loc`, `- loc`, `? loc`, or `~ loc field: before -> after, …`; a respelt page has the field `loc`.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Added { loc, .. } => write!(f, "+ {loc}"),
            Change::Removed { loc } => write!(f, "- {loc}"),
            Change::Missing { loc } => write!(f, "? {loc}"),
            Change::Respelt { loc, before } => write!(f, "~ {loc} loc: {before} -> {loc}"),
            Change::Changed { loc, fields, .. } => {
                write!(f, "~ {loc}")?;
                for (i, field) in fields.iter().enumerate() {
                    let comma = if i > 0 { "," } else { "" };
                    let [before, after] =
                        [&field.before, &field.after].map(|value| value.as_deref().unwrap_or("(none)"));
                    write!(f, "{comma} {}: {before} -> {after}", field.name)?;
                }
                Ok(())
            }
        }
    }
}
