//! The core elements of an entry to write, and the white space between elements.

use crate::schema::{self, Name};

/// A core element, in the schema's order.
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

    /// The slot's bit.
    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }

    pub(super) const fn start_tag(self) -> &'static [u8] {
        match self {
            Slot::Loc => b"<loc>",
            Slot::Lastmod => b"<lastmod>",
            Slot::Changefreq => b"<changefreq>",
            Slot::Priority => b"<priority>",
        }
    }

    pub(super) const fn end_tag(self) -> &'static [u8] {
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

/// The layout of an entry's elements. If there is none, they are compact, and core elements have no prefix.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The white space before a child of the entry.
    pub(crate) child: String,
    /// The indentation of each level. Only used if `child` begins with a line break.
    pub(crate) unit: String,
    /// The prefix of core elements, with its colon.
    pub(crate) prefix: String,
}

impl Layout {
    /// Indented by two spaces a level.
    pub(super) fn pretty() -> Self {
        Layout {
            child: "\n    ".to_owned(),
            unit: "  ".to_owned(),
            prefix: String::new(),
        }
    }

    /// Appends the start tag of a core element, and the white space before it.
    #[cold]
    pub(super) fn start_core(&self, slot: Slot, out: &mut Vec<u8>) {
        for part in [&self.child, "<", &self.prefix, slot.name(), ">"] {
            out.extend_from_slice(part.as_bytes());
        }
    }

    /// Appends the end tag of a core element.
    #[cold]
    pub(super) fn end_core(&self, slot: Slot, out: &mut Vec<u8>) {
        for part in ["</", &self.prefix, slot.name(), ">"] {
            out.extend_from_slice(part.as_bytes());
        }
    }

    /// Returns `true` if each child is on its own line.
    pub(super) fn has_lines(&self) -> bool {
        self.child.starts_with(['\n', '\r'])
    }
}
