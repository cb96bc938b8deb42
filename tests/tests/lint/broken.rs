//! What is broken, or no XML, and read all the same; and what robots.txt has to say.

use sitemap_serde::Rule;
use sitemap_serde::robots::Robots;

use super::{check, found, found_by, linter, page, urlset};

/// One broken tag costs itself, and whatever is wrong behind it is found.
#[rustfmt::skip]
#[test]
fn a_lint_goes_on_where_xml_ends() {
    check(&[
        ("an ampersand and a date", page("<lastmod>x&y</lastmod></url><url><loc>/b</loc>"), &[
            "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 3, column 47 (byte 439), entry 1",
            "warning[P-LASTMOD]: `x&y` is not a W3C Datetime: it is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out, at line 3, column 46 (byte 438), entry 1 · lastmod",
            "error[P-LOC]: `/b` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or read it into a `String` and resolve it, at line 3, column 75 (byte 467), entry 2 · loc",
        ]),
        (
            "a second loc, a second date and an entry without its end",
            urlset("<url><loc>https://example.com/</loc><loc>https://example.com/b</loc><lastmod>2026</lastmod><lastmod>2025</lastmod>\n<url><loc>https://example.com/</loc></url>\n"),
            &[
                "error[XML]: `url` begins before the end tag of `url`; add the end tag, at line 4, column 1 (byte 508), entry 1",
                "error[P-DUP]: a second `loc`, which differs from the first: a `url` has one (P-DUP); give it its own entry, as it was read, at line 3, column 42 (byte 434), entry 1 · loc",
                "error[P-DUP]: a second `lastmod`: a `url` has at most one (P-DUP); remove one of them, at line 3, column 101 (byte 493), entry 2 · lastmod",
                "note[P-LASTMODX]: `2026` is a W3C Datetime, but the protocol's schema does not allow its form (P-LASTMODX); write a day, or a date and time with seconds and zone, at line 3, column 78 (byte 470), entry 2 · lastmod",
                "note[L-DUPLOC]: `https://example.com/` is listed already, as entry 1 in line 3 (L-DUPLOC); list a page once, at line 4, column 11 (byte 518), entry 3 · loc",
            ],
        ),
        ("what XML cannot hold", page("<image:image><image:loc>https://example.com/\0</image:loc></image:image>"), &[
            "error[XML]: the character U+0000 cannot be in an XML document (XML 1.0 section 2.2); remove it, at line 3, column 81 (byte 473), entry 1",
        ]),
        ("escaped twice", urlset("<url><loc>https://example.com/?a&amp;amp;b</loc></url>\n"), &[
            "warning[P-ESC]: `https://example.com/?a&amp;b` is escaped twice (P-ESC); escape it once, at line 3, column 11 (byte 403), entry 1 · loc",
        ]),
        ("cut off", urlset("<url><loc>https://example.com/</loc></url>\n<url><loc>https://example.com/b</lo").replace("</urlset>\n", ""), &[
            "error[XML]: the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, at line 4, column 32 (byte 467), entry 2",
        ]),
    ]);
}

#[rustfmt::skip]
#[test]
fn text_and_feeds() {
    check(&[
        ("text", "https://example.com/\nhttps://example.com/b c\n\nabout us\nhttps://example.com/\n".to_owned(), &[
            "error[P-TXT1]: the line `https://example.com/b c` is not a URL: a text sitemap has one absolute URL per line, and nothing else (P-TXT1); remove what follows the URL, and write a space in a URL as `%20`, at line 2, column 1 (byte 21), entry 2",
            "error[P-TXT1]: the line `about us` is not a URL: a text sitemap has one absolute URL per line, and nothing else (P-TXT1); write an absolute URL, or remove the line, at line 4, column 1 (byte 46), entry 3",
            "note[L-DUPLOC]: `https://example.com/` is listed already, as entry 1 in line 1 (L-DUPLOC); list a page once, at line 5, column 1 (byte 55), entry 4 · loc",
        ]),
        (
            "a feed",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss><channel><item><link>https://example.com/</link><pubDate>Mon, 01 Jun 2026 00:00:00 GMT</pubDate></item><item/></channel></rss>".to_owned(),
            &[
                "warning[L-FUTURE]: `2026-06-01T00:00:00Z` is in the future: it is 2026-05-10T12:00:00Z now (L-FUTURE); write when the page was last changed, at line 1, column 101 (byte 100), entry 1 · lastmod",
                "error[P-LOC]: no `link`: an `item` without one has no page (P-LOC); add the address of its page, or remove the item, at line 1, column 147 (byte 146), entry 2",
            ],
        ),
    ]);
    let mut quiet = linter();
    quiet.level(Rule::DupLoc, None);
    assert_eq!(
        found_by(&quiet, "https://example.com/\n".repeat(50_001)),
        ["error[P-TXT2]: line 50001 of the document: a text sitemap has at most 50000 (P-TXT2); split it, and list the parts in an index, at line 50001, column 1 (byte 1050000), entry 50001"]
    );
    quiet.level(Rule::LocLen, None);
    let long = format!("https://example.com/{}\n", "x".repeat(1_000_000)).repeat(53);
    assert_eq!(
        found_by(&quiet, long),
        ["error[P-TXT2]: the document has more than 52428800 bytes, and 52428800 are allowed (P-TXT2); split it, and list the parts in an index, at line 53, column 1 (byte 52001092), entry 53"]
    );
}

#[rustfmt::skip]
#[test]
fn pages_that_robots_txt_blocks() {
    let robots = Robots::parse(b"User-agent: *\nDisallow: /private\nAllow: /private/open\n");
    let mut linter = linter();
    linter.robots("https://example.com/robots.txt", robots, "Googlebot").level(Rule::Host, None);
    let document = urlset(
        "<url><loc>https://example.com/private/open</loc></url>\n<url><loc>https://example.com/private/a</loc></url>\n\
         <url><loc>https://example.org/private/a</loc></url>\n",
    );
    assert_eq!(
        found_by(&linter, &document),
        ["warning[L-ROBOTS]: `https://example.com/private/a` is blocked for `Googlebot` by line 2 of robots.txt, `Disallow: /private` (L-ROBOTS); take the page out of the sitemap, or allow it, at line 4, column 11 (byte 458), entry 2 · loc"]
    );
}

/// A file that nobody can read says so once, and is no panic.
#[test]
fn what_cannot_be_read_at_all() {
    assert_eq!(
        found(b"\x1F\x8B"),
        [
            "error[P-GZIP]: the compressed document is truncated (P-GZIP); get a complete copy, at line 1, column 1 (byte 0)"
        ]
    );
}
