//! Entries of formats that do not distinguish a urlset from an index.

use std::path::Path;

use anyhow::{Result, bail};
use sitemap_serde::Kind;

use crate::formats::{Format, of_name};
use crate::input::grouped;

/// The kind of a document's entries, which must all have the same one.
#[derive(Debug, Default)]
pub(crate) struct Kinds(Option<Kind>);

impl Kinds {
    /// Returns the kind of an entry.
    ///
    /// # Errors
    /// It differs from the entries before it.
    pub(crate) fn check(&mut self, said: Option<Kind>) -> Result<Kind> {
        let kind = said.unwrap_or(Kind::UrlSet);
        let first = *self.0.get_or_insert(kind);
        if first != kind {
            bail!("an entry of a {kind}, and those before it are of a {first}");
        }
        Ok(kind)
    }

    /// Returns `true` if the entries belong to an index.
    pub(crate) fn is_index(&self) -> bool {
        self.0 == Some(Kind::SitemapIndex)
    }
}

/// Counts entries that do not state whether they belong to a urlset or an index.
#[derive(Debug, Default)]
pub(crate) struct Unsaid {
    all: u64,
    /// The number of URLs that end in .xml or .xml.gz.
    named_xml: u64,
}

impl Unsaid {
    pub(crate) fn count(&mut self, loc: &str) {
        let path = loc.split(['?', '#']).next().unwrap_or_default();
        self.all += 1;
        self.named_xml += u64::from(of_name(Path::new(path)) == Some(Format::Xml));
    }

    /// Returns an error with this advice if most entries look like those of an index. Prints a note if only some do.
    pub(crate) fn check(&self, advice: &str) -> Result<()> {
        if self.named_xml == 0 {
            return Ok(());
        }
        let what = match (self.all, self.named_xml) {
            (1, _) => "the URL names a .xml file, as in an index".to_owned(),
            (all, xml) if all == xml => format!("all {} URLs name .xml files, as in an index", grouped(all)),
            (all, 1) => format!("1 of {} URLs names a .xml file, as in an index", grouped(all)),
            (all, xml) => format!(
                "{} of {} URLs name .xml files, as in an index",
                grouped(xml),
                grouped(all)
            ),
        };
        if self.named_xml * 2 > self.all {
            bail!("{what}: {advice}")
        }
        print_note!("note: {what}: written as pages");
        Ok(())
    }
}
