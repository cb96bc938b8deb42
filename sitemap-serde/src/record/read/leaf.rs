//! Reading elements without attributes and children, which most elements are.

use std::ops::Range;

use crate::record::table::{Table, Value};
use crate::xml::scanner::Cursor;

use super::RecordReader;
use super::content::{Content, content};

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
