//! What is another's in a document stays so, as long as the document is well-formed.

use sitemap_serde::{Limits, Mode, ReaderBuilder};
use sitemap_tests::{CORE, Chunks, Random, rounds};

use super::{case, texts};

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
    // What is not well-formed may be a sitemap's: here an end tag is missing.
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
    // Undeclared, the prefix says nothing.
    case(
        &format!("{URLSET}<p:z>{inner}</p:z></urlset>"),
        "the prefix `p` of `p:z` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:p=\"…\"`, at line 1, column 78 (byte 77)",
        Ok(&["http://e.com/2"]),
        &["error[XML]: the prefix `p` of `p:z` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:p=\"…\"`, at line 1, column 78 (byte 77)"],
    );
}

/// Elements, texts and other markup that mean something in a sitemap, and nothing in another's element.
fn content(random: &mut Random, depth: usize) -> String {
    const PIECES: [&str; 16] = [
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
    const TAGS: [(&str, &str); 7] = [
        ("o:z", ""),
        ("o:url", " o:loc='x'"),
        ("o:loc", ""),
        ("p:q", " xmlns:p='urn:p'"),
        ("url", " xmlns='urn:q'"),
        ("loc", " xmlns=\"urn:q\" xmlns:r='urn:r'"),
        ("o:urlset", " a='<url>'"),
    ];
    let (name, attributes) = TAGS[random.below(TAGS.len())];
    let attributes = attributes.replace('<', "&lt;");
    match random.below(6) {
        0 => format!("<{name}{attributes}/>"),
        _ => format!("<{name}{attributes}>{}</{name}>", content(random, depth)),
    }
}

/// A well-formed document whose namespaces are all declared, with elements of others wherever these may stand.
fn document(random: &mut Random) -> String {
    const ENTRIES: [&str; 4] = [
        "~<url>~<loc>http://e.com/#</loc>~<lastmod>2024-05-06</lastmod>~</url>~\n",
        "<url><loc>http://e.com/#</loc><image:image>~<image:loc>http://e.com/#.png</image:loc>~</image:image></url>~",
        "<url><loc>http://e.com/#</loc><shop:a>~<shop:b>#</shop:b>~</shop:a>~<priority>0.5</priority></url>\n",
        "<url><loc><![CDATA[http://e.com/#]]></loc></url>\n~",
    ];
    let mut out = format!(
        "<urlset xmlns=\"{CORE}\" xmlns:o=\"urn:o\" xmlns:shop=\"urn:shop\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">"
    );
    for i in 0..2 + random.below(5) {
        let entry = ENTRIES[random.below(ENTRIES.len())].replace('#', &i.to_string());
        for (i, piece) in entry.split('~').enumerate() {
            if i > 0 && random.below(2) == 0 {
                out += &foreign(random, 0);
            }
            out += piece;
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
            builder.limits(Limits::reading().with_depth(12));
        }
        let strict = texts(&mut builder.from_str(&document));
        with_entries += usize::from(document.contains("<o:z><url><loc>"));
        builder.mode(Mode::Lenient);
        let mut slice = builder.from_str(&document);
        assert_eq!(texts(&mut slice), strict, "{document}");
        assert_eq!(slice.diagnostics(), [], "{document}");
        let size = 1 + random.below(60);
        let mut pieces = builder.from_reader(Chunks::new(document.as_bytes(), size));
        assert_eq!(texts(&mut pieces), strict, "{size}: {document}");
        assert_eq!(pieces.diagnostics(), [], "{size}: {document}");
    }
    assert!(with_entries > 25, "{with_entries}");
}

/// An element that does not end is tried once: however many there are, what is in them is read.
#[test]
fn elements_that_do_not_end_cost_no_entries() {
    let entries: Vec<_> = (0..100)
        .map(|i| format!("<o:z><url><loc>http://e.com/{i}</loc></url>\n"))
        .collect();
    let document = format!("{URLSET}{}</urlset>", entries.concat());
    let (read, told) = super::lenient(document.as_bytes());
    assert_eq!((read.unwrap().len(), told.len()), (100, 1));
}
