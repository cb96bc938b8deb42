//! `lastmod = newest(…)`: the newest of several fields' dates.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use sitemap_serde::{OnInvalid, Rule, SitemapEntry, SitemapFields, W3cDateTime, convert};

use crate::derive::tools::{entry, refused, writer};

#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", lastmod = newest(created_at, updated_at, reviewed))]
struct Page {
    id: u8,
    created_at: Option<W3cDateTime>,
    updated_at: Option<W3cDateTime>,
    reviewed: Option<W3cDateTime>,
}

/// All triples of dates with different precisions, any of which may be missing.
#[test]
fn it_is_the_newest_that_there_is() {
    let mut dates = vec![None];
    dates.extend(
        [
            "2024",
            "2024-05",
            "2024-05-06",
            "2024-05-06T00:00Z",
            "2024-05-06T01:00+02:00",
            "2024-05-06T07:08:09.5Z",
            "2025-01-01",
        ]
        .map(|date| Some(date.parse::<W3cDateTime>().unwrap())),
    );
    for created_at in &dates {
        for updated_at in &dates {
            for reviewed in &dates {
                let page = Page {
                    id: 1,
                    created_at: *created_at,
                    updated_at: *updated_at,
                    reviewed: *reviewed,
                };
                let mut sorted: Vec<W3cDateTime> = [created_at, updated_at, reviewed]
                    .into_iter()
                    .flatten()
                    .copied()
                    .collect();
                sorted.sort();
                assert_eq!(entry(&page).lastmod, sorted.pop());
            }
        }
    }
}

#[derive(SitemapFields)]
struct Product {
    slug: String,
    changed: (u8, Option<DateTime<Utc>>),
}

#[derive(SitemapEntry)]
#[sitemap(
    loc = "/{day}/{product.slug}",
    lastmod = newest(day, naive, r#type, seconds, product.changed.1, date),
    precision = "second"
)]
struct Mixed<D> {
    #[sitemap(write_with = as_text)]
    day: u8,
    #[sitemap(zone = "+09:00")]
    naive: Option<NaiveDateTime>,
    r#type: String,
    #[sitemap(with = convert::unix_seconds)]
    seconds: Option<i64>,
    #[sitemap(flatten)]
    product: Option<Product>,
    date: D,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as `with` calls it")]
fn as_text(day: &u8) -> String {
    format!("2024-05-{day:02}")
}

fn mixed() -> Mixed<Option<NaiveDate>> {
    Mixed {
        day: 6,
        naive: None,
        r#type: "2024-05-01".to_owned(),
        seconds: None,
        product: Some(Product {
            slug: "lamp".to_owned(),
            changed: (0, None),
        }),
        date: None,
    }
}

/// Each field by its own type, zone and function. A field that the template also names is used there unchanged.
#[test]
fn fields_of_all_kinds() {
    let lastmod = |page: &Mixed<Option<NaiveDate>>| {
        let entry = entry(page);
        assert_eq!(entry.loc, "https://example.com/6/lamp");
        entry.lastmod.unwrap().to_string()
    };
    assert_eq!(lastmod(&mixed()), "2024-05-06");
    assert_eq!(
        lastmod(&Mixed {
            naive: "2024-05-06T09:00:00.25".parse().ok(),
            ..mixed()
        }),
        "2024-05-06T09:00:00+09:00"
    );
    assert_eq!(
        lastmod(&Mixed {
            r#type: "2024-05-07".to_owned(),
            ..mixed()
        }),
        "2024-05-07"
    );
    assert_eq!(
        lastmod(&Mixed {
            seconds: Some(1_715_000_000),
            ..mixed()
        }),
        "2024-05-06T12:53:20Z"
    );
    assert_eq!(
        lastmod(&Mixed {
            product: Some(Product {
                slug: "lamp".to_owned(),
                changed: (0, "2024-05-08T00:00:00Z".parse().ok()),
            }),
            ..mixed()
        }),
        "2024-05-08T00:00:00Z"
    );
    assert_eq!(
        lastmod(&Mixed {
            date: "2024-05-09".parse().ok(),
            ..mixed()
        }),
        "2024-05-09"
    );
}

#[derive(SitemapEntry)]
enum Pages {
    #[sitemap(loc = "/{0}", lastmod = newest(1, 2))]
    Positions(u8, &'static str, Option<&'static str>),
    #[sitemap(loc = "/{id}", lastmod = newest(created, updated), changefreq = "daily")]
    Names {
        id: u8,
        created: &'static str,
        updated: Option<&'static str>,
    },
}

#[derive(SitemapFields)]
#[sitemap(lastmod = newest(created, updated), precision = "year")]
struct Part {
    created: &'static str,
    updated: &'static str,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/")]
struct Whole(#[sitemap(flatten)] Part);

#[test]
fn variants_and_parts() {
    let lastmod = |page: &dyn SitemapEntry| entry(&page).lastmod.map(|date| date.to_string());
    assert_eq!(
        lastmod(&Pages::Positions(1, "2024-05-06", Some("2024-05-07"))).as_deref(),
        Some("2024-05-07")
    );
    let page = Pages::Names {
        id: 1,
        created: "2024-05-06",
        updated: None,
    };
    assert_eq!(lastmod(&page).as_deref(), Some("2024-05-06"));
    let part = Part {
        created: "2024-05-06",
        updated: "2023",
    };
    assert_eq!(lastmod(&Whole(part)).as_deref(), Some("2024"));
}

/// If one date is invalid, the newest cannot be determined.
#[test]
fn an_invalid_date_is_an_error() {
    let page = Pages::Positions(1, "2024-05-06", Some("yesterday"));
    let (message, rule) = refused(&page);
    assert_eq!(
        message,
        "`yesterday` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, \
         `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out, entry 1 · lastmod, loc `https://example.com/1`"
    );
    assert_eq!(rule, Some(Rule::Lastmod));
    let mut builder = writer();
    builder.on_invalid(OnInvalid::DropValue);
    assert_eq!(builder.to_entries(&page).unwrap()[0].lastmod, None);
}
