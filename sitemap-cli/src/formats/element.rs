//! An entry in another format, converted to XML so that the XML reader reads it and reports its errors.
//!
//! **An entry in JSON or CSV is read as the equivalent XML**, so the rules of XML apply: its errors, lenient reading with its corrections,
//! and names unknown to the schema (`Field::is_known`). Only the loc goes directly to the writer, which may complete it. One reader reads
//! all rows of a document, as a document that grows row by row (`formats/row_reader`), because starting a reader takes longer than reading
//! an entry. A repair may reach beyond the end of a row, so another reader starts after it. `convert` and `split` read XML through
//! `entries`, which reports all losses of lenient reading and counts them in `Losses` (`omitted`).
//!
//! `tests/command/every_input` is a table of every command with every kind of input; no entry may be lost silently.
//! `tests/command/every_format` does the same for formats, encodings, compressions and pipes of two commands, against a model of the pages
//! and their values.

use anyhow::{Result, bail};
use serde_json::value::RawValue;
use sitemap_serde::format::EXTENSIONS;
use sitemap_serde::iter::Field;
use sitemap_serde::{Kind, Record};

use crate::filters;
use crate::input::grouped;
use crate::omitted::UnknownNames;

use super::check_line;
use super::json::{Json, one_per_line};

/// The loc in the XML, distinct from every other URL of an entry. The writer checks the real loc and may complete it.
const PLACEHOLDER: &str = "https://placeholder.invalid/";

/// The maximum depth of JSON. Nested values are parsed again at each level.
const MOST_DEPTH: usize = 32;

/// Maximum length of the XML in bytes. It may be much longer than the line, because each value of a list repeats the name of its element.
const MOST_XML: usize = 32 << 20;

/// An entry as XML, with the prefixes of [`EXTENSIONS`].
#[derive(Debug)]
pub(crate) struct EntryElement {
    /// The XML, without the end tag until the loc is set.
    pub(super) xml: String,
    pub(super) loc: Option<String>,
    /// Names that are invalid for elements.
    pub(super) unknown: UnknownNames,
    /// The problems of values that are missing from the XML.
    pub(super) problems: Vec<String>,
    /// The kind of entry, if it is stated.
    pub(super) kind: Option<Kind>,
}

impl EntryElement {
    fn new(unknown: UnknownNames) -> Self {
        EntryElement {
            xml: "<url>".to_owned(),
            loc: None,
            unknown,
            problems: Vec::new(),
            kind: None,
        }
    }

