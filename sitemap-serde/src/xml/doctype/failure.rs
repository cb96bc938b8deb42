//! Why xml-rs refuses a document.
//!
//! The kind of nearly all its errors is `Syntax`, with a text. These texts are compared here, and nowhere else, and whole: names in the
//! document are part of some. The test makes xml-rs fail in each way, so that a version with other texts fails it.

use std::borrow::Cow;

use xml_rs::reader::{self, ErrorKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause<'a> {
    /// The document is cut off.
    End,
    /// Entities expand to more than is allowed.
    Expansion,
    /// A name, value or text is longer than allowed, or there are more attributes.
    Size,
    /// A reference to this entity, which is not declared, or was hidden as external; `%name` in the DOCTYPE.
    Entity(&'a str),
    Other,
}

impl<'a> Cause<'a> {
    pub(super) fn of(error: &'a reader::Error) -> Self {
        let text = match error.kind() {
            ErrorKind::UnexpectedEof => return Cause::End,
            ErrorKind::Syntax(text) => &**text,
            _ => return Cause::Other,
        };
        match text {
            "Unexpected end of stream"
            | "Unexpected end of stream: no root element found"
            | "Unexpected end of stream: still inside the root element" => Cause::End,
            "Entity too big" => Cause::Expansion,
            "This document is larger/more complex than allowed by the parser's configuration" => Cause::Size,
            _ => {
                let entity = ["Undefined entity: ", "Unexpected entity: "];
                let entity = entity.iter().find_map(|start| text.strip_prefix(start));
                entity.map_or(Cause::Other, Cause::Entity)
            }
        }
    }
}

/// The error's text, without its position.
pub(super) fn message(error: &reader::Error) -> Cow<'_, str> {
    match error.kind() {
        ErrorKind::Syntax(text) => Cow::Borrowed(text),
        _ => {
            // It begins with row and column.
            let text = error.to_string();
            let message = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
            Cow::Owned(message.trim_start().to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use xml_rs::reader::{EventReader, ParserConfig};

    use super::*;

    fn error_of(document: &[u8]) -> reader::Error {
        let mut config = ParserConfig::new();
        config.max_entity_expansion_length = 40;
        config.max_name_length = 12;
        config.max_attributes = 2;
        config.max_attribute_length = 30;
        config.max_data_length = 100;
        let events = EventReader::new_with_config(document, config);
        let error = events.into_iter().find_map(Result::err);
        error.unwrap_or_else(|| panic!("{} is accepted", document.escape_ascii()))
    }

    #[test]
    fn xml_rs_fails_for_these_causes() {
        let doctype =
            "<!DOCTYPE a [<!ENTITY b \"0123456789\"><!ENTITY c \"&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;\">]>";
        for (content, cause) in [
            ("", Cause::End),
            ("<a>", Cause::End),
            ("<a", Cause::End),
            ("<a b='", Cause::End),
            ("<a><!-- ", Cause::End),
            ("<a><?b ", Cause::End),
            ("<a>&d;</a>", Cause::Expansion),
            ("<abcdefghijklmnopqrstuvwxyz/>", Cause::Size),
            ("<a b='' c='' d='' e=''/>", Cause::Size),
            ("<a b='0123456789012345678901234567890123456789'/>", Cause::Size),
            ("<a>&unknown;</a>", Cause::Entity("unknown")),
            ("<a>too big</b>", Cause::Other),
            ("<a b:c='' />", Cause::Other),
            ("<a>&#0;</a>", Cause::Other),
        ] {
            let document = format!("{doctype}{content}");
            let error = error_of(document.as_bytes());
            assert_eq!(Cause::of(&error), cause, "{content}: {error}");
        }
        let error = error_of(b"<!DOCTYPE a [%unknown;]><a/>");
        assert_eq!(Cause::of(&error), Cause::Entity("%unknown"), "{error}");
        // The words of a cause in a name are none.
        for name in ["than allowed", "too big", "end of stream", "an entity: x"] {
            let error = error_of(format!("<?xml version='1.0' encoding='{name}'?><a/>").as_bytes());
            assert_eq!(Cause::of(&error), Cause::Other, "{error}");
        }
    }

    #[test]
    fn messages_have_no_position() {
        let error = error_of(b"<!DOCTYPE a>\n<a></b>");
        assert_eq!(message(&error), "Unexpected closing tag: b != a");
        let error = error_of(b"<!DOCTYPE a>\n<a>\xff</a>");
        assert!(error.to_string().ends_with(&*message(&error)), "{error}");
        assert!(
            !message(&error).starts_with(|c: char| c.is_ascii_digit()),
            "{error}"
        );
    }
}
