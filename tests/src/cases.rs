use proptest::test_runner::Config;

/// Returns the value of `SITEMAP_ROUNDS`, which multiplies the random input of the tests. `None` if it is unset.
///
/// # Panics
/// If it is not a number.
fn times() -> Option<usize> {
    let times = std::env::var("SITEMAP_ROUNDS").ok()?;
    Some(times.parse().expect("SITEMAP_ROUNDS is a number"))
}

/// Returns the number of rounds of a test with random input: a quarter of `rounds`, or `rounds` times `SITEMAP_ROUNDS` if that is
/// set.
pub fn rounds(rounds: usize) -> usize {
    times().map_or(rounds.div_ceil(4), |times| rounds * times)
}

/// Returns all of the cases of a table if `SITEMAP_ROUNDS` is set or the table is short, otherwise each seventh. Seven divides none of the
/// lists that tests combine, so the innermost list of a table keeps each of its values.
pub fn sample<T>(all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let all: Vec<T> = all.into_iter().collect();
    let step = if reads_all() || all.len() < 14 { 1 } else { 7 };
    all.into_iter().step_by(step)
}

/// Returns `true` if the tests read whole folders of published documents, because `SITEMAP_ROUNDS` is set. Otherwise they read a
/// sample.
pub fn reads_all() -> bool {
    times().is_some()
}

/// Returns the settings of a property test: `cases` random cases if `SITEMAP_ROUNDS` is set, otherwise a quarter. Each run draws
/// new cases. A failure's message shows the case. Add it as a test; no file records it.
pub fn cases(cases: u32) -> Config {
    Config {
        cases: if reads_all() { cases } else { cases.div_ceil(4) },
        failure_persistence: None,
        ..Config::default()
    }
}
