//! Documents whose entries mostly resemble earlier ones.

use std::fmt::Write;

use sitemap_serde::{Limits, ReaderBuilder};
use sitemap_tests::shapes::SHAPES;
use sitemap_tests::{Random, limited};

pub(super) const NAMESPACES: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
    xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
    xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
    xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" xmlns:x=\"http://www.w3.org/1999/xhtml\" xmlns:shop=\"urn:shop\" \
    xmlns:img=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:o=\"urn:other\"";

/// The pieces of entries. `#` stands for a number that differs from entry to entry.
pub(super) const ENTRIES: [&str; 12] = [
    "<url><loc>http://e.com/#</loc><img:image><image:loc>http://e.com/#</image:loc></img:image>\
     <own:image xmlns:own='http://www.google.com/schemas/sitemap-image/1.1'><own:loc>http://e.com/#</own:loc>\
     <own:title>T</own:title></own:image></url>\n",
    "<url>\n <loc>http://e.com/#</loc>\n <lastmod>2024-05-0#</lastmod>\n <priority>0.#</priority>\n</url>\n",
    "<url><loc>http://e.com/#</loc>\n  <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"http://e.com/de/#\"/>\n  \
     <xhtml:link rel=\"alternate\" hreflang=\"fr\" href=\"http://e.com/fr/#\"/></url>\n",
    "<url><loc>http://e.com/#</loc><image:image><image:loc>http://e.com/#.jpg</image:loc>\
     <image:title>A #</image:title></image:image>\n<image:image>\n<image:loc>http://e.com/2.jpg</image:loc>\n\
     </image:image></url>",
    "<url>\n<loc>http://e.com/#</loc>\n<video:video><video:thumbnail_loc>http://e.com/#</video:thumbnail_loc>\
     <video:title>T</video:title><video:description>D</video:description>\n\
     <video:player_loc allow_embed='yes' autoplay='a=#'>http://e.com/p</video:player_loc>\n\
     <video:uploader info=\"http://e.com/u\">U #</video:uploader></video:video><news:news><news:publication>\
     <news:name>N #</news:name><news:language>en</news:language></news:publication>\
     <news:publication_date>2024-05-0#</news:publication_date><news:title>T</news:title></news:news></url>\n",
    "<url><loc>http://e.com/#</loc><lastmod></lastmod><priority> </priority><shop:price currency='EUR'>#</shop:price>\
     <x:link\n rel = 'alternate'\n media=\"a#\"  href='http://e.com/m/#' /><image:image></image:image></url>\n",
    // Mixed content, in an extension and in the core.
    "<url><loc>http://e.com/#</loc><image:image><image:loc>http://e.com/#</image:loc><image:caption>Hello<b></b> world #\
     </image:caption><image:title> <b>x</b> T<c/> <![CDATA[#]]> </image:title></image:image></url>",
    "<url><loc><lastmod>2020-01-02</lastmod>http://e.com/#</loc></url>",
    "<url>\n<loc>http://e.com/#<!-- c --></loc>\n<lastmod> <x:a/> 2020-01-02</lastmod><priority>0.#<x:a/></priority></url>",
    "<url><loc><![CDATA[http://e.com/?a&#]]></loc><lastmod>\r\n2020-01-02\r\n</lastmod><!-- c -->\
     <priority>\n<![CDATA[0.#]]>\n</priority></url>\r\n<!-- between -->\r\n",
    "<url>\n<loc>\n <![CDATA[http://e.com/?a[]=#&b;（]]></loc>\n<lastmod><![CDATA[2024-05-0#]]></lastmod>\n<image:image>\n\
     <image:loc><![CDATA[http://e.com/#?a&b]]></image:loc>\n<image:title><![CDATA[ a <b> ]] &amp; > # ]]></image:title>\n\
     </image:image></url>\n",
    "<url><loc>http://e.com/?a[]=#&amp;b=&#65;</loc><image:image><image:loc>http://e.com/#?x&amp;y</image:loc><image:title>\
     （#） ]] &lt;b></image:title></image:image><xhtml:link rel='alternate' xml:lang='de' hreflang=\"de\"\thref=\"http://e.com/\
     ?a&amp;b=[#]\"/><shop:name lang=''>&amp;</shop:name></url>",
];

