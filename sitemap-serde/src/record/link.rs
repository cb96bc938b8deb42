//! Links to a page in other languages, written at once: an entry can have a hundred.
//!
//! By its parts, a link costs as much as an element with children: its attributes are found by their names, counted, checked and put in
//! order. Nearly every link has the same three attributes and is valid. So a link is written as one text if that is all that can be said of
//! it; anything else goes the usual way, which has the errors. `tests/tests/all/extensions/links.rs` holds the two ways together.

use crate::loc::Link;
use crate::model::Kind;
use crate::schema::{self, ALTERNATE, Alternate};
use crate::xml::trim;

use super::RecordWriter;
use super::elements::Value;
use super::extension::check_count;

impl RecordWriter<'_> {
    /// Writes a link with `rel="alternate"`. Returns `false`, and writes nothing, unless it is valid and allowed here.
    pub(crate) fn plain_link(&mut self, hreflang: &str, href: &str) -> bool {
        let state = &mut *self.state;
        let elements = &mut state.elements;
        let Some(row) = ALTERNATE.row() else { return false };
        if self.kind != Kind::UrlSet
            || !elements.at_entry()
            || check_count(ALTERNATE, row, elements.count(ALTERNATE)).is_err()
            || !state.languages.knows(hreflang)
        {
            return false;
        }
        let Ok(Link { text, is_plain }) = state.rules.get().apply_link(trim(href), &mut state.url) else {
            return false;
        };
        if !elements.link(&state.known, row, hreflang, Value { text, is_plain }) {
            return false;
        }
        if state.against_loc.alternates {
            state.against_loc.push(schema::HREFLANG, 0, hreflang);
            state.against_loc.push(schema::HREF, 0, text);
        }
        true
    }

    /// The same for a value of the crate's type.
    #[inline]
    pub(super) fn plain_alternate(&mut self, link: &Alternate) -> bool {
        let Alternate {
            rel,
            hreflang: Some(hreflang),
            media: None,
            href,
            ..
        } = link
        else {
            return false;
        };
        rel == schema::ALTERNATE_REL && self.plain_link(hreflang, href)
    }
}
