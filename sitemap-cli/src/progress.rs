//! A line on a terminal that says how far a command is.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

const REDRAW: Duration = Duration::from_millis(100);

/// Drawn again and again on a terminal; elsewhere nothing.
#[derive(Debug)]
pub(crate) struct Progress {
    is_live: bool,
    drawn: Option<Instant>,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let is_dumb = std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
        Progress {
            is_live: stderr().is_terminal() && !is_dumb,
            drawn: None,
        }
    }

    /// Shows a line, if it is time to.
    pub(crate) fn show(&mut self, line: impl FnOnce() -> String) {
        if self.is_live && self.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW) {
            let text = format!("\r\x1b[K{}", line());
            // Without it the command does what it does all the same.
            let _ = stderr()
                .write_all(text.as_bytes())
                .and_then(|()| stderr().flush());
            self.drawn = Some(Instant::now());
        }
    }

    pub(crate) fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = stderr().write_all(b"\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
