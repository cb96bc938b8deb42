//! Reading several documents at a time, in threads.
//!
//! **Documents are linted in threads, and reported in their order.** `lint/reading` reads one document and knows nothing of others: it
//! hands over batches of diagnostics and of hashes. `lint/jobs` runs several readings, each with a bounded channel of its own; `Lint`
//! accepts the batches of one document after another, so all that depends on order (suspects, numbers of findings, baselines) is the same
//! with any number of threads.

use std::collections::VecDeque;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use crate::error::Result;

use super::loc::LocHasher;
use super::reading::{self, Batch};
use super::{Input, Linter};

/// A step of reading documents one after another.
pub(super) enum Step<'a> {
    /// Findings in the current document.
    Found(Box<Batch>),
    /// The current document has been read.
    Ended(Box<Input<'a>>, Result<()>),
}

/// A document to read, and where the steps go.
struct Task<'a> {
    document: Input<'a>,
    steps: SyncSender<Step<'a>>,
}

/// Maximum number of steps of a document that wait for their turn: enough for 50,000 entries with few findings.
const MOST_WAITING: usize = 256;

/// Reads the documents in up to `jobs` threads, and calls `accept` in this one, with the steps in the documents' order.
pub(super) fn run<'a>(
    documents: Vec<Input<'a>>,
    jobs: NonZero<usize>,
    linter: &Linter,
    hasher: &LocHasher,
    mut accept: impl FnMut(Step<'a>) -> ControlFlow<()>,
) {
    let jobs = jobs.get().min(documents.len());
    let mut documents = documents.into_iter();
    if jobs > 1 {
        let (tasks, queue) = mpsc::channel();
        let queue = Mutex::new(queue);
        let has_ended = thread::scope(|scope| {
            let start = || thread::Builder::new().spawn_scoped(scope, || work(&queue, linter, hasher));
            let workers = (0..jobs).take_while(|_| start().is_ok()).count();
            // Owned by this closure, so that the workers end with it.
            let tasks = tasks;
            workers > 0 && {
                accept_in_order(&mut documents, 2 * workers, &tasks, &mut accept);
                true
            }
        });
        if has_ended {
            return;
        }
    }
    for mut document in documents {
        let found = |batch| {
            // Only the end of a document ends the lint.
            let _ = accept(Step::Found(Box::new(batch)));
        };
        let result = reading::read(&mut document, linter, hasher, found);
        if accept(Step::Ended(Box::new(document), result)).is_break() {
            return;
        }
    }
}

/// Queues documents, at most `most` ahead of the document whose steps are accepted.
fn accept_in_order<'a>(
    documents: &mut impl Iterator<Item = Input<'a>>,
    most: usize,
    tasks: &mpsc::Sender<Task<'a>>,
    accept: &mut impl FnMut(Step<'a>) -> ControlFlow<()>,
) {
    let mut ahead = VecDeque::new();
    loop {
        for document in documents.by_ref().take(most - ahead.len()) {
            let (steps, waiting) = mpsc::sync_channel(MOST_WAITING);
            // The queue lives as long as the workers.
            let _ = tasks.send(Task { document, steps });
            ahead.push_back(waiting);
        }
        let Some(steps) = ahead.pop_front() else { return };
        for step in steps {
            if accept(step).is_break() {
                return;
            }
        }
    }
}

/// Reads the documents of a queue until its sender is dropped.
fn work(queue: &Mutex<Receiver<Task<'_>>>, linter: &Linter, hasher: &LocHasher) {
    // The lock is released before the document is read.
    let next = || queue.lock().ok()?.recv().ok();
    while let Some(Task { mut document, steps }) = next() {
        // A step without a receiver belongs to a document after the end of the lint.
        let found = |batch| drop(steps.send(Step::Found(Box::new(batch))));
        let result = reading::read(&mut document, linter, hasher, found);
        drop(steps.send(Step::Ended(Box::new(document), result)));
    }
}
