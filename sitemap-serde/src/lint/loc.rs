//! Rules about locs: their characters, their site, and repetition.

use std::hash::{BuildHasher, RandomState};

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Error, Message};
use crate::loc::normal_form;

/// The error for a loc with a fragment.
pub(super) fn fragment(loc: &str) -> Option<Error> {
    loc.contains('#').then(|| {
        Error::data(
            Message::new(format!(
                "{} has a fragment: crawlers ignore `#` and the text after it",
                quote(loc)
            ))
            .advice("list the page once, without the fragment"),
        )
        .breaks(Rule::Fragment)
    })
}

/// The hash of a URL's normal form: 64 bits, by a random key.
#[derive(Clone, Debug)]
pub(super) struct LocHasher {
    key: RandomState,
    /// A mask for the bits of a hash: all bits, except in tests of locs with equal hashes.
    pub(super) mask: u64,
}

impl Default for LocHasher {
    fn default() -> Self {
        LocHasher {
            key: RandomState::new(),
            mask: u64::MAX,
        }
    }
}

impl LocHasher {
    pub(super) fn hash(&self, loc: &str) -> u64 {
        self.key.hash_one(&*normal_form(loc)) & self.mask
    }
}

/// Hashes of all locs. If a hash occurs twice, the second pass compares the locs as text.
#[derive(Debug, Default)]
pub(super) struct Locs {
    pub(super) hasher: LocHasher,
    seen: std::collections::HashSet<u64, BuildAsIs>,
}

impl Locs {
    /// Adds a hash. Returns `true` if it is new.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        self.seen.insert(hash)
    }

    pub(super) fn contains(&self, hash: u64) -> bool {
        self.seen.contains(&hash)
    }
}

/// Hasher for a set of hashes: it returns the hash unchanged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BuildAsIs;

impl BuildHasher for BuildAsIs {
    type Hasher = AsIs;

    fn build_hasher(&self) -> AsIs {
        AsIs(0)
    }
}

/// See [`BuildAsIs`].
#[derive(Clone, Copy, Debug)]
pub(super) struct AsIs(u64);

impl std::hash::Hasher for AsIs {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 ^= u64::from_le_bytes(word);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
