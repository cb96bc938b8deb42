//! Start and end tags: names, attributes, namespace declarations, and proper nesting.

use sitemap_values::quote::quote;

use crate::error::{Defect, Error, Message, Result, trust};
use crate::xml::chars::{is_plain, is_space};
use crate::xml::names::{self, Misdeclared, Namespace};
use crate::xml::reference::{self, Mode};
use crate::xml::source::Window;

use super::{Attribute, Scanner, Span, State, Token, Unended, Value};

impl<S: Window> Scanner<S> {
    pub(super) fn skip_space_in(&self, at: usize, end: usize) -> usize {
        self.bytes()[at..end]
            .iter()
            .position(|&b| !is_space(b))
            .map_or(end, |i| at + i)
    }

    /// The offset of the tag's `>`, or of a `<` before it, which a tag cannot contain.
    fn tag_end(&mut self) -> Result<usize> {
        let mut from = 1;
        let mut quoted = None;
        loop {
            let rest = &self.bytes()[self.start + from..];
            let found = match quoted {
                None => rest.iter().position(|b| matches!(b, b'>' | b'<' | b'"' | b'\'')),
                Some(quote) => memchr::memchr2(quote, b'<', rest),
            };
            match found {
                None => {
                    from += rest.len();
                    if !self.more()? {
                        return Err(self.unended(match quoted {
                            Some(_) => Unended::Value,
                            None => Unended::Tag,
                        }));
                    }
                }
                Some(i) => {
                    let b = rest[i];
                    if b == b'<' || b == b'>' {
                        let end = self.start + from + i;
                        self.check_token(end)?;
                        return Ok(end);
                    }
                    quoted = if quoted.is_none() { Some(b) } else { None };
                    from += i + 1;
                }
            }
        }
    }

    /// The error for a tag that does not end with `>` at `end`.
    #[cold]
    fn unclosed(&self, end: usize) -> Error {
        self.fail(end, "found `<` inside a tag: the tag before it has no `>`, or `<` in a value is not written `&lt;` (XML 1.0 section 3.1)")
    }

    pub(super) fn end_tag(&mut self) -> Result<Token> {
        if self.expected_end_tag() {
            return Ok(Token::End);
        }
        let end = self.tag_end()?;
        // Only now the whole tag may be in the window.
        if self.expected_end_tag() {
            return Ok(Token::End);
        }
        let name = self.qualified_name(self.start + 2..end, "an end tag")?;
        let Some(expected) = self.open.last() else {
            return Err(self.fail(
                self.start,
                format!("the end tag {} has no start tag", quote(self.text(name))),
            ));
        };
        if self.text(name.clone()) != expected {
            return Err(self.fail(
                self.start,
                format!("the end tag `</{}>` where `</{expected}>` is expected: the element that began last ends first", self.text(name)),
            ));
        }
        let after = self.skip_space_in(name.end, end);
        if after != end {
            return Err(self.fail(after, "an end tag contains only its name (XML 1.0 section 3.1)"));
        }
        if self.bytes().get(end) != Some(&b'>') {
            return Err(self.unclosed(end));
        }
        self.pos = end + 1;
        self.close();
        Ok(Token::End)
    }

    /// Reads the end tag if it is, as usually, the expected name and `>`.
    #[inline(always)]
    fn expected_end_tag(&mut self) -> bool {
        let Some(name) = self.open.last() else {
            return false;
        };
        let expected = self
            .bytes()
            .get(self.start + 2..)
            .and_then(|tag| tag.strip_prefix(name.as_bytes()));
        let len = "</".len() + name.len();
        let (Some([b'>', ..]), true) = (expected, len <= self.limits.token_bytes) else {
            return false;
        };
        self.pos = self.start + len + 1;
        self.close();
        true
    }

    pub(super) fn close(&mut self) {
        self.scope.leave(self.open.len());
        self.open.pop();
        self.state = if self.open.is_empty() {
            State::Epilog
        } else {
            State::Content
        };
    }

