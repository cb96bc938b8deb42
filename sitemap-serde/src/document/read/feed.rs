//! Feeds, whose items are read as entries: the link is the loc, the date the lastmod.

use sitemap_values::quote::quote;
use sitemap_values::{Rule, W3cDateTime};

use crate::document::sniff::{ATOM, Format, RDF, is_like_rdf, is_url};
use crate::error::{Defect, Error, Message, Result};
use crate::loc::Address;
use crate::model::Kind;
use crate::record::{self, Table, Value};
use crate::schema::{self, Name};
use crate::xml::names::{self, Namespace};
use crate::xml::scanner::{self, Scanner, Span, Token};
use crate::xml::source::Window;
use crate::xml::trim;
use crate::xml::vocabulary::Vocabulary;

use super::{Body, DocumentReader, SITEMAP};

/// The namespaces of Dublin Core's elements and terms.
const DC: &str = "http://purl.org/dc/elements/1.1/";
const TERMS: &str = "http://purl.org/dc/terms/";

/// The feed that is being read.
#[derive(Debug)]
pub(super) struct Feed {
    format: Format,
    /// The prefix of the root, and its namespace.
    prefix: String,
    uri: Option<String>,
    /// The `xml:base` of the root.
    base: Option<Address>,
}

/// The meaning of a child of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ItemElement {
    Link,
    /// An id, which is also the link unless it is marked otherwise.
    Guid,
    /// A date, with its rank: 0 for the date of the last change, more for other dates.
    Date(u8),
    Other,
}

/// The text of a child of an item.
#[derive(Debug, Default)]
struct ItemText {
    text: String,
    /// Its range in the item, if the text is there unchanged.
    plain: Option<Span>,
    /// The offset in the item of the first text that is not blank.
    at: Option<usize>,
    /// The range of the element in the item.
    outer: Span,
}

/// The values of an item.
#[derive(Debug, Default)]
struct Item {
    link: Option<ItemText>,
    guid: Option<ItemText>,
    date: Option<(u8, ItemText)>,
}

impl Feed {
    /// The feed whose root is the last token; `None` if that is not the root of a feed.
    pub(super) fn of_root<S: Window>(
        scanner: &Scanner<S>,
        name: &str,
        outer: Option<&Address>,
    ) -> Option<Self> {
        let (prefix, local) = names::split(name);
        let default = scanner.uri("").unwrap_or_default().trim();
        let uri = scanner.uri(prefix).map(str::trim).filter(|uri| !uri.is_empty());
        let format = match local {
            "rss" => Format::Rss,
            "RDF" if RDF.contains(&default) => Format::Rdf,
            "feed" if uri.is_some_and(|uri| ATOM.contains(&uri)) => Format::Atom,
            _ if !scanner.is_lenient() => return None,
            _ if local.eq_ignore_ascii_case("rss") => Format::Rss,
            _ if local.eq_ignore_ascii_case("RDF") && is_like_rdf(default) => Format::Rdf,
            _ if local.eq_ignore_ascii_case("feed") => Format::Atom,
            _ => return None,
        };
        Some(Feed {
            format,
            prefix: prefix.to_owned(),
            uri: uri.map(str::to_owned),
            base: base(scanner, outer),
        })
    }

