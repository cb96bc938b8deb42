//! The fields of an entry, as they are compared.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use crate::reader::{Field, Record};

use super::{Change, Diff, FieldChange};

/// The fields of an entry without its loc: for each name the texts, in document order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    fields: BTreeMap<String, String>,
}

impl Entry {
    pub(super) fn of(record: &Record, diff: &Diff) -> Self {
        let mut entry = Entry::default();
        for field in record.fields() {
            let name = field.name();
            if name == "loc" || diff.is_ignored(name) {
                continue;
            }
            let text = entry.fields.entry(name.to_owned()).or_default();
            if !text.is_empty() {
                text.push(' ');
            }
            push(&field, text);
        }
        // An empty element of the core equals a missing one; an empty extension element may be a flag, such as `mobile:mobile`.
        entry
            .fields
            .retain(|name, text| !text.is_empty() || name.contains(':'));
        entry
    }

    pub(super) fn hash(&self, key: &RandomState) -> u64 {
        key.hash_one(&self.fields)
    }

    /// The change from this entry to `new`; `None` if they are equal.
    pub(super) fn compare(&self, new: &Entry, loc: &str) -> Option<Change> {
        if self == new {
            return None;
        }
        let both = self.fields.keys().chain(new.fields.keys());
        let mut names: Vec<&str> = both.map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let fields = names
            .into_iter()
            .filter(|name| self.fields.get(*name) != new.fields.get(*name))
            .map(|name| FieldChange {
                name: name.to_owned(),
                before: self.fields.get(name).cloned(),
                after: new.fields.get(name).cloned(),
            })
            .collect();
        Some(Change::Changed {
            loc: loc.to_owned(),
            fields,
        })
    }
}

/// Writes an element: its text, or in braces its attributes, sorted by name, and its children in document order.
fn push(field: &Field<'_>, out: &mut String) {
    if field.fields().next().is_none() {
        out.push_str(field.text());
        return;
    }
    out.push('{');
    let mut attributes: Vec<_> = field
        .fields()
        .filter(|part| part.name().starts_with('@'))
        .collect();
    attributes.sort_by_key(Field::name);
    let children = field.fields().filter(|part| !part.name().starts_with('@'));
    let mut is_first = true;
    for part in attributes.into_iter().chain(children) {
        if !std::mem::take(&mut is_first) {
            out.push(' ');
        }
        out.push_str(part.name());
        out.push('=');
        push(&part, out);
    }
    if !field.text().is_empty() {
        out.push_str(" $text=");
        out.push_str(field.text());
    }
    out.push('}');
}