    pub(super) fn start_tag(&mut self) -> Result<Token> {
        let end = self.tag_end()?;
        let name = self.qualified_name(self.start + 1..end, "an element")?;
        if self.state == State::Epilog {
            return Err(self.fail(
                self.start,
                Message::new(format!(
                    "a second root {}: a document has one (XML 1.0 section 2.1)",
                    quote(self.text(name))
                ))
                .advice("remove it"),
            ));
        }
        self.check_depth(self.open.len())?;
        self.raw_attributes.clear();
        self.attributes.clear();
        let empty = if name.end == end {
            false
        } else {
            self.scan_attributes(name.end, end)?
        };
        if self.bytes().get(end) != Some(&b'>') {
            return Err(self.unclosed(end));
        }
        self.open
            .push(self.source.window().get(name.clone()).unwrap_or_default());
        if !self.raw_attributes.is_empty() {
            self.resolve_attributes()?;
        }
        let namespace = self.element_namespace(&name)?;
        self.pos = end + 1;
        self.state = if empty { State::Empty } else { State::Content };
        Ok(Token::Start { name, namespace })
    }

    /// Finds the attributes between a tag's name and its end. Returns `true` if it is an empty-element tag.
    fn scan_attributes(&mut self, from: usize, end: usize) -> Result<bool> {
        let mut at = from;
        loop {
            let next = self.skip_space_in(at, end);
            if next == end {
                return Ok(false);
            }
            if self.bytes()[next] == b'/' && next + 1 == end {
                return Ok(true);
            }
            if next == at {
                return Err(self.fail(at, "no white space before an attribute, or a character that cannot be in a tag (XML 1.0 section 3.1)"));
            }
            if self.raw_attributes.len() >= self.limits.attributes {
                let limit = self.limits.attributes;
                return Err(self.too_large(
                    next,
                    format!("more than {limit} attributes on one element, which is the limit"),
                    trust(),
                ));
            }
            let name = self.qualified_name(next..end, "an attribute")?;
            let equals = self.skip_space_in(name.end, end);
            if self.bytes().get(equals) != Some(&b'=') {
                return Err(self.value_missing(equals, end, &name));
            }
            let open = self.skip_space_in(equals + 1, end);
            let Some(&quote_mark @ (b'"' | b'\'')) = self.bytes().get(open) else {
                return Err(self.value_missing(open, end, &name));
            };
            let Some(len) = memchr::memchr(quote_mark, &self.bytes()[open + 1..end]) else {
                return Err(self.value_unclosed(open, &name));
            };
            let value = open + 1..open + 1 + len;
            at = value.end + 1;
            self.raw_attributes.push((name, value));
        }
    }

    /// The error for a value whose quote is not closed before the next `<`.
    #[cold]
    fn value_unclosed(&self, at: usize, name: &Span) -> Error {
        let mark = self.text(at..at + 1);
        self.fail(
            at,
            Message::new(format!(
                "the value of the attribute {} begins with `{mark}` here, and a `<` comes before the `{mark}` that ends it \
                 (XML 1.0 section 3.1)",
                quote(self.text(name.clone()))
            ))
            .advice("close it, or write `&lt;` if the `<` is a part of it"),
        )
    }

    #[cold]
    fn value_missing(&self, at: usize, end: usize, name: &Span) -> Error {
        if at == end && self.bytes().get(end) != Some(&b'>') {
            return self.unclosed(end);
        }
        let name = quote(self.text(name.clone()));
        self.fail(
            at,
            Message::new(format!(
                "the attribute {name} has no value in quotes (XML 1.0 section 3.1)"
            ))
            .advice("write it `name=\"value\"`"),
        )
    }

