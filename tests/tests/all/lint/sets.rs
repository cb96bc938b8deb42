//! Several documents, with outside facts about them.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_serde::lint::{Input, Linter, Summary};
use sitemap_serde::{Diagnostic, ErrorKind, Rule, lint::Severity};

use crate::lint::{entry, found, found_by, index, is_summed, linter, listed, messages, page, urlset};

/// The findings in documents, each with the number of its document.
fn found_in(linter: &Linter, documents: Vec<Input<'_>>) -> (Vec<String>, Summary) {
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
    insta::assert_snapshot!(told.join("\n"));
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
    assert_eq!(error.kind(), ErrorKind::Settings);
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
            at("https://example.com/a/1.xml", &pages).last_modified(changed),
            at("https://example.com/a/2.xml", &inner).last_modified(changed),
        ],
    );
    insta::assert_snapshot!(told.join("\n"));
}

/// An index that lists itself is found without a second document.
#[test]
fn an_index_that_lists_itself() {
    let own = "https://example.com/sitemap.xml";
    let itself = index(&format!("<sitemap><loc>{own}</loc></sitemap>\n"));
    insta::assert_snapshot!(found_in(&linter(), vec![at(own, &itself)]).0.join("\n"));
}

/// If the location is unknown, the site of most locs counts, wherever the other locs are.
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
    // A known location decides, and the scheme's default port makes no difference.
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
    insta::assert_snapshot!(told.join("\n"));
    assert_eq!(summary.dropped, 0);
}

#[test]
fn documents_that_are_too_large() {
    let entry = |i: usize| format!("<url><loc>https://example.com/{i}</loc></url>\n");
    let full: String = (0..50_000).map(entry).collect::<Vec<_>>().concat();
    assert_eq!(found(urlset(&full)), Vec::<String>::new());
    let filler = format!("<!--{}-->\n", " ".repeat(1_000_000));
    let large = urlset(&(filler.repeat(53) + &entry(1)));
    let news = "<news:news><news:publication><news:name>N</news:name><news:language>de</news:language></news:publication>\
                <news:publication_date>2026-05-10</news:publication_date><news:title>T</news:title></news:news>";
    let articles: Vec<_> = (0..1002)
        .map(|i| format!("<url><loc>https://example.com/{i}</loc>{news}</url>\n"))
        .collect();
    let cases = [
        ("entries", urlset(&(full + &entry(50_000)))),
        ("bytes", large),
        ("articles", urlset(&articles.concat())),
    ];
    insta::assert_snapshot!(messages(&cases));
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
    let cases = [
        ("whole", found(&whole)),
        ("truncated", found(&whole[..whole.len() - 4])),
    ];
    insta::assert_snapshot!(listed(cases));
}

/// The suffix of a file's name is compared with its compression. A URL, or another name, proves nothing.
#[test]
fn names_of_compressed_documents() {
    let plain = page("").into_bytes();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&plain).unwrap();
    let compressed = encoder.finish().unwrap();
    let named = |name: &str, document: &[u8]| {
        let (mut found, linter) = (Vec::new(), linter());
        let mut lint = linter.start(|_, diagnostic| found.push(diagnostic.to_string()));
        lint.document(Input::from_slice(name, document)).unwrap();
        lint.finish().unwrap();
        found
    };
    let names = [
        "a.xml",
        "a.xml.gz",
        "A.TXT.GZ",
        "a.rss",
        "other",
        "https://example.com/a.xml.gz",
    ];
    let cases = names.map(|name| [named(name, &plain), named(name, &compressed)].concat());
    insta::assert_snapshot!(listed(names.into_iter().zip(cases)));
}

#[test]
fn rules_are_switched_off_and_raised() {
    let document = page("<priority>0.5</priority><lastmod>2026</lastmod>");
    let mut linter = Linter::new();
    let all = found_by(&linter, &document);
    linter
        .level(Rule::Order, None)
        .level(Rule::LastmodX, Some(Severity::Error));
    let set = found_by(&linter, &document);
    let links = page("<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/\"/>");
    let cases = [
        ("all", all),
        ("P-ORDER off, P-LASTMODX an error", set),
        ("links", found_by(&linter, &links)),
    ];
    insta::assert_snapshot!(listed(cases));
}

#[test]
fn a_document_that_cannot_be_read_is_an_error() {
    let linter = linter();
    let mut lint = linter.start(|_, _| {});
    let gone = || Err::<&[u8], _>(std::io::Error::from(std::io::ErrorKind::NotFound));
    let error = lint.document(Input::new("gone.xml", gone)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(error.to_string(), "cannot open gone.xml: entity not found");
}

/// An unreadable document keeps its number, and both passes check the others.
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
    assert_eq!(lint.summary().documents, 1);
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
    insta::assert_snapshot!(found(&bytes).join("\n"));
}

/// Every rule has a case among the snapshots, and every snapshot a test.
#[test]
fn every_rule_has_a_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/lint");
    let mut snapshots = String::new();
    for snapshot in fs::read_dir(folder.join("snapshots")).unwrap() {
        let path = snapshot.unwrap().path();
        // A new snapshot, `.snap.new`, is the failure of its own test.
        if path.extension().is_none_or(|extension| extension != "snap") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let [_, _, module, test] = name.split("__").collect::<Vec<_>>()[..] else {
            panic!("{name}")
        };
        let source = fs::read_to_string(folder.join(module).with_extension("rs")).unwrap();
        assert!(source.contains(test), "{name} is of no test");
        snapshots += &fs::read_to_string(path).unwrap();
    }
    let without: Vec<_> = Rule::ALL
        .iter()
        .copied()
        .filter(|rule| !snapshots.contains(&format!("[{rule}]: ")))
        .collect();
    assert_eq!(without, []);
}
