//! Text.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use sitemap_serde::{ErrorKind, Reader};
use sitemap_tests::{entry, misfit, urlset};

use crate::serde_types::{bare, with, written};

#[test]
fn plain_text_is_borrowed() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page<'a> {
        loc: &'a str,
        /// A `Cow` in an `Option` would be owned, because serde's derive works this way.
        #[serde(borrow)]
        lastmod: Cow<'a, str>,
        #[serde(borrow)]
        changefreq: Cow<'a, str>,
        priority: Option<&'a [u8]>,
    }
    let document = urlset(
        "<url><loc>\n  https://example.com/サ\n</loc><lastmod>2024</lastmod><changefreq>da&#105;ly</changefreq>\
         <priority>0.5</priority></url>",
    );
    let within = |text: &[u8]| document.as_bytes().as_ptr_range().contains(&text.as_ptr());
    let check = |page: &Page<'_>| {
        assert_eq!(page.loc, "https://example.com/サ");
        assert!(within(page.loc.as_bytes()));
        assert!(matches!(page.lastmod, Cow::Borrowed("2024")));
        assert!(within(page.lastmod.as_bytes()));
        assert!(matches!(page.changefreq, Cow::Owned(_)));
        assert_eq!(page.changefreq, "daily");
        assert_eq!(page.priority, Some(&b"0.5"[..]));
        assert!(within(page.priority.unwrap()));
    };
    let pages: Vec<Page<'_>> = sitemap_serde::from_str(&document).unwrap();
    check(&pages[0]);
    let pages: Vec<Page<'_>> = sitemap_serde::from_slice(document.as_bytes()).unwrap();
    check(&pages[0]);
    // They outlive the reader.
    let page: Page<'_> = {
        let mut reader = Reader::from_str(&document);
        reader.deserialize().next().unwrap().unwrap()
    };
    check(&page);
    let page: Page<'_> = {
        let mut reader = Reader::from_slice(document.as_bytes());
        reader.deserialize().next().unwrap().unwrap()
    };
    check(&page);
    let document = document.replace("&#105;", "i");
    let map: Vec<HashMap<&str, &str>> = sitemap_serde::from_str(&document).unwrap();
    assert_eq!(map[0]["changefreq"], "daily");
}

/// Nothing in it is escaped, so it is borrowed.
#[test]
fn unusual_text_is_borrowed_too() {
    #[derive(Debug, Deserialize)]
    struct Page<'a> {
        loc: &'a str,
        #[serde(rename = "image:image", borrow)]
        image: Image<'a>,
        #[serde(rename = "xhtml:link", borrow)]
        link: Link<'a>,
    }
    #[derive(Debug, Deserialize)]
    struct Image<'a> {
        #[serde(rename = "image:loc")]
        loc: &'a str,
        #[serde(rename = "image:title")]
        title: &'a str,
    }
    #[derive(Debug, Deserialize)]
    struct Link<'a> {
        #[serde(rename = "@href")]
        href: &'a str,
    }
    for (text, raw) in [
        ("https://e.com/?filter[color]=red", None),
        ("（新品）\u{F000}\u{FDCF}\u{FFFD}🦀]] >", None),
        ("]", None),
        ("a & <b>", Some("<![CDATA[a & <b>]]>")),
        ("a [b]", Some("<![CDATA[\n a [b] ]]>")),
        ("a [b]", Some("\r\n a [b]")),
    ] {
        let (raw, attribute) = (raw.unwrap_or(text), if raw.is_none() { text } else { "x" });
        let entry = format!(
            "<url><loc>{raw}</loc><image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\
             <image:loc>http://e.com/</image:loc><image:title>{raw}</image:title></image:image>\
             <xhtml:link xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" rel=\"alternate\" href=\"{attribute}\"/></url>"
        );
        let document = urlset(&entry.repeat(3));
        let pages: Vec<Page<'_>> = sitemap_serde::from_str(&document).unwrap();
        for page in pages {
            assert_eq!(
                (page.loc, page.image.loc, page.image.title, page.link.href),
                (text, "http://e.com/", text, attribute)
            );
        }
    }
}

#[test]
fn joined_text_is_not_borrowed() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page<'a> {
        loc: &'a str,
    }
    for loc in [
        "https://example.com/?a&amp;b",
        "https://example.com/<!-- -->b",
        "https://example.com/<![CDATA[b]]>",
        "https://example.com/\r\nb",
    ] {
        let document = urlset(&format!("<url><loc>{loc}</loc></url>"));
        let error = sitemap_serde::from_str::<Vec<Page<'_>>>(&document).unwrap_err();
        assert_eq!(
            (error.kind(), error.path()),
            (ErrorKind::Data, Some("entry 1 · loc"))
        );
        let message = error.to_string();
        assert!(
            message.contains(
                "cannot be borrowed: it holds a reference, a carriage return, a comment, or a CDATA section beside other text, \
                 or comes from a stream; read it into a `String`, or into a `Cow<str>` with `#[serde(borrow)]`, at line 1, column "
            ),
            "{message}"
        );
    }
    // The same for content from a stream.
    let document = bare();
    let error = Reader::from_reader(document.as_bytes())
        .deserialize::<Page<'_>>()
        .next()
        .unwrap()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`https://example.com/` cannot be borrowed: it holds a reference, a carriage return, a comment, or a CDATA section \
         beside other text, or comes from a stream; read it into a `String`, or into a `Cow<str>` with `#[serde(borrow)]`, at line 1, column 71 (byte 70), \
         entry 1 · loc"
    );
}

