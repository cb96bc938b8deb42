//! The tokens of a document in UTF-8 without a DOCTYPE, each checked as XML 1.0 (fifth edition) and Namespaces in XML 1.0
//! ask.

use std::ops::Range;

use crate::error::{Category, Error, Position, Result};
use crate::limits::Limits;
use crate::quote::quote;

use super::chars::{is_plain, is_space, name_len};
use super::encoding;
use super::names::{self, Known, Misdeclared, Namespace, Scope};
use super::reference::{self, Mode};
use super::source::Window;

/// A piece of the window, until the scanner moves on.
pub(crate) type Span = Range<usize>;

/// One thing that a document is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// `<name …>`; its attributes are in [`Scanner::attributes`].
    Start { name: Span, namespace: Namespace },
    /// `</name>`, or the second half of `<name/>`.
    End,
    /// Character data, its references resolved and its line ends normalised. Never empty; a text may come in pieces.
    Text { span: Span, plain: bool },
    /// A comment, a processing instruction or the XML declaration.
    Aside,
    /// The end of the document.
    Eof,
}

/// A place in a text: in the window, or in what the scanner has resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Window(Span),
    Resolved(Span),
}

/// An attribute that is no namespace declaration.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Span,
    pub(crate) namespace: Namespace,
    /// The value as it stands between the quotes.
    pub(crate) raw: Span,
    pub(crate) value: Value,
}

/// An element `<name>text</name>` in its plainest form.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) name: Span,
    pub(crate) namespace: Namespace,
    pub(crate) text: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before anything; an XML declaration may come only here.
    Start,
    /// Before the root.
    Prolog,
    /// In the root.
    Content,
    /// An empty-element tag's end is still to be reported.
    Empty,
    /// After the root.
    Epilog,
}

/// Reads a document token by token.
#[derive(Debug)]
pub(crate) struct Scanner<S> {
    source: S,
    limits: Limits,
    state: State,
    /// The next byte of the window to look at.
    pos: usize,
    /// Where the token that is being read starts.
    start: usize,
    /// Where the text starts that has to stay in the window, if that is before the token.
    anchor: Option<usize>,
    /// The names of the open elements, one after the other, and where each starts.
    open_names: String,
    open: Vec<usize>,
    scope: Scope,
    attributes: Vec<Attribute>,
    /// Where the attributes stand, declarations included.
    raw_attributes: Vec<(Span, Span)>,
    resolved: String,
}

impl<S: Window> Scanner<S> {
    pub(crate) fn new(source: S, limits: Limits, known: Known) -> Self {
        Scanner {
            source,
            limits,
            state: State::Start,
            pos: 0,
            start: 0,
            anchor: None,
            open_names: String::new(),
            open: Vec::new(),
            scope: Scope::new(known),
            attributes: Vec::new(),
            raw_attributes: Vec::new(),
            resolved: String::new(),
        }
    }

    pub(crate) fn source(&self) -> &S {
        &self.source
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        self.source.window().get(span).unwrap_or_default()
    }

    /// The text of a [`Token::Text`], or of an attribute's value.
    pub(crate) fn value(&self, value: &Value) -> &str {
        match value {
            Value::Window(span) => self.text(span.clone()),
            Value::Resolved(span) => &self.resolved[span.clone()],
        }
    }

    /// The text of a [`Token::Text`] that is not plain.
    pub(crate) fn resolved(&self) -> &str {
        &self.resolved
    }

    pub(crate) fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The namespaces that the document's are looked up among.
    pub(crate) fn known(&self) -> &Known {
        self.scope.known()
    }

    /// How many elements are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Where in the window the last token starts, and where the next one does.
    pub(crate) fn token(&self) -> Span {
        self.start..self.pos
    }

    /// Keeps the text from the last token's start on in the window, until released.
    pub(crate) fn hold(&mut self) {
        self.anchor = Some(self.start);
    }

    pub(crate) fn release(&mut self) {
        self.anchor = None;
    }

    /// Where the held text starts in the window.
    pub(crate) fn held(&self) -> usize {
        self.anchor.unwrap_or(self.start)
    }

    /// The byte of the document that is at a place of the window.
    pub(crate) fn offset_of(&self, at: usize) -> u64 {
        self.source.offset() + at as u64
    }

