//! The responses of documents.

use std::time::Duration;

use sitemap_serde::Rule;
use sitemap_serde::lint::{Input, Linter, Response};
use sitemap_serde::robots::Robots;

use super::{linter, listed, page};

fn good() -> Response {
    let mut response = Response::new(1000, Duration::from_secs(10));
    response.content_type = Some("application/xml; charset=UTF-8".to_owned());
    response.has_validator = true;
    response
}

fn found(linter: &Linter, response: Response) -> Vec<String> {
    let text = page("");
    let mut found = Vec::new();
    let mut lint = linter.start(|_, diagnostic| found.push(diagnostic.to_string()));
    let document = Input::from_slice("sitemap.xml", text.as_bytes());
    let document = document
        .location("https://example.com/sitemap.xml")
        .response(response);
    lint.document(document).unwrap();
    lint.finish().unwrap();
    found
}

fn with_robots(text: &str) -> Linter {
    let mut linter = linter();
    linter.robots(
        "https://example.com/robots.txt",
        Robots::parse(text.as_bytes()),
        "Googlebot",
    );
    linter.robots(
        "https://other.example/robots.txt",
        Robots::parse(b"User-agent: *\nDisallow: /"),
        "Googlebot",
    );
    linter
}

/// One fault per case, and none in a good response.
#[test]
fn faults_of_responses() {
    let named = "Sitemap: https://example.com/sitemap.xml\n";
    let good_site = with_robots(named);
    let changed = |change: &dyn Fn(&mut Response)| {
        let mut response = good();
        change(&mut response);
        found(&good_site, response)
    };
    let cases = [
        ("a good response", changed(&|_| ())),
        (
            "a redirect",
            changed(&|response| response.redirected_to = Some("https://example.com/map.xml".to_owned())),
        ),
        (
            "no content type",
            changed(&|response| response.content_type = None),
        ),
        (
            "a page's content type",
            changed(&|response| response.content_type = Some("Text/HTML; charset=utf-8".to_owned())),
        ),
        (
            "slow",
            changed(&|response| response.time = Duration::from_secs(11)),
        ),
        (
            "no validator",
            changed(&|response| response.has_validator = false),
        ),
        (
            "a robots.txt that names no sitemap",
            found(&with_robots("User-agent: *\nDisallow: /cart"), good()),
        ),
        (
            "a robots.txt that names another sitemap",
            found(&with_robots("Sitemap: https://example.com/old.xml\n"), good()),
        ),
        (
            "a robots.txt that forbids the sitemap",
            found(
                &with_robots(&format!("{named}User-agent: Googlebot\nDisallow: /*.xml$")),
                good(),
            ),
        ),
    ];
    let rules = [
        Rule::Moved,
        Rule::ContentType,
        Rule::ContentType,
        Rule::Slow,
        Rule::Validator,
        Rule::Unnamed,
        Rule::Unnamed,
        Rule::Forbidden,
    ];
    assert_eq!(cases[0].1, Vec::<String>::new());
    for ((name, found), rule) in cases[1..].iter().zip(rules) {
        assert!(
            found.len() == 1 && found[0].contains(rule.as_str()),
            "{name}: {found:?}"
        );
    }
    insta::assert_snapshot!(listed(cases));
}

#[test]
fn content_types_of_sitemaps() {
    for (name, is_good) in [
        ("application/xml", true),
        ("text/xml;charset=\"utf-8\"", true),
        ("TEXT/PLAIN", true),
        ("application/rss+xml", true),
        ("application/atom+xml", true),
        ("application/gzip", true),
        ("application/x-gzip", true),
        ("application/octet-stream", true),
        ("application/json", false),
        ("image/png", false),
        ("xml", false),
        ("", false),
        (";", false),
    ] {
        let mut response = good();
        response.content_type = Some(name.to_owned());
        assert_eq!(found(&linter(), response).is_empty(), is_good, "{name}");
    }
}

/// Lines that name `https://example.com/sitemap.xml`, also in other spellings, and lines that do not.
#[test]
fn lines_that_name_a_sitemap() {
    for (line, is_named) in [
        ("Sitemap: https://example.com/sitemap.xml", true),
        ("sitemap:HTTPS://EXAMPLE.com/sitemap.xml", true),
        ("Sitemap: https://example.com:443/sitemap.xml", true),
        ("Sitemap: https://example.com/%73itemap.xml#all", true),
        ("Sitemap: /sitemap.xml", true),
        ("Sitemap: https://example.com/Sitemap.xml", false),
        ("Sitemap: https://example.com/sitemap.xml.gz", false),
        ("Sitemap: https://example.com/sitemap.xml?page=1", false),
        ("Sitemap: https://www.example.com/sitemap.xml", false),
        ("Sitemap: http://example.com/sitemap.xml", false),
        ("Sitemap: https://example.com/", false),
        ("Sitemap: sitemap.xml", false),
    ] {
        let found = found(&with_robots(line), good());
        assert_eq!(found.is_empty(), is_named, "{line}: {found:?}");
    }
    // robots.txt may instead name the address after redirects.
    let mut moved = good();
    moved.redirected_to = Some("https://example.com/map.xml".to_owned());
    let found = found(&with_robots("Sitemap: https://example.com/map.xml"), moved);
    assert!(found.len() == 1 && found[0].contains("L-MOVED"), "{found:?}");
}

