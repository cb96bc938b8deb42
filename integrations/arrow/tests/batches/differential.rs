//! The same entries, and the same problems, as `Reader::entries`.

use arrow_array::RecordBatch;
use serde_json::{Value, json};
use sitemap_arrow::{BatchReaderBuilder, Input};
use sitemap_serde::{Kind, Mode, Reader, ReaderBuilder, Record};
use sitemap_tests::shapes::SHAPES;
use sitemap_tests::{Chunks, Random, corpus, files};

use crate::{documents, told};

/// The result of reading a document: rows, and problems as source, refused, rule, entry, line, column, byte, path, message.
#[derive(Debug, PartialEq)]
struct Said {
    rows: Vec<Value>,
    problems: Vec<Value>,
}

fn batches(
    document: &[u8],
    mode: Mode,
    change: impl FnOnce(&mut BatchReaderBuilder),
) -> (Vec<RecordBatch>, RecordBatch) {
    let mut builder = BatchReaderBuilder::new();
    builder.mode(mode).skip_refused(true);
    change(&mut builder);
    let mut reader = builder.read([Input::bytes("a name", document.to_vec())]);
    let batches = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(reader.dropped_problems(), 0);
    let problems = reader.take_problems().unwrap();
    (batches, problems)
}

fn by_batches(document: &[u8], mode: Mode, change: impl FnOnce(&mut BatchReaderBuilder)) -> Said {
    let (batches, problems) = batches(document, mode, change);
    Said {
        rows: batches.iter().flat_map(told::rows).collect(),
        problems: told::rows(&problems),
    }
}

/// The same result by the iterator over entries. Records give their offsets.
fn by_entries(document: &[u8], mode: Mode) -> Said {
    let mut builder = ReaderBuilder::new();
    builder.mode(mode);
    let mut starts = Vec::new();
    let mut records = builder.from_slice(document);
    let mut record = Record::new();
    loop {
        match records.read_record(&mut record) {
            Ok(true) => starts.push((record.number(), record.byte_range().start)),
            Err(error) if !error.ends_reading() => {}
            _ => break,
        }
    }
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    let mut reader = builder.from_slice(document);
    while let Some(entry) = reader.entries().next() {
        match entry {
            Ok(entry) => {
                let number = reader.position().entry().unwrap();
                let (_, start) = starts.iter().find(|(other, _)| *other == number).unwrap();
                let mut row = told::entry(&entry);
                row["source"] = json!("a name");
                row["entry"] = json!(number);
                row["byte"] = json!(start);
                rows.push(row);
            }
            Err(error) => {
                let position = error.position();
                problems.push(json!({
                    "source": "a name",
                    "refused": if error.ends_reading() { "document" } else { "entry" },
                    "severity": "error",
                    "rule": error.rule().map(sitemap_serde::Rule::as_str),
                    "entry": error.entry(),
                    "line": position.map(|position| position.line()),
                    "column": position.map(|position| position.column()),
                    "byte": position.map(|position| position.byte()),
                    "path": error.path(),
                    "message": error.to_string(),
                }));
                if error.ends_reading() {
                    break;
                }
            }
        }
        for diagnostic in reader.take_diagnostics() {
            let position = diagnostic.position();
            problems.push(json!({
                "source": "a name",
                "refused": null,
                "severity": diagnostic.severity().as_str(),
                "rule": diagnostic.rule().as_str(),
                "entry": diagnostic.entry(),
                "line": position.map(|position| position.line()),
                "column": position.map(|position| position.column()),
                "byte": position.map(|position| position.byte()),
                "path": diagnostic.path(),
                "message": diagnostic.message(),
            }));
        }
    }
    for diagnostic in reader.take_diagnostics() {
        let position = diagnostic.position();
        problems.push(json!({
            "source": "a name", "refused": null, "severity": diagnostic.severity().as_str(),
            "rule": diagnostic.rule().as_str(), "entry": diagnostic.entry(),
            "line": position.map(|position| position.line()),
            "column": position.map(|position| position.column()),
            "byte": position.map(|position| position.byte()),
            "path": diagnostic.path(), "message": diagnostic.message(),
        }));
    }
    Said { rows, problems }
}

fn assert_same(name: &str, document: &[u8], mode: Mode) -> Said {
    let (batches, entries) = (by_batches(document, mode, |_| ()), by_entries(document, mode));
    let pairs = batches.rows.iter().zip(&entries.rows);
    for (batch, entry) in pairs {
        assert_eq!(batch, entry, "{name}, {mode:?}: the batch on the left");
    }
    let pairs = batches.problems.iter().zip(&entries.problems);
    for (batch, entry) in pairs {
        assert_eq!(batch, entry, "{name}, {mode:?}: the batch on the left");
    }
    assert_eq!(batches.rows.len(), entries.rows.len(), "{name}, {mode:?}");
    assert_eq!(batches.problems.len(), entries.problems.len(), "{name}, {mode:?}");
    batches
}

