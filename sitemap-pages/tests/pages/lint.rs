//! Entries of a sitemap against the pages of the folder.

use std::fmt::Write as _;

use sitemap_pages::FolderPages;
use sitemap_serde::lint::{Linter, PageStatus, SitePages};

use crate::site::{Site, builder};

const LINKS: &str = "<link rel=alternate hreflang=en href=/en.html><link rel=alternate hreflang=de href=/de.html>\
                     <link rel=alternate hreflang=fr href=https://example.fr/>";

/// A site with a page of each kind.
fn site() -> Site {
    Site::new(&[
        ("index.html", "<p>Home"),
        (
            "dated.html",
            "<link rel=canonical href=/dated.html><meta name=dcterms.modified content=2026-04-10><p>Dated",
        ),
        (
            "timed.html",
            "<link rel=canonical href=/timed.html><meta name=dcterms.modified content=2026-04-12T10:00:00+02:00><p>Timed",
        ),
        ("en.html", &format!("{LINKS}<p>English")),
        ("de.html", &format!("{LINKS}<p>Deutsch")),
        ("own.html", "<link rel=canonical href=/own><p>Own"),
        ("caf\u{e9}.html", "<p>Coffee"),
        ("draft.html", "<p>Draft\n<meta name=robots content=noindex>"),
        ("secret.html", "<p>Secret"),
        ("blocked.html", "<p>Blocked"),
        ("moved.html", "<meta http-equiv=refresh content='0;url=/'>"),
        ("copy.html", "<link rel=canonical href=/><p>Home"),
        ("404.html", "<p>Not found"),
        ("logo.png", "PNG"),
        ("_redirects", "/old/* /:splat 301\n"),
        ("_headers", "/secret.html\n  X-Robots-Tag: noindex\n"),
        ("robots.txt", "User-agent: *\nDisallow: /blocked\n"),
    ])
}

/// All entries that should be listed, with the dates and alternates of the pages.
const LISTED: [(&str, &str); 7] = [
    ("", ""),
    ("caf%C3%A9.html", ""),
    ("dated.html", "<lastmod>2026-04-10</lastmod>"),
    ("de.html", ALTERNATES),
    ("en.html", ALTERNATES),
    ("own", ""),
    ("timed.html", "<lastmod>2026-04-12T08:00:00Z</lastmod>"),
];

const ALTERNATES: &str = r#"<xhtml:link rel="alternate" hreflang="en" href="https://example.com/en.html"/><xhtml:link rel="alternate" hreflang="DE" href="https://example.com/de.html"/><xhtml:link rel="alternate" hreflang="fr" href="https://example.fr/"/>"#;

fn entries(entries: &[(&str, &str)]) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    for (path, more) in entries {
        let loc = if path.contains("://") {
            (*path).to_owned()
        } else {
            format!("https://example.com/{path}")
        };
        let _ = writeln!(xml, "<url><loc>{loc}</loc>{more}</url>");
    }
    xml + "</urlset>\n"
}

/// Returns the findings that only a lint with the pages reports.
fn found(xml: &str) -> Vec<String> {
    let site = site();
    let mut builder = builder();
    builder.now("2026-05-01".parse().unwrap());
    let pages = FolderPages::from(builder.read(site.path()).unwrap());
    let without = Linter::new().check(xml.as_bytes());
    let all = Linter::new().pages(pages).check(xml.as_bytes());
    let new = all.iter().filter(|found| !without.contains(found));
    new.map(|found| {
        let line = found.position().map_or(0, |position| position.line());
        format!(
            "{line}: {}[{}]: {}",
            found.severity(),
            found.rule(),
            found.message()
        )
    })
    .collect()
}

#[test]
fn a_sitemap_that_is_right() {
    assert_eq!(found(&entries(&LISTED)), [""; 0]);
    // Addresses in another encoding, on another site, with a query, or of another file.
    let more = [
        ("https://example.org/draft.html", ""),
        ("draft.html?page=2", ""),
        ("logo.png", ""),
    ];
    let mut others = LISTED;
    // The page names no canonical address.
    for own in ["caf%c3%A9.html", "caf%C3%A9"] {
        others[1].0 = own;
        assert_eq!(found(&entries(&[&others[..], &more].concat())), [""; 0]);
    }
}

