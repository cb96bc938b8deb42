use std::collections::HashSet;

use serde::de::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, Error as ValueError};

use super::*;
use crate::rules::Rule;

fn read(text: &str) -> Priority {
    text.parse().unwrap()
}

#[test]
fn is_small() {
    assert_eq!(size_of::<Priority>(), 12);
    assert_eq!(size_of::<Option<Priority>>(), 12);
}

#[test]
fn keeps_its_digits() {
    for (text, value) in [
        ("0", 0.0),
        ("1", 1.0),
        ("0.0", 0.0),
        ("0.8", 0.8),
        ("1.0", 1.0),
        ("0.", 0.0),
        ("1.", 1.0),
        (".5", 0.5),
        (".0", 0.0),
        ("0.50", 0.5),
        ("0.05", 0.05),
        ("1.000", 1.0),
        ("+0.5", 0.5),
        ("+.5", 0.5),
        ("+1", 1.0),
        ("-0", 0.0),
        ("-0.0", 0.0),
        ("-.00", 0.0),
        ("-0.", 0.0),
        ("00.5", 0.5),
        ("001.00", 1.0),
        ("0.6400000000000001", 0.64),
        ("0.800000011920929", 0.8),
        ("0.8000000000000000444", 0.8),
        ("0.0000000000000000000000000000000000000000000001", 0.0),
        ("0.123456789", 0.123_456_79),
        ("0.9999999999999999999", 1.0),
    ] {
        let priority = read(text);
        assert_eq!(priority.to_string(), text);
        assert_eq!(priority.get().to_bits(), f32::to_bits(value), "{text}");
        assert_eq!(f32::from(priority).to_bits(), f32::to_bits(value), "{text}");
        assert_eq!(format!("{priority:?}"), format!("Priority({text})"));
        assert_eq!(Priority::try_from(text).unwrap().to_string(), text);
        let mut out = b"x".to_vec();
        priority.push_to(&mut out);
        assert_eq!(out, format!("x{text}").into_bytes());
    }
    let zeros = format!("0.{}", "0".repeat(1_000));
    assert_eq!(read(&zeros).to_string(), zeros);
    assert_eq!(format!("[{:>5}]", read("0.8")), "[  0.8]");
}

#[test]
fn a_very_long_text_becomes_the_shortest_of_its_value() {
    for (text, short) in [
        (
            "0.8000000000000000444089209850062616169452667236328125".to_owned(),
            "0.8",
        ),
        ("-0.00000000000000000000".to_owned(), "-0.00000000000000000000"),
        (format!("0.{}", "9".repeat(100)), "1.0"),
        (format!("0.{}", "0".repeat(100_000)), "0.0"),
        (format!("1.{}", "0".repeat(100_000)), "1.0"),
        (format!("{}.5", "0".repeat(256)), "0.5"),
        (format!("{}1", "0".repeat(256)), "1.0"),
        (format!("-{}", "0".repeat(256)), "0.0"),
    ] {
        assert_eq!(read(&text).to_string(), short);
    }
}