    pub(crate) fn position(&self, at: usize) -> Position {
        self.source.position(at)
    }

    #[cold]
    fn fail(&self, at: usize, message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
        Error::syntax(message).at(self.source.position(at))
    }

    #[cold]
    fn flaw(&self, text: &Span, flaw: reference::Flaw) -> Error {
        use reference::FlawKind;
        let at = text.start + flaw.at;
        let message = match flaw.kind {
            FlawKind::Character(c) => format!(
                "the character U+{:04X} cannot be in an XML document (XML 1.0 section 2.2); remove it",
                u32::from(c)
            ),
            FlawKind::Reference => {
                "a reference to a character that cannot be in an XML document (XML 1.0 section 4.1); remove it".to_owned()
            }
            FlawKind::Ampersand => "a `&` that begins no reference: in a value it is written `&amp;` (P-ESC)".to_owned(),
            FlawKind::Entity { len } => format!(
                "the entity {} is not declared: XML itself has only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` (P-ESC); \
                 write the character itself",
                quote(self.text(at..at + len))
            ),
            FlawKind::SectionEnd => "`]]>` in text: its `>` is written `&gt;` (XML 1.0 section 2.4)".to_owned(),
        };
        let error = self.fail(at, message);
        match flaw.kind {
            FlawKind::Ampersand | FlawKind::Entity { .. } => error.rule("P-ESC"),
            _ => error,
        }
    }

    #[cold]
    fn too_large(&self, at: usize, what: &str, limit: usize, set: &str) -> Error {
        Error::limit(format!(
            "{what}, and {limit} are allowed; if the document is to be trusted, raise `Limits::{set}`"
        ))
        .at(self.source.position(at))
    }

    #[cold]
    fn cut_off(&self) -> Error {
        let end = self.source.window().len();
        let message = match self.open.last() {
            Some(&name) => format!(
                "the document ends inside `{}`: it was cut off, or its end was never written; get it whole",
                &self.open_names[name..]
            ),
            None if self.start < end => "the document ends in the middle of a tag, comment or instruction; get it whole".to_owned(),
            None => "the document is empty: a sitemap is an XML document with the root `urlset` or `sitemapindex` (P-NS)".to_owned(),
        };
        Error::new(Category::Eof, message).at(self.source.position(end))
    }

    /// Reads more text. `false` at the end. Every place in the window may move.
    fn more(&mut self) -> Result<bool> {
        self.check_token(self.source.window().len())?;
        let moved = self
            .source
            .let_go(self.anchor.unwrap_or(self.start).min(self.start));
        self.start -= moved;
        self.pos -= moved;
        if let Some(anchor) = &mut self.anchor {
            *anchor -= moved;
        }
        self.source.more()
    }

    /// Whether the token may reach to `end`.
    fn check_token(&self, end: usize) -> Result<()> {
        let token = end - self.start;
        if token > self.limits.token {
            let limit = self.limits.token;
            return Err(self.too_large(
                self.start,
                &format!("a tag or text of more than {limit} bytes"),
                limit,
                "token_bytes",
            ));
        }
        Ok(())
    }

