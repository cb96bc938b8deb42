//! Kinds of values: the allowed texts of an element or attribute.

use sitemap_values::quote::quote;
use sitemap_values::{ChangeFreq, Decimal, Precision, Priority, Rule, W3cDateTime, codes, digits, schema};

use crate::error::{Defect, Error, Facts, Message, Result};
use crate::loc;

use super::SchemaRow;

/// The kind of value of an element or attribute.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueKind {
    /// The page's own URL.
    Loc,
    /// A URL on any site.
    Url,
    Text,
    /// Text of at most this many characters.
    TextOf(usize),
    /// A W3C Datetime of any precision.
    DateTime,
    /// A W3C Datetime of at least day precision.
    Day,
    ChangeFreq,
    Priority,
    /// A decimal from 0.0 to 5.0.
    Rating,
    /// A decimal of at least 0.
    Amount,
    /// A whole number: lowest value, highest value, and a noun for messages.
    Integer(u64, u64, &'static str),
    /// `yes` or `no`, in the video schema's three spellings of each.
    YesNo,
    /// A word of a list.
    Word(&'static Spellings),
    /// Words of a list, separated by commas or by spaces.
    CommaWords(&'static Spellings),
    SpaceWords(&'static Spellings),
    /// ISO 3166 codes, separated by spaces.
    Countries,
    /// An ISO 4217 code.
    Currency,
    /// An ISO 639 code, `zh-cn` or `zh-tw`.
    Language,
    /// The language of an alternate page, optionally with a script and a region, or `x-default`.
    Hreflang,
    /// Up to 5 stock tickers, separated by commas.
    Tickers,
    /// An element without a value: its presence means `true`.
    Flag,
    /// Attributes and children.
    Group,
}

/// The words of a list.
#[derive(Debug)]
pub(crate) struct Spellings {
    /// The words that messages show.
    pub(crate) listed: &'static [&'static str],
    /// The words with all other spellings that the schema allows.
    pub(crate) spellings: &'static [&'static str],
}

impl Spellings {
    /// Words with one spelling each.
    pub(crate) const fn new(listed: &'static [&'static str]) -> Self {
        Spellings {
            listed,
            spellings: listed,
        }
    }
}

/// The shape of a value in serde's data model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    /// An XSD decimal.
    Decimal,
    /// An XSD integer.
    Integer,
    YesNo,
    Flag,
    Group,
}

impl ValueKind {
    pub(crate) const fn shape(self) -> Shape {
        match self {
            ValueKind::Priority | ValueKind::Rating | ValueKind::Amount => Shape::Decimal,
            ValueKind::Integer(..) => Shape::Integer,
            ValueKind::YesNo => Shape::YesNo,
            ValueKind::Flag => Shape::Flag,
            ValueKind::Group => Shape::Group,
            _ => Shape::Text,
        }
    }

    /// Returns `true` if an empty element of the kind is invalid by the published schemas.
    pub(crate) const fn needs_text(self) -> bool {
        matches!(
            self,
            ValueKind::DateTime
                | ValueKind::Day
                | ValueKind::Rating
                | ValueKind::Integer(..)
                | ValueKind::YesNo
                | ValueKind::Word(_)
                | ValueKind::CommaWords(_)
                | ValueKind::Language
        )
    }

    /// Returns `true` if no value of the kind has a character that is escaped in XML.
    #[inline]
    pub(crate) const fn is_plain(self) -> bool {
        matches!(
            self,
            ValueKind::DateTime
                | ValueKind::Day
                | ValueKind::ChangeFreq
                | ValueKind::Priority
                | ValueKind::Rating
                | ValueKind::Amount
                | ValueKind::Integer(..)
                | ValueKind::YesNo
                | ValueKind::Word(_)
                | ValueKind::Currency
                | ValueKind::Language
                | ValueKind::Hreflang
        )
    }

    /// Returns `true` if it is several words, each valid by itself.
    pub(crate) const fn is_list(self) -> bool {
        matches!(
            self,
            ValueKind::CommaWords(_) | ValueKind::SpaceWords(_) | ValueKind::Countries | ValueKind::Tickers
        )
    }

    /// The character that separates the words of a list.
    pub(crate) fn separator(self) -> char {
        match self {
            ValueKind::SpaceWords(_) | ValueKind::Countries => ' ',
            _ => ',',
        }
    }
}

