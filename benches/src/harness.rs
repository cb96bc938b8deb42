//! Candidates that do the same work, timed in turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Candidates that do the same work on the same entries.
///
/// They are timed in rounds, each candidate once a round, so that a temporary slowdown of the machine affects all of them.
pub(crate) struct Comparison<'a> {
    title: String,
    entries: usize,
    candidates: Vec<Candidate<'a>>,
    /// Called before each candidate, and not timed.
    prepare: Box<dyn FnMut() + 'a>,
}

struct Candidate<'a> {
    name: &'a str,
    /// Does the work once, and returns the number of output bytes.
    work: Box<dyn FnMut() -> usize + 'a>,
    bytes: usize,
    times: Vec<Duration>,
}

/// What a candidate must reach: its speed as a multiple of the fastest of others.
pub(crate) struct Target<'a> {
    pub(crate) name: &'a str,
    pub(crate) times: f64,
    pub(crate) others: &'a [&'a str],
}

impl Candidate<'_> {
    fn best(&self) -> Duration {
        self.times.iter().min().copied().unwrap_or_default()
    }

    /// In MB/s.
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    fn rate(&self) -> f64 {
        self.bytes as f64 / self.best().as_secs_f64() / 1e6
    }

    fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// The median ratio of its speed to the other's, over the rounds.
    fn median_ratio(&self, other: &Candidate<'_>) -> f64 {
        let mut ratios: Vec<f64> = self
            .times
            .iter()
            .zip(&other.times)
            .map(|(own, other)| other.as_secs_f64() / own.as_secs_f64())
            .collect();
        ratios.sort_unstable_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied().unwrap_or_default()
    }
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(title: impl Into<String>, entries: usize) -> Self {
        Comparison {
            title: title.into(),
            entries,
            candidates: Vec::new(),
            prepare: Box::new(|| {}),
        }
    }

    /// Sets a function to run before each candidate. It is not timed.
    pub(crate) fn prepare(&mut self, prepare: impl FnMut() + 'a) {
        self.prepare = Box::new(prepare);
    }

    pub(crate) fn add(&mut self, name: &'a str, work: impl FnMut() -> usize + 'a) {
        self.candidates.push(Candidate {
            name,
            work: Box::new(work),
            bytes: 0,
            times: Vec::new(),
        });
    }

    fn find(&self, name: &str) -> &Candidate<'a> {
        self.candidates
            .iter()
            .find(|candidate| candidate.name == name)
            .expect("a candidate of that name")
    }

    /// Repeats one candidate, for a profiler; false if there is none of that name.
    #[inline(never)]
    pub(crate) fn repeat(&mut self, name: &str, times: usize) -> bool {
        let found = self
            .candidates
            .iter_mut()
            .find(|candidate| candidate.name == name);
        if let Some(candidate) = found {
            for _ in 0..times {
                (self.prepare)();
                black_box((candidate.work)());
            }
            return true;
        }
        false
    }

    /// Times all candidates and prints the results.
    pub(crate) fn run(&mut self, rounds: usize, targets: &[Target<'_>]) {
        self.time(rounds);
        self.print(targets);
    }

    /// MB/s of a timed candidate: of its best round, and the median.
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    pub(crate) fn rates(&self, name: &str) -> (f64, f64) {
        let candidate = self.find(name);
        (
            candidate.rate(),
            candidate.bytes as f64 / candidate.median().as_secs_f64() / 1e6,
        )
    }

    /// Returns the ns per entry of a timed candidate, if one has this name: in its best round, and the median.
    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    pub(crate) fn per_entry(&self, name: &str) -> Option<(f64, f64)> {
        let candidate = self.candidates.iter().find(|candidate| candidate.name == name)?;
        let of = |time: Duration| time.as_secs_f64() * 1e9 / self.entries as f64;
        Some((of(candidate.best()), of(candidate.median())))
    }

    /// The bytes per entry of a candidate's output.
    pub(crate) fn bytes_per_entry(&self, name: &str) -> usize {
        self.find(name).bytes / self.entries.max(1)
    }

    /// The ratio of a candidate's speed to another's, by the median of the rounds.
    pub(crate) fn times(&self, name: &str, other: &str) -> f64 {
        self.find(name).median_ratio(self.find(other))
    }

    /// Times all candidates.
    pub(crate) fn time(&mut self, rounds: usize) {
        for candidate in &mut self.candidates {
            (self.prepare)();
            candidate.bytes = black_box((candidate.work)());
        }
        for _ in 0..rounds {
            for candidate in &mut self.candidates {
                (self.prepare)();
                let start = Instant::now();
                black_box((candidate.work)());
                candidate.times.push(start.elapsed());
            }
        }
    }

    /// Prints the candidates' bytes per second on their document, as a fraction of their rate on the other document.
    pub(crate) fn print_rates(&self, other: &Comparison<'_>, names: &[&str], wanted: f64) {
        for name in names {
            let part = self.find(name).rate() / other.find(name).rate();
            let verdict = if part >= wanted { "reached" } else { "MISSED" };
            println!("  {name} has {part:.2} of its MB/s above; {wanted} wanted: {verdict}");
        }
        println!();
    }

    #[expect(clippy::cast_precision_loss, reason = "counts below 2^52")]
    fn print(&self, targets: &[Target<'_>]) {
        println!("{}", self.title);
        println!(
            "  {:44} {:>10} {:>10} {:>9} {:>9}",
            "", "ns/entry", "median", "MB/s", "bytes"
        );
        for candidate in &self.candidates {
            let per_entry = |time: Duration| time.as_secs_f64() * 1e9 / self.entries as f64;
            println!(
                "  {:44} {:>10.1} {:>10.1} {:>9.0} {:>9}",
                candidate.name,
                per_entry(candidate.best()),
                per_entry(candidate.median()),
                candidate.rate(),
                candidate.bytes,
            );
        }
        for target in targets {
            let candidate = self.find(target.name);
            let fastest = target
                .others
                .iter()
                .map(|other| self.find(other))
                .min_by_key(|other| other.best())
                .expect("somebody to compare with");
            let by_best = fastest.best().as_secs_f64() / candidate.best().as_secs_f64();
            let by_median = candidate.median_ratio(fastest);
            let verdict = if by_best.min(by_median) >= target.times {
                "reached"
            } else {
                "MISSED"
            };
            println!(
                "  {} is {by_best:.2} times as fast as {} (median of rounds {by_median:.2}); {} wanted: {verdict}",
                target.name, fastest.name, target.times
            );
        }
        println!();
    }
}
