//! Errors for texts that `parse` rejects: the reason, and the probably intended value.

use std::borrow::Cow;
use std::fmt;

use super::guess::{Guess, guess};
use super::parts::{Parts, Zone};
use super::{Precision, W3cDateTime, calendar};
use crate::error::{Message, Suggestion, ValueError};
use crate::quote::quote;
use crate::rules::Rule;

/// The six forms, for a message.
pub(super) const FORMS: &str =
    "`YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm`";

pub(super) fn explain(text: &str) -> ValueError {
    ValueError::of(text, message).breaks(Rule::Lastmod)
}

fn message(text: &str) -> Message {
    let mut reading = Reading::of(text);
    let (problem, guess) = match reading.read() {
        Ok(meant) => (reading.slip.unwrap_or(Problem::Form), Some(reading.guess(meant))),
        Err(problem) => (problem, guess(text)),
    };
    let message = match (&problem, guess) {
        (Problem::Empty, _) => Message::new(format!("an empty value is not a W3C Datetime: {problem}")),
        (_, Some(Guess::UnixTime(_))) => Message::new(format!(
            "{} is not a W3C Datetime: it is a Unix time",
            quote(text)
        )),
        _ => Message::new(format!("{} is not a W3C Datetime: {problem}", quote(text))),
    };
    match guess {
        Some(Guess::Day { day, in_utc }) => {
            let time = match in_utc {
                Some(time) => format!("write `{time}` if it is in UTC, else its offset"),
                None => "write the time with its offset".to_owned(),
            };
            message
                .advice(format!("{time}, or only `{day}`"))
                .suggestion(Suggestion::probable(day.to_string()))
        }
        Some(Guess::Certain(meant)) => message.meaning(meant),
        Some(Guess::UnixTime(meant)) => message
            .advice(format!("write `{meant}`"))
            .suggestion(Suggestion::probable(meant.to_string())),
        Some(Guess::Ambiguous {
            month_first,
            day_first,
        }) => message.advice(format!(
            "write `{month_first}` if it begins with the month, `{day_first}` if with the day"
        )),
        None => message.advice(problem.advice()),
    }
}

/// The intended value, if clear.
pub(super) fn repair(text: &str) -> Option<W3cDateTime> {
    let mut reading = Reading::of(text);
    let guess = match reading.read() {
        Ok(meant) => Some(reading.guess(meant)),
        Err(_) => guess(text),
    };
    match guess? {
        Guess::Certain(meant) | Guess::Day { day: meant, .. } => Some(meant),
        Guess::Ambiguous { .. } | Guess::UnixTime(_) => None,
    }
}

/// The mistake in a text. `Display` writes the rule for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Problem {
    // The intended value is unknown.
    Empty,
    Form,
    Year,
    Month,
    Day { year: u16, month: u8 },
    Midnight,
    Hour,
    Minute,
    LeapSecond,
    Second,
    Offset,
    // The intended value is clear: `Reading::slip` holds these.
    Blank,
    DateSeparator,
    TimeSeparator,
    OneDigit,
    ZoneOfDate,
    NoT,
    LowerCase,
    NoMinute,
    NoZone,
    ZoneForm,
    TwelveHours,
    Comma,
    NoFraction,
    LongFraction,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Problem::Empty | Problem::Form => return write!(f, "a W3C Datetime is {FORMS}"),
            Problem::Year => "a W3C Datetime begins with a year of four digits, 0000 to 9999",
            Problem::Month => "months are from 01 to 12",
            Problem::Day { year, month } => {
                let days = calendar::days_in_month(*year, *month);
                let name = calendar::MONTHS
                    .get(usize::from(*month).wrapping_sub(1))
                    .unwrap_or(&"a month");
                return write!(f, "{name} {year:04} has {days} days");
            }
            Problem::Midnight | Problem::Hour => "hours are from 00 to 23",
            Problem::Minute => "minutes are from 00 to 59",
            Problem::LeapSecond => "seconds are from 00 to 59, and a leap second cannot be written",
            Problem::Second => "seconds are from 00 to 59",
            Problem::Offset => "an offset is from -23:59 to +23:59",
            Problem::Blank => "there is no white space in it, nor around it",
            Problem::DateSeparator => "the parts of a date are joined by `-`",
            Problem::TimeSeparator => "the parts of a time are joined by `:`",
            Problem::OneDigit => "months, days, hours, minutes and seconds have two digits",
            Problem::ZoneOfDate => "a date without a time has no zone",
            Problem::NoT => "a `T` stands between the date and the time",
            Problem::LowerCase => "`T` and `Z` are upper case",
            Problem::NoMinute => "a time has hours and minutes",
            Problem::NoZone => "a time has a zone, `Z`, `+hh:mm` or `-hh:mm`",
            Problem::ZoneForm => "a zone is `Z`, `+hh:mm` or `-hh:mm`",
            Problem::TwelveHours => "hours are from 00 to 23, without AM and PM",
            Problem::Comma => "the fraction of a second begins with a point",
            Problem::NoFraction => "digits follow the point, 1 to 9 of them",
            Problem::LongFraction => "the fraction of a second has 1 to 9 digits",
        })
    }
}

