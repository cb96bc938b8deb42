//! The languages of links, each checked once a document.

use crate::schema::HREFLANG;
use crate::xml::trim;

/// The values of `hreflang` that were found to be valid.
#[derive(Debug, Default)]
pub(super) struct KnownLanguages {
    known: Vec<Box<str>>,
    /// The index of the likely next one: the links of most entries have the same languages in the same order.
    next: usize,
}

impl KnownLanguages {
    const MOST: usize = 128;

    /// Returns `true` if a link can have this language.
    #[inline]
    pub(super) fn knows(&mut self, hreflang: &str) -> bool {
        let is_it = |known: &str| known == hreflang;
        let found = match self.known.get(self.next) {
            Some(known) if is_it(known) => Some(self.next),
            _ => self.known.iter().position(|known| is_it(known)),
        };
        match found {
            Some(found) => {
                self.next = found + 1;
                true
            }
            None => self.learn(hreflang),
        }
    }

    #[cold]
    fn learn(&mut self, hreflang: &str) -> bool {
        let row = HREFLANG.row();
        let is_valid = trim(hreflang) == hreflang && row.is_some_and(|row| row.check(hreflang).is_ok());
        if is_valid && self.known.len() < Self::MOST {
            self.known.push(hreflang.into());
        }
        is_valid
    }
}
