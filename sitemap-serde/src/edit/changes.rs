//! The edits of an entry, and the replacements in its text that carry them out.
//!
//! **Editing is copying with replacements.** The editor's source (`xml/source/splice`) tracks how far the document is copied, and replaces
//! ranges of a record's text. Everything else is copied unchanged, so nothing that the model does not know can be lost. Text between two
//! entries stays in memory until the second is read, because a comment may end the line of a deleted entry. The root's end tag is written
//! once the document is read to its end and the new size is known.

use std::ops::Range;

use crate::reader::{Field, Record};
use crate::record::Slot;
use crate::xml::element::ElementText;

use super::element;

/// The edits to make to an entry.
#[derive(Debug, Default)]
pub(super) struct Edits {
    core: [Change; 4],
    /// The names of other elements to remove.
    removed: Vec<String>,
    /// Ranges of the entry with their new texts.
    replaced: Vec<(Range<usize>, String)>,
    /// The same, for the starts of URLs that change to another base. All other edits take precedence.
    moved: Vec<(Range<usize>, String)>,
    is_deleted: bool,
}

#[derive(Debug, Default)]
pub(super) enum Change {
    #[default]
    None,
    Set(Text),
    Remove,
}

/// The new text of an element, plain and escaped.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) raw: String,
    pub(super) escaped: String,
}

const SLOTS: [Slot; 4] = [Slot::Loc, Slot::Lastmod, Slot::Changefreq, Slot::Priority];

/// The byte range of a field in its entry's text.
pub(super) fn place(record: &Record, field: &Field<'_>) -> Range<usize> {
    let offset = record.byte_range().start;
    let Range { start, end } = field.byte_range();
    let place = |byte: u64| usize::try_from(byte - offset).unwrap_or(usize::MAX);
    place(start)..place(end)
}

impl Edits {
    /// Records a change of a core element.
    pub(super) fn change(&mut self, slot: Slot, change: Change) {
        self.core[slot as usize] = change;
    }

    /// Records the removal of all elements of a name that is not a core element's.
    pub(super) fn remove(&mut self, name: &str) {
        self.removed.push(name.to_owned());
    }

    /// Records the replacement of a range of the entry. Returns `false` if it overlaps another edit.
    pub(super) fn replace(&mut self, record: &Record, range: Range<usize>, text: &str) -> bool {
        let mut edited = record.fields().filter(|field| self.changes_all(field.name()));
        let is_free = self.replaced.iter().all(|(other, _)| !overlap(other, &range))
            && !edited.any(|field| overlap(&place(record, &field), &range));
        if is_free {
            self.replaced.push((range, text.to_owned()));
        }
        is_free
    }

    /// Records the new starts of URLs.
    pub(super) fn add_moved(&mut self, moved: Vec<(Range<usize>, String)>) {
        self.moved.extend(moved);
        self.moved.sort_by_key(|(place, _)| place.start);
    }

    /// Returns `true` if a range overlaps the start of a URL that is recorded.
    pub(super) fn moves(&self, range: &Range<usize>) -> bool {
        let before = self.moved.partition_point(|(place, _)| place.start < range.end);
        let last = before.checked_sub(1).and_then(|last| self.moved.get(last));
        last.is_some_and(|(place, _)| overlap(place, range))
    }

    pub(super) fn delete(&mut self) {
        self.is_deleted = true;
    }

    pub(super) fn is_deleted(&self) -> bool {
        self.is_deleted
    }

    /// Returns `true` if the entry has an element of this name, not a core element's, that is not
    /// removed.
    pub(super) fn keeps(&self, record: &Record, name: &str) -> bool {
        !self.removes(name) && record.fields().any(|field| field.name() == name)
    }

    /// Returns `true` if elements of this name are set or removed.
    pub(super) fn changes_all(&self, name: &str) -> bool {
        let sets = |slot: Slot| matches!(self.core[slot as usize], Change::Set(_));
        self.removes(name) || Slot::from_name(name).is_some_and(sets)
    }

    fn removes(&self, name: &str) -> bool {
        match Slot::from_name(name) {
            Some(slot) => matches!(self.core[slot as usize], Change::Remove),
            None => self.removed.iter().any(|removed| removed == name),
        }
    }