impl Problem {
    /// The advice if the intended value is unknown.
    fn advice(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Problem::Day { year, month } => {
                let days = calendar::days_in_month(year, month);
                return Cow::Owned(format!("write a day from 01 to {days}"));
            }
            Problem::Midnight => "write midnight as 00:00 of the day that it begins",
            Problem::LeapSecond => "write the second before it or after it",
            Problem::Month | Problem::Hour | Problem::Minute | Problem::Second | Problem::Offset => {
                "write a value in that range"
            }
            _ => "write it like that, or leave the field out",
        })
    }
}

/// Reads a text from front to back, and past mistakes whose meaning is clear.
struct Reading<'a> {
    rest: &'a [u8],
    /// The first mistake whose meaning is clear.
    slip: Option<Problem>,
    zone: ZoneText,
}

/// The zone in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ZoneText {
    Known,
    Absent,
    /// A name such as `CET`.
    Unknown,
}

impl<'a> Reading<'a> {
    fn of(text: &'a str) -> Self {
        let trimmed = text.trim();
        Reading {
            rest: trimmed.as_bytes(),
            slip: (trimmed.len() < text.len()).then_some(Problem::Blank),
            zone: ZoneText::Known,
        }
    }

    /// The meaning of a text that was read as this value.
    fn guess(&self, value: W3cDateTime) -> Guess {
        let day = value.truncated_to(Precision::Day);
        let in_utc = match self.zone {
            ZoneText::Known => return Guess::Certain(value),
            ZoneText::Absent => Some(value),
            ZoneText::Unknown => None,
        };
        Guess::Day { day, in_utc }
    }

    fn read(&mut self) -> Result<W3cDateTime, Problem> {
        self.parts().map(Parts::pack)
    }

    fn parts(&mut self) -> Result<Parts, Problem> {
        let mut value = self.date()?;
        if self.rest.is_empty() {
            return Ok(value);
        }
        if value.precision < Precision::Day {
            return Err(Problem::Form);
        }
        if let [b'Z' | b'z' | b'+' | b'-', ..] = self.rest {
            self.slip(Problem::ZoneOfDate);
            self.zone(&mut value.clone())?;
        } else {
            self.time(&mut value)?;
            self.zone(&mut value)?;
        }
        if self.rest.is_empty() {
            Ok(value)
        } else {
            Err(Problem::Form)
        }
    }

    fn date(&mut self) -> Result<Parts, Problem> {
        let mut value = Parts::ZERO;
        let run = self.digits();
        let joined = run == 8;
        match run {
            4 => {}
            8 => self.slip(Problem::DateSeparator),
            0 if self.rest.is_empty() => return Err(Problem::Empty),
            0 => return Err(Problem::Form),
            _ => return Err(Problem::Year),
        }
        value.year = u16::from(self.two()) * 100 + u16::from(self.two());
        if !joined {
            if self.rest.is_empty() {
                return Ok(value);
            }
            self.date_separator()?;
        }
        value.month = if joined {
            self.two()
        } else {
            self.part(Problem::Month)?
        };
        if !calendar::exists(value.year, value.month, 1) {
            return Err(Problem::Month);
        }
        value.precision = Precision::Month;
        if !joined {
            if self.rest.is_empty() {
                return Ok(value);
            }
            self.date_separator()?;
        }
        let (year, month) = (value.year, value.month);
        let no_such_day = Problem::Day { year, month };
        value.day = if joined {
            self.two()
        } else {
            self.part(no_such_day)?
        };
        if !calendar::exists(year, month, value.day) {
            return Err(no_such_day);
        }
        value.precision = Precision::Day;
        Ok(value)
    }

    fn time(&mut self, value: &mut Parts) -> Result<(), Problem> {
        match self.rest {
            [b'T', rest @ ..] => self.rest = rest,
            [b't', rest @ ..] => {
                self.rest = rest;
                self.slip(Problem::LowerCase);
            }
            [b' ', ..] => {
                self.rest = self.rest.trim_ascii_start();
                self.slip(Problem::NoT);
            }
            _ => return Err(Problem::Form),
        }
        let joined = matches!(self.digits(), 4 | 6);
        if joined {
            self.slip(Problem::TimeSeparator);
        }
        value.hour = if joined {
            self.two()
        } else {
            self.part(Problem::Hour)?
        };
        value.precision = Precision::Minute;
        match value.hour {
            0..=23 => {}
            24 => return Err(Problem::Midnight),
            _ => return Err(Problem::Hour),
        }
        if joined {
            value.minute = self.two();
        } else if self.take(b':') {
            value.minute = self.part(Problem::Minute)?;
        } else {
            self.slip(Problem::NoMinute);
        }
        if value.minute > 59 {
            return Err(Problem::Minute);
        }
        if joined && self.digits() == 2 {
            value.second = self.two();
        } else if !joined && self.take(b':') {
            value.second = self.part(Problem::Second)?;
        } else {
            return Ok(());
        }
        value.precision = Precision::Second;
        match value.second {
            0..=59 => {}
            60 => return Err(Problem::LeapSecond),
            _ => return Err(Problem::Second),
        }
        let comma = self.take(b',');
        if comma {
            self.slip(Problem::Comma);
        }
        if comma || self.take(b'.') {
            self.fraction(value);
        }
        Ok(())
    }

