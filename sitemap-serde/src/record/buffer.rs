//! One entry on its way out: its children as text, in the schema's order (P-ORDER) whatever order they come in.

use crate::xml::escape::push_escaped;

/// Where a child of an entry stands in the schema's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    Loc,
    Lastmod,
    Changefreq,
    Priority,
}

impl Slot {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Slot::Loc => "loc",
            Slot::Lastmod => "lastmod",
            Slot::Changefreq => "changefreq",
            Slot::Priority => "priority",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "loc" => Slot::Loc,
            "lastmod" => Slot::Lastmod,
            "changefreq" => Slot::Changefreq,
            "priority" => Slot::Priority,
            _ => return None,
        })
    }
}

/// The text of the entry's children, and which piece of it is which child.
///
/// Reused from entry to entry, so that writing allocates nothing once the buffers have grown.
#[derive(Debug, Default)]
pub(crate) struct RecordBuffer {
    text: String,
    pieces: Vec<Piece>,
    reordered: String,
    pretty: bool,
}

#[derive(Debug)]
struct Piece {
    slot: Slot,
    start: usize,
    end: usize,
}

impl RecordBuffer {
    pub(crate) fn new(pretty: bool) -> Self {
        RecordBuffer {
            pretty,
            ..RecordBuffer::default()
        }
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.pieces.clear();
    }

    pub(crate) fn has(&self, slot: Slot) -> bool {
        self.pieces.iter().any(|piece| piece.slot == slot)
    }

    /// Adds a child whose text needs no escaping.
    pub(crate) fn push_plain(&mut self, slot: Slot, write: impl FnOnce(&mut String)) {
        let start = self.open(slot);
        write(&mut self.text);
        self.close(slot, start);
    }

    /// Adds a child, its text escaped; if it holds a character that XML cannot, that is returned and nothing is added.
    pub(crate) fn push_escaped(&mut self, slot: Slot, text: &str) -> Result<(), char> {
        let start = self.open(slot);
        if let Err(c) = push_escaped(&mut self.text, text) {
            self.text.truncate(start);
            return Err(c);
        }
        self.close(slot, start);
        Ok(())
    }

    /// The loc's text, escaped.
    pub(crate) fn loc(&self) -> &str {
        let piece = self.pieces.iter().find(|piece| piece.slot == Slot::Loc);
        let text = piece.and_then(|piece| self.text.get(piece.start..piece.end));
        text.and_then(|text| text.trim_start().strip_prefix("<loc>")?.strip_suffix("</loc>"))
            .unwrap_or_default()
    }

    fn open(&mut self, slot: Slot) -> usize {
        let start = self.text.len();
        if self.pretty {
            self.text.push_str("\n    ");
        }
        self.text.push('<');
        self.text.push_str(slot.name());
        self.text.push('>');
        start
    }

    fn close(&mut self, slot: Slot, start: usize) {
        self.text.push_str("</");
        self.text.push_str(slot.name());
        self.text.push('>');
        let end = self.text.len();
        self.pieces.push(Piece { slot, start, end });
    }

    /// The children's texts, escaped, in the schema's order.
    pub(crate) fn texts(&mut self) -> impl Iterator<Item = (Slot, &str)> {
        self.pieces.sort_by_key(|piece| piece.slot);
        self.pieces.iter().map(|piece| {
            let element = self.text.get(piece.start..piece.end).unwrap_or_default();
            let (_, rest) = element.split_once('>').unwrap_or_default();
            let text = rest.rsplit_once('<').map_or("", |(text, _)| text);
            (piece.slot, text)
        })
    }

    /// The children in the schema's order.
    pub(crate) fn ordered(&mut self) -> &str {
        if self.pieces.is_sorted_by_key(|piece| piece.slot) {
            return &self.text;
        }
        self.pieces.sort_by_key(|piece| piece.slot);
        self.reordered.clear();
        for piece in &self.pieces {
            self.reordered.push_str(&self.text[piece.start..piece.end]);
        }
        &self.reordered
    }
}
