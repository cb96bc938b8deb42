//! Literals in attributes: priorities and offsets, checked at compile time.

use sitemap_values::{Priority, W3cDateTime};

/// The value of a numeric literal without its sign and suffix.
pub(crate) fn priority(digits: &str, negative: bool) -> Result<f64, String> {
    let sign = if negative { "-" } else { "" };
    let text = format!("{sign}{digits}");
    text.parse::<Priority>()
        .map(f64::from)
        .map_err(|error| error.to_string())
}

/// Minutes east of UTC, from `+hh:mm` or `-hh:mm`.
pub(crate) fn offset(text: &str) -> Result<i16, String> {
    if let Some(minutes) = minutes(text) {
        return Ok(minutes);
    }
    let advice = match text {
        "Z" | "z" | "UTC" | "utc" => "; write `utc` instead of `offset = …`".to_owned(),
        _ => match text
            .get(..3)
            .zip(text.get(3..))
            .map(|(hours, rest)| format!("{hours}:{rest}"))
        {
            Some(meant) if minutes(&meant).is_some() => format!("; write `{meant}`"),
            _ => String::new(),
        },
    };
    Err(format!(
        "`{text}` is not an offset: it is `+hh:mm` or `-hh:mm`, at most 23:59 (P-LASTMOD){advice}"
    ))
}

/// The minutes of the offset at the end of a date.
fn minutes(offset: &str) -> Option<i16> {
    let date: W3cDateTime = format!("2000-01-01T00:00{offset}").parse().ok()?;
    date.offset_minutes().filter(|_| offset.starts_with(['+', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets() {
        for (text, minutes) in [("+09:00", 540), ("-05:30", -330), ("+23:59", 1439), ("-00:00", 0)] {
            assert_eq!(offset(text), Ok(minutes), "{text}");
        }
        for text in [
            "", "+", "9", "+9", "+09", "+24:00", "+09:60", "09:00", "+09:0", "+0é0", "+09:000", "+a9:00",
        ] {
            assert!(offset(text).unwrap_err().ends_with("(P-LASTMOD)"), "{text}");
        }
        assert!(offset("+0900").unwrap_err().ends_with("; write `+09:00`"));
        assert!(
            offset("Z")
                .unwrap_err()
                .ends_with("; write `utc` instead of `offset = …`")
        );
    }

    #[test]
    fn priorities() {
        for (digits, value) in [
            ("0", 0.0),
            ("1", 1.0),
            ("0.0", 0.0),
            ("1.0", 1.0),
            ("0.50", 0.5),
            ("0.85", 0.85),
        ] {
            assert_eq!(priority(digits, false), Ok(value), "{digits}");
        }
        assert_eq!(
            priority("1.5", false).unwrap_err(),
            "`1.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); \
             write a value in that range, or leave the field out"
        );
        assert_eq!(
            priority("0.5", true).unwrap_err(),
            "`-0.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); \
             write a value in that range, or leave the field out"
        );
        assert!(priority("5e-1", false).unwrap_err().ends_with("; write `0.5`"));
        assert!(priority("1.0000000001", false).is_err());
    }
}
