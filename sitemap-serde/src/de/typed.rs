//! Reads the crate's own types directly from a record.
//!
//! **Reading them by their `Deserialize` would need no code here, and costs more.** The table has the instructions for an entry of each
//! shape of `benches -- shapes`, by `Reader::entries` and by `Reader::deserialize::<UrlEntry>`. They are counted as in `record`:
//!
//! | | plain | images | links | news | video | loc only |
//! |---|---|---|---|---|---|---|
//! | directly | 3,680 | 9,310 | 32,410 | 7,770 | 11,400 | 2,220 |
//! | by serde | 4,000 | 10,330 | 37,810 | 8,690 | 12,600 | 2,350 |
//!
//! serde asks for each key as text and finds its row again (`Group::find`), and passes each value through a seed and a visitor. A plain
//! entry costs 9 % more, an entry with extensions 11 to 17 %. Both ways read a value by the same functions of the schema, and give the same
//! entries and errors (`tests/tests/all/extensions/schema_differential.rs`).

use std::ops::Range;

use crate::error::{Error, Result};
use crate::record::{Node, RecordView};
use crate::schema::{
    self, Alternate, Element, FieldSource, Image, Item, LOC, Leaf, Name, News, UrlEntry, Video, lacks,
};

/// Reads a record as a `UrlEntry`, and checks its values.
pub(crate) fn url_entry(record: RecordView<'_, '_>) -> Result<UrlEntry> {
    let mut entry = UrlEntry::new(String::new());
    fill(&mut entry, record)?;
    Ok(entry)
}

/// Reads a record into an empty entry in place: an entry is large, and moving it takes time.
pub(crate) fn fill(entry: &mut UrlEntry, record: RecordView<'_, '_>) -> Result<()> {
    let seen = parts(entry, &record, 0..record.table.nodes().len())?;
    check_seen::<UrlEntry>(seen)
}

/// Reads the images of an entry.
pub(crate) fn images(record: &RecordView<'_, '_>) -> Result<Vec<Image>> {
    only(record, schema::IMAGE).map(|entry| entry.images)
}

/// Reads the videos of an entry.
pub(crate) fn videos(record: &RecordView<'_, '_>) -> Result<Vec<Video>> {
    only(record, schema::VIDEO).map(|entry| entry.videos)
}

/// Reads the news of an entry.
pub(crate) fn news_of(record: &RecordView<'_, '_>) -> Result<Option<News>> {
    only(record, schema::NEWS).map(|entry| entry.news.map(|news| *news))
}

/// Reads the alternates of an entry.
pub(crate) fn alternates(record: &RecordView<'_, '_>) -> Result<Vec<Alternate>> {
    only(record, schema::ALTERNATE).map(|entry| entry.alternates)
}

/// Reads an entry, but only its elements with one name.
fn only(record: &RecordView<'_, '_>, name: Name) -> Result<UrlEntry> {
    let mut entry = UrlEntry::new(String::new());
    let mut index = 0;
    while let Some(node) = record.node(index) {
        if node.name == name && node.first {
            parts(&mut entry, record, index..index + 1)?;
        }
        index = node.next();
    }
    Ok(entry)
}

/// Reads the attributes and children at `nodes` into an empty element. Returns one bit for each row that got a value.
#[inline]
fn parts<T: Element>(into: &mut T, record: &RecordView<'_, '_>, nodes: Range<usize>) -> Result<u64> {
    let mut seen = 0_u64;
    let mut next = nodes.start;
    while next < nodes.end
        && let Some(node) = record.node(next)
    {
        let index = next;
        next = node.next();
        if !node.first {
            continue;
        }
        let elements = Elements {
            record,
            index,
            node,
            all: true,
        };
        match into.read(node.name, &elements) {
            Ok(true) => seen |= T::GROUP.bit(node.name),
            Ok(false) => {}
            Err(error) => return Err(elements.in_field(error)),
        }
    }
    Ok(seen)
}

/// Checks that all required attributes and children were present.
#[inline]
fn check_seen<T: Element>(seen: u64) -> Result<()> {
    match T::GROUP.first_missing(seen) {
        Some(part) => Err(lacks::<T>(part)),
        None => Ok(()),
    }
}

/// All elements with one name within their parent, or a single element, or an attribute.
#[derive(Clone, Copy)]
struct Elements<'r> {
    record: &'r RecordView<'r, 'r>,
    index: usize,
    node: &'r Node,
    /// `true` if the following elements of the same name belong to the value too.
    all: bool,
}

impl<'r> Elements<'r> {
    #[inline]
    fn text(&self) -> &'r str {
        self.record.value(self.node).get()
    }

    /// Returns `true` if there are neither attributes nor children nor text.
    #[inline]
    fn is_empty(&self) -> bool {
        self.node.next() == self.index + 1 && self.text().is_empty()
    }

    /// Each element by itself.
    fn each(&self) -> impl Iterator<Item = Self> {
        let first = Elements { all: false, ..*self };
        std::iter::successors(Some(first), |one| {
            let index = one.node.same()?;
            let node = one.record.node(index)?;
            Some(Elements { index, node, ..*one })
        })
    }

    #[inline]
    fn check_single(&self) -> Result<()> {
        if self.all {
            self.record.check_single(self.node)?;
        }
        Ok(())
    }

    #[cold]
    fn in_field(&self, error: Error) -> Error {
        error
            .within(self.record.step(self.node))
            .at_offset(self.node.at())
    }
}

impl FieldSource<'_> for &Elements<'_> {
    type Error = Error;

    #[inline]
    fn leaf<T: Leaf>(self, name: Name) -> Result<Option<T>> {
        self.check_single()?;
        let text = self.text();
        if text.is_empty() && name != LOC {
            return Ok(None);
        }
        match name.row() {
            Some(row) => T::read(text, row).map(Some),
            None => Ok(None),
        }
    }

    #[inline]
    fn fill<T: Element>(self, element: &mut T) -> Result<bool> {
        self.check_single()?;
        if self.is_empty() {
            // An empty repeated element counts as absent only if the schema requires nothing in it.
            return match T::GROUP.first_missing(0) {
                Some(part) if !self.all => Err(lacks::<T>(part)),
                _ => Ok(false),
            };
        }
        let mut seen = parts(element, self.record, self.index + 1..self.node.next())?;
        if let Some(text) = T::GROUP.text {
            let own = Elements { all: false, ..*self };
            match element.read(text, &own) {
                Ok(true) => seen |= T::GROUP.bit(text),
                Ok(false) => {}
                Err(error) => return Err(error.within("$text").at_offset(self.node.at())),
            }
        }
        check_seen::<T>(seen).map(|()| true)
    }

    fn many<T: Item>(self, name: Name, into: &mut Vec<T>) -> Result<bool> {
        make_room(self, into);
        for (number, one) in self.each().enumerate() {
            if let Err(error) = T::push_item(&one, name, into) {
                return Err(error.at_offset(one.node.at()).at_index(number));
            }
        }
        Ok(!into.is_empty())
    }

    fn flag(self, _: Name) -> Result<bool> {
        self.check_single()?;
        Ok(true)
    }

    fn skip(self) -> Result<()> {
        Ok(())
    }
}

/// Reserves room for the elements with one name, but only for a few before any was valid.
#[inline]
fn make_room<T>(elements: &Elements<'_>, values: &mut Vec<T>) {
    const MOST: usize = 64;
    values.reserve_exact(elements.record.count_from(elements.node).min(MOST));
}
