//! Types that declare their own base and encoding, which override the writer's or reader's for their entries.
#![cfg_attr(
    not(feature = "derive"),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        reason = "types declare them through the derive"
    )
)]

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::error::Result;

use super::charset::Charset;
use super::{LocRules, LocSettings, encode_rest, text};

/// A type's own base and encoding, and the rules made from them at their first use.
#[derive(Debug)]
pub struct Mount {
    pub(crate) overrides: LocOverrides,
    rules: OnceLock<LocRules>,
}

impl Mount {
    /// Makes the value of a `static` in derived code. The derive has checked the base and the encoding's name.
    pub const fn new(base: Option<&'static str>, encoding: Option<&'static str>) -> Self {
        Mount {
            overrides: LocOverrides {
                base,
                encoding,
                base_name: None,
            },
            rules: OnceLock::new(),
        }
    }

    /// Marks the base as the value of a const, which the derive cannot check; `name` is the const's name in the message for an
    /// invalid base.
    #[must_use]
    pub const fn of_const(mut self, name: &'static str) -> Self {
        self.overrides.base_name = Some(name);
        self
    }

    pub(crate) fn rules(&self) -> &LocRules {
        self.rules
            .get_or_init(|| LocRules::new(&self.overrides.settings()))
    }
}

/// The name of an encoding other than UTF-8, in a `const`.
#[cfg(feature = "encoding")]
#[allow(
    clippy::unnecessary_wraps,
    reason = "the other one returns nothing, and a type may have no encoding"
)]
pub const fn encoding(name: &'static str) -> Option<&'static str> {
    Some(name)
}

/// The name of an encoding other than UTF-8, in a `const`. The function needs the feature `encoding`; without it the call
/// fails to compile.
///
/// # Panics
/// Always, at compile time.
#[cfg(not(feature = "encoding"))]
pub const fn encoding(_: &'static str) -> Option<&'static str> {
    panic!(
        "`encoding = …` needs sitemap-serde's feature `encoding`, without which UTF-8 is the only one that is known (P-LOCENC): turn it \
         on in Cargo.toml, `features = [\"encoding\"]`"
    )
}

/// The base and encoding that a type declares in its source code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LocOverrides {
    /// URL that paths are appended to.
    pub(crate) base: Option<&'static str>,
    /// Name of the encoding that the server percent-decodes its URLs with.
    pub(crate) encoding: Option<&'static str>,
    /// Description of the base for messages, if its value is known only at run time.
    pub(crate) base_name: Option<&'static str>,
}

impl LocOverrides {
    /// The overrides of a type within another type: the inner type's base and encoding win over the outer's.
    #[must_use]
    pub(crate) fn then(self, inner: LocOverrides) -> LocOverrides {
        LocOverrides {
            base: inner.base.or(self.base),
            encoding: inner.encoding.or(self.encoding),
            base_name: if inner.base.is_some() {
                inner.base_name
            } else {
                self.base_name
            },
        }
    }

    pub(super) fn settings(self) -> LocSettings {
        LocSettings {
            base: self.base.map(str::to_owned),
            encoding: self.encoding.map(str::to_owned),
            base_name: self.base_name,
            ..LocSettings::default()
        }
    }
}

/// The rules of a document, and the rules of the types in it that override them.
#[derive(Debug)]
pub(crate) struct MountedRules {
    document: LocRules,
    overrides: LocOverrides,
    /// At most one element for each type in the program that declares overrides.
    mounted: Vec<(LocOverrides, LocRules)>,
    current: Option<usize>,
}

/// Which of the rules apply at the moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurrentRules {
    overrides: LocOverrides,
    current: Option<usize>,
}

impl MountedRules {
    pub(crate) fn new(document: LocRules) -> Self {
        MountedRules {
            document,
            overrides: LocOverrides::default(),
            mounted: Vec::new(),
            current: None,
        }
    }

    /// Returns an error if the document's settings are invalid.
    pub(crate) fn check(&self) -> Result<()> {
        self.document.check()
    }

    /// Goes back to the document's own rules.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.overrides = LocOverrides::default();
        self.current = None;
    }

    /// Switches to the rules of a type.
    pub(crate) fn mount(&mut self, overrides: LocOverrides) {
        let overrides = self.overrides.then(overrides);
        self.overrides = overrides;
        let known = self.mounted.iter().position(|(other, _)| *other == overrides);
        self.current = Some(known.unwrap_or_else(|| {
            self.mounted.push((overrides, self.document.mounted(overrides)));
            self.mounted.len() - 1
        }));
    }

    /// The rules that apply now, to be restored later.
    pub(crate) fn current(&self) -> CurrentRules {
        CurrentRules {
            overrides: self.overrides,
            current: self.current,
        }
    }

    pub(crate) fn restore(&mut self, rules: CurrentRules) {
        self.overrides = rules.overrides;
        self.current = rules.current;
    }

    #[inline]
    pub(crate) fn get(&self) -> &LocRules {
        self.current
            .and_then(|current| self.mounted.get(current))
            .map_or(&self.document, |(_, rules)| rules)
    }
}

impl LocRules {
    /// The rules of a type's entries in this document. The scope remains the document's.
    fn mounted(&self, overrides: LocOverrides) -> LocRules {
        let Ok(document) = &self.rules else {
            return LocRules {
                rules: self.rules.clone(),
            };
        };
        let rules = document.mounted(overrides);
        LocRules {
            rules: rules.map_err(|_| overrides.settings()),
        }
    }
}

#[cfg(feature = "derive")]
impl LocRules {
    /// Percent-decodes a text in the server's encoding; `None` if the bytes are malformed in it.
    pub(crate) fn decode<'a>(&self, encoded: &'a str) -> Option<Cow<'a, str>> {
        let charset = self.rules().map_or(Charset::Utf8, |rules| rules.encoder.charset);
        if charset == Charset::Utf8 {
            return percent_encoding::percent_decode_str(encoded).decode_utf8().ok();
        }
        let mut decoded = String::new();
        let mut rest = encoded;
        while !rest.is_empty() {
            // Characters outside ASCII were not percent-encoded: they are text already, not bytes in the server's encoding.
            let wide = rest.find(|c: char| c.is_ascii()).unwrap_or(rest.len());
            decoded.push_str(&rest[..wide]);
            rest = &rest[wide..];
            let narrow = rest.find(|c: char| !c.is_ascii()).unwrap_or(rest.len());
            let bytes: Vec<u8> = percent_encoding::percent_decode_str(&rest[..narrow]).collect();
            decoded.push_str(&charset.decode(&bytes)?);
            rest = &rest[narrow..];
        }
        Some(Cow::Owned(decoded))
    }

    /// A template's literal, percent-encoded as in a loc; `None` if it needs no change, or if the encoding lacks a character
    /// of it.
    pub(crate) fn encoded(&self, literal: &str) -> Option<String> {
        let rules = self.rules().ok()?;
        if literal.is_ascii() || rules.encoder.charset == Charset::Utf8 {
            return None;
        }
        let mut out = Vec::new();
        encode_rest(rules.encoder, literal, &mut out).ok()?;
        Some(text(&out, 0).to_owned())
    }

    /// The name of the server's encoding.
    pub(crate) fn encoding(&self) -> &'static str {
        self.rules()
            .map_or(Charset::Utf8, |rules| rules.encoder.charset)
            .name()
    }
}

#[cfg(all(test, not(feature = "encoding")))]
mod tests {
    #[test]
    #[should_panic(expected = "needs sitemap-serde's feature `encoding`")]
    fn an_encoding_names_its_feature() {
        let _ = super::encoding("EUC-JP");
    }
}
