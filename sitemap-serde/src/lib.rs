//! A serde data format for XML sitemaps.

mod error;
mod quote;

pub use error::{Category, Error, Position, Result};
