//! The XML scanner: splits UTF-8 text without a DOCTYPE into tokens, and checks each by XML 1.0 (fifth edition) and
//! Namespaces in XML 1.0.
//!
//! | file | content |
//! |---|---|
//! | this file | `Scanner`: its state, and the loop that returns the next token |
//! | `tag`, `markup` | start and end tags; comments, CDATA sections, instructions, the XML declaration, a DOCTYPE |
//! | `open` | the names of the open elements |
//! | `cursor`, `lines` | reading text without tokens: compared with text read before, or line by line |
//! | `output` | text before the XML declaration |
//! | `errors` | the errors, and the limits |
//! | `repair` | what a malformed token most likely is, in lenient reading |

mod cursor;
mod errors;
mod lines;
mod markup;
mod open;
mod output;
mod repair;
mod tag;

pub(crate) use cursor::Cursor;

use std::ops::Range;

use sitemap_values::Rule;
use sitemap_values::number::grouped;
use sitemap_values::quote::quote;

use crate::diagnostic::Problem;
use crate::error::{Error, Message, Position, Result};
use crate::limits::Limits;

use super::chars::{is_plain, is_space, name_len};
use super::content;
use super::doctype::Expandable;
use super::names::{self, KnownNamespaces, Namespace, Scope};
use super::reference::{self, Mode};
use super::source::Window;
use super::vocabulary::Vocabulary;
use errors::Unended;
use open::OpenNames;
pub(crate) use repair::is_misspelt_xmlns;
use repair::{Construct, Repairs};

/// A byte range of the window. Valid until the scanner reads on.
pub(crate) type Span = Range<usize>;

/// A token of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A start tag, `<name …>`. Its attributes are in [`Scanner::attributes`].
    Start { name: Span, namespace: Namespace },
    /// An end tag, `</name>`. An empty-element tag, `<name/>`, gives both a start and an end.
    End,
    /// Character data or a CDATA section; never empty. One text may be several tokens. If it is `plain`, `span` is its text;
    /// otherwise [`Scanner::resolved`] has the text with references resolved and line ends normalised.
    Text { span: Span, plain: bool },
    /// A comment, a processing instruction or the XML declaration.
    Aside,
    /// The end of the document.
    Eof,
}

/// An attribute value: a range of the window, or of the resolved text if it contains references or white space other than
/// spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Window(Span),
    Resolved(Span),
}

/// An attribute, other than a namespace declaration.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Span,
    pub(crate) namespace: Namespace,
    /// The text between the quotes, references unresolved.
    pub(crate) raw: Span,
    pub(crate) value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the start of the document, the only place for an XML declaration.
    Start,
    /// Before the root.
    Prolog,
    /// Within the root.
    Content,
    /// After an empty-element tag, whose end is the next token.
    Empty,
    /// Lenient reading only: the next tokens are the ends of elements that the document leaves open.
    Closing,
    /// After the root.
    Epilog,
}

/// The maximum number of bytes read beyond the longest token before it is rejected: `<![CDATA[` is recognised by nine bytes, and the
/// end of a construct may reach beyond the limit. The limit is therefore the same for any sizes of reads.
const BEYOND: usize = 8;

/// Reads a document token by token.
#[derive(Debug)]
pub(crate) struct Scanner<S> {
    vocabulary: &'static Vocabulary,
    source: Expandable<S>,
    limits: Limits,
    state: State,
    /// The end of the last token, as an offset in the window, like `start` and `anchor`.
    pos: usize,
    /// The start of the last token, or of the token being read.
    start: usize,
    /// The start of the text to keep in the window, if that is before the token.
    anchor: Option<usize>,
    open: OpenNames,
    scope: Scope,
    attributes: Vec<Attribute>,
    /// The names and values of all attributes, namespace declarations included.
    raw_attributes: Vec<(Span, Span)>,
    /// Text and attribute values with their references resolved.
    resolved: String,
    /// The number of bytes that have left the window. It wraps around.
    moved: usize,
    /// The error of the source after the text in the window, found when only the beginning was looked at.
    failure_behind: Option<Error>,
    /// The state of lenient reading; `None` when reading strictly.
    repairs: Option<Box<Repairs>>,
    /// Notes of a strict reading about text that it ignores, and the number of those that did not fit; `None` if nobody asks for them.
    ignored: Option<Box<(Vec<Problem>, u64)>>,
}

