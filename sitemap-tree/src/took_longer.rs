//! The error of a client for a body that took longer than a time.

use std::fmt;
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct TookLonger(pub(crate) Duration);

impl fmt::Display for TookLonger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.subsec_nanos() == 0 {
            write!(f, "it took longer than {} s", self.0.as_secs())
        } else {
            f.write_str("it took too long")
        }
    }
}

impl std::error::Error for TookLonger {}
