//! lastmod, and what a clock says of it.

use std::time::{Duration, SystemTime};

use crate::datetime::{Precision, W3cDateTime};
use crate::diagnostic::Severity::{Note, Warning};
use crate::error::{Error, Words};
use crate::rule::Rule;

use super::table::Page;

pub(super) const PAGES: &[Page] = &[
    Page {
        rule: Rule::Lastmod,
        severity: Warning,
        search_console: &["Invalid date"],
        explanation: "A lastmod is a W3C Datetime: `2026-05-01`, or with a time `2026-05-01T09:30:00+02:00`; a time has \
            its \
            zone. Anything else is ignored, and Google tells the owner so.\n\nIt is when the page itself was last changed in \
            a way that matters to a reader, not when the sitemap was written.",
    },
    Page {
        rule: Rule::LastmodX,
        severity: Note,
        search_console: &[],
        explanation: "The text of the protocol allows a year, a year and month, and a time without seconds; its schema \
            allows \
            none of these. Crawlers take them, validation against the schema does not. Write a day, or a date and time with \
            seconds and zone.",
    },
    Page {
        rule: Rule::Future,
        severity: Warning,
        search_console: &["Invalid date"],
        explanation: "A page was not last changed tomorrow. Bing refuses such values, and crawlers that find lastmods to \
            be wrong \
            stop looking at them for the whole site. Look for a time zone that is left out, or a date of publication in the \
            place of one of change.",
    },
    Page {
        rule: Rule::SameLastmod,
        severity: Note,
        search_console: &[],
        explanation: "When all pages have one lastmod it is most likely when the sitemap was written. It says nothing \
            then, and \
            crawlers that notice ignore it. Write when each page was changed, or leave it out.",
    },
    Page {
        rule: Rule::Newer,
        severity: Note,
        search_console: &[],
        explanation: "A document cannot know of a change that came after it was written. Its time of change is that of \
            the file, \
            or the `Last-Modified` of the response.",
    },
    Page {
        rule: Rule::Idx3,
        severity: Note,
        search_console: &[],
        explanation: "The lastmod of a listed sitemap is when that file changed. Crawlers fetch it again only if it is \
            newer than \
            what they have: one that is older than the file hides its changes.",
    },
    Page {
        rule: Rule::News5,
        severity: Warning,
        search_console: &[],
        explanation: "A news sitemap lists articles of the last two days. Take older ones out of it; they stay in the \
            site's other \
            sitemaps, and in Google News for a month.",
    },
];

/// One day before or after which a date without a time can be, wherever on earth it was written.
const DAY: Duration = Duration::from_secs(86_400);

/// What a clock says of dates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    now: W3cDateTime,
    /// Beyond it a date is in the future everywhere.
    tomorrow: W3cDateTime,
    two_days_ago: W3cDateTime,
    three_days_ago: W3cDateTime,
}

impl Clock {
    /// `None` if the date is one that no clock shows.
    pub(super) fn at(now: W3cDateTime) -> Option<Self> {
        let time = SystemTime::try_from(now.assume_utc()).ok()?;
        let moved = |time: Option<SystemTime>| W3cDateTime::try_from(time?).ok();
        Some(Clock {
            now,
            tomorrow: moved(time.checked_add(DAY))?,
            two_days_ago: moved(time.checked_sub(2 * DAY))?,
            three_days_ago: moved(time.checked_sub(3 * DAY))?,
        })
    }

    /// A lastmod in the future.
    pub(super) fn future(&self, lastmod: &W3cDateTime) -> Option<Error> {
        let limit = if lastmod.precision() > Precision::Day {
            &self.now
        } else {
            &self.tomorrow
        };
        (lastmod > limit).then(|| {
            Error::data(
                Words::new(format!("`{lastmod}` is in the future: it is {} now", self.now))
                    .advice("write when the page was last changed"),
            )
            .breaks(Rule::Future)
        })
    }

    /// News that is older than two days.
    pub(super) fn old_news(&self, date: &W3cDateTime) -> Option<Error> {
        let limit = if date.precision() > Precision::Day {
            &self.two_days_ago
        } else {
            &self.three_days_ago
        };
        (date < limit).then(|| {
            Error::data(
                Words::new(format!(
                    "`{date}` is more than two days ago: it is {} now, and a news sitemap has the \
                articles of the last two days",
                    self.now
                ))
                .advice("leave it out"),
            )
            .breaks(Rule::News5)
        })
    }
}

/// A lastmod that is newer than the document that says it.
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
            Words::new(format!(
                "`{lastmod}` is newer than the document, which was changed at {modified}"
            ))
            .advice("write when the page was last changed"),
        )
        .breaks(Rule::Newer)
    })
}

/// The lastmod of a listed sitemap that is older than the file.
pub(super) fn older_than_file(lastmod: &W3cDateTime, modified: &W3cDateTime) -> Option<Error> {
    let time = SystemTime::try_from(lastmod.assume_utc())
        .ok()?
        .checked_add(DAY)?;
    let limit = W3cDateTime::try_from(time).ok()?;
    (limit < *modified).then(|| {
        Error::data(
            Words::new(format!(
                "`{lastmod}` is older than the sitemap, which was changed at {modified}: crawlers \
            do not fetch it again then"
            ))
            .advice("write when that file was changed"),
        )
        .breaks(Rule::Idx3)
    })
}

/// A date that the protocol allows and its schema does not.
pub(super) fn not_in_schema(lastmod: &W3cDateTime) -> Option<Error> {
    (!lastmod.is_xsd()).then(|| {
        Error::data(
            Words::new(format!(
                "`{lastmod}` is a W3C Datetime, and not one that the protocol's schema allows"
            ))
            .advice("write a day, or a date and time with seconds and zone"),
        )
        .breaks(Rule::LastmodX)
    })
}
