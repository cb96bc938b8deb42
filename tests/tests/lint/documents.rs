//! The document as a whole.

use crate::{HEAD, INDEX, ROOT, check, index, page, urlset};

#[test]
fn the_document() {
    check(&[
        (
            "syntax",
            format!("{HEAD}{ROOT}<url><loc>https://example.com/</url>"),
            &[
                "error[XML]: the end tag `</url>` where `</loc>` is expected: the element that began last ends first, at line 3, column 31 (byte 423), entry 1",
                "error[XML]: the document ends inside `urlset`: it is truncated, or its end was never written; get a complete copy, at line 3, column 37 (byte 429)",
            ],
        ),
        (
            "bare &",
            page("").replace("com/", "com/?a&b"),
            &[
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 2, column 98 (byte 136)",
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 3, column 33 (byte 441), entry 1",
            ],
        ),
        (
            "cut off",
            format!("{HEAD}{ROOT}<url><loc>https://example.com/</loc>"),
            &[
                "error[XML]: the document ends inside `url`: it is truncated, or its end was never written; get a complete copy, at line 3, column 37 (byte 429), entry 1",
            ],
        ),
        (
            "HTML",
            "<!DOCTYPE html><html><title>x</title></html>".to_owned(),
            &[
                "note[P-DECL]: no XML declaration: a sitemap begins with `<?xml version=\"1.0\" encoding=\"UTF-8\"?>` (P-DECL); add it, at line 1, column 1 (byte 0)",
                "error[P-NS]: this is an HTML page with the title `x`, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 16 (byte 15)",
            ],
        ),
        (
            "another root",
            format!("{HEAD}<pages/>"),
            &[
                "error[P-NS]: the root is `pages`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap, at line 2, column 1 (byte 39)",
            ],
        ),
        (
            "a legacy namespace",
            page("").replace("http://www.sitemaps", "https://www.sitemaps"),
            &[
                "note[P-NS]: the root is in the namespace `https://www.sitemaps.org/schemas/sitemap/0.9`, which some readers take for `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); write that, at line 1, column 1 (byte 0)",
            ],
        ),
        (
            "no namespace",
            format!("{HEAD}<urlset><url><loc>https://example.com/</loc></url></urlset>"),
            &[
                "note[P-NS]: the root is in no namespace: it is in `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); declare it with `xmlns`, at line 1, column 1 (byte 0)",
            ],
        ),
        (
            "white space",
            format!("\n{}", page("")),
            &[
                "error[P-DECL]: an XML declaration that is not at the start of the document (P-DECL, XML 1.0 section 2.8); remove what is before it, at line 2, column 1 (byte 1)",
            ],
        ),
        (
            "no declaration",
            page("").replace(HEAD, ""),
            &[
                "note[P-DECL]: no XML declaration: a sitemap begins with `<?xml version=\"1.0\" encoding=\"UTF-8\"?>` (P-DECL); add it, at line 1, column 1 (byte 0)",
            ],
        ),
        (
            "no encoding",
            page("").replace(" encoding=\"UTF-8\"", ""),
            &[
                "note[P-DECL]: the XML declaration has no encoding: a sitemap begins with `<?xml version=\"1.0\" encoding=\"UTF-8\"?>` (P-DECL); add it, at line 1, column 1 (byte 0)",
            ],
        ),
        (
            "a byte order mark",
            format!("\u{FEFF}{}", page("")),
            &[
                "note[P-DECL]: a byte order mark before the XML declaration (P-DECL); write the document without it: UTF-8 needs none, at line 1, column 1 (byte 0)",
            ],
        ),
        (
            "latin-1",
            page("").replace("UTF-8", "iso-8859-1"),
            &[
                "error[P-UTF8]: the document is declared to be in `iso-8859-1`: a sitemap is in UTF-8 (P-UTF8); convert it, and change the declaration, at line 1, column 1 (byte 0)",
            ],
        ),
        (
            "an unescaped quote",
            page("<changefreq>daily</changefreq>").replace("com/", "com/it's"),
            &[
                "note[P-ESC]: an unescaped `'`: the protocol asks for entities for all five of `& ' \" < >` (P-ESC); write `&apos;`, at line 3, column 11 (byte 419), entry 1 · loc",
            ],
        ),
        (
            "empty",
            urlset(""),
            &[
                "error[P-EMPTY]: the document has no entries: a urlset has at least one (P-EMPTY); leave it out of the index until it has some, at line 1, column 1 (byte 0)",
            ],
        ),
        (
            "an empty index",
            index(""),
            &[
                "error[P-EMPTY]: the document has no entries: a sitemapindex has at least one (P-EMPTY); leave it out of the index until it has some, at line 1, column 1 (byte 0)",
            ],
        ),
        (
            "order",
            page("").replace("<url>", "<url><lastmod>2026-05-01</lastmod>"),
            &[
                "note[P-ORDER]: `loc` is out of order: the schema's order is loc, lastmod, changefreq, priority, extensions (P-ORDER); move it, at line 3, column 40 (byte 432), entry 1 · loc",
            ],
        ),
        (
            "order of an extension",
            page(
                "<image:image><image:loc>https://example.com/1</image:loc></image:image><lastmod>2026</lastmod>",
            ),
            &[
                "note[P-ORDER]: `lastmod` is out of order: the schema's order is loc, lastmod, changefreq, priority, extensions (P-ORDER); move it, at line 3, column 117 (byte 509), entry 1 · lastmod",
                "note[P-LASTMODX]: `2026` is a W3C Datetime, but the protocol's schema does not allow its form (P-LASTMODX); write a day, or a date and time with seconds and zone, at line 3, column 117 (byte 509), entry 1 · lastmod",
            ],
        ),
        (
            "two lastmods",
            page("<lastmod>2026-05-01</lastmod><lastmod>2026-05-02</lastmod>"),
            &[
                "error[P-DUP]: a second `lastmod`: a `url` has at most one (P-DUP); remove one of them, at line 3, column 75 (byte 467), entry 1 · lastmod",
            ],
        ),
        (
            "no loc",
            urlset("<url><lastmod>2026-05-01</lastmod></url>"),
            &[
                "error[P-DUP]: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, at line 3, column 1 (byte 393), entry 1 · loc",
            ],
        ),
        (
            "an index's tags",
            index("<sitemap><loc>https://example.com/1.xml</loc><priority>0.5</priority></sitemap>"),
            &[
                "warning[P-INDEXTAGS]: a `priority` in an index: a `sitemap` entry has a loc and a lastmod, nothing else (P-INDEXTAGS); leave it out, or list the page in a urlset, at line 3, column 56 (byte 161), entry 1 · priority",
            ],
        ),
        (
            "an unknown element",
            page("<link>x</link>"),
            &[
                "warning[P-NS]: `link` is not an element of an entry: the schema has `loc`, `lastmod`, `changefreq` and `priority` (P-NS); remove it: crawlers ignore it, at line 3, column 43 (byte 435), entry 1 · link",
            ],
        ),
        (
            "empty elements",
            page("<lastmod/><changefreq></changefreq><priority> </priority>"),
            &[
                "warning[P-LASTMOD]: an empty `lastmod`: it is a W3C Datetime (P-LASTMOD); leave it out, at line 3, column 47 (byte 439), entry 1 · lastmod",
                "warning[P-FREQ]: an empty `changefreq`: it is one of seven words (P-FREQ); leave it out, at line 3, column 59 (byte 451), entry 1 · changefreq",
                "warning[P-PRIO]: an empty `priority`: it is a decimal from 0.0 to 1.0 (P-PRIO); leave it out, at line 3, column 82 (byte 474), entry 1 · priority",
            ],
        ),
        (
            "attributes and text that the schema does not have",
            urlset("<url id=\"1\"><loc lang=\"en\">https://example.com/</loc> new <!-- x --><o:own xmlns:o=\"urn:o\">y</o:own></url>")
                .replacen("<urlset", "<urlset version=\"1\"", 1),
            &[
                "warning[sitemap.xsd]: `urlset` has the attribute `version`, and the schema has none (sitemap.xsd); remove it: crawlers ignore it, at line 1, column 1 (byte 0)",
                "warning[sitemap.xsd]: `url` has the attribute `id`, and the schema has none (sitemap.xsd); remove it: crawlers ignore it, at line 3, column 1 (byte 405), entry 1",
                "warning[sitemap.xsd]: `loc` has the attribute `lang`, and the schema has none (sitemap.xsd); remove it: crawlers ignore it, at line 3, column 13 (byte 417), entry 1 · loc",
                "warning[sitemap.xsd]: the text `new` between the elements of an entry, which has elements only (sitemap.xsd); remove it, or put it in a comment, at line 3, column 55 (byte 459), entry 1",
            ],
        ),
        (
            "a DOCTYPE",
            page("").replace("<urlset", "<!DOCTYPE urlset>\n<urlset"),
            &[
                "warning[sitemap.xsd]: a DOCTYPE: a sitemap is defined by a schema, and crawlers may refuse a document with one (sitemap.xsd); remove it, and write characters instead of its entities, at line 1, column 1 (byte 0)",
            ],
        ),
        (
            "the order within a video",
            page(
                "<video:video><video:title>T</video:title><video:thumbnail_loc>https://example.com/t</video:thumbnail_loc>\
                 <video:description>D</video:description><video:content_loc>https://example.com/v</video:content_loc></video:video>",
            ),
            &[
                "note[sitemap-video.xsd]: `video:thumbnail_loc` is out of order: the schema has it before the element in front of it (sitemap-video.xsd); move it, at line 3, column 99 (byte 491), entry 1 · video:video · video:thumbnail_loc",
            ],
        ),
        (
            "an entry of the other kind",
            format!("{HEAD}{INDEX}<url><loc>https://example.com/</loc></url></sitemapindex>"),
            &[
                "error[P-NS]: a `url` in a sitemapindex: a sitemapindex lists sitemaps, `sitemap` entries only (P-NS); move it to a document of its own, at line 3, column 1 (byte 106), entry 1",
            ],
        ),
    ]);
}
