//! JSON documents: an object on each line, an array of objects, or indented objects.

use std::io::BufRead;

use anyhow::{Context, Result, bail};

use super::{Damage, MOST, Text, each_line, line_end, too_long};

/// Calls `each` with the place and the text of each object.
///
/// # Errors
/// The document cannot be read to its end, or `each` fails.
pub(crate) fn each_value(
    mut reader: Text,
    name: &str,
    each: &mut dyn FnMut(&str, Result<&str>) -> Result<()>,
) -> Result<()> {
    let start = reader.get_ref().start().trim_ascii_start();
    let end = line_end(&reader);
    let first = start.split(|byte| *byte == end).next().unwrap_or_default();
    let is_array = first.starts_with(b"[");
    if !is_array && first.trim_ascii() != b"{" {
        return each_line(reader, name, each);
    }
    let mut values = Values::new(is_array, end);
    loop {
        let block = match reader.fill_buf() {
            Ok(block) => block,
            Err(error) => return Err(error).with_context(|| format!("{name}, line {}", values.line)),
        };
        if block.is_empty() {
            return values.finish(name);
        }
        let len = block.len();
        for byte in block {
            values.push(*byte, name, each)?;
        }
        reader.consume(len);
    }
}

/// The state of reading a document that is not in lines.
struct Values {
    /// `true` if the document is an array.
    is_array: bool,
    /// The byte that ends a line.
    end: u8,
    state: State,
    /// The current line, from 1.
    line: u64,
    /// The current value, and the line on which it begins.
    value: Vec<u8>,
    begun: u64,
    /// The number of open objects and arrays.
    depth: usize,
    is_text: bool,
    is_escaped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the array.
    Start,
    /// Before a value, or the end.
    Value,
    /// Within a value.
    Within,
    /// After the array.
    End,
}

impl Values {
    fn new(is_array: bool, end: u8) -> Self {
        Values {
            is_array,
            end,
            state: if is_array { State::Start } else { State::Value },
            line: 1,
            value: Vec::new(),
            begun: 1,
            depth: 0,
            is_text: false,
            is_escaped: false,
        }
    }

    fn push(
        &mut self,
        byte: u8,
        name: &str,
        each: &mut dyn FnMut(&str, Result<&str>) -> Result<()>,
    ) -> Result<()> {
        match self.state {
            State::Start if byte == b'[' => self.state = State::Value,
            State::Value if !byte.is_ascii_whitespace() => {
                (self.state, self.begun) = (State::Within, self.line);
                self.within(byte, name, each)?;
            }
            State::Within => self.within(byte, name, each)?,
            State::End if !byte.is_ascii_whitespace() => {
                bail!("{name}, line {}: text after the array", self.line)
            }
            State::Start | State::Value | State::End => {}
        }
        self.line += u64::from(byte == self.end);
        Ok(())
    }

    /// Reads a byte of a value, or the byte after its end.
    fn within(
        &mut self,
        byte: u8,
        name: &str,
        each: &mut dyn FnMut(&str, Result<&str>) -> Result<()>,
    ) -> Result<()> {
        let is_end = self.depth == 0 && !self.is_text && self.is_array && matches!(byte, b',' | b']');
        if is_end {
            let is_empty_array = byte == b']' && self.value.is_empty();
            if !is_empty_array {
                self.hand_over(name, each)?;
            }
            self.state = if byte == b']' { State::End } else { State::Value };
            return Ok(());
        }
        self.value.push(byte);
        if self.value.len() as u64 > MOST {
            return Err(too_long()).with_context(|| format!("{name}, line {}", self.begun));
        }
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.is_text => self.is_escaped = true,
            b'"' => self.is_text = !self.is_text,
            _ if self.is_text => {}
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 && !self.is_array {
                    self.hand_over(name, each)?;
                    self.state = State::Value;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn hand_over(
        &mut self,
        name: &str,
        each: &mut dyn FnMut(&str, Result<&str>) -> Result<()>,
    ) -> Result<()> {
        let place = format!("{name}, line {}", self.begun);
        let value = std::mem::take(&mut self.value);
        match std::str::from_utf8(&value) {
            Ok(text) => each(&place, Ok(text.trim())),
            Err(_) => each(&place, Err(super::not_utf8())),
        }
    }

    /// Ends the document.
    fn finish(self, name: &str) -> Result<()> {
        let is_whole = match self.state {
            State::End => true,
            State::Value => !self.is_array,
            State::Start | State::Within => false,
        };
        if is_whole {
            return Ok(());
        }
        let what = if self.is_array { "array" } else { "object" };
        Err(Damage::Unended(what).into_error()).with_context(|| format!("{name}, line {}", self.line))
    }
}