    fn check_entry(&self) -> Result<()> {
        match self.anchor {
            Some(anchor) if self.pos - anchor > self.limits.entry_bytes => {
                let limit = self.limits.entry_bytes;
                Err(self.too_large(
                    anchor,
                    &format!("an entry of more than {limit} bytes"),
                    limit,
                    "entry_bytes",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Reads until `len` bytes of the token are there. `false` if the document is shorter.
    fn ensure(&mut self, len: usize) -> Result<bool> {
        while self.source.window().len() < self.start + len {
            if !self.more()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where after the token's first `from` bytes `needle` is, counted from the token's start.
    fn find(&mut self, from: usize, needle: &str) -> Result<Option<usize>> {
        let mut from = from;
        loop {
            let rest =
                &self.source.window().as_bytes()[(self.start + from).min(self.source.window().len())..];
            if let Some(i) = memchr::memmem::find(rest, needle.as_bytes()) {
                self.check_token(self.start + from + i)?;
                return Ok(Some(from + i));
            }
            // The needle may lie across the end of what is there.
            from += rest.len().saturating_sub(needle.len() - 1);
            if !self.more()? {
                return Ok(None);
            }
        }
    }

    fn bytes(&self) -> &[u8] {
        self.source.window().as_bytes()
    }

    /// Passes over white space between tags.
    #[inline]
    pub(crate) fn skip_space(&mut self) -> Result<()> {
        if self.state != State::Content {
            return Ok(());
        }
        loop {
            let bytes = self.bytes();
            let mut pos = self.pos;
            while bytes.get(pos).copied().is_some_and(is_space) {
                pos += 1;
            }
            let end = bytes.len();
            self.pos = pos;
            if pos < end {
                return Ok(());
            }
            self.start = pos;
            self.check_entry()?;
            if !self.more()? {
                return Ok(());
            }
        }
    }

    /// Reads an element whole, if it is `<name>text</name>` with nothing to resolve, and all of it is in the window. Else
    /// nothing is read, and [`next`](Self::next) gives its parts.
    #[inline]
    pub(crate) fn leaf(&mut self) -> Option<Leaf> {
        let bytes = self.bytes().get(self.pos..)?;
        let [b'<', tag @ ..] = bytes else { return None };
        if !tag.first()?.is_ascii_alphabetic() {
            return None;
        }
        let mut colon = None;
        let mut len = 0;
        loop {
            match *tag.get(len)? {
                b'>' => break,
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => {}
                b':' if colon.is_none() => colon = Some(len),
                _ => return None,
            }
            len += 1;
        }
        let name = tag.get(..len)?;
        let after = tag.get(len + 1..)?;
        let text = after.get(..memchr::memchr(b'<', after)?)?;
        let close = after.get(text.len()..)?.get(..len + 3)?;
        let [b'<', b'/', closing @ .., b'>'] = close else {
            return None;
        };
        let total = 1 + len + 1 + text.len() + close.len();
        if closing != name
            || !is_plain(text)
            || len > self.limits.name
            || text.len() > self.limits.token
            || len + 3 > self.limits.token
            || self.open.len() >= self.limits.depth
        {
            return None;
        }
        let namespace = match colon {
            None => self.scope.default_namespace(),
            Some(colon) => {
                // What is not a qualified name, or not declared, is for `next` to report.
                if !tag.get(colon + 1)?.is_ascii_alphabetic() {
                    return None;
                }
                self.scope
                    .namespace(self.text(self.pos + 1..self.pos + 1 + colon).trim())?
            }
        };
        let text_len = text.len();
        let start = self.pos;
        if let Some(anchor) = self.anchor
            && start + total - anchor > self.limits.entry_bytes
        {
            return None;
        }
        self.start = start;
        self.pos = start + total;
        let name = start + 1..start + 1 + len;
        let text = name.end + 1..name.end + 1 + text_len;
        Some(Leaf {
            name,
            namespace,
            text,
        })
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Result<Token> {
        self.start = self.pos;
        if self.state == State::Empty {
            self.close();
            return Ok(Token::End);
        }
        if !self.ensure(1)? {
            return if self.state == State::Epilog {
                Ok(Token::Eof)
            } else {
                Err(self.cut_off())
            };
        }
        let token = if self.bytes()[self.start] == b'<' {
            self.markup()?
        } else {
            self.character_data()?
        };
        if self.state == State::Start {
            self.state = State::Prolog;
        }
        self.check_entry()?;
        Ok(token)
    }

    fn markup(&mut self) -> Result<Token> {
        if !self.ensure(2)? {
            return Err(self.cut_off());
        }
        match self.bytes()[self.start + 1] {
            b'/' => self.end_tag(),
            b'?' => self.instruction(),
            b'!' => self.declaration(),
            _ => self.start_tag(),
        }
    }

    fn character_data(&mut self) -> Result<Token> {
        let mut from = 0;
        let len = loop {
            let rest = &self.bytes()[self.start + from..];
            if let Some(i) = memchr::memchr(b'<', rest) {
                self.check_token(self.start + from + i)?;
                break from + i;
            }
            from += rest.len();
            if !self.more()? {
                break from;
            }
        };
        let span = self.start..self.start + len;
        if self.state != State::Content {
            return self.outside(span);
        }
        if span.end == self.source.window().len() {
            // No text ends a document whose root is open. What is there may be wrong before that.
            self.resolve_text(&span)?;
            return Err(self.cut_off());
        }
        self.pos = span.end;
        let plain = is_plain(&self.bytes()[span.clone()]);
        if !plain {
            self.resolve_text(&span)?;
        }
        Ok(Token::Text { span, plain })
    }

    fn resolve_text(&mut self, span: &Span) -> Result<()> {
        self.resolved.clear();
        let text = self.source.window().get(span.clone()).unwrap_or_default();
        reference::resolve(text, Mode::Text, &mut self.resolved).map_err(|flaw| self.flaw(span, flaw))
    }

    /// Text before or after the root: white space, or an error.
    fn outside(&mut self, span: Span) -> Result<Token> {
        let text = self.text(span.clone());
        if let Some(junk) = text.find(|c: char| !c.is_ascii() || !is_space(c as u8)) {
            let found = quote(text[junk..].trim_end()).to_string();
            let at = span.start + junk;
            return Err(if self.state == State::Epilog {
                self.fail(
                    at,
                    format!("{found} after the end of the root: a document ends with its root; remove it"),
                )
            } else {
                self.fail(at, format!("{found} before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL)"))
                    .rule("P-DECL")
            });
        }
        self.pos = span.end;
        Ok(Token::Aside)
    }

    /// Reads a name at the token's `at`-th byte; all of the token is in the window.
    fn name(&self, span: Span, what: &str) -> Result<Span> {
        let text = self.text(span.clone());
        let len = name_len(text);
        if len == 0 {
            let found = text.chars().next().map_or_else(
                || "the end of it".to_owned(),
                |c| quote(c.encode_utf8(&mut [0; 4])).to_string(),
            );
            return Err(self.fail(span.start, format!("found {found} where the name of {what} begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`")));
        }
        if len > self.limits.name {
            let limit = self.limits.name;
            return Err(self.too_large(span.start, &format!("a name of {len} bytes"), limit, "name_bytes"));
        }
        if !names::is_qualified(&text[..len]) {
            return Err(self.fail(span.start, format!("{} is no qualified name: a name has at most one colon, between prefix and local name (Namespaces in XML section 4)", quote(&text[..len]))));
        }
        Ok(span.start..span.start + len)
    }

    fn skip_space_in(&self, at: usize, end: usize) -> usize {
        self.bytes()[at..end]
            .iter()
            .position(|&b| !is_space(b))
            .map_or(end, |i| at + i)
    }

    /// Where the tag ends: its `>`, or the `<` that cannot be in it.
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
                        return Ok(self.source.window().len());
                    }
                }
                Some(i) => {
                    let b = rest[i];
                    if b == b'<' || (b == b'>' && quoted.is_none()) {
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
        if end == self.source.window().len() {
            return self.cut_off();
        }
        self.fail(end, "found `<` inside a tag: the tag before it has no `>`, or `<` in a value is not written `&lt;` (XML 1.0 section 3.1)")
    }

    fn end_tag(&mut self) -> Result<Token> {
        // The end tag that is expected, in its plainest form.
        if let Some(&open) = self.open.last() {
            let name = self.open_names.as_bytes().get(open..).unwrap_or_default();
            let expected = self
                .bytes()
                .get(self.start + 2..)
                .and_then(|tag| tag.strip_prefix(name));
            if let Some([b'>', ..]) = expected {
                self.pos = self.start + 3 + name.len();
                self.close();
                return Ok(Token::End);
            }
        }
        let end = self.tag_end()?;
        let name = self.name(self.start + 2..end, "an end tag")?;
        let Some(&open) = self.open.last() else {
            return Err(self.fail(
                self.start,
                format!("the end tag {} has no start tag", quote(self.text(name))),
            ));
        };
        let expected = &self.open_names[open..];
        if self.text(name.clone()) != expected {
            return Err(self.fail(
                self.start,
                format!("the end tag `</{}>` where `</{expected}>` is expected: elements end in the order in which they began", self.text(name)),
            ));
        }
        let after = self.skip_space_in(name.end, end);
        if after != end {
            return Err(self.fail(
                after,
                "an end tag holds its name and nothing else (XML 1.0 section 3.1)",
            ));
        }
        if self.bytes().get(end) != Some(&b'>') {
            return Err(self.unclosed(end));
        }
        self.pos = end + 1;
        self.close();
        Ok(Token::End)
    }

    fn close(&mut self) {
        self.scope.leave(self.open.len());
        if let Some(name) = self.open.pop() {
            self.open_names.truncate(name);
        }
        self.state = if self.open.is_empty() {
            State::Epilog
        } else {
            State::Content
        };
    }

    fn start_tag(&mut self) -> Result<Token> {
        let end = self.tag_end()?;
        let name = self.name(self.start + 1..end, "an element")?;
        if self.state == State::Epilog {
            return Err(self.fail(
                self.start,
                format!(
                    "a second root {}: a document has one (XML 1.0 section 2.1); remove it",
                    quote(self.text(name))
                ),
            ));
        }
        if self.open.len() >= self.limits.depth {
            let limit = self.limits.depth;
            return Err(self.too_large(
                self.start,
                "elements nested deeper than the limit",
                limit,
                "depth",
            ));
        }
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
        self.open.push(self.open_names.len());
        self.open_names
            .push_str(self.source.window().get(name.clone()).unwrap_or_default());
        if !self.raw_attributes.is_empty() {
            self.resolve_attributes()?;
        }
        let namespace = self.element_namespace(&name)?;
        self.pos = end + 1;
        self.state = if empty { State::Empty } else { State::Content };
        Ok(Token::Start { name, namespace })
    }

    /// Finds the attributes between a tag's name and its end. Returns whether the tag is an empty element's.
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
                    &format!("more than {limit} attributes on one element"),
                    limit,
                    "attributes",
                ));
            }
            let name = self.name(next..end, "an attribute")?;
            let equals = self.skip_space_in(name.end, end);
            if equals == end || self.bytes()[equals] != b'=' {
                return Err(self.value_missing(equals, end, &name));
            }
            let open = self.skip_space_in(equals + 1, end);
            let quote_mark = match self.bytes().get(open) {
                Some(&mark @ (b'"' | b'\'')) if open < end => mark,
                _ => return Err(self.value_missing(open, end, &name)),
            };
            let Some(len) = memchr::memchr(quote_mark, &self.bytes()[open + 1..end]) else {
                return Err(self.unclosed(end));
            };
            let value = open + 1..open + 1 + len;
            at = value.end + 1;
            self.raw_attributes.push((name, value));
        }
    }

    #[cold]
    fn value_missing(&self, at: usize, end: usize, name: &Span) -> Error {
        if at == end && self.bytes().get(end) != Some(&b'>') {
            return self.unclosed(end);
        }
        let name = quote(self.text(name.clone()));
        self.fail(
            at,
            format!(
                "the attribute {name} has no value in quotes (XML 1.0 section 3.1); write it `name=\"value\"`"
            ),
        )
    }

    /// Resolves the values of the attributes, declares the namespaces among them, and checks that none stands twice.
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
                reference::resolve(text, Mode::Attribute, &mut self.resolved)
                    .map_err(|flaw| self.flaw(raw_value, flaw))?;
                Value::Resolved(start..self.resolved.len())
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
                let what = format!("more than {limit} namespace declarations on one element");
                return Err(self.too_large(name.start, &what, limit, "namespaces"));
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

    /// XML 1.0 section 3.1: no attribute name twice.
    fn check_duplicates(&self) -> Result<()> {
        if self.raw_attributes.len() < 2 {
            return Ok(());
        }
        let mut names: Vec<&Span> = self.raw_attributes.iter().map(|(name, _)| name).collect();
        names.sort_by_key(|name| (self.text((*name).clone()), name.start));
        let twice = names
            .windows(2)
            .filter(|pair| self.text(pair[0].clone()) == self.text(pair[1].clone()))
            .map(|pair| pair[1])
            .min_by_key(|name| name.start);
        match twice {
            None => Ok(()),
            Some(name) => Err(self.fail(
                name.start,
                format!(
                    "the attribute {} twice on one element (XML 1.0 section 3.1); keep one",
                    quote(self.text(name.clone()))
                ),
            )),
        }
    }

    /// Namespaces in XML section 6.3: nor twice under two prefixes of one namespace.
    fn check_expanded_duplicates(&self) -> Result<()> {
        let mut expanded: Vec<(&str, &str, usize)> = self
            .attributes
            .iter()
            .filter_map(|attribute| {
                let (prefix, local) = names::split(self.text(attribute.name.clone()));
                (!prefix.is_empty()).then(|| {
                    (
                        self.scope.uri(prefix).unwrap_or_default(),
                        local,
                        attribute.name.start,
                    )
                })
            })
            .collect();
        expanded.sort_unstable();
        let twice = expanded
            .windows(2)
            .filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1))
            .map(|pair| pair[1].2)
            .min();
        match twice {
            None => Ok(()),
            Some(at) => Err(self.fail(at, "an attribute twice on one element, under two prefixes of one namespace (Namespaces in XML section 6.3); keep one")),
        }
    }

