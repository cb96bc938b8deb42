//! The settings of lenient reading: a base, a second unescaping, a callback. Also values of user types.

use std::sync::{Arc, Mutex};

use serde::Deserialize;
use sitemap_serde::Suggestion;
use sitemap_serde::lint::Severity;
use sitemap_serde::source::SliceSource;
use sitemap_serde::{
    Diagnostic, ErrorKind, FromSitemapEntry, IndexEntry, Mode, Reader, ReaderBuilder, Record, Result, Rule,
    UrlEntry,
};
use sitemap_tests::{index, urlset};

fn builder() -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder.mode(Mode::Lenient);
    builder
}

#[test]
fn relative_locs_are_resolved_whoever_reads() {
    let document = urlset(
        "<url><loc>/a?b&amp;c</loc></url><url><loc>../d</loc></url><url><loc>www.example.com</loc></url>\
         <url><loc>example.com/e</loc></url><url><loc>//example.org/f</loc></url><url><loc>https://example.net/</loc></url>",
    );
    let expected = [
        "https://example.com/a?b&c",
        "https://example.com/d",
        "https://www.example.com",
        "https://example.com/e",
        "https://example.org/f",
        "https://example.net/",
    ];
    let mut builder = builder();
    builder.location("https://example.com/maps/1.xml");
    let mut reader = builder.from_str(&document);
    let entries: Vec<UrlEntry> = reader.entries().collect::<Result<_, _>>().unwrap();
    assert!(entries.iter().map(|entry| entry.loc.as_str()).eq(expected));
    let told: Vec<_> = reader
        .diagnostics()
        .iter()
        .map(|told| (told.rule(), told.found()))
        .collect();
    let found = [
        "/a?b&c",
        "../d",
        "www.example.com",
        "example.com/e",
        "//example.org/f",
    ];
    assert_eq!(told, found.map(|found| (Rule::Loc, Some(found))));
    assert_eq!(
        reader.diagnostics()[1].to_string(),
        "error[P-LOC]: `../d` is not an absolute URL: relative to the document's location it is `https://example.com/d` (P-LOC); write the absolute URL, at line 1, column 103 (byte 102), entry 2 · loc"
    );

    #[derive(Deserialize)]
    struct Page {
        loc: String,
    }
    let pages: Vec<Page> = builder
        .from_str(&document)
        .deserialize()
        .collect::<Result<_, _>>()
        .unwrap();
    assert!(pages.iter().map(|page| page.loc.as_str()).eq(expected));
    let (mut reader, mut record, mut locs) = (builder.from_str(&document), Record::new(), Vec::new());
    while reader.read_record(&mut record).unwrap() {
        locs.push(record.loc().to_owned());
    }
    assert_eq!(locs, expected);
}

/// URLs of images, videos and alternates, in elements and attributes.
fn relative_extensions() -> String {
    urlset(
        "<url><loc>https://example.com/</loc>\
         <image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><image:loc>/1.jpg</image:loc></image:image>\
         <image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><image:loc>https://cdn.example.com/2.jpg</image:loc>\
         </image:image>\
         <video:video xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'>\
         <video:thumbnail_loc>3.jpg</video:thumbnail_loc><video:title>T</video:title><video:description>D</video:description>\
         <video:content_loc>//cdn.example.com/4.mp4</video:content_loc>\
         <video:player_loc autoplay='a=1'>www.example.com/5?a&amp;b</video:player_loc>\
         <video:uploader info='?6'>U</video:uploader></video:video>\
         <xhtml:link xmlns:xhtml='http://www.w3.org/1999/xhtml' rel='alternate' hreflang='de' href='../de/'/></url>\
         <url><loc>https://example.com/2</loc>\
         <image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><image:loc>data:,x</image:loc></image:image></url>",
    )
}

