//! What an extension's element or attribute may have as its value: RULES, and where they are silent the schemas.

use crate::codes::{self, NoHreflang};
use crate::datetime::{Precision, W3cDateTime};
use crate::error::{Error, Finding, Result, Words};
use crate::model::checked::{MOST_SECONDS, check_rating, no_duration, no_rating, no_yes_no, parse_yes_no};
use crate::model::{
    Decimal, NewsAccess, NewsGenre, Platform, PriceKind, Relationship, Resolution, VideoIdKind, VideoType,
};
use crate::quote::quote;
use crate::rule::Rule;

use super::Name;

/// P-IMG1: the most images of an entry.
pub(crate) const MOST_IMAGES: usize = 1000;

/// P-NEWS4: the most news of a document.
pub(crate) const MOST_NEWS: u64 = 1000;

/// P-VID10: the most tags of a video.
pub(crate) const MOST_TAGS: usize = 32;

/// The rule, or else the schema, that says what a URL in that place is; `None` if what is there is no URL. An attribute's
/// `name` is the attribute's, its `element` the one that it is on.
pub(crate) fn url_rule(element: Name, name: Name) -> Option<Rule> {
    Some(match name {
        Name::ImageLoc => Rule::Img2,
        Name::Href => Rule::Alt2,
        Name::VideoThumbnailLoc | Name::VideoContentLoc | Name::VideoPlayerLoc => Rule::Vid1,
        Name::VideoContentSegmentLoc | Name::VideoGalleryLoc => Rule::VideoXsd,
        Name::Info if element == Name::VideoUploader => Rule::Vid9,
        Name::Src if element == Name::PageMapTemplate => Rule::PageMapXsd,
        _ => return None,
    })
}

/// Checks a value that is no URL. `element` and `name` are as in [`url_rule`].
pub(crate) fn check(element: Name, name: Name, text: &str) -> Result<()> {
    match name {
        Name::VideoTitle => at_most(text, 100, Rule::Vid1),
        Name::VideoDescription => at_most(text, 2048, Rule::Vid1),
        Name::VideoCategory => at_most(text, 256, Rule::VideoXsd),
        Name::VideoUploader => at_most(text, 255, Rule::Vid9),
        Name::VideoDuration => duration(text).map(drop),
        Name::DurationOf if element == Name::VideoContentSegmentLoc => segment_duration(text).map(drop),
        Name::VideoRating => rating(text).map(drop),
        Name::VideoViewCount => view_count(text).map(drop),
        Name::VideoExpirationDate | Name::VideoPublicationDate => date(text, Rule::Vid4).map(drop),
        Name::VideoPremierDate => date(text, Rule::VideoXsd).map(drop),
        Name::VideoFamilyFriendly | Name::VideoRequiresSubscription | Name::VideoLive => {
            yes_no(text, Rule::Vid6).map(drop)
        }
        Name::AllowEmbed => yes_no(text, Rule::VideoXsd).map(drop),
        Name::VideoSeasonNumber | Name::VideoEpisodeNumber => from_one(text).map(drop),
        Name::VideoVideoType => listed(
            text,
            VideoType::listed(text).is_some(),
            VideoType::LISTED,
            Rule::VideoXsd,
        ),
        Name::VideoRestriction => countries(text),
        Name::VideoPlatform => text.split(' ').try_for_each(|part| {
            listed(
                part,
                Platform::listed(part).is_some(),
                Platform::LISTED,
                Rule::Vid8,
            )
        }),
        Name::Relationship => {
            let rule = match element {
                Name::VideoPlatform => Rule::Vid8,
                _ => Rule::Vid7,
            };
            listed(
                text,
                Relationship::listed(text).is_some(),
                Relationship::LISTED,
                rule,
            )
        }
        Name::VideoPrice => price(text).map(drop),
        Name::Currency => currency(text),
        Name::Type if element == Name::VideoPrice => listed(
            text,
            PriceKind::listed(text).is_some(),
            PriceKind::LISTED,
            Rule::VideoXsd,
        ),
        Name::Type if element == Name::VideoId => listed(
            text,
            VideoIdKind::listed(text).is_some(),
            VideoIdKind::LISTED,
            Rule::VideoXsd,
        ),
        Name::Resolution => listed(
            text,
            Resolution::listed(text).is_some(),
            Resolution::LISTED,
            Rule::VideoXsd,
        ),
        Name::NewsLanguage => language(text),
        Name::NewsPublicationDate => news_date(text),
        Name::NewsAccess => listed(
            text,
            NewsAccess::listed(text).is_some(),
            NewsAccess::LISTED,
            Rule::NewsXsd,
        ),
        Name::NewsGenres => text.split(',').try_for_each(|part| {
            let part = part.trim_start_matches(' ');
            listed(
                part,
                NewsGenre::listed(part).is_some(),
                NewsGenre::LISTED,
                Rule::NewsXsd,
            )
        }),
        Name::NewsStockTickers => tickers(text),
        Name::Hreflang => hreflang(text),
        _ => Ok(()),
    }
}

