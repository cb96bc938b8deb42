//! Values of the derive: const expressions, precision, floats as people write them, columns of databases, and sites that end with a
//! slash.

use std::fmt::{self, Debug, Display};

use serde::Serialize;
use sitemap_serde::{
    ChangeFreq, Error, ErrorKind, FromSitemapEntry, Precision, Priority, Reader, ReaderBuilder, Rule,
    SitemapEntry, UrlEntry, W3cDateTime, WriterBuilder, convert, entries_to_string,
};
use sitemap_tests::{finished, sample};

use crate::derive::tools::{assert_same, document, read, reader, writer, written};

const NEWS: bool = true;
const SITE: &str = "https://shop.example.com";
const HALF: f32 = 0.5;
const HOURLY: ChangeFreq = if NEWS {
    ChangeFreq::Hourly
} else {
    ChangeFreq::Weekly
};
const DAILY: ChangeFreq = ChangeFreq::Daily;

const fn share(percent: u8) -> f64 {
    percent as f64 / 100.0
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/home",
    base = SITE,
    priority = 0.4 + 0.1,
    changefreq = HOURLY
)]
struct Home;

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{id}",
    base = concat!("https://", "b.c", "/shop"),
    priority = share(75),
    changefreq = Self::LEVEL
)]
struct Product<'a> {
    id: &'a str,
}

impl Product<'_> {
    const LEVEL: ChangeFreq = ChangeFreq::Daily;
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{id}")]
struct Row {
    id: u32,
    #[sitemap(priority, default = HALF / 2.0)]
    rank: Option<f32>,
    #[sitemap(changefreq, default = DAILY)]
    freq: Option<ChangeFreq>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}", base = Self::BASE, priority = Self::RANK + 0.1)]
struct Own(u8);

#[derive(SitemapEntry)]
#[sitemap(loc = "/blocks", priority = [0.1, 0.3][if NEWS { 1 } else { 0 }], changefreq = blocks)]
struct Blocks;

/// A function of any row.
fn blocks<T>(_: &T) -> &'static str {
    if NEWS { "monthly" } else { "never" }
}

impl Own {
    const BASE: &str = "https://own.example.com";
    const RANK: f64 = 0.2;
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}", priority = Self::RANK + 0.1)]
struct Generic<T: Display>(T);

impl<T: Display> Generic<T> {
    const RANK: f32 = 0.6;
}

#[test]
fn const_expressions() {
    let anywhere = WriterBuilder::new();
    assert_eq!(
        written(&anywhere, &Home),
        "<loc>https://shop.example.com/home</loc><changefreq>hourly</changefreq><priority>0.5</priority>"
    );
    assert_eq!(
        written(&anywhere, &Product { id: "x" }),
        "<loc>https://b.c/shop/x</loc><changefreq>daily</changefreq><priority>0.75</priority>"
    );
    assert_eq!(
        written(&anywhere, &Own(1)),
        "<loc>https://own.example.com/1</loc><priority>0.3</priority>"
    );
    assert_eq!(
        written(&writer(), &Blocks),
        "<loc>https://example.com/blocks</loc><changefreq>monthly</changefreq><priority>0.3</priority>"
    );
    assert_eq!(
        written(&writer(), &Generic(1)),
        "<loc>https://example.com/1</loc><priority>0.7</priority>"
    );
    let row = Row {
        id: 1,
        rank: None,
        freq: None,
    };
    assert_eq!(
        written(&writer(), &row),
        "<loc>https://example.com/1</loc><changefreq>daily</changefreq><priority>0.25</priority>"
    );
    let xml = document("<loc>https://example.com/1</loc>");
    assert_eq!(
        read::<Row>(&reader(), &xml).unwrap(),
        Row {
            id: 1,
            rank: Some(0.25),
            freq: Some(ChangeFreq::Daily)
        }
    );
}

const NO_BASE: &str = "shop.example.com";

#[derive(SitemapEntry, FromSitemapEntry, Debug)]
#[sitemap(loc = "/{0}", base = NO_BASE)]
struct Astray(u8);

