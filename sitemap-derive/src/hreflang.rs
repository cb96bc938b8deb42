//! Checks of hreflangs, as in the library (P-ALT5).

/// ISO 639-1: languages with a code of two letters.
const LANGUAGES: &str = "\
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu \
fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km \
kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om \
or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr \
ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ";

/// ISO 3166-1 alpha-2: countries, sorted.
const COUNTRIES: &str = "\
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF \
CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH \
GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW \
KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG \
NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN \
SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT \
ZA ZM ZW ";

/// UN M.49: regions of several countries that BCP 47 allows in a language tag.
const REGIONS: &str = "\
001 002 003 005 009 011 013 014 015 017 018 019 021 029 030 034 035 039 053 054 057 061 142 143 145 150 151 154 155 202 419 ";

/// Checks a hreflang; the error is a message.
pub(crate) fn check(text: &str) -> Result<(), String> {
    let is = |codes: &str, code: &str| codes.split_ascii_whitespace().any(|one| one == code);
    let (lower, upper) = (text.to_ascii_lowercase(), text.to_ascii_uppercase());
    let mut parts = lower.split('-');
    let (language, mut part) = (parts.next().unwrap_or_default(), parts.next());
    let wrong = |what: &str, advice: &str| Err(format!("`{text}` {what} (P-ALT5); {advice}"));
    if !is(LANGUAGES, language) {
        return if is(COUNTRIES, &upper) {
            wrong(
                "is a country alone: a language comes first",
                "write the language before it, like `en-GB`",
            )
        } else {
            wrong(
                "does not begin with a language: a hreflang is an ISO 639-1 code, then perhaps a script and a region",
                "write it like `en`, `en-GB` or `zh-Hant`",
            )
        };
    }
    if part.is_some_and(|script| script.len() == 4 && script.bytes().all(|b| b.is_ascii_alphabetic())) {
        part = parts.next();
    }
    match (part, parts.next()) {
        (None, _) => Ok(()),
        (Some(region), None) if is(COUNTRIES, &region.to_ascii_uppercase()) || is(REGIONS, region) => Ok(()),
        (Some("uk"), None) => wrong(
            "has the region `UK`: the United Kingdom's ISO 3166-1 code is `GB`",
            "write `GB`",
        ),
        _ => wrong(
            "is not a hreflang: after the language comes a script of four letters, the ISO 3166-1 code of a country, or both",
            "write it like `en-GB` or `zh-Hant-TW`",
        ),
    }
}

#[cfg(test)]
mod tests {
    use sitemap_serde::{Alternate, UrlEntry, Writer};

    use super::*;

    /// The library refuses the same hreflangs.
    #[test]
    fn checks_are_those_of_the_library() {
        for text in [
            "de",
            "en-GB",
            "de-ch",
            "zh-Hant",
            "zh-Hant-TW",
            "EN-us",
            "xx",
            "gb",
            "GB",
            "en-UK",
            "en-XX",
            "en-GB-x",
            "",
            "english",
            "en_GB",
            "zh-Hans-",
            "de-",
            "uk",
            "uk-UA",
            "es-41",
            "es-4190",
            "es-419",
            "es-999",
            "419",
        ] {
            assert_eq!(check(text).is_ok(), is_written(text), "{text}: {:?}", check(text));
        }
    }

    fn is_written(hreflang: &str) -> bool {
        let mut page = UrlEntry::new("https://example.com/");
        page.alternates
            .push(Alternate::new(hreflang, "https://example.com/"));
        Writer::from_writer(Vec::new()).write(&page).is_ok()
    }

    /// Every possible code of a language, country or region: both crates have the same lists.
    #[test]
    fn codes_are_those_of_the_library() {
        let letters = || b'a'..=b'z';
        let pairs: Vec<String> = letters()
            .flat_map(|a| letters().map(move |b| String::from_utf8_lossy(&[a, b]).into_owned()))
            .collect();
        let languages = pairs.iter().cloned();
        let countries = pairs.iter().map(|pair| format!("en-{pair}"));
        let regions = (0..1000).map(|number| format!("en-{number:03}"));
        let mut taken = 0;
        for text in languages.chain(countries).chain(regions) {
            assert_eq!(check(&text).is_ok(), is_written(&text), "{text}");
            taken += usize::from(check(&text).is_ok());
        }
        // ISO 639-1, ISO 3166-1, UN M.49.
        let all = [LANGUAGES, COUNTRIES, REGIONS].map(|codes| codes.split_ascii_whitespace().count());
        assert_eq!(taken, all.iter().sum::<usize>());
    }
}
