//! Invalid values of an entry, and their repairs.
//!
//! **One validator for every type.** It knows values only as rows and nodes: reads each value as the row's type would, drops the smallest
//! part that is invalid, and, if an element is incomplete without that part, the element. What it leaves can be read into the crate's own
//! types, so [`Entries::with_diagnostics`](crate::iter::Entries::with_diagnostics), [`Reader::diagnose`](crate::Reader::diagnose) and
//! lenient reading repair a table and then read it like any other. [`first_problem`] serves the choice between repeated elements, by the
//! stricter checks of writing.

use std::ops::Range;

use sitemap_values::quote::is_invisible;

use crate::diagnostic::Problem;
use crate::error::{Defect, Error, Result};
use crate::schema::{Element as _, Group, LOC, SchemaRow, Shape, UrlEntry, second};

use super::{Node, RecordView, Table, narrow};

/// The changes of a table that solve its problems, except for the loc's.
#[derive(Debug, Default)]
pub(crate) struct Repairs {
    /// The indexes of the nodes to leave out.
    dropped: Vec<u32>,
    /// The indexes of other nodes, with their new texts.
    replaced: Vec<(u32, String)>,
}

impl Repairs {
    pub(crate) fn is_empty(&self) -> bool {
        self.dropped.is_empty() && self.replaced.is_empty()
    }

    pub(crate) fn drop(&mut self, index: usize) {
        self.dropped.push(narrow(index));
    }

    pub(crate) fn replace(&mut self, index: usize, text: String) {
        self.replaced.push((narrow(index), text));
    }

    pub(crate) fn apply(mut self, table: &mut Table) {
        for (index, text) in self.replaced {
            table.replace_text(index as usize, &text);
        }
        self.dropped.sort_unstable();
        table.leave_out(&self.dropped);
    }
}

/// Finds the problems of an entry. An entry may have very many, so `report` gets them after each element directly in the entry. Invalid
/// values and elements are dropped. If a value that may occur once occurs several times, the first that parses counts.
/// The loc is never changed.
pub(crate) fn find_problems(view: RecordView<'_, '_>, report: &mut dyn FnMut(Problem)) -> Repairs {
    let mut finder = Finder::new(view, SchemaRow::check_read, report);
    finder.parts(&UrlEntry::GROUP, 0..view.table.nodes().len());
    finder.repairs
}

/// The first problem of an element, by the checks of writing: an invalid value, or a required part that is missing. Repeated parts are no
/// problem.
pub(crate) fn first_problem(view: RecordView<'_, '_>, index: usize) -> Option<Error> {
    let node = view.node(index)?;
    let Some(group) = node.name.group() else {
        let value = node.name.row()?.check_value(view.value(node).get());
        return value.err().map(|error| error.at_offset(node.at()));
    };
    let mut ignore = |_| {};
    let mut finder = Finder::new(view, SchemaRow::check_value, &mut ignore);
    finder.depth = 1;
    let complete = finder.complete(group, index, node);
    let mut found = finder.found.into_iter().map(|problem| problem.error);
    let invalid = found.find(|error| error.defect() != Defect::Excess);
    invalid.or_else(|| complete.err().map(|error| error.at_offset(node.at())))
}

