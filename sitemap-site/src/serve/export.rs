//! Exporting a site's rows as a set of files.

use tokio::task::spawn_blocking;
use tracing::{Instrument, info_span};

use super::Site;
use super::order::Batches;
use super::unrendered::Unrendered;
use crate::error::{Chain, Error, ErrorKind, Result};
use crate::sets::{CommitSummary, PartList, SitemapSet, TaskWriter};
use crate::source::{Guarded, Panicked, Source, Span, caught};

/// The name of the task in each section.
const TASK: &str = "site";

impl Site {
    /// Writes all rows of all sections as files, and publishes them. The sections of the site become the sections of the set, which is replaced
    /// as a whole. What is invalid is treated as the [set](crate::SetBuilder::on_invalid) says, or, if that is not set, as
    /// the [site](crate::SiteBuilder::on_invalid) does.
    ///
    /// The addresses of the files have numbers (`/sitemap-products-1.xml`), while the site's have keys. Do not publish both on
    /// the same host. The set's settings decide how entries are written and how large parts are. Its base must be the site's.
    ///
    /// A section's rows are read page by page, by the source's short queries; the files are written on blocking threads. Dropping the future
    /// cancels the export: written files are removed, unless the commit has begun.
    ///
    /// # Errors
    /// [`ErrorKind::Source`] if rows cannot be read; [`ErrorKind::Setting`] if the bases differ, or a section's name is not valid in file
    /// names (a capital letter); and the errors of [`SitemapSet::commit`]. Nothing is published after an error.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::{SiteBuilder, SitemapSet};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let root = folder.path().join("sitemaps");
    /// let site = SiteBuilder::new("https://example.com")
    ///     .section("pages", ["/", "/about"].map(UrlEntry::new))
    ///     .section("products", (1..=70_000).map(|id| UrlEntry::new(format!("/products/{id}"))).collect::<Vec<_>>())
    ///     .build()?;
    /// let set = SitemapSet::directory(&root, "https://example.com").gzip(6).open()?;
    /// let summary = site.export(&set).await?;
    /// assert_eq!((summary.files, summary.entries), (4, 70_002));
    /// assert!(root.join("current/sitemap-products-2.xml.gz").exists());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn export(&self, set: &SitemapSet) -> Result<CommitSummary> {
        let base = &self.0.base;
        if set.base() != base {
            return Err(Error::new(
                ErrorKind::Setting,
                format!(
                    "the set's base is {}, and the site's is {base}: give both the same, so that the same pages are listed",
                    set.base()
                ),
            ));
        }
        let mut lists = Vec::with_capacity(self.0.sections.len());
        for section in &self.0.sections {
            let (of, name) = (set.clone(), section.name.clone());
            let policy = section.settings.rendering.on_invalid;
            let writer = blocking(move || of.task_writer_or(&name, TASK, policy)).await?;
            let span = info_span!("sitemap_export", section = section.name);
            let rows = section
                .source
                .export(writer, section.settings.rendering.batch_rows);
            let list = rows.instrument(span).await;
            lists.push(list.map_err(|error| error.of_section(&section.name))?);
        }
        let set = set.clone();
        blocking(move || set.commit(&lists)).await
    }
}

/// Reads all rows of a source, and writes them.
pub(super) async fn export<S: Source>(
    source: &S,
    mut writer: TaskWriter,
    batch_rows: usize,
) -> Result<PartList> {
    let mut batches = Batches::new(source, &Span::ALL, batch_rows);
    loop {
        let page = caught(batches.next(usize::MAX)).await;
        let page = page.unwrap_or_else(|panicked| Err(panicked.into()));
        let page = page.map_err(|failure| match failure {
            Unrendered::Source(error) => {
                let message = format!("the rows cannot be read: {}", Chain(&*error));
                Error::caused(ErrorKind::Source, message, error)
            }
            failure => Error::new(ErrorKind::Source, failure.to_string()),
        })?;
        let Some(page) = page else {
            return blocking(move || writer.finish()).await;
        };
        writer = blocking(move || {
            for row in page {
                let (key, entry) = row.into_parts();
                match entry {
                    Ok(entry) => drop(writer.write(key, &Guarded::new(&entry))?),
                    Err(error) => writer.undecoded(&key, error)?,
                }
            }
            Ok(writer)
        })
        .await?;
    }
}

/// Runs blocking work on a blocking thread.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = spawn_blocking(work).await;
    done.unwrap_or_else(|error| {
        let message = match error.try_into_panic() {
            Ok(payload) => format!("a storage or a callback of yours: {}", Panicked::new(payload)),
            Err(_) => "the runtime ends".to_owned(),
        };
        Err(Error::new(ErrorKind::Io, message))
    })
}
