//! An entry in another format, as the XML that it stands for: it is read, and its mistakes are reported, as those of XML.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use anyhow::{Result, anyhow, bail};
use serde_core::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use sitemap_serde::iter::{Field, Fields};
use sitemap_serde::{Diagnostic, Error, Mode, ReaderBuilder, Record, UrlEntry};

use crate::omitted::{UnknownNames, outcome};

/// The root, to which the declarations of the prefixes are added.
const ROOT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

/// The prefixes of the names in other formats.
const PREFIXES: [(&str, &str); 6] = [
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
    ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
    ("xhtml", "http://www.w3.org/1999/xhtml"),
    ("mobile", "http://www.google.com/schemas/sitemap-mobile/1.0"),
    ("pagemap", "http://www.google.com/schemas/sitemap-pagemap/1.0"),
];
const END: &str = "</url></urlset>";

/// The loc in the XML, which no other URL of an entry is. The real one is checked by the writer, which may complete it.
const PLACEHOLDER: &str = "https://placeholder.invalid/";

/// An entry as XML.
#[derive(Debug)]
pub(crate) struct EntryElement {
    loc: Option<String>,
    xml: String,
    found: Found,
}

/// An entry that was read, and what was found.
#[derive(Debug)]
pub(crate) struct RowEntry {
    pub(crate) entry: UrlEntry,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Number of problems without a diagnostic.
    pub(crate) unlisted: u64,
    pub(crate) unknown: UnknownNames,
}

impl EntryElement {
    /// An entry with these elements.
    pub(crate) fn of_values<'v>(values: impl IntoIterator<Item = (&'static str, &'v str)>) -> Self {
        let (mut loc, mut content) = (String::new(), String::new());
        for (name, value) in values {
            if name == "loc" {
                value.clone_into(&mut loc);
            } else if !value.is_empty() {
                push_element(&mut content, name, value);
            }
        }
        EntryElement::new(Some(loc), &content, Found::new(UnknownNames::columns()))
    }

    /// The entry of a line of JSON.
    pub(crate) fn of_json(line: &str) -> Result<Self> {
        let members = match serde_json::from_str(line).map_err(|error| in_line(line, &error))? {
            Json::Object(members) => members,
            Json::List(_) => bail!("an array: {}", one_per_line(line)),
            _ => bail!("not an object"),
        };
        let (mut loc, mut content) = (None, String::new());
        let mut found = Found::new(UnknownNames::keys());
        for (key, value) in members {
            match (&*key, value) {
                ("loc", _) if loc.is_some() => bail!("a second `loc`"),
                ("loc", Json::Text(text)) => loc = Some(text),
                ("loc", Json::Null) => {}
                ("loc", _) => bail!("the `loc` is not a string"),
                (name, value) if is_name(name) => found.push_value(&mut content, name, &value)?,
                // An entry has neither attributes nor text.
                (other, _) => found.unknown.push(other, || None),
            }
        }
        Ok(EntryElement::new(loc, &content, found))
    }

    fn new(loc: Option<String>, content: &str, found: Found) -> Self {
        let mut xml = ROOT.to_owned();
        // Each takes as long to read as an element.
        for (prefix, namespace) in PREFIXES {
            if content.contains(':') && content.contains(&format!("<{prefix}:")) {
                xml.extend([" xmlns:", prefix, "=\"", namespace, "\""]);
            }
        }
        xml.extend(["><url>", content]);
        if loc.is_some() {
            push_element(&mut xml, "loc", PLACEHOLDER);
        }
        xml.push_str(END);
        EntryElement { loc, xml, found }
    }

    /// The entry as it is, its values not checked; its loc; and the names that the format does not have.
    pub(crate) fn record(self) -> Result<(Record, String, UnknownNames)> {
        let (mut reader, mut record) = (ReaderBuilder::new().from_str(&self.xml), Record::new());
        reader
            .read_record(&mut record)
            .map_err(|error| error.renumbered(None))?;
        let mut unknown = self.found.unknown;
        unknown.push_fields(record.fields());
        Ok((record, self.loc.unwrap_or_default(), unknown))
    }

    /// The entry with its valid values. Its loc is not checked.
    ///
    /// # Errors
    /// If a value is invalid, unless the reading is lenient. Then only if nothing can be read of the entry.
    pub(crate) fn read(self, is_lenient: bool) -> Result<RowEntry> {
        let mut builder = ReaderBuilder::new();
        if is_lenient {
            builder.mode(Mode::Lenient).correct_values(true);
        }
        let (mut reader, mut record) = (builder.from_str(&self.xml), Record::new());
        let without_place = |error: Error| error.renumbered(None);
        if !reader.read_record(&mut record).map_err(without_place)? {
            let problem = reader.diagnostics().first().map_or_else(String::new, in_row);
            return Err(anyhow!(problem));
        }
        if let Some(field) = known(record.fields(), &self.found.inexact) {
            bail!(
                "`{}` is a number with a point, or of many digits: write its text in quotes",
                field.name()
            );
        }
        let mut entry = reader.entry_of(&record).map_err(without_place)?;
        entry.loc = self.loc.unwrap_or_default();
        let mut unknown = self.found.unknown;
        unknown.push_fields(record.fields());
        Ok(RowEntry {
            entry,
            diagnostics: reader.take_diagnostics(),
            unlisted: reader.diagnostics_left_out(),
            unknown,
        })
    }
}

