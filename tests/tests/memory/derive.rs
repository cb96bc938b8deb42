//! Derived writing allocates nothing per entry, once the writer's buffers have grown to the longest one.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use chrono::{DateTime, NaiveDateTime, Utc};
use sitemap_serde::{
    Alternate, ChangeFreq, Image, News, OnInvalid, SitemapEntry, SitemapFields, Video, WriterBuilder,
    convert, news::Publication,
};
use uuid::Uuid;

/// A row as Diesel returns it.
#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{id}/{slug}?page={page}", changefreq = "weekly")]
struct Product {
    id: i64,
    slug: String,
    page: Option<u32>,
    #[sitemap(lastmod)]
    updated_at: DateTime<Utc>,
    #[sitemap(priority)]
    boost: f32,
    #[sitemap(exclude_if)]
    draft: bool,
}

/// The other ways to write each value.
#[derive(SitemapEntry)]
enum Page {
    Product(Product),
    #[sitemap(loc = "/about", lastmod = "2024-05-06", priority = 0.5)]
    About,
    #[sitemap(loc = "/{0}/{+1}")]
    Paths(
        Uuid,
        Cow<'static, str>,
        #[sitemap(lastmod, zone = "+09:00")] Option<NaiveDateTime>,
        #[sitemap(priority, default = 0.25)] Option<f64>,
    ),
    Whole {
        #[sitemap(loc)]
        url: Arc<str>,
        #[sitemap(changefreq)]
        changefreq: ChangeFreq,
        #[sitemap(lastmod)]
        lastmod: &'static str,
    },
}

fn product(i: i64) -> Product {
    Product {
        id: i,
        slug: format!("lamp & shade {i} サ"),
        page: Some(2),
        updated_at: DateTime::from_timestamp(1_714_979_289 + i * 7, 250_000_000).unwrap(),
        boost: f32::from(u8::try_from(i % 100).unwrap()) / 100.0,
        draft: i % 10 == 0,
    }
}

