//! Several documents, and what is known of them beside what they say.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_serde::lint::{Input, Linter, Page, Totals};
use sitemap_serde::{Category, Diagnostic, Rule, lint::Severity};

use crate::{entry, found, found_by, index, is_summed, linter, page, urlset};

/// What is found in documents, each with the number of its document.
fn found_in(linter: &Linter, documents: Vec<Input<'_>>) -> (Vec<String>, Totals) {
    let mut diagnostics: Vec<(usize, Diagnostic)> = Vec::new();
    let mut lint = linter.start(|document, diagnostic| diagnostics.push((document, diagnostic)));
    for document in documents {
        lint.document(document).unwrap();
    }
    let summary = lint.finish().unwrap();
    let all: Vec<_> = diagnostics
        .iter()
        .map(|(_, diagnostic)| diagnostic.clone())
        .collect();
    is_summed(&summary, &all);
    let told = diagnostics
        .into_iter()
        .map(|(document, diagnostic)| format!("{document}: {diagnostic}"))
        .collect();
    (told, summary)
}

fn at<'a>(location: &str, text: &'a str) -> Input<'a> {
    Input::from_slice(location.rsplit('/').next().unwrap(), text.as_bytes()).location(location)
}

#[test]
fn a_document_whose_address_is_known() {
    let elsewhere = urlset(
        "<url><loc>https://example.org/</loc></url>\n<url><loc>https://example.com/about</loc></url>\n\
         <url><loc>https://example.com/shop/lamps</loc></url>\n<url><loc>http://example.com/shop/</loc></url>\n",
    );
    let address = "https://example.com/shop/sitemap.xml";
    let (told, summary) = found_in(&linter(), vec![at(address, &elsewhere)]);
    assert_eq!(
        told,
        [
            "0: error[P-HOST]: `https://example.org/` is not on the site of the document, `https://example.com/shop/`: all URLs of a file have its scheme, host and port (P-HOST); write them to a sitemap of their own, or allow cross-submission, at line 3, column 11 (byte 403), entry 1 · loc",
            "0: error[P-PATH]: `https://example.com/about` is not below `https://example.com/shop/`, where the sitemap is: a sitemap lists pages of its own directory and those below it (P-PATH); put the sitemap higher up, or allow cross-submission, at line 4, column 11 (byte 446), entry 2 · loc",
            "0: error[P-HOST]: `http://example.com/shop/` is not on the site of the document, `https://example.com/shop/`: all URLs of a file have its scheme, host and port (P-HOST); did you mean `https://example.com/shop/`?, at line 6, column 11 (byte 547), entry 4 · loc"
        ]
    );
    assert_eq!((summary.documents, summary.entries), (1, 4));
    assert_eq!(summary.bytes, elsewhere.len() as u64);
    let mut cross = linter();
    cross.cross_submission(true);
    assert_eq!(
        found_in(&cross, vec![at(address, &elsewhere)]).0,
        Vec::<String>::new()
    );

    let document = Input::from_slice("x", b"").location("sitemap.xml");
    let error = linter().start(|_, _| {}).document(document).unwrap_err();
    assert_eq!(error.category(), Category::Settings);
}

