use super::*;

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
    let mut out = b"left from the last one".to_vec();
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

/// What is written of a template with one literal and one value.
fn template(settings: &LocSettings, literal: &str, value: &str, reserved: bool) -> Result<String> {
    let rules = LocRules::new(settings);
    let (mut out, mut encoded) = (b"left".to_vec(), b"left".to_vec());
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
fn right_urls_stay_as_they_are() {
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
fn a_right_url_is_borrowed() {
    let rules = LocRules::new(&LocSettings::default());
    for url in ["https://example.com/x", "https://example.com/x?a=1&b=%20"] {
        let mut out = Vec::new();
        let written = rules.apply(url, Kind::UrlSet, &mut out).unwrap();
        assert!(std::ptr::eq(written.bytes, url.as_bytes()));
        assert_eq!(out.capacity(), 0);
    }
}

#[test]
fn encodes_what_a_url_cannot_hold() {
    assert_eq!(
        written(None, "https://example.com/サイトマップ?q=ä b").unwrap(),
        "https://example.com/%E3%82%B5%E3%82%A4%E3%83%88%E3%83%9E%E3%83%83%E3%83%97?q=%C3%A4%20b"
    );
    assert_eq!(
        written(None, "https://example.com/100%/%zz/%e3%82%B5/{x}|[y]\t\"<>\\^`").unwrap(),
        "https://example.com/100%25/%25zz/%e3%82%B5/%7Bx%7D%7C%5By%5D%09%22%3C%3E%5C%5E%60"
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

/// What the crate `percent-encoding` makes of the same.
#[test]
fn agrees_with_another_encoder() {
    use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

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
        .add(b'}')
        .add(b'%');
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
        let legal = utf8_percent_encode(&text, ILLEGAL).to_string();
        if !is_unencodable(c) {
            let loc = format!("https://a.example/{text}");
            assert_eq!(
                written(None, &loc).unwrap(),
                format!("https://a.example/{legal}"),
                "{c:?}"
            );
        }
        let simple = utf8_percent_encode(&text, NOT_UNRESERVED).to_string();
        assert_eq!(
            template(&settings, "/t/", &text, false).unwrap(),
            format!("https://a.example/t/{simple}"),
            "{c:?}"
        );
    }
}

#[test]
fn hex_digits_are_in_lower_case_when_asked() {
    let settings = LocSettings {
        lowercase_hex: true,
        ..with_base("https://example.com/ü")
    };
    assert_eq!(
        written_as(&settings, Kind::UrlSet, "/サ<%E3").unwrap(),
        "https://example.com/%c3%bc/%e3%82%b5%3c%E3"
    );
    assert_eq!(
        template(&settings, "/", "/<ü", false).unwrap(),
        "https://example.com/%c3%bc/%2f%3c%c3%bc"
    );
}

#[cfg(feature = "encoding")]
mod encoding {
    use super::*;

    #[test]
    fn is_the_servers() {
        for (encoding, encoded) in [
            ("euc-jp", "%A5%B5%A5%A4%A5%C8%A5%DE%A5%C3%A5%D7"),
            (" EUC-JP\n", "%A5%B5%A5%A4%A5%C8%A5%DE%A5%C3%A5%D7"),
            // Letters and digits that are a character's second byte are what they are, as in any URL; `C` and `v`.
            ("shift_jis", "%83T%83C%83g%83%7D%83b%83v"),
            ("gbk", "%A5%B5%A5%A4%A5%C8%A5%DE%A5%C3%A5%D7"),
            ("iso-2022-jp", "%1B%24B%255%25%24%25H%25%5E%25C%25W%1B%28B"),
            ("utf8", "%E3%82%B5%E3%82%A4%E3%83%88%E3%83%9E%E3%83%83%E3%83%97"),
        ] {
            let settings = in_encoding(encoding);
            assert_eq!(
                written_as(
                    &settings,
                    Kind::UrlSet,
                    "https://example.com/サイトマップ?サイトマップ"
                )
                .unwrap(),
                format!("https://example.com/{encoded}?{encoded}"),
                "{encoding}"
            );
            assert_eq!(
                template(&settings, "https://example.com/", "サイトマップ", false).unwrap(),
                format!("https://example.com/{encoded}"),
                "{encoding}"
            );
            assert_eq!(
                template(&settings, "https://example.com/", "/サイトマップ", true).unwrap(),
                format!("https://example.com//{encoded}"),
                "{encoding}"
            );
            assert_eq!(
                template(&settings, "https://example.com/サイトマップ/", "x", true).unwrap(),
                format!("https://example.com/{encoded}/x"),
                "{encoding}"
            );
        }
    }

    #[test]
    fn a_character_that_it_does_not_have_is_an_error() {
        let settings = in_encoding("latin1");
        let message = "`https://example.com/x-€-サ` holds `サ` U+30B5, which windows-1252, the server's encoding, does not \
                       have: a loc is percent-encoded in that encoding (P-LOCENC); change the URL, or name the encoding that \
                       the server decodes it by";
        let loc = "https://example.com/x-€-サ";
        let error = written_as(&settings, Kind::UrlSet, loc).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.rule_id(), Some("P-LOCENC"));
        let value = template(&settings, "https://example.com/", "x-€-サ", false).unwrap_err();
        assert_eq!(value.to_string(), message.replace("https://example.com/", ""));
        for label in [
            "euc-jp",
            "shift_jis",
            "gbk",
            "iso-2022-jp",
            "big5",
            "euc-kr",
            "koi8-r",
        ] {
            let error = written_as(&in_encoding(label), Kind::UrlSet, "https://example.com/🦀").unwrap_err();
            assert_eq!(error.rule_id(), Some("P-LOCENC"), "{label}");
        }
        // It has them all.
        assert_eq!(
            written_as(&in_encoding("gb18030"), Kind::UrlSet, "https://example.com/🦀").unwrap(),
            "https://example.com/%950%D82"
        );
    }

    #[test]
    fn long_runs_are_encoded_whole() {
        let run = "サイト".repeat(100);
        assert_eq!(
            written_as(
                &in_encoding("euc-jp"),
                Kind::UrlSet,
                &format!("https://example.com/{run}")
            )
            .unwrap(),
            format!("https://example.com/{}", "%A5%B5%A5%A4%A5%C8".repeat(100))
        );
    }

    #[test]
    fn a_name_that_is_none_is_an_error() {
        for (label, message) in [
            (
                "klingon",
                "`klingon` is no encoding that is known: the names are those of the Encoding Standard, such as `euc-jp`, \
                 `shift_jis`, `gbk`, `windows-1252` (P-LOCENC); correct the writer's encoding, or leave it out for UTF-8",
            ),
            (
                "utf-16",
                "`utf-16` names UTF-16LE, in which no URL is encoded: a server's encoding is one that holds ASCII, such as \
                 `utf-8` or `euc-jp` (P-LOCENC); correct the writer's encoding, or leave it out for UTF-8",
            ),
            (
                "hz-gb-2312",
                "`hz-gb-2312` names replacement, in which no URL is encoded: a server's encoding is one that holds ASCII, \
                 such as `utf-8` or `euc-jp` (P-LOCENC); correct the writer's encoding, or leave it out for UTF-8",
            ),
        ] {
            let error = written_as(&in_encoding(label), Kind::UrlSet, "https://example.com/").unwrap_err();
            assert_eq!(error.to_string(), message);
            assert_eq!(error.rule_id(), Some("P-LOCENC"));
        }
    }
}

#[cfg(not(feature = "encoding"))]
#[test]
fn other_encodings_need_their_feature() {
    assert_eq!(
        written_as(&in_encoding("euc-jp"), Kind::UrlSet, "https://example.com/")
            .unwrap_err()
            .to_string(),
        "`euc-jp` is not UTF-8, the only encoding that is known without sitemap-serde's feature `encoding` (P-LOCENC); turn \
         it on, or leave the writer's encoding out for UTF-8"
    );
    assert_eq!(
        written_as(&in_encoding("UTF-8"), Kind::UrlSet, "https://example.com/é").unwrap(),
        "https://example.com/%C3%A9"
    );
}

#[cfg(feature = "idn")]
#[test]
fn hosts_outside_ascii_become_punycode() {
    for (loc, url) in [
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"),
        (
            "https://BÜCHER.Example:8080",
            "https://xn--bcher-kva.example:8080",
        ),
        ("https://ä@日本語。jp/?x", "https://%C3%A4@xn--wgv71a119e.jp/?x"),
        ("https://faß.example/", "https://xn--fa-hia.example/"),
        ("https://bücher.example./", "https://xn--bcher-kva.example./"),
        ("https://ｅｘａｍｐｌｅ.com/", "https://example.com/"),
    ] {
        assert_eq!(written(None, loc).unwrap(), url);
    }
    assert_eq!(
        written(Some("https://bücher.example"), "/x").unwrap(),
        "https://xn--bcher-kva.example/x"
    );
    // The base and the loc are the same site however each is written.
    for same in ["https://bücher.example/x", "https://xn--bcher-kva.example/x"] {
        assert_eq!(
            written(Some("https://bücher.example"), same).unwrap(),
            "https://xn--bcher-kva.example/x"
        );
    }
    assert_eq!(
        template(&LocSettings::default(), "https://", "bücher.example/x", true).unwrap(),
        "https://xn--bcher-kva.example/x"
    );
    for bad in [
        "https://a\u{2100}b.example/",
        "https://ü.\u{AD}.example/",
        "https://é..example/",
    ] {
        let error = written(None, bad).unwrap_err();
        assert_eq!(error.rule_id(), Some("P-IDN"), "{bad}: {error}");
    }
    assert_eq!(
        refused(None, &format!("https://{}.example/", "é".repeat(60))),
        format!(
            "`https://{}…` has a host outside ASCII that is no internationalized domain name: labels of at most 63 \
             characters, as UTS 46 allows them (P-IDN); correct it",
            "é".repeat(52)
        )
    );
}

#[cfg(not(feature = "idn"))]
#[test]
fn hosts_outside_ascii_need_their_feature() {
    let message = "`https://bücher.example` has a host outside ASCII: a sitemap has it as punycode (P-IDN); write it as \
                   `xn--…`, or turn on sitemap-serde's feature `idn`, which does it";
    assert_eq!(refused(None, "https://bücher.example"), message);
    assert_eq!(refused(Some("https://bücher.example"), "/x"), message);
}

#[test]
fn resolves_against_the_base() {
    let shop = Some("https://example.com:8080/shop/");
    assert_eq!(
        written(shop, "/a b").unwrap(),
        "https://example.com:8080/shop/a%20b"
    );
    assert_eq!(written(shop, "/").unwrap(), "https://example.com:8080/shop/");
    assert_eq!(
        written(shop, "https://EXAMPLE.com:8080/other").unwrap(),
        "https://EXAMPLE.com:8080/other"
    );
    assert_eq!(
        written(Some("https://example.com"), "https://example.com:443/x").unwrap(),
        "https://example.com:443/x"
    );
    assert_eq!(
        written(Some("http://example.com/o'neil"), "/x").unwrap(),
        "http://example.com/o'neil/x"
    );
    for elsewhere in [
        "https://example.com/",
        "http://example.com:8080/",
        "https://example.com.evil:8080/",
        "https://example.com:80801/",
    ] {
        let error = written(shop, elsewhere).unwrap_err();
        if elsewhere.ends_with("80801/") {
            assert_eq!(error.rule_id(), Some("P-LOC"));
            continue;
        }
        assert_eq!(error.rule_id(), Some("P-HOST"));
        assert_eq!(
            error.to_string(),
            format!(
                "`{elsewhere}` is not on the site of the writer's base: all URLs of a file have its scheme, host and port \
                 (P-HOST); write them to a sitemap of their own, or allow cross-submission"
            )
        );
    }
    let error = written_as(
        &with_base("https://a.example"),
        Kind::SitemapIndex,
        "https://b.example/1.xml",
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`https://b.example/1.xml` is not on the site of the writer's base: an index lists sitemaps of its own scheme, \
         host and port (P-IDX1); list them in an index of their own, or allow cross-submission"
    );
    assert_eq!(error.rule_id(), Some("P-IDX1"));
    let settings = LocSettings {
        cross_submission: true,
        ..with_base("https://a.example")
    };
    assert_eq!(
        written_as(&settings, Kind::UrlSet, "https://b.example/").unwrap(),
        "https://b.example/"
    );
}

#[test]
fn a_location_decides_what_is_in_scope() {
    let inside = |location: &str, loc: &str| written_as(&at(location), Kind::UrlSet, loc).map(drop);
    for (location, loc) in [
        ("https://example.com/sitemap.xml", "https://example.com"),
        ("https://example.com/sitemap.xml", "https://example.com?x=/../"),
        ("https://example.com", "https://example.com/x"),
        (
            "https://example.com/sitemap.xml?part=1/2",
            "https://example.com/x",
        ),
        ("https://example.com/a/b.xml", "https://example.com/a/"),
        ("https://example.com/a/b.xml", "https://EXAMPLE.com:443/a/x/y"),
        ("https://example.com/a/b.xml", "https://example.com/a/x/../y"),
        ("https://example.com/a/b.xml", "https://example.com/b/../a/y"),
        ("https://example.com/a/b.xml", "https://example.com/../a/y"),
        ("https://example.com/a/b.xml", "https://example.com/a/b/.."),
        (
            "https://example.com/a/b.xml",
            "https://example.com/a/.well-known/x",
        ),
        ("https://example.com/a/b.xml", "https://example.com/%61/y"),
        ("https://example.com/a%2fb/c.xml", "https://example.com/a%2Fb/y"),
        ("https://example.com/x/../a/b.xml", "https://example.com/a/y"),
        ("https://example.com/ä/b.xml", "https://example.com/%c3%a4/ö"),
    ] {
        inside(location, loc).unwrap();
    }
    for (location, loc) in [
        ("https://example.com/a/b.xml", "https://example.com/a"),
        ("https://example.com/a/b.xml", "https://example.com"),
        ("https://example.com/a/b.xml", "https://example.com/ab/"),
        ("https://example.com/a/b.xml", "https://example.com/a/../b"),
        ("https://example.com/a/b.xml", "https://example.com/a/%2e%2E/b"),
        ("https://example.com/a/b.xml", "https://example.com/a/.."),
        ("https://example.com/a/b.xml", "https://example.com/a/b/../../c"),
        ("https://example.com/a/b.xml", "https://example.com/a%2Fx"),
        ("https://example.com/a/b.xml", "https://example.com/A/x"),
        ("https://example.com/a/b.xml", "https://example.com?/a/x"),
    ] {
        let error = inside(location, loc).unwrap_err();
        assert_eq!(error.rule_id(), Some("P-PATH"), "{location} {loc}");
        assert_eq!(
            error.to_string(),
            format!(
                "`{loc}` is not below `https://example.com/a/`, where the sitemap is: a sitemap lists pages of its own \
                 directory and those below it (P-PATH); put the sitemap higher up, or allow cross-submission"
            )
        );
    }
    for loc in ["http://example.com/a/x", "https://www.example.com/a/x"] {
        let error = inside("https://example.com/a/b.xml", loc).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "`{loc}` is not on the site of the document, `https://example.com/a/`: all URLs of a file have its scheme, \
                 host and port (P-HOST); write them to a sitemap of their own, or allow cross-submission"
            )
        );
    }
}

