//! The schemas' rules for a document's elements, except for their values: attributes and order.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Defect, Error, Message};
use crate::record::RecordView;
use crate::schema::Name;
use crate::xml::element::ElementText;
use crate::xml::scanner::is_misspelt_xmlns;

use super::{Finding, Findings};

/// Errors for the attributes of an entry and its core elements.
pub(super) fn of_entry(view: &RecordView<'_, '_>, found: &mut Findings) {
    let text = view.text.get();
    found.extend(unknown_attribute(text).map(|error| Finding::new(error.at_offset(0))));
    let mut i = 0;
    while let Some(node) = view.node(i) {
        let outer = node.outer();
        if node.name.is_core() {
            let error = text.get(outer.clone()).and_then(unknown_attribute);
            found.extend(
                error.map(|error| Finding::new(error.at_offset(outer.start)).within(view.name(node))),
            );
        }
        i = node.next();
    }
}

/// The error for an attribute of an element that must have none; `text` begins with its start tag. Namespaces may be declared anywhere, and
/// a schema be named. The reader reports a misspelt `xmlns`.
pub(super) fn unknown_attribute(text: &str) -> Option<Error> {
    // Nearly every tag ends before a `=`.
    let end = memchr::memchr2(b'=', b'>', text.as_bytes())?;
    if text.as_bytes().get(end) != Some(&b'=') {
        return None;
    }
    let element = ElementText::new(text)?;
    let attribute = element.attributes().find(|name| !is_allowed(name))?;
    let message = Message::new(format!(
        "`{}` has the attribute {}, and the schema has none",
        element.name(),
        quote(attribute)
    ));
    let advice = if attribute == "contentType" {
        "in a schema map, which lists structured data, name the document by `Schemamap:` in robots.txt, not by `Sitemap:`; \
         otherwise remove it"
    } else {
        "remove it: crawlers ignore it"
    };
    let error = Error::data(message.advice(advice));
    Some(error.breaks(Rule::SitemapXsd).with_defect(Defect::Unknown))
}

fn is_allowed(attribute: &str) -> bool {
    let prefix = attribute.split_once(':').map_or("", |(prefix, _)| prefix);
    attribute == "xmlns" || matches!(prefix, "xmlns" | "xsi") || is_misspelt_xmlns(attribute)
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
