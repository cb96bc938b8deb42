//! Dates and times in SQL's notation.

use std::borrow::Cow;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

use sitemap_values::stack_text::StackText;
use sitemap_values::{Precision, W3cDateTime};

use crate::error::{Error, Message, Result};

/// A lastmod as text in the notation of databases for dates and date-times.
///
/// ```
/// use sitemap_serde::{FromSitemapEntry, SitemapEntry, convert};
///
/// #[derive(SitemapEntry, FromSitemapEntry)]
/// #[sitemap(loc = "/products/{id}")]
/// struct Product {
///     id: u32,
///     #[sitemap(lastmod, with = convert::sql_date_time)]
///     updated_at: Option<String>,
/// }
/// ```
pub mod sql_date_time {
    use sitemap_values::W3cDateTime;

    use super::{SqlText, of_text, to_text};
    use crate::entry::from::absent;
    use crate::error::Result;

    /// The lastmod of a date or date-time as MySQL, SQLite and PostgreSQL write it: `2024-05-06` or `2024-05-06 07:08:09`, optionally with
    /// a fraction of the second and a zone, or in UTC if there is no zone. A W3C Datetime is accepted too. The text is a `String`, `&str`,
    /// `Cow<str>`, `Box<str>` or `Arc<str>`, or an `Option` of these.
    ///
    /// Returns `None` for `None`, for an empty text and for MySQL's zero dates, `0000-00-00` and `0000-00-00 00:00:00`, which mean that
    /// there is no date. MySQL's dates without a day or month, `2024-05-00` and `2024-00-00`, become `2024-05` and `2024`.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is any other text (P-LASTMOD).
    ///
    /// ```
    /// use sitemap_serde::convert::sql_date_time;
    ///
    /// assert_eq!(sql_date_time::write("2024-05-06 07:08:09.5")?, Some("2024-05-06T07:08:09.5Z".parse()?));
    /// assert_eq!(sql_date_time::write("2024-05-06 07:08:09+02")?, Some("2024-05-06T07:08:09+02:00".parse()?));
    /// assert_eq!(sql_date_time::write("0000-00-00 00:00:00")?, None);
    /// assert_eq!(sql_date_time::write(&Some(""))?, None);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn write<T: SqlText + ?Sized>(text: &T) -> Result<Option<W3cDateTime>> {
        text.sql_text().map_or(Ok(None), of_text)
    }

    /// The text of a lastmod: a date unchanged, `2024-05-06`, and a date-time in UTC, `2024-05-06 07:08:09`, with any fraction of the
    /// second.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if the lastmod has no day, or if there is none and `T` is not an `Option`.
    ///
    /// ```
    /// use sitemap_serde::convert::sql_date_time;
    ///
    /// let text: String = sql_date_time::read(Some("2024-05-06T09:08:09+02:00".parse()?))?;
    /// assert_eq!(text, "2024-05-06 07:08:09");
    /// assert_eq!(sql_date_time::read::<Option<String>>(None)?, None);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn read<T: SqlText>(lastmod: Option<W3cDateTime>) -> Result<T> {
        let text = lastmod.map(to_text).transpose()?;
        T::of_sql_text(text).ok_or_else(|| absent("lastmod"))
    }
}

fn of_text(given: &str) -> Result<Option<W3cDateTime>> {
    let text = given.trim();
    let (date, time) = match text.split_at_checked(10) {
        Some((date, time)) => (date, time),
        None => (text, ""),
    };
    if text.is_empty() || (date == "0000-00-00" && is_midnight(time)) {
        return Ok(None);
    }
    let value = W3cDateTime::parse(text).or_else(|| {
        if let Some(month) = date.strip_suffix("-00").filter(|_| is_midnight(time)) {
            return W3cDateTime::parse(month.strip_suffix("-00").unwrap_or(month));
        }
        with_time(date, time)
    });
    value.map(Some).ok_or_else(|| W3cDateTime::explain(text).into())
}

