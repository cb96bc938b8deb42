//! Database values as values of an entry: modules for `with` of the derives.

mod number;
mod sql;
mod unix;

pub use number::decimal;
pub use sql::sql_date_time;
pub use unix::{unix_millis, unix_seconds};