#[test]
fn anything_else_is_refused() {
    const RULE: &str = "is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO);";
    for text in [
        "1.5",
        "2",
        "10",
        "-0.1",
        "-1",
        "-0.00000000000000000000000000001",
        "1.00000000001",
        "1.00000000000000000000000000000000001",
        "2e0",
        "1e-400e",
        "NaN",
        "inf",
        "-inf",
        "infinity",
        ".",
        "+",
        "-",
        "+.",
        "+-0.5",
        "0..5",
        "0.5.",
        "0.5f",
        "0x1",
        "0_1",
        "50%",
        "1,5",
        "high",
        "０.５",
    ] {
        let error = text.parse::<Priority>().unwrap_err();
        let expected = format!("`{text}` {RULE} write a value in that range, or leave the field out");
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.rule(), Some(Rule::Prio));
    }
    for (text, found, meant) in [
        ("0,5", "0,5", "0.5"),
        ("5e-1", "5e-1", "0.5"),
        ("1E0", "1E0", "1.0"),
        (" 0.50", " 0.50", "0.50"),
        ("1\n", "1\\n", "1"),
    ] {
        let error = text.parse::<Priority>().unwrap_err();
        assert_eq!(error.to_string(), format!("`{found}` {RULE} write `{meant}`"));
        assert_eq!(Priority::repair(text).unwrap().to_string(), meant);
    }
    assert_eq!(
        "".parse::<Priority>().unwrap_err().to_string(),
        format!("an empty value {RULE} write a value in that range, or leave the field out")
    );
    let nines = "9".repeat(100);
    assert_eq!(
        nines.parse::<Priority>().unwrap_err().to_string(),
        format!(
            "`{}…` {RULE} write a value in that range, or leave the field out",
            &nines[..60]
        )
    );
    for (value, found) in [
        (1.5, "1.5"),
        (-0.1, "-0.1"),
        (1.000_000_1, "1.0000001"),
        (2.0, "2.0"),
        (f32::NAN, "NaN"),
        (f32::INFINITY, "inf"),
        (f32::NEG_INFINITY, "-inf"),
        (f32::MAX, "3.4028235e38"),
        (-f32::from_bits(1), "-1e-45"),
    ] {
        let expected = format!("`{found}` {RULE} write a value in that range, or leave the field out");
        assert_eq!(Priority::new(value).unwrap_err().to_string(), expected);
        assert_eq!(Priority::try_from(value).unwrap_err().to_string(), expected);
    }
    assert_eq!(
        Priority::try_from(1.000_000_000_000_000_2_f64)
            .unwrap_err()
            .to_string(),
        format!("`1.0000000000000002` {RULE} write a value in that range, or leave the field out")
    );
}

#[test]
fn a_number_prints_its_shortest_decimal() {
    for (value, text) in [
        (0.0, "0.0"),
        (-0.0, "0.0"),
        (1.0, "1.0"),
        (0.5, "0.5"),
        (0.1, "0.1"),
        (0.85, "0.85"),
        (0.05, "0.05"),
        (0.01, "0.01"),
        (0.99, "0.99"),
        (0.123, "0.123"),
        (0.999, "0.999"),
        (0.001, "0.001"),
        (0.000_01, "0.00001"),
        (0.25, "0.25"),
    ] {
        assert_eq!(Priority::try_from(value).unwrap().to_string(), text);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the nearest f32 is what is asked for"
        )]
        let single = value as f32;
        assert_eq!(Priority::new(single).unwrap().to_string(), text);
    }
    assert_eq!(
        Priority::try_from(0.1 + 0.2).unwrap().to_string(),
        "0.30000000000000004"
    );
    assert_eq!(
        Priority::try_from(f64::from(0.8_f32)).unwrap().to_string(),
        "0.800000011920929"
    );
    assert_eq!(Priority::new(1.0 / 3.0).unwrap().to_string(), "0.33333334");
    assert_eq!(
        Priority::new(f32::from_bits(1)).unwrap().to_string(),
        format!("0.{}1", "0".repeat(44))
    );
    assert_eq!(
        Priority::try_from(f64::from_bits(1)).unwrap().to_string(),
        format!("0.{}5", "0".repeat(323))
    );
    assert_eq!(
        Priority::new(1.0_f32.next_down()).unwrap().to_string(),
        "0.99999994"
    );
    assert_eq!(
        Priority::try_from(1.0_f64.next_down()).unwrap().to_string(),
        "0.9999999999999999"
    );
}

