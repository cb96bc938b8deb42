//! The output of derived types: whole documents.
#![allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "`with` and `exclude_if` hand over references"
)]

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use sitemap_serde::{Kind, SitemapEntry, UrlEntry, UrlSet, W3cDateTime, entries_to_string, from_str};
use sitemap_tests::{finished, written_urlset};

use crate::derive::tools::{assert_document, refused, writer};

#[derive(SitemapEntry, Clone)]
#[sitemap(loc = "/products/{slug}", changefreq = "weekly", priority = 0.8)]
struct Product {
    #[expect(dead_code, reason = "not in the sitemap")]
    id: i64,
    slug: String,
    #[sitemap(lastmod)]
    updated_at: Option<chrono::DateTime<chrono::Utc>>,
    #[sitemap(exclude_if)]
    draft: bool,
}

fn product(slug: &str) -> Product {
    Product {
        id: 1,
        slug: slug.to_owned(),
        updated_at: None,
        draft: false,
    }
}

#[test]
fn a_row_as_it_is() {
    let lamp = Product {
        updated_at: Some("2024-05-06T07:08:09.250Z".parse().unwrap()),
        ..product("lamp & shade")
    };
    let draft = Product {
        draft: true,
        ..product("unfinished")
    };
    assert_document(
        &[&lamp, &draft, &product("chair")],
        "<url><loc>https://example.com/products/lamp%20%26%20shade</loc>\
         <lastmod>2024-05-06T07:08:09.25Z</lastmod><changefreq>weekly</changefreq><priority>0.8</priority></url>\
         <url><loc>https://example.com/products/chair</loc>\
         <changefreq>weekly</changefreq><priority>0.8</priority></url>",
    );
}

#[test]
fn the_documents_of_the_mission() {
    #[derive(SitemapEntry)]
    struct Page {
        #[sitemap(priority)]
        priority: Option<f32>,
        #[sitemap(changefreq)]
        changefreq: Option<&'static str>,
        #[sitemap(lastmod)]
        lastmod: Option<&'static str>,
        #[sitemap(loc)]
        loc: &'static str,
    }

    let page = |loc, lastmod, changefreq, priority| Page {
        priority,
        changefreq,
        lastmod,
        loc,
    };
    let pages = [
        page(
            "http://www.example.com/",
            Some("2005-01-01"),
            Some("monthly"),
            Some(0.8),
        ),
        page(
            "http://www.example.com/catalog?item=12&desc=vacation_hawaii",
            None,
            Some("weekly"),
            None,
        ),
        page(
            "http://www.example.com/catalog?item=73&desc=vacation_new_zealand",
            Some("2004-12-23"),
            Some("weekly"),
            None,
        ),
        page(
            "http://www.example.com/catalog?item=74&desc=vacation_newfoundland",
            Some("2004-12-23T18:00:15+00:00"),
            None,
            Some(0.3),
        ),
        page(
            "http://www.example.com/catalog?item=83&desc=vacation_usa",
            Some("2004-11-23"),
            None,
            None,
        ),
    ];
    let urls = "<url><loc>http://www.example.com/</loc><lastmod>2005-01-01</lastmod>\
        <changefreq>monthly</changefreq><priority>0.8</priority></url>\
        <url><loc>http://www.example.com/catalog?item=12&amp;desc=vacation_hawaii</loc>\
        <changefreq>weekly</changefreq></url>\
        <url><loc>http://www.example.com/catalog?item=73&amp;desc=vacation_new_zealand</loc>\
        <lastmod>2004-12-23</lastmod><changefreq>weekly</changefreq></url>\
        <url><loc>http://www.example.com/catalog?item=74&amp;desc=vacation_newfoundland</loc>\
        <lastmod>2004-12-23T18:00:15+00:00</lastmod><priority>0.3</priority></url>\
        <url><loc>http://www.example.com/catalog?item=83&amp;desc=vacation_usa</loc>\
        <lastmod>2004-11-23</lastmod></url>";
    let pages: Vec<&dyn SitemapEntry> = pages.iter().map(|page| page as _).collect();
    let written = entries_to_string(pages).unwrap();
    assert_eq!(written, written_urlset(urls));
    let read: UrlSet = from_str(&written).unwrap();
    let read: Vec<&dyn SitemapEntry> = read.iter().map(|entry| entry as _).collect();
    assert_eq!(entries_to_string(read).unwrap(), written);
}

