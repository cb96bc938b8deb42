//! The facts about a page that stay in memory after reading.
//!
//! **Blocks and links take most of the memory**. Until the excerpts are known, memory holds all pages' blocks (6 bytes each), beginnings
//! (4) and links (8), and the last run's ledger. Comparisons work on the blocks in parts.

use std::collections::HashSet;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};

use blake3::Hasher;
use sitemap_serde::W3cDateTime;

use crate::address::{Form, SiteAddress, Target, has_other_scheme};
use crate::beginning::Beginning;
use crate::block::Block;
use crate::excerpt::{Content, Description, PageLink, Position};
use crate::finding::{Finding, FindingKind};
use crate::html::{Document, Event, Note, Stated, StatedNotes, Texts};
use crate::ledger::Kind;
use crate::slot::slots;
use crate::walk::{FileId, FileIndex};

#[derive(Debug, Default)]
pub(crate) struct PageFacts {
    /// The line with `noindex`.
    pub(crate) noindex: Option<usize>,
    /// The date of `unavailable_after`, and its line.
    pub(crate) unavailable: Option<Box<Note>>,
    /// The form of its own canonical address, and the line.
    pub(crate) own_address: Option<(Form, u32)>,
    /// Another address as the canonical one.
    pub(crate) canonical: Option<Box<Lead>>,
    /// The target of its refresh to another address.
    pub(crate) refresh: Option<Box<Lead>>,
    /// The stated dates, of each event that is read.
    pub(crate) dates: Box<[StatedDate]>,
    pub(crate) alternates: Box<[AlternateFact]>,
    pub(crate) content: Content,
    /// The pages that it links to in `main` and `article`, but not in navigation there. If it has no such content, links outside of
    /// frames count. Each page once, in document order.
    pub(crate) linked_pages: Box<[FileId]>,
    pub(crate) kind: Kind,
    pub(crate) votes: Votes,
    /// `true` if its title or a link has the code of a template.
    pub(crate) is_source: bool,
    pub(crate) title: Option<Box<str>>,
    /// The absolute addresses of its images, each once.
    pub(crate) images: Box<[Box<str>]>,
}

/// A page's reference to another address.
#[derive(Debug)]
pub(crate) struct Lead {
    pub(crate) text: String,
    pub(crate) line: usize,
    pub(crate) to: LeadTarget,
}

impl Lead {
    /// Returns `true` if both name the same page in the same form.
    fn is_same(&self, other: &Lead) -> bool {
        self.text == other.text
            || self.to == other.to && !matches!(self.to, LeadTarget::Query | LeadTarget::Outside)
    }

