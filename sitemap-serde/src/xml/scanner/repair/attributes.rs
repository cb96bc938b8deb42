//! Start tags that are broken.
//!
//! A start tag ends at its `>`, or before the next `<`. Attributes that cannot be read are passed over, and of a repeated one the first
//! counts. A prefix that is not declared stands for the namespace that usually has it.

use crate::error::Result;
use crate::xml::chars::name_len;
use crate::xml::names::{self, Namespace};
use crate::xml::reference::{Flaw, Mode};
use crate::xml::source::Window;

use super::super::{Attribute, Scanner, Span, State, Token, Value};
use super::resolve;

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

    /// Reads the attributes in `span` that can be read, and passes over the rest.
    fn read_attributes(&mut self, span: Span, noted: Option<u64>) {
        self.attributes.clear();
        self.raw_attributes.clear();
        let mut found: Vec<(Span, Span)> = Vec::new();
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
                let is_new = found
                    .iter()
                    .all(|(other, _)| self.text(other.clone()) != self.text(name.clone()));
                if is_new {
                    found.push((name, value_start..value_start + value.len()));
                }
                rest = &rest[len + before + value.len() + 1..];
            } else {
                let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
                rest = &rest[end..];
            }
        }
        let depth = self.open.len();
        let mut out = String::new();
        // The first flaw of each kind.
        let mut all_flaws: Vec<(Span, Flaw)> = Vec::new();
        let mut declared = 0;
        for (name, raw) in &found {
            let start = out.len();
            let flaws = resolve(self.text(raw.clone()), Mode::Attribute, &mut out);
            for flaw in flaws {
                if all_flaws.iter().all(|(_, other)| !flaw.is_like(other)) {
                    all_flaws.push((raw.clone(), flaw));
                }
            }
            let (prefix, local) = names::split(self.source.window().get(name.clone()).unwrap_or_default());
            let declares = match (prefix, local) {
                ("", "xmlns") => Some(""),
                ("xmlns", local) => Some(local),
                _ => None,
            };
            match declares {
                Some(declares) if declared < self.limits.namespaces => {
                    declared += 1;
                    // A declaration that is not allowed is passed over.
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
        self.resolved = out;
        for (raw, flaw) in all_flaws {
            self.note_flaws(&raw, vec![flaw], noted);
        }
        for i in 0..self.attributes.len() {
            let (prefix, _) = names::split(self.text(self.attributes[i].name.clone()));
            if !prefix.is_empty() {
                self.attributes[i].namespace = self.lenient_namespace(prefix);
            }
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
