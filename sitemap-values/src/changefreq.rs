//! `ChangeFreq`: the frequency of changes to a page.

#[cfg(feature = "serde")]
mod value;

use std::fmt;
use std::str::FromStr;

use crate::error::{Message, Result, Suggestion, ValueError};
use crate::quote::quote;
use crate::rules::Rule;
use crate::suggest;

/// The expected frequency of changes to a page (rule P-FREQ).
///
/// Ordered from the most frequent to the least. Its serde value is a unit variant, a string in most formats. Exhaustive, since the protocol
/// has seven words.
///
/// ```
/// use sitemap_serde::ChangeFreq;
///
/// assert_eq!("weekly".parse::<ChangeFreq>()?, ChangeFreq::Weekly);
/// assert_eq!(ChangeFreq::Weekly.to_string(), "weekly");
/// assert!(ChangeFreq::Hourly < ChangeFreq::Weekly);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeFreq {
    /// Changes each time it is accessed.
    Always,
    /// Changes every hour.
    Hourly,
    /// Changes every day.
    Daily,
    /// Changes every week.
    Weekly,
    /// Changes every month.
    Monthly,
    /// Changes every year.
    Yearly,
    /// Never changes again: an archived page.
    Never,
}

impl ChangeFreq {
    /// All seven values, from the most frequent to the least.
    ///
    /// ```
    /// use sitemap_serde::ChangeFreq;
    ///
    /// let names = ChangeFreq::ALL.map(|freq| freq.as_str());
    /// assert_eq!(names, ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]);
    /// ```
    pub const ALL: [ChangeFreq; 7] = [
        ChangeFreq::Always,
        ChangeFreq::Hourly,
        ChangeFreq::Daily,
        ChangeFreq::Weekly,
        ChangeFreq::Monthly,
        ChangeFreq::Yearly,
        ChangeFreq::Never,
    ];

    /// The texts, in the order of [`ALL`](Self::ALL).
    const NAMES: &'static [&'static str; 7] = &[
        "always", "hourly", "daily", "weekly", "monthly", "yearly", "never",
    ];

    /// The text in a sitemap.
    ///
    /// ```
    /// assert_eq!(sitemap_serde::ChangeFreq::Never.as_str(), "never");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            ChangeFreq::Always => "always",
            ChangeFreq::Hourly => "hourly",
            ChangeFreq::Daily => "daily",
            ChangeFreq::Weekly => "weekly",
            ChangeFreq::Monthly => "monthly",
            ChangeFreq::Yearly => "yearly",
            ChangeFreq::Never => "never",
        }
    }

    /// Reads a changefreq's text; [`explain`](Self::explain) makes the error for any other text.
    #[doc(hidden)]
    #[inline]
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "always" => ChangeFreq::Always,
            "hourly" => ChangeFreq::Hourly,
            "daily" => ChangeFreq::Daily,
            "weekly" => ChangeFreq::Weekly,
            "monthly" => ChangeFreq::Monthly,
            "yearly" => ChangeFreq::Yearly,
            "never" => ChangeFreq::Never,
            _ => return None,
        })
    }

    /// The error for a text that [`parse`](Self::parse) rejects.
    #[doc(hidden)]
    #[cold]
    pub fn explain(text: &str) -> ValueError {
        ValueError::of(text, |text| {
            let what = if text.is_empty() {
                "an empty value".to_owned()
            } else {
                quote(text).to_string()
            };
            let message = Message::new(format!(
                "{what} is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never"
            ));
            match nearest(text) {
                Some(freq) => {
                    let is_certain = text.trim().eq_ignore_ascii_case(freq.as_str());
                    let suggestion = if is_certain {
                        Suggestion::certain(freq.as_str())
                    } else {
                        Suggestion::probable(freq.as_str())
                    };
                    message
                        .advice(format!("did you mean `{freq}`?"))
                        .suggestion(suggestion)
                }
                None => message.advice("write one of these, or leave the field out"),
            }
        })
        .breaks(Rule::Freq)
    }
}