    /// Returns how it spells the page's address, if it leads to this page.
    fn form_of(&self, page: FileId) -> Option<Form> {
        match self.to {
            LeadTarget::Page(to, form) if to == page => Some(form),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LeadTarget {
    Page(FileId, Form),
    /// An address below the folder's, with a query.
    Query,
    /// A path below the folder's address without a page.
    NoPage(Vec<u8>),
    Outside,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct StatedDate {
    pub(crate) event: Event,
    pub(crate) by: Stated,
    pub(crate) line: usize,
    pub(crate) date: W3cDateTime,
}

#[derive(Debug)]
pub(crate) struct AlternateFact {
    pub(crate) hreflang: String,
    pub(crate) lead: Lead,
}

/// The number of links to pages with and without the extension of their files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Votes {
    pub(crate) html: u32,
    pub(crate) clean: u32,
}

impl Votes {
    /// Counts a link of this form. Saturates.
    pub(crate) fn add(&mut self, form: Form) {
        match form {
            Form::File => self.html = self.html.saturating_add(1),
            Form::Clean => self.clean = self.clean.saturating_add(1),
            _ => {}
        }
    }
}

/// Finds where links lead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkResolver<'a> {
    pub(crate) address: &'a SiteAddress,
    pub(crate) files: &'a FileIndex<'a>,
    /// For each file: `true` if another page links to it.
    pub(crate) linked: &'a [AtomicBool],
}

impl LinkResolver<'_> {
    /// Notes that a page links to another.
    fn link(&self, from: FileId, to: FileId) {
        if from != to
            && let Some(linked) = self.linked.get(to as usize)
        {
            linked.store(true, Ordering::Relaxed);
        }
    }

    pub(crate) fn resolve(&self, href: &str, page: &str, base: Option<&str>) -> LeadTarget {
        match self.address.resolve(href, page, base) {
            Target::Inside { has_query: true, .. } => LeadTarget::Query,
            Target::Inside { path, .. } => match self.files.find(&path) {
                Some((file, form)) => LeadTarget::Page(file, form),
                None => LeadTarget::NoPage(path),
            },
            Target::Outside | Target::NoPage => LeadTarget::Outside,
        }
    }
}

/// The links of a page to other pages of the folder.
struct PageLinks {
    votes: Votes,
    /// Outside of frames, sorted.
    links: Vec<PageLink>,
    /// The pages that its content links to, in document order.
    linked_pages: Vec<FileId>,
    /// The pages that headings link to, sorted.
    listed: Vec<FileId>,
}

impl PageLinks {
    fn of(texts: &Texts, id: FileId, name: &str, base: Option<&str>, resolver: LinkResolver<'_>) -> Self {
        let (mut votes, mut links) = (Votes::default(), Vec::new());
        let (mut linked_pages, mut known) = (Vec::new(), HashSet::new());
        for link in &texts.links {
            let LeadTarget::Page(page, form) = resolver.resolve(texts.href(link), name, base) else {
                continue;
            };
            resolver.link(id, page);
            votes.add(form);
            if !link.is_frame {
                // Around `main`, there may be a menu without `nav`.
                if page != id && (link.is_content || !texts.has_content) && known.insert(page) {
                    linked_pages.push(page);
                }
                links.push(PageLink {
                    page,
                    position: link.position,
                });
            }
        }
        for section in &texts.sections {
            if let LeadTarget::Page(page, _) = resolver.resolve(texts.href(&section.link), name, base) {
                let positions = section.blocks.clone().map(Position::of);
                links.extend(positions.map(|position| PageLink { page, position }));
            }
        }
        links.sort_unstable();
        links.dedup();
        let headings = texts.headings.iter();
        let listed = headings.filter_map(|link| match resolver.resolve(texts.href(link), name, base) {
            LeadTarget::Page(page, _) if page != id => Some(page),
            _ => None,
        });
        let mut listed: Vec<FileId> = listed.collect();
        listed.sort_unstable();
        listed.dedup();
        PageLinks {
            votes,
            links,
            linked_pages,
            listed,
        }
    }
}

impl PageFacts {
    /// Extracts the facts of a page. `name` is the name of its file. Problems are added to `findings`.
    pub(crate) fn of(
        document: Document,
        id: FileId,
        name: &str,
        resolver: LinkResolver<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let Document {
            head,
            texts,
            images,
            is_source,
            ..
        } = document;
        let base = head.base.as_deref();
        let is_web = |note: &Note| !has_other_scheme(&note.text);
        let lead = |note: Note| Lead {
            to: resolver.resolve(&note.text, name, base),
            line: note.line,
            text: note.text,
        };
        let PageLinks {
            votes,
            links,
            linked_pages,
            listed,
        } = PageLinks::of(&texts, id, name, base, resolver);
        let lead_elsewhere = |lead: Lead| (lead.form_of(id).is_none()).then(|| Box::new(lead));
        let alternates: Box<[AlternateFact]> = head
            .alternates
            .into_iter()
            .map(|alternate| AlternateFact {
                hreflang: alternate.hreflang,
                lead: lead(alternate.href),
            })
            .collect();
        for alternate in &alternates {
            if let LeadTarget::Page(page, _) = alternate.lead.to {
                resolver.link(id, page);
            }
        }
        // An empty address is ignored.
        let canonical = head.canonical.filter(|note| !note.text.is_empty());
        let canonical = canonical.and_then(|note| {
            if is_web(&note) {
                return Some(lead(note));
            }
            let message = format!("the canonical address `{}` is not a URL of a page", note.text);
            findings.push(Finding::new(
                name,
                Some(note.line),
                FindingKind::Canonical,
                message,
            ));
            None
        });
        let other = head
            .other_canonical
            .filter(|note| !note.text.is_empty())
            .map(lead);
        let canonical = match (canonical, other) {
            (Some(first), Some(other)) if !first.is_same(&other) => {
                let message = format!(
                    "names two canonical addresses, `{}` and `{}`: search engines ignore both",
                    first.text, other.text
                );
                findings.push(Finding::new(
                    name,
                    Some(other.line),
                    FindingKind::Canonical,
                    message,
                ));
                None
            }
            (first, _) => first,
        };
        let own_address = canonical
            .as_ref()
            .and_then(|lead| Some((lead.form_of(id)?, u32::try_from(lead.line).unwrap_or(u32::MAX))));
        PageFacts {
            is_source,
            title: head.title.map(Box::from),
            noindex: head.robots.map(|note| note.line),
            unavailable: head.unavailable.map(Box::new),
            own_address,
            canonical: canonical.and_then(lead_elsewhere),
            refresh: head.refresh.filter(is_web).map(lead).and_then(lead_elsewhere),
            dates: stated_dates(&head.stated, name, findings),
            alternates,
            kind: texts.kind(),
            content: Content {
                title: texts.title(),
                slots: slots(&texts.paths),
                blocks: texts.blocks.into(),
                beginnings: texts.beginnings.finish(),
                links: links.into(),
                listed: listed.into(),
                tails: texts.tails.into(),
                description: head.description.as_deref().and_then(Description::of),
            },
            linked_pages: linked_pages.into(),
            votes,
            images: absolute(&images, |href| resolver.address.absolute(href, name, base)),
        }
    }