fn to_text(value: W3cDateTime) -> Result<String> {
    match value.precision() {
        Precision::Year | Precision::Month => Err(Error::data(
            Message::new(format!(
                "`{value}` does not convert to an SQL date: it has no day"
            ))
            .advice("write the whole date, or keep it as a `W3cDateTime`"),
        )),
        Precision::Day => Ok(value.to_string()),
        _ => {
            let (seconds, nanosecond) = value.to_unix_time()?;
            let utc = W3cDateTime::of_unix(seconds, nanosecond).ok_or_else(|| {
                Error::data(
                    Message::new(format!(
                        "`{value}` does not convert to an SQL date-time: in UTC it is not in the years 0000 to 9999"
                    ))
                    .advice("keep it as a `W3cDateTime`"),
                )
            })?;
            Ok(utc.to_string().replace('T', " ").replace('Z', ""))
        }
    }
}

/// A text, or an `Option` of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an SQL date",
    label = "not text",
    note = "what `sql_date_time` takes is a `String`, `&str`, `Cow<str>`, `Box<str>` or `Arc<str>`, or an `Option` of one"
)]
pub trait SqlText {
    /// The text, if there is one.
    fn sql_text(&self) -> Option<&str>;

    /// The value of a text. `None` if the type requires a text, and there is none.
    fn of_sql_text(_: Option<String>) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

impl SqlText for str {
    fn sql_text(&self) -> Option<&str> {
        Some(self)
    }
}

macro_rules! owned {
    ($($text:ty)*) => {
        $(impl SqlText for $text {
            fn sql_text(&self) -> Option<&str> {
                Some(self)
            }

            fn of_sql_text(text: Option<String>) -> Option<Self> {
                text.map(Into::into)
            }
        })*
    };
}
owned!(String Box<str> Rc<str> Arc<str> Cow<'_, str>);

impl<T: SqlText> SqlText for Option<T> {
    fn sql_text(&self) -> Option<&str> {
        self.as_ref().and_then(SqlText::sql_text)
    }

    fn of_sql_text(text: Option<String>) -> Option<Self> {
        match text {
            None => Some(None),
            text => T::of_sql_text(text).map(Some),
        }
    }
}

impl<T: SqlText + ?Sized> SqlText for &T {
    fn sql_text(&self) -> Option<&str> {
        (**self).sql_text()
    }
}

/// Returns `true` if a time is the first of its day, or absent.
fn is_midnight(time: &str) -> bool {
    let rest = time.strip_prefix([' ', 'T']).unwrap_or(time);
    rest.chars().all(|c| matches!(c, '0' | ':' | '.')) && (rest.is_empty() || rest.starts_with("00:00"))
}

/// A date and a time with a space or `T` between them, and a zone or none.
fn with_time(date: &str, time: &str) -> Option<W3cDateTime> {
    let time = time.strip_prefix([' ', 'T'])?;
    let (clock, zone) = time.split_at(time.find(['Z', '+', '-']).unwrap_or(time.len()));
    let mut text = StackText::<48>::new();
    let written = match zone {
        "" => write!(text, "{date}T{clock}Z"),
        // PostgreSQL writes an offset of whole hours without minutes.
        zone if zone.len() == 3 => write!(text, "{date}T{clock}{zone}:00"),
        zone if zone.len() == 5 && !zone.contains(':') => {
            let (hours, minutes) = zone.split_at_checked(3)?;
            write!(text, "{date}T{clock}{hours}:{minutes}")
        }
        zone => write!(text, "{date}T{clock}{zone}"),
    };
    written.ok()?;
    W3cDateTime::parse(text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_the_formats_of_databases() {
        for (text, value) in [
            ("2024-05-06", Some("2024-05-06")),
            ("2024-05-06 07:08:09", Some("2024-05-06T07:08:09Z")),
            ("2024-05-06 07:08:09.123456", Some("2024-05-06T07:08:09.123456Z")),
            ("2024-05-06 07:08", Some("2024-05-06T07:08Z")),
            ("2024-05-06T07:08:09", Some("2024-05-06T07:08:09Z")),
            ("2024-05-06T07:08:09.5Z", Some("2024-05-06T07:08:09.5Z")),
            ("2024-05-06 07:08:09+00", Some("2024-05-06T07:08:09+00:00")),
            ("2024-05-06 07:08:09-0330", Some("2024-05-06T07:08:09-03:30")),
            ("2024-05-06 07:08:09+05:30", Some("2024-05-06T07:08:09+05:30")),
            (" 2024-05-06 ", Some("2024-05-06")),
            ("2024-05", Some("2024-05")),
            ("2024-05-00", Some("2024-05")),
            ("2024-00-00", Some("2024")),
            ("2024-05-00 00:00:00", Some("2024-05")),
            ("0000-00-00", None),
            ("0000-00-00 00:00:00", None),
            ("0000-00-00 00:00:00.000000", None),
            ("0000-00-00T00:00:00", None),
            ("", None),
            (" ", None),
        ] {
            let read = sql_date_time::write(text).unwrap();
            assert_eq!(read.map(|read| read.to_string()).as_deref(), value, "{text:?}");
        }
        assert_eq!(sql_date_time::write(&None::<String>).unwrap(), None);
        assert!(
            sql_date_time::write(&Some(Arc::<str>::from("2024")))
                .unwrap()
                .is_some()
        );
    }

    #[test]
    fn texts_that_are_read_are_written_back() {
        for (lastmod, text) in [
            ("2024-05-06", "2024-05-06"),
            ("2024-05-06T07:08Z", "2024-05-06 07:08:00"),
            ("2024-05-06T07:08:09Z", "2024-05-06 07:08:09"),
            ("2024-05-06T07:08:09.25Z", "2024-05-06 07:08:09.25"),
            ("2024-05-06T00:08:09+02:00", "2024-05-05 22:08:09"),
        ] {
            let value: W3cDateTime = lastmod.parse().unwrap();
            let read: String = sql_date_time::read(Some(value)).unwrap();
            assert_eq!(read, text);
            let written = sql_date_time::write(&read).unwrap().unwrap();
            assert_eq!(written.to_string().trim_end_matches('Z'), text.replace(' ', "T"));
        }
        let error = |lastmod: &str| {
            let error = sql_date_time::read::<String>(Some(lastmod.parse().unwrap())).unwrap_err();
            error.to_string()
        };
        assert_eq!(
            error("2024-05"),
            "`2024-05` does not convert to an SQL date: it has no day; write the whole date, or keep it as a `W3cDateTime`"
        );
        assert_eq!(
            error("0000-01-01T00:00:00+23:59"),
            "`0000-01-01T00:00:00+23:59` does not convert to an SQL date-time: in UTC it is not in the years 0000 to 9999; keep it as a \
             `W3cDateTime`"
        );
        assert_eq!(
            sql_date_time::read::<Arc<str>>(None).unwrap_err().to_string(),
            "no `lastmod`, and the field that it is read into cannot be without one; make the field an `Option`"
        );
        assert_eq!(sql_date_time::read::<Option<Box<str>>>(None).unwrap(), None);
    }

    #[test]
    fn invalid_dates() {
        for text in [
            "0000-00-00 00:00:01",
            "0000-00-00x",
            "2024-05-00 07:08:09",
            "2024-13-00",
            "2024-02-30 00:00:00",
            "2024-05-06 25:00:00",
            "2024-05-06 07:08:09 UTC",
            "2024-05-06x",
            "Mon, 06 May 2024",
            "2024-05-06 07:08:09.1234567891234567890123456789",
            "ééééééééé",
        ] {
            assert!(sql_date_time::write(text).is_err(), "{text:?}");
        }
        assert_eq!(
            sql_date_time::write("2024-02-30 00:00:00")
                .unwrap_err()
                .to_string(),
            "`2024-02-30 00:00:00` is not a W3C Datetime: February 2024 has 29 days (P-LASTMOD); write a day from 01 to 29"
        );
    }
}
