//! A program's own types with serde's derive, in both directions.

#![expect(
    clippy::items_after_statements,
    reason = "a type that one test needs stands beside what is tested with it"
)]

mod absent;
mod attributes;
mod buffered;
mod chrono_types;
mod documents;
mod enums;
mod expanded_names;
mod fields;
mod formats;
mod going_on;
mod maps;
mod numbers;
mod raw_elements;
mod refused;
mod sequences;
mod text;
mod tools;
mod visitors;

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sitemap_serde::{ChangeFreq, ErrorKind};
use sitemap_tests::{Problem, entry, outcomes, urlset};

const LOC: &str = "https://example.com/a?b=1&c=2";

/// A urlset of one entry with all elements.
fn full() -> String {
    urlset(
        "<url><loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-05-06T07:08:09Z</lastmod>\
         <changefreq>weekly</changefreq><priority>0.50</priority></url>",
    )
}

/// A urlset of one entry with only a loc.
fn bare() -> String {
    urlset("<url><loc>https://example.com/</loc></url>")
}

/// A urlset of one entry with a loc and this content.
fn with(children: &str) -> String {
    urlset(&format!("<url><loc>https://example.com/</loc>{children}</url>"))
}

/// The content of the root when `entry` is written.
#[track_caller]
fn written<T: Serialize>(entry: T) -> String {
    let document = sitemap_serde::to_string(&[entry]).unwrap();
    inside(&document)
}

#[track_caller]
fn inside(document: &str) -> String {
    document
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>")
        .and_then(|rest| rest.strip_suffix("</url></urlset>"))
        .unwrap_or_else(|| panic!("{document}"))
        .to_owned()
}

/// The error for an `entry` that cannot be written.
#[track_caller]
fn refused<T: Serialize>(entry: T) -> String {
    let error = sitemap_serde::to_string(&[entry]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    Problem::of(&error).message
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "it reads better at the many calls")]
fn is_read<T: DeserializeOwned + PartialEq + Debug>(document: impl AsRef<[u8]>, expected: T) {
    assert_eq!(entry::<T>(document), expected);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Optional {
    loc: String,
    lastmod: Option<String>,
    changefreq: Option<ChangeFreq>,
    priority: Option<f32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Scored<N> {
    loc: String,
    priority: N,
}

fn scored<N: DeserializeOwned + PartialEq + Debug>(priority: &str) -> Result<N, String> {
    let document = with(&format!("<priority>{priority}</priority>"));
    let mut outcomes = outcomes::<Scored<N>>(document);
    let outcome = outcomes.remove(0);
    outcome
        .map(|page| page.priority)
        .map_err(|problem| problem.message.split(", at line").next().unwrap().to_owned())
}
