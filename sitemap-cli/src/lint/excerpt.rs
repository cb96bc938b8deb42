//! Excerpts of documents around a position. An excerpt is part of a line, because a line can be as long as the document.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;

use flate2::bufread::MultiGzDecoder;
use sitemap_serde::lint::Severity;
use sitemap_serde::{Diagnostic, Rule};

use crate::input::Input;

use super::Found;

/// Number of bytes of the line to show before and after the affected text.
const BEFORE: usize = 60;
const BEHIND: usize = 60;
/// Maximum number of bytes of the affected text to show.
const MOST: usize = 120;

/// Part of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// The line number.
    pub(super) line: usize,
    /// The affected text, as a range of `text`.
    pub(super) span: Range<usize>,
    /// `true` if the excerpt begins at the start of the line.
    pub(super) is_from_start: bool,
}

/// The first diagnostics of each rule. They wait for their excerpts until their document has been read.
#[derive(Debug)]
pub(super) struct Shown {
    most: u64,
    counts: BTreeMap<(Severity, Rule), u64>,
    /// The waiting diagnostics of each document.
    waiting: Vec<(Input, Vec<Diagnostic>)>,
}

impl Shown {
    /// Keeps at most this number of diagnostics of each rule.
    pub(super) fn new(most: u64) -> Self {
        Shown {
            most,
            counts: BTreeMap::new(),
            waiting: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, found: &Found<'_>) {
        let diagnostic = found.diagnostic;
        let key = (diagnostic.severity(), diagnostic.rule());
        let count = self.counts.entry(key).or_default();
        *count += 1;
        if *count > self.most {
            return;
        }
        let mut waiting = self.waiting.iter_mut();
        match waiting.find(|(input, _)| input.name == found.input.name) {
            Some((_, waiting)) => waiting.push(diagnostic.clone()),
            None => self.waiting.push((found.input.clone(), vec![diagnostic.clone()])),
        }
    }

    /// Removes and returns the waiting diagnostics with their excerpts, document by document.
    pub(super) fn take(&mut self) -> Vec<(Input, Diagnostic, Option<Excerpt>)> {
        let mut shown = Vec::new();
        for (input, mut waiting) in std::mem::take(&mut self.waiting) {
            waiting.sort_by_key(|diagnostic| diagnostic.position().map(|position| position.byte()));
            // Without excerpts if the document cannot be read again.
            let mut excerpts = of(&input, &waiting).unwrap_or_default().into_iter();
            shown.extend(waiting.into_iter().map(|diagnostic| {
                let excerpt = excerpts.next().flatten();
                (input.clone(), diagnostic, excerpt)
            }));
        }
        shown
    }
}

/// Returns the excerpts of diagnostics, which must be sorted by position.
fn of(input: &Input, diagnostics: &[Diagnostic]) -> io::Result<Vec<Option<Excerpt>>> {
    let mut reader = BufReader::with_capacity(64 << 10, input.open()?);
    let start = reader.fill_buf()?;
    if start.starts_with(&[0x1F, 0x8B]) {
        return Ok(excerpts(&mut MultiGzDecoder::new(reader), diagnostics));
    }
    if start.iter().take(4).any(|b| *b == 0) {
        // UTF-16 has no excerpts, because positions count bytes of UTF-8.
        return Ok(Vec::new());
    }
    Ok(excerpts(&mut reader, diagnostics))
}

fn excerpts(reader: &mut dyn Read, diagnostics: &[Diagnostic]) -> Vec<Option<Excerpt>> {
    let mut window = Window {
        reader,
        bytes: Vec::new(),
        start: 0,
        ended: false,
    };
    let mut found = Vec::new();
    for diagnostic in diagnostics {
        let (Some(position), Some(bytes)) = (diagnostic.position(), diagnostic.byte_range()) else {
            found.push(None);
            continue;
        };
        let at = bytes.start;
        let len = usize::try_from(bytes.end - at).unwrap_or(MOST).min(MOST);
        let from = at.saturating_sub(BEFORE as u64);
        window.reach(from, at + (len + BEHIND) as u64);
        let line = usize::try_from(position.line()).unwrap_or(usize::MAX);
        found.push(window.excerpt(at, len, line));
    }
    found
}

/// A sliding window over a document.
struct Window<'r> {
    reader: &'r mut dyn Read,
    bytes: Vec<u8>,
    /// The window's byte offset in the document.
    start: u64,
    ended: bool,
}

impl Window<'_> {
    /// Reads up to the document's byte `end`, and drops the bytes before `from`.
    fn reach(&mut self, from: u64, end: u64) {
        let mut block = vec![0; 64 << 10];
        while !self.ended && self.start + (self.bytes.len() as u64) < end {
            self.forget(from);
            match self.reader.read(&mut block) {
                Ok(0) => self.ended = true,
                Ok(len) => self.bytes.extend_from_slice(block.get(..len).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // After a read error, show what was read.
                Err(_) => self.ended = true,
            }
        }
        self.forget(from);
    }

    fn forget(&mut self, from: u64) {
        let gone = usize::try_from(from.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let gone = gone.min(self.bytes.len());
        self.bytes.drain(..gone);
        self.start += gone as u64;
    }

    fn excerpt(&self, at: u64, len: usize, line: usize) -> Option<Excerpt> {
        let at = usize::try_from(at.checked_sub(self.start)?).ok()?;
        let before = self.bytes.get(..at)?;
        let is_break = |b: &u8| matches!(b, b'\n' | b'\r');
        let line_start = before.iter().rposition(is_break).map_or(0, |i| i + 1);
        let behind = self.bytes.get(at..)?;
        let line_len = behind.iter().position(is_break).unwrap_or(behind.len());
        let end = line_len.min(len + BEHIND);
        let len = len.min(end);
        let piece = |bytes: &[u8]| -> String {
            // A tab counts as one column, as in positions; invalid bytes become replacement characters.
            let text = String::from_utf8_lossy(bytes);
            text.chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect()
        };
        let is_cut_left = line_start == 0 && self.start > 0;
        let is_cut_right = end < line_len;
        // Truncate between characters.
        let mut first = before.get(line_start..)?;
        while is_cut_left && first.first().is_some_and(|b| b & 0xC0 == 0x80) {
            first = first.get(1..)?;
        }
        let mut text = if is_cut_left {
            "…".to_owned()
        } else {
            String::new()
        };
        text.push_str(&piece(first));
        let start = text.len();
        text.push_str(&piece(behind.get(..len)?));
        let span = start..text.len();
        let mut last = behind.get(len..end)?;
        if is_cut_right && last.last().is_some_and(|b| !b.is_ascii()) {
            let start = last.iter().rposition(|b| b & 0xC0 != 0x80);
            last = last.get(..start.unwrap_or(0))?;
        }
        text.push_str(&piece(last));
        if is_cut_right {
            text.push('…');
        }
        Some(Excerpt {
            text,
            line,
            span,
            is_from_start: !is_cut_left,
        })
    }
}
