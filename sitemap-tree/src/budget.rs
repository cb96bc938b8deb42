//! Limits of a walk.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Limits of a walk. The [`Report`](crate::Report) has the documents that they skipped.
///
/// ```
/// use sitemap_tree::{Budget, WalkBuilder};
///
/// let mut budget = Budget::default();
/// (budget.documents, budget.entries) = (1000, 100_000);
/// let walk = WalkBuilder::new("ExampleBot/1.0").budget(budget).walk_site("https://example.com/")?;
/// # Ok::<(), sitemap_tree::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// Maximum number of documents, including documents that are skipped for another reason. robots.txt does not count. Default:
    /// 51,000, which are the documents of a full index, and 1,000 for those above it.
    pub documents: usize,
    /// Maximum bytes of documents' URLs, which are at most 8 KiB each. It bounds the memory of a walk. Default: 16 MiB.
    pub url_bytes: usize,
    /// Maximum bytes of responses' bodies, as sent. Default: 16 GiB.
    pub wire_bytes: u64,
    /// Maximum bytes of documents, decompressed. Each document may use the bytes that were left when it was requested, also if
    /// several are read at the same time. The reader's [`Limits`](sitemap_serde::Limits) bound a single document. Default: 128
    /// GiB.
    pub decompressed_bytes: u64,
    /// Maximum number of entries of sitemaps, without indexes. Default: 1,000,000,000.
    pub entries: u64,
    /// Maximum number of indexes above a document. The format allows 1 (P-NEST). Default: 4.
    pub depth: u32,
    /// Maximum number of redirects from one address. RFC 9309 requires 5 for robots.txt. Default: 20, as in browsers.
    pub redirects: u32,
    /// Time since the first step. Default: 6 hours.
    pub time: Duration,
    /// Time of one request, including its body. Default: 10 minutes.
    pub request_time: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            documents: 51_000,
            url_bytes: 16 << 20,
            wire_bytes: 16 << 30,
            decompressed_bytes: 128 << 30,
            entries: 1_000_000_000,
            depth: 4,
            redirects: 20,
            time: Duration::from_secs(6 * 3600),
            request_time: Duration::from_secs(600),
        }
    }
}

/// An exhausted part of a [`Budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum BudgetItem {
    /// [`Budget::url_bytes`].
    UrlBytes,
    /// [`Budget::wire_bytes`].
    WireBytes,
    /// [`Budget::decompressed_bytes`].
    DecompressedBytes,
    /// [`Budget::entries`].
    Entries,
    /// [`Budget::depth`].
    Depth,
    /// [`Budget::time`].
    Time,
}

impl fmt::Display for BudgetItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BudgetItem::UrlBytes => "bytes of URLs",
            BudgetItem::WireBytes => "bytes of responses",
            BudgetItem::DecompressedBytes => "decompressed bytes",
            BudgetItem::Entries => "entries",
            BudgetItem::Depth => "levels of indexes",
            BudgetItem::Time => "time",
        })
    }
}

/// The rest of the budget, shared by all documents and threads.
#[derive(Debug)]
pub(crate) struct Remaining {
    wire_bytes: AtomicU64,
    entries: AtomicU64,
}

impl Remaining {
    pub(crate) fn new(wire_bytes: u64, entries: u64) -> Self {
        Remaining {
            wire_bytes: AtomicU64::new(wire_bytes),
            entries: AtomicU64::new(entries),
        }
    }

    pub(crate) fn wire_bytes(&self) -> u64 {
        self.wire_bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn entries(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    /// Consumes up to `bytes` bytes. Returns `true` if that many were left.
    pub(crate) fn use_wire_bytes(&self, bytes: u64) -> bool {
        let subtract = |left: u64| Some(left.saturating_sub(bytes));
        let before = self
            .wire_bytes
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, subtract);
        before.is_ok_and(|before| before >= bytes)
    }

    /// Consumes one entry, if one is left.
    pub(crate) fn use_entry(&self) -> bool {
        let subtract = |left: u64| left.checked_sub(1);
        self.entries
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, subtract)
            .is_ok()
    }

    /// Gives back the entries of a sitemap that is read again.
    pub(crate) fn return_entries(&self, entries: u64) {
        let add = |left: u64| Some(left.saturating_add(entries));
        // The closure always returns a number.
        let _ = self
            .entries
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }
}
