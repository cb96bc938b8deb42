//! A short way to read start tags with ASCII names and with attribute values that need no resolving.

use crate::xml::chars::is_space;
use crate::xml::names::{self, Namespace};
use crate::xml::source::Window;

use super::{Attribute, Scanner, Span, Value};

/// The most attributes that are read this way: all pairs are compared.
const MOST: usize = 8;

/// A start tag that was read; `end` is the offset of its `>`.
pub(super) struct StartTag {
    pub(super) name: Span,
    pub(super) end: usize,
    pub(super) empty: bool,
}

impl<S: Window> Scanner<S> {
    /// Reads a start tag with ASCII names and attributes without prefixes and namespace declarations. `None` for any other tag
    /// and for errors; then the tag has to be read again from its start.
    pub(super) fn plain_start_tag(&mut self) -> Option<StartTag> {
        self.attributes.clear();
        let tag = self.source.window().as_bytes().get(self.start..)?;
        let len = name_len(tag.get(1..)?, true)?;
        let mut at = 1 + len;
        let (end, empty) = loop {
            match *tag.get(at)? {
                b'>' => break (at, false),
                b'/' if *tag.get(at + 1)? == b'>' => break (at + 1, true),
                b if is_space(b) => at += 1,
                _ if !is_space(tag[at - 1]) || self.attributes.len() == MOST => return None,
                _ => {
                    let name = at..at + name_len(tag.get(at..)?, false)?;
                    let [b'=', quote @ (b'"' | b'\''), rest @ ..] = tag.get(name.end..)? else {
                        return None;
                    };
                    let value = &rest[..rest.iter().position(|b| b == quote)?];
                    // Values that have to be normalised or resolved are not read here.
                    if value
                        .iter()
                        .any(|&b| b < b' ' || matches!(b, b'<' | b'&') || b == 0xEF)
                    {
                        return None;
                    }
                    let raw = self.start + name.end + 2..self.start + name.end + 2 + value.len();
                    at = name.end + 3 + value.len();
                    self.attributes.push(Attribute {
                        name: self.start + name.start..self.start + name.end,
                        namespace: Namespace::None,
                        raw: raw.clone(),
                        value: Value::Window(raw),
                    });
                }
            }
        };
        let fits = len <= self.limits.name
            && end <= self.limits.token
            && self.attributes.len() <= self.limits.attributes;
        if !fits || self.has_unusual_names(tag) {
            return None;
        }
        Some(StartTag {
            name: self.start + 1..self.start + 1 + len,
            end: self.start + end,
            empty,
        })
    }

    /// Whether an attribute declares a namespace, has a name that is too long, or is repeated.
    fn has_unusual_names(&self, tag: &[u8]) -> bool {
        let name =
            |attribute: &Attribute| &tag[attribute.name.start - self.start..attribute.name.end - self.start];
        self.attributes.iter().enumerate().any(|(i, attribute)| {
            let name_here = name(attribute);
            name_here == b"xmlns"
                || name_here.len() > self.limits.name
                || self.attributes[..i].iter().any(|other| name(other) == name_here)
        })
    }

    /// The namespace of an element, if its prefix is declared.
    #[inline]
    pub(super) fn known_namespace(&self, name: &Span) -> Option<Namespace> {
        let (prefix, _) = names::split(self.text(name.clone()));
        match prefix {
            "" => Some(self.scope.default_namespace()),
            prefix => self.scope.namespace(prefix),
        }
    }
}

/// The length of an ASCII name at the start of `text` that begins with a letter, and, if it is qualified, whose local part
/// does too. `None` for any other name.
fn name_len(text: &[u8], qualified: bool) -> Option<usize> {
    let mut colon = !qualified;
    let mut first = true;
    for (i, &b) in text.iter().enumerate() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' => first = false,
            b'0'..=b'9' | b'_' | b'-' | b'.' if !first => {}
            b':' if !colon && !first => (colon, first) = (true, true),
            _ if first => return None,
            _ => return Some(i),
        }
    }
    None
}
