//! A text sitemap: one URL per line (P-TXT1).
//!
//! **Text and feeds are formats of their own**. Each fills the table of an entry, from a line or from an item's link and date, so that all
//! ways of reading entries work for it. Both use the scanner, so a feed's tokens are repaired like a sitemap's. A constant of the format
//! tells repairs which elements are roots, entries and leaves (`xml/vocabulary`), so the scanner and its repairs name no element. Two
//! things of sitemaps are in `xml/`: the namespaces of the schema (`names`), and the word "sitemap" in errors of input, output and DOCTYPEs
//! (`source`, `output`, `doctype`).

use std::ops::Range;

use sitemap_values::quote::quote;
use sitemap_values::{ChangeFreq, Priority, Rule, W3cDateTime};

use crate::document::sniff::csv::{self, Cells};
use crate::document::sniff::{self, is_url};
use crate::error::{Advice, Error, Facts, Message, Result};
use crate::loc;
use crate::model::Kind;
use crate::record::Value;
use crate::schema::{self, Name};
use crate::xml::escape::is_xml_char;
use crate::xml::scanner::Scanner;
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
            let text_end = from + text.len();
            let checked = check(text);
            self.scanner.hold();
            self.count_entry(kind)?;
            self.table.clear();
            let line = self.scanner.text(span.clone()).as_bytes();
            let text = line.get(from..text_end).unwrap_or_default();
            let value = Value::of_text(text, from);
            self.table.push(schema::LOC, value, 0..span.len());
            let Err(error) = checked else { return Ok(true) };
            if !self.is_lenient() {
                return Err(self.in_record(error.at_offset(from)));
            }
            if self.mend_line(kind, error.at_offset(from))? {
                return Ok(true);
            }
        }
    }

    /// Makes an entry of a line that is not one URL, if it is clear what its URL is. Returns `true` if there is an entry.
    #[cold]
    fn mend_line(&mut self, kind: Kind, error: Error) -> Result<bool> {
        let entry = self.scanner.text(self.entry_span());
        let Some((i, node)) = self.table.loc() else {
            return Ok(false);
        };
        let (found, at) = (self.table.text(node, entry).to_owned(), node.at());
        let url = match Line::of(&found) {
            Line::Columns(columns) => {
                self.table.clear();
                for (name, word) in columns {
                    let at = at + word.start;
                    let outer = at..at + word.len();
                    let value = Value::of_text(&found.as_bytes()[word], at);
                    self.table.push(name, value, outer);
                }
                self.report_error(error, None);
                return self.mend(kind);
            }
            Line::Characters(url) => url,
            Line::Cells(url) => url.to_owned(),
            Line::Other => {
                if self.is_relative(&found) {
                    return self.resolve_loc(kind);
                }
                self.report_error(error.omitting_entry(), Some(&found));
                return Ok(false);
            }
        };
        self.table.replace_text(i, &url);
        self.report_error(error.losing(), Some(&found));
        Ok(true)
    }

    /// Returns `true` if a line is a URL relative to the document's location.
    fn is_relative(&self, line: &str) -> bool {
        // Several words are not a URL, and neither is text with characters that XML cannot hold.
        if !line.chars().all(|c| is_xml_char(c) && !c.is_whitespace()) {
            return false;
        }
        let Some(url) = self.location().and_then(|location| location.resolve(line)) else {
            return false;
        };
        line.starts_with('/') || url.ends_with(line) && line.contains('.')
    }

    /// Ends the reading at the end of the document.
    pub(super) fn end_reading(&mut self) {
        self.state = State::Done;
        self.note_odd_bytes();
        self.note_nothing();
    }
}

