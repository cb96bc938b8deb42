//! The end of a lenient reading, and the dropped parts of an entry: nothing follows an error that ends it, and nothing is dropped
//! silently.

use sitemap_serde::{Limits, Mode, ReaderBuilder};
use sitemap_tests::{Random, limited, marked, rounds, urlset};

use super::case;

#[derive(serde::Deserialize)]
struct Page {
    #[serde(rename = "loc")]
    _loc: String,
}

/// The entries of an index are no pages, with or without its root.
#[test]
fn an_index_without_its_root_has_no_pages() {
    let message = "this is a sitemapindex, which lists sitemaps, and a urlset was asked for (P-NS); read it as `SitemapIndex` or `Document`, and \
                   then the sitemaps that it lists, at line 1, column 1 (byte 0)";
    for sitemaps in [1, 3] {
        let document = "<sitemap><loc>https://example.com/1.xml</loc></sitemap>".repeat(sitemaps);
        let mut builder = ReaderBuilder::new();
        builder.mode(Mode::Lenient);
        let found: Vec<_> = builder.from_str(&document).entries().collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].as_ref().unwrap_err().to_string(), message);
        let with_diagnostics = builder.from_str(&document).into_iter().with_diagnostics().count();
        assert_eq!(with_diagnostics, 1);
        assert_eq!(
            builder.from_str(&document).deserialize::<Page>().count(),
            sitemaps
        );
    }
}

/// For any error from any source, and for any unreturned rest of the last element.
#[test]
fn nothing_follows_an_error_that_ends_the_reading() {
    const PIECES: [&str; 9] = [
        "<url><loc>https://example.com/1</loc><loc>https://example.com/2</loc><loc>https://example.com/3</loc></url>",
        "<url><loc>https://example.com/4</loc></url>",
        "<url><loc>https://example.com/5</loc>",
        "<sitemap><loc>https://example.com/6</loc></sitemap>",
        "<loc>https://example.com/7</loc>",
        "https://example.com/8\n",
        "<urlset>",
        "</urlset>",
        "<item><link>https://example.com/9</link></item>",
    ];
    let mut random = Random::new(0x656e_6473);
    let mut ended = 0;
    for _ in 0..rounds(1000) {
        let root = [
            "<urlset>",
            "",
            "<sitemapindex>",
            "<rss>",
            "https://example.com/\n",
        ][random.below(5)];
        let mut document = root.to_owned();
        for _ in 0..random.below(8) {
            document.push_str(PIECES[random.below(PIECES.len())]);
        }
        let limits = match random.below(4) {
            0 => Limits::reading().with_entries(random.below(5) as u64),
            1 => Limits::reading().with_bytes(random.below(400) as u64),
            2 => limited(Limits::reading(), |limits| limits.token_bytes = random.below(60)),
            _ => Limits::reading().with_entry_bytes(random.below(150)),
        };
        let mut builder = ReaderBuilder::new();
        builder.mode(Mode::Lenient).limits(limits);
        // Requests pages, and entries of any kind.
        let pages: Vec<_> = builder
            .from_str(&document)
            .into_iter()
            .map(|entry| entry.map(drop))
            .collect();
        let all: Vec<_> = builder
            .from_str(&document)
            .into_iter()
            .deserialize::<Page>()
            .map(|entry| entry.map(drop))
            .collect();
        for found in [pages, all] {
            let end = found
                .iter()
                .position(|entry| entry.as_ref().is_err_and(sitemap_serde::Error::ends_reading));
            if let Some(end) = end {
                assert_eq!(end + 1, found.len(), "{document}: {found:?}");
                ended += 1;
            }
        }
    }
    assert!(ended > rounds(500), "{ended}");
}

/// Strict reading refuses a second element (`‸`), even an empty one. Lenient reading reports the one that it left out.
#[test]
fn a_second_element_that_is_empty() {
    for (refused, left_out, read) in [
        (
            "<lastmod>2024</lastmod><lastmod/>‸",
            "<lastmod>2024</lastmod><lastmod/>‸",
            "2024",
        ),
        (
            "<lastmod/><lastmod>‸</lastmod>",
            "<lastmod/><lastmod>‸</lastmod>",
            "",
        ),
        (
            "<lastmod/><lastmod>‸2024</lastmod>",
            "<lastmod/>‸<lastmod>2024</lastmod>",
            "2024",
        ),
    ] {
        let marked = |children| {
            marked(&urlset(&format!(
                "<url><loc>https://example.com/1</loc>{children}</url>"
            )))
        };
        let message = |children| {
            let (_, column, byte) = marked(children).place;
            format!(
                "a second `lastmod`: a `url` has at most one (P-DUP); remove one of them, at line 1, column {column} (byte {byte}), \
                 entry 1 · lastmod"
            )
        };
        let document = marked(refused).text;
        case(
            &document,
            &message(refused),
            Ok(&["https://example.com/1"]),
            &[&format!("error[P-DUP]: {}", message(left_out))],
        );
        let mut builder = ReaderBuilder::new();
        let mut reader = builder.mode(Mode::Lenient).from_str(&document);
        let entry = reader.entries().next().unwrap().unwrap();
        let lastmod = entry.lastmod.map(|date| date.to_string());
        assert_eq!(lastmod.unwrap_or_default(), read);
    }
}
