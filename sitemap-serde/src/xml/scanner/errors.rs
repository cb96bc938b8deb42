//! The errors of the scanner, and the limits whose excess is one.

use sitemap_values::Rule;
use sitemap_values::number::grouped;
use sitemap_values::quote::quote;

use crate::error::{Advice, Error, Message, Result, raise, trust};
use crate::xml::chars::is_space;
use crate::xml::reference;
use crate::xml::source::Window;

use super::{Scanner, Span, State};

/// A construct without its closing delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unended {
    Declaration,
    Instruction,
    Comment,
    Section,
    Tag,
    /// An attribute value without its closing quote.
    Value,
}

impl<S: Window> Scanner<S> {
    #[cold]
    pub(super) fn fail(&self, at: usize, message: impl Into<Message>) -> Error {
        Error::syntax(message).at(self.position(at))
    }

    #[cold]
    pub(super) fn flaw(&self, text: &Span, flaw: reference::Flaw) -> Error {
        use reference::FlawKind;
        let at = text.start + flaw.at;
        let message = match flaw.kind {
            FlawKind::Character(c) => Message::new(format!(
                "the character U+{:04X} cannot be in an XML document (XML 1.0 section 2.2); remove it",
                u32::from(c)
            )),
            FlawKind::Reference | FlawKind::Pair => self.bad_reference(at..text.end),
            FlawKind::Ampersand => Message::new("a `&` that does not begin a reference: in a value it is written `&amp;`"),
            FlawKind::Entity { len } => Message::new(format!(
                "the entity {} is not declared: XML itself has only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;`",
                quote(self.text(at..at + len))
            ))
            .advice("write the character itself"),
            FlawKind::SectionEnd => Message::new("`]]>` in text: its `>` is written `&gt;` (XML 1.0 section 2.4)"),
        };
        let error = self.fail(at, message);
        match flaw.kind {
            FlawKind::Ampersand | FlawKind::Entity { .. } => error.breaks(Rule::Esc),
            _ => error,
        }
    }

    /// The message for a reference to a character that XML cannot hold.
    fn bad_reference(&self, span: Span) -> Message {
        let text = self.text(span);
        if let Some((c, len)) = reference::surrogate_pair(text) {
            return Message::new(format!(
                "{} are references to the halves of one character in UTF-16, which no XML document can hold (XML 1.0 section 4.1)",
                quote(text.get(..len).unwrap_or_default())
            ))
            .advice(format!("write the character itself, or `&#x{:X};`", u32::from(c)));
        }
        Message::new(
            "a reference to a character that cannot be in an XML document (XML 1.0 section 4.1); remove it",
        )
    }

    #[cold]
    pub(super) fn too_large(&self, at: usize, what: String, advice: Advice) -> Error {
        Error::limit(Message::new(what).advice(advice)).at(self.position(at))
    }

    #[cold]
    pub(super) fn cut_off(&self) -> Error {
        let end = self.source.window().len();
        let error = match self.open.last() {
            Some(name) => Error::eof(
                Message::new(format!(
                    "the document ends inside `{name}`: it is truncated, or its end was never written"
                ))
                .advice("get a complete copy"),
            ),
            None if self.start < end => Error::eof(
                Message::new("the document ends in the middle of a tag, comment or instruction")
                    .advice("get a complete copy"),
            ),
            None => {
                let (document, roots) = (self.vocabulary.document, self.vocabulary.listed_roots());
                Error::eof(format!(
                    "the document is empty: {document} is an XML document with the root {roots}"
                ))
                .breaks(Rule::Ns)
            }
        };
        error.at(self.position(end))
    }