/// The elements of an entry beyond the core.
#[derive(SitemapEntry)]
#[sitemap(
    loc = "/サイト/{slug}",
    base = "https://example.com/shop",
    encoding = "euc-jp"
)]
struct Rich {
    slug: String,
    #[sitemap(image)]
    photo_url: Option<String>,
    #[sitemap(image)]
    images: Vec<Image>,
    #[sitemap(image, write_with = paths)]
    photos: [u64; 2],
    #[sitemap(video)]
    video: Video,
    #[sitemap(news)]
    news: Option<News>,
    #[sitemap(alternate)]
    languages: Vec<(&'static str, String)>,
    #[sitemap(alternate)]
    links: Album,
}

/// Paths are made without any allocation.
fn paths(_: &[u64; 2]) -> [&'static str; 2] {
    ["/photos/1", "/photos/サ"]
}

struct Album(Vec<Alternate>);

impl<'a> IntoIterator for &'a Album {
    type Item = &'a Alternate;
    type IntoIter = std::slice::Iter<'a, Alternate>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

fn rich(i: i64) -> Rich {
    let url = |path: &str| format!("https://example.com/{path}/{i}");
    let mut image = Image::new(url("images"));
    image.caption = Some("A lamp & its shade".to_owned());
    Rich {
        slug: format!("サイトマップ {i}"),
        photo_url: (i % 2 == 0).then(|| url("photos")),
        images: vec![image; 3],
        photos: [1, 2],
        video: Video::content(url("videos"))
            .with_thumbnail(url("thumbnails"))
            .with_title("A lamp")
            .with_description("How it shines"),
        // A document has at most 1,000.
        news: (i % 10 == 0).then(|| {
            News::new(
                Publication::new("The Example Times", "en"),
                "2024-05-06T07:08:09Z".parse().unwrap(),
                "Lamps",
            )
        }),
        languages: vec![("de", url("de")), ("fr", url("fr"))],
        links: Album(vec![Alternate::for_media("print", url("print"))]),
    }
}

/// The number of allocations for writing the rows, after the first few hundred.
fn allocations<T: SitemapEntry>(rows: &[T], write_entry: impl Fn(&T)) -> u64 {
    allocations_of(&WriterBuilder::new(), rows, write_entry)
}

/// The same with other settings.
fn allocations_of<T: SitemapEntry>(settings: &WriterBuilder, rows: &[T], write_entry: impl Fn(&T)) -> u64 {
    let mut writer = settings
        .clone()
        .base("https://example.com")
        .from_writer(io::sink());
    // Enough to fill a block of the writer.
    let (first, rest) = rows.split_at(500);
    for row in first {
        writer.write(row).unwrap();
    }
    let counted = allocation_counter::measure(|| {
        for row in rest {
            writer.write(row).unwrap();
            write_entry(row);
        }
    });
    assert!(writer.summary().entries > 1_000);
    writer.finish().unwrap();
    counted.count_total
}

#[test]
fn rows_without_any() {
    let rows: Vec<Product> = (10_000..15_000).map(product).collect();
    assert_eq!(allocations(&rows, |_| {}), 0);
    // The counter counts.
    assert_eq!(
        allocations(&rows, |row| drop(std::hint::black_box(row.slug.clone()))),
        4_500
    );
}

#[test]
fn every_other_kind_of_value_without_any() {
    let rows: Vec<Page> = (10_000..15_000)
        .map(|i| match i % 4 {
            0 => Page::Product(product(i)),
            1 => Page::About,
            2 => Page::Paths(
                Uuid::from_u128(i.unsigned_abs().into()),
                Cow::Owned(format!("a/{i}")),
                Some(DateTime::from_timestamp(i, 0).unwrap().naive_utc()),
                None,
            ),
            _ => Page::Whole {
                url: format!("https://example.com/a?b={i}&c").into(),
                changefreq: ChangeFreq::Daily,
                lastmod: "2024-05-06T07:08Z",
            },
        })
        .collect();
    assert_eq!(allocations(&rows, |_| {}), 0);
}

#[test]
fn extensions_in_another_encoding_without_any() {
    let rows: Vec<Rich> = (10_000..15_000).map(rich).collect();
    assert_eq!(allocations(&rows, |_| {}), 0);
}

/// Types of different bases in one document.
#[test]
fn types_side_by_side_without_any() {
    enum Row {
        Plain(Product),
        Rich(Box<Rich>),
    }

    impl SitemapEntry for Row {
        fn write_entry(&self, entry: &mut sitemap_serde::EntryWriter<'_>) -> sitemap_serde::Result<()> {
            match self {
                Row::Plain(row) => row.write_entry(entry),
                Row::Rich(row) => row.write_entry(entry),
            }
        }
    }

    let rows: Vec<Row> = (10_000..13_000)
        .map(|i| match i % 2 {
            0 => Row::Plain(product(i)),
            _ => Row::Rich(Box::new(rich(i))),
        })
        .collect();
    assert_eq!(allocations(&rows, |_| {}), 0);
}

/// An entry for each language, links and images by template, and functions of the row.
#[test]
fn languages_and_functions_without_any() {
    #[derive(SitemapEntry)]
    enum Row {
        #[sitemap(
            loc = "/{lang}/{slug}",
            languages("de", "en", "ja"),
            x_default = "en",
            image = "/img/{id}-{lang}.jpg"
        )]
        Article { id: i64, slug: String },
        #[sitemap(loc = "/{lang}/{slug}/{id}", x_default = "en")]
        Product {
            id: i64,
            #[sitemap(languages(slug))]
            names: Vec<(&'static str, String)>,
        },
        #[sitemap(
            loc = Self::url,
            lastmod = Self::changed,
            priority = Self::rank,
            image = Self::url,
            alternate(template = "https://example.com/{lang}/{id}", languages("de", "en"))
        )]
        Computed { id: i64, url: String },
    }
    impl Row {
        fn url(&self) -> Result<&str, &'static str> {
            match self {
                Row::Computed { url, .. } => Ok(url),
                _ => Err("no URL"),
            }
        }

        fn changed(&self) -> Option<&'static str> {
            self.url().ok().map(|_| "2024-05-06T07:08Z")
        }

        fn rank(&self) -> f32 {
            if matches!(self, Row::Computed { .. }) {
                0.5
            } else {
                0.1
            }
        }
    }

    let rows: Vec<Row> = (10_000..12_000)
        .map(|id| match id % 3 {
            0 => Row::Article {
                id,
                slug: format!("サ{id} & b"),
            },
            1 => Row::Product {
                id,
                names: vec![("de", format!("ö{id}")), ("en", format!("o{id}"))],
            },
            _ => Row::Computed {
                id,
                url: format!("https://example.com/en/{id}"),
            },
        })
        .collect();
    assert_eq!(allocations(&rows, |_| {}), 0);
}

