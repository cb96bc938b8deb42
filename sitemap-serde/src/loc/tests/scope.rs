//! Base and location: how locs are resolved, and which are in scope.

use super::*;

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
            assert_eq!(error.rule(), Some(Rule::Loc));
            continue;
        }
        assert_eq!(error.rule(), Some(Rule::Host));
        let advice = match elsewhere {
            "http://example.com:8080/" => "did you mean `https://example.com:8080/`?",
            _ => "write them to a sitemap of their own, or allow cross-submission",
        };
        assert_eq!(
            error.to_string(),
            format!(
                "`{elsewhere}` is not on the site of the writer's base, `https://example.com:8080/shop`: all URLs of a file have \
                 its scheme, host and port (P-HOST); {advice}"
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
        "`https://b.example/1.xml` is not on the site of the writer's base, `https://a.example`: an index lists sitemaps of its own scheme, \
         host and port (P-IDX1); list them in an index of their own, or allow cross-submission"
    );
    assert_eq!(error.rule(), Some(Rule::Idx1));
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
        assert_eq!(error.rule(), Some(Rule::Path), "{location} {loc}");
        assert_eq!(
            error.to_string(),
            format!(
                "`{loc}` is not below `https://example.com/a/`, where the sitemap is: a sitemap lists pages of its own \
                 directory and those below it (P-PATH); put the sitemap higher up, or allow cross-submission"
            )
        );
    }
    let elsewhere = "write them to a sitemap of their own, or allow cross-submission";
    for (location, loc, advice) in [
        ("https://example.com", "https://www.example.com/a/x", elsewhere),
        ("https://example.com", "https://example.com:8443/a/x", elsewhere),
        ("https://example.com", "http://example.org/a/x", elsewhere),
        ("https://example.com:8443", "https://example.com/a/x", elsewhere),
        // The other scheme's port is another one, unless it goes without saying.
        ("https://example.com", "http://example.com:80/a/x", elsewhere),
        (
            "https://example.com",
            "http://example.com/a/x",
            "did you mean `https://example.com/a/x`?",
        ),
        (
            "https://example.com",
            "HTTP://EXAMPLE.com/é?a&b#c",
            "did you mean `https://EXAMPLE.com/%C3%A9?a&b#c`?",
        ),
        (
            "https://example.com:443",
            "http://example.com/b",
            "did you mean `https://example.com/b`?",
        ),
        (
            "http://example.com:8080",
            "https://example.com:8080/",
            "did you mean `http://example.com:8080/`?",
        ),
    ] {
        let error = inside(&format!("{location}/a/b.xml"), loc).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "`{}` is not on the site of the document, `{location}/a/`: all URLs of a file have its scheme, host and port \
                 (P-HOST); {advice}",
                loc.replace('é', "%C3%A9")
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
    assert_eq!(error.rule(), Some(Rule::Idx2));
    assert_eq!(
        error.to_string(),
        "`https://example.com/1.xml` is not below `https://example.com/a/`, where the index is: an index lists sitemaps of \
         its own directory and those below it (P-IDX2); put the index higher up, or allow cross-submission"
    );
    let error = index("https://cdn.example.com/a/1.xml").unwrap_err();
    assert_eq!(error.rule(), Some(Rule::Idx1));
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
        assert_eq!(
            written.err().and_then(|error| error.rule().map(Rule::as_str)),
            rule,
            "{loc}"
        );
        if loc.starts_with('/') && !loc.contains("..") {
            let written = template(&settings, loc, "x", false);
            assert_eq!(
                written.err().and_then(|error| error.rule().map(Rule::as_str)),
                rule,
                "{loc}"
            );
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
fn an_invalid_location_is_an_error() {
    for bad in [
        "",
        "sitemap.xml",
        "/sitemap.xml",
        "ftp://example.com/s.xml",
        "file:///s.xml",
    ] {
        let error = written_as(&at(bad), Kind::UrlSet, "https://example.com/").unwrap_err();
        if bad.starts_with("file") {
            assert_eq!(error.rule(), Some(Rule::Path));
            continue;
        }
        assert_eq!(
            error.to_string(),
            format!(
                "`{bad}` is not where a sitemap can be: that is an absolute URL of http or https, such as \
                 `https://example.com/sitemap.xml` (P-PATH); correct the \
                 writer's location, which may begin with `/` if there is a base"
            )
        );
    }
}

#[test]
fn an_invalid_base_is_an_error() {
    for (bad, why) in [
        (
            "example.com",
            "it has no scheme and host (did you mean `https://example.com`?)",
        ),
        ("/x", "it has no scheme and host, only a path"),
        ("https://", "it has no host"),
        (
            "https://example.com/\u{1}",
            "it holds a character that no URL can hold",
        ),
        ("ftp://example.com", "its scheme is another"),
        ("https://example.com/?q", "it has a query"),
        ("https://example.com#f", "it has a fragment"),
    ] {
        assert_eq!(
            refused(Some(bad), "/x"),
            format!(
                "{} is not a base: {why}; a base is a scheme (http or https), a host, a port and a path prefix, such as \
                 `https://example.com` or `https://example.com/shop` (P-LOC)",
                quote(bad)
            )
        );
        assert!(template(&with_base(bad), "/", "x", false).is_err());
    }
}

/// Settings read from a file or a variable may have white space around them.
#[test]
fn white_space_around_a_base_and_a_location_is_no_part_of_them() {
    let settings = LocSettings {
        base: Some("\t https://example.com/shop/\r\n".to_owned()),
        location: Some(" /lamps/sitemap.xml\n".to_owned()),
        ..LocSettings::default()
    };
    assert_eq!(
        written_as(&settings, Kind::UrlSet, "/lamps/1").unwrap(),
        "https://example.com/shop/lamps/1"
    );
    assert_eq!(
        template(&settings, "/lamps/", "1", false).unwrap(),
        "https://example.com/shop/lamps/1"
    );
    let error = written_as(&settings, Kind::UrlSet, "/1").unwrap_err();
    assert_eq!(error.rule(), Some(Rule::Path));
    let location = at(" https://example.com/a/1.xml\n");
    written_as(&location, Kind::UrlSet, "https://example.com/a/x").unwrap();
}

#[test]
fn two_slashes_are_no_path() {
    let message = "begins with `//`, as a host without its scheme does, so it is not a path (P-LOC, RFC 3986 section 4.2); \
                   write the scheme in front of it, or one `/` for a path; a path whose first segment is empty is written \
                   with its scheme and host";
    let base = with_base("https://example.com/shop");
    for loc in [
        "//example.com/x",
        "//",
        "///x",
        "  //cdn.example/x\n",
        "//x#y",
        "//x y",
    ] {
        for settings in [&base, &LocSettings::default()] {
            let error = written_as(settings, Kind::UrlSet, loc).unwrap_err();
            assert_eq!(error.to_string(), format!("{} {message}", quote(loc.trim())));
            assert_eq!(error.rule(), Some(Rule::Loc));
        }
        if loc.trim() == loc {
            let error = template(&base, loc, "z", false).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{} {message}", quote(&format!("{loc}z")))
            );
        }
    }
    // A value that brings a slash after a literal that ends with one; and an empty literal before `//`.
    for (literal, value, reserved) in [("/", "/about", true), ("", "//example.com/x", true)] {
        let error = template(&base, literal, value, reserved).unwrap_err();
        assert_eq!(error.to_string(), format!("`{literal}{value}` {message}"));
    }
    let error = check("//example.com/x").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("`//example.com/x` is not an absolute URL"),
        "what is read may be resolved: {error}"
    );
    assert_eq!(
        check_link("//example.com/x").unwrap_err().to_string(),
        "`//example.com/x` is not an absolute URL: write it with its scheme and host"
    );
    // With scheme and host, a path that begins with `//` is accepted.
    for settings in [&base, &LocSettings::default()] {
        for whole in ["https://example.com//x", "https://example.com/shop//x"] {
            assert_eq!(written_as(settings, Kind::UrlSet, whole).unwrap(), whole);
        }
    }
    assert_eq!(
        written_as(&base, Kind::UrlSet, "/x//y").unwrap(),
        "https://example.com/shop/x//y"
    );
    let location = LocSettings {
        location: Some("//example.com/sitemap.xml".to_owned()),
        ..base
    };
    let error = written_as(&location, Kind::UrlSet, "/x").unwrap_err();
    assert!(
        error.to_string().contains("is not where a sitemap can be"),
        "{error}"
    );
}
