//! Advice for malformed documents, which other commands or modes can read.

use sitemap_serde::{Error, ErrorKind, Rule};

use crate::input::STDIN;
use crate::words::argument;

/// Returns the error of a document that cannot be read to its end, with help if it is malformed.
pub(crate) fn unreadable(name: &str, error: Error, help: &str) -> anyhow::Error {
    if is_repairable(error.kind(), error.rule()) {
        anyhow::anyhow!("{name}: {error}; {help}")
    } else {
        anyhow::Error::from(error).context(name.to_owned())
    }
}

/// Returns the command that repairs a malformed document, to be added to an error message.
pub(crate) fn pointer(name: &str, error: &Error) -> String {
    if is_repairable(error.kind(), error.rule()) {
        format!("; {}", repair(name))
    } else {
        String::new()
    }
}

/// Returns `true` if lenient reading repairs this kind of problem.
pub(crate) fn is_repairable(kind: ErrorKind, rule: Option<Rule>) -> bool {
    match kind {
        // Nothing can be read from other formats and doubly compressed documents.
        ErrorKind::Syntax => !matches!(rule, Some(Rule::Ns | Rule::Decl | Rule::Gzip)),
        ErrorKind::Eof => rule != Some(Rule::Ns),
        _ => false,
    }
}

/// Describes the command that repairs a document.
pub(crate) fn repair(name: &str) -> String {
    format!("`{}` reads what can be read", repair_command(name))
}

pub(crate) fn repair_command(name: &str) -> String {
    let name = if name == STDIN { "-" } else { name };
    format!("sitemap repair {}", argument(name))
}

/// Returns the command that fixes the unambiguous values of a file.
pub(crate) fn fix_command(name: &str) -> String {
    format!("sitemap lint --fix {}", argument(name))
}