    /// Resolves the attribute values, declares namespaces, and checks that no attribute is repeated.
    fn resolve_attributes(&mut self) -> Result<()> {
        self.resolved.clear();
        let depth = self.open.len();
        let raw = std::mem::take(&mut self.raw_attributes);
        let mut declared = 0;
        for (name, raw_value) in &raw {
            let text = self.source.window().get(raw_value.clone()).unwrap_or_default();
            let simple = is_plain(text.as_bytes()) && !text.bytes().any(|b| b == b'\n' || b == b'\t');
            let value = if simple {
                Value::Window(raw_value.clone())
            } else {
                let start = self.resolved.len();
                let changed = reference::resolve(text, Mode::Attribute, &mut self.resolved)
                    .map_err(|flaw| self.flaw(raw_value, flaw))?;
                if changed {
                    Value::Resolved(start..self.resolved.len())
                } else {
                    Value::Window(raw_value.clone())
                }
            };
            let (prefix, local) = names::split(self.source.window().get(name.clone()).unwrap_or_default());
            let declares = match (prefix, local) {
                ("", "xmlns") => "",
                ("xmlns", local) => local,
                _ => {
                    self.attributes.push(Attribute {
                        name: name.clone(),
                        namespace: Namespace::None,
                        raw: raw_value.clone(),
                        value,
                    });
                    continue;
                }
            };
            declared += 1;
            if declared > self.limits.namespaces {
                let limit = self.limits.namespaces;
                let what =
                    format!("more than {limit} namespace declarations on one element, which is the limit");
                return Err(self.too_large(name.start, what, trust()));
            }
            let uri = match &value {
                Value::Window(span) => self.source.window().get(span.clone()).unwrap_or_default(),
                Value::Resolved(span) => &self.resolved[span.clone()],
            };
            if let Err(misdeclared) = self.scope.declare(declares, uri, depth) {
                return Err(self.fail(
                    name.start,
                    match misdeclared {
                        Misdeclared::Undeclared => "a prefix that stands for no namespace: only the default namespace can be undone (Namespaces in XML section 5)",
                        Misdeclared::Reserved => "`xml` and `xmlns` and their namespaces are reserved (Namespaces in XML section 3)",
                    },
                ));
            }
        }
        self.raw_attributes = raw;
        self.check_duplicates()?;
        for i in 0..self.attributes.len() {
            let name = self.attributes[i].name.clone();
            let (prefix, _) = names::split(self.text(name.clone()));
            if !prefix.is_empty() {
                self.attributes[i].namespace = self
                    .scope
                    .namespace(prefix)
                    .ok_or_else(|| self.undeclared(&name))?;
            }
        }
        self.check_expanded_duplicates()
    }

    /// Returns an error for a repeated attribute name (XML 1.0 section 3.1).
    fn check_duplicates(&self) -> Result<()> {
        if self.raw_attributes.len() < 2 {
            return Ok(());
        }
        let names = self.raw_attributes.iter().map(|(name, _)| name.clone());
        let texts = names
            .clone()
            .map(|name| (self.text(name.clone()), "", name.start));
        let Some(at) = second_of(texts.collect()) else {
            return Ok(());
        };
        let name = names.clone().find(|name| name.start == at).unwrap_or_default();
        Err(self.repeated(&name))
    }

    /// The error for an attribute whose name occurs before.
    #[cold]
    pub(super) fn repeated(&self, name: &Span) -> Error {
        let message = Message::new(format!(
            "the attribute {} twice on one element (XML 1.0 section 3.1)",
            quote(self.text(name.clone()))
        ));
        self.fail(name.start, message.advice("keep one"))
    }

    /// Returns an error for an attribute repeated with another prefix of the same namespace (Namespaces in XML section 6.3).
    fn check_expanded_duplicates(&self) -> Result<()> {
        let expanded = self
            .attributes
            .iter()
            .filter_map(|attribute| {
                let (prefix, local) = names::split(self.text(attribute.name.clone()));
                (!prefix.is_empty()).then(|| {
                    (
                        // An undeclared prefix that is accepted is none of the others.
                        self.scope.uri(prefix).unwrap_or(prefix),
                        local,
                        attribute.name.start,
                    )
                })
            })
            .collect();
        match second_of(expanded) {
            None => Ok(()),
            Some(at) => {
                let problem = "an attribute twice on one element, under two prefixes of one namespace \
                               (Namespaces in XML section 6.3)";
                Err(self.fail(at, Message::new(problem).advice("keep one")))
            }
        }
    }

    fn element_namespace(&self, name: &Span) -> Result<Namespace> {
        let (prefix, _) = names::split(self.text(name.clone()));
        if prefix.is_empty() {
            return Ok(self.scope.default_namespace());
        }
        self.scope.namespace(prefix).ok_or_else(|| self.undeclared(name))
    }

    #[cold]
    pub(super) fn undeclared(&self, name: &Span) -> Error {
        let (prefix, _) = names::split(self.text(name.clone()));
        let advice = match self.known().prefix_meant(prefix) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("declare it on the root as `xmlns:{prefix}=\"…\"`"),
        };
        self.fail(
            name.start,
            format!("the prefix {} of {} is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); {advice}", quote(prefix), quote(self.text(name.clone()))),
        )
        .with_defect(Defect::Prefix)
    }
}

/// The first place of a name that is among those before it. A name has two parts.
fn second_of(mut names: Vec<(&str, &str, usize)>) -> Option<usize> {
    names.sort_unstable();
    names
        .windows(2)
        .filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1))
        .map(|pair| pair[1].2)
        .min()
}
