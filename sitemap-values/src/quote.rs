//! Quoting rejected text in error messages: shortened, on one line, with invisible characters escaped.

use std::fmt::{self, Write};

/// The maximum number of characters that a message quotes.
const MOST: usize = 60;
/// The maximum number of repetitions of an invisible character in a quotation.
const MOST_REPEATED: usize = 3;
/// A loc has fewer than this (P-LOC), but in a document that is edited it may have any number.
const MOST_LOC_CHARS: usize = 2_048;

/// Displays `text` between back quotes: invisible characters are escaped, and a text of more than 60 characters is
/// truncated with `…`, as is a run of more than three times the same invisible character.
pub fn quote(text: &str) -> Quoted<'_> {
    Quoted(text, MOST)
}

/// Like [`quote`], but for a loc, which is shown whole: it identifies the row of an error.
pub fn quote_loc(loc: &str) -> Quoted<'_> {
    Quoted(loc, MOST_LOC_CHARS)
}

/// Return value of [`quote`]: escapes while it is displayed, without a copy.
pub struct Quoted<'a>(&'a str, usize);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('`')?;
        let mut chars = self.0.chars();
        let mut run = ('\0', 0);
        for c in chars.by_ref().take(self.1) {
            if run.0 != c {
                if run.1 > MOST_REPEATED {
                    f.write_char('…')?;
                }
                run = (c, 0);
            }
            run.1 += usize::from(is_invisible(c));
            if run.1 > MOST_REPEATED {
                continue;
            }
            match c {
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if is_invisible(c) => write!(f, "{}", c.escape_unicode())?,
                c => f.write_char(c)?,
            }
        }
        if !chars.as_str().is_empty() || run.1 > MOST_REPEATED {
            f.write_char('…')?;
        }
        f.write_char('`')
    }
}

/// Returns `true` if `c` is invisible in a message, or changes the order of its neighbours.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{fffe}'..='\u{ffff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_as_it_is_where_all_can_be_seen() {
        assert_eq!(quote("1.5").to_string(), "`1.5`");
        assert_eq!(quote("").to_string(), "``");
        assert_eq!(quote(r#"a "b" 'c' \d"#).to_string(), r#"`a "b" 'c' \d`"#);
        assert_eq!(quote("サイトマップ हिन्दी").to_string(), "`サイトマップ हिन्दी`");
    }

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(quote("a\nb\r\tc").to_string(), "`a\\nb\\r\\tc`");
        assert_eq!(quote("\u{0}\u{7f}\u{85}").to_string(), "`\\u{0}\\u{7f}\\u{85}`");
        assert_eq!(
            quote("1\u{a0}2\u{202e}3\u{feff}4\u{3000}").to_string(),
            "`1\\u{a0}2\\u{202e}3\\u{feff}4\\u{3000}`"
        );
    }

    #[test]
    fn a_run_of_invisible_characters_is_shortened() {
        for (text, shown) in [
            ("\0".repeat(60), "`\\u{0}\\u{0}\\u{0}…`"),
            (format!("a{}b", "\0".repeat(4)), "`a\\u{0}\\u{0}\\u{0}…b`"),
            (format!("a{}b", "\n".repeat(3)), "`a\\n\\n\\nb`"),
            ("\0\u{7f}\0\u{7f}".to_owned(), "`\\u{0}\\u{7f}\\u{0}\\u{7f}`"),
            ("a   b".to_owned(), "`a   b`"),
            ("\0".repeat(9) + "\u{7f}", "`\\u{0}\\u{0}\\u{0}…\\u{7f}`"),
            ("\0".repeat(100), "`\\u{0}\\u{0}\\u{0}…`"),
        ] {
            assert_eq!(quote(&text).to_string(), shown, "{text:?}");
        }
    }

    #[test]
    fn sixty_characters_are_the_most() {
        let sixty = "é".repeat(60);
        assert_eq!(quote(&sixty).to_string(), format!("`{sixty}`"));
        assert_eq!(quote(&format!("{sixty}x")).to_string(), format!("`{sixty}…`"));
    }
}
