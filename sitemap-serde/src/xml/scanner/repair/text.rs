//! Text that is not well-formed, in elements, CDATA sections and attribute values.
//!
//! A `&` is itself unless it begins a reference to one of the five entities of XML, to a character of XML, or to an entity of HTML 4.
//! Characters that XML cannot hold are dropped. Two references to the halves of a character in UTF-16 are that character.

use crate::error::Result;
use crate::xml::html;
use crate::xml::reference::{self, Flaw, FlawKind, Mode};
use crate::xml::source::Window;

use super::super::{Scanner, Span, State, Token};
use super::Markup;

impl<S: Window> Scanner<S> {
    /// The number of `<` at the token that begin no markup.
    pub(super) fn bare_len(&self) -> usize {
        let rest = self.near().get(self.start..).unwrap_or_default();
        (0..rest.len())
            .take_while(|&i| matches!(Markup::of(&rest[i..]), Markup::Bare))
            .count()
    }

    /// Reads text up to the next `<`. Its first `bare` bytes are `<` that begin no markup.
    pub(super) fn repair_text(&mut self, bare: usize, noted: Option<u64>) -> Result<Token> {
        self.load(&|scanner| {
            let rest = scanner.near().get(scanner.start + bare..);
            rest.is_some_and(|rest| memchr::memchr(b'<', rest).is_some())
        });
        let from = self.start + bare;
        let rest = self.near().get(from..).unwrap_or_default();
        let end = memchr::memchr(b'<', rest).map(|len| from + len);
        if self.state != State::Content {
            self.pos = end.unwrap_or(self.near().len());
            self.mark_lost_text(self.start..self.pos, noted);
            return Ok(Token::Aside);
        }
        let Some(end) = end else {
            self.check_token(self.source.window().len())?;
            return self.end_early(0);
        };
        let span = self.start..end;
        self.pos = end;
        let mut resolved = String::new();
        let flaws = resolve(self.text(span.clone()), Mode::Text, &mut resolved);
        self.note_flaws(&span, flaws, noted);
        self.resolved = resolved;
        Ok(Token::Text { span, plain: false })
    }

    /// Notes the flaws of the text at `span`, but for one at byte `noted` of the document, which is noted already.
    pub(super) fn note_flaws(&mut self, span: &Span, flaws: Vec<Flaw>, noted: Option<u64>) {
        for flaw in flaws {
            let (at, is_lost) = (self.offset_of(span.start + flaw.at), flaw.is_lost());
            let error = self.flaw(span, flaw);
            let error = if is_lost { error.losing() } else { error };
            self.note_once(error, at..=at, noted);
        }
    }
}

/// Appends the most likely meaning of `text`, and returns the first flaw of each kind.
pub(in crate::xml::scanner) fn resolve(text: &str, mode: Mode, out: &mut String) -> Vec<Flaw> {
    let mut flaws: Vec<Flaw> = Vec::new();
    let mut rest = text;
    loop {
        let kept = out.len();
        let flaw = match reference::resolve(rest, mode, out) {
            Ok(true) => return flaws,
            Ok(false) => {
                out.push_str(rest);
                return flaws;
            }
            Err(flaw) => flaw,
        };
        let pair = reference::surrogate_pair(&rest[flaw.at..]).filter(|_| flaw.kind == FlawKind::Reference);
        let flaw = match pair {
            Some(_) => Flaw {
                kind: FlawKind::Pair,
                ..flaw
            },
            None => flaw,
        };
        if flaws.iter().all(|other| !flaw.is_like(other)) {
            let at = text.len() - rest.len() + flaw.at;
            flaws.push(Flaw { at, ..flaw });
        }
        // The text before the flaw has no flaw.
        out.truncate(kept);
        if matches!(reference::resolve(&rest[..flaw.at], mode, out), Ok(false)) {
            out.push_str(&rest[..flaw.at]);
        }
        let at = &rest[flaw.at..];
        let len = match flaw.kind {
            FlawKind::Character(c) => c.len_utf8(),
            FlawKind::Pair => {
                let (c, len) = pair.unwrap_or_default();
                out.push(c);
                len
            }
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
