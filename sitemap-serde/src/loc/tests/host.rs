//! Hosts and ports.

use super::*;

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
        (
            "https://b%c3%bccher.e%78ample/%c3",
            "https://xn--bcher-kva.example/%c3",
        ),
        ("https://b%C3%BCcher-ü.example", "https://xn--bcher--3yaf.example"),
    ] {
        assert_eq!(written(None, loc).unwrap(), url);
    }
    assert_eq!(
        written(Some("https://bücher.example"), "/x").unwrap(),
        "https://xn--bcher-kva.example/x"
    );
    // Base and loc are on the same site, whether written in Unicode or in punycode.
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
    check("https://b%c3%bccher.example/").unwrap();
    for bad in [
        "https://a\u{2100}b.example/",
        "https://ü.\u{AD}.example/",
        "https://é..example/",
    ] {
        let error = written(None, bad).unwrap_err();
        assert_eq!(error.rule(), Some(Rule::Idn), "{bad}: {error}");
    }
    assert_eq!(
        refused(None, &format!("https://{}.example/", "é".repeat(60))),
        format!(
            "`https://{}…` has a host outside ASCII that is not an internationalized domain name: labels of at most 63 \
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

#[cfg(feature = "idn")]
#[test]
fn punycode_that_idna_makes_is_valid() {
    for name in [
        "bücher",
        "日本語",
        "пример",
        "موقع",
        "ひらがな",
        "ß",
        "ab-é-z",
        "i❤",
        "नमस्ते",
        "한국",
    ] {
        let url = written(None, &format!("https://{name}/")).unwrap();
        assert!(url.starts_with("https://xn--"), "{url}");
        check(&url).unwrap();
    }
}

/// Returns `true` if a host, with an optional port, can be read, and written unchanged.
fn is_host(host: &str) -> bool {
    let url = format!("https://{host}/x");
    let read = check(&url).map_err(|error| error.to_string());
    let write = written(None, &url).map_err(|error| error.to_string());
    match (read, write) {
        (Ok(()), Ok(as_written)) => {
            assert_eq!(as_written, url);
            // The result is the same without a path.
            assert_eq!(
                written(None, &format!("https://{host}?x")).unwrap(),
                format!("https://{host}?x")
            );
            true
        }
        (Err(read), Err(write)) => {
            // The reader's message names control characters in every part.
            assert!(read == write || host.contains('\u{7F}'), "{read}\n{write}");
            assert!(
                refused(Some(&format!("https://{host}")), "/x").contains("is not a base"),
                "{host}"
            );
            false
        }
        (read, write) => panic!("{url} is read as {read:?} and written as {write:?}"),
    }
}

#[test]
fn names() {
    let label = "x".repeat(63);
    let longest = format!("{label}.{label}.{label}.{}", "y".repeat(61));
    assert_eq!(longest.len(), 253);
    for host in [
        "localhost",
        "a",
        "EXAMPLE.com",
        "example.com.",
        "my_shop.example.com",
        "-a-.--.example",
        "127.0.0.1",
        "1.2.3",
        "a!$&'()*+,;=~b.example",
        "%41.example",
        label.as_str(),
        longest.as_str(),
        &format!("{longest}."),
        &format!("{longest}:443"),
        &format!("{label}.:80"),
    ] {
        assert!(is_host(host), "{host}");
    }
    for host in [
        ".",
        "..",
        ".example.com",
        "a..example.com",
        "example.com..",
        &format!("{label}x"),
        &format!("a.{label}x.example"),
        &format!("{longest}z"),
        &format!("z{longest}."),
        "%",
        "%4",
        "%4g.example",
        "%é.example",
        "a%",
        "a%41%",
        // A character that is not allowed in a host is not allowed as a triplet either.
        "a%20b",
        "a%2Fb",
        "a%40b",
        "a%00",
        "a%25",
        "%C3",
        "%FF%FE",
        "a%.example",
        "a\\b",
        "a\"b",
        "a^b",
        "a`b",
        "{a}",
        "a|b",
        "a\u{7F}b",
        "a]b",
        "a[b]",
    ] {
        assert!(!is_host(host), "{host}");
    }
    assert_eq!(
        refused(None, "https://www..example.com/"),
        "`https://www..example.com/` has a host that no name server knows: between its dots are 1 to 63 characters, and 253 \
         at most in all (P-LOC, RFC 1035 section 2.3.4); correct it"
    );
}

#[test]
fn addresses() {
    for host in [
        "[::]",
        "[::1]",
        "[2001:DB8::a:1]:8080",
        "[::ffff:192.0.2.1]",
        "[1:2:3:4:5:6:7:8]",
        "[v1.fe80::a+en1]",
        "[vF0.a:~!$&'()*+,;=]:1",
    ] {
        assert!(is_host(host), "{host}");
    }
    for host in [
        "[]",
        "[.]",
        "[:]",
        "[1]",
        "[:::]",
        "[::1::2]",
        "[1:2:3:4:5:6:7:8:9]",
        "[12345::]",
        "[::256.0.0.1]",
        "[127.0.0.1]",
        "[example.com]",
        "[fe80::1%25eth0]",
        "[fe80::1%eth0]",
        "[v.a]",
        "[v1.]",
        "[v1]",
        "[vg.a]",
        "[v1.%41]",
        "[v1.a[b]",
        "[::1]:",
        "[::1]80",
        "[::1]:80:80",
        "[[::1]]",
        "[::1",
    ] {
        // A port may be empty.
        assert_eq!(is_host(host), host == "[::1]:", "{host}");
    }
}

#[test]
fn ports() {
    for host in [
        "a:",
        "a:0",
        "a:80",
        "a:65535",
        "a:0443",
        "a:000000000000000000000000000080",
    ] {
        assert!(is_host(host), "{host}");
    }
    for host in [
        "a:65536",
        "a:99999999999999999999999999",
        "a:+80",
        "a:-1",
        "a: 80",
        "a:8 0",
        "a:x",
        "a:80:80",
        "a::",
        "a:%38",
        "a:８０",
    ] {
        assert!(!is_host(host), "{host}");
    }
    // The default port, however it is written, is the same site; any other port is not.
    let with =
        |base: &str, loc: &str| written(Some(base), loc).map_err(|error| error.rule().map(Rule::as_str));
    for port in ["", ":", ":443", ":00443"] {
        let loc = format!("https://a.example{port}/x");
        assert_eq!(with("https://a.example", &loc).unwrap(), loc);
        assert_eq!(
            with(&format!("https://A.example{port}"), "https://a.example/x").unwrap(),
            "https://a.example/x"
        );
    }
    for port in [":0", ":80", ":4430", ":444"] {
        let loc = format!("https://a.example{port}/x");
        assert_eq!(with("https://a.example", &loc), Err(Some("P-HOST")), "{loc}");
    }
    assert_eq!(
        with("http://a.example", "http://a.example:080/").unwrap(),
        "http://a.example:080/"
    );
    // A name with a final dot is another site, as for a browser.
    assert_eq!(
        with("https://a.example", "https://a.example./"),
        Err(Some("P-HOST"))
    );
}

#[test]
fn user_information() {
    for (loc, url) in [
        ("https://user@example.com/", "https://user@example.com/"),
        ("https://:@example.com", "https://:@example.com"),
        ("https://@example.com", "https://@example.com"),
        ("https://a@b@example.com/", "https://a%40b@example.com/"),
        (
            "https://a%40b:%zz@example.com/",
            "https://a%40b:%25zz@example.com/",
        ),
        ("https://[::1]@example.com/", "https://%5B::1%5D@example.com/"),
        ("https://a\\b@[::1]:80/", "https://a%5Cb@[::1]:80/"),
    ] {
        assert_eq!(written(None, loc).unwrap(), url);
    }
    for (loc, message) in [
        ("https://user@/", "has no host"),
        ("https://user@:80/", "has no host"),
        ("https://us\u{1}er@example.com/", "holds U+0001"),
        ("https://us\u{FFFE}er@example.com/", "holds U+FFFE"),
    ] {
        assert!(refused(None, loc).contains(message), "{loc}");
    }
    // User information is not part of the site.
    assert_eq!(
        written(Some("https://a.example"), "https://u:p@a.example/").unwrap(),
        "https://u:p@a.example/"
    );
    assert!(written(Some("https://a.example"), "https://a.example@b.example/").is_err());
    assert!(written(Some("https://a.example"), "https://a.example:@b.example/").is_err());
}
