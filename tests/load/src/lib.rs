//! A shop on axum and sqlx, and its process: the program under load.

mod process;
mod shop;

pub use process::Process;
pub use shop::{Database, Product, app, fill, open};
