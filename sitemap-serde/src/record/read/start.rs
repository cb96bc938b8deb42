//! The start tag of an entry, and the white space before it.

use crate::record::Table;
use crate::xml::chars::is_blank;
use crate::xml::scanner::{Cursor, Scanner, Span};
use crate::xml::source::Window;

use super::RecordReader;
use super::pattern::Pattern;
use super::tag::KnownTag;

/// The start tag of an entry, as it occurred before.
#[derive(Debug)]
pub(crate) struct EntryStart {
    tag: KnownTag,
    /// The white space before the tag, and the tag, if it is bare. Empty until such a tag was read.
    beginning: Pattern,
    /// The length of the white space.
    gap: usize,
    /// The number of entries that began with other white space.
    misses: u32,
}

impl EntryStart {
    /// The start tag of an entry that was the scanner's last token, in the scope `outer` around it. `None` if it must be read token by
    /// token.
    pub(crate) fn new<S: Window>(scanner: &Scanner<S>, outer: u64, name: &Span) -> Option<Self> {
        let tag = KnownTag::new(scanner, outer, name, |_| None).filter(|tag| !tag.is_empty)?;
        Some(EntryStart {
            tag,
            beginning: Pattern::default(),
            gap: 0,
            misses: 0,
        })
    }
}

impl RecordReader {
    /// Reads the next entry as far as its tags are known, if it begins with the same bytes as earlier ones, and returns whether that is
    /// all of it. Otherwise reads nothing and returns `None`.
    #[inline(always)]
    pub(crate) fn read_known<S: Window>(
        &mut self,
        start: &EntryStart,
        scanner: &mut Scanner<S>,
        table: &mut Table,
    ) -> Option<bool> {
        let len = start.beginning.len() - start.gap;
        if len == 0 {
            return None;
        }
        let (text, scope) = scanner.text_and_scope()?;
        if !start.beginning.starts(text) || scope != start.tag.scope {
            return None;
        }
        scanner.read_ahead_in(&start.tag.name, (start.gap, len), |cursor| {
            self.begin(table, false);
            self.read_known_tags(cursor, table)
        })
    }

    /// Reads the start tag of an entry, if it is the known one. Returns `true` if it was.
    pub(crate) fn enter_known<S: Window>(
        &mut self,
        known: &mut EntryStart,
        scanner: &mut Scanner<S>,
    ) -> bool {
        let enter = |cursor: &mut Cursor<'_>| {
            self.bits.begin_at(cursor.base());
            let from = cursor.token().end;
            let at = self.bits.next_tag(cursor.entry(), from)?;
            let tag = &known.tag;
            if !tag.begins_at(cursor, at) || !is_blank(cursor.bytes(from..at)) {
                return None;
            }
            let end = tag.read_values(cursor, at + tag.beginning.len(), |_, _, is_special| {
                (!is_special).then_some(())
            })?;
            if end - at > cursor.most() {
                return None;
            }
            known.misses = known.misses.wrapping_add(1);
            // White space that differs from entry to entry is not remembered each time.
            if known.misses.is_power_of_two() && tag.is_bare() {
                known.beginning = Pattern::new(cursor.bytes(from..end));
                known.gap = at - from;
            }
            cursor.open(&tag.name, &tag.declarations, at..end)
        };
        scanner.read_ahead(enter).flatten().is_some()
    }
}
