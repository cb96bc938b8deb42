//! The crate's own types, straight from a record.

use std::cell::RefCell;

use crate::error::{Error, Result};
use crate::loc;
use crate::record::{Node, RecordView};
use crate::schema::{
    self, Alternate, Element, Image, Item, LOC, Leaf, Name, News, Source, UrlEntry, Video, lacks, second,
};

/// Makes a page of a record, its values checked.
pub(crate) fn url_entry(record: RecordView<'_, '_>) -> Result<UrlEntry> {
    let mut entry = UrlEntry::new(String::new());
    fill(&mut entry, record)?;
    Ok(entry)
}

/// Puts the values of a record into a page that has none yet: an entry is large, and moving it takes time.
pub(crate) fn fill(entry: &mut UrlEntry, record: RecordView<'_, '_>) -> Result<()> {
    let end = record.table.nodes().len();
    parts(entry, &record, 0..end, None)
}

/// What is wrong in an entry that is read all the same: the error, and the text of the value, if it is one.
pub(crate) type Doubts = RefCell<Vec<(Error, Option<String>)>>;

/// As [`fill`], but what is wrong is noted and left out: a value that does not parse, or an element of an extension. A loc stays
/// as it stands. Of several values where there can be one, the first that parses counts.
pub(crate) fn fill_with_doubts(entry: &mut UrlEntry, record: RecordView<'_, '_>, doubts: &Doubts) {
    let mut next = 0;
    while let Some(node) = record.node(next) {
        let elements = Elements {
            doubts: Some(doubts),
            ..Elements::all(&record, next, node)
        };
        next = node.next();
        if !node.first {
            continue;
        }
        if node.name == LOC {
            elements.text().clone_into(&mut entry.loc);
            if let Err(error) = loc::check(&entry.loc) {
                elements.note(error, true);
            }
        } else if let Err(error) = part(entry, elements) {
            doubts.borrow_mut().push((error, None));
        }
    }
}

/// The images of an entry.
pub(crate) fn images(record: &RecordView<'_, '_>) -> Result<Vec<Image>> {
    only(record, schema::IMAGE).map(|entry| entry.images)
}

/// The videos of an entry.
pub(crate) fn videos(record: &RecordView<'_, '_>) -> Result<Vec<Video>> {
    only(record, schema::VIDEO).map(|entry| entry.videos)
}

/// The news of an entry.
pub(crate) fn news_of(record: &RecordView<'_, '_>) -> Result<Option<News>> {
    only(record, schema::NEWS).map(|entry| entry.news)
}

/// The links of an entry to its alternates.
pub(crate) fn alternates(record: &RecordView<'_, '_>) -> Result<Vec<Alternate>> {
    only(record, schema::ALTERNATE).map(|entry| entry.alternates)
}

/// An entry of the elements of one name.
fn only(record: &RecordView<'_, '_>, name: Name) -> Result<UrlEntry> {
    let mut entry = UrlEntry::new(String::new());
    let mut index = 0;
    while let Some(node) = record.node(index) {
        if node.name == name && node.first {
            part(&mut entry, Elements::all(record, index, node))?;
        }
        index = node.next();
    }
    Ok(entry)
}

/// Reads the attributes and children at `nodes`, then the own text of `element`, into an element that has none yet.
#[inline]
fn parts<T: Element>(
    into: &mut T,
    record: &RecordView<'_, '_>,
    nodes: std::ops::Range<usize>,
    element: Option<(usize, &Node)>,
) -> Result<()> {
    let mut seen = 0_u64;
    let mut next = nodes.start;
    while next < nodes.end
        && let Some(node) = record.node(next)
    {
        let index = next;
        next = node.next();
        if node.first && part(into, Elements::all(record, index, node))? {
            seen |= T::GROUP.number(node.name).map_or(0, |number| 1 << number);
        }
    }
    if let (Some((index, node)), Some(text)) = (element, T::GROUP.text) {
        let own = Elements {
            all: false,
            ..Elements::all(record, index, node)
        };
        if into
            .read(text, own)
            .map_err(|error| error.within("$text").at_offset(node.at()))?
        {
            seen |= T::GROUP.number(text).map_or(0, |number| 1 << number);
        }
    }
    match T::GROUP.first_missing(seen) {
        Some(part) => Err(lacks::<T>(part)),
        None => Ok(()),
    }
}

#[inline]
fn part<T: Element>(into: &mut T, elements: Elements<'_>) -> Result<bool> {
    into.read(elements.node.name, elements)
        .map_err(|error| elements.in_field(error))
}