impl<S: Window> Scanner<S> {
    pub(crate) fn new(
        source: S,
        limits: Limits,
        known: KnownNamespaces,
        vocabulary: &'static Vocabulary,
    ) -> Self {
        Scanner {
            vocabulary,
            source: Expandable::Plain(source),
            limits,
            state: State::Start,
            pos: 0,
            start: 0,
            anchor: None,
            open: OpenNames::default(),
            scope: Scope::new(known),
            attributes: Vec::new(),
            raw_attributes: Vec::new(),
            resolved: String::new(),
            moved: 0,
            failure_behind: None,
            repairs: None,
            ignored: None,
        }
    }

    pub(crate) fn source(&self) -> &Expandable<S> {
        &self.source
    }

    /// The document's source; `None` if the document has a DOCTYPE.
    pub(crate) fn source_mut(&mut self) -> Option<&mut S> {
        match &mut self.source {
            Expandable::Plain(source) => Some(source),
            Expandable::Expanded(_) | Expandable::Moving => None,
        }
    }

    /// The document's source, with or without a DOCTYPE.
    pub(crate) fn origin(&self) -> &S {
        self.source.origin()
    }

    pub(crate) fn origin_mut(&mut self) -> &mut S {
        self.source.origin_mut()
    }

    pub(crate) fn into_origin(self) -> S {
        self.source.into_origin()
    }

    pub(crate) fn into_source(self) -> Option<S> {
        match self.source {
            Expandable::Plain(source) => Some(source),
            Expandable::Expanded(_) | Expandable::Moving => None,
        }
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        self.source.window().get(span).unwrap_or_default()
    }

    /// The text of an attribute value.
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

    /// The namespaces that the reader recognises.
    pub(crate) fn known(&self) -> &KnownNamespaces {
        self.scope.known()
    }

    /// The same, to add one before the root is read.
    pub(crate) fn known_mut(&mut self) -> &mut KnownNamespaces {
        self.scope.known_mut()
    }

    /// The namespace URI that a prefix is bound to.
    pub(crate) fn uri(&self, prefix: &str) -> Option<&str> {
        self.scope.uri(prefix)
    }

    /// The namespace that a prefix is bound to; `None` if it is not declared.
    pub(crate) fn namespace(&self, prefix: &str) -> Option<Namespace> {
        self.scope.namespace(prefix)
    }

    /// The position of the first bytes that were invalid in their encoding and replaced, and that encoding.
    pub(crate) fn odd_bytes(&self) -> Option<(Position, &'static str)> {
        self.source.origin().odd_bytes()
    }

    /// Treats the namespace of a prefix as the core namespace.
    pub(crate) fn take_for_core(&mut self, prefix: &str) {
        self.scope.take_for_core(prefix);
    }

    /// A number that identifies the namespace declarations in scope.
    #[inline]
    pub(crate) fn scope(&self) -> u64 {
        self.scope.generation()
    }

    /// The name of the open element at this depth; 0 is the outermost.
    pub(crate) fn open_name(&self, index: usize) -> Option<&str> {
        self.open.name(index)
    }

    /// Accepts prefixes that are not declared: for a part of a document, whose namespaces are declared around it.
    pub(crate) fn accept_prefixes(&mut self) {
        self.scope.accept_prefixes();
    }

    /// The number of open elements.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The range of the last token.
    pub(crate) fn token(&self) -> Span {
        self.start..self.pos
    }

    /// The names and values of all attributes of the last token, a start tag, namespace declarations included.
    pub(crate) fn all_attributes(&self) -> &[(Span, Span)] {
        &self.raw_attributes
    }

    /// Like [`all_attributes`](Self::all_attributes), for a tag with its name at `name`. `None` if it must be read token by token every
    /// time: its end tag would be too long, or it was repaired, which gives a diagnostic each time.
    pub(crate) fn known_attributes(&self, name: &Span) -> Option<&[(Span, Span)]> {
        let is_repaired = self
            .repairs
            .as_ref()
            .is_some_and(|repairs| repairs.has_repaired_tag);
        let is_too_long = "</".len() + name.len() > self.limits.token_bytes;
        (!is_repaired && !is_too_long).then_some(&self.raw_attributes)
    }

