//! Rules about several documents. The first pass keeps hashes; if these indicate a problem, a second pass compares texts.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use sitemap_values::quote::quote;
use sitemap_values::{Rule, W3cDateTime};

use crate::error::{Error, Message, Position, Result};
use crate::filter::Filter;
use crate::loc::{is_same, normal_form, same_site};
use crate::model::Kind;
use crate::record::{RecordView, Slot};

use super::alternates::{self, Balance, Link, Unbalanced};
use super::folder::Folder;
use super::languages::{Compared, LabelledLink, Labels};
use super::loc::{BuildAsIs, Locs};
use super::{Finding, Input, Linter, events, reading};

/// A position in one of the documents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) document: usize,
    pub(super) position: Position,
    /// `true` if findings there are reported.
    pub(super) is_kept: bool,
}

/// Maximum number of possibly repeated locs that are compared as text; the rest is only counted.
const MOST: usize = 10_000;

/// The data that the first pass collects.
#[derive(Debug, Default)]
pub(super) struct Set {
    pub(super) locs: Locs,
    /// Hashes that occur more than once, and, in the second pass, the first entry with each.
    suspects: HashMap<u64, Option<First>, BuildAsIs>,
    dropped: u64,
    pub(super) balance: Balance,
    pub(super) labels: Labels,
}

/// The first of the entries with a loc.
#[derive(Debug)]
struct First {
    loc: String,
    place: Place,
}

impl Set {
    /// Adds entries in the first pass: the hashes of their locs, and the hashes of the pages at both ends of their links.
    pub(super) fn add(&mut self, locs: &[u64], links: &[LabelledLink]) {
        for &hash in locs {
            if !self.locs.insert(hash) {
                if self.suspects.len() < MOST || self.suspects.contains_key(&hash) {
                    self.suspects.insert(hash, None);
                } else {
                    self.dropped += 1;
                }
            }
        }
        for link in links {
            self.balance.add(link.from, link.to);
            self.labels.add(*link);
        }
    }

