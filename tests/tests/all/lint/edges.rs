//! The edges of the rules: the last valid value and the first invalid one. Also the limits of a lint's memory.

use std::io::{self, Read};

use sitemap_serde::lint::{Input, Linter, Severity, Summary};
use sitemap_serde::{ErrorKind, Rule};

use crate::lint::{found, index, linter, page, urlset};

/// The broken rules in one document, in order.
fn rules(document: &str) -> Vec<Rule> {
    linter()
        .check(document.as_bytes())
        .iter()
        .map(sitemap_serde::Diagnostic::rule)
        .collect()
}

fn entries(count: usize, children: impl Fn(usize) -> String) -> String {
    let entry = |i| format!("<url><loc>https://example.com/{i}</loc>{}</url>\n", children(i));
    urlset(&(0..count).map(entry).collect::<String>())
}

/// The findings in documents with locations, and the summary.
fn found_in(linter: &Linter, documents: &[(&str, &str, Option<&str>)]) -> (Vec<Rule>, Summary) {
    let mut rules = Vec::new();
    let mut lint = linter.start(|_, diagnostic| rules.push(diagnostic.rule()));
    for (address, text, modified) in documents {
        let mut document = Input::from_slice(*address, text.as_bytes()).location(*address);
        if let Some(modified) = modified {
            document = document.last_modified(modified.parse().unwrap());
        }
        lint.document(document).unwrap();
    }
    let summary = lint.finish().unwrap();
    (rules, summary)
}

#[test]
fn equal_values_are_told_from_the_tenth_page_on() {
    let priorities = |count, priority| entries(count, |_| format!("<priority>{priority}</priority>"));
    assert_eq!(rules(&priorities(9, "0.9")), []);
    assert_eq!(rules(&priorities(10, "0.8")), [Rule::PrioAll]);
    assert_eq!(rules(&priorities(10, "0.7")), []);
    let lastmods = |count| entries(count, |_| "<lastmod>2026-05-01</lastmod>".to_owned());
    assert_eq!(rules(&lastmods(9)), []);
    assert_eq!(rules(&lastmods(10)), [Rule::SameLastmod]);
    let but_one = entries(10, |i| format!("<lastmod>2026-05-0{}</lastmod>", 1 + i / 9));
    assert_eq!(rules(&but_one), []);
}

#[test]
fn news_without_a_time_may_be_a_day_older() {
    let news = |date: &str| {
        page(&format!(
            "<news:news><news:publication><news:name>N</news:name><news:language>de</news:language></news:publication>\
             <news:publication_date>{date}</news:publication_date><news:title>T</news:title></news:news>"
        ))
    };
    // The time is noon on 10 May.
    for (date, expected) in [
        ("2026-05-08", &[][..]),
        ("2026-05-07", &[Rule::News5]),
        ("2026-05-08T12:00:00Z", &[]),
        ("2026-05-08T11:59:59Z", &[Rule::News5]),
    ] {
        assert_eq!(rules(&news(date)), expected, "{date}");
    }
}

#[test]
fn an_index_may_be_a_day_older_than_its_sitemap() {
    let listing =
        index("<sitemap><loc>https://example.com/1.xml</loc><lastmod>2026-05-01</lastmod></sitemap>\n");
    let sitemap = page("");
    for (modified, expected) in [
        ("2026-05-01T20:00:00Z", &[][..]),
        ("2026-05-02T00:00:00Z", &[]),
        ("2026-05-02T00:00:01Z", &[Rule::Idx3]),
    ] {
        let documents = [
            ("https://example.com/index.xml", listing.as_str(), None),
            ("https://example.com/1.xml", &sitemap, Some(modified)),
        ];
        assert_eq!(found_in(&linter(), &documents).0, expected, "{modified}");
    }
}

/// An index in an index is found without any other problem.
#[test]
fn an_index_in_an_index() {
    let outer = index("<sitemap><loc>https://example.com/2.xml</loc></sitemap>\n");
    let inner = index("<sitemap><loc>https://example.com/3.xml</loc></sitemap>\n");
    let documents = [
        ("https://example.com/1.xml", outer.as_str(), None),
        ("https://example.com/2.xml", &inner, None),
    ];
    assert_eq!(found_in(&linter(), &documents).0, [Rule::Nest]);
}

#[test]
fn percent_signs_and_sections() {
    let loc = |loc: &str| rules(&urlset(&format!("<url><loc>{loc}</loc></url>\n")));
    assert_eq!(loc("https://example.com/%zz"), [Rule::LocEnc]);
    assert_eq!(loc("https://example.com/%4"), [Rule::LocEnc]);
    assert_eq!(loc("https://example.com/%4a%4A"), []);
    assert_eq!(loc("https://example.com/it's"), [Rule::Esc]);
    assert_eq!(loc("<![CDATA[https://example.com/it's]]>"), []);
}

