//! The fields of entries that `cat` prints: by their names in the JSON of `convert`, or by shorter ones.

use std::fmt::Write as _;

use serde_json::value::RawValue;
use sitemap_serde::{Kind, Mode, Record};

use crate::formats::{COLUMNS, INDEXES, KIND, Row, RowReader, SITEMAP, raw_members};
use crate::input::Input;
use crate::words::nearest;

/// A field of an entry.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// The name as given.
    name: String,
    source: Source,
}

/// The source of a field's value.
#[derive(Clone, Debug)]
enum Source {
    /// An element with text, which is printed unchecked.
    Column(&'static str),
    Kind,
    /// The document.
    Sitemap,
    /// The indexes above the document.
    Indexes,
    /// The names of nested elements. The last one may be an attribute.
    Path(Vec<String>),
}

/// The short names of elements whose name differs from their prefix.
const SHORT: [(&str, &str); 2] = [("alternate", "xhtml:link"), ("pagemap", "pagemap:PageMap")];

/// The fields suggested in messages and completions. Others have a path: `video.title`.
pub(super) const OFFERED: [&str; 22] = [
    "loc",
    "lastmod",
    "changefreq",
    "priority",
    "image",
    "image.loc",
    "image.title",
    "image.caption",
    "alternate",
    "alternate.hreflang",
    "alternate.href",
    "news",
    "news.title",
    "news.publication_date",
    "news.publication.name",
    "news.publication.language",
    "video",
    "video.title",
    "video.content_loc",
    "mobile",
    "sitemap",
    "indexes",
];

impl Field {
    /// Finds a field by its name: `lastmod`, `image.loc`, `image:image.image:loc`, `alternate.href`.
    ///
    /// # Errors
    /// A sitemap has no such field.
    pub(super) fn parse(name: &str) -> Result<Self, String> {
        let source = match name {
            SITEMAP => Source::Sitemap,
            INDEXES => Source::Indexes,
            KIND => Source::Kind,
            _ => match COLUMNS.iter().find(|column| **column == name) {
                Some(column) => Source::Column(column),
                None => Source::Path(path(name).ok_or_else(|| unknown(name))?),
            },
        };
        Ok(Field {
            name: name.to_owned(),
            source,
        })
    }

    /// Returns `true` if the value is a text of the record.
    pub(super) fn is_plain(&self) -> bool {
        !matches!(self.source, Source::Path(_) | Source::Indexes)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the value of a [plain](Self::is_plain) field as text.
    pub(super) fn text(&self, record: &Record, loc: &str, kind: Kind, input: &Input) -> String {
        match &self.source {
            Source::Column("loc") => loc.to_owned(),
            Source::Column(name) => record.get(name).unwrap_or_default().to_owned(),
            Source::Kind => kind.entry().to_owned(),
            Source::Sitemap => input.name.clone(),
            Source::Indexes | Source::Path(_) => String::new(),
        }
    }

    /// Returns the value from an entry's object, as JSON. `None` if the entry lacks it.
    pub(super) fn json(&self, entry: &str, kind: Kind, input: &Input) -> Option<String> {
        let path: &[String] = match &self.source {
            Source::Column(name) => &[(*name).to_owned()],
            Source::Kind => return Some(quoted(kind.entry())),
            Source::Sitemap => return Some(quoted(&input.name)),
            Source::Indexes => return Some(list(input.indexes().iter().map(|index| quoted(index)))),
            Source::Path(path) => path,
        };
        let (mut found, mut is_list) = (Vec::new(), false);
        find(entry, path, &mut found, &mut is_list);
        if is_list {
            Some(list(found.into_iter()))
        } else {
            found.pop()
        }
    }

    /// Returns the value as text: JSON, unless it is a single text, number or boolean.
    pub(super) fn json_text(&self, entry: &str, kind: Kind, input: &Input) -> String {
        let Some(value) = self.json(entry, kind, input) else {
            return String::new();
        };
        let one = raw_list(&value).and_then(|values| match &*values {
            [] => Some(String::new()),
            [value] => Some(value.get().to_owned()),
            _ => None,
        });
        let value = one.unwrap_or(value);
        serde_json::from_str(&value).unwrap_or(value)
    }
}

/// Adds the values at a path in a value. Sets `is_list` if the path leads through a list.
fn find(value: &str, path: &[String], found: &mut Vec<String>, is_list: &mut bool) {
    if let Some(values) = raw_list(value) {
        *is_list = true;
        for value in values {
            find(value.get(), path, found, is_list);
        }
        return;
    }
    let Some((name, rest)) = path.split_first() else {
        found.push(value.to_owned());
        return;
    };
    let members = raw_members(value).unwrap_or_default();
    for (_, value) in members.iter().filter(|(key, _)| *key == **name) {
        find(value.get(), rest, found, is_list);
    }
}

fn raw_list(value: &str) -> Option<Vec<&RawValue>> {
    if value.starts_with('[') {
        serde_json::from_str(value).ok()
    } else {
        None
    }
}

fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(","))
}

