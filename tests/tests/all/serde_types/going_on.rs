//! A reader that continues.

use std::collections::HashMap;

use sitemap_serde::IndexEntry;
use sitemap_tests::{drain, entries, urlset, with_every_reader};

#[test]
fn a_reader_takes_up_where_it_stopped() {
    let document = urlset(
        "<url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc></url>\
         <url><loc>https://example.com/3</loc></url>",
    );
    let rest = with_every_reader!(document.as_bytes(), reader => {
        let first = reader.deserialize::<HashMap<String, String>>().next().unwrap().unwrap();
        assert_eq!(first["loc"], "https://example.com/1");
        let second = reader.entries().next().unwrap().unwrap();
        assert_eq!(second.loc, "https://example.com/2");
        reader.kind().unwrap();
        drain(reader.deserialize::<IndexEntry>())
    });
    assert_eq!(rest, [Ok(IndexEntry::new("https://example.com/3"))]);
    assert_eq!(entries::<IndexEntry>(&document).len(), 3);
}
