//! Lines on standard error.

/// As `eprintln!`, but whoever stops reading them does not stop the command: what it does is not done for its messages.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}