/// Returns a text as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns the names of the elements that lead to a field. `None` if a sitemap has no such field.
fn path(name: &str) -> Option<Vec<String>> {
    let mut path: Vec<String> = Vec::new();
    for part in name.split('.') {
        let candidates = match path.last() {
            None => {
                let short = SHORT.iter().find(|(short, _)| *short == part);
                let element = short.map(|(_, element)| (*element).to_owned());
                [
                    part.to_owned(),
                    element.unwrap_or_else(|| format!("{part}:{part}")),
                ]
                .to_vec()
            }
            Some(parent) => {
                let prefix = parent.split_once(':').map_or("", |(prefix, _)| prefix);
                [part.to_owned(), format!("@{part}"), format!("{prefix}:{part}")].to_vec()
            }
        };
        let is_there = |candidate: &String| {
            let mut path = path.clone();
            path.push(candidate.clone());
            is_known(&path)
        };
        let found = candidates.into_iter().find(is_there)?;
        path.push(found);
    }
    Some(path)
}

/// Returns `true` if an entry may have an element at this path.
fn is_known(path: &[String]) -> bool {
    let mut value = "\"\"".to_owned();
    for name in path.iter().rev() {
        value = format!("{{{}:{value}}}", quoted(name));
    }
    let line = format!(
        "{{\"loc\":\"https://example.com/\",{}",
        value.trim_start_matches('{')
    );
    let mut rows = RowReader::new(Mode::Strict);
    let read = rows.read(Row::Json(&line)).and_then(|()| rows.record());
    read.is_ok_and(|row| row.unknown.is_empty())
}

fn unknown(name: &str) -> String {
    let mut text = format!("a sitemap has no field `{}`", name.escape_debug());
    match nearest(name, OFFERED) {
        // Writing to a string cannot fail.
        Some(meant) => drop(write!(text, "; did you mean `{meant}`?")),
        None => text.push_str("; fields are named as `sitemap convert --to jsonl` names them, or shorter: `image.loc`, `news.title`"),
    }
    text
}

/// Adds members to the end of an object.
pub(super) fn add_members<'m>(object: &mut Vec<u8>, members: impl IntoIterator<Item = (&'m str, String)>) {
    object.pop();
    for (name, value) in members {
        if object.last() != Some(&b'{') {
            object.push(b',');
        }
        object.extend(format!("{}:{value}", quoted(name)).into_bytes());
    }
    object.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Short names omit the prefixes of elements, and each long name occurs in JSON.
    #[test]
    fn fields_have_short_and_long_names() {
        for (name, expected) in [
            ("image", "image:image"),
            ("image.loc", "image:image/image:loc"),
            ("image:image.image:loc", "image:image/image:loc"),
            ("image:image.loc", "image:image/image:loc"),
            ("alternate.hreflang", "xhtml:link/@hreflang"),
            ("xhtml:link.@href", "xhtml:link/@href"),
            ("news.publication.name", "news:news/news:publication/news:name"),
            (
                "video.restriction.relationship",
                "video:video/video:restriction/@relationship",
            ),
            ("mobile", "mobile:mobile"),
        ] {
            let found = path(name).map(|path| path.join("/"));
            assert_eq!(found.as_deref(), Some(expected), "{name}");
        }
        for name in [
            "",
            "title",
            "image.titel",
            "image.loc.loc",
            "url",
            "xmlns",
            "image.",
            ".loc",
            "a b",
            "\"",
            "own:x",
        ] {
            assert_eq!(path(name), None, "{name}");
        }
        for name in OFFERED {
            Field::parse(name).unwrap();
        }
    }
}
