//! The encoding that a server percent-decodes its URLs with (P-LOCENC).

#[cfg(feature = "derive")]
use std::borrow::Cow;

#[cfg(not(feature = "encoding"))]
use sitemap_values::{Rule, quote::quote};

use crate::error::Result;
#[cfg(not(feature = "encoding"))]
use crate::error::{Error, Message};

/// The server's encoding: UTF-8, or an encoding that `encoding_rs` can write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Charset {
    #[default]
    Utf8,
    /// Not decided yet: characters outside ASCII are encoded later.
    Deferred,
    #[cfg(feature = "encoding")]
    Other(&'static encoding_rs::Encoding),
}

impl Charset {
    /// Looks up an encoding by any of its labels in the Encoding Standard, in any case.
    #[cfg(feature = "encoding")]
    pub(super) fn of_label(label: &str) -> Result<Self> {
        let name = sitemap_values::encoding::of_label(label)?;
        Ok(match encoding_rs::Encoding::for_label(name.as_bytes()) {
            Some(encoding) if encoding != encoding_rs::UTF_8 => Charset::Other(encoding),
            _ => Charset::Utf8,
        })
    }

    #[cfg(not(feature = "encoding"))]
    pub(super) fn of_label(label: &str) -> Result<Self> {
        let name = label.trim_ascii();
        if name.eq_ignore_ascii_case("utf-8") || name.eq_ignore_ascii_case("utf8") {
            return Ok(Charset::Utf8);
        }
        Err(Error::data(
            Message::new(format!(
                "{} is not UTF-8, the only encoding that is known without sitemap-serde's feature `encoding`",
                quote(label)
            ))
            .advice(
                "turn \
             it on, or leave the writer's encoding out for UTF-8",
            ),
        )
        .breaks(Rule::LocEnc))
    }

    /// The encoding's name in the Encoding Standard.
    #[cfg(feature = "derive")]
    pub(super) fn name(self) -> &'static str {
        match self {
            Charset::Utf8 | Charset::Deferred => "UTF-8",
            #[cfg(feature = "encoding")]
            Charset::Other(encoding) => encoding.name(),
        }
    }

    /// Encodes `text`, which has no ASCII characters, in an encoding other than UTF-8, and gives the bytes to `put`.
    ///
    /// The whole run is encoded at once, since ISO-2022-JP writes shift sequences around it.
    ///
    /// # Errors
    /// The first character that the encoding does not have, or that decodes to another one: a yen sign encoded in Shift_JIS
    /// decodes to a backslash.
    #[cfg(feature = "encoding")]
    pub(super) fn encode(
        encoding: &'static encoding_rs::Encoding,
        text: &str,
        put: impl FnMut(&[u8]),
    ) -> Result<(), char> {
        if comes_back(encoding, text)? {
            return encode(encoding, text, put);
        }
        // Character by character, to find the lost one.
        let is_lost = |c: &char| !comes_back(encoding, c.encode_utf8(&mut [0; 4])).unwrap_or(false);
        Err(text
            .chars()
            .find(is_lost)
            .or(text.chars().next())
            .unwrap_or_default())
    }

    /// Decodes bytes; `None` if they are malformed in this encoding.
    #[cfg(feature = "derive")]
    pub(super) fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self {
            Charset::Utf8 | Charset::Deferred => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
            #[cfg(feature = "encoding")]
            Charset::Other(encoding) => encoding.decode_without_bom_handling_and_without_replacement(bytes),
        }
    }
}

/// Encodes a text and gives the bytes to `put`, without allocating.
#[cfg(feature = "encoding")]
fn encode(
    encoding: &'static encoding_rs::Encoding,
    text: &str,
    mut put: impl FnMut(&[u8]),
) -> Result<(), char> {
    use encoding_rs::EncoderResult;

    let mut encoder = encoding.new_encoder();
    let mut rest = text;
    let mut bytes = [0; 256];
    loop {
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(rest, &mut bytes, true);
        rest = &rest[read..];
        put(&bytes[..written]);
        match result {
            EncoderResult::InputEmpty => return Ok(()),
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => return Err(c),
        }
    }
}

/// Returns `true` if the encoded text decodes to the same text.
#[cfg(feature = "encoding")]
fn comes_back(encoding: &'static encoding_rs::Encoding, text: &str) -> Result<bool, char> {
    use encoding_rs::DecoderResult;

    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut rest, mut is_same) = (text.as_bytes(), true);
    let mut decode = |mut bytes: &[u8], last: bool| {
        let mut decoded = [0; 256];
        while is_same {
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(bytes, &mut decoded, last);
            bytes = &bytes[read..];
            match rest.strip_prefix(&decoded[..written]) {
                Some(after) => rest = after,
                None => is_same = false,
            }
            match result {
                DecoderResult::InputEmpty => return,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => is_same = false,
            }
        }
    };
    encode(encoding, text, |bytes| decode(bytes, false))?;
    decode(&[], true);
    Ok(is_same && rest.is_empty())
}