#[test]
fn relative_urls_of_extensions_are_resolved_whoever_reads() {
    let document = relative_extensions();
    let mut builder = builder();
    builder.location("https://example.com/maps/1.xml");
    let mut reader = builder.from_str(&document);
    let entries: Vec<UrlEntry> = reader.entries().collect::<Result<_, _>>().unwrap();
    let entry = &entries[0];
    let video = &entry.videos[0];
    let expected = [
        "https://example.com/1.jpg",
        "https://cdn.example.com/2.jpg",
        "https://example.com/maps/3.jpg",
        "https://cdn.example.com/4.mp4",
        "https://www.example.com/5?a&b",
        "https://example.com/maps/1.xml?6",
        "https://example.com/de/",
    ];
    assert_eq!(
        [
            &entry.images[0].loc,
            &entry.images[1].loc,
            &video.thumbnail_loc,
            video.content_loc.as_ref().unwrap(),
            &video.player_loc.as_ref().unwrap().loc,
            video.uploader.as_ref().unwrap().info.as_ref().unwrap(),
            &entry.alternates[0].href,
        ],
        expected
    );
    let told: Vec<_> = reader
        .diagnostics()
        .iter()
        .map(|told| (told.rule(), told.severity(), told.path().unwrap(), told.found()))
        .collect();
    assert_eq!(
        told,
        [
            (Rule::Img2, "entry 1 · image:image[0] · image:loc", Some("/1.jpg")),
            (
                Rule::Vid1,
                "entry 1 · video:video[0] · video:thumbnail_loc",
                Some("3.jpg")
            ),
            (
                Rule::Vid1,
                "entry 1 · video:video[0] · video:content_loc",
                Some("//cdn.example.com/4.mp4")
            ),
            (
                Rule::Vid1,
                "entry 1 · video:video[0] · video:player_loc",
                Some("www.example.com/5?a&b")
            ),
            (
                Rule::Vid9,
                "entry 1 · video:video[0] · video:uploader · @info",
                Some("?6")
            ),
            (Rule::Alt2, "entry 1 · xhtml:link[0] · @href", Some("../de/")),
            // It has a scheme and stays unchanged, but it has no host.
            (Rule::Img2, "entry 2 · image:image[0] · image:loc", None),
        ]
        .map(|(rule, path, found)| (rule, Severity::Warning, path, found))
    );
    assert_eq!(
        reader.diagnostics()[0].to_string(),
        "warning[P-IMG2]: `/1.jpg` is not an absolute URL: relative to the document's location it is `https://example.com/1.jpg` (P-IMG2); write the absolute URL, at line 1, column 183 (byte 182), entry 1 · image:image[0] · image:loc"
    );
    let written = sitemap_serde::to_string(&entries).unwrap();
    assert!(written.contains("href=\"https://example.com/de/\""), "{written}");

    let (mut reader, mut record, mut found) = (
        builder.from_reader(document.as_bytes()),
        Record::new(),
        Vec::new(),
    );
    while reader.read_record(&mut record).unwrap() {
        for field in record.fields() {
            found.extend(
                ["image:loc", "@href"]
                    .iter()
                    .filter_map(|name| field.get(name))
                    .map(str::to_owned),
            );
        }
    }
    assert_eq!(found, [expected[0], expected[1], expected[6], "data:,x"]);
}

#[test]
fn without_an_address_extensions_with_relative_urls_stay_out() {
    let document = relative_extensions();
    let mut reader = builder().from_str(&document);
    let entry = reader.entries().next().unwrap().unwrap();
    assert_eq!(entry.images.len(), 1);
    assert_eq!((entry.videos.len(), entry.alternates.len()), (0, 0));
    let mut omitted: Vec<_> = reader
        .diagnostics()
        .iter()
        .map(|found| found.dropped().unwrap())
        .collect();
    omitted.sort_unstable();
    // The video has three optional URLs.
    assert_eq!(
        omitted,
        [
            "entry 1 · image:image[0]",
            "entry 1 · video:video[0]",
            "entry 1 · video:video[0] · video:content_loc",
            "entry 1 · video:video[0] · video:player_loc",
            "entry 1 · video:video[0] · video:uploader · @info",
            "entry 1 · xhtml:link[0]",
        ]
    );
}

