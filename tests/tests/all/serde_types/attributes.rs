//! serde's attributes.

use std::collections::HashMap;
use std::fmt::Debug;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sitemap_serde::{ChangeFreq, Priority, UrlEntry, W3cDateTime};
use sitemap_tests::{entry, misfit, urlset};

use crate::serde_types::{bare, full, refused, with, written};

/// Maps in insertion order, because a struct cannot repeat a field.
struct InOrder<'a, T>(&'a [(&'a str, T)]);

impl<T: Serialize> Serialize for InOrder<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[test]
fn attributes_that_cannot_be_written() {
    #[derive(Serialize)]
    struct Page<'a> {
        loc: &'a str,
        #[serde(rename = "video:video")]
        video: InOrder<'a, InOrder<'a, &'a str>>,
    }
    let found = [
        &[("@autoplay", "a"), ("@autoplay", "b")][..],
        &[("@xmlns", "urn:a")],
        &[("@xmlns:a", "urn:a")],
        &[("@id", "a")],
        &[("video:title", "a")],
        &[
            ("$text", "https://example.com/p"),
            ("$text", "https://example.com/q"),
        ],
    ]
    .map(|attributes| {
        let player = InOrder(attributes);
        let page = Page {
            loc: "https://example.com/",
            video: InOrder(&[("video:player_loc", player)]),
        };
        sitemap_serde::to_string(&[page]).unwrap_err().to_string()
    });
    let found = found.map(|message| message.replace(", loc `https://example.com/`", ""));
    let found = found.map(|message| message.replace(", entry 1 · video:video · video:player_loc", " …"));
    assert_eq!(
        found,
        [
            "a second `@autoplay`: an attribute stands once; leave one out … · @autoplay",
            "namespaces are declared at the root; leave it out with `#[serde(skip_serializing)]` … · @xmlns",
            "namespaces are declared at the root; leave it out with `#[serde(skip_serializing)]` … · @xmlns:a",
            "`video:player_loc` has no attribute `id`; correct the name, or leave it out with `#[serde(skip_serializing)]` … · @id",
            "`video:title` is not allowed here: it is a child of `video:video`; move it there … · video:title",
            "a second `$text`: an element has one text; write only one … · $text",
        ]
    );
}

#[test]
fn flattened_structs() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        loc: String,
        #[serde(flatten)]
        hints: Hints,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Hints {
        changefreq: Option<ChangeFreq>,
        priority: Option<Priority>,
        #[serde(flatten)]
        dates: Option<Dates>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Dates {
        lastmod: W3cDateTime,
    }
    let page = entry::<Page>(full());
    assert_eq!(page.hints.changefreq, Some(ChangeFreq::Weekly));
    assert_eq!(page.hints.priority, Some(Priority::DEFAULT));
    assert_eq!(
        page.hints.dates.as_ref().unwrap().lastmod.to_string(),
        "2024-05-06T07:08:09Z"
    );
    assert_eq!(
        written(&page),
        "<loc>https://example.com/a?b=1&amp;c=2</loc><lastmod>2024-05-06T07:08:09Z</lastmod><changefreq>weekly</changefreq>\
         <priority>0.5</priority>"
    );
    let page = entry::<Page>(bare());
    assert_eq!(
        page.hints,
        Hints {
            changefreq: None,
            priority: None,
            dates: None
        }
    );
    assert_eq!(written(&page), "<loc>https://example.com/</loc>");

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Extended {
        #[serde(flatten)]
        entry: UrlEntry,
        #[serde(default, skip_serializing)]
        stock: Option<u32>,
    }
    let page = entry::<Extended>(with("<stock>5</stock><lastmod>2024-05</lastmod>"));
    assert_eq!(
        (page.entry.lastmod.unwrap().to_string(), page.stock),
        ("2024-05".to_owned(), Some(5))
    );
    assert_eq!(
        written(&page),
        "<loc>https://example.com/</loc><lastmod>2024-05</lastmod>"
    );
}

#[test]
fn flattened_maps() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        loc: String,
        #[serde(flatten)]
        rest: HashMap<String, String>,
    }
    let page = entry::<Page>(with("<lastmod>2024</lastmod><changefreq>daily</changefreq>"));
    assert_eq!(
        page.rest,
        HashMap::from([
            ("lastmod".to_owned(), "2024".to_owned()),
            ("changefreq".to_owned(), "daily".to_owned())
        ])
    );
    assert_eq!(
        written(&page),
        "<loc>https://example.com/</loc><lastmod>2024</lastmod><changefreq>daily</changefreq>"
    );
    // Through `flatten`, a priority is a number, not a string.
    let problem = misfit::<Page>(with("<priority>0.5</priority>"));
    assert_eq!(
        problem.message,
        "invalid type: floating point `0.5`, expected a string; serde has read it before it asked for this type: add \
         `with = \"sitemap_serde::with::text_or_number\"` to the field, or to the `flatten`, at line 1, column 107 (byte 106), entry 1 · priority"
    );
    #[derive(Debug, PartialEq, Deserialize)]
    struct Any {
        loc: String,
        #[serde(flatten)]
        rest: HashMap<String, serde_json::Value>,
    }
    assert_eq!(
        serde_json::to_value(entry::<Any>(with("<priority>0.5</priority><x>1</x>")).rest).unwrap(),
        serde_json::json!({"priority": 0.5, "x": "1"})
    );
}

