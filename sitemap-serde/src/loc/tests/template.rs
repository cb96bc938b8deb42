//! Locs built from a template.

use super::*;

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
        ("/?q=", "", false, "https://example.com/shop/?q="),
        ("/a-", "", false, "https://example.com/shop/a-"),
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
    for (literal, value, reserved) in [
        ("", "https://exa mple.com/x", true),
        ("https://", "a b", true),
        ("https://", "a/b", false),
        ("https://example", ":80", false),
    ] {
        let error = template(&LocSettings::default(), literal, value, reserved).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("has a character in its host that no host has"),
            "{error}"
        );
    }
    for (value, problem) in [
        ("a\n", "holds U+000A"),
        ("a\tb", "holds U+0009"),
        ("a\u{A0}", "begins or ends with U+00A0"),
        ("\u{200E}", "begins or ends with U+200E"),
    ] {
        for reserved in [false, true] {
            let error = template(&settings, "/t/", value, reserved).unwrap_err();
            assert!(error.to_string().contains(problem), "{error}");
        }
    }
    assert!(template(&settings, "/t/", "\u{A0}a", false).is_ok());
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