#[test]
fn an_index_has_a_scope_too() {
    let index =
        |loc: &str| written_as(&at("https://example.com/a/index.xml"), Kind::SitemapIndex, loc).map(drop);
    index("https://example.com/a/1.xml").unwrap();
    let error = index("https://example.com/1.xml").unwrap_err();
    assert_eq!(error.rule_id(), Some("P-IDX2"));
    assert_eq!(
        error.to_string(),
        "`https://example.com/1.xml` is not below `https://example.com/a/`, where the index is: an index lists sitemaps of \
         its own directory and those below it (P-IDX2); put the index higher up, or allow cross-submission"
    );
    let error = index("https://cdn.example.com/a/1.xml").unwrap_err();
    assert_eq!(error.rule_id(), Some("P-IDX1"));
}

#[test]
fn a_base_and_a_location_go_together() {
    let settings = LocSettings {
        base: Some("https://example.com/shop".to_owned()),
        location: Some("/lamps/sitemap.xml".to_owned()),
        ..LocSettings::default()
    };
    for (loc, rule) in [
        ("/lamps/1", None),
        ("/chairs/1", Some("P-PATH")),
        ("/lamps/../chairs/1", Some("P-PATH")),
        ("https://example.com/shop/lamps/", None),
        ("https://example.com/lamps/", Some("P-PATH")),
        ("https://example.org/shop/lamps/", Some("P-HOST")),
    ] {
        let written = written_as(&settings, Kind::UrlSet, loc);
        assert_eq!(written.err().and_then(|error| error.rule_id()), rule, "{loc}");
        if loc.starts_with('/') && !loc.contains("..") {
            let written = template(&settings, loc, "x", false);
            assert_eq!(written.err().and_then(|error| error.rule_id()), rule, "{loc}");
        }
    }
    let everywhere = LocSettings {
        cross_submission: true,
        ..settings
    };
    for loc in ["/chairs/1", "https://example.org/"] {
        written_as(&everywhere, Kind::UrlSet, loc).unwrap();
    }
}