#[test]
fn fields_with_functions_of_their_own() {
    mod path {
        use super::{Deserialize, Deserializer, Serializer};

        pub(super) fn serialize<S: Serializer>(path: &[String], serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(&format_args!("https://example.com/{}", path.join("/")))
        }

        pub(super) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Vec<String>, D::Error> {
            let loc = std::borrow::Cow::<str>::deserialize(deserializer)?;
            let path = loc
                .strip_prefix("https://example.com/")
                .ok_or_else(|| serde::de::Error::custom("another site"))?;
            Ok(path.split('/').map(str::to_owned).collect())
        }
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page {
        #[serde(rename = "loc", with = "path")]
        path: Vec<String>,
        #[serde(rename = "lastmod", with = "sitemap_serde::with::system_time", default)]
        changed: Option<SystemTime>,
    }
    let page = entry::<Page>(urlset(
        "<url><loc>https://example.com/a/b</loc><lastmod>1970-01-01T00:01:00.5Z</lastmod></url>",
    ));
    assert_eq!(page.path, ["a", "b"]);
    assert_eq!(
        page.changed,
        Some(SystemTime::UNIX_EPOCH + Duration::from_millis(60_500))
    );
    assert_eq!(
        written(&page),
        "<loc>https://example.com/a/b</loc><lastmod>1970-01-01T00:01:00.5Z</lastmod>"
    );
    assert_eq!(entry::<Page>(bare()).changed, None);
    assert_eq!(
        misfit::<Page>(urlset("<url><loc>https://example.org/</loc></url>")).message,
        "`https://example.org/` does not fit the field's type: another site; correct it, or read it into a `String`, at line 1, column 71 (byte 70), entry 1 · loc"
    );
    assert_eq!(
        misfit::<Page>(with("<lastmod>2024-05-06</lastmod>")).message,
        "`2024-05-06` does not convert to `SystemTime`: it has no time and no zone; write both, or call `assume_utc` for the \
         start of it in UTC, at line 1, column 106 (byte 105), entry 1 · lastmod"
    );
}

#[test]
fn unknown_fields() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Page {
        loc: String,
        #[serde(alias = "date", alias = "lastmod")]
        changed: Option<String>,
    }
    assert_eq!(
        entry::<Page>(with("<date>2024</date>")).changed.as_deref(),
        Some("2024")
    );
    assert_eq!(
        entry::<Page>(with("<lastmod>2024</lastmod>")).changed.as_deref(),
        Some("2024")
    );
    assert_eq!(
        misfit::<Page>(with("<priority>1</priority>")).message,
        "unknown field `priority`, expected one of `loc`, `changed`, `date`, `lastmod`, at line 1, column 61 (byte 60), \
         entry 1"
    );
    assert_eq!(
        misfit::<Page>(with("<date>2024</date><lastmod>2024</lastmod>")).message,
        "duplicate field `changed`, at line 1, column 61 (byte 60), entry 1"
    );
    // Names in unknown namespaces are no fields.
    let foreign = with("<x:priority xmlns:x='urn:x'>1<x:y>2</x:y></x:priority>");
    assert_eq!(entry::<Page>(foreign).changed, None);

    #[derive(Serialize)]
    struct Product {
        loc: &'static str,
        stock: u32,
    }
    assert_eq!(
        refused(Product {
            loc: "https://example.com/",
            stock: 5
        }),
        "`stock` is not a field of an entry: `loc`, `lastmod`, `changefreq`, `priority` are; rename it with `#[serde(rename = \
         …)]`, or leave it out with `#[serde(skip_serializing)]`, entry 1 · stock, loc \
         `https://example.com/`"
    );
}

/// quick-xml and serde_xml_rs name an element's text `$value`.
#[test]
fn the_text_of_an_element_has_one_name() {
    #[derive(Serialize)]
    struct Image {
        #[serde(rename = "$value")]
        loc: &'static str,
    }
    #[derive(Serialize)]
    struct Product {
        loc: &'static str,
        #[serde(rename = "image:image")]
        image: Image,
    }
    let image = Image {
        loc: "https://example.com/a.png",
    };
    assert_eq!(
        refused(Product {
            loc: "https://example.com/",
            image
        }),
        "`$value` is not a field of an element: its text is `$text`; rename it with `#[serde(rename = \"$text\")]`, \
         entry 1 · image:image · $value, loc `https://example.com/`"
    );
}
