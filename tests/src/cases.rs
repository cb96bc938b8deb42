use proptest::test_runner::Config;

/// The settings of a property test of so many cases. They are new ones in every run; what failed is said by the message, and
/// becomes a test of its own, not a file.
pub fn cases(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}