#[test]
fn links_that_stand_twice() {
    let link = |lang: &str, page: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{lang}\" href=\"https://example.com/{page}\"/>")
    };
    let entry =
        |page: &str, links: &str| format!("<url><loc>https://example.com/{page}</loc>{links}</url>\n");
    let (a, b) = (link("en", "a"), link("de", "b"));
    let twice = format!("{a}{b}{}", link("de-AT", "b"));
    // One link back is enough for both.
    let returned = urlset(&(entry("a", &twice) + &entry("b", &(a.clone() + &b))));
    assert_eq!(rules(&returned), []);
    // Two links in one direction do not return each other.
    let not_returned = urlset(&(entry("a", &twice) + &entry("b", &b)));
    assert_eq!(rules(&not_returned), [Rule::Alt4]);
}

/// The second pass checks 10,000 repeated locs and 10,000 links, and counts the others.
#[test]
fn what_is_too_much_for_the_second_pass_is_counted() {
    const PAGES: usize = 10_001;
    let repeated: Vec<String> = (0..2 * PAGES)
        .map(|i| format!("<url><loc>https://example.com/{}</loc></url>\n", i % PAGES))
        .collect();
    let repeated = urlset(&repeated.concat());
    let documents = [("https://example.com/1.xml", repeated.as_str(), None)];
    let (found, summary) = found_in(&linter(), &documents);
    assert_eq!((found.len(), summary.dropped), (PAGES - 1, 1));
    assert!(found.iter().all(|rule| *rule == Rule::DupLoc));

    let mut linter = linter();
    linter.level(Rule::Alt3, None);
    let linked = entries(PAGES + 1, |i| {
        let link = "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/0\"/>";
        if i == 0 { String::new() } else { link.to_owned() }
    });
    let documents = [("https://example.com/1.xml", linked.as_str(), None)];
    let (found, summary) = found_in(&linter, &documents);
    assert_eq!(
        (found.len() as u64 + summary.dropped, summary.dropped),
        (PAGES as u64, 1)
    );
    assert!(found.iter().all(|rule| *rule == Rule::Alt4));
}

/// However many notes and warnings an entry has, its other problems are found, whether the notes are reported or not.
#[test]
fn many_findings_of_a_rule_hide_none_of_another() {
    const LINK: &str = "<xhtml:link rel=\"alternate\" hreflang=\"german\" href=\"https://example.com/de\"/>";
    let image = |i| {
        format!(
            "<image:image><image:loc>https://example.com/{i}.jpg</image:loc><image:caption>C</image:caption>\
             <image:title>T</image:title></image:image>"
        )
    };
    for is_deprecated_off in [false, true] {
        let counts = |images: u64| {
            let images: String = (0..images).map(image).collect();
            let document = page(&format!("<priority>2</priority>{images}{LINK}"));
            let mut linter = linter();
            if is_deprecated_off {
                linter.level(Rule::Deprecated, None);
            }
            let documents = [("https://example.com/1.xml", document.as_str(), None)];
            let (_, mut summary) = found_in(&linter, &documents);
            let deprecated = summary.counts.remove(&(Rule::Deprecated, Severity::Note));
            (summary.counts, deprecated.unwrap_or_default(), summary.dropped)
        };
        let (others, ..) = counts(3);
        assert!(others.len() >= 2, "{others:?}");
        for images in [500, 501, 1000] {
            let (reported, left_out) = if is_deprecated_off {
                (0, 0)
            } else {
                (1000, 2 * images - 1000)
            };
            assert_eq!(counts(images), (others.clone(), reported, left_out), "{images}");
        }
    }
}

/// An invalid value beyond the limit of findings does not count as missing.
#[test]
fn what_is_left_out_is_not_found_as_something_else() {
    let video = "<video:video><video:thumbnail_loc>x</video:thumbnail_loc><video:title>T</video:title>\
                 <video:description>D</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>";
    let summary = |videos: usize| {
        let document = page(&video.repeat(videos));
        found_in(
            &linter(),
            &[("https://example.com/1.xml", document.as_str(), None)],
        )
        .1
    };
    let (one, many) = (summary(1), summary(1100));
    assert_eq!((one.counts.len(), one.dropped), (1, 0));
    assert!(one.counts.keys().eq(many.counts.keys()), "{:?}", many.counts);
    assert_eq!((many.counts.values().sum::<u64>(), many.dropped), (1000, 100));
}

/// 1,000 repairs of an entry are reported, and the rest are counted.
#[test]
fn repairs_beyond_the_most_that_are_told_are_counted() {
    let summary = |repairs: usize| {
        let document = page(&"</x>".repeat(repairs));
        let documents = [("https://example.com/1.xml", document.as_str(), None)];
        let (found, summary) = found_in(&linter(), &documents);
        (found.len(), summary.dropped)
    };
    assert_eq!(summary(1000), (1000, 0));
    assert_eq!(summary(1100), (1000, 100));
}

