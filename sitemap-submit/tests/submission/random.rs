//! Random servers, and programs killed at random: no page is lost, and only pages in flight are sent twice.

use std::collections::{BTreeMap, BTreeSet};

use sitemap_submit::{PageState, Record, Submission};

use crate::engine::{Engine, KEY, Reaction};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end
    }

    fn reaction(&mut self) -> Reaction {
        match self.below(12) {
            0 => Reaction::Answer(429),
            1 => Reaction::Answer(503),
            2 => Reaction::Later(429, "7"),
            3 => Reaction::Reset,
            4 => Reaction::TimeOut,
            5 => Reaction::Answer(202),
            6 => Reaction::Answer(422),
            7 => Reaction::Answer(403),
            _ => Reaction::Answer(200),
        }
    }
}

/// One run of the program, which is killed after some steps. `file` is the file's text on disk.
fn run(
    random: &mut Random,
    engine: &mut Engine,
    pages: &BTreeMap<String, PageState>,
    file: &mut String,
    steps: u64,
    in_flight: &mut BTreeSet<String>,
) -> bool {
    let record = Record::parse(file).unwrap();
    if !file.ends_with('\n') {
        *file = record.text(Submission::ENDPOINT, "T");
    }
    let mut submission = Submission::new(KEY).unwrap();
    submission.record(record);
    for (url, state) in pages {
        submission.push(url, *state).unwrap();
    }
    for _ in 0..steps {
        if !engine.step(&mut submission) {
            return submission.report().unsent.is_empty();
        }
        let received = submission.take_received();
        let lines: String = received.iter().map(|page| page.line("T")).collect();
        if random.below(8) == 0 {
            // It is killed while it writes.
            let written = usize::try_from(random.below(lines.len() as u64 + 1)).unwrap();
            file.push_str(&lines[..written]);
            in_flight.extend(received.into_iter().map(|page| page.url));
            return false;
        }
        file.push_str(&lines);
    }
    false
}

#[test]
fn killed_runs_with_random_servers() {
    let mut kills = 0;
    for seed in 0..400 {
        let mut random = Random(seed);
        let pages: BTreeMap<String, PageState> = (0..=random.below(40))
            .map(|i| {
                let host = random.below(3);
                let state = if random.below(3) == 0 {
                    PageState::REMOVED
                } else {
                    PageState::new("1")
                };
                (format!("https://h{host}.example/{i}"), state)
            })
            .collect();
        let mut engine = Engine::new();
        let (mut file, mut in_flight) = (String::new(), BTreeSet::new());
        let mut runs = 0;
        loop {
            engine.key_reactions = (0..3).map(|_| random.reaction()).collect();
            engine.order_reactions = (0..5).map(|_| random.reaction()).collect();
            let steps = 1 + random.below(20);
            if run(&mut random, &mut engine, &pages, &mut file, steps, &mut in_flight) {
                break;
            }
            runs += 1;
            assert!(runs < 1000, "seed {seed} does not end");
        }
        kills += runs;
        for url in pages.keys() {
            let times = engine.received.get(url).copied().unwrap_or_default();
            assert!(times >= 1, "seed {seed}: {url} was not sent");
            assert!(
                times == 1 || in_flight.contains(url),
                "seed {seed}: {url} was sent {times} times"
            );
        }
    }
    assert!(kills > 400, "{kills}");
}