/// Every 5003rd `f32` from 0 to 1, and the same number of `f64`, compared with the standard library's printing
/// and parsing.
#[test]
fn numbers_there_and_back() {
    for bits in (0..=1.0_f32.to_bits()).step_by(5_003) {
        let value = f32::from_bits(bits);
        let priority = Priority::new(value).unwrap();
        let text = priority.to_string();
        assert_eq!(text, with_point(value.to_string()));
        if let Some(shorter) = one_digit_less(value, &text) {
            assert_ne!(shorter.parse(), Ok(value), "{text}");
        }
        assert_eq!(priority.get().to_bits(), bits);
        assert_eq!(read(&text).get().to_bits(), bits);
        assert_eq!(read(&text), priority);
    }
    let step = usize::try_from(1.0_f64.to_bits() / 200_000).unwrap();
    for bits in (0..=1.0_f64.to_bits()).step_by(step) {
        let value = f64::from_bits(bits);
        let priority = Priority::try_from(value).unwrap();
        let text = priority.to_string();
        assert_eq!(text, with_point(value.to_string()));
        if let Some(shorter) = one_digit_less(value, &text) {
            assert_ne!(shorter.parse(), Ok(value), "{text}");
        }
        assert_eq!(priority.get_f64().to_bits(), bits);
        assert_eq!(read(&text), priority);
        // serde_json prints floats by another algorithm than the standard library.
        let json = serde_json::to_string(&value).unwrap();
        let (digits, exponent) = json.split_once('e').unwrap_or((&json, "0"));
        let is_digit = |c: &char| c.is_ascii_digit();
        let significant = |text: &str| text.chars().filter(is_digit).collect::<String>();
        assert_eq!(
            significant(&text).trim_matches('0'),
            significant(digits).trim_matches('0'),
            "{json}"
        );
        assert!(exponent.parse::<i32>().unwrap() <= 0);
    }
}

/// The decimal nearest to the value with one significant digit less than `text`, if there is one.
fn one_digit_less(value: impl fmt::LowerExp, text: &str) -> Option<String> {
    let digits = text.trim_matches(['0', '.']).len();
    let fewer = digits.checked_sub(2)?;
    Some(format!("{value:.fewer$e}"))
}

fn with_point(text: String) -> String {
    if text.contains('.') { text } else { text + ".0" }
}

/// `get` returns the float that the standard library reads from the text.
#[test]
fn decimals_to_numbers() {
    for places in 1..=7_usize {
        let end = 10_u64.pow(u32::try_from(places).unwrap());
        for n in (0..end).step_by(usize::try_from(end / 1_000 + 1).unwrap()) {
            let text = format!("0.{n:0places$}");
            let priority = read(&text);
            assert_eq!(priority.to_string(), text);
            assert_eq!(priority.get().to_bits(), text.parse::<f32>().unwrap().to_bits());
            assert_eq!(
                priority.get_f64().to_bits(),
                text.parse::<f64>().unwrap().to_bits()
            );
        }
    }
}

#[test]
fn compared_by_value() {
    let ordered = [
        vec!["0", "0.0", "-0.0", ".000", "+0."],
        vec!["0.0000000000000000000000000000000000000000000001"],
        vec![
            "0.000000000000000000000000000001",
            "0.0000000000000000000000000000010",
        ],
        vec!["0.05", "0.050"],
        vec!["0.1", ".10"],
        // Twenty digits that fit a `u64`.
        vec!["0.12446744073709551609"],
        vec!["0.4999999999999999999"],
        vec!["0.5", "0.50", ".5", "+00.500"],
        vec!["0.5000000000000000001"],
        vec!["0.8"],
        vec!["0.800000011920929"],
        vec!["0.9999999999999999999"],
        vec!["1", "1.0", "+1.", "01.00"],
    ];
    for (i, alike) in ordered.iter().enumerate() {
        for (j, others) in ordered.iter().enumerate() {
            for (a, b) in alike.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                assert_eq!(read(a).cmp(&read(b)), i.cmp(&j), "{a} {b}");
                assert_eq!(read(a).partial_cmp(&read(b)), Some(i.cmp(&j)));
                assert_eq!(read(a) == read(b), i == j, "{a} {b}");
            }
        }
    }
    let different: HashSet<Priority> = ordered.iter().flatten().map(|text| read(text)).collect();
    assert_eq!(different.len(), ordered.len());
    assert_eq!(Priority::default(), Priority::new(0.5).unwrap());
    assert_eq!(
        (Priority::MIN.get(), Priority::DEFAULT.get(), Priority::MAX.get()),
        (0.0, 0.5, 1.0)
    );
    assert_eq!(Priority::MIN.to_string(), "0.0");
    assert_eq!(Priority::DEFAULT.to_string(), "0.5");
    assert_eq!(Priority::MAX.to_string(), "1.0");
}