/// A document of exactly the maximum size is valid. A larger one is reported once, for any content at the limit.
#[test]
fn the_largest_document() {
    const MOST: usize = 52_428_800;
    // Comments with this total length, each within the limit for a token.
    let comments = |bytes: usize| {
        let mut text = String::new();
        while text.len() < bytes {
            let rest = bytes - text.len();
            let len = if rest > 1_000_000 {
                (rest - 100).min(1_000_000)
            } else {
                rest
            };
            text.push_str(&["<!--", &" ".repeat(len - 7), "-->"].concat());
        }
        text
    };
    let with = |before: usize, after: usize| {
        let entry =
            "<url><loc>https://example.com/1</loc></url>\n<url><loc>https://example.com/2</loc></url>\n";
        urlset(&format!("{}{entry}{}", comments(before), comments(after)))
    };
    let rest = with(0, 0).len();
    assert_eq!(rules(&with(MOST - rest, 0)), []);
    for document in [with(MOST, 0), with(MOST - rest - 100, 101)] {
        assert_eq!(rules(&document), [Rule::Size]);
    }
    assert!(found(with(0, 0)).is_empty());
}

#[test]
fn dates_at_the_limit() {
    let lastmod = |lastmod: &str| page(&format!("<lastmod>{lastmod}</lastmod>"));
    // The time is noon on 10 May.
    for (date, expected) in [
        ("2026-05-10T12:00:00Z", &[][..]),
        ("2026-05-10T12:00:01Z", &[Rule::Future]),
        ("2026-05-11", &[]),
        ("2026-05-12", &[Rule::Future]),
    ] {
        assert_eq!(rules(&lastmod(date)), expected, "{date}");
    }
    let address = "https://example.com/1.xml";
    for (date, expected) in [
        ("2026-05-01T20:00:00Z", &[][..]),
        ("2026-05-01T20:00:01Z", &[Rule::Newer]),
        ("2026-05-02", &[]),
        ("2026-05-03", &[Rule::Newer]),
    ] {
        let document = lastmod(date);
        let documents = [(address, document.as_str(), Some("2026-05-01T20:00:00Z"))];
        assert_eq!(found_in(&linter(), &documents).0, expected, "{date}");
    }
    // A video may have any age, and the sitemaps of an index may be written together.
    let video = "<video:video><video:thumbnail_loc>https://example.com/1.png</video:thumbnail_loc><video:title>T</video:title>\
                 <video:description>D</video:description><video:content_loc>https://example.com/1.mp4</video:content_loc>\
                 <video:publication_date>2020-01-01</video:publication_date></video:video>";
    assert_eq!(rules(&page(video)), []);
    let listed = |i| {
        format!("<sitemap><loc>https://example.com/{i}.xml</loc><lastmod>2026-05-01</lastmod></sitemap>\n")
    };
    assert_eq!(rules(&index(&(0..10).map(listed).collect::<String>())), []);
    // One page without a lastmod, anywhere.
    for without in [0, 5, 10] {
        let lastmod = |i| {
            if i == without {
                ""
            } else {
                "<lastmod>2026-05-01</lastmod>"
            }
        };
        assert_eq!(rules(&entries(11, |i| lastmod(i).to_owned())), [], "{without}");
    }
}

/// All orders of the numbers below a number.
fn orders(numbers: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![vec![]];
    for i in 0..numbers {
        orders = orders
            .into_iter()
            .flat_map(|order| (0..=order.len()).map(move |at| (order.clone(), at)))
            .map(|(mut order, at)| {
                order.insert(at, i);
                order
            })
            .collect();
    }
    orders
}

#[test]
fn every_order_of_elements_but_the_schemas_is_reported_once() {
    let elements = [
        "<loc>https://example.com/</loc>",
        "<lastmod>2026-05-01</lastmod>",
        "<changefreq>daily</changefreq>",
        "<priority>0.7</priority>",
        "<image:image><image:loc>https://example.com/1.png</image:loc></image:image>",
    ];
    let orders = orders(elements.len());
    assert_eq!(orders.len(), 120);
    for order in orders {
        let entry: String = order.iter().filter_map(|i| elements.get(*i)).copied().collect();
        let reported = rules(&urlset(&format!("<url>{entry}</url>\n")));
        let disordered = usize::from(!order.is_sorted());
        assert_eq!(
            reported.iter().filter(|rule| **rule == Rule::Order).count(),
            disordered,
            "{entry}"
        );
    }
}