#[test]
fn a_location_that_is_none_is_an_error() {
    for bad in [
        "",
        "sitemap.xml",
        "/sitemap.xml",
        "ftp://example.com/s.xml",
        "file:///s.xml",
    ] {
        let error = written_as(&at(bad), Kind::UrlSet, "https://example.com/").unwrap_err();
        if bad.starts_with("file") {
            assert_eq!(error.rule_id(), Some("P-PATH"));
            continue;
        }
        assert_eq!(
            error.to_string(),
            format!(
                "`{bad}` is not where a sitemap can be: that is an absolute URL of http or https, such as \
                 `https://example.com/sitemap.xml`, or begins with `/` if the writer has a base (P-PATH); correct the \
                 writer's location"
            )
        );
    }
}

#[test]
fn counts_what_is_written() {
    let at = |n: usize| format!("https://example.com/{}", "x".repeat(n - 20));
    assert_eq!(written(None, &at(2048)).unwrap().len(), 2048);
    assert!(refused(None, &at(2049)).contains("has 2049 characters: 2048 are allowed (P-LOCLEN)"));
    assert!(check(&at(2048)).is_ok());
    assert_eq!(check(&at(2049)).unwrap_err().rule_id(), Some("P-LOCLEN"));
    // 2,048 characters as an IRI are read, but are 6,000 bytes when written.
    let iri = format!("https://example.com/{}", "サ".repeat(2028));
    check(&iri).unwrap();
    assert_eq!(written(None, &iri).unwrap_err().rule_id(), Some("P-LOCLEN"));
    // An `&` is one character, whatever XML makes of it.
    let query = format!("https://example.com/{}", "&".repeat(2028));
    assert_eq!(written(None, &query).unwrap(), query);
    assert!(written(None, &format!("{query}&")).is_err());
    let base = "https://example.com";
    let path = |n: usize| "/".to_owned() + &"x".repeat(n);
    assert_eq!(written(Some(base), &path(2028)).unwrap().len(), 2048);
    assert_eq!(
        written(Some(base), &path(2029)).unwrap_err().rule_id(),
        Some("P-LOCLEN")
    );
    let settings = with_base(base);
    assert_eq!(
        template(&settings, "/", &"x".repeat(2028), false).unwrap().len(),
        2048
    );
    assert_eq!(
        template(&settings, "/", &"x".repeat(2029), false)
            .unwrap_err()
            .rule_id(),
        Some("P-LOCLEN")
    );
    // 19 of base, one slash, 676 times three characters.
    assert_eq!(
        template(&settings, "/", &" ".repeat(676), false).unwrap().len(),
        2048
    );
    assert!(template(&settings, "/", &" ".repeat(677), false).is_err());
}