    fn fraction(&mut self, value: &mut Parts) {
        let digits = self.digits();
        let (fraction, rest) = self.rest.split_at(digits);
        self.rest = rest;
        match digits {
            0 => return self.slip(Problem::NoFraction),
            1..=9 => {}
            _ => self.slip(Problem::LongFraction),
        }
        for place in 0..9 {
            let digit = fraction.get(place).map_or(0, |digit| digit & 0xf);
            value.nanosecond = value.nanosecond * 10 + u32::from(digit);
        }
        value.fraction_digits = u8::try_from(digits.min(9)).unwrap_or(9);
        value.precision = Precision::Fraction;
    }

    fn zone(&mut self, value: &mut Parts) -> Result<(), Problem> {
        let rest = self.rest.trim_ascii_start();
        if rest.is_empty() {
            value.zone = Zone::Z;
            self.slip(Problem::NoZone);
            self.zone = ZoneText::Absent;
            return Ok(());
        }
        if rest.len() < self.rest.len() {
            self.slip(Problem::Blank);
        }
        if let Some(name) = rest.get(..3)
            && (name.eq_ignore_ascii_case(b"UTC") || name.eq_ignore_ascii_case(b"GMT"))
        {
            self.slip(Problem::ZoneForm);
            self.rest = &rest[3..];
            value.zone = Zone::Z;
            return Ok(());
        }
        if rest.eq_ignore_ascii_case(b"AM") || rest.eq_ignore_ascii_case(b"PM") {
            self.slip = Some(Problem::TwelveHours);
            self.rest = &[];
            self.zone = ZoneText::Unknown;
            value.zone = Zone::Z;
            return Ok(());
        }
        let is_name = rest.len() > 2 && rest.iter().all(|b| b.is_ascii_alphabetic() || b"/_".contains(b));
        if is_name && !rest[0].eq_ignore_ascii_case(&b'Z') {
            self.slip(Problem::ZoneForm);
            self.rest = &[];
            self.zone = ZoneText::Unknown;
            value.zone = Zone::Z;
            return Ok(());
        }
        let (first, rest) = rest.split_first().ok_or(Problem::Form)?;
        self.rest = rest;
        value.zone = match first {
            b'Z' => Zone::Z,
            b'z' => {
                self.slip(Problem::LowerCase);
                Zone::Z
            }
            b'+' => Zone::Plus,
            b'-' => Zone::Minus,
            _ => return Err(Problem::Form),
        };
        if value.zone == Zone::Z {
            return Ok(());
        }
        let digits = self.digits();
        if digits != 2 && digits != 4 {
            return Err(Problem::Form);
        }
        let hours = self.two();
        let minutes = if digits == 2 && self.take(b':') {
            if self.digits() != 2 {
                return Err(Problem::Form);
            }
            self.two()
        } else {
            self.slip(Problem::ZoneForm);
            if digits == 4 { self.two() } else { 0 }
        };
        if hours > 23 || minutes > 59 {
            return Err(Problem::Offset);
        }
        value.offset = u16::from(hours) * 60 + u16::from(minutes);
        Ok(())
    }

    fn slip(&mut self, problem: Problem) {
        self.slip.get_or_insert(problem);
    }

    /// The number of leading digits.
    fn digits(&self) -> usize {
        self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    fn take(&mut self, byte: u8) -> bool {
        match self.rest {
            [first, rest @ ..] if *first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn date_separator(&mut self) -> Result<(), Problem> {
        if self.take(b'/') || self.take(b'.') {
            self.slip(Problem::DateSeparator);
        } else if !self.take(b'-') {
            return Err(Problem::Form);
        }
        Ok(())
    }

    /// Reads a part of two digits; a single digit is noted as a slip.
    fn part(&mut self, beyond: Problem) -> Result<u8, Problem> {
        match (self.digits(), self.rest) {
            (0, _) => Err(Problem::Form),
            (1, [digit, rest @ ..]) => {
                self.slip(Problem::OneDigit);
                self.rest = rest;
                Ok(digit & 0xf)
            }
            (2, _) => Ok(self.two()),
            _ => Err(beyond),
        }
    }

    /// Reads the next two bytes, which are known to be digits, as a number.
    fn two(&mut self) -> u8 {
        match self.rest {
            [tens, units, rest @ ..] => {
                self.rest = rest;
                (tens & 0xf) * 10 + (units & 0xf)
            }
            _ => 0,
        }
    }
}