    /// Creates an entry with these elements.
    pub(crate) fn of_values<'v>(values: impl IntoIterator<Item = (&'static str, &'v str)>) -> Self {
        let mut entry = EntryElement::new(UnknownNames::columns());
        let mut loc = "";
        for (name, value) in values {
            if name == "loc" {
                loc = value;
            } else if name == KIND {
                entry.kind = kind(value);
                if entry.kind.is_none() && !value.is_empty() {
                    entry.problems.push(no_kind(value));
                }
            } else if !value.is_empty() {
                push_element(&mut entry.xml, name, value);
            }
        }
        entry.finish(Some(loc.to_owned()))
    }

    /// Creates the entry of a line of text.
    ///
    /// # Errors
    /// The line is not one URL.
    pub(crate) fn of_line(line: &str) -> Result<Self> {
        check_line(line)?;
        Ok(EntryElement::of_values([("loc", line)]))
    }

    /// Creates the entry of a line of JSON.
    pub(crate) fn of_json(line: &str) -> Result<Self> {
        let members = match Json::of_line(line)? {
            Json::Object(members) => members,
            Json::List(_) => bail!("an array: {}", one_per_line(line)),
            _ => bail!("not an object"),
        };
        let mut entry = EntryElement::new(UnknownNames::keys());
        let mut loc = None;
        for (key, value) in members {
            if key == "loc" {
                match Json::parse(value, line)? {
                    _ if loc.is_some() => bail!("a second `loc`"),
                    Json::Text(text) => loc = Some(text),
                    Json::Null => {}
                    _ => bail!("the `loc` is not a string"),
                }
            } else if key == KIND {
                match Json::parse(value, line)? {
                    Json::Text(text) if kind(&text).is_some() => entry.kind = kind(&text),
                    Json::Null => {}
                    _ => entry.problems.push(no_kind(value.get())),
                }
            } else if key == SITEMAP || key == INDEXES {
                // These keys describe the document, not the entry.
            } else if key.eq_ignore_ascii_case("loc") {
                bail!("`{key}` is not a key of an entry: did you mean `loc`?");
            } else if is_name(&key) {
                Values {
                    line,
                    entry: &mut entry,
                }
                .push(&key, value, 1)?;
            } else {
                // An entry has neither attributes nor text.
                entry.unknown.push(&key, || None);
            }
        }
        Ok(entry.finish(loc))
    }

    /// Creates the entry of a record from its known fields. The rest is ignored, as in strict reading.
    pub(crate) fn of_record(record: &Record) -> Self {
        let mut entry = EntryElement::new(UnknownNames::default());
        for field in record.fields().filter(|field| field.name() != "loc") {
            push_field(&mut entry.xml, field);
        }
        entry.finish(Some(record.loc().to_owned()))
    }

    /// Completes the URLs of extensions that are paths with the URL of the site. The writer completes the loc.
    pub(crate) fn complete(&mut self, base: &str) {
        let mut escaped = String::new();
        push_escaped(&mut escaped, base.trim_end_matches('/'));
        for name in URLS {
            let (mut completed, mut rest) = (String::new(), &*self.xml);
            while let Some(at) = rest.find(name) {
                let (before, found) = rest.split_at(at + name.len());
                completed.push_str(before);
                rest = found;
                let value = match name.strip_prefix('<') {
                    // The name goes on.
                    Some(_) if !found.starts_with([' ', '>']) => continue,
                    // After its attributes, in which every `>` is escaped.
                    Some(_) => found.find('>').map_or(found.len(), |end| end + 1),
                    None => 0,
                };
                let (tag, value) = found.split_at(value);
                if value.starts_with('/') && !value.starts_with("//") {
                    completed.extend([tag, &escaped]);
                    rest = value;
                }
            }
            completed.push_str(rest);
            self.xml = completed;
        }
    }

    /// Returns `true` if the command's filters keep it, by its texts.
    pub(crate) fn is_chosen(&self) -> bool {
        let text = |name: &str| {
            let (_, rest) = self.xml.split_once(&format!("<{name}>"))?;
            rest.split_once("</").map(|(text, _)| text.trim())
        };
        filters::keeps(self.loc.as_deref().unwrap_or_default(), text("lastmod"))
    }

    /// Returns the kind of entry, if it is stated.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.kind
    }

    fn finish(mut self, loc: Option<String>) -> Self {
        if loc.is_some() {
            push_element(&mut self.xml, "loc", PLACEHOLDER);
        }
        self.xml.push_str("</url>");
        EntryElement { loc, ..self }
    }
}

/// The keys for an entry's document and for the indexes above it, nearest first. They are not part of the entry.
pub(crate) const SITEMAP: &str = "sitemap";
pub(crate) const INDEXES: &str = "indexes";

/// The elements and attributes of extensions whose values are URLs, as they start in an entry's XML.
const URLS: [&str; 9] = [
    "<image:loc",
    "<image:license",
    "<video:thumbnail_loc",
    "<video:content_loc",
    "<video:content_segment_loc",
    "<video:player_loc",
    "<video:gallery_loc",
    // For alternates, and for a video's uploader.
    " href=\"",
    " info=\"",
];

/// The key or column for an entry's kind, in formats that do not distinguish a urlset from an index.
pub(crate) const KIND: &str = "kind";

/// Returns the kind of document whose entries have this name.
fn kind(entry: &str) -> Option<Kind> {
    [Kind::UrlSet, Kind::SitemapIndex]
        .into_iter()
        .find(|kind| kind.entry() == entry)
}

/// Returns `true` if a text is empty or a kind of entry.
pub(super) fn is_kind(text: &str) -> bool {
    text.is_empty() || kind(text).is_some()
}

fn no_kind(value: &str) -> String {
    format!("`{value}` is not a kind of entry: it is `url` or `sitemap`")
}

/// Writes the values of a line of JSON to its entry.
struct Values<'l, 'e> {
    line: &'l str,
    entry: &'e mut EntryElement,
}

impl Values<'_, '_> {
    /// Writes a value as one element, or as several with the same name.
    fn push(&mut self, name: &str, value: &RawValue, depth: usize) -> Result<()> {
        if depth > MOST_DEPTH {
            bail!("`{name}` is nested deeper than {MOST_DEPTH} levels");
        }
        if self.entry.xml.len() > MOST_XML {
            bail!(
                "larger than any entry: more than {} bytes as XML",
                grouped(MOST_XML as u64)
            );
        }
        match Json::parse(value, self.line)? {
            Json::Null => {}
            // The element's presence is its value.
            Json::Bool(true) if name == "mobile:mobile" => self.entry.xml.push_str("<mobile:mobile/>"),
            Json::Bool(false) if name == "mobile:mobile" => {}
            _ if name == "mobile:mobile" => {
                let problem = "`mobile:mobile` is neither true nor false".to_owned();
                self.entry.problems.push(problem);
            }
            Json::List(values) => {
                for value in values {
                    self.push(name, value, depth + 1)?;
                }
            }
            Json::Object(members) => self.push_object(name, &members, depth)?,
            value => push_element(&mut self.entry.xml, name, &text(name, value).unwrap_or_default()),
        }
        Ok(())
    }

