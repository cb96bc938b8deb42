//! `/sitemap.xml` as one urlset, as long as all rows fit in it.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use flate2::read::GzDecoder;
use sitemap_serde::Limits;
use tokio::sync::Mutex;
use tracing::warn;

use super::Inner;
use super::memory::SpilledReader;
use super::refusal::Refusal;
use super::rendered::{Content, Rendered};
use crate::flat::{NotFlat, join};
use crate::hash::ContentHash;

/// The state of the flat sitemap.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Held while the document is built, so that it is built once for all waiting requests.
    made: Mutex<Option<Made>>,
    /// `true` once the log has the reason why there is an index.
    is_told: AtomicBool,
}

#[derive(Clone, Debug)]
struct Made {
    /// The parts of the document.
    parts: Vec<ContentHash>,
    document: Arc<Rendered>,
}

/// The flat document of a site.
pub(super) struct Flat {
    pub(super) document: Arc<Rendered>,
    /// The age of its oldest part, if a part could not be updated.
    pub(super) stale: Option<Duration>,
}

impl Inner {
    /// The urlset with the entries of all parts; `None` if they do not fit in one, or the site is not flat.
    pub(super) async fn flat(self: &Arc<Self>) -> Result<Option<Flat>, Refusal> {
        let Some(state) = &self.flat else {
            return Ok(None);
        };
        let mut made = state.made.lock().await;
        match self.flat_document(&mut made).await? {
            Ok(flat) => {
                state.is_told.store(false, Ordering::Relaxed);
                Ok(flat)
            }
            Err(reason) => {
                if !state.is_told.swap(true, Ordering::Relaxed) {
                    warn!(
                        "`{}/sitemap.xml` is an index now, although the site is flat (`SiteBuilder::flat`): it has {reason}",
                        self.base
                    );
                }
                *made = None;
                Ok(None)
            }
        }
    }

    async fn flat_document(
        self: &Arc<Self>,
        made: &mut Option<Made>,
    ) -> Result<Result<Option<Flat>, NotFlat>, Refusal> {
        let (mut ids, mut rows) = (Vec::new(), 0_u64);
        for (at, section) in self.sections.iter().enumerate() {
            for (span, row) in section.table.lock().listed() {
                rows = rows.saturating_add(row.entries.unwrap_or(row.rows));
                ids.push((at, span));
            }
        }
        // Skipped rows, and rows with several entries, are known only after rendering.
        if ids.len() > MOST_PARTS || rows > 2 * Limits::ENTRIES {
            return Ok(Err(NotFlat::Entries(rows, Limits::ENTRIES)));
        }
        let (mut parts, mut entries, mut bytes, mut stale) = (Vec::new(), 0_u64, 0_u64, None);
        for id in ids {
            let found = match self.part(id, |_, _| false).await {
                Ok(found) => found,
                // Its last entry was removed, and the index will not list it.
                Err(Refusal::NotFound(_)) => continue,
                Err(refusal) => return Err(refusal),
            };
            let Some(rendered) = found.rendered else { continue };
            entries = entries.saturating_add(rendered.entries);
            bytes = bytes.saturating_add(rendered.length);
            stale = stale.max(found.stale);
            if entries > Limits::ENTRIES {
                return Ok(Err(NotFlat::Entries(entries.max(rows), Limits::ENTRIES)));
            }
            // Each part has its own root, which is smaller than this.
            if bytes > self.most_bytes.saturating_add(1 << 20) {
                return Ok(Err(NotFlat::Bytes(bytes, self.most_bytes)));
            }
            parts.push(rendered);
        }
        if parts.is_empty() {
            // The same response as for an index.
            return Ok(Ok(None));
        }
        let hashes: Vec<_> = parts.iter().map(|part| part.hash).collect();
        if let Some(made) = made.as_ref().filter(|made| made.parts == hashes) {
            let document = Arc::clone(&made.document);
            return Ok(Ok(Some(Flat { document, stale })));
        }
        let most_bytes = self.most_bytes;
        // Up to 50 MB are joined and compressed.
        let work = tokio::task::spawn_blocking(move || joined(&parts, entries, most_bytes));
        let rendered = match work.await.map_err(|error| Refusal::index_not_written(&error))? {
            Ok(rendered) => rendered,
            Err(Failure::NotFlat(reason)) => return Ok(Err(reason)),
            Err(Failure::Io(error)) => return Err(Refusal::index_not_written(&error)),
        };
        let rendered = rendered.held(&self.memory).await;
        let document = Arc::new(rendered.map_err(|error| Refusal::index_not_written(&error))?);
        *made = Some(Made {
            parts: hashes,
            document: Arc::clone(&document),
        });
        Ok(Ok(Some(Flat { document, stale })))
    }
}

/// Maximum number of parts; more become an index, since each part is a query.
const MOST_PARTS: usize = 1_000;

enum Failure {
    NotFlat(NotFlat),
    Io(std::io::Error),
}

fn joined(parts: &[Arc<Rendered>], entries: u64, most_bytes: u64) -> Result<Rendered, Failure> {
    let mut texts = Vec::with_capacity(parts.len());
    for part in parts {
        let gzip: Box<dyn Read> = match &part.gzip {
            Content::Memory(gzip) => Box::new(&**gzip),
            Content::File(file) => Box::new(SpilledReader::new(file)),
        };
        let mut text = String::new();
        GzDecoder::new(gzip)
            .take(part.length)
            .read_to_string(&mut text)
            .map_err(Failure::Io)?;
        texts.push(text);
    }
    let joined = join(texts.iter().map(String::as_str), most_bytes).map_err(Failure::NotFlat)?;
    Rendered::of_document(joined.as_bytes(), entries).map_err(Failure::Io)
}
