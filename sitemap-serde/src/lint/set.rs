//! Rules about several documents. The first pass keeps hashes; if these indicate a problem, a second pass compares texts.

use std::collections::HashMap;
use std::io;

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Error, Message, Position, Result};
use crate::model::Kind;
use crate::record::{RecordView, Slot};

use super::alternates::{self, Balance, Unbalanced};
use super::loc::{BuildAsIs, Locs};
use super::{Finding, Input, dates, reading, site};

/// A position in one of the documents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) document: usize,
    pub(super) position: Position,
}

/// Maximum number of possibly repeated locs that are compared as text; further ones are counted.
const MOST: usize = 10_000;

/// The data that the first pass collects.
#[derive(Debug, Default)]
pub(super) struct Set {
    pub(super) locs: Locs,
    /// Hashes that occur more than once, and, in the second pass, the first entry with each.
    suspects: HashMap<u64, Option<First>, BuildAsIs>,
    left_out: u64,
    pub(super) balance: Balance,
}

/// The first of the entries with a loc.
#[derive(Debug)]
struct First {
    loc: String,
    place: Place,
}

impl Set {
    /// Adds entries in the first pass: the hashes of their locs, and those of the pages at both ends of their links.
    pub(super) fn add(&mut self, locs: &[u64], links: &[(u64, u64)]) {
        for &hash in locs {
            if !self.locs.insert(hash) {
                if self.suspects.len() < MOST || self.suspects.contains_key(&hash) {
                    self.suspects.insert(hash, None);
                } else {
                    self.left_out += 1;
                }
            }
        }
        for &(from, to) in links {
            self.balance.add(from, to);
        }
    }

    /// Reads the documents again if there may be problems, and reports each with the number of its document. Notes which documents the indexes
    /// list.
    pub(super) fn finish(
        mut self,
        documents: &mut [Input<'_>],
        mut found: impl FnMut(usize, Finding),
    ) -> Result<u64> {
        let locations: HashMap<String, usize> = documents
            .iter()
            .enumerate()
            .filter_map(|(i, document)| Some((document.location.clone()?, i)))
            .collect();
        // An index whose own location is known may list itself.
        let asks_indexes = !locations.is_empty();
        let is_even = self.balance.is_even();
        let asks_all = !self.suspects.is_empty() || !is_even;
        let states: Vec<_> = documents
            .iter()
            .map(|document| (document.kind, document.modified))
            .collect();
        let names: Vec<_> = documents.iter().map(|document| document.name.clone()).collect();
        let mut unbalanced = Unbalanced::default();
        let mut all_listed = Vec::new();
        for (i, document) in documents.iter_mut().enumerate() {
            let is_index = document.kind == Some(Kind::SitemapIndex);
            let usual_site = document.usual_site.take();
            let is_asked = asks_all || usual_site.is_some() || is_index && asks_indexes;
            if document.is_unreadable || !is_asked {
                continue;
            }
            let mut reader = reading::lenient(document.reopen()?);
            if reader.kind().is_err() {
                continue;
            }
            loop {
                match reader.next_record() {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) if reading::is_unreadable(&error) => return Err(error),
                    // It was reported in the first pass.
                    Err(_) => continue,
                }
                let mut findings = Vec::new();
                {
                    let view = reader.view();
                    let position = |offset| {
                        let error = reader.in_record(Error::data("").at_offset(offset));
                        error.position().unwrap_or(Position::new(1, 1, 0))
                    };
                    let entry = Brief::of(&view);
                    let place = || Place {
                        document: i,
                        position: position(entry.at),
                    };
                    findings.extend(self.duplicate(&entry, &names, place));
                    let elsewhere = usual_site
                        .as_deref()
                        .and_then(|usual| site::elsewhere(entry.loc, usual));
                    findings.extend(elsewhere.map(|error| {
                        let name = site::search_console(&error, entry.loc);
                        entry.about_loc(error).called(name)
                    }));
                    if is_index && let Some(&listed) = locations.get(entry.loc) {
                        let (kind, modified) = states.get(listed).copied().unwrap_or_default();
                        findings.extend(of_listed(&entry, kind, modified.as_ref()));
                        all_listed.extend(Some(listed).filter(|listed| *listed != i));
                    }
                    if !is_even && !is_index {
                        let from = (self.locs.hasher.hash(entry.loc), entry.loc);
                        for href in &entry.hrefs {
                            unbalanced.add(&self.balance, &self.locs, from, href, place);
                        }
                    }
                }
                for finding in findings {
                    found(i, finding.map(|error| reader.in_record(error)));
                }
            }
        }
        for listed in all_listed {
            let response = documents
                .get_mut(listed)
                .and_then(|document| document.response.as_mut());
            if let Some(response) = response {
                response.is_listed = true;
            }
        }
        let left_out = self.left_out + unbalanced.left_out;
        for unreturned in unbalanced.into_unreturned() {
            let place = unreturned.place;
            let error = alternates::not_returned(&unreturned).at(place.position);
            let error = match place.position.entry() {
                Some(entry) => error.in_entry(entry),
                None => error,
            };
            found(place.document, Finding::new(error));
        }
        Ok(left_out)
    }

