//! Linting an entry: each of its values is passed to a writer, whose errors are the findings.
//!
//! **The lint uses the writer.** `lint/entry` gives each value of an entry to the writer and collects its errors, so the lint and the
//! writer cannot disagree. Rules that only the lint has (dates in the future, two hosts, links that are not returned) are in one file per
//! family. Rules about all locs keep one keyed hash per loc. Return links of alternates are checked without storing links: each link is
//! added to one of 4,096 sums, and its return link is subtracted. Only if a hash repeats or a sum is not zero are the documents read again
//! and the texts compared.

use std::collections::BTreeMap;

use sitemap_values::number::grouped;
use sitemap_values::quote::quote;
use sitemap_values::{Priority, Rule, W3cDateTime};

use crate::error::{Defect, Error, Message, Step};
use crate::limits::Limits;
use crate::model::Kind;
use crate::record::{ElementName, Node, RecordState, RecordView, RecordWriter, Slot};
use crate::schema::{Name, field_meant};
use crate::xml::reference::Mode;

use super::alternates::Link;
use super::dates::Clock;
use super::reading::Once;
use super::site::Sites;
use super::{Finding, Findings, engines, events, hints, structure};

/// State of a document for the rules about several entries.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) sites: Sites,
    pub(super) priorities: hints::Priorities,
    pub(super) hints: hints::Hints,
    pub(super) lastmods: Lastmods,
    pub(super) engines: engines::Counts,
    pub(super) news: u64,
    /// A page in an index was reported.
    pub(super) pages: Once,
}

/// Checks if all pages have the same lastmod.
#[derive(Debug, Default)]
pub(super) struct Lastmods {
    first: Option<W3cDateTime>,
    count: u64,
    differ: bool,
}

impl Lastmods {
    /// With fewer pages, equal lastmods may be true.
    const MANY: u64 = 10;

    pub(super) fn add(&mut self, lastmod: Option<W3cDateTime>) {
        self.count += 1;
        match (lastmod, self.first) {
            (Some(lastmod), None) => self.first = Some(lastmod),
            (Some(lastmod), Some(first)) if lastmod == first => {}
            _ => self.differ = true,
        }
    }

    pub(super) fn all_equal(&self) -> Option<Error> {
        let first = self.first.filter(|_| !self.differ && self.count >= Self::MANY)?;
        Some(
            Error::data(
                Message::new(format!(
                    "all {} pages have the same lastmod, `{first}`, which carries no information",
                    grouped(self.count)
                ))
                .advice("write when each page changed, or leave the lastmod out"),
            )
            .breaks(Rule::SameLastmod),
        )
    }
}

/// The checks of a document's entries.
#[derive(Debug)]
pub(super) struct Checks {
    pub(super) values: RecordState,
    pub(super) clock: Option<Clock>,
    pub(super) modified: Option<W3cDateTime>,
    /// `true` if the document's location is known; then locs are compared with it, else with each other.
    pub(super) has_location: bool,
    /// The locations of each `robots.txt` that names it, or an index above it: it may list any page of their sites.
    pub(super) named_by: Vec<String>,
}

/// The loc, lastmod and alternates of an entry, for the rules about a set of documents and about pages.
#[derive(Debug)]
pub(super) struct Links<'r> {
    pub(super) loc: &'r str,
    pub(super) lastmod: Option<(W3cDateTime, &'r Node)>,
    pub(super) alternates: Vec<Link<'r>>,
}

