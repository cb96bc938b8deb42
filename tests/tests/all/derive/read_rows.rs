//! Rows of several entries, and rows of parts, read back.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::str::FromStr;

use sitemap_serde::{EntryReader, FromSitemapFields};
use sitemap_serde::{FromSitemapEntry, Rule, SitemapEntry, SitemapFields, UrlEntry};

use crate::derive::tools::{reader, writer};

fn written(rows: &[impl SitemapEntry]) -> String {
    writer().entries_to_string(rows).unwrap()
}

fn read<T: FromSitemapEntry>(xml: &str) -> Vec<sitemap_serde::Result<T>> {
    reader().from_str(xml).read().collect()
}

/// Writes the rows and reads each of their entries back: `entries` times the same row.
#[track_caller]
fn round_trip<T: SitemapEntry + FromSitemapEntry + PartialEq + std::fmt::Debug>(rows: &[T], entries: usize) {
    let found: Vec<T> = read(&written(rows)).into_iter().map(Result::unwrap).collect();
    let expected: Vec<&T> = rows
        .iter()
        .flat_map(|row| std::iter::repeat_n(row, entries))
        .collect();
    assert_eq!(found.iter().collect::<Vec<_>>(), expected);
}

fn document(entries: &[UrlEntry]) -> String {
    sitemap_serde::to_string(entries).unwrap()
}

#[track_caller]
fn refused<T: FromSitemapEntry + std::fmt::Debug>(entry: &UrlEntry) -> (String, Option<Rule>) {
    let error = read::<T>(&document(std::slice::from_ref(entry)))
        .remove(0)
        .unwrap_err();
    let text = error.to_string();
    let end = text.find(", at line").unwrap();
    (text[..end].to_owned(), error.rule())
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(
    loc = "/{lang}/{id}-{slug}",
    languages("de", "en-GB"),
    x_default = "en-GB",
    image = "/img/{id}.jpg",
    video(
        thumbnail_loc = "/{id}.jpg",
        title = "{slug}",
        description = "d",
        content_loc = "/{id}.mp4"
    )
)]
struct Article {
    id: u32,
    slug: String,
    #[sitemap(priority)]
    rank: Option<f64>,
}

fn article(id: u32, slug: &str) -> Article {
    Article {
        id,
        slug: slug.to_owned(),
        rank: Some(0.25),
    }
}

#[test]
fn languages_of_the_type() {
    round_trip(&[article(1, "lampe & schirm/サ"), article(2, "x")], 2);
    let mut entry = UrlEntry::new("https://example.com/fr/1-x");
    assert_eq!(
        refused::<Article>(&entry),
        (
            "`fr` is not a value of `{lang}`: it is not one of the languages de, en-GB".to_owned(),
            None
        )
    );
    entry.loc = "https://example.com/EN-gb/1-x".to_owned();
    let found = read::<Article>(&document(&[entry])).remove(0).unwrap();
    assert_eq!((found.id, found.slug.as_str()), (1, "x"));
}

/// If the variant lacks a language, the next variant reads the entry.
#[test]
fn variants() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    enum Page {
        #[sitemap(loc = "/{lang}/{slug}", languages("de", "en"))]
        Translated { slug: String },
        #[sitemap(loc = "/{0}/{1}")]
        Other(String, String),
    }
    let rows = [
        Page::Translated { slug: "a".to_owned() },
        Page::Other("fr".to_owned(), "a".to_owned()),
    ];
    let found: Vec<Page> = read(&written(&rows)).into_iter().map(Result::unwrap).collect();
    let [translated, other] = rows;
    let again = Page::Translated { slug: "a".to_owned() };
    assert_eq!(found, [translated, again, other]);
}

/// A language as the application's own type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Language {
    De,
    En,
}

