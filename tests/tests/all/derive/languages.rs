//! Pages in several languages: an entry for each, links to them, and images by template.

use std::collections::{BTreeMap, HashMap};

use sitemap_serde::{Rule, SitemapEntry, UrlEntry};

use crate::derive::tools::writer;

/// The entries of a row, each as its loc and its links.
fn pages<T: SitemapEntry>(row: &T) -> Vec<(String, Vec<(String, String)>)> {
    let entries = writer().to_entries(row).unwrap();
    let links = |entry: &UrlEntry| {
        let links = entry.alternates.iter();
        links
            .map(|link| (link.hreflang.clone().unwrap(), link.href.clone()))
            .collect()
    };
    entries
        .iter()
        .map(|entry| (entry.loc.clone(), links(entry)))
        .collect()
}

/// The expected pages at these addresses: each links to all.
fn reciprocal(links: &[(&str, &str)]) -> Vec<(String, Vec<(String, String)>)> {
    let all: Vec<(String, String)> = links
        .iter()
        .map(|(language, href)| ((*language).to_owned(), format!("https://example.com{href}")))
        .collect();
    let pages = all.iter().filter(|(language, _)| language != "x-default");
    pages.map(|(_, href)| (href.clone(), all.clone())).collect()
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{lang}/{slug}",
    languages("de", "en-GB", "zh-Hant"),
    x_default = "en-GB",
    lastmod = "2024-05-06",
    image = "/img/{id}-{lang}.jpg"
)]
struct Article {
    id: u32,
    slug: &'static str,
    #[sitemap(exclude_if)]
    draft: bool,
}

/// Without a trace of the first entries, including their declarations on the root.
#[test]
fn of_a_row_with_a_page_that_is_too_long_nothing_is_written() {
    let longest = 2048 - "https://example.com/en-GB/".len();
    let article = |length| Article {
        id: 7,
        slug: Box::leak("a".repeat(length).into_boxed_str()),
        draft: false,
    };
    let page = UrlEntry::new("https://example.com/1");
    let mut document = writer().from_writer(Vec::new());
    assert!(document.write(&article(longest)).is_err());
    document.write(&page).unwrap();
    assert_eq!(
        String::from_utf8(document.finish().unwrap()).unwrap(),
        writer().entries_to_string(&[page]).unwrap()
    );
}

#[test]
fn an_entry_for_each_language() {
    let rows = [
        Article {
            id: 7,
            slug: "lampe & schirm/サ",
            draft: false,
        },
        Article {
            id: 8,
            slug: "no",
            draft: true,
        },
    ];
    let slug = "lampe%20%26%20schirm%2F%E3%82%B5";
    let link = |hreflang: &str, lang: &str| {
        format!(
            r#"<xhtml:link rel="alternate" hreflang="{hreflang}" href="https://example.com/{lang}/{slug}"/>"#
        )
    };
    let links = [
        link("de", "de"),
        link("en-GB", "en-GB"),
        link("x-default", "en-GB"),
        link("zh-Hant", "zh-Hant"),
    ]
    .concat();
    let entries = ["de", "en-GB", "zh-Hant"].map(|lang| {
        format!(
            "<url><loc>https://example.com/{lang}/{slug}</loc><lastmod>2024-05-06</lastmod>\
             <image:image><image:loc>https://example.com/img/7-{lang}.jpg</image:loc></image:image>{links}</url>"
        )
    });
    let mut out = Vec::new();
    assert_eq!(
        writer()
            .check_alternates(true)
            .entries_to_writer(&mut out, &rows)
            .unwrap(),
        3
    );
    assert_eq!(
        String::from_utf8(out).unwrap(),
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
             xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">{}</urlset>",
            entries.concat()
        )
    );
}

/// Links have the encoding of locs: a page is among its own links.
#[test]
fn in_the_servers_encoding() {
    #[derive(SitemapEntry)]
    #[sitemap(
        loc = "/地図/{lang}/{+slug}",
        languages("ja", "en"),
        base = "https://c.d/x",
        encoding = "euc-jp"
    )]
    struct Map {
        slug: &'static str,
    }
    let entries = writer()
        .cross_submission(true)
        .check_alternates(true)
        .to_entries(&Map {
            slug: "サイト/%C3%A9",
        })
        .unwrap();
    let [ja, en] =
        ["ja", "en"].map(|lang| format!("https://c.d/x/%C3%CF%BF%DE/{lang}/%A5%B5%A5%A4%A5%C8/%C3%A9"));
    let locs: Vec<&str> = entries.iter().map(|entry| entry.loc.as_str()).collect();
    assert_eq!(locs, [&ja, &en]);
    for entry in &entries {
        let links: Vec<&str> = entry.alternates.iter().map(|link| link.href.as_str()).collect();
        assert_eq!(links, [&ja, &en]);
    }
}

#[test]
fn languages_of_a_field() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{slug}?hl={lang}", x_default = "en")]
    struct Page {
        slug: &'static str,
        #[sitemap(languages)]
        languages: Vec<String>,
    }
    let page = |languages: &[&str]| Page {
        slug: "a",
        languages: languages.iter().map(ToString::to_string).collect(),
    };
    assert_eq!(
        pages(&page(&["de", "en"])),
        reciprocal(&[("de", "/a?hl=de"), ("en", "/a?hl=en"), ("x-default", "/a?hl=en")])
    );
    assert_eq!(pages(&page(&["fr"])), reciprocal(&[("fr", "/a?hl=fr")]));
    assert_eq!(pages(&page(&[])), []);

    let refused = |languages: &[&str]| writer().to_entries(&page(languages)).unwrap_err();
    let error = refused(&["de", "en", "DE"]);
    assert_eq!(error.rule(), Some(Rule::Alt3));
    assert_eq!(
        error.to_string(),
        "the language `de` is there twice: a page is in each language once (P-ALT3); leave one of them out, entry 1"
    );
    let error = refused(&["de", "english"]);
    assert_eq!(error.rule(), Some(Rule::Alt5));
    assert_eq!(
        error.to_string(),
        "`english` does not begin with a language: a hreflang is an ISO 639-1 code, then perhaps a script and a region, or `x-default` \
         (P-ALT5); write it like `en`, `en-GB` or `zh-Hant`, entry 1 · languages"
    );
    assert_eq!(
        refused(&["de", "de_AT"]).to_string(),
        "`de_AT` is not a hreflang: its parts are joined by `-` (P-ALT5); write `de-AT`, entry 1 · languages"
    );
}