impl Checks {
    /// Gives the values of an entry to a writer. Returns the valid ones.
    pub(super) fn values<'r>(
        &mut self,
        engines: &engines::Engines,
        view: &'r RecordView<'_, 'r>,
        kind: Kind,
        seen: &mut Seen,
        found: &mut Findings,
    ) -> Taken<'r> {
        let mut walk = Walk {
            view,
            found,
            engines,
            clock: self.clock,
            rank: 0,
            is_disordered: false,
            taken: Taken {
                links: Links {
                    loc: "",
                    lastmod: None,
                    alternates: Vec::new(),
                },
                priority: None,
                has_hints: false,
            },
        };
        let mut record = RecordWriter::new(&mut self.values, kind);
        let mut i = 0;
        let mut counts = BTreeMap::new();
        while let Some(node) = view.node(i) {
            let name = view.name(node);
            match Slot::from_name(name) {
                Some(slot) => walk.core(&mut record, node, slot),
                None => {
                    let index = next_index(&mut counts, name);
                    walk.element(&mut record, i, node, index);
                }
            }
            i = node.next();
        }
        if let Err(error) = self.values.check_complete(kind)
            && error.rule() != Some(Rule::Dup)
        {
            walk.found.push(Finding::new(error));
        }
        let has = |name: &str| counts.contains_key(name);
        seen.news += u64::from(has("news:news"));
        if has("video:video") {
            seen.engines.video();
        }
        walk.taken
    }

    /// The limits for reading: none for the number of entries and bytes, which are rules of the lint.
    pub(super) fn limits() -> Limits {
        Limits::reading().with_entries(u64::MAX).with_bytes(u64::MAX)
    }
}

/// The rule for an element that the schema does not allow at its place: the rule of its extension.
fn rule_of(name: &str) -> Rule {
    match name.split(':').next() {
        Some("image") => Rule::Img2,
        Some("video") => Rule::VideoXsd,
        Some("news") => Rule::NewsXsd,
        Some("xhtml") => Rule::Alt1,
        Some("pagemap") => Rule::PageMapXsd,
        _ => Rule::Ns,
    }
}

/// The error for an optional element that is empty; `None` for the loc, which has its own error.
fn empty_value(slot: Slot) -> Option<Error> {
    let (rule, what) = match slot {
        Slot::Loc => return None,
        Slot::Lastmod => (Rule::Lastmod, "a W3C Datetime"),
        Slot::Changefreq => (Rule::Freq, "one of seven words"),
        Slot::Priority => (Rule::Prio, "a decimal from 0.0 to 1.0"),
    };
    let name = slot.name();
    let message = Message::new(format!("an empty `{name}`: its value is {what}")).advice("leave it out");
    Some(Error::data(message).breaks(rule).within(name))
}

/// The rank of extensions in the schema's order: after every [`Slot`].
const EXTENSION: usize = 4;

/// Walks through the nodes of an entry.
struct Walk<'f, 'de, 'r> {
    view: &'r RecordView<'de, 'r>,
    found: &'f mut Findings,
    engines: &'f engines::Engines,
    clock: Option<Clock>,
    /// The rank of the last element in the schema's order.
    rank: usize,
    is_disordered: bool,
    taken: Taken<'r>,
}

/// The valid values of an entry.
pub(super) struct Taken<'r> {
    pub(super) links: Links<'r>,
    pub(super) priority: Option<Priority>,
    /// `true` if there is a changefreq or a priority.
    pub(super) has_hints: bool,
}

impl<'r> Walk<'_, '_, 'r> {
    fn put(&mut self, mut error: Error, node: &Node) {
        if error.rule().is_none() {
            error = error.breaks(rule_of(self.view.name(node)));
        }
        self.found.push(Finding::at(error, self.view, node));
    }

    fn core(&mut self, record: &mut RecordWriter<'_>, node: &'r Node, slot: Slot) {
        let text = self.view.value(node).get();
        self.taken.has_hints |= slot > Slot::Lastmod && !text.is_empty();
        self.check_order(node, slot);
        if text.is_empty()
            && let Some(error) = empty_value(slot)
        {
            self.put(error, node);
        }
        if let Some(error) = events::core(self.engines, slot.name(), text) {
            self.put(error, node);
        }
        if let Err(error) = record.text(slot, text) {
            // For a loc that cannot be read either, the reader's error is more specific.
            let error = match slot {
                Slot::Loc => crate::loc::check(text)
                    .err()
                    .map_or(error, |error| error.within("loc")),
                _ => error,
            };
            self.put(error, node);
        } else {
            match slot {
                Slot::Loc => {
                    for error in events::loc(text) {
                        self.put(error.within("loc"), node);
                    }
                }
                Slot::Lastmod => {
                    self.taken.links.lastmod = W3cDateTime::parse(text).map(|lastmod| (lastmod, node));
                }
                Slot::Priority => self.taken.priority = Priority::parse(text),
                Slot::Changefreq => {}
            }
        }
        if slot == Slot::Loc {
            self.taken.links.loc = text;
        }
        if let Some(c) = self.unescaped(node) {
            self.put(unescaped(c).within(slot.name()), node);
        }
    }

