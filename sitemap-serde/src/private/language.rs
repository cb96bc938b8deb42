//! A page in several languages.

use crate::entry::{EntryWriter, LocWriter};
use crate::error::{Error, Result, Words};
use crate::quote::quote;
use crate::record::twice;
use crate::rule::Rule;

/// Writes the link to the page in a language, and for every other language if it is the one of these.
pub fn translation(
    entry: &mut EntryWriter<'_>,
    language: &str,
    x_default: Option<&str>,
    build: impl FnOnce(&mut LocWriter<'_>) -> Result<()>,
) -> Result<()> {
    entry.translation(language, x_default, build)
}

/// Holds the entry's alternates against it when it is complete.
pub fn check_alternates(entry: &mut EntryWriter<'_>) {
    entry.check_alternates();
}

/// Checks that no language is there twice: both would be written to one another as the same page.
pub fn no_language_twice<'l>(languages: impl Iterator<Item = &'l str> + Clone) -> Result<()> {
    match twice(languages) {
        None => Ok(()),
        Some(language) => Err(Error::data(
            Words::new(format!(
                "the language {} is there twice: a page is in each language once",
                quote(language)
            ))
            .advice("leave one of them out"),
        )
        .breaks(Rule::Alt3)),
    }
}