#[test]
fn an_address_that_is_none_is_said_at_the_root() {
    let mut builder = builder();
    builder.location("sitemap.xml");
    let error = builder.from_str(&urlset("")).kind().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Settings);
    assert_eq!(
        error.to_string(),
        "the location `sitemap.xml` is not an absolute URL; give the document's absolute URL"
    );
}

/// Text in any field, as references, sections and attributes.
#[test]
fn what_is_escaped_twice_is_resolved_where_asked_for() {
    let document = urlset(
        "<url><loc>https://example.com/?a&amp;amp;b&amp;#x3D;c</loc>\
         <image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><image:loc>https://example.com/i</image:loc>\
         <image:title><![CDATA[Tom &amp; Jerry]]></image:title></image:image>\
         <xhtml:link xmlns:xhtml='http://www.w3.org/1999/xhtml' rel='alternate' hreflang='de' \
         href='https://example.com/?a&amp;amp;b'/></url>",
    );
    for (mode, loc, title, href) in [
        (
            Mode::Lenient,
            "https://example.com/?a&amp;b&#x3D;c",
            "Tom &amp; Jerry",
            "https://example.com/?a&amp;b",
        ),
        (
            Mode::Correcting,
            "https://example.com/?a&b=c",
            "Tom & Jerry",
            "https://example.com/?a&b",
        ),
    ] {
        let mut builder = builder();
        let mut reader = builder.mode(mode).from_str(&document);
        let entry = reader.entries().next().unwrap().unwrap();
        assert_eq!(entry.loc, loc);
        assert_eq!(entry.images[0].title.as_deref(), Some(title));
        assert_eq!(entry.alternates[0].href, href);
        let told: Vec<_> = reader
            .diagnostics()
            .iter()
            .map(|told| (told.rule(), told.path()))
            .collect();
        assert_eq!(
            told,
            [
                (Rule::Esc, Some("entry 1 · loc")),
                (Rule::Esc, Some("entry 1 · image:image[0] · image:title")),
                (Rule::Esc, Some("entry 1 · xhtml:link[0] · @href")),
            ]
        );
    }
}

#[test]
fn what_is_escaped_more_often_is_resolved_fully() {
    let deep = format!("&{}lt;", "amp;".repeat(100_000));
    for (text, resolved) in [
        ("a&amp;amp;amp;b", "a&b"),
        ("a&amp;#38;amp;#x26;b", "a&b"),
        ("&amp;#38;#38;#x3C;", "<"),
        ("&amp;amp;nbsp;", "&nbsp;"),
        ("&amp;amp;amp", "&amp"),
        ("&amp;&amp;lt;", "&<"),
        ("a&amp;b", "a&b"),
        (&deep, "<"),
    ] {
        let document = urlset(&format!(
            "<url><loc>https://example.com/</loc>\
             <image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><image:loc>https://example.com/i</image:loc>\
             <image:title>{text}</image:title></image:image></url>"
        ));
        let mut builder = builder();
        let mut reader = builder.mode(Mode::Correcting).from_str(&document);
        let entry = reader.entries().next().unwrap().unwrap();
        assert_eq!(entry.images[0].title.as_deref(), Some(resolved));
    }
}

