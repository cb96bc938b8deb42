//! Comments, CDATA sections and processing instructions that are broken or do not end.
//!
//! One that does not end within the largest size of a token ends before the next tag of an entry or a root. A processing instruction
//! ends like a tag, since most of them are XML declarations that end by `>` instead of `?>`.

use sitemap_values::Rule;

use crate::error::Error;
use crate::xml::chars::is_space;
use crate::xml::names;
use crate::xml::reference::Mode;
use crate::xml::source::Window;

use super::super::{Scanner, State, Token, Unended};
use super::{Markup, resolve};

/// Markup with a closing delimiter of its own.
#[derive(Clone, Copy, Debug)]
pub(in crate::xml::scanner) enum Construct {
    Comment,
    Section,
    Instruction,
}

impl Construct {
    fn unended(self) -> Unended {
        match self {
            Construct::Comment => Unended::Comment,
            Construct::Section => Unended::Section,
            Construct::Instruction => Unended::Instruction,
        }
    }

    fn delimiter(self) -> &'static str {
        match self {
            Construct::Comment => "-->",
            Construct::Section => "]]>",
            Construct::Instruction => "?>",
        }
    }
}

/// For each [`Construct`], the byte offset of the end of the search for its closing delimiter. No part of the document is searched twice,
/// so that the time stays linear.
pub(super) type SearchedTo = [u64; 3];

impl<S: Window> Scanner<S> {
    /// Returns `true` if an earlier search has shown that the construct at the token does not end near.
    pub(in crate::xml::scanner) fn is_known_endless(&self, construct: Construct) -> bool {
        let at = self.offset_of(self.start);
        self.repairs
            .as_ref()
            .is_some_and(|repairs| at < repairs.searched_to[construct as usize])
    }

    /// Returns `true` if an error means that the construct at the token exceeds the maximum size of a token, not that the entry or the
    /// document is too large.
    pub(super) fn is_endless_construct(&self, error: &Error) -> bool {
        let rest = self.bytes().get(self.start..).unwrap_or_default();
        matches!(Markup::of(rest), Markup::Construct(_))
            && error.rule() != Some(Rule::Size)
            && self.check_entry().is_ok()
    }

    pub(super) fn repair_construct(&mut self, construct: Construct, noted: Option<u64>) -> Token {
        let found = if self.is_known_endless(construct) {
            None
        } else {
            let end = self.ahead(|scanner| scanner.find(2, construct.delimiter()));
            end.ok().flatten()
        };
        match found {
            Some(end) => {
                let end = self.start + end;
                self.pos = end + construct.delimiter().len();
                // The end may belong to another comment.
                if matches!(construct, Construct::Comment) && self.text(self.start + 2..end).contains("<!--")
                {
                    self.mark_lost_text(self.start..end, noted);
                }
                if matches!(construct, Construct::Section) && self.state == State::Content {
                    let span = self.start + self.section_mark()..end;
                    let mut resolved = String::new();
                    let flaws = resolve(self.text(span.clone()), Mode::Verbatim, &mut resolved);
                    self.note_flaws(&span, flaws, noted);
                    self.resolved = resolved;
                    return Token::Text { span, plain: false };
                }
            }
            None => {
                let to = self.offset_of(self.near().len());
                if let Some(repairs) = &mut self.repairs {
                    let searched_to = &mut repairs.searched_to[construct as usize];
                    *searched_to = to.max(*searched_to);
                }
                self.load(&|scanner| scanner.likely_end(construct) < scanner.near().len());
                self.pos = self.likely_end(construct);
                // The noted error may be about another flaw of it, and damage already implies the end of the document.
                if !self.ends_in_damage() {
                    let at = self.offset_of(self.start);
                    let error = self.unended(construct.unended());
                    self.note_once(error, at..=at, noted);
                }
            }
        }
        Token::Aside
    }

    /// The number of bytes of `<![CDATA[` at the token, in upper or lower case.
    fn section_mark(&self) -> usize {
        let token = self.bytes().get(self.start..).unwrap_or_default();
        let pairs = token.iter().zip(b"<![CDATA[");
        pairs
            .take_while(|(found, wanted)| found.eq_ignore_ascii_case(wanted))
            .count()
    }

    /// The end of the construct at the token, whose delimiter is missing.
    fn likely_end(&self, construct: Construct) -> usize {
        match construct {
            Construct::Instruction => self.likely_tag_end(self.start + 2),
            Construct::Comment | Construct::Section => self.next_entry_tag(self.start + 2),
        }
    }

    /// The next start or end tag of an entry or a root at or after `from`, or the end of the text.
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
                    self.vocabulary.is_entry(local) || self.vocabulary.is_root(local)
                })
            })
            .unwrap_or(bytes.len())
    }
}
