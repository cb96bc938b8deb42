//! The parts of an error's message.
//!
//! **A message has parts**: problem, reference, advice, and the suggestion, a value that is certain or not. The lint adds the bytes
//! that the value replaces (`lint/finding`), so `lint --fix` and SARIF apply any rule's suggestion without knowing the rule.

use std::borrow::Cow;
use std::fmt;

use crate::rules::Rule;

use super::{Advice, Suggestion};

/// An error's message in its parts: the problem, with the rejected text and the allowed values; the advice; and the suggestion, if
/// the intent is clear.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Message {
    /// The rejected text, and the allowed values.
    pub problem: Cow<'static, str>,
    /// Printed in parentheses after the rule, such as the section of a standard; may be empty.
    pub reference: &'static str,
    /// The advice.
    pub advice: Option<Advice>,
    /// The replacement for the rejected text. It is not printed, since the advice contains it.
    pub suggestion: Option<Suggestion>,
}

impl Message {
    /// A message without advice: the rejected text, and the allowed values.
    #[doc(hidden)]
    pub fn new(problem: impl Into<Cow<'static, str>>) -> Self {
        Message {
            problem: problem.into(),
            reference: "",
            advice: None,
            suggestion: None,
        }
    }

    /// Adds text in parentheses after the rule, such as the section of a standard.
    #[doc(hidden)]
    #[must_use]
    pub fn reference(mut self, reference: &'static str) -> Self {
        self.reference = reference;
        self
    }

    /// Adds the advice.
    #[doc(hidden)]
    #[must_use]
    pub fn advice(mut self, advice: impl Into<Advice>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    /// Adds the replacement for the rejected text.
    #[doc(hidden)]
    #[must_use]
    pub fn suggestion(mut self, suggestion: Suggestion) -> Self {
        self.suggestion = Some(suggestion);
        self
    }

    /// Adds a certainly intended value, as advice and as suggestion.
    #[doc(hidden)]
    #[must_use]
    pub fn meaning(self, value: impl fmt::Display) -> Self {
        let value = value.to_string();
        self.advice(format!("write `{value}`"))
            .suggestion(Suggestion::certain(value))
    }

    /// Writes the message with the broken rule: `problem (rule, reference); advice`.
    ///
    /// # Errors
    ///
    /// Errors of the formatter.
    #[doc(hidden)]
    pub fn write(&self, f: &mut (impl fmt::Write + ?Sized), rule: Option<Rule>) -> fmt::Result {
        f.write_str(&self.problem)?;
        // A syntax error's text needs no rule id.
        match (rule.filter(|rule| *rule != Rule::Xml), self.reference) {
            (None, "") => {}
            (None, reference) => write!(f, " ({reference})")?,
            (Some(rule), "") => write!(f, " ({rule})")?,
            (Some(rule), reference) => write!(f, " ({rule}, {reference})")?,
        }
        if let Some(advice) = &self.advice {
            write!(f, "; {advice}")?;
        }
        Ok(())
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for Message {
    fn from(problem: T) -> Self {
        Message::new(problem)
    }
}