    /// Keeps the text from the start of the last token on in the window, until [`release`](Self::release).
    pub(crate) fn hold(&mut self) {
        self.anchor = Some(self.start);
    }

    /// Drops the first `len` bytes of the kept text.
    pub(crate) fn hold_behind(&mut self, len: usize) {
        if let Some(anchor) = &mut self.anchor {
            *anchor += len;
        }
    }

    pub(crate) fn release(&mut self) {
        self.anchor = None;
    }

    /// Returns `true` if the window keeps text.
    pub(crate) fn is_holding(&self) -> bool {
        self.anchor.is_some()
    }

    /// The start of the kept text in the window.
    pub(crate) fn held(&self) -> usize {
        self.anchor.unwrap_or(self.start)
    }

    /// The byte offset in the document of an offset in the window.
    pub(crate) fn offset_of(&self, at: usize) -> u64 {
        self.source.byte(at)
    }

    pub(crate) fn position(&self, at: usize) -> Position {
        // Problems in an entry's values are found after problems in its markup, and problems within a value in any order.
        let mark = self.anchor.unwrap_or(self.start).min(at);
        self.source.position(mark, at)
    }

    /// Reads more text into the window; `false` at the end of the document, which for lenient reading is also where the rest is
    /// damaged. All offsets in the window may change.
    fn more(&mut self) -> Result<bool> {
        let read = self.source.window().len().saturating_sub(BEYOND);
        self.check_token(read.max(self.start))?;
        let moved = self
            .source
            .let_go(self.anchor.unwrap_or(self.start).min(self.start));
        self.start -= moved;
        self.pos -= moved;
        self.moved = self.moved.wrapping_add(moved);
        if let Some(anchor) = &mut self.anchor {
            *anchor -= moved;
        }
        self.more_of_source()
    }

    /// Reads more text from the source, unless it has failed there already: then returns that error.
    fn read_source(&mut self) -> Result<bool> {
        match self.failure_behind.take() {
            Some(failure) => Err(failure),
            None => self.source.more(),
        }
    }

    /// Reads until the window has `len` bytes of the token; `false` if the document is shorter.
    fn ensure(&mut self, len: usize) -> Result<bool> {
        while self.source.window().len() < self.start + len {
            if !self.more()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The offset in the token of `needle`, searched from offset `from` on.
    fn find(&mut self, from: usize, needle: &str) -> Result<Option<usize>> {
        let mut from = from;
        loop {
            let rest =
                &self.source.window().as_bytes()[(self.start + from).min(self.source.window().len())..];
            if let Some(i) = memchr::memmem::find(rest, needle.as_bytes()) {
                self.check_token(self.start + from + i)?;
                return Ok(Some(from + i));
            }
            // The needle may begin before the end of the window.
            from += rest.len().saturating_sub(needle.len() - 1);
            if !self.more()? {
                return Ok(None);
            }
        }
    }

    fn bytes(&self) -> &[u8] {
        self.source.window().as_bytes()
    }

    /// Skips white space in the window; `false` if it reaches to the window's end.
    #[inline]
    fn skip_space_in_window(&mut self) -> bool {
        let rest = self
            .source
            .window()
            .as_bytes()
            .get(self.pos..)
            .unwrap_or_default();
        let space = rest.iter().take_while(|b| is_space(**b)).count();
        self.pos += space;
        space < rest.len()
    }

    /// Skips white space between tags.
    #[inline]
    pub(crate) fn skip_space(&mut self) -> Result<()> {
        if self.state != State::Content {
            return Ok(());
        }
        while !self.skip_space_in_window() {
            self.check_size()?;
            self.start = self.pos;
            self.check_entry()?;
            if !self.more()? {
                break;
            }
        }
        self.check_entry()?;
        self.check_size()
    }

    /// The next token.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Token> {
        match &self.repairs {
            Some(repairs) if !repairs.is_ahead() => self.next_lenient(),
            _ => self.next_strict(),
        }
    }

    /// The next token, after a repair if necessary.
    fn next_lenient(&mut self) -> Result<Token> {
        if self.state == State::Closing {
            self.start = self.pos;
            return Ok(self.close_pending());
        }
        if let Some(repairs) = &mut self.repairs {
            repairs.has_repaired_tag = false;
        }
        let (depth, declared) = (self.open.len(), self.scope.declared());
        match self.next_strict() {
            Ok(token @ Token::Start { .. }) => {
                if self.scope.declared() != declared {
                    self.note_odd_namespaces();
                }
                self.close_implied(token, depth)
            }
            Ok(token) => Ok(token),
            Err(error) => {
                let token = self.repair(error, depth)?;
                if self.scope.declared() != declared {
                    self.note_odd_namespaces();
                }
                // Now, while the place where the document becomes too large is in the window.
                self.check_size()?;
                Ok(token)
            }
        }
    }

    /// The next token of a well-formed document.
    fn next_strict(&mut self) -> Result<Token> {
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
        self.check_size()?;
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
            return Err(self.cut_off());
        }
        self.pos = span.end;
        let plain = is_plain(&self.bytes()[span.clone()]) || !self.resolve(&span, Mode::Text)?;
        Ok(Token::Text { span, plain })
    }

