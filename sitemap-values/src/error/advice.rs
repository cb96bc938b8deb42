//! Advice about a problem.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

/// Advice about a problem. Displays as a clause, such as ``write `2026-05-01` ``.
#[derive(Clone, Debug)]
pub struct Advice {
    text: Cow<'static, str>,
    /// The item of the API that the text names.
    item: Option<&'static str>,
}

/// The words of a program for advice that names an item of the API; `None` if it has no words of its own.
type ApiWords = fn(item: &str) -> Option<&'static str>;

static WORDS: OnceLock<ApiWords> = OnceLock::new();

impl Advice {
    /// Advice that names an item of the API, such as `Limits::with_entries`.
    #[doc(hidden)]
    pub fn of_api(item: &'static str, text: impl Into<Cow<'static, str>>) -> Self {
        Advice {
            text: text.into(),
            item: Some(item),
        }
    }

    /// Sets the words for advice that names an item of the API, for a program whose users do not call the API: a command writes
    /// `--location` instead of `WriterBuilder::location`. They apply to the process, since errors pass through other crates as
    /// text. Returns `true` if none were set before; otherwise nothing changes.
    #[doc(hidden)]
    pub fn set_words(words: ApiWords) -> bool {
        WORDS.set(words).is_ok()
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.item.and_then(|item| WORDS.get()?(item));
        f.write_str(own.unwrap_or(&self.text))
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for Advice {
    fn from(text: T) -> Self {
        Advice {
            text: text.into(),
            item: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only test of this process that displays advice of the API.
    #[test]
    fn a_program_has_its_own_words() {
        let text = "split the file, or raise the limit with `Limits::with_entries`";
        let advice = Advice::of_api("Limits::with_entries", text);
        assert_eq!(advice.to_string(), text);
        assert!(Advice::set_words(|item| item
            .starts_with("Limits::")
            .then_some("split the file")));
        assert_eq!(advice.to_string(), "split the file");
        assert_eq!(Advice::of_api("Rule", "all of them").to_string(), "all of them");
        assert!(!Advice::set_words(|_| None));
    }
}