#[test]
fn text_is_trimmed_and_resolved() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        loc: String,
    }
    for (text, expected) in [
        ("\n\t https://example.com/ \r\n", "https://example.com/"),
        (
            "https://example.com/&#xE9;&#x65E5;&apos;",
            "https://example.com/é日'",
        ),
        (
            "<![CDATA[https://example.com/?a=1&b=<2>]]>",
            "https://example.com/?a=1&b=<2>",
        ),
        (
            "https://<!-- not this -->example<![CDATA[.com]]>/&amp;amp;",
            "https://example.com/&amp;",
        ),
        ("https://example.com/\u{A0}", "https://example.com/\u{A0}"),
        ("/relative and with spaces", "/relative and with spaces"),
        ("<?pi?>https://example.com/", "https://example.com/"),
    ] {
        let page = entry::<Page>(urlset(&format!("<url><loc>{text}</loc></url>")));
        assert_eq!(page.loc, expected);
    }
    // Owned text may be borrowed from the source.
    #[derive(Serialize)]
    struct Borrowed<'a> {
        loc: &'a str,
        lastmod: Cow<'a, str>,
        changefreq: Box<str>,
    }
    assert_eq!(
        written(Borrowed {
            loc: "\n https://example.com/?a=1&b='2' ",
            lastmod: Cow::Borrowed(" 2024 "),
            changefreq: "daily".into(),
        }),
        "<loc>https://example.com/?a=1&amp;b=&apos;2&apos;</loc><lastmod>2024</lastmod><changefreq>daily</changefreq>"
    );
}

#[test]
fn chars_bytes_and_other_text() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: std::path::PathBuf,
        priority: char,
    }
    assert_eq!(entry::<Page>(with("<priority>1</priority>")).priority, '1');
    let problem = misfit::<Page>(with("<priority>12</priority>"));
    assert_eq!(
        problem.message,
        "`12` is not a priority: a priority is a decimal from 0.0 to 1.0, and the field's type reports: invalid value: string \"12\", expected a \
         character (P-PRIO); write a value in that range, or leave the field out, at line 1, column 107 (byte 106), entry 1 · priority"
    );
    #[derive(Serialize)]
    struct Short {
        loc: &'static str,
        priority: char,
    }
    assert_eq!(
        written(Short {
            loc: "https://example.com/",
            priority: '0'
        }),
        "<loc>https://example.com/</loc><priority>0</priority>"
    );
}

/// An element with parts is not text: an empty one would look like its value.
#[test]
fn the_text_of_an_element_with_parts_is_refused() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page<T> {
        #[serde(
            alias = "image:image",
            alias = "xhtml:link",
            alias = "news:news",
            alias = "video:restriction",
            alias = "shop:a"
        )]
        value: T,
    }
    let read = |content: &str| {
        let document = format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:shop=\"urn:shop\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
             xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
             xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\"><url><loc>https://e.com/</loc>{content}</url></urlset>"
        );
        macro_rules! read_as {
            ($type:ty) => {{
                let mut builder = sitemap_serde::ReaderBuilder::new();
                builder.namespace("shop", "urn:shop");
                let page = builder
                    .from_str(&document)
                    .deserialize::<Page<$type>>()
                    .next()
                    .unwrap();
                page.map(|page| format!("{:?}", page.value))
                    .map_err(|error| {
                        let error = error.to_string();
                        error
                            .split(", at line")
                            .next()
                            .unwrap_or_default()
                            .to_owned()
                    })
            }};
        }
        [
            read_as!(String),
            read_as!(Vec<String>),
            read_as!(Option<String>),
            read_as!(Vec<Cow<'_, str>>),
        ]
    };
    let image =
        "<image:image><image:loc>https://e.com/1.png</image:loc><image:title>t</image:title></image:image>";
    let link = "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://e.com/de\"/>";
    let of_image = "`image:image` has no text, but `image:loc`, `image:title`, and the type takes a text; read it into a struct with a \
        field `image:loc`";
    let of_link = "`xhtml:link` has no text, but `@rel`, `@hreflang`, `@href`, and the type takes a text; read it into a struct with a field \
        `@rel`";
    let of_own = "`shop:a` has no text, but `shop:b`, and the type takes a text; read it into a struct with a field `shop:b`";
    for (content, expected) in [
        (image, of_image),
        (link, of_link),
        (
            "<shop:a unit=\"t\"> <shop:b>1</shop:b><shop:b>2</shop:b></shop:a>",
            of_own,
        ),
    ] {
        for found in read(content) {
            assert_eq!(found, Err(expected.to_owned()), "{content}");
        }
    }
    // User elements may have text next to attributes, which may be empty, and next to children.
    for (content, text) in [
        ("<shop:a unit=\"t\"/>", ""),
        ("<shop:a unit=\"t\">1</shop:a>", "1"),
        ("<shop:a>x<shop:b/></shop:a>", "x"),
    ] {
        let some = if text.is_empty() && !content.contains('=') {
            "None".to_owned()
        } else {
            format!("Some({text:?})")
        };
        let expected = [
            format!("{text:?}"),
            format!("[{text:?}]"),
            some,
            format!("[{text:?}]"),
        ];
        assert_eq!(read(content), expected.map(Ok), "{content}");
    }
}