    /// Reads the documents again if there may be problems, and reports each with the number of its document. Notes which documents the indexes
    /// list.
    pub(super) fn finish(
        self,
        documents: &mut [Input<'_>],
        folder: Option<&mut Folder<'_>>,
        linter: &Linter,
        mut found: impl FnMut(usize, Finding),
    ) -> Result<u64> {
        let is_even = self.balance.is_even();
        let is_swapped = self.labels.are_suspect() || !self.suspects.is_empty();
        let asks_all = !self.suspects.is_empty() || !is_even || is_swapped;
        let mut second = SecondPass {
            set: self,
            is_even,
            is_swapped,
            known: Known::of(documents),
            unbalanced: Unbalanced::default(),
            compared: Compared::default(),
            unlisted_in: None,
            listed: Vec::new(),
            folder,
            linter,
        };
        // An index whose own location is known may list itself.
        let asks_indexes = !second.known.locations.is_empty();
        for (i, document) in documents.iter_mut().enumerate() {
            let usual_site = document.usual_site.take();
            let is_index = document.kind == Some(Kind::SitemapIndex);
            let is_asked = asks_all || usual_site.is_some() || is_index && asks_indexes;
            if is_asked && !document.is_unreadable && !document.is_of_other() {
                second.read(i, document, usual_site.as_deref(), &mut found)?;
            }
        }
        for listed in second.listed {
            let response = documents
                .get_mut(listed)
                .and_then(|document| document.response.as_mut());
            if let Some(response) = response {
                response.is_in_index = true;
            }
        }
        let dropped = second.set.dropped + second.unbalanced.dropped + second.compared.dropped;
        for unreturned in second.unbalanced.into_unreturned() {
            let place = unreturned.place;
            if !place.is_kept {
                continue;
            }
            let error = alternates::not_returned(&unreturned).at(place.position);
            let error = match place.position.entry() {
                Some(entry) => error.in_entry(entry),
                None => error,
            };
            found(place.document, Finding::new(error));
        }
        Ok(dropped)
    }

    /// Returns `true` if the labels of links to a page may differ. A page that is listed twice may be in two groups.
    pub(super) fn may_be_torn(&self, page: u64) -> bool {
        self.labels.is_suspect(page) || self.suspects.contains_key(&page)
    }

    pub(super) fn duplicate(
        &mut self,
        entry: &Brief<'_>,
        names: &[String],
        place: impl FnOnce() -> Place,
    ) -> Option<Finding> {
        let suspect = self.suspects.get_mut(&self.locs.hasher.hash(entry.loc))?;
        let place = place();
        match suspect {
            None => {
                *suspect = Some(First {
                    loc: entry.loc.to_owned(),
                    place,
                });
                None
            }
            Some(first) if is_same(&first.loc, entry.loc) => {
                let name = names
                    .get(first.place.document)
                    .filter(|_| first.place.document != place.document);
                let of_document = name.map_or_else(String::new, |name| format!(" of {name}"));
                let (line, number) = (first.place.position.line(), first.place.position.entry());
                let place = format!("entry {} in line {line}{of_document}", number.unwrap_or_default());
                let found = quote(entry.loc);
                let problem = if first.loc == entry.loc {
                    format!("{found} is listed already, as {place}")
                } else {
                    format!(
                        "{found} is listed already, as {place}, which spells it {}",
                        quote(&first.loc)
                    )
                };
                let message = Message::new(problem).advice("list a page once");
                let error = Error::data(message).breaks(Rule::DupLoc);
                Some(entry.about(Finding::new(error)))
            }
            // Another loc with the same hash.
            Some(_) => None,
        }
    }
}

/// What the first pass has found out about the documents.
pub(super) struct Known {
    pub(super) names: Vec<String>,
    /// The numbers of documents by the normal form of their location.
    locations: HashMap<String, usize>,
    /// The kind of each document, and the time of its last change.
    states: Vec<(Option<Kind>, Option<W3cDateTime>)>,
}

impl Known {
    fn of(documents: &[Input<'_>]) -> Self {
        let located = documents.iter().enumerate();
        let located = located.filter_map(|(i, document)| {
            let location = normal_form(document.location.as_deref()?);
            Some((location.into_owned(), i))
        });
        let state = |document: &Input<'_>| (document.kind, document.modified);
        Known {
            names: documents.iter().map(|document| document.name.clone()).collect(),
            locations: located.collect(),
            states: documents.iter().map(state).collect(),
        }
    }
}

/// The second pass over the documents.
pub(super) struct SecondPass<'p, 's> {
    pub(super) set: Set,
    /// `true` if all links are returned.
    pub(super) is_even: bool,
    /// `true` if labels may contradict each other, or an address.
    pub(super) is_swapped: bool,
    pub(super) known: Known,
    unbalanced: Unbalanced,
    pub(super) compared: Compared,
    /// The last document in which a link to an unlisted page was reported.
    unlisted_in: Option<usize>,
    /// The numbers of the documents that indexes list.
    listed: Vec<usize>,
    pub(super) folder: Option<&'p mut Folder<'s>>,
    linter: &'p Linter,
}

impl SecondPass<'_, '_> {
    /// Reads a document again.
    fn read(
        &mut self,
        number: usize,
        document: &mut Input<'_>,
        usual_site: Option<&str>,
        found: &mut impl FnMut(usize, Finding),
    ) -> Result<()> {
        let is_index = document.kind == Some(Kind::SitemapIndex);
        let kind = document.kind.unwrap_or_default();
        let mut reader = reading::lenient(document.reopen()?);
        if reader.kind().is_err() {
            return Ok(());
        }
        loop {
            match reader.next_record() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) if reading::is_unreadable(&error) => return Err(error),
                // It was reported in the first pass.
                Err(_) => continue,
            }
            let is_kept = self.linter.keeps(&reader.view(), kind, Filter::would_keep);
            let findings = {
                let view = reader.view();
                let entry = Brief::of(&view);
                let place = || {
                    let error = reader.in_record(Error::data("").at_offset(entry.at));
                    Place {
                        document: number,
                        position: error.position().unwrap_or(Position::new(1, 1, 0)),
                        is_kept,
                    }
                };
                events::again(self, &entry, (number, is_index), usual_site, place)?
            };
            for finding in findings.into_iter().filter(|_| is_kept) {
                found(number, finding.map(|error| reader.in_record(error)));
            }
        }
    }

