//! A progress line on the terminal.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

const REDRAW: Duration = Duration::from_millis(100);

/// A line that is redrawn on a terminal; without a terminal nothing is shown.
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

    /// Shows a line, unless the last one was shown just before.
    pub(crate) fn show(&mut self, line: impl FnOnce() -> String) {
        if self.is_live && self.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW) {
            let text = format!("\r\x1b[K{}", line());
            // A failure to show progress is not a failure of the command.
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
