//! Values that leave a segment of the path empty: errors, unless the template allows them.

use sitemap_serde::{
    EntryWriter, FromSitemapEntry, ReaderBuilder, Result, Rule, SitemapEntry, SitemapFields,
};

use sitemap_tests::{of_sample, sample, written_urlset};

use crate::derive::tools::{assert_same, assert_unreadable, document, entry, read, refused, writer};

#[derive(SitemapEntry, FromSitemapEntry, Clone, Debug, PartialEq)]
#[sitemap(loc = "/p/{slug}")]
struct Page {
    slug: String,
}

#[derive(SitemapEntry, FromSitemapEntry, Debug, PartialEq)]
#[sitemap(loc = "/p/{slug?}")]
struct OrHome {
    slug: String,
}

#[derive(SitemapEntry, FromSitemapEntry, Debug, PartialEq)]
#[sitemap(loc = "/{+path?}/{id?}/x/{name?}?page={page?}")]
struct Options {
    path: Option<String>,
    id: Option<u32>,
    name: Option<Box<str>>,
    page: Option<u8>,
}

#[test]
fn a_segment_is_not_empty() {
    let page = Page { slug: String::new() };
    let message = "`slug` is empty, and the template needs it: without it the URL is another page's (P-LOC); leave such entries out \
                   with `#[sitemap(exclude_if = str::is_empty)]` on the field; where the page exists without it, write `{slug?}`, entry 1 \
                   · loc";
    assert_eq!(refused(&page), (message.to_owned(), Some(Rule::Loc)));
    // Two such pages would have the same address. The others are written.
    let pages = [
        page.clone(),
        Page {
            slug: "lamp".to_owned(),
        },
        page,
    ];
    let mut writer = writer().from_writer(Vec::new());
    let written = pages.map(|page| writer.write(&page).map_err(|error| error.entry()));
    assert_eq!(written, [Err(Some(1)), Ok(1), Err(Some(3))]);
    let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(
        xml,
        written_urlset("<url><loc>https://example.com/p/lamp</loc></url>")
    );

    assert_eq!(
        entry(&OrHome { slug: String::new() }).loc,
        "https://example.com/p/"
    );
}

/// In images, videos, links and flattened values as in a loc.
#[test]
fn in_every_url() {
    #[derive(SitemapFields)]
    struct Product {
        photo: &'static str,
    }
    #[derive(SitemapEntry)]
    #[sitemap(
        loc = "/{id}",
        image = "/img/{product.photo}",
        alternate(template = "/{lang}/{name}", languages("de", "en"))
    )]
    struct Row {
        id: u8,
        name: &'static str,
        #[sitemap(flatten)]
        product: Product,
    }
    let message = |name: &str, written: &str, path: &str| {
        format!(
            "`{name}` is empty, and the template needs it: without it the URL is another page's (P-LOC); make the field an \
             `Option` that is `None` where there is no such URL; where there is one without it, write `{written}`, entry 1 · {path}, \
             loc `https://example.com/1`"
        )
    };
    let row = |name, photo| Row {
        id: 1,
        name,
        product: Product { photo },
    };
    assert_eq!(
        refused(&row("x", "")).0,
        message("product.photo", "{product.photo?}", "image:image[0] · image:loc")
    );
    assert_eq!(refused(&row("", "x")).0, message("name", "{name?}", "xhtml:link"));
}

#[test]
fn what_may_be_empty_is_read_back() {
    for path in [None, Some("a/b")] {
        for id in [None, Some(7)] {
            for name in [None, Some("x y")] {
                for page in [None, Some(2)] {
                    let options = Options {
                        path: path.map(str::to_owned),
                        id,
                        name: name.map(Into::into),
                        page,
                    };
                    // `//` would begin a host.
                    if path.is_some() {
                        assert_same(&options);
                    }
                }
            }
        }
    }
    assert_same(&OrHome { slug: String::new() });
    assert_same(&OrHome { slug: "x".to_owned() });
    // An empty text may have been either.
    let options = Options {
        path: Some("a".to_owned()),
        id: None,
        name: Some("".into()),
        page: None,
    };
    let xml = writer().entries_to_string([&options]).unwrap();
    assert_eq!(
        read::<Options>(&ReaderBuilder::new(), &xml).unwrap(),
        Options {
            name: None,
            ..options
        }
    );
}

