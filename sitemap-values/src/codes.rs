//! Language, country and region codes.

use crate::error::{Message, Result, ValueError};
use crate::quote::quote;
use crate::rules::Rule;

/// ISO 639-1: two-letter language codes, sorted.
const LANGUAGES: &str = "\
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu \
fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km \
kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om \
or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr \
ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ";

/// ISO 3166-1 alpha-2: country codes, sorted.
const COUNTRIES: &str = "\
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF \
CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH \
GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW \
KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG \
NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN \
SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT \
ZA ZM ZW ";

/// UN M.49: codes of the regions of several countries that BCP 47 allows in a language tag, sorted.
const REGIONS: [u16; 31] = [
    1, 2, 3, 5, 9, 11, 13, 14, 15, 17, 18, 19, 21, 29, 30, 34, 35, 39, 53, 54, 57, 61, 142, 143, 145, 150,
    151, 154, 155, 202, 419,
];

/// Two-letter codes: for each first letter a bit for each second one.
type Codes = [u32; 26];

static LANGUAGE_CODES: Codes = codes(LANGUAGES, b'a');
static COUNTRY_CODES: Codes = codes(COUNTRIES, b'A');

/// The codes of a list, each followed by a space, in letters from `a` on.
const fn codes(list: &str, a: u8) -> Codes {
    let (mut codes, list, mut i) = ([0; 26], list.as_bytes(), 0);
    while i + 1 < list.len() {
        codes[(list[i] - a) as usize] |= 1 << (list[i + 1] - a);
        i += 3;
    }
    codes
}

/// Returns `true` if a code in letters from `a` on is among them.
fn has(codes: &Codes, [first, second]: [u8; 2], a: u8) -> bool {
    let (first, second) = (first.wrapping_sub(a), second.wrapping_sub(a));
    second < 26
        && codes
            .get(usize::from(first))
            .is_some_and(|seconds| seconds >> second & 1 != 0)
}

/// Returns `true` if `code` is an ISO 639-1 code, in either case.
pub fn is_language(code: &str) -> bool {
    <[u8; 2]>::try_from(code.as_bytes()).is_ok_and(|[first, second]| {
        let code = [first.to_ascii_lowercase(), second.to_ascii_lowercase()];
        has(&LANGUAGE_CODES, code, b'a')
    })
}

/// Returns `true` if `code` is an ISO 3166-1 alpha-2 code, in capitals.
pub fn is_country(code: &str) -> bool {
    <[u8; 2]>::try_from(code.as_bytes()).is_ok_and(|code| has(&COUNTRY_CODES, code, b'A'))
}

/// The same in either case.
fn is_country_of_any_case(code: &str) -> bool {
    <[u8; 2]>::try_from(code.as_bytes()).is_ok_and(|[first, second]| {
        let code = [first.to_ascii_uppercase(), second.to_ascii_uppercase()];
        has(&COUNTRY_CODES, code, b'A')
    })
}

/// Returns `true` if `code` is the UN M.49 code, three digits, of a region of several countries.
fn is_region_of_countries(code: &str) -> bool {
    code.len() == 3
        && code.bytes().all(|b| b.is_ascii_digit())
        && code
            .parse()
            .is_ok_and(|code| REGIONS.binary_search(&code).is_ok())
}

/// Checks a hreflang in any case (P-ALT5): a language, an optional script, an optional region; or `x-default`.
///
/// # Errors
///
/// A [`ValueError`] that names the wrong part.
pub fn check_hreflang(text: &str) -> Result<()> {
    if is_language(text) || text.eq_ignore_ascii_case("x-default") {
        return Ok(());
    }
    let mut parts = text.split('-');
    if !is_language(parts.next().unwrap_or_default()) {
        return Err(wrong(
            text,
            if is_region(text) {
                country_alone
            } else {
                no_language
            },
        ));
    }
    let mut part = parts.next();
    if part.is_some_and(|script| script.len() == 4 && script.bytes().all(|b| b.is_ascii_alphabetic())) {
        part = parts.next();
    }
    let is_like_region =
        |part: &str| part.len() == 2 || (part.len() == 3 && part.bytes().all(|b| b.is_ascii_digit()));
    match (part, parts.next()) {
        (None, _) => Ok(()),
        (Some(region), None) if is_region(region) => Ok(()),
        (Some(region), None) if region.eq_ignore_ascii_case("uk") => Err(wrong(text, region_uk)),
        (Some(region), None) if is_like_region(region) => Err(wrong(text, unknown_region)),
        _ => Err(wrong(text, no_hreflang)),
    }
}

fn is_region(part: &str) -> bool {
    is_country_of_any_case(part) || is_region_of_countries(part)
}

#[cold]
fn wrong(text: &str, explain: fn(&str) -> Message) -> ValueError {
    let explain = match with_hyphens(text) {
        Some(_) => underscores,
        None => explain,
    };
    ValueError::of(text, explain).breaks(Rule::Alt5)
}

