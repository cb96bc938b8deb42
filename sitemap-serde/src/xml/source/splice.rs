//! Copies a document to a writer while it is read, with parts replaced or omitted.

use std::io::{Read, Write};
use std::ops::Range;

use crate::error::{Position, Result};
use crate::xml::output::{BLOCK, OutputBuffer};

use super::{DocumentSource, SourceText, StreamSource, Window};

/// Most bytes kept until the root is read, and until it is known which white space closes a gap.
const MOST: usize = 1 << 20;

const MARK: char = '\u{FEFF}';

/// A document read from a reader and copied to a writer. The caller decides how far to copy. Text that has left the window is kept
/// until it is copied; if it becomes too long, it is copied unchanged.
#[derive(Debug)]
pub(crate) struct SpliceSource<R, W> {
    source: StreamSource<R>,
    /// The byte offset in the document of the end of the copy.
    next: u64,
    /// Text from `next` on that has left the window and is not copied yet.
    kept: String,
    /// `true` if text was omitted since the last copy. The text after the gap decides what happens to the white space before it.
    has_gap: bool,
    has_begun: bool,
    /// `true` if the root is read. Before it the writer is not called, unless the kept text becomes too much.
    is_open: bool,
    sink: OutputBuffer<W>,
    /// Bytes of output so far, including those still pending in the sink.
    written: u64,
}

impl<R: Read, W: Write> SpliceSource<R, W> {
    pub(crate) fn new(reader: R, sink: W) -> Self {
        SpliceSource {
            source: StreamSource::new(reader),
            next: 0,
            kept: String::new(),
            has_gap: false,
            has_begun: false,
            is_open: false,
            sink: OutputBuffer::new(sink),
            written: 0,
        }
    }

    /// Returns `true` if the text has the same bytes as the document, that is, nothing was decoded.
    pub(crate) fn is_utf8(&self) -> bool {
        self.source.is_utf8()
    }

    /// Returns `true` if text was omitted since the last copy.
    pub(crate) fn has_gap(&self) -> bool {
        self.has_gap
    }

    /// Marks the root as read.
    pub(crate) fn open(&mut self) {
        self.is_open = true;
    }

    /// The byte offset in the document of the end of the copy.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Bytes of output so far.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Number of output bytes after the document is copied up to byte offset `end`.
    pub(crate) fn written_before(&self, end: u64) -> u64 {
        self.written + end.saturating_sub(self.next)
    }

    /// Number of bytes that were read and are not copied yet.
    pub(crate) fn rest(&self) -> u64 {
        (self.source.offset() + self.source.window().len() as u64).saturating_sub(self.next)
    }

    /// The byte offset in the document of the end of the read text.
    pub(crate) fn end(&self) -> u64 {
        self.next + self.rest()
    }

