//! Transforming the rows of a source batch by batch.

use std::future::Future;
use std::mem;

use sitemap_serde::SitemapEntry;

use super::{BoxError, DatedKey, Row, Source, Span};
use crate::key::Key;

/// A source that transforms the entries of each batch together, so that one more query can load related data for all of them, such as
/// translations.
///
/// `map` receives the entries of a batch and returns the same number of entries, in the same order. Ranges and
/// [`keys`](Source::keys) come from the inner source. Its [`version`](Source::version) is ignored, since it does not cover the
/// added data.
///
/// ```
/// use sitemap_serde::{Alternate, UrlEntry};
/// use sitemap_site::{SiteBuilder, source};
///
/// let products = vec![UrlEntry::new("/en/lamp"), UrlEntry::new("/en/chair")];
/// let translated = source::with_batch(products, |batch: Vec<UrlEntry>| async {
///     // `SELECT … FROM translations WHERE product IN (…)`, once for the batch
///     let german = ["/de/lampe", "/de/stuhl"];
///     let entries = batch.into_iter().zip(german).map(|(mut entry, german)| {
///         entry.alternates.push(Alternate::new("en", entry.loc.clone()));
///         entry.alternates.push(Alternate::new("de", german));
///         entry
///     });
///     Ok(entries.collect())
/// });
/// let site = SiteBuilder::new("https://example.com").section("products", translated).build()?;
/// # Ok::<(), sitemap_site::Error>(())
/// ```
pub fn with_batch<S, T, F, Fut>(source: S, map: F) -> impl Source<Entry = T>
where
    S: Source,
    T: SitemapEntry + Send + 'static,
    F: Fn(Vec<S::Entry>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Vec<T>, BoxError>> + Send,
{
    WithBatch { source, map }
}

/// Maximum number of entries of a list that are transformed together.
const BATCH: usize = 1_000;

/// A source that transforms the entries of another; see [`with_batch`].
struct WithBatch<S, F> {
    source: S,
    map: F,
}

impl<S, T, F, Fut> Source for WithBatch<S, F>
where
    S: Source,
    T: SitemapEntry + Send + 'static,
    F: Fn(Vec<S::Entry>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Vec<T>, BoxError>> + Send,
{
    type Entry = T;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        let page = self.source.rows(span, limit).await?;
        let mut entries = Vec::with_capacity(page.len());
        let mut failed: Vec<(Key, Option<BoxError>)> = Vec::with_capacity(page.len());
        for row in page {
            match row.into_parts() {
                (key, Ok(entry)) => {
                    entries.push(entry);
                    failed.push((key, None));
                }
                (key, Err(error)) => failed.push((key, Some(error))),
            }
        }
        let mut mapped = Vec::with_capacity(entries.len());
        while !entries.is_empty() {
            // A list is read at once, which are too many rows for a query.
            let batch = if self.source.is_read_at_once() {
                entries.len().min(BATCH)
            } else {
                entries.len()
            };
            let rest = entries.split_off(batch);
            let batch_mapped = (self.map)(mem::replace(&mut entries, rest)).await?;
            if batch_mapped.len() != batch {
                return Err(format!(
                    "the closure of `with_batch` got {batch} entries and returned {}; it must return one for each, in the same order",
                    batch_mapped.len()
                )
                .into());
            }
            mapped.extend(batch_mapped);
        }
        let mut mapped = mapped.into_iter();
        let rows = failed.into_iter().map_while(|(key, error)| match error {
            Some(error) => Some(Row::failed(key, error)),
            None => mapped.next().map(|entry| Row::new(key, entry)),
        });
        Ok(rows.collect())
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        self.source.keys(span, limit).await
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        self.source.latest(limit).await
    }

    async fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
        self.source.count(span).await
    }

    fn key_columns(&self) -> Vec<(String, String)> {
        self.source.key_columns()
    }

    fn is_read_at_once(&self) -> bool {
        self.source.is_read_at_once()
    }
}

#[cfg(test)]
mod tests {
    use sitemap_serde::UrlEntry;

    use super::super::Unavailable;
    use super::*;

    /// Three rows; the second one failed.
    #[derive(Clone, Debug)]
    struct Pages;

    impl Source for Pages {
        type Entry = UrlEntry;

        async fn rows(&self, _: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
            let page = |id: i64| match id {
                2 => Row::failed(2, Unavailable("no such column".into())),
                id => Row::new(id, UrlEntry::new(format!("/{id}"))),
            };
            Ok((1..=3).map(page).take(limit).collect())
        }

        async fn latest(&self, _: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
            Ok(Some(vec![DatedKey::new(3.into(), None)]))
        }
    }

    #[tokio::test]
    async fn a_row_that_failed_stays_in_its_place() {
        let source = with_batch(Pages, |batch: Vec<UrlEntry>| async {
            let longer = |page: UrlEntry| UrlEntry::new(format!("{}/new", page.loc));
            Ok(batch.into_iter().map(longer).collect::<Vec<_>>())
        });
        let mut found = Vec::new();
        for row in source.rows(&Span::ALL, 10).await.unwrap() {
            let (key, entry) = row.into_parts();
            let entry = entry.map(|entry| entry.loc).map_err(|error| error.to_string());
            found.push((key.to_string(), entry));
        }
        assert_eq!(
            found,
            [
                ("1".to_owned(), Ok("/1/new".to_owned())),
                ("2".to_owned(), Err("no such column".to_owned())),
                ("3".to_owned(), Ok("/3/new".to_owned())),
            ]
        );
        let keys = |rows: Vec<DatedKey>| rows.iter().map(|row| row.key.to_string()).collect::<Vec<_>>();
        assert_eq!(keys(source.keys(&Span::ALL, 10).await.unwrap()), ["1", "2", "3"]);
        assert_eq!(keys(source.latest(1).await.unwrap().unwrap()), ["3"]);
    }

    #[tokio::test]
    async fn a_closure_that_loses_a_row_is_named() {
        let source = with_batch(Pages, |mut page: Vec<UrlEntry>| async {
            page.pop();
            Ok(page)
        });
        assert_eq!(
            source.rows(&Span::ALL, 10).await.unwrap_err().to_string(),
            "the closure of `with_batch` got 2 entries and returned 1; it must return one for each, in the same order"
        );
    }
}