/// Common words for frequencies.
const SYNONYMS: [(&str, ChangeFreq); 8] = [
    ("annual", ChangeFreq::Yearly),
    ("annually", ChangeFreq::Yearly),
    ("year", ChangeFreq::Yearly),
    ("month", ChangeFreq::Monthly),
    ("week", ChangeFreq::Weekly),
    ("day", ChangeFreq::Daily),
    ("hour", ChangeFreq::Hourly),
    ("realtime", ChangeFreq::Always),
];

/// The value that `text` probably means, if one is close enough.
fn nearest(text: &str) -> Option<ChangeFreq> {
    let text = text.trim();
    let synonym = SYNONYMS
        .iter()
        .find(|(synonym, _)| text.eq_ignore_ascii_case(synonym));
    match synonym {
        Some((_, freq)) => Some(*freq),
        None => suggest::nearest(text, ChangeFreq::NAMES.iter().copied()).and_then(ChangeFreq::parse),
    }
}

/// # Errors
///
/// A [`ValueError`] if the text is not one of the seven values, which are lower case.
///
/// ```
/// use sitemap_serde::ChangeFreq;
///
/// assert_eq!(
///     "Daily".parse::<ChangeFreq>().unwrap_err().to_string(),
///     "`Daily` is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never \
///      (P-FREQ); did you mean `daily`?",
/// );
/// ```
impl FromStr for ChangeFreq {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self> {
        ChangeFreq::parse(text).ok_or_else(|| ChangeFreq::explain(text))
    }
}

/// See [`from_str`](Self::from_str).
impl TryFrom<&str> for ChangeFreq {
    type Error = ValueError;

    fn try_from(text: &str) -> Result<Self> {
        text.parse()
    }
}

impl fmt::Display for ChangeFreq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: &str = "is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ);";

    #[test]
    fn the_seven_values_parse_and_print() {
        for (index, freq) in ChangeFreq::ALL.into_iter().enumerate() {
            assert_eq!(ChangeFreq::parse(freq.as_str()), Some(freq));
            assert_eq!(freq.to_string().parse::<ChangeFreq>().unwrap(), freq);
            assert_eq!(ChangeFreq::try_from(freq.as_str()).unwrap(), freq);
            assert_eq!(ChangeFreq::NAMES[index], freq.as_str());
            assert_eq!(freq as usize, index);
        }
        assert!(ChangeFreq::ALL.is_sorted());
        assert_eq!(format!("[{:>8}]", ChangeFreq::Daily), "[   daily]");
        assert_eq!(size_of::<Option<ChangeFreq>>(), 1);
    }

    #[test]
    fn misspelt_values_get_a_suggestion() {
        for (found, meant) in [
            ("Daily", "daily"),
            ("WEEKLY", "weekly"),
            (" weekly", "weekly"),
            ("month", "monthly"),
            ("hour", "hourly"),
            ("day", "daily"),
            ("week", "weekly"),
            ("year", "yearly"),
            ("annually", "yearly"),
            ("dayly", "daily"),
            ("montly", "monthly"),
            ("hourley", "hourly"),
            ("allways", "always"),
            ("nevr", "never"),
            ("ever", "never"),
        ] {
            let error = found.parse::<ChangeFreq>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("`{found}` {RULE} did you mean `{meant}`?")
            );
            assert_eq!(error.rule(), Some(Rule::Freq));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for found in ["sometimes", "a", "1", "fortnightly", "日々", "monthly monthly"] {
            let error = found.parse::<ChangeFreq>().unwrap_err();
            let expected = format!("`{found}` {RULE} write one of these, or leave the field out");
            assert_eq!(error.to_string(), expected);
        }
        assert_eq!(
            "".parse::<ChangeFreq>().unwrap_err().to_string(),
            format!("an empty value {RULE} write one of these, or leave the field out")
        );
        assert_eq!(
            "x".repeat(1000).parse::<ChangeFreq>().unwrap_err().to_string(),
            format!(
                "`{}…` {RULE} write one of these, or leave the field out",
                "x".repeat(60)
            )
        );
    }
}
