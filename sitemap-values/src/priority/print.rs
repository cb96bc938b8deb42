//! Printing a priority with the digits it was read from.

use std::fmt::{self, Write};

use super::Priority;
use super::shape::{Shape, Sign};

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_none() && f.precision().is_none() {
            return self.write_to(f);
        }
        let mut text = String::new();
        self.write_to(&mut text)?;
        f.pad(&text)
    }
}

impl fmt::Debug for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Priority({self})")
    }
}

/// Appends text to bytes.
struct Append<'a>(&'a mut Vec<u8>);

impl Write for Append<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

impl Priority {
    /// A priority of the common shape with two places, to compare shapes with.
    const HUNDREDTHS: Priority = Priority::of(false, 0, 2);

    /// Appends the text, which is ASCII.
    #[doc(hidden)]
    #[inline]
    pub fn push_to(self, out: &mut Vec<u8>) {
        if let Some((bytes, len)) = self.usual_text() {
            out.extend_from_slice(&bytes[..len]);
            return;
        }
        // Appending cannot fail.
        let _ = self.write_to(&mut Append(out));
    }

    /// The text and its length, if the priority has a common shape: `0.8`, `1.0`, `0.85`.
    #[inline]
    pub(super) fn usual_text(self) -> Option<([u8; 4], usize)> {
        let whole = if self.shape().one { b'1' } else { b'0' };
        match u8::try_from(self.fraction()) {
            Ok(digit @ 0..=9) if self.has_shape_of(Priority::MIN) => {
                Some(([whole, b'.', b'0' + digit, 0], 3))
            }
            Ok(digits @ 0..=99) if self.has_shape_of(Priority::HUNDREDTHS) => {
                Some(([whole, b'.', b'0' + digits / 10, b'0' + digits % 10], 4))
            }
            _ => None,
        }
    }

    /// Returns `true` if both are written in the same shape, apart from their digits.
    #[inline]
    fn has_shape_of(self, other: Priority) -> bool {
        (self.shape.get() ^ other.shape.get()) & !Shape::ONE == 0
    }

    #[inline]
    pub(super) fn write_to(self, out: &mut impl Write) -> fmt::Result {
        let shape = self.shape();
        match shape.sign {
            Sign::Absent => {}
            Sign::Plus => out.write_char('+')?,
            Sign::Minus => out.write_char('-')?,
        }
        for _ in 1..shape.whole_digits {
            out.write_char('0')?;
        }
        if shape.whole_digits > 0 {
            out.write_char(if shape.one { '1' } else { '0' })?;
        }
        if shape.point {
            out.write_char('.')?;
        }
        match (shape.places, u8::try_from(self.fraction())) {
            (0, _) => Ok(()),
            (1, Ok(digit @ 0..=9)) => out.write_char(char::from(b'0' + digit)),
            (2, Ok(digits @ 0..=99)) => {
                out.write_char(char::from(b'0' + digits / 10))?;
                out.write_char(char::from(b'0' + digits % 10))
            }
            (places, _) => write!(out, "{:0places$}", self.fraction(), places = usize::from(places)),
        }
    }
}