#[test]
fn changed_entries_are_what_entries_says() {
    let (mut rows, mut refused, mut repaired) = (0, 0, 0);
    for seed in 0..120 {
        let document = documents::document(&mut Random::new(seed), 12);
        let name = format!("seed {seed}");
        let strict = assert_same(&name, document.as_bytes(), Mode::Strict);
        rows += strict.rows.len();
        refused += strict.problems.len();
        repaired += assert_same(&name, document.as_bytes(), Mode::Lenient)
            .problems
            .len();
    }
    // The changes are of both sorts.
    assert!(
        rows > 500 && refused > 250 && repaired > 500,
        "{rows} {refused} {repaired}"
    );
}

/// Whole documents with any bytes changed: a document that is no longer XML ends at the same place as with `entries`.
#[test]
fn damaged_documents_are_what_entries_says() {
    let mut random = Random::new(7);
    let mut ended = 0;
    for round in 0..150 {
        let mut document = documents::document(&mut random, 4).into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(document.len());
            match random.below(4) {
                0 => document.truncate(at),
                1 => document[at] = b"<>&\"'/= x\xFF"[random.below(10)],
                2 => drop(document.remove(at)),
                _ => document.insert(at, b"<>&\"/"[random.below(5)]),
            }
        }
        let strict = assert_same(&format!("round {round}"), &document, Mode::Strict);
        ended += strict
            .problems
            .iter()
            .filter(|problem| problem["refused"] == "document")
            .count();
        assert_same(&format!("round {round}"), &document, Mode::Lenient);
    }
    assert!(ended > 50, "{ended}");
}

#[test]
fn published_shapes_are_what_entries_says() {
    for shape in SHAPES {
        let said = assert_same(shape.name, shape.document(60, 3).as_bytes(), Mode::Strict);
        assert_eq!(said.rows.len(), 60, "{}", shape.name);
        assert_same(shape.name, shape.document(60, 3).as_bytes(), Mode::Lenient);
    }
}

#[test]
fn published_sitemaps_are_what_entries_says() {
    let Some(folder) = files("published_sitemaps_are_what_entries_says") else {
        return;
    };
    let (mut documents, mut rows) = (0, 0);
    for (name, bytes) in corpus(&folder) {
        if Reader::from_slice(&bytes)
            .kind()
            .is_ok_and(|kind| kind == Kind::SitemapIndex)
        {
            continue;
        }
        // Enough to know a document by; the others are as those before them.
        let bytes = &bytes[..bytes.len().min(400_000)];
        rows += assert_same(&name, bytes, Mode::Strict).rows.len();
        assert_same(&name, bytes, Mode::Lenient);
        documents += 1;
    }
    assert!(documents > 50 && rows > 10_000, "{documents} {rows}");
}

/// Batches of any size, from a document in pieces of any size, have the same rows and problems.
#[test]
fn neither_batches_nor_pieces_change_what_is_read() {
    let document = documents::document(&mut Random::new(99), 25);
    for mode in [Mode::Strict, Mode::Lenient] {
        let whole = by_batches(document.as_bytes(), mode, |_| ());
        for rows in [1, 2, 7, 24] {
            let (batches, _) = batches(document.as_bytes(), mode, |builder| {
                builder.batch_rows(rows);
            });
            assert!(batches.iter().rev().skip(1).all(|batch| batch.num_rows() == rows));
            let changed = by_batches(document.as_bytes(), mode, |builder| {
                builder.batch_rows(rows);
            });
            assert_eq!(changed, whole, "{rows} rows");
        }
        let small = by_batches(document.as_bytes(), mode, |builder| {
            builder.batch_bytes(1);
        });
        assert_eq!(small, whole);
        for size in [1, 3, 100, 4097] {
            let leaked: &'static str = document.clone().leak();
            let mut builder = BatchReaderBuilder::new();
            builder.mode(mode).skip_refused(true);
            let mut reader = builder.read([Input::reader("a name", Chunks::new(leaked.as_bytes(), size))]);
            let rows = reader
                .by_ref()
                .flat_map(|batch| told::rows(&batch.unwrap()))
                .collect();
            let problems = told::rows(&reader.take_problems().unwrap());
            assert_eq!(Said { rows, problems }, whole, "pieces of {size}");
        }
    }
}

/// Which columns are wanted changes neither the rows nor the problems.
#[test]
fn columns_do_not_change_rows() {
    let names: Vec<String> = sitemap_arrow::schema()
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect();
    let document = documents::document(&mut Random::new(5), 40);
    for mode in [Mode::Strict, Mode::Lenient] {
        let whole = by_batches(document.as_bytes(), mode, |_| ());
        let mut random = Random::new(1);
        for _ in 0..40 {
            let mut wanted = names.clone();
            for i in (1..wanted.len()).rev() {
                wanted.swap(i, random.below(i + 1));
            }
            wanted.truncate(random.below(wanted.len() + 1));
            let said = by_batches(document.as_bytes(), mode, |builder| {
                builder.columns(&wanted).unwrap();
            });
            assert_eq!(said.problems, whole.problems);
            assert_eq!(said.rows.len(), whole.rows.len());
            for (row, all) in said.rows.iter().zip(&whole.rows) {
                let row = row.as_object().unwrap();
                assert_eq!(row.len(), wanted.len());
                assert!(row.iter().all(|(name, value)| &all[name] == value), "{wanted:?}");
            }
        }
    }
}