#[test]
fn json_has_a_number() {
    for (text, json) in [
        ("0.8", "0.8"),
        ("0.80", "0.8"),
        ("1", "1.0"),
        (".5", "0.5"),
        ("-0", "0.0"),
        ("0.800000011920929", "0.800000011920929"),
        ("0.30000000000000004", "0.30000000000000004"),
    ] {
        assert_eq!(serde_json::to_string(&read(text)).unwrap(), json);
        assert_eq!(serde_json::from_str::<Priority>(json).unwrap(), read(text));
    }
    assert_eq!(
        serde_json::to_string(&Priority::new(0.8).unwrap()).unwrap(),
        "0.8"
    );
    for (json, text) in [
        ("0", "0.0"),
        ("1", "1.0"),
        ("-0", "0.0"),
        ("\"0.50\"", "0.50"),
        ("5e-1", "0.5"),
    ] {
        assert_eq!(serde_json::from_str::<Priority>(json).unwrap().to_string(), text);
    }
    let value: serde_json::Value = serde_json::to_value(read("0.8")).unwrap();
    assert_eq!(value, serde_json::json!(0.8));
    assert_eq!(serde_json::from_value::<Priority>(value).unwrap(), read("0.8"));
    for (json, expected) in [
        (
            "1.5",
            "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out",
        ),
        (
            "2",
            "`2` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out",
        ),
        (
            "-1",
            "`-1` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out",
        ),
        (
            "\"0,5\"",
            "`0,5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write `0.5`",
        ),
        (
            "true",
            "invalid type: boolean `true`, expected a priority (a decimal from 0.0 to 1.0)",
        ),
    ] {
        let message = serde_json::from_str::<Priority>(json).unwrap_err().to_string();
        assert_eq!(message.split(" at line").next(), Some(expected));
    }
}

/// A priority that serde buffers, as in an untagged enum or a flattened struct, is still a number.
#[test]
fn json_by_way_of_a_buffer() {
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Either {
        Priority(Priority),
        Text(String),
    }

    let either: Either = serde_json::from_str("0.8").unwrap();
    assert_eq!(either, Either::Priority(read("0.8")));
    assert_eq!(serde_json::to_string(&either).unwrap(), "0.8");
}

#[test]
fn a_compact_format_has_the_text() {
    for text in ["0.80", ".5", "1", "0.800000011920929", "0.6400000000000001"] {
        let bytes = postcard::to_allocvec(&read(text)).unwrap();
        assert_eq!(bytes, postcard::to_allocvec(text).unwrap());
        assert_eq!(
            postcard::from_bytes::<Priority>(&bytes).unwrap().to_string(),
            text
        );
    }
    // Longer than a `StackText`.
    let tiny = Priority::try_from(f64::from_bits(1)).unwrap();
    let bytes = postcard::to_allocvec(&tiny).unwrap();
    assert_eq!(
        postcard::from_bytes::<Priority>(&bytes).unwrap().to_string(),
        tiny.to_string()
    );
}

/// This crate's own deserializer may return the text without the newtype struct.
#[test]
fn the_text_without_a_newtype_struct() {
    let text: BorrowedStrDeserializer<'_, ValueError> = BorrowedStrDeserializer::new("0.50");
    assert_eq!(Priority::deserialize(text).unwrap().to_string(), "0.50");
    let text: BorrowedStrDeserializer<'_, ValueError> = BorrowedStrDeserializer::new("1.5");
    assert_eq!(
        Priority::deserialize(text).unwrap_err().to_string(),
        "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); \
         write a value in that range, or leave the field out"
    );
}

/// The order of texts of up to 30 digits is that of their digits, padded to one length.
#[test]
fn ordered_by_their_digits() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    let mut text = || {
        let zeros = "0".repeat(usize::try_from(below(12)).unwrap());
        let digits = if below(2) == 0 {
            below(u64::MAX)
        } else {
            below(2_000)
        };
        format!("0.{zeros}{digits}")
    };
    let mut compared = 0;
    for _ in 0..20_000 {
        let (a, b) = (text(), text());
        let (Some(x), Some(y)) = (Priority::parse(&a), Priority::parse(&b)) else {
            continue;
        };
        compared += 1;
        assert_eq!(
            x.cmp(&y),
            format!("{a:0<40}").cmp(&format!("{b:0<40}")),
            "{a} {b}"
        );
    }
    assert!(compared > 10_000, "{compared}");
}