    fn element_namespace(&self, name: &Span) -> Result<Namespace> {
        let (prefix, _) = names::split(self.text(name.clone()));
        if prefix.is_empty() {
            return Ok(self.scope.default_namespace());
        }
        match self.scope.namespace(prefix) {
            Some(namespace) if prefix != "xmlns" => Ok(namespace),
            _ => Err(self.undeclared(name)),
        }
    }

    #[cold]
    fn undeclared(&self, name: &Span) -> Error {
        let (prefix, _) = names::split(self.text(name.clone()));
        self.fail(
            name.start,
            format!("the prefix {0} of {1} is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:{prefix}=\"…\"`", quote(prefix), quote(self.text(name.clone()))),
        )
    }

    /// `<!`: a comment, a CDATA section, or a DOCTYPE.
    fn declaration(&mut self) -> Result<Token> {
        self.ensure(9)?;
        let rest = &self.bytes()[self.start..];
        if rest.starts_with(b"<!--") {
            return self.comment();
        }
        if rest.starts_with(b"<![CDATA[") && self.state == State::Content {
            return self.section();
        }
        if rest.starts_with(b"<!DOCTYPE") && matches!(self.state, State::Start | State::Prolog) {
            return Err(self.fail(
                self.start,
                "a DOCTYPE: a sitemap needs none, and this reader takes none; remove it",
            ));
        }
        if [&b"<!--"[..], b"<![CDATA[", b"<!DOCTYPE"]
            .iter()
            .any(|whole| whole.starts_with(rest))
        {
            return Err(self.cut_off());
        }
        Err(self.fail(
            self.start,
            "`<!` that begins no comment, and nothing else that can be here (XML 1.0 section 2.1)",
        ))
    }

