//! Reading an entry whose loc is kept unchanged: lenient reading keeps a relative loc if the document's location is unknown.
//!
//! serde reads the types that check a loc, and passes no context to them. Hence this thread-local. It has the loc that is kept: every other
//! one is checked, such as those of a document that a type reads while it is itself read. Such a document has a state of its own.

use std::cell::RefCell;

thread_local! {
    static KEPT: RefCell<Option<Box<str>>> = const { RefCell::new(None) };
}

/// The previous state, which is restored when this is dropped, even after a panic.
struct Before(Option<Box<str>>);

impl Drop for Before {
    fn drop(&mut self) {
        swap(self.0.take());
    }
}

/// Calls `read`; during the call, [`check`](super::check) accepts `loc`.
pub(crate) fn keeping<T>(loc: &str, read: impl FnOnce() -> T) -> T {
    let _before = Before(swap(Some(loc.into())));
    read()
}

/// Calls `read`, which reads from a document of its own; during the call, every loc is checked.
#[inline]
pub(crate) fn afresh<T>(read: impl FnOnce() -> T) -> T {
    let is_set = KEPT.try_with(|kept| kept.try_borrow().is_ok_and(|kept| kept.is_some()));
    let _before = is_set.unwrap_or(false).then(|| Before(swap(None)));
    read()
}

/// Returns `true` if this loc is kept.
pub(super) fn is_kept(loc: &str) -> bool {
    let is_kept = KEPT.try_with(|kept| kept.try_borrow().is_ok_and(|kept| kept.as_deref() == Some(loc)));
    // Fails only while the thread ends and its thread-locals are gone; then locs are checked.
    is_kept.unwrap_or(false)
}

fn swap(loc: Option<Box<str>>) -> Option<Box<str>> {
    KEPT.try_with(|kept| {
        kept.try_borrow_mut()
            .map_or(None, |mut kept| std::mem::replace(&mut *kept, loc))
    })
    .unwrap_or(None)
}
