//! The fields of an entry in their form for comparison.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use crate::reader::{Field, Record};
use crate::schema::{Name, ValueKind, normal};

use super::{Change, Diff, FieldChange};

/// The loc of an entry, and its other fields by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    loc: String,
    fields: BTreeMap<String, Content>,
}

/// The content of the elements with one name.
#[derive(Clone, Debug, Default)]
struct Content {
    /// The reported texts.
    text: String,
    /// The compared text: the same for elements with the same values.
    value: String,
}

impl Entry {
    pub(super) fn of(record: &Record, diff: &Diff) -> Self {
        let mut entry = Entry {
            loc: record.loc().to_owned(),
            ..Entry::default()
        };
        for field in record.fields() {
            let name = field.name();
            if name == "loc" || diff.is_ignored(name) || !diff.exact && is_absent(&field) {
                continue;
            }
            let content = entry.fields.entry(name.to_owned()).or_default();
            if !content.text.is_empty() {
                content.text.push(' ');
            }
            push_text(&field, diff.exact, &mut content.text);
            push_value(&field, diff.exact, &mut content.value);
        }
        entry
    }

    /// The hash of the fields, and of the loc as it is spelt.
    pub(super) fn hash(&self, key: &RandomState) -> u64 {
        let values: Vec<_> = self
            .fields
            .iter()
            .map(|(name, content)| (name, &content.value))
            .collect();
        key.hash_one((&self.loc, values))
    }

    /// All values except the loc as one text, with marks between them that no XML document has.
    pub(super) fn values(&self) -> String {
        let mut values = String::new();
        for (name, content) in &self.fields {
            values.extend([name, "\u{2}", &content.value, "\u{3}"]);
        }
        values
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(|content| content.value.as_str())
    }

    fn text(&self, name: &str) -> Option<String> {
        self.fields.get(name).map(|content| content.text.clone())
    }

    /// The change if only the new side has this entry.
    pub(super) fn added(&self) -> Change {
        Change::Added {
            loc: self.loc.clone(),
            values: self.values(),
        }
    }

    /// The change from this entry to `new`, which is of the same page; `None` if they are equal.
    pub(super) fn compare(&self, new: &Entry) -> Option<Change> {
        let both = self.fields.keys().chain(new.fields.keys());
        let mut names: Vec<&str> = both.map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let mut fields: Vec<_> = names
            .into_iter()
            .filter(|name| self.value(name) != new.value(name))
            .map(|name| FieldChange {
                name: name.to_owned(),
                before: self.text(name),
                after: new.text(name),
            })
            .collect();
        if fields.is_empty() && self.loc == new.loc {
            return None;
        }
        let (loc, before) = (new.loc.clone(), self.loc.clone());
        if fields.is_empty() {
            return Some(Change::Respelt { loc, before });
        }
        if loc != before {
            let at = fields.partition_point(|field| *field.name < *"loc");
            let respelt = FieldChange {
                name: "loc".to_owned(),
                before: Some(before),
                after: Some(loc.clone()),
            };
            fields.insert(at, respelt);
        }
        Some(Change::Changed {
            loc,
            fields,
            values: new.values(),
        })
    }
}

/// Returns `true` if an element or attribute counts as absent: it is empty, and not a flag such as `mobile:mobile`. An unknown
/// element with a prefix may be a flag.
fn is_absent(field: &Field<'_>) -> bool {
    if !field.text().is_empty() || field.fields().next().is_some() {
        return false;
    }
    match field.schema_name().row() {
        Some(row) => !matches!(row.kind, ValueKind::Flag | ValueKind::Group),
        None => !field.name().contains([':', '@']),
    }
}

/// The attributes and children of an element, attributes first. In which order elements of different names come makes a
/// difference to the text only.
fn parts<'r>(field: &Field<'r>, exact: bool) -> Vec<Field<'r>> {
    let mut parts: Vec<_> = field.fields().filter(|part| exact || !is_absent(part)).collect();
    let is_child = |part: &Field<'_>| !part.name().starts_with('@');
    let order = |part: &Field<'r>| {
        let name = part.schema_name().index().min(Name::KNOWN);
        match is_child(part) {
            false => (false, 0, part.name()),
            true if exact => (true, 0, ""),
            true => (true, name, part.name()),
        }
    };
    parts.sort_by_key(order);
    parts
}

/// Writes an element: its text, or in braces its attributes, sorted by name, and its children.
fn push_text(field: &Field<'_>, exact: bool, out: &mut String) {
    let parts = parts(field, exact);
    if parts.is_empty() {
        out.push_str(field.text());
        return;
    }
    out.push('{');
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        out.push_str(part.name());
        out.push('=');
        push_text(part, exact, out);
    }
    if !field.text().is_empty() {
        out.push_str(" $text=");
        out.push_str(field.text());
    }
    out.push('}');
}

/// Writes an element so that different values are written differently: its marks are characters that XML cannot hold.
fn push_value(field: &Field<'_>, exact: bool, out: &mut String) {
    let text = match field.text_row() {
        Some(row) if !exact => normal(row, field.text()),
        _ => Cow::Borrowed(field.text()),
    };
    out.push_str(&text);
    out.push('\u{1}');
    for part in parts(field, exact) {
        out.push_str(part.name());
        out.push('\u{2}');
        push_value(&part, exact, out);
    }
    out.push('\u{3}');
}
