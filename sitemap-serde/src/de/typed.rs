//! Reads the crate's own types directly from a record.

use std::cell::{Ref, RefCell, RefMut};
use std::ops::Range;

use sitemap_values::quote::is_invisible;

use crate::error::{Error, Result};
use crate::loc;
use crate::record::{Node, RecordView};
use crate::schema::{
    self, Alternate, Element, FieldSource, Group, Image, Item, LOC, Leaf, Name, News, UrlEntry, Video, lacks,
    second,
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

/// The problems in an entry that is read leniently. They are collected, or reported as soon as the element directly in the entry that has
/// them is read: an entry may have very many.
#[derive(Default)]
pub(crate) struct EntryProblems<'p> {
    found: RefCell<Vec<EntryProblem>>,
    report: Option<&'p dyn Fn(EntryProblem)>,
}

impl<'p> EntryProblems<'p> {
    /// Collects problems after these.
    pub(crate) fn after(found: Vec<EntryProblem>) -> Self {
        EntryProblems {
            found: RefCell::new(found),
            report: None,
        }
    }

    /// Gives each problem to `report`.
    pub(crate) fn reported_by(report: &'p dyn Fn(EntryProblem)) -> Self {
        EntryProblems {
            found: RefCell::default(),
            report: Some(report),
        }
    }

    pub(crate) fn into_found(self) -> Vec<EntryProblem> {
        self.found.into_inner()
    }

    fn borrow(&self) -> Ref<'_, Vec<EntryProblem>> {
        self.found.borrow()
    }

    fn borrow_mut(&self) -> RefMut<'_, Vec<EntryProblem>> {
        self.found.borrow_mut()
    }

    /// Reports the problems, unless they are collected.
    fn flush(&self) {
        if let Some(report) = self.report {
            self.borrow_mut().drain(..).for_each(report);
        }
    }
}

/// One problem in an entry.
#[derive(Debug)]
pub(crate) struct EntryProblem {
    pub(crate) error: Error,
    /// The text, if the problem is in a value.
    pub(crate) found: Option<String>,
    /// The index of the element's node, if the problem is in an element.
    pub(crate) node: Option<usize>,
}

