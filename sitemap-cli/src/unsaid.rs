//! Entries of formats that do not tell a urlset from an index.

use std::path::Path;

use anyhow::{Result, bail};

use crate::formats::{Format, of_name};
use crate::input::grouped;

/// Counts entries that do not say whether they are of a urlset or an index.
#[derive(Debug, Default)]
pub(crate) struct Unsaid {
    all: u64,
    /// Those with the URL of a file named .xml or .xml.gz.
    named_xml: u64,
}

impl Unsaid {
    pub(crate) fn count(&mut self, loc: &str) {
        let path = loc.split(['?', '#']).next().unwrap_or_default();
        self.all += 1;
        self.named_xml += u64::from(of_name(Path::new(path)) == Some(Format::Xml));
    }

    /// Returns an error with this advice if all of them are most likely those of an index.
    pub(crate) fn check(&self, advice: &str) -> Result<()> {
        if self.all == 0 || self.all != self.named_xml {
            return Ok(());
        }
        let what = if self.all == 1 {
            "the URL is that of a file named .xml, as an index lists it".to_owned()
        } else {
            format!(
                "all {} URLs are those of files named .xml, as an index lists them",
                grouped(self.all)
            )
        };
        bail!("{what}: {advice}")
    }
}
