//! JSON values as written: numbers as text, and every member of an object, including duplicate names.

use std::fmt;

use anyhow::{Result, anyhow};
use serde_core::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value in a line of JSON. The content of a list or an object is parsed on demand.
#[derive(Debug)]
pub(super) enum Json<'l> {
    Null,
    Bool(bool),
    Number(&'l str),
    Text(String),
    List(Vec<&'l RawValue>),
    Object(Vec<(String, &'l RawValue)>),
}

impl<'l> Json<'l> {
    /// Parses the value of a line.
    pub(super) fn of_line(line: &'l str) -> Result<Self> {
        let value: &RawValue = serde_json::from_str(line).map_err(|error| in_line(line, line, &error))?;
        Json::parse(value, line)
    }

    /// Parses a value in a line.
    pub(super) fn parse(value: &'l RawValue, line: &str) -> Result<Self> {
        let text = value.get();
        let parsed = match text.as_bytes().first() {
            Some(b'n') => Ok(Json::Null),
            Some(b't') => Ok(Json::Bool(true)),
            Some(b'f') => Ok(Json::Bool(false)),
            Some(b'"') => serde_json::from_str(text).map(Json::Text),
            Some(b'[') => serde_json::from_str(text).map(Json::List),
            Some(b'{') => serde_json::from_str(text).map(|Members(members)| Json::Object(members)),
            _ => Ok(Json::Number(text)),
        };
        parsed.map_err(|error| in_line(line, text, &error))
    }
}

/// Returns the members of an object; `None` for any other value.
pub(crate) fn raw_members(value: &str) -> Option<Vec<(String, &RawValue)>> {
    if !value.starts_with('{') {
        return None;
    }
    let Members(members) = serde_json::from_str(value).ok()?;
    Some(members)
}

/// Converts an error in part of a line. serde_json counts the lines and columns of that part.
fn in_line(line: &str, part: &str, error: &serde_json::Error) -> anyhow::Error {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let lines = part.split_inclusive('\n').take(error.line().saturating_sub(1));
    let offset =
        part.as_ptr().addr() - line.as_ptr().addr() + lines.map(str::len).sum::<usize>() + error.column();
    let before = line.get(..offset).unwrap_or(line).trim_end_matches('\n');
    let column = match before.rsplit_once('\n') {
        None => format!("column {offset}"),
        // An entry's place is its first line.
        Some((lines, last)) => format!(
            "column {} of its line {}",
            last.len(),
            lines.split('\n').count() + 1
        ),
    };
    let advice = if error.is_eof() {
        format!("; {}", one_per_line(line))
    } else {
        String::new()
    };
    match text.strip_suffix(&place) {
        Some(problem) => anyhow!("{problem}, at {column}{advice}"),
        None => anyhow!("{text}{advice}"),
    }
}

/// Returns advice for JSON that is not in lines.
pub(super) fn one_per_line(line: &str) -> String {
    let filter = if line.starts_with('[') { ".[]" } else { "." };
    format!("each entry is an object on a line of its own, as `jq -c {filter}` writes them")
}

struct Members<'l>(Vec<(String, &'l RawValue)>);

impl<'l> Deserialize<'l> for Members<'l> {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'l> Visitor<'l> for MembersVisitor {
    type Value = Members<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<Members<'l>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}