/// A slug for each language: from pairs, maps, and a function of the row.
#[test]
fn rows_of_a_table_of_translations() {
    let expected = reciprocal(&[
        ("de", "/1/de/lampe"),
        ("en", "/1/en/lamp%2F1"),
        ("x-default", "/1/en/lamp%2F1"),
    ]);

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{id}/{lang}/{slug}", x_default = "en")]
    struct Pairs {
        id: u8,
        #[sitemap(languages(slug))]
        translations: Vec<(&'static str, String)>,
    }
    let translations = || vec![("de", "lampe".to_owned()), ("en", "lamp/1".to_owned())];
    assert_eq!(
        pages(&Pairs {
            id: 1,
            translations: translations()
        }),
        expected
    );

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{id}/{lang}/{slug}", x_default = "en")]
    struct Map {
        id: u8,
        #[sitemap(languages(slug))]
        translations: BTreeMap<&'static str, String>,
    }
    assert_eq!(
        pages(&Map {
            id: 1,
            translations: translations().into_iter().collect()
        }),
        expected
    );

    struct Translation {
        language: &'static str,
        slug: String,
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{id}/{lang}/{slug}", x_default = "en")]
    struct Related {
        id: u8,
        #[sitemap(languages(slug), write_with = of_rows)]
        translations: Vec<Translation>,
    }
    fn of_rows(rows: &[Translation]) -> Vec<(&str, &str)> {
        rows.iter().map(|row| (row.language, row.slug.as_str())).collect()
    }
    let rows = translations()
        .into_iter()
        .map(|(language, slug)| Translation { language, slug });
    assert_eq!(
        pages(&Related {
            id: 1,
            translations: rows.collect()
        }),
        expected
    );

    // In a variant, in a tuple, generic.
    #[derive(SitemapEntry)]
    enum Page<S: std::fmt::Display> {
        #[sitemap(loc = "/{0}/{lang}/{slug}", x_default = "en")]
        Table(u8, #[sitemap(languages(slug))] Vec<(&'static str, S)>),
        #[sitemap(loc = "/{lang}", languages("de", "en"))]
        Home,
    }
    assert_eq!(pages(&Page::Table(1, translations())), expected);
    assert_eq!(
        pages(&Page::<String>::Home),
        reciprocal(&[("de", "/de"), ("en", "/en")])
    );

    let none: HashMap<String, String> = HashMap::new();
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{lang}/{slug}")]
    struct Hashed {
        #[sitemap(languages(slug))]
        translations: HashMap<String, String>,
    }
    assert_eq!(pages(&Hashed { translations: none }), []);
}

#[test]
fn links_alone() {
    #[derive(SitemapEntry)]
    #[sitemap(
        loc = "/{lang}/{slug}",
        alternate(template = "/{lang}/{slug}", languages("de", "en"), x_default = "de")
    )]
    struct Page {
        lang: &'static str,
        slug: &'static str,
    }
    let all = reciprocal(&[
        ("de", "/de/a%20b"),
        ("x-default", "/de/a%20b"),
        ("en", "/en/a%20b"),
    ]);
    for (i, lang) in ["de", "en"].into_iter().enumerate() {
        let page = Page { lang, slug: "a b" };
        assert_eq!(pages(&page), [all[i].clone()]);
    }
    // A page that is missing from its own links is refused.
    let error = writer()
        .to_entries(&Page {
            lang: "fr",
            slug: "x",
        })
        .unwrap_err();
    assert_eq!(error.rule(), Some(Rule::Alt3));
    assert_eq!(
        error.to_string(),
        "the alternates of `https://example.com/fr/x` do not list the page itself: each page lists all languages, including its own (P-ALT3); add a \
         link to it, entry 1 · xhtml:link, loc `https://example.com/fr/x`"
    );
}

#[test]
fn what_the_setting_checks() {
    let mut page = UrlEntry::new("https://example.com/?x&y");
    let mut builder = writer();
    builder.check_alternates(true);
    let check = |page: &UrlEntry| {
        builder
            .to_entries(page)
            .map(drop)
            .map_err(|error| error.to_string())
    };
    let link = |language: &str, href: &str| sitemap_serde::Alternate::new(language, href);
    assert_eq!(check(&page), Ok(()));
    page.alternates = vec![
        link("en", "https://example.com/?x&y"),
        link("de", "https://example.com/?de"),
    ];
    assert_eq!(check(&page), Ok(()));
    page.alternates.push(link("DE", "https://example.com/?DE"));
    assert_eq!(
        check(&page),
        Err("a second alternate of the language `de`: a language has one page (P-ALT3); leave one of them out, entry 1 · \
             xhtml:link, loc `https://example.com/?x&y`"
            .to_owned())
    );
    assert_eq!(
        builder.check_alternates(false).to_entries(&page).unwrap().len(),
        1
    );
}
