//! Statistics as a web page.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::html;
use crate::input::{counted, grouped};

use super::Counts;

/// Returns the page, with the changes since the report whose data is `since`.
pub(super) fn page(counts: &Counts, since: Option<&Value>) -> String {
    let before = |name: &str| since?.get(name)?.as_u64();
    let documents = counts.urlsets + counts.indexes + counts.texts + counts.feeds;
    let figures = [
        (documents, "file", "documents"),
        (counts.entries, "page", "entries"),
        (counts.sitemaps, "listed sitemap", "sitemaps"),
        (counts.bytes, "byte", "bytes"),
        (counts.stored, "stored byte", "stored"),
        (counts.unread.entries, "unreadable page", "unread"),
    ];
    let mut out = String::from(
        "<p>A sitemap tells search engines which pages a site has, when they changed, and which pages are the same in other \
         languages.</p>\n<div class=\"figures\">\n",
    );
    let mut data = json!({ "kind": "stat" });
    for (number, unit, name) in figures {
        html::figure(&mut out, number, unit, before(name));
        data[name] = number.into();
    }
    out.push_str("</div>\n");
    if counts.unread.documents > 0 {
        let unread = counted(counts.unread.documents, "file");
        let _ = writeln!(
            out,
            "<p class=\"error\">{unread} could not be read to the end.</p>"
        );
    }
    if counts.unlisted > 0 {
        let unlisted = counted(counts.unlisted, "page");
        let _ = writeln!(
            out,
            "<p>Not counted: {unlisted} in files that no index and no robots.txt lists.</p>"
        );
    }
    dates(&mut out, counts);
    let rows = counts
        .languages
        .iter()
        .map(|(name, count)| (name.as_str(), *count));
    html::counts(
        &mut out,
        "Links to pages in other languages",
        rows,
        counts.other_languages,
    );
    groups(&mut out, counts);
    let rows = counts
        .documents
        .iter()
        .map(|(name, bytes)| (name.as_str(), *bytes));
    html::counts(&mut out, "Bytes of each file", rows, counts.other_documents);
    let rows = counts.sites.iter().map(|(name, count)| (name.as_str(), *count));
    html::counts(&mut out, "Pages of each site", rows, counts.other_sites);
    let rows = counts.fields.iter().map(|(name, count)| (name.as_str(), *count));
    html::counts(&mut out, "What is said of the pages", rows, 0);
    html::page("Sitemap statistics", &data, &out)
}

/// Writes a chart of lastmods by month, without gaps if there are few.
fn dates(out: &mut String, counts: &Counts) {
    const MOST_MONTHS: usize = 600;
    let mut months = Vec::new();
    let mut last: Option<&str> = None;
    for (month, count) in &counts.months {
        let gap = last.into_iter().flat_map(|last| between(last, month));
        months.extend(gap.take(MOST_MONTHS).map(|month| (month, 0)));
        months.push((month.clone(), *count));
        last = Some(month);
    }
    if months.len() > MOST_MONTHS {
        months = counts.months.clone().into_iter().collect();
    }
    html::columns(out, "When pages last changed, by month", &months);
    if counts.odd_dates > 0 {
        let odd = counted(counts.odd_dates, "page");
        let _ = writeln!(
            out,
            "<p class=\"soft\">{odd} with a date that could not be read, or in other months</p>"
        );
    }
}

/// Returns the months between two, such as `2026-05`.
fn between<'m>(first: &'m str, last: &'m str) -> impl Iterator<Item = String> + use<> {
    let number = |month: &str| -> u32 {
        let (year, month) = month.split_once('-').unwrap_or((month, "1"));
        let part = |text: &str| text.parse::<u32>().unwrap_or(0);
        part(year) * 12 + part(month).saturating_sub(1)
    };
    let (first, last) = (number(first), number(last));
    (first + 1..last).map(|month| format!("{:04}-{:02}", month / 12, month % 12 + 1))
}

/// Writes the number of pages by their number of links to other languages.
fn groups(out: &mut String, counts: &Counts) {
    if counts.languages.is_empty() {
        return;
    }
    let name = |alternates: u64| match alternates {
        0 => "in no group".to_owned(),
        alternates => format!("in groups of {}", grouped(alternates)),
    };
    let rows: Vec<_> = counts
        .groups
        .iter()
        .map(|(size, count)| (name(*size), *count))
        .collect();
    let rows = rows.iter().map(|(name, count)| (name.as_str(), *count));
    html::counts(out, "Pages by the size of their group of languages", rows, 0);
}
