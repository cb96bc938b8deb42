//! Rules about dates: lastmod and the publication dates of news.

use std::time::{Duration, SystemTime};

use sitemap_values::{Precision, Rule, W3cDateTime};

use crate::error::{Error, Message};

/// A date without a time can differ from the date in UTC by up to a day, depending on the time zone.
const DAY: Duration = Duration::from_secs(86_400);

/// The current time, for rules about dates in the future or the past.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    now: W3cDateTime,
    /// The same for messages, to the second.
    shown: W3cDateTime,
    /// A later date is in the future in every time zone.
    tomorrow: W3cDateTime,
    two_days_ago: W3cDateTime,
    three_days_ago: W3cDateTime,
}

impl Clock {
    /// `None` if `now` is out of the range of `SystemTime`.
    pub(super) fn at(now: W3cDateTime) -> Option<Self> {
        let time = SystemTime::try_from(now.assume_utc()).ok()?;
        let moved = |time: Option<SystemTime>| W3cDateTime::try_from(time?).ok();
        let shown = if now.precision() == Precision::Fraction {
            W3cDateTime::of_unix(now.unix_time().0, 0)?
        } else {
            now
        };
        Some(Clock {
            now,
            shown,
            tomorrow: moved(time.checked_add(DAY))?,
            two_days_ago: moved(time.checked_sub(2 * DAY))?,
            three_days_ago: moved(time.checked_sub(3 * DAY))?,
        })
    }

    /// The error for a lastmod in the future.
    pub(super) fn future(&self, lastmod: &W3cDateTime) -> Option<Error> {
        let limit = if lastmod.precision() > Precision::Day {
            &self.now
        } else {
            &self.tomorrow
        };
        (lastmod > limit).then(|| {
            Error::data(
                Message::new(format!("`{lastmod}` is in the future: it is {} now", self.shown))
                    .advice("write when the page was last changed"),
            )
            .breaks(Rule::Future)
        })
    }

    /// The error for news that is older than two days.
    pub(super) fn old_news(&self, date: &W3cDateTime) -> Option<Error> {
        let limit = if date.precision() > Precision::Day {
            &self.two_days_ago
        } else {
            &self.three_days_ago
        };
        (date < limit).then(|| {
            Error::data(
                Message::new(format!(
                    "`{date}` is more than two days ago: it is {} now, and a news sitemap has the \
                articles of the last two days",
                    self.shown
                ))
                .advice("leave the `news:news` out, or the entry if the document is for news only"),
            )
            .breaks(Rule::News5)
        })
    }
}

/// The error for a lastmod before the first web page.
pub(super) fn old(lastmod: &W3cDateTime) -> Option<Error> {
    (lastmod.year() < 1990).then(|| {
        let message = Message::new(format!(
            "`{lastmod}` is before the web, and most likely a missing date"
        ));
        Error::data(message.advice("leave the lastmod out, or write when the page was last changed"))
            .breaks(Rule::Old)
    })
}

/// The error for a lastmod that is newer than its document.
pub(super) fn newer(lastmod: &W3cDateTime, modified: &W3cDateTime) -> Option<Error> {
    let limit = if lastmod.precision() > Precision::Day {
        *modified
    } else {
        let time = SystemTime::try_from(modified.assume_utc())
            .ok()?
            .checked_add(DAY)?;
        W3cDateTime::try_from(time).ok()?
    };
    (*lastmod > limit).then(|| {
        Error::data(
            Message::new(format!(
                "`{lastmod}` is newer than the document, which was changed at {modified}"
            ))
            .advice("write when the page was last changed"),
        )
        .breaks(Rule::Newer)
    })
}

/// The error for a listed sitemap whose lastmod is older than its file.
pub(super) fn older_than_file(lastmod: &W3cDateTime, modified: &W3cDateTime) -> Option<Error> {
    let time = SystemTime::try_from(lastmod.assume_utc())
        .ok()?
        .checked_add(DAY)?;
    let limit = W3cDateTime::try_from(time).ok()?;
    (limit < *modified).then(|| {
        Error::data(
            Message::new(format!(
                "`{lastmod}` is older than the sitemap, which was changed at {modified}: crawlers \
            may not fetch it again"
            ))
            .advice("write when that file was changed"),
        )
        .breaks(Rule::Idx3)
    })
}

/// The error for a date that the protocol allows, but not its schema.
pub(super) fn not_in_schema(lastmod: &W3cDateTime) -> Option<Error> {
    (!lastmod.is_xsd()).then(|| {
        Error::data(
            Message::new(format!(
                "`{lastmod}` is a W3C Datetime, but the protocol's schema does not allow its form"
            ))
            .advice("write a day, or a date and time with seconds and zone"),
        )
        .breaks(Rule::LastmodX)
    })
}