#[test]
fn the_schemas_order_whatever_the_fields() {
    #[derive(SitemapEntry)]
    #[sitemap(priority = 0.1, changefreq = "never")]
    struct Backwards(#[sitemap(lastmod)] W3cDateTime, #[sitemap(loc)] String);

    assert_document(
        &[&Backwards("2024".parse().unwrap(), "/a".to_owned())],
        "<url><loc>https://example.com/a</loc><lastmod>2024</lastmod>\
         <changefreq>never</changefreq><priority>0.1</priority></url>",
    );
}

#[test]
fn placeholders_are_encoded() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0}/{+1}?q={0}")]
    struct Encoded<'a>(&'a str, &'a str);

    for (simple, reserved, loc) in [
        ("a-b_c.d~e9", "a-b_c.d~e9", "a-b_c.d~e9/a-b_c.d~e9?q=a-b_c.d~e9"),
        ("a/b", "a/b", "a%2Fb/a/b?q=a%2Fb"),
        ("50%", "50%25", "50%25/50%25?q=50%25"),
        ("?&=#", "?x=1&amp;y", "%3F%26%3D%23/?x=1&amp;amp;y?q=%3F%26%3D%23"),
        ("a b", "a b", "a%20b/a%20b?q=a%20b"),
        ("<'\">", "x", "%3C%27%22%3E/x?q=%3C%27%22%3E"),
        ("サ", "サ", "%E3%82%B5/%E3%82%B5?q=%E3%82%B5"),
    ] {
        assert_document(
            &[&Encoded(simple, reserved)],
            &format!("<url><loc>https://example.com/{loc}</loc></url>"),
        );
    }
}

#[test]
fn a_value_that_would_resolve_away_is_an_error() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/a/{0}/b")]
    struct Segment(&'static str);

    for dots in [".", ".."] {
        let message = refused(&Segment(dots)).0;
        assert!(
            message.contains(dots) && message.ends_with("entry 1 · loc"),
            "{message}"
        );
    }
    assert_document(
        &[&Segment("..."), &Segment("a..")],
        "<url><loc>https://example.com/a/.../b</loc></url><url><loc>https://example.com/a/a../b</loc></url>",
    );
}

