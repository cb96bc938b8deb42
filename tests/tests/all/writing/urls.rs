//! Any loc is refused, or written as a URL by RFC 3986, which then stays unchanged.

use std::net::Ipv6Addr;

use proptest::prelude::*;
use proptest::sample::select;
use sitemap_serde::{EntryWriter, Result, SitemapEntry, UrlEntry, WriterBuilder, from_slice};
use sitemap_tests::cases;

/// Returns `true` if a text has only unreserved characters, sub-delims, triplets, and the given characters.
fn is_made_of(text: &str, also: &str) -> bool {
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        let is_digits = |hex: &str| hex.bytes().all(|b| b.is_ascii_hexdigit());
        if c == '%' {
            match rest.split_at_checked(2) {
                Some((hex, after)) if is_digits(hex) => rest = after,
                _ => return false,
            }
        } else if !c.is_ascii_alphanumeric() && !"-._~!$&'()*+,;=".contains(c) && !also.contains(c) {
            return false;
        }
    }
    true
}

/// The grammar of RFC 3986, appendix A, for http and https.
fn is_url(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else {
        return false;
    };
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (user, host_and_port) = authority.rsplit_once('@').unwrap_or(("", authority));
    let host_end = match host_and_port.find(']') {
        Some(bracket) => bracket + 1,
        None => host_and_port.find(':').unwrap_or(host_and_port.len()),
    };
    let (host, port) = host_and_port.split_at(host_end);
    let is_host = match host.strip_prefix('[').and_then(|ip| ip.strip_suffix(']')) {
        Some(future) if future.starts_with('v') => is_made_of(future, ":") && future.contains('.'),
        Some(ip) => ip.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && is_made_of(host, ""),
    };
    let is_port = port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str())
        && is_made_of(user, ":")
        && is_host
        && is_port
        && is_made_of(path, "/:@")
        && is_made_of(query, "/:@?")
        && is_made_of(fragment, "/:@?")
}

#[test]
fn the_judge_accepts_valid_urls_only() {
    for url in [
        "http://a",
        "https://u:p@[::1]:80/a%20b;c?d/?e#f/?g",
        "http://[v1.a:b]/",
        "http://%41?x",
    ] {
        assert!(is_url(url), "{url}");
    }
    for url in [
        "/a",
        "ftp://a/",
        "http://",
        "http://a b/",
        "http://a/%2",
        "http://a/ä",
        "http://a/#b#c",
        "http://a/[b]",
        "http://[::1::]/",
        "http://a:b/",
        "http://a/\\",
    ] {
        assert!(!is_url(url), "{url}");
    }
}

/// A text made from pieces that often break URLs.
fn pieces(most: usize) -> impl Strategy<Value = String> {
    let piece = select(vec![
        "https://",
        "HTTP://",
        "//",
        "/",
        "?",
        "#",
        "%",
        "%2",
        "%2e",
        "%2E",
        "%C3",
        "%zz",
        "..",
        ".",
        "a",
        "x--",
        "example.com",
        "bücher.example",
        "サ",
        "é",
        "€",
        "🦀",
        "¥",
        "\\",
        "[",
        "]",
        "[::1]",
        "[v1.a]",
        ":",
        "@",
        ":80",
        ":0",
        ":65536",
        "&",
        "'",
        "\"",
        "<",
        ">",
        "^",
        "`",
        "{",
        "}",
        "|",
        " ",
        "\t",
        "\n",
        "\u{7f}",
        "\u{80}",
        "\u{a0}",
        "\u{ad}",
        "\u{feff}",
        "\u{1fffe}",
        "\u{1}",
        "~",
        "*",
        "xn--",
    ]);
    proptest::collection::vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

fn builder() -> impl Strategy<Value = WriterBuilder> {
    let encoding = select(vec![
        "utf-8",
        "euc-jp",
        "shift_jis",
        "gbk",
        "latin1",
        "iso-2022-jp",
        "gb18030",
        "big5",
    ]);
    let base = select(vec![
        None,
        Some("https://example.com"),
        Some("https://example.com/shop/"),
        Some("http://[::1]:80"),
    ]);
    (encoding, base, any::<bool>(), any::<bool>()).prop_map(
        |(encoding, base, lowercase, cross_submission)| {
            let mut builder = WriterBuilder::new();
            builder
                .encoding(encoding)
                .lowercase_hex(lowercase)
                .cross_submission(cross_submission);
            if let Some(base) = base {
                builder.base(base);
            }
            builder
        },
    )
}

/// The written form of an entry, as read back.
fn loc(builder: &WriterBuilder, entry: &impl SitemapEntry) -> Result<String> {
    let mut writer = builder.from_writer(Vec::new());
    writer.write(entry)?;
    let mut entries: Vec<UrlEntry> = from_slice(&writer.finish()?)?;
    assert_eq!(entries.len(), 1);
    Ok(entries.remove(0).loc)
}

/// One part of a template.
#[derive(Clone, Debug)]
enum Part {
    Literal(String),
    Simple(String),
    Reserved(String),
}

#[derive(Clone, Debug)]
struct Template(Vec<Part>);

impl SitemapEntry for Template {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.loc_template(|loc| {
            self.0.iter().try_for_each(|part| match part {
                Part::Literal(text) => loc.literal(text),
                Part::Simple(value) => loc.simple("value", value),
                Part::Reserved(value) => loc.reserved("value", value),
            })
        })
    }
}

