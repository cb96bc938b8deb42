//! Work on many files at once.

use std::num::NonZero;
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The results of `work` for the numbers below `count`, in order, made by as many threads as there are processors.
pub(crate) fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return done;
            }
            done.push((number, work(number)));
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(count);
    let mut results: Vec<(usize, T)> = thread::scope(|scope| {
        // Without more threads, fewer do the work.
        let others: Vec<_> = (1..threads)
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, run).ok())
            .collect();
        let mut results = run();
        for other in others {
            results.extend(other.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
        }
        results
    });
    results.sort_unstable_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
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
