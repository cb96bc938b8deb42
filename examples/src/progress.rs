//! A line that shows progress to a waiting person.

use std::fmt;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

const REDRAW: Duration = Duration::from_millis(100);
const BAR: u64 = 24;

/// On a terminal, the line is redrawn. Elsewhere nothing is printed until the end.
#[derive(Debug)]
pub struct Progress {
    what: String,
    /// One of them, in words.
    unit: &'static str,
    total: Option<u64>,
    done: u64,
    live: bool,
    started: Instant,
    drawn: Option<Instant>,
}

impl Progress {
    /// Starts at zero, with a `total` if it is known.
    pub fn new(what: impl Into<String>, unit: &'static str, total: Option<u64>) -> Self {
        let dumb = std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
        Progress {
            what: what.into(),
            unit,
            total,
            done: 0,
            live: stderr().is_terminal() && !dumb,
            started: Instant::now(),
            drawn: None,
        }
    }

    /// Counts one more.
    pub fn step(&mut self) {
        self.done += 1;
        // Reading the clock costs more than a row, so it is read only now and then.
        if self.live
            && self.done.is_multiple_of(64)
            && self.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW)
        {
            self.draw();
        }
    }

    /// Prints a message above the line.
    pub fn say(&mut self, message: impl fmt::Display) {
        self.clear();
        eprintln!("{message}");
    }

    /// Replaces the line with the result.
    pub fn finish(mut self) {
        self.clear();
        let seconds = self.started.elapsed().as_secs_f64();
        eprintln!(
            "{}: {} in {seconds:.1} s",
            self.what,
            counted(self.done, self.unit)
        );
    }

    fn draw(&mut self) {
        let state = match self.total {
            Some(total) => {
                let filled = usize::try_from(self.done * BAR / total.max(1)).unwrap_or(0);
                let (bar, done) = ("█".repeat(filled), grouped(self.done));
                format!("{bar:░<24.24} {done} of {}", counted(total, self.unit))
            }
            None => counted(self.done, self.unit),
        };
        let line = format!("\r\x1b[K{}: {state}", self.what);
        // A failed write is invisible, and the work matters more.
        let _ = stderr()
            .write_all(line.as_bytes())
            .and_then(|()| stderr().flush());
        self.drawn = Some(Instant::now());
    }

    fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = stderr().write_all(b"\r\x1b[K");
        }
    }
}

/// Cancelled work removes its line.
impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A number with its unit: `1 row`, `120,000 rows`.
pub fn counted(number: u64, unit: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {unit}{plural}", grouped(number))
}

/// A number with separators: 120,000.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
