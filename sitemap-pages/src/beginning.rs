//! The beginnings of blocks, which identify shortened excerpts.

use std::hash::{DefaultHasher, Hasher};

/// The number of letters and digits that are compared.
const LEN: usize = 32;

/// The beginning of a block: 30 bits of a hash of its first 32 letters and digits. A shorter block continues with the blocks after
/// it, since an excerpt may join several blocks. A picture has no beginning.
///
/// Beginnings are not stored after a run, so the next version may use another hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Beginning(u32);

const LONG: u32 = 1 << 31;
const ELLIPSIS: u32 = 1 << 30;

impl Beginning {
    /// Returns a hash, equal for equal beginnings. `None` if there is no beginning, or the page ends too early.
    pub(crate) fn hash(self) -> Option<u32> {
        Some(self.0 & !(LONG | ELLIPSIS)).filter(|hash| *hash != 0)
    }

    /// Returns `true` if the block has enough letters and digits to compare.
    pub(crate) fn is_long(self) -> bool {
        self.0 & LONG != 0
    }

    /// Returns `true` if the signs at the end of the block contain `…` or `...`.
    pub(crate) fn has_ellipsis(self) -> bool {
        self.0 & ELLIPSIS != 0
    }
}

/// Collects the beginnings of a page's blocks.
#[derive(Debug, Default)]
pub(crate) struct Beginnings {
    /// The first letters and digits of each block.
    letters: String,
    /// For each block: the start of its letters, if it has any, and its flags.
    starts: Vec<(Option<usize>, Beginning)>,
}

impl Beginnings {
    /// Appends a block. A picture has no text.
    pub(crate) fn push(&mut self, text: &str) {
        let start = self.letters.len();
        let mut count = 0;
        for letter in text.chars().filter(|c| c.is_alphanumeric()).take(LEN) {
            self.letters.push(letter);
            count += 1;
        }
        let is_long = if count == LEN { LONG } else { 0 };
        let ellipsis = if ends_in_ellipsis(text) { ELLIPSIS } else { 0 };
        self.starts
            .push(((count > 0).then_some(start), Beginning(is_long | ellipsis)));
    }

    /// Returns the beginnings of the blocks, in order.
    pub(crate) fn finish(self) -> Box<[Beginning]> {
        let Beginnings { letters, starts } = self;
        let beginnings = starts.into_iter().map(|(start, beginning)| {
            let rest = start.map_or("", |start| &letters[start..]);
            match rest.char_indices().nth(LEN - 1) {
                Some((last, letter)) => Beginning(beginning.0 | hash(&rest[..last + letter.len_utf8()])),
                None => beginning,
            }
        });
        beginnings.collect()
    }
}

fn hash(letters: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    hasher.write(letters.as_bytes());
    let [a, b, c, d, ..] = hasher.finish().to_le_bytes();
    // Zero means none.
    (u32::from_le_bytes([a, b, c, d]) & !(LONG | ELLIPSIS)).max(1)
}

fn ends_in_ellipsis(text: &str) -> bool {
    let signs = &text[text.trim_end_matches(|c: char| !c.is_alphanumeric()).len()..];
    signs.contains('…') || signs.contains("...")
}

#[cfg(test)]
mod tests {
    use super::{Beginning, Beginnings};

    fn beginnings(texts: &[&str]) -> Box<[Beginning]> {
        let mut beginnings = Beginnings::default();
        for text in texts {
            beginnings.push(text);
        }
        beginnings.finish()
    }

    #[test]
    fn the_first_letters_and_digits_count() {
        let whole = "Lámps are bright, and some 12 of them are brighter than the sun.";
        let [of_whole] = *beginnings(&[whole]) else {
            panic!("one block")
        };
        for (text, is_same) in [
            ("Lámps are bright, and some 12 of them are bri…", true),
            ("“Lámps” are bright and some 12 of them — are bright", true),
            ("Lámps are bright, and some 12 of them ar", false),
            ("Lámps are bright, and some 13 of them are brighter", false),
            ("lámps are bright, and some 12 of them are brighter", false),
        ] {
            assert_eq!(
                beginnings(&[text])[0].hash() == of_whole.hash(),
                is_same,
                "{text}"
            );
        }
        assert!(of_whole.is_long() && !of_whole.has_ellipsis());
    }

    #[test]
    fn a_short_block_goes_on_with_the_next_ones() {
        let parts = beginnings(&[
            "Lamps",
            "",
            "are bright,",
            "and twelve of them are brighter than",
            "all",
        ]);
        let whole = beginnings(&["Lamps are bright, and twelve of them are…"]);
        assert_eq!(parts[0].hash(), whole[0].hash());
        assert!(parts[1].hash().is_none() && parts[2].hash().is_some());
        let is_long: Vec<bool> = parts.iter().map(|beginning| beginning.is_long()).collect();
        assert_eq!(is_long, [false, false, false, false, false]);
        assert_eq!((parts[3].hash().is_some(), parts[4].hash()), (true, None));
    }

    #[test]
    fn ellipses() {
        for (text, expected) in [
            ("and so on…", true),
            ("and so on ...", true),
            ("and so on […]", true),
            ("and so on [...] »", true),
            ("and so on….", true),
            ("and so on..", false),
            ("and… so on", false),
            ("", false),
            ("…", true),
        ] {
            assert_eq!(beginnings(&[text])[0].has_ellipsis(), expected, "{text}");
        }
    }
}
