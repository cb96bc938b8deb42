//! Entries compared to the pages of the site.

use std::collections::BTreeMap;

use sitemap_serde::lint::{Input, Linter, PageStatus, SitePage, SitePages};
use sitemap_serde::robots::Robots;
use sitemap_serde::{Alternate, Diagnostic, Rule};

use super::{entry, found_by, linter, urlset};

/// The pages of a site, by their paths after `https://example.com/`.
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

    fn urls(&self) -> Vec<String> {
        let pages = self.0.values().filter_map(|status| match status {
            PageStatus::Listed(page) => Some((page.number, page.url.clone())),
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

#[test]
fn pages_that_should_not_be_listed() {
    let home = ("", PageStatus::Listed(listed(0, "")));
    let entries = entry(&url("")) + &entry(&url("a"));
    let cases = [
        ("unknown", PageStatus::Unknown),
        ("not to be indexed", PageStatus::NoIndex("a.html:3".into())),
        ("a redirect", PageStatus::Redirect("to /b".into())),
        ("not canonical", PageStatus::NotCanonical("it is /b".into())),
        ("blocked", PageStatus::Blocked("line 2".into())),
        ("missing", PageStatus::Missing("no file".into())),
    ];
    insta::assert_snapshot!(crate::lint::listed(
        cases.map(|(name, status)| (name, found(&[home.clone(), ("a", status)], &entries)))
    ));
}

#[test]
fn names_in_search_console() {
    for (status, name) in [
        (PageStatus::Missing("no file".into()), Some("URLs not accessible")),
        (
            PageStatus::Blocked("line 2".into()),
            Some("URL blocked by robots.txt"),
        ),
        (PageStatus::Redirect("to /b".into()), None),
    ] {
        let mut linter = linter();
        linter.pages(Pages([("a", status.clone())].into()));
        let found = linter.check(urlset(&entry(&url("a"))).as_bytes());
        let names: Vec<_> = found.iter().map(Diagnostic::search_console).collect();
        assert_eq!(names, [name], "{status:?}");
    }
}

#[test]
fn an_address_that_is_not_the_page_s() {
    let pages = [("a.html", PageStatus::Listed(listed(0, "a")))];
    let mut linter = linter();
    linter.pages(Pages(pages.into()));
    let found = linter.check(urlset(&entry(&url("a.html"))).as_bytes());
    insta::assert_snapshot!(found[0].to_string());
    assert_eq!(
        found[0].suggestion().unwrap().new_text(),
        Some("https://example.com/a")
    );
    assert_eq!(found.len(), 1);
}

/// Dates are compared to their common precision, and days may be in different zones.
#[test]
fn dates_that_differ() {
    let mut messages = Vec::new();
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
        let mut found = found(&[("", PageStatus::Listed(page))], &entry);
        found.retain(|found| found.contains("L-PAGEDATE"));
        match order {
            None => assert_eq!(found, [""; 0], "{own} {lastmod}"),
            Some(order) => {
                assert!(
                    found[0].contains(&format!("`{lastmod}` is {order} than ")),
                    "{found:?}"
                );
                messages.push((format!("{own} and {lastmod}"), found));
            }
        }
    }
    let cases = messages
        .iter()
        .map(|(name, found)| (name.as_str(), found.clone()));
    insta::assert_snapshot!(crate::lint::listed(cases));
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
    insta::assert_snapshot!(found(&[en, link("de-CH", &url("de"))]).join("\n"));
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
    let unlisted = lint(true);
    assert_eq!(unlisted.len(), 1);
    assert_eq!(unlisted[0].0, 1, "the number of the document");
    insta::assert_snapshot!(unlisted[0].1);
    assert_eq!(lint(false), [], "who knows what the other document lists");
}

/// The rules of a given robots.txt take precedence over the pages.
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
