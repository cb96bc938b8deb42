//! Addresses that do not show the keys of rows, and that nobody else can make.
//!
//! The ends of a range are encrypted and authenticated by a secret that all instances have (a synthetic initialisation vector, as in
//! RFC 5297, with keyed BLAKE3 in the place of its block cipher): the tag is the keyed hash of section and range, and the text is
//! combined with the key stream that another key makes of the tag. The same range always has the same address.

use std::fmt;

/// Bytes of the tag: whoever guesses addresses has to try 2^128.
const TAG: usize = 16;

/// Two keys, made of the site's secret.
pub(crate) struct Opaque {
    tag: [u8; 32],
    stream: [u8; 32],
}

impl fmt::Debug for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Opaque")
    }
}

impl Opaque {
    pub(crate) fn new(secret: &[u8]) -> Self {
        Opaque {
            tag: blake3::derive_key("sitemap-site 2026-11-21 tags of addresses", secret),
            stream: blake3::derive_key("sitemap-site 2026-11-21 key streams of addresses", secret),
        }
    }

    /// The token of a range of a section.
    pub(crate) fn seal(&self, section: &str, range: &str) -> String {
        let tag = self.tag(section, range.as_bytes());
        let mut sealed = tag.to_vec();
        sealed.extend_from_slice(range.as_bytes());
        self.apply_stream(&tag, sealed.get_mut(TAG..).unwrap_or_default());
        encode(&sealed)
    }

    /// The range of a section that a token is of; `None` if this secret has not made it.
    pub(crate) fn open(&self, section: &str, token: &str) -> Option<String> {
        let sealed = decode(token)?;
        let (tag, range) = sealed.split_first_chunk::<TAG>()?;
        let mut range = range.to_vec();
        self.apply_stream(tag, &mut range);
        let expected = self.tag(section, &range);
        // It takes as long wherever they differ.
        let differences = expected.iter().zip(tag).fold(0, |all, (a, b)| all | (a ^ b));
        if differences != 0 {
            return None;
        }
        String::from_utf8(range).ok()
    }

    fn tag(&self, section: &str, range: &[u8]) -> [u8; TAG] {
        let mut hasher = blake3::Hasher::new_keyed(&self.tag);
        // No section's name has this byte.
        hasher.update(section.as_bytes()).update(b"\0").update(range);
        let mut tag = [0; TAG];
        hasher.finalize_xof().fill(&mut tag);
        tag
    }

    fn apply_stream(&self, tag: &[u8; TAG], text: &mut [u8]) {
        let mut stream = vec![0; text.len()];
        let mut hasher = blake3::Hasher::new_keyed(&self.stream);
        hasher.update(tag).finalize_xof().fill(&mut stream);
        text.iter_mut().zip(stream).for_each(|(byte, key)| *byte ^= key);
    }
}

/// The alphabet that is safe in URLs (RFC 4648 section 5).
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk
            .iter()
            .zip([16, 8, 0])
            .fold(0_u32, |bits, (byte, shift)| bits | u32::from(*byte) << shift);
        // So many digits as the bytes fill.
        for shift in [18, 12, 6, 0].into_iter().take(chunk.len() + 1) {
            let digit = DIGITS
                .get((bits >> shift & 63) as usize)
                .copied()
                .unwrap_or_default();
            out.push(char::from(digit));
        }
    }
    out
}

/// The bytes of a text, if it is what [`encode`] makes of them.
fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for (byte, shift) in chunk.iter().zip([18, 12, 6, 0]) {
            let digit = DIGITS.iter().position(|digit| digit == byte)?;
            bits |= u32::try_from(digit).ok()? << shift;
        }
        let [_, high, middle, low] = bits.to_be_bytes();
        bytes.extend([high, middle, low].into_iter().take(chunk.len().checked_sub(1)?));
    }
    (encode(&bytes) == text).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back_with_its_section_and_secret_alone() {
        let opaque = Opaque::new(b"a secret of the site");
        let ranges = ["", "~1", "1~2", "de.1~de.x_7Ey_2Ez", &"9".repeat(120)];
        for range in ranges {
            let token = opaque.seal("a", range);
            assert_eq!(opaque.open("a", &token).as_deref(), Some(range));
            assert_eq!(token, Opaque::new(b"a secret of the site").seal("a", range));
            assert_eq!(opaque.open("b", &token), None);
            assert_eq!(Opaque::new(b"another secret").open("a", &token), None);
            // No digit can be another one, left out or added.
            for at in 0..token.len() {
                for other in [b'A', b'_', b'~', b'7'] {
                    let mut changed = token.clone().into_bytes();
                    if std::mem::replace(&mut changed[at], other) != other {
                        let changed = String::from_utf8(changed).unwrap();
                        assert_eq!(opaque.open("a", &changed), None, "{changed}");
                    }
                }
                assert_eq!(opaque.open("a", &token[..at]), None);
            }
            assert_eq!(opaque.open("a", &format!("{token}A")), None);
        }
        let tokens: std::collections::BTreeSet<_> = ranges.map(|range| opaque.seal("a", range)).into();
        assert_eq!(tokens.len(), ranges.len());
    }

    /// The test vectors of RFC 4648 section 10, without padding.
    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(encode(&[0xfb, 0xff]), "-_8");
        for wrong in ["Z", "Zh", "Zg==", "Zm9=", "Zm9+", "Zm 9"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