/// A problem in the only entry of a text, and what was left out because of it.
pub(crate) fn in_row(diagnostic: &Diagnostic) -> String {
    // The only entry is that of the row.
    let path = diagnostic.path().filter(|path| *path != "entry 1");
    let path = path.map(|path| format!(", {path}"));
    let behind = path.unwrap_or_default() + &outcome(diagnostic);
    format!("{}{}", diagnostic.message(), behind.replace("entry 1 · ", ""))
}

/// A mistake in a line of JSON: serde_json counts its lines, and knows only one.
fn in_line(line: &str, error: &serde_json::Error) -> anyhow::Error {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let advice = if error.is_eof() {
        format!("; {}", one_per_line(line))
    } else {
        String::new()
    };
    match text.strip_suffix(&place) {
        Some(problem) => anyhow!("{problem}, at column {}{advice}", error.column()),
        None => anyhow!("{text}{advice}"),
    }
}

/// The advice for JSON that is not in lines.
fn one_per_line(line: &str) -> String {
    let filter = if line.starts_with('[') { ".[]" } else { "." };
    format!("each entry is an object on a line of its own, as `jq -c {filter}` writes them")
}

fn push_element(xml: &mut String, name: &str, text: &str) {
    xml.extend(["<", name, ">"]);
    push_escaped(xml, text);
    xml.extend(["</", name, ">"]);
}

fn push_escaped(xml: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            // As they are, also in an attribute.
            '\t' => xml.push_str("&#9;"),
            '\n' => xml.push_str("&#10;"),
            '\r' => xml.push_str("&#13;"),
            c => xml.push(c),
        }
    }
}

/// The name of the attribute that a key stands for, if one may have it.
fn attribute(key: &str) -> Option<&str> {
    let name = key.strip_prefix('@')?;
    (is_name(name) && !name.contains(':')).then_some(name)
}

/// Whether an element may have the name.
fn is_name(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    };
    match name.split_once(':') {
        None => is_word(name) && !name.eq_ignore_ascii_case("xmlns"),
        Some((prefix, local)) => is_word(local) && PREFIXES.iter().any(|(known, _)| *known == prefix),
    }
}

/// The elements whose values are decimals.
const DECIMALS: [&str; 3] = ["priority", "video:rating", "video:price"];

/// The elements and the attribute whose values are `yes` or `no`.
const FLAGS: [&str; 4] = [
    "video:family_friendly",
    "video:requires_subscription",
    "video:live",
    "@allow_embed",
];

