//! A serde data format for XML sitemaps.

mod datetime;
mod error;
mod model;
mod quote;
pub mod with;

pub use datetime::{Precision, W3cDateTime};
pub use error::{Category, Error, Position, Result};
pub use model::{ChangeFreq, Priority};
