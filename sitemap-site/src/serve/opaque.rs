//! Addresses that hide the keys of rows and cannot be forged.
//!
//! The ends of a range are encrypted and authenticated by AES-SIV (RFC 5297) with a secret that all instances share; the section is
//! authenticated with them. There is no nonce: the same range always has the same address.
//!
//! **Opaque addresses are encrypted, not stored.** All instances would need to share a table of tokens. AES-SIV (RFC 5297) is
//! deterministic, so each range has one token, and it authenticates the token, so that forged ones are recognised.

use std::fmt;

use aes_siv::siv::Aes128Siv;
use aes_siv::{Key, KeyInit as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The key derived from the site's secret.
pub(crate) struct Opaque(Key<Aes128Siv>);

impl fmt::Debug for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Opaque")
    }
}

impl Opaque {
    pub(crate) fn new(secret: &[u8]) -> Self {
        Opaque(blake3::derive_key("sitemap-site addresses by AES-SIV", secret).into())
    }

    /// The token for a range of a section.
    pub(crate) fn seal(&self, section: &str, range: &str) -> String {
        // Only texts of many gigabytes cannot be encrypted, and a range has at most 200 bytes.
        let sealed = Aes128Siv::new(&self.0).encrypt([section], range.as_bytes());
        URL_SAFE_NO_PAD.encode(sealed.unwrap_or_default())
    }

    /// The range of a token; `None` if it was not made with this secret for this section.
    pub(crate) fn open(&self, section: &str, token: &str) -> Option<String> {
        let sealed = URL_SAFE_NO_PAD.decode(token).ok()?;
        let range = Aes128Siv::new(&self.0).decrypt([section], &sealed).ok()?;
        String::from_utf8(range).ok()
    }
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
            // Every change of the token is detected: a digit replaced, removed or added.
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
}
