//! Elements without their end tags, and end tags without their elements.
//!
//! An entry ends at its end tag, at the end of its root, or at the next entry's start tag. A core element within it also ends at the next
//! start tag of the core or of an extension. The end tag of an element that is open in the entry closes the elements within it; any other
//! is skipped. The last end tag may be truncated: an element whose end tag has begun is complete.

use crate::error::{Message, Result};
use crate::xml::chars::name_len;
use crate::xml::names;
use crate::xml::source::Window;

use super::super::{Scanner, State, Token};

impl<S: Window> Scanner<S> {
    /// The next of the ends that [`close_first`](Self::close_first) has requested.
    pub(in crate::xml::scanner) fn close_pending(&mut self) -> Token {
        self.close();
        if let Some(repairs) = &mut self.repairs {
            repairs.closing -= 1;
            if repairs.closing > 0 {
                self.state = State::Closing;
            }
        }
        Token::End
    }

    /// Ends the innermost `count` elements, before the markup at the start of the token is read.
    pub(super) fn close_first(&mut self, count: usize) -> Result<Token> {
        self.pos = self.start;
        if let Some(repairs) = &mut self.repairs {
            repairs.closing = count;
        }
        self.state = State::Closing;
        self.next()
    }

    /// Closes the element that the start tag at the token has opened, if there are more than `depth`: the tag is read again.
    pub(super) fn undo_start(&mut self, depth: usize) {
        while self.open.len() > depth {
            self.scope.leave(self.open.len());
            self.open.pop();
        }
        self.pos = self.start;
    }

    /// Ends the elements that the start tag `token` ends, before it is read again: the entry, or a core element. Otherwise returns the
    /// token. `depth` is the number of elements that were open before it.
    pub(in crate::xml::scanner) fn close_implied(&mut self, token: Token, depth: usize) -> Result<Token> {
        let (Token::Start { name, namespace }, Some(repairs)) = (&token, &self.repairs) else {
            return Ok(token);
        };
        let entry = repairs.entry;
        if entry == 0 || depth < entry {
            return Ok(token);
        }
        let (prefix, local) = names::split(self.text(name.clone()));
        let is_schema = namespace.is_schema();
        let is_of_entries = match &repairs.entry_uri {
            None => namespace.is_core(),
            Some(uri) => self.scope.uri(prefix).unwrap_or_default() == uri,
        };
        let count = if is_of_entries && self.vocabulary.is_entry(local) {
            depth + 1 - entry
        } else if is_schema
            && depth > entry
            && self
                .open
                .name(entry)
                .is_some_and(|name| self.is_leaf(name, entry + 1))
        {
            // Even if many of them do not end, nesting stays within the limit of a strict reading.
            self.check_depth(depth + self.unclosed_in_entry())?;
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
        self.undo_start(depth);
        self.note(error);
        self.set_unclosed_in_entry(self.unclosed_in_entry() + count);
        self.close_first(count)
    }

    /// The number of elements of the entry that were ended where another began, and not by their end tags.
    fn unclosed_in_entry(&self) -> usize {
        let entry = self.offset_of(self.held());
        let unclosed = self.repairs.as_ref().map(|repairs| repairs.unclosed);
        unclosed
            .filter(|(at, _)| *at == entry)
            .map_or(0, |(_, count)| count)
    }

    fn set_unclosed_in_entry(&mut self, count: usize) {
        let entry = self.offset_of(self.held());
        if let Some(repairs) = &mut self.repairs {
            repairs.unclosed = (entry, count);
        }
    }

    /// Returns `true` if the open element at `depth` with this name is a core element that has only text. Its prefix keeps its meaning
    /// from the start of the element; declarations inside the element do not change it.
    fn is_leaf(&self, name: &str, depth: usize) -> bool {
        let (prefix, local) = names::split(name);
        let is_core = || match self.scope.namespace_at(prefix, depth) {
            Some(namespace) => namespace.is_core(),
            // A root without a namespace counts as core.
            None => prefix.is_empty() && self.scope.default_namespace().is_core(),
        };
        self.vocabulary.is_leaf(local) && is_core()
    }

    /// Ends all open elements, since the document ends. The innermost `whole` of them are complete.
    pub(super) fn end_early(&mut self, whole: usize) -> Result<Token> {
        self.check_failure()?;
        self.start = self.source.window().len();
        self.pos = self.start;
        let count = self.open.len();
        if count == 0 {
            return Ok(Token::Eof);
        }
        if let Some(repairs) = &mut self.repairs {
            repairs.cut = count - whole;
        }
        self.close_first(count)
    }

    /// Reads an end tag that is broken or does not match the innermost element.
    pub(super) fn repair_end_tag(&mut self, is_end: bool, noted: Option<u64>) -> Result<Token> {
        self.load(&|scanner| scanner.likely_tag_end(scanner.start + 2) < scanner.near().len());
        let text = self.source.window().get(self.start + 2..).unwrap_or_default();
        let name = &text[..name_len(text)];
        let from = 2 + name.len();
        // The document may end within the name.
        let above = if is_end && name.len() == text.len() {
            self.open.above_beginning(name)
        } else {
            self.open.above(name)
        };
        let above = above.filter(|above| self.may_end(*above));
        match above {
            _ if is_end => self.end_early(above.map_or(0, |above| above + 1)),
            None => {
                self.set_unclosed_in_entry(self.unclosed_in_entry().saturating_sub(1));
                self.skip_tag(from, noted)
            }
            Some(0) => {
                self.pos = self.likely_tag_end(self.start + 2);
                self.mark_lost_text(self.start + from..self.pos, noted);
                self.close();
                Ok(Token::End)
            }
            Some(above) => self.close_first(above),
        }
    }

    /// Returns `true` if an end tag may end the open element that is `above` elements outside of the innermost one. Within an entry it
    /// must not end elements around the entry, such as a `div` around the sitemap, except the root.
    fn may_end(&self, above: usize) -> bool {
        let Some(repairs) = &self.repairs else { return true };
        let outer = self.open.len() - above;
        let name = self.open.name(outer - 1).unwrap_or_default();
        outer >= repairs.entry
            || self.vocabulary.is_root(names::split(name).1)
            || !self.vocabulary.may_be_nested
    }
}