/// A part of a row, by an ORM's join.
#[derive(SitemapFields)]
#[sitemap(image = "/photos/{photo}.jpg")]
struct Part {
    slug: String,
    photo: Option<u32>,
    #[sitemap(lastmod, precision = "second")]
    updated_at: Option<DateTime<Utc>>,
    #[sitemap(flatten)]
    links: Option<Links>,
}

#[derive(SitemapFields)]
struct Links {
    #[sitemap(alternate)]
    links: Vec<(&'static str, String)>,
}

/// The ORM's wrapper of a relation.
struct HasOne(Option<Part>);

impl HasOne {
    fn loaded(&self) -> Option<&Part> {
        self.0.as_ref()
    }
}

#[derive(SitemapEntry)]
enum Joined {
    #[sitemap(loc = "/{shop}/{part.slug}", priority = 0.25 + 0.5, image = "/big/{part.photo}.jpg")]
    Row {
        shop: &'static str,
        #[sitemap(flatten)]
        part: Part,
    },
    #[sitemap(loc = "/{lang}/{id}/{0.slug}")]
    Related(
        #[sitemap(flatten, write_with = HasOne::loaded)] HasOne,
        #[sitemap(languages(id))] Vec<(&'static str, u32)>,
    ),
}

fn part(i: i64) -> Part {
    Part {
        slug: format!("サ & {i}"),
        photo: (i % 3 == 0).then_some(7),
        updated_at: DateTime::from_timestamp(i, 123_456_789),
        links: (i % 2 == 0).then(|| Links {
            links: vec![("de", format!("https://example.com/de/{i}"))],
        }),
    }
}

#[test]
fn flattened_fields_without_any() {
    let rows: Vec<Joined> = (10_000..12_000)
        .map(|i| match i % 2 {
            0 => Joined::Row {
                shop: "a/b",
                part: part(i / 2),
            },
            _ => Joined::Related(
                HasOne(Some(Part {
                    links: None,
                    ..part(i)
                })),
                vec![("de", 1), ("en", 2)],
            ),
        })
        .collect();
    assert_eq!(allocations(&rows, |_| {}), 0);
}

#[test]
fn videos_by_templates_without_any() {
    #[derive(SitemapEntry)]
    #[sitemap(
        loc = "/{lang}/{id}",
        languages("de", "en"),
        video(
            thumbnail_loc = "/{id}-{lang}.jpg",
            title = "{name} & {{more}}",
            description = Self::about,
            content_loc = "https://cdn.example.net/{name}.mp4",
            player_loc = Self::player,
            duration = "{seconds}",
            rating = "{stars}",
            publication_date = "{released}",
            expiration_date = Self::end,
            family_friendly = "{for_all}",
            uploader = "{name}"
        )
    )]
    struct Film {
        id: i64,
        name: String,
        seconds: Option<u32>,
        stars: f32,
        released: DateTime<Utc>,
        for_all: bool,
    }
    impl Film {
        fn about(&self) -> &str {
            &self.name
        }

        fn player(&self) -> Result<Option<&'static str>, &'static str> {
            (self.id > 0).then_some(Some("/play/サ")).ok_or("no player")
        }

        fn end(&self) -> Option<DateTime<Utc>> {
            self.seconds.map(|_| self.released)
        }
    }
    let rows: Vec<Film> = (10_000..12_000)
        .map(|id| Film {
            id,
            name: format!("<サ {id}>"),
            seconds: (id % 2 == 0).then_some(60),
            stars: 4.5,
            released: DateTime::from_timestamp(id, 500_000_000).unwrap(),
            for_all: id % 3 == 0,
        })
        .collect();
    assert_eq!(allocations(&rows, |_| {}), 0);
}