    /// Writes an element with attributes, then its text and its elements.
    fn push_object(&mut self, name: &str, members: &[(String, &RawValue)], depth: usize) -> Result<()> {
        self.entry.xml.extend(["<", name]);
        for (key, value) in members {
            if let Some(attribute) = attribute(key)
                && let Some(text) = self.text(key, key, value)?
            {
                self.entry.xml.extend([" ", attribute, "=\""]);
                push_escaped(&mut self.entry.xml, &text);
                self.entry.xml.push('"');
            }
        }
        self.entry.xml.push('>');
        for (key, value) in members {
            if key == "$text" {
                let text = self.text(name, key, value)?;
                push_escaped(&mut self.entry.xml, &text.unwrap_or_default());
            } else if is_name(key) {
                self.push(key, value, depth + 1)?;
            } else if attribute(key).is_none() && value.get() != "null" {
                self.entry.unknown.push(key, || None);
            }
        }
        self.entry.xml.extend(["</", name, ">"]);
        Ok(())
    }

    /// Returns the single text of a key, for an attribute or the element with this name.
    fn text(&mut self, name: &str, key: &str, value: &RawValue) -> Result<Option<String>> {
        let value = Json::parse(value, self.line)?;
        let problem = match value {
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
            value => return Ok(text(name, value)),
        };
        self.entry
            .problems
            .push(format!("the value of `{key}` is {problem}: it is one text"));
        Ok(None)
    }
}

/// Writes a known field with its content.
fn push_field(xml: &mut String, field: Field<'_>) {
    if !field.is_known() {
        return;
    }
    xml.extend(["<", field.name()]);
    for (name, attribute) in field
        .fields()
        .filter_map(|field| Some((attribute(field.name())?, field)))
    {
        xml.extend([" ", name, "=\""]);
        push_escaped(xml, attribute.text());
        xml.push('"');
    }
    xml.push('>');
    push_escaped(xml, field.text());
    for inner in field.fields().filter(|field| attribute(field.name()).is_none()) {
        push_field(xml, inner);
    }
    xml.extend(["</", field.name(), ">"]);
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
            // Keeps white space unchanged, in attributes too.
            '\t' => xml.push_str("&#9;"),
            '\n' => xml.push_str("&#10;"),
            '\r' => xml.push_str("&#13;"),
            c => xml.push(c),
        }
    }
}

/// Returns the name of the attribute that a key stands for, if it is valid.
fn attribute(key: &str) -> Option<&str> {
    let name = key.strip_prefix('@')?;
    (is_name(name) && !name.contains(':')).then_some(name)
}

/// Names that would begin a document, an entry or a declaration, and `loc`, which has its own key.
const RESERVED: [&str; 6] = ["urlset", "url", "sitemapindex", "sitemap", "xmlns", "loc"];

/// Returns `true` if an element may have this name. Its prefix must be declared.
fn is_name(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    };
    match name.split_once(':') {
        None => is_word(name) && !RESERVED.iter().any(|other| name.eq_ignore_ascii_case(other)),
        Some((prefix, local)) => is_word(local) && EXTENSIONS.iter().any(|(known, _)| *known == prefix),
    }
}

/// The elements and the attribute whose values are `yes` or `no`.
const FLAGS: [&str; 4] = [
    "video:family_friendly",
    "video:requires_subscription",
    "video:live",
    "@allow_embed",
];

/// Returns the text of a value for an element or attribute with this name. `None` if the value has no text.
fn text(name: &str, value: Json<'_>) -> Option<String> {
    let is_flag = FLAGS.contains(&name);
    Some(match value {
        Json::Bool(true) => if is_flag { "yes" } else { "true" }.to_owned(),
        Json::Bool(false) => if is_flag { "no" } else { "false" }.to_owned(),
        Json::Number(number) => number.to_owned(),
        Json::Text(text) => text,
        Json::Null | Json::List(_) | Json::Object(_) => return None,
    })
}
