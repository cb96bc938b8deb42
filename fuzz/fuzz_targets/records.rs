//! `Reader::read_record`: every field is where it says it is, and the record says the same as the entry.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sitemap_serde::{ErrorKind, Reader, Record, UrlEntry};

fuzz_target!(|document: &[u8]| {
    let mut reader = Reader::from_slice(document);
    let mut record = Record::new();
    let mut before = 0;
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) if error.kind() == ErrorKind::Data => continue,
            Err(_) => break,
        }
        let range = record.byte_range();
        assert!(range.start >= before && range.end >= range.start);
        before = range.end;
        for field in record.fields() {
            let place = field.byte_range();
            assert!(
                range.start <= place.start && place.end <= range.end,
                "{place:?} in {range:?}"
            );
            assert!(field.text().len() <= 1 << 20);
            field.fields().for_each(drop);
        }
        let _ = (
            record.loc(),
            record.lastmod(),
            record.changefreq(),
            record.priority(),
        );
        if let Ok(entry) = record.read::<UrlEntry>() {
            assert_eq!(entry.loc, record.loc());
        }
    }
    assert!(!reader.read_record(&mut record).unwrap_or(false));
});
