//! Reading text line by line.

use crate::error::Result;
use crate::xml::source::Window;

use super::{Scanner, Span};

impl<S: Window> Scanner<S> {
    /// The beginning of the document, of `most` bytes unless it is shorter; `None` if it begins as markup. Must be called before anything
    /// is read.
    ///
    /// # Errors
    /// If nothing of it can be read. An error after some text is returned once that text is read.
    pub(crate) fn head(&mut self, most: usize) -> Result<Option<&str>> {
        let most = most.min(self.limits.token_bytes);
        while !self.begins_as_markup() && self.bytes().len() - self.start < most {
            match self.more() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) if self.bytes().len() > self.start => {
                    self.failure_behind = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        if self.begins_as_markup() {
            return Ok(None);
        }
        let text = self.source.window().get(self.start..).unwrap_or_default();
        let mut end = text.len().min(most);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Ok(text.get(..end))
    }

    fn begins_as_markup(&self) -> bool {
        let text = self.bytes().get(self.start..).unwrap_or_default();
        text.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'<')
    }

    /// The next line, which ends at a line feed or a carriage return; `None` at the end. The incomplete last line of a truncated document
    /// is not a line.
    pub(crate) fn line(&mut self) -> Result<Option<Span>> {
        self.start = self.pos;
        if !self.ensure(1)? {
            return Ok(None);
        }
        let mut from = 0;
        let (len, end) = loop {
            let rest = self.bytes().get(self.start + from..).unwrap_or_default();
            if let Some(i) = memchr::memchr2(b'\n', b'\r', rest) {
                break (from + i, 1);
            }
            from += rest.len();
            if !self.more()? {
                if self.is_cut_off() {
                    self.pos = self.start + from;
                    self.start = self.pos;
                    return Ok(None);
                }
                break (from, 0);
            }
        };
        self.check_token(self.start + len)?;
        self.pos = self.start + len + end;
        self.check_size()?;
        Ok(Some(self.start..self.start + len))
    }
}
