//! The key `title`: a text for people, which is not in the document.
#![expect(
    clippy::ref_option,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "users' functions for `write_with` and `title` have these signatures"
)]

use std::borrow::Cow;
use std::convert::Infallible;
use std::rc::Rc;

use sitemap_serde::{FromSitemapEntry, FromSitemapFields, SitemapEntry, SitemapFields, WriterBuilder};

/// A title, and the entry's XML.
fn both(row: &impl SitemapEntry) -> (Option<String>, String) {
    let mut builder = WriterBuilder::new();
    let xml = builder.base("https://e.com").entries_to_string([row]).unwrap();
    let (_, xml) = xml.split_once("<url>").unwrap();
    let (xml, _) = xml.rsplit_once("</url>").unwrap();
    (row.page_title(), xml.to_owned())
}

fn title(row: &impl SitemapEntry) -> Option<String> {
    let (title, xml) = both(row);
    assert_eq!(xml, "<loc>https://e.com/7</loc>");
    title
}

/// A row with one field of a type, which is the title.
#[derive(SitemapEntry)]
#[sitemap(loc = "/7")]
struct Of<T> {
    #[sitemap(title)]
    name: T,
}

/// The same, with a value that may be missing.
#[derive(SitemapEntry)]
#[sitemap(loc = "/7")]
struct Perhaps<T> {
    #[sitemap(title)]
    name: Option<T>,
}

#[test]
fn a_field_of_any_text() {
    let text = || "Desk & lamp".to_owned();
    let titles = [
        title(&Of { name: text() }),
        title(&Of {
            name: text().as_str(),
        }),
        title(&Of {
            name: Cow::from(text()),
        }),
        title(&Of {
            name: Box::<str>::from(text()),
        }),
        title(&Of {
            name: Rc::<str>::from(text()),
        }),
        title(&Perhaps { name: Some(text()) }),
        title(&Perhaps {
            name: Some("Desk & lamp"),
        }),
        title(&&Of { name: text() }),
        title(&Box::new(Of { name: text() })),
        title(&Of {
            name: format_args!("Desk & {}", "lamp"),
        }),
    ];
    for found in titles {
        assert_eq!(found.as_deref(), Some("Desk & lamp"));
    }
    assert_eq!(title(&Of { name: 12 }).as_deref(), Some("12"));
    assert_eq!(title(&Perhaps { name: None::<String> }), None);
}

fn in_capitals(name: &Option<String>) -> Option<String> {
    name.as_ref().map(|name| name.to_uppercase())
}

/// The title is the field's value with `write_with`, and the template gets the field itself.
#[test]
fn a_converted_field() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{name?}")]
    struct Row {
        #[sitemap(title, write_with = in_capitals)]
        name: Option<String>,
    }

    let row = |name: Option<&str>| {
        both(&Row {
            name: name.map(str::to_owned),
        })
    };
    assert_eq!(
        row(Some("lamp")),
        (
            Some("LAMP".to_owned()),
            "<loc>https://e.com/lamp</loc>".to_owned()
        )
    );
    assert_eq!(row(None), (None, "<loc>https://e.com/</loc>".to_owned()));
}

struct Fails;

impl std::fmt::Display for Fails {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Err(std::fmt::Error)
    }
}

