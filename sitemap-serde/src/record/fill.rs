//! Filling the table of an entry from another format.
//!
//! serde gives an entry of JSON or a row of a table as a map with the names that [`UrlEntry`](crate::UrlEntry) has in serde. Its values
//! become nodes, as elements and attributes of XML do, and everything above the table is the same for both: checks, repairs, typed values,
//! and names that the schema does not know. So no value needs a second way to be read leniently. A number is given as
//! its text: a float would lose digits that messages quote.

use std::fmt;

use serde_core::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use sitemap_values::number::grouped;

use crate::character::is_xml_char;
use crate::error::{Error, Message, Result, raise};
use crate::schema::{self, Name, Namespace, SchemaRow, Shape};
use crate::xml::names::{KnownNamespaces, split};

use super::table::{Table, Value};

/// The maximum depth of lists and objects.
const MAX_DEPTH: usize = 32;

/// The size of an element that the schema does not have, in bytes of the limit. Its name and its content are not stored.
const UNKNOWN_BYTES: usize = 8;

/// The maximum number of problems of an entry that are stored.
const MAX_PROBLEMS: usize = 100;

/// State of filling: the problems and the size of an entry.
#[derive(Debug, Default)]
pub(crate) struct FillState {
    /// The first problems of values that are not in the table.
    pub(crate) problems: Vec<Error>,
    /// The number of other problems.
    pub(crate) more: u64,
    /// The number of bytes that the entry has as XML.
    size: usize,
}

impl FillState {
    #[cold]
    fn push(&mut self, error: Error) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(error);
        } else {
            self.more += 1;
        }
    }

    /// Adds to the size of the entry.
    ///
    /// # Errors
    /// The entry is larger than the limit.
    pub(crate) fn add(&mut self, bytes: usize, most: usize) -> Result<()> {
        self.size = self.size.saturating_add(bytes);
        if self.size <= most {
            return Ok(());
        }
        let problem = format!(
            "an entry of more than {} bytes, which is the limit",
            grouped(most as u64)
        );
        Err(Error::limit(Message::new(problem).advice(raise("entry_bytes"))))
    }
}

/// Fills a table with an entry.
#[derive(Debug)]
pub(crate) struct TableFill<'t> {
    pub(crate) table: &'t mut Table,
    pub(crate) known: &'t KnownNamespaces,
    pub(crate) state: &'t mut FillState,
    /// The limit of an entry's bytes.
    pub(crate) most: usize,
}