struct Finder<'v, 'p> {
    view: RecordView<'v, 'v>,
    check: fn(&'static SchemaRow, &str) -> Result<()>,
    report: &'p mut dyn FnMut(Problem),
    repairs: Repairs,
    /// The problems within the open elements.
    found: Vec<Problem>,
    /// The number of open elements.
    depth: usize,
}

impl<'v, 'p> Finder<'v, 'p> {
    fn new(
        view: RecordView<'v, 'v>,
        check: fn(&'static SchemaRow, &str) -> Result<()>,
        report: &'p mut dyn FnMut(Problem),
    ) -> Self {
        Finder {
            view,
            check,
            report,
            repairs: Repairs::default(),
            found: Vec::new(),
            depth: 0,
        }
    }

    /// Looks at the attributes and children at `nodes`. Returns one bit for each row of the group that has a value.
    fn parts(&mut self, group: &Group, nodes: Range<usize>) -> u64 {
        let (mut seen, mut next) = (0, nodes.start);
        while next < nodes.end
            && let Some(node) = self.view.node(next)
        {
            let index = next;
            next = node.next();
            let bit = group.bit(node.name);
            if node.first
                && bit != 0
                && let Some(row) = node.name.row()
                && self.all_of(row, index)
            {
                seen |= bit;
            }
        }
        seen
    }

    /// Looks at the elements with one name, the first of them at `index`. Returns `true` if one has a value.
    fn all_of(&mut self, row: &'static SchemaRow, index: usize) -> bool {
        let (mut has_value, mut next, mut number) = (false, Some(index), 0);
        while let Some(index) = next
            && let Some(node) = self.view.node(index)
        {
            next = node.same();
            if row.is_repeated() {
                has_value |= self.one(row, index, node, Some(number));
            } else if has_value || (number > 0 || next.is_some()) && self.is_empty(row, index, node) {
                match row.shape() {
                    Shape::Flag | Shape::Group => self.drop_second(index, node, None),
                    _ if self.is_empty(row, index, node) => self.repairs.drop(index),
                    _ => self.drop_second(index, node, Some(self.text(node).to_owned())),
                }
            } else {
                has_value = self.one(row, index, node, None);
            }
            number += 1;
            if self.depth == 0 {
                self.found.drain(..).for_each(&mut *self.report);
            }
        }
        has_value
    }

    /// Looks at one element or attribute, which has this index among those of its name if it is repeatable. Returns `true` if it has a
    /// value.
    fn one(&mut self, row: &'static SchemaRow, index: usize, node: &Node, number: Option<usize>) -> bool {
        if let Some(group) = node.name.group() {
            // An empty repeated element counts as absent only if the schema requires nothing in it.
            let is_absent =
                self.is_empty(row, index, node) && (number.is_none() || group.first_missing(0).is_none());
            return !is_absent && self.element(group, index, node, number);
        }
        let text = self.text(node);
        if row.shape() == Shape::Flag || text.is_empty() && node.name != LOC {
            return row.shape() == Shape::Flag;
        }
        let Err(error) = (self.check)(row, text) else {
            return true;
        };
        let error = self.in_field(error, node, number);
        // Ignore invisible characters, such as no-break spaces around a date.
        let visible = text.trim_matches(is_invisible);
        let is_mended = visible.len() < text.len() && (self.check)(row, visible).is_ok();
        if node.name == LOC {
            self.push(error, Some(text.to_owned()));
        } else if is_mended {
            self.repairs.replace(index, visible.to_owned());
            self.push(error, Some(text.to_owned()));
        } else {
            self.drop(index, error, Some(text.to_owned()));
            return false;
        }
        true
    }

    /// Looks at an element with attributes or children. Returns `true` if it is complete without its invalid parts.
    fn element(&mut self, group: &Group, index: usize, node: &Node, number: Option<usize>) -> bool {
        let before = self.found.len();
        self.depth += 1;
        let complete = self.complete(group, index, node);
        self.depth -= 1;
        for problem in self.found.split_off(before) {
            let problem = problem.map(|error| self.in_field(error, node, number));
            self.found.push(problem);
        }
        match complete {
            Ok(()) => true,
            Err(error) => {
                let error = self.in_field(error, node, number);
                self.drop(index, error, None);
                false
            }
        }
    }

    /// Checks that an element has all required parts without its invalid ones.
    fn complete(&mut self, group: &Group, index: usize, node: &Node) -> Result<()> {
        let before = self.found.len();
        let mut seen = self.parts(group, index + 1..node.next());
        let text = self.text(node);
        if !text.is_empty()
            && let Some(own) = group.text
            && let Some(row) = own.row()
        {
            // An element without its text would mean something else.
            (self.check)(row, text).map_err(|error| error.within("$text").at_offset(node.at()))?;
            seen |= group.bit(own);
        }
        group.check_seen(seen).map_err(|missing| {
            // The error of a part that was dropped becomes the whole element's.
            let part = missing.outermost_field();
            let mut dropped = self.found.iter().skip(before);
            match dropped.position(|problem| problem.error.outermost_field() == part) {
                Some(at) => self.found.remove(before + at).error,
                None => missing,
            }
        })
    }

    fn text(&self, node: &Node) -> &'v str {
        self.view.value(node).get()
    }

    /// Returns `true` if an element has no value.
    fn is_empty(&self, row: &SchemaRow, index: usize, node: &Node) -> bool {
        match row.shape() {
            Shape::Flag => false,
            Shape::Group => node.next() == index + 1 && self.text(node).is_empty(),
            _ => self.text(node).is_empty(),
        }
    }

    fn in_field(&self, error: Error, node: &Node, number: Option<usize>) -> Error {
        let error = error.at_offset(node.at());
        let error = match number {
            Some(number) => error.at_index(number),
            None => error,
        };
        error.within(self.view.step(node))
    }

    fn push(&mut self, error: Error, found: Option<String>) {
        self.found.push(Problem {
            found,
            ..Problem::new(error)
        });
    }

    fn drop(&mut self, index: usize, error: Error, found: Option<String>) {
        self.repairs.drop(index);
        self.push(error.omitting_field(), found);
    }

    fn drop_second(&mut self, index: usize, node: &Node, found: Option<String>) {
        let error = self.in_field(second(node.name, "remove one"), node, None);
        self.drop(index, error, found);
    }
}
