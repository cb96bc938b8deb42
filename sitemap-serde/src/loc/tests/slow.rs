//! The encoder is compared with a slow character-by-character encoder, over random URLs and with a single buffer, which
//! caches sites.

use percent_encoding::{AsciiSet, utf8_percent_encode};

use sitemap_values::url::decoded;

use super::*;
use crate::loc::absolute::push_punycode;

/// Encodes character by character; keeps the `%` of triplets, and characters outside `also`.
fn encode(out: &mut String, text: &str, also: &'static AsciiSet) {
    for (at, c) in text.char_indices() {
        let digits = text.as_bytes().get(at + 1..at + 3);
        let is_triplet = digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        match c {
            '%' if !is_triplet => out.push_str("%25"),
            c => out.extend(utf8_percent_encode(c.encode_utf8(&mut [0; 4]), also)),
        }
    }
}

/// Like [`encode_absolute`], with nothing remembered and nothing skipped.
fn slow(url: &str) -> Result<String, LocProblem> {
    const NO_HASH: &AsciiSet = &ILLEGAL.add(b'#');
    const NO_AT: &AsciiSet = &ILLEGAL.add(b'@');

    check_ends(url)?;
    let parts = site::of_web(url)?;
    let mut out = format!("{}://", parts.scheme);
    let refuse = |text: &str| match text.chars().find(|c| c.is_control() || !is_xml_char(*c)) {
        Some(c) if is_xml_char(c) => Err(LocProblem::Control(c)),
        Some(c) => Err(LocProblem::Unencodable(c)),
        None => Ok(()),
    };
    if let Some(user) = parts.user().strip_suffix('@') {
        refuse(user)?;
        encode(&mut out, user, NO_AT);
        out.push('@');
    }
    let name = decoded(parts.host()).unwrap_or_default();
    if name.is_ascii() {
        out.push_str(parts.host());
    } else {
        let mut host = Vec::new();
        push_punycode(&mut host, &name)?;
        out.push_str(text(&host, 0));
    }
    out.push_str(&parts.host_and_port()[parts.host().len()..]);
    let rest = &url[parts.rest..];
    refuse(rest)?;
    let (path, fragment) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
    encode(&mut out, path, ILLEGAL);
    if let Some(fragment) = fragment.strip_prefix('#') {
        out.push('#');
        encode(&mut out, fragment, NO_HASH);
    }
    Ok(out)
}

