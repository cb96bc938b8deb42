//! The content of an element, up to its end tag or its first child.

use crate::record::table::{Table, Value};
use crate::xml::chars::{is_blank, is_space};
use crate::xml::reference::Mode;
use crate::xml::scanner::{Cursor, Span};

use super::bit_sets::{BitSets, SECTION_END};
use super::tags::KnownTag;

const SECTION: &[u8] = b"<![CDATA[";

/// The content of an element.
#[derive(Debug)]
pub(super) enum Content {
    /// Only text. The element ends at `end`.
    Text { value: Value, end: usize },
    /// A child, which begins at this offset.
    Child(usize),
    /// Something to be read token by token.
    Other,
}

/// Finds the content of an element whose start tag `tag` ends at `from`, without moving on. Text before a child is skipped if
/// `is_refused`: the entry is rejected anyway.
#[inline]
pub(super) fn content(
    bits: &mut BitSets,
    cursor: &Cursor<'_>,
    table: &mut Table,
    tag: &KnownTag,
    from: usize,
    is_refused: bool,
) -> Content {
    let Some(at) = bits.next_tag(cursor.entry(), from) else {
        return Content::Other;
    };
    let text = from..at;
    let mark = cursor.entry().get(at + 1);
    match mark {
        Some(b'/') => {
            let Some(end) = tag.end_at(cursor, at).filter(|_| text.len() <= cursor.most()) else {
                return Content::Other;
            };
            if bits.is_plain(cursor.entry(), &text) {
                let value = Value::of_text(cursor.bytes(text), from);
                return Content::Text { value, end };
            }
            let value = cursor.text(text).and_then(|raw| table.resolve_text(raw, from));
            value.map_or(Content::Other, |value| Content::Text { value, end })
        }
        Some(b'!') => joined(bits, cursor, table, tag, text),
        Some(b'?') | None => Content::Other,
        Some(_) => {
            let is_read_over =
                is_refused && text.len() <= cursor.most() && bits.is_plain(cursor.entry(), &text);
            if is_read_over || is_blank(cursor.bytes(text)) {
                Content::Child(at)
            } else {
                Content::Other
            }
        }
    }
}

/// Joins the text of an element: its first piece, and CDATA sections and more text up to the end tag.
#[inline(never)]
fn joined(
    bits: &mut BitSets,
    cursor: &Cursor<'_>,
    table: &mut Table,
    tag: &KnownTag,
    first: Span,
) -> Content {
    let mark = table.mark();
    let mut pieces = Pieces {
        start: first.start,
        from: mark.resolved(),
        only: None,
        begins: None,
    };
    match pieces.read(bits, cursor, table, tag, first) {
        Some(end) => Content::Text {
            value: pieces.value(cursor, table),
            end,
        },
        None => {
            table.roll_back(mark);
            Content::Other
        }
    }
}

/// The pieces of a text so far. White space before the first other character is omitted.
struct Pieces {
    /// The start of the element's content.
    start: usize,
    /// The start of the joined text in the table's resolved text.
    from: usize,
    /// The only piece, if it is its own text.
    only: Option<Span>,
    /// The offset of the first byte that is not white space.
    begins: Option<usize>,
}

impl Pieces {
    /// Reads up to the end tag, and returns its end; `None` if there is anything but text and CDATA sections.
    fn read(
        &mut self,
        bits: &mut BitSets,
        cursor: &Cursor<'_>,
        table: &mut Table,
        tag: &KnownTag,
        first: Span,
    ) -> Option<usize> {
        let bytes = cursor.entry();
        let (mut text, mut at) = (first.clone(), first.end);
        loop {
            if !text.is_empty() {
                let is_plain = bits.is_plain(bytes, &text);
                self.push(cursor, table, text, Mode::Text, is_plain, false)?;
            }
            if let Some(end) = tag.end_at(cursor, at) {
                return Some(end);
            }
            let section = cursor.from(at).strip_prefix(SECTION)?;
            let start = at + SECTION.len();
            let plain_end = bits.section_end(bytes, start);
            let end = match plain_end {
                Some(end) => end,
                None => start + memchr::memmem::find(section, SECTION_END)?,
            };
            // The section is a token up to its end.
            if end - at > cursor.most() {
                return None;
            }
            // Lenient reading searches only resolved text for references, and references in a section were escaped twice.
            let may_be_escaped = cursor.is_lenient()
                && !bits.is_bare(&(start..end))
                && memchr::memchr(b';', cursor.bytes(start..end)).is_some();
            let is_plain = plain_end.is_some();
            self.push(
                cursor,
                table,
                start..end,
                Mode::Verbatim,
                is_plain,
                may_be_escaped,
            )?;
            let after = end + SECTION_END.len();
            at = bits.next_tag(bytes, after)?;
            text = after..at;
        }
    }

    fn push(
        &mut self,
        cursor: &Cursor<'_>,
        table: &mut Table,
        mut piece: Span,
        mode: Mode,
        is_plain: bool,
        may_be_escaped: bool,
    ) -> Option<()> {
        let mut raw = cursor.text(piece.clone())?;
        if raw.len() > cursor.most() {
            return None;
        }
        let mut blank = raw.bytes().take_while(|&b| is_space(b)).count();
        if raw.is_empty() || (self.begins.is_none() && blank == raw.len()) {
            return Some(());
        }
        if self.begins.is_none() && mode == Mode::Text {
            (raw, piece.start, blank) = (raw.get(blank..)?, piece.start + blank, 0);
        }
        if let Some(only) = self.only.take() {
            table.push_resolved(cursor.text(only)?);
        }
        let is_changed = !is_plain && table.resolve_piece(raw, mode)?;
        if !is_changed && self.begins.is_none() && !may_be_escaped {
            self.only = Some(piece.clone());
        } else if !is_changed {
            table.push_resolved(raw);
        }
        self.begins.get_or_insert(piece.start + blank);
        Some(())
    }

    fn value(self, cursor: &Cursor<'_>, table: &mut Table) -> Value {
        match (self.only, self.begins) {
            (Some(only), _) => Value::of_text(cursor.bytes(only.clone()), only.start),
            (None, Some(begins)) => table.resolved_since(self.from, begins),
            (None, None) => Value::empty(self.start),
        }
    }
}