/// The error for a value: what was found, what is wrong with it, by which rule, and what to do.
#[cold]
fn wrong(rule: Rule, text: &str, what: &'static str, advice: &'static str) -> Error {
    let finding = Finding::new(text).names([what, advice]);
    Error::found(finding, |found| {
        let [what, advice] = found.names;
        Words::new(format!("{} {what}", quote(found.text()))).advice(advice)
    })
    .breaks(rule)
}

fn at_most(text: &str, most: usize, rule: Rule) -> Result<()> {
    // A character has at least one byte.
    if text.len() <= most || text.chars().count() <= most {
        return Ok(());
    }
    let finding = Finding::new(text).number(most as u64);
    let too_long = |found: &Finding| {
        let (text, most) = (found.text(), found.number);
        let count = text.chars().count();
        Words::new(format!(
            "{} has {count} characters: {most} are allowed",
            quote(text)
        ))
        .advice("shorten it")
    };
    Err(Error::found(finding, too_long).breaks(rule))
}

fn digits(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

pub(crate) fn duration(text: &str) -> Result<u32> {
    digits(text)
        .and_then(|digits| digits.parse().ok())
        .filter(|seconds| (1..=MOST_SECONDS).contains(seconds))
        .ok_or_else(|| no_duration(text))
}

pub(crate) fn segment_duration(text: &str) -> Result<u32> {
    digits(text)
        .and_then(|digits| digits.parse().ok())
        .filter(|seconds| *seconds <= MOST_SECONDS)
        .ok_or_else(|| {
            Error::value(text, |found| {
                Words::new(format!(
                    "{} is not a duration: it is in seconds, a whole number from 0 to {MOST_SECONDS}",
                    quote(found.text())
                ))
                .advice("write a value in that range, or leave it out")
            })
            .breaks(Rule::VideoXsd)
        })
}

pub(crate) fn rating(text: &str) -> Result<Decimal> {
    Decimal::parse(text)
        .filter(|rating| check_rating(rating).is_ok())
        .ok_or_else(|| no_rating(text))
}

pub(crate) fn view_count(text: &str) -> Result<u64> {
    digits(text)
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| {
            wrong(
                Rule::Vid5,
                text,
                "is not a view count: it is a whole number of at least 0",
                "write digits only, or leave it out",
            )
        })
}

pub(crate) fn from_one(text: &str) -> Result<u32> {
    digits(text)
        .and_then(|digits| digits.parse().ok())
        .filter(|number| *number > 0)
        .ok_or_else(|| {
            wrong(
                Rule::VideoXsd,
                text,
                "is not the number of a season or an episode: it is a whole number from 1",
                "correct it, or leave it out",
            )
        })
}

pub(crate) fn date(text: &str, rule: Rule) -> Result<W3cDateTime> {
    W3cDateTime::parse(text).ok_or_else(|| W3cDateTime::explain(text).under(rule))
}

fn news_date(text: &str) -> Result<()> {
    if date(text, Rule::News3)?.precision() >= Precision::Day {
        return Ok(());
    }
    Err(wrong(
        Rule::News3,
        text,
        "does not say the day: a publication date is `YYYY-MM-DD`, or a date and time with its zone",
        "write the day",
    ))
}

pub(crate) fn yes_no(text: &str, rule: Rule) -> Result<bool> {
    parse_yes_no(text).ok_or_else(|| no_yes_no(text).under(rule))
}

pub(crate) fn price(text: &str) -> Result<Decimal> {
    Decimal::parse(text).ok_or_else(|| Decimal::explain(text).under(Rule::VideoXsd))
}

