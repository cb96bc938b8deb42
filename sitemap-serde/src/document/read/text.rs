//! A text sitemap: one URL a line (P-TXT1).

use crate::diagnostic::Severity;
use crate::error::{Error, Finding, Message, Result};
use crate::loc;
use crate::model::Kind;
use crate::quote::quote;
use crate::rule::Rule;
use crate::schema;
use crate::xml::escape::is_xml_char;
use crate::xml::sniff::is_url;
use crate::xml::source::Window;

use super::{DocumentReader, State};

impl<S: Window> DocumentReader<S> {
    /// The next line that is not blank, as an entry.
    pub(super) fn next_line(&mut self, kind: Kind) -> Result<bool> {
        loop {
            self.scanner.release();
            let Some(span) = self.scanner.line()? else {
                self.end_reading();
                return Ok(false);
            };
            let line = self.scanner.text(span.clone());
            let text = line.trim();
            if text.is_empty() {
                continue;
            }
            let from = line.len() - line.trim_start().len();
            let (len, text_end) = (span.len(), from + text.len());
            // A tab separates a URL from another one or from a value.
            let is_url = is_url(text) && !text.contains('\t');
            self.scanner.hold();
            self.count_entry(kind)?;
            self.table.clear();
            let (start, bytes) = (span.start, self.scanner.text(span).as_bytes());
            let bytes = bytes.get(from..text_end).unwrap_or_default();
            self.table.push_leaf(schema::LOC, bytes, from, 0..len);
            if is_url {
                if self.is_lenient() {
                    self.mend_characters();
                }
                return Ok(true);
            }
            let line = self.scanner.text(start + from..start + text_end);
            let error = Error::value(line, no_url).breaks(Rule::Txt1).at_offset(from);
            if !self.is_lenient() {
                return Err(self.in_record(error));
            }
            if self.mend_line(kind)? {
                return Ok(true);
            }
            self.tell(error, Severity::Error, None);
        }
    }

    /// Removes the characters that XML cannot hold from the URL of a line.
    fn mend_characters(&mut self) {
        let entry = self.scanner.text(self.entry_span());
        let Some((i, node)) = self.table.loc() else { return };
        let found = self.table.text(node, entry);
        if found.chars().all(is_xml_char) {
            return;
        }
        let (found, at) = (found.to_owned(), node.at());
        let kept: String = found.chars().filter(|c| is_xml_char(*c)).collect();
        self.table.replace_text(i, &kept);
        if let Err(error) = loc::check(&found) {
            self.tell(error.within("loc").at_offset(at), Severity::Error, Some(&found));
        }
    }

    /// Resolves a line that is a relative URL, or takes the first of several values between tabs. Returns whether the line has a URL.
    fn mend_line(&mut self, kind: Kind) -> Result<bool> {
        let entry = self.scanner.text(self.scanner.held()..self.scanner.token().end);
        let Some((i, node)) = self.table.loc() else {
            return Ok(false);
        };
        let text = self.table.text(node, entry);
        if let Some((first, _)) = text.split_once('\t').filter(|(first, _)| is_url(first)) {
            let (found, first) = (text.to_owned(), first.trim().to_owned());
            let error = Error::value(&found, no_url)
                .breaks(Rule::Txt1)
                .at_offset(node.at());
            self.table.replace_text(i, &first);
            self.tell(error, Severity::Error, Some(&found));
            return Ok(true);
        }
        // Text of several words is not a URL.
        let is_relative = !text.contains(char::is_whitespace)
            && self.address().is_some_and(|address| {
                text.starts_with('/')
                    || address
                        .resolve(text)
                        .is_some_and(|url| url.ends_with(text) && text.contains('.'))
            });
        if is_relative {
            self.settle_address(kind)
        } else {
            Ok(false)
        }
    }

    /// Ends the reading at the end of the document.
    pub(super) fn end_reading(&mut self) {
        self.state = State::Done;
        self.note_odd_bytes();
    }
}

fn no_url(found: &Finding) -> Message {
    Message::new(format!(
        "the line {} is not a URL: a text sitemap has one absolute URL per line, and nothing else",
        quote(found.text())
    ))
    .advice("write an absolute URL, or remove the line")
}