/// The elements of one name beside each other, or one of them, or an attribute.
#[derive(Clone, Copy)]
struct Elements<'r> {
    record: &'r RecordView<'r, 'r>,
    index: usize,
    node: &'r Node,
    /// Whether those behind it that share its name belong to it.
    all: bool,
    /// Where to note what is wrong; it is an error if there is none.
    doubts: Option<&'r Doubts>,
}

impl<'r> Elements<'r> {
    fn all(record: &'r RecordView<'_, '_>, index: usize, node: &'r Node) -> Self {
        Elements {
            record,
            index,
            node,
            all: true,
            doubts: None,
        }
    }

    /// Notes what is wrong with an element, and its text if it is a value.
    #[cold]
    fn note(self, error: Error, is_value: bool) {
        if let Some(doubts) = self.doubts {
            let found = is_value.then(|| self.text().to_owned());
            doubts.borrow_mut().push((self.in_field(error), found));
        }
    }

    /// The elements of its name beside it, from it on.
    fn beside(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |one| {
            let index = one.node.same()?;
            let node = one.record.node(index)?;
            Some(Elements { index, node, ..*one })
        })
    }

    /// The first value that parses.
    #[cold]
    fn first_leaf<T: Leaf>(self, name: Name) -> Option<T> {
        let mut value = None;
        for one in self.beside() {
            let text = one.text();
            if text.is_empty() {
                continue;
            }
            if value.is_some() {
                one.note(second(name, "remove one"), true);
                continue;
            }
            match name.row().map(|row| T::read(text, row)) {
                Some(Ok(read)) => value = Some(read),
                Some(Err(error)) => one.note(error, true),
                None => {}
            }
        }
        value
    }

    #[inline]
    fn text(self) -> &'r str {
        self.record.value(self.node).get()
    }

    /// Whether it has neither attributes nor children nor text.
    #[inline]
    fn is_empty(self) -> bool {
        self.node.next() == self.index + 1 && self.text().is_empty()
    }

    #[inline]
    fn check_single(self) -> Result<()> {
        match self.node.same() {
            Some(same) if self.all => Err(self.second(same)),
            _ => Ok(()),
        }
    }

    /// As [`check_single`](Self::check_single), where the first one counts if doubts are noted.
    #[inline]
    fn check_first(self) -> Result<()> {
        if self.doubts.is_none() {
            return self.check_single();
        }
        for other in self.beside().skip(1) {
            other.note(second(self.node.name, "remove one"), false);
        }
        Ok(())
    }

    #[cold]
    fn second(self, same: usize) -> Error {
        let node = self.record.node(same).unwrap_or(self.node);
        second(self.node.name, "remove one").at_offset(node.at())
    }

    #[cold]
    fn in_field(self, error: Error) -> Error {
        error
            .within(self.record.step(self.node))
            .at_offset(self.node.at())
    }
}

impl Source<'_> for Elements<'_> {
    type Error = Error;

    #[inline]
    fn leaf<T: Leaf>(self, name: Name) -> Result<Option<T>> {
        if self.doubts.is_some() {
            return Ok(self.first_leaf(name));
        }
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
        self.check_first()?;
        if self.is_empty() {
            // One of many says nothing by being there alone.
            return match T::GROUP.first_missing(0) {
                Some(part) if !self.all => Err(lacks::<T>(part)),
                _ => Ok(false),
            };
        }
        let parts_of = self.index + 1..self.node.next();
        parts(element, self.record, parts_of, Some((self.index, self.node)))?;
        Ok(true)
    }

    fn many<T: Item>(self, name: Name, into: &mut Vec<T>) -> Result<bool> {
        /// Room is made for so many before they turn out to be right.
        const MOST: usize = 64;
        into.reserve_exact(self.record.count_from(self.node).min(MOST));
        let (mut next, mut number) = (Some(self), 0);
        while let Some(one) = next {
            next = one.node.same().and_then(|index| {
                let node = self.record.node(index)?;
                Some(Elements { index, node, ..self })
            });
            let one = Elements {
                all: false,
                doubts: None,
                ..one
            };
            let count = into.len();
            if let Err(error) = T::push_item(one, name, into) {
                let error = error.at_offset(one.node.at()).at_index(number);
                if self.doubts.is_none() {
                    return Err(error);
                }
                into.truncate(count);
                self.note(error, false);
            }
            number += 1;
        }
        Ok(!into.is_empty())
    }

    fn flag(self, _: Name) -> Result<bool> {
        self.check_first()?;
        Ok(true)
    }

    fn skip(self) -> Result<()> {
        Ok(())
    }
}