impl TableFill<'_> {
    /// Reads a map of the entry's elements.
    pub(crate) fn read<'de, D: Deserializer<'de>>(&mut self, entry: D) -> std::result::Result<(), D::Error> {
        let mut text = None;
        let parts = Parts {
            fill: self,
            element: None,
            text: &mut text,
            depth: 1,
        };
        entry.deserialize_map(parts)
    }

    /// Adds an element with text, or an attribute.
    fn push<E: de::Error>(&mut self, place: Place, text: &str) -> std::result::Result<(), E> {
        let before = self.state.problems.len();
        let value = self.value(text);
        let node = self.table.push(place.name, value, 0..0);
        self.locate(before, place, node);
        self.add(place.name, text)
    }

    /// Adds to the size of the entry.
    fn add<E: de::Error>(&mut self, name: Name, text: &str) -> std::result::Result<(), E> {
        let tags = match name.row() {
            Some(row) => row.around.iter().map(|tag| tag.len()).sum(),
            None => UNKNOWN_BYTES,
        };
        self.state.add(text.len() + tags, self.most).map_err(E::custom)
    }

    /// Returns the value of a text, without the characters that XML cannot hold.
    #[inline]
    fn value(&mut self, text: &str) -> Value {
        let is_plain = |byte: u8| byte >= b' ' && byte != 0xEF;
        if text.bytes().all(is_plain) || text.chars().all(is_xml_char) {
            return self.table.resolved_value(text, 0);
        }
        self.value_without_others(text)
    }

    #[cold]
    fn value_without_others(&mut self, text: &str) -> Value {
        let other = text.chars().find(|c| !is_xml_char(*c)).unwrap_or_default();
        let message = format!(
            "the character U+{:04X} cannot be in an XML document (XML 1.0 section 2.2); remove it",
            u32::from(other)
        );
        self.state.push(Error::syntax(message).losing());
        let kept: String = text.chars().filter(|c| is_xml_char(*c)).collect();
        self.table.resolved_value(&kept, 0)
    }

    /// Adds a node to the paths of the problems from index `before` on.
    #[inline]
    fn locate(&mut self, before: usize, place: Place, node: usize) {
        if self.state.problems.len() > before {
            self.locate_new(before, place, node);
        }
    }

    #[cold]
    fn locate_new(&mut self, before: usize, place: Place, node: usize) {
        let (mut number, mut sibling) = (0, place.level);
        while sibling < node
            && let Some(other) = self.table.nodes().get(sibling)
        {
            number += usize::from(other.name == place.name);
            sibling = other.next();
        }
        let is_repeated = place.name.row().is_some_and(SchemaRow::is_repeated);
        for problem in self.state.problems.iter_mut().skip(before) {
            let error = std::mem::replace(problem, Error::data(""));
            let error = if is_repeated {
                error.at_index(number)
            } else {
                error
            };
            *problem = error.within(self.table.step(place.name));
        }
    }

    fn other_shape(&mut self, problem: String) {
        self.state.push(Error::data(Message::new(problem)).losing());
    }

    /// Returns the name of a key in an entry or an element. `None` if there are too many names to tell apart.
    fn name(&mut self, key: &str, element: Option<Name>) -> Option<Name> {
        let attribute = element.and_then(|element| Name::attribute(element, key.strip_prefix('@')?));
        if attribute.is_some() {
            return attribute;
        }
        let name = match split(key) {
            ("", local) => Name::element(Namespace::Core, local),
            _ => Name::of_extension(key),
        };
        if name.is_some() {
            return name;
        }
        let is_core = |name: &Name| name.shown().eq_ignore_ascii_case(key);
        let core = [schema::LASTMOD, schema::CHANGEFREQ, schema::PRIORITY];
        if element.is_none() && core.iter().any(is_core) {
            // Strict reading refuses it, and lenient reading takes it for the element.
            return self
                .table
                .element_name(self.known, Namespace::Core, key, |_| None);
        }
        self.table.unknown_name(key)
    }
}

/// The place of a value.
#[derive(Clone, Copy, Debug)]
struct Place {
    name: Name,
    /// The index of its first sibling.
    level: usize,
}

/// The part of an entry or an element that a key names.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// An element, or a list of elements with its name.
    Element(Name),
    /// An element without a value: its presence means `true`.
    Flag(Name),
    Attribute(Name),
    /// The element's own text.
    Text,
    /// Something that the schema does not have there.
    Unknown(Name),
}

/// The key of an element's own text.
const TEXT: &str = "$text";

/// Reads the parts of an entry or an element.
struct Parts<'f, 't> {
    fill: &'f mut TableFill<'t>,
    element: Option<Name>,
    /// The element's own text.
    text: &'f mut Option<Value>,
    depth: usize,
}

