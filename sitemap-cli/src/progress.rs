//! A progress line on the terminal.

use std::io::{self, IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::message::{escaped, is_dumb, is_quiet, is_terminal};

const REDRAW: Duration = Duration::from_millis(100);

/// `true` while the line is on the terminal.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Removes the line. Call this before printing anything on the terminal.
pub(crate) fn clear() {
    if IS_DRAWN.swap(false, Ordering::Relaxed) {
        // Failing to show progress is not an error of the command.
        let _ = stderr().write_all(b"\r\x1b[K");
    }
}

/// A line that is redrawn on a terminal. Without a terminal, nothing is shown.
#[derive(Debug)]
pub(crate) struct Progress {
    is_live: bool,
    /// The time of the last line, or of the beginning. A short job shows no line: the line would stay in front of what another program
    /// prints from the command's output.
    last: Instant,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Progress {
            is_live: stderr().is_terminal() && !is_dumb() && !is_quiet(),
            last: Instant::now(),
        }
    }

    /// Returns the progress of a command that writes a document to standard output. Shows nothing if that is a terminal too.
    pub(crate) fn of_output() -> Self {
        let mut progress = Progress::new();
        progress.is_live &= !is_terminal();
        progress
    }

    /// Shows a line, unless the job has just begun or the last one was shown very recently.
    pub(crate) fn show(&mut self, line: impl FnOnce() -> String) {
        if !self.is_due() {
            return;
        }
        // The terminal cuts a long line off at its edge, because `clear` removes only one row.
        let text = format!("\r\x1b[K\x1b[?7l{}\x1b[?7h", escaped(&line()));
        let _ = stderr()
            .write_all(text.as_bytes())
            .and_then(|()| stderr().flush());
        IS_DRAWN.store(true, Ordering::Relaxed);
        self.last = Instant::now();
    }

    fn is_due(&self) -> bool {
        self.is_live && self.last.elapsed() >= REDRAW
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        clear();
    }
}

/// Standard output that first removes the progress line. Callers write whole lines.
#[derive(Debug)]
pub(crate) struct BesideProgress<W>(pub(crate) W);

impl<W: Write> Write for BesideProgress<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        clear();
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_job_shows_no_line() {
        let after = |time: Duration, is_live| Progress {
            is_live,
            last: Instant::now().checked_sub(time).unwrap(),
        };
        assert!(!after(Duration::ZERO, true).is_due());
        assert!(!Progress::new().is_due());
        assert!(after(REDRAW, true).is_due());
        assert!(!after(REDRAW, false).is_due());
    }
}