    /// The replacements in the entry's text, as byte range and new text, in ascending order.
    pub(super) fn changes(&self, record: &Record) -> Vec<(Range<usize>, String)> {
        let text = record.source();
        let mut changes = Vec::new();
        for (slot, change) in SLOTS.into_iter().zip(&self.core) {
            let Change::Set(new) = change else {
                continue;
            };
            let Some(field) = record.fields().find(|field| field.name() == slot.name()) else {
                changes.push(self.inserted(record, slot, &new.escaped));
                continue;
            };
            if field.text() != new.raw {
                let place = place(record, &field);
                let old = text.get(place.clone()).unwrap_or_default();
                changes.push((place, element::with_text(old, &new.raw, &new.escaped)));
            }
        }
        let fields = record.fields().filter(|field| self.removes(field.name()));
        let mut places: Vec<_> = fields.map(|field| place(record, &field)).collect();
        for (range, new) in &self.replaced {
            let is_changed = changes.iter().map(|(place, _)| place).chain(&places);
            match () {
                () if is_changed.into_iter().any(|place| overlap(place, range)) => {}
                () if new.is_empty() => places.push(range.clone()),
                () => changes.push((range.clone(), new.clone())),
            }
        }
        places.sort_by_key(|place| place.start);
        // Removed elements on the same line are removed as one range.
        let mut gone: Vec<Range<usize>> = Vec::new();
        for place in places {
            let between = |last: &Range<usize>| text.get(last.end..place.start).unwrap_or_default();
            match gone.last_mut() {
                Some(last) if between(last).trim_matches([' ', '\t']).is_empty() => last.end = place.end,
                _ => gone.push(place),
            }
        }
        changes.extend(gone.into_iter().map(|place| removed(text, place)));
        if !self.moved.is_empty() {
            changes.extend(self.moved_beside(&changes, record));
        }
        changes.sort_by_key(|(place, _)| (place.start, place.end));
        changes
    }

    /// The new starts of URLs that no other edit affects.
    fn moved_beside(
        &self,
        changes: &[(Range<usize>, String)],
        record: &Record,
    ) -> Vec<(Range<usize>, String)> {
        // A value that is set to its old text is no change, and stays.
        let edited = record.fields().filter(|field| self.changes_all(field.name()));
        let mut taken: Vec<_> = edited.map(|field| place(record, &field)).collect();
        taken.extend(changes.iter().map(|(place, _)| place.clone()));
        taken.sort_by_key(|place| place.start);
        let (mut taken, mut end) = (taken.into_iter().peekable(), 0);
        let is_free = |(place, _): &&(Range<usize>, String)| {
            while let Some(other) = taken.next_if(|other| other.start < place.end) {
                end = end.max(other.end);
            }
            end <= place.start
        };
        self.moved.iter().filter(is_free).cloned().collect()
    }

    /// The insertion of a new element, after the last element that precedes it in the schema.
    fn inserted(&self, record: &Record, slot: Slot, new: &str) -> (Range<usize>, String) {
        let text = record.source();
        let places = |slots: &[Slot]| -> Vec<_> {
            let stays = |slot: &&Slot| !matches!(self.core[**slot as usize], Change::Remove);
            let place_of = |slot: &Slot| {
                let field = record.fields().find(|field| field.name() == slot.name())?;
                Some(place(record, &field))
            };
            slots.iter().filter(stays).filter_map(place_of).collect()
        };
        let before = places(&SLOTS[..slot as usize]);
        // Every entry that was read has a loc.
        let end = before.last().map_or(0, |place| place.end);
        let spaces = before
            .iter()
            .rev()
            .cloned()
            .chain(places(&SLOTS[slot as usize..]));
        let mut spaces = spaces.map(|place| element::last_space(text.get(..place.start).unwrap_or_default()));
        let own = spaces.next().unwrap_or_default();
        let space = std::iter::once(own)
            .chain(spaces)
            .find(|space| space.starts_with(['\n', '\r']))
            .unwrap_or(own);
        let at = end + element::line_end(text.get(end..).unwrap_or_default()).unwrap_or_default();
        let entry = ElementText::new(text);
        let (prefix, name) = (entry.map_or("", |entry| entry.prefix()), slot.name());
        let element = [space, "<", prefix, name, ">", new, "</", prefix, name, ">"].concat();
        (at..at, element)
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The removal of elements, with the white space and comments that belong to them.
fn removed(text: &str, place: Range<usize>) -> (Range<usize>, String) {
    let before = text.get(..place.start).unwrap_or_default();
    let after = text.get(place.end..).unwrap_or_default();
    let (space, more) = element::surroundings(before, after);
    (place.start - space..place.end + more, String::new())
}