#[test]
#[expect(clippy::too_many_lines, reason = "the pieces of URLs")]
fn fast_and_slow_paths_agree() {
    let mut seed = 1_u64;
    let mut below = |bound: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 40).unwrap_or_default() % bound
    };
    let schemes = ["https://", "http://", "HTTP://", "ftp://", "https:/", "//"];
    let hosts = [
        "www.example.com",
        "EXAMPLE.com",
        "a",
        "a-b.example",
        "example.com.",
        "a..b",
        ".a",
        "xn--bcher-kva.example",
        "xn--a.example",
        "bücher.example",
        "日本語.jp",
        "B%C3%BCcher.example",
        "b%zz.example",
        "a_b.example",
        "127.0.0.1",
        "[2001:db8::1]",
        "[2001:db8::g]",
        "0123456789012345678901234567890123456789012345678901234567890123.example",
        "very-long-but-right-names-are-looked-at-label-by-label.and-are-right-too.example.com",
        "",
        "a b",
        "a\u{AD}ü",
    ];
    let ports = [
        ":80", ":8443", ":", ":65535", ":65536", ":00080", ":000080", ":8a", ":-1", ":١", ":80:80",
    ];
    let users = ["u@", "ü:p@", "a b@", "u@v@", "@", "\u{1}@"];
    let pieces = [
        "a",
        "/",
        "?",
        "#",
        "&",
        "'",
        "%",
        "%4",
        "%C3%A4",
        "%zz",
        " ",
        "é",
        "サイト",
        "！",
        "🦀",
        "\u{7F}",
        "\u{85}",
        "\u{FFFE}",
        "[",
        "]",
        "|",
        "\\",
        "^",
        "`",
        "{",
        "}",
        "<",
        ">",
        "\"",
        "~",
        ";",
        "=",
        "x".repeat(15).leak(),
        "y".repeat(16).leak(),
        ":",
        "@",
    ];
    let mut out = UrlBuffer::default();
    let (mut right, mut plain) = (0, 0);
    for _ in 0..60_000 {
        let one_of_ten = |below: &mut dyn FnMut(usize) -> usize, texts: &[&str]| match below(10) {
            0..8 => String::new(),
            8 => texts[0].to_owned(),
            _ => texts[below(texts.len())].to_owned(),
        };
        let mut url = schemes[if below(9) == 0 {
            below(schemes.len())
        } else {
            below(2)
        }]
        .to_owned();
        url += &one_of_ten(&mut below, &users);
        url += hosts[below(hosts.len())];
        url += &one_of_ten(&mut below, &ports);
        url += ["/", "", "?", "#", "/a/"][below(5)];
        for _ in 0..below(6) {
            url += pieces[below(pieces.len())];
        }
        let expected = slow(&url);
        out.bytes.clear();
        let found = encode_absolute(Encoder::default(), &url, &mut out).map(|()| out.text().to_owned());
        assert_eq!(found, expected, "{url:?}");
        if let Some(end) = plain_site(&url) {
            let parts = site::of_web(&url).expect("a site that is right");
            assert_eq!((end, parts.user()), (parts.rest, ""), "{url:?}");
            plain += 1;
        }
        // A link that is right is written so, and any other is refused.
        let rules = LocRules::new(&LocSettings::default());
        let link = rules.apply_link(&url, &mut out);
        assert_eq!(link.is_ok(), expected.is_ok(), "{url:?}");
        if let (Ok(link), Ok(expected)) = (link, &expected) {
            assert_eq!(link.text, expected, "{url:?}");
            assert!(!link.is_plain || !expected.contains(['&', '\'']), "{url:?}");
        }
        let loc = rules.apply(&url, Kind::UrlSet, &mut out);
        // White space around a loc is not part of it.
        if let (Ok(loc), Ok(expected)) = (loc, slow(url.trim_matches(is_space))) {
            assert_eq!(text(loc.bytes, 0), expected, "{url:?}");
            assert_eq!(loc.plain, !expected.contains(['&', '\'']), "{url:?}");
        }
        right += usize::from(expected.is_ok());
        #[cfg(feature = "url2")]
        if let Ok(written) = expected {
            judge(&url, &written);
        }
    }
    assert!(
        right > 15_000 && plain > 5_000,
        "{right} of them right, {plain} plain"
    );
}

/// The crate `url` finds the same in both, percent-decoded.
#[cfg(feature = "url2")]
fn judge(given: &str, written: &str) {
    let decoded = |text: &str| {
        percent_encoding::percent_decode_str(text)
            .decode_utf8_lossy()
            .into_owned()
    };
    let parts = |url: &url::Url| {
        (
            url.host().map(|host| host.to_owned()),
            url.port_or_known_default(),
            decoded(url.username()),
            decoded(url.path()),
            url.query().map(decoded),
            url.fragment().map(decoded),
        )
    };
    // Browsers treat a backslash as a slash, and drop a final space.
    if !given.contains('\\')
        && !given.ends_with(' ')
        && let Ok(given) = url::Url::parse(given)
    {
        let written = url::Url::parse(written).expect(written);
        assert_eq!(parts(&given), parts(&written), "{given} {written}");
    }
}

/// A cached site is not a prefix of another.
#[test]
fn a_site_ends_where_it_ends() {
    let mut out = UrlBuffer::default();
    let mut encoded = |url: &str| {
        out.bytes.clear();
        encode_absolute(Encoder::default(), url, &mut out).map(|()| out.text().to_owned())
    };
    for port in ["", ":8", ":80", ":80800", ":8a"] {
        for host in ["a_b", "a_b.c", "a_b.c:8"] {
            let url = format!("https://{host}{port}/x");
            assert_eq!(encoded(&url), slow(&url));
            let url = format!("https://{host}{port}");
            assert_eq!(encoded(&url), slow(&url));
        }
    }
    // More sites than are remembered, twice.
    for i in (0..40).chain(0..40) {
        let url = format!("https://a_{i}.example/ü");
        assert_eq!(encoded(&url), Ok(format!("https://a_{i}.example/%C3%BC")));
    }
}
