//! The values that derived types read.
#![allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "`with` and `exclude_if` hand over references"
)]

use std::borrow::Cow;
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;
use std::time::SystemTime;

use sitemap_serde::{
    ChangeFreq, Error, FromSitemapEntry, IndexEntry, Priority, Reader, ReaderBuilder, Record, SitemapEntry,
    UrlEntry, W3cDateTime,
    convert::{FromChangeFreq, ToChangeFreq},
};

use crate::derive::tools::{assert_same, assert_unreadable, document, read};

fn read_page<T: FromSitemapEntry>(children: &str) -> Result<T, Error> {
    read(&ReaderBuilder::new(), &document(children))
}

fn read_loc<T: FromSitemapEntry>(loc: &str) -> Result<T, Error> {
    read_page(&format!("<loc>{loc}</loc>"))
}

#[derive(SitemapEntry, FromSitemapEntry, Clone, PartialEq, Debug)]
#[sitemap(loc = "/products/{slug}", changefreq = "weekly", priority = 0.8)]
struct Product {
    id: i64,
    slug: String,
    #[sitemap(lastmod)]
    updated_at: Option<chrono::DateTime<chrono::Utc>>,
    #[sitemap(exclude_if)]
    draft: bool,
    #[sitemap(include_if)]
    public: bool,
}

fn product(slug: &str) -> Product {
    Product {
        id: 0,
        slug: slug.to_owned(),
        updated_at: None,
        draft: false,
        public: true,
    }
}

#[test]
fn a_row_and_back() {
    assert_same(&product("lamp & shade"));
    assert_same(&Product {
        updated_at: Some("2024-05-06T07:08:09.250Z".parse().unwrap()),
        ..product("50% サ/?#")
    });
    // The type's literals define the output, not the expected input.
    let other =
        read_page::<Product>("<loc>http://shop.example/products/x</loc><changefreq>daily</changefreq>");
    assert_eq!(other.unwrap(), product("x"));
}

#[test]
fn a_loc_that_does_not_match_says_why() {
    assert_unreadable::<Product>(
        "<loc>https://example.com/about</loc>",
        "`https://example.com/about` does not match the template `/products/{slug}`: its path does not begin with \
         `/products/`; an enum with a variant for each kind of page reads them all, at line 2, column 11 (byte 298), \
         entry 1 · loc",
    );
    assert_unreadable::<Product>(
        "<loc>https://example.com/products/a/b</loc>",
        "`https://example.com/products/a/b` does not match the template `/products/{slug}`: `{slug}` holds no `/`, and \
         `a/b` does; an enum with a variant for each kind of page reads them all, at line 2, column 11 (byte 298), \
         entry 1 · loc",
    );
    assert_unreadable::<Product>(
        "<loc>/products/a</loc>",
        "`/products/a` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` \
         (P-LOC); write the absolute URL, or read it into a `String` and resolve it, at line 2, column 11 (byte 298), \
         entry 1 · loc",
    );
    assert_unreadable::<Product>(
        "<loc>https://example.com/products/%A5%B5</loc>",
        "`%A5%B5` is not a value of `{slug}`: it is not percent-encoded as UTF-8 (P-LOCENC), at line 2, column 11 \
         (byte 298), entry 1 · loc",
    );
    assert_unreadable::<Product>(
        "<loc>https://example.com/products/a</loc><lastmod>2024-05-06</lastmod>",
        "`2024-05-06` does not convert to `chrono::DateTime<Utc>`: it has no time and no zone; write both, or call \
         `assume_utc` for the start of it in UTC, at line 2, column 56 (byte 343), entry 1 · lastmod",
    );
    assert_unreadable::<Product>(
        "<loc>https://example.com/products/a</loc><lastmod>yesterday</lastmod>",
        "`yesterday` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a \
         zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out, at line 2, \
         column 56 (byte 343), entry 1 · lastmod",
    );
}

