//! Documents with a DOCTYPE, whose entities the crate `xml` (xml-rs) resolves. As in xml-rs, attribute defaults are
//! ignored, and so are references within an entity that is used in an attribute value. A reference to an external
//! entity, which xml-rs would drop, is an error.
//!
//! The events of xml-rs are written as text without a DOCTYPE, which the scanner reads like any other document: there is one scanner, and
//! one set of limits and messages. Each event keeps its position in the original document, for errors.
//!
//! **Two XML readers.** Nearly every sitemap uses a small part of XML: UTF-8, no DTD. The scanner reads exactly that part, in safe Rust on
//! memchr, and checks everything that XML 1.0 and Namespaces 1.0 require of it. The rare document with a DOCTYPE goes to xml-rs, whose
//! events are written as text without a DOCTYPE, which the scanner reads like any other (`xml/doctype.rs`): one scanner, one set of limits
//! and messages, and positions in the original document. xml-rs expands some references without a limit, so their length is estimated first
//! (`xml/doctype/growth.rs`); external entities are hidden from it, so that a reference to one is an error (`xml/doctype/external.rs`). In
//! tests, xml-rs judges the scanner: for every document without a DOCTYPE both give the same events, or both an error. Where xml-rs is
//! wrong, the test says so, with the specification's section.
//!
//! | file | content |
//! |---|---|
//! | `expandable` | the scanner's input: a source, which becomes expanded text at a DOCTYPE |
//! | `declared`, `growth` | limits before xml-rs sees the bytes: declarations of namespaces, expansion of entities |
//! | `external` | hides external entities |
//! | `failure` | why xml-rs refuses a document |

mod declared;
mod expandable;
mod external;
mod failure;
mod growth;

use std::collections::{HashSet, VecDeque};
use std::io::{self, Read};

use sitemap_values::number::grouped;
use sitemap_values::quote::quote;
use xml_rs::common::{Position as _, TextPosition};
use xml_rs::reader::{self, EventReader, ParserConfig, XmlEvent};

use crate::error::{Error, ErrorKind, Message, Position, Result, trust};
use crate::limits::Limits;

use super::escape::push_escaped;
use super::source::Window;

use declared::Declared;
pub(crate) use expandable::Expandable;
pub(super) use external::Doctype;
use failure::Cause;
use growth::Growth;

/// The text of a document with its entities resolved, and without its DOCTYPE.
pub(crate) struct Expanded<S> {
    events: EventReader<DoctypeInput<S>>,
    text: String,
    /// The number of bytes dropped from the window.
    gone: usize,
    /// For each event whose text is in the window, in order: the offset of its text, counted from the first expanded byte,
    /// and its position in the document.
    marks: VecDeque<(usize, Position)>,
    /// The namespace declarations of the open elements: prefix, URI and depth.
    scope: Vec<(String, String, usize)>,
    depth: usize,
    /// The position of the last event.
    place: EventPosition,
    limits: Limits,
    /// The bytes written so far.
    written: u64,
    ended: bool,
}

impl<S> std::fmt::Debug for Expanded<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expanded")
            .field("text", &self.text)
            .finish_non_exhaustive()
    }
}

/// The row and column of an event as xml-rs counts them, from the DOCTYPE on, and its offset in the source's window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct EventPosition {
    row: u64,
    column: u64,
    at: usize,
}

impl<S: Window> Expanded<S> {
    fn new(source: S, at: usize, limits: &Limits) -> Self {
        let mut config = ParserConfig::new()
            .trim_whitespace(false)
            .whitespace_to_characters(true)
            .cdata_to_characters(true)
            .ignore_comments(true)
            .coalesce_characters(false)
            .allow_multiple_root_elements(false);
        config.max_entity_expansion_length = limits.expansion_bytes;
        config.max_name_length = limits.name_bytes;
        config.max_attributes = limits.attributes;
        config.max_attribute_length = limits.token_bytes;
        config.max_data_length = limits.token_bytes;
        let input = DoctypeInput {
            source,
            hand_over: DoctypeInput::hand_over,
            next: at,
            consumed: 0,
            doctype: Some(Doctype::default()),
            given: Vec::new(),
            given_to: 0,
            external: HashSet::new(),
            refused: None,
            delayed: None,
            declared: Declared::default(),
            most_declarations: limits.namespaces,
            most_doctype: limits.token_bytes,
            growth: Growth::default(),
            most_growth: limits.expansion_bytes.max(limits.token_bytes),
            error: None,
        };
        let mut expanded = Expanded {
            events: EventReader::new_with_config(input, config),
            text: String::new(),
            gone: 0,
            marks: VecDeque::new(),
            scope: Vec::new(),
            depth: 0,
            place: EventPosition {
                at,
                ..EventPosition::default()
            },
            limits: limits.clone(),
            written: 0,
            ended: false,
        };
        expanded.mark();
        expanded
    }

