//! The application's newtypes in a template.
#![deny(warnings)]
#![allow(dead_code)]

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use sitemap_serde::{FromSitemapEntry, SitemapEntry};

struct Id(u64);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Id {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        text.parse().map(Id)
    }
}

enum Language {
    De,
    Ja,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::De => "de",
            Language::Ja => "ja",
        })
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "de" => Ok(Language::De),
            "ja" => Ok(Language::Ja),
            _ => Err(format!("`{text}` is no language of ours")),
        }
    }
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{language}/{id}/{parent}")]
struct Product {
    language: Language,
    id: Id,
    parent: Option<Id>,
}

fn is_both<T: SitemapEntry + FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<Product>();
}