    /// The problem with the root, whose name and default namespace these are. A strict reading does not take it for a feed's.
    pub(super) fn oddity(&self, name: &str, default: &str) -> Option<Message> {
        let (_, local) = names::split(name);
        let (root, uri, known) = match self.format {
            Format::Rss => ("rss", None, &[][..]),
            Format::Rdf => ("RDF", Some(default.trim()), &RDF[..]),
            _ => ("feed", Some(self.uri.as_deref().unwrap_or_default()), &ATOM[..]),
        };
        if local != root {
            return Some(Message::new(format!(
                "the root is {}: names are case-sensitive, and it is `{root}`",
                quote(name)
            )));
        }
        uri.filter(|uri| !known.contains(uri)).map(|_| {
            let right = known.first().copied().unwrap_or_default();
            Message::new(format!(
                "the root {} is in the wrong namespace: the one of its feed is `{right}`",
                quote(name)
            ))
            .advice("correct its `xmlns`")
        })
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// The names of its elements. A sitemap's root may come in it all the same.
    pub(super) fn vocabulary(&self) -> &'static Vocabulary {
        const fn with(item: &'static [&'static str]) -> Vocabulary {
            Vocabulary {
                entries: item,
                leaves: &[],
                reopened: None,
                may_be_nested: false,
                ..SITEMAP
            }
        }
        const ATOM: &Vocabulary = &with(&["entry"]);
        const RSS: &Vocabulary = &with(&["item"]);
        if self.format == Format::Atom { ATOM } else { RSS }
    }

    /// The local name of its items.
    pub(super) fn item(&self) -> &'static str {
        self.vocabulary().entries.first().copied().unwrap_or_default()
    }

    /// Returns `true` if an element with this prefix and namespace belongs to the feed's own format.
    fn owns(&self, prefix: &str, uri: Option<&str>) -> bool {
        let uri = uri.map(str::trim).filter(|uri| !uri.is_empty());
        let is_as_root = uri == self.uri.as_deref() && (uri.is_some() || prefix == self.prefix);
        let is_in = |known: &[&str]| uri.is_some_and(|uri| known.contains(&uri));
        match self.format {
            Format::Rss => prefix.is_empty() || is_as_root,
            Format::Rdf => prefix.is_empty() || is_in(&RDF),
            _ => is_in(&ATOM) || is_as_root || prefix.is_empty() && uri.is_none(),
        }
    }

    fn part<S: Window>(&self, scanner: &Scanner<S>, name: &str) -> ItemElement {
        let (prefix, local) = names::split(name);
        let uri = scanner.uri(prefix);
        let is_lenient = scanner.is_lenient();
        let is = |other: &str| local == other || is_lenient && local.eq_ignore_ascii_case(other);
        let is_atom = self.format == Format::Atom;
        if self.owns(prefix, uri) {
            return if is("link") {
                ItemElement::Link
            } else if is_atom && (is("updated") || is("modified")) || !is_atom && is("pubDate") {
                ItemElement::Date(0)
            } else if is_atom && (is("published") || is("issued") || is("created")) {
                ItemElement::Date(2)
            } else if self.format == Format::Rss && is("guid") {
                ItemElement::Guid
            } else {
                ItemElement::Other
            };
        }
        match (uri.map(str::trim), local) {
            (Some(TERMS), "modified") => ItemElement::Date(1),
            (Some(DC), "date") => ItemElement::Date(3),
            (Some(uri), "updated") if ATOM.contains(&uri) => ItemElement::Date(1),
            _ => ItemElement::Other,
        }
    }
}

/// The `xml:base` of the start tag that was the last token.
fn base<S: Window>(scanner: &Scanner<S>, outer: Option<&Address>) -> Option<Address> {
    let value = scanner.attributes().iter().find(|attribute| {
        let (_, local) = names::split(scanner.text(attribute.name.clone()));
        attribute.namespace == Namespace::Xml && local == "base"
    })?;
    let value = trim(scanner.value(&value.value));
    let url = outer.and_then(|outer| outer.resolve(value));
    Address::parse(url.as_deref().unwrap_or(value)).ok()
}

impl ItemText {
    fn new<S: Window>(scanner: &Scanner<S>) -> Self {
        let start = scanner.token().start - scanner.held();
        ItemText {
            outer: start..start,
            ..ItemText::default()
        }
    }

    fn push<S: Window>(&mut self, scanner: &Scanner<S>, span: &Span, plain: bool) {
        let text = if plain {
            scanner.text(span.clone())
        } else {
            scanner.resolved()
        };
        if self.at.is_none() {
            if trim(text).is_empty() {
                return;
            }
            self.at = Some(span.start - scanner.held());
            self.plain = plain.then(|| span.start - scanner.held()..span.end - scanner.held());
        } else {
            self.plain = None;
        }
        self.text.push_str(text);
    }

    fn is_empty(&self) -> bool {
        trim(&self.text).is_empty()
    }

    /// Adds the text to the table.
    fn put(&self, name: Name, table: &mut Table) {
        let value = match &self.plain {
            Some(plain) => Value::of_text(self.text.as_bytes(), plain.start),
            None => table.resolved_value(&self.text, self.at.unwrap_or_default()),
        };
        table.push(name, value, self.outer.clone());
    }

