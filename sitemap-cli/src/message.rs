//! Lines on standard error, and text that is safe for a terminal.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal, StdoutLock, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use clap::Args;

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
static MOST_PROBLEMS: AtomicU64 = AtomicU64::new(100);

/// Prints this number of problems, instead of 100.
pub(crate) fn print_problems(most: u64) {
    MOST_PROBLEMS.store(most, Ordering::Relaxed);
}

/// The option of commands that report problems of entries.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Places {
    /// Number of problems to show; the rest are counted [default: 100]
    #[arg(long, value_name = "NUMBER")]
    places: Option<u64>,
}

impl Places {
    pub(crate) fn apply(self) {
        if let Some(places) = self.places {
            print_problems(places);
        }
    }
}

/// Counts a problem. Returns `true` if it is printed.
pub(crate) fn is_listed() -> bool {
    let is_listed = PROBLEMS.fetch_add(1, Ordering::Relaxed) < MOST_PROBLEMS.load(Ordering::Relaxed);
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
    escaped_by(&value.to_string(), in_json).into_owned()
}

fn in_json(c: char) -> String {
    format!("\\u{:04x}", u32::from(c))
}

fn in_text(c: char) -> String {
    c.escape_unicode().to_string()
}

fn in_fields(c: char) -> String {
    if c == '\t' { c.to_string() } else { in_text(c) }
}

/// Returns `true` if standard output is a terminal.
pub(crate) fn is_terminal() -> bool {
    static IS_TERMINAL: LazyLock<bool> = LazyLock::new(|| io::stdout().is_terminal());
    *IS_TERMINAL
}

/// Returns `true` if the terminal understands no escape sequences.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb")
}

/// Standard output for what comes from documents: unchanged, or with unsafe characters escaped if it is a terminal.
#[derive(Debug)]
pub(crate) struct Shown<W> {
    out: W,
    escape: Option<fn(char) -> String>,
    /// The beginning of a character whose end is not written yet.
    rest: Vec<u8>,
}

impl<W: Write> Shown<W> {
    /// Escapes characters like `\u{202e}`, except tabs, which separate fields.
    pub(crate) fn text(out: W) -> Self {
        Shown::new(out, in_fields)
    }

    /// Escapes characters like `\u202e`, so that JSON stays the same JSON.
    pub(crate) fn json(out: W) -> Self {
        Shown::new(out, in_json)
    }

    fn new(out: W, escape: fn(char) -> String) -> Self {
        Shown {
            out,
            escape: is_terminal().then_some(escape),
            rest: Vec::new(),
        }
    }
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(escape) = self.escape else {
            return self.out.write(bytes);
        };
        let all = [&std::mem::take(&mut self.rest), bytes].concat();
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.out.write_all(escaped_by(chunk.valid(), escape).as_bytes())?;
            if chunks.peek().is_none()
                && str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none())
            {
                self.rest = chunk.invalid().to_vec();
            } else if !chunk.invalid().is_empty() {
                self.out.write_all("\u{FFFD}".as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
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
    escaped_by(text, in_text)
}

/// Returns a text for standard output: escaped for a terminal, otherwise unchanged.
pub(crate) fn for_output(text: &str) -> Cow<'_, str> {
    if is_terminal() { escaped(text) } else { text.into() }
}

fn escaped_by(text: &str, escape: impl Fn(char) -> String) -> Cow<'_, str> {
    // Most texts are of ASCII characters from ` ` to `~`.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    if text.bytes().all(is_plain) || !text.contains(is_unsafe) {
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
    use std::io::Write as _;

    use super::{Shown, escaped, in_fields, in_json};

    /// Characters are escaped wherever the output is cut into pieces, and bytes that are not UTF-8 are replaced.
    #[test]
    fn pieces_of_characters_are_escaped() {
        let text = "a\u{9b}b\u{202e}é\u{1F310}\tc\n".as_bytes();
        let bytes = [text, b"\x9b\xE2\x80x\x1b"].concat();
        for (escape, shown) in [
            (
                in_fields as fn(char) -> String,
                "a\\u{9b}b\\u{202e}é\u{1F310}\tc\n\u{FFFD}\u{FFFD}x\\u{1b}",
            ),
            (
                in_json,
                "a\\u009bb\\u202eé\u{1F310}\\u0009c\n\u{FFFD}\u{FFFD}x\\u001b",
            ),
        ] {
            for len in 1..=bytes.len() {
                let mut out = Shown {
                    out: Vec::new(),
                    escape: Some(escape),
                    rest: Vec::new(),
                };
                for piece in bytes.chunks(len) {
                    out.write_all(piece).unwrap();
                }
                assert_eq!(String::from_utf8(out.out).unwrap(), shown, "{len}");
            }
        }
    }

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
