//! Priorities as the decimals of database drivers: `rust_decimal` and `bigdecimal`.

use std::fmt::Debug;

use bigdecimal::BigDecimal;
use rust_decimal::Decimal;
use sitemap_serde::convert::decimal;
use sitemap_serde::{FromSitemapEntry, Rule, SitemapEntry};

use crate::derive::tools::{assert_same, document, read, reader, refused, writer, written};

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{price}")]
struct Row {
    // A decimal in an address is written with its digits.
    price: Decimal,
    #[sitemap(priority, with = decimal)]
    rank: Decimal,
}

#[derive(SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{price}")]
struct Big {
    price: BigDecimal,
    #[sitemap(priority, with = decimal)]
    rank: Option<BigDecimal>,
}

fn number<T: std::str::FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

/// The digits stay unchanged, including the scale.
#[test]
fn digits() {
    for text in [
        "0",
        "1",
        "0.5",
        "0.50",
        "0.850",
        "1.0",
        "1.000",
        "0.1234567890123456789",
    ] {
        let row = Row {
            price: number("19.90"),
            rank: number(text),
        };
        assert_eq!(
            written(&writer(), &row),
            format!("<loc>https://example.com/19.90</loc><priority>{text}</priority>")
        );
        assert_same(&row);
        assert_eq!(row.rank.to_string(), text);
        let big = Big {
            price: number("19.90"),
            rank: Some(number(text)),
        };
        assert_eq!(
            written(&writer(), &big),
            format!("<loc>https://example.com/19.90</loc><priority>{text}</priority>")
        );
        assert_same(&big);
    }
    // A computed decimal.
    let third = Decimal::ONE / Decimal::from(3);
    let row = Row {
        price: Decimal::ZERO,
        rank: third,
    };
    assert_eq!(
        written(&writer(), &row),
        // A priority has at most 19 digits. Longer ones become the nearest `f64`.
        "<loc>https://example.com/0</loc><priority>0.3333333333333333</priority>"
    );
    assert_same(&Big {
        price: number("1"),
        rank: None,
    });
}

/// `bigdecimal` displays very small values with an exponent, and has no negative zero.
#[test]
fn exponents() {
    let of = |rank: BigDecimal| {
        written(
            &writer(),
            &Big {
                price: number("1"),
                rank: Some(rank),
            },
        )
    };
    let priority = |text: &str| format!("<loc>https://example.com/1</loc><priority>{text}</priority>");
    let small: BigDecimal = number("0.0000001");
    assert_eq!(small.to_string(), "1E-7");
    assert_eq!(of(small), priority("0.0"));
    assert_eq!(of(number("8.5E-1")), priority("0.85"));
    assert_eq!(of(BigDecimal::new(5.into(), 6)), priority("0.000005"));
    assert_eq!(of(number("-0.0")), priority("0"));
}

#[test]
fn out_of_range() {
    let expected = |found: &str| {
        (
            format!(
                "`{found}` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
                 out, entry 1 · priority, loc `https://example.com/1`"
            ),
            Some(Rule::Prio),
        )
    };
    for text in [
        "1.0000000000000000000001",
        "-0.1",
        "85",
        "79228162514264337593543950335",
    ] {
        let row = Row {
            price: Decimal::ONE,
            rank: number(text),
        };
        assert_eq!(refused(&row), expected(text));
        let big = Big {
            price: number("1"),
            rank: Some(number(text)),
        };
        assert_eq!(refused(&big), expected(text));
    }
    // If a driver's decimal cannot hold a value, reading the entry fails.
    let digits = "1234567890".repeat(4);
    let xml = document(&format!(
        "<loc>https://example.com/{digits}</loc><priority>0.5</priority>"
    ));
    let error = read::<Row>(&reader(), &xml).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("`{digits}` is not a value of `{{price}}`: ")),
        "{error}"
    );
}