    fn replace(&mut self, text: String) {
        (self.text, self.plain) = (text, None);
    }
}

impl<S: Window> DocumentReader<S> {
    /// Reads the next item that has a link into the table. Returns `false` at the end of the feed.
    pub(super) fn next_item(&mut self, kind: Kind) -> Result<bool> {
        loop {
            self.scanner.release();
            match self.scanner.next()? {
                Token::Start { name, .. } if self.is_item(name.clone()) => {
                    self.scanner.set_entry(self.scanner.depth());
                    self.scanner.set_entry_namespace();
                    let found = self.read_item(kind);
                    self.scanner.set_entry(0);
                    let is_lenient = self.is_lenient();
                    if is_lenient {
                        self.gather_notes(true);
                    }
                    if found? {
                        return if is_lenient { self.mend(kind) } else { Ok(true) };
                    }
                    let item = match &self.body {
                        Body::Feed(feed) => feed.item(),
                        Body::Sitemap | Body::Lines => kind.entry(),
                    };
                    let error = Error::data(
                        Message::new(format!("no `link`: an `{item}` without one has no page"))
                            .advice("add the address of its page, or remove the item"),
                    );
                    let error = error.breaks(Rule::Loc).with_defect(Defect::Missing).at_offset(0);
                    if !is_lenient {
                        return Err(self.in_record(error));
                    }
                    self.report_error(error.omitting_entry(), None);
                }
                // The content of an element of another format is its own.
                Token::Start { name, .. } if !self.is_of_feed(name.clone()) => {
                    if self.is_lenient() {
                        record::skip_well_formed(&mut self.scanner);
                    } else {
                        record::skip(&mut self.scanner)?;
                    }
                    self.scanner.check_size()?;
                }
                Token::Eof => {
                    self.end_reading();
                    return Ok(false);
                }
                _ => {}
            }
        }
    }

    /// Returns `true` if an element with this name belongs to the feed's own format.
    fn is_of_feed(&self, name: Span) -> bool {
        let (prefix, _) = names::split(self.scanner.text(name));
        matches!(&self.body, Body::Feed(feed) if feed.owns(prefix, self.scanner.uri(prefix)))
    }

    fn is_item(&self, name: Span) -> bool {
        let (_, local) = names::split(self.scanner.text(name.clone()));
        let Body::Feed(feed) = &self.body else {
            return false;
        };
        self.is_of_feed(name)
            && (local == feed.item() || self.is_lenient() && local.eq_ignore_ascii_case(feed.item()))
    }

    /// Reads the item whose start tag was the last token. Returns `true` if it has a link.
    fn read_item(&mut self, kind: Kind) -> Result<bool> {
        self.scanner.hold();
        self.count_entry(kind)?;
        self.table.clear();
        let Body::Feed(feed) = &self.body else {
            return Ok(false);
        };
        let address = self
            .lenient
            .as_ref()
            .and_then(|lenient| lenient.location.as_ref());
        let found = feed.fill(&mut self.table, &mut self.scanner, address)?;
        if found {
            self.check_end()?;
        }
        Ok(found)
    }
}

impl Feed {
    /// Fills the table with the item whose start tag was the last token. Returns `true` if it has a link.
    fn fill<S: Window>(
        &self,
        table: &mut Table,
        scanner: &mut Scanner<S>,
        address: Option<&Address>,
    ) -> Result<bool> {
        let own_base = base(scanner, self.base.as_ref().or(address));
        let outer_base = own_base.as_ref().or(self.base.as_ref());
        let item = self.read_values(scanner, outer_base)?;
        let guid = item.guid.filter(|guid| is_url(trim(&guid.text)));
        let Some(mut link) = item.link.or(guid) else {
            return Ok(false);
        };
        if self.format != Format::Atom
            && let Some(url) = outer_base.and_then(|base| base.resolve(trim(&link.text)))
        {
            link.replace(url);
        }
        link.put(schema::LOC, table);
        if let Some((_, mut date)) = item.date {
            let text = trim(&date.text);
            if W3cDateTime::parse(text).is_none()
                && let Some(value) = W3cDateTime::from_rfc822(text)
            {
                date.replace(value.to_string());
            }
            date.put(schema::LASTMOD, table);
        }
        Ok(true)
    }

