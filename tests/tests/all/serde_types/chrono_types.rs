//! The types of chrono.

use std::fmt::Debug;
use std::time::Duration;

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, TimeZone as _, Utc};
use serde::{Deserialize, Serialize};

use crate::serde_types::{is_read, refused, with, written};

#[test]
fn chronos_types_through_their_own_serde() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Page<T> {
        loc: String,
        lastmod: T,
    }
    fn page<T>(lastmod: T) -> Page<T> {
        Page {
            loc: "https://example.com/".to_owned(),
            lastmod,
        }
    }
    let document = |text: &str| with(&format!("<lastmod>{text}</lastmod>"));
    let time = Utc.with_ymd_and_hms(2004, 12, 23, 18, 0, 15).unwrap();
    is_read(document("2004-12-23T18:00:15+00:00"), page(time));
    is_read(document("2004-12-23T18:00:15Z"), page(time));
    is_read(document("2004-12-24T03:00:15+09:00"), page(time));
    is_read(document("2004-12-23T18:00:15Z"), page(Some(time)));
    is_read(with("<lastmod></lastmod>"), page(None::<DateTime<Utc>>));
    let text = |text: &str| format!("<loc>https://example.com/</loc><lastmod>{text}</lastmod>");
    assert_eq!(written(page(time)), text("2004-12-23T18:00:15Z"));
    assert_eq!(written(page(Some(time))), text("2004-12-23T18:00:15Z"));
    assert_eq!(
        written(page(time + Duration::from_nanos(1_500))),
        text("2004-12-23T18:00:15.000001500Z")
    );
    let local = FixedOffset::east_opt(9 * 3600)
        .unwrap()
        .from_utc_datetime(&time.naive_utc());
    assert_eq!(written(page(local)), text("2004-12-24T03:00:15+09:00"));
    let day = NaiveDate::from_ymd_opt(2005, 1, 1).unwrap();
    is_read(document("2005-01-01"), page(day));
    assert_eq!(written(page(day)), text("2005-01-01"));

    let naive: NaiveDateTime = time.naive_utc();
    assert_eq!(
        refused(page(naive)),
        "`2004-12-23T18:00:15` is not a W3C Datetime: a time has a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write \
         `2004-12-23T18:00:15Z` if it is in UTC, else its offset, or only `2004-12-23`, entry 1 · lastmod, loc `https://example.com/`"
    );
}
