//! Broken documents, read leniently: the error of strict reading, the entries, and the diagnostics.

mod combined;
mod compressed;
mod cut_off;
mod damage;
mod edges;
mod ends;
mod foreign;
mod losses;
mod nothing;
mod settings;
mod table;
mod told;

use sitemap_serde::iter::Field;
use sitemap_serde::source::DocumentSource;
use sitemap_serde::{Mode, Reader, ReaderBuilder, Record};
use sitemap_tests::{Trickle, corpus_sample, files, of_sample, urlset};

/// The entries and diagnostics of a document, for any pieces of input.
fn lenient(document: &[u8]) -> (Result<Vec<String>, String>, Vec<String>) {
    let mut builder = ReaderBuilder::new();
    builder.mode(Mode::Lenient);
    let mut slice = builder.from_slice(document);
    let read = slice
        .entries()
        .map(|entry| entry.map(|entry| entry.loc).map_err(|error| error.to_string()))
        .collect();
    let told: Vec<String> = slice.diagnostics().iter().map(ToString::to_string).collect();
    let mut stream = builder.from_reader(Trickle::new(document));
    let again = stream
        .entries()
        .map(|entry| entry.map(|entry| entry.loc).map_err(|error| error.to_string()))
        .collect();
    assert_eq!(read, again, "{}", String::from_utf8_lossy(document));
    let again: Vec<String> = stream.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(told, again, "{}", String::from_utf8_lossy(document));
    (read, told)
}

/// The names and texts in the records, in document order.
fn texts<'de, S: DocumentSource<'de>>(reader: &mut Reader<S>) -> Vec<(String, String)> {
    try_texts(reader).unwrap()
}

/// Like [`texts`], or the reason for a failure.
fn try_texts<'de, S: DocumentSource<'de>>(reader: &mut Reader<S>) -> Result<Vec<(String, String)>, String> {
    fn push<'r>(fields: impl Iterator<Item = Field<'r>>, out: &mut Vec<(String, String)>) {
        for field in fields {
            out.push((field.name().to_owned(), field.text().to_owned()));
            push(field.fields(), out);
        }
    }
    let (mut record, mut out) = (Record::new(), Vec::new());
    while reader
        .read_record(&mut record)
        .map_err(|error| error.to_string())?
    {
        push(record.fields(), &mut out);
    }
    Ok(out)
}

fn strict(document: &[u8]) -> Option<String> {
    ReaderBuilder::new()
        .from_slice(document)
        .entries()
        .find_map(|entry| entry.err().map(|error| error.to_string()))
}

/// The error of strict reading, and the entries and diagnostics of lenient reading.
#[track_caller]
fn case(document: &str, refused: &str, read: Result<&[&str], &str>, told: &[&str]) {
    assert_eq!(
        strict(document.as_bytes()).unwrap_or_default(),
        refused,
        "{document}"
    );
    let (found, diagnostics) = lenient(document.as_bytes());
    match (found, read) {
        (Ok(found), Ok(read)) => assert_eq!(found, read, "{document}"),
        (Err(found), Err(read)) => assert_eq!(found, read, "{document}"),
        (found, read) => panic!("{document}: {found:?}, {read:?}"),
    }
    assert_eq!(diagnostics, told, "{document}");
}

/// A document, followed by the results of strict and lenient reading: text for a snapshot.
fn case_text(document: &str) -> String {
    let strict = strict(document.as_bytes()).unwrap_or_else(|| "no error".to_owned());
    let (read, reported) = lenient(document.as_bytes());
    let read = match read {
        Ok(locs) => format!("entries: {}", locs.join(" ")),
        Err(error) => format!("refused: {error}"),
    };
    let document = document.escape_debug().to_string().replace("\\\"", "\"");
    let mut lines = vec![document, format!("strict: {strict}"), read];
    lines.extend(reported);
    lines.join("\n    ") + "\n\n"
}

#[test]
fn bytes_that_are_not_utf8() {
    let document = urlset("<url><loc>https://example.com/@</loc></url>");
    let (before, after) = document.split_once('@').unwrap();
    for (bytes, text) in [
        (&b"\xE9"[..], "é"),
        (b"\x80\x93\xFF", "€“ÿ"),
        (b"\xC3(", "Ã("),
        ("é\u{FFFD}".as_bytes(), "é\u{FFFD}"),
    ] {
        let document = [before.as_bytes(), bytes, after.as_bytes()].concat();
        let (read, told) = lenient(&document);
        assert_eq!(read.unwrap(), [format!("https://example.com/{text}")]);
        let place = before.len();
        let expected = format!(
            "error[P-UTF8]: bytes that are invalid in UTF-8 from here on: they are read as windows-1252 (P-UTF8); convert the file to \
             UTF-8, or declare the encoding that it is in, at line 1, column {} (byte {place})",
            place + 1
        );
        let expected = if std::str::from_utf8(bytes).is_ok() {
            vec![]
        } else {
            vec![expected]
        };
        assert_eq!(told, expected);
    }
}

