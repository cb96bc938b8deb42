//! Blocks: the units for comparing pages.

use std::fmt::Write as _;

/// A text, heading or picture of a page, as a hash of 48 bits.
///
/// Thirty bits hash the text with its numbers masked, so that a changed number can be recognised. Eighteen bits hash the numbers,
/// and are zero if there are none. A text without numbers needs only the thirty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Block([u8; 6]);

/// A block with its numbers masked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Mask(u32);

impl Mask {
    /// Returns a number below `parts`, for work in parts.
    pub(crate) fn part(self, parts: u64) -> u64 {
        part_of(self.0, parts)
    }

    /// Returns its 30 bits.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

const NUMBER_BITS: u32 = 18;
const NUMBERS: u64 = (1 << NUMBER_BITS) - 1;
const MASK_BITS: u32 = 30;
const MASK: u64 = (1 << MASK_BITS) - 1;
pub(crate) const DIGITS: &[u8; 64] = b"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

impl Block {
    /// The lengths of a written block: without numbers, and with numbers.
    pub(crate) const LENS: [usize; 2] = [5, 8];

    /// Hashes a text, whose white space is already normalized. `masked` is a buffer for the text with its numbers masked.
    pub(crate) fn of(text: &str, masked: &mut String) -> Self {
        // Most texts have no numbers, and need not be copied.
        if text.bytes().all(|b| b.is_ascii() && !b.is_ascii_digit()) {
            return Block::of_bits((bits(text) & MASK) << NUMBER_BITS);
        }
        masked.clear();
        let numbers = mask(text, masked);
        let mask = (bits(masked) & MASK) << NUMBER_BITS;
        if numbers.is_empty() {
            return Block::of_bits(mask);
        }
        let numbers = bits(&numbers) & NUMBERS;
        // Zero means none.
        Block::of_bits(mask | numbers.max(1))
    }

    /// Takes the lower 48 bits.
    fn of_bits(bits: u64) -> Self {
        let [_, _, block @ ..] = bits.to_be_bytes();
        Block(block)
    }

    fn bits(self) -> u64 {
        let [a, b, c, d, e, f] = self.0;
        u64::from_be_bytes([0, 0, a, b, c, d, e, f])
    }

    pub(crate) fn mask(self) -> Mask {
        let [first, second, third, fourth, ..] = self.0;
        Mask(u32::from_be_bytes([first, second, third, fourth]) >> (32 - MASK_BITS))
    }

    pub(crate) fn has_numbers(self) -> bool {
        self.numbers() != 0
    }

    fn numbers(self) -> u32 {
        let [.., d, e, f] = self.0;
        u32::from_be_bytes([0, d & 0b11, e, f])
    }

    /// Returns a hash of blocks, each with a mark.
    pub(crate) fn hash_of(blocks: impl Iterator<Item = (Block, bool)>) -> Mask {
        let bits = blocks.fold(0xcbf2_9ce4_8422_2325, |hash: u64, (block, mark)| {
            (hash ^ (block.bits() << 1 | u64::from(mark)))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(29)
        });
        Mask(u32::try_from(bits & MASK).unwrap_or_default())
    }

    /// Returns a number below `parts`, for work on the blocks in parts. Blocks that differ only in their numbers are also spread
    /// over the parts.
    pub(crate) fn part(self, parts: u64) -> u64 {
        part_of(
            self.mask().0 ^ (self.numbers() << (MASK_BITS - NUMBER_BITS)),
            parts,
        )
    }

    /// Appends the block in 5 characters, or in 8 if it has numbers. The written forms sort like the blocks.
    pub(crate) fn write(self, out: &mut String) {
        let end = if self.has_numbers() { 0 } else { NUMBER_BITS };
        let bits = self.bits();
        let mut shift = MASK_BITS + NUMBER_BITS;
        while shift > end {
            shift -= 6;
            out.push(char::from(DIGITS[(bits >> shift & 63) as usize]));
        }
    }

    /// Reads the form that [`write`](Self::write) has written.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let mut value = 0;
        for c in text {
            value = value << 6 | DIGITS.binary_search(c).ok()? as u64;
        }
        match text.len() {
            5 => Some(Block::of_bits(value << NUMBER_BITS)),
            8 if value & NUMBERS != 0 => Some(Block::of_bits(value)),
            _ => None,
        }
    }
}

/// Returns the part of a 30-bit hash.
pub(crate) fn part_of(hash: u32, parts: u64) -> u64 {
    // This avoids a division, since each part of the work reads all hashes.
    (u64::from(hash) * parts) >> 30
}

/// Writes the text with each number replaced by `0`, and returns the numbers. Points, commas and narrow spaces between digits are
/// part of a number.
fn mask(text: &str, masked: &mut String) -> String {
    let mut rest = text;
    let mut numbers = String::new();
    while let Some(start) = rest.find(char::is_numeric) {
        masked.push_str(&rest[..start]);
        masked.push('0');
        let number = &rest[start..];
        rest = after_number(number);
        numbers.push_str(&number[..number.len() - rest.len()]);
        numbers.push(' ');
    }
    masked.push_str(rest);
    numbers
}

