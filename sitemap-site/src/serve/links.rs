//! The pages of a section as links with titles.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use sitemap_serde::UrlEntry;

use super::entries;
use super::order;
use super::render::Rendering;
use super::unrendered::Unrendered;
use crate::key::Key;
use crate::source::{Guarded, Panicked, Row, Source, Span};

/// Maximum number of rows of a list.
const ROWS: usize = 200;

/// Maximum number of characters of a title. It bounds the size of a page, as the limit of a loc does.
const TITLE_CHARS: usize = 300;

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The links of the first rows of a range.
pub(crate) struct Links {
    pub(super) pages: Vec<Link>,
    /// The key of the last row, unless there are no more.
    pub(super) last: Option<Key>,
    /// The number of titles that panicked.
    pub(super) panics: u64,
}

pub(super) struct Link {
    pub(super) loc: String,
    /// The title from the section or the entry.
    pub(super) title: Option<String>,
}

/// Reads the links of a type-erased source.
pub(crate) trait AnyLinks: Send + Sync {
    fn links<'a>(
        &'a self,
        span: &'a Span,
        rendering: &'a Rendering,
    ) -> BoxFuture<'a, Result<Links, Unrendered>>;
}

/// A source with the titles of its rows.
pub(super) struct Titled<S, F> {
    pub(super) source: Arc<S>,
    pub(super) title: F,
}

impl<S: Source, F: Fn(&S::Entry) -> Option<String> + Send + Sync> AnyLinks for Titled<S, F> {
    fn links<'a>(
        &'a self,
        span: &'a Span,
        rendering: &'a Rendering,
    ) -> BoxFuture<'a, Result<Links, Unrendered>> {
        Box::pin(async move {
            let now = rendering.now()?;
            let mut rows = self
                .source
                .rows(span, ROWS + 1)
                .await
                .map_err(Unrendered::Source)?;
            order::check(&*self.source, span, rows.iter().map(Row::key))?;
            let has_more = rows.len() > ROWS;
            rows.truncate(ROWS);
            let (mut pages, mut last, mut panics) = (Vec::new(), None, 0);
            for row in rows {
                let (key, row) = row.into_parts();
                if let Ok(row) = row {
                    let mut listed: Vec<UrlEntry> = Vec::new();
                    entries::of_row(&key, &Guarded::new(&row), rendering, now, &mut listed)
                        .map_err(Unrendered::Document)?;
                    let title = if listed.is_empty() {
                        None
                    } else {
                        // A page without a title is shown by its path.
                        let title = Panicked::catch(|| (self.title)(&row));
                        panics += u64::from(title.is_err());
                        title.ok().flatten()
                    };
                    pages.extend(listed.into_iter().map(|entry| Link {
                        title: title.clone().or(entry.news.map(|news| news.title)).map(cut),
                        loc: entry.loc,
                    }));
                }
                last = Some(key);
            }
            let last = last.filter(|_| has_more);
            Ok(Links { pages, last, panics })
        })
    }
}

/// Ends a long title with `…`.
fn cut(mut title: String) -> String {
    if let Some((end, _)) = title.char_indices().nth(TITLE_CHARS) {
        title.truncate(end);
        title.push('…');
    }
    title
}
