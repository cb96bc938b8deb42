//! The lastmod, changefreq and priority of fields of each type, and the conversions between them.
#![allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "`with` and `exclude_if` hand over references"
)]

use std::fmt;
use std::time::{Duration, SystemTime};

use sitemap_serde::{ChangeFreq, Error, Priority, SitemapEntry, W3cDateTime, convert::ToChangeFreq};

use crate::derive::tools::{assert_document, refused};
#[test]
fn lastmods() {
    #[derive(SitemapEntry)]
    enum Page {
        #[sitemap(loc = "/", lastmod = "2024-05-06T07:08:09.10+09:00")]
        Literal,
        #[sitemap(loc = "/")]
        W3c(#[sitemap(lastmod)] W3cDateTime),
        #[sitemap(loc = "/")]
        Text(#[sitemap(lastmod)] Option<String>),
        #[sitemap(loc = "/")]
        System(#[sitemap(lastmod)] SystemTime),
        #[sitemap(loc = "/")]
        Chrono(#[sitemap(lastmod)] chrono::DateTime<chrono::FixedOffset>),
        #[sitemap(loc = "/")]
        ChronoDate(#[sitemap(lastmod)] chrono::NaiveDate),
        #[sitemap(loc = "/")]
        Time(#[sitemap(lastmod)] Option<time::OffsetDateTime>),
        #[sitemap(loc = "/")]
        TimeDate(#[sitemap(lastmod)] time::Date),
        #[sitemap(loc = "/")]
        Jiff(#[sitemap(lastmod)] jiff1::Timestamp),
        #[sitemap(loc = "/")]
        JiffZoned(#[sitemap(lastmod)] jiff1::ZonedDateTime),
        #[sitemap(loc = "/")]
        JiffDate(#[sitemap(lastmod)] jiff1::civil::Date),
        #[sitemap(loc = "/")]
        Jiff02Zoned(#[sitemap(lastmod)] jiff02::Zoned),
    }

    let utc = 1_714_979_289;
    let jiff = jiff1::Timestamp::from_second(utc).unwrap();
    let jiff02 = jiff02::Timestamp::from_second(utc).unwrap();
    for (page, lastmod) in [
        (Page::Literal, "2024-05-06T07:08:09.10+09:00"),
        (
            Page::W3c("2024-05-06T07:08Z".parse().unwrap()),
            "2024-05-06T07:08Z",
        ),
        (Page::Text(Some("2024-05".to_owned())), "2024-05"),
        (
            Page::System(SystemTime::UNIX_EPOCH + Duration::from_secs(utc.unsigned_abs())),
            "2024-05-06T07:08:09Z",
        ),
        (
            Page::Chrono("2024-05-06T07:08:09+09:00".parse().unwrap()),
            "2024-05-06T07:08:09+09:00",
        ),
        (Page::ChronoDate("2024-05-06".parse().unwrap()), "2024-05-06"),
        (
            Page::Time(Some(time::OffsetDateTime::from_unix_timestamp(utc).unwrap())),
            "2024-05-06T07:08:09Z",
        ),
        (
            Page::TimeDate(time::Date::from_calendar_date(2024, time::Month::May, 6).unwrap()),
            "2024-05-06",
        ),
        (Page::Jiff(jiff), "2024-05-06T07:08:09Z"),
        (
            Page::JiffZoned(jiff.to_zoned_datetime(jiff1::tz::TimeZone::fixed(jiff1::tz::offset(9)))),
            "2024-05-06T16:08:09+09:00",
        ),
        (Page::JiffDate(jiff1::civil::date(2024, 5, 6)), "2024-05-06"),
        (
            Page::Jiff02Zoned(jiff02.to_zoned(jiff02::tz::TimeZone::fixed(jiff02::tz::offset(-5)))),
            "2024-05-06T02:08:09-05:00",
        ),
    ] {
        assert_document(
            &[&page],
            &format!("<url><loc>https://example.com/</loc><lastmod>{lastmod}</lastmod></url>"),
        );
    }
    assert_document(
        &[&Page::Text(None), &Page::Time(None)],
        &"<url><loc>https://example.com/</loc></url>".repeat(2),
    );
    let message = refused(&Page::Text(Some("2024-02-30".to_owned()))).0;
    assert!(
        message.starts_with("`2024-02-30` ")
            && message.ends_with("entry 1 · lastmod, loc `https://example.com/`"),
        "{message}"
    );
}

#[test]
fn naive_date_times_get_their_zone() {
    #[derive(SitemapEntry)]
    enum Page {
        #[sitemap(loc = "/")]
        Utc(#[sitemap(lastmod, zone = "UTC")] chrono::NaiveDateTime),
        #[sitemap(loc = "/")]
        East(#[sitemap(lastmod, zone = "+09:00")] Option<chrono::NaiveDateTime>),
        #[sitemap(loc = "/")]
        West(#[sitemap(lastmod, zone = "-03:30")] time::PrimitiveDateTime),
        #[sitemap(loc = "/")]
        Jiff(#[sitemap(lastmod, zone = "+23:59")] jiff1::civil::DateTime),
        #[sitemap(loc = "/")]
        Jiff02(#[sitemap(lastmod, zone = "-23:59")] jiff02::civil::DateTime),
        #[sitemap(loc = "/")]
        Converted(#[sitemap(lastmod, write_with = parse, zone = "UTC")] &'static str),
    }

    fn parse(text: &&str) -> Option<chrono::NaiveDateTime> {
        text.parse().ok()
    }

    let naive: chrono::NaiveDateTime = "2024-05-06T07:08:09".parse().unwrap();
    let date = time::Date::from_calendar_date(1969, time::Month::December, 31).unwrap();
    for (page, lastmod) in [
        (Page::Utc(naive), "2024-05-06T07:08:09Z"),
        (Page::East(Some(naive)), "2024-05-06T07:08:09+09:00"),
        (
            Page::West(date.with_hms_milli(23, 59, 59, 500).unwrap()),
            "1969-12-31T23:59:59.5-03:30",
        ),
        (
            Page::Jiff(jiff1::civil::date(1, 1, 1).at(0, 0, 0, 1)),
            "0001-01-01T00:00:00.000000001+23:59",
        ),
        (
            Page::Jiff02(jiff02::civil::date(1, 1, 1).at(0, 0, 0, 1)),
            "0001-01-01T00:00:00.000000001-23:59",
        ),
        (Page::Converted("2024-05-06T07:08:09"), "2024-05-06T07:08:09Z"),
    ] {
        assert_document(
            &[&page],
            &format!("<url><loc>https://example.com/</loc><lastmod>{lastmod}</lastmod></url>"),
        );
    }
    assert_document(
        &[&Page::East(None), &Page::Converted("no date")],
        &"<url><loc>https://example.com/</loc></url>".repeat(2),
    );
    // The first and the last valid moments, and moments beyond them.
    let at = |text: &str| Page::Utc(text.parse().unwrap());
    let east = |text: &str| Page::East(Some(text.parse().unwrap()));
    assert_document(
        &[
            &at("0000-01-01T00:00:00"),
            &east("9999-12-31T23:59:59"),
            &east("0000-01-01T00:00:00"),
        ],
        "<url><loc>https://example.com/</loc><lastmod>0000-01-01T00:00:00Z</lastmod></url>\
         <url><loc>https://example.com/</loc><lastmod>9999-12-31T23:59:59+09:00</lastmod></url>\
         <url><loc>https://example.com/</loc><lastmod>0000-01-01T00:00:00+09:00</lastmod></url>",
    );
    for beyond in ["-0001-12-31T23:59:59", "+10000-01-01T00:00:00"] {
        let message = refused(&at(beyond)).0;
        assert!(
            message.contains("P-LASTMOD")
                && message.ends_with("entry 1 · lastmod, loc `https://example.com/`"),
            "{message}"
        );
    }
}

#[test]
fn changefreqs() {
    enum Often {
        Very,
        Unknown,
    }

    impl ToChangeFreq for Often {
        fn to_changefreq(&self) -> Result<Option<ChangeFreq>, Error> {
            Ok(match self {
                Often::Very => Some(ChangeFreq::Hourly),
                Often::Unknown => None,
            })
        }
    }

    const RARELY: ChangeFreq = ChangeFreq::Yearly;

    #[derive(SitemapEntry)]
    enum Page {
        #[sitemap(loc = "/", changefreq = "always")]
        Literal,
        #[sitemap(loc = "/", changefreq = RARELY)]
        Const,
        #[sitemap(loc = "/")]
        Field(#[sitemap(changefreq)] ChangeFreq),
        #[sitemap(loc = "/")]
        Text(#[sitemap(changefreq)] Option<String>),
        #[sitemap(loc = "/")]
        Own(#[sitemap(changefreq)] Often),
        #[sitemap(loc = "/")]
        Default(#[sitemap(changefreq, default = "daily")] Option<Often>),
        #[sitemap(loc = "/")]
        DefaultConst(#[sitemap(changefreq, default = RARELY)] Option<ChangeFreq>),
    }

    for (page, changefreq) in [
        (Page::Literal, Some("always")),
        (Page::Const, Some("yearly")),
        (Page::Field(ChangeFreq::Never), Some("never")),
        (Page::Text(Some("weekly".to_owned())), Some("weekly")),
        (Page::Text(None), None),
        (Page::Own(Often::Very), Some("hourly")),
        (Page::Own(Often::Unknown), None),
        (Page::Default(Some(Often::Very)), Some("hourly")),
        (Page::Default(Some(Often::Unknown)), Some("daily")),
        (Page::Default(None), Some("daily")),
        (Page::DefaultConst(Some(ChangeFreq::Always)), Some("always")),
        (Page::DefaultConst(None), Some("yearly")),
    ] {
        let changefreq = changefreq.map_or_else(String::new, |it| format!("<changefreq>{it}</changefreq>"));
        assert_document(
            &[&page],
            &format!("<url><loc>https://example.com/</loc>{changefreq}</url>"),
        );
    }
    let message = refused(&Page::Text(Some("dayly".to_owned()))).0;
    assert!(
        message.starts_with("`dayly` ")
            && message.ends_with("entry 1 · changefreq, loc `https://example.com/`"),
        "{message}"
    );
}

#[test]
fn priorities() {
    const NARROW: f32 = 0.7;
    const WIDE: f64 = 0.9;

    #[derive(SitemapEntry)]
    enum Page {
        #[sitemap(loc = "/", priority = 0.50)]
        Digits,
        #[sitemap(loc = "/", priority = 1)]
        Int,
        #[sitemap(loc = "/", priority = 0.123456789012)]
        Long,
        #[sitemap(loc = "/", priority = 0.000_000_1)]
        Small,
        #[sitemap(loc = "/", priority = NARROW)]
        Const,
        #[sitemap(loc = "/", priority = Self::HALF)]
        Associated,
        #[sitemap(loc = "/")]
        Field(#[sitemap(priority)] Priority),
        #[sitemap(loc = "/")]
        Narrow(#[sitemap(priority)] f32),
        #[sitemap(loc = "/")]
        Wide(#[sitemap(priority)] Option<f64>),
        #[sitemap(loc = "/")]
        Default(#[sitemap(priority, default = 0.25)] Option<f32>),
        #[sitemap(loc = "/")]
        DefaultConst(#[sitemap(priority, default = WIDE)] Option<Priority>),
        #[sitemap(loc = "/")]
        Converted(#[sitemap(priority, write_with = share, default = 0)] u8),
    }

    impl Page {
        const HALF: f64 = 0.5;
    }

    fn share(percent: &u8) -> Option<f32> {
        (*percent > 0).then(|| f32::from(*percent) / 100.0)
    }

    for (page, priority) in [
        (Page::Digits, Some("0.5")),
        (Page::Int, Some("1.0")),
        (Page::Long, Some("0.123456789012")),
        (Page::Small, Some("0.0000001")),
        (Page::Const, Some("0.7")),
        (Page::Associated, Some("0.5")),
        (Page::Field("0.50".parse().unwrap()), Some("0.50")),
        (Page::Narrow(0.85), Some("0.85")),
        (Page::Wide(Some(0.05)), Some("0.05")),
        (Page::Wide(None), None),
        (Page::Default(Some(0.0)), Some("0.0")),
        (Page::Default(None), Some("0.25")),
        (Page::DefaultConst(None), Some("0.9")),
        (Page::DefaultConst(Some(Priority::MAX)), Some("1.0")),
        (Page::Converted(75), Some("0.75")),
        (Page::Converted(0), Some("0.0")),
    ] {
        let priority = priority.map_or_else(String::new, |it| format!("<priority>{it}</priority>"));
        assert_document(
            &[&page],
            &format!("<url><loc>https://example.com/</loc>{priority}</url>"),
        );
    }
    for (page, value) in [
        (Page::Narrow(1.5), "`1.5`"),
        (Page::Narrow(f32::NAN), "`NaN`"),
        (Page::Wide(Some(-0.1)), "`-0.1`"),
        (Page::Default(Some(2.0)), "`2.0`"),
    ] {
        let message = refused(&page).0;
        assert!(
            message.starts_with(value) && message.ends_with("entry 1 · priority, loc `https://example.com/`"),
            "{message}"
        );
    }
}

#[test]
fn conversions() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{name}/{year}")]
    struct Book {
        #[sitemap(write_with = slug)]
        name: String,
        // For the lastmod, but not for the template.
        #[sitemap(lastmod, write_with = first_day)]
        year: u16,
    }

    fn slug(name: &str) -> impl fmt::Display {
        name.to_lowercase().replace(' ', "-")
    }

    fn first_day(year: &u16) -> Option<W3cDateTime> {
        W3cDateTime::from_ymd(*year, 1, 1).ok()
    }

    #[derive(SitemapEntry)]
    struct Link {
        #[sitemap(loc, write_with = Option::as_deref)]
        href: Option<String>,
    }

    let book = Book {
        name: "Moby Dick".to_owned(),
        year: 1851,
    };
    let link = Link {
        href: Some("/a".to_owned()),
    };
    assert_document(
        &[&book, &link],
        "<url><loc>https://example.com/moby-dick/1851</loc><lastmod>1851-01-01</lastmod></url>\
         <url><loc>https://example.com/a</loc></url>",
    );
    let message = refused(&Link { href: None }).0;
    assert!(
        message.contains("P-DUP") && message.ends_with("entry 1 · loc"),
        "{message}"
    );
}
