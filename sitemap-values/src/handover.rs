//! Passing errors through serde unchanged. serde passes an error on as a `Display` value, and so as text, which cannot be parsed
//! back: it may quote the document or be the user's own message. Instead, an error that is displayed while [`receive`] waits for
//! it is handed over as a value, in a thread-local.
//!
//! **Values have an error of their own**, `ValueError`, since the macros use them without the library; an `Error` is made of one by `?`.
//! Neither is formatted before it is displayed: an error has the text that was found, and the function that explains it. Both pass through
//! serde unchanged (`sitemap_values::handover`). If a type of another crate refuses a value, its message lacks the value and a remedy.
//! `de/refused` adds both, and the message of the format's rule if the value breaks one. serde's message about a buffered field
//! (`flatten`) lacks the field. `de/entry` adds it if only one element has the quoted value.
//!
//! `guide/` contains only documentation: a page for each task, whose programs run as doctests.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt::{self, Write};

thread_local! {
    /// `true` while [`receive`] displays a message and waits for an error.
    static WAITING: Cell<bool> = const { Cell::new(false) };
    /// The error that was handed over.
    static HANDED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// The content of a message.
#[derive(Debug)]
pub enum Received {
    /// An error that handed itself over.
    Error(Box<dyn Any>),
    /// Any other message's text.
    Text(String),
}

/// The error itself, if `message` [hands itself over](hand_over); otherwise the message's text.
pub fn receive(message: &impl fmt::Display) -> Received {
    wait(true);
    let mut text = String::new();
    // Only a value that is displayed directly sees the flag `-`, not an error within a longer message.
    let result = write!(text, "{message:-}");
    wait(false);
    let handed = HANDED.try_with(RefCell::take).ok().flatten();
    match handed {
        Some(error) if text.is_empty() => return Received::Error(error),
        Some(_) => {
            // The message contains the error among other text.
            text.clear();
            if write!(text, "{message}").is_ok() {
                return Received::Text(text);
            }
        }
        None if result.is_ok() => return Received::Text(text),
        None => {}
    }
    Received::Text("an error whose `Display` failed".to_owned())
}

/// Hands over an error that is being displayed, if [`receive`] waits for it. Returns `true` if it did: then nothing must be
/// written.
pub fn hand_over<E: 'static>(f: &fmt::Formatter<'_>, error: impl FnOnce() -> E) -> bool {
    let is_awaited = f.sign_minus() && WAITING.try_with(Cell::get).unwrap_or(false);
    if !is_awaited {
        return false;
    }
    wait(false);
    HANDED
        .try_with(|handed| handed.replace(Some(Box::new(error()))))
        .is_ok()
}

fn wait(waiting: bool) {
    // Fails only while the thread ends and its thread-locals are gone; then only the error's text is passed on.
    let _ = WAITING.try_with(|cell| cell.set(waiting));
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Own(bool);

    impl fmt::Display for Own {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            if self.0 && hand_over(f, || 7) {
                return Ok(());
            }
            f.write_str("seven")
        }
    }

    struct Failing;

    impl fmt::Display for Failing {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Err(fmt::Error)
        }
    }

    #[test]
    fn an_error_is_received_if_it_is_all_of_the_message() {
        let text = |message: &dyn fmt::Display| match receive(&message) {
            Received::Text(text) => text,
            Received::Error(error) => format!("error {:?}", error.downcast_ref::<i32>()),
        };
        assert_eq!(text(&"-"), "-");
        assert_eq!(text(&Own(true)), "error Some(7)");
        assert_eq!(text(&Own(false)), "seven");
        assert_eq!(text(&format_args!("{} at {}", Own(true), 1)), "seven at 1");
        // The flag `-` makes it pass the error on instead of text, so the message is displayed a second time.
        assert_eq!(text(&format_args!("{:-} at {}", Own(true), 1)), "seven at 1");
        assert_eq!(text(&Failing), "an error whose `Display` failed");
        // Nothing waits any longer.
        assert_eq!(format!("{:-}", Own(true)), "seven");
    }
}
