//! Enums of listed words, each with a variant for words that the schema does not list.

/// Defines an enum with a unit variant for each text, and `Other` for any other text.
macro_rules! listed {
    (
        $(#[$meta:meta])*
        $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal $(| $spelling:literal)*,)+ }
    ) => {
        $(#[$meta])*
        ///
        /// Its serde value is its text. Reading keeps a text that the schema does not list as `Other`, so nothing is lost. Writing such
        /// a text to a sitemap is an error.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_meta])* $variant,)+
            /// A text that the schema does not list.
            Other(Box<str>),
        }

        impl $name {
            /// The texts that the schema lists.
            pub(crate) const WORDS: $crate::schema::Spellings = $crate::schema::Spellings {
                listed: &[$($text),+],
                spellings: &[$($text $(, $spelling)*),+],
            };

            /// The listed value of a text, in any of the spellings that the schema allows.
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

        impl std::str::FromStr for $name {
            type Err = std::convert::Infallible;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok($name::from(text))
            }
        }

        /// The text in a sitemap.
        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                match self {
                    $($name::$variant => $text,)+
                    $name::Other(text) => text,
                }
            }
        }

        impl $crate::schema::Word for $name {
            fn as_word(&self) -> &str {
                self.as_ref()
            }
        }

        impl $crate::schema::Leaf for $name {
            #[inline]
            fn read(text: &str, _: &'static $crate::schema::SchemaRow) -> $crate::error::Result<Self> {
                Ok($name::from(text))
            }

            fn text<'t>(&'t self, _: &'t mut String) -> &'t str {
                self.as_ref()
            }
        }

        impl $crate::schema::Blank for $name {
            #[inline]
            fn blank() -> Self {
                $name::Other(Box::default())
            }
        }

        $crate::schema::leaf! { $name; }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_ref())
            }
        }

        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_ref())
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $name {
            fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct TextVisitor;

                impl serde_core::de::Visitor<'_> for TextVisitor {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a string")
                    }

                    fn visit_str<E: serde_core::de::Error>(self, text: &str) -> Result<$name, E> {
                        Ok($name::from(text))
                    }

                    fn visit_string<E: serde_core::de::Error>(self, text: String) -> Result<$name, E> {
                        Ok($name::from(text))
                    }
                }

                deserializer.deserialize_str(TextVisitor)
            }
        }
    };
}
pub(crate) use listed;
