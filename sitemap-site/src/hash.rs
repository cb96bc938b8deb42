//! The hash of a part's XML.

use std::fmt;
use std::str::FromStr;

use blake3::hazmat::{ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The BLAKE3 hash of a file's uncompressed content: files with the same hash have the same content.
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

    /// The first 128 bits as 32 hex digits, used in file names and ETags. Finding two contents with the same value takes about
    /// 2^64 attempts.
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

/// The error for a text that is not a [`ContentHash`].
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

/// Hashes content piece by piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hashing {
    hasher: blake3::Hasher,
    /// The beginning of a block.
    begun: Vec<u8>,
}

/// BLAKE3 hashes eight whole subtrees at a time. Chunks of other lengths take half as long again.
const BLOCK: usize = 64 * 1024;

impl Hashing {
    pub(crate) fn update(&mut self, mut piece: &[u8]) {
        if !self.begun.is_empty() {
            let (taken, rest) = piece.split_at(piece.len().min(BLOCK - self.begun.len()));
            self.begun.extend_from_slice(taken);
            piece = rest;
            if self.begun.len() < BLOCK {
                return;
            }
            self.hasher.update(&self.begun);
            self.begun.clear();
        }
        let (blocks, rest) = piece.split_at(piece.len() - piece.len() % BLOCK);
        self.hasher.update(blocks);
        self.begun.extend_from_slice(rest);
    }

    pub(crate) fn finish(mut self) -> ContentHash {
        self.hasher.update(&self.begun);
        ContentHash(*self.hasher.finalize().as_bytes())
    }
}

/// Combines the hashes of chunks, which may come from different threads. Each chunk is a subtree.
#[derive(Debug, Default)]
pub(crate) struct Branches {
    /// The complete subtrees of the chunks so far, the largest first.
    whole: Vec<ChainingValue>,
    chunks: u64,
}

/// The hash of one chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Branch {
    /// The hash of a chunk that is not the only one.
    Inner(ChainingValue),
    /// The hash of the only chunk.
    Root(ContentHash),
}

impl Branch {
    /// The hash of the chunk that begins there. All chunks but the last have the same length, a power of two and more than 1 KiB, and none
    /// is empty unless it is the only one.
    pub(crate) fn of(chunk: &[u8], begins: u64, is_last: bool) -> Self {
        if begins == 0 && is_last {
            return Branch::Root(ContentHash::of(chunk));
        }
        let mut hasher = blake3::Hasher::new();
        Branch::Inner(hasher.set_input_offset(begins).update(chunk).finalize_non_root())
    }
}

impl Branches {
    /// Adds a chunk that others follow.
    pub(crate) fn add(&mut self, branch: Branch) {
        let Branch::Inner(mut branch) = branch else { return };
        self.chunks += 1;
        // Two subtrees of equal size merge into one of the next size, once for each trailing zero bit of the count.
        for _ in 0..self.chunks.trailing_zeros() {
            if let Some(left) = self.whole.pop() {
                branch = merge_subtrees_non_root(&left, &branch, Mode::Hash);
            }
        }
        self.whole.push(branch);
    }

    /// Adds the last chunk.
    pub(crate) fn finish(mut self, last: Branch) -> ContentHash {
        let mut right = match last {
            Branch::Root(hash) => return hash,
            Branch::Inner(branch) => branch,
        };
        loop {
            match (self.whole.pop(), self.whole.is_empty()) {
                (Some(left), false) => right = merge_subtrees_non_root(&left, &right, Mode::Hash),
                (Some(left), true) => {
                    return ContentHash(*merge_subtrees_root(&left, &right, Mode::Hash).as_bytes());
                }
                // There was a piece before the last.
                (None, _) => return ContentHash(right),
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(length: usize) -> Vec<u8> {
        (0..length).map(|at| ((at * at) >> 7).to_le_bytes()[0]).collect()
    }

    #[test]
    fn however_it_comes_it_has_the_same_hash() {
        for length in [
            0,
            1,
            1024,
            BLOCK - 1,
            BLOCK,
            BLOCK + 1,
            3 * BLOCK,
            3 * BLOCK + 1,
            700_001,
        ] {
            let content = sample(length);
            for piece in [
                1000,
                BLOCK - 1,
                BLOCK,
                BLOCK + 1,
                32 * 1024 + 77,
                5 * BLOCK,
                1 << 20,
            ] {
                let (mut hashing, mut hashed) = (Hashing::default(), 0);
                for piece in content.chunks(piece) {
                    hashing.update(piece);
                    hashed += piece.len();
                    // Whole blocks are hashed at once.
                    assert_eq!(hashing.begun.len(), hashed % BLOCK);
                }
                assert_eq!(
                    hashing.finish(),
                    ContentHash::of(&content),
                    "{length} in chunks of {piece}"
                );
            }
        }
    }

    #[test]
    fn branches_make_the_hash_of_the_whole() {
        for size in [2048, 8192] {
            for length in
                (0..40).flat_map(|chunks| [chunks * size, chunks * size + 1, chunks * size + size - 1])
            {
                let content = sample(length);
                let mut branches = Branches::default();
                let (last, mut begins) = ((length.max(1) - 1) / size * size, 0);
                while begins < last {
                    let piece = &content[begins..begins + size];
                    branches.add(Branch::of(piece, begins as u64, false));
                    begins += size;
                }
                let last = Branch::of(&content[last..], last as u64, true);
                assert_eq!(
                    branches.finish(last),
                    ContentHash::of(&content),
                    "{length} in chunks of {size}"
                );
            }
        }
    }

    /// One hash has one text.
    #[test]
    fn its_text_is_lower_case_and_whole() {
        let hash = ContentHash::of(b"a");
        let text = hash.to_string();
        assert_eq!(text.parse(), Ok(hash));
        let bytes = hash.as_bytes().iter().map(|byte| format!("{byte:02x}"));
        assert_eq!(bytes.collect::<String>(), text);
        for wrong in [
            text.to_uppercase(),
            text[1..].to_owned(),
            format!("{text}0"),
            String::new(),
        ] {
            let error = wrong.parse::<ContentHash>().unwrap_err();
            assert_eq!(
                error.to_string(),
                "a content hash is 64 hex digits in lower case",
                "{wrong}"
            );
        }
    }
}
