//! Feeds in odd namespaces, and other documents that were once read as empty without a diagnostic.

use sitemap_serde::format::{Format, sniff};
use sitemap_serde::{Mode, ReaderBuilder};
use sitemap_tests::{CORE, Random, rounds};

use super::lenient;

const ATOM: &str = "http://www.w3.org/2005/Atom";
const RSS_1: &str = "http://purl.org/rss/1.0/";

/// Input that strict reading refuses is read leniently, with one diagnostic.
#[test]
fn feeds_in_odd_namespaces() {
    let wrong = |root: &str, right: &str, column: usize| {
        format!(
            "error[P-NS]: the root `{root}` is in the wrong namespace: the one of its feed is `{right}` (P-NS); correct its `xmlns`, at line 1, \
             column {column} (byte {})",
            column - 1
        )
    };
    let case = |root: &str, right: &str| {
        format!(
            "error[P-NS]: the root is `{root}`: names are case-sensitive, and it is `{right}` (P-NS), at line 1, column 1 (byte 0)"
        )
    };
    for (root, told) in [
        (format!("feed xmlns='{ATOM}'"), None),
        ("feed xmlns='http://purl.org/atom/ns#'".to_owned(), None),
        (
            "feed xmlns='https://www.w3.org/2005/Atom'".to_owned(),
            Some(wrong("feed", ATOM, 1)),
        ),
        (format!("feed xmlns='{ATOM}/'"), Some(wrong("feed", ATOM, 1))),
        (
            "feed xmlns='http://www.w3.org/2005/atom'".to_owned(),
            Some(wrong("feed", ATOM, 1)),
        ),
        ("feed xmlns='urn:x'".to_owned(), Some(wrong("feed", ATOM, 1))),
        ("feed".to_owned(), Some(wrong("feed", ATOM, 1))),
        (format!("Feed xmlns='{ATOM}'"), Some(case("Feed", "feed"))),
        (format!("a:feed xmlns:a='{ATOM}'"), None),
        (
            "a:feed xmlns:a='urn:x'".to_owned(),
            Some(wrong("a:feed", ATOM, 1)),
        ),
        ("rss".to_owned(), None),
        ("rss xmlns='urn:x'".to_owned(), None),
        ("x:rss xmlns:x='urn:x'".to_owned(), None),
        ("RSS".to_owned(), Some(case("RSS", "rss"))),
        (format!("RDF xmlns='{RSS_1}'"), None),
        (
            "RDF xmlns='https://purl.org/rss/1.0/'".to_owned(),
            Some(wrong("RDF", RSS_1, 1)),
        ),
        (
            "RDF xmlns='http://PURL.org/rss/1.0'".to_owned(),
            Some(wrong("RDF", RSS_1, 1)),
        ),
        (format!("rdf xmlns='{RSS_1}'"), Some(case("rdf", "RDF"))),
    ] {
        let name = root.split(' ').next().unwrap();
        let prefix = name
            .split_once(':')
            .map_or("", |(prefix, _)| &name[..=prefix.len()]);
        let item = if root.to_lowercase().contains("feed") {
            format!("<{prefix}entry><{prefix}link href='https://example.com/1'/></{prefix}entry>")
        } else {
            format!("<{prefix}item><{prefix}link>https://example.com/1</{prefix}link></{prefix}item>")
        };
        let document = format!("<{root}>{item}</{name}>");
        let (read, all) = lenient(document.as_bytes());
        assert_eq!(read.unwrap(), ["https://example.com/1"], "{document}");
        assert_eq!(all, Vec::from_iter(told.clone()), "{document}");
        assert!(sniff(document.as_bytes()).is_feed(), "{document}");
        let mut strict = ReaderBuilder::new();
        let format = strict.other_formats(true).from_str(&document).format();
        assert_eq!(format.is_ok_and(Format::is_feed), told.is_none(), "{document}");
    }
}

#[test]
fn nothing_is_told() {
    for (document, told) in [
        (
            "<rss><channel><title>x</title></channel></rss>".to_owned(),
            "error[P-EMPTY]: the feed has no `item`: nothing is read of it (P-EMPTY); leave it out of the index until it has some, at line 1, \
             column 47 (byte 46)",
        ),
        (
            format!(
                "<feed xmlns='{ATOM}'><x:entry xmlns:x='urn:x'><x:link href='https://example.com/'/></x:entry></feed>"
            ),
            "error[P-EMPTY]: the feed has no `entry`: nothing is read of it (P-EMPTY); leave it out of the index until it has some, at line 1, \
             column 122 (byte 121)",
        ),
        (
            format!(
                "<urlset xmlns='{CORE}'>\n<x:url xmlns:x='urn:x'><x:loc>https://example.com/</x:loc></x:url></urlset>"
            ),
            "error[P-NS]: the document has no `url` in the sitemap's namespace: `x:url` is in another one, and nothing is read of it (P-NS); \
             correct its `xmlns`, at line 2, column 2 (byte 62)",
        ),
        (
            format!(
                "<sitemapindex xmlns='{CORE}'><x:sitemap xmlns:x='urn:x'><x:loc>https://example.com/</x:loc></x:sitemap></sitemapindex>"
            ),
            "error[P-NS]: the document has no `sitemap` in the sitemap's namespace: `x:sitemap` is in another one, and nothing is read of it \
             (P-NS); correct its `xmlns`, at line 1, column 68 (byte 67)",
        ),
    ] {
        let mut builder = ReaderBuilder::new();
        let mut reader = builder.mode(Mode::Lenient).from_str(&document);
        assert_eq!(reader.deserialize::<Page>().count(), 0, "{document}");
        let found: Vec<_> = reader.diagnostics().iter().map(ToString::to_string).collect();
        assert_eq!(found, [told]);
    }
    // Foreign elements next to an entry are skipped.
    let document = format!(
        "<urlset xmlns='{CORE}'><x:y xmlns:x='urn:x'/><url><loc>https://example.com/1</loc></url><x:y xmlns:x='urn:x'/></urlset>"
    );
    assert_eq!(lenient(document.as_bytes()).1, [""; 0]);
}

