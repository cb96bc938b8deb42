//! `sitemap index --add`: sitemaps of other applications, by URL, and sitemaps listed in other indexes.

use crate::folder::Folder;
use crate::server::{Answer, Server};

const CORE: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

fn urlset(loc: &str) -> String {
    format!("<urlset {CORE}><url><loc>{loc}</loc><lastmod>2026-05-06</lastmod></url></urlset>")
}

fn index(loc: &str) -> String {
    format!(
        "<sitemapindex {CORE}><sitemap><loc>{loc}</loc><lastmod>2026-01-02</lastmod></sitemap></sitemapindex>"
    )
}

#[test]
fn what_is_added() {
    let server = Server::start(|_, request| match request.path.as_str() {
        "/blog.xml" => Answer::ok(urlset("https://example.com/blog/1")),
        "/index.xml" => Answer::ok(index("https://example.com/shop/1.xml")),
        "/empty.xml" => Answer::ok(format!("<sitemapindex {CORE}></sitemapindex>")),
        _ => Answer::status(404),
    });
    let url = |path: &str| server.url(path);
    let folder = Folder::with(&[
        ("public/pages.xml", urlset("https://example.com/")),
        ("other.xml", index("https://example.com/forum/1.xml")),
        ("plain.xml", urlset("https://example.com/")),
    ]);
    let own = "<sitemap><loc>https://example.com/pages.xml</loc></sitemap>".to_owned();
    let forum = "<sitemap><loc>https://example.com/forum/1.xml</loc><lastmod>2026-01-02</lastmod></sitemap>"
        .to_owned();
    let shop = "<sitemap><loc>https://example.com/shop/1.xml</loc><lastmod>2026-01-02</lastmod></sitemap>"
        .to_owned();
    for (add, status, listed, told) in [
        (url("/blog.xml"), 0, Some(format!("<sitemap><loc>{}</loc></sitemap>", url("/blog.xml"))), String::new()),
        (url("/index.xml"), 0, Some(shop), String::new()),
        ("other.xml".to_owned(), 0, Some(forum), String::new()),
        (
            "plain.xml".to_owned(),
            1,
            None,
            "not listed: plain.xml: it is not an index, and its URL is not known: name its URL, or put it in the directory\n".to_owned(),
        ),
        (url("/empty.xml"), 1, None, format!("not listed: {}: it is an index without sitemaps\n", url("/empty.xml"))),
        (
            url("/nothing.xml"),
            1,
            None,
            format!("not listed: {}: does not exist\n", url("/nothing.xml")),
        ),
    ] {
        let arguments = ["index", "public", "--location", "https://example.com", "--lastmod", "none", "--add", &add];
        let (found, printed, said) = folder.run(&arguments);
        let expected = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex {CORE}>{own}{}</sitemapindex>\n",
            listed.clone().unwrap_or_default()
        );
        let counts = match listed {
            Some(_) => "2 sitemaps listed, 0 not listed\n",
            None => "1 sitemap listed, 1 not listed\n",
        };
        assert_eq!((found, printed.as_str(), said), (status, expected.as_str(), format!("{told}{counts}")), "{add}");
    }
    // `newest` reads the newest lastmod of a urlset.
    let (_, printed, _) = folder.run(&[
        "index",
        "public",
        "--location",
        "https://example.com",
        "--lastmod",
        "newest",
        "--add",
        &url("/blog.xml"),
    ]);
    let blog = format!(
        "<sitemap><loc>{}</loc><lastmod>2026-05-06</lastmod></sitemap>",
        url("/blog.xml")
    );
    assert!(printed.contains(&blog), "{printed}");
}
