//! The order of fields.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use sitemap_serde::UrlEntry;
use sitemap_tests::{entry, urlset};

use crate::serde_types::written;

#[test]
fn any_order_of_elements_and_of_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Forwards {
        loc: String,
        lastmod: String,
        changefreq: String,
        priority: f64,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Backwards {
        priority: f64,
        changefreq: String,
        lastmod: String,
        loc: String,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Mixed {
        changefreq: String,
        loc: String,
        priority: f64,
        lastmod: String,
    }
    let elements = [
        "<loc>https://example.com/</loc>",
        "<lastmod>2024-05-06</lastmod>",
        "<changefreq>daily</changefreq>",
        "<priority>0.5</priority>",
    ];
    let expected = elements.concat();
    let mut orders = 0;
    for a in 0..4 {
        for b in (0..4).filter(|&b| b != a) {
            for c in (0..4).filter(|&c| c != a && c != b) {
                let d = 6 - a - b - c;
                let document = urlset(&format!(
                    "<url>{}{}\n{}<!-- -->{}</url>",
                    elements[a], elements[b], elements[c], elements[d]
                ));
                assert_eq!(written(entry::<Forwards>(&document)), expected);
                assert_eq!(written(entry::<Backwards>(&document)), expected);
                assert_eq!(written(entry::<Mixed>(&document)), expected);
                assert_eq!(written(entry::<UrlEntry>(&document)), expected);
                orders += 1;
            }
        }
    }
    assert_eq!(orders, 24);
}
