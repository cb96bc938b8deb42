//! How an error of this crate comes through serde whole. serde hands an error on as something to display, and so as a text;
//! what a text says cannot be trusted, since it may quote the document or be the user's own.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Write};

use super::{Category, Error};

thread_local! {
    /// Whether [`receive`] is waiting for an error that is displayed.
    static WAITING: Cell<bool> = const { Cell::new(false) };
    static HANDED: RefCell<Option<Error>> = const { RefCell::new(None) };
}

/// The error that serde was given as `message`, if it is one of this crate's about a value; else an error of its text.
pub(super) fn receive(message: &impl fmt::Display) -> Error {
    wait(true);
    let mut text = String::new();
    // The `-` tells the error itself from a text that it is a part of: it reaches only what is displayed directly.
    let result = write!(text, "{message:-}");
    wait(false);
    let handed = HANDED.try_with(RefCell::take).ok().flatten();
    match handed {
        Some(error) if text.is_empty() => return error,
        Some(_) => {
            // Something displayed the error as it was asked to, and more beside it.
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

/// Hands the error over, if that is what it is displayed for. Nothing is to be written then.
pub(super) fn hand_over(error: &Error, f: &fmt::Formatter<'_>) -> bool {
    let is_awaited = f.sign_minus() && WAITING.try_with(Cell::get).unwrap_or(false);
    // An error about a document is not one about a value: another document was read to make the value.
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
    // While a thread ends there may be nothing left to wait with; the error is a text then.
    let _ = WAITING.try_with(|cell| cell.set(waiting));
}