#[test]
fn an_index_and_its_sitemaps() {
    let all = index(
        "<sitemap><loc>https://example.com/a/1.xml</loc><lastmod>2026-04-01</lastmod></sitemap>\n\
         <sitemap><loc>https://example.com/a/2.xml</loc><lastmod>2026-05-02</lastmod></sitemap>\n\
         <sitemap><loc>https://example.com/b.xml</loc></sitemap>\n\
         <sitemap><loc>https://example.org/a/c.xml</loc></sitemap>\n",
    );
    let pages = page("<lastmod>2026-05-04</lastmod>").replace("com/<", "com/a/<");
    let inner = index("<sitemap><loc>https://example.com/a/3.xml</loc></sitemap>\n");
    let changed = "2026-05-02T10:00:00Z".parse().unwrap();
    let (told, _) = found_in(
        &linter(),
        vec![
            at("https://example.com/a/index.xml", &all),
            at("https://example.com/a/1.xml", &pages).modified(changed),
            at("https://example.com/a/2.xml", &inner).modified(changed),
        ],
    );
    assert_eq!(
        told,
        [
            "0: error[P-IDX2]: `https://example.com/b.xml` is not below `https://example.com/a/`, where the index is: an index lists sitemaps of its own directory and those below it (P-IDX2); put the index higher up, or allow cross-submission, at line 5, column 15 (byte 294), entry 3 · loc",
            "0: error[P-IDX1]: `https://example.org/a/c.xml` is not on the site of the document, `https://example.com/a/`: an index lists sitemaps of its own scheme, host and port (P-IDX1); list them in an index of their own, or allow cross-submission, at line 6, column 15 (byte 350), entry 4 · loc",
            "1: note[L-NEWER]: `2026-05-04` is newer than the document, which was changed at 2026-05-02T10:00:00Z (L-NEWER); write when the page was last changed, at line 3, column 48 (byte 440), entry 1 · lastmod",
            "0: note[P-IDX3]: `2026-04-01` is older than the sitemap, which was changed at 2026-05-02T10:00:00Z: crawlers may not fetch it again (P-IDX3); write when that file was changed, at line 3, column 57 (byte 162), entry 1 · lastmod",
            "0: error[P-NEST]: `https://example.com/a/2.xml` is an index: an index lists sitemaps, never another index (P-NEST); list the sitemaps of both in one, at line 4, column 15 (byte 207), entry 2 · loc"
        ]
    );
}

/// An index that lists itself needs no second document for that.
#[test]
fn an_index_that_lists_itself() {
    let own = "https://example.com/sitemap.xml";
    let itself = index(&format!("<sitemap><loc>{own}</loc></sitemap>\n"));
    assert_eq!(
        found_in(&linter(), vec![at(own, &itself)]).0,
        [
            "0: error[P-NEST]: `https://example.com/sitemap.xml` is an index: an index lists sitemaps, never another index (P-NEST); list the sitemaps of both in one, at line 3, column 15 (byte 120), entry 1 · loc"
        ]
    );
}

/// Without a location the site of most locs is the measure, wherever in the document the others are.
#[test]
fn one_page_on_another_site_is_the_one_that_is_wrong() {
    for (odd, rule) in [
        ("https://example.org/", Rule::Host),
        ("https://example.com:8443/", Rule::Host),
        ("http://example.com/", Rule::Http),
        ("https://www.example.com/", Rule::Www),
    ] {
        for place in [0, 1, 20, 39] {
            let mut locs: Vec<_> = (0..40).map(|i| format!("https://example.com/{i}")).collect();
            odd.clone_into(&mut locs[place]);
            let entries: String = locs.iter().map(|loc| entry(loc)).collect();
            let found = linter().check(urlset(&entries).as_bytes());
            let rules: Vec<_> = found
                .iter()
                .map(|found| (found.rule(), found.entry().unwrap()))
                .collect();
            assert_eq!(rules, [(rule, place as u64 + 1)], "{odd}");
        }
    }
    // The location is the measure if it is known, and a port that is the scheme's own makes no difference.
    let two = urlset(
        "<url><loc>https://example.com:443/1</loc></url>\n<url><loc>https://example.com/2</loc></url>\n",
    );
    assert_eq!(found(&two), Vec::<String>::new());
    assert_eq!(
        found_in(&linter(), vec![at("https://example.org/a.xml", &two)])
            .0
            .len(),
        2
    );
}

