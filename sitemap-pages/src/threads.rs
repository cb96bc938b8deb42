//! Work on many files at once.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The number of items that a thread takes at once.
const CHUNK: usize = 16;

/// Returns the results of `work` for the numbers below `count`, in order, using one thread for each processor.
pub(crate) fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut results: Vec<Option<T>> = Vec::new();
    results.resize_with(count, || None);
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(count);
    work_on(results.as_mut_slice(), threads, &work);
    results.into_iter().flatten().collect()
}

fn work_on<T: Send>(results: &mut [Option<T>], threads: usize, work: &(impl Fn(usize) -> T + Sync)) {
    let chunks = Mutex::new((0..).step_by(CHUNK).zip(results.chunks_mut(CHUNK)));
    // A panic cannot leave an iterator half advanced.
    let next = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some((first, chunk)) = next() {
            for (number, result) in (first..).zip(chunk) {
                *result = Some(work(number));
            }
        }
    };
    thread::scope(|scope| {
        // If no more threads can be started, fewer do the work.
        for _ in 1..threads {
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_order() {
        for count in [0, 1, 2, 1000] {
            let expected: Vec<usize> = (0..count).map(|i| i * i).collect();
            assert_eq!(super::map(count, |i| i * i), expected);
        }
    }
}
