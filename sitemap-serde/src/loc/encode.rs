//! Percent-encoding (RFC 3986 section 2.1, P-LOCENC).

use super::charset::Charset;
use super::class;
use super::problem::Problem;

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

    fn keeps_triplets(self) -> bool {
        self != Keep::Unreserved
    }
}

/// Percent-encodes a text as one piece of a URL, in UTF-8: every character but the unreserved ones (letters, digits,
/// `-._~`), as a template's `{name}` does.
///
/// Needed only where a program builds URLs itself; [the derive](derive@crate::SitemapEntry#loc) and
/// [`EntryWriter::loc_template`](crate::convert::EntryWriter::loc_template) encode values on their own.
///
/// The texts `.` and `..` are returned unchanged; as a path segment, browsers resolve them away.
///
/// ```
/// let url = format!("/tags/{}?q={}", sitemap_serde::convert::encode_segment("a/b & c"), sitemap_serde::convert::encode_segment("größe=5"));
/// assert_eq!(url, "/tags/a%2Fb%20%26%20c?q=gr%C3%B6%C3%9Fe%3D5");
/// ```
pub fn encode_segment(text: &str) -> String {
    encode(text, Keep::Unreserved)
}

/// Percent-encodes a text that may be several segments of a URL, in UTF-8: reserved characters such as `/` and triplets
/// such as `%2F` are kept, as in a template's `{+name}`.
///
/// ```
/// assert_eq!(sitemap_serde::convert::encode_reserved("/übersicht/100 %/a%2Fb?x=1"), "/%C3%BCbersicht/100%20%25/a%2Fb?x=1");
/// ```
pub fn encode_reserved(text: &str) -> String {
    encode(text, Keep::Reserved)
}

fn encode(text: &str, keep: Keep) -> String {
    let mut out = Vec::with_capacity(text.len());
    // UTF-8 has every character.
    let _ = Encoder::default().push(&mut out, text, keep);
    String::from_utf8(out).unwrap_or_default()
}

impl Encoder {
    /// Appends `text`; characters that `keep` does not list are percent-encoded.
    pub(super) fn push(self, out: &mut Vec<u8>, text: &str, keep: Keep) -> Result<(), Problem> {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&b) = bytes.get(at) {
            let rest = &bytes[at..];
            if keep.keeps(b) || b == b'%' && keep.keeps_triplets() && is_triplet(rest) {
                let len = 1 + rest[1..]
                    .iter()
                    .position(|&b| !keep.keeps(b))
                    .unwrap_or(rest.len() - 1);
                out.extend_from_slice(&rest[..len]);
                at += len;
            } else if b.is_ascii() {
                out.extend_from_slice(self.triplet(b));
                at += 1;
            } else {
                let len = rest.iter().position(u8::is_ascii).unwrap_or(rest.len());
                self.push_wide(out, &text[at..at + len])?;
                at += len;
            }
        }
        Ok(())
    }

    /// Appends a text outside ASCII in the server's encoding.
    fn push_wide(self, out: &mut Vec<u8>, text: &str) -> Result<(), Problem> {
        if self.charset == Charset::Deferred {
            out.extend_from_slice(text.as_bytes());
            return Ok(());
        }
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
        self.charset
            .encode(text, put)
            .map_err(|c| Problem::NotInCharset(c, self.charset.name()))
    }

    #[inline]
    fn triplet(self, b: u8) -> &'static [u8; 3] {
        let table = if self.lowercase { &LOWERCASE } else { &UPPERCASE };
        &table[usize::from(b)]
    }
}

/// Whether a text begins with `%` and two hex digits.
fn is_triplet(text: &[u8]) -> bool {
    matches!(text, [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
}

/// Whether path, query and fragment need no encoding: every byte is legal, every `%` begins a triplet, and there is at
/// most one `#`.
pub(super) fn is_legal(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut hashes = 0;
    (0..bytes.len()).all(|i| {
        hashes += usize::from(bytes[i] == b'#');
        class::of(bytes[i]) & class::ENCODE == 0 || is_triplet(&bytes[i..])
    }) && hashes <= 1
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
