//! Dates and times as SQL writes them.

use std::borrow::Cow;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

use sitemap_values::W3cDateTime;
use sitemap_values::stack_text::StackText;

use crate::error::Result;

/// The lastmod of a date or date-time as MySQL, SQLite and PostgreSQL write it: `2024-05-06` or `2024-05-06 07:08:09`, with a fraction
/// of the second and a zone if it has them, in UTC if it has none; or of a W3C Datetime. `None` for `None`, for an empty text and for a
/// zero date, `0000-00-00` or `0000-00-00 00:00:00`, with which MySQL says that there is no date.
///
/// MySQL's dates without a day or month, `2024-05-00` and `2024-00-00`, become `2024-05` and `2024`.
///
/// # Errors
/// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is any other text (P-LASTMOD).
///
/// ```
/// use sitemap_serde::convert::sql_date_time;
///
/// assert_eq!(sql_date_time("2024-05-06 07:08:09.5")?, Some("2024-05-06T07:08:09.5Z".parse()?));
/// assert_eq!(sql_date_time("2024-05-06 07:08:09+02")?, Some("2024-05-06T07:08:09+02:00".parse()?));
/// assert_eq!(sql_date_time("0000-00-00 00:00:00")?, None);
/// assert_eq!(sql_date_time(&Some(""))?, None);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
pub fn sql_date_time<T: SqlText + ?Sized>(text: &T) -> Result<Option<W3cDateTime>> {
    let Some(given) = text.sql_text() else {
        return Ok(None);
    };
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

/// A text, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an SQL date",
    label = "not text",
    note = "what `sql_date_time` takes is a `String`, `&str`, `Cow<str>`, `Box<str>` or `Arc<str>`, or an `Option` of one"
)]
pub trait SqlText {
    #[doc(hidden)]
    fn sql_text(&self) -> Option<&str>;
}

impl SqlText for str {
    fn sql_text(&self) -> Option<&str> {
        Some(self)
    }
}

impl SqlText for String {
    fn sql_text(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: SqlText> SqlText for Option<T> {
    fn sql_text(&self) -> Option<&str> {
        self.as_ref().and_then(SqlText::sql_text)
    }
}

macro_rules! pointers {
    ($($pointer:ty)*) => {
        $(impl<T: SqlText + ?Sized> SqlText for $pointer {
            fn sql_text(&self) -> Option<&str> {
                (**self).sql_text()
            }
        })*
    };
}
pointers!(&T Box<T> Rc<T> Arc<T>);

impl<T: SqlText + ToOwned + ?Sized> SqlText for Cow<'_, T> {
    fn sql_text(&self) -> Option<&str> {
        (**self).sql_text()
    }
}

/// Whether a time is the first of its day, or absent.
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
            let read = sql_date_time(text).unwrap();
            assert_eq!(read.map(|read| read.to_string()).as_deref(), value, "{text:?}");
        }
        assert_eq!(sql_date_time(&None::<String>).unwrap(), None);
        assert!(sql_date_time(&Some(Arc::<str>::from("2024"))).unwrap().is_some());
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
            assert!(sql_date_time(text).is_err(), "{text:?}");
        }
        assert_eq!(
            sql_date_time("2024-02-30 00:00:00").unwrap_err().to_string(),
            "`2024-02-30 00:00:00` is not a W3C Datetime: February 2024 has 29 days (P-LASTMOD); write a day from 01 to 29"
        );
    }
}