#[test]
fn types_of_placeholders() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/{a}/{b}/{c}/{d?}/{e}/{f}/{g}/{h}?i={i}&a={a}")]
    struct All<'a> {
        a: u8,
        b: Option<i64>,
        c: Cow<'a, str>,
        d: Box<str>,
        e: Arc<str>,
        f: Option<Rc<str>>,
        g: char,
        h: std::net::IpAddr,
        i: url::Url,
    }

    assert_same(&All {
        a: 7,
        b: Some(-8),
        c: Cow::Borrowed("c/c"),
        d: "".into(),
        e: "é".into(),
        f: Some("a b".into()),
        g: '&',
        h: "::1".parse().unwrap(),
        i: "https://example.com/a?b=c#d".parse().unwrap(),
    });
    assert_unreadable::<All<'_>>(
        "<loc>https://example.com/300/0/c/d/e/f/g/::1?i=https:%2F%2Fa&amp;a=300</loc>",
        "`300` is not a value of `{a}`: number too large to fit in target type, at line 2, column 11 (byte 298), \
         entry 1 · loc",
    );
    assert_unreadable::<All<'_>>(
        "<loc>https://example.com/3/0/c/d/e/f/g/::1?i=https:%2F%2Fa&amp;a=4</loc>",
        "`4` is not a value of `{a}`: it is `3` in another place of the loc, at line 2, column 11 (byte 298), \
         entry 1 · loc",
    );
}

#[test]
fn types_of_locs() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    struct Page<T>(#[sitemap(loc)] T);

    let url = "https://example.com/a?b=c&d=%C3%A9";
    assert_same(&Page(url.to_owned()));
    assert_same(&Page(Some(url.to_owned())));
    assert_same(&Page(Cow::Borrowed(url)));
    assert_same(&Page(Box::<str>::from(url)));
    assert_same(&Page(Arc::<str>::from(url)));
    assert_same(&Page(Rc::<str>::from(url)));
    assert_same(&Page(url::Url::parse(url).unwrap()));

    assert_unreadable::<Page<url::Url>>(
        "<loc>https://1.2.3.4.5/</loc>",
        "`https://1.2.3.4.5/` is not a `url::Url`: invalid IPv4 address (P-LOC); read it as text, or correct it, at line 2, \
         column 11 (byte 298), entry 1 · loc",
    );
}

