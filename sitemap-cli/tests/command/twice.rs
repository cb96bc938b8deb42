//! `sitemap repair` leaves its own output unchanged: exit status 0 and the same bytes.

use std::fs;
use std::path::{Path, PathBuf};

use sitemap_tests::{reads_all, rounds, sample};

use crate::folder::{CORE, Folder};

/// Valid and invalid parts of entries, starting with locs.
const LOCS: [&str; 12] = [
    "<loc>https://example.com/</loc>",
    "<loc>https://example.com/?a=1&b=2</loc>",
    "<loc>https://example.com/?a=1&amp;amp;b=2&amp;amp;amp;c</loc>",
    "<loc>https://example.com/é b|'c\"(d)</loc>",
    "<loc> \u{a0}https://example.com/x\u{200b}</loc>",
    "<loc>/relative</loc>",
    "<loc>https://example.com/a</loc><loc>https://example.com/b</loc>",
    "<Loc>https://EXAMPLE.com/%e3%82%b5%zz</Loc>",
    "<loc>https://bücher.example:443/</loc>",
    "<loc>ftp://example.com/</loc>",
    "https://example.com/bare",
    "<loc><![CDATA[https://example.com/?a&amp;b]]></loc",
];

const PARTS: [&str; 20] = [
    "<lastmod>2026-05-01</lastmod>",
    "<lastmod>yesterday</lastmod>",
    "<lastmod>2026-05-01 10:00:00</lastmod><lastmod>2026</lastmod>",
    "<changefreq>Daily</changefreq>",
    "<priority>0,5</priority>",
    "<priority>1.00</priority><priority/>",
    "<image:image><image:loc>https://example.com/1.jpg?a&amp;amp;b</image:loc><image:title>St. John&amp;amp;#39;s &amp;amp;amp;amp; x</image:title></image:image>",
    "<image:image><image:caption>a &amp;lt;b&amp;gt; &eacute; &amp;eacute;</image:caption><image:loc>https://example.com/é.jpg</image:loc></image:image>",
    "<image:image><image:loc>2.jpg</image:loc></image:image>",
    "<xhtml:link rel=\"alternate\" hreflang=\"en-UK\" href=\"https://example.com/uk\"/>",
    "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de?a&amp;amp;b\"/>",
    "<xhtml:link rel='alternate' href='https://example.com/none'/>",
    "<news:news><news:publication><news:name>N &amp;amp; M</news:name><news:language>en-US</news:language></news:publication><news:publication_date>2026-05-01</news:publication_date><news:title>T</news:title></news:news>",
    "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:publication_date>2026-05-01</news:publication_date><news:title>a &amp;amp; <![CDATA[<b>]]></news:title></news:news>",
    "<video:video><video:thumbnail_loc>https://example.com/t.jpg</video:thumbnail_loc><video:title>T</video:title><video:description>&amp;lt;p&amp;gt;D &amp;amp;nbsp;</video:description><video:player_loc>https://example.com/p</video:player_loc><video:duration>99999</video:duration><video:tag>x</video:tag></video:video>",
    "<video:video><video:title>T</video:title></video:video>",
    "<own:x xmlns:own=\"urn:own\">1</own:x><unknown/>",
    "<mobile:mobile/>",
    "stray & text <",
    "</url><url>",
];

const ROOTS: [&str; 3] = [
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"CORE\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:own2=\"urn:own2\">\n",
    "\n<urlset>",
    "<!-- a --><?xml version='1.0'?><urlset xmlns='https://www.sitemaps.org/schemas/sitemap/0.9/' xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'>",
];

/// A pseudorandom number generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

fn document(numbers: &mut Numbers) -> String {
    let mut document = ROOTS[numbers.below(ROOTS.len())].replace("CORE", CORE);
    for _ in 0..=numbers.below(4) {
        document.push_str("<url>");
        document.push_str(LOCS[numbers.below(LOCS.len())]);
        for _ in 0..numbers.below(4) {
            document.push_str(PARTS[numbers.below(PARTS.len())]);
        }
        document.push_str("</url>\n");
    }
    if numbers.below(3) > 0 {
        document.push_str("</urlset>");
    }
    document
}

#[track_caller]
fn is_left_as_it_is(folder: &Folder, repaired: &str, arguments: &[&str], of: &str) {
    let (status, again, told) = folder.pipe(repaired, arguments);
    assert_eq!((status, &*again), (0, repaired), "{of}\n{told}");
}

#[test]
fn generated_documents_are_repaired_once() {
    let (folder, mut numbers, mut count) = (Folder::empty(), Numbers(20), 0);
    let documents = rounds(250);
    for i in 0..documents {
        let document = document(&mut numbers);
        let location = ["--location", "https://example.com/sitemap.xml"];
        let arguments = [&["repair", "-"][..], if i % 2 == 0 { &location } else { &[] }].concat();
        let (status, repaired, _) = folder.pipe(&document, &arguments);
        if status == 2 {
            continue;
        }
        count += 1;
        is_left_as_it_is(&folder, &repaired, &arguments, &document);
        is_left_as_it_is(&folder, &repaired, &["repair", "-"], &document);
    }
    assert!(count > documents * 4 / 5, "{count}");
}

#[test]
fn text_repaired_in_place_is_repaired_once() {
    let text = "\u{FEFF}https://example.com/\nabout\nhttps://example.com/é?a&amp;b\n\nhttps://example.com/x  2026-05-01\n";
    let folder = Folder::with(&[("a.txt", text)]);
    assert_eq!(folder.run(&["repair", "a.txt", "--in-place"]).0, 1);
    let repaired = folder.read("a.txt");
    let (status, _, told) = folder.run(&["repair", "a.txt", "--in-place"]);
    assert_eq!((status, folder.read("a.txt")), (0, repaired), "{told}");
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if fs::metadata(&path).is_ok_and(|found| found.len() < 100_000) {
            found.push(path);
        }
    }
}

#[test]
fn published_documents_are_repaired_once() {
    let Some(shared) = std::env::var_os("SITEMAP_SHARED") else {
        eprintln!("skipped: SITEMAP_SHARED names no folder of published sitemaps");
        return;
    };
    let mut found = Vec::new();
    files(&PathBuf::from(shared).join("corpus"), &mut found);
    found.sort();
    let (folder, mut count) = (Folder::empty(), 0);
    for path in sample(&found) {
        let name = path.to_str().unwrap();
        let repaired = folder.command(&["repair", name]).output().unwrap();
        if repaired.status.code() == Some(2) {
            continue;
        }
        count += 1;
        folder.write("a.xml", &repaired.stdout);
        let again = folder.command(&["repair", "a.xml"]).output().unwrap();
        let told = String::from_utf8_lossy(&again.stderr);
        assert_eq!(again.status.code(), Some(0), "{name}: {told}");
        assert!(again.stdout == repaired.stdout, "{name}: {told}");
    }
    assert!(count > if reads_all() { 100 } else { 14 }, "{count}");
}
