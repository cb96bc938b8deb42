//! Makes documents of one kind in two sizes, the second four times the first. Reads each, and prints its numbers of entries and errors.
//! `linear.rs` counts the instructions.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use serde::Deserialize;
use sitemap_serde::lint::{Input, Linter};
use sitemap_serde::robots::Robots;
use sitemap_serde::{Limits, Mode, OnInvalid, ReaderBuilder, Record, WriterBuilder};
use sitemap_tests::{Chunks, limited};

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
            // Every element looks up a prefix among sixty.
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
        // Nested elements that each declare namespaces, with many others in the innermost one. The declarations in scope grow with the
        // depth.
        "scopes" => around(&scopes(n / 10, n)),
        "scopes expanded" => format!("<!DOCTYPE a []>{}", around(&scopes(10, n))),
        "a refused value before others" => around(&format!("<b>{}</b>{}", repeat("x"), repeat("<a>y</a>"))),
        kind => broken(kind, n),
    }
}

/// Documents that are broken everywhere, or not XML, for lenient reading.
fn broken(kind: &str, n: usize) -> String {
    let numbered = |write: fn(&mut String, usize)| {
        let mut out = String::new();
        (0..n).for_each(|i| write(&mut out, i));
        out
    };
    let set = |inner: String| format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{inner}");
    let around = |inner: String| set(format!("<url><loc>http://e.com/</loc>{inner}</url></urlset>"));
    let beside = |junk: &str| set(format!("<url><loc>http://e.com/</loc></url>{junk}\n").repeat(n));
    if let Some(junk) = kind.strip_suffix(" in one entry").and_then(repeated_in_an_entry) {
        // Work that grows with the distance to the entry's start shows in long entries. An element without an end tag ends at the entry's
        // end.
        let filler = format!("<!-- {} -->", "filler ".repeat(20));
        return around(format!("{junk}{filler}").repeat(n));
    }
    match kind {
        "bare ampersands" => {
            set("<url><loc>http://e.com/?a&b</loc><priority>x&y</priority></url>\n".repeat(n))
        }
        "unclosed tags" => set("<url><loc>http://e.com/<lastmod>2024".repeat(n)),
        "no ends" => set("<x>".repeat(n)),
        "end tags in an entry" => around("</x>".repeat(n)),
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
        kind => beside(repeated_between_entries(kind).unwrap_or_else(|| panic!("no kind {kind}"))),
    }
}

/// Broken markup, without any valid place.
fn repeated_between_entries(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "end tags" => "</x></y>",
        "comments" => "<!-- ",
        "sections" => "<![CDATA[ ",
        "instructions" => "<?x ",
        "declarations" => "<!x ",
        "quotes" => "<x y='",
        "brackets" => "<<<<",
        "control characters" => "\0\0",
        "prefixes nobody declares" => "<p:x/>",
        "roots" => "</urlset><urlset>",
        _ => return None,
    })
}

/// The same, and broken elements, within an entry.
fn repeated_in_an_entry(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "brackets with spaces" => "< ",
        "brackets in text" => "a < b",
        "attributes without values" => "<a b c d e f/>",
        "values without quotes" => "<a b=c d=e/>",
        "repeated attributes" => "<a b='1' b='2'/>",
        "bare ampersands" => "<a>x&y</a>",
        "ampersands in attributes" => "<a b='x&y'/>",
        "entities nobody declares" => "<a>&x;</a>",
        "names in another case" => "<LastMod>2024</LastMod>",
        "text" => "text<a/>",
        "elements of others" => "<p:x><loc>http://e.com/</loc></p:x>",
        "elements that contain others" => "<lastmod><a/>2024</lastmod>",
        "relative URLs" => "<image:image><image:loc>/x</image:loc></image:image>",
        "wrong values" => "<image:image><image:loc>x y</image:loc></image:image>",
        "dates" => "<news:news><news:publication_date>2024/1/1</news:publication_date></news:news>",
        "misplaced elements" => "<image:loc>http://e.com/</image:loc>",
        "incomplete elements" => "<video:video><video:title>x</video:title></video:video>",
        "escaped twice" => "<image:image><image:title>a&amp;amp;b</image:title></image:image>",
        kind => return repeated_between_entries(kind),
    })
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

/// Piece sizes for reading a document, in addition to the whole: a few bytes, so that no token is whole, and a small buffer.
const PIECES: [usize; 2] = [7, 256];

/// An entry whose elements serde buffers before it requests numbers.
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

/// Writes the result of lenient reading, as `sitemap repair` does. Returns the numbers of entries, and of repairs and dropped values.
fn repaired(document: &str) -> (u32, u32) {
    let omitted = Arc::new(AtomicU32::new(0));
    let counts = |count: &Arc<AtomicU32>| {
        let count = Arc::clone(count);
        move || {
            count.fetch_add(1, Relaxed);
        }
    };
    let (repair, omit) = (counts(&omitted), counts(&omitted));
    let mut builder = ReaderBuilder::new();
    builder
        .mode(Mode::Correcting)
        .location("http://e.com/sitemap.xml")
        .on_diagnostic(move |_| repair());
    let mut reader = builder.from_str(document);
    let mut writer = WriterBuilder::new()
        .on_invalid(OnInvalid::DropValue)
        .on_problem(move |_| omit())
        .from_writer(Vec::new());
    let mut record = Record::new();
    let mut entries = 0;
    while let Ok(true) = reader.read_record(&mut record) {
        if let Ok(entry) = reader.diagnose(&record) {
            entries += u32::from(writer.write(&entry).is_ok());
        }
    }
    (entries, omitted.load(Relaxed))
}

/// The number of diagnostics about a document. The site's `robots.txt` has the same number of lines as the document, and names it in the
/// last line.
fn linted_with_robots(document: &str) -> u32 {
    const LOCATION: &str = "http://e.com/maps/sitemap.xml";
    let lines = (0..document.lines().count()).fold(String::new(), |mut out, i| {
        writeln!(out, "Sitemap: http://e.com/{i}.xml").unwrap_or_default();
        out
    });
    let robots = Robots::parse(format!("{lines}Sitemap: {LOCATION}").as_bytes());
    let mut found = 0;
    let mut linter = Linter::new();
    linter.robots("http://e.com/robots.txt", robots, "Googlebot");
    let mut lint = linter.start(|_, _| found += 1);
    let input = Input::from_slice("sitemap.xml", document.as_bytes()).location(LOCATION);
    let read = lint.document(input).and_then(|()| lint.finish());
    read.map_or(u32::MAX, |_| found)
}

/// The measured work.
#[inline(never)]
fn measured(kind: &str, mode: &str, document: &str) -> (u32, u32) {
    if mode == "lint" {
        let found = Linter::new().check(document.as_bytes()).len();
        return (1, found.try_into().unwrap_or(u32::MAX));
    }
    match mode {
        "robots" => return (1, linted_with_robots(document)),
        "serde" => return deserialized(document),
        "repair" => return repaired(document),
        _ => {}
    }
    // xml-rs does work for each element that grows with the declarations in scope, so these stay bounded.
    let namespaces = if kind == "scopes expanded" { 64 } else { usize::MAX };
    let limits = limited(Limits::trusted(), |limits| limits.namespaces = namespaces);
    let mut builder = ReaderBuilder::new();
    if mode == "lenient" {
        // With the limits of a program that reads leniently.
        builder.mode(Mode::Lenient).location("http://e.com/sitemap.xml");
    } else {
        builder.limits(limits);
    }
    let mut reader = builder.from_reader(document.as_bytes());
    // Slices and streams count lines in different ways.
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

/// The work after the measurement.
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
