//! What reads a malformed document nevertheless.

use sitemap_serde::{Category, Error, Rule};

use crate::input::STDIN;
use crate::words::argument;

/// The error of a document that cannot be read to its end, with what helps if it is malformed.
pub(crate) fn unreadable(name: &str, error: Error, help: &str) -> anyhow::Error {
    if is_repairable(error.category(), error.rule()) {
        anyhow::anyhow!("{name}: {error}; {help}")
    } else {
        anyhow::Error::from(error).context(name.to_owned())
    }
}

/// What comes behind the message of an error in a document: the command that repairs it, if it is malformed.
pub(crate) fn pointer(name: &str, error: &Error) -> String {
    if is_repairable(error.category(), error.rule()) {
        format!("; {}", repair(name))
    } else {
        String::new()
    }
}

/// Whether a problem of this kind is one that lenient reading repairs.
pub(crate) fn is_repairable(category: Category, rule: Option<Rule>) -> bool {
    match category {
        // Of what is no sitemap, or compressed twice, nothing can be read.
        Category::Syntax => !matches!(rule, Some(Rule::Ns | Rule::Decl | Rule::Gzip)),
        Category::Eof => rule != Some(Rule::Ns),
        _ => false,
    }
}

/// What the command that repairs a document does.
pub(crate) fn repair(name: &str) -> String {
    format!("`{}` reads what can be read", repair_command(name))
}

pub(crate) fn repair_command(name: &str) -> String {
    let name = if name == STDIN { "-" } else { name };
    format!("sitemap repair {}", argument(name))
}