/// Fragments to insert, in addition to bytes.
const TOKENS: [&str; 78] = [
    "<",
    ">",
    "</",
    "/>",
    "<!-- c -->",
    "<![CDATA[x]]>",
    "]]>",
    "]",
    "<?p q?>",
    "&",
    "&amp;",
    "&#65;",
    "&lt;",
    "&x;",
    "\"",
    "'",
    "=",
    " ",
    "\r",
    "\n",
    "\t",
    "\u{0}",
    "\u{1}",
    "\u{E9}",
    "\u{FFFD}",
    "\u{FFFF}",
    " rel=\"alternate\"",
    " hreflang='ja'",
    " x:rel=''",
    " xhtml:rel=''",
    " xmlns:xhtml='urn:x'",
    " xmlns:image=\"urn:x\"",
    " xmlns='urn:x'",
    " xmlns='urn:x&amp;y'",
    " xmlns:x='http://www.google.com/schemas/sitemap-image/1.1'",
    "<image:image>",
    "</image:image>",
    "<x:link/>",
    "</url>",
    "<url>",
    "<loc>x</loc>",
    "<priority>\n \n</priority>",
    "<!DOCTYPE url>",
    "<b>x</b>",
    "<b></b>",
    "<lastmod>2020-01-02</lastmod>",
    "<!---->",
    "<![CDATA[]]>",
    "<image:image><![CDATA[]]></image:image>",
    "<![CDATA[ a & <b> ]]>",
    "\r\n  ",
    "（",
    "  ",
    "text",
    " xml:lang='ja'",
    "<Loc>x</Loc>",
    "<PRIORITY/>",
    "<tag a='1'>x</tag>",
    "<url/>",
    "<image:image/>",
    "<shop:a x:b='1' c='2'>1</shop:a>",
    "<x:a>&amp;lt;</x:a>",
    // Start tags that are no qualified names, and known tags within them.
    "<shop:>",
    "<:loc>",
    "<shop:a:b>",
    "<image:>",
    "<shop:1>",
    "</shop:>",
    "<shop:><loc>http://e.com/9</loc>",
    // Unclosed tags, and end tags without a start.
    "<loc>",
    "</loc>",
    "<shop:a>",
    "<o:z>",
    "</o:z>",
    "</urlset>",
    // Foreign content with tags of a sitemap in it.
    "<o:z><loc>x</loc></o:z>",
    "<o:z><url><loc>http://e.com/9</loc></url></o:z>",
    "<o:z><o:y><sitemap/></o:y><url/></o:z>",
];

/// One kind of entry repeated, or several in rotation, or a document in a published shape.
fn document(random: &mut Random) -> Vec<u8> {
    if random.below(3) == 0 {
        let shape = SHAPES[random.below(SHAPES.len())];
        return shape.document(4, random.below(1000) as u64).into_bytes();
    }
    let mut document = format!("<urlset {NAMESPACES}>\n");
    let kinds = [(); 2].map(|()| {
        let mut entry = ENTRIES[random.below(ENTRIES.len())].as_bytes().to_vec();
        // Unusual entries are repeated, too.
        if random.below(3) == 0 {
            mutate_entry(random, &mut entry);
        }
        String::from_utf8_lossy(&entry).into_owned()
    });
    // The entry with enough names to renumber all names after it, if there is one.
    let many_names = random.below(32);
    for i in 0..6 {
        let kind = &kinds[random.below(kinds.len())];
        let mut entry = kind.replace('#', &(i + 1).to_string());
        if i == many_names {
            entry.truncate(entry.rfind("</url>").unwrap_or(entry.len()));
            for i in 0..70 {
                let _ = write!(entry, "<shop:n{i}>{i}</shop:n{i}>");
            }
            entry.push_str(
                "</url>
",
            );
        }
        document.push_str(&entry);
    }
    document.push_str("</urlset>\n");
    if random.below(8) == 0 {
        document = document.replace('\n', "\r\n");
    }
    document.into_bytes()
}

