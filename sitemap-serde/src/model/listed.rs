//! Enums of the values that the schema lists, which can hold another value that was read.

/// Defines an enum with a unit variant for each text, and `Other` for any other text.
macro_rules! listed {
    (
        $(#[$meta:meta])*
        $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal $(| $spelling:literal)*,)+ }
    ) => {
        $(#[$meta])*
        ///
        /// As a serde value it is its text. A text that is not listed is held as `Other` when it is read, so that nothing is
        /// lost; if the list is closed, it is refused when it is written to a sitemap.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_meta])* $variant,)+
            /// A text that the schema does not list.
            Other(Box<str>),
        }

        impl $name {
            /// The texts that the schema lists.
            #[allow(dead_code, reason = "of one of them it takes more than the list to say what is right")]
            pub(crate) const LISTED: &'static [&'static str] = &[$($text),+];

            /// The text, as a sitemap has it.
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$variant => $text,)+
                    $name::Other(text) => text,
                }
            }

            /// Whether the schema lists it.
            pub fn is_listed(&self) -> bool {
                !matches!(self, $name::Other(_))
            }

            /// The listed one that has this text, in any of the spellings that the schema allows.
            pub(crate) fn listed(text: &str) -> Option<Self> {
                Some(match text {
                    $($text $(| $spelling)* => $name::$variant,)+
                    _ => return None,
                })
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                $name::listed(text).unwrap_or_else(|| $name::Other(text.into()))
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                $name::listed(&text).unwrap_or_else(|| $name::Other(text.into()))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct TextVisitor;

                impl serde::de::Visitor<'_> for TextVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a string")
                    }

                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$name, E> {
                        Ok($name::from(text))
                    }

                    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<$name, E> {
                        Ok($name::from(text))
                    }
                }

                deserializer.deserialize_str(TextVisitor)
            }
        }
    };
}
pub(super) use listed;

/// Values in one text, with a separator between them, as serde values.
macro_rules! joined {
    ($module:ident, $type:ty, $split:expr, $join:literal) => {
        pub(super) mod $module {
            use serde::{Deserialize, Deserializer, Serializer};

            #[allow(
                clippy::wildcard_imports,
                unused_imports,
                reason = "`$type` may be of the module around"
            )]
            use super::*;

            pub(crate) fn split(text: &str) -> Vec<$type> {
                text.split($split)
                    .map(str::trim)
                    .filter(|part| !part.is_empty())
                    .map(<$type>::from)
                    .collect()
            }

            pub(crate) fn join(values: &[$type], out: &mut String) {
                for (i, value) in values.iter().enumerate() {
                    if i > 0 {
                        out.push_str($join);
                    }
                    out.push_str(value.as_str());
                }
            }

            pub(crate) fn serialize<S: Serializer>(
                values: &[$type],
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let mut text = String::new();
                join(values, &mut text);
                serializer.serialize_str(&text)
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Vec<$type>, D::Error> {
                std::borrow::Cow::<'de, str>::deserialize(deserializer).map(|text| split(&text))
            }
        }
    };
}
pub(super) use joined;
