//! Lines on standard error, and text that is safe for a terminal.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::input::counted;
use crate::progress;

/// Like `eprintln!`, but does not panic if standard error is closed: the command continues without messages. Escapes characters that could
/// change the terminal's display.
macro_rules! print_message {
    ($($text:tt)*) => {
        $crate::message::print(format_args!($($text)*))
    };
}

/// Like [`print_message!`], for notes and totals. Prints nothing with `--quiet`.
macro_rules! print_note {
    ($($text:tt)*) => {
        if !$crate::message::is_quiet() {
            $crate::message::print(format_args!($($text)*));
        }
    };
}

/// Like [`print_message!`], for problems of entries and values, which may be as many as the entries. Prints the first ones and counts the
/// rest.
macro_rules! print_problem {
    ($($text:tt)*) => {
        if $crate::message::is_listed() {
            $crate::message::print(format_args!($($text)*));
        }
    };
}

static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// The number of `print_problem!` calls so far.
static PROBLEMS: AtomicU64 = AtomicU64::new(0);

/// The number of unprinted problems since the last report.
static HIDDEN: AtomicU64 = AtomicU64::new(0);

/// The maximum number of problems to print.
const MOST_PROBLEMS: u64 = 100;

/// Counts a problem. Returns `true` if it is printed.
pub(crate) fn is_listed() -> bool {
    let is_listed = PROBLEMS.fetch_add(1, Ordering::Relaxed) < MOST_PROBLEMS;
    hide(u64::from(!is_listed));
    is_listed
}

/// Counts problems that are not printed.
pub(crate) fn hide(problems: u64) {
    HIDDEN.fetch_add(problems, Ordering::Relaxed);
}

/// Prints the number of unprinted problems.
pub(crate) fn print_hidden() {
    let hidden = HIDDEN.swap(0, Ordering::Relaxed);
    if hidden > 0 {
        print_message!("{} not shown", counted(hidden, "more problem"));
    }
}

/// Prints only problems from now on: no progress, notes or totals.
pub(crate) fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

pub(crate) fn print(message: fmt::Arguments<'_>) {
    progress::clear();
    let _ = writeln!(io::stderr(), "{}", escaped(&message.to_string()));
}

/// Prints a line of JSON.
pub(crate) fn print_json(value: &serde_json::Value) {
    progress::clear();
    let _ = writeln!(io::stderr(), "{}", json_text(value));
}

/// Returns a line of JSON with unsafe characters escaped.
pub(crate) fn json_text(value: &serde_json::Value) -> String {
    escaped_by(&value.to_string(), |c| format!("\\u{:04x}", u32::from(c))).into_owned()
}

/// Returns `true` if a terminal interprets the character instead of showing it: control characters other than line feeds, and characters
/// that change the direction of the text.
fn is_unsafe(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The standard output of a command whose exit status is a result. After the reader of the pipe closes it, printing stops and the command
/// continues.
#[derive(Debug)]
pub(crate) struct Printer {
    out: StdoutLock<'static>,
    is_closed: bool,
}

impl Printer {
    pub(crate) fn stdout() -> Self {
        Printer {
            out: io::stdout().lock(),
            is_closed: false,
        }
    }

    fn unless_closed<T>(&mut self, done: io::Result<T>, otherwise: T) -> io::Result<T> {
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(otherwise)
            }
            done => done,
        }
    }
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.unless_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.unless_closed(flushed, ())
    }
}

/// Escapes unsafe characters for a terminal, like `\u{202e}`.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    escaped_by(text, |c| c.escape_unicode().to_string())
}

/// Returns a text for standard output: escaped for a terminal, otherwise unchanged.
pub(crate) fn for_output(text: &str) -> Cow<'_, str> {
    if io::stdout().is_terminal() {
        escaped(text)
    } else {
        text.into()
    }
}

fn escaped_by(text: &str, escape: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) {
            out.push_str(&escape(c));
        } else {
            out.push(c);
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn what_a_terminal_does_not_show_is_escaped() {
        for (text, shown) in [
            ("a/b.xml: サイト é\n", "a/b.xml: サイト é\n"),
            ("\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"),
            ("a\tb\rc\u{0}", "a\\u{9}b\\u{d}c\\u{0}"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            ("gnp.\u{202e}lmx", "gnp.\\u{202e}lmx"),
            (
                "\u{200f}\u{2066}\u{2069}\u{2028}",
                "\\u{200f}\\u{2066}\\u{2069}\\u{2028}",
            ),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }
}