#[test]
fn of_a_time_without_a_zone_the_day_is_read() {
    let document_of = |lastmod: &str| {
        urlset(&format!(
            "<url><loc>https://example.com/</loc><lastmod>{lastmod}</lastmod></url>"
        ))
    };
    for (lastmod, read, is_loss) in [
        ("2026-05-01T23:59:59", Some("2026-05-01"), true),
        ("2026-05-01 23:59", Some("2026-05-01"), true),
        ("2026-05-01T23:59:59 Europe/Berlin", Some("2026-05-01"), true),
        ("Fri, 01 May 2026 23:59:59 BST", Some("2026-05-01"), true),
        (
            "Fri, 01 May 2026 23:59:59 EST",
            Some("2026-05-01T23:59:59-05:00"),
            false,
        ),
        ("2026-05-01 23:59:59 UTC", Some("2026-05-01T23:59:59Z"), false),
        ("2026-05-01T24:00:00", None, true),
        ("1777680000", None, true),
    ] {
        let document = document_of(lastmod);
        let mut builder = builder();
        let mut reader = builder.mode(Mode::Correcting).from_str(&document);
        let entry = reader.entries().next().unwrap().unwrap();
        assert_eq!(
            entry.lastmod.map(|date| date.to_string()).as_deref(),
            read,
            "{lastmod}"
        );
        let [told] = reader.diagnostics() else {
            panic!("{:?}", reader.diagnostics());
        };
        assert_eq!((told.found(), told.is_loss()), (Some(lastmod), is_loss));
        assert_eq!(told.dropped().is_some(), read.is_none(), "{lastmod}");
        if is_loss && read.is_some() {
            assert_eq!(told.suggestion().map(Suggestion::value), read);
        }
    }
}

#[test]
fn types_of_the_users_read_what_is_right_in_an_entry() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: String,
        lastmod: Option<sitemap_serde::W3cDateTime>,
        priority: Option<f32>,
        changefreq: Option<String>,
        #[serde(rename = "image:image", default)]
        images: Vec<sitemap_serde::Image>,
    }
    let image = |parts: &str| {
        format!(
            "<image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>{parts}</image:image>"
        )
    };
    let document = urlset(&format!(
        "<url><loc>https://example.com/1</loc><priority>0.1</priority><priority>0.2</priority>\
         <lastmod>x</lastmod><lastmod>2024</lastmod><changefreq>often</changefreq></url>\
         <url><loc>https://example.com/2</loc><priority>0,5</priority><changefreq>often</changefreq>{}{}</url>\
         <url><loc>https://example.com/3</loc><priority>0.5</priority></url>",
        image("<image:title>x</image:title>"),
        image("<image:loc>https://example.com/i</image:loc>"),
    ));
    let mut reader = builder().from_str(&document);
    let pages: Vec<Page> = reader.deserialize().collect::<Result<_, _>>().unwrap();
    // Text stays unchanged as long as the type accepts it.
    assert_eq!(pages[0].changefreq.as_deref(), Some("often"));
    assert_eq!(
        (pages[0].priority, pages[0].lastmod.unwrap().year()),
        (Some(0.1), 2024)
    );
    assert_eq!(
        (pages[1].priority, &pages[1].changefreq, pages[1].images.len()),
        (None, &None, 1)
    );
    assert_eq!(
        (pages[2].loc.as_str(), pages[2].priority),
        ("https://example.com/3", Some(0.5))
    );
    let told: Vec<_> = reader
        .diagnostics()
        .iter()
        .map(|told| (told.rule(), told.entry().unwrap(), told.found()))
        .collect();
    assert_eq!(
        told,
        [
            (Rule::Dup, 1, Some("0.2")),
            (Rule::Lastmod, 1, Some("x")),
            (Rule::Prio, 2, Some("0,5")),
            (Rule::Freq, 2, Some("often")),
            (Rule::Img2, 2, None),
        ]
    );

    #[derive(FromSitemapEntry)]
    #[sitemap(loc = "/{id}")]
    struct Row {
        id: u32,
        #[sitemap(priority)]
        priority: Option<f32>,
    }
    let mut reader = builder().from_str(&document);
    let rows: Vec<Row> = reader.read().collect::<Result<_, _>>().unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (row.id, row.priority)).collect();
    assert_eq!(rows, [(1, Some(0.1)), (2, None), (3, Some(0.5))]);

    // Errors that are not the document's fault are still errors.
    #[derive(Debug, Deserialize)]
    struct Strange {
        #[expect(dead_code, reason = "never there")]
        loc: u32,
    }
    let mut reader = builder().from_str(&document);
    let strange = reader.deserialize::<Strange>().next().unwrap().unwrap_err();
    assert_eq!(strange.path(), Some("entry 1 · loc"));
}