    /// Reads a file that is not HTML: its content is one block. It may be a film, so it is read piece by piece.
    pub(crate) fn of_file(file: impl Read) -> io::Result<Self> {
        let hash = Hasher::new().update_reader(file)?.finalize().to_hex();
        Ok(PageFacts {
            content: Content {
                blocks: [Block::of(&hash, &mut String::new())].into(),
                beginnings: [Beginning::default()].into(),
                ..Content::default()
            },
            ..PageFacts::default()
        })
    }
}

/// Returns the absolute addresses, without duplicates, in order of first occurrence.
fn absolute(hrefs: &[String], resolve: impl Fn(&str) -> Option<String>) -> Box<[Box<str>]> {
    let mut known = HashSet::new();
    let addresses = hrefs.iter().filter_map(|href| resolve(href));
    addresses
        .filter(|address| known.insert(address.clone()))
        .map(Box::from)
        .collect()
}

/// Parses the stated dates of a page. Those that cannot be read are added to `findings`.
pub(crate) fn stated_dates(
    stated: &[StatedNotes],
    name: &str,
    findings: &mut Vec<Finding>,
) -> Box<[StatedDate]> {
    let mut dates = Vec::new();
    let events = stated.iter().flat_map(|stated| {
        let notes = Stated::ALL.into_iter().zip(&stated.notes);
        notes.filter_map(|(by, note)| Some((stated.event, by, note.as_ref()?)))
    });
    for (event, by, note) in events {
        match date_of(note) {
            Some(date) => dates.push(StatedDate {
                event,
                by,
                line: note.line,
                date,
            }),
            None => {
                let text: String = note.text.chars().take(100).collect();
                let message = format!("`{text}` is not a date that can be read: write it as 2026-05-01");
                findings.push(Finding::new(name, Some(note.line), FindingKind::Date, message));
            }
        }
    }
    dates.into()
}

fn date_of(note: &Note) -> Option<W3cDateTime> {
    note.text.parse().ok().or_else(|| W3cDateTime::repair(&note.text))
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::PageFacts;
    use crate::block::Block;

    /// A file of this many bytes `x`, which records the largest piece that is read.
    struct Film {
        len: usize,
        largest: usize,
    }

    impl Read for Film {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.largest = self.largest.max(into.len());
            let len = self.len.min(into.len()).min(10_007);
            self.len -= len;
            into[..len].fill(b'x');
            Ok(len)
        }
    }

    #[test]
    fn a_file_is_hashed_in_parts() {
        for len in [0, 1, 10_007, 1 << 16, 5_000_001] {
            let mut film = Film { len, largest: 0 };
            let facts = PageFacts::of_file(&mut film).unwrap();
            let whole = blake3::hash(&vec![b'x'; len]).to_hex();
            assert_eq!(*facts.content.blocks, [Block::of(&whole, &mut String::new())]);
            assert!(film.largest <= 1 << 16, "{}", film.largest);
        }
    }
}
