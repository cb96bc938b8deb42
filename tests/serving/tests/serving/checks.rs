//! The findings of a site's check, and the answer of `ready` if sections cannot be rendered.

use http::Request;
use sitemap_serde::news::Publication;
use sitemap_serde::{News, SitemapEntry, UrlEntry, W3cDateTime};
use sitemap_serving_tests::{Rows, logged};
use sitemap_site::source::{BoxError, DatedKey, Row, Source, Span};
use sitemap_site::{Key, KeyValue, Section, SiteBuilder};

/// Rows with keys from 1. `Err` is an unreadable row.
#[derive(Debug)]
struct Table(Vec<Result<&'static str, &'static str>>);

impl Source for Table {
    type Entry = UrlEntry;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        let place = |key: &Key| match key.values() {
            [KeyValue::Integer(key)] => usize::try_from(*key).unwrap(),
            _ => unreachable!("keys are integers"),
        };
        let after = span.after.as_ref().map_or(0, place);
        let to = span.to.as_ref().map_or(self.0.len(), place);
        let rows = (1..).zip(&self.0).take(to).skip(after).take(limit);
        let row = |(key, row): (i64, &Result<&str, &'static str>)| match row {
            Ok(loc) => Row::new(key, UrlEntry::new(*loc)),
            Err(error) => Row::failed(key, *error),
        };
        Ok(rows.map(row).collect())
    }
}

/// A table that can be counted, and not read.
#[derive(Debug)]
struct Unreadable;

impl Source for Unreadable {
    type Entry = UrlEntry;

    async fn rows(&self, _: &Span, _: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        Err("no such column: slug".into())
    }

    async fn keys(&self, span: &Span, _: usize) -> Result<Vec<DatedKey>, BoxError> {
        let keys = if span.after.is_some() { 0..0 } else { 1..3 };
        Ok(keys.map(|key: i64| DatedKey::new(key.into(), None)).collect())
    }
}

/// A table that can be read, but not counted.
#[derive(Debug)]
struct Uncountable;

impl Source for Uncountable {
    type Entry = UrlEntry;

    async fn rows(&self, _: &Span, _: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        Ok(vec![Row::new(1, UrlEntry::new("/1"))])
    }

    async fn keys(&self, _: &Span, _: usize) -> Result<Vec<DatedKey>, BoxError> {
        Err("no such column: updated_at".into())
    }
}

fn site() -> SiteBuilder {
    let mut site = SiteBuilder::new("https://example.com");
    site.batch_rows(2);
    site
}

#[test]
fn a_check_finds_what_is_wrong() {
    let draft = UrlEntry::new("/posts/1");
    let (report, log) = logged(async {
        let drafts = Rows::new(2);
        drafts.change(1, |page| page.draft = true);
        let site = site()
            .section(
                "products",
                Table(vec![
                    Ok("/products/lamp"),
                    Ok("products/sofa"),
                    Err("unknown status \"whatever\""),
                    Ok("/products/lamp"),
                    Ok("/products//chair"),
                    Ok("https://example.org/"),
                ]),
            )
            .section(
                "pages",
                [UrlEntry::new("/about"), UrlEntry::new("/products/lamp")],
            )
            .section("drafts", drafts)
            .section("news", Section::new([draft]).news())
            .section("nothing", Vec::<UrlEntry>::new())
            .build()
            .unwrap();
        let report = site.check().await.unwrap();
        assert_eq!(site.stats().skipped, 0);
        report
    });
    assert_eq!(log, Vec::<String>::new());
    assert!(!report.is_clean());
    assert_eq!(
        report.to_string(),
        "products: 3 pages of 6 rows\n  \
           3 rows are skipped:\n    \
             row 2: `products/sofa` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); \
             write the absolute URL, or begin it with `/`, entry 1 · loc\n    \
             row 3: unknown status \"whatever\"\n    \
             row 6: `https://example.org/` is not on the site of the document, `https://example.com/`: all URLs of a file have its scheme, \
             host and port (P-HOST); write them to a sitemap of their own, or allow cross-submission, entry 1 · loc\n  \
           1 page has an empty path segment:\n    \
             https://example.com/products//chair\n\
         pages: 2 pages of 2 rows\n\
         drafts: 1 page of 2 rows\n\
         news: 0 pages of 1 row\n  \
           1 row is skipped:\n    \
             row 1: https://example.com/posts/1 has no `news:news`, and the section is one of news\n\
         nothing: 0 pages of 0 rows\n\
         2 pages are listed again:\n  \
           https://example.com/products/lamp, of `products`\n  \
           https://example.com/products/lamp, of `products` and `pages`"
    );
}

