//! Lines on standard error.

use std::fmt;
use std::io::{self, Write};

use crate::{progress, words};

/// Like `eprintln!`, but in the command's words, and without a panic if standard error is closed: the command continues without
/// messages.
macro_rules! print_message {
    ($($text:tt)*) => {
        $crate::message::print(format_args!($($text)*))
    };
}

pub(crate) fn print(message: fmt::Arguments<'_>) {
    progress::clear();
    let _ = writeln!(io::stderr(), "{}", words::own(&message.to_string()));
}
