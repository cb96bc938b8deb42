//! Numbers.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use sitemap_tests::{entry, misfit};

use crate::serde_types::{Scored, refused, scored, with, written};

#[test]
fn integers() {
    macro_rules! integers {
        ($($type:ty)*) => {$(
            assert_eq!(scored::<$type>(" 1 "), Ok(1));
            assert_eq!(scored::<$type>("+1"), Ok(1));
            assert_eq!(scored::<$type>("007"), Ok(7));
            assert_eq!(scored::<$type>(&<$type>::MAX.to_string()), Ok(<$type>::MAX));
            assert_eq!(scored::<$type>(&<$type>::MIN.to_string()), Ok(<$type>::MIN));
            for bad in ["1.0", "", "one", "0x1", "1e3", "1 2", "999999999999999999999999999999999999999999"] {
                assert_eq!(
                    scored::<$type>(bad),
                    Err(format!(
                        "`{bad}` is not an integer that the type can hold; correct it, or read it into a `String`"
                    ))
                );
            }
            assert_eq!(
                written(Scored::<$type> { loc: "https://example.com/".to_owned(), priority: 1 }),
                "<loc>https://example.com/</loc><priority>1</priority>"
            );
            assert_eq!(
                refused(Scored::<$type> { loc: "https://example.com/".to_owned(), priority: 2 }),
                "`2` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
                 field out, entry 1 · priority, loc `https://example.com/`"
            );
        )*};
    }
    integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
    assert_eq!(
        scored::<u8>("256"),
        Err(
            "`256` is not an integer that the type can hold; correct it, or read it into a `String`"
                .to_owned()
        )
    );
    assert_eq!(
        scored::<u8>("-1"),
        Err(
            "`-1` is not an integer that the type can hold; correct it, or read it into a `String`"
                .to_owned()
        )
    );
    #[derive(Serialize)]
    struct Page {
        loc: &'static str,
        lastmod: u16,
    }
    assert_eq!(
        written(Page {
            loc: "https://example.com/",
            lastmod: 2024
        }),
        "<loc>https://example.com/</loc><lastmod>2024</lastmod>"
    );
    assert_eq!(
        refused(Page {
            loc: "https://example.com/",
            lastmod: 99
        }),
        "the integer 99 is not a lastmod: it is a W3C Datetime, such as `2026-05-01` (P-LASTMOD); Unix seconds: `#[serde(with = \
         \"sitemap_serde::with::unix_seconds\")]`, and `unix_millis` in the same place, entry 1 · lastmod, loc \
         `https://example.com/`"
    );
    // For any type. A bool or a text is reported like any text.
    #[derive(Serialize)]
    struct Changed<T> {
        loc: &'static str,
        lastmod: T,
    }
    fn told<T: Serialize>(lastmod: T) -> String {
        refused(Changed {
            loc: "https://example.com/",
            lastmod,
        })
    }
    let of = |number: &str| {
        format!(
            "the integer {number} is not a lastmod: it is a W3C Datetime, such as `2026-05-01` (P-LASTMOD); Unix seconds: \
             `#[serde(with = \"sitemap_serde::with::unix_seconds\")]`, and `unix_millis` in the same place, entry 1 · \
             lastmod, loc `https://example.com/`"
        )
    };
    assert_eq!(told(1_714_979_289_u64), of("1714979289"));
    assert_eq!(told(Some(1_714_979_289_000_i64)), of("1714979289000"));
    assert_eq!(told(-1_i8), of("-1"));
    assert_eq!(told(u128::MAX), of("340282366920938463463374607431768211455"));
    assert_eq!(told(i128::MIN), of("-170141183460469231731687303715884105728"));
    for text in ["1714979289", "99"] {
        assert!(told(text).starts_with(&format!("`{text}` is not a W3C Datetime: ")));
    }
}

