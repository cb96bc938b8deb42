//! Enums and newtypes.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use sitemap_serde::{ErrorKind, IndexEntry, SitemapIndex, UrlSet, W3cDateTime};
use sitemap_tests::{entry, index, misfit, read, urlset};

use crate::serde_types::{LOC, Optional, Scored, bare, full, is_read, refused, scored, with, written};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Often {
    Always,
    Weekly,
    #[serde(alias = "biweekly")]
    Monthly,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Frequent<F> {
    loc: String,
    changefreq: F,
}

fn frequent<F>(changefreq: F) -> Frequent<F> {
    Frequent {
        loc: "https://example.com/".to_owned(),
        changefreq,
    }
}

#[test]
fn enums_for_changefreq() {
    let document = |text: &str| with(&format!("<changefreq> {text}\n</changefreq>"));
    for (text, often) in [
        ("always", Often::Always),
        ("weekly", Often::Weekly),
        ("monthly", Often::Monthly),
        ("biweekly", Often::Monthly),
    ] {
        is_read(document(text), frequent(often));
        is_read(document(text), frequent(Some(often)));
    }
    assert_eq!(
        misfit::<Frequent<Often>>(document("daily")).message,
        "`daily` is not one of `always`, `weekly`, `biweekly`, `monthly`; correct it, or read it into a `String`, at line 1, column 110 \
         (byte 109), entry 1 · changefreq"
    );
    assert_eq!(
        written(frequent(Often::Weekly)),
        "<loc>https://example.com/</loc><changefreq>weekly</changefreq>"
    );
    assert_eq!(
        written(frequent(None::<Often>)),
        "<loc>https://example.com/</loc>"
    );

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Open {
        Daily,
        #[serde(other)]
        Unknown,
    }
    is_read(document("daily"), frequent(Open::Daily));
    is_read(document("sometimes"), frequent(Open::Unknown));
    assert_eq!(
        refused(frequent(Open::Unknown)),
        "`unknown` is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); \
         write one of these, or leave the field out, entry 1 · changefreq, loc `https://example.com/`"
    );
    // The variants' own names are not the schema's.
    #[derive(Serialize)]
    enum Unnamed {
        Daily,
    }
    assert_eq!(
        refused(frequent(Unnamed::Daily)),
        "`Daily` is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); did \
         you mean `daily`?, entry 1 · changefreq, loc `https://example.com/`"
    );

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Deep {
        Daily(u8),
    }
    assert_eq!(
        misfit::<Frequent<Deep>>(document("daily")).message,
        "`daily` does not fit the field's type: invalid type: unit value, expected u8; correct it, or read it into a `String`, \
         at line 1, column 110 (byte 109), entry 1 · changefreq"
    );
    assert_eq!(
        refused(frequent(Deep::Daily(1))),
        "found an enum's newtype variant (`#[serde(untagged)]` writes what it holds) for a field of an entry: it is text, or \
         a number for a priority; skip the field, or convert it with `#[serde(serialize_with = …)]`, entry 1 · changefreq, loc \
         `https://example.com/`"
    );
}

#[test]
fn newtypes() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Loc(String);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Day(Option<W3cDateTime>);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Score(f32);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Freq(Often);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        loc: Loc,
        lastmod: Day,
        changefreq: Freq,
        priority: Score,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Wrapped(Box<Page>);
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(transparent)]
    struct Transparent {
        page: Wrapped,
    }
    let page = entry::<Transparent>(full());
    assert_eq!(page.page.0.loc, Loc(LOC.to_owned()));
    assert_eq!(page.page.0.priority, Score(0.5));
    assert_eq!(
        written(&page),
        "<loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-05-06T07:08:09Z</lastmod><changefreq>weekly</changefreq>\
         <priority>0.5</priority>"
    );
    assert_eq!(written(Some(&page)), written(&page));

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Pages(Vec<Wrapped>);
    let pages = read::<Pages>(full()).unwrap();
    assert_eq!(
        sitemap_serde::to_string(&pages).unwrap(),
        sitemap_serde::to_string(&pages.0).unwrap()
    );
}

#[test]
fn untagged_enums() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Rank {
        Number(f64),
        Word(String),
    }
    assert_eq!(scored::<Rank>("0.50"), Ok(Rank::Number(0.5)));
    assert_eq!(scored::<Rank>("high"), Ok(Rank::Word("high".to_owned())));
    assert_eq!(scored::<Rank>("5e-1"), Ok(Rank::Word("5e-1".to_owned())));
    let page = |priority| Scored {
        loc: "https://example.com/".to_owned(),
        priority,
    };
    assert_eq!(
        written(page(Rank::Number(0.25))),
        "<loc>https://example.com/</loc><priority>0.25</priority>"
    );
    assert_eq!(
        written(page(Rank::Word("0.250".to_owned()))),
        "<loc>https://example.com/</loc><priority>0.250</priority>"
    );

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Entry {
        Dated { loc: String, lastmod: W3cDateTime },
        Plain(IndexEntry),
        Other(BTreeMap<String, String>),
    }
    assert_eq!(
        entry::<Entry>(full()),
        Entry::Dated {
            loc: LOC.to_owned(),
            lastmod: "2024-05-06T07:08:09Z".parse().unwrap()
        }
    );
    assert_eq!(
        entry::<Entry>(bare()),
        Entry::Plain(IndexEntry::new("https://example.com/"))
    );
    let other = urlset("<url><loc>/relative</loc></url>");
    assert_eq!(
        entry::<Entry>(other),
        Entry::Other([("loc".to_owned(), "/relative".to_owned())].into())
    );
    assert_eq!(
        written(Entry::Dated {
            loc: LOC.to_owned(),
            lastmod: "2024".parse().unwrap()
        }),
        "<loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024</lastmod>"
    );
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Whole {
        Set(UrlSet<Optional>),
        Index(SitemapIndex),
    }
    assert!(sitemap_serde::from_str::<Whole>(&index("")).is_err_and(|error| error.kind() == ErrorKind::Data));
}
