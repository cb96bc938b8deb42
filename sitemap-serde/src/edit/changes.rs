//! What is to be done with an entry, and what takes which place of its text for that.

use std::ops::Range;

use crate::reader::{Field, Record};
use crate::record::Slot;
use crate::xml::reference::{Mode, resolve};

use super::element;

/// What is to be done with an entry.
#[derive(Debug, Default)]
pub(super) struct Edits {
    core: [Change; 4],
    /// The names of the other elements that are to go.
    removed: Vec<String>,
    is_deleted: bool,
}

#[derive(Debug, Default)]
pub(super) enum Change {
    #[default]
    None,
    /// The text, escaped.
    Set(String),
    Remove,
}

const SLOTS: [Slot; 4] = [Slot::Loc, Slot::Lastmod, Slot::Changefreq, Slot::Priority];

/// Where in its entry a field stands.
pub(super) fn place(record: &Record, field: &Field<'_>) -> Range<usize> {
    let offset = record.byte_range().start;
    let Range { start, end } = field.byte_range();
    let place = |byte: u64| usize::try_from(byte - offset).unwrap_or(usize::MAX);
    place(start)..place(end)
}

impl Edits {
    /// Notes what is to be done with an element of the core.
    pub(super) fn change(&mut self, slot: Slot, change: Change) {
        self.core[slot as usize] = change;
    }

    /// Notes that all elements of a name that is not the core's are to go.
    pub(super) fn remove(&mut self, name: &str) {
        self.removed.push(name.to_owned());
    }

    pub(super) fn delete(&mut self) {
        self.is_deleted = true;
    }

    pub(super) fn is_deleted(&self) -> bool {
        self.is_deleted
    }

    /// Whether the entry has an element of that name, which is not the core's, and it stays.
    pub(super) fn keeps(&self, record: &Record, name: &str) -> bool {
        !self.removes(name) && record.fields().any(|field| field.name() == name)
    }

    fn removes(&self, name: &str) -> bool {
        match Slot::from_name(name) {
            Some(slot) => matches!(self.core[slot as usize], Change::Remove),
            None => self.removed.iter().any(|removed| removed == name),
        }
    }

    /// What takes which place of the entry's text, in order.
    pub(super) fn changes(&self, record: &Record) -> Vec<(Range<usize>, String)> {
        let text = record.source();
        let mut changes = Vec::new();
        for (slot, change) in SLOTS.into_iter().zip(&self.core) {
            let Change::Set(new) = change else {
                continue;
            };
            let Some(field) = record.fields().find(|field| field.name() == slot.name()) else {
                changes.push(self.inserted(record, slot, new));
                continue;
            };
            let mut resolved = String::new();
            // The writer has escaped it, so it resolves.
            let raw: &str = match resolve(new, Mode::Text, &mut resolved) {
                Ok(true) => &resolved,
                _ => new,
            };
            if field.text() != raw {
                let place = place(record, &field);
                let old = text.get(place.clone()).unwrap_or_default();
                changes.push((place, element::with_text(old, raw, new)));
            }
        }
        // Those that stand on one line go as one.
        let mut gone: Vec<Range<usize>> = Vec::new();
        for field in record.fields().filter(|field| self.removes(field.name())) {
            let place = place(record, &field);
            let between = |last: &Range<usize>| text.get(last.end..place.start).unwrap_or_default();
            match gone.last_mut() {
                Some(last) if between(last).trim_matches([' ', '\t']).is_empty() => last.end = place.end,
                _ => gone.push(place),
            }
        }
        changes.extend(gone.into_iter().map(|place| removed(text, place)));
        changes.sort_by_key(|(place, _)| (place.start, place.end));
        changes
    }

    /// An element that the entry does not have, after the last of those that it follows in the schema.
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
        // There is a loc in every entry that was read.
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
        let (prefix, name) = (element::prefix(text), slot.name());
        let element = [space, "<", prefix, name, ">", new, "</", prefix, name, ">"].concat();
        (at..at, element)
    }
}

/// Elements that are to go, with what goes along.
fn removed(text: &str, place: Range<usize>) -> (Range<usize>, String) {
    let before = text.get(..place.start).unwrap_or_default();
    let after = text.get(place.end..).unwrap_or_default();
    let (space, more) = element::surroundings(before, after);
    (place.start - space..place.end + more, String::new())
}