#[test]
fn types_of_the_other_three() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/")]
    struct Page<L, C, P>(
        #[sitemap(lastmod)] L,
        #[sitemap(changefreq)] C,
        #[sitemap(priority)] P,
    );

    /// A frequency of the application's own.
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Often {
        Daily,
        Unknown,
    }

    impl ToChangeFreq for Often {
        fn to_changefreq(&self) -> Result<Option<ChangeFreq>, Error> {
            Ok((*self == Often::Daily).then_some(ChangeFreq::Daily))
        }
    }

    impl FromChangeFreq for Often {
        fn from_changefreq(value: Option<ChangeFreq>) -> Result<Self, Error> {
            Ok(match value {
                Some(ChangeFreq::Daily) => Often::Daily,
                _ => Often::Unknown,
            })
        }
    }

    let stamp = "2024-05-06T07:08:09Z";
    let w3c: W3cDateTime = stamp.parse().unwrap();
    assert_same(&Page(w3c, ChangeFreq::Daily, Priority::MAX));
    assert_same(&Page(Some(w3c), Some(ChangeFreq::Daily), Some(Priority::DEFAULT)));
    assert_same(&Page(None::<W3cDateTime>, None::<ChangeFreq>, None::<Priority>));
    assert_same(&Page(SystemTime::UNIX_EPOCH, "daily", 0.85_f32));
    assert_same(&Page("2024-05".to_owned(), "daily".to_owned(), 0.123_456_f64));
    assert_same(&Page(
        Box::<str>::from("2024"),
        Cow::Borrowed("never"),
        Box::new(0.000_001_f32),
    ));
    assert_same(&Page(
        Arc::<str>::from("2024-05-06T07:08Z"),
        Rc::<str>::from("never"),
        1.0_f32,
    ));
    assert_same(&Page(
        chrono::DateTime::parse_from_rfc3339("2024-05-06T16:08:09.5+09:00").unwrap(),
        Often::Daily,
        0.0_f32,
    ));
    assert_same(&Page(
        chrono::NaiveDate::from_ymd_opt(2024, 5, 6).unwrap(),
        Often::Unknown,
        0.999_999,
    ));
    let seconds = 1_714_979_289;
    let offset = time::OffsetDateTime::from_unix_timestamp(seconds).unwrap();
    assert_same(&Page(offset, Some(Often::Daily), Some(0.5_f32)));
    assert_same(&Page(offset.date(), Some(Often::Daily), None::<f64>));
    assert_same(&Page(
        time::UtcDateTime::from_unix_timestamp(seconds).unwrap(),
        "never",
        0.5_f32,
    ));
    let timestamp = jiff1::Timestamp::from_second(seconds).unwrap();
    assert_same(&Page(timestamp, "never", 0.5_f32));
    assert_same(&Page(
        timestamp.to_zoned_datetime(jiff1::tz::TimeZone::UTC),
        "never",
        0.5_f32,
    ));
    assert_same(&Page(jiff1::civil::date(2024, 5, 6), "never", 0.5_f32));
    let zoned = jiff02::Timestamp::from_second(seconds)
        .unwrap()
        .to_zoned(jiff02::tz::TimeZone::UTC);
    assert_same(&Page(zoned, "never", 0.5_f32));

    for (entry, message) in [
        (
            "<changefreq>daily</changefreq><priority>1</priority>",
            "no `lastmod`, and the field that it is read into cannot be without one; make the field an `Option`, \
             at line 2, column 1 (byte 288), entry 1 · lastmod",
        ),
        (
            "<lastmod>2024</lastmod><priority>1</priority>",
            "no `changefreq`, and the field that it is read into cannot be without one; make the field an `Option`, or say \
             what it is then, with `default = …`, at line 2, column 1 (byte 288), entry 1 · changefreq",
        ),
        (
            "<lastmod>2024</lastmod><changefreq>daily</changefreq><priority/>",
            "no `priority`, and the field that it is read into cannot be without one; make the field an `Option`, or say \
             what it is then, with `default = …`, at line 2, column 91 (byte 378), entry 1 · priority",
        ),
        (
            "<lastmod>2024</lastmod><changefreq>daily</changefreq><priority>10</priority>",
            "`10` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
             field out, at line 2, column 90 (byte 377), entry 1 · priority",
        ),
    ] {
        assert_unreadable::<Page<W3cDateTime, ChangeFreq, f32>>(
            &format!("<loc>https://a/</loc>{entry}"),
            message,
        );
    }
}

