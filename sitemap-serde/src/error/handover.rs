//! Passing this crate's errors through serde unchanged. serde passes an error on as a `Display` value, and so as text, which
//! cannot be parsed back: it may quote the document or be the user's own message. Instead, an error that is displayed while
//! [`receive`] waits for it is handed over as a value, in a thread-local.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Write};

use super::{Category, Error};

thread_local! {
    /// Whether [`receive`] is displaying a message and waits for an error.
    static WAITING: Cell<bool> = const { Cell::new(false) };
    /// The error that was handed over.
    static HANDED: RefCell<Option<Error>> = const { RefCell::new(None) };
}

/// The error itself, if `message` is this crate's error about a value; otherwise an error with the message's text.
pub(super) fn receive(message: &impl fmt::Display) -> Error {
    wait(true);
    let mut text = String::new();
    // Only a value that is displayed directly sees the flag `-`, not an error within a longer message.
    let result = write!(text, "{message:-}");
    wait(false);
    let handed = HANDED.try_with(RefCell::take).ok().flatten();
    match handed {
        Some(error) if text.is_empty() => return error,
        Some(_) => {
            // The message contains the error among other text.
            text.clear();
            if write!(text, "{message}").is_ok() {
                return Error::data(text);
            }
        }
        None if result.is_ok() => return Error::data(text),
        None => {}
    }
    Error::data("an error whose `Display` failed")
}

/// Hands the error over if [`receive`] waits for it. Returns whether it did: then nothing must be written.
pub(super) fn hand_over(error: &Error, f: &fmt::Formatter<'_>) -> bool {
    let is_awaited = f.sign_minus() && WAITING.try_with(Cell::get).unwrap_or(false);
    // An error with a position is from another document, which was read to make the value: only its text is passed on.
    let is_of_value =
        error.0.category == Category::Data && error.0.position.is_none() && error.0.entry.is_none();
    if !is_awaited || !is_of_value {
        return false;
    }
    wait(false);
    HANDED
        .try_with(|handed| handed.replace(Some(error.copy())))
        .is_ok()
}

fn wait(waiting: bool) {
    // Fails only while the thread ends and its thread-locals are gone; then only the error's text is passed on.
    let _ = WAITING.try_with(|cell| cell.set(waiting));
}
