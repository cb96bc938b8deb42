//! The index, which is made from the table of parts and cached until that changes. If the parts do not fit in one index, there are several.
//!
//! **Several indexes.** An index cannot list indexes (P-NEST), so what does not fit in `sitemap.xml` is in `sitemap-index-2.xml`, and so
//! on, each with a line in robots.txt (`index`). They are written together, and share the time when they changed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sitemap_serde::{ErrorKind, IndexEntry, Writer, WriterBuilder};
use tracing::warn;

use super::Inner;
use super::flat::Flat;
use super::refusal::Refusal;
use super::rendered::Rendered;
use super::table::StoredIndex;
use crate::hash::{ContentHash, Hashing};
use crate::sets::name::TOP_FILE;
use crate::source::Span;
use crate::time::{later_than, now};

type Renderings = Arc<[Arc<Rendered>]>;
/// Documents, the time of their change, and the age of their content if it is not current.
type Documented = (Renderings, Option<u64>, Option<Duration>);

#[derive(Debug, Default)]
pub(super) struct State(Mutex<Option<Index>>);

#[derive(Clone, Debug)]
struct Index {
    /// The generation of each section's table.
    generations: Vec<u64>,
    /// `true` if the document is a urlset, instead of an index.
    is_flat: bool,
    /// The documents, at least one.
    documents: Renderings,
    /// The hash of all documents.
    hash: ContentHash,
    /// When it changed.
    changed: u64,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Option<Index>> {
        // Ignore poisoning: the value is replaced as a whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When it changed, for the store.
    pub(super) fn changed(&self) -> Option<StoredIndex> {
        self.lock().as_ref().map(|index| StoredIndex {
            hash: index.hash,
            changed: index.changed,
        })
    }

    /// The number of documents, as far as known.
    pub(super) fn count(&self) -> usize {
        self.lock().as_ref().map_or(1, |index| index.documents.len())
    }
}

/// The name of a document of the index: `sitemap.xml`, `sitemap-index-2.xml`, …
pub(super) fn name(at: usize) -> String {
    match at {
        0 => TOP_FILE.to_owned(),
        _ => format!("sitemap-index-{}.xml", at + 1),
    }
}

/// Parses such a name.
pub(super) fn parse_name(found: &str) -> Option<usize> {
    if found == TOP_FILE {
        return Some(0);
    }
    let number: usize = found
        .strip_prefix("sitemap-index-")?
        .strip_suffix(".xml")?
        .parse()
        .ok()?;
    let at = number.checked_sub(1)?;
    (name(at) == found).then_some(at)
}

/// Returns `true` if the part with all rows of such a section would have the name of an index.
pub(super) fn is_reserved(section: &str) -> bool {
    let number = section.strip_prefix("index-");
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Inner {
    /// The documents of the current table's index, and when it changed.
    pub(super) fn index(self: &Arc<Self>) -> Result<(Renderings, Option<u64>), Refusal> {
        let generations = self.generations();
        let kept = self.index.lock().clone();
        let index = match kept.filter(|index| !index.is_flat && index.generations == generations) {
            Some(index) => index,
            None => self.new_index(generations)?,
        };
        Ok(self.with_time(index))
    }

    /// The documents at `/sitemap.xml` and the addresses after it: the flat document, or the documents of the index.
    pub(super) async fn documents(self: &Arc<Self>) -> Result<Documented, Refusal> {
        let Some(Flat { document, stale }) = self.flat().await? else {
            let (documents, changed) = self.index()?;
            return Ok((documents, changed, None));
        };
        let kept = self.index.lock().clone();
        let index = match kept.filter(|index| index.is_flat && index.hash == document.hash) {
            Some(index) => index,
            None => self.keep(Vec::new(), true, vec![Arc::clone(&document)], document.hash),
        };
        let (documents, changed) = self.with_time(index);
        Ok((documents, changed, stale))
    }

    fn with_time(&self, index: Index) -> (Renderings, Option<u64>) {
        let stored = self.upkeep.stored_index();
        let changed = stored.filter(|stored| stored.hash == index.hash);
        (index.documents, changed.map(|stored| stored.changed))
    }

    /// The generation of each section's table and of each other sitemap: one changes whenever the content of the index changes.
    pub(super) fn generations(&self) -> Vec<u64> {
        let sections = self.sections.iter();
        let of_sections = sections.map(|section| section.table.lock().generation);
        of_sections
            .chain(self.others.iter().map(|other| other.generation()))
            .collect()
    }

    fn new_index(self: &Arc<Self>, generations: Vec<u64>) -> Result<Index, Refusal> {
        let written = self.write_index().inspect_err(|refusal| {
            if matches!(refusal, Refusal::Internal(_)) {
                self.stats.index_failure();
            }
        });
        let (documents, hash) = written?;
        Ok(self.keep(generations, false, documents, hash))
    }

    /// Keeps the documents, with the time since when they are these.
    fn keep(
        self: &Arc<Self>,
        generations: Vec<u64>,
        is_flat: bool,
        documents: Vec<Arc<Rendered>>,
        hash: ContentHash,
    ) -> Index {
        let mut kept = self.index.lock();
        self.report_count(
            documents.len(),
            kept.as_ref().map_or(1, |index| index.documents.len()),
        );
        let known = kept.as_ref().map(|index| (index.hash, index.changed));
        let stored = self
            .upkeep
            .stored_index()
            .map(|stored| (stored.hash, stored.changed));
        let same = |known: &(_, u64)| known.0 == hash;
        let changed = match known.filter(same).or(stored.filter(same)) {
            Some((_, changed)) => changed,
            None => {
                let changed = |known: (_, u64)| known.1;
                later_than(known.map(changed).max(stored.map(changed)), now())
            }
        };
        let index = Index {
            generations,
            is_flat,
            documents: documents.into(),
            hash,
            changed,
        };
        *kept = Some(index.clone());
        drop(kept);
        if stored.is_none_or(|stored| stored.0 != index.hash) {
            self.changed();
        }
        index
    }

    /// Logs the number of lines that `robots.txt` needs, when it changes.
    fn report_count(&self, count: usize, before: usize) {
        if count != before {
            warn!(
                "the parts of the site need {count} indexes, since one lists at most 50,000 (P-COUNT): robots.txt needs a line for each \
                 (`Site::robots_lines`), and the last is `Sitemap: {}/{}`",
                self.base,
                name(count - 1)
            );
        }
    }

    /// The lines of robots.txt for a number of indexes, without a line break at the end.
    pub(super) fn robots_lines(&self, count: usize) -> String {
        let lines = (0..count).map(|at| format!("Sitemap: {}/{}", self.base, name(at)));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The documents of the index, at least one, and their hash.
    fn write_index(&self) -> Result<(Vec<Arc<Rendered>>, ContentHash), Refusal> {
        let mut documents = Documents::new(&self.index_writer);
        let mut omitted = None;
        for section in &self.sections {
            let parts = section.table.lock();
            if !parts.complete {
                if !self.omits(section) {
                    drop(parts);
                    return Err(self.too_early(section));
                }
                omitted = Some(section);
            }
            let mut is_empty = parts.complete;
            for (span, row) in parts.listed() {
                let mut entry = IndexEntry::new(format!("/{}", section.part_name(&span)));
                entry.lastmod = row.lastmod();
                documents
                    .write(&entry)
                    .map_err(|error| Refusal::index_not_written(&error))?;
                is_empty = false;
            }
            // On a day without news, their file is empty, and stays in the index.
            if is_empty && section.settings.rendering.news.is_some() {
                let entry = IndexEntry::new(format!("/{}", section.part_name(&Span::ALL)));
                documents
                    .write(&entry)
                    .map_err(|error| Refusal::index_not_written(&error))?;
            }
        }
        for other in &self.others {
            match other.entries() {
                Some(entries) => {
                    for entry in &*entries {
                        documents
                            .write(entry)
                            .map_err(|error| Refusal::index_not_written(&error))?;
                    }
                }
                None if self.skips_failed => {}
                None => {
                    return Err(Refusal::Unavailable(
                        "the sitemap of another application, which the index lists, cannot be read at the moment",
                        60,
                    ));
                }
            }
        }
        let (documents, hash) = documents
            .finish()
            .map_err(|error| Refusal::index_not_written(&error))?;
        if let Some(section) = omitted {
            if documents.is_empty() {
                return Err(self.too_early(section));
            }
            if self.quiet.omitted.allows() {
                warn!(
                    "the index has no parts of the section `{}`, whose rows were never counted (`SiteBuilder::skip_failed_sections`)",
                    section.name
                );
            }
        }
        if documents.is_empty() {
            if self.quiet.empty.allows() {
                warn!(
                    "the sitemap has no entries, so `/sitemap.xml` is 404: an empty sitemap would be invalid (P-EMPTY)"
                );
            }
            return Err(Refusal::NotFound(
                "the site has no pages to list, and a sitemap without entries would be invalid",
            ));
        }
        Ok((documents, hash))
    }
}

/// Writes the documents of an index, each until it is full.
struct Documents<'a> {
    builder: &'a WriterBuilder,
    writer: Writer<Vec<u8>>,
    full: Vec<Arc<Rendered>>,
    hashing: Hashing,
}

impl<'a> Documents<'a> {
    fn new(builder: &'a WriterBuilder) -> Self {
        Documents {
            builder,
            writer: builder.from_writer(Vec::new()),
            full: Vec::new(),
            hashing: Hashing::default(),
        }
    }

    fn write(&mut self, entry: &IndexEntry) -> sitemap_serde::Result<()> {
        match self.writer.write(entry) {
            Err(error) if error.kind() == ErrorKind::Limit => {
                self.finish_document()?;
                self.writer.write(entry)
            }
            written => written,
        }
        .map(drop)
    }

    fn finish_document(&mut self) -> sitemap_serde::Result<()> {
        let writer = std::mem::replace(&mut self.writer, self.builder.from_writer(Vec::new()));
        let entries = writer.summary().entries;
        let xml = writer.finish()?;
        self.hashing.update(&xml);
        self.full.push(Arc::new(Rendered::of_document(&xml, entries)?));
        Ok(())
    }

    fn finish(mut self) -> sitemap_serde::Result<(Vec<Arc<Rendered>>, ContentHash)> {
        if self.writer.summary().entries > 0 {
            self.finish_document()?;
        }
        Ok((self.full, self.hashing.finish()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::pin::Pin;

    use sitemap_serde::{Limits, UrlEntry};

    use super::super::{Site, SiteBuilder};
    use super::*;

    /// The locs of a document at a URL of the site.
    async fn locs(site: &Site, url: &str) -> Vec<String> {
        let path = url.strip_prefix("https://example.com").unwrap();
        let mut response = site.respond(&http::Request::get(path).body(()).unwrap()).await;
        assert_eq!(response.status(), 200, "{url}");
        let mut xml = Vec::new();
        while let Some(frame) = std::future::poll_fn(|context| {
            http_body::Body::poll_frame(Pin::new(response.body_mut()), context)
        })
        .await
        {
            xml.extend_from_slice(&frame.unwrap().into_data().unwrap());
        }
        let xml = String::from_utf8(xml).unwrap();
        let locs = xml.split("<loc>").skip(1);
        locs.map(|rest| rest.split('<').next().unwrap().to_owned())
            .collect()
    }

    fn with_limit(site: Site, entries: u64) -> Site {
        let Site(mut inner) = site;
        let limits = Limits::writing().with_entries(entries);
        Arc::get_mut(&mut inner).unwrap().index_writer.limits(limits);
        Site(inner)
    }

    /// A walk from robots.txt finds each page, for any size of indexes and parts.
    #[tokio::test]
    async fn a_walk_finds_every_page() {
        let mut most = 0;
        for seed in 0..60_u64 {
            let random = |salt: u64, below: u64| {
                ((seed * 31 + salt).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) % below
            };
            let mut builder = SiteBuilder::new("https://example.com");
            builder.part_rows(1 + usize::try_from(random(1, 6)).unwrap());
            let mut expected = BTreeSet::new();
            for section in 0..=random(2, 5) {
                let pages: Vec<_> = (0..=random(section + 3, 60))
                    .map(|id| UrlEntry::new(format!("/{section}/{id}")))
                    .collect();
                expected.extend(
                    pages
                        .iter()
                        .map(|page| format!("https://example.com{}", page.loc)),
                );
                builder.section(format!("s{section}"), pages);
            }
            let limit = 1 + random(9, 8);
            let site = with_limit(builder.build().unwrap(), limit);
            site.ready().await.unwrap();
            let (mut found, mut count) = (BTreeSet::new(), 0);
            let lines = site.robots_lines();
            for line in lines.lines() {
                let parts = locs(&site, line.strip_prefix("Sitemap: ").unwrap()).await;
                assert!((1..=limit).contains(&(parts.len() as u64)), "{seed}: {parts:?}");
                for part in parts {
                    for page in locs(&site, &part).await {
                        assert!(found.insert(page.clone()), "{seed}: {page} is there twice");
                    }
                }
                count += 1;
            }
            assert_eq!(found, expected, "{seed}");
            most = most.max(count);
            let next = http::Request::get(format!("/{}", name(count))).body(()).unwrap();
            assert_eq!(site.respond(&next).await.status(), 404, "{seed}");
        }
        assert!(most > 20, "{most}");
    }

    #[test]
    fn names_of_indexes_are_canonical() {
        for (found, at) in [
            ("sitemap.xml", Some(0)),
            ("sitemap-index-2.xml", Some(1)),
            ("sitemap-index-30.xml", Some(29)),
            ("sitemap-index-1.xml", None),
            ("sitemap-index-0.xml", None),
            ("sitemap-index-02.xml", None),
            ("sitemap-index-+2.xml", None),
            ("sitemap-index-.xml", None),
            ("sitemap-index.xml", None),
            ("sitemap-index-99999999999999999999.xml", None),
        ] {
            assert_eq!(parse_name(found), at, "{found}");
        }
        assert_eq!(
            [0, 1, 29].map(name),
            ["sitemap.xml", "sitemap-index-2.xml", "sitemap-index-30.xml"]
        );
    }

    #[test]
    fn sections_are_not_named_as_indexes() {
        for (name, is_valid) in [
            ("index-2", false),
            ("index-02", false),
            ("index", true),
            ("index-a", true),
        ] {
            let built = SiteBuilder::new("https://example.com")
                .section(name, [UrlEntry::new("/")])
                .build();
            assert_eq!(built.is_ok(), is_valid, "{name}");
        }
        let error = SiteBuilder::new("https://example.com")
            .section("index-2", [UrlEntry::new("/")])
            .build();
        assert_eq!(
            error.unwrap_err().to_string(),
            "`index-2` is not a valid section name: `/sitemap-index-2.xml` is the address of an index; give it another name"
        );
    }
}
