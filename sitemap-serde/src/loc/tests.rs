mod encoding;
mod host;
mod scope;
mod slow;
mod template;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

use super::*;
use crate::character::is_xml_char;

/// ASCII that no URL may have, but for `%`.
const ILLEGAL: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

fn with_base(base: &str) -> LocSettings {
    LocSettings {
        base: Some(base.to_owned()),
        ..LocSettings::default()
    }
}

fn at(location: &str) -> LocSettings {
    LocSettings {
        location: Some(location.to_owned()),
        ..LocSettings::default()
    }
}

fn in_encoding(encoding: &str) -> LocSettings {
    LocSettings {
        encoding: Some(encoding.to_owned()),
        ..LocSettings::default()
    }
}

fn written_as(settings: &LocSettings, kind: Kind, loc: &str) -> Result<String> {
    let rules = LocRules::new(settings);
    let mut out = UrlBuffer::default();
    out.bytes.extend_from_slice(b"left from the last one");
    let url = rules.apply(loc, kind, &mut out)?;
    let text = std::str::from_utf8(url.bytes).unwrap().to_owned();
    assert_eq!(url.plain, !text.contains(['&', '\'']), "{text}");
    assert!(text.is_ascii(), "{text}");
    Ok(text)
}

fn written(base: Option<&str>, loc: &str) -> Result<String> {
    let settings = base.map(with_base).unwrap_or_default();
    written_as(&settings, Kind::UrlSet, loc)
}

fn refused(base: Option<&str>, loc: &str) -> String {
    written(base, loc).unwrap_err().to_string()
}

/// The loc written for a template of one literal and one value.
fn template(settings: &LocSettings, literal: &str, value: &str, reserved: bool) -> Result<String> {
    let rules = LocRules::new(settings);
    let (mut out, mut encoded) = (b"left".to_vec(), UrlBuffer::default());
    encoded.bytes.extend_from_slice(b"left");
    let url = rules.apply_template(Kind::UrlSet, &mut out, &mut encoded, |mut url| {
        url.literal(literal);
        if reserved {
            url.reserved("value", value)?;
        } else {
            url.simple("value", value)?;
        }
        Ok(url)
    })?;
    let text = std::str::from_utf8(url.bytes).unwrap().to_owned();
    assert_eq!(url.plain, !text.contains(['&', '\'']), "{text}");
    assert!(text.is_ascii(), "{text}");
    Ok(text)
}

#[test]
fn valid_urls_are_unchanged() {
    for url in [
        "http://www.example.com/",
        "https://example.com",
        "https://example.com?x=1#y",
        "HTTPS://Example.COM:8443/a%20b?c=d&e='f'#g",
        "http://user:pw@example.com/",
        "http://[2001:db8::1]:80/a;b=c,d(e)*!$~@:",
        "https://xn--bcher-kva.example/",
        "https://example.com/%e3%82%B5",
        "https://example.com:/",
    ] {
        assert_eq!(written(None, &format!("\n\t{url} ")).unwrap(), url);
        assert_eq!(written(None, url).unwrap(), url);
        check(url).unwrap();
    }
}

#[test]
fn a_valid_url_is_borrowed() {
    let rules = LocRules::new(&LocSettings::default());
    for url in ["https://example.com/x", "https://example.com/x?a=1&b=%20"] {
        let mut out = UrlBuffer::default();
        let written = rules.apply(url, Kind::UrlSet, &mut out).unwrap();
        assert!(std::ptr::eq(written.bytes, url.as_bytes()));
        assert_eq!(out.bytes.capacity(), 0);
    }
}

#[test]
fn encodes_characters_that_urls_cannot_contain() {
    assert_eq!(
        written(None, "https://example.com/サイトマップ?q=ä b").unwrap(),
        "https://example.com/%E3%82%B5%E3%82%A4%E3%83%88%E3%83%9E%E3%83%83%E3%83%97?q=%C3%A4%20b"
    );
    assert_eq!(
        written(None, "https://example.com/100%/%zz/%e3%82%B5/{x}|[y] \"<>\\^`").unwrap(),
        "https://example.com/100%25/%25zz/%e3%82%B5/%7Bx%7D%7C%5By%5D%20%22%3C%3E%5C%5E%60"
    );
    assert_eq!(
        written(None, "https://ä b@c:d@example.com:8080/é#ü").unwrap(),
        "https://%C3%A4%20b%40c:d@example.com:8080/%C3%A9#%C3%BC"
    );
    for (loc, url) in [
        ("https://example.com/#a#b", "https://example.com/#a%23b"),
        ("https://example.com?#a?/%23#", "https://example.com?#a?/%23%23"),
        ("https://example.com#", "https://example.com#"),
    ] {
        assert_eq!(written(None, loc).unwrap(), url);
    }
    assert_eq!(
        written(Some("https://example.com/ä"), "/ö").unwrap(),
        "https://example.com/%C3%A4/%C3%B6"
    );
}

