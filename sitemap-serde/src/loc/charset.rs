//! The encoding in which a server percent-decodes its URLs (P-LOCENC).

#[cfg(feature = "derive")]
use std::borrow::Cow;

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Error, Message, Result};

/// The server's encoding: UTF-8, or one that `encoding_rs` can write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Charset {
    #[default]
    Utf8,
    /// Not decided yet: characters outside ASCII are kept, and encoded later.
    Deferred,
    #[cfg(feature = "encoding")]
    Other(&'static encoding_rs::Encoding),
}

impl Charset {
    /// Looks up an encoding by one of its labels in the Encoding Standard, in any case.
    #[cfg(feature = "encoding")]
    pub(super) fn of_label(label: &str) -> Result<Self> {
        let Some(encoding) = encoding_rs::Encoding::for_label(label.as_bytes()) else {
            let advice = match meant(label) {
                Some(encoding) => format!("did you mean `{}`?", encoding.name().to_ascii_lowercase()),
                None => "correct the writer's encoding, or leave it out for UTF-8".to_owned(),
            };
            return Err(Error::data(
                Message::new(format!(
                    "{} is not a known encoding: the names are those of the Encoding Standard, such as `euc-jp`, \
                     `shift_jis`, `gbk`, `windows-1252`",
                    quote(label)
                ))
                .advice(advice),
            )
            .breaks(Rule::LocEnc));
        };
        if encoding == encoding_rs::UTF_8 {
            return Ok(Charset::Utf8);
        }
        // UTF-16 and the Encoding Standard's `replacement`: no URL is encoded in them.
        if encoding.output_encoding() != encoding {
            return Err(Error::data(Message::new(format!(
                "{} names {}, in which no URL is encoded: a server's encoding is one that holds ASCII, such as `utf-8` or \
                 `euc-jp`",
                quote(label),
                encoding.name()
            )).advice("correct the writer's encoding, or leave it out for UTF-8")).breaks(Rule::LocEnc));
        }
        Ok(Charset::Other(encoding))
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
        // Character by character, to find the one that is lost.
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

/// Whether the encoded text decodes to the same text.
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

/// The encoding that an unknown label probably means: one with other punctuation between its letters and digits, or the
/// name of the encoding in a database or a programming language.
#[cfg(feature = "encoding")]
fn meant(label: &str) -> Option<&'static encoding_rs::Encoding> {
    use encoding_rs as known;

    // No known name is longer.
    if label.len() > 40 {
        return None;
    }
    let fold = |name: &str| {
        name.to_ascii_lowercase()
            .replace(|c: char| !c.is_ascii_alphanumeric(), "")
    };
    let folded = fold(label);
    let page = folded.strip_prefix("cp").or(folded.strip_prefix("ms"));
    let other = match page.unwrap_or(&folded) {
        "932" | "31j" | "windows31j" => Some(known::SHIFT_JIS),
        "936" => Some(known::GBK),
        "949" => Some(known::EUC_KR),
        "950" => Some(known::BIG5),
        "51932" | "ujis" | "eucjpms" => Some(known::EUC_JP),
        "65001" | "utf8mb3" | "utf8mb4" => Some(known::UTF_8),
        _ => None,
    };
    let by_label = || known::Encoding::for_label(folded.as_bytes());
    let by_name = || {
        [
            known::EUC_JP,
            known::EUC_KR,
            known::ISO_2022_JP,
            known::KOI8_U,
            known::SHIFT_JIS,
            known::WINDOWS_874,
            known::WINDOWS_1250,
            known::WINDOWS_1251,
            known::WINDOWS_1252,
            known::WINDOWS_1253,
            known::WINDOWS_1254,
            known::WINDOWS_1255,
            known::WINDOWS_1256,
            known::WINDOWS_1257,
            known::WINDOWS_1258,
        ]
        .into_iter()
        .find(|encoding| fold(encoding.name()) == folded)
    };
    let meant = other.or_else(by_label).or_else(by_name);
    meant.filter(|encoding| encoding.output_encoding() == *encoding)
}