fn after_number(text: &str) -> &str {
    let mut rest = text.trim_start_matches(char::is_numeric);
    while let Some(after) = rest.strip_prefix(['.', ',', '\'', '\u{a0}', '\u{202f}']) {
        if !after.starts_with(char::is_numeric) {
            break;
        }
        rest = after.trim_start_matches(char::is_numeric);
    }
    rest
}

fn bits(text: &str) -> u64 {
    let hash = blake3::hash(text.as_bytes());
    hash.as_bytes()[..8]
        .iter()
        .fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

/// Appends the text that represents a picture: its alternative text, and the name of its file without a build's hash.
pub(crate) fn push_picture(out: &mut String, alt: &str, source: &str) {
    let name = if source.starts_with("data:") {
        "data:"
    } else {
        let path = source.split(['?', '#']).next().unwrap_or_default();
        path.rsplit('/').next().unwrap_or_default()
    };
    // No text begins with this character.
    let _ = write!(out, " {alt} ");
    push_name(out, name);
}

/// Appends the text that represents a film or an embedded page, in the form of a picture's. It includes the query, which often
/// identifies the content. Addresses of films on their hosts are not treated as a build's hash.
pub(crate) fn push_media(out: &mut String, source: &str) {
    let source = source.split('#').next().unwrap_or_default();
    out.push(' ');
    match source.split_once("://") {
        Some((_, remote)) => out.push_str(remote),
        None => push_name(out, source.rsplit('/').next().unwrap_or_default()),
    }
}

fn push_name(out: &mut String, name: &str) {
    for (number, part) in name.split('.').enumerate() {
        if number > 0 {
            out.push('.');
        }
        match without_hash(part) {
            Some((before, after)) => {
                push_words(out, before);
                out.push('*');
                out.push_str(after);
            }
            None => push_words(out, part),
        }
    }
}

/// Appends the words of a part of a name, except hashes.
fn push_words(out: &mut String, part: &str) {
    let is_end = |c: char| matches!(c, '-' | '_');
    for part in part.split_inclusive(is_end) {
        let word = part.trim_end_matches(is_end);
        if is_hash(word) {
            out.push('*');
            out.push_str(&part[word.len()..]);
        } else {
            out.push_str(part);
        }
    }
}

/// Returns the rest before and after a hash in a part of a file's name, in the forms of bundlers whose hashes may have signs.
fn without_hash(part: &str) -> Option<(&str, &str)> {
    // esbuild, Vite: `name-HASH`.
    const LEN: usize = 8;
    // eleventy-img: `HASH-width`.
    const LEN_BEFORE_WIDTH: usize = 10;
    if !part.is_ascii() {
        return None;
    }
    // Astro: `HASH_HASH`.
    let is_second =
        |text: &str| (5..=7).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if let Some((first, second)) = part.split_at_checked(LEN)
        && (is_mixed(first) || is_hash(first))
        && second.strip_prefix('_').is_some_and(is_second)
    {
        return Some(("", ""));
    }
    let is_sign = |text: &str| text.ends_with(['-', '_']);
    if let Some((before, hash)) = part.len().checked_sub(LEN).map(|at| part.split_at(at))
        && is_sign(before)
        && (is_mixed(hash) || is_base32(hash) && before.bytes().any(|byte| byte.is_ascii_lowercase()))
    {
        return Some((before, ""));
    }
    if let Some((hash, width)) = part.rsplit_once('-')
        && hash.len() == LEN_BEFORE_WIDTH
        && is_mixed(hash)
        && width.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Some(("", &part[hash.len()..]));
    }
    None
}

/// Returns `true` for eight capital letters and digits, as esbuild writes them.
fn is_base32(word: &str) -> bool {
    word.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'))
}

/// Returns `true` if letters, digits and signs alternate as they do in no word.
fn is_mixed(word: &str) -> bool {
    let class = |byte: u8| match byte {
        b'A'..=b'Z' => Some(0),
        b'a'..=b'z' => Some(1),
        b'0'..=b'9' => Some(2),
        b'-' | b'_' => Some(3),
        _ => None,
    };
    let Some(classes) = word.bytes().map(class).collect::<Option<Vec<u8>>>() else {
        return false;
    };
    classes.windows(2).filter(|pair| pair[0] != pair[1]).count() >= 4
}

