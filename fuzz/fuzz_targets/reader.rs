//! `Reader::entries`, whole and one byte at a time: the same items, which can be written and read again.
#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use sitemap_serde::{ErrorKind, Reader, UrlEntry, Writer};

struct Bytes<'a>(&'a [u8]);

impl Read for Bytes<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let len = into.len().min(1);
        self.0.read(&mut into[..len])
    }
}

fuzz_target!(|document: &[u8]| {
    let whole = items(Reader::from_slice(document).entries());
    let bytes = items(Reader::from_reader(Bytes(document)).entries());
    assert_eq!(whole, bytes);

    let read: Vec<UrlEntry> = whole.into_iter().filter_map(Result::ok).collect();
    let mut writer = Writer::from_writer(Vec::new());
    let mut written = Vec::new();
    for entry in read {
        match writer.write(&entry) {
            Ok(_) => written.push(entry),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Data, "{error}"),
        }
    }
    let again = items(Reader::from_slice(&writer.finish().unwrap()).entries());
    assert_eq!(again.len(), written.len());
    for (again, entry) in again.into_iter().zip(written) {
        let again = again.unwrap();
        assert_eq!(
            (again.lastmod, again.changefreq, again.priority),
            (entry.lastmod, entry.changefreq, entry.priority)
        );
    }
});

fn items(entries: impl Iterator<Item = sitemap_serde::Result<UrlEntry>>) -> Vec<Result<UrlEntry, String>> {
    entries
        .map(|entry| entry.map_err(|error| error.to_string()))
        .collect()
}
