//! A link that is written at once is the link that is written by its parts, and so are its errors.

use serde::Serialize;
use sitemap_serde::{Alternate, Error, Kind, Rule, UrlEntry, WriterBuilder};
use sitemap_tests::{Random, rounds};

/// A link whose attributes are the usual ones.
#[derive(Clone, Debug, Serialize)]
struct Link {
    #[serde(rename = "@rel")]
    rel: &'static str,
    #[serde(rename = "@hreflang")]
    hreflang: Option<&'static str>,
    #[serde(rename = "@media")]
    media: Option<&'static str>,
    #[serde(rename = "@href")]
    href: &'static str,
}

/// The same with an attribute of its own, for which it is written by its parts.
#[derive(Serialize)]
struct Marked<'l> {
    #[serde(flatten)]
    link: &'l Link,
    #[serde(rename = "@x")]
    x: &'static str,
}

#[derive(Serialize)]
struct Page<L> {
    loc: &'static str,
    #[serde(rename = "xhtml:link")]
    links: Vec<L>,
}

const LOC: &str = "https://example.com/";

fn written(builder: &WriterBuilder, entry: &impl Serialize) -> Result<String, Error> {
    let mut writer = builder.from_writer(Vec::new());
    writer.serialize(entry)?;
    // The root declares the namespace now.
    writer.serialize(entry)?;
    Ok(String::from_utf8(writer.finish()?).unwrap())
}

fn written_by_type(builder: &WriterBuilder, entry: &UrlEntry) -> Result<String, Error> {
    let mut writer = builder.from_writer(Vec::new());
    writer.write(entry)?;
    writer.write(entry)?;
    Ok(String::from_utf8(writer.finish()?).unwrap())
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "the values of every attribute, and the three ways"
)]
fn links_at_once_are_links_by_their_parts() {
    const RELS: [&str; 8] = [
        "alternate",
        "alternate",
        "alternate",
        "alternate",
        "alternate",
        " alternate",
        "amphtml",
        "",
    ];
    const LANGUAGES: [&str; 10] = [
        "de",
        "en",
        "de-AT",
        "zh-Hant-TW",
        "x-default",
        "es-419",
        "en-UK",
        "",
        " de",
        "d<e",
    ];
    const URLS: [&str; 11] = [
        LOC,
        "https://example.com/de",
        "https://example.org/a?b&c='d'",
        "https://example.com/\u{e9} x",
        "https://b\u{fc}cher.example/",
        "/relative",
        "//other.example/",
        "ftp://example.com/",
        "",
        "https://example.com/\u{7}",
        " https://example.com/de\n",
    ];
    let mut random = Random::new(13);
    let (mut valid, mut invalid) = (0, 0);
    for _ in 0..rounds(4_000) {
        let mut one_of = |all: &[&'static str]| {
            // Mostly of the first ones, which are valid.
            let most = if random.below(3) == 0 {
                all.len()
            } else {
                all.len().min(5)
            };
            all[random.below(most)]
        };
        let count = 1 + one_of(&["", "a", "aa", "aaa"]).len();
        let links: Vec<Link> = (0..count)
            .map(|_| Link {
                rel: one_of(&RELS),
                hreflang: Some(one_of(&LANGUAGES))
                    .filter(|_| one_of(&["a", "b", "c", "d", "e", "f", "g"]) != "g"),
                media: Some("print").filter(|_| one_of(&["a", "b", "c", "d", "e", "f"]) == "f"),
                href: one_of(&URLS),
            })
            .collect();
        let mut builder = WriterBuilder::new();
        if random.below(2) == 0 {
            builder.base("https://example.com");
        }
        builder
            .pretty(random.below(2) == 0)
            .check_alternates(random.below(3) == 0);
        if random.below(4) == 0 {
            builder.declare("xhtml");
        }
        if random.below(20) == 0 {
            builder.kind(Kind::SitemapIndex);
        }
        let marked = links.iter().map(|link| Marked { link, x: "1" }).collect();
        let by_parts = written(
            &builder,
            &Page {
                loc: LOC,
                links: marked,
            },
        );
        let at_once = written(
            &builder,
            &Page {
                loc: LOC,
                links: links.clone(),
            },
        );
        let mut entry = UrlEntry::new(LOC);
        for link in &links {
            let mut alternate = Alternate::new("", link.href);
            alternate.rel = link.rel.into();
            alternate.hreflang = link.hreflang.map(str::to_owned);
            alternate.media = link.media.map(str::to_owned);
            entry.alternates.push(alternate);
        }
        let by_type = written_by_type(&builder, &entry);
        match by_parts {
            Ok(xml) => {
                assert_eq!(at_once.unwrap(), xml.replace(" x=\"1\"", ""));
                assert_eq!(by_type.unwrap(), xml.replace(" x=\"1\"", ""));
                valid += 1;
            }
            Err(error) => {
                assert_eq!(at_once.unwrap_err().to_string(), error.to_string());
                let by_type = by_type.unwrap_err();
                // The type says before its links that it is a page.
                if error.rule() != Some(Rule::IndexTags) {
                    assert_eq!(
                        (by_type.rule(), by_type.path()),
                        (error.rule(), error.path()),
                        "{by_type}\n{error}"
                    );
                }
                invalid += 1;
            }
        }
    }
    assert!(valid > rounds(400) && invalid > rounds(400), "{valid} {invalid}");
}