/// Returns `true` if a part of a file's name is a hash, as bundlers make them: eight characters or more, with digits and letters.
fn is_hash(word: &str) -> bool {
    let is_hex = word.bytes().all(|b| b.is_ascii_hexdigit());
    let has_digit = word.bytes().any(|b| b.is_ascii_digit());
    let has_letter = word.bytes().any(|b| b.is_ascii_alphabetic());
    let has_both_cases =
        word.bytes().any(|b| b.is_ascii_lowercase()) && word.bytes().any(|b| b.is_ascii_uppercase());
    word.len() >= 8
        && word.bytes().all(|b| b.is_ascii_alphanumeric())
        && has_letter
        && (has_digit && is_hex
            || has_both_cases && (has_digit || word.len() == 8)
            || has_digit && word.len() >= 16)
}

#[cfg(test)]
mod tests {
    use super::{Block, push_picture};

    fn block(text: &str) -> Block {
        Block::of(text, &mut String::new())
    }

    #[test]
    fn numbers_are_masked() {
        for (a, b) in [
            ("Price 12.99 €", "Price 7 €"),
            ("1,234 views", "9 views"),
            ("1\u{202f}234 vues", "9 vues"),
            ("at 10:00", "at 9:59"),
            ("٣ items", "12 items"),
        ] {
            assert_eq!(block(a).mask(), block(b).mask(), "{a}");
            assert_ne!(block(a), block(b), "{a}");
        }
        assert_ne!(block("Version 1.").mask(), block("Version 1").mask());
        assert_ne!(block("one"), block("two"));
        assert!(!block("one").has_numbers());
    }

    /// Both for different texts and for one text with many numbers.
    #[test]
    fn parts_are_about_as_large() {
        let words = |i: usize| format!("{i:b}").replace('0', "a ").replace('1', "b ");
        for kind in 0..3 {
            let write = |i: usize| match kind {
                0 => words(i),
                1 => format!("Costs {i}"),
                _ => format!("{} costs {i}", words(i % 50)),
            };
            for parts in [1, 3, 32] {
                let mut counts = vec![0; parts];
                for i in 0..3200 {
                    counts[usize::try_from(block(&write(i)).part(parts as u64)).unwrap()] += 1;
                }
                let even = 3200 / parts;
                assert!(
                    counts.iter().all(|count| (even / 2..=even * 2).contains(count)),
                    "{counts:?}"
                );
            }
        }
    }

    #[test]
    fn written_and_read_again() {
        let mut sorted: Vec<Block> = (0..500)
            .map(|i| block(&format!("{} {}", i % 7, "word ".repeat(i))))
            .collect();
        sorted.extend((0..500).map(|i| block(&"word ".repeat(i))));
        sorted.sort_unstable();
        let mut texts: Vec<String> = Vec::new();
        for block in &sorted {
            let mut text = String::new();
            block.write(&mut text);
            assert_eq!(text.len(), Block::LENS[usize::from(block.has_numbers())]);
            assert_eq!(Block::parse(text.as_bytes()), Some(*block));
            texts.push(text);
        }
        assert!(texts.is_sorted());
        for wrong in ["", "abcd", "abcdef", "abcd*", "abcde---"] {
            assert_eq!(Block::parse(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn pictures_are_named_without_the_hashes_of_builds() {
        for (source, name) in [
            ("/assets/logo.3f2a9c1b.png", "logo.*.png"),
            ("logo-DfG8sK2x.webp", "logo-*.webp"),
            ("/a/logo.png?v=1234567", "logo.png"),
            ("/a/mountains-at-night.jpg", "mountains-at-night.jpg"),
            ("/a/building.jpg", "building.jpg"),
            ("/a/BUILDING.JPG", "BUILDING.JPG"),
            ("/a/20240117-harbour.jpg", "20240117-harbour.jpg"),
            ("/_image/photo_hu8f3a6c0b7e1d2f4a_600x0.jpg", "photo_*_600x0.jpg"),
            ("data:image/png;base64,AAAA", "data:"),
            // esbuild, Vite, eleventy-img, Astro.
            ("/media/photo-7XKQ4M2A.png", "photo-*.png"),
            ("/media/photo-KXWQZHJB.png", "photo-*.png"),
            ("photo1-k_9fQz1d.png", "photo1-*.png"),
            ("photo1-Zq-1f9kd.png", "photo1-*.png"),
            ("photo-xk2q9fpd.png", "photo-*.png"),
            ("/img/6dfZ3Eb4aN-300.jpeg", "*-300.jpeg"),
            ("/_astro/photo.BxYz12_8_Z1abC2.webp", "photo.*.webp"),
            // Names.
            ("/a/photo-IMG_2041.jpg", "photo-IMG_2041.jpg"),
            ("/a/mountains-at-night-2.jpg", "mountains-at-night-2.jpg"),
            ("/a/2024-01-17-harbour.jpg", "2024-01-17-harbour.jpg"),
            ("/a/HARBOUR-MOUNTAIN.JPG", "HARBOUR-MOUNTAIN.JPG"),
            ("/a/icon-192x192.png", "icon-192x192.png"),
        ] {
            let mut text = String::new();
            push_picture(&mut text, "A logo", source);
            assert_eq!(text, format!(" A logo {name}"), "{source}");
        }
    }
}