#[test]
fn elements_that_say_nothing_or_stand_elsewhere() {
    let check = |children: &str| -> Vec<Rule> {
        let found = Linter::new().check(page(children).as_bytes());
        found.iter().map(sitemap_serde::Diagnostic::rule).collect()
    };
    assert_eq!(check("<lastmod>2026-05-01</lastmod>"), []);
    assert_eq!(
        check("<changefreq></changefreq><priority/>"),
        [Rule::Freq, Rule::Prio]
    );
    assert_eq!(check("<priority>0.5</priority>"), [Rule::Ignored]);
    // An element without effect can also lack something. An invalid element is not also reported as missing.
    let price = |price: &str| {
        check(&format!(
            "<video:video><video:thumbnail_loc>https://example.com/1.png</video:thumbnail_loc><video:title>T</video:title>\
             <video:description>D</video:description><video:content_loc>https://example.com/1.mp4</video:content_loc>{price}</video:video>"
        ))
    };
    assert_eq!(
        price("<video:price currency=\"EUR\">1</video:price>"),
        [Rule::Deprecated]
    );
    assert_eq!(
        price("<video:price>1</video:price>"),
        [Rule::Deprecated, Rule::VideoXsd]
    );
    assert_eq!(
        price("<video:price currency=\"euro\">1</video:price>"),
        [Rule::Deprecated, Rule::VideoXsd]
    );
    // A misplaced entry is reported once.
    assert_eq!(
        rules(&page(
            "<priority>0.5</priority><changefreq>daily</changefreq><lastmod>2026-05-01</lastmod>"
        )),
        [Rule::Order]
    );
    // Quotes in comments and instructions are not text.
    for within in ["<!-- it's -->", "<?x it's ?>"] {
        let document = urlset(&format!("<url><loc>https://example.com/{within}1</loc></url>\n"));
        assert_eq!(rules(&document), [], "{within}");
    }
}

#[test]
fn sites_behind_a_relative_loc() {
    let locs = |locs: &[&str]| {
        let entry = |loc: &&str| format!("<url><loc>{loc}</loc></url>\n");
        rules(&urlset(&locs.iter().map(entry).collect::<String>()))
    };
    assert_eq!(
        locs(&["/a", "https://example.com/", "http://example.com/"]),
        [Rule::Loc, Rule::Http]
    );
    assert_eq!(
        locs(&[
            "HTTPS://EXAMPLE.com/",
            "https://example.COM?a",
            "https://example.com#b"
        ]),
        [Rule::Fragment]
    );
}

#[test]
fn links_without_a_second_pass() {
    let link = |rel: &str, lang: &str, page: &str| {
        format!("<xhtml:link rel=\"{rel}\" hreflang=\"{lang}\" href=\"https://example.com/{page}\"/>")
    };
    // A page may link only to itself.
    let own = page(&link("alternate", "X-Default", ""));
    let mut opened = 0;
    let mut rules = Vec::new();
    let linter = Linter::new();
    let mut lint = linter.start(|_, diagnostic| rules.push(diagnostic.rule()));
    let document = Input::new("1.xml", || {
        opened += 1;
        Ok(own.as_bytes())
    });
    lint.document(document).unwrap();
    lint.finish().unwrap();
    assert_eq!((rules, opened), (vec![], 1));
    // Unreturned links are reported in document order, without a page's links to itself.
    const PAGES: usize = 30_000;
    let linked = entries(PAGES, |i| match i % 3000 {
        0 => link("alternate", "x-default", &i.to_string()) + &link("alternate", "de", &(i + 1).to_string()),
        _ => link("alternate", "x-default", &i.to_string()),
    });
    let found = linter.check(linked.as_bytes());
    let found: Vec<_> = found.iter().map(|found| (found.rule(), found.entry())).collect();
    let expected = (0..10).map(|i| (Rule::Alt4, Some(3000 * i + 1)));
    assert_eq!(found, expected.collect::<Vec<_>>());
}

/// A read error is not a finding about the document, wherever it occurs.
#[test]
fn a_document_that_fails_at_any_byte_is_an_error() {
    struct Failing<'d>(&'d [u8]);
    impl Read for Failing<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            match self.0.read(&mut into[..1])? {
                0 => Err(io::Error::other("the disk is gone")),
                read => Ok(read),
            }
        }
    }
    let document = page("<lastmod>2026-05-01</lastmod>");
    for end in 0..=document.len() {
        let mut found = Vec::new();
        let linter = linter();
        let mut lint = linter.start(|_, diagnostic| found.push(diagnostic));
        let input = Input::new("a.xml", || Ok(Failing(&document.as_bytes()[..end])));
        let error = lint.document(input).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{end}: {error}");
        assert!(error.to_string().contains("the disk is gone"), "{end}: {error}");
        lint.finish().unwrap();
        assert_eq!(found, [], "{end}");
    }
}