    fn let_go(&mut self, done: usize) -> usize {
        self.text.drain(..done);
        self.gone += done;
        // Keep the last mark at or before the window's start: it is the position of the window's first byte.
        while self.marks.get(1).is_some_and(|(start, _)| *start <= self.gone) {
            self.marks.pop_front();
        }
        done
    }

    fn position(&self, at: usize) -> Position {
        let after = self.marks.partition_point(|(start, _)| *start <= self.gone + at);
        match self.marks.get(after.saturating_sub(1)) {
            Some((_, position)) => *position,
            None => self.here(),
        }
    }

    /// The position of the last event in the document.
    fn here(&self) -> Position {
        self.events.source().source.position(self.place.at, self.place.at)
    }

    fn mark(&mut self) {
        let position = self.here();
        self.marks.push_back((self.gone + self.text.len(), position));
    }

    /// Moves to the position that xml-rs reports for its last event; never back, and not beyond the bytes it has read.
    fn follow(&mut self, to: TextPosition) {
        let input = self.events.source();
        let (mut place, text) = (self.place, input.source.window());
        let mut after_return = false;
        for c in text.get(place.at..input.next).unwrap_or_default().chars() {
            let joined = after_return && c == '\n';
            if (place.row, place.column) >= (to.row(), to.column()) && !joined {
                break;
            }
            match c {
                '\n' if joined => {}
                '\n' | '\r' => (place.row, place.column) = (place.row + 1, 0),
                _ => place.column += 1,
            }
            after_return = c == '\r';
            place.at += c.len_utf8();
        }
        self.place = place;
        let input = self.events.source_mut();
        let moved = input.source.let_go(place.at);
        input.next -= moved;
        self.place.at -= moved;
    }

    fn more(&mut self) -> Result<bool> {
        let before = self.text.len();
        while self.text.len() == before {
            if self.ended {
                return Ok(false);
            }
            let event = self.events.next();
            let place = match &event {
                Ok(_) => self.events.position(),
                Err(error) => error.position(),
            };
            self.follow(place);
            self.mark();
            match event {
                Ok(event) => self.write(event)?,
                Err(error) => {
                    self.ended = true;
                    if let Some(error) = self.events.source_mut().error.take() {
                        return Err(error.at(self.here()));
                    }
                    let error = self.failed(&error);
                    // Inside an element, the scanner has the better message for the missing part.
                    return if error.kind() == ErrorKind::Eof && self.depth > 0 {
                        Ok(false)
                    } else {
                        Err(error)
                    };
                }
            }
            if self.text.len() == before {
                self.marks.pop_back();
            }
        }
        self.written += (self.text.len() - before) as u64;
        if self.written
            > self
                .events
                .source()
                .consumed
                .saturating_mul(2)
                .saturating_add(self.limits.expansion_bytes as u64)
        {
            self.ended = true;
            return Err(Error::limit(self.too_expanded()).at(self.here()));
        }
        Ok(true)
    }

    /// Appends an event to the text.
    fn write(&mut self, event: XmlEvent) -> Result<()> {
        match event {
            XmlEvent::StartElement {
                name,
                attributes,
                namespace,
            } => {
                self.depth += 1;
                self.text.push('<');
                push_name(&mut self.text, &name);
                for (prefix, uri) in &namespace {
                    if matches!(prefix, "xml" | "xmlns") {
                        continue;
                    }
                    let declared = self.scope.iter().rev().find(|(known, _, _)| known == prefix);
                    if declared.map_or("", |(_, uri, _)| uri.as_str()) == uri {
                        continue;
                    }
                    let name = if prefix.is_empty() { "xmlns" } else { "xmlns:" };
                    self.attribute(&[name, prefix], uri)?;
                    self.scope.push((prefix.to_owned(), uri.to_owned(), self.depth));
                    // xml-rs copies all of them for every element.
                    if self.scope.len() > self.limits.namespaces {
                        let most = self.limits.namespaces;
                        let message = Message::new(format!(
                            "more than {most} namespace declarations on nested elements, and in a document with a DOCTYPE {most} are allowed"
                        ));
                        return Err(Error::limit(message.advice(trust())).at(self.here()));
                    }
                }
                for attribute in &attributes {
                    let name = &attribute.name;
                    match &name.prefix {
                        Some(prefix) => self.attribute(&[prefix, ":", &name.local_name], &attribute.value)?,
                        None => self.attribute(&[&name.local_name], &attribute.value)?,
                    }
                }
                self.text.push('>');
            }
            XmlEvent::EndElement { name } => {
                let depth = self.depth;
                while self.scope.pop_if(|(_, _, declared)| *declared >= depth).is_some() {}
                self.depth = depth.saturating_sub(1);
                self.text.push_str("</");
                push_name(&mut self.text, &name);
                self.text.push('>');
            }
            XmlEvent::Characters(text) | XmlEvent::CData(text) | XmlEvent::Whitespace(text) => {
                self.escaped(&text)?;
            }
            XmlEvent::EndDocument => self.ended = true,
            XmlEvent::Doctype { .. } => self.events.source_mut().growth.end_doctype(),
            // The instructions that readers use before the root.
            XmlEvent::ProcessingInstruction {
                name,
                data: Some(data),
            } if self.depth == 0 && name == "xml-stylesheet" => {
                self.text.extend(["<?xml-stylesheet ", &data, "?>"]);
            }
            XmlEvent::StartDocument { .. }
            | XmlEvent::ProcessingInstruction { .. }
            | XmlEvent::Comment(_) => {}
        }
        Ok(())
    }

