//! A type's own base and encoding, as its derive says them, and its locs read by them.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::charset::Charset;
use super::place::Place;
use super::{LocRules, encode_rest, text};

/// What a type says of its URLs, and the rules of it once somebody asks for them.
#[derive(Debug)]
pub struct Mount {
    pub(crate) place: Place,
    rules: OnceLock<LocRules>,
}

impl Mount {
    /// For a `static`: a type's base and the name of its encoding, which the derive has checked.
    pub const fn new(base: Option<&'static str>, encoding: Option<&'static str>) -> Self {
        Mount {
            place: Place {
                base,
                encoding,
                given: None,
            },
            rules: OnceLock::new(),
        }
    }

    /// The same, with a base that is the value of a const: `given` says of which, for whoever reads that it is none.
    #[must_use]
    pub const fn of_const(mut self, given: &'static str) -> Self {
        self.place.given = Some(given);
        self
    }

    pub(crate) fn rules(&self) -> &LocRules {
        self.rules.get_or_init(|| LocRules::new(&self.place.settings()))
    }
}

impl LocRules {
    /// The text that was percent-encoded in the server's encoding; `None` if it was not.
    pub(crate) fn decode<'a>(&self, encoded: &'a str) -> Option<Cow<'a, str>> {
        let charset = self.rules().map_or(Charset::Utf8, |rules| rules.encoder.charset);
        if charset == Charset::Utf8 {
            return percent_encoding::percent_decode_str(encoded).decode_utf8().ok();
        }
        let mut decoded = String::new();
        let mut rest = encoded;
        while !rest.is_empty() {
            // What stands as it is outside of ASCII is in no encoding but the document's.
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

    /// A literal as it stands in a loc; `None` if it is the same, or the encoding does not have it.
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
