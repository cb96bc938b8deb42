//! Limits how long entities can make one token, before xml-rs sees its bytes.
//!
//! xml-rs limits what entities add to text between tags. But it expands references in attribute values, and references to
//! parameter entities in the values of others, at once and without a limit. This type therefore estimates an upper bound
//! of their length.

/// Counts over the bytes seen so far, from the DOCTYPE on.
#[derive(Debug, Default)]
pub(super) struct Growth {
    is_past_doctype: bool,
    /// The length of the DOCTYPE so far.
    len: usize,
    /// Offsets of the last `"` and `'` in the DOCTYPE, and the maximum distance between two of a kind: no value is longer.
    quotes: [Option<usize>; 2],
    longest: usize,
    /// Entity references in the DOCTYPE, and entity references since the last `<` after it.
    references: usize,
    run: usize,
    /// Parameter entity references.
    parameters: u32,
    /// `true` if there are character references to `%` or `&`, which can make new references.
    makes_references: bool,
    /// The name after the last `&` or `%`, while it can be a reference.
    name: Option<Name>,
}

#[derive(Clone, Copy, Debug)]
struct Name {
    is_parameter: bool,
    len: usize,
    start: [u8; 2],
    /// The code point of a character reference.
    number: u32,
}

impl Growth {
    /// Marks the end of the DOCTYPE.
    pub(super) fn end_doctype(&mut self) {
        self.is_past_doctype = true;
    }

    pub(super) fn is_past_doctype(&self) -> bool {
        self.is_past_doctype
    }

    /// Examines more of the document; `false` if a token can become longer than `most` bytes.
    pub(super) fn look_at(&mut self, bytes: &[u8], most: usize) -> bool {
        for &b in bytes {
            if self.is_past_doctype {
                if b == b'<' {
                    self.run = 0;
                }
            } else {
                self.len += 1;
                self.measure(b);
            }
            match (b, &mut self.name) {
                (b'&' | b'%', name) => {
                    *name = Some(Name {
                        is_parameter: b == b'%',
                        len: 0,
                        start: [0; 2],
                        number: 0,
                    });
                }
                (b';', Some(name)) => {
                    let name = *name;
                    self.name = None;
                    self.count(name);
                    if !self.is_within(most) {
                        return false;
                    }
                }
                (b' ' | b'\t' | b'\r' | b'\n' | b'<' | b'>' | b'"' | b'\'', name) => *name = None,
                (_, Some(name)) => name.push(b),
                _ => {}
            }
        }
        true
    }

    fn measure(&mut self, b: u8) {
        let kind = match b {
            b'"' => 0,
            b'\'' => 1,
            _ => return,
        };
        if let Some(last) = self.quotes[kind].replace(self.len) {
            self.longest = self.longest.max(self.len - last);
        }
    }

    fn count(&mut self, name: Name) {
        if name.is_parameter {
            self.parameters = self.parameters.saturating_add(u32::from(!self.is_past_doctype));
        } else if name.start[0] == b'#' {
            self.makes_references |= !self.is_past_doctype && matches!(name.number, 0x25 | 0x26);
        } else if self.is_past_doctype {
            self.run += 1;
        } else {
            self.references += 1;
        }
    }

    /// Nested values grow most if each holds three references to the next.
    fn is_within(&self, most: usize) -> bool {
        let longest = match (self.parameters, self.makes_references) {
            (0, _) => self.longest,
            (_, true) => return false,
            (parameters, false) => self
                .len
                .saturating_mul(3_usize.saturating_pow(parameters.div_ceil(3))),
        };
        longest.saturating_mul((self.references + self.run).max(1)) <= most
    }
}

impl Name {
    fn push(&mut self, b: u8) {
        if let Some(start) = self.start.get_mut(self.len) {
            *start = b;
        }
        self.len += 1;
        let digit = match self.start {
            [b'#', b'x'] => char::from(b).to_digit(16).map(|digit| (16, digit)),
            [b'#', _] => char::from(b).to_digit(10).map(|digit| (10, digit)),
            _ => None,
        };
        if let Some((base, digit)) = digit {
            self.number = self.number.saturating_mul(base).saturating_add(digit);
        }
    }
}
