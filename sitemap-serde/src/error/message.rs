//! The message of an error. It is put together when the error is displayed, so that a program which skips invalid entries
//! does not pay for it.

use std::borrow::Cow;
use std::fmt;

use crate::rule::Rule;
use crate::schema::Row;

/// An error's message: what is wrong and what is allowed, then the rule, then what to do.
#[derive(Clone)]
pub(crate) struct Message {
    problem: Cow<'static, str>,
    /// Printed in parentheses after the rule, such as the section of a standard.
    reference: &'static str,
    advice: Cow<'static, str>,
}

impl Message {
    pub(crate) fn new(problem: impl Into<Cow<'static, str>>) -> Self {
        Message {
            problem: problem.into(),
            reference: "",
            advice: Cow::Borrowed(""),
        }
    }

    #[must_use]
    pub(crate) fn reference(mut self, reference: &'static str) -> Self {
        self.reference = reference;
        self
    }

    #[must_use]
    pub(crate) fn advice(mut self, advice: impl Into<Cow<'static, str>>) -> Self {
        self.advice = advice.into();
        self
    }

    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, rule: Option<Rule>) -> fmt::Result {
        f.write_str(&self.problem)?;
        // A syntax error's text needs no rule id.
        match (rule.filter(|rule| *rule != Rule::Xml), self.reference) {
            (None, "") => {}
            (None, reference) => write!(f, " ({reference})")?,
            (Some(rule), "") => write!(f, " ({rule})")?,
            (Some(rule), reference) => write!(f, " ({rule}, {reference})")?,
        }
        if !self.advice.is_empty() {
            write!(f, "; {}", self.advice)?;
        }
        Ok(())
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for Message {
    fn from(problem: T) -> Self {
        Message::new(problem)
    }
}

/// What was found, and the other parts that the message is made from.
#[derive(Clone)]
pub(crate) struct Finding {
    text: Excerpt,
    /// Names of the schema, or clauses.
    pub(crate) names: [&'static str; 2],
    /// Allowed values.
    pub(crate) list: &'static [&'static str],
    pub(crate) number: u64,
    /// The schema's row of the element or attribute.
    row: Option<&'static Row>,
    /// Whether it was found in a field of an entry, not in the entry itself.
    nested: bool,
}

impl Finding {
    pub(crate) fn none() -> Self {
        Finding::new("")
    }

    pub(crate) fn new(text: &str) -> Self {
        Finding {
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
    pub(crate) fn row(mut self, row: &'static Row) -> Self {
        self.row = Some(row);
        self
    }

    /// The schema's row of the element or attribute; the row of `loc` by default.
    pub(crate) fn of(&self) -> &'static Row {
        self.row.unwrap_or_else(Row::loc)
    }

    /// Whether it was found in a field of an entry, not in the entry itself.
    pub(crate) fn is_nested(&self) -> bool {
        self.nested
    }

    /// The text that was found.
    pub(crate) fn text(&self) -> &str {
        self.text.as_str()
    }
}

/// A copy of a text; only long ones are allocated.
#[derive(Clone)]
enum Excerpt {
    Short { len: u8, bytes: [u8; SHORT] },
    Long(Box<str>),
}

/// Most invalid values, including URLs, fit in.
const SHORT: usize = 126;

impl Excerpt {
    fn new(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(text.as_bytes());
                Excerpt::Short { len, bytes }
            }
            _ => Excerpt::Long(text.into()),
        }
    }

    fn as_str(&self) -> &str {
        match self {
            Excerpt::Short { len, bytes } => bytes
                .get(..usize::from(*len))
                .and_then(|bytes| std::str::from_utf8(bytes).ok())
                .unwrap_or_default(),
            Excerpt::Long(text) => text,
        }
    }
}

/// A message, or the function that makes it when the error is displayed.
#[derive(Clone)]
pub(super) enum LazyMessage {
    Ready(Message),
    /// The function makes the message from the finding.
    Later(Finding, fn(&Finding) -> Message),
}

impl LazyMessage {
    /// Marks the finding as one in a field of the entry.
    pub(super) fn nest(&mut self) {
        if let LazyMessage::Later(finding, _) = self {
            finding.nested = true;
        }
    }

    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, rule: Option<Rule>) -> fmt::Result {
        match self {
            LazyMessage::Ready(message) => message.write(f, rule),
            LazyMessage::Later(finding, explain) => explain(finding).write(f, rule),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_whatever_its_length() {
        for len in 0..300 {
            let text = "é".repeat(len / 2) + &"x".repeat(len % 2);
            let finding = Finding::new(&text);
            assert_eq!(finding.text(), text);
            assert_eq!(matches!(finding.text, Excerpt::Short { .. }), len <= SHORT);
        }
    }
}