#[test]
fn a_default_stands_in_on_both_ways() {
    const LOW: f64 = 0.25;

    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/")]
    struct Page(
        #[sitemap(priority, default = LOW)] f64,
        #[sitemap(changefreq, default = "yearly")] ChangeFreq,
    );

    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/")]
    struct Maybe(#[sitemap(priority, default = 0.3)] Option<f32>);

    assert_same(&Page(0.1, ChangeFreq::Daily));
    assert_eq!(
        read_loc::<Page>("https://a/").unwrap(),
        Page(LOW, ChangeFreq::Yearly)
    );
    assert_same(&Maybe(Some(0.3)));
    // `None` was written as its default value, so the default value is read.
    assert_eq!(read_loc::<Maybe>("https://a/").unwrap(), Maybe(Some(0.3)));
}

#[test]
fn naive_date_times() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    enum Page {
        #[sitemap(loc = "/chrono")]
        Chrono(#[sitemap(lastmod, zone = "+09:00")] chrono::NaiveDateTime),
        #[sitemap(loc = "/time")]
        Time(#[sitemap(lastmod, zone = "-03:30")] Option<time::PrimitiveDateTime>),
        #[sitemap(loc = "/jiff")]
        Jiff(#[sitemap(lastmod, zone = "UTC")] jiff1::civil::DateTime),
        #[sitemap(loc = "/jiff02")]
        Jiff02(#[sitemap(lastmod, zone = "UTC")] jiff02::civil::DateTime),
    }

    let date = time::Date::from_calendar_date(2024, time::Month::May, 6).unwrap();
    for page in [
        Page::Chrono("2024-05-06T07:08:09".parse().unwrap()),
        Page::Time(Some(date.with_hms_nano(23, 59, 59, 999_999_999).unwrap())),
        Page::Time(None),
        Page::Jiff(jiff1::civil::date(2024, 5, 6).at(7, 8, 9, 0)),
        Page::Jiff02(jiff02::civil::date(2024, 5, 6).at(7, 8, 9, 0)),
    ] {
        assert_same(&page);
    }
    // In another zone than the written one.
    let read: Page = read_page("<loc>https://a/chrono</loc><lastmod>2024-05-06T00:00:00Z</lastmod>").unwrap();
    assert_eq!(read, Page::Chrono("2024-05-06T09:00:00".parse().unwrap()));
    assert_unreadable::<Page>(
        "<loc>https://a/chrono</loc><lastmod>2024-05-06</lastmod>",
        "`2024-05-06` does not convert to `chrono::DateTime<Utc>`: it has no time and no zone; write both, or call \
         `assume_utc` for the start of it in UTC, at line 2, column 42 (byte 329), entry 1 · lastmod",
    );
}

#[test]
fn conversions() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/{name}/{year}")]
    struct Book {
        #[sitemap(write_with = slug, read_with = title)]
        name: String,
        // Read from the template, so the lastmod needs no way back.
        #[sitemap(lastmod, write_with = first_day)]
        year: u16,
        #[sitemap(priority, write_with = share, read_with = percent)]
        boost: u8,
        #[sitemap(changefreq, write_with = frequency, read_with = days)]
        every: u16,
    }

    fn slug(name: &str) -> String {
        name.to_lowercase().replace(' ', "-")
    }

    fn title(slug: &str) -> String {
        let words = slug.split('-').map(|word| {
            let (first, rest) = word.split_at(1);
            first.to_uppercase() + rest
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn first_day(year: &u16) -> Option<W3cDateTime> {
        W3cDateTime::from_ymd(*year, 1, 1).ok()
    }

    fn share(boost: &u8) -> f32 {
        f32::from(*boost) / 100.0
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0.0 to 1.0"
    )]
    fn percent(share: Option<f32>) -> u8 {
        (share.unwrap_or(0.5) * 100.0).round() as u8
    }

    fn frequency(days: &u16) -> ChangeFreq {
        if *days == 1 {
            ChangeFreq::Daily
        } else {
            ChangeFreq::Weekly
        }
    }

    fn days(frequency: ChangeFreq) -> Result<u16, String> {
        match frequency {
            ChangeFreq::Daily => Ok(1),
            ChangeFreq::Weekly => Ok(7),
            other => Err(format!("`{other}` is no number of days")),
        }
    }

    #[derive(FromSitemapEntry, PartialEq, Debug)]
    struct Host(#[sitemap(loc, read_with = host)] String);

    fn host(loc: &str) -> Result<String, &'static str> {
        let (_, rest) = loc.split_once("://").ok_or("no host")?;
        Ok(rest.split('/').next().unwrap_or_default().to_owned())
    }

    let book = Book {
        name: "Moby Dick".to_owned(),
        year: 1851,
        boost: 70,
        every: 7,
    };
    assert_same(&book);
    assert_unreadable::<Book>(
        "<loc>https://a/moby-dick/1851</loc><changefreq>never</changefreq>",
        "`never` is no number of days, at line 2, column 53 (byte 340), entry 1 · changefreq",
    );
    assert_eq!(
        read_loc::<Host>("https://a.example/x").unwrap(),
        Host("a.example".to_owned())
    );
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
enum Page {
    #[sitemap(loc = "/", changefreq = "daily", priority = 1.0)]
    Home,
    #[sitemap(loc = "/サイトマップ")]
    Map,
    #[sitemap(loc = "/products/{0}")]
    Number(u32),
    Product(Product),
    Boxed(Box<Inner>),
    #[sitemap(loc = "/tags/{0}/{1}")]
    Tag(String, u8),
    #[sitemap(loc = "https://blog.example/{+path}")]
    Post {
        path: String,
        #[sitemap(lastmod)]
        written: Option<W3cDateTime>,
        #[sitemap(exclude_if)]
        draft: bool,
    },
    Rest(Box<UrlEntry>),
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
enum Inner {
    #[sitemap(loc = "/inner")]
    Inner,
    #[sitemap(loc = "/inner/{id}-{slug}.html")]
    Item { id: i32, slug: String },
}

#[test]
fn the_first_variant_that_matches() {
    for page in [
        Page::Home,
        Page::Map,
        Page::Number(7),
        Page::Product(product("7x")),
        Page::Boxed(Box::new(Inner::Inner)),
        Page::Boxed(Box::new(Inner::Item {
            id: -5,
            slug: "-a-b.html".to_owned(),
        })),
        Page::Tag("a/b".to_owned(), 1),
        Page::Rest(Box::new(UrlEntry::new("https://example.com/other"))),
    ] {
        assert_same(&page);
    }
    assert_eq!(read_loc::<Page>("https://example.com").unwrap(), Page::Home);
    assert_eq!(
        read_loc::<Page>("https://example.com/%e3%82%b5イトマップ").unwrap(),
        Page::Map
    );
    assert_eq!(
        read_loc::<Page>("HTTPS://Blog.Example/a/b%20c?d#e").unwrap(),
        Page::Post {
            path: "a/b%20c?d#e".to_owned(),
            written: None,
            draft: false,
        }
    );

    assert_unreadable::<Inner>(
        "<loc>https://example.com/other</loc>",
        "`https://example.com/other` matches no variant of `Inner`: `Inner` (`/inner`), `Item` \
         (`/inner/{id}-{slug}.html`), at line 2, column 11 (byte 298), entry 1 · loc",
    );
    // The reason comes from the variant whose template matches.
    assert_unreadable::<Inner>(
        "<loc>https://example.com/inner/x-y.html</loc>",
        "`x` is not a value of `{id}`: invalid digit found in string, at line 2, column 11 (byte 298), entry 1 · loc",
    );
    // Only an invalid loc is a reason to try another variant.
    assert_unreadable::<Page>(
        "<loc>https://example.com/products/x</loc><lastmod>2024</lastmod>",
        "`2024` does not convert to `chrono::DateTime<Utc>`: it has no time and no zone; write both, or call \
         `assume_utc` for the start of it in UTC, at line 2, column 56 (byte 343), entry 1 · lastmod",
    );
}

#[test]
fn under_a_base() {
    let xml = document("<loc>https://example.com:443/shop/products/a</loc>");
    let read_under = |base: &str| {
        let row = read::<Product>(ReaderBuilder::new().base(base), &xml);
        row.map_err(|error| error.to_string())
    };
    assert_eq!(read_under("https://EXAMPLE.com/shop/"), Ok(product("a")));
    for base in [
        "https://example.com/sho",
        "http://example.com/shop",
        "https://example.org/shop",
    ] {
        assert_eq!(
            read_under(base).unwrap_err(),
            "`https://example.com:443/shop/products/a` does not match the template `/products/{slug}`: it is not under \
             the reader's base; an enum with a variant for each kind of page reads them all, at line 2, column 11 \
             (byte 298), entry 1 · loc"
        );
    }
    assert!(
        read_under("https://example.com")
            .unwrap_err()
            .contains("its path does not begin with `/products/`")
    );
    assert!(
        read_under("example.com")
            .unwrap_err()
            .contains("`example.com` is not a base")
    );
}

#[test]
fn either_kind_of_document_and_what_comes_after_an_error() {
    #[derive(FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/{number}.xml")]
    struct Part {
        number: u8,
    }

    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
        <sitemap><loc>https://a/1.xml</loc><lastmod>2024</lastmod></sitemap>\
        <sitemap><loc>/2.xml</loc></sitemap>\
        <sitemap><loc>https://a/3.xml</loc></sitemap></sitemapindex>";

    let mut reader = Reader::from_str(index);
    let read: Vec<_> = reader.read::<IndexEntry>().collect();
    assert_eq!(read.len(), 3);
    assert_eq!(read[0].as_ref().unwrap().lastmod.unwrap().year(), 2024);
    let error = read[1].as_ref().unwrap_err();
    assert_eq!((error.entry(), error.path()), (Some(2), Some("entry 2 · loc")));
    assert_eq!(read[2].as_ref().unwrap().loc, "https://a/3.xml");

    let mut reader = Reader::from_str(index);
    let read: Vec<Option<u8>> = reader
        .read::<Part>()
        .map(|part| part.ok().map(|part| part.number))
        .collect();
    assert_eq!(read, [Some(1), None, Some(3)]);

    let mut reader = Reader::from_str(index);
    let mut record = Record::new();
    assert!(reader.read_record(&mut record).unwrap());
    assert_eq!(record.read::<Part>().unwrap(), Part { number: 1 });
    assert_eq!(
        record.read::<Product>().unwrap_err().path(),
        Some("entry 1 · loc")
    );
}

#[test]
fn the_crates_own_entries() {
    let entry = "<loc>https://example.com/</loc><lastmod>2024</lastmod><changefreq>daily</changefreq><priority>0.50</priority>";
    let read: UrlEntry = read_page(entry).unwrap();
    let xml = document(entry);
    let mut reader = Reader::from_str(&xml);
    assert_eq!(read, reader.entries().next().unwrap().unwrap());
    assert_same(&read);
    assert_same(&Box::new(read));
}

/// A number after a path is found in its segment.
#[test]
fn numbers_behind_a_path() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/{+category}/{id}-{slug}/{page}?of={shop}-{number}")]
    struct Listing {
        category: String,
        id: u32,
        slug: String,
        page: String,
        shop: String,
        number: u64,
    }

    for category in ["a", "a/b-1/7-c", "-", "1-2/3"] {
        for slug in ["x", "x-1", "5", "-"] {
            for shop in ["", "y", "5-5", "-"] {
                assert_same(&Listing {
                    category: category.to_owned(),
                    id: 7,
                    slug: slug.to_owned(),
                    page: "2-3".to_owned(),
                    shop: shop.to_owned(),
                    number: 5,
                });
            }
        }
    }
    #[derive(FromSitemapEntry, Debug)]
    #[sitemap(loc = "/{+category}/{id}-{slug}")]
    #[expect(dead_code, reason = "it is only read")]
    struct Page {
        category: String,
        id: u32,
        slug: String,
    }
    assert_unreadable::<Page>(
        "<loc>https://example.com/a/b/lamp</loc>",
        "`https://example.com/a/b/lamp` does not match the template `/{+category}/{id}-{slug}`: `-` must come after `{id}`, and `lamp` has \
         none; an enum with a variant for each kind of page reads them all, at line 2, column 11 (byte 298), entry 1 · loc",
    );
}

/// A value with a query or fragment ends the path: what is empty after it is no empty segment, for the writer and the reader.
#[test]
fn empty_values_behind_a_query_or_fragment() {
    #[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
    #[sitemap(loc = "/{+section}/{title}")]
    struct Page {
        section: String,
        title: String,
    }
    for section in ["a#b", "a?b", "a?b#c", "#", "?"] {
        for title in ["", "t"] {
            assert_same(&Page {
                section: section.to_owned(),
                title: title.to_owned(),
            });
        }
    }
    let empty = Page {
        section: "a".to_owned(),
        title: String::new(),
    };
    assert!(sitemap_serde::entries_to_string([empty]).is_err());
    assert!(
        Reader::from_str(&document("<loc>https://example.com/a/</loc>"))
            .read::<Page>()
            .next()
            .unwrap()
            .is_err()
    );
}
