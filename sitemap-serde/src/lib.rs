//! A serde data format for XML sitemaps.

mod error;
mod model;
mod quote;

pub use error::{Category, Error, Position, Result};
pub use model::{ChangeFreq, Priority};
