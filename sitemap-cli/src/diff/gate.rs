//! Decides which changes fail a deploy.

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
use crate::url_parts::authority;

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    Added,
    Changed,
    /// Only the spelling of the loc changed
    Respelt,
    Removed,
    /// Not found in a side with unreadable entries, which makes the status 1 anyway.
    #[value(skip)]
    Missing,
}

impl Kind {
    fn of(change: &Change) -> Self {
        match change {
            Change::Added { .. } => Kind::Added,
            Change::Removed { .. } => Kind::Removed,
            Change::Missing { .. } => Kind::Missing,
            Change::Respelt { .. } => Kind::Respelt,
            _ => Kind::Changed,
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Kind::Added => "added",
            Kind::Changed => "changed",
            Kind::Respelt => "respelt",
            Kind::Removed => "removed",
            Kind::Missing => "missing",
        }
    }
}

/// A change with the gate's verdict.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) change: Change,
    pub(super) kind: Kind,
    /// The target of the removed page, if it is redirected.
    pub(super) redirect: Option<Redirection>,
    pub(super) fails: bool,
}

/// Judges changes. With known redirects, it judges removed pages last, because a redirect to a removed page does not count.
#[derive(Debug)]
pub(super) struct Gate {
    kinds: Vec<Kind>,
    redirects: Option<Redirects>,
    removed: Vec<Change>,
    has_failed: bool,
}

impl Gate {
    /// Makes a gate that changes of these kinds fail; with an empty list, all kinds.
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

    /// Judges a change. `None` if [`finish`](Self::finish) will judge it.
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

    /// Judges the remaining removed pages by the entries of the new side.
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

/// Reports the unrecognized lines of a `_redirects` file. A page that such a line should redirect fails the gate.
fn report_unknown(path: &Path, lines: &[usize]) {
    if let Some(first) = lines.first() {
        print_message!(
            "{}, line {first}: not a redirect: a line has a path, a target, and a status such as 301; {} not understood",
            path.display(),
            counted(lines.len() as u64, "line")
        );
    }
}

/// The maximum number of redirects that crawlers follow.
const HOPS: usize = 10;

/// Returns the successive redirects of a page, up to one more than crawlers follow.
fn chain(redirects: &Redirects, loc: &str) -> Vec<Redirection> {
    let next = |from: &str| {
        // The rules apply to this host only. A page takes precedence over a catch-all rule that leads to it.
        let found = redirects.redirect(from);
        found.filter(|next| authority(from).eq_ignore_ascii_case(authority(loc)) && next.to != from)
    };
    iter::successors(next(loc), |hop| next(&hop.to))
        .take(HOPS + 1)
        .collect()
}

/// Returns `true` if redirects end at an existing page: at the first listed page, because a page takes precedence over rules for it, or at
/// a final URL that is not a removed page.
fn is_redirected(chain: &[Redirection], listed: &HashSet<Vec<u8>>, gone: &HashSet<Vec<u8>>) -> bool {
    let mut followed = chain.iter().take(HOPS).map(|hop| Redirects::comparable(&hop.to));
    let end = chain.last().filter(|_| chain.len() <= HOPS);
    followed.any(|to| listed.contains(&to))
        || end.is_some_and(|end| !gone.contains(&Redirects::comparable(&end.to)))
}