#[test]
fn an_index_is_mended_too() {
    let document = index(
        "<sitemap><loc>/1.xml</loc><loc>/2.xml</loc><lastmod>2024</lastmod><lastmod>2025</lastmod></sitemap>",
    );
    let mut builder = builder();
    let mut reader = builder
        .location("https://example.com/sitemap.xml")
        .from_str(&document);
    let entries: Vec<IndexEntry> = reader.deserialize().collect::<Result<_, _>>().unwrap();
    let entries: Vec<_> = entries
        .iter()
        .map(|entry| (entry.loc.as_str(), entry.lastmod.map(|date| date.year())))
        .collect();
    assert_eq!(
        entries,
        [
            ("https://example.com/1.xml", None),
            ("https://example.com/2.xml", Some(2024))
        ]
    );
}

/// The crate's own types keep a loc that is not an absolute URL, in every way of reading, like [`Reader::entries`].
#[test]
fn without_an_address_locs_stand_whoever_reads() {
    #[derive(Deserialize)]
    struct Extended {
        #[serde(flatten)]
        entry: UrlEntry,
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Entry(Box<UrlEntry>),
    }

    #[derive(FromSitemapEntry)]
    struct Row {
        #[sitemap(loc)]
        url: String,
    }

    fn locs<T>(entries: impl Iterator<Item = Result<T>>, loc: impl Fn(T) -> String) -> Vec<String> {
        entries.map(|entry| loc(entry.unwrap())).collect()
    }

    let long = format!("https://example.com/{}", "x".repeat(2048));
    let entry = |loc: &str| format!("<url><loc>{loc}</loc><lastmod>yesterday</lastmod></url>");
    let expected = [
        "/a",
        "b.html",
        &long,
        "javascript:void(0)",
        "https://example.com/",
    ];
    let entries: String = expected.iter().map(|loc| entry(loc)).collect();
    let document = urlset(&entries);

    let mut reader = builder().from_str(&document);
    assert_eq!(locs(reader.entries(), |entry| entry.loc), expected);
    let told: Vec<_> = reader.diagnostics().iter().map(ToString::to_string).collect();
    let rules: Vec<_> = reader.diagnostics().iter().map(Diagnostic::rule).collect();
    let of_loc = |rule| [rule, Rule::Lastmod];
    let expected_rules = [Rule::Loc, Rule::Loc, Rule::LocLen, Rule::Loc]
        .map(of_loc)
        .concat();
    assert_eq!(rules, [&expected_rules[..], &[Rule::Lastmod]].concat());

    let same = |read: fn(&mut Reader<SliceSource<'_>>) -> Vec<String>| {
        let mut reader = builder().from_str(&document);
        assert_eq!(read(&mut reader), expected);
        let again: Vec<_> = reader.diagnostics().iter().map(ToString::to_string).collect();
        assert_eq!(again, told);
    };
    same(|reader| locs(reader.deserialize::<UrlEntry>(), |entry| entry.loc));
    same(|reader| locs(reader.read::<UrlEntry>(), |entry| entry.loc));
    same(|reader| locs(reader.deserialize::<Extended>(), |extended| extended.entry.loc));
    same(|reader| locs(reader.deserialize::<IndexEntry>(), |entry| entry.loc));
    same(|reader| locs(reader.read::<IndexEntry>(), |entry| entry.loc));
    same(|reader| locs(reader.deserialize::<Kept>(), |Kept::Entry(entry)| entry.loc));
    // A type that does not request the lastmod.
    let mut reader = builder().from_str(&document);
    assert_eq!(locs(reader.read::<Row>(), |row| row.url), expected);

    // The same for an index.
    let document = index("<sitemap><loc>/1.xml</loc></sitemap><sitemap><loc>2.xml</loc></sitemap>");
    let mut reader = builder().from_str(&document);
    let read = locs(reader.deserialize::<IndexEntry>(), |entry| entry.loc);
    assert_eq!(read, ["/1.xml", "2.xml"]);
    assert_eq!(
        reader.diagnostics()[1].to_string(),
        "error[P-LOC]: `2.xml` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or read it into a `String` and resolve it, at line 1, column 117 (byte 116), entry 2 · loc"
    );

    // Strict reading rejects them all, before and after.
    let mut reader = Reader::from_str(&document);
    assert_eq!(reader.deserialize::<IndexEntry>().flatten().count(), 0);
}