    fn comment(&mut self) -> Result<Token> {
        let Some(end) = self.find(4, "--")? else {
            return Err(self.cut_off());
        };
        self.ensure(end + 3)?;
        let span = self.start + 4..self.start + end;
        self.check_verbatim(&span)?;
        match self.bytes().get(span.end + 2) {
            Some(b'>') => {}
            Some(_) => {
                return Err(self.fail(
                    span.end,
                    "`--` inside a comment (XML 1.0 section 2.5); write `- -`",
                ));
            }
            None => return Err(self.cut_off()),
        }
        self.pos = span.end + 3;
        Ok(Token::Aside)
    }

    fn section(&mut self) -> Result<Token> {
        let Some(end) = self.find(9, "]]>")? else {
            return Err(self.cut_off());
        };
        let span = self.start + 9..self.start + end;
        self.pos = span.end + 3;
        if span.is_empty() {
            return Ok(Token::Aside);
        }
        // Kept apart from the window's text even if nothing in it changes: a section is rare, and never the whole of a value's bytes.
        self.check_verbatim(&span)?;
        Ok(Token::Text { span, plain: false })
    }

    /// Resolves text that has no references, and checks its characters.
    fn check_verbatim(&mut self, span: &Span) -> Result<()> {
        self.resolved.clear();
        let text = self.source.window().get(span.clone()).unwrap_or_default();
        reference::resolve(text, Mode::Verbatim, &mut self.resolved).map_err(|flaw| self.flaw(span, flaw))
    }

