//! The documents whose reading the tests count the instructions of: the tests' own files.

#![expect(
    unreachable_pub,
    dead_code,
    reason = "they belong to another crate, which uses more of them"
)]

#[path = "../../tests/src/random.rs"]
pub mod random;
#[path = "../../tests/src/refused.rs"]
pub mod refused;
#[path = "../../tests/src/shapes.rs"]
pub mod shapes;
#[path = "../../tests/src/written.rs"]
pub mod written;