    /// The error for a construct that begins at the token and is not closed. If the root's end follows, its delimiter was
    /// forgotten; otherwise the document is truncated.
    #[cold]
    pub(super) fn unended(&self, what: Unended) -> Error {
        let (name, end) = match what {
            Unended::Declaration => ("the XML declaration", "`?>`"),
            Unended::Instruction => ("a processing instruction", "`?>`"),
            Unended::Comment => ("a comment", "`-->`"),
            Unended::Section => ("a CDATA section", "`]]>`"),
            Unended::Tag => ("a tag", "`>`"),
            Unended::Value => ("a tag, in an attribute's value", "quote"),
        };
        let rest = self.source.window().get(self.start..).unwrap_or_default();
        // Lenient reading does not tell the two apart, and searching for the root's end every time would be quadratic.
        if self.repairs.is_some() || !has_root_end(rest, self.vocabulary.roots) {
            let problem = format!(
                "the document ends inside {name} that begins here: it is truncated, or its {end} was never written"
            );
            return Error::eof(Message::new(problem).advice("get a complete copy"))
                .at(self.position(self.start));
        }
        let rule = match what {
            Unended::Declaration => Rule::Decl,
            _ => Rule::Xml,
        };
        let problem =
            format!("{name} begins here and does not end, so that the rest of the document is part of it");
        self.fail(
            self.start,
            Message::new(problem).advice(format!("close it with its {end}")),
        )
        .breaks(rule)
    }

    /// Returns an error if a token that reaches to `end` is too long.
    pub(super) fn check_token(&self, end: usize) -> Result<()> {
        let token = end - self.start;
        if token > self.limits.token_bytes {
            let limit = grouped(self.limits.token_bytes as u64);
            return Err(self.too_large(
                self.start,
                format!("a tag or text of more than {limit} bytes, which is the limit"),
                trust(),
            ));
        }
        Ok(())
    }

    /// Returns an error if another element within `depth` elements is nested too deep.
    pub(super) fn check_depth(&self, depth: usize) -> Result<()> {
        let limit = self.limits.depth;
        if depth < limit {
            return Ok(());
        }
        let what = format!("elements nested to {} levels, and {limit} are allowed", depth + 1);
        Err(self.too_large(self.start, what, trust()))
    }

    pub(super) fn check_entry(&self) -> Result<()> {
        match self.anchor {
            Some(anchor) if self.pos - anchor > self.limits.entry_bytes => {
                let limit = grouped(self.limits.entry_bytes as u64);
                let what = match self.state {
                    // The root's end tag stays in the window while the text after it is read.
                    State::Epilog => format!("more than {limit} bytes after the root, which is the limit"),
                    _ => format!("an entry of more than {limit} bytes, which is the limit"),
                };
                Err(self.too_large(anchor, what, raise("entry_bytes")))
            }
            _ => Ok(()),
        }
    }

    /// Returns an error if the document is too large (P-SIZE). Within an entry nothing is checked; its end is.
    #[inline]
    pub(crate) fn check_size(&self) -> Result<()> {
        if self.anchor.is_none() && self.offset_of(self.pos) > self.limits.bytes {
            return Err(self.too_long());
        }
        Ok(())
    }

    #[cold]
    pub(super) fn too_long(&self) -> Error {
        let over = self.offset_of(self.pos) - self.limits.bytes;
        let mut at = self
            .pos
            .saturating_sub(usize::try_from(over).unwrap_or(usize::MAX));
        while !self.source.window().is_char_boundary(at) {
            at -= 1;
        }
        self.over_size(at)
    }

    /// The error for a document that exceeds its size at offset `at` of the window.
    #[cold]
    pub(crate) fn over_size(&self, at: usize) -> Error {
        let bytes = grouped(self.limits.bytes);
        Error::limit(
            Message::new(format!("more than {bytes} bytes, which is the limit")).advice(Advice::of_api(
                "Limits::with_bytes",
                "split the file, or raise the limit with `Limits::with_bytes`",
            )),
        )
        .breaks(Rule::Size)
        .at(self.position(at))
    }
}

/// Returns `true` if a text contains the end of any of these roots.
fn has_root_end(text: &str, roots: &[&str]) -> bool {
    /// The longest prefix that is recognised, with the `</` before it.
    const PREFIX: usize = 64;
    let text = text.as_bytes();
    roots.iter().any(|root| {
        memchr::memmem::find_iter(text, root).any(|at| {
            let before = &text[at.saturating_sub(PREFIX)..at];
            let tag = before
                .iter()
                .rposition(|b| matches!(b, b'<' | b'>') || is_space(*b));
            let tag = tag.map_or(&[][..], |tag| &before[tag..]);
            // `</root>` or `</x:root>`, or an empty-element tag.
            let end: &[u8] = if tag.starts_with(b"</") { b">" } else { b"/>" };
            tag.starts_with(b"<")
                && memchr::memchr2(b'<', b'>', &text[at..])
                    .is_some_and(|len| text[..=at + len].ends_with(end))
        })
    })
}
