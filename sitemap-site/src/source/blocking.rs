//! Sources with blocking queries.
//!
//! **Nothing waits for an unresponsive place**. A blocking call cannot be cancelled, so each call holds a permit, out of a few,
//! until it returns. In the meantime the last known files are served. They are also served for a day if nothing is published any
//! more: no program removes a set, but file systems are unmounted.

use std::sync::Arc;

use sitemap_serde::SitemapEntry;
use tokio::sync::Semaphore;

use super::{BoxError, DatedKey, Panicked, Row, Source, Span};

/// A source with blocking calls. [`blocking`] turns it into a [`Source`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a source with blocking calls",
    label = "does not implement `BlockingSource`",
    note = "a `Source` is added as it is: `builder.section(\"products\", products)`"
)]
pub trait BlockingSource: Send + Sync + 'static {
    /// The type of a row's entry.
    type Entry: SitemapEntry + Send + 'static;

    /// See [`Source::rows`].
    ///
    /// # Errors
    /// See [`Source::rows`].
    fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<Self::Entry>>, BoxError>;

    /// See [`Source::keys`]. `None`, the default, means that the rows are read instead.
    fn keys(&self, span: &Span, limit: usize) -> Option<Result<Vec<DatedKey>, BoxError>> {
        let _ = (span, limit);
        None
    }

    /// See [`Source::latest`].
    ///
    /// # Errors
    /// See [`Source::latest`].
    fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        let _ = limit;
        Ok(None)
    }

    /// See [`Source::version`].
    ///
    /// # Errors
    /// See [`Source::version`].
    fn version(&self, span: &Span) -> Result<Option<String>, BoxError> {
        let _ = span;
        Ok(None)
    }

    /// See [`Source::count`].
    ///
    /// # Errors
    /// See [`Source::count`].
    fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
        let _ = span;
        Ok(None)
    }

    /// The columns of the key and their types, for messages; empty if they are unknown.
    #[doc(hidden)]
    fn key_columns(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// Turns a [`BlockingSource`] into a [`Source`] whose calls run on tokio's blocking threads.
///
/// A call cannot be cancelled: it runs to its end even if no client waits any more. Keep calls short. At most sixteen calls run
/// at the same time, including calls that never end, so an unresponsive database blocks at most sixteen threads.
pub fn blocking<S: BlockingSource>(source: S) -> impl Source<Entry = S::Entry> + Clone {
    Blocking {
        source: Arc::new(source),
        calls: Arc::new(Semaphore::new(AT_ONCE)),
    }
}

/// Maximum number of simultaneous calls. Tokio has 512 blocking threads for the whole program.
const AT_ONCE: usize = 16;

/// A [`BlockingSource`] as a [`Source`]; made by [`blocking`].
struct Blocking<S> {
    source: Arc<S>,
    calls: Arc<Semaphore>,
}

impl<S> Clone for Blocking<S> {
    fn clone(&self) -> Self {
        Blocking {
            source: Arc::clone(&self.source),
            calls: Arc::clone(&self.calls),
        }
    }
}

impl<S: BlockingSource> Blocking<S> {
    /// Runs `ask` on a blocking thread.
    async fn run<T: Send + 'static>(
        &self,
        span: &Span,
        ask: impl FnOnce(&S, &Span) -> T + Send + 'static,
    ) -> Result<T, BoxError> {
        let source = Arc::clone(&self.source);
        let span = span.clone();
        let call = Arc::clone(&self.calls).acquire_owned().await?;
        let answer = tokio::task::spawn_blocking(move || {
            let _call = call;
            ask(&source, &span)
        });
        answer.await.map_err(|error| match error.try_into_panic() {
            Ok(payload) => Panicked::new(payload).into(),
            Err(ended) => ended.into(),
        })
    }
}

impl<S: BlockingSource> Source for Blocking<S> {
    type Entry = S::Entry;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<S::Entry>>, BoxError> {
        self.run(span, move |source, span| source.rows(span, limit))
            .await?
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        match self
            .run(span, move |source, span| source.keys(span, limit))
            .await?
        {
            Some(keys) => keys,
            None => super::keys_by_pages(self, span, limit).await,
        }
    }

    async fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        self.run(&Span::ALL, move |source, _| source.latest(limit))
            .await?
    }

    async fn version(&self, span: &Span) -> Result<Option<String>, BoxError> {
        self.run(span, BlockingSource::version).await?
    }

    async fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
        self.run(span, BlockingSource::count).await?
    }

    fn key_columns(&self) -> Vec<(String, String)> {
        self.source.key_columns()
    }
}

#[cfg(test)]
mod tests {
    use sitemap_serde::UrlEntry;

    use super::*;

    /// Implements only `rows`.
    struct Pages;

    impl BlockingSource for Pages {
        type Entry = UrlEntry;

        fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
            let first = if span.after.is_some() { 3 } else { 1 };
            let rows = (first..=3).take(limit);
            Ok(rows
                .map(|id: i64| Row::new(id, UrlEntry::new(format!("/{id}"))))
                .collect())
        }
    }

    /// Implements everything.
    struct Table;

    impl BlockingSource for Table {
        type Entry = UrlEntry;

        fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
            Pages.rows(span, limit)
        }

        fn keys(&self, _: &Span, limit: usize) -> Option<Result<Vec<DatedKey>, BoxError>> {
            Some(Ok((4..)
                .take(limit)
                .map(|id: i64| DatedKey::new(id.into(), None))
                .collect()))
        }

        fn latest(&self, limit: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
            self.keys(&Span::ALL, limit).transpose()
        }

        fn version(&self, span: &Span) -> Result<Option<String>, BoxError> {
            Ok(Some(format!("{} rows", self.rows(span, 10)?.len())))
        }
    }

    fn names(keys: &[DatedKey]) -> Vec<String> {
        keys.iter().map(|key| key.key.to_string()).collect()
    }

    #[tokio::test]
    async fn what_a_source_answers_is_passed_on() {
        let source = blocking(Table);
        let from_3 = Span::ALL.above(2.into());
        assert_eq!(source.rows(&from_3, 10).await.unwrap().len(), 1);
        assert_eq!(names(&source.keys(&Span::ALL, 2).await.unwrap()), ["4", "5"]);
        assert_eq!(names(&source.latest(1).await.unwrap().unwrap()), ["4"]);
        assert_eq!(
            source.version(&Span::ALL).await.unwrap().as_deref(),
            Some("3 rows")
        );
        assert_eq!(source.version(&from_3).await.unwrap().as_deref(), Some("1 rows"));
    }

    #[tokio::test]
    async fn what_a_source_does_not_answer_is_found_in_its_pages() {
        let source = blocking(Pages);
        assert_eq!(names(&source.keys(&Span::ALL, 2).await.unwrap()), ["1", "2"]);
        assert!(source.latest(1).await.unwrap().is_none());
        assert!(source.version(&Span::ALL).await.unwrap().is_none());
    }
}