    /// Resolves references and line ends into `resolved`, and checks the characters; `false` if nothing had to be resolved.
    fn resolve(&mut self, span: &Span, mode: Mode) -> Result<bool> {
        self.resolved.clear();
        let text = self.source.window().get(span.clone()).unwrap_or_default();
        reference::resolve(text, mode, &mut self.resolved).map_err(|flaw| self.flaw(span, flaw))
    }

    /// Text before or after the root: white space, or an error.
    fn outside(&mut self, span: Span) -> Result<Token> {
        let text = self.text(span.clone());
        if let Some(junk) = text.find(|c: char| !c.is_ascii() || !is_space(c as u8)) {
            let found = quote(text[junk..].trim_end()).to_string();
            let (what, advice) = content::of_text(&text[junk..]);
            let at = span.start + junk;
            return Err(if self.state == State::Epilog {
                self.fail(
                    at,
                    Message::new(format!(
                        "{found} after the end of the root: a document ends with its root"
                    ))
                    .advice("remove it"),
                )
            } else {
                let problem = format!("{found} before the root: this is {what}, not XML");
                let message = match advice {
                    Some(advice) => Message::new(problem).advice(advice),
                    None => Message::new(format!(
                        "{problem}; {} begins with `<?xml` or its root",
                        self.vocabulary.document
                    )),
                };
                self.fail(at, message).breaks(Rule::Decl)
            });
        }
        self.pos = span.end;
        Ok(Token::Aside)
    }

    /// The name at the start of `span`, which ends with the tag.
    fn name(&self, span: Span, what: &str) -> Result<Span> {
        let text = self.text(span.clone());
        let len = name_len(text);
        if len == 0 {
            let rest = self.source.window().get(span.start..).unwrap_or_default();
            let found = rest.chars().next().map_or_else(
                || "the end of the document".to_owned(),
                |c| quote(c.encode_utf8(&mut [0; 4])).to_string(),
            );
            return Err(self.fail(
                span.start,
                Message::new(format!(
                    "found {found} where the name of {what} begins (XML 1.0 section 2.3)"
                ))
                .advice("if it is text, `<` is written `&lt;`"),
            ));
        }
        if len > self.limits.name_bytes {
            let (len, limit) = (grouped(len as u64), grouped(self.limits.name_bytes as u64));
            return Err(self.too_large(
                span.start,
                format!("a name of {len} bytes, and {limit} are allowed"),
                crate::error::trust(),
            ));
        }
        Ok(span.start..span.start + len)
    }

    /// Like [`name`](Self::name), for a qualified name: at most one colon, between two names (Namespaces in XML section 4).
    fn qualified_name(&self, span: Span, what: &str) -> Result<Span> {
        let name = self.name(span, what)?;
        let text = self.text(name.clone());
        if names::is_qualified(text) {
            return Ok(name);
        }
        let message = format!(
            "{} is not a qualified name: a name has at most one colon, between prefix and local name (Namespaces in XML section \
             4)",
            quote(text)
        );
        Err(self.fail(name.start, message))
    }
}
