//! Dropping and rendering the copies of parts on demand.

use std::sync::Arc;
use std::time::Instant;

use super::address::Parsed;
use super::kept::Renew;
use super::refresh_error::RefreshError;
use super::refusal::Refusal;
use super::{Inner, PartId, Site};
use crate::error::{Error, ErrorKind};
use crate::source::Span;

/// The error of a name that is no section's and no part's.
fn unknown(error: &RefreshError) -> Error {
    Error::new(ErrorKind::Setting, error.to_string())
}

impl Site {
    /// Drops the copies of a section's parts (`products`), or of one part (`sitemap-products.~10000.xml`). The next request for
    /// each part renders it from its rows, even within `max_age`. Copies in other caches stay until they expire.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if there is no section with that name, and no part with that address.
    pub fn purge(&self, name: &str) -> Result<(), Error> {
        let (at, span) = self.0.named(name).map_err(|error| unknown(&error))?;
        self.0.purge(at, span.as_ref());
        Ok(())
    }

    /// Renders the listed parts of a section (`products`), or one part (`sitemap-products.~10000.xml`), one after the other, unless they were rendered
    /// within `max_age`, so that the next requests find them in the cache.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if there is no section with that name, and no part with that address, or if the rows of the section cannot be counted. If
    /// a part cannot be rendered, the others still are, and the log has the reason. A part without entries is not an error.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::SiteBuilder;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let site = SiteBuilder::new("https://example.com")
    ///     .section("pages", ["/", "/about"].map(UrlEntry::new))
    ///     .build()?;
    /// site.purge("pages")?; // a page was taken down
    /// site.warm("pages").await?;
    /// assert_eq!(site.stats().renderings, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn warm(&self, name: &str) -> Result<(), Error> {
        let (at, span) = self.0.named(name).map_err(|error| unknown(&error))?;
        let spans = match span {
            Some(span) => vec![span],
            None => self.0.listed(at).await?,
        };
        let count = spans.len();
        let mut failed = 0;
        for id in spans.into_iter().map(|span| (at, span)) {
            if self.0.is_fresh(&id) {
                continue;
            }
            // An empty part or a part that was split has nothing to render.
            let outcome = self.0.renewed(&id).await;
            failed += usize::from(matches!(
                outcome,
                Err(Refusal::Internal(_) | Refusal::Unavailable(..))
            ));
        }
        if failed > 0 {
            let reason = format!("{failed} of {count} parts cannot be rendered, for the reasons in the log");
            return Err(RefreshError::new(name, reason).into());
        }
        Ok(())
    }
}

impl Inner {
    /// The section or the part with a name.
    fn named(&self, name: &str) -> Result<(usize, Option<Span>), RefreshError> {
        let section = |name: &str| self.sections.iter().position(|section| section.name == name);
        let part = || match self.parse(name)? {
            (at, Parsed::Span(span)) => Some((at, Some(span))),
            (_, Parsed::Unknown) => None,
        };
        section(name).map(|at| (at, None)).or_else(part).ok_or_else(|| {
            RefreshError::new(
                name,
                "the site has no section of this name, and no part of this address",
            )
        })
    }

    /// Drops the copies of a part, or of all parts of a section.
    pub(super) fn purge(&self, at: usize, span: Option<&Span>) {
        let Some(section) = self.sections.get(at) else {
            return;
        };
        let now = Instant::now();
        let mut parts = section.table.lock();
        parts.purged = Some(now);
        let only = span.map(|span| parts.find(span));
        for (i, row) in parts.rows.iter_mut().enumerate() {
            if only.is_none_or(|only| only == Some(i)) {
                row.checked = None;
                row.purged = Some(now);
            }
        }
        let is_purged = |(section, part): &PartId| *section == at && span.is_none_or(|span| span == part);
        self.copies.remove_all(is_purged);
        self.flat.purge(now);
        // A range outside the table may have rows of the part.
        self.parts
            .restart(|id| is_purged(id) || (id.0 == at && parts.find(&id.1).is_none()));
    }

    /// The ranges of the listed parts of a section.
    async fn listed(self: &Arc<Self>, at: usize) -> Result<Vec<Span>, RefreshError> {
        self.complete(at).await?;
        let section = self.sections.get(at);
        Ok(section.map_or_else(Vec::new, |section| {
            section.table.lock().listed().map(|(span, _)| span).collect()
        }))
    }
}
