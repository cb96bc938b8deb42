//! The scanner, compared with itself in pieces, and with xml-rs: both give the same events for a document without a DOCTYPE.
//! Documents that only the scanner refuses are skipped: the reasons are in `tests/tests/all/reading/xml_differential.rs`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitemap_serde::__internals::{Event, of_reader, of_slice};
use sitemap_serde::Limits;
use xml_rs::reader::{EventReader, ParserConfig, XmlEvent};

fuzz_target!(|document: &[u8]| {
    let (events, result) = of_slice(document, Limits::reading());
    let (streamed, stream_result) = of_reader(document, Limits::reading());
    assert_eq!(events, streamed);
    assert_eq!(
        result.as_ref().map_err(ToString::to_string),
        stream_result.as_ref().map_err(ToString::to_string)
    );
    if result.is_err()
        || document.windows(9).any(|window| window == b"<!DOCTYPE")
        || std::str::from_utf8(document).is_err()
    {
        return;
    }
    let mut ours = Vec::new();
    for (event, _) in events {
        match (ours.last_mut(), event) {
            (Some(Event::Text(text)), Event::Text(more)) => text.push_str(&more),
            (_, event) => ours.push(event),
        }
    }
    let Some(theirs) = of_xml_rs(document) else { return };
    assert_eq!(ours, theirs);
});

/// `None` if xml-rs refuses it for a reason of its own.
fn of_xml_rs(document: &[u8]) -> Option<Vec<Event>> {
    let config = ParserConfig::new()
        .whitespace_to_characters(true)
        .cdata_to_characters(true)
        .allow_multiple_root_elements(false);
    let mut events = Vec::new();
    for event in EventReader::new_with_config(document, config) {
        match event {
            Ok(XmlEvent::StartElement { name, attributes, .. }) => events.push(Event::Start {
                name: (name.namespace.unwrap_or_default(), name.local_name),
                attributes: attributes
                    .into_iter()
                    .map(|a| (a.name.namespace.unwrap_or_default(), a.name.local_name, a.value))
                    .collect(),
            }),
            Ok(XmlEvent::EndElement { .. }) => events.push(Event::End),
            Ok(XmlEvent::Characters(text) | XmlEvent::Whitespace(text) | XmlEvent::CData(text)) => {
                match events.last_mut() {
                    Some(Event::Text(before)) => before.push_str(&text),
                    _ => events.push(Event::Text(text)),
                }
            }
            Ok(_) => {}
            Err(error) => {
                let said = error.to_string();
                let own = [
                    "cannot be default",
                    "cannot be an element name prefix",
                    "encoding",
                    "cannot be another value",
                ];
                assert!(own.iter().any(|reason| said.contains(reason)), "{said}");
                return None;
            }
        }
    }
    Some(events)
}