#[derive(serde::Deserialize)]
struct Page {
    #[serde(rename = "loc")]
    _loc: String,
}

const ROOTS: [&str; 12] = [
    "urlset",
    "sitemapindex",
    "URLSET",
    "rss",
    "RSS",
    "RDF",
    "feed",
    "Feed",
    "html",
    "url",
    "opml",
    "channel",
];
const NAMESPACES: [&str; 12] = [
    CORE,
    "https://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.sitemaps.org/schemas/sitemap/0.9/",
    ATOM,
    "https://www.w3.org/2005/Atom",
    "http://www.w3.org/2005/Atom/",
    "http://www.w3.org/2005/atom",
    RSS_1,
    "https://purl.org/rss/1.0/",
    "urn:x",
    "",
    " ",
];
const PREFIXES: [&str; 4] = ["", "", "x:", "undeclared:"];
const NAMES: [&str; 14] = [
    "url",
    "sitemap",
    "Url",
    "item",
    "entry",
    "ENTRY",
    "channel",
    "loc",
    "link",
    "guid",
    "title",
    "other",
    "image:image",
    "rdf:li",
];
const CONTENT: [&str; 8] = [
    "",
    "https://example.com/1",
    "/1",
    "words",
    "<loc>https://example.com/2</loc>",
    "<link>https://example.com/3</link>",
    "<link href='https://example.com/4'/>",
    "<!-- comment -->",
];
const BEGINNINGS: [&str; 6] = [
    "",
    "",
    "<?xml version='1.0'?>\n",
    "<!-- a -->",
    "words ",
    "https://example.com/text\n",
];

/// A document with a root that contains this number of elements.
fn document(random: &mut Random, elements: usize) -> String {
    let mut pick = |words: &[&'static str]| words[random.below(words.len())];
    let (beginning, prefix, root) = (pick(&BEGINNINGS), pick(&PREFIXES), pick(&ROOTS));
    let (default, x) = (pick(&NAMESPACES), pick(&NAMESPACES[..10]));
    let mut children = String::new();
    for _ in 0..elements {
        let (prefix, name) = (pick(&PREFIXES), pick(&NAMES));
        let prefix = if name.contains(':') { "" } else { prefix };
        let name = [prefix, name].concat();
        children += &["<", &name, ">", pick(&CONTENT), "</", &name, ">\n"].concat();
    }
    format!("{beginning}<{prefix}{root} xmlns='{default}' xmlns:x='{x}'>\n{children}</{prefix}{root}>")
}

/// Documents of all kinds, in all namespaces, with and without entries, whole and broken: each has entries, a diagnostic or an error, or
/// is an empty sitemap.
#[test]
fn whatever_gives_nothing_is_told() {
    let mut random = Random::new(0x6e6f_7468);
    let (mut empty, mut told, mut read) = (0, 0, 0);
    for round in 0..rounds(3000) {
        let elements = round % 3;
        let mut document = document(&mut random, elements);
        if round % 5 == 0 {
            document.truncate(random.below(document.len()));
        }
        let mut builder = ReaderBuilder::new();
        builder.mode(Mode::Lenient);
        if round % 7 == 0 {
            builder.location("https://example.com/sitemap.xml");
        }
        let mut reader = builder.from_str(&document);
        let found: Vec<bool> = reader.deserialize::<Page>().map(|entry| entry.is_ok()).collect();
        let entries = found.iter().filter(|is_entry| **is_entry).count();
        // A warning is about the namespace.
        let is_error =
            |found: &&sitemap_serde::Diagnostic| found.severity() == sitemap_serde::lint::Severity::Error;
        let diagnostics = reader.diagnostics().iter().filter(is_error).count();
        if found.is_empty() && diagnostics == 0 {
            let is_sitemap = matches!(reader.format(), Ok(Format::UrlSet | Format::SitemapIndex));
            assert!(is_sitemap && elements == 0, "{document}");
            empty += 1;
        }
        told += usize::from(entries == 0 && diagnostics > 0);
        read += entries;
    }
    assert!(
        empty > rounds(10) && told > rounds(1_000) && read > rounds(200),
        "{empty}, {told}, {read}"
    );
}
