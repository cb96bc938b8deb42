//! Reading on where a document is not well-formed: what a broken token most likely is.
//!
//! Nothing of this is asked for until the strict reading has made an error; the same parser then goes on behind it.

use crate::error::{Category, Error, Message, Result};
use crate::rule::Rule;
use crate::xml::chars::{is_space, name_len};
use crate::xml::html;
use crate::xml::names::{self, Namespace};
use crate::xml::reference::{self, FlawKind, Mode};
use crate::xml::source::Window;

use super::{Attribute, Scanner, Span, State, Token, Value};

/// The most problems that are kept until somebody takes them.
const MOST_NOTES: usize = 1000;

/// What a lenient reading knows.
#[derive(Debug, Default)]
pub(crate) struct Repairs {
    /// What was wrong, with its place, and how much more of it there was.
    notes: Vec<Error>,
    left_out: u64,
    /// How many elements are to be closed before the next token is read.
    pub(super) closing: usize,
    /// Whether the document ended before its elements did.
    is_cut: bool,
    /// How many elements are open with the entry that is being read; 0 if none is.
    entry: usize,
    /// What an entry's element is called in a feed.
    item: Option<&'static str>,
    /// The namespace of the item that is being read.
    item_uri: String,
    /// The byte up to which each end of a construct was sought and is not.
    sought: [u64; 3],
    /// Why there is no more text.
    failure: Option<Error>,
    /// Whether the last start tag was repaired.
    pub(super) has_repaired_tag: bool,
}

/// What may not end; see [`Repairs::sought`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Construct {
    Comment,
    Section,
    Instruction,
}

impl Construct {
    pub(super) fn end(self) -> &'static str {
        match self {
            Construct::Comment => "-->",
            Construct::Section => "]]>",
            Construct::Instruction => "?>",
        }
    }
}

fn is_entry(local: &str) -> bool {
    local.eq_ignore_ascii_case("url") || local.eq_ignore_ascii_case("sitemap")
}

fn is_root(local: &str) -> bool {
    local.eq_ignore_ascii_case("urlset") || local.eq_ignore_ascii_case("sitemapindex")
}

fn is_core_leaf(local: &str) -> bool {
    ["loc", "lastmod", "changefreq", "priority"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(local))
}

impl<S: Window> Scanner<S> {
    /// Reads on behind what is not well-formed from here on.
    pub(crate) fn be_lenient(&mut self) {
        self.repairs = Some(Box::default());
    }

    /// Says what an entry's element is called in a feed.
    pub(crate) fn set_item(&mut self, item: &'static str) {
        if let Some(repairs) = &mut self.repairs {
            repairs.item = Some(item);
        }
    }

    /// Whether a local name is that of an entry.
    fn is_entry(&self, local: &str) -> bool {
        match self.repairs.as_ref().and_then(|repairs| repairs.item) {
            Some(item) => local.eq_ignore_ascii_case(item),
            None => is_entry(local),
        }
    }

    pub(crate) fn is_lenient(&self) -> bool {
        self.repairs.is_some()
    }

    /// Sets how many elements are open with the entry that is being read; 0 if none is.
    #[inline(always)]
    pub(crate) fn set_entry(&mut self, depth: usize) {
        if let Some(repairs) = &mut self.repairs {
            repairs.entry = depth;
        }
    }

    /// Remembers the namespace of the feed's item whose start tag was the last token.
    pub(crate) fn set_item_namespace(&mut self) {
        if let Some(repairs) = &mut self.repairs {
            let (prefix, _) = names::split(self.open.last().unwrap_or_default());
            let uri = self.scope.uri(prefix).unwrap_or_default();
            uri.clone_into(&mut repairs.item_uri);
        }
    }

    /// Whether the elements that end now were cut off by the document's end.
    pub(crate) fn is_cut(&self) -> bool {
        self.repairs.as_ref().is_some_and(|repairs| repairs.is_cut)
    }

    /// Whether anything is noted.
    #[inline]
    pub(crate) fn has_notes(&self) -> bool {
        match &self.repairs {
            Some(repairs) => !repairs.notes.is_empty() || repairs.left_out > 0,
            None => false,
        }
    }

    /// Takes what was wrong so far, and how much more of it was not kept.
    pub(crate) fn take_notes(&mut self) -> (Vec<Error>, u64) {
        match &mut self.repairs {
            Some(repairs) => (
                std::mem::take(&mut repairs.notes),
                std::mem::take(&mut repairs.left_out),
            ),
            None => (Vec::new(), 0),
        }
    }

