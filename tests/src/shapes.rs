//! Sitemaps of published shapes. Values and lengths differ from entry to entry, and are the same in every run.
//!
//! The benchmark is a separate crate that includes this file. It thus times the same documents whose instructions the tests count.

use std::fmt::Write;

use super::random::Random;

/// The form of a document's entries.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The name of the shape's particular feature.
    pub name: &'static str,
    /// The root's declarations in addition to the core's namespace. `None` if it declares the core with a prefix.
    declares: Option<&'static str>,
    entry: fn(&mut Random, &mut String),
    /// `true` if lines end with CR LF.
    crlf: bool,
}

const IMAGE: &str = " xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"";
const XHTML: &str = " xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
const NEWS: &str = " xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\"";
const VIDEO: &str = " xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\"";

const fn shape(name: &'static str, declares: &'static str, entry: fn(&mut Random, &mut String)) -> Shape {
    Shape {
        name,
        declares: Some(declares),
        entry,
        crlf: false,
    }
}

/// All shapes; the first is the plain one.
pub const SHAPES: [Shape; 27] = [
    shape("plain", "", |r, out| {
        let loc = url(r, '/');
        plain(r, out, "  ", &loc);
    }),
    Shape {
        crlf: true,
        ..shape("CR LF", "", |r, out| {
            let loc = url(r, '/');
            plain(r, out, "  ", &loc);
        })
    },
    shape("reference", "", |r, out| {
        let loc = query(r);
        plain(r, out, "  ", &loc);
    }),
    shape("reference in one of ten", "", |r, out| {
        let loc = if r.below(10) == 0 { query(r) } else { url(r, '/') };
        plain(r, out, "  ", &loc);
    }),
    shape("CDATA", "", |r, out| {
        let loc = format!("<![CDATA[{}]]>", url(r, '/'));
        plain(r, out, "  ", &loc);
    }),
    shape("raw UTF-8", "", |r, out| {
        let loc = format!("https://www.example.com/{}/{}", japanese(r), words(r, "-"));
        plain(r, out, "  ", &loc);
    }),
    shape("white space around loc", "", |r, out| {
        let loc = format!("\n      {}\n    ", url(r, '/'));
        plain(r, out, "  ", &loc);
    }),
    shape("comment before entry", "", |r, out| {
        let _ = writeln!(out, "  <!-- {} -->", words(r, " "));
        let loc = url(r, '/');
        plain(r, out, "  ", &loc);
    }),
    shape("fields at random", "", |r, out| {
        let _ = writeln!(out, "  <url>\n    <loc>{}</loc>", url(r, '/'));
        for field in [lastmod, changefreq, priority] {
            if r.below(2) == 0 {
                out.push_str("    ");
                field(r, out);
                out.push('\n');
            }
        }
        out.push_str("  </url>\n");
    }),
    shape("loc only", "", |r, out| {
        let _ = writeln!(out, "<url><loc>{}</loc></url>", url(r, '/'));
    }),
    Shape {
        declares: None,
        ..shape("prefixed core", "", |r, out| {
            let _ = writeln!(
                out,
                "  <s:url>\n    <s:loc>{}</s:loc>\n    <s:lastmod>{}</s:lastmod>\n    <s:changefreq>weekly</s:changefreq>\n    \
                 <s:priority>0.{}</s:priority>\n  </s:url>",
                url(r, '/'),
                date(r),
                r.below(10)
            );
        })
    },
    shape("images", IMAGE, |r, out| images(r, out, url, "", "")),
    shape("images with references", IMAGE, |r, out| {
        images(r, out, |r, _| query(r), " &amp; more", "");
    }),
    shape("links", XHTML, |r, out| {
        let loc = url(r, '/');
        links(r, out, &loc, |_, language, href| {
            format!("rel=\"alternate\" hreflang=\"{language}\" href=\"{href}\"")
        });
    }),
    shape("links with references", XHTML, |r, out| {
        let loc = query(r);
        links(r, out, &loc, |_, language, href| {
            format!("rel=\"alternate\" hreflang=\"{language}\" href=\"{href}\"")
        });
    }),
    shape("news, Japanese", NEWS, |r, out| {
        let (loc, date, title) = (url(r, '/'), date(r), japanese(r) + &japanese(r));
        let _ = writeln!(
            out,
            "  <url>\n    <loc>{loc}</loc>\n    <news:news>\n      <news:publication>\n        <news:name>{}</news:name>\n        \
             <news:language>ja</news:language>\n      </news:publication>\n      \
             <news:publication_date>{date}</news:publication_date>\n      <news:title>{title}</news:title>\n    </news:news>\n  \
             </url>",
            japanese(r)
        );
    }),
    shape("video with references", VIDEO, |r, out| {
        let _ = writeln!(
            out,
            "  <url>\n    <loc>{}</loc>\n    <video:video>\n      <video:thumbnail_loc>{}</video:thumbnail_loc>\n      \
             <video:title>{} &amp; {}</video:title>\n      <video:description>{}</video:description>\n      \
             <video:player_loc allow_embed=\"yes\">{}</video:player_loc>\n      <video:duration>{}</video:duration>\n      \
             <video:publication_date>{}</video:publication_date>\n    </video:video>\n  </url>",
            url(r, '/'),
            url(r, '/'),
            words(r, " "),
            words(r, " "),
            words(r, " ") + &words(r, " "),
            query(r),
            1 + r.below(20_000),
            date(r)
        );
    }),
    shape("xmlns on each url", "", |r, out| {
        let start = out.len();
        let loc = url(r, '/');
        plain(r, out, "  ", &loc);
        let at = out[start..].find('>').map_or(0, |at| start + at);
        out.insert_str(at, " xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"");
    }),
    shape("xmlns:image on each url", "", |r, out| {
        let start = out.len();
        images(r, out, url, "", "");
        let at = out[start..].find('>').map_or(0, |at| start + at);
        out.insert_str(at, IMAGE);
    }),
    shape("xmlns:image on each image", "", |r, out| {
        images(r, out, url, "", IMAGE);
    }),
    shape("xml:lang on links", XHTML, |r, out| {
        let loc = url(r, '/');
        links(r, out, &loc, |_, language, href| {
            format!("rel=\"alternate\" xml:lang=\"{language}\" hreflang=\"{language}\" href=\"{href}\"")
        });
    }),
    shape("attribute order", XHTML, |r, out| {
        let loc = url(r, '/');
        links(r, out, &loc, |r, language, href| {
            let mut parts = [
                "rel=\"alternate\"".to_owned(),
                format!("hreflang=\"{language}\""),
                format!("href=\"{href}\""),
            ];
            let (i, j) = (r.below(3), r.below(3));
            parts.swap(i, j);
            parts.join(" ")
        });
    }),
    shape("indentation", "", |r, out| {
        let (indent, loc) = (["", " ", "  ", "   ", "\t", "\t\t"][r.below(6)], url(r, '/'));
        plain(r, out, indent, &loc);
    }),
    shape(
        "a namespace of the user's",
        " xmlns:shop=\"urn:shop\"",
        |r, out| {
            let _ = writeln!(
                out,
                "  <url>\n    <loc>{}</loc>\n    <shop:price currency=\"EUR\">{}</shop:price>\n    <shop:name>{}</shop:name>\n  </url>",
                url(r, '/'),
                r.below(100_000),
                words(r, " ")
            );
        },
    ),
    shape("a space in the tag", "", |r, out| {
        let _ = writeln!(
            out,
            "  <url >\n    <loc >{}</loc >\n    <lastmod >{}</lastmod >\n  </url >",
            url(r, '/'),
            date(r)
        );
    }),
    shape("square brackets and wide characters", IMAGE, |r, out| {
        let (loc, title) = (url(r, '/'), japanese(r));
        let _ = writeln!(
            out,
            "  <url>\n    <loc>{loc}?filter[{}]=1</loc>\n    <image:image>\n      <image:loc>{}</image:loc>\n      \
             <image:title>（新品）{title}！</image:title>\n    </image:image>\n  </url>",
            words(r, "-"),
            url(r, '/')
        );
    }),
    shape("one line", IMAGE, |r, out| {
        let start = out.len();
        images(r, out, url, "", "");
        let line: String = out[start..].lines().map(str::trim).collect();
        out.truncate(start);
        out.push_str(&line);
    }),
];

impl Shape {
    /// Returns the shape of that name.
    ///
    /// # Panics
    /// If no shape has the name.
    pub fn of(name: &str) -> Shape {
        let found = SHAPES.into_iter().find(|shape| shape.name == name);
        found.unwrap_or_else(|| panic!("no shape is called {name}"))
    }

    /// Returns a document of that many entries.
    pub fn document(&self, entries: usize, seed: u64) -> String {
        let mut random = Random::new(seed);
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let (prefix, declares) = match self.declares {
            Some(declares) => ("", format!("xmlns=\"{CORE}\"{declares}")),
            None => ("s:", format!("xmlns:s=\"{CORE}\"")),
        };
        let _ = writeln!(out, "<{prefix}urlset {declares}>");
        for _ in 0..entries {
            (self.entry)(&mut random, &mut out);
        }
        let _ = writeln!(out, "</{prefix}urlset>");
        if self.crlf { out.replace('\n', "\r\n") } else { out }
    }
}

const CORE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

const WORDS: [&str; 16] = [
    "a",
    "to",
    "lamp",
    "shade",
    "outdoor",
    "garden",
    "furniture",
    "wood",
    "2024",
    "x1",
    "collection",
    "sale",
    "kitchen",
    "knives",
    "international",
    "of",
];

pub(super) const LANGUAGES: [&str; 12] = [
    "en",
    "de",
    "fr",
    "ja",
    "es",
    "it",
    "pt-BR",
    "nl",
    "zh-Hant-TW",
    "ko",
    "x-default",
    "en-GB",
];

/// Returns one to six words.
pub(super) fn words(random: &mut Random, between: &str) -> String {
    let count = 1 + random.below(6);
    let words: Vec<_> = (0..count).map(|_| WORDS[random.below(WORDS.len())]).collect();
    words.join(between)
}

pub(super) fn japanese(random: &mut Random) -> String {
    let count = 3 + random.below(20);
    (0..count)
        .map(|_| ['サ', 'イ', 'ト', 'の', '地', '図', '新', '聞'][random.below(8)])
        .collect()
}

/// Returns a URL that needs no escaping in XML.
pub(super) fn url(random: &mut Random, between: char) -> String {
    let mut out = String::from("https://www.example.com");
    for _ in 0..=random.below(3) {
        out.push(between);
        out.push_str(&words(random, "-"));
    }
    let _ = write!(out, "-{}", random.below(1_000_000));
    out
}

/// Returns a URL with at least one reference.
pub(super) fn query(random: &mut Random) -> String {
    let mut out = url(random, '/');
    let _ = write!(out, "?id={}", random.below(10_000));
    for _ in 0..=random.below(2) {
        let _ = write!(
            out,
            "&amp;{}={}",
            WORDS[random.below(WORDS.len())],
            random.below(100)
        );
    }
    out
}

pub(super) fn date(random: &mut Random) -> String {
    let (year, month, day) = (
        2015 + random.below(10),
        1 + random.below(12),
        1 + random.below(28),
    );
    match random.below(3) {
        0 => format!("{year}-{month:02}-{day:02}"),
        1 => format!("{year}-{month:02}-{day:02}T12:{:02}:00Z", random.below(60)),
        _ => format!("{year}-{month:02}-{day:02}T12:30:{:02}+02:00", random.below(60)),
    }
}

fn lastmod(random: &mut Random, out: &mut String) {
    let _ = write!(out, "<lastmod>{}</lastmod>", date(random));
}

fn changefreq(random: &mut Random, out: &mut String) {
    let word = ["always", "daily", "weekly", "monthly", "never"][random.below(5)];
    let _ = write!(out, "<changefreq>{word}</changefreq>");
}

fn priority(random: &mut Random, out: &mut String) {
    let _ = write!(out, "<priority>0.{}</priority>", random.below(100));
}

fn plain(random: &mut Random, out: &mut String, indent: &str, loc: &str) {
    let _ = write!(
        out,
        "{indent}<url>\n{indent}{indent}<loc>{loc}</loc>\n{indent}{indent}"
    );
    lastmod(random, out);
    let _ = write!(out, "\n{indent}{indent}");
    changefreq(random, out);
    let _ = write!(out, "\n{indent}{indent}");
    priority(random, out);
    let _ = writeln!(out, "\n{indent}</url>");
}

/// Appends an entry with up to five images. `declared` is their declaration of the namespace, or empty.
fn images(
    random: &mut Random,
    out: &mut String,
    url: fn(&mut Random, char) -> String,
    title: &str,
    declared: &str,
) {
    let _ = writeln!(out, "  <url>\n    <loc>{}</loc>", url(random, '/'));
    for _ in 0..random.below(6) {
        let _ = writeln!(
            out,
            "    <image:image{declared}>\n      <image:loc>{}</image:loc>\n      <image:title>{}{title}</image:title>\n    \
             </image:image>",
            url(random, '/'),
            words(random, " ")
        );
    }
    out.push_str("  </url>\n");
}

/// Appends an entry with twelve alternates.
fn links(
    random: &mut Random,
    out: &mut String,
    loc: &str,
    attributes: impl Fn(&mut Random, &str, &str) -> String,
) {
    let _ = writeln!(out, "  <url>\n    <loc>{loc}</loc>");
    for language in LANGUAGES {
        let href = loc.replace(".com", &format!(".com/{language}"));
        let _ = writeln!(out, "    <xhtml:link {}/>", attributes(random, language, &href));
    }
    out.push_str("  </url>\n");
}