impl AsRef<str> for Language {
    fn as_ref(&self) -> &str {
        match self {
            Language::De => "de",
            Language::En => "en",
        }
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "de" => Ok(Language::De),
            "en" => Ok(Language::En),
            _ => Err(format!("{text} is not spoken here")),
        }
    }
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{slug}?hl={+lang}", x_default = "en")]
struct Alone {
    slug: String,
    #[sitemap(languages)]
    languages: Vec<String>,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{lang}/{id}/{slug}/{lang}", x_default = "en")]
struct Rows {
    id: u8,
    #[sitemap(languages(slug))]
    translations: Vec<(String, String)>,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{lang}/{number}")]
struct Map {
    #[sitemap(languages(number))]
    numbers: BTreeMap<Language, u16>,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{lang}/{+path}", base = "https://example.com/x", encoding = "euc-jp")]
struct Hashed {
    #[sitemap(languages(path))]
    paths: HashMap<Box<str>, String>,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{lang}")]
struct Set {
    #[sitemap(languages)]
    languages: HashSet<Language>,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{slug}?hl={lang}", x_default = "en")]
struct Slice {
    slug: String,
    #[sitemap(languages)]
    languages: Box<[String]>,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{lang}/{slug}")]
struct SliceOfPairs {
    #[sitemap(languages(slug))]
    translations: Box<[(Language, String)]>,
}

/// Rows of a table of translations, by functions in both directions.
#[derive(Clone, PartialEq, Debug)]
struct Translation {
    language: String,
    slug: String,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{lang}/{slug}")]
struct Converted {
    #[sitemap(languages(slug), write_with = pairs, read_with = translations)]
    translations: Vec<Translation>,
}

fn pairs(rows: &[Translation]) -> Vec<(&str, &str)> {
    rows.iter()
        .map(|row| (row.language.as_str(), row.slug.as_str()))
        .collect()
}

fn translations(pairs: Vec<(String, String)>) -> Result<Vec<Translation>, String> {
    let one = |(language, slug): (String, String)| match slug.as_str() {
        "bad" => Err("a bad slug".to_owned()),
        _ => Ok(Translation { language, slug }),
    };
    pairs.into_iter().map(one).collect()
}

fn texts(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
        .collect()
}

/// Every entry links to all others, so each gives the whole row.
#[test]
fn languages_of_a_field() {
    let alone = |languages: &[&str]| Alone {
        slug: "a b".to_owned(),
        languages: languages.iter().map(ToString::to_string).collect(),
    };
    round_trip(&[alone(&["en", "de", "pt-BR"])], 3);
    round_trip(&[alone(&["de"])], 1);
    let translations = texts(&[("de", "größe 1/2"), ("en", "size & more")]);
    round_trip(&[Rows { id: 1, translations }], 2);
    round_trip(
        &[Map {
            numbers: [(Language::De, 1), (Language::En, 700)].into(),
        }],
        2,
    );
    let paths = [("ja".into(), "a/b".to_owned()), ("en".into(), "c".to_owned())];
    round_trip(&[Hashed { paths: paths.into() }], 2);
    round_trip(
        &[Set {
            languages: [Language::De, Language::En].into(),
        }],
        2,
    );
    round_trip(
        &[Slice {
            slug: "a".to_owned(),
            languages: ["en".to_owned(), "de".to_owned()].into(),
        }],
        2,
    );
    round_trip(
        &[SliceOfPairs {
            translations: [
                (Language::De, "lampe".to_owned()),
                (Language::En, "lamp".to_owned()),
            ]
            .into(),
        }],
        2,
    );
    let translations = [("de", "lampe"), ("en", "lamp")].map(|(language, slug)| Translation {
        language: language.to_owned(),
        slug: slug.to_owned(),
    });
    round_trip(
        &[Converted {
            translations: translations.to_vec(),
        }],
        2,
    );
    // If there are no links, the loc determines the language.
    let entry = UrlEntry::new("https://example.com/en/7/lamp/en");
    let found = read::<Rows>(&document(&[entry])).remove(0).unwrap();
    assert_eq!(
        found,
        Rows {
            id: 7,
            translations: texts(&[("en", "lamp")])
        }
    );
}

#[test]
fn links_that_are_not_the_rows() {
    let with_links = |links: &[(&str, &str)]| {
        let mut entry = UrlEntry::new("https://example.com/en/7/lamp/en");
        let links = links.iter();
        entry.alternates = links
            .map(|(language, href)| sitemap_serde::Alternate::new(*language, *href))
            .collect();
        entry
    };
    let en = ("en", "https://example.com/en/7/lamp/en");
    let advice = "where pages have other links too, read the entries into a type with a field for `{lang}`";
    let of_de = |href: &str, what: &str| {
        format!(
            "the link to the page in `de`, `{href}`, is none of the template `/{{lang}}/{{id}}/{{slug}}/{{lang}}`: {what}; {advice}"
        )
    };
    for (href, what) in [
        (
            "https://example.com/de/8/lampe/de",
            "`{id}` is `8` in it, and `7` in the loc",
        ),
        ("https://example.com/fr/7/lampe/fr", "the language in it is `fr`"),
        ("https://example.com/de/7", "it does not match"),
        ("https://c.d/de/7/lampe/de", "it is not under the reader's base"),
    ] {
        let (message, rule) = refused::<Rows>(&with_links(&[en, ("de", href)]));
        let expected = match what {
            "it does not match" => of_de(href, "`/` must come after `{id}`, and `7` has none"),
            what => of_de(href, what),
        };
        assert_eq!((message, rule), (expected, None));
    }
    assert_eq!(
        refused::<Rows>(&with_links(&[("de", "https://example.com/de/7/lampe/de")])),
        (
            "the links of the page in `en` do not list the page itself: each page lists all languages, including its own (P-ALT3); read the entries \
             into a type with a field for `{lang}`"
                .to_owned(),
            Some(Rule::Alt3)
        )
    );
    let (message, rule) = refused::<Rows>(&with_links(&[en, en]));
    assert_eq!(
        (message.as_str(), rule),
        (
            "the language `en` is there twice: a page is in each language once (P-ALT3); leave one of them out",
            Some(Rule::Alt3)
        )
    );
    let mut entry = UrlEntry::new("https://example.com/fr/1");
    assert_eq!(refused::<Map>(&entry).0, "fr is not spoken here");
    entry.loc = "https://example.com/de/bad".to_owned();
    assert_eq!(refused::<Converted>(&entry).0, "a bad slug");
    // The link for the default, and links for devices, are no languages.
    let mut entry = with_links(&[en, ("x-default", "https://elsewhere.c/")]);
    entry.alternates.push(sitemap_serde::Alternate::for_media(
        "print",
        "https://example.com/print",
    ));
    assert_eq!(
        read::<Rows>(&document(&[entry])).remove(0).unwrap().translations,
        texts(&[("en", "lamp")])
    );
}

#[derive(SitemapFields, FromSitemapFields, PartialEq, Clone, Default, Debug)]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated_at: Option<String>,
    #[sitemap(image)]
    pictures: Vec<String>,
    #[sitemap(exclude_if)]
    hidden: bool,
    r#type: u8,
}

#[derive(SitemapFields, FromSitemapFields, PartialEq, Clone, Debug)]
struct Seller {
    #[sitemap(priority, default = 0.5)]
    rank: f64,
    #[sitemap(flatten)]
    links: Option<Links>,
}

#[derive(SitemapFields, FromSitemapFields, PartialEq, Clone, Debug)]
struct Links {
    #[sitemap(alternate)]
    links: Vec<(String, String)>,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(
    loc = "/{shop}/{product.slug}/{product.type}?again={+product.slug}",
    changefreq = "daily"
)]
struct Listing {
    shop: String,
    #[sitemap(flatten)]
    product: Product,
    #[sitemap(flatten)]
    seller: Option<Box<Seller>>,
}

fn product() -> Product {
    Product {
        slug: "a/b".to_owned(),
        updated_at: Some("2024-05-06".to_owned()),
        pictures: vec!["https://example.com/x.jpg".to_owned()],
        hidden: false,
        r#type: 3,
    }
}

#[test]
fn flattened_fields() {
    let listing = |seller: Option<Seller>| Listing {
        shop: "north".to_owned(),
        product: product(),
        seller: seller.map(Box::new),
    };
    let links = Links {
        links: texts(&[("de", "https://example.com/de")]),
    };
    round_trip(
        &[
            listing(None),
            listing(Some(Seller {
                rank: 0.5,
                links: None,
            })),
            listing(Some(Seller {
                rank: 0.25,
                links: Some(links),
            })),
        ],
        1,
    );
    // `{+product.slug}` must have the same value in both places. The message names the type that does not parse.
    let entry = UrlEntry::new("https://example.com/north/x/300?again=x");
    assert_eq!(
        refused::<Listing>(&entry).0,
        "`300` is not a value of `{product.type}`: number too large to fit in target type"
    );
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{product.slug}")]
struct Perhaps<P> {
    #[sitemap(flatten)]
    product: Option<Box<Product>>,
    #[sitemap(flatten)]
    more: P,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{id}")]
struct Joined {
    id: u32,
    #[sitemap(flatten)]
    product: Option<Product>,
}

#[test]
fn options_and_generics() {
    round_trip(
        &[Perhaps {
            product: Some(Box::new(Product {
                r#type: 0,
                ..product()
            })),
            more: Links {
                links: texts(&[("de", "https://example.com/de")]),
            },
        }],
        1,
    );
    // The address names one of its values, so it exists.
    let bare = Perhaps {
        product: Some(Box::new(Product {
            slug: "x".to_owned(),
            ..Product::default()
        })),
        more: Links { links: vec![] },
    };
    round_trip(&[bare], 1);
    let with = |product| Joined { id: 7, product };
    let in_part = Product {
        slug: String::new(),
        r#type: 0,
        ..product()
    };
    round_trip(&[with(None), with(Some(in_part))], 1);
}

/// A foreign type, and a hand-written one.
#[derive(PartialEq, Debug)]
struct HasOne<T>(Option<T>);

impl<T> HasOne<T> {
    fn loaded(&self) -> Option<&T> {
        self.0.as_ref()
    }

    fn of(value: Option<T>) -> Self {
        HasOne(value)
    }
}

#[derive(PartialEq, Debug)]
struct Stamps(Option<String>);

impl SitemapFields for Stamps {
    fn write_fields(&self, entry: &mut sitemap_serde::EntryWriter<'_>) -> sitemap_serde::Result<()> {
        entry.lastmod(self.0.as_deref())
    }
}

impl FromSitemapFields for Stamps {
    fn from_fields(entry: &EntryReader<'_>) -> sitemap_serde::Result<Self> {
        Ok(Stamps(entry.lastmod()?.map(|lastmod| lastmod.to_string())))
    }
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
enum Pages {
    #[sitemap(loc = "/one/{id}")]
    One {
        id: u8,
        #[sitemap(flatten, write_with = HasOne::loaded, read_with = HasOne::<Links>::of)]
        links: HasOne<Links>,
        #[sitemap(flatten)]
        stamps: Stamps,
    },
    #[sitemap(loc = "/{0.slug}")]
    Product(#[sitemap(flatten)] Product),
}

#[test]
fn functions_and_implementations_by_hand() {
    let one = |links: Option<Links>| Pages::One {
        id: 1,
        links: HasOne(links),
        stamps: Stamps(Some("2024".to_owned())),
    };
    let links = Links {
        links: texts(&[("de", "https://example.com/de")]),
    };
    let product = Product {
        r#type: 0,
        ..product()
    };
    round_trip(&[one(None), one(Some(links)), Pages::Product(product)], 1);
}

/// In each of a row's languages.
#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{lang}/{product.type}/{slug}")]
struct Everywhere {
    #[sitemap(flatten)]
    product: Product,
    #[sitemap(languages(slug))]
    names: Vec<(String, String)>,
}

#[test]
fn flattened_in_every_language() {
    let product = Product {
        slug: String::new(),
        ..product()
    };
    let names = texts(&[("de", "a b"), ("en", "c")]);
    round_trip(&[Everywhere { product, names }], 2);
}

/// A part in an `Option` is `Some` if at least one of its elements is present.
#[test]
fn each_element_alone() {
    #[derive(FromSitemapFields, Debug)]
    struct All {
        #[sitemap(lastmod)]
        _lastmod: Option<String>,
        #[sitemap(changefreq)]
        _changefreq: Option<String>,
        #[sitemap(priority)]
        _priority: Option<f64>,
        #[sitemap(image)]
        _images: Vec<String>,
        #[sitemap(video)]
        _videos: Vec<sitemap_serde::Video>,
        #[sitemap(news)]
        _news: Option<sitemap_serde::News>,
        #[sitemap(alternate)]
        _links: Vec<(String, String)>,
    }
    #[derive(FromSitemapEntry, Debug)]
    #[sitemap(loc = "/x")]
    struct Row {
        #[sitemap(flatten)]
        part: Option<All>,
    }
    let with = |give: fn(&mut UrlEntry)| {
        let mut entry = UrlEntry::new("https://example.com/x");
        give(&mut entry);
        read::<Row>(&document(&[entry])).remove(0).unwrap().part.is_some()
    };
    assert!(!with(|_| {}));
    for give in [
        (|entry| entry.lastmod = Some("2024".parse().unwrap())) as fn(&mut UrlEntry),
        |entry| entry.changefreq = Some("daily".parse().unwrap()),
        |entry| entry.priority = Some("0.5".parse().unwrap()),
        |entry| entry.images = vec![sitemap_serde::Image::new("https://example.com/x.jpg")],
        |entry| {
            entry.videos = vec![
                sitemap_serde::Video::content("https://example.com/x.mp4")
                    .with_thumbnail("https://example.com/x.jpg")
                    .with_title("x")
                    .with_description("y"),
            ];
        },
        |entry| {
            let publication = sitemap_serde::news::Publication::new("x", "en");
            let date = "2024-05-06".parse().unwrap();
            entry.news = Some(Box::new(sitemap_serde::News::new(publication, date, "y")));
        },
        |entry| entry.alternates = vec![sitemap_serde::Alternate::new("en", "https://example.com/x")],
    ] {
        assert!(with(give));
    }
}