/// Fills an entry like [`fill`], but drops invalid values and extension elements, and notes them in `problems`. A loc is kept unchanged.
/// If a value that may occur once occurs several times, the first that parses counts.
pub(crate) fn fill_with_problems(
    entry: &mut UrlEntry,
    record: RecordView<'_, '_>,
    problems: &EntryProblems<'_>,
) {
    let mut next = 0;
    while let Some(node) = record.node(next) {
        let index = next;
        next = node.next();
        if !node.first {
            continue;
        }
        let elements = Elements {
            record: &record,
            index,
            node,
            all: true,
        };
        let lenient = LenientElements {
            elements: &elements,
            problems,
            is_outermost: true,
        };
        if node.name == LOC {
            elements.text().clone_into(&mut entry.loc);
            if let Err(error) = loc::check(&entry.loc) {
                lenient.push(&elements, elements.in_field(error), Some(entry.loc.clone()));
            }
        } else if let Err(error) = entry.read(node.name, lenient) {
            lenient.note(&elements, error, false);
        }
    }
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
        match self.node.same() {
            Some(same) if self.all => Err(self.second(same)),
            _ => Ok(()),
        }
    }

    #[cold]
    fn second(&self, same: usize) -> Error {
        let node = self.record.node(same).unwrap_or(self.node);
        second(self.node.name, "remove one").at_offset(node.at())
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

/// Lenient reading of the elements with one name: invalid elements, or if possible only their invalid parts, are noted and dropped.
#[derive(Clone, Copy)]
struct LenientElements<'e, 'r> {
    elements: &'e Elements<'r>,
    problems: &'e EntryProblems<'e>,
    /// `true` if they are directly in the entry, so that the result is complete.
    is_outermost: bool,
}

impl LenientElements<'_, '_> {
    /// Notes a problem of an element, which is dropped, with its text if it is a value.
    #[cold]
    fn note(self, one: &Elements<'_>, error: Error, is_value: bool) {
        let found = is_value.then(|| one.text().to_owned());
        self.push(one, one.in_field(error).omitting_field(), found);
    }

    fn push(self, one: &Elements<'_>, error: Error, found: Option<String>) {
        let node = Some(one.index);
        self.problems
            .borrow_mut()
            .push(EntryProblem { error, found, node });
        self.flush();
    }

    fn flush(self) {
        if self.is_outermost {
            self.problems.flush();
        }
    }

    /// Notes all elements but the first, where only one is allowed.
    fn note_others(self) {
        for other in self.elements.each().skip(1) {
            self.note(&other, second(other.node.name, "remove one"), false);
        }
    }

    /// Reads an invalid element by `read`, without its invalid parts; returns whether it is complete without them. `number` is its
    /// index among several.
    #[cold]
    fn mend(
        self,
        one: &Elements<'_>,
        number: Option<usize>,
        read: &mut dyn FnMut(LenientElement<'_, '_>) -> Result<bool>,
    ) -> bool {
        let problems = self.problems;
        let before = problems.borrow().len();
        let result = read(LenientElement { one, problems });
        let in_field = |error: Error| {
            let error = error.at_offset(one.node.at());
            one.in_field(match number {
                Some(number) => error.at_index(number),
                None => error,
            })
        };
        for problem in problems.borrow_mut().iter_mut().skip(before) {
            let error = std::mem::replace(&mut problem.error, Error::data(""));
            problem.error = in_field(error);
        }
        self.flush();
        result.unwrap_or_else(|error| {
            self.push(one, in_field(error).omitting_field(), None);
            false
        })
    }
}

impl FieldSource<'_> for LenientElements<'_, '_> {
    type Error = Error;

    /// The first value that parses.
    fn leaf<T: Leaf>(self, name: Name) -> Result<Option<T>> {
        let mut value = None;
        for one in self.elements.each() {
            if one.text().is_empty() {
                continue;
            }
            if value.is_some() {
                self.note(&one, second(name, "remove one"), true);
                continue;
            }
            match (&one).leaf(name) {
                Ok(read) => value = read,
                Err(error) => {
                    // Ignore invisible characters, such as no-break spaces around a date.
                    let visible = one.text().trim_matches(is_invisible);
                    let row = name.row().filter(|_| visible.len() < one.text().len());
                    value = row.and_then(|row| T::read(visible, row).ok());
                    if value.is_none() {
                        self.note(&one, error, true);
                    } else {
                        self.push(&one, one.in_field(error), Some(one.text().to_owned()));
                    }
                }
            }
        }
        Ok(value)
    }

    /// The first valid element.
    fn fill<T: Element>(self, element: &mut T) -> Result<bool> {
        let is_single = self.elements.node.same().is_none();
        let mut is_filled = false;
        for one in self.elements.each() {
            if is_filled || !is_single && one.is_empty() {
                self.note(&one, second(one.node.name, "remove one"), false);
                continue;
            }
            if one.is_empty() {
                continue;
            }
            match (&one).fill(element) {
                Ok(filled) => is_filled = filled,
                Err(_) => {
                    *element = T::blank();
                    is_filled = self.mend(&one, None, &mut |parts| parts.fill(element));
                    if !is_filled {
                        *element = T::blank();
                    }
                }
            }
        }
        Ok(is_filled)
    }

    fn many<T: Item>(self, name: Name, into: &mut Vec<T>) -> Result<bool> {
        make_room(self.elements, into);
        for (number, one) in self.elements.each().enumerate() {
            let count = into.len();
            if T::push_item(&one, name, into).is_err() {
                into.truncate(count);
                if !self.mend(&one, Some(number), &mut |parts| T::push_item(parts, name, into)) {
                    into.truncate(count);
                }
            }
        }
        Ok(!into.is_empty())
    }

    fn flag(self, _: Name) -> Result<bool> {
        self.note_others();
        Ok(true)
    }

    fn skip(self) -> Result<()> {
        Ok(())
    }
}

