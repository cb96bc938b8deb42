//! Rejected images and news, and their messages.

use sitemap_serde::{
    EntryWriter, ErrorKind, Image, News, Rule, SitemapEntry, UrlEntry, WriterBuilder, from_str,
    news::Publication, to_string,
};
use sitemap_tests::finished;

use super::{LOC, full_news, refused, says};

#[test]
fn rules_of_images() {
    assert_eq!(
        refused(|entry| entry.images = vec![Image::new("https://example.com/1.jpg"), Image::new("")]),
        says(
            "P-IMG2",
            "no `image:loc`: every `image:image` has one (RULE); add it, or leave the `image:image` out, entry 1 · \
             image:image[1] · image:loc"
        )
    );
    for (loc, what) in [
        (
            "/1.jpg",
            "is not an absolute URL: write it with its scheme and host (RULE)",
        ),
        (
            "data:image/png;base64,AA",
            "has no host: write an absolute URL with scheme and host (RULE)",
        ),
        (
            "ftp://example.com/1.jpg",
            "is not http or https: crawlers fetch nothing else; write its web address, or leave it out (RULE)",
        ),
    ] {
        assert_eq!(
            refused(|entry| entry.images = vec![Image::new(loc)]),
            says(
                "P-IMG2",
                &format!("`{loc}` {what}, entry 1 · image:image[0] · image:loc")
            )
        );
    }
    assert_eq!(
        refused(|entry| entry.images = vec![Image::new("https://example.com/1.jpg"); 1001]),
        says(
            "P-IMG1",
            "more than 1,000 `image:image`: 1,000 are allowed in an entry (RULE); leave some out, entry 1 · image:image[1000]"
        )
    );
    let mut entry = UrlEntry::new(LOC);
    entry.images = vec![Image::new("https://example.com/ü ?a&b"); 1000];
    let read: Vec<UrlEntry> = from_str(&to_string(&[entry]).unwrap()).unwrap();
    assert_eq!(
        (read[0].images.len(), read[0].images[999].loc.as_str()),
        (1000, "https://example.com/%C3%BC%20?a&b")
    );
    assert_eq!(
        refused(|entry| {
            let mut image = Image::new("https://example.com/1.jpg");
            image.caption = Some("a\u{b}c".into());
            entry.images = vec![image];
        }),
        (
            None,
            "the character U+000B cannot be in an XML document, not even escaped (XML 1.0 section 2.2); remove it, entry 1 · \
             image:image[0] · image:caption"
                .into()
        )
    );
}

#[test]
fn rules_of_news() {
    let date = |text: &str| text.parse().unwrap();
    let news = |name: &str, language: &str, at: &str, title: &str| {
        Some(News::new(Publication::new(name, language), date(at), title).into())
    };
    let missing = |part: &str, of: &str, path: &str| {
        says(
            "P-NEWS1",
            &format!(
                "no `{part}`: every `{of}` has one (RULE); add it, or leave the `{of}` out, entry 1 · {path}"
            ),
        )
    };
    assert_eq!(
        refused(|entry| entry.news = news("", "en", "2026-05-01", "T")),
        missing(
            "news:name",
            "news:publication",
            "news:news · news:publication · news:name"
        )
    );
    assert_eq!(
        refused(|entry| entry.news = news("N", "", "2026-05-01", "T")),
        missing(
            "news:language",
            "news:publication",
            "news:news · news:publication · news:language"
        )
    );
    assert_eq!(
        refused(|entry| entry.news = news("N", "en", "2026-05-01", " ")),
        missing("news:title", "news:news", "news:news · news:title")
    );
    for language in ["EN", "xx", "english", "en-us", "zh"] {
        if language == "zh" {
            let mut entry = UrlEntry::new(LOC);
            entry.news = news("N", "zh", "2026-05-01", "T");
            to_string(&[entry]).unwrap();
            continue;
        }
        assert_eq!(
            refused(|entry| entry.news = news("N", language, "2026-05-01", "T")),
            says(
                "P-NEWS2",
                &format!(
                    "`{language}` is not a language: a language is an ISO 639 code of 2 or 3 small letters, `zh-cn` or `zh-tw` (RULE); \
                     write the code of the publication's language, entry 1 · news:news · news:publication · news:language"
                )
            )
        );
    }
    assert_eq!(
        refused(|entry| entry.news = news("N", "en", "2026-05", "T")),
        says(
            "P-NEWS3",
            "`2026-05` does not say the day: a publication date is `YYYY-MM-DD`, or a date and time with its zone (RULE); \
             write the day, entry 1 · news:news · news:publication_date"
        )
    );
    let with = |change: fn(&mut News)| {
        refused(|entry| {
            let mut news = full_news();
            change(&mut news);
            entry.news = Some(news.into());
        })
    };
    assert_eq!(
        with(|news| news.access = Some("Free".into())),
        says(
            "sitemap-news.xsd",
            "`Free` is not one of `Subscription`, `Registration` (RULE); write one of these, or leave it out, entry 1 · \
             news:news · news:access"
        )
    );
    assert_eq!(
        with(|news| news.genres.push("Gossip".into())),
        says(
            "sitemap-news.xsd",
            "`Gossip` is not one of `PressRelease`, `Satire`, `Blog`, `OpEd`, `Opinion`, `UserGenerated` (RULE); write one of \
             these, or leave it out, entry 1 · news:news · news:genres"
        )
    );
    assert_eq!(
        with(|news| news.stock_tickers = vec!["A:1".into(); 6]),
        says(
            "sitemap-news.xsd",
            "`A:1, A:1, A:1, A:1, A:1, A:1` has 6 stock tickers: 5 are allowed (RULE); leave some out, entry 1 · news:news · \
             news:stock_tickers"
        )
    );
    assert_eq!(
        with(|news| news.stock_tickers = vec!["AMAT".into()]),
        says(
            "sitemap-news.xsd",
            "`AMAT` is not a stock ticker: a stock ticker is an exchange and a symbol with `:` between, letters and digits (RULE); write \
             one such as `NASDAQ:AMAT`, entry 1 · news:news · news:stock_tickers"
        )
    );
}

#[test]
fn a_document_has_at_most_a_thousand_news() {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let mut entry = UrlEntry::new(LOC);
    entry.news = Some(full_news().into());
    for _ in 0..1000 {
        writer.write(&entry).unwrap();
    }
    let error = writer.write(&entry).unwrap_err();
    assert_eq!(
        (error.kind(), error.rule().map(Rule::as_str), error.to_string()),
        (
            ErrorKind::Limit,
            Some("P-NEWS4"),
            "the document is full: it has 1,000 `news:news`, and 1,000 are allowed (P-NEWS4); finish it and write this entry to \
             the next one, entry 1001, loc `https://example.com/page`"
                .into()
        )
    );
    writer.write(&UrlEntry::new(LOC)).unwrap();
    let xml = finished(writer);
    assert_eq!(from_str::<Vec<UrlEntry>>(&xml).unwrap().len(), 1001);

    // One per entry.
    struct Twice;
    impl SitemapEntry for Twice {
        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            entry.loc(LOC)?;
            entry.news(Some(full_news()))?;
            entry.news(full_news())
        }
    }
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    assert_eq!(
        writer.write(&Twice).unwrap_err().to_string(),
        "a second `news:news`: an entry has at most one (P-NEWS4); write only one, entry 1 · news:news, loc \
         `https://example.com/page`"
    );
}