/// Returns `true` if the document is a text sitemap. Must be called before anything is read.
///
/// # Errors
/// If it is CSV, whose lines could be mistaken for URLs, or cannot be read.
pub(super) fn is_list<S: Window>(scanner: &mut Scanner<S>) -> Result<bool> {
    let Some(head) = scanner.head(sniff::HEAD)?.filter(|head| sniff::is_list(head)) else {
        return Ok(false);
    };
    let Some(Cells { separator, count }) = csv::cells(head) else {
        return Ok(true);
    };
    let lines = match count {
        Some(1) => "each line has 1 value behind its URL".to_owned(),
        Some(count) => format!("each line has {count} values behind its URL"),
        None => "its lines have values behind their URLs".to_owned(),
    };
    let problem = format!("this is CSV, and no text sitemap: {lines}, separated by `{separator}`");
    let advice = Advice::of_api(
        "ReaderBuilder::other_formats",
        "read its rows with a reader of CSV",
    );
    let error = Error::data(Message::new(problem).advice(advice)).breaks(Rule::Txt1);
    Err(error.at(scanner.position(0)))
}

/// Kinds of lines that are not just a URL.
enum Line<'l> {
    /// A URL with characters that XML cannot hold, which are removed.
    Characters(String),
    /// A URL, and values after it: the elements and their ranges in the line.
    Columns(Vec<(Name, Range<usize>)>),
    /// A URL, and other text after a tab.
    Cells(&'l str),
    Other,
}

impl<'l> Line<'l> {
    fn of(line: &'l str) -> Self {
        if line.chars().any(|c| !is_xml_char(c)) {
            let kept: String = line.chars().filter(|c| is_xml_char(*c)).collect();
            // Without its last segment, it would be the URL of another page.
            let is_whole = line.ends_with('/') || !kept.ends_with('/');
            return if is_whole && check(&kept).is_ok() {
                Line::Characters(kept)
            } else {
                Line::Other
            };
        }
        if let Some(columns) = columns(line).filter(|columns| columns.len() > 1) {
            return Line::Columns(columns);
        }
        match line.split_once('\t') {
            Some((first, _)) if check(first.trim()).is_ok() => Line::Cells(first.trim()),
            _ => Line::Other,
        }
    }
}

/// The words of a line: a URL, then the date, changefreq or priority that each other word is. `None` if a word is something else.
fn columns(line: &str) -> Option<Vec<(Name, Range<usize>)>> {
    let (mut columns, mut end) = (Vec::new(), 0);
    for word in line.split_whitespace() {
        let name = if columns.is_empty() {
            check(word).ok()?;
            schema::LOC
        } else if W3cDateTime::parse(word).is_some() {
            schema::LASTMOD
        } else if ChangeFreq::parse(word).is_some() {
            schema::CHANGEFREQ
        } else {
            Priority::parse(word)?;
            schema::PRIORITY
        };
        let start = end + line[end..].find(word)?;
        end = start + word.len();
        columns.push((name, start..end));
    }
    Some(columns)
}

/// Checks that a line is a URL and nothing else (P-TXT1). A raw space ends a URL here, unlike in XML: lines have columns.
fn check(line: &str) -> Result<()> {
    let is_one = |c: char| !c.is_whitespace() && is_xml_char(c);
    let is_plain = line.bytes().all(|b| b.is_ascii_graphic() && b != b'{');
    if is_url(line) && (is_plain || line.chars().all(is_one) && !loc::has_placeholder(line)) {
        return Ok(());
    }
    if !line.chars().all(is_xml_char) {
        loc::check(line).map_err(|error| error.within("loc"))?;
    }
    Err(Error::value(line, no_url).breaks(Rule::Txt1))
}

fn no_url(found: &Facts) -> Message {
    let line = found.text();
    let advice = if loc::has_placeholder(line) {
        "fill in the placeholder, or remove the line"
    } else if is_url(line) {
        "remove what follows the URL, and write a space in a URL as `%20`"
    } else {
        "write an absolute URL, or remove the line"
    };
    Message::new(format!(
        "the line {} is not a URL: a text sitemap has one absolute URL per line, and nothing else",
        quote(line)
    ))
    .advice(advice)
}
