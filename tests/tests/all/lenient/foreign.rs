//! Foreign content in a document stays foreign, as long as the document is well-formed.

use sitemap_serde::{Limits, Mode, ReaderBuilder};
use sitemap_tests::{CORE, Chunks, Random, Trickle, limited, rounds};

use super::{case, texts, try_texts};

const URLSET: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:o=\"urn:o\">";

#[rustfmt::skip]
#[test]
fn entries_in_elements_of_another_namespace() {
    let inner = "<url><loc>http://e.com/2</loc></url>";
    for foreign in [
        format!("<o:z>{inner}</o:z>"),
        format!("<o:z><o:y>{inner}<sitemap/></o:y><!-- </o:z> --><![CDATA[</o:z>]]></o:z >"),
        "<o:z><loc>x</loc></o:z>".to_owned(),
        "<z xmlns='urn:z'><url/></z>".to_owned(),
    ] {
        for entries in [
            format!("<url><loc>http://e.com/1</loc></url>{foreign}<url><loc>http://e.com/3</loc></url>"),
            format!("<url><loc>http://e.com/1</loc>{foreign}</url><url><loc>http://e.com/3</loc></url>"),
        ] {
            case(&format!("{URLSET}{entries}</urlset>"), "", Ok(&["http://e.com/1", "http://e.com/3"]), &[]);
        }
    }
    // Content that is not well-formed may belong to a sitemap. Here, an end tag is missing.
    case(
        &format!("{URLSET}<o:z>{inner}</urlset>"),
        "the end tag `</urlset>` where `</o:z>` is expected: the element that began last ends first, at line 1, column 118 (byte 117)",
        Ok(&["http://e.com/2"]),
        &["error[XML]: the end tag `</urlset>` where `</o:z>` is expected: the element that began last ends first, at line 1, column 118 (byte 117)"],
    );
    case(
        &format!("{URLSET}<url><loc>http://e.com/1</loc><o:z>{inner}</url></urlset>"),
        "the end tag `</url>` where `</o:z>` is expected: the element that began last ends first, at line 1, column 148 (byte 147), entry 1",
        Ok(&["http://e.com/1", "http://e.com/2"]),
        &["error[XML]: `url` begins before the end tag of `o:z`; add the end tag, at line 1, column 112 (byte 111), entry 1", "error[XML]: the end tag `</url>` where `</urlset>` is expected: the element that began last ends first, at line 1, column 148 (byte 147)"],
    );
    // An undeclared prefix has no meaning.
    case(
        &format!("{URLSET}<p:z>{inner}</p:z></urlset>"),
        "the prefix `p` of `p:z` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:p=\"…\"`, at line 1, column 78 (byte 77)",
        Ok(&["http://e.com/2"]),
        &["error[XML]: the prefix `p` of `p:z` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:p=\"…\"`, at line 1, column 78 (byte 77)"],
    );
}

/// Elements, texts and other markup that have a meaning in a sitemap, but not inside a foreign element.
fn content(random: &mut Random, depth: usize) -> String {
    const PIECES: [&str; 17] = [
        "<url><loc>http://e.com/x</loc></url>",
        "<url/>",
        "<sitemap><loc>http://e.com/x</loc></sitemap>",
        "<urlset><url><loc>http://e.com/x</loc></url></urlset>",
        "<loc>http://e.com/x</loc>",
        "<Loc/>",
        "<lastmod>2024-02-30</lastmod>",
        "<image:image><url/></image:image>",
        "<shop:a/>",
        "<xhtml:link href='&lt;'/>",
        " text &amp; &#65; ",
        "<!-- </o:z><url> -->",
        "<![CDATA[</o:z></url><loc>]]>",
        "<?p </o:z>?>",
        "\n",
        "<item><link>http://e.com/x</link></item>",
        "<entry><link href='http://e.com/x'/></entry>",
    ];
    (0..random.below(5))
        .map(|_| match random.below(3) {
            0 if depth < 4 => foreign(random, depth + 1),
            _ => PIECES[random.below(PIECES.len())].to_owned(),
        })
        .collect()
}