fn listing(loc: &str) -> String {
    format!("<sitemap><loc>{loc}</loc></sitemap>\n")
}

/// An index in the same lint names its sitemaps, whether it is read before or after them, but not itself.
#[test]
fn sitemaps_that_an_index_lists() {
    let (index, pages) = ("https://example.com/index.xml", "https://example.com/sitemap.xml");
    let documents = [
        (index, super::index(&[index, pages].map(listing).concat())),
        (pages, page("")),
    ];
    for order in [[0, 1], [1, 0]] {
        let mut found = Vec::new();
        let mut lint = with_robots("").start(|number, diagnostic| found.push((number, diagnostic.rule())));
        for at in order {
            let (location, text) = &documents[at];
            let input = Input::from_slice(*location, text.as_bytes());
            lint.document(input.location(*location).response(good())).unwrap();
        }
        lint.finish().unwrap();
        found.retain(|(_, rule)| *rule == Rule::Unnamed);
        assert_eq!(found, [(order[0], Rule::Unnamed)]);
    }
}

/// robots.txt need not name the sitemaps in an index. Without a response, robots.txt does not matter.
#[test]
fn what_robots_txt_need_not_name() {
    let mut response = good();
    response.is_in_index = true;
    let linter = with_robots("");
    assert_eq!(found(&linter, response), Vec::<String>::new());
    assert_eq!(linter.check(page("").as_bytes()), []);
}

/// A sitemap that robots.txt names, directly or in an index, may list all pages of that site, and only of that site.
#[test]
fn named_documents_may_list_the_whole_site() {
    let index = "https://example.com/deep/index.xml";
    let listed = "https://example.com/deep/er/pages.xml";
    let outside = [Rule::Path];
    let elsewhere = [Rule::Host];
    for (location, listers, robots, loc, expected) in [
        (listed, &[][..], "", "https://example.com/deep/er/a", &[][..]),
        (listed, &[], "", "https://example.com/a", &outside),
        (
            listed,
            &[],
            "Sitemap: https://example.com/deep/er/pages.xml",
            "https://example.com/a",
            &[],
        ),
        (
            listed,
            &[],
            "Sitemap: /deep/er/pages.xml",
            "https://example.com/a",
            &[],
        ),
        (
            listed,
            &[],
            "Sitemap: https://example.com/deep/er/pages.xml#a",
            "https://example.com/a",
            &[],
        ),
        (
            listed,
            &[],
            "Sitemap: https://example.com/other.xml",
            "https://example.com/a",
            &outside,
        ),
        (
            listed,
            &[],
            "Sitemap: https://example.com/deep/index.xml",
            "https://example.com/a",
            &outside,
        ),
        (
            listed,
            &[index],
            "Sitemap: https://example.com/deep/index.xml",
            "https://example.com/a",
            &[],
        ),
        (
            listed,
            &["https://example.com/deep/middle.xml", index],
            "Sitemap: /deep/index.xml",
            "https://example.com/a",
            &[],
        ),
        (
            listed,
            &[index],
            "Sitemap: http://example.com/deep/index.xml",
            "https://example.com/a",
            &outside,
        ),
        // Only the robots.txt of the loc's site counts.
        (
            listed,
            &[],
            "Sitemap: https://example.com/deep/er/pages.xml",
            "https://other.example/a",
            &elsewhere,
        ),
        (
            "https://cdn.example/pages.xml",
            &[],
            "Sitemap: https://cdn.example/pages.xml",
            "https://example.com/a",
            &[],
        ),
        (
            "https://cdn.example/pages.xml",
            &[],
            "Sitemap: /pages.xml",
            "https://example.com/a",
            &elsewhere,
        ),
        (
            "https://cdn.example/pages.xml",
            &["https://cdn.example/index.xml"],
            "Sitemap: https://cdn.example/index.xml",
            "https://example.com/a",
            &[],
        ),
        (
            "https://cdn.example/pages.xml",
            &[],
            "",
            "https://example.com/a",
            &elsewhere,
        ),
    ] {
        let mut linter = Linter::new();
        let robots = Robots::parse(robots.as_bytes());
        linter.robots("https://example.com/robots.txt", robots, "Googlebot");
        let text = format!("{loc}\n");
        let mut found = Vec::new();
        let mut lint = linter.start(|_, diagnostic| found.push(diagnostic.rule()));
        let document = Input::from_slice("pages.txt", text.as_bytes()).location(location);
        lint.document(document.indexes(listers.iter().copied())).unwrap();
        lint.finish().unwrap();
        assert_eq!(found, expected, "{location} {listers:?}: {loc}");
    }
    // An index may list any sitemap.
    let text = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
                <sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>";
    for (robots, expected) in [("", &[Rule::Idx2][..]), ("Sitemap: /deep/index.xml", &[])] {
        let mut linter = Linter::new();
        linter.robots(
            "https://example.com/robots.txt",
            Robots::parse(robots.as_bytes()),
            "Googlebot",
        );
        let mut found = Vec::new();
        let mut lint = linter.start(|_, diagnostic| found.push(diagnostic.rule()));
        lint.document(Input::from_slice("index.xml", text.as_bytes()).location(index))
            .unwrap();
        lint.finish().unwrap();
        found.retain(|rule| *rule == Rule::Idx2);
        assert_eq!(found, expected, "{robots}");
    }
}