fn listed(text: &str, is_listed: bool, all: &'static [&'static str], rule: Rule) -> Result<()> {
    if is_listed {
        return Ok(());
    }
    let finding = Finding::new(text).list(all);
    let unlisted = |found: &Finding| {
        let all: Vec<_> = found.list.iter().map(|text| format!("`{text}`")).collect();
        Words::new(format!("{} is none of {}", quote(found.text()), all.join(", ")))
            .advice("write one of these, or leave it out")
    };
    Err(Error::found(finding, unlisted).breaks(rule))
}

fn countries(text: &str) -> Result<()> {
    match text
        .split(' ')
        .find(|code| !code.is_empty() && !codes::is_country(code))
    {
        None => Ok(()),
        Some(code) => Err(Error::value(code, |found| {
            let code = found.text();
            let words = Words::new(format!("{} is not the code of a country", quote(code)));
            match code.to_ascii_uppercase().as_str() {
                "UK" => words.advice("write `GB`"),
                upper if codes::is_country(upper) => words.advice(format!("write `{upper}`")),
                _ => {
                    words.advice("write countries as ISO 3166 codes, such as `GB IE US`, with spaces between")
                }
            }
        })
        .breaks(Rule::Vid7)),
    }
}

fn currency(text: &str) -> Result<()> {
    if text.len() == 3 && text.bytes().all(|b| b.is_ascii_uppercase()) {
        return Ok(());
    }
    Err(wrong(
        Rule::VideoXsd,
        text,
        "is not a currency: it is an ISO 4217 code, three capital letters",
        "write one such as `EUR`",
    ))
}

fn language(text: &str) -> Result<()> {
    let is_code = match text.len() {
        2 => codes::is_language(text) && text.bytes().all(|b| b.is_ascii_lowercase()),
        3 => text.bytes().all(|b| b.is_ascii_lowercase()),
        _ => matches!(text, "zh-cn" | "zh-tw"),
    };
    if is_code {
        return Ok(());
    }
    Err(wrong(
        Rule::News2,
        text,
        "is not a language: it is an ISO 639 code of 2 or 3 small letters, `zh-cn` or `zh-tw`",
        "write the code of the publication's language",
    ))
}

fn tickers(text: &str) -> Result<()> {
    let mut count = 0_u64;
    for ticker in text.split(',') {
        count += 1;
        let ticker = ticker.trim_start_matches(' ');
        let is_word = |part: &str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
        if !ticker
            .split_once(':')
            .is_some_and(|(exchange, symbol)| is_word(exchange) && is_word(symbol))
        {
            return Err(wrong(
                Rule::NewsXsd,
                ticker,
                "is not a stock ticker: it is an exchange and a symbol with `:` between, letters and digits",
                "write one such as `NASDAQ:AMAT`",
            ));
        }
    }
    if count > 5 {
        let too_many = |found: &Finding| {
            let (text, count) = (quote(found.text()), found.number);
            Words::new(format!("{text} has {count} stock tickers: 5 are allowed")).advice("leave some out")
        };
        let finding = Finding::new(text).number(count);
        return Err(Error::found(finding, too_many).breaks(Rule::NewsXsd));
    }
    Ok(())
}

fn hreflang(text: &str) -> Result<()> {
    codes::check_hreflang(text).map_err(|why| {
        let (what, advice) = match why {
            NoHreflang::Language => (
                "does not begin with a language: a hreflang is an ISO 639-1 code, then perhaps a script and a region, or `x-default`",
                "write it like `en`, `en-GB` or `zh-Hant`",
            ),
            NoHreflang::CountryAlone => (
                "is a country alone: a hreflang begins with a language",
                "write the language before it, like `en-GB`",
            ),
            NoHreflang::Uk => (
                "has the region `UK`: the United Kingdom's ISO 3166-1 code is `GB`",
                "write `GB`",
            ),
            NoHreflang::Region => (
                "has a region that is no ISO 3166-1 code of a country",
                "write it like `en-GB`, or leave the region out",
            ),
            NoHreflang::Form => (
                "is not a hreflang: after the language comes a script of four letters, a region of two, or both, with `-` between",
                "write it like `zh-Hant-TW`",
            ),
        };
        wrong(Rule::Alt5, text, what, advice)
    })
}