#[test]
fn pages_listed_in_two_sitemaps_and_links_between_them() {
    let link = |lang: &str, page: &str| {
        format!("<xhtml:link rel=\"alternate\" hreflang=\"{lang}\" href=\"https://example.com/{page}\"/>")
    };
    let entry =
        |page: &str, links: &str| format!("<url><loc>https://example.com/{page}</loc>{links}</url>\n");
    let both = link("en", "en") + &link("de", "de");
    let first = urlset(
        &(entry("en", &both)
            + &entry(
                "fr",
                &(link("fr", "fr") + &link("en", "en") + &link("it", "elsewhere")),
            )),
    );
    let second = urlset(&(entry("de", &both) + &entry("en", &both)));
    let (told, summary) = found_in(
        &linter(),
        vec![
            Input::from_slice("1.xml", first.as_bytes()),
            Input::from_slice("2.xml", second.as_bytes()),
        ],
    );
    assert_eq!(
        told,
        [
            "1: note[L-DUPLOC]: `https://example.com/en` is listed already, as entry 1 in line 3 of 1.xml (L-DUPLOC); list a page once, at line 4, column 11 (byte 594), entry 2 · loc",
            "0: warning[P-ALT4]: `https://example.com/fr` lists `https://example.com/en` as its alternate, which does not link back (P-ALT4); add the link there, or remove it here, at line 4, column 11 (byte 594), entry 2"
        ]
    );
    assert_eq!(summary.left_out, 0);
}

#[test]
fn documents_that_are_too_large() {
    let entry = |i: usize| format!("<url><loc>https://example.com/{i}</loc></url>\n");
    let full: String = (0..50_000).map(entry).collect::<Vec<_>>().concat();
    assert_eq!(found(urlset(&full)), Vec::<String>::new());
    assert_eq!(
        found(urlset(&(full + &entry(50_000)))),
        [
            "error[P-COUNT]: entry 50001 of the document: a urlset has at most 50000 `url` entries (P-COUNT); split it, and list the parts in an index, at line 50003, column 1 (byte 2389283), entry 50001"
        ]
    );
    let filler = format!("<!--{}-->\n", " ".repeat(1_000_000));
    let large = urlset(&(filler.repeat(53) + &entry(1)));
    assert_eq!(
        found(large),
        [
            "error[P-SIZE]: the document has more than 52428800 bytes, and 52428800 are allowed (P-SIZE); split it, and list the parts in an index, at line 56, column 1 (byte 53000817), entry 1"
        ]
    );
    let news = "<news:news><news:publication><news:name>N</news:name><news:language>de</news:language></news:publication>\
                <news:publication_date>2026-05-10</news:publication_date><news:title>T</news:title></news:news>";
    let articles: Vec<_> = (0..1002)
        .map(|i| format!("<url><loc>https://example.com/{i}</loc>{news}</url>\n"))
        .collect();
    assert_eq!(
        found(urlset(&articles.concat())),
        [
            "error[P-NEWS4]: the document has more than 1000 `news:news`, and 1000 are allowed (P-NEWS4); split it, and list the parts in an index, at line 1003, column 1 (byte 246283), entry 1001"
        ]
    );
}

#[test]
fn compressed_documents() {
    let compressed = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    assert_eq!(found(compressed(&page(""))), Vec::<String>::new());
    let whole = compressed(&page("").replace(" encoding=\"UTF-8\"", ""));
    assert_eq!(
        found(&whole),
        [
            "note[P-DECL]: the XML declaration has no encoding: a sitemap begins with `<?xml version=\"1.0\" encoding=\"UTF-8\"?>` (P-DECL); add it, at line 1, column 1 (byte 0)"
        ]
    );
    assert_eq!(
        found(&whole[..whole.len() - 4]),
        [
            "note[P-DECL]: the XML declaration has no encoding: a sitemap begins with `<?xml version=\"1.0\" encoding=\"UTF-8\"?>` (P-DECL); add it, at line 1, column 1 (byte 0)",
            "error[P-GZIP]: the compressed document is truncated (P-GZIP); get a complete copy, at line 5, column 1 (byte 429)"
        ]
    );
}

