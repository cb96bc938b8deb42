//! Absent values.

use std::fmt::Debug;

use serde::Deserialize;
use sitemap_serde::{ChangeFreq, Priority, UrlEntry, W3cDateTime};
use sitemap_tests::{entry, misfit, urlset};

use crate::serde_types::{LOC, Optional, bare, full, with, written};

#[test]
fn an_option_may_be_absent_or_empty() {
    let absent = Optional {
        loc: "https://example.com/".to_owned(),
        lastmod: None,
        changefreq: None,
        priority: None,
    };
    assert_eq!(entry::<Optional>(bare()), absent);
    for children in [
        "<lastmod></lastmod><changefreq></changefreq><priority></priority>",
        "<lastmod> \n</lastmod><changefreq>\t</changefreq><priority>\r\n</priority>",
        "<lastmod/>\n<changefreq/>\n<priority/>\n",
        "<lastmod><!-- --></lastmod><changefreq><![CDATA[]]></changefreq><priority>&#32;</priority>",
    ] {
        assert_eq!(entry::<Optional>(with(children)), absent, "{children}");
        assert_eq!(
            entry::<UrlEntry>(with(children)),
            UrlEntry::new("https://example.com/"),
            "{children}"
        );
    }
    assert_eq!(written(&absent), "<loc>https://example.com/</loc>");
    assert_eq!(
        entry::<Optional>(full()),
        Optional {
            loc: LOC.to_owned(),
            lastmod: Some("2024-05-06T07:08:09Z".to_owned()),
            changefreq: Some(ChangeFreq::Weekly),
            priority: Some(0.5),
        }
    );
}

/// The elements after an empty one are its neighbours, not its children.
#[test]
fn an_empty_element_does_not_swallow_the_next() {
    let entry = entry::<UrlEntry>(urlset(
        "<url><lastmod/><loc>https://example.com/</loc><changefreq/><priority>0.5</priority></url>",
    ));
    let mut expected = UrlEntry::new("https://example.com/");
    expected.priority = Some(Priority::DEFAULT);
    assert_eq!(entry, expected);
}

#[test]
fn missing_required_fields() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: String,
        priority: f32,
    }
    let problem = misfit::<Page>(bare());
    assert_eq!(
        problem.message,
        "missing field `priority`, at line 1, column 61 (byte 60), entry 1"
    );
    let problem = misfit::<Page>(with("<priority></priority>"));
    assert_eq!(
        problem.message,
        "`` is not a decimal number: digits, with a point at most; correct it, or read it into a `String`, at line 1, \
         column 107 (byte 106), entry 1 · priority"
    );
    // An empty string is a string.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Dated {
        loc: String,
        lastmod: String,
    }
    assert_eq!(entry::<Dated>(with("<lastmod></lastmod>")).lastmod, "");
}

#[test]
fn defaults() {
    fn normal() -> f32 {
        0.5
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: String,
        #[serde(default = "normal")]
        priority: f32,
        #[serde(default)]
        lastmod: String,
    }
    assert_eq!(
        entry::<Page>(bare()),
        Page {
            loc: "https://example.com/".to_owned(),
            priority: 0.5,
            lastmod: String::new(),
        }
    );

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct All {
        loc: String,
        lastmod: Option<W3cDateTime>,
        draft: bool,
    }
    assert!(!entry::<All>(bare()).draft);
}

/// The names that other libraries and databases use for them, and names without a prefix.
#[test]
fn a_missing_field_gets_a_suggestion() {
    macro_rules! missing {
        ($($name:ident)*) => {
            [$({
                #[derive(Debug, PartialEq, Deserialize)]
                #[allow(dead_code, non_snake_case)]
                struct Page {
                    $name: String,
                }
                (stringify!($name), misfit::<Page>(bare()).message)
            }),*]
        };
    }
    let at = "at line 1, column 61 (byte 60), entry 1";
    let meant = [
        "loc",
        "lastmod",
        "lastmod",
        "changefreq",
        "image:image",
        "news:news",
    ];
    for ((name, message), meant) in missing!(url lastMod updated_at frequency image news)
        .into_iter()
        .zip(meant)
    {
        assert_eq!(
            message,
            format!(
                "missing field `{name}`; did you mean `{meant}`? Rename it with `#[serde(rename = \"{meant}\")]`, {at}"
            )
        );
    }
    for (name, message) in missing!(stock lastmods_of_children) {
        assert_eq!(message, format!("missing field `{name}`, {at}"));
    }

    // The fields of an element differ from the fields of an entry.
    #[derive(Debug, PartialEq, Deserialize)]
    #[allow(dead_code)]
    struct Image {
        url: String,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[allow(dead_code)]
    struct Page {
        #[serde(rename = "image:image")]
        image: Image,
    }
    let image = "<image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><image:loc>https://example.com/a.png</image:loc></image:image>";
    let message = misfit::<Page>(with(image)).message;
    assert!(message.starts_with("missing field `url`, at "), "{message}");
}
