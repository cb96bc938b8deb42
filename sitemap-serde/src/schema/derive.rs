//! The derive's rows, held against those of the schema.
//!
//! A macro cannot read the tables of the crate that depends on it, so sitemap-derive has rows of its own for what it writes and checks.
//! They stand in a file of their own, which is included here.

#[path = "../../../sitemap-derive/src/schema.rs"]
mod derived;

use sitemap_values::{ChangeFreq, Rule};

use super::name::Name;
use super::table::{Group, Occurs, ROWS, SchemaRow};
use super::{UrlEntry, VIDEO, ValueKind};
use crate::schema::Element;

/// The words that the schema lists for a row's value.
fn words(row: &SchemaRow) -> Vec<&'static str> {
    match row.kind {
        ValueKind::Word(words) => words.listed.to_vec(),
        ValueKind::ChangeFreq => ChangeFreq::ALL.iter().map(|word| word.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// The row of an element's text: its own, or that of the text beside its attributes.
fn of_text(name: Name) -> &'static SchemaRow {
    let text = name.group().and_then(|group| group.text);
    text.unwrap_or(name).row().unwrap()
}

#[track_caller]
fn assert_same(derived: &derived::Row, name: Name) {
    let row = name.row().unwrap();
    let key = derived.key;
    assert_eq!(derived.element, row.name);
    let occurs = match row.occurs {
        Occurs::One => derived::Occurs::One,
        Occurs::Maybe => derived::Occurs::Maybe,
        Occurs::Many(_) => derived::Occurs::Many,
    };
    assert_eq!(derived.occurs, occurs, "{key}");
    let text = of_text(name);
    let listed = words(text);
    let same = match (derived.kind, text.kind) {
        (derived::Kind::Url, ValueKind::Loc | ValueKind::Url)
        | (derived::Kind::Text, ValueKind::Text)
        | (derived::Kind::Rating, ValueKind::Rating)
        | (derived::Kind::Priority, ValueKind::Priority)
        | (derived::Kind::DateTime, ValueKind::DateTime)
        | (derived::Kind::YesNo, ValueKind::YesNo)
        | (derived::Kind::Group, ValueKind::Group) => true,
        (derived::Kind::TextOf(most), ValueKind::TextOf(of_schema)) => most == of_schema,
        (derived::Kind::Integer(least, most), ValueKind::Integer(of_schema, most_of_schema, _)) => {
            (least, most) == (of_schema, most_of_schema)
        }
        (derived::Kind::Words(words), _) => words == listed && !listed.is_empty(),
        _ => false,
    };
    assert!(
        same,
        "{key} is {:?} here, and {:?} there",
        text.kind, derived.kind
    );
    let rules: Vec<Rule> = [text.rule, row.rule, name.group().map(|group| group.rule)]
        .into_iter()
        .flatten()
        .collect();
    assert!(rules.contains(&derived.rule), "{key}: {rules:?}");
}

/// The rows of a group, each with its name.
fn rows(group: &Group) -> Vec<(Name, &'static SchemaRow)> {
    let first = group.first;
    let names = (0..group.count).map(|number| first.plus(number));
    names.map(|name| (name, &ROWS[name.index()])).collect()
}

/// The schema's row for each of the derive's, in the same order; and the derive's row, or the reason why it has none, for each of the schema's.
#[test]
fn entries() {
    let without_key = ["mobile:mobile", "pagemap:PageMap"];
    let mut derived = derived::ENTRY.iter();
    for (name, row) in rows(&UrlEntry::GROUP) {
        if without_key.contains(&row.name) {
            continue;
        }
        assert_same(derived.next().expect(row.name), name);
    }
    assert!(derived.next().is_none());
}

#[test]
fn videos() {
    let mut derived = derived::VIDEO.iter();
    let mut of_parts = derived::OF_PARTS.to_vec();
    for (name, row) in rows(VIDEO.group().unwrap()) {
        let local = row.name.strip_prefix("video:").unwrap();
        match of_parts.iter().position(|other| *other == local) {
            Some(i) => {
                of_parts.remove(i);
                let has_more = name.group().is_some_and(|group| group.count > 1);
                assert!(has_more, "{local} is a text alone");
            }
            None => {
                let part = derived
                    .next()
                    .unwrap_or_else(|| panic!("{local} has no row in the derive"));
                assert_eq!(part.key, local);
                assert_same(part, name);
            }
        }
    }
    assert_eq!(derived.next().map(|row| row.key), None);
    assert_eq!(of_parts, [""; 0]);
}
