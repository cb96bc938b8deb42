//! The hash of a part's XML.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The BLAKE3 hash of a file's uncompressed content: two files with the same hash are the same.
///
/// It is displayed, and serialized, as 64 hex digits in lower case.
///
/// ```
/// use sitemap_site::ContentHash;
///
/// let hash = ContentHash::of(b"<urlset/>");
/// assert_eq!(hash.to_string().parse(), Ok(hash));
/// assert_eq!(hash.short(), hash.to_string()[..32]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of `content`.
    pub fn of(content: &[u8]) -> Self {
        ContentHash(*blake3::hash(content).as_bytes())
    }

    /// The first 128 bits as 32 hex digits, which names and ETags are made of: whoever wants two contents with the same has to
    /// try 2^64.
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(32);
        text
    }

    /// The hash's 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no [`ContentHash`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAHash;

impl fmt::Display for NotAHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a content hash is 64 hex digits in lower case")
    }
}

impl std::error::Error for NotAHash {}

impl FromStr for ContentHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(NotAHash);
        }
        let hash = blake3::Hash::from_hex(text).map_err(|_| NotAHash)?;
        Ok(ContentHash(*hash.as_bytes()))
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// Hashes content that comes in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hashing(blake3::Hasher);

impl Hashing {
    pub(crate) fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    pub(crate) fn finish(&self) -> ContentHash {
        ContentHash(*self.0.finalize().as_bytes())
    }
}

#[cfg(feature = "serve")]
impl std::io::Write for Hashing {
    fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
        self.update(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
