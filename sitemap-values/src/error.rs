//! The error for a text or number that is not a value of its type, and the parts of its message.

use std::borrow::Cow;
use std::fmt;

use crate::handover;
use crate::rule::Rule;

/// A result whose error is [`ValueError`] by default.
pub type Result<T, E = ValueError> = std::result::Result<T, E>;

/// The error for a text or number that is not a value of its type.
///
/// Its message says what was found, what is allowed and what to do.
///
/// ```
/// use sitemap_values::{Priority, Rule};
///
/// let error = "1.5".parse::<Priority>().unwrap_err();
/// assert_eq!(error.rule(), Some(Rule::Prio));
/// assert_eq!(
///     error.to_string(),
///     "`1.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); \
///      write a value in that range, or leave the field out",
/// );
/// ```
#[derive(Clone)]
pub struct ValueError {
    rule: Option<Rule>,
    message: LazyMessage,
}

/// A message, or the text and the function that makes the message from it when the error is displayed: a program that skips
/// invalid values does not pay for messages.
#[derive(Clone)]
enum LazyMessage {
    Ready(Box<Message>),
    Later(Excerpt, fn(&str) -> Message),
}

impl ValueError {
    /// An error with this message.
    #[cold]
    pub fn new(message: impl Into<Message>) -> Self {
        ValueError {
            rule: None,
            message: LazyMessage::Ready(Box::new(message.into())),
        }
    }

    /// The error for a text, whose message is made from it when the error is displayed.
    #[cold]
    pub fn of(text: &str, explain: fn(&str) -> Message) -> Self {
        ValueError {
            rule: None,
            message: LazyMessage::Later(Excerpt::new(text), explain),
        }
    }

    /// Sets the rule that the value breaks.
    #[must_use]
    pub fn breaks(mut self, rule: Rule) -> Self {
        self.rule = Some(rule);
        self
    }

    /// The rule that the value breaks.
    pub fn rule(&self) -> Option<Rule> {
        self.rule
    }

    /// The parts of the message.
    pub fn message(&self) -> Cow<'_, Message> {
        match &self.message {
            LazyMessage::Ready(message) => Cow::Borrowed(message),
            LazyMessage::Later(text, explain) => Cow::Owned(explain(text.as_str())),
        }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if handover::hand_over(f, || self.clone()) {
            return Ok(());
        }
        self.message().write(f, self.rule)
    }
}

/// The [`Display`](fmt::Display) message, so that a failed `unwrap` is readable.
impl fmt::Debug for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ValueError({self})")
    }
}

impl std::error::Error for ValueError {}

/// An error's message: what is wrong and what is allowed, then the rule, then what to do.
#[derive(Clone, Debug)]
pub struct Message {
    problem: Cow<'static, str>,
    reference: &'static str,
    advice: Cow<'static, str>,
}

impl Message {
    /// A message without advice: what is wrong, and what is allowed.
    pub fn new(problem: impl Into<Cow<'static, str>>) -> Self {
        Message {
            problem: problem.into(),
            reference: "",
            advice: Cow::Borrowed(""),
        }
    }

    /// Adds what is printed in parentheses after the rule, such as the section of a standard.
    #[must_use]
    pub fn reference(mut self, reference: &'static str) -> Self {
        self.reference = reference;
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn advice(mut self, advice: impl Into<Cow<'static, str>>) -> Self {
        self.advice = advice.into();
        self
    }

    /// Writes the message with the broken rule.
    ///
    /// # Errors
    ///
    /// The formatter's.
    pub fn write(&self, f: &mut fmt::Formatter<'_>, rule: Option<Rule>) -> fmt::Result {
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

/// A copy of a text; only a long one is allocated.
#[derive(Clone)]
pub struct Excerpt(Repr);

#[derive(Clone)]
enum Repr {
    Short { len: u8, bytes: [u8; SHORT] },
    Long(Box<str>),
}

/// Most invalid values, including URLs, fit in; and an error with one has less than 128 bytes.
const SHORT: usize = 102;

impl Excerpt {
    /// Copies a text.
    pub fn new(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        Excerpt(match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(len)) => {
                place.copy_from_slice(text.as_bytes());
                Repr::Short { len, bytes }
            }
            _ => Repr::Long(text.into()),
        })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Short { len, bytes } => bytes
                .get(..usize::from(*len))
                .and_then(|bytes| std::str::from_utf8(bytes).ok())
                .unwrap_or_default(),
            Repr::Long(text) => text,
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
            let excerpt = Excerpt::new(&text);
            assert_eq!(excerpt.as_str(), text);
            assert_eq!(matches!(excerpt.0, Repr::Short { .. }), len <= SHORT);
        }
    }

    #[test]
    fn is_moved_without_an_allocation() {
        assert!(size_of::<ValueError>() < 128);
    }

    #[test]
    fn has_a_rule_and_advice() {
        let error = ValueError::new(Message::new("no").reference("section 1").advice("write yes"));
        assert_eq!(error.to_string(), "no (section 1); write yes");
        let error = error.breaks(Rule::Loc);
        assert_eq!(error.to_string(), "no (P-LOC, section 1); write yes");
        assert_eq!(
            format!("{error:?}"),
            "ValueError(no (P-LOC, section 1); write yes)"
        );
        assert_eq!(ValueError::new("no").breaks(Rule::Xml).to_string(), "no");
    }
}