/// The crate `percent-encoding` encodes the same texts alike.
#[test]
fn agrees_with_another_encoder() {
    const ENCODED: &AsciiSet = &ILLEGAL.add(b'%');
    const NOT_UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');

    let settings = with_base("https://a.example");
    for c in '\0'..=char::MAX {
        if (c > '\u{3000}' && u32::from(c) % 97 != 0) || matches!(c, '/' | '.' | '?' | '#') {
            continue;
        }
        let text = format!("x{c}y");
        let loc = format!("https://a.example/{text}");
        if c.is_control() || !is_xml_char(c) {
            let named = format!("holds U+{:04X}", u32::from(c));
            assert!(refused(None, &loc).contains(&named), "{c:?}");
            let of_template = template(&settings, "/t/", &text, false).unwrap_err();
            assert!(of_template.to_string().contains(&named), "{c:?}");
            continue;
        }
        let legal = utf8_percent_encode(&text, ENCODED).to_string();
        assert_eq!(
            written(None, &loc).unwrap(),
            format!("https://a.example/{legal}"),
            "{c:?}"
        );
        let simple = utf8_percent_encode(&text, NOT_UNRESERVED).to_string();
        assert_eq!(
            template(&settings, "/t/", &text, false).unwrap(),
            format!("https://a.example/t/{simple}"),
            "{c:?}"
        );
    }
}

#[test]
fn limits_the_length_after_encoding() {
    let at = |n: usize| format!("https://example.com/{}", "x".repeat(n - 20));
    assert_eq!(written(None, &at(2048)).unwrap().len(), 2048);
    assert!(refused(None, &at(2049)).contains("has 2,049 characters: 2,048 are allowed (P-LOCLEN)"));
    assert!(check(&at(2048)).is_ok());
    assert_eq!(check(&at(2049)).unwrap_err().rule(), Some(Rule::LocLen));
    // An IRI of 2,048 characters can be read, but is over 6,000 bytes when encoded.
    let iri = format!("https://example.com/{}", "サ".repeat(2028));
    check(&iri).unwrap();
    assert_eq!(written(None, &iri).unwrap_err().rule(), Some(Rule::LocLen));
    // An `&` counts as one character, though XML writes `&amp;`.
    let query = format!("https://example.com/{}", "&".repeat(2028));
    assert_eq!(written(None, &query).unwrap(), query);
    assert!(written(None, &format!("{query}&")).is_err());
    let base = "https://example.com";
    let path = |n: usize| "/".to_owned() + &"x".repeat(n);
    assert_eq!(written(Some(base), &path(2028)).unwrap().len(), 2048);
    assert_eq!(
        written(Some(base), &path(2029)).unwrap_err().rule(),
        Some(Rule::LocLen)
    );
    let settings = with_base(base);
    assert_eq!(
        template(&settings, "/", &"x".repeat(2028), false).unwrap().len(),
        2048
    );
    assert_eq!(
        template(&settings, "/", &"x".repeat(2029), false)
            .unwrap_err()
            .rule(),
        Some(Rule::LocLen)
    );
    // 19 characters of base, one slash, 676 triplets.
    assert_eq!(
        template(&settings, "/", &" ".repeat(676), false).unwrap().len(),
        2048
    );
    assert!(template(&settings, "/", &" ".repeat(677), false).is_err());
}

#[test]
fn invalid_urls() {
    assert_eq!(
        refused(None, "/about"),
        "`/about` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` \
         (P-LOC); write the absolute URL, or give the writer a base and begin it with `/`"
    );
    assert_eq!(
        check("/about").unwrap_err().to_string(),
        "`/about` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` \
         (P-LOC); write the absolute URL, or read it into a `String` and resolve it"
    );
    for relative in ["about", "about us", "?x", "#x", "../x", "/a:b"] {
        assert!(
            refused(None, relative).contains("is not an absolute URL"),
            "{relative}"
        );
        if !relative.contains(' ') {
            assert!(
                check(relative)
                    .unwrap_err()
                    .to_string()
                    .contains("is not an absolute URL"),
                "{relative}"
            );
        }
    }
    for no_host in [
        "javascript:alert(1)",
        "mailto:a@b",
        "http:///x",
        "http://",
        "https://:80/",
        "https://user@/",
        "data:,x",
        "file:///x",
    ] {
        let reading = check(no_host).unwrap_err().to_string();
        assert!(reading.contains("has no host"), "{reading}");
        assert!(written(None, no_host).is_err());
    }
    check("ftp://example.com/x").unwrap();
    assert!(refused(None, "ftp://example.com/x").contains("is not http or https"));
    for (bad, problem) in [
        ("https://exa mple.com/", "a character in its host"),
        ("https://a:99999/", "an invalid port"),
        ("https://a:+80/", "an invalid port"),
        ("https://a:b/", "an invalid port"),
        ("https://a<b>/", "a character in its host"),
        ("https://[::1/", "an address without its `]`"),
        ("https://[::g]/", "no IPv6 address in its brackets"),
        ("https://[::1]x/", "text between its address and its port"),
        ("https://a]b/", "a character in its host"),
    ] {
        let message = refused(None, bad);
        assert!(
            message.starts_with(&format!("`{bad}` has {problem}")),
            "{message}"
        );
    }
    assert!(refused(None, "https://example.com/\u{0}").contains("holds U+0000"));
    check("https://example.com/a b").unwrap();
    assert!(refused(None, "").contains("the loc is empty"));
    assert!(check("").unwrap_err().to_string().contains("the loc is empty"));
    check("https://bücher.example/ä").unwrap();
}