/// The macro does not know the value of a const, so it is checked on first use.
#[test]
fn a_base_by_expression_is_checked_when_it_is_used() {
    let error = entries_to_string([Astray(1)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`shop.example.com` is not a base: it has no scheme and host (did you mean `https://shop.example.com`?); a base is a scheme (http or https), a host, a port and a path \
         prefix, such as `https://example.com` or `https://example.com/shop` (P-LOC), entry 1 · loc · `NO_BASE`, the `base` of `Astray`"
    );
    assert_eq!(
        (error.kind(), error.rule()),
        (ErrorKind::Settings, Some(Rule::Loc))
    );
    let xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></url></urlset>";
    let error = Reader::from_str(xml)
        .read::<Astray>()
        .next()
        .unwrap()
        .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("loc · `NO_BASE`, the `base` of `Astray`"),
        "{error}"
    );
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}")]
struct Dated {
    id: u32,
    #[sitemap(lastmod, precision = "second")]
    updated: chrono::DateTime<chrono::Utc>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/x", lastmod = Self::updated, precision = "day")]
struct Asked(&'static str);

impl Asked {
    fn updated(&self) -> Result<Option<W3cDateTime>, Error> {
        Ok(Some(self.0.parse()?))
    }
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/x")]
struct Coarse {
    #[sitemap(lastmod, zone = "UTC", precision = "month")]
    updated: Option<chrono::NaiveDateTime>,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/x", lastmod = "2024-05-06T07:08:09.5+09:00")]
struct Literal;

#[derive(Serialize)]
struct Own2<T> {
    loc: &'static str,
    lastmod: T,
}

#[test]
fn a_lastmod_is_as_exact_as_it_is_asked_for() {
    let updated: chrono::DateTime<chrono::Utc> = "2024-05-06T07:08:09.123456789Z".parse().unwrap();
    assert_eq!(
        written(&writer(), &Dated { id: 1, updated }),
        "<loc>https://example.com/1</loc><lastmod>2024-05-06T07:08:09Z</lastmod>"
    );
    let asked = Asked("2024-05-06T23:08:09.5-05:00");
    assert_eq!(
        written(&writer(), &asked),
        "<loc>https://example.com/x</loc><lastmod>2024-05-06</lastmod>"
    );
    let mut coarse = Coarse {
        updated: Some(updated.naive_utc()),
    };
    assert_eq!(
        written(&writer(), &coarse),
        "<loc>https://example.com/x</loc><lastmod>2024-05</lastmod>"
    );
    // A missing value becomes the first one.
    let xml = writer().entries_to_string([&coarse]).unwrap();
    coarse.updated = Some("2024-05-01T00:00:00".parse().unwrap());
    assert_eq!(read::<Coarse>(&reader(), &xml).unwrap(), coarse);
    assert_same(&Coarse { updated: None });
}

/// For every way to pass the entry.
#[test]
fn the_writers_precision_holds_for_all_entries() {
    let lastmod: W3cDateTime = "2024-05-06T07:08:09.5+09:00".parse().unwrap();
    let mut page = UrlEntry::new("https://example.com/x");
    page.lastmod = Some(lastmod);
    for (precision, text) in [
        (Precision::Year, "2024"),
        (Precision::Month, "2024-05"),
        (Precision::Day, "2024-05-06"),
        (Precision::Minute, "2024-05-06T07:08+09:00"),
        (Precision::Second, "2024-05-06T07:08:09+09:00"),
        (Precision::Fraction, "2024-05-06T07:08:09.5+09:00"),
    ] {
        let mut builder = writer();
        builder.lastmod_precision(precision);
        let expected = format!("<loc>https://example.com/x</loc><lastmod>{text}</lastmod>");
        assert_eq!(written(&builder, &page), expected);
        assert_eq!(written(&builder, &Literal), expected);
        let mut writer = builder.from_writer(Vec::new());
        writer.write(&Literal).unwrap();
        assert_eq!(writer.summary().newest_lastmod.unwrap().to_string(), text);
        assert_eq!(writer.summary().dated, 1);
        let mut writer = builder.from_writer(Vec::new());
        let loc = "https://example.com/x";
        writer.serialize(&page).unwrap();
        writer.serialize(&Own2 { loc, lastmod }).unwrap();
        writer
            .serialize(&Own2 {
                loc,
                lastmod: "2024-05-06T07:08:09.5+09:00",
            })
            .unwrap();
        assert_eq!(writer.summary().newest_lastmod.unwrap().to_string(), text);
        let xml = finished(writer);
        assert_eq!(xml.matches(&expected).count(), 3, "{xml}");
        // A value that is not more precise stays unchanged.
        let mut year = page.clone();
        year.lastmod = Some("2024".parse().unwrap());
        assert!(written(&builder, &year).ends_with("<lastmod>2024</lastmod>"));
    }
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/x")]
struct Ranked<T>(#[sitemap(priority)] T);

/// Rounded to six decimal places. Exact values stay exact.
#[test]
fn floats_are_written_as_a_person_would() {
    let written = |row: &dyn SitemapEntry| {
        let xml = written(&writer(), &row);
        xml.split_once("<priority>").unwrap().1.replace("</priority>", "")
    };
    for (value, text) in [
        (0.1 + 0.2, "0.3"),
        (0.7 + 0.2 + 0.1, "1.0"),
        (1.0 / 3.0, "0.333333"),
        (0.85, "0.85"),
        (0.123_456_789, "0.123457"),
        (1e-7, "0.0"),
    ] {
        assert_eq!(written(&Ranked(value)), text);
    }
    assert_eq!(written(&Ranked(0.1_f32 + 0.7)), "0.8");
    assert_eq!(written(&Ranked(Some(0.3_f32))), "0.3");
    let exact: Priority = "0.30000000000000004".parse().unwrap();
    assert_eq!(written(&Ranked(exact)), "0.30000000000000004");
    let mut page = UrlEntry::new("https://example.com/x");
    page.priority = Some(Priority::try_from(0.1 + 0.2).unwrap());
    assert_eq!(written(&page), "0.30000000000000004");
    for (value, found) in [
        (1.1, "1.1"),
        // Out of range, however close.
        (1.000_000_4, "1.0000004"),
        (-1e-17, "-1e-17"),
        (-0.1, "-0.1"),
        (f64::NAN, "NaN"),
        (f64::INFINITY, "inf"),
    ] {
        assert_eq!(
            writer().to_entries(&Ranked(value)).unwrap_err().to_string(),
            format!(
                "`{found}` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
                 out, entry 1 · priority, loc `https://example.com/x`"
            )
        );
    }
    // A hand-written value reads back unchanged.
    for hundredths in sample(0..=10_000_u16) {
        let value = f64::from(hundredths) / 10_000.0;
        assert_same(&Ranked(value));
        #[expect(clippy::cast_possible_truncation, reason = "the nearest will do")]
        assert_same(&Ranked(value as f32));
    }
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{id}")]
struct Columns {
    id: u32,
    #[sitemap(lastmod, with = convert::unix_millis)]
    updated: Option<i64>,
    #[sitemap(priority, with = convert::decimal)]
    rank: Number,
}

/// Like the types of other crates: displayed, and read from text.
#[derive(PartialEq, Debug, Clone)]
struct Number(String);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for Number {
    type Err = fmt::Error;

    fn from_str(text: &str) -> Result<Self, fmt::Error> {
        Ok(Number(text.to_owned()))
    }
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/x")]
struct Zero {
    #[sitemap(lastmod, with = convert::sql_date_time)]
    updated: Option<String>,
}

#[test]
fn the_text_of_a_column_names_what_converts_it() {
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/x")]
    struct Text {
        #[sitemap(lastmod)]
        updated: &'static str,
    }
    let message = |updated| writer().to_entries(&Text { updated }).unwrap_err().to_string();
    let converted = "the text of a database's column is converted by `#[sitemap(lastmod, with = sitemap_serde::convert::sql_date_time)]`";
    let place = ", entry 1 · lastmod, loc `https://example.com/x`";
    assert_eq!(
        message("2024-05-06 07:08:09"),
        format!(
            "`2024-05-06 07:08:09` is not a W3C Datetime: a `T` stands between the date and the time (P-LASTMOD); write \
             `2024-05-06T07:08:09Z` if it is in UTC, else its offset, or only `2024-05-06`; {converted}{place}"
        )
    );
    for updated in ["", "0000-00-00 00:00:00", "2024-05-00", "2024-05-06 07:08:09+02"] {
        assert!(
            message(updated).ends_with(&format!("; {converted}{place}")),
            "{updated}"
        );
    }
    for updated in ["2024-13-01", "soon", "06.05.2024", "2024/05/06 07:08"] {
        assert!(!message(updated).contains("sql_date_time"), "{updated}");
    }
}

#[test]
fn columns_of_databases() {
    for updated in ["2024-05-06", "2024-05-06 07:08:09", "2024-05-06 07:08:09.25"] {
        assert_same(&Zero {
            updated: Some(updated.to_owned()),
        });
    }
    assert_same(&Zero { updated: None });
    let row = Columns {
        id: 1,
        updated: Some(1_714_979_289_500),
        rank: Number("0.850".to_owned()),
    };
    assert_eq!(
        written(&writer(), &row),
        "<loc>https://example.com/1</loc><lastmod>2024-05-06T07:08:09.5Z</lastmod><priority>0.850</priority>"
    );
    assert_same(&row);
    let rank = row.rank.clone();
    assert_same(&Columns {
        updated: None,
        rank: rank.clone(),
        ..row
    });
    let wrong = Columns {
        updated: Some(i64::MAX),
        rank,
        ..row
    };
    assert_eq!(
        writer().to_entries(&wrong).unwrap_err().to_string(),
        "9223372036854775807 milliseconds since 1970 are after the year 9999, and no W3C Datetime: years are from 0000 to 9999 \
         (P-LASTMOD); write a time in that range, entry 1 · lastmod, loc `https://example.com/1`"
    );
    let wrong = Columns {
        updated: None,
        rank: Number("85".to_owned()),
        ..row
    };
    let error = writer().to_entries(&wrong).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`85` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out, entry 1 \
         · priority, loc `https://example.com/1`"
    );
    assert_eq!(error.rule(), Some(Rule::Prio));
    for (updated, lastmod) in [
        (None, ""),
        (Some(""), ""),
        (Some("0000-00-00 00:00:00"), ""),
        (
            Some("2024-05-06 07:08:09"),
            "<lastmod>2024-05-06T07:08:09Z</lastmod>",
        ),
    ] {
        let row = Zero {
            updated: updated.map(str::to_owned),
        };
        assert_eq!(
            written(&writer(), &row),
            format!("<loc>https://example.com/x</loc>{lastmod}")
        );
    }
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "{+site}/{slug}", image = "{+site}/img/{slug}.jpg")]
struct Mounted<T> {
    site: T,
    slug: String,
}

#[test]
fn a_site_that_ends_with_a_slash_is_joined_by_one() {
    let row = |site: &str, slug: &str| Mounted {
        site: url::Url::parse(site).unwrap(),
        slug: slug.to_owned(),
    };
    let document = WriterBuilder::new();
    let locs = |row: &dyn SitemapEntry| {
        let entries = document.to_entries(&row).unwrap();
        (entries[0].loc.clone(), entries[0].images[0].loc.clone())
    };
    for (site, loc) in [
        ("https://example.com/", "https://example.com/x"),
        ("https://example.com", "https://example.com/x"),
        ("https://example.com/shop/", "https://example.com/shop/x"),
        ("https://example.com/shop", "https://example.com/shop/x"),
        // One slash ends the site. Slashes before it belong to the path.
        ("https://example.com/shop//", "https://example.com/shop//x"),
    ] {
        let row = row(site, "x");
        let image = loc.strip_suffix("x").unwrap().to_owned() + "img/x.jpg";
        assert_eq!(locs(&row), (loc.to_owned(), image));
        let text = Mounted {
            site: site.to_owned(),
            slug: "x".to_owned(),
        };
        assert_eq!(locs(&text), locs(&row));
        // Read back, a URL is unchanged, except for the slash that joined it.
        let xml = document.entries_to_string([&row]).unwrap();
        let back: Mounted<url::Url> = read(&ReaderBuilder::new(), &xml).unwrap();
        if !site.ends_with("//") {
            assert_eq!(locs(&back), locs(&row));
        }
        let without = site.strip_suffix('/').unwrap_or(site);
        assert_eq!(back.site, url::Url::parse(without).unwrap());
        let back: Mounted<String> = read(&ReaderBuilder::new(), &xml).unwrap();
        assert_eq!(back.site, without);
    }
    // A query stays whole, even if it ends with a slash.
    let query = Mounted {
        site: "https://example.com/?in=/".to_owned(),
        slug: "x".to_owned(),
    };
    assert_eq!(locs(&query).0, "https://example.com/?in=//x");
    // The same if the value is not the site.
    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{+path}/{slug}")]
    struct Inside {
        path: &'static str,
        slug: &'static str,
    }
    let inside = Inside {
        path: "a/",
        slug: "x",
    };
    assert_eq!(
        writer().to_entries(&inside).unwrap()[0].loc,
        "https://example.com/a//x"
    );
}