    fn attribute(&mut self, name: &[&str], value: &str) -> Result<()> {
        self.text.push(' ');
        for part in name {
            self.text.push_str(part);
        }
        self.text.push_str("=\"");
        let start = self.text.len();
        self.escaped(value)?;
        // Tabs and line feeds here come from references: escape them, so that they are not normalised again.
        if self.text[start..].contains(['\t', '\n']) {
            let kept = self.text[start..].replace('\t', "&#9;").replace('\n', "&#10;");
            self.text.truncate(start);
            self.text.push_str(&kept);
        }
        self.text.push('"');
        Ok(())
    }

    fn escaped(&mut self, text: &str) -> Result<()> {
        push_escaped(&mut self.text, text).map_err(|c| {
            Error::syntax(
                Message::new(format!(
                    "the character U+{:04X} cannot be in an XML document (XML 1.0 section 2.2)",
                    u32::from(c)
                ))
                .advice("remove it"),
            )
            .at(self.here())
        })
    }

    /// Converts an error of xml-rs.
    #[cold]
    fn failed(&self, error: &reader::Error) -> Error {
        let error = match Cause::of(error) {
            Cause::Entity(name) if self.events.source().external.contains(name) => {
                let reference = match name.strip_prefix('%') {
                    Some(_) => format!("{name};"),
                    None => format!("&{name};"),
                };
                let problem = format!(
                    "the entity {} is declared in the DOCTYPE as external, and external entities are not read",
                    quote(&reference)
                );
                Error::syntax(Message::new(problem).advice("replace it by its text"))
            }
            Cause::End => Error::eof(
                "the document ends in the middle of a tag, comment or instruction; get a complete copy",
            ),
            Cause::Expansion => Error::limit(self.too_expanded()),
            Cause::Size => Error::limit(self.too_large()),
            Cause::Entity(_) | Cause::Other => Error::syntax(format!(
                "{} (in a document with a DOCTYPE; a sitemap needs none)",
                failure::message(error)
            )),
        };
        error.at(self.here())
    }

    /// The message for what xml-rs finds too large.
    fn too_large(&self) -> Message {
        let Limits {
            token_bytes,
            name_bytes,
            attributes,
            ..
        } = &self.limits;
        let token = grouped(*token_bytes as u64);
        let problem = format!(
            "more than {token} bytes in a value or text, {name_bytes} in a name, or {attributes} attributes on an element, in a document with a \
             DOCTYPE, and that is the limit"
        );
        Message::new(problem).advice(remove_doctype())
    }

    fn too_expanded(&self) -> Message {
        let most = grouped(self.limits.expansion_bytes as u64);
        Message::new(format!(
            "the document's entities expand to more than {most} bytes, which is the limit"
        ))
        .advice(trust())
    }
}

/// The advice for problems that only documents with a DOCTYPE have.
fn remove_doctype() -> &'static str {
    "remove the DOCTYPE: a sitemap needs none"
}

fn push_name(out: &mut String, name: &xml_rs::name::OwnedName) {
    if let Some(prefix) = &name.prefix {
        out.push_str(prefix);
        out.push(':');
    }
    out.push_str(&name.local_name);
}

