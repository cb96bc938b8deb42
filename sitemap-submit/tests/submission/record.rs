//! The file of sent pages.

use sitemap_serde::diff::{Change, Diff, Input};
use sitemap_serde::{Reader, Record as Entry};
use sitemap_submit::{PageState, Record, Submission};

use crate::engine::{Engine, KEY};

const HEADER: &str = "sitemap-submit 1 https://api.indexnow.org/indexnow\n";

#[test]
fn only_the_rest_is_sent() {
    let text = format!(
        "{HEADER}T {} https://example.com/same\nT removed https://example.com/gone\nT removed https://example.com/back\n\
         T {} https://example.com/changed\nT removed https://example.com/caf%C3%A9\n",
        PageState::new("1"),
        PageState::new("1"),
    );
    let mut submission = Submission::new(KEY).unwrap();
    submission.record(Record::parse(&text).unwrap());
    for (path, state) in [
        ("same", PageState::new("1")),
        ("changed", PageState::new("2")),
        ("gone", PageState::REMOVED),
        ("back", PageState::new("1")),
        ("caf\u{e9}", PageState::REMOVED),
        ("new", PageState::new("1")),
    ] {
        submission
            .push(&format!("https://example.com/{path}"), state)
            .unwrap();
    }
    let mut engine = Engine::new();
    engine.run(&mut submission);
    let sent: Vec<&String> = engine.received.keys().collect();
    assert_eq!(
        sent,
        [
            "https://example.com/back",
            "https://example.com/changed",
            "https://example.com/new"
        ]
    );
    assert_eq!(submission.report().sent_before, 3);
}

#[test]
fn damaged_records() {
    for (text, problem) in [
        (
            "pages\n",
            "it is not a record of sent pages: its first line should begin with `sitemap-submit 1`",
        ),
        (
            "sitemap-submit 10 https://x.example/\n",
            "it is not a record of sent pages: its first line should begin with `sitemap-submit 1`",
        ),
        ("T\n", "line 2 is damaged; remove it, and its page is sent again"),
        (
            "T removed\n",
            "line 2 is damaged; remove it, and its page is sent again",
        ),
        (
            "T removed \n",
            "line 2 is damaged; remove it, and its page is sent again",
        ),
        (
            "T gone https://x.example/\n",
            "line 2 is damaged; remove it, and its page is sent again",
        ),
        (
            "T 0 https://x.example/\n",
            "line 2 is damaged; remove it, and its page is sent again",
        ),
        (
            "T removed https://x.example/\nT removed a b\n",
            "line 3 is damaged; remove it, and its page is sent again",
        ),
        ("\n", "line 2 is damaged; remove it, and its page is sent again"),
    ] {
        let is_whole = text.starts_with("pages") || text.starts_with("sitemap");
        let text = if is_whole {
            text.to_owned()
        } else {
            format!("{HEADER}{text}")
        };
        assert_eq!(Record::parse(&text).unwrap_err().to_string(), problem, "{text}");
    }
}

/// A text without a line feed is the start of a record's first line, or is not a record. A program that overwrote it would lose
/// it.
#[test]
fn texts_without_a_line_feed() {
    for end in 0..HEADER.len() {
        assert!(Record::parse(&HEADER[..end]).is_ok(), "{}", &HEADER[..end]);
    }
    for text in [
        " ",
        "\u{FEFF}",
        "notes",
        "sitemap-submit 10",
        "sitemap-submit 1https://x.example/",
        "sitemap-submit 1 my notes",
        "sitemap-submit 1  ",
        "sitemap-submit 1 https://x.example/ a",
        "sitemap-submit 1 https://x.example/\r",
        "sitemap-submit 1 \u{9}",
        "Sitemap-submit 1 ",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></urlset>",
    ] {
        let problem = "it is not a record of sent pages: its first line should begin with `sitemap-submit 1`";
        let found = Record::parse(text).map_err(|error| error.to_string());
        assert_eq!(found.err().as_deref(), Some(problem), "{text:?}");
    }
}

/// A line as a run appends it.
fn line(page: u32, state: u32) -> String {
    format!(
        "T {} https://example.com/{page}\n",
        PageState::new(&state.to_string())
    )
}

