//! One small document for each cause. The results of strict and lenient reading are in `snapshots/`.

use super::{case_text, lenient};

#[rustfmt::skip]
#[test]
fn what_is_around_and_within_entries() {
    let documents = [
        " \n<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "PHP Warning: x\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a&b=&eacute;&amp;amp;</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><image:image><image:loc>https://example.com/a.jpg</image:loc></image:image></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1<lastmod>2024</lastmod></url><url><loc>https://example.com/2</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><url><loc>https://example.com/2</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</lok></url><url><loc>https://example.com/2</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></url><url><loc>https://example.com/2</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><lastmod>2024</url><url><loc>https://example.com/2</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc><lastmod>20",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</lo",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>junk",
        "<urlset xmlns=\"urn:x\"><url><loc>https://example.com/1</loc></url></urlset>",
        "<URLSET xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><URL><LOC>https://example.com/1</LOC></URL></URLSET>",
        "<html><head><title>x</title></head><body><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset></body></html>",
        "<html><head><title>x</title></head><body><p>x<br></body></html>",
        "<!doctype html><html><body></body></html>",
    ];
    insta::assert_snapshot!(documents.map(case_text).concat());
}

#[rustfmt::skip]
#[test]
fn roots_and_the_rest() {
    let documents = [
        "<!doctype html><html><body><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset></body></html>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a=1&b=2</loc><lastmod>2024</lastmod></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><Loc>https://example.com/1</Loc></url></urlset>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\">\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1<![CDATA[&a</loc></url><url><loc>https://example.com/1</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><x:y><x:z><url><loc>https://example.com/1</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><!-- a <url><loc>https://example.com/1</loc></url><!-- b <url><loc>https://example.com/1</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><<<<<<< HEAD\n<url><loc>https://example.com/1</loc></url>\n=======\n<url><loc>https://example.com/1</loc></url>>>>>>>> x</urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/\x001</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc a=b c='d>https://example.com/1</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>https://example.com/1</loc></sitemap></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><loc>https://example.com/2</loc><priority>x</priority></url></urlset>",
        "",
        "junk",
    ];
    insta::assert_snapshot!(documents.map(case_text).concat());
}

#[rustfmt::skip]
#[test]
fn locs_and_values() {
    let documents = [
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc><![CDATA[https://example.com/?a=1&amp;b=2]]></loc></url><url><loc><![CDATA[https://example.com/?a=1&amp;b=2]]></loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a=1&amp;amp;b=2</loc><image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><image:loc>https://example.com/1.png</image:loc><image:title>a &amp;lt; b</image:title><image:caption>&lt;p&gt;HTML&amp;nbsp;&amp;amp;&lt;/p&gt;</image:caption></image:image></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><lastmod>2024</lastmod><loc>https://example.com/1</loc><loc>https://example.com/1</loc><loc/><loc>https://example.com/2?a=1&amp;b</loc><loc>https://example.com/2?a=1&amp;b</loc><loc>https://example.com/3</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc/></url><url><loc> </loc><loc>https://example.com/2</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><lastmod>gestern</lastmod><lastmod/><lastmod>2024</lastmod><lastmod>2025</lastmod></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:n=\"http://www.google.com/schemas/sitemap-news/0.9\"><url><loc>https://example.com/1</loc><n:news><n:title>a</n:title><n:title>b</n:title></n:news><n:news/></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>/1</loc></url><url><loc>javascript:x</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/<b>1</b></loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><other><url><loc>https://example.com/2</loc></url></other></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><priority>0,5</priority><image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><image:title>x</image:title></image:image></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc> https://example.com/1\n</loc></url><url><loc>&nbsp;https://example.com/2</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url><![CDATA[ <url><loc>https://example.com/2</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1<lastmod>2024</url><url><loc>https://example.com/2</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc</url><url><loc>https://example.com/2</loc></url></urlset>",
    ];
    insta::assert_snapshot!(documents.map(case_text).concat());
}

/// Additional locs of an entry begin new entries, valid or not: no entry gets the text of another.
#[rustfmt::skip]
#[test]
fn several_locs_of_which_some_cannot_be_used() {
    let next = "<url><loc>https://example.com/9</loc><lastmod>2024</lastmod></url>";
    let urlset = |locs: &str| sitemap_tests::urlset(&format!("<url>{locs}</url>{next}"));
    for locs in [
        "<loc>&#160;</loc><loc>https://example.com/1</loc>",
        "<loc>&#160;</loc><loc>&#8203;</loc><loc>https://example.com/1</loc><priority>0.5</priority>",
        "<loc>&#160;</loc><loc></loc><loc>https://example.com/1</loc>",
        "<loc></loc><loc>&#160;</loc><loc>https://example.com/1</loc><loc>&#160;</loc>",
        "<loc>&#160;</loc><loc>https://example.com/1</loc><loc/><loc>https://example.com/1</loc><loc/>",
    ] {
        let (read, _) = lenient(urlset(locs).as_bytes());
        assert_eq!(read.unwrap(), ["https://example.com/1", "https://example.com/9"], "{locs}");
    }
    // An empty loc among them is not an entry, and has no diagnostic of its own.
    let locs = "<loc>https://example.com/0</loc><loc>https://example.com/1</loc><loc/>";
    let (read, told) = lenient(urlset(locs).as_bytes());
    let expected = ["https://example.com/0", "https://example.com/1", "https://example.com/9"];
    assert_eq!((read.unwrap(), told.len()), (expected.map(str::to_owned).to_vec(), 2), "{told:#?}");
}

#[rustfmt::skip]
#[test]
fn what_is_no_sitemap_and_what_is_one_all_the_same() {
    let documents = [
        "<html><head><title> Not\nfound &ndash; Example</title></head><body><p>x<br></body></html>",
        "<!doctype html><html><head><title lang=\"de\">Nicht gefunden</title></head><body></body></html>",
        "<!DOCTYPE html><html><head><title>Not found</title><meta charset=\"utf-8\"></head><body></body></html>",
        "<!DOCTYPE html><html><head><title>x</title><meta charset=\"utf-8\"></head><body><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset></body></html>",
        "<!DOCTYPE urlset PUBLIC \"a>\" 'b\"c'><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a&b</loc></url></urlset>",
        // A DOCTYPE that declares no entities is skipped.
        "<!DOCTYPE urlset SYSTEM 's' [<!ELEMENT urlset ANY> <!-- ]> ' <!ENTITY x 'y'> --> <?a ]> <!ENTITY ?> <!ATTLIST a b CDATA ']>'>] ><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a&b</loc></url><url><loc>https://example.com/2</url></urlset>",
        "<!DOCTYPE urlset []><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/&x;</loc></url></urlset>",
        "<!DOCTYPE urlset [<!ENTITY x \"y\">]><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/&x;</loc></url><url><loc>https://example.com/?a&b</loc></url></urlset>",
        "<urlset xmlns=\" http://www.sitemaps.org/schemas/sitemap/0.9\n\"><url><loc>https://example.com/1</loc></url></urlset>",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns=\"https://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>",
        "<urlset><url><loc>https://example.com/1</loc></url></urlset>",
        "<url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc></url>",
        "c>https://example.com/0</loc><lastmod>2024</lastmod></url><url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc></url></urlset>",
        "<feed2><image><url>https://example.com/x</url></image></feed2>",
    ];
    insta::assert_snapshot!(documents.map(case_text).concat());
}
