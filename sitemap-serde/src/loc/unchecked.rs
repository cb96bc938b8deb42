//! Reading values whose locs are accepted unchanged: lenient reading keeps a relative loc if the document's location is unknown.
//!
//! serde reads the types that check a loc, and passes no context to them. Hence this thread-local.

use std::cell::Cell;

thread_local! {
    static UNCHECKED: Cell<bool> = const { Cell::new(false) };
}

/// Calls `read`; during the call, [`check`](super::check) accepts every loc.
pub(crate) fn unchecked<T>(read: impl FnOnce() -> T) -> T {
    /// The previous state, which is restored afterwards, even after a panic.
    struct Before(bool);

    impl Drop for Before {
        fn drop(&mut self) {
            set(self.0);
        }
    }

    let _before = Before(is_on());
    set(true);
    read()
}

pub(super) fn is_on() -> bool {
    UNCHECKED.try_with(Cell::get).unwrap_or(false)
}

fn set(value: bool) {
    // Fails only while the thread ends and its thread-locals are gone; then locs are checked.
    let _ = UNCHECKED.try_with(|cell| cell.set(value));
}
