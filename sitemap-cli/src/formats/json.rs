//! JSON values as written: numbers as text, and every member of an object, including duplicate names.

use std::borrow::Cow;
use std::fmt;

use anyhow::{Result, anyhow};
use serde_core::de::value::{MapDeserializer, SeqDeserializer};
use serde_core::de::{self, Deserialize, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde_core::forward_to_deserialize_any;
use serde_json::value::RawValue;

/// A value in a line of JSON. The content of a list or an object is parsed on demand.
#[derive(Debug)]
pub(super) enum Json<'l> {
    Null,
    Bool(bool),
    Number(&'l str),
    Text(Cow<'l, str>),
    List(Vec<&'l RawValue>),
    Object(Vec<(Cow<'l, str>, &'l RawValue)>),
}

impl<'l> Json<'l> {
    /// Parses the value of a line.
    pub(super) fn of_line(line: &'l str) -> Result<Self> {
        if line.starts_with('{') {
            return Json::of_part(line, line);
        }
        let value: &RawValue = serde_json::from_str(line).map_err(|error| in_line(line, line, &error))?;
        Json::parse(value, line)
    }

    /// Parses a value in a line.
    pub(super) fn parse(value: &'l RawValue, line: &str) -> Result<Self> {
        Json::of_part(value.get(), line)
    }

    fn of_part(text: &'l str, line: &str) -> Result<Self> {
        let parsed = match text.as_bytes().first() {
            Some(b'n') => Ok(Json::Null),
            Some(b't') => Ok(Json::Bool(true)),
            Some(b'f') => Ok(Json::Bool(false)),
            Some(b'"') => serde_json::from_str(text).map(|Text(text)| Json::Text(text)),
            Some(b'[') => serde_json::from_str(text).map(Json::List),
            Some(b'{') => serde_json::from_str(text).map(|Members(members)| Json::Object(members)),
            _ => Ok(Json::Number(text)),
        };
        parsed.map_err(|error| in_line(line, text, &error))
    }
}

/// A value in a line of JSON, for serde. It gives a number as its text, which is more exact than a float and what messages quote.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsonValue<'l> {
    pub(super) value: &'l RawValue,
    pub(super) line: &'l str,
}

impl<'de> Deserializer<'de> for JsonValue<'de> {
    type Error = JsonError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        let line = self.line;
        match Json::parse(self.value, line).map_err(JsonError)? {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(value),
            Json::Number(text) | Json::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Json::Text(Cow::Owned(text)) => visitor.visit_string(text),
            Json::List(values) => {
                let values = values.into_iter().map(|value| JsonValue { value, line });
                visitor.visit_seq(SeqDeserializer::new(values))
            }
            Json::Object(members) => {
                let members = members
                    .into_iter()
                    .map(|(key, value)| (key, JsonValue { value, line }));
                visitor.visit_map(MapDeserializer::new(members))
            }
        }
    }

    /// The value was parsed with its line, and may be very deep.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, JsonError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
        tuple_struct map struct enum identifier
    }
}

impl<'l> IntoDeserializer<'l, JsonError> for JsonValue<'l> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The error of a line of JSON, with its column.
#[derive(Debug)]
pub(super) struct JsonError(anyhow::Error);

impl de::Error for JsonError {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        JsonError(anyhow!("{problem}"))
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for JsonError {}

/// Returns the members of an object; `None` for any other value.
pub(crate) fn raw_members(value: &str) -> Option<Vec<(Cow<'_, str>, &RawValue)>> {
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

struct Members<'l>(Vec<(Cow<'l, str>, &'l RawValue)>);

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
        while let Some((Text(key), value)) = map.next_entry()? {
            members.push((key, value));
        }
        Ok(Members(members))
    }
}

/// A string, borrowed from the line if it has no escapes.
struct Text<'l>(Cow<'l, str>);

impl<'l> Deserialize<'l> for Text<'l> {
    fn deserialize<D: Deserializer<'l>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl<'l> Visitor<'l> for TextVisitor {
    type Value = Text<'l>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'l str) -> Result<Text<'l>, E> {
        Ok(Text(text.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'l>, E> {
        Ok(Text(text.to_owned().into()))
    }
}
