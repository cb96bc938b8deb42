//! Refused dates, frequencies and priorities.

use serde::Serialize;
use sitemap_serde::Writer;

use super::{changefreq, is_refused, lastmod, priority};

#[test]
fn a_priority_out_of_range() {
    let message = |found: &str| {
        format!(
            "`{found}` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
             field out"
        )
    };
    macro_rules! refused {
        ($($value:expr => $found:literal)*) => {$(
            is_refused(&priority($value), "P-PRIO", "entry 2 · priority", &message($found));
            is_refused(&priority(Some($value)), "P-PRIO", "entry 2 · priority", &message($found));
        )*};
    }
    refused! {
        1.5_f32 => "1.5"
        -0.1_f32 => "-0.1"
        f32::NAN => "NaN"
        f32::INFINITY => "inf"
        1.000_000_1_f32 => "1.0000001"
        1.5_f64 => "1.5"
        f64::NAN => "NaN"
        f64::NEG_INFINITY => "-inf"
        1.000_000_000_000_000_2_f64 => "1.0000000000000002"
        2_u8 => "2"
        10_i64 => "10"
        -1_i32 => "-1"
        u128::MAX => "340282366920938463463374607431768211455"
        "1.5" => "1.5"
        "high" => "high"
        "NaN" => "NaN"
        "5e1" => "5e1"
        "1.00000000000000000000001" => "1.00000000000000000000001"
        true => "true"
        'x' => "x"
    }
    is_refused(
        &priority("0,5"),
        "P-PRIO",
        "entry 2 · priority",
        "`0,5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write `0.5`",
    );
    for good in ["0", "1", "0.0", "1.0", ".5", "-0", ""] {
        Writer::from_writer(Vec::new())
            .serialize(&priority(good))
            .unwrap();
    }
}

#[test]
fn a_changefreq_that_is_none() {
    #[derive(Serialize)]
    enum Often {
        Weekly,
    }
    let message = |found: &str, advice: &str| {
        format!(
            "`{found}` is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); \
             {advice}"
        )
    };
    let none = "write one of these, or leave the field out";
    is_refused(
        &changefreq("often"),
        "P-FREQ",
        "entry 2 · changefreq",
        &message("often", none),
    );
    is_refused(
        &changefreq(7),
        "P-FREQ",
        "entry 2 · changefreq",
        &message("7", none),
    );
    is_refused(
        &changefreq(Often::Weekly),
        "P-FREQ",
        "entry 2 · changefreq",
        &message("Weekly", "did you mean `weekly`?"),
    );
}

#[test]
fn a_lastmod_that_does_not_exist() {
    for (text, message) in [
        (
            "2024-02-30",
            "February 2024 has 29 days (P-LASTMOD); write a day from 01 to 29",
        ),
        (
            "2024-05-06T07:08:09",
            "a time has a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write `2024-05-06T07:08:09Z` if it is in UTC, else its \
             offset, or only `2024-05-06`",
        ),
        (
            "2024-05-06 07:08:09 UTC",
            "a `T` stands between the date and the time (P-LASTMOD); write `2024-05-06T07:08:09Z`",
        ),
        (
            "1714979289",
            "it is a Unix time (P-LASTMOD); write `2024-05-06T07:08:09Z`",
        ),
    ] {
        is_refused(
            &lastmod(text),
            "P-LASTMOD",
            "entry 2 · lastmod",
            &format!("`{text}` is not a W3C Datetime: {message}"),
        );
    }
}