#[test]
fn diagnostics_are_stored_up_to_a_bound_and_all_of_them_reported() {
    let entries = (0..600)
        .map(|i| format!("<url><loc>https://example.com/?{i}&</loc><priority>x</priority></url>"))
        .collect::<Vec<_>>();
    let document = urlset(&entries.concat());
    let told = Arc::new(Mutex::new(Vec::new()));
    let list = Arc::clone(&told);
    let mut builder = builder();
    builder.on_diagnostic(move |diagnostic| {
        list.lock().unwrap().push(diagnostic.to_string());
    });
    let mut reader = builder.from_str(&document);
    assert_eq!(reader.entries().flatten().count(), 600);
    assert_eq!(
        (reader.diagnostics().len(), reader.dropped_diagnostics()),
        (1000, 200)
    );
    let kept: Vec<_> = reader
        .take_diagnostics()
        .iter()
        .map(ToString::to_string)
        .collect();
    let mut all = std::mem::take(&mut *told.lock().unwrap());
    assert_eq!((&all[..1000], all.len()), (&kept[..], 1200));

    // The same if they are requested in another order.
    all.sort();
    let mut same = Vec::new();
    for entry in builder.from_str(&document).entries().with_diagnostics() {
        same.extend(entry.unwrap().1.iter().map(ToString::to_string));
    }
    same.sort();
    let mut again = std::mem::take(&mut *told.lock().unwrap());
    again.sort();
    assert_eq!(again, same);
    assert_eq!(again, all);

    let pages =
        Vec::<IndexEntry>::deserialize(&mut sitemap_serde::Deserializer::new(builder.from_str(&document)))
            .unwrap();
    assert_eq!((pages.len(), told.lock().unwrap().len()), (600, 1200));
}

/// Each element with several entries is one part.
#[test]
fn records_of_one_element_have_texts_of_their_own() {
    let document = urlset(
        "<url><priority>0.5</priority><loc>/1?a&amp;b</loc><loc>/2?a&amp;b</loc><lastmod>2024</lastmod><loc>https://example.com/3</loc></url>",
    );
    let mut builder = builder();
    let mut reader = builder.location("https://example.com").from_str(&document);
    let (mut record, mut found) = (Record::new(), Vec::new());
    while reader.read_record(&mut record).unwrap() {
        let range = record.byte_range();
        let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
        assert_eq!(document.get(range), Some(record.source()));
        let lastmod = record.fields().find(|field| field.name() == "lastmod");
        let at = lastmod.map(|field| usize::try_from(field.byte_range().start).unwrap());
        assert!(at.is_none_or(|at| document[at..].starts_with("<lastmod>2024")));
        found.push((record.loc().to_owned(), record.source().to_owned(), at.is_some()));
    }
    let found: Vec<_> = found
        .iter()
        .map(|(loc, source, dated)| (loc.as_str(), source.as_str(), *dated))
        .collect();
    assert_eq!(
        found[1..],
        [
            (
                "https://example.com/2?a&b",
                "<loc>/2?a&amp;b</loc><lastmod>2024</lastmod>",
                true
            ),
            ("https://example.com/3", "<loc>https://example.com/3</loc>", false),
        ]
    );
    assert_eq!((found[0].0, found[0].2), ("https://example.com/1?a&b", false));
}

