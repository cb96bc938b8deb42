//! The second batch.

use serde_json::json;
use sitemap_arrow::BatchReaderBuilder;
use sitemap_serde::Mode;
use sitemap_tests::urlset;

use crate::told;

const BROKEN: &str = "<url><loc>https://example.com/?a&b</loc><priority>high</priority></url>\n<url><lastmod>2026</lastmod></url>";

#[test]
fn a_repair_has_its_rule_and_position() {
    let mut builder = BatchReaderBuilder::new();
    builder.mode(Mode::Lenient);
    let mut reader = builder.read([("a", urlset(BROKEN))]);
    assert_eq!(
        reader
            .by_ref()
            .map(|batch| batch.unwrap().num_rows())
            .sum::<usize>(),
        1
    );
    assert_eq!(reader.problems(), 3);
    let problems = told::rows(&reader.take_problems().unwrap());
    let place = |problem: &serde_json::Value| {
        [
            "refused", "severity", "rule", "entry", "line", "column", "byte", "path",
        ]
        .map(|name| problem[name].clone())
    };
    assert_eq!(
        problems.iter().map(place).collect::<Vec<_>>(),
        [
            [
                json!(null),
                json!("error"),
                json!("P-ESC"),
                json!(1),
                json!(1),
                json!(93),
                json!(92),
                json!("entry 1")
            ],
            [
                json!(null),
                json!("warning"),
                json!("P-PRIO"),
                json!(1),
                json!(1),
                json!(111),
                json!(110),
                json!("entry 1 · priority")
            ],
            [
                json!(null),
                json!("error"),
                json!("P-DUP"),
                json!(2),
                json!(2),
                json!(1),
                json!(132),
                json!("entry 2 · loc")
            ],
        ]
    );
    assert_eq!(
        (reader.problems(), reader.take_problems().unwrap().num_rows()),
        (0, 0)
    );
}

/// Problems that do not fit are counted, by number and by size.
#[test]
fn problems_are_bounded() {
    let document = urlset(&"<url><loc>https://example.com/</loc><priority>high</priority></url>".repeat(100));
    let read = |rows, bytes| {
        let mut builder = BatchReaderBuilder::new();
        builder.skip_refused(true).keep_problems(rows, bytes);
        let mut reader = builder.read([("a", document.clone())]);
        assert!(reader.next().is_none());
        (reader.problems(), reader.dropped_problems())
    };
    assert_eq!(read(1000, 1 << 20), (100, 0));
    assert_eq!(read(30, 1 << 20), (30, 70));
    assert_eq!(read(0, 0), (0, 100));
    let (kept, dropped) = read(1000, 5000);
    assert!((10..50).contains(&kept), "{kept}");
    assert_eq!(kept as u64 + dropped, 100);
}

/// Taking problems during reading makes room for later ones.
#[test]
fn problems_are_taken_in_between() {
    let entry = "<url><loc>https://example.com/</loc></url><url><loc>nowhere</loc></url>";
    let mut builder = BatchReaderBuilder::new();
    builder
        .skip_refused(true)
        .batch_rows(10)
        .keep_problems(11, 1 << 20);
    let mut reader = builder.read([("a", urlset(&entry.repeat(100)))]);
    let (mut rows, mut problems) = (0, 0);
    while let Some(batch) = reader.next() {
        rows += batch.unwrap().num_rows();
        problems += reader.take_problems().unwrap().num_rows();
    }
    problems += reader.take_problems().unwrap().num_rows();
    assert_eq!((rows, problems, reader.dropped_problems()), (100, 100, 0));
}
