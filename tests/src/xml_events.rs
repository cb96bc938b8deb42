//! Events of XML documents in any vocabulary, from the scanner and from xml-rs, for comparison.

use sitemap_serde::__internals::Event;
use xml_rs::reader::{EventReader, ParserConfig, XmlEvent};

/// Joins adjacent texts, since parsers may split them anywhere.
pub fn joined(events: impl IntoIterator<Item = Event>) -> Vec<Event> {
    let mut joined: Vec<Event> = Vec::new();
    for event in events {
        match (joined.last_mut(), event) {
            (Some(Event::Text(text)), Event::Text(more)) => text.push_str(&more),
            (_, event) => joined.push(event),
        }
    }
    joined
}

/// Reads a document with xml-rs: the events up to its end, or up to the error.
///
/// # Errors
/// The error of xml-rs.
pub fn of_xml_rs(document: &[u8]) -> (Vec<Event>, Result<(), String>) {
    let config = ParserConfig::new()
        .whitespace_to_characters(true)
        .cdata_to_characters(true)
        .coalesce_characters(false)
        .allow_multiple_root_elements(false);
    let mut events = Vec::new();
    for event in EventReader::new_with_config(document, config) {
        match event {
            Ok(XmlEvent::StartElement { name, attributes, .. }) => events.push(Event::Start {
                name: (name.namespace.unwrap_or_default(), name.local_name),
                attributes: attributes
                    .into_iter()
                    .map(|attribute| {
                        let name = attribute.name;
                        (
                            name.namespace.unwrap_or_default(),
                            name.local_name,
                            attribute.value,
                        )
                    })
                    .collect(),
            }),
            Ok(XmlEvent::EndElement { .. }) => events.push(Event::End),
            Ok(XmlEvent::Characters(text) | XmlEvent::Whitespace(text) | XmlEvent::CData(text)) => {
                events.push(Event::Text(text));
            }
            Ok(_) => {}
            Err(error) => return (joined(events), Err(error.to_string())),
        }
    }
    (joined(events), Ok(()))
}
