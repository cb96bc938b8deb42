//! Whether a reader accepts the size of what is written: **the scanner decides**, which is also the reader's, so that the two cannot differ.
//!
//! To scan every entry would double the cost of writing. The writer scans an entry only if it is longer than one token may be, or has
//! many or long names of its own ([`Limits::unchecked_bytes`]); no other entry can exceed a limit.

use std::collections::HashSet;

use sitemap_values::number::grouped;

use crate::error::{Error, Message, Result};
use crate::limits::Limits;

use super::names::KnownNamespaces;
use super::scanner::{Scanner, Token};
use super::source::SliceSource;
use super::vocabulary::Vocabulary;

/// The maximum number of names outside the schema that a reader tells apart in an entry.
const MOST_NAMES: usize = 65_000;

/// Checks the text of an entry, which is within the root.
///
/// # Errors
/// [`ErrorKind::Data`](crate::ErrorKind::Data) if a reader with these limits refuses it.
#[cold]
pub(crate) fn check_entry(entry: &str, limits: &Limits) -> Result<()> {
    let entry = super::trim(entry);
    if entry.len() > limits.entry_bytes {
        let (found, most) = (grouped(entry.len() as u64), grouped(limits.entry_bytes as u64));
        return Err(refused(&format!("it has {found} bytes, and {most} are allowed")));
    }
    let mut scanner = scanner(entry, limits, 1);
    let mut names = HashSet::new();
    loop {
        match scanner
            .next()
            .map_err(|error| refused(&error.message().problem))?
        {
            Token::Eof => return Ok(()),
            Token::Start { name, .. } => {
                let attributes = scanner.all_attributes().iter().map(|(name, _)| name.clone());
                for name in attributes.chain([name]) {
                    let name = scanner.text(name);
                    if names.len() < MOST_NAMES {
                        names.insert(name.to_owned());
                    } else if !names.contains(name) {
                        return Err(refused(&format!(
                            "it has more than {} names",
                            grouped(MOST_NAMES as u64)
                        )));
                    }
                }
            }
            Token::End if scanner.depth() == 0 => return Ok(()),
            Token::End | Token::Text { .. } | Token::Aside => {}
        }
    }
}

/// Checks the text up to the end of a root's start tag.
///
/// # Errors
/// [`ErrorKind::Data`](crate::ErrorKind::Data) if a reader with these limits refuses it.
#[cold]
pub(crate) fn check_root(text: &str, limits: &Limits) -> Result<()> {
    let mut scanner = scanner(text, limits, 0);
    loop {
        match scanner.next() {
            Ok(Token::Aside) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(too_large("the root", &error.message().problem)),
        }
    }
}

/// A scanner of a text that is within `depth` elements.
fn scanner<'t>(text: &'t str, limits: &Limits, depth: usize) -> Scanner<SliceSource<'t>> {
    let limits = Limits {
        bytes: u64::MAX,
        depth: limits.depth.saturating_sub(depth),
        ..limits.clone()
    };
    let known = KnownNamespaces::default();
    let mut scanner = Scanner::new(SliceSource::from_str(text), limits, known, Vocabulary::XML);
    scanner.accept_prefixes();
    scanner
}

fn refused(why: &str) -> Error {
    too_large("the entry", why)
}

fn too_large(what: &str, why: &str) -> Error {
    Error::data(
        Message::new(format!(
            "{what} is too large for a reader with the writer's limits: {why}"
        ))
        .advice("shorten it"),
    )
}
