//! What is true of the values of XML sitemaps, for [sitemap-serde](https://docs.rs/sitemap-serde) and its derive macros: dates,
//! change frequencies, priorities and other decimals, the codes of languages and countries, and the rules of the format.
//!
//! Use it through sitemap-serde, which re-exports its types. The library checks values at run time and the macros check literals
//! at compile time by the same functions, so both accept the same values and explain a mistake in the same words.
//!
//! ```
//! use sitemap_values::{ChangeFreq, Rule, W3cDateTime};
//!
//! assert_eq!("weekly".parse::<ChangeFreq>()?, ChangeFreq::Weekly);
//! let error = "2024-02-30".parse::<W3cDateTime>().unwrap_err();
//! assert_eq!(error.rule(), Some(Rule::Lastmod));
//! # Ok::<(), sitemap_values::ValueError>(())
//! ```

// On docs.rs, which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod changefreq;
pub mod codes;
mod datetime;
pub mod decimal;
pub mod encoding;
pub mod error;
pub mod handover;
mod priority;
mod punycode;
pub mod quote;
mod rule;
pub mod schema;
pub mod stack_text;
pub mod suggest;
pub mod url;

pub use changefreq::ChangeFreq;
pub use datetime::{Precision, W3cDateTime};
pub use decimal::Decimal;
pub use error::{Result, ValueError};
pub use priority::Priority;
pub use rule::Rule;

#[doc(hidden)]
pub use priority::near_hundredths;

/// The names of the newtype structs that decimals are in serde's data model. sitemap-serde's formats recognise a value by them, and
/// keep its digits.
#[cfg(feature = "serde")]
pub mod newtype {
    pub use crate::decimal::DECIMAL_NAME;
    pub use crate::priority::PRIORITY_NAME;
}

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