#[test]
fn refuses_what_is_no_url() {
    assert_eq!(
        refused(None, "/about"),
        "`/about` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` \
         (P-LOC); write it whole, or give the writer a base and begin it with `/`"
    );
    assert_eq!(
        check("/about").unwrap_err().to_string(),
        "`/about` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` \
         (P-LOC); write it whole, or read it into a `String` and resolve it"
    );
    for relative in ["about", "about us", "//example.com/", "?x", "#x", "../x", "/a:b"] {
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
    for bad in [
        "https://exa mple.com/",
        "https://a:99999/",
        "https://a:+80/",
        "https://a:b/",
        "https://a<b>/",
        "https://[::1/",
        "https://[::1]x/",
        "https://a]b/",
    ] {
        assert!(refused(None, bad).contains("has no valid host and port"), "{bad}");
    }
    assert!(refused(None, "https://example.com/\u{0}").contains("holds U+0000"));
    assert!(
        check("https://example.com/a b")
            .unwrap_err()
            .to_string()
            .contains("holds U+0020")
    );
    assert!(refused(None, "").contains("the loc is empty"));
    assert!(check("").unwrap_err().to_string().contains("the loc is empty"));
    check("https://bücher.example/ä").unwrap();
}

#[test]
fn refuses_bases_that_are_none() {
    for (bad, why) in [
        ("example.com", "it has no scheme and host"),
        ("/x", "it has no scheme and host"),
        ("", "it has no scheme and host"),
        ("https://example.com:x", "its host or port is none"),
        (
            "https://example.com/\u{1}",
            "it holds a character that no URL can hold",
        ),
        ("ftp://example.com", "its scheme is another"),
        ("https://example.com/?q", "it has a query or a fragment"),
        ("https://example.com#f", "it has a query or a fragment"),
    ] {
        assert_eq!(
            refused(Some(bad), "/x"),
            format!(
                "{} is no base: {why}; a base is a scheme (http or https), a host, a port and a path prefix, such as \
                 `https://example.com` or `https://example.com/shop` (P-LOC)",
                quote(bad)
            )
        );
        assert!(template(&with_base(bad), "/", "x", false).is_err());
    }
}

#[test]
fn templates_encode_their_values() {
    let settings = with_base("https://example.com/shop");
    for (literal, value, reserved, url) in [
        ("/", "a/b c", false, "https://example.com/shop/a%2Fb%20c"),
        ("/", "a/b c", true, "https://example.com/shop/a/b%20c"),
        ("/", "100%", false, "https://example.com/shop/100%25"),
        ("/", "100%", true, "https://example.com/shop/100%25"),
        ("/", "%2F", false, "https://example.com/shop/%252F"),
        ("/", "%2F", true, "https://example.com/shop/%2F"),
        ("/?q=", "a&b'c", false, "https://example.com/shop/?q=a%26b%27c"),
        ("/?q=", "a&b'c", true, "https://example.com/shop/?q=a&b'c"),
        ("/?a=1&q=", "é", false, "https://example.com/shop/?a=1&q=%C3%A9"),
        ("/é/", "é", false, "https://example.com/shop/%C3%A9/%C3%A9"),
        ("/", "[x]", true, "https://example.com/shop/%5Bx%5D"),
        ("/a%20b/", "x", false, "https://example.com/shop/a%20b/x"),
        ("/a{b}/", "é", false, "https://example.com/shop/a%7Bb%7D/%C3%A9"),
        ("", "/x", true, "https://example.com/shop/x"),
        ("https://example.com/", "x", false, "https://example.com/x"),
        ("https://example.com/", "é", false, "https://example.com/%C3%A9"),
        ("", "https://example.com/é", true, "https://example.com/%C3%A9"),
        ("/", "", false, "https://example.com/shop/"),
        ("/#", "a#b", false, "https://example.com/shop/#a%23b"),
        ("/#", "a#b", true, "https://example.com/shop/#a%23b"),
    ] {
        assert_eq!(
            template(&settings, literal, value, reserved).unwrap(),
            url,
            "{literal} {value}"
        );
    }
    assert_eq!(
        template(&LocSettings::default(), "", "http://[::1]/x", true).unwrap(),
        "http://[::1]/x"
    );
    assert!(
        template(&settings, "https://example.org/", "x", false)
            .unwrap_err()
            .to_string()
            .contains("(P-HOST)")
    );
    assert!(
        template(&settings, "x", "x", false)
            .unwrap_err()
            .to_string()
            .starts_with("`xx` is not an absolute URL")
    );
}

#[test]
fn values_of_a_template_make_no_dot_segments() {
    let settings = with_base("https://a.example");
    for (literal, value, reserved) in [
        ("/x/", "..", false),
        ("/", ".", false),
        ("/x/.", ".", false),
        ("/x/", "%2e%2E/y", true),
        ("/x/", "a/./b", true),
        ("https://a.example/x/", "./y", true),
        ("/x/.", "", false),
    ] {
        let error = template(&settings, literal, value, reserved).unwrap_err();
        assert!(
            error.to_string().contains("has a segment `.` or `..`"),
            "{literal} {value}"
        );
        let mut out = Vec::new();
        let mut url = TemplateUrl::deferred(&mut out);
        url.literal(literal);
        if reserved {
            url.reserved("value", value).unwrap();
        } else {
            url.simple("value", value).unwrap();
        }
        assert!(url.into_deferred().is_err(), "{literal} {value}");
    }
    for (literal, value) in [
        ("/x/", "..."),
        ("/x?", "../y"),
        ("/.well-known/", "x"),
        ("/a.", ".b"),
        ("/", "%2e%2e"),
    ] {
        template(&settings, literal, value, false).unwrap();
    }
}

#[test]
fn a_template_for_somebody_else_leaves_what_is_outside_ascii() {
    let mut out = Vec::new();
    let mut url = TemplateUrl::deferred(&mut out);
    url.literal("/é/");
    url.simple("value", "ü/ä&").unwrap();
    url.reserved("value", "/ö%zz").unwrap();
    assert_eq!(url.into_deferred().unwrap(), "/é/ü%2Fä%26/ö%25zz");
}