/// The hreflang that a locale such as `de_AT` means.
fn with_hyphens(text: &str) -> Option<String> {
    let meant = text.contains('_').then(|| text.replace('_', "-"))?;
    let meant = match meant.rsplit_once('-') {
        Some((_, region)) if region.eq_ignore_ascii_case("uk") => with_region_gb(&meant),
        _ => meant,
    };
    check_hreflang(&meant).is_ok().then_some(meant)
}

fn underscores(text: &str) -> Message {
    let what = "is not a hreflang: its parts are joined by `-`";
    Message::new(format!("{} {what}", quote(text))).meaning(with_hyphens(text).unwrap_or_default())
}

fn message(text: &str, what: &str, advice: &'static str) -> Message {
    Message::new(format!("{} {what}", quote(text))).advice(advice)
}

fn no_language(text: &str) -> Message {
    message(
        text,
        "does not begin with a language: a hreflang is an ISO 639-1 code, then perhaps a script and a region, or `x-default`",
        "write it like `en`, `en-GB` or `zh-Hant`",
    )
}

fn country_alone(text: &str) -> Message {
    message(
        text,
        "is only a country: a hreflang begins with a language",
        "write the language before it, like `en-GB`",
    )
}

fn region_uk(text: &str) -> Message {
    let what = "has the region `UK`: the United Kingdom's ISO 3166-1 code is `GB`";
    Message::new(format!("{} {what}", quote(text))).meaning(with_region_gb(text))
}

/// The hreflang with its last part, the region `UK`, replaced.
fn with_region_gb(text: &str) -> String {
    let (before, _) = text.rsplit_once('-').unwrap_or_default();
    format!("{before}-GB")
}

fn unknown_region(text: &str) -> Message {
    message(
        text,
        "has a region that is neither an ISO 3166-1 code of a country nor a UN M.49 code of a region",
        "write it like `en-GB` or `es-419`, or leave the region out",
    )
}

fn no_hreflang(text: &str) -> Message {
    message(
        text,
        "is not a hreflang: after the language comes a script of four letters, a region of two letters or three digits, or both, with `-` between",
        "write it like `zh-Hant-TW`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order() {
        for (codes, count) in [(LANGUAGES, 183), (COUNTRIES, 249)] {
            let codes: Vec<_> = codes.split_ascii_whitespace().collect();
            assert!(codes.is_sorted_by(|a, b| a < b));
            assert_eq!(codes.len(), count);
        }
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                let code = [char::from(first), char::from(second)].iter().collect::<String>();
                let is_listed = |list: &str| list.split_ascii_whitespace().any(|listed| listed == code);
                assert_eq!(is_country(&code), is_listed(COUNTRIES), "{code}");
                let (lower, is_ascii) = (code.to_ascii_lowercase(), code.is_ascii());
                let is_language_code = LANGUAGES.split_ascii_whitespace().any(|listed| listed == lower);
                assert_eq!(is_language(&code), is_ascii && is_language_code, "{code}");
            }
        }
        assert!(REGIONS.is_sorted_by(|a, b| a < b));
        assert!(is_language("en") && is_language("ZH") && !is_language("uk-") && !is_language("xx"));
        assert!(is_country("GB") && !is_country("gb") && !is_country("UK") && !is_country(""));
    }

    #[test]
    fn hreflangs() {
        for right in [
            "de",
            "en-GB",
            "de-ch",
            "zh-Hant",
            "zh-Hant-TW",
            "x-default",
            "X-Default",
            "EN-us",
            "es-419",
            "en-001",
            "zh-Hant-142",
        ] {
            assert!(check_hreflang(right).is_ok(), "{right}");
        }
        for (wrong, why) in [
            ("en-UK", "has the region `UK`"),
            ("us", "is only a country"),
            ("", "does not begin with a language"),
            ("english", "does not begin with a language"),
            ("en-XX", "has a region that is neither"),
            (
                "en_GB",
                "is not a hreflang: its parts are joined by `-` (P-ALT5); write `en-GB`",
            ),
            (
                "de_AT",
                "is not a hreflang: its parts are joined by `-` (P-ALT5); write `de-AT`",
            ),
            (
                "en_UK",
                "is not a hreflang: its parts are joined by `-` (P-ALT5); write `en-GB`",
            ),
            (
                "zh_hant-TW",
                "is not a hreflang: its parts are joined by `-` (P-ALT5); write `zh-hant-TW`",
            ),
            (
                "x_default",
                "is not a hreflang: its parts are joined by `-` (P-ALT5); write `x-default`",
            ),
            ("en_XX", "does not begin with a language"),
            ("_", "does not begin with a language"),
            ("en-GB-oed", "is not a hreflang"),
            ("en-", "is not a hreflang"),
            ("es-276", "has a region that is neither"),
            ("es-4190", "is not a hreflang"),
            ("es-41", "has a region that is neither"),
            ("419", "is only a country"),
        ] {
            let message = check_hreflang(wrong).unwrap_err().to_string();
            assert!(message.starts_with(&format!("`{wrong}` {why}")), "{message}");
        }
    }
}
