//! Other roots, and a kind of document that was not requested.

use serde::Deserialize;
use sitemap_serde::{ErrorKind, IndexEntry, Kind, SitemapIndex, UrlEntry, UrlSet};
use sitemap_tests::{
    CORE, Problem, checked_outcomes, drain, index, marked, outcomes, read, urlset, with_every_reader,
};

use crate::rejections_reading::{HTML, TITLED_HTML, breaks, is_none};

#[test]
fn an_html_page() {
    is_none(
        "‸<html><head><title>404</title></head><body><p>Not found<br></p></body></html>",
        ErrorKind::Data,
        Some("P-NS"),
        TITLED_HTML,
    );
    is_none(
        "<?xml version=\"1.0\"?>\n\n‸<HTML xmlns=\"http://www.w3.org/1999/xhtml\"/>",
        ErrorKind::Data,
        Some("P-NS"),
        HTML,
    );
}

#[test]
fn another_root() {
    is_none(
        "<?xml version=\"1.0\"?>\n‸<rss version=\"2.0\"><channel><link>https://example.com/</link></channel></rss>",
        ErrorKind::Data,
        Some("P-NS"),
        "the root is `rss`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap",
    );
    is_none(
        &format!("‸<url xmlns=\"{CORE}\"><loc>https://example.com/</loc></url>"),
        ErrorKind::Data,
        Some("P-NS"),
        "the root is `url`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap",
    );
    is_none(
        &format!("‸<URLSET xmlns=\"{CORE}\"/>"),
        ErrorKind::Data,
        Some("P-NS"),
        "the root is `URLSET`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap",
    );
    is_none(
        "‸<x:urlset xmlns:x=\"urn:x\"><x:url/></x:urlset>",
        ErrorKind::Data,
        Some("P-NS"),
        "the root `x:urlset` is in the wrong namespace: a sitemap's is `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); correct its `xmlns`",
    );
}

/// Both kinds can be distinguished, and neither can be read as the other.
#[test]
fn an_index_where_a_urlset_was_asked_for() {
    let text = format!(
        "<?xml version=\"1.0\"?>\n‸{}",
        index("<sitemap><loc>https://example.com/1.xml</loc></sitemap>")
    );
    let document = marked(&text).text;
    let told = Problem {
        kind: ErrorKind::Data,
        place: Some((2, 1, 22)),
        entry: None,
        path: None,
        rule: Some("P-NS"),
        message: "this is a sitemapindex, which lists sitemaps, and a urlset was asked for (P-NS); read it as \
                  `SitemapIndex` or `Document`, and then the sitemaps that it lists, at line 2, column 1 (byte 22)"
            .to_owned(),
    };
    assert_eq!(marked(&text).place, told.place.unwrap());
    assert_eq!(checked_outcomes(&document), [Err(told.clone())]);
    assert_eq!(read::<Vec<UrlEntry>>(&document), Err(told.clone()));
    assert_eq!(read::<Vec<IndexEntry>>(&document), Err(told.clone()));
    assert_eq!(
        read::<std::collections::BTreeSet<String>>(&document),
        Err(told.clone())
    );
    assert_eq!(read::<[UrlEntry; 1]>(&document), Err(told.clone()));
    assert_eq!(read::<(UrlEntry,)>(&document), Err(told.clone()));
    assert_eq!(read::<Box<[UrlEntry]>>(&document), Err(told.clone()));
    assert_eq!(read::<Option<Vec<UrlEntry>>>(&document), Err(told.clone()));
    assert_eq!(read::<UrlSet>(&document), Err(told.clone()));
    assert_eq!(read::<UrlSet<IndexEntry>>(&document), Err(told.clone()));

    #[derive(Debug, PartialEq, Deserialize)]
    struct Pages {
        url: Vec<UrlEntry>,
    }
    assert_eq!(read::<Pages>(&document), Err(told.clone()));

    #[derive(Debug, PartialEq, Deserialize)]
    struct Wrapped(Vec<UrlEntry>);
    assert_eq!(read::<Wrapped>(&document), Err(told));

    // After asking for the kind, the reader still has the entries.
    with_every_reader!(document.as_bytes(), reader => {
        assert_eq!(reader.kind().unwrap(), Kind::SitemapIndex);
        drain(reader.deserialize::<IndexEntry>())
    });
    // After the error of `entries`, there is nothing left.
    with_every_reader!(document.as_bytes(), reader => {
        assert!(reader.entries().next().unwrap().is_err());
        assert!(reader.entries().next().is_some_and(|again| again.is_err()));
        drain(reader.deserialize::<IndexEntry>())
    });
}

#[test]
fn an_empty_index_is_no_empty_list() {
    let problem = read::<Vec<UrlEntry>>(index("")).unwrap_err();
    assert_eq!(problem.kind, ErrorKind::Data);
    assert_eq!(
        problem.message,
        "this is a sitemapindex, which lists sitemaps, and a urlset was asked for (P-NS); read it as `SitemapIndex` or \
         `Document`, and then the sitemaps that it lists, at line 1, column 1 (byte 0)"
    );
    assert_eq!(read::<Vec<UrlEntry>>(urlset("")), Ok(vec![]));
    assert_eq!(read::<SitemapIndex>(index("")), Ok(SitemapIndex::from(vec![])));
}

#[test]
fn a_urlset_where_an_index_was_asked_for() {
    let document = urlset("<url><loc>https://example.com/</loc></url>");
    let told = Problem {
        kind: ErrorKind::Data,
        place: Some((1, 1, 0)),
        entry: None,
        path: None,
        rule: Some("P-NS"),
        message: "this is a urlset, which lists pages, and a sitemapindex was asked for (P-NS); read it as `UrlSet` or \
                  `Document`, at line 1, column 1 (byte 0)"
            .to_owned(),
    };
    assert_eq!(read::<SitemapIndex>(&document), Err(told.clone()));

    #[derive(Debug, PartialEq, Deserialize)]
    struct Sitemaps {
        sitemap: Vec<IndexEntry>,
    }
    assert_eq!(read::<Sitemaps>(&document), Err(told));
}

#[test]
fn entries_of_the_other_kind() {
    breaks(
        "‸<sitemap><loc>https://example.com/2.xml</loc></sitemap>",
        "P-NS",
        "entry 2",
        "a `sitemap` in a urlset: a urlset lists pages, `url` entries only (P-NS); move it to a document of its own",
    );
    let document = marked(&index(
        "\n<sitemap><loc>https://example.com/1.xml</loc></sitemap>\n‸<url><loc>https://example.com/</loc></url>\n\
         <sitemap><loc>https://example.com/2.xml</loc></sitemap>",
    ));
    let told = outcomes::<IndexEntry>(&document.text);
    assert_eq!(told[0], Ok(IndexEntry::new("https://example.com/1.xml")));
    assert_eq!(
        told[1].as_ref().unwrap_err(),
        &Problem {
            kind: ErrorKind::Data,
            place: Some(document.place),
            entry: Some(2),
            path: Some("entry 2".to_owned()),
            rule: Some("P-NS"),
            message: "a `url` in a sitemapindex: a sitemapindex lists sitemaps, `sitemap` entries only (P-NS); move it \
                      to a document of its own, at line 3, column 1 (byte 123), entry 2"
                .to_owned(),
        }
    );
    assert_eq!(told[2], Ok(IndexEntry::new("https://example.com/2.xml")));
    assert_eq!(told.len(), 3);
}