    /// Remembers links that may not be returned. Returns the first link of a document to a page of the same site that is not listed.
    pub(super) fn compare_links(
        &mut self,
        entry: &Brief<'_>,
        document: usize,
        place: impl Fn() -> Place,
    ) -> Option<Finding> {
        let (set, loc) = (&self.set, entry.loc);
        let from = (set.locs.hasher.hash(loc), loc);
        let mut unlisted = None;
        for (link, href) in entry.links.iter().zip(&entry.hrefs) {
            let is_listed = self
                .unbalanced
                .add(&set.balance, &set.locs, from, link.href, &place);
            if !is_listed && self.unlisted_in != Some(document) && same_site(loc, link.href) {
                self.unlisted_in = Some(document);
                let error = alternates::not_listed(loc, link.href);
                let error = error.within("xhtml:link").at_offset(href.start);
                unlisted = Some(Finding::new(error).note().len(href.len()));
            }
        }
        unlisted
    }

    /// Returns the kind of a document that an index lists, and when it was changed; `None` if it is not a document of the lint.
    pub(super) fn find_listed(
        &mut self,
        index: usize,
        loc: &str,
    ) -> Option<(Option<Kind>, Option<W3cDateTime>)> {
        let listed = *self.known.locations.get(&*normal_form(loc))?;
        self.listed.extend(Some(listed).filter(|listed| *listed != index));
        self.known.states.get(listed).copied()
    }
}

/// The parts of an entry that the second pass needs.
pub(super) struct Brief<'r> {
    pub(super) loc: &'r str,
    at: usize,
    len: usize,
    pub(super) lastmod: Option<(W3cDateTime, usize, usize)>,
    /// The links to alternates, and where their URLs are.
    pub(super) links: Vec<Link<'r>>,
    pub(super) hrefs: Vec<Range<usize>>,
}

impl<'r> Brief<'r> {
    pub(super) fn about(&self, finding: Finding) -> Finding {
        finding
            .map(|error| error.within("loc").at_offset(self.at))
            .len(self.len)
    }

    fn of(view: &'r RecordView<'_, 'r>) -> Self {
        let mut brief = Brief {
            loc: "",
            at: 0,
            len: 0,
            lastmod: None,
            links: Vec::new(),
            hrefs: Vec::new(),
        };
        let mut i = 0;
        while let Some(node) = view.node(i) {
            let text = view.value(node).get();
            let name = view.name(node);
            match Slot::from_name(name) {
                Some(Slot::Loc) => {
                    (brief.loc, brief.at, brief.len) = (text, node.at(), view.source_range(node).len());
                }
                Some(Slot::Lastmod) => {
                    brief.lastmod = W3cDateTime::parse(text).map(|value| (value, node.at(), text.len()));
                }
                None if name == "xhtml:link" => {
                    if let Some((link, href)) = link(view, i, node.next()) {
                        brief.links.push(link);
                        brief.hrefs.push(href);
                    }
                }
                _ => {}
            }
            i = node.next();
        }
        brief
    }
}

/// An alternate with a language, and where its URL is.
fn link<'r>(view: &'r RecordView<'_, 'r>, i: usize, end: usize) -> Option<(Link<'r>, Range<usize>)> {
    let attribute = |wanted: &str| {
        (i + 1..end)
            .filter_map(|part| view.node(part))
            .find(|part| view.name(part) == wanted)
    };
    let text = |name| attribute(name).map(|part| view.value(part).get());
    let rel = text("@rel")?;
    let is_alternate = rel.split_ascii_whitespace().any(|rel| rel == "alternate");
    let hreflang = text("@hreflang").filter(|hreflang| is_alternate && !hreflang.is_empty())?;
    let node = attribute("@href")?;
    let href = view.value(node).get();
    Some((Link { hreflang, href }, view.source_range(node)))
}

/// The error for a document that cannot be opened again.
pub(super) fn gone(name: &str, error: io::Error) -> Error {
    let message = format!("cannot open {name}: {error}");
    Error::io(error, message)
}

#[cfg(test)]
mod tests {
    use crate::lint::{Input, Linter};
    use sitemap_values::Rule;

    /// Locs whose hashes are equal are compared as text.
    #[test]
    fn equal_hashes_are_no_equal_locs() {
        let text =
            "https://example.com/a\nhttps://example.com/b\nhttps://example.com/a\nhttps://example.com/c\n";
        let mut found = Vec::new();
        let mut lint =
            Linter::new().start(|_, diagnostic| found.push((diagnostic.rule(), diagnostic.entry())));
        lint.set.locs.hasher.mask = 0;
        lint.document(Input::from_slice("urls.txt", text.as_bytes()))
            .unwrap();
        lint.finish().unwrap();
        assert_eq!(found, [(Rule::DupLoc, Some(3))]);
    }
}
