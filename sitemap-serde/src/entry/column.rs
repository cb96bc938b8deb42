//! Database values as values of an entry: modules for `with` of the derives.

mod number;
mod sql;
mod unix;

pub use number::{DecimalNumber, FromDecimal, decimal};
pub use sql::{SqlText, sql_date_time};
pub use unix::{UnixTime, unix_millis, unix_seconds};
