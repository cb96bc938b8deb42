//! The scanner by itself, for the project's tests and fuzz targets: any XML document as a list of events.

use std::io::Read;

use crate::error::{Position, Result};
use crate::limits::Limits;

use super::names::{KnownNamespaces, split};
use super::scanner::{Scanner, Token};
use super::source::{SliceSource, StreamSource, Window};
use super::vocabulary::Vocabulary;

/// Events of a document, with namespaces resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An element begins.
    Start {
        /// Namespace URI (empty if there is none) and local name.
        name: (String, String),
        /// The attributes other than namespace declarations, in document order: namespace URI, local name and
        /// value.
        attributes: Vec<(String, String, String)>,
    },
    /// An element ends.
    End,
    /// Character data. A text may come in pieces.
    Text(String),
}

/// Reads a document to its end. Returns the events with their positions, and the error that ended reading.
pub fn of_slice(bytes: &[u8], limits: Limits) -> (Vec<(Event, Position)>, Result<()>) {
    collect(SliceSource::from_slice(bytes), limits)
}

/// Like [`of_slice`], from a reader.
pub fn of_reader(reader: impl Read, limits: Limits) -> (Vec<(Event, Position)>, Result<()>) {
    collect(StreamSource::new(reader), limits)
}

fn collect<S: Window>(source: S, limits: Limits) -> (Vec<(Event, Position)>, Result<()>) {
    let mut scanner = Scanner::new(source, limits, KnownNamespaces::default(), Vocabulary::XML);
    let mut events = Vec::new();
    loop {
        let event = match scanner.next() {
            Ok(Token::Eof) => return (events, Ok(())),
            Ok(Token::Aside) => continue,
            Ok(Token::End) => Event::End,
            Ok(Token::Text { span, plain }) => {
                let text = if plain {
                    scanner.text(span)
                } else {
                    scanner.resolved()
                };
                Event::Text(text.to_owned())
            }
            Ok(Token::Start { name, .. }) => {
                let expand = |qualified: &str, default: bool| {
                    let (prefix, local) = split(qualified);
                    let uri = if prefix.is_empty() && !default {
                        None
                    } else {
                        scanner.uri(prefix)
                    };
                    (uri.unwrap_or_default().to_owned(), local.to_owned())
                };
                let attributes = scanner.attributes().iter().map(|attribute| {
                    let (uri, local) = expand(scanner.text(attribute.name.clone()), false);
                    (uri, local, scanner.value(&attribute.value).to_owned())
                });
                Event::Start {
                    attributes: attributes.collect(),
                    name: expand(scanner.text(name), true),
                }
            }
            Err(error) => return (events, Err(error)),
        };
        let position = scanner.position(scanner.token().start);
        events.push((event, position));
    }
}
