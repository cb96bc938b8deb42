//! Text before the XML declaration, such as the error messages of the program that wrote the document.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Advice, Error, ErrorKind, Message};
use crate::xml::source::Window;

use super::{Scanner, State};

/// The number of bytes in which a declaration is searched.
const LOOKED_AT: usize = 64 << 10;

impl<S: Window> Scanner<S> {
    /// Skips text before the declaration, and notes it. Only before the first token.
    pub(crate) fn skip_text_before_declaration(&mut self) {
        self.load(&|scanner| scanner.begins_plainly() || scanner.is_looked_at());
        if self.begins_plainly() {
            return;
        }
        if let Some((error, at)) = self.text_before_declaration() {
            self.note(error);
            self.pos = self.start + at;
        }
    }

    /// Replaces the error of the document's first token if it is in a text before the declaration.
    pub(crate) fn explain_first_token(&mut self, error: Error) -> Error {
        let is_first =
            matches!(self.state, State::Start | State::Prolog) || self.open.is_empty() || self.depth() == 1;
        if !is_first || !matches!(error.kind(), ErrorKind::Syntax | ErrorKind::Data) {
            return error;
        }
        while !self.is_looked_at() && matches!(self.more_of_source(), Ok(true)) {}
        self.text_before_declaration().map_or(error, |(found, _)| found)
    }

    fn is_looked_at(&self) -> bool {
        self.source.window().len() - self.start >= LOOKED_AT
    }

    /// Returns `true` if the window begins like XML, or enough of it to tell.
    fn begins_plainly(&self) -> bool {
        let text = self.source.window().get(self.start..).unwrap_or_default();
        let text = text.trim_start();
        ["<?xml", "<urlset", "<sitemapindex"]
            .iter()
            .any(|start| text.starts_with(start))
    }

    /// The error for text before the declaration, and the length of the text; `None` if the document begins in another way.
    fn text_before_declaration(&self) -> Option<(Error, usize)> {
        let text = self.source.window().get(self.start..)?;
        let mut end = text.len().min(LOOKED_AT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let at = memchr::memmem::find_iter(text.as_bytes(), b"<?xml")
            .find(|at| text[at + "<?xml".len()..].starts_with([' ', '\t', '\r', '\n']))?;
        let (before, rest) = text.split_at(at);
        let found = before.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
        let (_, behind) = rest.split_once("?>")?;
        // A root before the declaration is the document's, and a declaration may be quoted in a text.
        if found.is_empty()
            || self.has_root(before)
            || !self.has_root(behind)
            || !behind.trim_start().starts_with('<')
        {
            return None;
        }
        let from = self.start + before.len() - before.trim_start().len();
        let [first, last] = [from, self.start + before.trim_end().len()].map(|at| self.position(at).line());
        let lines = if first == last {
            format!("in line {first}")
        } else {
            format!("in lines {first} to {last}")
        };
        let message = Message::new(format!(
            "text before the XML declaration, {lines}, most likely a program's error messages: {}",
            quote(found)
        ));
        let advice = Advice::of_api(
            "Mode::Lenient",
            "remove it, or read the document with `Mode::Lenient`",
        );
        let error = Error::syntax(message.advice(advice)).breaks(Rule::Decl);
        Some((error.at(self.position(from)), at))
    }

    /// Returns `true` if a text has the start tag of a root.
    fn has_root(&self, text: &str) -> bool {
        memchr::memchr_iter(b'<', text.as_bytes()).any(|at| {
            let tag = text.get(at + 1..).unwrap_or_default();
            let name = &tag[..crate::xml::chars::name_len(tag)];
            self.vocabulary.is_root(crate::xml::names::split(name).1)
        })
    }
}