/// The text of the value of an element or attribute with this name; `None` for what has none.
fn text<'v>(name: &str, value: &'v Json) -> Option<Cow<'v, str>> {
    let is_flag = FLAGS.contains(&name);
    Some(match value {
        Json::Bool(true) => if is_flag { "yes" } else { "true" }.into(),
        Json::Bool(false) => if is_flag { "no" } else { "false" }.into(),
        Json::Decimal(number) => number.to_string().into(),
        Json::Integer(text) | Json::Text(text) => text.into(),
        Json::Null | Json::List(_) | Json::Object(_) => return None,
    })
}

/// Whether the text of a value is not known: that of a decimal was perhaps `1.10`, or had more digits.
fn is_inexact(name: &str, value: &Json) -> bool {
    matches!(value, Json::Decimal(_)) && !DECIMALS.contains(&name)
}

/// The first element or attribute that the format has and that has one of these names.
fn known<'r>(fields: Fields<'r>, names: &BTreeSet<String>) -> Option<Field<'r>> {
    fields.filter(Field::is_known).find_map(|field| {
        let is_named = names.contains(field.name());
        if is_named {
            Some(field)
        } else {
            known(field.fields(), names)
        }
    })
}

/// What is written of a value, beside its XML.
#[derive(Debug)]
struct Found {
    /// Names that no element can have.
    unknown: UnknownNames,
    /// The names of elements and attributes whose text is not known.
    inexact: BTreeSet<String>,
}

impl Found {
    fn new(unknown: UnknownNames) -> Self {
        Found {
            unknown,
            inexact: BTreeSet::new(),
        }
    }

    /// Writes a value as an element, or as several with the same name.
    fn push_value(&mut self, xml: &mut String, name: &str, value: &Json) -> Result<()> {
        match value {
            Json::Null => {}
            // Its presence is its value.
            Json::Bool(true) if name == "mobile:mobile" => xml.push_str("<mobile:mobile/>"),
            Json::Bool(false) if name == "mobile:mobile" => {}
            _ if name == "mobile:mobile" => bail!("`mobile:mobile` is neither true nor false"),
            Json::List(values) => {
                for value in values {
                    self.push_value(xml, name, value)?;
                }
            }
            Json::Object(members) => self.push_object(xml, name, members)?,
            value => push_element(xml, name, &self.text(name, value).unwrap_or_default()),
        }
        Ok(())
    }

    fn push_object(&mut self, xml: &mut String, name: &str, members: &[(String, Json)]) -> Result<()> {
        let mut content = String::new();
        xml.extend(["<", name]);
        for (key, value) in members.iter().filter(|(_, value)| !matches!(value, Json::Null)) {
            if let Some(attribute) = attribute(key)
                && let Some(text) = self.text(key, value)
            {
                xml.extend([" ", attribute, "=\""]);
                push_escaped(xml, &text);
                xml.push('"');
            } else if key == "$text"
                && let Some(text) = self.text(name, value)
            {
                push_escaped(&mut content, &text);
            } else if is_name(key) {
                self.push_value(&mut content, key, value)?;
            } else {
                self.unknown.push(key, || None);
            }
        }
        xml.extend([">", &content, "</", name, ">"]);
        Ok(())
    }

    fn text<'v>(&mut self, name: &str, value: &'v Json) -> Option<Cow<'v, str>> {
        if is_inexact(name, value) {
            self.inexact.insert(name.to_owned());
        }
        text(name, value)
    }
}

/// A value of JSON, with every member of its objects, also if several have one name.
#[derive(Debug)]
enum Json {
    Null,
    Bool(bool),
    Integer(String),
    /// Any other number. How it was written is not known.
    Decimal(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Integer(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Integer(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Decimal(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = values.next_element()? {
            list.push(value);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Json::Object(members))
    }
}
