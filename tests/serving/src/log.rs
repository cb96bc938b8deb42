//! The log, line by line.

use std::fmt::Write;
use std::sync::{Arc, Mutex, OnceLock};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Metadata, Subscriber};

/// Captures the log of the current thread.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Default for Log {
    fn default() -> Self {
        // While there is a single subscriber, tracing decides about a new event by the thread that has it first, and the thread of
        // another test may have no subscriber. So there are always two.
        static OTHER: OnceLock<Dispatch> = OnceLock::new();
        OTHER.get_or_init(|| Dispatch::new(Log(Arc::default())));
        Log(Arc::default())
    }
}

impl Log {
    /// What was logged until now.
    ///
    /// # Panics
    /// If a thread has panicked while it logged.
    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}{}", self.0);
        } else {
            let _ = write!(self.0, " {}={value:?}", field.name());
        }
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("sitemap_site") && *metadata.level() <= tracing::Level::WARN
    }

    /// A span is not a failure, but some frameworks log it with a failure's level.
    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let metadata = attributes.metadata();
        let line = format!("{} span {}", metadata.level(), metadata.name());
        self.0.lock().unwrap().push(line);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0
            .lock()
            .unwrap()
            .push(format!("{} {}", event.metadata().level(), line.0));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Runs `work` on this thread only, and returns its log.
///
/// # Panics
/// If there can be no runtime.
pub fn logged<T>(work: impl Future<Output = T>) -> (T, Vec<String>) {
    let log = Log::default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let done = tracing::subscriber::with_default(log.clone(), || runtime.block_on(work));
    (done, log.lines())
}
