//! Search engines, and their reactions to a broken rule.

use std::fmt;
use std::str::FromStr;

use crate::error::{Message, Result, ValueError};
use crate::quote::quote;
use crate::rules::Rule;

/// A search engine that reads sitemaps.
///
/// ```
/// use sitemap_serde::engine::Engine;
///
/// assert_eq!("Yandex".parse::<Engine>()?, Engine::Yandex);
/// assert_eq!(Engine::Yandex.to_string(), "Yandex");
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Google Search.
    Google,
    /// Microsoft Bing.
    Bing,
    /// Yandex.
    Yandex,
    /// Baidu.
    Baidu,
    /// Naver.
    Naver,
    /// Seznam.
    Seznam,
}

impl Engine {
    /// All engines, in the order of their columns in tables.
    pub const ALL: [Engine; 6] = [
        Engine::Google,
        Engine::Bing,
        Engine::Yandex,
        Engine::Baidu,
        Engine::Naver,
        Engine::Seznam,
    ];

    /// The name in settings: `google`, `bing`, `yandex`, `baidu`, `naver` or `seznam`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Engine::Google => "google",
            Engine::Bing => "bing",
            Engine::Yandex => "yandex",
            Engine::Baidu => "baidu",
            Engine::Naver => "naver",
            Engine::Seznam => "seznam",
        }
    }

    /// The name in texts, such as `Google`.
    #[doc(hidden)]
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Google => "Google",
            Engine::Bing => "Bing",
            Engine::Yandex => "Yandex",
            Engine::Baidu => "Baidu",
            Engine::Naver => "Naver",
            Engine::Seznam => "Seznam",
        }
    }

    /// The engine's documented maximum size of an uncompressed document in bytes: 52,428,800 (P-SIZE) for Google, Bing and Yandex,
    /// 10,485,760 for Baidu. `None` if it documents none.
    #[doc(hidden)]
    pub const fn most_bytes(self) -> Option<u64> {
        match self {
            Engine::Google | Engine::Bing | Engine::Yandex => Some(50 << 20),
            Engine::Baidu => Some(10 << 20),
            Engine::Naver | Engine::Seznam => None,
        }
    }

    /// The engine's documented maximum length of a loc in bytes: 256 for Baidu. `None` if it documents only the protocol's limit of 2,048
    /// characters.
    #[doc(hidden)]
    pub const fn most_loc_bytes(self) -> Option<usize> {
        match self {
            Engine::Baidu => Some(256),
            _ => None,
        }
    }

    /// Returns the engine's reaction to a document, an entry or a value that breaks the rule.
    pub fn on(self, rule: Rule) -> Stance {
        self.statement(rule).map_or(Stance::Unknown, |(stance, _)| stance)
    }

    /// The source of the engine's [reaction](Self::on): the page's title, its date or, if it has none, the date when it was read, and its
    /// URL. `None` if the engine's documentation is silent.
    ///
    /// ```
    /// use sitemap_serde::Rule;
    /// use sitemap_serde::engine::Engine;
    ///
    /// let source = Engine::Google.source(Rule::Ignored).unwrap();
    /// assert!(source.ends_with(", https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap"), "{source}");
    /// assert_eq!(Engine::Naver.source(Rule::Ignored), None);
    /// ```
    pub fn source(self, rule: Rule) -> Option<String> {
        let (_, Source { title, url, date }) = self.statement(rule)?;
        Some(format!("{title} ({date}), {url}"))
    }

    fn statement(self, rule: Rule) -> Option<(Stance, &'static Source)> {
        let mut statements = rule.head().engines.iter();
        let (_, stance, source) = statements.find(|(engine, ..)| *engine == self)?;
        Some((*stance, source))
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses an engine's name, in upper or lower case.
///
/// # Errors
/// A [`ValueError`] for any other word.
impl FromStr for Engine {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self> {
        let known = Engine::ALL
            .into_iter()
            .find(|engine| engine.as_str().eq_ignore_ascii_case(text));
        known.ok_or_else(|| {
            let names = Engine::ALL
                .map(|engine| format!("`{}`", engine.as_str()))
                .join(", ");
            let message = Message::new(format!("{} is no search engine that is known here", quote(text)));
            ValueError::new(message.advice(format!("write one of {names}")))
        })
    }
}

/// An engine's reaction to a broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stance {
    /// It makes no difference to the engine, or the engine makes use of it.
    Takes,
    /// The engine ignores it.
    Ignores,
    /// The engine reports it as an error, or drops the document, the entry or the value.
    Refuses,
    /// The engine demands the rule, and does not document its reaction to a broken one.
    Requires,
    /// The engine's documentation is silent.
    Unknown,
}

/// The stance as a word: `takes`, `ignores`, `refuses`, `requires`, `unknown`.
impl fmt::Display for Stance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Stance::Takes => "takes",
            Stance::Ignores => "ignores",
            Stance::Refuses => "refuses",
            Stance::Requires => "requires",
            Stance::Unknown => "unknown",
        })
    }
}

/// A page that documents an engine's behaviour.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) title: &'static str,
    pub(crate) url: &'static str,
    /// When it was written or, if it has no date, read.
    pub(crate) date: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for engine in Engine::ALL {
            assert_eq!(engine.as_str().parse::<Engine>().unwrap(), engine);
            assert_eq!(engine.name().parse::<Engine>().unwrap(), engine);
        }
        assert_eq!(
            "Altavista".parse::<Engine>().unwrap_err().to_string(),
            "`Altavista` is no search engine that is known here; write one of `google`, `bing`, `yandex`, `baidu`, `naver`, `seznam`"
        );
    }
}