    fn duplicate(
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
            Some(first) if first.loc == entry.loc => {
                let name = names
                    .get(first.place.document)
                    .filter(|_| first.place.document != place.document);
                let of_document = name.map_or_else(String::new, |name| format!(" of {name}"));
                let (line, number) = (first.place.position.line(), first.place.position.entry());
                let error = Error::data(
                    Message::new(format!(
                        "{} is listed already, as entry {} in line {line}{of_document}",
                        quote(entry.loc),
                        number.unwrap_or_default()
                    ))
                    .advice("list a page once"),
                )
                .breaks(Rule::DupLoc);
                Some(entry.about_loc(error))
            }
            // Another loc with the same hash.
            Some(_) => None,
        }
    }
}

/// Findings about an index's entry for a sitemap of the set.
fn of_listed(
    entry: &Brief<'_>,
    kind: Option<Kind>,
    modified: Option<&sitemap_values::W3cDateTime>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    if kind == Some(Kind::SitemapIndex) {
        let error = Error::data(
            Message::new(format!(
                "{} is an index: an index lists sitemaps, never another index",
                quote(entry.loc)
            ))
            .advice("list the sitemaps of both in one"),
        )
        .breaks(Rule::Nest);
        found.push(entry.about_loc(error));
    }
    if let Some((lastmod, at, len)) = entry.lastmod
        && let Some(modified) = modified
        && let Some(error) = dates::older_than_file(&lastmod, modified)
    {
        found.push(Finding::new(error.within("lastmod").at_offset(at)).len(len));
    }
    found
}

/// The parts of an entry that the second pass needs.
struct Brief<'r> {
    loc: &'r str,
    at: usize,
    len: usize,
    lastmod: Option<(sitemap_values::W3cDateTime, usize, usize)>,
    hrefs: Vec<&'r str>,
}

impl<'r> Brief<'r> {
    fn about_loc(&self, error: Error) -> Finding {
        Finding::new(error.within("loc").at_offset(self.at)).len(self.len)
    }

    fn of(view: &'r RecordView<'_, 'r>) -> Self {
        let mut brief = Brief {
            loc: "",
            at: 0,
            len: 0,
            lastmod: None,
            hrefs: Vec::new(),
        };
        let mut i = 0;
        while let Some(node) = view.node(i) {
            let text = view.value(node).get();
            let name = view.name(node);
            match Slot::from_name(name) {
                Some(Slot::Loc) => {
                    (brief.loc, brief.at, brief.len) = (text, node.at(), view.source_len(node));
                }
                Some(Slot::Lastmod) => {
                    brief.lastmod =
                        sitemap_values::W3cDateTime::parse(text).map(|value| (value, node.at(), text.len()));
                }
                None if name == "xhtml:link" => brief.hrefs.extend(href(view, i, node.next())),
                _ => {}
            }
            i = node.next();
        }
        brief
    }
}

/// The `href` of an alternate with a language.
fn href<'r>(view: &'r RecordView<'_, 'r>, i: usize, end: usize) -> Option<&'r str> {
    let attribute = |wanted: &str| {
        (i + 1..end)
            .filter_map(|part| view.node(part))
            .find(|part| view.name(part) == wanted)
            .map(|part| view.value(part).get())
    };
    let rel = attribute("@rel")?;
    let is_alternate = rel.split_ascii_whitespace().any(|rel| rel == "alternate");
    attribute("@hreflang").filter(|hreflang| is_alternate && !hreflang.is_empty())?;
    attribute("@href")
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
