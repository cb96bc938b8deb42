//! Sources whose queries block their thread.

use std::sync::Arc;

use sitemap_serde::SitemapEntry;
use tokio::sync::Semaphore;

use super::{BoxError, Row, Source, Span, Step};

/// A [`Source`] whose calls block. [`blocking`] makes a [`Source`] of it.
pub trait BlockingSource: Send + Sync + 'static {
    /// What a row is written as.
    type Entry: SitemapEntry + Send + 'static;

    /// As [`Source::page`].
    ///
    /// # Errors
    /// As [`Source::page`].
    fn page(&self, span: &Span, limit: usize) -> Result<Vec<Row<Self::Entry>>, BoxError>;

    /// As [`Source::step`]; `None` reads the rows instead, which is the default.
    #[allow(
        clippy::type_complexity,
        reason = "an alias would hide that it is the result of `Source::step`"
    )]
    fn step(&self, span: &Span, limit: usize) -> Option<Result<Option<Step>, BoxError>> {
        let _ = (span, limit);
        None
    }

    /// As [`Source::version`].
    ///
    /// # Errors
    /// As [`Source::version`].
    fn version(&self, span: &Span) -> Result<Option<String>, BoxError> {
        let _ = span;
        Ok(None)
    }
}

/// Makes a [`Source`] of one that blocks: each call runs on one of tokio's threads for blocking work.
///
/// A call that nobody waits for any more runs to its end, and no other is made after it: keep them short. At most sixteen calls are made
/// at a time, those among them that never end: a database that does not answer any more takes no more threads than that.
pub fn blocking<S: BlockingSource>(source: S) -> Blocking<S> {
    Blocking {
        source: Arc::new(source),
        calls: Arc::new(Semaphore::new(AT_ONCE)),
    }
}

/// Calls at a time. Tokio has 512 threads for all that blocks in a program.
const AT_ONCE: usize = 16;

/// A [`BlockingSource`] as a [`Source`]; made by [`blocking`].
#[derive(Debug)]
pub struct Blocking<S> {
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
    /// Runs `ask` where waiting does no harm.
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
        Ok(answer.await?)
    }
}

impl<S: BlockingSource> Source for Blocking<S> {
    type Entry = S::Entry;

    async fn page(&self, span: &Span, limit: usize) -> Result<Vec<Row<S::Entry>>, BoxError> {
        self.run(span, move |source, span| source.page(span, limit))
            .await?
    }

    async fn step(&self, span: &Span, limit: usize) -> Result<Option<Step>, BoxError> {
        match self
            .run(span, move |source, span| source.step(span, limit))
            .await?
        {
            Some(step) => step,
            None => super::step_by_pages(self, span, limit).await,
        }
    }

    async fn version(&self, span: &Span) -> Result<Option<String>, BoxError> {
        self.run(span, BlockingSource::version).await?
    }
}
