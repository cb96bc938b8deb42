//! A site's rows as files.

use std::future::ready;

use sitemap_serde::{SitemapEntry, UrlEntry};
use sitemap_site::source::{BoxError, Row, Span};
use sitemap_site::{ErrorKind, FileAction, Key, KeyValue, Site, SiteBuilder, SitemapSet, Source};

use crate::ask::{read, request};

#[derive(Clone, SitemapEntry)]
#[sitemap(loc = "/{section}/{id}", exclude_if = Self::is_draft)]
struct Page {
    section: &'static str,
    id: i64,
}

impl Page {
    fn is_draft(&self) -> bool {
        self.id % 10 == 0
    }
}

/// Rows 1 to `last`. One row does not load, one breaks a rule, and `fails_at` ends the page with an error.
struct Rows {
    last: i64,
    fails_at: i64,
    twice: i64,
}

impl Source for Rows {
    type Entry = UrlEntry;

    fn rows(
        &self,
        span: &Span,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Row<UrlEntry>>, BoxError>> + Send {
        let first = match span.after.as_ref().map(Key::values) {
            Some([KeyValue::Integer(after)]) => after + 1,
            _ => 1,
        };
        let last = match span.to.as_ref().map(Key::values) {
            Some([KeyValue::Integer(to)]) => self.last.min(*to),
            _ => self.last,
        };
        let rows = (first..=last).take(limit).map(|id| match id {
            _ if id == self.fails_at => Err("the connection is gone".into()),
            3 => Ok(Row::failed(3, "a cell does not load")),
            4 => Ok(Row::new(4, UrlEntry::new("https://example.org/elsewhere"))),
            _ if id == self.twice => Ok(Row::new(id - 1, UrlEntry::new("/twice"))),
            _ => Ok(Row::new(id, UrlEntry::new(format!("/rows/{id}")))),
        });
        ready(rows.collect())
    }
}

fn rows(last: i64) -> Rows {
    Rows {
        last,
        fails_at: 0,
        twice: 0,
    }
}

fn site(rows: Rows) -> Site {
    let pages: Vec<_> = (1..=25).map(|id| Page { section: "pages", id }).collect();
    SiteBuilder::new("https://example.com/")
        .section("pages", pages)
        .section("rows", rows)
        .batch_rows(7)
        .build()
        .unwrap()
}

fn locs(set: &SitemapSet) -> Vec<String> {
    set.entries().unwrap().map(|entry| entry.unwrap().loc).collect()
}

#[tokio::test]
async fn all_sections_are_written_and_published() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        SitemapSet::directory(folder.path().join("set"), "https://example.com")
            .max_entries(10)
            .open()
            .unwrap()
    };
    let set = open();
    let summary = site(rows(21)).export(&set).await.unwrap();
    assert_eq!(
        (summary.entries, summary.files, summary.not_listed),
        (23 + 19, 3 + 2 + 1, 2)
    );
    let reasons = &summary.problems;
    assert_eq!((summary.skipped, reasons.len()), (2, 2));
    assert_eq!(reasons[0], "row 3: a cell does not load");
    assert!(
        reasons[1].starts_with("section rows, row 4: `https://example.org/elsewhere` is "),
        "{reasons:?}"
    );
    let pages = (1..=25)
        .filter(|id| id % 10 != 0)
        .map(|id| format!("https://example.com/pages/{id}"));
    let of_rows = (1..=21)
        .filter(|id| ![3, 4].contains(id))
        .map(|id| format!("https://example.com/rows/{id}"));
    let expected: Vec<String> = pages.chain(of_rows).collect();
    assert_eq!(locs(&set), expected);

    // What is served lists the same pages, at other addresses.
    let served = site(rows(21));
    let mut served_locs = Vec::new();
    for part in ["sitemap-pages.xml", "sitemap-rows.xml"] {
        let text = read(served.respond(&request("GET", &format!("/{part}"), &[])).await)
            .await
            .text();
        let found = text
            .split("<loc>")
            .skip(1)
            .map(|rest| rest.split('<').next().unwrap().to_owned());
        served_locs.extend(found);
    }
    assert_eq!(served_locs, expected);

    // Exported again, unchanged rows stay, by key.
    let again = open();
    let summary = site(rows(22)).export(&again).await.unwrap();
    assert_eq!((summary.written, summary.kept), (2, 4));
    assert_eq!(
        again.plan(&[]).unwrap().files.last().unwrap().action,
        FileAction::Write
    );
}

#[tokio::test]
async fn what_fails_publishes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let set = SitemapSet::directory(folder.path().join("set"), "https://example.com")
        .open()
        .unwrap();
    let good = site(rows(21));
    good.export(&set).await.unwrap();
    let before = locs(&set);
    for (bad, message) in [
        (
            Rows {
                fails_at: 15,
                ..rows(21)
            },
            "section rows: the rows cannot be read: the connection is gone",
        ),
        (
            Rows { twice: 9, ..rows(21) },
            "section rows: two rows have the key 8: the key columns of a source are unique and not null; name columns that are, such as \
             the primary key",
        ),
    ] {
        let error = site(bad).export(&set).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::Source, message)
        );
        // Its cause is part of the message, and told once.
        assert!(std::error::Error::source(&error).is_none());
    }
    let other = SitemapSet::directory(folder.path().join("other"), "https://example.org")
        .open()
        .unwrap();
    let error = good.export(&other).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Setting);
    assert_eq!(
        error.to_string(),
        "the set's base is https://example.org, and the site's is https://example.com: give both the same, so that the same pages are \
         listed"
    );
    // A table that is empty all of a sudden.
    let none = SiteBuilder::new("https://example.com")
        .section("rows", Vec::<UrlEntry>::new())
        .build()
        .unwrap();
    assert_eq!(none.export(&set).await.unwrap_err().kind(), ErrorKind::Shrunk);
    assert_eq!(locs(&set), before);
    drop(set);
    // Nothing that was written for them is left.
    let staging = folder.path().join("set/state/staging");
    assert_eq!(std::fs::read_dir(staging).unwrap().count(), 0);
}
