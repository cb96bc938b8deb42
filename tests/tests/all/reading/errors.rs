//! Errors as values: their parts, and the parts that pass through serde.

use std::error::Error as _;
use std::fmt;
use std::io;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sitemap_serde::{
    Error, ErrorKind, Priority, Reader, Rule, UrlEntry, W3cDateTime, WriterBuilder, from_str,
};
use sitemap_tests::CORE;

fn entry(children: &str) -> String {
    format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/</loc>{children}</url></urlset>")
}

/// The rule, and the error text up to its position, for the error of the only entry.
#[track_caller]
fn refused<'de, T: Deserialize<'de> + fmt::Debug>(xml: &'de str) -> (Option<Rule>, String) {
    let error = from_str::<Vec<T>>(xml).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    let text = error.to_string();
    (error.rule(), text[..text.find(", at line").unwrap()].to_owned())
}

#[test]
fn messages_quote_the_text_as_found() {
    let xml = format!(
        "<urlset xmlns=\"{CORE}\" xmlns:v=\"http://www.google.com/schemas/sitemap-video/1.1\">\
         <url><loc>https://example.com/</loc><v:video>\
         <v:thumbnail_loc>https://example.com/t</v:thumbnail_loc><v:title>T</v:title><v:description>D</v:description>\
         <v:content_loc>https://example.com/c</v:content_loc>\
         <v:expiration_date>P-LASTMOD</v:expiration_date></v:video></url></urlset>"
    );
    let error = Reader::from_str(&xml).entries().next().unwrap().unwrap_err();
    assert_eq!(error.rule(), Some(Rule::Vid4));
    assert_eq!(error.field(), Some("video:expiration_date"));
    assert_eq!(
        error.to_string(),
        "`P-LASTMOD` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a \
         zone, `Z`, `+hh:mm` or `-hh:mm` (P-VID4); write it like that, or leave the field out, at line 1, column 343 (byte \
         342), entry 1 · video:video[0] · video:expiration_date"
    );
}

#[test]
fn text_in_a_message_is_not_taken_for_a_rule() {
    #[derive(Debug, Deserialize)]
    struct Page {
        #[serde(deserialize_with = "never")]
        #[expect(dead_code, reason = "it is never read")]
        priority: (),
    }
    fn never<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
        let text = String::deserialize(deserializer)?;
        Err(D::Error::custom(format_args!("{text} (P-PRIO); no (P-LOC)")))
    }
    let xml = entry("<priority>0.5</priority>");
    assert_eq!(
        refused::<Page>(&xml),
        (
            None,
            "`0.5` does not fit the field's type: 0.5 (P-PRIO); no (P-LOC); correct it, or read it into a `String`".to_owned()
        )
    );
    let error = Error::custom("the shop (P-LOC) is closed (P-LASTMOD)");
    assert_eq!((error.rule(), error.kind()), (None, ErrorKind::Data));
}

#[test]
fn an_error_of_the_crate_comes_through_serde_whole() {
    let whole = (
        Some(Rule::Prio),
        "`2.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
         field out"
            .to_owned(),
    );
    let xml = entry("<priority>2.5</priority>");

    #[derive(Debug, Deserialize)]
    struct Direct {
        #[expect(dead_code, reason = "it is never read")]
        priority: Priority,
    }
    assert_eq!(refused::<Direct>(&xml), whole);

    // From serde's own buffer.
    #[derive(Debug, Deserialize)]
    struct Flat {
        #[serde(flatten)]
        #[expect(dead_code, reason = "it is never read")]
        direct: Direct,
    }
    assert_eq!(refused::<Flat>(&xml), whole);

    // An error from a user's own function.
    #[derive(Debug, Deserialize)]
    struct Own {
        #[serde(deserialize_with = "parse")]
        #[expect(dead_code, reason = "it is never read")]
        priority: Priority,
    }
    fn parse<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Priority, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
    assert_eq!(refused::<Own>(&xml), whole);

    // Only the text of a partial message passes through.
    #[derive(Debug, Deserialize)]
    struct Part {
        #[serde(deserialize_with = "parse_in_part")]
        #[expect(dead_code, reason = "it is never read")]
        priority: Priority,
    }
    fn parse_in_part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Priority, D::Error> {
        String::deserialize(deserializer)?
            .parse::<Priority>()
            .map_err(|error| D::Error::custom(format_args!("weight: {error}")))
    }
    assert_eq!(refused::<Part>(&xml), (None, format!("weight: {}", whole.1)));
}

