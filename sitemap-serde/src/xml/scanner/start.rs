//! The fast path of start tags: names and values in which there is nothing to resolve.

use crate::xml::chars::is_space;
use crate::xml::names::{self, Namespace};
use crate::xml::source::Window;

use super::{Attribute, Scanner, Span, Value};

/// More attributes than this go the general way, which can tell them apart faster.
const MOST: usize = 8;

/// A start tag that was read.
pub(super) struct StartTag {
    pub(super) name: Span,
    pub(super) end: usize,
    pub(super) empty: bool,
}

impl<S: Window> Scanner<S> {
    /// Reads a start tag in ASCII with attributes that have no prefix and declare no namespace. `None`, and the attributes are
    /// to be read anew, if there is anything else in it, or anything wrong.
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
                    // White space in a value is normalised, and what is special resolved: not here.
                    if value
                        .iter()
                        .any(|&b| b < b' ' || matches!(b, b'<' | b'&') || b == 0xEF)
                        || value.len() > self.limits.token
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

    /// Whether an attribute declares a namespace, has a name that is too long, or stands twice.
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
            "xmlns" => None,
            prefix => self.scope.namespace(prefix),
        }
    }
}

/// The length of a name in ASCII that begins with a letter, and so does its local part if it may have a prefix. `None` if it
/// is none, or goes on in other characters.
fn name_len(text: &[u8], qualified: bool) -> Option<usize> {
    let mut colon = !qualified;
    let mut first = true;
    for (i, &b) in text.iter().enumerate() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' => first = false,
            b'0'..=b'9' | b'_' | b'-' | b'.' if !first => {}
            b':' if !colon && !first => (colon, first) = (true, true),
            _ if first || b == b':' || !b.is_ascii() => return None,
            _ => return Some(i),
        }
    }
    None
}