#[test]
fn texts_and_functions() {
    #[derive(SitemapFields)]
    struct Shop {
        city: Option<&'static str>,
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/7", title = "{{{name}}} in {shop.city}")]
    struct Text {
        name: &'static str,
        #[sitemap(flatten)]
        shop: Option<Shop>,
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/7", title = "About us")]
    struct Literal;

    macro_rules! by_function {
        ($name:ident, $returned:ty, $value:expr) => {{
            #[derive(SitemapEntry)]
            #[sitemap(loc = "/7", title = Self::title)]
            struct $name;

            impl $name {
                fn title(&self) -> $returned {
                    $value
                }
            }

            title(&$name)
        }};
    }

    let text = |shop| title(&Text { name: "lamp", shop });
    let city = |city| Some(Shop { city });
    assert_eq!(text(city(Some("Ulm"))).as_deref(), Some("{lamp} in Ulm"));
    assert_eq!(text(city(None)), None);
    assert_eq!(text(None), None);
    assert_eq!(title(&Literal).as_deref(), Some("About us"));
    assert_eq!(by_function!(A, String, "A".to_owned()).as_deref(), Some("A"));
    assert_eq!(by_function!(B, &str, "B").as_deref(), Some("B"));
    assert_eq!(
        by_function!(C, Option<&'static str>, Some("C")).as_deref(),
        Some("C")
    );
    assert_eq!(by_function!(D, Option<String>, None), None);
    assert_eq!(
        by_function!(E, Result<Cow<'static, str>, Infallible>, Ok("E".into())).as_deref(),
        Some("E")
    );
    assert_eq!(by_function!(F, Result<String, &'static str>, Err("gone")), None);
    assert_eq!(by_function!(G, Fails, Fails), None);
}

/// The row's own title, or else the first of its flattened fields that has one.
#[test]
fn a_flattened_field() {
    #[derive(Clone, SitemapFields)]
    struct Meta {
        #[sitemap(title)]
        title: Option<&'static str>,
    }

    #[derive(SitemapFields)]
    struct Outer {
        #[sitemap(flatten)]
        meta: Meta,
    }

    fn whole(meta: &Meta) -> Option<Meta> {
        Some(meta.clone())
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/7")]
    struct Row {
        #[sitemap(title)]
        own: Option<&'static str>,
        #[sitemap(flatten)]
        first: Option<Box<Outer>>,
        #[sitemap(flatten, write_with = whole)]
        second: Meta,
    }

    let names = [None, Some("a")];
    for own in names {
        for first in [None, Some(None), Some(Some("b"))] {
            for second in [None, Some("c")] {
                let row = Row {
                    own,
                    first: first.map(|title| Box::new(Outer { meta: Meta { title } })),
                    second: Meta { title: second },
                };
                let expected = own.or(first.flatten()).or(second);
                assert_eq!(title(&row).as_deref(), expected);
            }
        }
    }
}

#[test]
fn variants() {
    #[derive(SitemapEntry)]
    enum Page {
        #[sitemap(loc = "/7", title = "Home")]
        Home,
        #[sitemap(loc = "/7")]
        Untitled,
        #[sitemap(loc = "/7", title = "{1} of {0}")]
        Tag(&'static str, u8),
        #[sitemap(loc = "/7")]
        Post {
            #[sitemap(title)]
            name: &'static str,
            #[sitemap(exclude_if)]
            draft: bool,
        },
        #[sitemap(loc = "/7", title = Self::heading)]
        Computed,
        Inner(Perhaps<&'static str>),
    }

    impl Page {
        fn heading(&self) -> &'static str {
            "Computed"
        }
    }

    #[derive(SitemapEntry)]
    enum OnlyInner {
        Inner(Of<&'static str>),
    }

    let post = Page::Post {
        name: "Post",
        draft: false,
    };
    for (page, expected) in [
        (Page::Home, Some("Home")),
        (Page::Untitled, None),
        (Page::Tag("lamps", 3), Some("3 of lamps")),
        (post, Some("Post")),
        (Page::Computed, Some("Computed")),
        (Page::Inner(Perhaps { name: Some("Inner") }), Some("Inner")),
        (Page::Inner(Perhaps { name: None }), None),
    ] {
        assert_eq!(title(&page).as_deref(), expected);
    }
    let inner = OnlyInner::Inner(Of { name: "Inner" });
    assert_eq!(title(&inner).as_deref(), Some("Inner"));
}

/// A row with several entries has one title.
#[test]
fn languages() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{lang}/7", languages("de", "en"))]
    struct Row {
        #[sitemap(title)]
        name: &'static str,
    }

    assert_eq!(Row { name: "Lamp" }.page_title().as_deref(), Some("Lamp"));
}

/// A title is not in the entry, so reading gives the field its default, unless the loc has its value. No `read_with` is needed.
#[test]
fn reading() {
    #[derive(SitemapEntry, FromSitemapEntry, Debug, PartialEq)]
    #[sitemap(loc = "/{slug}", title = "{slug}: {number}")]
    struct Row {
        slug: String,
        number: u8,
    }

    #[derive(SitemapEntry, FromSitemapEntry, Debug, PartialEq)]
    #[sitemap(loc = "/{slug}")]
    struct OnFields {
        #[sitemap(title, write_with = shouted)]
        slug: String,
        #[sitemap(flatten)]
        part: Part,
    }

    #[derive(SitemapFields, FromSitemapFields, Debug, PartialEq)]
    struct Part {
        #[sitemap(title, write_with = shouted)]
        name: String,
    }

    fn shouted(text: &str) -> String {
        text.to_uppercase()
    }

    let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://e.com/lamp</loc></url></urlset>"#;
    let mut builder = sitemap_serde::ReaderBuilder::new();
    let mut reader = builder.base("https://e.com").from_str(xml);
    let row: Row = reader.read().next().unwrap().unwrap();
    let slug = || "lamp".to_owned();
    assert_eq!(
        row,
        Row {
            slug: slug(),
            number: 0
        }
    );
    let mut reader = builder.from_str(xml);
    let row: OnFields = reader.read().next().unwrap().unwrap();
    let part = Part { name: String::new() };
    assert_eq!(row, OnFields { slug: slug(), part });
    assert_eq!(row.page_title().as_deref(), Some("LAMP"));
}

/// Types of the crate have none, as types without the key.
#[test]
fn without_the_key() {
    assert_eq!(sitemap_serde::UrlEntry::new("/7").page_title(), None);
    assert_eq!(sitemap_serde::IndexEntry::new("/7").page_title(), None);
}
