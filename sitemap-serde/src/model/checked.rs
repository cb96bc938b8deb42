//! Values that are checked when they are read through serde, whatever the format.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::error::{Error, Words};
use crate::loc;
use crate::quote::quote;
use crate::rule::Rule;

use super::Decimal;

/// P-VID6: `yes` or `no`, in the three spellings that the schema has of each.
pub(crate) fn parse_yes_no(text: &str) -> Option<bool> {
    match text {
        "yes" | "Yes" | "YES" => Some(true),
        "no" | "No" | "NO" => Some(false),
        _ => None,
    }
}

/// The error for a text that [`parse_yes_no`] refuses.
#[cold]
pub(crate) fn no_yes_no(text: &str) -> Error {
    Error::value(text, |found| {
        Words::new(format!(
            "{} is neither `yes` nor `no`: write one of them",
            quote(found.text())
        ))
    })
}

/// P-VID3: 8 hours, in seconds.
pub(crate) const MOST_SECONDS: u32 = 28_800;

/// P-VID3.
pub(crate) fn check_duration(seconds: u32) -> Result<(), Error> {
    if (1..=MOST_SECONDS).contains(&seconds) {
        return Ok(());
    }
    Err(no_duration(&seconds.to_string()))
}

/// The error for a duration that is none.
#[cold]
pub(crate) fn no_duration(text: &str) -> Error {
    Error::value(text, |found| {
        Words::new(format!(
            "{} is not a duration: it is in seconds, a whole number from 1 to {MOST_SECONDS}",
            quote(found.text())
        ))
        .advice("write a value in that range, or leave it out")
    })
    .breaks(Rule::Vid3)
}

/// P-VID5.
pub(crate) fn check_rating(rating: &Decimal) -> Result<(), Error> {
    if *rating <= Decimal::from(5) {
        return Ok(());
    }
    Err(no_rating(rating.as_str()))
}

/// The error for a rating that is none.
#[cold]
pub(crate) fn no_rating(text: &str) -> Error {
    Error::value(text, |found| {
        Words::new(format!(
            "{} is not a rating: it is a decimal from 0.0 to 5.0",
            quote(found.text())
        ))
        .advice("write a value in that range, or leave it out")
    })
    .breaks(Rule::Vid5)
}

/// A loc that is read is checked, whatever format it is read from.
pub(super) fn loc<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    deserializer.deserialize_str(Text(loc::check))
}

/// The URL of something else than a page.
struct Url(String);

impl<'de> Deserialize<'de> for Url {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Text(loc::check_link)).map(Url)
    }
}

pub(super) fn url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Url::deserialize(deserializer).map(|url| url.0)
}

pub(super) fn optional_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::<Url>::deserialize(deserializer).map(|url| url.map(|url| url.0))
}

struct Text(fn(&str) -> crate::error::Result<()>);

impl Visitor<'_> for Text {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an absolute URL")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
        self.0(text).map_err(E::custom)?;
        Ok(text.to_owned())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<String, E> {
        self.0(&text).map_err(E::custom)?;
        Ok(text)
    }
}

/// `yes` or `no`, or what another format has for it.
pub(super) fn yes_no<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    struct YesNo(bool);

    impl<'de> Deserialize<'de> for YesNo {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            if deserializer.is_human_readable() {
                deserializer.deserialize_any(YesNoVisitor).map(YesNo)
            } else {
                deserializer.deserialize_bool(YesNoVisitor).map(YesNo)
            }
        }
    }

    struct YesNoVisitor;

    impl Visitor<'_> for YesNoVisitor {
        type Value = bool;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("yes or no")
        }

        fn visit_bool<E: de::Error>(self, value: bool) -> Result<bool, E> {
            Ok(value)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<bool, E> {
            parse_yes_no(text).ok_or_else(|| E::custom(no_yes_no(text).under(Rule::Vid6)))
        }
    }

    Option::<YesNo>::deserialize(deserializer).map(|value| value.map(|value| value.0))
}

fn ranged<'de, D, T>(
    deserializer: D,
    check: impl FnOnce(&T) -> Result<(), Error>,
) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let value = Option::<T>::deserialize(deserializer)?;
    if let Some(value) = &value {
        check(value).map_err(de::Error::custom)?;
    }
    Ok(value)
}

/// P-VID3.
pub(super) fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    ranged(deserializer, |seconds: &u32| check_duration(*seconds))
}

/// P-VID5.
pub(super) fn rating<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    ranged(deserializer, check_rating)
}

/// serde's traits for a struct of text and attributes: text alone is read too, as an element without attributes is to a
/// type that does not know the schema.
macro_rules! text_or_fields {
    ($($type:ident($what:literal) $from_text:expr;)*) => {
        $(
            impl serde::Serialize for $type {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    $type::serialize(self, serializer)
                }
            }

            impl<'de> serde::Deserialize<'de> for $type {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    struct TextOrFields;

                    impl<'de> serde::de::Visitor<'de> for TextOrFields {
                        type Value = $type;

                        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                            f.write_str($what)
                        }

                        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$type, E> {
                            let from_text: fn(&str) -> crate::error::Result<$type> = $from_text;
                            from_text(text).map_err(E::custom)
                        }

                        fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<$type, A::Error> {
                            $type::deserialize(serde::de::value::MapAccessDeserializer::new(map))
                        }
                    }

                    if deserializer.is_human_readable() {
                        deserializer.deserialize_any(TextOrFields)
                    } else {
                        $type::deserialize(deserializer)
                    }
                }
            }
        )*
    };
}
pub(super) use text_or_fields;

/// A URL as text alone.
pub(super) fn text_url(text: &str) -> Result<&str, Error> {
    loc::check_link(text).map(|()| text)
}
