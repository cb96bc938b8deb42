//! Spellings of namespaces in real files: no part of an entry is lost in a round trip.

use std::fmt::Write;

use sitemap_serde::{Reader, UrlEntry};
use sitemap_tests::{CORE, checked_outcomes, outcomes, urlset};

const EXTENSIONS: [(&str, &str); 6] = [
    ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ("video", "http://www.google.com/schemas/sitemap-video/1.1"),
    ("news", "http://www.google.com/schemas/sitemap-news/0.9"),
    ("xhtml", "http://www.w3.org/1999/xhtml"),
    ("mobile", "http://www.google.com/schemas/sitemap-mobile/1.0"),
    ("pagemap", "http://www.google.com/schemas/sitemap-pagemap/1.0"),
];

const OLDER: [&str; 5] = [
    "http://www.google.com/schemas/sitemap/0.84",
    "http://www.google.com/schemas/sitemap/0.9",
    "http://www.google.com/schemas/sitemap/0.90",
    "http://www.sitemaps.org/schemas/sitemap/0.84",
    "http://www.sitemaps.org/schemas/sitemap/0.90",
];

/// The spellings of a URI that begins with `http://www.`, including itself.
fn spellings(uri: &str) -> Vec<String> {
    let rest = uri.strip_prefix("http://www.").unwrap();
    let mut all = Vec::new();
    for start in ["http://www.", "https://www.", "http://", "https://"] {
        for end in ["", "/"] {
            all.push(format!("{start}{rest}{end}"));
        }
    }
    all
}

/// An entry with elements of every extension.
const ENTRY: &str = "<url><loc>https://example.com/</loc>\
    <image:image><image:loc>https://example.com/a.jpg</image:loc></image:image>\
    <video:video><video:thumbnail_loc>https://example.com/a.jpg</video:thumbnail_loc><video:title>t</video:title>\
    <video:description>d</video:description><video:content_loc>https://example.com/a.mp4</video:content_loc></video:video>\
    <news:news><news:publication><news:name>n</news:name><news:language>en</news:language></news:publication>\
    <news:publication_date>2026-01-02</news:publication_date><news:title>t</news:title></news:news>\
    <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>\
    <mobile:mobile/>\
    <pagemap:PageMap><pagemap:DataObject type=\"a\"/></pagemap:PageMap></url>";

fn document(core: &str, extensions: &[(&str, String)]) -> String {
    let mut declarations = String::new();
    for (prefix, uri) in extensions {
        write!(declarations, " xmlns:{prefix}=\"{uri}\"").unwrap();
    }
    format!("<urlset xmlns=\"{core}\"{declarations}>{ENTRY}</urlset>")
}

fn canonical() -> Vec<(&'static str, String)> {
    EXTENSIONS.map(|(prefix, uri)| (prefix, uri.to_owned())).to_vec()
}

#[test]
fn every_spelling_means_the_namespace() {
    let whole = checked_outcomes(document(CORE, &canonical()));
    let entry = whole[0].clone().unwrap();
    assert!(entry.images.len() == 1 && entry.videos.len() == 1 && entry.alternates.len() == 1);
    assert!(entry.news.is_some() && entry.mobile && entry.page_map.is_some());
    let mut documents = Vec::new();
    for core in OLDER.into_iter().chain([CORE]).flat_map(spellings) {
        documents.push(document(&core, &canonical()));
    }
    for (i, (_, uri)) in EXTENSIONS.into_iter().enumerate() {
        for spelling in spellings(uri) {
            let mut extensions = canonical();
            extensions[i].1 = spelling;
            documents.push(document(CORE, &extensions));
        }
    }
    for document in documents {
        assert_eq!(checked_outcomes(&document), whole, "{document}");
        assert_eq!(outcomes::<UrlEntry>(&document), whole, "{document}");
        // The output has all elements, under the one correct URI.
        let entries: Vec<UrlEntry> = sitemap_serde::from_str(&document).unwrap();
        let written = sitemap_serde::to_string(&entries).unwrap();
        assert_eq!(
            Reader::from_str(&written).entries().next().unwrap().unwrap(),
            entry
        );
        assert!(written.starts_with(&format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\""
        )));
        for (_, uri) in EXTENSIONS {
            assert!(written.contains(&format!("=\"{uri}\"")), "{written}");
        }
    }
}

#[test]
fn similar_uris_are_other_namespaces() {
    for uri in [
        "http://www.google.com/schemas/sitemap-images/1.1",
        "http://www.google.com/schemas/sitemap-image",
        "http://example.com/schemas/sitemap-image/1.1",
        "ftp://www.google.com/schemas/sitemap-image/1.1",
        "http://www.google.com/schemas/sitemap-image/1.1//",
    ] {
        let document = urlset(&format!(
            "<url xmlns:image=\"{uri}\"><loc>https://example.com/</loc><image:image><image:loc>https://example.com/a.jpg\
             </image:loc></image:image></url>"
        ));
        assert_eq!(
            checked_outcomes(&document),
            [Ok(UrlEntry::new("https://example.com/"))],
            "{uri}"
        );
    }
}