/// The bytes that xml-rs reads: the source's text from the DOCTYPE on.
struct DoctypeInput<S> {
    source: S,
    /// [`hand_over`](Self::hand_over). xml-rs requires `Read` in its struct, so a bound here would apply to every type with a source.
    hand_over: fn(&mut Self, &mut [u8]) -> io::Result<usize>,
    /// Offset in the window of the next byte to hand over.
    next: usize,
    /// The number of bytes handed over.
    consumed: u64,
    /// The search for the DOCTYPE's end, until all of it is in the window.
    doctype: Option<Doctype>,
    /// The DOCTYPE with external entities hidden, and how much of it was handed over.
    given: Vec<u8>,
    given_to: usize,
    /// Names of the hidden entities.
    external: HashSet<String>,
    /// The error to report after the DOCTYPE, or in its place: it is too large, or its declarations cannot be determined.
    refused: Option<Error>,
    /// An error met while searching for the DOCTYPE's end, to be reported after the text in the window.
    delayed: Option<Error>,
    declared: Declared,
    most_declarations: usize,
    most_doctype: usize,
    growth: Growth,
    most_growth: usize,
    /// The error of this crate that ended the text.
    error: Option<Error>,
}

impl<S: Window> DoctypeInput<S> {
    /// Finds the DOCTYPE's end, and hides its external entities. A malformed DOCTYPE is handed over unchanged: xml-rs reports it.
    fn read_doctype(&mut self) {
        let Some(mut doctype) = self.doctype.take() else {
            return;
        };
        let end = loop {
            let text = self.source.window().get(self.next..).unwrap_or_default();
            let end = doctype.end(text.as_bytes());
            if end.unwrap_or(text.len()) > self.most_doctype {
                let most = grouped(self.most_doctype as u64);
                let message =
                    Message::new(format!("a DOCTYPE of more than {most} bytes, which is the limit"));
                let error = Error::limit(message.advice(remove_doctype()));
                self.refused = Some(error.at(self.source.position(self.next, self.next)));
                return;
            }
            if let Some(end) = end {
                break end;
            }
            match self.source.more() {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    self.delayed = Some(error);
                    return;
                }
            }
        };
        let text = self
            .source
            .window()
            .get(self.next..self.next + end)
            .unwrap_or_default();
        match doctype.hide_external(text) {
            Ok(hidden) => {
                self.external = hidden.names;
                self.given = hidden.text.into_bytes();
            }
            Err(undecidable) => {
                self.given = text.as_bytes().to_vec();
                let error = Error::syntax(
                    "a parameter entity that declares external or incomplete entities, which is not supported (in a document with a DOCTYPE; a sitemap needs none)",
                );
                self.refused = Some(error.at(self.source.position(self.next, self.next + undecidable.at)));
            }
        }
        self.next += end;
    }

    fn count(&mut self, bytes: &[u8]) -> Result<()> {
        if !self.declared.look_at(bytes, self.most_declarations) {
            let most = self.most_declarations;
            return Err(Error::limit(
                Message::new(format!(
                    "more than {most} namespace declarations on one element, which is the limit"
                ))
                .advice(trust()),
            ));
        }
        if self.growth.look_at(bytes, self.most_growth) {
            return Ok(());
        }
        let most = grouped(self.most_growth as u64);
        let message = Message::new(format!(
            "the entities in one value or text can make it longer than {most} bytes, and that is the limit"
        ));
        Err(Error::limit(message.advice(trust())))
    }

    /// The next bytes for xml-rs; empty at the end.
    fn pending(&mut self) -> Result<&[u8]> {
        self.read_doctype();
        if self.given_to < self.given.len() {
            return Ok(&self.given[self.given_to..]);
        }
        if let Some(error) = self.refused.take() {
            return Err(error);
        }
        while self.next == self.source.window().len() {
            if let Some(error) = self.delayed.take() {
                return Err(error);
            }
            if !self.source.more()? {
                break;
            }
        }
        Ok(&self.source.window().as_bytes()[self.next..])
    }

    fn hand_over(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let refuse = |input: &mut Self, error| {
            input.error = Some(error);
            Err(io::Error::other("the source failed"))
        };
        let is_past_doctype = self.growth.is_past_doctype();
        let len = match self.pending() {
            Ok(bytes) => {
                let mut len = bytes.len().min(out.len());
                if !is_past_doctype {
                    // Stop at each `>`, so that the DOCTYPE's end is known before the bytes after it are handed over.
                    len = memchr::memchr(b'>', &bytes[..len]).map_or(len, |end| end + 1);
                }
                out[..len].copy_from_slice(&bytes[..len]);
                len
            }
            Err(error) => return refuse(self, error),
        };
        if self.given_to < self.given.len() {
            self.given_to += len;
        } else {
            self.next += len;
        }
        self.consumed += len as u64;
        match self.count(&out[..len]) {
            Ok(()) => Ok(len),
            Err(error) => refuse(self, error),
        }
    }
}

impl<S> Read for DoctypeInput<S> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        (self.hand_over)(self, out)
    }
}