#[derive(FromSitemapEntry, Debug, PartialEq)]
enum Pages {
    #[sitemap(loc = "/p/{slug}")]
    Page { slug: String },
    #[sitemap(loc = "/p/{anchor?}")]
    Home { anchor: Option<u8> },
    #[sitemap(loc = "/q/{id}-{slug}?of={shop}")]
    Inside { id: u8, slug: String, shop: String },
    #[sitemap(loc = "/{lang}/{slug?}", languages("de", "en"))]
    Language { slug: String },
}

#[test]
fn an_empty_segment_is_another_page() {
    assert_unreadable::<Page>(
        "<loc>https://example.com/p/</loc>",
        "`https://example.com/p/` does not match the template `/p/{slug}`: `{slug}` is empty in it; an enum with a variant for each kind of \
         page reads them all, at line 2, column 11 (byte 298), entry 1 · loc",
    );
    for (path, page) in [
        ("/p/x", Pages::Page { slug: "x".to_owned() }),
        ("/p/", Pages::Home { anchor: None }),
        (
            "/q/5-?of=",
            Pages::Inside {
                id: 5,
                slug: String::new(),
                shop: String::new(),
            },
        ),
        ("/de/", Pages::Language { slug: String::new() }),
    ] {
        let xml = document(&format!("<loc>https://example.com{path}</loc>"));
        assert_eq!(read::<Pages>(&ReaderBuilder::new(), &xml).unwrap(), page);
    }
}

/// A part of a template.
#[derive(Clone, Copy)]
enum Part {
    Literal(&'static str),
    Simple(&'static str),
    Reserved(&'static str),
}

struct Built(Vec<Part>);

impl SitemapEntry for Built {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.loc_template(|loc| {
            for part in &self.0 {
                match part {
                    Part::Literal(text) => loc.literal(text)?,
                    Part::Simple(value) => loc.simple("a", value)?,
                    Part::Reserved(value) => loc.reserved("a", value)?,
                }
            }
            Ok(())
        })
    }
}

/// All templates of up to four parts, with a mark for each empty value: an error means that some path segment consists only of marks.
#[test]
fn an_error_is_a_segment_of_empty_values() {
    const PARTS: [Part; 11] = [
        Part::Literal("/"),
        Part::Literal("/b"),
        Part::Literal("b/"),
        Part::Literal("-"),
        Part::Literal("?"),
        Part::Literal("#"),
        Part::Simple(""),
        Part::Simple("x"),
        Part::Reserved(""),
        Part::Reserved("y/"),
        Part::Reserved("/z"),
    ];
    let mut templates = vec![
        vec![Part::Literal("/")],
        vec![Part::Literal("https://example.com/")],
    ];
    let (mut refused, mut written) = (0, 0);
    for _ in 0..4 {
        templates = templates
            .iter()
            .flat_map(|template| PARTS.map(|part| [template.as_slice(), &[part]].concat()))
            .collect();
        for template in sample(&templates) {
            let marked: String = template
                .iter()
                .map(|part| match part {
                    Part::Simple("") | Part::Reserved("") => "*",
                    Part::Literal(text) | Part::Simple(text) | Part::Reserved(text) => text,
                })
                .collect();
            let path = marked.trim_start_matches("https://example.com");
            let path = path.split(['?', '#']).next().unwrap();
            let is_empty = path
                .split('/')
                .any(|segment| !segment.is_empty() && segment.trim_matches('*').is_empty());
            match writer().to_entries(&Built(template.clone())) {
                Ok(_) => {
                    written += 1;
                    assert!(!is_empty, "{marked}");
                }
                // Some of them are invalid URLs for other reasons.
                Err(error) if error.to_string().starts_with("`a` is empty") => {
                    refused += 1;
                    assert!(is_empty, "{marked}");
                }
                Err(error) => assert!(!is_empty, "{marked}: {error}"),
            }
        }
    }
    assert!(
        refused > of_sample(3_000) && written > of_sample(10_000),
        "{refused} {written}"
    );
}
