//! One line on standard error if no log shows the site's events: a program must not skip rows silently.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use tracing::dispatcher;
use tracing::subscriber::NoSubscriber;

/// `true` once the line was printed.
static IS_TOLD: AtomicBool = AtomicBool::new(false);

/// Prints a problem if the log of this thread does not show even errors of this crate, and nothing was printed before.
pub(super) fn tell(what: impl FnOnce() -> String) {
    let Some(reason) = silence() else {
        return;
    };
    if IS_TOLD.swap(true, Ordering::Relaxed) {
        return;
    }
    // Standard error may be closed.
    let _ = writeln!(
        io::stderr(),
        "sitemap_site: {}. This is said once, since {reason}",
        what()
    );
}

/// Returns the reason if the log shows nothing of this crate, with a remedy. Some frameworks show only their own targets and the program's.
///
/// A log that shows only errors is the program's choice.
fn silence() -> Option<&'static str> {
    let is_heard = if dispatcher::get_default(|subscriber| !subscriber.is::<NoSubscriber>()) {
        tracing::enabled!(tracing::Level::ERROR)
    } else if log::max_level() == log::LevelFilter::Off {
        return Some(
            "the program has no log: `tracing_subscriber::fmt::init()`, or a logger of the crate `log`, shows everything that the sitemap skips",
        );
    } else {
        // If there is no subscriber, tracing passes events on to a logger, with its feature `log`.
        log::log_enabled!(log::Level::Error)
    };
    (!is_heard)
        .then_some("the program's log hides the target `sitemap_site`: add `sitemap_site=warn` to its filter")
}
