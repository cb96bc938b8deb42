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
