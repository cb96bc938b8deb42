//! Makes documents of a kind, of a size and of four times that size, reads each, and prints how many entries and errors that gave: what
//! `linear.rs` counts the instructions of.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;
use sitemap_serde::lint::Linter;
use sitemap_serde::{Limits, Mode, ReaderBuilder, Record};
use sitemap_tests::Chunks;

fn document(kind: &str, n: usize) -> String {
    let repeat = |text: &str| text.repeat(n);
    let numbered = |write: fn(&mut String, usize)| {
        let mut out = String::new();
        (0..n).for_each(|i| write(&mut out, i));
        out
    };
    let around = |inner: &str| {
        format!(
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://e.com/</loc>{inner}</url></urlset>"
        )
    };
    match kind {
        "plain" => {
            let entry = "<url>\n <loc>http://e.com/a</loc><lastmod>2005-01-01</lastmod><priority>0.8</priority></url>\n";
            format!(
                "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}</urlset>",
                repeat(entry)
            )
        }
        "deep" => around(&(repeat("<a>") + &repeat("</a>"))),
        "attributes" => {
            let attributes = numbered(|out, i| write!(out, " a{i}='{i}'").unwrap_or_default());
            around(&format!("<a{attributes}/>"))
        }
        "namespaces" => {
            let declarations = numbered(|out, i| write!(out, " xmlns:a{i}='urn:{i}'").unwrap_or_default());
            around(&format!("<a{declarations}/>"))
        }
        "prefixes" => {
            // Every element looks a prefix up among sixty.
            let declarations = (0..60).fold(String::new(), |out, i| format!("{out} xmlns:a{i}='urn:{i}'"));
            around(&format!("<b{declarations}>{}</b>", repeat("<a0:c/>")))
        }
        "text" => around(&format!("<a>{}</a>", repeat("text &amp; "))),
        "references" => around(&format!("<a>{}</a>", repeat("&#65;"))),
        "pieces" => around(&format!("<a>{}</a>", repeat("x<!-- -->"))),
        "siblings" => around(&numbered(|out, i| write!(out, "<a{i}/>").unwrap_or_default())),
        "repeated" => around(&repeat("<a/>")),
        "errors" => {
            let entry = "<url><loc>http://e.com/</loc><loc>http://e.com/</loc></url>\n";
            format!(
                "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{}</urlset>",
                repeat(entry)
            )
        }
        "entities" => format!(
            "<!DOCTYPE a [<!ENTITY e 'entity'>]>{}",
            around(&format!("<a>{}</a>", repeat("&e;")))
        ),
        "expanded" => format!(
            "<!DOCTYPE a [<!ENTITY e 'entity'>]>{}",
            around(&repeat("<a>x</a>"))
        ),
        // Elements that each declare namespaces, within one another, and in the innermost many others: the declarations in
        // scope grow with the depth.
        "scopes" => around(&scopes(n / 10, n)),
        "scopes expanded" => format!("<!DOCTYPE a []>{}", around(&scopes(10, n))),
        "a refused value before others" => around(&format!("<b>{}</b>{}", repeat("x"), repeat("<a>y</a>"))),
        kind => broken(kind, n),
    }
}

/// Documents that are broken all over, or no XML, for a lenient reading.
fn broken(kind: &str, n: usize) -> String {
    let numbered = |write: fn(&mut String, usize)| {
        let mut out = String::new();
        (0..n).for_each(|i| write(&mut out, i));
        out
    };
    let set = |inner: String| format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{inner}");
    let around = |inner: String| set(format!("<url><loc>http://e.com/</loc>{inner}</url></urlset>"));
    let beside = |junk: &str| set(format!("<url><loc>http://e.com/</loc></url>{junk}\n").repeat(n));
    match kind {
        "bare ampersands" => {
            set("<url><loc>http://e.com/?a&b</loc><priority>x&y</priority></url>\n".repeat(n))
        }
        "unclosed tags" => set("<url><loc>http://e.com/<lastmod>2024".repeat(n)),
        "no ends" => set("<x>".repeat(n)),
        "end tags" => beside("</x></y>"),
        "end tags in an entry" => around("</x>".repeat(n)),
        "comments" => beside("<!-- "),
        "sections" => beside("<![CDATA[ "),
        "instructions" => beside("<?x "),
        "declarations" => beside("<!x "),
        "quotes" => beside("<x y='"),
        "brackets" => beside("<<<<"),
        "one bracket after another" => around("<".repeat(n)),
        "a tag with broken attributes" => around(format!("<priority{}/>", " a=b".repeat(n))),
        "an end tag with attributes" => around(format!("</priority{}>", " a=b".repeat(n))),
        "a declaration without its end" => around(format!("<!x{}", " y".repeat(n))),
        "a DOCTYPE" => format!(
            "<!DOCTYPE x [{}]>{}",
            "<!ELEMENT x ANY> ".repeat(n),
            around(String::new())
        ),
        "white space" => around(" \n".repeat(n)),
        "others' elements without ends" => {
            let entry = "<o:z><o:y><url><loc>http://e.com/</loc></url></o:y>\n";
            let entries = entry.repeat(100) + &"<url><loc>http://e.com/</loc></url>\n".repeat(n);
            set(entries).replacen('>', " xmlns:o='urn:o'>", 1)
        }
        "others' elements" => {
            let other = "<o:z><o:y/><url><loc>http://e.com/</loc></url></o:z>\n";
            let entry = format!("<url><loc>http://e.com/</loc>{other}</url>{other}");
            set(entry.repeat(n)).replacen('>', " xmlns:o='urn:o'>", 1)
        }
        "control characters" => beside("\0\0"),
        "prefixes nobody declares" => beside("<p:x/>"),
        "roots" => beside("</urlset><urlset>"),
        "locs" => around(numbered(|out, i| {
            write!(out, "<loc>http://e.com/{i}</loc>").unwrap_or_default();
        })),
        "incomplete elements" => {
            let namespaces = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
                xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' xmlns:xhtml='http://www.w3.org/1999/xhtml'>";
            let entry = format!(
                "<url><loc>http://e.com/</loc>{}</url>",
                "<image:image/><xhtml:link/>".repeat(n)
            );
            format!("{namespaces}{entry}</urlset>")
        }
        "doubles" => around("<lastmod>x</lastmod><lastmod>2024</lastmod>".repeat(n)),
        "escaped twice" => around("<lastmod>a&amp;amp;b</lastmod>".repeat(n)),
        "one ampersand after another" => around("&".repeat(n)),
        "relative" => set("<url><loc>/x</loc></url>".repeat(n)),
        "lines" => "http://e.com/\nno URL\n".repeat(n),
        "items" => format!(
            "<rss><channel>{}",
            "<item><link>http://e.com/</link><title>a & b".repeat(n)
        ),
        kind => panic!("no kind {kind}"),
    }
}

