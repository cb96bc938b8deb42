//! The dates that a page states.

use super::attributes::Attributes;
use super::json_ld;

/// A text of the page, and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) text: String,
    /// The offset of its tag, until lines are counted.
    pub(crate) line: usize,
}

/// An event in the life of a page. The page may state its date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Modified,
    Published,
}

/// The ways of stating a page's date, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Stated {
    OpenGraph,
    JsonLd,
    DublinCore,
    Microdata,
}

impl Stated {
    pub(crate) const ALL: [Stated; 4] = [
        Stated::OpenGraph,
        Stated::JsonLd,
        Stated::DublinCore,
        Stated::Microdata,
    ];
}

impl Event {
    /// Returns its property in OpenGraph.
    fn open_graph(self) -> &'static str {
        match self {
            Event::Modified => "article:modified_time",
            Event::Published => "article:published_time",
        }
    }

    /// Returns its names in Dublin Core.
    fn dublin_core(self) -> [&'static str; 2] {
        match self {
            Event::Modified => ["dcterms.modified", "dc.date.modified"],
            Event::Published => ["dcterms.issued", "dc.date.issued"],
        }
    }

    /// Returns its property of schema.org, in JSON-LD and microdata.
    pub(super) fn property(self) -> &'static str {
        match self {
            Event::Modified => "dateModified",
            Event::Published => "datePublished",
        }
    }

    /// Returns the name of its date in messages.
    pub(crate) fn date(self) -> &'static str {
        match self {
            Event::Modified => "date",
            Event::Published => "date of publication",
        }
    }
}

/// The stated dates of one event.
#[derive(Debug)]
pub(crate) struct StatedNotes {
    pub(crate) event: Event,
    /// Indexed by [`Stated`].
    pub(crate) notes: [Option<Note>; 4],
    /// The number of the microdata item with the date. If several items have one, the page has none.
    dated_item: Option<usize>,
    has_dated_items: bool,
}

impl StatedNotes {
    pub(super) fn of(event: Event) -> Self {
        StatedNotes {
            event,
            notes: Default::default(),
            dated_item: None,
            has_dated_items: false,
        }
    }

    /// Reads a `meta`. `is` returns `true` for its name.
    pub(super) fn meta(&mut self, is: impl Fn(&str) -> bool, note: impl Fn() -> Note) {
        if is(self.event.open_graph()) {
            self.note(Stated::OpenGraph, note());
        } else if self.event.dublin_core().into_iter().any(is) {
            self.note(Stated::DublinCore, note());
        }
    }

    /// Reads an element with the event's `itemprop`, or a `time` within one (`is_within`).
    ///
    /// `item` is the number of its microdata item. An item within another, such as the card of another page, is not the page.
    pub(super) fn microdata(
        &mut self,
        attributes: &Attributes,
        is_within: bool,
        item: Option<usize>,
        offset: usize,
    ) {
        if !is_within && !attributes.has_word("itemprop", self.event.property()) {
            return;
        }
        let date = attributes.text("datetime").or(attributes.text("content"));
        if let (Some(date), Some(item)) = (date, item) {
            let text = date.trim().to_owned();
            let note = Note { text, line: offset };
            match self.dated_item {
                // The page's own date takes precedence over any item's.
                Some(0) => {}
                _ if item == 0 => {
                    self.notes[Stated::Microdata as usize] = Some(note);
                    (self.dated_item, self.has_dated_items) = (Some(0), false);
                }
                Some(other) => self.has_dated_items |= other != item,
                None => {
                    self.note(Stated::Microdata, note);
                    self.dated_item = Some(item);
                }
            }
        }
    }

    pub(super) fn json_ld(&mut self, bytes: &[u8], offset: usize) {
        if let Some(text) = json_ld::date(bytes, self.event.property()) {
            self.note(Stated::JsonLd, Note { text, line: offset });
        }
    }

    /// Forgets the date if several items have one.
    pub(super) fn finish(&mut self) {
        if self.has_dated_items {
            self.notes[Stated::Microdata as usize] = None;
        }
    }

    fn note(&mut self, stated: Stated, note: Note) {
        self.notes[stated as usize].get_or_insert(note);
    }
}
