//! Rules about the document as a whole.

use crate::lint::{HEAD, INDEX, ROOT, index, messages, page, urlset};

#[test]
fn the_document() {
    let cases = [
        ("syntax", format!("{HEAD}{ROOT}<url><loc>https://example.com/</url>")),
        ("bare &", page("").replace("com/", "com/?a&b")),
        ("cut off", format!("{HEAD}{ROOT}<url><loc>https://example.com/</loc>")),
        ("HTML", "<!DOCTYPE html><html><title>x</title></html>".to_owned()),
        ("another root", format!("{HEAD}<pages/>")),
        ("a legacy namespace", page("").replace("http://www.sitemaps", "https://www.sitemaps")),
        ("no namespace", format!("{HEAD}<urlset><url><loc>https://example.com/</loc></url></urlset>")),
        ("white space", format!("\n{}", page(""))),
        ("no declaration", page("").replace(HEAD, "")),
        ("no encoding", page("").replace(" encoding=\"UTF-8\"", "")),
        ("a byte order mark", format!("\u{FEFF}{}", page(""))),
        ("latin-1", page("").replace("UTF-8", "iso-8859-1")),
        ("an unescaped quote", page("<changefreq>daily</changefreq>").replace("com/", "com/it's")),
        ("empty", urlset("")),
        ("no news", String::from(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                 xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\"/>"
            )),
        ("an empty index", index("")),
        ("order", page("").replace("<url>", "<url><lastmod>2026-05-01</lastmod>")),
        ("order of an extension", page(
                "<image:image><image:loc>https://example.com/1</image:loc></image:image><lastmod>2026</lastmod>",
            )),
        ("two lastmods", page("<lastmod>2026-05-01</lastmod><lastmod>2026-05-02</lastmod>")),
        ("no loc", urlset("<url><lastmod>2026-05-01</lastmod></url>")),
        ("an index's tags", index("<sitemap><loc>https://example.com/1.xml</loc><priority>0.5</priority></sitemap>")),
        ("an unknown element", page("<link>x</link>")),
        ("empty elements", page("<lastmod/><changefreq></changefreq><priority> </priority>")),
        ("attributes and text that the schema does not have", urlset("<url id=\"1\"><loc lang=\"en\">https://example.com/</loc> new <!-- x --><o:own xmlns:o=\"urn:o\">y</o:own></url>")
                .replacen("<urlset", "<urlset version=\"1\"", 1)),
        ("a DOCTYPE", page("").replace("<urlset", "<!DOCTYPE urlset>\n<urlset")),
        ("the order within a video", page(
                "<video:video><video:title>T</video:title><video:thumbnail_loc>https://example.com/t</video:thumbnail_loc>\
                 <video:description>D</video:description><video:content_loc>https://example.com/v</video:content_loc></video:video>",
            )),
        ("an entry of the other kind", format!("{HEAD}{INDEX}<url><loc>https://example.com/</loc></url></sitemapindex>")),
    ];
    insta::assert_snapshot!(messages(&cases));
}
