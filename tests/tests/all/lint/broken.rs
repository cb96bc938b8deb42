//! Broken documents and documents that are not XML but still read, and the rules about robots.txt.

use sitemap_serde::Rule;
use sitemap_serde::robots::Robots;

use super::{found, found_by, linter, listed, messages, page, urlset};

/// One broken tag only affects itself, and problems after it are found.
#[rustfmt::skip]
#[test]
fn a_lint_goes_on_where_xml_ends() {
    let cases = [
        ("an ampersand and a date", page("<lastmod>x&y</lastmod></url><url><loc>/b</loc>")),
        ("a second loc, a second date and an entry without its end", urlset("<url><loc>https://example.com/</loc><loc>https://example.com/b</loc><lastmod>2026</lastmod><lastmod>2025</lastmod>\n<url><loc>https://example.com/</loc></url>\n")),
        ("what XML cannot hold", page("<image:image><image:loc>https://example.com/\0</image:loc></image:image>")),
        ("escaped twice", urlset("<url><loc>https://example.com/?a&amp;amp;b</loc></url>\n")),
        ("cut off", urlset("<url><loc>https://example.com/</loc></url>\n<url><loc>https://example.com/b</lo").replace("</urlset>\n", "")),
    ];
    insta::assert_snapshot!(messages(&cases));
}

#[rustfmt::skip]
#[test]
fn text_and_feeds() {
    let cases = [
        ("text", "https://example.com/\nhttps://example.com/b c\n\nabout us\nhttps://example.com/\n".to_owned()),
        ("a feed", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss><channel><item><link>https://example.com/</link><pubDate>Mon, 01 Jun 2026 00:00:00 GMT</pubDate></item><item/></channel></rss>".to_owned()),
    ];
    insta::assert_snapshot!(messages(&cases));
    let mut quiet = linter();
    quiet.level(Rule::DupLoc, None);
    let many = found_by(&quiet, "https://example.com/\n".repeat(50_001));
    quiet.level(Rule::LocLen, None);
    let long = format!("https://example.com/{}\n", "x".repeat(1_000_000)).repeat(53);
    let cases = [("lines", many), ("bytes", found_by(&quiet, long))];
    insta::assert_snapshot!("too_large", listed(cases));
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
    insta::assert_snapshot!(found_by(&linter, &document).join("\n"));
}

/// An unreadable file is reported once, without a panic.
#[test]
fn what_cannot_be_read_at_all() {
    insta::assert_snapshot!(found(b"\x1F\x8B").join("\n"));
}