/// Lenient reading of an invalid element: its invalid parts are noted and dropped.
#[derive(Clone, Copy)]
struct LenientElement<'e, 'r> {
    one: &'e Elements<'r>,
    problems: &'e EntryProblems<'e>,
}

/// An element of any type. Reading without the invalid parts is compiled once, not for each type: elements with such parts are few.
trait AnyElement {
    fn group(&self) -> Group;

    fn lacks(&self, part: Name) -> Error;

    fn read_parts(&mut self, name: Name, parts: LenientElements<'_, '_>) -> Result<bool>;

    fn read_text(&mut self, name: Name, text: &Elements<'_>) -> Result<bool>;
}

impl<T: Element> AnyElement for T {
    fn group(&self) -> Group {
        T::GROUP
    }

    fn lacks(&self, part: Name) -> Error {
        lacks::<T>(part)
    }

    fn read_parts(&mut self, name: Name, parts: LenientElements<'_, '_>) -> Result<bool> {
        self.read(name, parts)
    }

    fn read_text(&mut self, name: Name, text: &Elements<'_>) -> Result<bool> {
        self.read(name, text)
    }
}

impl LenientElement<'_, '_> {
    /// Reads attributes, children and text, if there are any.
    fn fill_any(self, element: &mut dyn AnyElement) -> Result<bool> {
        let LenientElement { one, problems } = self;
        let group = element.group();
        let before = problems.borrow().len();
        let (mut seen, mut next) = (0, one.index + 1);
        while next < one.node.next()
            && let Some(node) = one.record.node(next)
        {
            let index = next;
            next = node.next();
            if !node.first {
                continue;
            }
            let elements = &Elements {
                index,
                node,
                all: true,
                ..*one
            };
            let lenient = LenientElements {
                elements,
                problems,
                is_outermost: false,
            };
            match element.read_parts(node.name, lenient) {
                Ok(true) => seen |= group.bit(node.name),
                Ok(false) => {}
                Err(error) => lenient.note(elements, error, false),
            }
        }
        if let Some(text) = group.text {
            match element.read_text(text, one) {
                Ok(true) => seen |= group.bit(text),
                Ok(false) => {}
                // An element without its text would mean something else.
                Err(error) => return Err(error.within("$text").at_offset(one.node.at())),
            }
        }
        match group.first_missing(seen) {
            Some(part) => {
                let of_part = self.take_problem_of(part, before);
                Err(of_part.unwrap_or_else(|| element.lacks(part)))
            }
            None => Ok(true),
        }
    }

    /// The error of a part that was dropped, which becomes the whole element's.
    fn take_problem_of(self, part: Name, before: usize) -> Option<Error> {
        let mut problems = self.problems.borrow_mut();
        let is_of_part = |problem: &EntryProblem| problem.error.outermost_field() == Some(part.shown());
        let found = problems.iter().skip(before).position(is_of_part)?;
        Some(problems.remove(before + found).error)
    }
}

impl FieldSource<'_> for LenientElement<'_, '_> {
    type Error = Error;

    fn leaf<T: Leaf>(self, name: Name) -> Result<Option<T>> {
        self.one.leaf(name)
    }

    fn fill<T: Element>(self, element: &mut T) -> Result<bool> {
        if self.one.is_empty() {
            return self.one.fill(element);
        }
        self.fill_any(element)
    }

    fn many<T: Item>(self, name: Name, into: &mut Vec<T>) -> Result<bool> {
        self.one.many(name, into)
    }

    fn flag(self, name: Name) -> Result<bool> {
        self.one.flag(name)
    }

    fn skip(self) -> Result<()> {
        Ok(())
    }
}
