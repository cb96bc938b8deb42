//! Percent-encoding (RFC 3986 section 2.1, P-LOCENC).

use crate::block::{self, Block};

use super::charset::Charset;
use super::class;
use super::problem::LocProblem;

/// Percent-encodes characters in the server's encoding, with hex digits of one case.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Encoder {
    pub(super) charset: Charset,
    pub(super) lowercase: bool,
}

/// Which ASCII characters are not percent-encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Unreserved characters: for a template's `{name}`, whose value is one piece of data.
    Unreserved,
    /// All characters that are legal anywhere in a URL (brackets are, in a host), and triplets: for a template's `{+name}`.
    Reserved,
    /// All characters that are legal after the host, and triplets.
    Legal,
    /// All characters that are legal in a fragment, and triplets.
    Fragment,
    /// All characters that are legal in user information, before the `@`, and triplets.
    User,
}

impl Keep {
    #[inline]
    fn keeps(self, b: u8) -> bool {
        match self {
            Keep::Unreserved => class::of(b) & class::UNRESERVED != 0,
            Keep::Reserved => class::of(b) & class::ENCODE == 0 || b == b'[' || b == b']',
            Keep::Legal => class::of(b) & class::ENCODE == 0,
            Keep::Fragment => class::of(b) & (class::ENCODE | class::HASH) == 0,
            Keep::User => class::of(b) & class::ENCODE == 0 && b != b'@',
        }
    }

    /// A bit for each byte of a block that may not be kept.
    #[inline]
    fn special(self, block: Block) -> u16 {
        let encoded = class::is_illegal(block) | block.equal(b'%');
        match self {
            Keep::Unreserved => return !class::is_unreserved_byte(block).bits(),
            Keep::Reserved | Keep::Legal => encoded,
            Keep::Fragment => encoded | block.equal(b'#'),
            Keep::User => encoded | block.equal(b'@'),
        }
        .bits()
    }

    fn keeps_triplets(self) -> bool {
        self != Keep::Unreserved
    }
}

/// Percent-encodes a text as one piece of a URL, in UTF-8: every character except the unreserved ones (letters, digits, `-._~`), like a
/// template's `{name}`.
///
/// Needed only if a program builds URLs itself; [the derive](derive@crate::SitemapEntry#loc) encodes values on its own.
///
/// The texts `.` and `..` are returned unchanged; browsers resolve them as path segments.
///
/// ```
/// let url = format!("/tags/{}?q={}", sitemap_serde::convert::encode_segment("a/b & c"), sitemap_serde::convert::encode_segment("größe=5"));
/// assert_eq!(url, "/tags/a%2Fb%20%26%20c?q=gr%C3%B6%C3%9Fe%3D5");
/// ```
pub fn encode_segment(text: &str) -> String {
    encode(text, Keep::Unreserved)
}

fn encode(text: &str, keep: Keep) -> String {
    let mut out = Vec::with_capacity(text.len());
    // UTF-8 has every character.
    let _ = Encoder::default().push(&mut out, text, keep);
    String::from_utf8(out).unwrap_or_default()
}

impl Encoder {
    /// Appends `text`; characters that `keep` does not list are percent-encoded.
    pub(super) fn push(self, out: &mut Vec<u8>, text: &str, keep: Keep) -> Result<(), LocProblem> {
        let bytes = text.as_bytes();
        // The length of the finished part.
        let mut done = 0;
        for (i, block) in block::blocks(bytes).enumerate() {
            let mut special = keep.special(block);
            while special != 0 {
                let at = i * block::LEN + special.trailing_zeros() as usize;
                special &= special - 1;
                if at < done {
                    continue;
                }
                // The last block is filled up with zeros.
                let rest = bytes.get(at..).unwrap_or_default();
                let Some(&b) = rest.first() else { break };
                if keep.keeps(b) || b == b'%' && keep.keeps_triplets() && is_triplet(rest) {
                    continue;
                }
                out.extend_from_slice(&bytes[done..at]);
                if b.is_ascii() {
                    out.extend_from_slice(self.triplet(b));
                    done = at + 1;
                } else {
                    let len = rest.iter().position(u8::is_ascii).unwrap_or(rest.len());
                    self.push_wide(out, &text[at..at + len])?;
                    done = at + len;
                }
            }
        }
        out.extend_from_slice(&bytes[done..]);
        Ok(())
    }

    /// Appends a text outside ASCII in the server's encoding.
    #[cfg_attr(
        not(feature = "encoding"),
        expect(clippy::unnecessary_wraps, reason = "other encodings lack characters")
    )]
    fn push_wide(self, out: &mut Vec<u8>, text: &str) -> Result<(), LocProblem> {
        match self.charset {
            Charset::Deferred => out.extend_from_slice(text.as_bytes()),
            // None of its bytes is ASCII.
            Charset::Utf8 => self.push_triplets(out, text.as_bytes()),
            #[cfg(feature = "encoding")]
            Charset::Other(encoding) => {
                let put = |bytes: &[u8]| {
                    for &b in bytes {
                        // In some encodings the second byte of a character is an ASCII letter or digit. It needs no triplet.
                        if class::of(b) & class::UNRESERVED != 0 {
                            out.push(b);
                        } else {
                            out.extend_from_slice(self.triplet(b));
                        }
                    }
                };
                return Charset::encode(encoding, text, put)
                    .map_err(|c| LocProblem::NotInCharset(c, encoding.name()));
            }
        }
        Ok(())
    }

    fn push_triplets(self, out: &mut Vec<u8>, bytes: &[u8]) {
        let start = out.len();
        out.resize(start + 3 * bytes.len(), b'%');
        let (triplets, _) = out[start..].as_chunks_mut();
        for (triplet, b) in triplets.iter_mut().zip(bytes) {
            *triplet = *self.triplet(*b);
        }
    }

    #[inline]
    fn triplet(self, b: u8) -> &'static [u8; 3] {
        let table = if self.lowercase { &LOWERCASE } else { &UPPERCASE };
        &table[usize::from(b)]
    }
}

/// Returns `true` if a text begins with `%` and two hex digits.
pub(super) fn is_triplet(text: &[u8]) -> bool {
    matches!(text, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

static UPPERCASE: [[u8; 3]; 256] = triplets(b"0123456789ABCDEF");
static LOWERCASE: [[u8; 3]; 256] = triplets(b"0123456789abcdef");

const fn triplets(digits: &[u8; 16]) -> [[u8; 3]; 256] {
    let mut table = [[b'%'; 3]; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = [b'%', digits[b >> 4], digits[b & 0xF]];
        b += 1;
    }
    table
}
