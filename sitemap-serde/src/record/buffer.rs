//! The core elements of an entry to write, in the schema's order (P-ORDER).

use std::ops::Range;

use crate::loc::Url;
use crate::schema::{self, Name};
use crate::xml::escape::push_escaped_url;

/// The position of a core element in the schema's order.
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

    /// The slot's bit; later elements have higher ones.
    const fn bit(self) -> u8 {
        1 << self as u8
    }

    const fn start_tag(self) -> &'static [u8] {
        match self {
            Slot::Loc => b"<loc>",
            Slot::Lastmod => b"<lastmod>",
            Slot::Changefreq => b"<changefreq>",
            Slot::Priority => b"<priority>",
        }
    }

    const fn end_tag(self) -> &'static [u8] {
        match self {
            Slot::Loc => b"</loc>",
            Slot::Lastmod => b"</lastmod>",
            Slot::Changefreq => b"</changefreq>",
            Slot::Priority => b"</priority>",
        }
    }

    /// The slot of a core element; `None` for other elements.
    #[inline]
    pub(crate) fn of(name: Name) -> Option<Self> {
        Some(match name {
            schema::LOC => Slot::Loc,
            schema::LASTMOD => Slot::Lastmod,
            schema::CHANGEFREQ => Slot::Changefreq,
            schema::PRIORITY => Slot::Priority,
            _ => return None,
        })
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

/// The text of the entry's core elements, and the range of each.
///
/// Reused from entry to entry, so that writing allocates nothing once the buffers have grown.
#[derive(Debug, Default)]
pub(crate) struct RecordBuffer {
    text: Vec<u8>,
    pieces: Vec<Piece>,
    /// The elements present, one bit each.
    slots: u8,
    /// Whether the elements were not given in the schema's order.
    disordered: bool,
    reordered: Vec<u8>,
    pretty: bool,
}

#[derive(Debug)]
struct Piece {
    slot: Slot,
    start: usize,
    /// The range of the value, between the tags.
    value: Range<usize>,
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
        self.slots = 0;
        self.disordered = false;
    }

    /// Whether there are no elements.
    pub(crate) fn is_empty(&self) -> bool {
        self.slots == 0
    }

    #[inline]
    pub(crate) fn has(&self, slot: Slot) -> bool {
        self.slots & slot.bit() != 0
    }

    /// Adds an element whose text needs no escaping.
    #[inline]
    pub(crate) fn push_plain(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) {
        let (start, value) = self.open(slot);
        write(&mut self.text);
        self.close(slot, start, value);
    }

    /// Adds the loc.
    #[inline]
    pub(crate) fn push_url(&mut self, url: Url<'_>) {
        let (start, value) = self.open(Slot::Loc);
        if url.plain {
            self.text.extend_from_slice(url.bytes);
        } else {
            push_escaped_url(&mut self.text, url.bytes);
        }
        self.close(Slot::Loc, start, value);
    }

    /// The escaped text of the loc; empty if there is none.
    pub(crate) fn loc(&self) -> &str {
        let piece = self.pieces.iter().find(|piece| piece.slot == Slot::Loc);
        piece.map_or("", |piece| self.value(piece))
    }

    fn value(&self, piece: &Piece) -> &str {
        let value = self.text.get(piece.value.clone()).unwrap_or_default();
        // The buffer holds whole strings, so the default is never taken.
        std::str::from_utf8(value).unwrap_or_default()
    }

    #[inline]
    fn open(&mut self, slot: Slot) -> (usize, usize) {
        let start = self.text.len();
        if self.pretty {
            self.text.extend_from_slice(b"\n    ");
        }
        self.text.extend_from_slice(slot.start_tag());
        (start, self.text.len())
    }

    #[inline]
    fn close(&mut self, slot: Slot, start: usize, value: usize) {
        let value = value..self.text.len();
        self.text.extend_from_slice(slot.end_tag());
        let end = self.text.len();
        self.pieces.push(Piece {
            slot,
            start,
            value,
            end,
        });
        self.disordered |= self.slots >= slot.bit();
        self.slots |= slot.bit();
    }

    /// The escaped texts of the elements, in the schema's order.
    pub(crate) fn texts(&mut self) -> impl Iterator<Item = (Slot, &str)> {
        self.pieces.sort_by_key(|piece| piece.slot);
        self.pieces.iter().map(|piece| (piece.slot, self.value(piece)))
    }

    /// All elements, in the schema's order.
    pub(crate) fn ordered(&mut self) -> &[u8] {
        if !self.disordered {
            return &self.text;
        }
        self.pieces.sort_by_key(|piece| piece.slot);
        self.reordered.clear();
        for piece in &self.pieces {
            self.reordered
                .extend_from_slice(&self.text[piece.start..piece.end]);
        }
        &self.reordered
    }
}
