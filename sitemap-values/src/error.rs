//! The error for a text or number that is not a value of its type, and the parts of its message.
//!
//! | file | content |
//! |---|---|
//! | this file | `ValueError` |
//! | `message`, `advice`, `suggestion` | the parts of its message: the problem, the advice, replacements |
//! | `excerpt` | a copy of the rejected text |

mod advice;
mod excerpt;
mod message;
mod suggestion;

use std::borrow::Cow;
use std::fmt;

use crate::handover;
use crate::rules::Rule;

pub use advice::Advice;
pub use excerpt::Excerpt;
pub use message::Message;
pub use suggestion::Suggestion;

/// A result whose error is [`ValueError`] by default.
pub type Result<T, E = ValueError> = std::result::Result<T, E>;

/// The error for a text or number that is not a value of its type.
///
/// Its message contains the rejected text, the allowed values and the advice.
///
/// ```
/// use sitemap_serde::{Priority, Rule};
///
/// let error = "1.5".parse::<Priority>().unwrap_err();
/// assert_eq!(error.rule(), Some(Rule::Prio));
/// assert_eq!(
///     error.to_string(),
///     "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); \
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
    #[doc(hidden)]
    #[cold]
    pub fn new(message: impl Into<Message>) -> Self {
        ValueError {
            rule: None,
            message: LazyMessage::Ready(Box::new(message.into())),
        }
    }

    /// The error for a text. Its message is made when the error is displayed.
    #[doc(hidden)]
    #[cold]
    pub fn of(text: &str, explain: fn(&str) -> Message) -> Self {
        ValueError {
            rule: None,
            message: LazyMessage::Later(Excerpt::new(text), explain),
        }
    }

    /// Sets the rule that the value breaks.
    #[doc(hidden)]
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
    #[doc(hidden)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::check_hreflang;
    use crate::{ChangeFreq, Decimal, Priority, W3cDateTime};

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

    /// A suggestion is a valid value, and the advice contains it.
    #[test]
    fn a_suggestion_is_a_value() {
        let texts = [
            "2026/5/1",
            "01.05.2026",
            "2026-05-01 10:00",
            "20260501T10Z",
            "Fri, 1 May 2026",
            "0,8",
            " 0.5 ",
            "5e-1",
            "8",
            "Daily",
            "dayly",
            "annually",
            "often",
            "en-UK",
            "zh-Hant-uk",
            "EN_gb",
            "4,5",
            "",
            "x",
        ];
        type Explain = fn(&str) -> Option<ValueError>;
        let kinds: [Explain; 5] = [
            |text| text.parse::<W3cDateTime>().err(),
            |text| text.parse::<Priority>().err(),
            |text| text.parse::<ChangeFreq>().err(),
            |text| text.parse::<Decimal>().err(),
            |text| check_hreflang(text).err(),
        ];
        let mut certain = Vec::new();
        for (kind, text) in kinds.iter().flat_map(|kind| texts.map(|text| (kind, text))) {
            let Some(error) = kind(text) else { continue };
            let message = error.message();
            let advice = message
                .advice
                .as_ref()
                .map_or(message.problem.to_string(), ToString::to_string);
            let Some(suggestion) = &message.suggestion else {
                // A choice of two values is not a suggestion.
                let is_of_two = advice.contains(" if it begins with the month, ");
                assert!(
                    !advice.starts_with("write `") || advice.contains(" like ") || is_of_two,
                    "{advice}"
                );
                continue;
            };
            assert!(kind(suggestion.value()).is_none(), "{text}: {suggestion:?}");
            if suggestion.is_certain() {
                certain.push((text, suggestion.value().to_owned()));
            }
        }
        let expected = [
            ("2026/5/1", "2026-05-01"),
            ("20260501T10Z", "2026-05-01T10:00Z"),
            ("Fri, 1 May 2026", "2026-05-01"),
            ("0,8", "0.8"),
            (" 0.5 ", "0.5"),
            ("5e-1", "0.5"),
            ("Daily", "daily"),
            ("0,8", "0.8"),
            (" 0.5 ", "0.5"),
            ("4,5", "4.5"),
            ("en-UK", "en-GB"),
            ("zh-Hant-uk", "zh-Hant-GB"),
            ("EN_gb", "EN-gb"),
        ];
        assert_eq!(certain, expected.map(|(text, meant)| (text, meant.to_owned())));
    }
}
