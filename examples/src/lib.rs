//! What the examples share.

pub mod progress;
pub mod replace;
