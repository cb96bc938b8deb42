//! Rows as the entries that a part lists, for callers that need values instead of XML.

use sitemap_serde::{Reader, SitemapEntry, UrlEntry, W3cDateTime};

use super::order;
use super::render::Rendering;
use crate::error::Chain;
use crate::key::Key;
use crate::source::{Guarded, Row, Source, Span, caught};

/// The entries of the rows of a page.
pub(crate) struct Entries {
    pub(super) entries: Vec<UrlEntry>,
    /// The key of the last row, unless there are no more.
    pub(super) last: Option<Key>,
}

/// Reads the entries of the first rows of a range, as they are in a part. Rows that cannot be entries are skipped.
pub(super) async fn entries<S: Source>(
    source: &S,
    span: &Span,
    rendering: &Rendering,
) -> Result<Entries, String> {
    let page = caught(async { source.rows(span, rendering.batch_rows).await }).await;
    let page = page.unwrap_or_else(|panicked| Err(panicked.into()));
    let page = page.map_err(|error| format!("the rows cannot be read: {}", Chain(&*error)))?;
    order::check(source, span, page.iter().map(Row::key)).map_err(|error| error.to_string())?;
    let now = rendering.now().map_err(|error| error.to_string())?;
    let is_last = page.len() < rendering.batch_rows;
    let (mut entries, mut last) = (Vec::new(), None);
    for row in page {
        let (key, entry) = row.into_parts();
        if let Ok(entry) = entry {
            of_row(&key, &Guarded::new(&entry), rendering, now, &mut entries)
                .map_err(|error| Chain(&error).to_string())?;
        }
        last = Some(key);
    }
    Ok(Entries {
        entries,
        last: last.filter(|_| !is_last),
    })
}

/// Adds the entries of a row as they are in a part: with the settings of the site, and without invalid values.
pub(super) fn of_row(
    key: &Key,
    row: &impl SitemapEntry,
    rendering: &Rendering,
    now: Option<W3cDateTime>,
    entries: &mut Vec<UrlEntry>,
) -> crate::Result<()> {
    let mut part = rendering.parts.begin(Vec::new());
    match rendering.write(&mut part, key, row, now) {
        Err(error) if !error.is_of_row() => return Err(error),
        _ if part.is_empty() => return Ok(()),
        _ => {}
    }
    let (xml, _) = part.finish()?;
    for entry in Reader::from_slice(&xml).entries() {
        entries.push(entry?);
    }
    Ok(())
}
