//! What the tests share.

mod outside;

pub use outside::{files, program};
