//! Lenient reading, whole and in pieces of one and of seven bytes: the same entries and diagnostics. A document without errors in
//! strict reading has the same entries in lenient reading.
#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use sitemap_serde::{Mode, Reader, ReaderBuilder, UrlEntry};

struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let len = into.len().min(self.1);
        self.0.read(&mut into[..len])
    }
}

fuzz_target!(|document: &[u8]| {
    let mut builder = ReaderBuilder::new();
    builder.mode(Mode::Lenient);
    let mut reader = builder.from_slice(document);
    let entries = items(reader.entries());
    let diagnostics: Vec<_> = reader.diagnostics().iter().map(ToString::to_string).collect();
    let has_doctype = document
        .windows(9)
        .any(|window| window.eq_ignore_ascii_case(b"<!doctype"));
    for len in [1, 7] {
        let mut streaming = builder.from_reader(Pieces(document, len));
        assert_eq!(items(streaming.entries()), entries, "pieces of {len}");
        // A document with a DOCTYPE ends at the first error; only for a slice the bytes behind it are known to be invalid.
        if !has_doctype && entries.iter().all(Result::is_ok) {
            let streamed: Vec<_> = streaming.diagnostics().iter().map(ToString::to_string).collect();
            assert_eq!(streamed, diagnostics, "pieces of {len}");
            assert_eq!(
                streaming.dropped_diagnostics(),
                reader.dropped_diagnostics(),
                "pieces of {len}"
            );
        }
    }
    let strict: Result<Vec<UrlEntry>, _> = Reader::from_slice(document).entries().collect();
    if let Ok(strict) = strict {
        let read: Vec<_> = entries.into_iter().filter_map(Result::ok).collect();
        assert_eq!(read, strict);
    }
});

fn items(entries: impl Iterator<Item = sitemap_serde::Result<UrlEntry>>) -> Vec<Result<UrlEntry, String>> {
    entries
        .map(|entry| entry.map_err(|error| error.to_string()))
        .collect()
}
