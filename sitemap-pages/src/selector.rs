//! The selectors of elements that are ignored.

use crate::error::{Error, ErrorKind, Result};
use crate::html::Attributes;

/// A list of compound selectors of CSS, without combinators: `.views`, `span#clock`, `[data-live]`, `time.ago, [role="timer"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selector {
    alternatives: Vec<Compound>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Compound {
    name: Option<String>,
    conditions: Vec<Condition>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Word { attribute: &'static str, word: String },
    Exists { attribute: String },
    Equals { attribute: String, value: String },
}

impl Selector {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let alternatives: Option<Vec<_>> = text.split(',').map(|part| Compound::parse(part.trim())).collect();
        alternatives
            .map(|alternatives| Selector { alternatives })
            .ok_or_else(|| {
                let problem = format!(
                    "cannot read the selector `{text}`: write the name, id, classes or attributes of one element, such as \
                     `span.views` or `[data-live=\"yes\"]`"
                );
                Error::new(ErrorKind::Setting, problem)
            })
    }

    pub(crate) fn matches(&self, name: &[u8], attributes: &Attributes) -> bool {
        self.alternatives
            .iter()
            .any(|compound| compound.matches(name, attributes))
    }
}

impl Compound {
    fn parse(text: &str) -> Option<Self> {
        let (name, mut rest) = word(text);
        let mut compound = Compound {
            name: (!name.is_empty()).then(|| name.to_ascii_lowercase()),
            conditions: Vec::new(),
        };
        if name.is_empty() {
            rest = rest.strip_prefix('*').unwrap_or(rest);
        }
        while let Some(first) = rest.chars().next() {
            let after = &rest[first.len_utf8()..];
            let attribute = match first {
                '.' => "class",
                '#' => "id",
                '[' => {
                    let (inside, after) = after.split_once(']')?;
                    compound.conditions.push(Condition::parse(inside)?);
                    rest = after;
                    continue;
                }
                _ => return None,
            };
            let (found, after) = word(after);
            if found.is_empty() {
                return None;
            }
            let word = found.to_owned();
            compound.conditions.push(Condition::Word { attribute, word });
            rest = after;
        }
        (!text.is_empty()).then_some(compound)
    }

    fn matches(&self, name: &[u8], attributes: &Attributes) -> bool {
        self.name.as_deref().is_none_or(|own| own.as_bytes() == name)
            && self
                .conditions
                .iter()
                .all(|condition| condition.matches(attributes))
    }
}

impl Condition {
    fn parse(text: &str) -> Option<Self> {
        let (attribute, value) = match text.split_once('=') {
            Some((attribute, value)) => (attribute, Some(value)),
            None => (text, None),
        };
        let (attribute, rest) = word(attribute.trim());
        if attribute.is_empty() || !rest.is_empty() {
            return None;
        }
        let attribute = attribute.to_ascii_lowercase();
        Some(match value {
            None => Condition::Exists { attribute },
            Some(value) => Condition::Equals {
                attribute,
                value: value.trim().trim_matches(['"', '\'']).to_owned(),
            },
        })
    }

    fn matches(&self, attributes: &Attributes) -> bool {
        match self {
            // Ids and classes are case-sensitive, as in documents without quirks.
            Condition::Word { attribute, word } => attributes.bytes(attribute).is_some_and(|value| {
                value
                    .split(u8::is_ascii_whitespace)
                    .any(|found| found == word.as_bytes())
            }),
            Condition::Exists { attribute } => attributes.bytes(attribute).is_some(),
            Condition::Equals { attribute, value } => attributes.bytes(attribute) == Some(value.as_bytes()),
        }
    }
}

/// Splits off the identifier at the beginning.
fn word(text: &str) -> (&str, &str) {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii();
    text.split_at(text.find(|c| !is_word(c)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::Selector;
    use crate::html::Attributes;

    fn attributes(pairs: &[(&str, &str)]) -> Attributes {
        let mut attributes = Attributes::new(true);
        for (name, value) in pairs {
            attributes.push_name(name.as_bytes());
            attributes.push_value(value.as_bytes());
        }
        attributes
    }

    #[test]
    fn elements_by_name_id_class_and_attribute() {
        let span = attributes(&[
            ("class", "count views"),
            ("id", "v1"),
            ("data-live", "yes"),
            ("hidden", ""),
        ]);
        for (selector, is_match) in [
            ("span", true),
            ("SPAN", true),
            ("div", false),
            ("*", true),
            (".views", true),
            (".Views", false),
            (".view", false),
            ("span.count.views#v1", true),
            ("span.count.other", false),
            ("#v1", true),
            ("#v2", false),
            ("[hidden]", true),
            ("[missing]", false),
            ("[data-live=yes]", true),
            ("[data-live=\"yes\"]", true),
            ("[data-live='no']", false),
            ("div, .count", true),
            ("div, p", false),
        ] {
            let parsed = Selector::parse(selector).unwrap();
            assert_eq!(parsed.matches(b"span", &span), is_match, "{selector}");
        }
    }

    #[test]
    fn what_is_no_selector_is_an_error() {
        for wrong in [
            "", "a b", "a > b", ".", "#", "a:hover", "[", "[]", "[=x]", "a,,b", "[a b]", "a,",
        ] {
            assert_eq!(
                Selector::parse(wrong).unwrap_err().to_string(),
                format!(
                    "cannot read the selector `{wrong}`: write the name, id, classes or attributes of one element, such as \
                     `span.views` or `[data-live=\"yes\"]`"
                )
            );
        }
    }
}