    /// Reports the first core element that is out of order.
    fn check_order(&mut self, node: &Node, slot: Slot) {
        if self.rank > slot as usize && !self.is_disordered {
            self.is_disordered = true;
            let name = slot.name();
            let error = Error::data(
                Message::new(format!(
                    "`{name}` is out of order: the schema's order is loc, lastmod, changefreq, \
                priority, extensions"
                ))
                .advice("move it"),
            )
            .breaks(Rule::Order)
            .within(name);
            self.put(error, node);
        }
        self.rank = slot as usize;
    }

    /// The first unescaped character in the text of an element that the protocol wants escaped, although XML does not.
    fn unescaped(&self, node: &Node) -> Option<char> {
        let first = |text: &str| {
            let at = memchr::memchr3(b'\'', b'"', b'>', text.as_bytes())?;
            text.get(at..)?.chars().next()
        };
        // Usually there is none, escaped or not.
        first(self.view.value(node).get())?;
        let mut pieces = self.view.pieces(node).filter(|(_, mode)| *mode == Mode::Text);
        pieces.find_map(|(piece, _)| first(self.view.text.get().get(piece)?))
    }

    /// Checks an extension element and its content.
    fn element(&mut self, record: &mut RecordWriter<'_>, i: usize, node: &'r Node, index: usize) {
        let name = self.view.name(node);
        let before = self.found.len();
        self.rank = EXTENSION;
        self.open(record, i, node, name);
        let is_repeated = index > 0 || node.same().is_some();
        for finding in self.found.since(before) {
            let error = &mut finding.problem.error;
            if is_repeated {
                error.prepend(Step::Index(index));
            }
            error.prepend(Step::other(name));
        }
    }

    fn open(&mut self, record: &mut RecordWriter<'_>, i: usize, node: &'r Node, name: &str) {
        if !name.contains(':') {
            let finding = Finding::at(unknown_element(name), self.view, node);
            return self.found.push(finding.warning());
        }
        let mark = record.mark();
        let found = ElementName::find(record.known(), name);
        if let Err(error) = found.and_then(|element| record.open(element)) {
            return self.put(error, node);
        }
        if let Some(error) = events::element(name) {
            self.put(error, node);
        }
        let parts = self.parts(record, i, node, name);
        self.own_text(record, node, name);
        if name == "xhtml:link" && parts.is_alternate && !parts.link.hreflang.is_empty() {
            self.taken.links.alternates.push(parts.link);
        }
        if record.close().is_err() {
            // A part that is missing because its value is invalid was already reported.
            if let Some(error) = record.incomplete(&parts.refused) {
                self.put(error, node);
            }
            record.rollback(mark, node.name);
        }
    }

