//! `ChangeFreq`: how often a page changes.

use std::fmt;
use std::str::FromStr;

use serde_core::de::{self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::error::{Error, Message, Result};
use crate::quote::quote;
use crate::rule::Rule;

/// How often a page is likely to change (rule P-FREQ).
///
/// Ordered from the most frequent to the least. As a serde value it is a unit variant, a string in most formats.
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
    /// Does not change any more: an archived page.
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

    /// Reads one of the seven texts; [`explain`](Self::explain) makes the error for any other.
    #[inline]
    pub(crate) fn parse(text: &str) -> Option<Self> {
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

    /// The error for a text that [`parse`](Self::parse) refuses.
    #[cold]
    pub(crate) fn explain(text: &str) -> Error {
        Error::value(text, |found| {
            let text = found.text();
            let what = if text.is_empty() {
                "an empty value".to_owned()
            } else {
                quote(text).to_string()
            };
            let message = Message::new(format!(
                "{what} is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and never"
            ));
            match nearest(text) {
                Some(freq) => message.advice(format!("did you mean `{freq}`?")),
                None => message.advice("write one of these, or leave the field out"),
            }
        })
        .breaks(Rule::Freq)
    }
}

/// The value that `text` probably means, if one is close enough.
fn nearest(text: &str) -> Option<ChangeFreq> {
    // A longer text is not close to any of them.
    if text.len() > 12 {
        return None;
    }
    let text = text.trim().to_ascii_lowercase();
    let synonym = match text.as_str() {
        "annual" | "annually" => Some(ChangeFreq::Yearly),
        "day" => Some(ChangeFreq::Daily),
        _ => None,
    };
    // At most two edits, and at most half of a short word.
    let most = 2.min(text.len() / 2);
    let near = |freq: &ChangeFreq| Some((distance(text.as_bytes(), freq.as_str().as_bytes()), *freq));
    synonym.or_else(|| {
        ChangeFreq::ALL
            .iter()
            .filter_map(near)
            .filter(|(distance, _)| *distance <= most)
            .min()
            .map(|(_, freq)| freq)
    })
}

/// How many bytes have to be inserted, removed or replaced to make one text the other (Levenshtein).
pub(crate) fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (y, above) in b.iter().zip(row.iter_mut().skip(1)) {
            let cost = (diagonal + usize::from(x != y)).min(left + 1).min(*above + 1);
            diagonal = std::mem::replace(above, cost);
            left = cost;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// # Errors
///
/// A [`Data`](crate::Category::Data) error if the text is none of the seven, which are lower case.
///
/// ```
/// use sitemap_serde::ChangeFreq;
///
/// assert_eq!(
///     "Daily".parse::<ChangeFreq>().unwrap_err().to_string(),
///     "`Daily` is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and never \
///      (P-FREQ); did you mean `daily`?",
/// );
/// ```
impl FromStr for ChangeFreq {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        ChangeFreq::parse(text).ok_or_else(|| ChangeFreq::explain(text))
    }
}

/// As [`from_str`](Self::from_str).
impl TryFrom<&str> for ChangeFreq {
    type Error = Error;

    fn try_from(text: &str) -> Result<Self> {
        text.parse()
    }
}

impl fmt::Display for ChangeFreq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for ChangeFreq {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit_variant("ChangeFreq", *self as u32, self.as_str())
    }
}

// Not derived: the derived error cannot suggest the nearest value.
impl<'de> Deserialize<'de> for ChangeFreq {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("ChangeFreq", ChangeFreq::NAMES, EnumVisitor)
    }
}

struct EnumVisitor;

impl<'de> Visitor<'de> for EnumVisitor {
    type Value = ChangeFreq;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a changefreq (always, hourly, daily, weekly, monthly, yearly or never)")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<ChangeFreq, A::Error> {
        let (freq, variant) = data.variant_seed(self)?;
        variant.unit_variant()?;
        Ok(freq)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<ChangeFreq, E> {
        ChangeFreq::parse(text).ok_or_else(|| E::custom(ChangeFreq::explain(text)))
    }

    /// Compact formats hold the variant's number.
    fn visit_u64<E: de::Error>(self, index: u64) -> Result<ChangeFreq, E> {
        usize::try_from(index)
            .ok()
            .and_then(|index| ChangeFreq::ALL.get(index).copied())
            .ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(index), &self))
    }
}

/// Reads the variant's name or number inside the enum.
impl<'de> DeserializeSeed<'de> for EnumVisitor {
    type Value = ChangeFreq;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ChangeFreq, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error as ValueError, U32Deserializer};

    use super::*;

    const RULE: &str = "is not a changefreq: it is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ);";

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

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("daily", "daily", 0),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
    }

    #[test]
    fn json_has_a_string() {
        for freq in ChangeFreq::ALL {
            let json = format!("\"{freq}\"");
            assert_eq!(serde_json::to_string(&freq).unwrap(), json);
            assert_eq!(serde_json::from_str::<ChangeFreq>(&json).unwrap(), freq);
        }
        assert_eq!(
            serde_json::from_str::<ChangeFreq>("\"Daily\"")
                .unwrap_err()
                .to_string(),
            format!("`Daily` {RULE} did you mean `daily`? at line 1 column 7")
        );
        assert!(serde_json::from_str::<ChangeFreq>("7").is_err());
        assert!(serde_json::from_str::<ChangeFreq>("{\"daily\":1}").is_err());
    }

    #[test]
    fn a_compact_format_has_a_number() {
        let read = |index: u32| {
            let number: U32Deserializer<ValueError> = index.into_deserializer();
            ChangeFreq::deserialize(number)
        };
        for freq in ChangeFreq::ALL {
            assert_eq!(read(freq as u32).unwrap(), freq);
        }
        assert_eq!(
            read(7).unwrap_err().to_string(),
            "invalid value: integer `7`, expected a changefreq (always, hourly, daily, weekly, monthly, yearly \
             or never)"
        );
    }
}
