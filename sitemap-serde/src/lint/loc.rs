//! Rules about locs: their characters, their site, and repetition.

use std::hash::{BuildHasher, RandomState};

use sitemap_values::Rule;
use sitemap_values::quote::{is_invisible, quote};

use crate::error::{Error, Message, Suggestion};
use crate::loc::{host, normal_form, unfilled};

/// The error for a character that must be percent-encoded; `written` is the loc as it should be.
pub(super) fn unencoded(loc: &str, written: &str) -> Option<Error> {
    let bytes = loc.as_bytes();
    let is_odd = |b: u8| {
        b >= 0x80 || b <= b' ' || matches!(b, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
    };
    // Only after the host, which has its own rule.
    let from = loc.split_once("://").map_or(0, |(scheme, rest)| {
        scheme.len() + 3 + rest.find(['/', '?', '#']).unwrap_or(rest.len())
    });
    let tail = bytes.get(from..).unwrap_or_default();
    let odd = tail.iter().position(|b| is_odd(*b));
    let percent = tail.iter().enumerate().position(|(i, b)| {
        *b == b'%'
            && !tail
                .get(i + 1..i + 3)
                .is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
    });
    let at = [odd, percent].into_iter().flatten().min()?;
    let c = loc.get(from + at..)?.chars().next()?;
    let shown = if is_invisible(c) || c.is_whitespace() {
        format!("U+{:04X}", u32::from(c))
    } else {
        format!("`{c}`")
    };
    Some(unfilled(loc).unwrap_or_else(|| {
        let problem = format!(
            "{} contains {shown}, which must be percent-encoded in a URL",
            quote(loc)
        );
        let message = Message::new(problem)
            .reference("RFC 3986")
            .advice("encode it in the server's encoding, usually UTF-8")
            .suggestion(Suggestion::certain(written.to_owned()));
        Error::data(message).breaks(Rule::LocEnc)
    }))
}

/// The error for a host that is not ASCII; `written` is the loc as it should be.
pub(super) fn unconverted(loc: &str, written: &str) -> Option<Error> {
    let host = host(loc)?;
    (!host.is_ascii()).then(|| {
        Error::data(
            Message::new(format!(
                "the host {} is not ASCII, and not every crawler converts it",
                quote(host)
            ))
            .advice("write it as punycode, `xn--…`")
            .suggestion(Suggestion::certain(written.to_owned())),
        )
        .breaks(Rule::Idn)
    })
}

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
