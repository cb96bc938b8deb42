//! Values that a field's type refuses with its own error: the message has the value and the fix.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use sitemap_serde::W3cDateTime;
use sitemap_tests::{misfit, outcomes, urlset};

use crate::serde_types::with;

#[derive(Debug, PartialEq, Deserialize)]
struct Page<T> {
    loc: String,
    lastmod: T,
}

/// Text that is parsed, as the serde support of jiff and url does it.
#[derive(Debug, PartialEq)]
struct Parsed<T>(T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Parsed).map_err(D::Error::custom)
    }
}

const PLACE: &str = ", at line 1, column 106 (byte 105), entry 1 · lastmod";
const READ_IT: &str = "; it is a W3C Datetime: read it into a `sitemap_serde::W3cDateTime`, which has every form of one and converts to \
     the types of chrono, time and jiff";

/// Reads each form of a lastmod, and invalid texts, into a type of another crate.
#[track_caller]
fn all_forms<T: DeserializeOwned + PartialEq + Debug>(read: &[&str], year_alone: &str) {
    let texts = [
        "2024-05-06",
        "2024-05",
        "2024",
        "2024-05-06T07:08Z",
        "2024-05-06T07:08:09Z",
        "2024-05-06T07:08:09.5+09:00",
        "2024-05-06T07:08:09",
        "2024/05/06",
        "yesterday",
    ];
    let mut taken = Vec::new();
    for text in texts {
        let outcome = outcomes::<Page<T>>(with(&format!("<lastmod>{text}</lastmod>")).as_bytes()).remove(0);
        let Err(problem) = outcome else {
            taken.push(text);
            continue;
        };
        let message = problem.message.strip_suffix(PLACE).or_else(|| {
            let in_tuple = format!("{PLACE}[0]");
            problem.message.strip_suffix(&in_tuple)
        });
        let message = message.unwrap_or_else(|| panic!("no place: {}", problem.message));
        match text.parse::<W3cDateTime>() {
            Ok(_) => {
                assert!(
                    message.starts_with(&format!("`{text}` ")) && message.ends_with(READ_IT),
                    "{message}"
                );
                assert_eq!(problem.rule, None, "{text}");
            }
            Err(error) => {
                let (problem_of_format, advice) =
                    error.to_string().split_once(" (P-LASTMOD)").map(own).unwrap();
                assert!(
                    message.starts_with(&problem_of_format) && message.ends_with(&advice),
                    "{message}"
                );
                assert_eq!(problem.rule, Some("P-LASTMOD"), "{text}");
            }
        }
        if text == "2024" {
            assert_eq!(message, format!("{year_alone}{READ_IT}"));
        }
    }
    assert_eq!(taken, read);
}

fn own((before, after): (&str, &str)) -> (String, String) {
    (before.to_owned(), after.to_owned())
}

#[test]
fn dates_of_chrono() {
    let premature = "`2024` does not fit the field's type: premature end of input";
    let full = ["2024-05-06T07:08:09Z", "2024-05-06T07:08:09.5+09:00"];
    all_forms::<chrono::DateTime<chrono::Utc>>(&full, premature);
    all_forms::<chrono::DateTime<chrono::FixedOffset>>(&full, premature);
    all_forms::<chrono::NaiveDate>(&["2024-05-06"], premature);
    all_forms::<chrono::NaiveDateTime>(&["2024-05-06T07:08:09"], premature);
}

#[test]
fn dates_of_jiff() {
    macro_rules! refused {
        ($jiff:ident, $Zoned:ident) => {{
            let no_month =
                "`2024` does not fit the field's type: expected two digit month, but found end of input";
            let instants = [
                "2024-05-06T07:08Z",
                "2024-05-06T07:08:09Z",
                "2024-05-06T07:08:09.5+09:00",
            ];
            all_forms::<Parsed<$jiff::Timestamp>>(&instants, no_month);
            all_forms::<Parsed<$jiff::$Zoned>>(&[], no_month);
            let local = ["2024-05-06", "2024-05-06T07:08:09.5+09:00", "2024-05-06T07:08:09"];
            all_forms::<Parsed<$jiff::civil::Date>>(&local, no_month);
            all_forms::<Parsed<$jiff::civil::DateTime>>(&local, no_month);
        }};
    }
    refused!(jiff1, ZonedDateTime);
    refused!(jiff02, Zoned);
}

