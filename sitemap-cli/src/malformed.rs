//! What reads a malformed document nevertheless.

use sitemap_serde::{Error, ErrorKind, Rule};

use crate::input::STDIN;
use crate::words::argument;

/// The error of a document that cannot be read to its end, with what helps if it is malformed.
pub(crate) fn unreadable(name: &str, error: Error, help: &str) -> anyhow::Error {
    if is_repairable(error.kind(), error.rule()) {
        anyhow::anyhow!("{name}: {error}; {help}")
    } else {
        anyhow::Error::from(error).context(name.to_owned())
    }
}

/// What comes behind the message of an error in a document: the command that repairs it, if it is malformed.
pub(crate) fn pointer(name: &str, error: &Error) -> String {
    if is_repairable(error.kind(), error.rule()) {
        format!("; {}", repair(name))
    } else {
        String::new()
    }
}

/// Whether a problem of this kind is one that lenient reading repairs.
pub(crate) fn is_repairable(kind: ErrorKind, rule: Option<Rule>) -> bool {
    match kind {
        // Of what is no sitemap, or compressed twice, nothing can be read.
        ErrorKind::Syntax => !matches!(rule, Some(Rule::Ns | Rule::Decl | Rule::Gzip)),
        ErrorKind::Eof => rule != Some(Rule::Ns),
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

/// The command that fixes the values of a file whose meaning is certain.
pub(crate) fn fix_command(name: &str) -> String {
    format!("sitemap lint --fix {}", argument(name))
}
