//! Statistics as JSON.

use serde_json::{Value, json};

use super::Counts;

/// Returns the statistics as one JSON object.
pub(super) fn report(counts: &Counts) -> Value {
    json!({
        "documents": {
            "urlset": counts.urlsets,
            "sitemapindex": counts.indexes,
            "text": counts.texts,
            "feed": counts.feeds,
        },
        "entries": counts.entries,
        "sitemaps": counts.sitemaps,
        "unlisted": counts.unlisted,
        "unreadable": {
            "entries": counts.unread.entries,
            "documents": counts.unread.documents,
        },
        "bytes": counts.bytes,
        "storedBytes": counts.stored,
        "entryBytes": {
            "mean": counts.in_entries.checked_div(counts.entries),
            "max": counts.longest,
        },
        "fields": counts.fields,
        "sites": counts.sites,
        "otherSites": counts.other_sites,
        "lastmodMonths": counts.months,
        "otherLastmods": counts.odd_dates,
        "languages": counts.languages,
        "otherLanguages": counts.other_languages,
        "alternates": counts.groups,
    })
}
