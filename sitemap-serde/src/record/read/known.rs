//! Reading what is known: elements without attributes and children, which most elements are, and the start tag of an entry with the white
//! space before it.

use std::ops::Range;

use crate::record::table::{Table, Value};
use crate::xml::chars::is_blank;
use crate::xml::scanner::{Cursor, Scanner, Span};
use crate::xml::source::Window;

use super::RecordReader;
use super::content::{Content, content};
use super::pattern::Pattern;
use super::tags::KnownTag;

impl RecordReader {
    /// Reads elements while they are candidates with only text. The state of the loop is small enough to stay in registers.
    #[inline(never)]
    pub(super) fn read_leaves(&mut self, cursor: &mut Cursor<'_>, table: &mut Table) {
        if !cursor.can_open() {
            return;
        }
        let (bytes, scope, most) = (cursor.entry(), cursor.scope(), cursor.most());
        let Range {
            mut start,
            end: mut pos,
        } = cursor.token();
        'tags: loop {
            let rest = bytes.get(pos..).unwrap_or_default();
            for candidate in self.known.candidates() {
                if !candidate.is_leaf || !candidate.beginning.starts(rest) {
                    continue;
                }
                let Some(tag) = self.known.get(candidate.tag).filter(|tag| tag.scope == scope) else {
                    continue;
                };
                let from = pos + candidate.beginning.len();
                let plain = self.bits.plain_end(from).and_then(|at| {
                    let text = bytes.get(from..at)?;
                    let is_read = text.len() <= most && tag.end.starts(bytes.get(at..)?);
                    is_read.then(|| (Value::of_text(text, from), at + tag.end.len()))
                });
                let (value, end) = match plain {
                    Some(found) => found,
                    None => match content(&mut self.bits, cursor, table, tag, from, false) {
                        Content::Text { value, end } => (value, end),
                        Content::Child(_) | Content::Other => break 'tags,
                    },
                };
                start = pos + candidate.gap;
                if let Some(name) = tag.element {
                    table.push(name, value, start..end);
                }
                if tag.is_unknown {
                    table.note_unknown();
                }
                pos = end;
                let tag = candidate.tag;
                self.known.leave(tag);
                continue 'tags;
            }
            break;
        }
        cursor.pass(start, pos);
    }
}

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
