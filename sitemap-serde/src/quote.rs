//! Text that was found, made fit to stand in a message.

use std::fmt;

/// The most characters of a found text that a message repeats.
const MAX_CHARS: usize = 60;

/// `text` between backquotes, control characters escaped, cut after 60 characters.
pub(crate) fn quote(text: &str) -> Quoted<'_> {
    Quoted(text)
}

pub(crate) struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        for (i, c) in self.0.chars().enumerate() {
            if i == MAX_CHARS {
                f.write_str("…")?;
                break;
            }
            if c.is_control() {
                write!(f, "{}", c.escape_default())?;
            } else {
                fmt::Write::write_char(f, c)?;
            }
        }
        f.write_str("`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_short_and_printable() {
        assert_eq!(quote("a\nb\u{7}").to_string(), "`a\\nb\\u{7}`");
        assert_eq!(quote(&"é".repeat(60)).to_string(), format!("`{}`", "é".repeat(60)));
        assert_eq!(quote(&"é".repeat(61)).to_string(), format!("`{}…`", "é".repeat(60)));
    }
}