/// An element of another namespace.
fn foreign(random: &mut Random, depth: usize) -> String {
    const TAGS: [(&str, &str); 14] = [
        ("o:z", ""),
        ("o:url", " o:loc='x'"),
        ("o:loc", ""),
        ("p:q", " xmlns:p='urn:p'"),
        ("url", " xmlns='urn:q'"),
        ("loc", " xmlns=\"urn:q\" xmlns:r='urn:r'"),
        ("o:urlset", " a='<url>'"),
        // Prefixes that have a meaning around it.
        ("image:image", " xmlns:image='urn:i'"),
        ("image:lastmod", " xmlns:image='urn:i'"),
        ("shop:a", " xmlns:shop='urn:s'"),
        ("shop:priority", " xmlns:shop='urn:s'"),
        (
            "o:z",
            " xmlns:shop='urn:s' xmlns:image='urn:i' xmlns:xhtml='urn:h'",
        ),
        ("o:z", " xmlns='urn:q'"),
        ("xhtml:loc", " a='1' xmlns:xhtml='urn:h' b='2'"),
    ];
    let (name, attributes) = TAGS[random.below(TAGS.len())];
    let attributes = attributes.replace('<', "&lt;");
    match random.below(6) {
        0 => format!("<{name}{attributes}/>"),
        _ => format!("<{name}{attributes}>{}</{name}>", content(random, depth)),
    }
}

/// Content of a user's element, where the schema's names have no meaning: repeated, misplaced, invalid.
fn own(random: &mut Random, depth: usize) -> String {
    const PIECES: [&str; 18] = [
        "<loc/>",
        "<loc>x</loc>",
        "<loc>{{ x }}</loc>",
        "<lastmod>2026/5/1</lastmod>",
        "<priority>0,5</priority>",
        "<image:image><image:loc>/a</image:loc><image:loc>/a</image:loc></image:image>",
        "<image:loc>/b</image:loc>",
        "<image:loc>${b}</image:loc>",
        "<xhtml:link href='/c' hreflang='en-UK'/>",
        "<news:publication_date>2026/5/1</news:publication_date>",
        "text",
        "<shop:b/>",
        "<shop:b>1</shop:b>",
        "<!-- <url> -->",
        "<shop:b xmlns:image='urn:i'><image:loc>/b</image:loc></shop:b>",
        // Prefixes that have another meaning around it.
        "<shop:priority xmlns:shop='http://www.sitemaps.org/schemas/sitemap/0.9'>0.5</shop:priority>",
        "<image:lastmod xmlns:image='http://www.sitemaps.org/schemas/sitemap/0.9'><shop:b/></image:lastmod>",
        "<image:title>a&amp;amp;b</image:title>",
    ];
    (0..random.below(6))
        .map(|_| match random.below(5) {
            0 => foreign(random, 3),
            1 if depth < 4 => format!("<shop:b>{}</shop:b>", own(random, depth + 1)),
            _ => PIECES[random.below(PIECES.len())].to_owned(),
        })
        .collect()
}

/// A well-formed document with all namespaces declared, and foreign elements wherever they are allowed.
fn document(random: &mut Random) -> String {
    const ENTRIES: [&str; 5] = [
        "~<url>~<loc>http://e.com/#</loc>~<lastmod>2024-05-06</lastmod>~</url>~\n",
        "<url><loc>http://e.com/#</loc><image:image>~<image:loc>http://e.com/#.png</image:loc>~</image:image></url>~",
        "<url><loc>http://e.com/#</loc><shop:a>^<shop:b>#</shop:b>^</shop:a>~<priority>0.5</priority></url>\n",
        "<url><loc><![CDATA[http://e.com/#]]></loc></url>\n~",
        "<url><loc>http://e.com/#</loc>~<shop:loc>^</shop:loc>~<shop:lastmod>^</shop:lastmod></url>",
    ];
    let mut out = format!(
        "<urlset xmlns=\"{CORE}\" xmlns:o=\"urn:o\" xmlns:shop=\"urn:shop\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">"
    );
    for i in 0..2 + random.below(5) {
        let entry = ENTRIES[random.below(ENTRIES.len())].replace('#', &i.to_string());
        for (i, piece) in entry.split('~').enumerate() {
            if i > 0 && random.below(2) == 0 {
                out += &foreign(random, 0);
            }
            for (i, piece) in piece.split('^').enumerate() {
                if i > 0 {
                    out += &own(random, 0);
                }
                out += piece;
            }
        }
    }
    out + "</urlset>"
}

