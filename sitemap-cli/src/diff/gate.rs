//! Which changes fail a deploy.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::{iter, mem};

use anyhow::{Context, Result};
use clap::ValueEnum;
use sitemap_pages::{Redirection, Redirects};
use sitemap_serde::diff::Change;

use super::each_entry;
use crate::input::{Input, counted};

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    Added,
    Changed,
    Removed,
    /// Not found in a side that could not be read whole, for which the status is 1 anyway.
    #[value(skip)]
    Missing,
}

impl Kind {
    fn of(change: &Change) -> Self {
        match change {
            Change::Added { .. } => Kind::Added,
            Change::Removed { .. } => Kind::Removed,
            Change::Missing { .. } => Kind::Missing,
            _ => Kind::Changed,
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Kind::Added => "added",
            Kind::Changed => "changed",
            Kind::Removed => "removed",
            Kind::Missing => "missing",
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
                let redirects = Redirects::parse(&String::from_utf8_lossy(&bytes));
                report_unknown(path, redirects.unknown_lines());
                Some(redirects)
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
        let fails = kind == Kind::Missing || redirect.is_none() && self.kinds.contains(&kind);
        self.has_failed |= fails;
        Judged {
            change,
            kind,
            redirect,
            fails,
        }
    }

    /// Judges the removed pages that were kept, by what the new side lists.
    pub(super) fn finish(&mut self, new: &[Input]) -> Result<Vec<Judged>> {
        let (removed, redirects) = (mem::take(&mut self.removed), self.redirects.take());
        if removed.is_empty() {
            return Ok(Vec::new());
        }
        let redirects = redirects.unwrap_or_default();
        let chains: Vec<_> = removed
            .iter()
            .map(|change| chain(&redirects, change.loc()))
            .collect();
        let hops = chains.iter().flatten();
        let targets: HashSet<_> = hops.map(|hop| Redirects::comparable(&hop.to)).collect();
        let mut listed = HashSet::new();
        each_entry(new, |record| {
            let address = Redirects::comparable(record.loc());
            if targets.contains(&address) {
                listed.insert(address);
            }
        })?;
        let gone: HashSet<_> = removed
            .iter()
            .map(|change| Redirects::comparable(change.loc()))
            .collect();
        let redirected: Vec<_> = chains
            .iter()
            .map(|chain| {
                chain
                    .first()
                    .filter(|_| is_redirected(chain, &listed, &gone))
                    .cloned()
            })
            .collect();
        let judged = removed.into_iter().zip(redirected);
        Ok(judged
            .map(|(change, redirect)| self.judged(change, redirect))
            .collect())
    }

    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }
}

/// Reports lines of a `_redirects` file that are not understood: a page that one of them was to redirect fails the gate.
fn report_unknown(path: &Path, lines: &[usize]) {
    if let Some(first) = lines.first() {
        print_message!(
            "{}, line {first}: not a redirect: a line has a path, a target, and a status such as 301; {} not understood",
            path.display(),
            counted(lines.len() as u64, "line")
        );
    }
}

/// The most redirects that crawlers follow.
const HOPS: usize = 10;

/// The redirects of a page, one after the other: one more than crawlers follow, if there are as many.
fn chain(redirects: &Redirects, loc: &str) -> Vec<Redirection> {
    let next = |from: &str| {
        // The rules are those of this host, and a page takes precedence over the rule for all paths that leads to it.
        let found = redirects.redirect(from);
        found.filter(|next| host(from).eq_ignore_ascii_case(host(loc)) && next.to != from)
    };
    iter::successors(next(loc), |hop| next(&hop.to))
        .take(HOPS + 1)
        .collect()
}

/// Whether redirects end at a page that is there: the first one that is listed, since a page takes precedence over rules for it, or the last
/// address, unless it is that of a removed page.
fn is_redirected(chain: &[Redirection], listed: &HashSet<Vec<u8>>, gone: &HashSet<Vec<u8>>) -> bool {
    let mut followed = chain.iter().take(HOPS).map(|hop| Redirects::comparable(&hop.to));
    let end = chain.last().filter(|_| chain.len() <= HOPS);
    followed.any(|to| listed.contains(&to))
        || end.is_some_and(|end| !gone.contains(&Redirects::comparable(&end.to)))
}

fn host(url: &str) -> &str {
    let (_, rest) = url.split_once("://").unwrap_or(("", url));
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}