    /// The values of the item whose start tag was the last token, which is read to its end. Its links are relative to `outer`.
    fn read_values<S: Window>(&self, scanner: &mut Scanner<S>, outer: Option<&Address>) -> Result<Item> {
        let depth = scanner.depth();
        let (mut item, mut open) = (Item::default(), None::<(ItemElement, ItemText)>);
        loop {
            match scanner.next()? {
                Token::Start { name, .. } if scanner.depth() == depth + 1 => {
                    let part = self.part(scanner, scanner.text(name));
                    if part == ItemElement::Link && self.format == Format::Atom {
                        if item.link.is_none() {
                            item.link = atom_link(scanner, outer);
                        }
                        open = None;
                    } else {
                        let is_link = part != ItemElement::Guid || is_permanent(scanner);
                        open = Some((part, ItemText::new(scanner)))
                            .filter(|_| part != ItemElement::Other && is_link);
                        // The content of another element is its own, including items.
                        if part == ItemElement::Other {
                            record::skip_well_formed(scanner);
                        }
                    }
                }
                Token::Text { span, plain } if scanner.depth() == depth + 1 => {
                    if let Some((_, piece)) = &mut open {
                        piece.push(scanner, &span, plain);
                    }
                }
                Token::End if scanner.depth() < depth => break,
                Token::End if scanner.depth() == depth => {
                    let Some((part, mut piece)) = open.take() else {
                        continue;
                    };
                    piece.outer.end = scanner.token().end - scanner.held();
                    if !scanner.is_cut() && !piece.is_empty() {
                        item.take(part, piece);
                    }
                }
                Token::Eof => break,
                _ => {}
            }
        }
        Ok(item)
    }
}

impl Item {
    /// Takes a child's text: the first of each kind, but among dates the one with the lowest rank.
    fn take(&mut self, part: ItemElement, piece: ItemText) {
        match part {
            ItemElement::Link => drop(self.link.get_or_insert(piece)),
            ItemElement::Guid => drop(self.guid.get_or_insert(piece)),
            ItemElement::Date(rank) if self.date.as_ref().is_none_or(|(other, _)| rank < *other) => {
                self.date = Some((rank, piece));
            }
            ItemElement::Date(_) | ItemElement::Other => {}
        }
    }
}

fn attribute<'s, S: Window>(
    scanner: &'s Scanner<S>,
    name: &str,
) -> Option<(&'s str, &'s scanner::Attribute)> {
    let found = scanner
        .attributes()
        .iter()
        .find(|attribute| scanner.text(attribute.name.clone()) == name)?;
    Some((scanner.value(&found.value), found))
}

/// Returns `true` if the `guid` that was the last token is the address of the page: in RSS 2.0, unless `isPermaLink` is
/// `false`.
fn is_permanent<S: Window>(scanner: &Scanner<S>) -> bool {
    attribute(scanner, "isPermaLink").is_none_or(|(value, _)| !trim(value).eq_ignore_ascii_case("false"))
}

/// The address of the entry's page, from the Atom link that was the last token; `None` if the link has another relation.
fn atom_link<S: Window>(scanner: &Scanner<S>, outer: Option<&Address>) -> Option<ItemText> {
    let rel = attribute(scanner, "rel").map_or("alternate", |(rel, _)| trim(rel));
    let (href, found) = attribute(scanner, "href")?;
    let is_page = rel.eq_ignore_ascii_case("alternate") && !trim(href).is_empty();
    if !is_page {
        return None;
    }
    let held = scanner.held();
    let at = found.raw.start - held..found.raw.end - held;
    let is_plain = matches!(found.value, scanner::Value::Window(_));
    let mut piece = ItemText {
        text: href.to_owned(),
        plain: is_plain.then(|| at.clone()),
        at: Some(at.start),
        outer: at,
    };
    let own = base(scanner, outer);
    if let Some(url) = own.as_ref().or(outer).and_then(|base| base.resolve(trim(href))) {
        piece.replace(url);
    }
    Some(piece)
}