fn scopes(depth: usize, siblings: usize) -> String {
    let mut out = String::new();
    for level in 0..depth {
        write!(out, "<b").unwrap_or_default();
        for i in 0..6 {
            write!(out, " xmlns:p{level}_{i}='urn:{i}'").unwrap_or_default();
        }
        write!(out, ">").unwrap_or_default();
    }
    out + &"<p0_0:c/><a/>".repeat(siblings) + &"</b>".repeat(depth)
}

/// The pieces in which a document is read, besides as a whole: a few bytes, as of tokens that never are whole, and a small buffer's.
const PIECES: [usize; 2] = [7, 256];

/// An entry whose elements serde reads before it asks for numbers.
#[derive(Deserialize)]
struct Flattened {
    #[serde(rename = "loc")]
    _loc: String,
    #[serde(flatten)]
    _numbers: BTreeMap<String, u8>,
}

/// The numbers of entries and errors.
fn deserialized(document: &str) -> (u32, u32) {
    let (mut entries, mut errors) = (0, 0);
    for entry in ReaderBuilder::new().from_str(document).deserialize::<Flattened>() {
        match entry {
            Ok(_) => entries += 1,
            Err(_) => errors += 1,
        }
    }
    (entries, errors)
}

/// What is counted.
#[inline(never)]
fn measured(kind: &str, mode: &str, document: &str) -> (u32, u32) {
    if mode == "lint" {
        let found = Linter::new().check(document.as_bytes()).len();
        return (1, found.try_into().unwrap_or(u32::MAX));
    }
    if mode == "serde" {
        return deserialized(document);
    }
    // What xml-rs does for an element grows with the declarations in scope, so these stay bounded.
    let namespaces = if kind == "scopes expanded" { 64 } else { usize::MAX };
    let limits = Limits::reading()
        .with_depth(usize::MAX)
        .with_attributes(usize::MAX)
        .with_namespaces(namespaces)
        .with_token_bytes(usize::MAX)
        .with_expansion_bytes(1 << 30);
    let mut builder = ReaderBuilder::new();
    if mode == "lenient" {
        // With the limits that a program has that reads what it finds.
        builder.mode(Mode::Lenient).location("http://e.com/sitemap.xml");
    } else {
        builder.limits(limits);
    }
    let mut reader = builder.from_reader(document.as_bytes());
    // A slice and a stream in small pieces have other ways to count lines.
    let mut slice = builder.from_str(document);
    std::hint::black_box(slice.entries().with_diagnostics().flatten().count());
    for size in PIECES {
        let mut pieces = builder.from_reader(Chunks::new(document.as_bytes(), size));
        std::hint::black_box(pieces.entries().with_diagnostics().flatten().count());
    }
    let mut record = Record::new();
    let (mut entries, mut errors) = (0, 0);
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => entries += 1,
            Ok(false) => break (entries, errors),
            Err(_) => errors += 1,
        }
    }
}

/// What comes after it.
#[inline(never)]
fn printed((entries, errors): (u32, u32)) {
    println!("{entries} entries, {errors} errors");
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    while let (Some(kind), Some(n)) = (arguments.next(), arguments.next()) {
        let n: usize = n.parse().expect("a size");
        for n in [n, 4 * n] {
            let document = document(&kind, n);
            printed(measured(&kind, &mode, &document));
        }
    }
}