impl SchemaRow {
    /// Reads an [`Integer`](Kind::Integer).
    pub(crate) fn integer(&'static self, text: &str) -> Result<u64> {
        let number = schema::integer(text);
        let ValueKind::Integer(least, most, _) = self.kind else {
            return number.ok_or_else(|| self.wrong(text, "is not a whole number", "write digits only"));
        };
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| self.explained(text, out_of_range))
    }

    /// Reads a rating or an amount.
    pub(super) fn decimal(&'static self, text: &str) -> Result<Decimal> {
        self.check_decimal(text)?;
        Decimal::parse(text).ok_or_else(|| self.no_decimal(text))
    }

    /// Checks a rating or an amount.
    #[inline]
    pub(super) fn check_decimal(&'static self, text: &str) -> Result<()> {
        match self.kind {
            _ if !digits::is_decimal(text) => Err(self.no_decimal(text)),
            ValueKind::Rating if !digits::is_at_most(text, '5') => Err(self.no_rating(text)),
            _ => Ok(()),
        }
    }

    #[cold]
    fn no_decimal(&'static self, text: &str) -> Error {
        match self.kind {
            ValueKind::Rating => self.no_rating(text),
            _ => self.under_rule(Decimal::explain(text).into()),
        }
    }

    #[cold]
    fn no_rating(&'static self, text: &str) -> Error {
        self.explained(text, |found| schema::no_rating(found.text()))
    }

    #[inline]
    pub(super) fn yes_no(&'static self, text: &str) -> Result<bool> {
        schema::yes_no(text).ok_or_else(|| self.explained(text, |found| schema::no_yes_or_no(found.text())))
    }

    #[inline]
    pub(super) fn date_time(&'static self, text: &str) -> Result<W3cDateTime> {
        W3cDateTime::parse(text).ok_or_else(|| self.under_rule(W3cDateTime::explain(text).into()))
    }

    /// Returns `true` if the value is a W3C Datetime.
    pub(crate) fn is_date_time(&self) -> bool {
        matches!(self.kind, ValueKind::DateTime | ValueKind::Day)
    }

    #[inline]
    pub(super) fn check_date_time(&'static self, date_time: W3cDateTime, text: &str) -> Result<()> {
        match self.kind {
            ValueKind::Day if date_time.precision() < Precision::Day => {
                Err(self.explained(text, |found| schema::no_day(found.text())))
            }
            _ => Ok(()),
        }
    }

    /// Checks a URL that was read.
    #[inline]
    pub(super) fn check_url(&'static self, text: &str) -> Result<()> {
        match self.kind {
            ValueKind::Loc => loc::check(text),
            ValueKind::Url => loc::check_link(text).map_err(|error| self.under_rule(error)),
            _ => Ok(()),
        }
    }

    /// Checks a value as reading it does, which accepts every text that the field's type can hold.
    #[inline]
    pub(crate) fn check_read(&'static self, text: &str) -> Result<()> {
        match self.kind {
            ValueKind::Loc | ValueKind::Url => self.check_url(text),
            ValueKind::DateTime | ValueKind::Day => self.date_time(text).map(drop),
            ValueKind::Rating | ValueKind::Amount => self.decimal(text).map(drop),
            ValueKind::ChangeFreq | ValueKind::Priority | ValueKind::Integer(..) | ValueKind::YesNo => {
                self.check(text)
            }
            _ => Ok(()),
        }
    }

    /// Checks a value that was read, including URLs.
    pub(crate) fn check_value(&'static self, text: &str) -> Result<()> {
        self.check_url(text)?;
        self.check(text)
    }

    /// Checks a value to be written, other than a URL.
    pub(crate) fn check(&'static self, text: &str) -> Result<()> {
        match self.kind {
            ValueKind::Loc | ValueKind::Url | ValueKind::Text | ValueKind::Flag | ValueKind::Group => Ok(()),
            ValueKind::TextOf(most) => self.check_length(text, most),
            ValueKind::DateTime | ValueKind::Day => match W3cDateTime::parse_serialized(text) {
                Some(date_time) => self.check_date_time(date_time, text),
                None => Err(self.under_rule(W3cDateTime::explain(text).into())),
            },
            ValueKind::ChangeFreq => ChangeFreq::parse(text)
                .map(drop)
                .ok_or_else(|| ChangeFreq::explain(text).into()),
            ValueKind::Priority => Priority::parse(text)
                .map(drop)
                .ok_or_else(|| Priority::explain(text).into()),
            ValueKind::Rating | ValueKind::Amount => self.check_decimal(text),
            ValueKind::Integer(..) => self.integer(text).map(drop),
            ValueKind::YesNo => self.yes_no(text).map(drop),
            ValueKind::Word(words) => self.check_word(text, words),
            ValueKind::CommaWords(words) => text
                .split(',')
                .try_for_each(|word| self.check_word(word.trim_start_matches(' '), words)),
            ValueKind::SpaceWords(words) => text.split(' ').try_for_each(|word| self.check_word(word, words)),
            ValueKind::Countries => self.check_countries(text),
            ValueKind::Currency => self.check_currency(text),
            ValueKind::Language => self.check_language(text),
            ValueKind::Hreflang => self.check_hreflang(text),
            ValueKind::Tickers => self.check_tickers(text),
        }
    }

    fn check_length(&'static self, text: &str, most: usize) -> Result<()> {
        if schema::is_at_most(text, most) {
            return Ok(());
        }
        let too_long = |found: &Facts| {
            schema::too_long(found.text(), usize::try_from(found.number).unwrap_or(usize::MAX))
        };
        Err(self.breaking(Error::found(Facts::new(text).number(most as u64), too_long)))
    }

    fn check_word(&'static self, text: &str, words: &Spellings) -> Result<()> {
        if words.spellings.contains(&text) {
            return Ok(());
        }
        let unlisted = |found: &Facts| {
            let listed: Vec<_> = found.list.iter().map(|word| format!("`{word}`")).collect();
            Message::new(format!(
                "{} is not one of {}",
                quote(found.text()),
                listed.join(", ")
            ))
            .advice("write one of these, or leave it out")
        };
        let finding = Facts::new(text).list(words.listed);
        Err(self.breaking(Error::found(finding, unlisted)))
    }

    fn check_countries(&'static self, text: &str) -> Result<()> {
        let mut codes = text.split(' ');
        match codes.find(|code| !code.is_empty() && !codes::is_country(code)) {
            None => Ok(()),
            Some(code) => Err(self.explained(code, no_country)),
        }
    }

    fn check_currency(&'static self, text: &str) -> Result<()> {
        if text.len() == 3 && text.bytes().all(|b| b.is_ascii_uppercase()) {
            return Ok(());
        }
        Err(self.wrong(
            text,
            "is not a currency: a currency is an ISO 4217 code, three capital letters",
            "write one such as `EUR`",
        ))
    }

    fn check_language(&'static self, text: &str) -> Result<()> {
        if schema::is_language(text) {
            return Ok(());
        }
        Err(self.explained(text, |found| schema::no_language(found.text())))
    }

    fn check_tickers(&'static self, text: &str) -> Result<()> {
        let mut count = 0_u64;
        for ticker in text.split(',') {
            count += 1;
            let ticker = ticker.trim_start_matches(' ');
            let is_word = |part: &str| !part.is_empty() && part.chars().all(char::is_alphanumeric);
            if !ticker
                .split_once(':')
                .is_some_and(|(exchange, symbol)| is_word(exchange) && is_word(symbol))
            {
                return Err(self.wrong(
                    ticker,
                    "is not a stock ticker: a stock ticker is an exchange and a symbol with `:` between, letters and digits",
                    "write one such as `NASDAQ:AMAT`",
                ));
            }
        }
        if count > 5 {
            let too_many = |found: &Facts| {
                let (text, count) = (quote(found.text()), found.number);
                Message::new(format!("{text} has {count} stock tickers: 5 are allowed"))
                    .advice("leave some out")
            };
            let finding = Facts::new(text).number(count);
            return Err(self.breaking(Error::found(finding, too_many)));
        }
        Ok(())
    }

    fn check_hreflang(&'static self, text: &str) -> Result<()> {
        codes::check_hreflang(text).map_err(|error| self.under_rule(error.into()))
    }

    /// The error for an invalid value: the text, the problem and the advice.
    #[cold]
    fn wrong(&'static self, text: &str, what: &'static str, advice: &'static str) -> Error {
        let finding = Facts::new(text).names([what, advice]);
        self.breaking(Error::found(finding, |found| {
            let [what, advice] = found.names;
            Message::new(format!("{} {what}", quote(found.text()))).advice(advice)
        }))
    }

    /// The error for an invalid value, with the message made by `explain`.
    #[cold]
    fn explained(&'static self, text: &str, explain: fn(&Facts) -> Message) -> Error {
        self.breaking(Error::found(Facts::new(text).row(self), explain))
    }

    /// Adds the rule of this element or attribute to an error.
    #[cold]
    pub(crate) fn breaking(&self, error: Error) -> Error {
        match self.rule {
            Some(rule) => error.breaks(rule),
            None => error,
        }
    }

    /// Replaces the rule of a value type's error by the rule of this element or attribute.
    #[cold]
    pub(crate) fn under_rule(&self, error: Error) -> Error {
        match self.rule {
            Some(rule) => error.under(rule),
            None => error,
        }
    }
}

fn out_of_range(found: &Facts) -> Message {
    let ValueKind::Integer(least, most, what) = found.of().kind else {
        return Message::new("a number out of range");
    };
    schema::out_of_range(found.text(), least, most, what)
}

fn no_country(found: &Facts) -> Message {
    let code = found.text();
    let message = Message::new(format!("{} is not the code of a country", quote(code)));
    match code.to_ascii_uppercase().as_str() {
        "UK" => message.advice("write `GB`"),
        upper if codes::is_country(upper) => message.advice(format!("write `{upper}`")),
        _ => message.advice("write countries as ISO 3166 codes, such as `GB IE US`, with spaces between"),
    }
}

/// The error for a missing required part of an element.
#[cold]
pub(crate) fn missing(element: &'static str, part: &'static str, rule: Rule) -> Error {
    let without = |found: &Facts| {
        let [part, element] = found.names;
        Message::new(format!("no `{part}`: every `{element}` has one"))
            .advice(format!("add it, or leave the `{element}` out"))
    };
    Error::found(Facts::none().names([part, element]), without)
        .breaks(rule)
        .with_defect(Defect::Missing)
}
