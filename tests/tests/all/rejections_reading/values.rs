//! Invalid lastmods, changefreqs and priorities.

use crate::rejections_reading::breaks;

#[test]
fn a_priority_out_of_range() {
    for priority in ["1.5", "-0.1", "1.00000000000000000000001", "10"] {
        breaks(
            &format!(
                "<url><loc>https://example.com/2</loc>\n    <priority> ‸{priority} </priority>\n  </url>"
            ),
            "P-PRIO",
            "entry 2 · priority",
            &format!(
                "`{priority}` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, \
                 or leave the field out"
            ),
        );
    }
}

#[test]
fn a_priority_that_is_no_number() {
    for (priority, advice) in [
        ("NaN", "write a value in that range, or leave the field out"),
        ("high", "write a value in that range, or leave the field out"),
        ("5e-1", "write `0.5`"),
        ("5e0", "write a value in that range, or leave the field out"),
        ("0,5", "write `0.5`"),
    ] {
        breaks(
            &format!("<url><loc>https://example.com/2</loc><priority>‸{priority}</priority></url>"),
            "P-PRIO",
            "entry 2 · priority",
            &format!(
                "`{priority}` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); {advice}"
            ),
        );
    }
}

#[test]
fn a_changefreq_that_is_none() {
    for (changefreq, advice) in [
        ("sometimes", "write one of these, or leave the field out"),
        ("Daily", "did you mean `daily`?"),
        ("month", "did you mean `monthly`?"),
    ] {
        breaks(
            &format!("<url><loc>https://example.com/2</loc><changefreq>‸{changefreq}</changefreq></url>"),
            "P-FREQ",
            "entry 2 · changefreq",
            &format!(
                "`{changefreq}` is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and \
                 never (P-FREQ); {advice}"
            ),
        );
    }
}

#[test]
fn a_lastmod_that_does_not_exist() {
    for (lastmod, message) in [
        (
            "2024-02-30",
            "February 2024 has 29 days (P-LASTMOD); write a day from 01 to 29",
        ),
        (
            "2023-02-29",
            "February 2023 has 28 days (P-LASTMOD); write a day from 01 to 28",
        ),
        (
            "2024-13-01",
            "months are from 01 to 12 (P-LASTMOD); write a value in that range",
        ),
        (
            "2024-05-06T07:08:09",
            "a time has a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write `2024-05-06T07:08:09Z` if it is in UTC, else its offset, or only `2024-05-06`",
        ),
        (
            "2024-05-06 07:08:09Z",
            "a `T` stands between the date and the time (P-LASTMOD); write `2024-05-06T07:08:09Z`",
        ),
        (
            "2024-05-06T24:00:00Z",
            "hours are from 00 to 23 (P-LASTMOD); write midnight as 00:00 of the day that it begins",
        ),
        (
            "2024-05-06T07:08:09+0000",
            "a zone is `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write `2024-05-06T07:08:09+00:00`",
        ),
        (
            "06.05.2024",
            "a W3C Datetime begins with a year of four digits, 0000 to 9999 (P-LASTMOD); write `2024-06-05` if it begins with the month, `2024-05-06` if \
             with the day",
        ),
        (
            "yesterday",
            "a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out",
        ),
    ] {
        breaks(
            &format!("<url><loc>https://example.com/2</loc><lastmod>‸{lastmod}</lastmod></url>"),
            "P-LASTMOD",
            "entry 2 · lastmod",
            &format!("`{lastmod}` is not a W3C Datetime: {message}"),
        );
    }
}
