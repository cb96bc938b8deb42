//! Start tags that are broken.
//!
//! A start tag ends at its `>`, or before the next `<`. Unreadable attributes are skipped, and the first of repeated ones counts. An
//! undeclared prefix means the namespace that usually has it, and is noted once in a document.

use std::collections::HashSet;

use sitemap_values::quote::quote;

use crate::error::{Message, Result};
use crate::xml::chars::name_len;
use crate::xml::names::{self, Namespace};
use crate::xml::reference::{Flaw, Mode};
use crate::xml::source::Window;

use super::super::{Attribute, Scanner, Span, State, Token, Value};
use super::resolve;

/// Texts that are noted once in a document.
#[derive(Debug, Default)]
pub(super) struct NotedOnce(HashSet<Box<str>>);

impl NotedOnce {
    /// The maximum number of remembered texts: any other is noted each time.
    const MOST: usize = 64;

    /// Returns `true` if the text must be noted.
    pub(super) fn insert(&mut self, text: &str) -> bool {
        if self.0.len() < Self::MOST {
            self.0.insert(text.into())
        } else {
            !self.0.contains(text)
        }
    }
}

impl<S: Window> Scanner<S> {
    pub(super) fn repair_start_tag(
        &mut self,
        is_end: bool,
        depth: usize,
        noted: Option<u64>,
    ) -> Result<Token> {
        self.load(&|scanner| {
            let name = scanner
                .source
                .window()
                .get(scanner.start + 1..)
                .map_or(0, name_len);
            scanner.lenient_tag_end(scanner.start + 1 + name).is_some()
        });
        let text = self.source.window().get(self.start + 1..).unwrap_or_default();
        let len = name_len(text);
        let name = self.start + 1..self.start + 1 + len;
        let Some((end, after)) = self.lenient_tag_end(name.end).filter(|_| !is_end) else {
            self.check_token(self.source.window().len())?;
            return self.end_early(0);
        };
        let (_, local) = names::split(&text[..len]);
        if self.state == State::Epilog {
            match self.vocabulary.reopened {
                Some(root) if self.vocabulary.is_entry(local) => self.open.push(root),
                _ if self.vocabulary.is_root(local) => {}
                _ => {
                    self.pos = after;
                    self.mark_lost_text(name.end..end, noted);
                    return Ok(Token::Aside);
                }
            }
        }
        self.check_depth(self.open.len())?;
        let is_empty = self.text(name.end..end).trim_end().ends_with('/');
        let qualified = self.text(name.clone()).to_owned();
        self.open.push(&qualified);
        self.read_attributes(name.end..end, noted);
        let (prefix, _) = names::split(&qualified);
        let namespace = self.lenient_namespace(prefix);
        self.note_undeclared(&name, namespace, noted);
        self.pos = after;
        self.state = if is_empty { State::Empty } else { State::Content };
        if let Some(repairs) = &mut self.repairs {
            repairs.has_repaired_tag = true;
        }
        self.close_implied(Token::Start { name, namespace }, depth)
    }

    /// The end of the attributes of a start tag, and the end of the tag; `None` if neither `>` nor `<` follows.
    fn lenient_tag_end(&self, from: usize) -> Option<(usize, usize)> {
        let bytes = self.near();
        let mut at = from;
        loop {
            match *bytes.get(at)? {
                b'>' => return Some((at, at + 1)),
                b'<' => return Some((at, at)),
                quote @ (b'"' | b'\'') => {
                    let rest = &bytes[at + 1..];
                    // A quote that is not closed before the next `<` does not begin a value.
                    match memchr::memchr2(quote, b'<', rest) {
                        Some(len) if rest[len] == quote => at += len + 2,
                        _ => at += 1,
                    }
                }
                _ => at += 1,
            }
        }
    }