#[test]
fn a_clean_site_is_clean() {
    let (report, _) = logged(async {
        let now = W3cDateTime::try_from(std::time::SystemTime::now()).unwrap();
        let news = News::new(Publication::new("The Example", "en"), now, "A title");
        site()
            .section("products", Rows::new(5))
            .section(
                "news",
                Section::new([UrlEntry::new("/posts/1").with_news(news)]).news(),
            )
            .build()
            .unwrap()
            .check()
            .await
            .unwrap()
    });
    assert!(report.is_clean());
    assert_eq!(
        report.to_string(),
        "products: 5 pages of 5 rows\nnews: 1 page of 1 row"
    );
}

/// A report is short, however many findings there are.
#[test]
fn a_report_has_the_first_findings_and_their_number() {
    #[derive(Clone, SitemapEntry)]
    #[sitemap(loc = "/same")]
    struct Same;
    let (report, _) = logged(async {
        let rows = vec![Err("bad"); 1000];
        site()
            .section("bad", Table(rows))
            .section("same", vec![Same; 1000])
            .build()
            .unwrap()
            .check()
            .await
            .unwrap()
    });
    assert_eq!(
        (
            report.sections[0].skipped.count,
            report.sections[0].skipped.first.len()
        ),
        (1000, 20)
    );
    assert_eq!((report.repeated.count, report.repeated.first.len()), (999, 20));
    let text = report.to_string();
    assert!(
        text.starts_with("bad: 0 pages of 1000 rows\n  1000 rows are skipped:\n    row 1: bad\n")
            && text.contains("\n    row 20: bad\n    and 980 more\nsame: 1000 pages of 1000 rows\n")
            && text.ends_with("\n  https://example.com/same, of `same`\n  and 979 more"),
        "{text}"
    );
}

#[test]
fn sections_that_cannot_be_read_are_named() {
    let ((checked, is_ready, status), log) = logged(async {
        let site = site()
            .section("unreadable", Unreadable)
            .section("pages", [UrlEntry::new("/")])
            .section(
                "bad",
                Table(vec![Err("no such column: slug"), Err("no such column: slug")]),
            )
            .section("uncountable", Uncountable)
            .build()
            .unwrap();
        let checked = site.check().await.unwrap_err().to_string();
        let is_ready = site.ready().await.unwrap_err().to_string();
        let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
        (checked, is_ready, site.respond(&request).await.status())
    });
    assert_eq!(
        checked,
        "section `unreadable`: the rows cannot be read: no such column: slug; section `uncountable`: the rows cannot be counted: no such \
         column: updated_at"
    );
    assert_eq!(
        is_ready,
        "section `unreadable`: sitemap-unreadable.xml cannot be rendered: the rows cannot be read: no such column: slug; section `bad`: \
         sitemap-bad.xml cannot be rendered: none of its rows can be listed: 2 are skipped, the first of them since no such column: slug \
         (row 1); section `uncountable`: the rows cannot be counted: no such column: updated_at"
    );
    assert_eq!(status, 200, "the others are served: {log:#?}");
}

/// A rendered part is not rendered again.
#[test]
fn a_site_that_is_ready_has_its_first_parts() {
    let (queries, log) = logged(async {
        let rows = Rows::new(3);
        let site = SiteBuilder::new("https://example.com")
            .section("pages", rows.clone())
            .section("none", Rows::new(0))
            .build()
            .unwrap();
        site.ready().await.unwrap();
        let before = rows.queries();
        site.ready().await.unwrap();
        let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
        assert_eq!(site.respond(&request).await.status(), 200);
        rows.queries() - before
    });
    assert_eq!((queries, log), (0, Vec::new()));
}

/// A panic is a finding, or the failure of its section.
#[test]
fn a_panic_ends_no_check() {
    #[derive(Clone)]
    struct Bad;
    impl SitemapEntry for Bad {
        fn write_entry(&self, _: &mut sitemap_serde::EntryWriter<'_>) -> sitemap_serde::Result<()> {
            panic!("infinity is no date")
        }
    }
    struct Panics;
    impl Source for Panics {
        type Entry = UrlEntry;

        async fn rows(&self, _: &Span, _: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
            panic!("no connection")
        }

        async fn keys(&self, _: &Span, _: usize) -> Result<Vec<DatedKey>, BoxError> {
            Ok(Vec::new())
        }
    }
    let ((report, error), _) = logged(async {
        let site = site().section("bad", [Bad]).build().unwrap();
        let report = site.check().await.unwrap();
        let site = self::site().section("panics", Panics).build().unwrap();
        (report, site.check().await.unwrap_err())
    });
    assert_eq!(
        report.to_string(),
        "bad: 0 pages of 1 row\n  1 row is skipped:\n    row 1: a panic: infinity is no date, entry 1"
    );
    assert_eq!(
        error.to_string(),
        "section `panics`: the rows cannot be read: a panic: no connection"
    );
}