fn template() -> impl Strategy<Value = Template> {
    let start = select(vec!["", "/", "https://", "https://example.com/"]);
    let part = prop_oneof![
        pieces(2).prop_map(|text| Part::Literal(text.split_whitespace().collect())),
        pieces(3).prop_map(Part::Simple),
        pieces(3).prop_map(Part::Reserved),
    ];
    (start, proptest::collection::vec(part, 0..5)).prop_map(|(start, mut parts)| {
        parts.insert(0, Part::Literal(start.to_owned()));
        Template(parts)
    })
}

proptest! {
    #![proptest_config(cases(6_000))]

    #[test]
    fn of_any_text(builder in builder(), start in select(vec!["", "/", "https://", "https://a.b/"]), rest in pieces(8)) {
        let text = format!("{start}{rest}");
        let written = loc(&builder, &UrlEntry::new(&text));
        let spaced = loc(&builder, &UrlEntry::new(format!("\t{text}\n ")));
        match (written, spaced) {
            (Ok(url), Ok(spaced)) => {
                prop_assert!(is_url(&url), "{:?} is written as {}", text, url);
                prop_assert_eq!(&url, &spaced);
                prop_assert_eq!(loc(&builder, &UrlEntry::new(&url)).ok(), Some(url));
            }
            (Err(error), Err(spaced)) => prop_assert_eq!(error.rule(), spaced.rule()),
            (written, spaced) => prop_assert!(false, "{:?} is {:?}, and with space {:?}", text, written, spaced),
        }
    }

    #[test]
    fn reading_and_writing_accept_the_same_urls(start in select(vec!["https://", "https://a.b/", "http://x@a.b"]), rest in pieces(8)) {
        let text = format!("{start}{rest}");
        // An XML document has only these characters, and white space around a value is not part of it.
        let text: String = text.chars().filter(|c| *c >= ' ' || matches!(c, '\t' | '\n')).collect();
        let escaped = quick_xml::escape::escape(&text);
        let read = from_slice::<Vec<UrlEntry>>(
            format!("<urlset><url><loc>{escaped}</loc></url></urlset>").as_bytes(),
        );
        let written = loc(&WriterBuilder::new(), &UrlEntry::new(&text));
        match (read, written) {
            (Ok(entries), Ok(_)) => prop_assert_eq!(&entries[0].loc, text.trim_matches([' ', '\t', '\n'])),
            (Err(read), Err(written)) => prop_assert!(read.rule().is_some() && written.rule().is_some()),
            // The writer converts a host to punycode, and must recognise it as a name.
            (Ok(_), Err(written)) => prop_assert_eq!(written.rule(), Some(sitemap_serde::Rule::Idn), "{:?}", text),
            (Err(read), Ok(url)) => prop_assert!(false, "{:?} is written as {}, and read: {}", text, url, read),
        }
    }

    #[test]
    fn of_any_template(builder in builder(), template in template()) {
        let written = loc(&builder, &template);
        if let Ok(url) = &written {
            prop_assert!(is_url(url), "{:?} is written as {}", template, url);
            let (_, path) = url.split_once("://").and_then(|(_, rest)| rest.split_once('/')).unwrap_or_default();
            let path = path.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
            let resolves_away = |segment: &str| matches!(segment.replace("%2e", ".").as_str(), "." | "..");
            prop_assert!(!path.split('/').any(resolves_away), "{:?} is written as {}", template, url);
        }
    }
}