    /// `<?`: a processing instruction or the XML declaration.
    fn instruction(&mut self) -> Result<Token> {
        let Some(end) = self.find(2, "?>")? else {
            return Err(self.cut_off());
        };
        let span = self.start + 2..self.start + end;
        let target = self.name(span.clone(), "a processing instruction")?;
        let name = self.text(target.clone());
        if name == "xml" && self.state == State::Start {
            self.xml_declaration(target.end..span.end)?;
        } else if name.eq_ignore_ascii_case("xml") {
            return Err(self.fail(self.start, "an XML declaration that is not at the very start of the document (XML 1.0 section 2.8); remove what is before it (P-DECL)").rule("P-DECL"));
        } else if name.contains(':') {
            return Err(self.fail(
                target.start,
                "the target of a processing instruction has no colon (Namespaces in XML section 7)",
            ));
        } else if target.end < span.end && !is_space(self.bytes()[target.end]) {
            return Err(self.fail(
                target.end,
                "no white space after the target of a processing instruction (XML 1.0 section 2.6)",
            ));
        } else {
            self.check_verbatim(&(target.end..span.end))?;
        }
        self.pos = span.end + 2;
        Ok(Token::Aside)
    }

    /// XML 1.0 section 2.8: version, then encoding, then standalone.
    fn xml_declaration(&self, span: Span) -> Result<()> {
        let text = self.text(span.clone());
        let mut rest = text;
        let mut seen = 0;
        let at = |rest: &str| span.start + text.len() - rest.len();
        loop {
            let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
            if trimmed.is_empty() {
                break;
            }
            if trimmed.len() == rest.len() {
                return Err(self.fail(
                    at(rest),
                    "no white space before a part of the XML declaration (XML 1.0 section 2.8)",
                ));
            }
            let Some((name, value, after)) = pseudo_attribute(trimmed) else {
                return Err(self.fail(at(trimmed), "an XML declaration that is none: it is `<?xml version=\"1.0\" encoding=\"UTF-8\"?>` (P-DECL)").rule("P-DECL"));
            };
            let order = match name {
                "version" => 1,
                "encoding" => 2,
                "standalone" => 3,
                _ => 0,
            };
            let valid = match order {
                1 => value
                    .strip_prefix("1.")
                    .is_some_and(|minor| !minor.is_empty() && minor.bytes().all(|b| b.is_ascii_digit())),
                2 => is_encoding_name(value),
                3 => matches!(value, "yes" | "no"),
                _ => false,
            };
            if order <= seen || (seen == 0 && order != 1) || !valid {
                return Err(self.fail(at(trimmed), format!("{} in the XML declaration: it is `<?xml version=\"1.0\" encoding=\"UTF-8\"?>` (P-DECL)", quote(&trimmed[..trimmed.len() - after.len()]))).rule("P-DECL"));
            }
            if order == 1 && value == "1.1" {
                return Err(self
                    .fail(
                        at(trimmed),
                        "the document is XML 1.1, and a sitemap is XML 1.0 (P-DECL); convert it",
                    )
                    .rule("P-DECL"));
            }
            if order == 2 {
                encoding::check_declared(value)
                    .map_err(|message| self.fail(at(trimmed), message).rule("P-UTF8"))?;
            }
            seen = order;
            rest = after;
        }
        if seen == 0 {
            return Err(self.fail(self.start, "an XML declaration without a version: it is `<?xml version=\"1.0\" encoding=\"UTF-8\"?>` (P-DECL)").rule("P-DECL"));
        }
        Ok(())
    }
}

/// `name = "value"` at the start of `text`, and what follows.
fn pseudo_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let space = [' ', '\t', '\r', '\n'];
    let (name, rest) = text.split_at(text.find(|c: char| !c.is_ascii_alphabetic())?);
    let rest = rest
        .trim_start_matches(space)
        .strip_prefix('=')?
        .trim_start_matches(space);
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (value, after) = rest[1..].split_once(quote)?;
    Some((name, value, after))
}

/// `EncName`, XML 1.0 section 4.3.3.
fn is_encoding_name(name: &str) -> bool {
    name.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}