    /// Notes what is wrong and read all the same.
    #[cold]
    pub(crate) fn note(&mut self, error: Error) {
        if let Some(repairs) = &mut self.repairs {
            if repairs.notes.len() < MOST_NOTES {
                repairs.notes.push(error);
            } else {
                repairs.left_out += 1;
            }
        }
    }

    /// Why there is no more text, if that was found out while a token was repaired.
    pub(super) fn take_failure(&mut self) -> Option<Error> {
        self.repairs.as_mut().and_then(|repairs| repairs.failure.take())
    }

    /// The end of an element that the document does not close, or not yet.
    pub(super) fn close_pending(&mut self) -> Token {
        self.close();
        if let Some(repairs) = &mut self.repairs {
            repairs.closing -= 1;
            if repairs.closing > 0 {
                self.state = State::Closing;
            }
        }
        Token::End
    }

    /// Closes so many elements before the token at `start` is read.
    fn close_first(&mut self, count: usize) -> Result<Token> {
        self.pos = self.start;
        if let Some(repairs) = &mut self.repairs {
            repairs.closing = count;
        }
        self.state = State::Closing;
        self.next()
    }

    /// Undoes a start tag that was opened above `depth`.
    fn undo(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.scope.leave(self.open.len());
            self.open.pop();
        }
        self.pos = self.start;
    }

    /// Whether the end of a construct is known to be nowhere near.
    pub(super) fn is_sought_in_vain(&self, construct: Construct) -> bool {
        let at = self.offset_of(self.start);
        self.repairs
            .as_ref()
            .is_some_and(|repairs| at < repairs.sought[construct as usize])
    }

    /// An element that starts where another one has to end first.
    pub(super) fn close_implied(&mut self, token: Token, depth: usize) -> Result<Token> {
        let (Token::Start { name, namespace }, Some(repairs)) = (&token, &self.repairs) else {
            return Ok(token);
        };
        let entry = repairs.entry;
        if entry == 0 || depth < entry {
            return Ok(token);
        }
        let (prefix, local) = names::split(self.text(name.clone()));
        let is_schema = !matches!(namespace, Namespace::Other | Namespace::User(_) | Namespace::Xml);
        let is_feed = repairs.item.is_some();
        let is_of_feed = is_feed && self.scope.uri(prefix).unwrap_or_default() == repairs.item_uri;
        let count = if (namespace.is_core() && !is_feed || is_of_feed) && self.is_entry(local) {
            depth + 1 - entry
        } else if is_schema
            && !is_feed
            && depth > entry
            && self.open.name(entry).is_some_and(|name| self.is_leaf(name))
        {
            depth - entry
        } else {
            return Ok(token);
        };
        let inner = self.open.name(depth - 1).unwrap_or_default().to_owned();
        let found = local.to_owned();
        let error = self.fail(
            self.start,
            Message::new(format!("`{found}` begins before the end tag of `{inner}`"))
                .advice("add the end tag"),
        );
        self.undo(depth);
        self.note(error);
        self.close_first(count)
    }

    fn is_leaf(&self, name: &str) -> bool {
        let (prefix, local) = names::split(name);
        let namespace = match prefix {
            "" => self.scope.default_namespace(),
            prefix => self.scope.namespace(prefix).unwrap_or(Namespace::Other),
        };
        namespace.is_core() && is_core_leaf(local)
    }

    /// What the token at which the strict reading has failed most likely is.
    #[cold]
    pub(super) fn repair(&mut self, error: Error, depth: usize) -> Result<Token> {
        // What was decompressed before is all there is, as to gzip(1).
        let is_end = error.category() == Category::Eof || is_gzip_damage(&error);
        let is_damage = error.rule() == Some(Rule::Utf8);
        match error.category() {
            _ if is_end => {}
            Category::Syntax | Category::Data if !is_damage => {}
            Category::Limit if self.is_endless_construct(&error) => {}
            _ => return Err(error),
        }
        self.undo(depth);
        let rest = self.bytes().get(self.start..).unwrap_or_default();
        if self.open.is_empty() && self.state != State::Epilog && (rest.is_empty() || rest == b"<") {
            // There is no root: what was wrong first says why.
            let (mut notes, _) = self.take_notes();
            return Err(if notes.is_empty() {
                error
            } else {
                notes.swap_remove(0)
            });
        }
        let ends = is_end;
        self.note(error);
        let token = match rest_kind(self.bytes().get(self.start..).unwrap_or_default()) {
            Kind::Nothing => self.end_early(),
            Kind::Text => self.repair_text(0),
            Kind::Construct(construct) => Ok(self.repair_construct(construct)),
            Kind::Declaration => {
                self.load(|scanner| scanner.tag_end_from(scanner.start + 2).0 < scanner.near().len());
                self.skip_tag(2)
            }
            Kind::EndTag => self.repair_end_tag(ends),
            Kind::StartTag => self.repair_start_tag(ends, depth),
            Kind::Bare => {
                self.load(|scanner| scanner.start + scanner.bare_len() < scanner.near().len());
                self.repair_text(self.bare_len())
            }
        }?;
        if self.state == State::Start {
            self.state = State::Prolog;
        }
        Ok(token)
    }

    /// The window up to where the token has to end by its limit: however much more of the document is there, what a repair finds is the
    /// same.
    fn near(&self) -> &[u8] {
        let window = self.source.window();
        let end = self.start.saturating_add(self.limits.token).saturating_add(1);
        let mut end = end.min(window.len());
        while !window.is_char_boundary(end) {
            end -= 1;
        }
        window.as_bytes().get(..end).unwrap_or_default()
    }

    /// Reads more text until there is enough of it for the token, or no more, or more than it may have.
    pub(super) fn load(&mut self, is_enough: impl Fn(&Self) -> bool) {
        while !is_enough(self) {
            match self.more() {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    // That the token is too long says nothing here; whatever else failed is told before the next one.
                    if let Some(repairs) = self
                        .repairs
                        .as_mut()
                        .filter(|_| error.category() != Category::Limit)
                    {
                        repairs.failure = Some(error);
                    }
                    return;
                }
            }
        }
    }

    /// How many `<` stand here of which none begins anything.
    fn bare_len(&self) -> usize {
        let rest = self.near().get(self.start..).unwrap_or_default();
        (0..rest.len())
            .take_while(|&i| matches!(rest_kind(&rest[i..]), Kind::Bare))
            .count()
    }

    /// Whether the error is that a construct does not end within the limit of tokens, and not that the entry or document is too large.
    fn is_endless_construct(&self, error: &Error) -> bool {
        self.begins_construct().is_some() && error.rule() != Some(Rule::Size) && self.check_entry().is_ok()
    }

    fn begins_construct(&self) -> Option<Construct> {
        match rest_kind(self.bytes().get(self.start..)?) {
            Kind::Construct(construct) => Some(construct),
            _ => None,
        }
    }

    /// The document ends, and what is open in it with it.
    fn end_early(&mut self) -> Result<Token> {
        self.start = self.source.window().len();
        self.pos = self.start;
        let count = self.open.len();
        if count == 0 {
            return Ok(Token::Eof);
        }
        if let Some(repairs) = &mut self.repairs {
            repairs.is_cut = true;
        }
        self.close_first(count)
    }

    /// Text with something in it that XML does not allow; its first `bare` bytes are no markup.
    fn repair_text(&mut self, bare: usize) -> Result<Token> {
        self.load(|scanner| {
            let rest = scanner.near().get(scanner.start + bare..);
            rest.is_some_and(|rest| memchr::memchr(b'<', rest).is_some())
        });
        let from = self.start + bare;
        let rest = self.near().get(from..).unwrap_or_default();
        let end = memchr::memchr(b'<', rest).map(|len| from + len);
        if self.state != State::Content {
            self.pos = end.unwrap_or(self.near().len());
            return Ok(Token::Aside);
        }
        let Some(end) = end else {
            self.check_token(self.source.window().len())?;
            return self.end_early();
        };
        let span = self.start..end;
        self.pos = end;
        let mut resolved = String::new();
        resolve(self.text(span.clone()), Mode::Text, &mut resolved);
        self.resolved = resolved;
        Ok(Token::Text { span, plain: false })
    }

    /// Where the next tag is at or after `from` that begins an entry, or ends one or the root.
    fn next_entry_tag(&self, from: usize) -> usize {
        let bytes = self.near();
        let from = from.min(bytes.len());
        memchr::memchr_iter(b'<', &bytes[from..])
            .map(|at| from + at)
            .find(|&at| {
                let name = bytes[at + 1..].strip_prefix(b"/").unwrap_or(&bytes[at + 1..]);
                let len = name
                    .iter()
                    .take(80)
                    .position(|b| is_space(*b) || matches!(b, b'>' | b'/' | b'<'));
                let name = len.and_then(|len| std::str::from_utf8(&name[..len]).ok());
                name.is_some_and(|name| {
                    let (_, local) = names::split(name);
                    self.is_entry(local) || is_root(local)
                })
            })
            .unwrap_or(bytes.len())
    }

    /// A comment, a CDATA section or a processing instruction that is broken, or does not end before the next entry.
    fn repair_construct(&mut self, construct: Construct) -> Token {
        let found = if self.is_sought_in_vain(construct) {
            None
        } else {
            self.find(2, construct.end()).ok().flatten()
        };
        match found {
            Some(end) => {
                let end = self.start + end;
                self.pos = end + construct.end().len();
                if matches!(construct, Construct::Section) && self.state == State::Content {
                    let span = (self.start + 9).min(end)..end;
                    let mut resolved = String::new();
                    resolve(self.text(span.clone()), Mode::Verbatim, &mut resolved);
                    self.resolved = resolved;
                    return Token::Text { span, plain: false };
                }
            }
            None => {
                let to = self.offset_of(self.near().len());
                if let Some(repairs) = &mut self.repairs {
                    let sought = &mut repairs.sought[construct as usize];
                    *sought = to.max(*sought);
                }
                let is_instruction = matches!(construct, Construct::Instruction);
                self.load(|scanner| {
                    let end = if is_instruction {
                        scanner.tag_end_from(scanner.start + 2).0
                    } else {
                        scanner.next_entry_tag(scanner.start + 2)
                    };
                    end < scanner.near().len()
                });
                self.pos = match construct {
                    // The XML declaration, for one: its tag ends where a tag does.
                    Construct::Instruction => self.tag_end_from(self.start + 2).0,
                    _ => self.next_entry_tag(self.start + 2),
                };
            }
        }
        Token::Aside
    }

    /// Where a tag ends that has no quotes to be heeded, and whether its `>` is there.
    fn tag_end_from(&self, from: usize) -> (usize, bool) {
        let bytes = self.near();
        let rest = bytes.get(from..).unwrap_or_default();
        match memchr::memchr2(b'<', b'>', rest) {
            Some(len) if rest[len] == b'>' => (from + len + 1, true),
            Some(len) => (from + len, false),
            None => (bytes.len(), false),
        }
    }

    fn skip_tag(&mut self, from: usize) -> Result<Token> {
        let (end, _) = self.tag_end_from(self.start + from);
        if end == self.near().len() {
            self.check_token(self.source.window().len())?;
        }
        self.pos = end;
        Ok(Token::Aside)
    }

    fn repair_end_tag(&mut self, ends: bool) -> Result<Token> {
        if ends {
            return self.end_early();
        }
        self.load(|scanner| scanner.tag_end_from(scanner.start + 2).0 < scanner.near().len());
        let text = self.source.window().get(self.start + 2..).unwrap_or_default();
        let name = &text[..name_len(text)];
        let Some(above) = self.open.above(name) else {
            return self.skip_tag(2);
        };
        if above > 0 {
            return self.close_first(above);
        }
        self.pos = self.tag_end_from(self.start + 2).0;
        self.close();
        Ok(Token::End)
    }

    fn repair_start_tag(&mut self, ends: bool, depth: usize) -> Result<Token> {
        self.load(|scanner| {
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
        let Some((end, after)) = self.lenient_tag_end(name.end).filter(|_| !ends) else {
            self.check_token(self.source.window().len())?;
            return self.end_early();
        };
        let (_, local) = names::split(&text[..len]);
        if self.state == State::Epilog {
            if !is_entry(local) && !is_root(local) {
                self.pos = after;
                return Ok(Token::Aside);
            }
            if is_entry(local) {
                self.open.push("urlset");
            }
        }
        let is_empty = self.text(name.end..end).trim_end().ends_with('/');
        let qualified = self.text(name.clone()).to_owned();
        self.open.push(&qualified);
        self.read_attributes(name.end..end);
        let (prefix, _) = names::split(&qualified);
        let namespace = self.lenient_namespace(prefix);
        self.pos = after;
        self.state = if is_empty { State::Empty } else { State::Content };
        if let Some(repairs) = &mut self.repairs {
            repairs.has_repaired_tag = true;
        }
        self.close_implied(Token::Start { name, namespace }, depth)
    }

    /// The namespace that a prefix stands for; of one that nobody declares, the one that it usually stands for.
    fn lenient_namespace(&self, prefix: &str) -> Namespace {
        let declared = match prefix {
            "" => Some(self.scope.default_namespace()),
            prefix => self.scope.namespace(prefix),
        };
        declared
            .or_else(|| self.scope.known().of_prefix(prefix))
            .unwrap_or(Namespace::Other)
    }

    /// Where a start tag ends, and where what is behind it begins; `None` if the document ends before.
    fn lenient_tag_end(&self, from: usize) -> Option<(usize, usize)> {
        let bytes = self.near();
        let mut at = from;
        loop {
            match *bytes.get(at)? {
                b'>' => return Some((at, at + 1)),
                b'<' => return Some((at, at)),
                quote @ (b'"' | b'\'') => {
                    let rest = &bytes[at + 1..];
                    // A quote that is not closed before the next tag is none.
                    match memchr::memchr2(quote, b'<', rest) {
                        Some(len) if rest[len] == quote => at += len + 2,
                        _ => at += 1,
                    }
                }
                _ => at += 1,
            }
        }
    }

    /// Reads the attributes that can be read, and passes over what is between them.
    fn read_attributes(&mut self, span: Span) {
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
        let mut declared = 0;
        for (name, raw) in &found {
            let start = out.len();
            resolve(self.text(raw.clone()), Mode::Attribute, &mut out);
            let (prefix, local) = names::split(self.source.window().get(name.clone()).unwrap_or_default());
            let declares = match (prefix, local) {
                ("", "xmlns") => Some(""),
                ("xmlns", local) => Some(local),
                _ => None,
            };
            match declares {
                Some(declares) if declared < self.limits.namespaces => {
                    declared += 1;
                    // What declares nothing is passed over.
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
        for i in 0..self.attributes.len() {
            let (prefix, _) = names::split(self.text(self.attributes[i].name.clone()));
            if !prefix.is_empty() {
                self.attributes[i].namespace = self.lenient_namespace(prefix);
            }
        }
    }
}

/// Whether an error says that no more can be decompressed.
pub(super) fn is_gzip_damage(error: &Error) -> bool {
    error.rule() == Some(Rule::Gzip) && matches!(error.category(), Category::Io | Category::Eof)
}

/// What follows an attribute's name: how many bytes there are before its value, and the value.
fn attribute_value(text: &str) -> Option<(usize, &str)> {
    let value = text.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (inner, _) = value[1..].split_once(quote)?;
    Some((text.len() - value.len() + 1, inner))
}

enum Kind {
    Nothing,
    Text,
    Construct(Construct),
    Declaration,
    EndTag,
    StartTag,
    /// A `<` that begins nothing.
    Bare,
}

fn rest_kind(rest: &[u8]) -> Kind {
    match rest {
        [] => Kind::Nothing,
        [b'<', b'!', b'-', b'-', ..] => Kind::Construct(Construct::Comment),
        [b'<', b'!', b'[', b'C', ..] => Kind::Construct(Construct::Section),
        [b'<', b'?', ..] => Kind::Construct(Construct::Instruction),
        [b'<', b'!', ..] => Kind::Declaration,
        [b'<', b'/', ..] => Kind::EndTag,
        [b'<', b, ..] if b.is_ascii_alphabetic() || matches!(b, b'_' | b':' | 0x80..) => Kind::StartTag,
        [b'<', ..] => Kind::Bare,
        _ => Kind::Text,
    }
}

/// Appends what `text` most likely means: a `&` that does not begin a reference is itself, an entity of HTML its character, and what
/// XML cannot hold is left out.
pub(super) fn resolve(text: &str, mode: Mode, out: &mut String) {
    let mut rest = text;
    loop {
        let kept = out.len();
        let flaw = match reference::resolve(rest, mode, out) {
            Ok(true) => return,
            Ok(false) => return out.push_str(rest),
            Err(flaw) => flaw,
        };
        out.truncate(kept);
        // What stands before it has no flaw.
        if matches!(reference::resolve(&rest[..flaw.at], mode, out), Ok(false)) {
            out.push_str(&rest[..flaw.at]);
        }
        let at = &rest[flaw.at..];
        let len = match flaw.kind {
            FlawKind::Character(c) => c.len_utf8(),
            FlawKind::Reference => at.find(';').map_or(1, |end| end + 1),
            FlawKind::Entity { len } => match at.get(1..len - 1).and_then(html::entity) {
                Some(c) => {
                    out.push(c);
                    len
                }
                None => {
                    out.push('&');
                    1
                }
            },
            FlawKind::Ampersand => {
                out.push('&');
                1
            }
            FlawKind::SectionEnd => {
                out.push_str("]]>");
                3
            }
        };
        rest = at.get(len..).unwrap_or_default();
    }
}