#[test]
fn an_error_of_the_crate_is_written_through_serde_whole() {
    #[derive(Serialize)]
    struct Page {
        loc: &'static str,
        #[serde(serialize_with = "checked")]
        lastmod: &'static str,
    }
    fn checked<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        text.parse::<W3cDateTime>()
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }
    let page = Page {
        loc: "https://example.com/",
        lastmod: "2026-02-30",
    };
    let error = WriterBuilder::new()
        .from_writer(Vec::new())
        .serialize(&page)
        .unwrap_err();
    assert_eq!(
        (error.rule(), error.field()),
        (Some(Rule::Lastmod), Some("lastmod"))
    );
    assert_eq!(
        error.to_string(),
        "`2026-02-30` is not a W3C Datetime: February 2026 has 28 days (P-LASTMOD); write a day from 01 to 28, entry 1 · \
         lastmod, loc `https://example.com/`"
    );
}

/// An error of another document counts as text: its position is in that document, and reading of this one continues.
#[test]
fn an_error_of_another_document_is_a_text() {
    #[derive(Debug, Deserialize)]
    struct Page {
        #[serde(deserialize_with = "other")]
        #[expect(dead_code, reason = "it is never read")]
        changefreq: Vec<UrlEntry>,
    }
    fn other<'de, D: Deserializer<'de>>(_: D) -> Result<Vec<UrlEntry>, D::Error> {
        from_str("<urlset").map_err(D::Error::custom)
    }
    let xml = entry("<changefreq>daily</changefreq>");
    let mut reader = Reader::from_str(&xml);
    let error = reader.deserialize::<Page>().next().unwrap().unwrap_err();
    assert_eq!(
        (error.kind(), error.rule(), error.entry()),
        (ErrorKind::Data, None, Some(1))
    );
    assert!(
        error
            .to_string()
            .ends_with("(byte 0); correct it, or read it into a `String`, at line 1, column 109 (byte 108), entry 1 · changefreq"),
        "{error}"
    );
}

/// A `Display` that fails causes no panic.
#[test]
fn a_message_that_cannot_be_displayed() {
    struct Broken;
    impl fmt::Display for Broken {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("half")?;
            Err(fmt::Error)
        }
    }
    assert_eq!(
        Error::custom(Broken).to_string(),
        "an error whose `Display` failed"
    );
}

/// Printing an error and its sources repeats no text.
#[test]
fn no_source_repeats_the_text() {
    #[derive(Debug)]
    struct Cable;
    impl fmt::Display for Cable {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the cable was pulled")
        }
    }
    impl std::error::Error for Cable {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&Cat)
        }
    }
    #[derive(Debug)]
    struct Cat;
    impl fmt::Display for Cat {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("it was the cat")
        }
    }
    impl std::error::Error for Cat {}
    struct Pulled;
    impl io::Read for Pulled {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other(Cable))
        }
    }
    let error = Reader::from_reader(Pulled).entries().next().unwrap().unwrap_err();
    let mut chain = vec![error.to_string()];
    let mut next = error.source();
    while let Some(source) = next {
        chain.push(source.to_string());
        next = source.source();
    }
    assert_eq!(
        chain,
        [
            "cannot read the sitemap: the cable was pulled, at line 1, column 1 (byte 0)",
            "it was the cat"
        ]
    );
    assert_eq!(error.io_error().unwrap().kind(), io::ErrorKind::Other);
}