#[test]
fn a_well_formed_document_is_read_as_strictly() {
    let mut random = Random::new(1999);
    let mut with_entries = 0;
    for round in 0..rounds(750) {
        let document = document(&mut random);
        let mut builder = ReaderBuilder::new();
        builder.namespace("shop", "urn:shop");
        if round % 4 == 0 {
            builder.raw_elements(true);
        }
        if round % 4 == 1 {
            builder.limits(limited(Limits::reading(), |limits| limits.depth = 12));
        }
        let strict = texts(&mut builder.from_str(&document));
        with_entries += usize::from(document.contains("<o:z><url><loc>"));
        builder.mode(Mode::Lenient);
        if round % 3 == 0 {
            builder
                .mode(Mode::Correcting)
                .location("http://e.com/sitemap.xml");
        }
        let mut slice = builder.from_str(&document);
        assert_eq!(texts(&mut slice), strict, "{document}");
        assert_eq!(slice.diagnostics(), [], "{document}");
        let size = 1 + random.below(60);
        let mut pieces = builder.from_reader(Chunks::new(document.as_bytes(), size));
        assert_eq!(texts(&mut pieces), strict, "{size}: {document}");
        assert_eq!(pieces.diagnostics(), [], "{size}: {document}");
    }
    assert!(with_entries > rounds(15), "{with_entries}");
}

/// The same for feeds: an item inside other content, or inside an element of another format, is not an item of the feed.
#[test]
fn a_well_formed_feed_is_read_as_strictly() {
    const FEEDS: [(&str, &str, &str); 3] = [
        (
            "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:o='urn:o' xmlns:shop='urn:shop' xmlns:image='urn:image' xmlns:xhtml='urn:xhtml'>%",
            "<entry>~<link href='http://e.com/#'/>~<content type='application/xml'>^</content>~<updated>2026-01-01</updated>~</entry>%",
            "</feed>",
        ),
        (
            "<rss version='2.0' xmlns:o='urn:o' xmlns:shop='urn:shop' xmlns:image='urn:image' xmlns:xhtml='urn:xhtml'><channel>%",
            "<item>~<link>http://e.com/#</link><title>^</title>~<description>^</description></item>%",
            "</channel></rss>",
        ),
        (
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/' xmlns:o='urn:o' \
             xmlns:shop='urn:shop' xmlns:image='urn:image' xmlns:xhtml='urn:xhtml'>%",
            "<item>~<link>http://e.com/#</link>~</item>%",
            "</rdf:RDF>",
        ),
    ];
    let mut random = Random::new(2026);
    for _ in 0..rounds(300) {
        let (start, item, end) = FEEDS[random.below(FEEDS.len())];
        let count = 1 + random.below(4);
        let items = (0..count).map(|i| item.replace('#', &i.to_string()));
        let template = start.to_owned() + &items.collect::<String>() + end;
        let mut document = String::new();
        for c in template.chars() {
            match c {
                '~' if random.below(2) == 0 => document += &foreign(&mut random, 0),
                // Next to the items, a name without a prefix belongs to the feed.
                '%' => {
                    let foreign = foreign(&mut random, 0);
                    if !foreign.contains(" xmlns=") {
                        document += &foreign;
                    }
                }
                '~' => {}
                '^' => document += &content(&mut random, 0),
                c => document.push(c),
            }
        }
        let mut builder = ReaderBuilder::new();
        builder.other_formats(true);
        let strict = texts(&mut builder.from_str(&document));
        let locs = strict
            .iter()
            .filter(|(name, _)| name == "loc")
            .map(|(_, loc)| loc.as_str());
        let expected: Vec<_> = (0..count).map(|i| format!("http://e.com/{i}")).collect();
        assert_eq!(locs.collect::<Vec<_>>(), expected, "{document}");
        builder.mode(Mode::Lenient);
        let mut slice = builder.from_str(&document);
        assert_eq!(texts(&mut slice), strict, "{document}");
        assert_eq!(slice.diagnostics(), [], "{document}");
        let size = 1 + random.below(60);
        let mut pieces = builder.from_reader(Chunks::new(document.as_bytes(), size));
        assert_eq!(texts(&mut pieces), strict, "{size}: {document}");
        assert_eq!(pieces.diagnostics(), [], "{size}: {document}");
    }
}