/// A valid document is read as in strict mode. Its only diagnostics are for text that is escaped twice, and for mistaken namespaces
/// that readers take for the right ones.
#[test]
fn published_documents() {
    let Some(folder) = files("lenient") else { return };
    let mut same = 0;
    for (name, bytes) in corpus_sample(&folder) {
        let strict: Result<Vec<_>, _> = ReaderBuilder::new().from_slice(&bytes).entries().collect();
        let Ok(strict) = strict else { continue };
        let mut builder = ReaderBuilder::new();
        let mut reader = builder.mode(Mode::Lenient).from_slice(&bytes);
        let lenient: Vec<_> = reader.entries().collect::<Result<_, _>>().unwrap();
        assert!(strict == lenient, "{name}");
        // Both are well-formed, and only lenient reading reports them.
        let mut told = reader.diagnostics().iter();
        let other = told.find(|told| {
            let expected = ["is escaped twice", "is not the namespace of"];
            !expected.iter().any(|text| told.message().contains(text))
        });
        assert!(other.is_none(), "{name}: {other:?}");
        same += 1;
    }
    assert!(same > of_sample(100), "{same}");
}

/// In every published file, at least the number of entries of the best other reader, except where that reader is wrong.
#[test]
fn as_many_entries_as_the_best_reader() {
    /// The end of a file's name, the numbers found here and by the best reader, and the reason for the difference.
    const DIFFERENCES: &[(&str, usize, usize, &str)] = &[
        (
            "Knight-Logics/sitemap.xml.0478c3c64e.xml",
            36,
            18,
            "a second root, which none of them reads",
        ),
        (
            "Knight-Logics/sitemap.xml.45a3700da9.xml",
            42,
            19,
            "a second root, which none of them reads",
        ),
        (
            "lp45/news-sitemap.xml.3c353b7c9f.xml",
            3,
            0,
            "RTF around it, at which all of them give up",
        ),
        (
            "lp45/news-sitemap.xml.be5aa40017.xml",
            3,
            0,
            "a backslash behind the declaration, at which all of them give up",
        ),
        (
            "rss__feed.rss",
            3,
            4,
            "a `guid` that says that it is no address (`isPermaLink=\"false\"`)",
        ),
    ];
    #[derive(serde::Deserialize)]
    struct Page {
        #[serde(rename = "loc")]
        _loc: String,
    }
    let Some(folder) = files("lenient") else { return };
    let oracle = std::fs::read_to_string(folder.join("corpus/ORACLE.tsv")).unwrap();
    let (mut files, mut met, mut wrong) = (0, 0, Vec::new());
    for line in oracle.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let count = |i: usize| {
            let count = cells.get(i).and_then(|count| count.parse::<usize>().ok());
            count.unwrap_or(0)
        };
        let best = [5, 7, 8, 10].into_iter().map(count).max().unwrap_or(0);
        let bytes = std::fs::read(folder.join("corpus").join(cells[0])).unwrap();
        let mut builder = ReaderBuilder::new();
        builder
            .mode(Mode::Lenient)
            .location("http://example.com/sitemap.xml");
        let mut reader = builder.from_slice(&bytes);
        let found = reader.deserialize::<Page>().flatten().count();
        let told = reader.diagnostics().len();
        let difference = DIFFERENCES.iter().find(|(name, ..)| cells[0].ends_with(name));
        match difference {
            Some((_, ours, theirs, _)) => {
                met += 1;
                if (*ours, *theirs) != (found, best) || ours == theirs {
                    wrong.push(format!(
                        "{}: {found} of {best}, and listed as {ours} of {theirs}",
                        cells[0]
                    ));
                }
            }
            None if found != best => wrong.push(format!("{}: {found} of {best}: {line}", cells[0])),
            None => {}
        }
        let is_broken = cells[0].starts_with("broken/");
        if is_broken && told == 0 {
            wrong.push(format!("{}: nothing is told of it", cells[0]));
        }
        files += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files > 250 && met == DIFFERENCES.len(), "{files}, {met}");
}