/// Changes an entry between its tags. It mostly stays well-formed.
fn mutate_entry(random: &mut Random, entry: &mut Vec<u8>) {
    let places: Vec<usize> = (0..entry.len())
        .filter(|&i| entry[i] == b'<' || (i > 0 && entry[i - 1] == b'>'))
        .collect();
    let at = places[random.below(places.len())];
    match random.below(5) {
        0 => mutate_tag(random, entry),
        1 => declare(random, entry),
        _ => drop(entry.splice(at..at, TOKENS[random.below(TOKENS.len())].bytes())),
    }
}

/// The positions of a tag's attributes, each with the white space before it.
fn attributes(tag: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut quoted = None;
    let mut start = None;
    for (i, &b) in tag.iter().enumerate() {
        match quoted {
            Some(quote) if b == quote => {
                quoted = None;
                found.extend(start.take().map(|start| start..i + 1));
            }
            None if b == b'"' || b == b'\'' => quoted = Some(b),
            None if b.is_ascii_whitespace() && start.is_none() => start = Some(i),
            _ => {}
        }
    }
    found
}

/// Changes a tag with attributes: their order or quotes, or repeats or removes an attribute.
fn mutate_tag(random: &mut Random, document: &mut Vec<u8>) {
    let tags: Vec<usize> = (0..document.len())
        .filter(|&i| {
            [&b"<xhtml:link"[..], b"<x:link", b"<video:player_loc"]
                .iter()
                .any(|tag| document[i..].starts_with(tag))
        })
        .collect();
    if tags.is_empty() {
        return;
    }
    let start = tags[random.below(tags.len())];
    let len = document[start..].iter().position(|&b| b == b'>').unwrap_or(0);
    let found = attributes(&document[start..start + len]);
    if found.is_empty() {
        return;
    }
    let mut parts: Vec<Vec<u8>> = found
        .iter()
        .map(|part| document[start + part.start..start + part.end].to_vec())
        .collect();
    let (i, j) = (random.below(parts.len()), random.below(parts.len()));
    match random.below(6) {
        0 => parts.swap(i, j),
        1 => parts.push(parts[i].clone()),
        2 => drop(parts.remove(i)),
        3 => {
            parts[i] = parts[i]
                .iter()
                .map(|&b| if b == b'"' { b'\'' } else { b })
                .collect();
        }
        4 => {
            // In the value, before its last quote.
            let at = parts[i].len() - 1;
            parts[i].splice(at..at, "x".repeat(random.below(900)).bytes());
        }
        _ => {
            let at = random.below(parts[i].len());
            parts[i].splice(at..at, TOKENS[random.below(TOKENS.len())].bytes());
        }
    }
    let (first, last) = (start + found[0].start, start + found[found.len() - 1].end);
    document.splice(first..last, parts.concat());
}

/// Declares a namespace on a start tag, so that names have another meaning in the element.
fn declare(random: &mut Random, document: &mut Vec<u8>) {
    let ends: Vec<usize> = (1..document.len())
        .filter(|&i| document[i] == b'>' && document[i - 1].is_ascii_alphabetic())
        .filter(|&i| {
            let start = document[..i].iter().rposition(|&b| b == b'<');
            start.is_some_and(|start| document[start + 1].is_ascii_alphabetic())
        })
        .collect();
    let declarations: Vec<&str> = TOKENS
        .into_iter()
        .filter(|token| token.starts_with(" xmlns"))
        .collect();
    if !ends.is_empty() {
        let end = ends[random.below(ends.len())];
        document.splice(end..end, declarations[random.below(declarations.len())].bytes());
    }
}