/// An unclosed element is tried once. The contents of any number of them are read.
#[test]
fn elements_that_do_not_end_cost_no_entries() {
    let entries: Vec<_> = (0..100)
        .map(|i| format!("<o:z><url><loc>http://e.com/{i}</loc></url>\n"))
        .collect();
    let document = format!("{URLSET}{}</urlset>", entries.concat());
    let (read, told) = super::lenient(document.as_bytes());
    assert_eq!((read.unwrap().len(), told.len()), (100, 1));
}

/// A user's own element, although its name and its child's become core names when its prefix is rebound.
#[test]
fn a_prefix_means_what_it_meant_where_its_element_began() {
    let entry = |prefix: &str, i: usize| {
        let inner = format!("<{prefix}:priority xmlns:{prefix}='{CORE}'>0.5</{prefix}:priority>");
        format!("<url><loc>http://e.com/{i}</loc><{prefix}:loc>{inner}</{prefix}:loc></url>")
    };
    for (prefix, uri) in [
        ("shop", "urn:shop"),
        ("image", "http://www.google.com/schemas/sitemap-image/1.1"),
    ] {
        let document = format!(
            "<urlset xmlns='{CORE}' xmlns:{prefix}='{uri}'>{}{}</urlset>",
            entry(prefix, 1),
            entry(prefix, 2)
        );
        let mut builder = ReaderBuilder::new();
        builder.mode(Mode::Lenient).namespace("shop", "urn:shop");
        let mut slice = builder.from_str(&document);
        let mut stream = builder.from_reader(Trickle::new(document.as_bytes()));
        let read: Vec<_> = slice.entries().map(|entry| entry.unwrap()).collect();
        let again: Vec<_> = stream.entries().map(|entry| entry.unwrap()).collect();
        assert_eq!(read, again, "{document}");
        assert_eq!(
            read.iter().map(|entry| entry.priority).collect::<Vec<_>>(),
            [None, None],
            "{document}"
        );
        assert_eq!(slice.diagnostics(), stream.diagnostics(), "{document}");
        if prefix == "shop" {
            assert_eq!(slice.diagnostics(), [], "{document}");
        }
    }
}

/// Damaged or not, a document reads the same as a slice and in pieces of any size, whatever its prefixes mean.
#[test]
fn a_slice_and_a_stream_are_read_alike() {
    let mut random = Random::new(43);
    let mut repaired = 0;
    for round in 0..rounds(1_000) {
        let mut document = document(&mut random);
        // A prefix of another namespace becomes a core prefix where it is declared.
        if random.below(3) == 0 {
            let uri = ["'urn:s'", "'urn:i'"][random.below(2)];
            document = document.replace(uri, &format!("'{CORE}'"));
        }
        for _ in 0..=random.below(3) {
            damage(&mut document, &mut random);
        }
        // An undeclared prefix has its usual meaning until it is declared.
        if random.below(3) == 0 {
            let prefix = ["image", "xhtml", "shop", "o"][random.below(4)];
            document = document.replacen(&format!("xmlns:{prefix}="), "a=", 1);
        }
        let mut builder = ReaderBuilder::new();
        builder.mode(Mode::Lenient).namespace("shop", "urn:shop");
        if round % 3 == 0 {
            builder
                .mode(Mode::Correcting)
                .location("http://e.com/sitemap.xml");
        }
        match round % 4 {
            0 => {
                builder.raw_elements(true);
            }
            1 => {
                builder.expanded_names(true);
            }
            _ => {}
        }
        let mut slice = builder.from_str(&document);
        let expected = try_texts(&mut slice);
        repaired += usize::from(!slice.diagnostics().is_empty());
        for size in [1, 2 + random.below(60), 500] {
            let mut pieces = builder.from_reader(Chunks::new(document.as_bytes(), size));
            assert_eq!(try_texts(&mut pieces), expected, "{size}: {document}");
            assert_eq!(pieces.diagnostics(), slice.diagnostics(), "{size}: {document}");
        }
    }
    assert!(repaired > rounds(500), "{repaired}");
}

/// Removes a few characters, or repeats them elsewhere.
fn damage(document: &mut String, random: &mut Random) {
    let boundary = |mut at: usize| {
        while !document.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(random.below(document.len()));
    let end = boundary((start + 1 + random.below(24)).min(document.len()));
    match random.below(3) {
        0 => {
            let place = boundary(random.below(document.len()));
            let piece = document[start..end].to_owned();
            document.insert_str(place, &piece);
        }
        _ => document.replace_range(start..end, ""),
    }
}
