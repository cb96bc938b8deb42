//! The schemas' rules for a document's elements, except for their values: attributes and order.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Defect, Error, Message};
use crate::record::RecordView;
use crate::schema::Name;

use super::{Finding, Findings};

/// Errors for the attributes of an entry and its core elements.
pub(super) fn of_entry(view: &RecordView<'_, '_>, found: &mut Findings) {
    let text = view.text.get();
    let Some(start) = start_tag(text) else { return };
    found.extend(unknown_attribute(start).map(|error| Finding::new(error.at_offset(0))));
    let mut i = 0;
    while let Some(node) = view.node(i) {
        let outer = node.outer();
        if node.name.is_core() {
            let tag = text.get(outer.clone()).and_then(start_tag);
            let error = tag.and_then(unknown_attribute);
            found.extend(
                error.map(|error| Finding::new(error.at_offset(outer.start)).within(view.name(node))),
            );
        }
        i = node.next();
    }
}

/// The error for an attribute of a tag whose element must have none. Namespaces may be declared anywhere, and a schema be named.
pub(super) fn unknown_attribute(tag: &str) -> Option<Error> {
    let (element, mut rest) = tag.strip_prefix('<')?.split_once([' ', '\t', '\r', '\n'])?;
    loop {
        let (name, behind) = rest.split_once('=')?;
        let name = name.trim();
        if !is_allowed(name) {
            let message = Message::new(format!(
                "`{element}` has the attribute {}, and the schema has none",
                quote(name)
            ));
            let advice = if name == "contentType" {
                "in a schema map, which lists structured data, name the document by `Schemamap:` in robots.txt, not by `Sitemap:`; \
                 otherwise remove it"
            } else {
                "remove it: crawlers ignore it"
            };
            let error = Error::data(message.advice(advice));
            return Some(error.breaks(Rule::SitemapXsd).with_defect(Defect::Unknown));
        }
        let value = behind.trim_start();
        let delimiter = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        (_, rest) = value.get(1..)?.split_once(delimiter)?;
    }
}

fn is_allowed(attribute: &str) -> bool {
    let prefix = attribute.split_once(':').map_or("", |(prefix, _)| prefix);
    attribute == "xmlns" || matches!(prefix, "xmlns" | "xsi")
}

/// The start tag that a text begins with.
pub(super) fn start_tag(text: &str) -> Option<&str> {
    let mut quoted = None;
    let end = text.bytes().position(|b| match (quoted, b) {
        (None, b'"' | b'\'') => {
            quoted = Some(b);
            false
        }
        (Some(open), b) if open == b => {
            quoted = None;
            false
        }
        (None, b'>') => true,
        _ => false,
    })?;
    text.get(..=end).filter(|tag| tag.starts_with('<'))
}

/// Checks that the children of an element are in the order of its schema.
#[derive(Debug, Default)]
pub(super) struct Order {
    last: usize,
    is_broken: bool,
}

impl Order {
    /// Takes the next child, and returns an error for the first child that is out of order. Elements outside the schema, and the children
    /// of an image, which has no order, may be anywhere.
    pub(super) fn next(&mut self, child: Name) -> Option<Error> {
        let name = child.as_static()?;
        if self.is_broken || !matches!(name.split_once(':'), Some(("video" | "news", _))) {
            return None;
        }
        if child.index() >= self.last {
            self.last = child.index();
            return None;
        }
        self.is_broken = true;
        let message = Message::new(format!(
            "`{name}` is out of order: the schema has it before the element in front of it"
        ));
        Some(Error::data(message.advice("move it")).with_defect(Defect::Unknown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_unknown_unless_they_declare_something() {
        for (tag, expected) in [
            ("<url>", false),
            ("<url >", false),
            (
                "<url xmlns='a'\n xmlns:b = \"c=d\" xsi:schemaLocation=\"a b\">",
                false,
            ),
            ("<url id='1'>", true),
            ("<url xmlns='a' xml:lang=\"en\">", true),
        ] {
            assert_eq!(unknown_attribute(tag).is_some(), expected, "{tag}");
        }
    }
}
