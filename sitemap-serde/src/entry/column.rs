//! What databases hold as values of an entry: functions for `with` and `from_with` of the derives.

mod number;
mod sql;
mod unix;

pub use number::{DecimalNumber, decimal, to_decimal};
pub use sql::{SqlText, sql_date_time};
pub use unix::{UnixTime, to_unix_millis, to_unix_seconds, unix_millis, unix_seconds};
