//! The counts of a lint.

use std::collections::BTreeMap;

use sitemap_values::Rule;

use crate::diagnostic::Severity;

/// The counts of a lint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of documents.
    pub documents: u64,
    /// The number of pages' entries, including unreadable ones.
    pub entries: u64,
    /// The number of entries of indexes, which are sitemaps.
    pub sitemaps: u64,
    /// The number of bytes, decompressed.
    pub bytes: u64,
    /// The number of diagnostics for each rule and severity.
    pub counts: BTreeMap<(Rule, Severity), u64>,
    /// The number of unreported findings. For each entry, the first 1,000 of each rule and severity are reported. So are the first
    /// 1,000 repairs. Of possibly repeated locs and unreturned links, the first 10,000 of each are checked.
    pub dropped: u64,
}

impl Summary {
    /// Adds the counts of other documents. Diagnostics are counted when they are reported.
    pub(super) fn add(&mut self, other: &Summary) {
        self.documents += other.documents;
        self.entries += other.entries;
        self.sitemaps += other.sitemaps;
        self.bytes += other.bytes;
        self.dropped += other.dropped;
    }

    /// The number of diagnostics of a severity.
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts
            .iter()
            .filter(|((_, other), _)| *other == severity)
            .map(|(_, count)| count)
            .sum()
    }

    /// The highest severity of all diagnostics.
    pub fn worst(&self) -> Option<Severity> {
        self.counts.keys().map(|(_, severity)| *severity).max()
    }
}
