//! One line on standard error if there is no logger: a program must not skip rows silently.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use tracing::dispatcher;
use tracing::subscriber::NoSubscriber;

/// `true` once the line was printed.
static IS_TOLD: AtomicBool = AtomicBool::new(false);

/// Prints a problem if this thread has no subscriber of tracing, the program no logger, and nothing was printed before.
pub(super) fn tell(what: impl FnOnce() -> String) {
    // If there is no subscriber, tracing passes events on to a logger, with its feature `log`.
    let is_heard = log::max_level() != log::LevelFilter::Off
        || dispatcher::get_default(|subscriber| !subscriber.is::<NoSubscriber>());
    if is_heard || IS_TOLD.swap(true, Ordering::Relaxed) {
        return;
    }
    // Standard error may be closed.
    let _ = writeln!(
        io::stderr(),
        "sitemap_site: {}. This is said once, since the program has no log: `tracing_subscriber::fmt::init()`, or a logger of the crate `log`, \
         shows everything that the sitemap skips",
        what()
    );
}
