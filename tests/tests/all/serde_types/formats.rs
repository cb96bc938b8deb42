//! Other formats.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sitemap_serde::video::Decimal;
use sitemap_serde::{
    ChangeFreq, Document, IndexEntry, Priority, SitemapIndex, UrlEntry, UrlSet, W3cDateTime,
};
use sitemap_tests::{entry, index, read};

use crate::serde_types::{LOC, full, with, written};

#[test]
fn json_values() {
    let document = with("<lastmod>2024</lastmod><priority>0.50</priority><x a='1'>y<z/></x>\n<w/>");
    let expected = serde_json::json!({
        "loc": "https://example.com/",
        "lastmod": "2024",
        "priority": 0.5,
        "x": {"@a": "1", "z": null, "$text": "y"},
        "w": null,
    });
    assert_eq!(entry::<serde_json::Value>(&document), expected);
    let whole = read::<serde_json::Value>(full()).unwrap();
    assert_eq!(
        whole,
        serde_json::json!({"urlset": [{
            "loc": LOC, "lastmod": "2024-05-06T07:08:09Z", "changefreq": "weekly", "priority": 0.5
        }]})
    );
    // The value read can be written.
    let xml = full().replace("0.50", "0.5");
    assert_eq!(
        sitemap_serde::to_string(&whole).unwrap(),
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{xml}")
    );
    assert_eq!(
        sitemap_serde::to_string(&whole["urlset"]).unwrap(),
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{xml}")
    );
    assert_eq!(
        read::<serde_json::Value>(index("")).unwrap(),
        serde_json::json!({"sitemapindex": []})
    );
}

#[test]
fn entries_to_json_and_back() {
    #[expect(clippy::needless_pass_by_value, reason = "it reads better at the many calls")]
    fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
        let tree = serde_json::to_value(&value).unwrap();
        assert_eq!(serde_json::from_value::<T>(tree).unwrap(), value);
    }
    let full = entry::<UrlEntry>(full());
    let json = r#"{"loc":"https://example.com/a?b=1&c=2","lastmod":"2024-05-06T07:08:09Z","changefreq":"weekly","priority":0.5}"#;
    let bare = UrlEntry::new("https://example.com/");
    there_and_back(full.clone(), json);
    there_and_back(bare.clone(), r#"{"loc":"https://example.com/"}"#);
    there_and_back(
        UrlSet::from(vec![bare.clone()]),
        r#"[{"loc":"https://example.com/"}]"#,
    );
    there_and_back(
        Document::UrlSet(UrlSet::from(vec![bare])),
        r#"{"urlset":[{"loc":"https://example.com/"}]}"#,
    );
    let mut sitemap = IndexEntry::new("https://example.com/1.xml");
    there_and_back(sitemap.clone(), r#"{"loc":"https://example.com/1.xml"}"#);
    sitemap.lastmod = Some("2024-05".parse().unwrap());
    there_and_back(
        Document::SitemapIndex(SitemapIndex::from(vec![sitemap])),
        r#"{"sitemapindex":[{"loc":"https://example.com/1.xml","lastmod":"2024-05"}]}"#,
    );
    for freq in ChangeFreq::ALL {
        there_and_back(freq, &format!("\"{freq}\""));
    }
    there_and_back(Priority::new(0.85).unwrap(), "0.85");
    there_and_back(Priority::MAX, "1.0");
    for (decimal, json) in [
        ("4.5", "4.5"),
        ("4.50", "4.5"),
        ("0.1234567890123456", "0.1234567890123456"),
        ("10000000000000000000001", "\"10000000000000000000001\""),
        ("0.12345678901234567890", "\"0.12345678901234567890\""),
    ] {
        there_and_back(decimal.parse::<Decimal>().unwrap(), json);
    }
    for text in [
        "2024",
        "2024-05",
        "2024-05-06",
        "2024-05-06T07:08Z",
        "2024-05-06T07:08:09.120-00:00",
    ] {
        there_and_back(text.parse::<W3cDateTime>().unwrap(), &format!("\"{text}\""));
    }
    // A null is an absent value, and the rules of XML apply here too.
    let nulls = r#"{"loc":"https://example.com/","lastmod":null,"changefreq":null,"priority":null}"#;
    assert_eq!(
        serde_json::from_str::<UrlEntry>(nulls).unwrap(),
        UrlEntry::new("https://example.com/")
    );
    for (json, message) in [
        (
            r#"{"loc":"/a"}"#,
            "`/a` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or read it into a `String` and resolve it at line 1 column 11",
        ),
        (
            r#"{"loc":"https://example.com/","priority":1.5}"#,
            "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
             field out at line 1 column 44",
        ),
        (
            r#"{"loc":"https://example.com/","lastmod":"2024-02-30"}"#,
            "`2024-02-30` is not a W3C Datetime: February 2024 has 29 days (P-LASTMOD); write a day from 01 to 29 at line 1 \
             column 52",
        ),
        (
            r#"{"loc":"https://example.com/","changefreq":"Daily"}"#,
            "`Daily` is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); \
             did you mean `daily`? at line 1 column 50",
        ),
    ] {
        assert_eq!(
            serde_json::from_str::<UrlEntry>(json).unwrap_err().to_string(),
            message
        );
    }
}

#[test]
fn priorities_and_dates_keep_how_they_are_written() {
    for priority in ["0.50", ".5", "1", "1.", "+0.5", "-0.0", "00.5"] {
        let read: UrlEntry = entry(with(&format!("<priority>{priority}</priority>")));
        assert_eq!(
            written(&read),
            format!("<loc>https://example.com/</loc><priority>{priority}</priority>")
        );
    }
    for lastmod in [
        "2024",
        "2024-05",
        "2024-05-06",
        "2024-05-06T07:08Z",
        "2024-05-06T07:08:09.10+00:00",
    ] {
        let read: UrlEntry = entry(with(&format!("<lastmod>{lastmod}</lastmod>")));
        assert_eq!(
            written(&read),
            format!("<loc>https://example.com/</loc><lastmod>{lastmod}</lastmod>")
        );
    }
}
