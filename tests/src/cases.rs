use proptest::test_runner::Config;

/// How often a test goes round that makes its input at random: so often by default, and `SITEMAP_ROUNDS` times as often.
///
/// # Panics
/// If that is no number.
pub fn rounds(rounds: usize) -> usize {
    let times =
        std::env::var("SITEMAP_ROUNDS").map_or(1, |times| times.parse().expect("SITEMAP_ROUNDS is a number"));
    rounds * times
}

/// The settings of a property test of so many cases. They are new ones in every run; what failed is said by the message, and
/// becomes a test of its own, not a file.
pub fn cases(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}
