//! Entries against the pages of the site.

use std::collections::BTreeMap;

use sitemap_serde::lint::{Input, Linter, PageStatus, SitePage, SitePages};
use sitemap_serde::robots::Robots;
use sitemap_serde::{Alternate, Rule};

use super::{entry, found_by, linter, urlset};

/// The pages of a site, by what follows `https://example.com/`.
#[derive(Debug, Default)]
struct Pages(BTreeMap<&'static str, PageStatus>);

fn url(path: &str) -> String {
    format!("https://example.com/{path}")
}

impl SitePages for Pages {
    fn status(&self, url: &str) -> PageStatus {
        let path = url.strip_prefix("https://example.com/").unwrap_or("?");
        self.0.get(path).cloned().unwrap_or(PageStatus::Unknown)
    }

    fn addresses(&self) -> Vec<String> {
        let pages = self.0.values().filter_map(|status| match status {
            PageStatus::Listed(page) => Some((page.number, page.address.clone())),
            _ => None,
        });
        pages.collect::<BTreeMap<_, _>>().into_values().collect()
    }
}

fn listed(number: usize, path: &str) -> SitePage {
    SitePage::new(number, url(path))
}

fn found(pages: &[(&'static str, PageStatus)], entries: &str) -> Vec<String> {
    let mut linter = linter();
    linter.pages(Pages(pages.iter().cloned().collect()));
    linter.level(Rule::Alt3, None).level(Rule::Alt4, None);
    found_by(&linter, urlset(entries))
}

#[rustfmt::skip]
#[test]
fn pages_that_should_not_be_listed() {
    let home = ("", PageStatus::Listed(listed(0, "")));
    for (status, message) in [
        (PageStatus::Unknown, None),
        (
            PageStatus::NoIndex("a.html:3".into()),
            Some("warning[L-NOINDEX]: `https://example.com/a` is listed, and may not be indexed: a.html:3 (L-NOINDEX); remove the entry, or let the page be indexed"),
        ),
        (
            PageStatus::Redirect("to /b".into()),
            Some("warning[L-REDIRECT]: `https://example.com/a` is listed, and leads to another address: to /b (L-REDIRECT); list the address that it leads to"),
        ),
        (
            PageStatus::NotCanonical("it is /b".into()),
            Some("warning[L-CANONICAL]: `https://example.com/a` is listed, and is not the canonical address of its page: it is /b (L-CANONICAL); list the canonical address"),
        ),
        (
            PageStatus::Blocked("line 2".into()),
            Some("warning[L-ROBOTS]: `https://example.com/a` is listed, and is blocked for crawlers: line 2 (L-ROBOTS); take the page out of the sitemap, or allow it"),
        ),
        (
            PageStatus::Missing("no file".into()),
            Some("warning[L-MISSING]: `https://example.com/a` is listed, and is no page: no file (L-MISSING); remove the entry"),
        ),
    ] {
        let expected: Vec<String> = message.into_iter().map(|message| format!("{message}, at line 4, column 11 (byte 446), entry 2 · loc")).collect();
        assert_eq!(found(&[home.clone(), ("a", status)], &(entry(&url("")) + &entry(&url("a")))), expected);
    }
}

#[test]
fn an_address_that_is_not_the_page_s() {
    let pages = [("a.html", PageStatus::Listed(listed(0, "a")))];
    let mut linter = linter();
    linter.pages(Pages(pages.into()));
    let found = linter.check(urlset(&entry(&url("a.html"))).as_bytes());
    assert_eq!(
        found[0].message(),
        "`https://example.com/a.html` is listed, and the address of its page is `https://example.com/a` (L-CANONICAL); list that one"
    );
    assert_eq!(found[0].replacement().unwrap().text(), "https://example.com/a");
    assert_eq!(found.len(), 1);
}

/// Dates are compared as far as both say, and days may be those of different zones.
#[test]
fn dates_that_differ() {
    for (own, lastmod, order) in [
        ("2026-04-10", "2026-04-10", None),
        ("2026-04-10", "2026-04-11T03:00:00+09:00", None),
        ("2026-04-10", "2026-04-09", None),
        ("2026-04-10", "2026-04-12", Some("newer")),
        ("2026-04-10", "2026-04-08T23:00:00Z", Some("older")),
        ("2026-04-10", "2026-04", None),
        ("2026-04-10", "2026-03", Some("older")),
        ("2026-04-10", "2025", Some("older")),
        ("2026-04-10T10:00:00Z", "2026-04-10T12:00:00+02:00", None),
        ("2026-04-10T10:00:30Z", "2026-04-10T10:00Z", None),
        ("2026-04-10T10:00:30Z", "2026-04-10T10:00:31Z", Some("newer")),
    ] {
        let mut page = listed(0, "");
        page.lastmod = Some(own.parse().unwrap());
        let entry = format!("<url><loc>{}</loc><lastmod>{lastmod}</lastmod></url>\n", url(""));
        let found = found(&[("", PageStatus::Listed(page))], &entry);
        let about: Vec<_> = found
            .iter()
            .filter(|found| found.contains("L-PAGEDATE"))
            .collect();
        match order {
            None => assert!(about.is_empty(), "{own} {lastmod}: {about:?}"),
            Some(order) => assert_eq!(
                *about,
                [&format!(
                    "note[L-PAGEDATE]: `{lastmod}` is {order} than the date that the page states, `{own}` (L-PAGEDATE); write when \
                     the page was last changed, at line 3, column 46 (byte 438), entry 1 · lastmod"
                )]
            ),
        }
    }
}

#[test]
fn alternates_that_differ() {
    let mut page = listed(0, "");
    page.alternates = [Alternate::new("en", url("")), Alternate::new("de", url("de"))].into();
    let pages = [
        ("", PageStatus::Listed(page)),
        ("de", PageStatus::Listed(listed(1, "de"))),
    ];
    let link = |hreflang: &str, href: &str| {
        format!(r#"<xhtml:link rel="alternate" hreflang="{hreflang}" href="{href}"/>"#)
    };
    let found = |links: &[String]| {
        let entries = format!("<url><loc>{}</loc>{}</url>\n", url(""), links.concat()) + &entry(&url("de"));
        found(&pages, &entries)
    };
    let (en, de) = (link("en", &url("")), link("DE", &url("de")));
    let other = link("fr", "https://example.fr/");
    assert_eq!(found(&[]), [""; 0]);
    assert_eq!(found(&[en.clone(), de, other]), [""; 0]);
    assert_eq!(
        found(&[en, link("de-CH", &url("de"))]),
        [
            "warning[L-HREFLANG]: the entry has the alternate `https://example.com/de` in `de-ch`, and its page does not (L-HREFLANG); let \
             both say the same, or one alone, at line 3, column 1 (byte 393), entry 1",
            "warning[L-HREFLANG]: the page has the alternate `https://example.com/de` in `de`, and its entry does not (L-HREFLANG); let \
             both say the same, or one alone, at line 3, column 1 (byte 393), entry 1",
        ]
    );
}

#[test]
fn pages_that_are_not_listed() {
    let pages = ["", "a", "b"].map(|path| {
        let number = ["", "a", "b"].iter().position(|other| *other == path).unwrap();
        (path, PageStatus::Listed(listed(number, path)))
    });
    let mut linter = linter();
    linter.pages(Pages(pages.into()));
    let (first, second) = (urlset(&entry(&url("a"))), urlset(&entry(&url(""))));
    let index = super::index(&format!("<sitemap><loc>{}</loc></sitemap>\n", url("1.xml")));
    let lint = |is_readable: bool| {
        let mut found = Vec::new();
        let mut lint = linter.start(|document, diagnostic| found.push((document, diagnostic.to_string())));
        lint.document(Input::from_slice("index.xml", index.as_bytes()))
            .unwrap();
        lint.document(Input::from_slice("1.xml", first.as_bytes()))
            .unwrap();
        let second = Input::new("2.xml", || {
            is_readable
                .then_some(second.as_bytes())
                .ok_or_else(|| std::io::Error::other("gone"))
        });
        assert_eq!(lint.document(second).is_ok(), is_readable);
        lint.finish().unwrap();
        found.retain(|(_, message)| message.contains("L-UNLISTED"));
        found
    };
    let message =
        "note[L-UNLISTED]: `https://example.com/b` may be indexed, and is not listed (L-UNLISTED); list it";
    assert_eq!(lint(true), [(1, message.to_owned())]);
    assert_eq!(lint(false), [], "who knows what the other document lists");
}

/// The rules of a given robots.txt say more than the pages do.
#[test]
fn blocked_pages_are_one_finding() {
    let pages = [("a", PageStatus::Blocked("robots.txt".into()))];
    let robots = Robots::parse(b"User-agent: *\nDisallow: /a");
    let mut linter = Linter::new();
    linter
        .pages(Pages(pages.into()))
        .robots(url("robots.txt"), robots, "Googlebot");
    let found = found_by(&linter, urlset(&entry(&url("a"))));
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("by line 2 of robots.txt"), "{found:?}");
}
