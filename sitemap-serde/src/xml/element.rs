//! The text of an element that was read before, read again for the places that a table does not have: its start tag, and the pieces of
//! its own text.
//!
//! **Tags are found by the scanner**. An entry's table has the places of values, which every reader needs. Edits and fixes also need the end
//! of a start tag, the attributes of a core element, or where a comment interrupts a value. To store these places would cost memory and
//! time for each entry; instead, the few elements that need them are read once more. The scanner reads leniently, so an element that was
//! repaired has the same tokens as before. Prefixes are accepted without their declarations, which may be around the element.

use crate::limits::Limits;

use super::names::KnownNamespaces;
use super::reference::Mode;
use super::scanner::{Scanner, Span, Token};
use super::source::SliceSource;
use super::trim;
use super::vocabulary::Vocabulary;

/// What surrounds a [verbatim](Mode::Verbatim) piece of text.
pub(crate) const SECTION: [&str; 2] = ["<![CDATA[", "]]>"];

/// An element, read up to some piece of its text. All places are ranges of its text.
pub(crate) struct ElementText<'t> {
    text: &'t str,
    scanner: Scanner<SliceSource<'t>>,
    name: Span,
    tag_end: usize,
}

impl<'t> ElementText<'t> {
    /// Reads the start tag that a text begins with; `None` if it begins with something else.
    pub(crate) fn new(text: &'t str) -> Option<Self> {
        if !text.starts_with('<') {
            return None;
        }
        let source = SliceSource::from_str(text);
        let mut scanner = Scanner::new(
            source,
            Limits::trusted(),
            KnownNamespaces::default(),
            Vocabulary::XML,
        );
        scanner.be_lenient();
        scanner.accept_prefixes();
        let Ok(Token::Start { name, .. }) = scanner.next() else {
            return None;
        };
        let tag_end = scanner.token().end;
        Some(ElementText {
            text,
            scanner,
            name,
            tag_end,
        })
    }

    pub(crate) fn name(&self) -> &'t str {
        self.text.get(self.name.clone()).unwrap_or_default()
    }

    /// The prefix, with its colon; empty if there is none.
    pub(crate) fn prefix(&self) -> &'t str {
        let name = self.name();
        name.find(':').map_or("", |colon| &name[..=colon])
    }

    /// The end of the start tag.
    pub(crate) fn tag_end(&self) -> usize {
        self.tag_end
    }

    /// The names of the attributes, namespace declarations included. Only before the first [piece](Self::next_piece).
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &'t str> {
        let names = self.scanner.all_attributes().iter().map(|(name, _)| name.clone());
        names.map(|name| self.text.get(name).unwrap_or_default())
    }

    /// The next piece of the element's own text, that is not its children's: text between tags, or the content of a CDATA section.
    pub(crate) fn next_piece(&mut self) -> Option<(Span, Mode)> {
        loop {
            match self.scanner.next().ok()? {
                Token::Text { span, .. } if self.scanner.depth() == 1 => {
                    let is_section = self.scanner.token().start < span.start;
                    return Some((span, if is_section { Mode::Verbatim } else { Mode::Text }));
                }
                Token::End if self.scanner.depth() == 0 => return None,
                Token::Eof => return None,
                Token::Start { .. } | Token::End | Token::Text { .. } | Token::Aside => {}
            }
        }
    }

    /// Like [`next_piece`](Self::next_piece), without pieces of white space, and without the white space around a piece.
    pub(crate) fn next_trimmed(&mut self) -> Option<(Span, Mode)> {
        loop {
            let (Span { start, end }, mode) = self.next_piece()?;
            let piece = self.text.get(start..end)?;
            let trimmed = trim(piece);
            if !trimmed.is_empty() {
                let start = start + piece.find(trimmed)?;
                return Some((start..start + trimmed.len(), mode));
            }
        }
    }

    /// The start of the end tag, after the last [piece](Self::next_piece).
    pub(crate) fn content_end(&self) -> usize {
        self.scanner.token().start.max(self.tag_end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_pieces() {
        // The start tag, the rest, the attributes' names, the pieces, and the end tag.
        for (tag, rest, attributes, pieces, end) in [
            ("<s:loc>", "a</s:loc>", "", "a", "</s:loc>"),
            ("<s:loc/>", "", "", "", ""),
            ("<s:loc\r\n a='/>' xmlns:b = \">\" />", "x", "a xmlns:b", "", "x"),
            (
                "<s:loc>",
                " b <!-- > -->&lt;<?p </a?><c d='>'>e</c>f</s:loc >",
                "",
                "b|&lt;|f",
                "</s:loc >",
            ),
            (
                "<s:loc>",
                "b<![CDATA[ c&<]]><![CDATA[]]></s:loc\n>",
                "",
                "b|[c&<]",
                "</s:loc\n>",
            ),
            ("<s:loc>", "b<a:c>d<a/></a:c></s:loc>", "", "b", "</s:loc>"),
            // Repaired.
            ("<s:loc b=c d='>'>", "e & f</s:loc>", "d", "e & f", "</s:loc>"),
            ("<s:loc b='c'>", "d", "b", "", ""),
        ] {
            let text = &[tag, rest].concat();
            let mut element = ElementText::new(text).unwrap();
            assert_eq!(
                (element.name(), element.prefix(), &text[..element.tag_end()]),
                ("s:loc", "s:", tag)
            );
            assert_eq!(
                element.attributes().collect::<Vec<_>>().join(" "),
                attributes,
                "{text}"
            );
            let mut found = Vec::new();
            while let Some((span, mode)) = element.next_trimmed() {
                found.push(match mode {
                    Mode::Verbatim => format!("[{}]", &text[span]),
                    _ => text[span].to_owned(),
                });
            }
            assert_eq!(
                (found.join("|").as_str(), &text[element.content_end()..]),
                (pieces, end),
                "{text}"
            );
        }
        for text in ["", "a", " <a>", "</a>", "<", "<!-- a -->", "<3"] {
            assert!(ElementText::new(text).is_none(), "{text}");
        }
    }
}
