//! Lines on standard error.

/// Like `eprintln!`, but without a panic if standard error is closed: the command continues without messages.
macro_rules! print_message {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        $crate::progress::clear();
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}
