//! Maps.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use sitemap_tests::entry;

use crate::serde_types::{LOC, full, refused, with, written};

#[test]
fn maps_as_entries() {
    let expected = [
        ("changefreq", "weekly"),
        ("lastmod", "2024-05-06T07:08:09Z"),
        ("loc", LOC),
        ("priority", "0.50"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let children = "<loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-05-06T07:08:09Z</lastmod>\
                    <changefreq>weekly</changefreq><priority>0.50</priority>";

    let tree = entry::<BTreeMap<String, String>>(full());
    assert_eq!(tree, BTreeMap::from(expected.clone()));
    assert_eq!(written(&tree), children);
    let hash = entry::<HashMap<String, String>>(full());
    assert_eq!(hash, HashMap::from(expected));
    assert_eq!(written(&hash), children);

    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Field {
        Loc,
        Lastmod,
        #[serde(other)]
        Other,
    }
    let fields = entry::<BTreeMap<Field, String>>(with("<lastmod>2024</lastmod>"));
    assert_eq!(fields[&Field::Lastmod], "2024");
    assert_eq!(
        written(&fields),
        "<loc>https://example.com/</loc><lastmod>2024</lastmod>"
    );

    assert_eq!(
        refused(BTreeMap::from([("loc", "https://example.com/"), ("title", "x")])),
        "`title` is not a field of an entry: `loc`, `lastmod`, `changefreq`, `priority` are; rename it with `#[serde(rename = \
         …)]`, or leave it out with `#[serde(skip_serializing)]`, entry 1 · title, loc \
         `https://example.com/`"
    );
    assert_eq!(
        refused(BTreeMap::from([(1, "https://example.com/")])),
        "found an integer for a key: the name of a field is a string, entry 1"
    );
    // A map of options, as a row may be.
    assert_eq!(
        written(BTreeMap::from([
            ("loc", Some("https://example.com/")),
            ("lastmod", None),
            ("title", None)
        ])),
        "<loc>https://example.com/</loc>"
    );
}
