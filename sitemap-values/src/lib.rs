//! The internals of [sitemap-serde](https://docs.rs/sitemap-serde) that its derive macros share: dates, change frequencies,
//! priorities, codes, and the rules of the format.
//!
//! **There is no promise about this crate.** Each release is for the releases of the same version of sitemap-serde and sitemap-derive, and
//! any release may break it. sitemap-serde re-exports the types that programs use. The library checks values at run time and the macros
//! check literals at compile time with the same functions, so both accept the same values and explain a mistake in the same words.

// On docs.rs, which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod changefreq;
#[doc(hidden)]
pub mod codes;
mod datetime;
mod decimal;
#[doc(hidden)]
pub mod encoding;
pub mod engine;
mod error;
#[doc(hidden)]
pub mod handover;
#[doc(hidden)]
pub mod number;
mod priority;
mod punycode;
#[doc(hidden)]
pub mod quote;
mod rules;
#[doc(hidden)]
pub mod schema;
mod severity;
#[doc(hidden)]
pub mod stack_text;
#[doc(hidden)]
pub mod suggest;
#[doc(hidden)]
pub mod url;

pub use changefreq::ChangeFreq;
pub use datetime::{Precision, W3cDateTime};
pub use decimal::Decimal;
pub use error::{Suggestion, ValueError};
pub use priority::Priority;
pub use rules::Rule;
pub use severity::Severity;

/// Decimals in texts.
#[doc(hidden)]
pub mod digits {
    pub use crate::decimal::{is_at_most, is_decimal, normal};
}

#[doc(hidden)]
pub use error::{Advice, Excerpt, Message, Result};
#[doc(hidden)]
pub use priority::near_hundredths;

/// The names of decimals' newtype structs in serde's data model. sitemap-serde's formats recognise a value by them, and keep its digits.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod newtype {
    pub use crate::decimal::DECIMAL_NAME;
    pub use crate::priority::PRIORITY_NAME;
}
