//! What the schemas say of a document's elements apart from their values: attributes, text between elements, and order.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Defect, Error, Message};
use crate::record::RecordView;
use crate::schema::Name;
use crate::xml::chars::is_space;

use super::{Finding, Findings};

/// Errors for the attributes of an entry and its core elements, and for text between its elements.
pub(super) fn of_entry(view: &RecordView<'_, '_>, found: &mut Findings) {
    let text = view.text.get();
    let Some(start) = start_tag(text) else { return };
    found.extend(unknown_attribute(start).map(|error| Finding::new(error.at_offset(0))));
    let mut gap = start.len();
    let mut i = 0;
    while let Some(node) = view.node(i) {
        let outer = node.outer();
        found.extend(stray_text(text, gap, outer.start));
        if node.name.is_core() {
            let tag = text.get(outer.clone()).and_then(start_tag);
            let error = tag.and_then(unknown_attribute);
            found.extend(
                error.map(|error| Finding::new(error.at_offset(outer.start)).within(view.name(node))),
            );
        }
        gap = outer.end;
        i = node.next();
    }
    let end = text.rfind("</").unwrap_or(text.len());
    found.extend(stray_text(text, gap, end));
}

/// The error for an attribute of a tag whose element has none. Namespaces may be declared anywhere, and a schema be named.
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
            let error = Error::data(message.advice("remove it: crawlers ignore it"));
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

/// The finding for text of an entry in a range between elements that are known.
fn stray_text(text: &str, from: usize, to: usize) -> Option<Finding> {
    let gap = text.get(from..to)?;
    let at = first_text(gap)?;
    let words = gap.get(at..)?.split('<').next().unwrap_or_default().trim_end();
    let message = Message::new(format!(
        "the text {} between the elements of an entry, which has elements only",
        quote(words)
    ));
    let error = Error::data(message.advice("remove it, or put it in a comment"))
        .breaks(Rule::SitemapXsd)
        .with_defect(Defect::Unknown);
    Some(Finding::new(error.at_offset(from + at)).len(words.len()))
}

/// The offset of the first character that is not white space, outside of comments, instructions and elements of other namespaces.
fn first_text(gap: &str) -> Option<usize> {
    let mut at = 0;
    let mut depth = 0_usize;
    while let Some(rest) = gap.get(at..).filter(|rest| !rest.is_empty()) {
        let markup = memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
        if depth == 0
            && let Some(text) = rest.bytes().take(markup).position(|b| !is_space(b))
        {
            return Some(at + text);
        }
        let tag = rest.get(markup..)?;
        let len = if tag.starts_with("<!--") {
            tag.find("-->")? + 3
        } else if tag.starts_with("<![CDATA[") {
            if depth == 0 && !tag.starts_with("<![CDATA[]]>") {
                return Some(at + markup);
            }
            tag.find("]]>")? + 3
        } else if tag.starts_with("<?") {
            tag.find("?>")? + 2
        } else {
            let tag = start_tag(tag)?;
            match (tag.starts_with("</"), tag.ends_with("/>")) {
                (true, _) => depth = depth.saturating_sub(1),
                (false, true) => {}
                (false, false) => depth += 1,
            }
            tag.len()
        };
        at += markup + len;
    }
    None
}

/// Whether the children of an element are in the order of its schema so far.
#[derive(Debug, Default)]
pub(super) struct Order {
    last: usize,
    is_broken: bool,
}

impl Order {
    /// Takes the next child, and returns an error for the first one that is out of order. Elements that are not in the schema, and those of
    /// an image, which has none, are in any order.
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
    fn text_is_found_outside_of_elements() {
        for (gap, expected) in [
            ("", None),
            (" \n", None),
            ("<!-- x -->", None),
            ("<?x y?> <o:x a='>'>text<o:y/><b>c</b></o:x>\n", None),
            ("x", Some(0)),
            ("<o:x/> x", Some(7)),
            ("<o:x>y</o:x>z", Some(12)),
            (" <![CDATA[x]]>", Some(1)),
            ("<![CDATA[]]>", None),
            ("<!--", None),
            ("<x", None),
        ] {
            assert_eq!(first_text(gap), expected, "{gap}");
        }
    }

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