/// Truncated anywhere, a record has the pages of its whole lines, and can be appended to.
#[test]
fn records_cut_anywhere() {
    let text = (0..5).fold(HEADER.to_owned(), |text, i| text + &line(i, i));
    for end in 0..=text.len() {
        let cut = &text[..end];
        let record = Record::parse(cut).unwrap();
        let lines = cut.matches('\n').count();
        assert_eq!(record.len(), lines.saturating_sub(1));
        assert_eq!(record.is_empty(), lines < 2);
        assert_eq!(record.endpoint().is_some(), lines > 0);
        let appended = record.text(Submission::ENDPOINT, "U") + &line(9, 9);
        assert_eq!(Record::parse(&appended).unwrap().len(), record.len() + 1);
    }
}

/// The text of a record has each page once, in its last state, however often it was sent.
#[test]
fn the_text_of_a_record_has_each_page_once() {
    let sent = (0..11).fold(HEADER.to_owned(), |text, state| {
        (0..100).fold(text, |text, page| text + &line(page, state))
    });
    let text = Record::parse(&sent).unwrap().text(Submission::ENDPOINT, "U");
    assert_eq!(text.lines().count(), 101);
    assert_eq!(text.lines().filter(|line| line.starts_with("U ")).count(), 100);
    let record = Record::parse(&text).unwrap();
    assert_eq!(record.endpoint(), Some(Submission::ENDPOINT));
    let mut submission = Submission::new(KEY).unwrap();
    submission.record(record);
    for page in 0..100 {
        submission
            .push(&format!("https://example.com/{page}"), PageState::new("10"))
            .unwrap();
    }
    assert_eq!(submission.report().sent_before, 100);
}

/// The state after each change, in the order of the changes.
fn states(old: &str, new: &str) -> Vec<(String, PageState)> {
    let mut states = Vec::new();
    let (old, new) = (old.to_owned(), new.to_owned());
    Diff::new()
        .run(
            &mut [Input::from_slice("old.xml", old.as_bytes())],
            &mut [Input::from_slice("new.xml", new.as_bytes())],
            |change| {
                let state = PageState::from_change(&change);
                assert_eq!(
                    state.is_none(),
                    matches!(change, Change::Missing { .. }),
                    "{change}"
                );
                states.extend(state.map(|state| (change.loc().to_owned(), state)));
                Ok(())
            },
        )
        .unwrap();
    states.sort_by(|a, b| a.0.cmp(&b.0));
    states
}

/// The state of a changed page depends only on its new values, not on its old ones or the order of documents. So a page that
/// changes again before it is announced has another state.
#[test]
fn states_of_changes() {
    let entry = |name: &str, priority: &str| {
        let priority = match priority {
            "" => String::new(),
            priority => format!("<priority>{priority}</priority>"),
        };
        format!("<url><loc>https://example.com/{name}</loc>{priority}</url>")
    };
    let document = |entries: &[String]| format!("<urlset>{}</urlset>", entries.concat());
    let state = |priority: &str| {
        let text = document(&[entry("x", priority)]);
        let (mut reader, mut record) = (Reader::from_str(&text), Entry::new());
        assert!(reader.read_record(&mut record).unwrap());
        PageState::new(&Diff::new().values(&record))
    };
    let old = document(&[
        entry("a", "0.1"),
        entry("b", "0.1"),
        entry("c", ""),
        entry("d", "0.9"),
    ]);
    for (is_sorted, priority) in [(true, "0.2"), (true, "0.3"), (false, "0.2"), (false, "")] {
        let mut entries = [
            entry("a", "0.10"),
            entry("b", priority),
            entry("c", "0.5"),
            entry("e", priority),
        ];
        if !is_sorted {
            entries.reverse();
        }
        let expected = [
            ("b", state(priority)),
            ("c", state("0.5")),
            ("d", PageState::REMOVED),
            ("e", state(priority)),
        ];
        let expected = expected.map(|(name, state)| (format!("https://example.com/{name}"), state));
        assert_eq!(states(&old, &document(&entries)), expected);
    }
    // A page hidden by an unreadable entry may still be listed.
    let unread = document(&[
        entry("a", "0.1"),
        entry("b", "0.1"),
        entry("c", ""),
        "<url/>".to_owned(),
    ]);
    assert_eq!(states(&old, &unread), []);
}
