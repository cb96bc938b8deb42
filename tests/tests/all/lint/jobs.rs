//! Linting several documents at a time gives the same findings in the same order as one by one.

use std::fmt::Write as _;
use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use sitemap_serde::lint::{Input, Linter};
use sitemap_tests::{Random, rounds};

use crate::lint::{entry, index, urlset};

/// A document's text, or `None` if it cannot be opened.
type Document = Option<String>;

/// Documents with up to some thousand entries, which break rules about one document and about several.
fn documents(random: &mut Random) -> Vec<Document> {
    let count = 1 + random.below(9);
    (0..count).map(|_| document(random)).collect()
}

fn document(random: &mut Random) -> Document {
    let entries = [0, 3, 40, 1500][random.below(4)];
    let mut text = String::new();
    for _ in 0..entries {
        let page = random.below(5000);
        match random.below(12) {
            0 => text.push_str(&entry(&format!("http://example.com/{page}"))),
            1 => text.push_str(&entry(&format!("/{page}"))),
            2 => text.push_str(&entry(&format!("https://example.com/{page}#top"))),
            3 => text.push_str(&entry(&format!("https://example.com/{page}</lok>"))),
            4 => {
                let to = random.below(5000);
                let _ = writeln!(
                    text,
                    "<url><loc>https://example.com/{page}</loc><xhtml:link rel=\"alternate\" hreflang=\"de\" \
                     href=\"https://example.com/{to}\"/></url>"
                );
            }
            _ => text.push_str(&entry(&format!("https://example.com/{page}"))),
        }
    }
    match random.below(8) {
        0 => None,
        1 => Some(index(&text.replace("url>", "sitemap>"))),
        2 => Some(text),
        _ => Some(urlset(&text)),
    }
}

fn inputs(documents: &[Document]) -> Vec<Input<'_>> {
    let input = |(number, document): (usize, &Document)| {
        let text = document.clone();
        let open = move || {
            let gone = || io::Error::from(io::ErrorKind::NotFound);
            text.clone()
                .map(|text| io::Cursor::new(text.into_bytes()))
                .ok_or_else(gone)
        };
        Input::new(format!("{number}.xml"), open)
    };
    documents.iter().enumerate().map(input).collect()
}

/// A lint's complete report, in order: diagnostics, the ends of documents, and the counts.
fn reported(documents: &[Document], jobs: Option<usize>) -> Vec<String> {
    let said = std::cell::RefCell::new(Vec::new());
    let mut lint =
        crate::lint::linter().start(|number, found| said.borrow_mut().push(format!("{number}: {found}")));
    let ended = |number: usize, result: sitemap_serde::Result<()>| {
        said.borrow_mut().push(format!("{number} ended: {result:?}"));
        ControlFlow::Continue(())
    };
    match jobs {
        None => {
            for (number, input) in inputs(documents).into_iter().enumerate() {
                let _ = ended(number, lint.document(input));
            }
        }
        Some(jobs) => lint.documents(inputs(documents), NonZero::new(jobs).unwrap(), ended),
    }
    let totals = lint.finish().map(|totals| format!("{totals:?}"));
    let mut said = said.into_inner();
    said.push(format!("{totals:?}"));
    said
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut findings = 0;
    for seed in 0..rounds(16) as u64 {
        let documents = documents(&mut Random::new(seed));
        let expected = reported(&documents, None);
        findings += expected.len();
        for jobs in [1, 2, 3, 8] {
            let reported = reported(&documents, Some(jobs));
            let different = reported.iter().zip(&expected).find(|(one, other)| one != other);
            assert_eq!(different, None, "seed {seed}, {jobs} jobs");
            assert_eq!(reported.len(), expected.len());
        }
    }
    assert!(findings > rounds(4000), "{findings}");
}

/// A document with more findings than the queue holds continues when its turn comes.
#[test]
fn a_document_with_many_findings_waits_for_its_turn() {
    let many: String = (0..2_000)
        .map(|page| entry(&format!("https://example.com/{page}#")))
        .collect();
    let documents: Vec<_> = (0..3).map(|_| Some(urlset(&many))).collect();
    assert!(reported(&documents, Some(4)) == reported(&documents, None));
}

/// The number of threads limits the documents that are open before their turn, for any number of documents.
#[test]
fn few_documents_are_read_ahead() {
    const JOBS: usize = 3;
    let (opened, ended, most) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let inputs = (0..200).map(|number| {
        let open = || {
            let ahead = opened.fetch_add(1, Ordering::SeqCst) + 1 - ended.load(Ordering::SeqCst);
            most.fetch_max(ahead, Ordering::SeqCst);
            Ok(&b"https://example.com/#top\n"[..])
        };
        Input::new(format!("{number}.txt"), open)
    });
    let mut lint = Linter::new().start(|_, _| {});
    lint.documents(inputs.collect(), NonZero::new(JOBS).unwrap(), |number, result| {
        assert_eq!(
            (number, result.is_ok()),
            (ended.fetch_add(1, Ordering::SeqCst), true)
        );
        ControlFlow::Continue(())
    });
    assert_eq!(opened.load(Ordering::SeqCst), 200);
    assert!(most.load(Ordering::SeqCst) <= 2 * JOBS + 1, "{most:?}");
}

#[test]
fn a_break_ends_the_reading() {
    for jobs in [1, 4] {
        let opened = AtomicUsize::new(0);
        let inputs = (0..1000).map(|number| {
            let open = || {
                opened.fetch_add(1, Ordering::SeqCst);
                Ok(&b"https://example.com/\n"[..])
            };
            Input::new(format!("{number}.txt"), open)
        });
        let mut numbers = Vec::new();
        let mut lint = Linter::new().start(|_, _| {});
        lint.documents(inputs.collect(), NonZero::new(jobs).unwrap(), |number, _| {
            numbers.push(number);
            if number == 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(numbers, [0, 1, 2]);
        assert_eq!(lint.summary().documents, 3);
        drop(lint);
        assert!(opened.load(Ordering::SeqCst) <= 3 + 2 * jobs);
    }
}
