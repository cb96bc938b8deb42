//! The entries of a lenient reading. Each is read as in a strict reading first, and repaired if that fails.

use crate::error::{Category, Result};
use crate::model::Kind;
use crate::record;
use crate::xml::names;
use crate::xml::scanner::Token;
use crate::xml::source::Window;

use crate::document::read::{DocumentReader, EntryStart, State, enter};

/// How much of the next entry was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::document::read) enum Begun {
    /// Nothing, and nothing was tried.
    Nothing,
    /// Nothing: its start tag is not the known one.
    OtherThanBefore,
    /// Its [known tags](DocumentReader::read_known); all of it, if it is whole.
    Entry { is_whole: bool },
}

impl<S: Window> DocumentReader<S> {
    /// Reads the next entry that has a loc into the table, with repairs where they are needed. `false` at the end.
    pub(in crate::document::read) fn next_repaired(&mut self, begun: Begun) -> Result<bool> {
        let before = self.entries - u64::from(matches!(begun, Begun::Entry { .. }));
        let found = self.try_next_repaired(begun);
        if self.scanner.has_notes() {
            self.gather_notes(self.entries > before);
        }
        found
    }

    fn try_next_repaired(&mut self, mut begun: Begun) -> Result<bool> {
        if self.state == State::New {
            self.kind()?;
        }
        let State::Open(kind) = self.state else {
            return Ok(false);
        };
        if self.is_list {
            return self.next_line(kind);
        }
        if self.feed.is_some() {
            return self.next_item(kind);
        }
        if self.lenient.as_ref().is_some_and(|lenient| lenient.is_pending()) && self.next_pending(kind)? {
            return Ok(true);
        }
        loop {
            if begun == Begun::Nothing {
                self.scanner.release();
                let read = self.read_known();
                begun = read.map_or(Begun::OtherThanBefore, |is_whole| Begun::Entry { is_whole });
            }
            if let Begun::Entry { is_whole } = std::mem::replace(&mut begun, Begun::Nothing) {
                if !is_whole {
                    self.read_on_repairing()?;
                }
                self.check_end()?;
                if self.check_repaired(kind)? {
                    return Ok(true);
                }
                continue;
            }
            self.scanner.release();
            if let Some(known) = &mut self.start
                && self.scanner.ahead(|ahead| enter(ahead, known)) == Some(true)
            {
                self.scanner.check_size()?;
                if self.record_repaired(kind)? {
                    return Ok(true);
                }
                continue;
            }
            self.scanner.skip_space()?;
            let outer = self.scanner.scope();
            match self.scanner.next()? {
                Token::Start { name, namespace } => {
                    let (_, local) = names::split(self.scanner.text(name.clone()));
                    let found = [Kind::UrlSet, Kind::SitemapIndex]
                        .into_iter()
                        .find(|kind| kind.entry().eq_ignore_ascii_case(local));
                    let is_right = local == kind.entry();
                    match found.filter(|_| namespace.is_core()) {
                        Some(found) => {
                            if is_right {
                                let known = self.scanner.known_tag(outer, &name).map(EntryStart::new);
                                self.start = known.or(self.start.take());
                            } else if found == kind {
                                let error = self.unknown_here(kind);
                                self.scanner.note(error);
                            } else {
                                let error = self.misplaced_here(kind);
                                self.scanner.note(error);
                            }
                            if self.record_repaired(kind)? {
                                return Ok(true);
                            }
                        }
                        // Its content is searched for entries: its end tag may be missing.
                        None if namespace.is_core() && !local.eq_ignore_ascii_case(kind.root()) => {
                            let error = self.unknown_here(kind);
                            self.scanner.note(error);
                        }
                        None => {}
                    }
                }
                Token::Eof => {
                    self.end_reading();
                    return Ok(false);
                }
                Token::Text { span, plain } if self.scanner.depth() == self.root_depth => {
                    if let Err(error) = self.check_between_entries(&span, plain, kind) {
                        self.scanner.note(error);
                    }
                }
                Token::Text { .. } | Token::End | Token::Aside => {}
            }
        }
    }

    /// Reads the entry whose start tag was the last token, and repairs it. Returns whether it has a loc.
    fn record_repaired(&mut self, kind: Kind) -> Result<bool> {
        self.scanner.set_entry(self.scanner.depth());
        let read = self.read_record(kind);
        self.scanner.set_entry(0);
        read?;
        self.check_repaired(kind)
    }

    /// Reads the rest of an entry after its [known tags](Self::read_known).
    #[cold]
    fn read_on_repairing(&mut self) -> Result<()> {
        self.table.take_any_case(true);
        self.scanner.set_entry(self.scanner.depth() - self.reader.depth());
        let read = self.reader.read_on(&mut self.scanner, &mut self.table);
        self.scanner.set_entry(0);
        read
    }

    /// Repairs the entry that was read, if needed. Returns whether it has a loc.
    fn check_repaired(&mut self, kind: Kind) -> Result<bool> {
        match record::check(&self.table, kind.entry()) {
            Ok(()) if self.is_usual() => Ok(true),
            Err(error) if error.category() != Category::Data => Err(error),
            _ => self.mend_all(kind),
        }
    }

    /// Whether there is nothing to repair in the entry that was read.
    fn is_usual(&self) -> bool {
        let window = self.scanner.source().window().as_bytes();
        let entry = window.get(self.scanner.held()..).unwrap_or_default();
        self.table.is_usual(entry, self.address().is_some())
    }

    /// The next entry that was met already, if there is one that has a loc.
    #[cold]
    fn next_pending(&mut self, kind: Kind) -> Result<bool> {
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
            self.record_repaired(kind)
        } else {
            Ok(false)
        }
    }

    /// The next of the entries that stand in the element of the last one, if there is one that has a loc.
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
