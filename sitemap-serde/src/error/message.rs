//! The message of an error. It is formatted when the error is displayed, so that a program that skips invalid entries
//! does not pay for it.

use std::borrow::Cow;

use sitemap_values::{Advice, Excerpt, Message, ValueError};

use crate::schema::SchemaRow;

/// The advice to lift the limits on the structure.
pub(crate) fn trust() -> Advice {
    Advice::of_api(
        "Limits",
        "if you trust the document, read it with `Limits::trusted`",
    )
}

/// The advice to raise a limit.
pub(crate) fn raise(limit: &str) -> Advice {
    Advice::of_api(
        "Limits",
        format!("if you trust the document, raise the limit with `Limits::with_{limit}`"),
    )
}

/// The advice to omit a field of a row.
pub(crate) fn skip_field() -> Advice {
    Advice::of_api(
        "skip_serializing",
        "leave it out with `#[serde(skip_serializing)]`",
    )
}

/// The rejected text, and the other parts that the message is made from.
#[derive(Clone)]
pub(crate) struct Facts {
    text: Excerpt,
    /// Names of the schema, or clauses.
    pub(crate) names: [&'static str; 2],
    /// Allowed values.
    pub(crate) list: &'static [&'static str],
    pub(crate) number: u64,
    /// The schema's row of the element or attribute.
    row: Option<&'static SchemaRow>,
    /// `true` if it was found in a field of an entry, not in the entry itself.
    nested: bool,
}

impl Facts {
    pub(crate) fn none() -> Self {
        Facts::new("")
    }

    pub(crate) fn new(text: &str) -> Self {
        Facts {
            text: Excerpt::new(text),
            names: [""; 2],
            list: &[],
            number: 0,
            row: None,
            nested: false,
        }
    }

    #[must_use]
    pub(crate) fn names(mut self, names: [&'static str; 2]) -> Self {
        self.names = names;
        self
    }

    #[must_use]
    pub(crate) fn list(mut self, list: &'static [&'static str]) -> Self {
        self.list = list;
        self
    }

    #[must_use]
    pub(crate) fn number(mut self, number: u64) -> Self {
        self.number = number;
        self
    }

    #[must_use]
    pub(crate) fn row(mut self, row: &'static SchemaRow) -> Self {
        self.row = Some(row);
        self
    }

    /// The schema's row of the element or attribute; the row of `loc` by default.
    pub(crate) fn of(&self) -> &'static SchemaRow {
        self.row.unwrap_or_else(SchemaRow::loc)
    }

    /// Returns `true` if it was found in a field of an entry, not in the entry itself.
    pub(crate) fn is_nested(&self) -> bool {
        self.nested
    }

    /// The text that was found.
    pub(crate) fn text(&self) -> &str {
        self.text.as_str()
    }
}

/// A message, or the function that makes it when the error is displayed.
#[derive(Clone)]
pub(super) enum LazyMessage {
    Ready(Message),
    /// The function makes the message from the finding.
    Later(Facts, fn(&Facts) -> Message),
    /// The message of an error about a value.
    Value(ValueError),
}

impl LazyMessage {
    /// Marks the finding as belonging to a field of the entry.
    pub(super) fn nest(&mut self) {
        if let LazyMessage::Later(finding, _) = self {
            finding.nested = true;
        }
    }

    /// The parts of the message.
    pub(super) fn get(&self) -> Cow<'_, Message> {
        match self {
            LazyMessage::Ready(message) => Cow::Borrowed(message),
            LazyMessage::Later(finding, explain) => Cow::Owned(explain(finding)),
            LazyMessage::Value(error) => error.message(),
        }
    }
}
