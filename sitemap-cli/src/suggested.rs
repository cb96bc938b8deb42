//! Completions for an option that accepts any text, and reports invalid values itself.

use std::ffi::OsStr;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use sitemap_serde::Rule;
use sitemap_serde::engine::Engine;

/// Accepts any text, and suggests some values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Suggested(fn() -> Vec<PossibleValue>);

impl Suggested {
    pub(crate) fn new(values: fn() -> Vec<PossibleValue>) -> Self {
        Suggested(values)
    }
}

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter()))
    }
}

/// Suggests the search engines.
pub(crate) fn engines() -> Suggested {
    Suggested(|| {
        Engine::ALL
            .map(|engine| PossibleValue::new(engine.as_str()))
            .to_vec()
    })
}

/// Suggests the ids of rules, and `all`.
pub(crate) fn rules() -> Suggested {
    Suggested(|| {
        // fish and zsh would end the text at a double quote.
        let help = |rule: &Rule| rule.summary().replace('"', "'");
        let rule = |rule: &Rule| PossibleValue::new(rule.as_str()).help(help(rule));
        let all = PossibleValue::new("all").help("list all rules");
        Rule::ALL.iter().map(rule).chain([all]).collect()
    })
}

/// Suggests the ids of rules with each severity.
pub(crate) fn levels() -> Suggested {
    static LEVELS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let levels = |rule: &Rule| ["off", "note", "warning", "error"].map(|level| format!("{rule}={level}"));
        Rule::ALL.iter().flat_map(levels).collect()
    });
    Suggested(|| LEVELS.iter().map(|level| PossibleValue::new(&**level)).collect())
}
