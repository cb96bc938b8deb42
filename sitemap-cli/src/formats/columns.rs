//! The columns of a sitemap, and their names in documents.

use clap::Args;

/// The columns of a sitemap.
pub(crate) const COLUMNS: [&str; 4] = ["loc", "lastmod", "changefreq", "priority"];

/// The names of these columns in a document, if they differ.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ColumnNames {
    /// The CSV column or JSON key of the URLs [default: loc]
    #[arg(long = "loc-column", value_name = "NAME")]
    pub(super) loc: Option<String>,
    /// The CSV column or JSON key of the dates [default: lastmod]
    #[arg(long = "lastmod-column", value_name = "NAME")]
    lastmod: Option<String>,
    /// The CSV column or JSON key of the change frequencies [default: changefreq]
    #[arg(long = "changefreq-column", value_name = "NAME")]
    changefreq: Option<String>,
    /// The CSV column or JSON key of the priorities [default: priority]
    #[arg(long = "priority-column", value_name = "NAME")]
    priority: Option<String>,
}

impl ColumnNames {
    /// Returns the given names, in the order of [`COLUMNS`].
    pub(super) fn given(&self) -> [Option<&str>; 4] {
        let ColumnNames {
            loc,
            lastmod,
            changefreq,
            priority,
        } = self;
        [loc, lastmod, changefreq, priority].map(Option::as_deref)
    }

    /// Returns the column with this given name.
    pub(crate) fn column_of(&self, name: &str) -> Option<&'static str> {
        let given = self.given().into_iter().zip(COLUMNS);
        given
            .filter(|(given, _)| given.is_some_and(|given| given == name))
            .map(|(_, column)| column)
            .next()
    }

    /// Returns `true` if any name is given.
    pub(crate) fn is_some(&self) -> bool {
        self.given().iter().any(Option::is_some)
    }
}