    /// Reads the readable attributes in `span`, and skips the rest.
    fn read_attributes(&mut self, span: Span, noted: Option<u64>) {
        self.attributes.clear();
        self.raw_attributes.clear();
        let mut found: Vec<(Span, Span)> = Vec::new();
        // The index of the first attribute with the name, and the name and value.
        let mut repeated: Vec<(usize, Span, Span)> = Vec::new();
        let text = self.text(span.clone()).to_owned();
        let mut rest = text.as_str();
        while let Some(start) = rest.find(|c: char| !c.is_ascii_whitespace() && c != '/') {
            rest = &rest[start..];
            let at = span.start + text.len() - rest.len();
            let len = name_len(rest);
            let parsed =
                attribute_value(&rest[len..]).filter(|_| len > 0 && found.len() < self.limits.attributes);
            if let Some((before, value)) = parsed {
                let name = at..at + len;
                let value_start = name.end + before;
                let raw = value_start..value_start + value.len();
                let is_same = |(other, _): &(Span, Span)| self.text(other.clone()) == self.text(name.clone());
                match found.iter().position(is_same) {
                    Some(first) => repeated.push((first, name, raw)),
                    None => found.push((name, raw)),
                }
                rest = &rest[len + before + value.len() + 1..];
            } else {
                let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
                self.note_no_attribute(at..at + end, span.end, noted);
                rest = &rest[end..];
            }
        }
        let depth = self.open.len();
        let mut out = String::new();
        // The first flaw of each kind.
        let mut all_flaws: Vec<(Span, Flaw)> = Vec::new();
        let mut declared = 0;
        let mut values = Vec::with_capacity(found.len());
        for (name, raw) in &found {
            let start = out.len();
            let flaws = resolve(self.text(raw.clone()), Mode::Attribute, &mut out);
            for flaw in flaws {
                if all_flaws.iter().all(|(_, other)| !flaw.is_like(other)) {
                    all_flaws.push((raw.clone(), flaw));
                }
            }
            values.push(start..out.len());
            let (prefix, local) = names::split(self.source.window().get(name.clone()).unwrap_or_default());
            let declares = match (prefix, local) {
                ("", "xmlns") => Some(""),
                ("xmlns", local) => Some(local),
                _ => None,
            };
            match declares {
                Some(declares) if declared < self.limits.namespaces => {
                    declared += 1;
                    // A declaration that is not allowed is skipped.
                    let _ = self.scope.declare(declares, out[start..].trim(), depth);
                }
                Some(_) => {}
                None => self.attributes.push(Attribute {
                    name: name.clone(),
                    namespace: Namespace::None,
                    raw: raw.clone(),
                    value: Value::Resolved(start..out.len()),
                }),
            }
        }
        for (first, name, raw) in repeated {
            let first = values.get(first).and_then(|value| out.get(value.clone()));
            self.note_repeated(&name, first.unwrap_or_default(), raw, noted);
        }
        self.resolved = out;
        self.raw_attributes = found;
        for (raw, flaw) in all_flaws {
            self.note_flaws(&raw, vec![flaw], noted);
        }
        for i in 0..self.attributes.len() {
            let (prefix, _) = names::split(self.text(self.attributes[i].name.clone()));
            if !prefix.is_empty() {
                let namespace = self.lenient_namespace(prefix);
                self.attributes[i].namespace = namespace;
                self.note_undeclared(&self.attributes[i].name.clone(), namespace, noted);
            }
        }
    }

    /// Notes an attribute with the name of an earlier one, whose value is `first`. Its own value is lost if it is another one.
    fn note_repeated(&mut self, name: &Span, first: &str, raw: Span, noted: Option<u64>) {
        let mut value = String::new();
        resolve(self.text(raw), Mode::Attribute, &mut value);
        let error = self.repeated(name);
        let error = if value == first { error } else { error.losing() };
        let at = self.offset_of(name.start);
        self.note_once(error, at..=at, noted);
    }

    /// Notes text in a tag that is not an attribute, unless it is only punctuation. The attributes end at `end`.
    fn note_no_attribute(&mut self, span: Span, end: usize, noted: Option<u64>) {
        let text = self.text(span.clone());
        if !text.contains(char::is_alphanumeric) {
            return;
        }
        let message = Message::new(format!(
            "{} in a tag is not an attribute with a value in quotes (XML 1.0 section 3.1)",
            quote(text)
        ));
        let error = self.fail(
            span.start,
            message.advice("write it `name=\"value\"`, or remove it"),
        );
        let bytes = self.offset_of(span.start)..=self.offset_of(self.skip_space_in(span.end, end));
        self.note_once(error.losing(), bytes, noted);
    }

    /// Notes the prefix of a name, which is in this namespace, if it is not declared and was not noted before.
    fn note_undeclared(&mut self, name: &Span, namespace: Namespace, noted: Option<u64>) {
        let text = self.text(name.clone());
        let (prefix, _) = names::split(text);
        if prefix.is_empty() || self.scope.namespace(prefix).is_some() {
            return;
        }
        // A name that is not qualified is noted as such.
        let undeclared = names::is_qualified(text).then(|| prefix.to_owned());
        // A feed may have elements of any extension; none is read.
        let is_read = namespace != Namespace::Other || self.vocabulary.leaves.is_empty();
        let is_lost = !is_read && self.open.len() > 1;
        let Some(prefix) = undeclared else {
            if is_lost {
                self.mark_loss(noted);
            }
            return;
        };
        let known = self.repairs.as_mut().map(|repairs| &mut repairs.undeclared);
        if known.is_some_and(|known| known.insert(&prefix)) {
            let error = self.undeclared(name);
            self.note(if is_lost { error.losing() } else { error });
        }
    }
}

/// The value of the attribute whose name ends at the start of `text`: the number of bytes before the value, and the value.
fn attribute_value(text: &str) -> Option<(usize, &str)> {
    let value = text.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (inner, _) = value[1..].split_once(quote)?;
    Some((text.len() - value.len() + 1, inner))
}