/// Like the types of time: a year, and the day in it.
#[test]
fn dates_that_are_tuples() {
    let no_day = "`2024` does not fit the field's type: invalid length 1, expected a tuple of size 2";
    all_forms::<(i32, u16)>(&[], no_day);
}

#[test]
fn what_is_broken_is_said_beside_the_types_own_words() {
    let message = |text: &str| {
        misfit::<Page<chrono::DateTime<chrono::Utc>>>(with(&format!("<lastmod>{text}</lastmod>"))).message
    };
    assert_eq!(
        message("2024/05/06"),
        "`2024/05/06` is not a W3C Datetime: the parts of a date are joined by `-`, and the field's type reports: input \
         contains invalid characters (P-LASTMOD); write `2024-05-06`, at line 1, column 106 (byte 105), entry 1 · lastmod"
    );
    assert_eq!(
        message(""),
        "`` does not fit the field's type: premature end of input; fill it, or make the field an `Option`, at line 1, \
         column 106 (byte 105), entry 1 · lastmod"
    );
    #[derive(Debug, PartialEq, Deserialize)]
    struct Link {
        loc: Parsed<url::Url>,
    }
    assert_eq!(
        misfit::<Link>(urlset("<url><loc>/lamp</loc></url>")).message,
        "`/lamp` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/`, and the field's type \
         reports: relative URL without a base (P-LOC); write the absolute URL, or read it into a `String` and resolve it, at \
         line 1, column 71 (byte 70), entry 1 · loc"
    );
}

/// Refuses every text, with a message that does not quote it.
#[derive(Debug, PartialEq)]
struct Nothing;

impl<'de> Deserialize<'de> for Nothing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?;
        Err(D::Error::custom("never"))
    }
}

/// In every place for a text.
#[test]
fn each_place_says_what_was_found() {
    fn is_quoted<T: DeserializeOwned + PartialEq + Debug>(inner: &str, found: &str, path: &str) {
        let problem = misfit::<T>(urlset(&format!("<url>{inner}</url>")));
        let start = format!(
            "`{found}` does not fit the field's type: never; correct it, or read it into a `String`, at "
        );
        assert!(problem.message.starts_with(&start), "{}", problem.message);
        assert_eq!(problem.path.as_deref(), Some(path));
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Loc {
        loc: Nothing,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Images {
        #[serde(rename = "image:image")]
        images: Vec<Image>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Image {
        #[serde(rename = "image:title")]
        title: Option<Nothing>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Links {
        #[serde(rename = "xhtml:link")]
        link: Link,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Link {
        #[serde(rename = "@hreflang")]
        language: Nothing,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Price {
        #[serde(rename = "video:video")]
        video: Video,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Video {
        #[serde(rename = "video:price")]
        price: Vec<Amount>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Amount {
        #[serde(rename = "$text")]
        text: Nothing,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct List {
        changefreq: Vec<Nothing>,
    }
    const LOC: &str = "<loc>https://example.com/</loc>";
    is_quoted::<Loc>(LOC, "https://example.com/", "entry 1 · loc");
    is_quoted::<Images>(
        &format!(
            "{LOC}<image:image xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'>\
             <image:loc>https://example.com/a.jpg</image:loc><image:title>A lamp</image:title></image:image>"
        ),
        "A lamp",
        "entry 1 · image:image[0] · image:title",
    );
    is_quoted::<Links>(
        &format!(
            "{LOC}<l:link xmlns:l='http://www.w3.org/1999/xhtml' rel='alternate' hreflang='de' href='https://example.com/'/>"
        ),
        "de",
        "entry 1 · xhtml:link · @hreflang",
    );
    is_quoted::<Price>(
        &format!(
            "{LOC}<v:video xmlns:v='http://www.google.com/schemas/sitemap-video/1.1'><v:price currency='EUR'>1.99</v:price></v:video>"
        ),
        "1.99",
        "entry 1 · video:video · video:price[0] · $text",
    );
    is_quoted::<List>(
        &format!("{LOC}<changefreq>daily</changefreq>"),
        "daily",
        "entry 1 · changefreq[0]",
    );
}