#[test]
fn elements_of_other_namespaces_without_any() {
    #[derive(serde::Serialize)]
    struct Price<'a> {
        #[serde(rename = "@currency")]
        currency: &'a str,
        #[serde(rename = "$text")]
        amount: f64,
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{id}")]
    struct Row {
        id: i64,
        #[sitemap(element = "shop:price")]
        prices: [Price<'static>; 2],
        #[sitemap(element = "shop:name")]
        name: Option<String>,
        #[sitemap(element = "shop:stock")]
        stock: u32,
    }
    let price = |amount| Price {
        currency: "EUR",
        amount,
    };
    let rows: Vec<Row> = (10_000..12_000)
        .map(|id| Row {
            id,
            prices: [price(9.9), price(0.1 + 0.2)],
            name: (id % 2 == 0).then(|| format!("<{id}>")),
            stock: 7,
        })
        .collect();
    let mut builder = WriterBuilder::new();
    builder.namespace("shop", "urn:shop");
    assert_eq!(allocations_of(&builder, &rows, |_| {}), 0);
}

/// Values as databases store them, with the precision and the checks that the writer is configured for.
#[test]
fn columns_precision_and_checks_without_any() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{lang}/{id}", x_default = "en")]
    struct Row {
        id: i64,
        #[sitemap(lastmod, with = convert::unix_millis)]
        updated: Option<i64>,
        #[sitemap(priority, with = convert::decimal, default = LOW)]
        rank: Option<&'static str>,
        #[sitemap(languages)]
        languages: [&'static str; 2],
    }
    const LOW: f32 = 0.1;
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/x", lastmod = Self::updated, precision = "minute")]
    struct Computed(i64);
    impl Computed {
        fn updated(&self) -> Option<DateTime<Utc>> {
            DateTime::from_timestamp(self.0, 1)
        }
    }
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/text")]
    struct Text(#[sitemap(lastmod, with = convert::sql_date_time)] &'static str);

    #[track_caller]
    fn assert_none<T: SitemapEntry>(row: impl Fn(i64) -> T) {
        let rows: Vec<T> = (10_000..12_000).map(row).collect();
        assert_eq!(allocations(&rows, |_| {}), 0);
        let mut strict = WriterBuilder::new();
        strict
            .check_alternates(true)
            .lastmod_precision(sitemap_serde::Precision::Day);
        assert_eq!(allocations_of(&strict, &rows, |_| {}), 0);
    }

    let row = |i: i64| Row {
        id: i,
        updated: None,
        rank: None,
        languages: ["de", "en"],
    };
    assert_none(row);
    assert_none(|i| Row {
        updated: Some(i * 1_000_003),
        ..row(i)
    });
    assert_none(|i| Row {
        rank: Some("0.850"),
        ..row(i)
    });
    assert_none(Computed);
    assert_none(|_| Text("2024-05-06 07:08:09.5"));
}

/// A writer that drops invalid values only allocates for its reports.
#[test]
fn rows_that_a_lenient_writer_takes_without_any() {
    for entries in [false, true] {
        let mut lenient = WriterBuilder::new();
        if entries {
            lenient.on_invalid(OnInvalid::SkipEntry);
        } else {
            lenient.on_invalid(OnInvalid::DropValue);
        }
        let rows: Vec<Rich> = (10_000..12_000).map(rich).collect();
        assert_eq!(allocations_of(&lenient, &rows, |_| {}), 0);
        let rows: Vec<Product> = (10_000..12_000).map(product).collect();
        assert_eq!(allocations_of(&lenient, &rows, |_| {}), 0);
        // An empty text is no image, and needs no report.
        let rows: Vec<Rich> = (10_000..12_000)
            .map(|i| Rich {
                photo_url: Some(String::new()),
                ..rich(i)
            })
            .collect();
        assert_eq!(allocations_of(&lenient, &rows, |_| {}), 0);
    }
}
