//! Unusual uses of a serializer and a deserializer.

use std::collections::HashMap;

use serde::de::IgnoredAny;
use serde::{Deserialize as _, Serialize as _};
use sitemap_serde::{Document, Rule, UrlEntry, UrlSet, WriterBuilder};
use sitemap_tests::urlset;

use crate::serde_types::{Optional, bare, full};

#[test]
fn serde_path_to_error_works() {
    let document = urlset(
        "<url><loc>https://example.com/1</loc></url>\
         <url><loc>https://example.com/2</loc><priority>high</priority></url>",
    );
    let mut deserializer = sitemap_serde::Deserializer::from_str(&document);
    let error = serde_path_to_error::deserialize::<_, Vec<Optional>>(&mut deserializer).unwrap_err();
    assert_eq!(error.path().to_string(), "[1].priority");
    assert_eq!(
        error.inner().to_string(),
        "`high` is not a decimal number: digits, with a point at most; correct it, or read it into a `String`, at line 1, \
         column 151 (byte 150), entry 2 · priority"
    );
    let mut deserializer = sitemap_serde::Deserializer::from_reader(document.as_bytes());
    let error = serde_path_to_error::deserialize::<_, Document>(&mut deserializer).unwrap_err();
    assert_eq!(error.path().to_string(), "urlset[1].priority");
    assert_eq!(error.inner().rule(), Some(Rule::Prio));
    assert_eq!(error.inner().position().unwrap().byte(), 150);

    let pages = [
        Optional {
            loc: "https://example.com/".to_owned(),
            lastmod: None,
            changefreq: None,
            priority: Some(0.5),
        },
        Optional {
            loc: "https://example.com/2".to_owned(),
            lastmod: None,
            changefreq: None,
            priority: Some(1.5),
        },
    ];
    let mut serializer = sitemap_serde::Serializer::new(Vec::new());
    let mut track = serde_path_to_error::Track::new();
    let result = pages.serialize(serde_path_to_error::Serializer::new(&mut serializer, &mut track));
    let error = result.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
         out, entry 2 · priority, loc `https://example.com/2`"
    );
    assert_eq!(track.path().to_string(), "[1].priority");

    let fine = &pages[..1];
    let mut serializer = sitemap_serde::Serializer::new(Vec::new());
    let mut track = serde_path_to_error::Track::new();
    fine.serialize(serde_path_to_error::Serializer::new(&mut serializer, &mut track))
        .unwrap();
    assert_eq!(
        String::from_utf8(serializer.into_inner()).unwrap(),
        sitemap_serde::to_string(fine).unwrap()
    );
}

#[test]
fn a_serializer_or_deserializer_of_a_builder() {
    let mut serializer = WriterBuilder::new()
        .base("https://example.com")
        .pretty(true)
        .serializer_from_writer(Vec::new());
    [UrlEntry::new("/a")].serialize(&mut serializer).unwrap();
    let again = [UrlEntry::new("/b")].serialize(&mut serializer).unwrap_err();
    assert_eq!(
        again.to_string(),
        "a second document for one serializer: make a serializer for each"
    );
    let document = String::from_utf8(serializer.into_inner()).unwrap();
    let mut deserializer = sitemap_serde::Deserializer::from_str(&document);
    let pages = UrlSet::<UrlEntry>::deserialize(&mut deserializer).unwrap();
    assert_eq!(*pages, [UrlEntry::new("https://example.com/a")]);
}

#[test]
fn a_deserializer_is_of_one_document() {
    let document = bare();
    let mut deserializer = sitemap_serde::Deserializer::from_str(&document);
    assert_eq!(Vec::<UrlEntry>::deserialize(&mut deserializer).unwrap().len(), 1);
    let again = Vec::<UrlEntry>::deserialize(&mut deserializer).unwrap_err();
    assert_eq!(
        again.to_string(),
        "a second value from one deserializer, whose document is read: make a deserializer for each"
    );
}

#[test]
fn ignoring_everything() {
    IgnoredAny::deserialize(&mut sitemap_serde::Deserializer::from_str(&full())).unwrap();
    let ignored: Vec<IgnoredAny> = sitemap_serde::from_str(&full()).unwrap();
    assert_eq!(ignored.len(), 1);
    #[expect(clippy::zero_sized_map_values, reason = "that is what ignoring them means")]
    let fields: Vec<HashMap<String, IgnoredAny>> = sitemap_serde::from_str(&full()).unwrap();
    assert_eq!(fields[0].len(), 4);
    // It must not be ignored.
    assert!(sitemap_serde::from_str::<IgnoredAny>("<html/>").is_err());
    assert!(sitemap_serde::from_str::<IgnoredAny>(&urlset("<url/>")).is_err());
}