/// A document deserialized as a whole loses what its entries lose one by one, with the same diagnostics.
#[test]
fn whole_documents_are_read_as_leniently_as_entries() {
    const VALUES: [&str; 8] = [
        "<lastmod>yesterday</lastmod>",
        "<lastmod>2026-05-01</lastmod>",
        "<priority>high</priority>",
        "<priority>0.5</priority><priority>x</priority>",
        "<changefreq>Often</changefreq>",
        "<i:image><i:title>t</i:title></i:image>",
        "<v:video><v:title>t</v:title></v:video>",
        "",
    ];
    const LOCS: [&str; 4] = ["https://example.com/a", "/b?x&amp;y", "c d", "ftp://example.com/"];
    let values = || {
        VALUES
            .iter()
            .flat_map(|first| VALUES.map(|second| [*first, second]))
    };
    let entries: Vec<String> = LOCS
        .iter()
        .flat_map(|loc| values().map(move |[a, b]| format!("<url><loc>{loc}</loc>{a}{b}</url>")))
        .collect();
    let document = urlset(&entries.concat()).replacen(
        "<urlset",
        "<urlset xmlns:i='http://www.google.com/schemas/sitemap-image/1.1' \
         xmlns:v='http://www.google.com/schemas/sitemap-video/1.1'",
        1,
    );
    for mode in [Mode::Lenient, Mode::Correcting] {
        let mut builder = builder();
        builder.mode(mode);
        let mut reader = builder.from_str(&document);
        let one_by_one: Vec<UrlEntry> = reader.deserialize().map(Result::unwrap).collect();
        let told: Vec<String> = reader
            .take_diagnostics()
            .iter()
            .map(ToString::to_string)
            .collect();
        let whole_told = Arc::new(Mutex::new(Vec::new()));
        let seen = whole_told.clone();
        builder.on_diagnostic(move |diagnostic| seen.lock().unwrap().push(diagnostic.to_string()));
        let mut deserializer = sitemap_serde::Deserializer::new(builder.from_str(&document));
        let whole = Vec::<UrlEntry>::deserialize(&mut deserializer).unwrap();
        assert_eq!(whole, one_by_one);
        assert_eq!(*whole_told.lock().unwrap(), told);
        assert!(told.len() > 100);
    }
}

/// A document that a type reads while it is read leniently is read strictly, whatever loc is kept around it.
#[test]
fn documents_within_documents_are_read_by_their_own_settings() {
    #[derive(Debug)]
    struct Nested(std::result::Result<Vec<UrlEntry>, String>);

    impl<'de> Deserialize<'de> for Nested {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
            let inner = String::deserialize(deserializer)?;
            let read = sitemap_serde::from_str(&inner).map_err(|error| error.to_string());
            let by_reader = Reader::from_str(&inner).entries().collect::<Result<Vec<_>>>();
            assert_eq!(by_reader.is_ok(), read.is_ok());
            Ok(Nested(read))
        }
    }

    #[derive(Deserialize, Debug)]
    struct Page {
        #[serde(flatten)]
        entry: UrlEntry,
        #[serde(rename = "x:map")]
        map: Nested,
    }

    for (inner, is_valid) in [("/other", false), ("/a", false), ("https://example.com/", true)] {
        let map = urlset(&format!("<url><loc>{inner}</loc></url>")).replace('<', "&lt;");
        let document = urlset(&format!(
            "<url><loc>/a</loc><x:map xmlns:x='urn:x'>{map}</x:map></url><url><loc>/a</loc><x:map xmlns:x='urn:x'>{map}</x:map></url>"
        ));
        let mut builder = builder();
        let mut reader = builder.namespace("x", "urn:x").from_str(&document);
        let pages: Vec<Page> = reader.deserialize().map(Result::unwrap).collect();
        let whole =
            Vec::<Page>::deserialize(&mut sitemap_serde::Deserializer::new(builder.from_str(&document)))
                .unwrap();
        for page in pages.iter().chain(&whole) {
            assert_eq!(page.entry.loc, "/a");
            assert_eq!(page.map.0.is_ok(), is_valid, "{page:?}");
        }
        assert_eq!(pages.len() + whole.len(), 4);
    }
    // The state ends with the reading.
    assert!(sitemap_serde::from_str::<Vec<UrlEntry>>(&urlset("<url><loc>/a</loc></url>")).is_err());
}
