//! serde: into `UrlEntry`s, into a struct, into maps, from a slice and from a reader.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use sitemap_serde::{Document, UrlEntry, from_reader, from_slice};

fuzz_target!(|document: &[u8]| {
    let slice = from_slice::<Vec<UrlEntry>>(document).map_err(|error| error.to_string());
    let reader = from_reader::<_, Vec<UrlEntry>>(document).map_err(|error| error.to_string());
    assert_eq!(slice, reader);
    let _ = from_slice::<Vec<BTreeMap<String, String>>>(document);
    if let Ok(document) = from_slice::<Document>(document)
        && let Ok(xml) = sitemap_serde::to_string(&document)
    {
        from_slice::<Document>(xml.as_bytes()).unwrap();
    }
});
