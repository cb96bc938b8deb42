//! Which changes fail a deploy.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;
use sitemap_pages::{Redirection, Redirects};
use sitemap_serde::diff::Change;

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    Added,
    Changed,
    Removed,
}

impl Kind {
    fn of(change: &Change) -> Self {
        match change {
            Change::Added { .. } => Kind::Added,
            Change::Removed { .. } => Kind::Removed,
            _ => Kind::Changed,
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Kind::Added => "added",
            Kind::Changed => "changed",
            Kind::Removed => "removed",
        }
    }
}

/// A change, and what the gate says of it.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) change: Change,
    pub(super) kind: Kind,
    /// Where the removed page leads, if it is redirected.
    pub(super) redirect: Option<Redirection>,
    pub(super) fails: bool,
}

/// Judges changes. Where redirects are known, removed pages are judged at the end: a redirect that leads to one is none.
#[derive(Debug)]
pub(super) struct Gate {
    kinds: Vec<Kind>,
    redirects: Option<Redirects>,
    removed: Vec<Change>,
    has_failed: bool,
}

impl Gate {
    /// Changes of these kinds fail; without any, all do.
    pub(super) fn new(kinds: &[Kind], redirects: Option<&Path>) -> Result<Self> {
        let redirects = match redirects {
            Some(path) => {
                let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
                Some(Redirects::parse(&String::from_utf8_lossy(&bytes)))
            }
            None => None,
        };
        let kinds = if kinds.is_empty() {
            Kind::value_variants()
        } else {
            kinds
        };
        Ok(Gate {
            kinds: kinds.to_vec(),
            redirects,
            removed: Vec::new(),
            has_failed: false,
        })
    }

    /// Judges a change; `None` if it is kept for [`finish`](Self::finish).
    pub(super) fn judge(&mut self, change: Change) -> Option<Judged> {
        if self.redirects.is_some() && Kind::of(&change) == Kind::Removed {
            self.removed.push(change);
            return None;
        }
        Some(self.judged(change, None))
    }

    fn judged(&mut self, change: Change, redirect: Option<Redirection>) -> Judged {
        let kind = Kind::of(&change);
        let fails = redirect.is_none() && self.kinds.contains(&kind);
        self.has_failed |= fails;
        Judged {
            change,
            kind,
            redirect,
            fails,
        }
    }

    /// Judges the removed pages that were kept.
    pub(super) fn finish(&mut self) -> Vec<Judged> {
        let (removed, redirects) = (std::mem::take(&mut self.removed), self.redirects.take());
        let redirected: Vec<Option<Redirection>> = {
            let gone: HashSet<&str> = removed.iter().map(|change| address(change.loc())).collect();
            let redirects = redirects.unwrap_or_default();
            removed
                .iter()
                .map(|change| redirected(&redirects, change.loc(), &gone))
                .collect()
        };
        let judged = removed.into_iter().zip(redirected);
        judged
            .map(|(change, redirect)| self.judged(change, redirect))
            .collect()
    }

    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }
}

/// The most redirects that crawlers follow.
const HOPS: usize = 10;

/// The redirect of a page, if it ends at an address that is still there.
fn redirected(redirects: &Redirects, loc: &str, gone: &HashSet<&str>) -> Option<Redirection> {
    let first = redirects.redirect(loc)?;
    let mut end = first.to.clone();
    for _ in 0..HOPS {
        // The rules are those of this site, and a page takes precedence over the rule for all paths that leads to it.
        let next = redirects
            .redirect(&end)
            .filter(|next| site(&end) == site(loc) && next.to != end);
        match next {
            Some(next) => end = next.to,
            None => return (!gone.contains(address(&end))).then_some(first),
        }
    }
    None
}

/// A URL as the hosts of `_redirects` compare it: a slash at its end makes no difference.
fn address(url: &str) -> &str {
    url.trim_end_matches('/')
}

/// Scheme, host and port.
fn site(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#']);
    &url[..end.map_or(url.len(), |end| start + end)]
}