#[test]
fn floats() {
    for (text, value) in [
        ("0.5", 0.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("+0.50", 0.5),
        ("-0.0", 0.0),
        ("1.5", 1.5),
        ("\n17 ", 17.0),
    ] {
        assert_eq!(scored::<f64>(text), Ok(value));
        #[expect(clippy::cast_possible_truncation, reason = "they are the same in both")]
        let narrow = value as f32;
        assert_eq!(scored::<f32>(text), Ok(narrow));
    }
    for bad in [
        "NaN", "inf", "infinity", "-inf", "5e-1", "1E0", "0,5", "1.2.3", ".", "+", "-", "", "0x1", "high",
    ] {
        let expected = Err(format!(
            "`{bad}` is not a decimal number: digits, with a point at most; correct it, or read it into a `String`"
        ));
        assert_eq!(scored::<f64>(bad), expected);
        assert_eq!(scored::<f32>(bad).map(f64::from), expected);
    }
    for (value, text) in [
        (0.3_f32, "0.3"),
        (0.8, "0.8"),
        (1.0, "1.0"),
        (0.0, "0.0"),
        (0.85, "0.85"),
    ] {
        assert_eq!(
            written(Scored {
                loc: "https://example.com/".to_owned(),
                priority: value
            }),
            format!("<loc>https://example.com/</loc><priority>{text}</priority>")
        );
    }
    assert_eq!(
        written(Scored {
            loc: "https://example.com/".to_owned(),
            priority: 0.1_f64 + 0.2
        }),
        "<loc>https://example.com/</loc><priority>0.30000000000000004</priority>"
    );
    // Like an exponent, which is not allowed.
    assert_eq!(
        written(Scored {
            loc: "https://example.com/".to_owned(),
            priority: 1e-7_f64
        }),
        "<loc>https://example.com/</loc><priority>0.0000001</priority>"
    );
    #[derive(Serialize)]
    struct Page {
        loc: &'static str,
        lastmod: f64,
    }
    assert_eq!(
        refused(Page {
            loc: "https://example.com/",
            lastmod: 2024.5
        }),
        "found a float for a lastmod: it is text; make the field a `sitemap_serde::W3cDateTime`, or convert it by a module of \
         `sitemap_serde::with`: that for `time::OffsetDateTime` is `#[serde(with = \"sitemap_serde::with::offset_date_time\")]`, entry 1 · lastmod, loc `https://example.com/`"
    );
}

#[test]
fn numbers_and_booleans_in_elements_of_ones_own() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: String,
        stock: u64,
        sold: bool,
        weight: f64,
        unit: (),
    }
    let page = entry::<Page>(with(
        "<stock>18446744073709551615</stock><sold>1</sold><weight>-.25</weight><unit/>",
    ));
    assert_eq!(
        page,
        Page {
            loc: "https://example.com/".to_owned(),
            stock: u64::MAX,
            sold: true,
            weight: -0.25,
            unit: (),
        }
    );
    #[derive(Debug, PartialEq, Deserialize)]
    struct Sold {
        sold: bool,
    }
    for (text, sold) in [("true", true), ("false", false), ("1", true), ("0", false)] {
        assert_eq!(
            entry::<Sold>(with(&format!("<sold>{text}</sold>"))),
            Sold { sold }
        );
    }
    assert_eq!(
        misfit::<Sold>(with("<sold>yes</sold>")).message,
        "`yes` is not a boolean: a boolean is `true`, `false`, `1` or `0`; correct it, or read it into a `String`, at line 1, column \
         103 (byte 102), entry 1 · sold"
    );
}

#[test]
fn elements_of_ones_own_gather() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        loc: String,
        tag: Vec<String>,
        other: Option<String>,
    }
    let page = entry::<Page>(with(
        "<tag>a</tag><other>x</other>\n<tag>b</tag><tag/><tag><![CDATA[c]]></tag>",
    ));
    assert_eq!(page.tag, ["a", "b", "", "c"]);
    assert_eq!(
        entry::<serde_json::Value>(with("<v>1</v><w/><v>2</v>")),
        serde_json::json!({"loc": "https://example.com/", "v": ["1", "2"], "w": null})
    );
    // One value where several are allowed.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Single {
        tag: String,
    }
    assert_eq!(
        misfit::<Single>(with("<tag>a</tag><tag>b</tag>")).message,
        "a second `tag`, and the type takes one: read it into a `Vec`, or remove one from the document, at line 1, column \
         114 (byte 113), entry 1 · tag"
    );
    // Attributes and children.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Priced {
        price: Vec<Price>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Price {
        #[serde(rename = "@currency")]
        currency: String,
        #[serde(rename = "$text")]
        amount: Option<f64>,
        was: Option<f64>,
    }
    assert_eq!(
        entry::<Priced>(with(
            "<price currency='EUR'>9.9</price><price currency='A&amp;B'> 1 <was>2</was></price><price currency=''/>\n"
        ))
        .price,
        [
            Price { currency: "EUR".to_owned(), amount: Some(9.9), was: None },
            Price { currency: "A&B".to_owned(), amount: Some(1.0), was: Some(2.0) },
            Price { currency: String::new(), amount: None, was: None },
        ]
    );
    assert_eq!(
        misfit::<Priced>(with(
            "<price currency='EUR'>9.9</price><price currency='EUR'>much</price>"
        ))
        .path
        .as_deref(),
        Some("entry 1 · price[1] · $text")
    );
}
