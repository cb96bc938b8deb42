//! The loop over the entries of a document, in strict and in lenient readings.
//!
//! Three ways lead into an entry. Most entries begin with the same bytes as those before them, white space included, and are then read
//! without a token (`read_known`). If only the white space or the attributes of the start tag differ, the tag is still a known one
//! (`enter`). Everything else is read token by token.

use sitemap_values::Rule;
use sitemap_values::number::grouped;

use crate::error::{Advice, Error, Message, Result};
use crate::model::Kind;
use crate::record::{self, EntryStart};
use crate::xml::names;
use crate::xml::scanner::Token;
use crate::xml::source::Window;

use super::lenient::Begun;
use super::{Body, DocumentReader, State};

impl<S: Window> DocumentReader<S> {
    /// Reads the next entry of a strict reading into the table. Returns `false` at the end of the document.
    #[inline]
    pub(super) fn next_strict(&mut self) -> Result<bool> {
        match self.read_known() {
            Some(is_whole) => self.finish_known::<false>(self.known_kind(), is_whole),
            None => self.next_entry::<false>(),
        }
    }

    /// Reads the next entry of a lenient reading that has a loc into the table. Returns `false` at the end of the document.
    #[inline(always)]
    pub(super) fn next_lenient(&mut self) -> Result<bool> {
        let Some(lenient) = &self.lenient else {
            return self.next_strict();
        };
        if lenient.is_pending() {
            return self.next_repaired(Begun::Pending);
        }
        match self.read_known() {
            Some(true) if self.is_usual() => {
                self.check_end()?;
                Ok(true)
            }
            Some(is_whole) => self.next_repaired(Begun::Known { is_whole }),
            None => {
                let before = self.entries;
                let found = self.next_entry::<true>();
                if self.scanner.has_notes() {
                    self.gather_notes(self.entries > before);
                }
                found
            }
        }
    }

    /// Reads the next entry, in any format and from any state of the reader. The caller has tried [`read_known`](Self::read_known).
    #[inline(always)]
    pub(super) fn next_entry<const LENIENT: bool>(&mut self) -> Result<bool> {
        let is_new = self.state == State::New;
        if is_new {
            self.kind()?;
        }
        let State::Open(kind) = self.state else {
            return Ok(false);
        };
        match self.body {
            Body::Sitemap => {}
            Body::Lines => return self.next_line(kind),
            Body::Feed(_) => return self.next_item(kind),
        }
        // If there is no root, its start tag was already read in search of one.
        if LENIENT && is_new && self.next_pending(kind)? {
            return Ok(true);
        }
        loop {
            // The end of the root stays in the window once it was read.
            if self.root_end.is_none() {
                self.scanner.release();
            }
            if let Some(start) = &mut self.start
                && self.reader.enter_known(start, &mut self.scanner)
            {
                self.scanner.check_size()?;
                if self.read_entry::<LENIENT>(kind)? {
                    return Ok(true);
                }
                continue;
            }
            self.scanner.skip_space()?;
            let outer = self.scanner.scope();
            match self.scanner.next()? {
                Token::Start { name, namespace } => {
                    let (_, local) = names::split(self.scanner.text(name.clone()));
                    let has_entry = if !namespace.is_core() || local != kind.entry() {
                        self.other_element::<LENIENT>(kind, &name, namespace)?
                    } else {
                        self.start = EntryStart::new(&self.scanner, outer, &name).or(self.start.take());
                        self.read_entry::<LENIENT>(kind)?
                    };
                    if has_entry {
                        return Ok(true);
                    }
                }
                Token::Eof => {
                    self.end_reading();
                    return Ok(false);
                }
                Token::End if self.keeps_end && self.root_end.is_none() => self.mark_end(),
                Token::Text { span, plain } => self.text_between_entries::<LENIENT>(&span, plain, kind)?,
                Token::End | Token::Aside => {}
            }
            // After a comment, for one, the next entry may begin with known bytes again.
            if let Some(is_whole) = self.read_known()
                && self.finish_known::<LENIENT>(kind, is_whole)?
            {
                return Ok(true);
            }
        }
    }