fn mutate(random: &mut Random, document: &mut Vec<u8>) {
    // Not in the first two entries, because they predict the others.
    let first = document.len() / 3;
    for _ in 0..=random.below(3) {
        let at = first + random.below(document.len() + 1 - first);
        let end = |len: usize| (at + len).min(document.len());
        match random.below(12) {
            0 if at < document.len() => document[at] ^= 1 << random.below(8),
            1 => drop(document.drain(at..end(1 + random.below(12)))),
            2 => {
                let copy = document[at..end(1 + random.below(40))].to_vec();
                let to = random.below(document.len() + 1);
                document.splice(to..to, copy);
            }
            3 => drop(document.splice(
                at..end(random.below(5)),
                TOKENS[random.below(TOKENS.len())].bytes(),
            )),
            4 | 5 => {
                // The positions where a tag or a value begins or ends.
                let near = document[at..]
                    .iter()
                    .position(|b| b"<>\"' ".contains(b))
                    .unwrap_or(0)
                    + at;
                let near = near + random.below(2).min(document.len() - near);
                document.splice(near..near, TOKENS[random.below(TOKENS.len())].bytes());
            }
            6 => drop(document.splice(at..at, TOKENS[random.below(TOKENS.len())].bytes())),
            7 => declare(random, document),
            8 => drop(document.splice(at..at, "x".repeat(random.below(900)).bytes())),
            9 => {
                // Replaces part of a value, so that the entry has the same length as the others.
                let token = TOKENS[random.below(TOKENS.len())].as_bytes();
                let value = document[at..].iter().position(|b| b"/".contains(b)).unwrap_or(0) + at;
                let end = (value + token.len()).min(document.len());
                document[value..end].copy_from_slice(&token[..end - value]);
            }
            _ => mutate_tag(random, document),
        }
    }
}

/// A generated document. A quarter are read with small limits, a quarter with a limit of the document's size.
pub(super) fn document_and_limits(random: &mut Random, round: usize) -> (Vec<u8>, ReaderBuilder) {
    let mut document = document(random);
    if random.below(3) > 0 {
        mutate(random, &mut document);
    }
    let mut builder = ReaderBuilder::new();
    builder.namespace("shop", "urn:shop");
    match random.below(8) {
        0 => drop(builder.expanded_names(true)),
        1 => drop(builder.raw_elements(true)),
        _ => {}
    }
    match round % 4 {
        0 => drop(builder.limits(small_limits(random))),
        1 => drop(builder.limits(Limits::reading().with_bytes(random.below(document.len() + 20) as u64))),
        _ => {}
    }
    (document, builder)
}

/// Some limits, small enough that generated documents sometimes exceed them.
fn small_limits(random: &mut Random) -> Limits {
    const SETTERS: [fn(Limits, usize) -> Limits; 8] = [
        |limits, by| limited(limits, |limits| limits.token_bytes = NAMESPACES.len() + by % 60),
        |limits, by| limits.with_entry_bytes(100 + by % 1700),
        |limits, by| limited(limits, |limits| limits.depth = 2 + by % 5),
        |limits, by| limited(limits, |limits| limits.attributes = 10 + by % 3),
        |limits, by| limited(limits, |limits| limits.namespaces = 9 + by % 2),
        |limits, by| limited(limits, |limits| limits.name_bytes = 10 + by % 14),
        |limits, by| limits.with_bytes(NAMESPACES.len() as u64 + by as u64),
        |limits, by| limits.with_entries(by as u64 % 7),
    ];
    let mut limits = Limits::reading();
    for set in SETTERS {
        if random.below(3) == 0 {
            limits = set(limits, random.below(5000));
        }
    }
    limits
}
