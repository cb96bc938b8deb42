//! The entries of a lenient reading: each is read as in a strict reading, and repaired if needed.

use crate::error::{ErrorKind, Result};
use crate::model::Kind;
use crate::record;
use crate::xml::names::{self, Namespace};
use crate::xml::scanner::Span;
use crate::xml::source::Window;

use crate::document::read::DocumentReader;

/// The part of the next entry that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document::read) enum Begun {
    /// Its known tags. The entry is whole if it consists of these.
    Known { is_whole: bool },
    /// Its start tag, or all of it in the element of the entry before.
    Pending,
}

impl<S: Window> DocumentReader<S> {
    /// Reads the next entry that has a loc into the table, with any necessary repairs. Returns `false` at the end.
    #[inline(never)]
    pub(in crate::document::read) fn next_repaired(&mut self, begun: Begun) -> Result<bool> {
        let before = self.entries - u64::from(matches!(begun, Begun::Known { .. }));
        let found = self.repair_next(begun);
        if self.scanner.has_notes() {
            self.gather_notes(self.entries > before);
        }
        found
    }

    #[inline]
    fn repair_next(&mut self, begun: Begun) -> Result<bool> {
        let has_entry = match begun {
            Begun::Known { is_whole } => self.finish_known::<true>(self.known_kind(), is_whole)?,
            Begun::Pending => self.next_pending(self.known_kind())?,
        };
        if has_entry {
            Ok(true)
        } else {
            self.next_entry::<true>()
        }
    }

    /// Reads an entry of the other kind, or an entry whose name is in another case. A well-formed element of another namespace is skipped.
    /// Any other element is left open: its content is searched for entries, since its end tag may be missing. Returns `true` if the table
    /// has an entry.
    pub(in crate::document::read) fn other_element_repaired(
        &mut self,
        kind: Kind,
        name: &Span,
        namespace: Namespace,
    ) -> Result<bool> {
        // A second root is reported as such.
        let depth = self.scanner.depth();
        let is_second = depth == 1;
        self.leave_lost(depth);
        if !namespace.is_core() {
            self.keep_foreign(name);
            if is_second {
                self.take_second_root(name);
            } else if record::skip_well_formed(&mut self.scanner) {
                self.scanner.check_size()?;
            }
            return Ok(false);
        }
        let (_, local) = names::split(self.scanner.text(name.clone()));
        let is = |name: &str| local.eq_ignore_ascii_case(name);
        let found = Kind::ALL.into_iter().find(|kind| is(kind.entry()));
        match found {
            None if is(kind.root()) || is_second => return Ok(false),
            Some(found) if found != kind => return self.leave_out_misplaced(kind, depth).map(|()| false),
            Some(_) => {
                let error = self.unknown(kind);
                self.scanner.note(error);
            }
            None => {
                let error = self.unknown(kind);
                self.scanner.note(error.losing());
                if let Some(lenient) = &mut self.lenient {
                    lenient.lost_depth.get_or_insert(depth);
                }
            }
        }
        if found.is_some() {
            self.read_entry::<true>(kind)
        } else {
            Ok(false)
        }
    }

    /// Leaves out an entry of the other kind: a page is no sitemap, and a sitemap no page.
    fn leave_out_misplaced(&mut self, kind: Kind, depth: usize) -> Result<()> {
        let error = self.misplaced(kind).omitting_entry();
        self.count_entry(kind)?;
        self.scanner.note(error.in_entry(self.entries));
        if record::skip_well_formed(&mut self.scanner) {
            return self.scanner.check_size();
        }
        if let Some(lenient) = &mut self.lenient {
            lenient.lost_depth.get_or_insert(depth);
        }
        Ok(())
    }

    /// Ends the element that was lost with its text, since another one begins at this depth.
    fn leave_lost(&mut self, depth: usize) {
        if let Some(lenient) = &mut self.lenient
            && lenient.lost_depth.is_some_and(|lost| depth <= lost)
        {
            lenient.lost_depth = None;
        }
    }

    /// Treats the namespace of a second root as core, as for the first root, if the element with this name is a root.
    #[cold]
    fn take_second_root(&mut self, name: &Span) {
        let name = self.scanner.text(name.clone()).to_owned();
        let (prefix, local) = names::split(&name);
        if Kind::ALL
            .iter()
            .any(|kind| kind.root().eq_ignore_ascii_case(local))
        {
            let error = self.wrong_namespace(&name);
            self.scanner.note(error);
            self.scanner.take_for_core(prefix);
        }
    }

    /// Reads the rest of an entry whose first tags were known.
    #[cold]
    pub(in crate::document::read) fn read_on_repairing(&mut self) -> Result<()> {
        self.table.take_any_case(true);
        self.scanner.set_entry(self.scanner.depth() - self.reader.depth());
        let read = self.reader.read_on(&mut self.scanner, &mut self.table);
        self.scanner.set_entry(0);
        read
    }

    /// Repairs the entry in the table, if needed. Returns `true` if it has a loc.
    #[inline(always)]
    pub(in crate::document::read) fn check_repaired(&mut self, kind: Kind) -> Result<bool> {
        if self.is_usual() && !self.scanner.has_notes() {
            return Ok(true);
        }
        self.repair_entry(kind)
    }

    #[cold]
    #[inline(never)]
    fn repair_entry(&mut self, kind: Kind) -> Result<bool> {
        match record::check(&self.table, kind.entry()) {
            Err(error) if error.kind() != ErrorKind::Data => Err(error),
            // If its first loc cannot be used, the next one may begin an entry of its own.
            _ => Ok(self.mend_all(kind)? || self.next_pending(kind)?),
        }
    }

    /// Returns `true` if there is nothing to repair in the entry in the table.
    #[inline(always)]
    pub(in crate::document::read) fn is_usual(&self) -> bool {
        let window = self.scanner.source().window().as_bytes();
        let entry = window.get(self.scanner.held()..).unwrap_or_default();
        let Some(lenient) = &self.lenient else { return true };
        !lenient.corrects_values() && self.table.is_usual(entry, lenient.location.is_some())
    }

    /// Puts the next entry whose start tag was already read into the table. Returns `true` if there is such an entry and it has a loc.
    #[cold]
    pub(in crate::document::read) fn next_pending(&mut self, kind: Kind) -> Result<bool> {
        while self
            .lenient
            .as_ref()
            .is_some_and(|lenient| lenient.rest.is_some())
        {
            if self.next_of_rest(kind)? {
                return Ok(true);
            }
        }
        let begins = self
            .lenient
            .as_mut()
            .is_some_and(|lenient| std::mem::take(&mut lenient.begins_in_entry));
        if begins {
            self.read_entry::<true>(kind)
        } else {
            Ok(false)
        }
    }

    /// Puts the next entry of the last entry's element, which has several locs, into the table. Returns `true` if there is such an entry
    /// and it has a loc.
    fn next_of_rest(&mut self, kind: Kind) -> Result<bool> {
        let Some(mut rest) = self.lenient.as_mut().and_then(|lenient| lenient.rest.take()) else {
            return Ok(false);
        };
        let entry = self.scanner.text(self.scanner.held()..self.scanner.token().end);
        let part = rest.take(entry, &mut self.table);
        if let Some(lenient) = &mut self.lenient {
            lenient.part_len = part.as_ref().map(ExactSizeIterator::len);
        }
        let Some(part) = part else { return Ok(false) };
        self.scanner.hold_behind(part.start);
        if let Some(lenient) = &mut self.lenient {
            lenient.rest = Some(rest);
        }
        self.count_entry(kind)?;
        self.mend(kind)
    }
}
