//! Lists as sources.

use sitemap_serde::SitemapEntry;

use super::{BoxError, Row, Source, Span};
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
pub(super) fn rows_of<T: Clone>(list: &[T], span: &Span, limit: usize) -> Vec<Row<T>> {
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

            fn fixed(&self) -> &[T] {
                self.as_ref()
            }
        }
    )*};
}
list!([] Vec<T>, [const N: usize] [T; N], [] &'static [T], [const N: usize] &'static [T; N], [] std::sync::Arc<[T]>);