    /// Reads the next entry as far as its tags are known, if it begins with the same bytes as earlier ones, and returns whether that is
    /// all of it. Otherwise reads nothing and returns `None`.
    #[inline(always)]
    fn read_known(&mut self) -> Option<bool> {
        if self.entries >= self.limits.entries {
            return None;
        }
        // There is a known start tag only between the entries of XML.
        let start = self.start.as_ref()?;
        let is_whole = self
            .reader
            .read_known(start, &mut self.scanner, &mut self.table)?;
        self.entries += 1;
        Some(is_whole)
    }

    /// Reads the rest of an entry that began with known bytes, and checks it. Returns `true` if the table has an entry.
    #[inline(always)]
    pub(super) fn finish_known<const LENIENT: bool>(&mut self, kind: Kind, is_whole: bool) -> Result<bool> {
        if !is_whole {
            if LENIENT {
                self.read_on_repairing()?;
            } else {
                self.reader.read_on(&mut self.scanner, &mut self.table)?;
            }
        }
        self.check_end()?;
        self.check_entry::<LENIENT>(kind)
    }

    /// Reads the entry whose start tag was the last token, and checks it. Returns `true` if the table has an entry.
    #[inline]
    pub(super) fn read_entry<const LENIENT: bool>(&mut self, kind: Kind) -> Result<bool> {
        if LENIENT {
            self.scanner.set_entry(self.scanner.depth());
            let read = self.read_record(kind);
            self.scanner.set_entry(0);
            read?;
        } else {
            self.read_record(kind)?;
        }
        self.check_entry::<LENIENT>(kind)
    }

    /// Checks the entry in the table; a lenient reading repairs it instead. Returns `true` if it can be used: always, in a strict reading.
    #[inline]
    pub(super) fn check_entry<const LENIENT: bool>(&mut self, kind: Kind) -> Result<bool> {
        if LENIENT {
            return self.check_repaired(kind);
        }
        let checked = match (record::check(&self.table, kind.entry()), &mut self.problems) {
            (Err(_), Some(problems)) => {
                record::check_with_problems(&self.table, kind.entry(), |error| problems.push(error))
            }
            (checked, _) => checked,
        };
        match checked {
            Ok(()) => Ok(true),
            Err(error) => Err(self.locate(error)),
        }
    }

    /// Reads the record whose start tag was the last token.
    pub(super) fn read_record(&mut self, kind: Kind) -> Result<()> {
        self.scanner.hold();
        self.count_entry(kind)?;
        self.reader.read(&mut self.scanner, &mut self.table)?;
        self.check_end()
    }

    /// Checks that the entry ends within the allowed size of the document (P-SIZE).
    #[inline]
    pub(super) fn check_end(&self) -> Result<()> {
        let end = self.scanner.offset_of(self.scanner.token().end);
        if end > self.limits.bytes {
            return Err(self.scanner.over_size(self.scanner.held()));
        }
        Ok(())
    }

    /// Counts an entry, and checks the limit of entries (P-COUNT).
    pub(super) fn count_entry(&mut self, kind: Kind) -> Result<()> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            let count = grouped(self.limits.entries);
            return Err(Error::limit(
                Message::new(format!(
                    "more than {count} `{}` entries, which is the limit",
                    kind.entry()
                ))
                .advice(Advice::of_api(
                    "Limits::with_entries",
                    "split the file, or raise the limit with `Limits::with_entries`",
                )),
            )
            .breaks(Rule::Count)
            .at(self.scanner.position(self.scanner.held())));
        }
        Ok(())
    }

    /// Keeps the last token in the window: the end of the root.
    #[cold]
    pub(super) fn mark_end(&mut self) {
        self.scanner.hold();
        self.root_end = Some(0..self.scanner.token().len());
    }
}