#[test]
fn one_fault_of_each_kind() {
    let written = sitemap_serde::entries_to_string(builder().read(site().path()).unwrap().pages()).unwrap();
    assert_eq!(found(&written), [""; 0], "what the folder itself writes");
    for (fault, message) in [
        (
            ("draft.html", ""),
            "warning[L-NOINDEX]: `https://example.com/draft.html` is listed, and may not be indexed: draft.html:2: `noindex` (L-NOINDEX); \
             remove the entry, or let the page be indexed",
        ),
        (
            ("secret.html", ""),
            "warning[L-NOINDEX]: `https://example.com/secret.html` is listed, and may not be indexed: secret.html: `X-Robots-Tag` in \
             _headers:2 (L-NOINDEX); remove the entry, or let the page be indexed",
        ),
        (
            ("blocked.html", ""),
            "warning[L-ROBOTS]: `https://example.com/blocked.html` is listed, and is blocked for crawlers: blocked.html: not allowed by \
             robots.txt (L-ROBOTS); take the page out of the sitemap, or allow it",
        ),
        (
            ("moved.html", ""),
            "warning[L-REDIRECT]: `https://example.com/moved.html` is listed, and leads to another address: moved.html:1: redirects to \
             `/` (L-REDIRECT); list the address that it leads to",
        ),
        (
            ("old/dated.html", ""),
            "warning[L-REDIRECT]: `https://example.com/old/dated.html` is listed, and leads to another address: to `/dated.html` by \
             _redirects:1 (L-REDIRECT); list the address that it leads to",
        ),
        (
            ("copy.html", ""),
            "warning[L-CANONICAL]: `https://example.com/copy.html` is listed, and is not the canonical address of its page: copy.html:1: \
             its canonical address is `/` (L-CANONICAL); list the canonical address",
        ),
        (
            ("own.html", ""),
            "warning[L-CANONICAL]: `https://example.com/own.html` is listed, and the address of its page is `https://example.com/own` \
             (L-CANONICAL); list that one",
        ),
        (
            ("index.html", ""),
            "warning[L-CANONICAL]: `https://example.com/index.html` is listed, and the address of its page is `https://example.com/` \
             (L-CANONICAL); list that one",
        ),
        (
            ("gone.html", ""),
            "warning[L-MISSING]: `https://example.com/gone.html` is listed, and is no page: no file of the folder answers at this \
             address (L-MISSING); remove the entry",
        ),
        (
            ("404.html", ""),
            "warning[L-MISSING]: `https://example.com/404.html` is listed, and is no page: 404.html: a page for errors (L-MISSING); \
             remove the entry",
        ),
        (
            ("dated.html", "<lastmod>2026-04-12</lastmod>"),
            "note[L-PAGEDATE]: `2026-04-12` is newer than the date that the page states, `2026-04-10` (L-PAGEDATE); write when the page \
             was last changed",
        ),
        (
            ("timed.html", "<lastmod>2026-04-12T07:59:59Z</lastmod>"),
            "note[L-PAGEDATE]: `2026-04-12T07:59:59Z` is older than the date that the page states, `2026-04-12T10:00:00+02:00` \
             (L-PAGEDATE); write when the page was last changed",
        ),
    ] {
        let xml = entries(&[&LISTED[..], &[fault]].concat());
        assert_eq!(found(&xml), [format!("10: {message}")], "{fault:?}");
    }
}

/// In any encoding, no file outside the folder answers.
#[test]
fn addresses_that_lead_out_of_the_folder() {
    let site = site();
    std::fs::write(site.path().join("../outside.txt"), "Outside").unwrap();
    let pages = FolderPages::from(builder().read(site.path()).unwrap());
    let outside = site.path().canonicalize().unwrap().join("../outside.txt");
    let outside = outside.to_str().unwrap().replace('/', "%2F");
    for dots in [
        "..",
        "%2e%2E",
        ".%2e",
        "x%2F..%2F..",
        "logo.png%2F..%2F..",
        ".%2F..",
    ] {
        for path in [
            format!("{dots}/outside.txt"),
            format!("{dots}%2Foutside.txt"),
            format!("{dots}%5Coutside.txt"),
        ] {
            let status = pages.status(&format!("https://example.com/{path}"));
            assert!(matches!(status, PageStatus::Missing(_)), "{path}: {status:?}");
        }
    }
    let status = pages.status(&format!("https://example.com/{outside}"));
    assert!(matches!(status, PageStatus::Missing(_)), "{outside}: {status:?}");
    assert_eq!(
        pages.status("https://example.com/./logo.png"),
        PageStatus::Unknown
    );
}

/// A lint looks up the page of each of an entry's links. This must not copy all links of that page.
#[test]
fn alternates_are_not_copied() {
    let pages = FolderPages::from(builder().read(site().path()).unwrap());
    let alternates = || match pages.status("https://example.com/en.html") {
        PageStatus::Listed(page) => page.alternates,
        status => panic!("{status:?}"),
    };
    assert_eq!(alternates().len(), 2);
    assert!(std::sync::Arc::ptr_eq(&alternates(), &alternates()));
}

#[test]
fn pages_that_are_not_listed() {
    for missing in 0..LISTED.len() {
        let mut listed = LISTED.to_vec();
        let (path, _) = listed.remove(missing);
        assert_eq!(
            found(&entries(&listed)),
            [format!(
                "0: note[L-UNLISTED]: `https://example.com/{path}` may be indexed, and is not listed (L-UNLISTED); list it"
            )]
        );
    }
}

#[test]
fn languages_that_disagree() {
    let link = |hreflang: &str, href: &str| {
        format!(r#"<xhtml:link rel="alternate" hreflang="{hreflang}" href="https://example.com/{href}"/>"#)
    };
    for (links, messages) in [
        (String::new(), vec![]),
        (
            link("en", "en.html"),
            vec!["the page has the alternate `https://example.com/de.html` in `de`, and its entry does not"],
        ),
        (
            link("en", "en.html") + &link("de", "de.html") + &link("x-default", ""),
            vec!["the entry has the alternate `https://example.com/` in `x-default`, and its page does not"],
        ),
        (
            link("en", "en") + &link("de-AT", "de.html"),
            vec![
                "the entry has the alternate `https://example.com/de.html` in `de-at`, and its page does not",
                "the page has the alternate `https://example.com/de.html` in `de`, and its entry does not",
            ],
        ),
        (
            link("en", "en.html") + &link("de", "de.html") + &link("it", "draft.html"),
            vec![
                "the alternate `https://example.com/draft.html` in `it` is not to be listed: draft.html:2: `noindex`",
            ],
        ),
    ] {
        let mut listed = LISTED;
        listed[4].1 = &links;
        let expected: Vec<String> = messages
            .iter()
            .map(|message| {
                format!(
                    "7: warning[L-HREFLANG]: {message} (L-HREFLANG); make both say the same, or keep only one"
                )
            })
            .collect();
        assert_eq!(found(&entries(&listed)), expected, "{links}");
    }
}
