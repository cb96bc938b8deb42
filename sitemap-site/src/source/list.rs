//! Sources without a database: lists, and closures.

use std::future::Future;

use sitemap_serde::SitemapEntry;

use super::{BoxError, DatedKey, Row, Source, Span, dated_keys};
use crate::key::{Key, KeyValue};

/// A range of keys as a range of indices.
fn positions(span: &Span, length: usize) -> std::ops::Range<usize> {
    // The key of an element is its position, from 1.
    let place = |key: &Key| match key.values() {
        [KeyValue::Integer(place)] => usize::try_from(*place).unwrap_or(0),
        _ => 0,
    };
    let start = span.after.as_ref().map_or(0, place).min(length);
    let end = span.to.as_ref().map_or(length, place).clamp(start, length);
    start..end
}

/// The rows of a list: an element's key is its position, from 1.
fn rows_of<T: Clone>(list: &[T], span: &Span, limit: usize) -> Vec<Row<T>> {
    let range = positions(span, list.len());
    let first = range.start;
    let found = list.get(range).unwrap_or_default();
    let numbered = found.iter().take(limit).zip(first as u64 + 1..);
    numbered
        .map(|(entry, place)| Row::new(i64::try_from(place).unwrap_or(i64::MAX), entry.clone()))
        .collect()
}

macro_rules! list {
    ($([$($generics:tt)*] $list:ty),*) => {$(
        /// A fixed list; the key of an element is its position, from 1.
        impl<T: SitemapEntry + Clone + Send + Sync + 'static, $($generics)*> Source for $list {
            type Entry = T;

            async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
                Ok(rows_of(self.as_ref(), span, limit))
            }

            async fn count(&self, span: &Span) -> Result<Option<u64>, BoxError> {
                let list: &[T] = self.as_ref();
                Ok(Some(positions(span, list.len()).len() as u64))
            }

            fn fixed(&self) -> &[T] {
                self.as_ref()
            }
        }
    )*};
}
list!([] Vec<T>, [const N: usize] [T; N], [] &'static [T], [const N: usize] &'static [T; N], [] std::sync::Arc<[T]>);

/// A list that is rebuilt each time it is needed: routes, posts in a directory, the response of another service.
///
/// The closure is called once for each rendering of a part and once for each count. It returns all entries, so it should be fast. The key of an
/// entry is its position.
///
/// ```
/// use sitemap_serde::UrlEntry;
/// use sitemap_site::{SiteBuilder, source};
///
/// let routes = source::list(|| async { Ok(vec![UrlEntry::new("/"), UrlEntry::new("/about")]) });
/// let site = SiteBuilder::new("https://example.com").section("routes", routes).build()?;
/// # Ok::<(), sitemap_site::Error>(())
/// ```
pub fn list<T, F, Fut>(make: F) -> impl Source<Entry = T>
where
    T: SitemapEntry + Clone + Send + Sync + 'static,
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Vec<T>, BoxError>> + Send,
{
    Listed(make)
}

/// A list made by a closure; see [`list`](list()).
struct Listed<F>(F);

impl<T, F, Fut> Source for Listed<F>
where
    T: SitemapEntry + Clone + Send + Sync + 'static,
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Vec<T>, BoxError>> + Send,
{
    type Entry = T;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<T>>, BoxError> {
        let all = (self.0)().await?;
        Ok(rows_of(&all, span, limit))
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        Ok(dated_keys(self.rows(span, limit).await?))
    }

    fn is_read_at_once(&self) -> bool {
        true
    }
}

/// A source from a closure, which returns the first rows of a range, in the order of their keys.
///
/// ```
/// use sitemap_serde::UrlEntry;
/// use sitemap_site::source::{self, Row};
/// use sitemap_site::{Key, KeyValue, SiteBuilder};
///
/// /// A million pages, numbered.
/// let numbers = source::rows(|span, limit| async move {
///     let number = |key: Option<Key>| match key.as_ref().map(Key::values) {
///         Some([KeyValue::Integer(number)]) => Some(*number),
///         _ => None,
///     };
///     let (after, to) = (number(span.after).unwrap_or(0), number(span.to).unwrap_or(1_000_000));
///     let rows = (after + 1..=to).take(limit).map(|n| Row::new(n, UrlEntry::new(format!("/{n}"))));
///     Ok(rows.collect())
/// });
/// let site = SiteBuilder::new("https://example.com").section("numbers", numbers).build()?;
/// # Ok::<(), sitemap_site::Error>(())
/// ```
pub fn rows<T, F, Fut>(page: F) -> impl Source<Entry = T>
where
    T: SitemapEntry + Send + 'static,
    F: Fn(Span, usize) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Vec<Row<T>>, BoxError>> + Send,
{
    Pages(page)
}

/// A source from a closure; see [`rows`].
struct Pages<F>(F);

impl<T, F, Fut> Source for Pages<F>
where
    T: SitemapEntry + Send + 'static,
    F: Fn(Span, usize) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Vec<Row<T>>, BoxError>> + Send,
{
    type Entry = T;

    fn rows(&self, span: &Span, limit: usize) -> impl Future<Output = Result<Vec<Row<T>>, BoxError>> + Send {
        (self.0)(span.clone(), limit)
    }
}
