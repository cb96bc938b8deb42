//! A shop on axum and sqlx, and what its process does: what the tests put under load.

mod process;
mod shop;

pub use process::Process;
pub use shop::{Database, Product, app, fill, open};