#[test]
fn every_beginning_of_a_template() {
    #[derive(SitemapEntry)]
    enum Page {
        #[sitemap(loc = "/")]
        Root,
        #[sitemap(loc = "https://example.com/own/{0}")]
        Own(u8),
        #[sitemap(loc = "{+0}/tail")]
        Whole(url::Url),
        #[sitemap(loc = "https://example.{tld}/x")]
        Host { tld: &'static str },
        #[sitemap(loc = "/サイト/{名前}")]
        Unicode { 名前: &'static str },
        #[sitemap(loc = "/{type}")]
        Raw { r#type: char },
    }

    assert_document(
        &[
            &Page::Root,
            &Page::Own(200),
            &Page::Whole("https://example.com/a".parse().unwrap()),
            &Page::Host { tld: "com" },
            &Page::Unicode { 名前: "é" },
            &Page::Raw { r#type: 'x' },
        ],
        "<url><loc>https://example.com/</loc></url>\
         <url><loc>https://example.com/own/200</loc></url>\
         <url><loc>https://example.com/a/tail</loc></url>\
         <url><loc>https://example.com/x</loc></url>\
         <url><loc>https://example.com/%E3%82%B5%E3%82%A4%E3%83%88/%C3%A9</loc></url>\
         <url><loc>https://example.com/x</loc></url>",
    );
}

#[test]
fn types_of_placeholders() {
    struct Hex(u32);

    impl fmt::Display for Hex {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:x}", self.0)
        }
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{a}/{b}/{c}/{d}/{e}/{f}/{g}")]
    struct Values<'a> {
        a: Cow<'a, str>,
        b: Arc<str>,
        c: i64,
        d: Hex,
        e: Option<u8>,
        f: &'a dyn fmt::Display,
        g: bool,
    }

    let mut values = Values {
        a: "x".into(),
        b: "y".into(),
        c: -5,
        d: Hex(255),
        e: Some(7),
        f: &'z',
        g: true,
    };
    assert_document(
        &[&values],
        "<url><loc>https://example.com/x/y/-5/ff/7/z/true</loc></url>",
    );
    values.e = None;
    assert_eq!(
        refused(&values).0,
        "`e` is `None`, and the loc's template needs it (P-LOC); leave such entries out with \
         `#[sitemap(exclude_if = Option::is_none)]` on the field; where the page exists without it, write `{e?}`, entry 1 · loc"
    );
}

#[test]
fn a_display_that_fails_is_an_error() {
    struct Fails;

    impl fmt::Display for Fails {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Err(fmt::Error)
        }
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0}")]
    struct Page(Fails);

    let message = refused(&Page(Fails)).0;
    assert!(message.ends_with("entry 1 · loc"), "{message}");
}

#[test]
fn a_mix_of_pages() {
    #[derive(SitemapEntry)]
    enum Page<'a> {
        #[sitemap(loc = "/", changefreq = "daily", priority = 1.0)]
        Home,
        #[sitemap(loc = "/about", lastmod = "2024-05-06")]
        About,
        Product(Product),
        Borrowed(&'a Product),
        Boxed(Box<Page<'a>>),
        Entry(UrlEntry),
        #[sitemap(loc = "/tags/{0}", priority = 0.2)]
        Tag(&'a str),
        #[sitemap(loc = "/{1}/{0}")]
        Pair(u8, u8),
        #[sitemap(loc = "/posts/{slug}")]
        Post {
            slug: &'a str,
            #[sitemap(lastmod)]
            written: &'a str,
            #[sitemap(include_if)]
            public: bool,
        },
    }

    let chair = product("chair");
    let hidden = Product {
        draft: true,
        ..product("hidden")
    };
    let post = |slug, public| Page::Post {
        slug,
        written: "2024",
        public,
    };
    assert_document(
        &[
            &Page::Home,
            &Page::About,
            &Page::Product(product("lamp")),
            &Page::Product(hidden.clone()),
            &Page::Borrowed(&chair),
            &Page::Borrowed(&hidden),
            &Page::Boxed(Box::new(Page::Tag("boxed"))),
            &Page::Boxed(Box::new(Page::Product(hidden.clone()))),
            &Page::Entry(UrlEntry::new("https://example.com/entry")),
            &Page::Tag("a/b"),
            &Page::Pair(1, 2),
            &post("first", true),
            &post("second", false),
        ],
        "<url><loc>https://example.com/</loc><changefreq>daily</changefreq><priority>1.0</priority></url>\
         <url><loc>https://example.com/about</loc><lastmod>2024-05-06</lastmod></url>\
         <url><loc>https://example.com/products/lamp</loc>\
         <changefreq>weekly</changefreq><priority>0.8</priority></url>\
         <url><loc>https://example.com/products/chair</loc>\
         <changefreq>weekly</changefreq><priority>0.8</priority></url>\
         <url><loc>https://example.com/tags/boxed</loc><priority>0.2</priority></url>\
         <url><loc>https://example.com/entry</loc></url>\
         <url><loc>https://example.com/tags/a%2Fb</loc><priority>0.2</priority></url>\
         <url><loc>https://example.com/2/1</loc></url>\
         <url><loc>https://example.com/posts/first</loc><lastmod>2024</lastmod></url>",
    );
}

#[test]
fn an_index() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/sitemap-{0}.xml")]
    struct Part(u32, #[sitemap(lastmod)] Option<W3cDateTime>);

    let mut index_writer = writer();
    index_writer.kind(Kind::SitemapIndex);
    let index = index_writer
        .entries_to_string([Part(1, "2024-05-06".parse().ok()), Part(2, None)])
        .unwrap();
    assert_eq!(
        index,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <sitemap><loc>https://example.com/sitemap-1.xml</loc><lastmod>2024-05-06</lastmod></sitemap>\
         <sitemap><loc>https://example.com/sitemap-2.xml</loc></sitemap></sitemapindex>"
    );

    // Anything that an index cannot hold is refused, including literals.
    let refused = index_writer.entries_to_string([product("a")]);
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("P-INDEXTAGS")
            && message.ends_with("entry 1 · changefreq, loc `https://example.com/products/a`"),
        "{message}"
    );
}

#[test]
fn in_one_call() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "https://example.com/{0}", lastmod = "2024-05", priority = 0.50)]
    struct Page(u8);

    assert_eq!(
        entries_to_string([Page(1), Page(2)]).unwrap(),
        written_urlset(
            "<url><loc>https://example.com/1</loc><lastmod>2024-05</lastmod><priority>0.5</priority></url>\
             <url><loc>https://example.com/2</loc><lastmod>2024-05</lastmod><priority>0.5</priority></url>"
        )
    );
}

#[test]
fn generic_types() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0}", priority = Self::PRIORITY)]
    struct Page<T, const N: usize>(T, #[sitemap(lastmod)] Option<T>);

    impl<T, const N: usize> Page<T, N> {
        const PRIORITY: f64 = if N == 0 { 0.0 } else { 1.0 };
    }

    assert_document(
        &[
            &Page::<_, 0>("a", Some("2024")),
            &Page::<_, 1>("b".to_owned(), None),
        ],
        "<url><loc>https://example.com/a</loc><lastmod>2024</lastmod><priority>0.0</priority></url>\
         <url><loc>https://example.com/b</loc><priority>1.0</priority></url>",
    );
}

/// After an error, the document can be finished without a trace of the entry.
#[test]
fn an_error_in_the_middle_of_an_entry() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{0}", changefreq = "daily")]
    struct Page(u8, #[sitemap(priority)] f32);

    let mut writer = writer().from_writer(Vec::new());
    writer.write(&Page(1, 0.5)).unwrap();
    writer.write(&Page(2, 1.5)).unwrap_err();
    writer.write(&Page(3, 0.5)).unwrap();
    assert_eq!(
        finished(writer),
        written_urlset(
            "<url><loc>https://example.com/1</loc><changefreq>daily</changefreq><priority>0.5</priority></url>\
             <url><loc>https://example.com/3</loc><changefreq>daily</changefreq><priority>0.5</priority></url>"
        )
    );
}
