//! The server's encoding, and the case of hex digits.

use super::*;

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
mod named {
    use super::*;

    #[test]
    fn characters_are_encoded_in_the_servers_encoding() {
        for (encoding, encoded) in [
            ("euc-jp", "%A5%B5%A5%A4%A5%C8%A5%DE%A5%C3%A5%D7"),
            (" EUC-JP\n", "%A5%B5%A5%A4%A5%C8%A5%DE%A5%C3%A5%D7"),
            // Second bytes that are ASCII letters (`C` and `v`) are not percent-encoded.
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
    fn a_character_outside_the_encoding_is_an_error() {
        let settings = in_encoding("latin1");
        let message = "`https://example.com/x-€-サ` holds `サ` U+30B5, which windows-1252, the server's encoding, does not \
                       have: a loc is percent-encoded in that encoding (P-LOCENC); change the URL, or name the encoding that \
                       the server decodes it by";
        let loc = "https://example.com/x-€-サ";
        let error = written_as(&settings, Kind::UrlSet, loc).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.rule(), Some(Rule::LocEnc));
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
            assert_eq!(error.rule(), Some(Rule::LocEnc), "{label}");
        }
        // This encoding has all the characters.
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
    fn an_unknown_encoding_is_an_error() {
        for (label, message) in [
            (
                "klingon",
                "`klingon` is not a known encoding: the names are those of the Encoding Standard, such as `euc-jp`, \
                 `shift_jis`, `gbk`, `windows-1252` (P-LOCENC); write one of those, or leave it out for UTF-8",
            ),
            (
                "utf-16",
                "`utf-16` names UTF-16LE, in which no URL is encoded: a server's encoding is one that holds ASCII, such as \
                 `utf-8` or `euc-jp` (P-LOCENC); write the one that the server decodes its URLs by, or leave it out for UTF-8",
            ),
            (
                "eucjp",
                "`eucjp` is not a known encoding: the names are those of the Encoding Standard, such as `euc-jp`, \
                 `shift_jis`, `gbk`, `windows-1252` (P-LOCENC); did you mean `euc-jp`?",
            ),
        ] {
            let error = written_as(&in_encoding(label), Kind::UrlSet, "https://example.com/").unwrap_err();
            assert_eq!(error.to_string(), message);
            assert_eq!(error.rule(), Some(Rule::LocEnc));
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