    /// Checks the attributes and children of an element.
    fn parts(&mut self, record: &mut RecordWriter<'_>, i: usize, node: &Node, name: &str) -> Parts<'r> {
        let mut parts = Parts::default();
        let mut counts = BTreeMap::new();
        let mut order = structure::Order::default();
        let mut next = i + 1;
        while next < node.next() {
            let Some(part) = self.view.node(next) else { break };
            let part_name = self.view.name(part);
            let before = self.found.total();
            if part_name.starts_with('@') {
                self.attribute(record, part, part_name);
                parts.add_attribute(part_name, self.view.value(part).get());
            } else {
                let index = next_index(&mut counts, part_name);
                self.element(record, next, part, index);
                if let Some(error) = order.next(part.name) {
                    let error = error.breaks(rule_of(name)).within(Step::other(part_name));
                    self.found.push(Finding::at(error, self.view, part).note());
                }
            }
            if self.found.total() > before {
                parts.refused.push(part.name);
            }
            next = part.next();
        }
        parts
    }

    fn attribute(&mut self, record: &mut RecordWriter<'_>, node: &Node, name: &str) {
        let text = self.view.value(node).get();
        let invalid = record.attribute(name, text).err();
        let error = invalid.or_else(|| node.name.unfilled(text));
        let error = error.or_else(|| text.is_empty().then(|| missing_text(node)).flatten());
        if let Some(error) = error.or_else(|| events::attribute(name)) {
            return self.put(error.within(Step::other(name)), node);
        }
        for error in Self::link(node, text) {
            self.put(error.within(Step::other(name)), node);
        }
    }

    /// Checks the text of an extension's element.
    fn own_text(&mut self, record: &mut RecordWriter<'_>, node: &Node, name: &str) {
        let text = self.view.value(node).get();
        if let Err(error) = record.element_text(text) {
            self.put(error, node);
        } else if let Some(error) = node.name.unfilled(text) {
            self.put(error, node);
        } else if text.is_empty()
            && let Some(error) = missing_text(node)
        {
            self.put(error, node);
        } else if let Some(error) = events::text(name, text, self.clock) {
            self.put(error, node);
        } else {
            for error in Self::link(node, text) {
                self.put(error, node);
            }
        }
    }

    /// The errors for the spelling of a value that is a URL.
    fn link(node: &Node, text: &str) -> impl Iterator<Item = Error> {
        let is_link = node.name.link().is_some() && !text.is_empty();
        is_link.then(|| events::link(text)).into_iter().flatten()
    }
}

/// The parts of an element of an extension.
#[derive(Default)]
struct Parts<'r> {
    /// The attributes of a link.
    link: Link<'r>,
    is_alternate: bool,
    /// The parts about which something was found.
    refused: Vec<Name>,
}

impl<'r> Parts<'r> {
    fn add_attribute(&mut self, name: &str, text: &'r str) {
        match name {
            "@rel" => {
                self.is_alternate = text.split_ascii_whitespace().any(|rel| rel == "alternate");
            }
            "@hreflang" => self.link.hreflang = text,
            "@href" => self.link.href = text,
            _ => {}
        }
    }
}

/// The error for an empty value of an extension, if its kind or its element needs one.
fn missing_text(node: &Node) -> Option<Error> {
    let value = match node.name.group() {
        Some(group) => group.text?,
        None => node.name,
    };
    let (row, name) = (value.row()?, node.name.shown());
    let parent = row.parent.filter(|parent| {
        let group = parent.group();
        group.is_some_and(|group| group.required & group.bit(value) != 0)
    });
    let error = match parent {
        Some(parent) => {
            let whole = if parent == node.name {
                String::new()
            } else {
                format!(", which a `{}` needs", parent.shown())
            };
            let message = Message::new(format!("an empty `{name}`{whole}"));
            Error::data(message.advice("write its value, or leave the whole element out"))
                .with_defect(Defect::Missing)
        }
        None if row.kind.needs_text() => {
            let message = Message::new(format!("an empty `{name}`"));
            Error::data(message.advice("write its value, or leave it out"))
        }
        None => return None,
    };
    Some(match parent.and_then(Name::group) {
        Some(group) => error.breaks(group.rule),
        None => row.breaking(error),
    })
}

/// The number of elements of this name before, which is counted up.
fn next_index<'r>(counts: &mut BTreeMap<&'r str, usize>, name: &'r str) -> usize {
    let count = counts.entry(name).or_default();
    let index = *count;
    *count += 1;
    index
}

/// The error for an element of an entry, in the core's namespace, that the schema does not have.
fn unknown_element(name: &str) -> Error {
    let message = Message::new(format!(
        "{} is not an element of an entry: the schema has `loc`, `lastmod`, `changefreq` and `priority`",
        quote(name)
    ));
    let message = match field_meant(name) {
        Some(meant) => message.advice(format!("did you mean `{meant}`?")),
        None => message.advice("remove it: crawlers ignore it"),
    };
    Error::data(message).breaks(Rule::Ns)
}

/// The error for a character that the protocol wants escaped, although XML does not.
fn unescaped(c: char) -> Error {
    let entity = match c {
        '\'' => "&apos;",
        '"' => "&quot;",
        _ => "&gt;",
    };
    let message = Message::new(format!(
        "an unescaped `{c}`: the protocol asks for entities for all five of `& ' \" < >`"
    ));
    Error::data(message.advice(format!("write `{entity}`"))).breaks(Rule::Esc)
}