#[test]
fn rules_are_switched_off_and_raised() {
    let document = page("<priority>0.5</priority><lastmod>2026</lastmod>");
    let mut linter = Linter::new();
    assert_eq!(
        found_by(&linter, &document),
        [
            "note[P-ORDER]: `lastmod` is out of order: the schema's order is loc, lastmod, changefreq, priority, extensions (P-ORDER); move it, at line 3, column 70 (byte 462), entry 1 · lastmod",
            "note[P-LASTMODX]: `2026` is a W3C Datetime, but the protocol's schema does not allow its form (P-LASTMODX); write a day, or a date and time with seconds and zone, at line 3, column 70 (byte 462), entry 1 · lastmod",
            "note[L-IGNORED]: 1 page has a changefreq or a priority, which Google does not use (L-IGNORED); leave them out, unless they are for another crawler, at line 1, column 1 (byte 0)"
        ]
    );
    linter
        .level(Rule::Order, None)
        .level(Rule::LastmodX, Some(Severity::Error));
    assert_eq!(
        found_by(&linter, &document),
        [
            "error[P-LASTMODX]: `2026` is a W3C Datetime, but the protocol's schema does not allow its form (P-LASTMODX); write a day, or a date and time with seconds and zone, at line 3, column 70 (byte 462), entry 1 · lastmod",
            "note[L-IGNORED]: 1 page has a changefreq or a priority, which Google does not use (L-IGNORED); leave them out, unless they are for another crawler, at line 1, column 1 (byte 0)"
        ]
    );
    let links = page("<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/\"/>");
    assert_eq!(
        found_by(&linter, &links),
        [
            "note[L-XDEFAULT]: there is no alternate for `x-default` (L-XDEFAULT); add one for visitors who speak none of the languages, if there is such a page, at line 3, column 1 (byte 393), entry 1"
        ]
    );
}

#[test]
fn a_document_that_cannot_be_read_is_an_error() {
    let linter = linter();
    let mut lint = linter.start(|_, _| {});
    let gone = || Err::<&[u8], _>(std::io::Error::from(std::io::ErrorKind::NotFound));
    let error = lint.document(Input::new("gone.xml", gone)).unwrap_err();
    assert_eq!(error.category(), Category::Io);
    assert_eq!(error.to_string(), "cannot open gone.xml: entity not found");
}

/// A document that cannot be read keeps its number, and the others are checked, in both passes.
#[test]
fn a_lint_goes_on_after_a_document_that_cannot_be_read() {
    let twice = page("").replace("</urlset>", "<url><loc>https://example.com/</loc></url></urlset>");
    let linter = linter();
    let mut found = Vec::new();
    let mut lint = linter.start(|document, diagnostic| found.push((document, diagnostic.rule())));
    let gone = || Err::<&[u8], _>(std::io::Error::from(std::io::ErrorKind::NotFound));
    assert!(lint.document(Input::new("gone.xml", gone)).is_err());
    lint.document(Input::from_slice("1.xml", twice.as_bytes()))
        .unwrap();
    assert_eq!(lint.totals().documents, 1);
    lint.finish().unwrap();
    assert_eq!(found, [(1, Rule::DupLoc)]);
}

#[test]
fn a_document_with_damaged_compression_has_a_finding() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(page("").as_bytes()).unwrap();
    let mut bytes = encoder.finish().unwrap();
    let checksum = bytes.len() - 8;
    bytes[checksum] ^= 1;
    assert_eq!(
        found(&bytes),
        [
            "error[P-GZIP]: the compressed document is damaged from here on: corrupt gzip stream does not have a matching checksum (P-GZIP); get a new copy, at line 5, column 1 (byte 446)"
        ]
    );
}

/// Every rule has a case in these files.
#[test]
fn every_rule_has_a_case() {
    let sources = concat!(
        include_str!("documents.rs"),
        include_str!("values.rs"),
        include_str!("sets.rs"),
        include_str!("broken.rs"),
        include_str!("engines.rs"),
        include_str!("pages.rs")
    );
    let without: Vec<_> = Page::all()
        .map(|page| page.rule())
        .filter(|rule| !sources.contains(&format!("[{rule}]: ")))
        .collect();
    assert_eq!(without, []);
}
