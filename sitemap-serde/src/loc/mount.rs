//! The base and encoding that a derived type declares for its own locs, and reading locs by them.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::charset::Charset;
use super::overrides::LocOverrides;
use super::{LocRules, encode_rest, text};

/// A type's own base and encoding, and the rules made of them at their first use.
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

    /// A template's literal, percent-encoded as in a loc; `None` if it needs no change, or if the encoding lacks one of its
    /// characters.
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