    /// The text not copied yet, up to byte offset `end` of the document: the part that has left the window, and the part in
    /// the window.
    pub(crate) fn pending(&self, end: u64) -> (&str, &str) {
        let place = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX);
        let kept = place(end.saturating_sub(self.next)).min(self.kept.len());
        let from = self.in_window();
        let to = place(end.saturating_sub(self.source.offset()));
        (
            self.kept.get(..kept).unwrap_or_default(),
            self.source.window().get(from..to).unwrap_or_default(),
        )
    }

    /// The text of a range of the document, in two parts as of [`pending`](Self::pending). `None` if some of it is copied already, or
    /// not read yet.
    pub(crate) fn pending_in(&self, range: Range<u64>) -> Option<(&str, &str)> {
        let start = usize::try_from(range.start.checked_sub(self.next)?).ok()?;
        let (kept, window) = self.pending(range.end);
        match start.checked_sub(kept.len()) {
            Some(start) => Some(("", window.get(start..)?)),
            None => Some((kept.get(start..)?, window)),
        }
    }

    /// Offset in the window of the first byte that is not copied yet.
    fn in_window(&self) -> usize {
        let byte = self.next + self.kept.len() as u64;
        usize::try_from(byte.saturating_sub(self.source.offset())).unwrap_or(usize::MAX)
    }

    /// Stores in `space` the white space that ends at byte offset `end` and is not copied yet.
    pub(crate) fn space_before(&self, end: u64, space: &mut String) {
        let blank = [' ', '\t', '\n', '\r'];
        let (kept, window) = self.pending(end);
        let near = &window[window.trim_end_matches(blank).len()..];
        space.clear();
        if near.len() == window.len() {
            space.push_str(&kept[kept.trim_end_matches(blank).len()..]);
        }
        space.push_str(near);
    }

    /// The white space that starts at byte offset `start`, up to byte offset `end`.
    pub(crate) fn space_after(&self, start: u64, end: u64) -> String {
        let (kept, window) = self.pending_in(start..end).unwrap_or_default();
        let is_blank = |c: &char| matches!(c, ' ' | '\t' | '\n' | '\r');
        kept.chars().chain(window.chars()).take_while(is_blank).collect()
    }

    /// Copies the document up to byte offset `end`.
    pub(crate) fn copy(&mut self, end: u64) -> Result<()> {
        self.gather_up_to(end);
        self.sink.relieve()
    }

    /// Leaves out the document up to byte offset `end`.
    pub(crate) fn skip(&mut self, end: u64) {
        let kept = self.pending(end).0.len();
        self.kept.drain(..kept);
        self.next = self.next.max(end);
        self.has_gap = false;
    }

    /// Omits the document up to byte offset `end` from the copy, except for the first `space` bytes that are not copied yet. These
    /// bytes are kept until the next copy, or until the kept text becomes too long.
    pub(crate) fn leave_gap(&mut self, space: u64, end: u64) {
        let (kept, window) = self.pending(self.next + space);
        let space = [kept, window].concat();
        self.skip(end);
        self.next -= space.len() as u64;
        self.kept.insert_str(0, &space);
        self.has_gap = true;
    }

    /// Writes text of the caller to the output.
    pub(crate) fn put(&mut self, text: &str) -> Result<()> {
        self.gather(text);
        self.sink.relieve()
    }

    /// Appends `close` and then everything that was read to the output, without calling the writer.
    pub(crate) fn end_with(&mut self, close: &str) {
        self.gather(close);
        self.gather_up_to(self.end());
    }

    /// Writes all output to the writer and flushes it. After an error, the next call continues where this one stopped.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.sink.flush()
    }

    pub(crate) fn sink(&self) -> &W {
        self.sink.get_ref()
    }

    pub(crate) fn sink_mut(&mut self) -> &mut W {
        self.sink.get_mut()
    }

    pub(crate) fn into_sink(self) -> W {
        self.sink.into_inner()
    }

    fn gather(&mut self, text: &str) {
        self.sink.pending.extend_from_slice(text.as_bytes());
        self.written += text.len() as u64;
    }

    fn gather_up_to(&mut self, end: u64) {
        let mut out = std::mem::take(&mut self.sink.pending);
        let before = out.len();
        let (kept, window) = self.pending(end);
        out.extend_from_slice(kept.as_bytes());
        out.extend_from_slice(window.as_bytes());
        self.written += (out.len() - before) as u64;
        self.sink.pending = out;
        self.skip(end);
    }

    /// Copies the kept text if it has become too much, except for white space at its end, which belongs to the next
    /// construct.
    fn relieve(&mut self) -> Result<()> {
        let most = if self.has_gap || !self.is_open {
            MOST
        } else {
            BLOCK
        };
        if self.kept.len() < most {
            return Ok(());
        }
        let text = self.kept.trim_end_matches([' ', '\t', '\n', '\r']).len();
        let len = if self.kept.len() - text < BLOCK {
            text
        } else {
            self.kept.len()
        };
        self.copy(self.next + len as u64)
    }
}

impl<R: Read, W: Write> Window for SpliceSource<R, W> {
    #[inline]
    fn window(&self) -> &str {
        self.source.window()
    }

    fn let_go(&mut self, done: usize) -> usize {
        let from = self.in_window().min(done);
        let text = self.source.window().get(from..done).unwrap_or_default();
        self.kept.push_str(text);
        self.source.let_go(done)
    }

    fn more(&mut self) -> Result<bool> {
        self.relieve()?;
        let more = self.source.more()?;
        if !self.has_begun {
            self.has_begun = true;
            if self.source.offset() == MARK.len_utf8() as u64 {
                self.kept.push(MARK);
            }
        }
        Ok(more)
    }

    fn offset(&self) -> u64 {
        self.source.offset()
    }

    fn position(&self, mark: usize, at: usize) -> Position {
        self.source.position(mark, at)
    }

    fn check_declared(&self, label: &str) -> Result<()> {
        self.source.check_declared(label)
    }
}

impl<'de, R: Read, W: Write> DocumentSource<'de> for SpliceSource<R, W> {
    #[inline]
    fn window_text(&self) -> SourceText<'de, '_> {
        SourceText::Transient(self.source.window())
    }
}
