//! A serde data format for XML sitemaps.

mod datetime;
mod error;
mod model;

pub use datetime::W3cDateTime;
pub use error::{Category, Error, Position, Result};
pub use model::{ChangeFreq, Priority};