impl<'de> Visitor<'de> for Parts<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let Parts {
            fill,
            element,
            text,
            depth,
        } = self;
        let level = fill.table.nodes().len();
        while let Some(part) = map.next_key_seed(Key { fill, element })? {
            match part {
                Some(part) => map.next_value_seed(Values {
                    fill,
                    part,
                    level,
                    text,
                    depth,
                })?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Reads a key. `None` if there are too many names to tell apart.
struct Key<'f, 't> {
    fill: &'f mut TableFill<'t>,
    element: Option<Name>,
}

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = Option<Part>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Option<Part>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_, '_> {
    type Value = Option<Part>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> std::result::Result<Option<Part>, E> {
        if self.element.is_some() && key == TEXT {
            return Ok(Some(Part::Text));
        }
        let name = self.fill.name(key, self.element);
        Ok(name.map(|name| match name.row() {
            Some(row) if row.parent == self.element => match row.shape() {
                _ if key.starts_with('@') => Part::Attribute(name),
                Shape::Flag => Part::Flag(name),
                _ => Part::Element(name),
            },
            _ => Part::Unknown(name),
        }))
    }
}

/// Reads the value of a key.
struct Values<'f, 't> {
    fill: &'f mut TableFill<'t>,
    part: Part,
    /// The index of its first sibling.
    level: usize,
    /// The text of the element that the key is in.
    text: &'f mut Option<Value>,
    depth: usize,
}

impl Values<'_, '_> {
    fn place(&self) -> Option<Place> {
        let (Part::Element(name) | Part::Flag(name) | Part::Attribute(name) | Part::Unknown(name)) =
            self.part
        else {
            return None;
        };
        let level = self.level;
        Some(Place { name, level })
    }

    /// Adds a value that is one text.
    fn add<E: de::Error>(self, text: &str) -> std::result::Result<(), E> {
        let Some(place) = self.place() else {
            if self.text.is_some() {
                let problem = format!("a second `{TEXT}`: an element has one text");
                self.fill.other_shape(problem);
            } else {
                *self.text = Some(self.fill.value(text));
            }
            return self.fill.state.add(text.len(), self.fill.most).map_err(E::custom);
        };
        match self.part {
            Part::Flag(_) => self.other(""),
            Part::Unknown(_) => return self.fill.push(place, ""),
            Part::Element(_) | Part::Attribute(_) | Part::Text => return self.fill.push(place, text),
        }
        Ok(())
    }

    /// Notes a value of another shape.
    fn other(self, shape: &str) {
        let key = match self.place() {
            Some(place) => self.fill.table.name(place.name),
            None => TEXT,
        };
        let problem = match self.part {
            Part::Flag(_) => format!("`{key}` is neither true nor false"),
            _ => format!("the value of `{key}` is {shape}: it is one text"),
        };
        self.fill.other_shape(problem);
    }
}

impl<'de> DeserializeSeed<'de> for Values<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        if self.depth > MAX_DEPTH
            && let Some(place) = self.place()
        {
            let name = self.fill.table.name(place.name);
            let problem = format_args!("`{name}` is nested deeper than {MAX_DEPTH} levels");
            return Err(de::Error::custom(problem));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of an entry")
    }

    fn visit_unit<E: de::Error>(self) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<(), E> {
        self.add(text)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> std::result::Result<(), E> {
        let (yes, no) = match (self.part, self.place()) {
            // The element's presence is its value.
            (Part::Flag(_), Some(place)) if value => return self.fill.push(place, ""),
            (Part::Flag(_), _) => return Ok(()),
            (_, Some(place)) if place.name.row().map(SchemaRow::shape) == Some(Shape::YesNo) => ("yes", "no"),
            _ => ("true", "false"),
        };
        self.add(if value { yes } else { no })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> std::result::Result<(), A::Error> {
        if !matches!(self.part, Part::Element(_) | Part::Unknown(_)) {
            while values.next_element::<IgnoredAny>()?.is_some() {}
            self.other("a list");
            return Ok(());
        }
        let mut next = || {
            values.next_element_seed(Values {
                fill: &mut *self.fill,
                text: &mut *self.text,
                depth: self.depth + 1,
                ..self
            })
        };
        while next()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let (Part::Element(name), level) = (self.part, self.level) else {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return match self.part {
                Part::Unknown(_) => self.add(""),
                _ => {
                    self.other("an object");
                    Ok(())
                }
            };
        };
        let fill = self.fill;
        let before = fill.state.problems.len();
        let node = fill.table.begin(name);
        fill.table.open(node, name, 0..0);
        let mut text = None;
        let parts = Parts {
            fill: &mut *fill,
            element: Some(name),
            text: &mut text,
            depth: self.depth + 1,
        };
        parts.visit_map(map)?;
        fill.table.close(node, text, 0);
        fill.locate(before, Place { name, level }, node);
        fill.add(name, "")
    }
}
