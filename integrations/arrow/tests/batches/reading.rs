//! The rows and batches of a reading.

use std::io::{self, Read, Write};

use arrow_array::RecordBatchReader;
use arrow_schema::ArrowError;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use sitemap_arrow::{BatchReaderBuilder, Input, ReadError};
use sitemap_serde::{ErrorKind, Limits, Mode};
use sitemap_tests::{index, urlset};

use crate::documents::{ROOT, WHOLE};
use crate::told;

#[test]
fn an_entry_that_has_everything() {
    let document = format!("{ROOT}{WHOLE}</urlset>");
    let mut reader = BatchReaderBuilder::new().read([("https://example.com/sitemap.xml", document)]);
    let batch = reader.next().unwrap().unwrap();
    assert!(reader.next().is_none() && reader.next().is_none());
    assert_eq!(
        told::rows(&batch),
        [json!({
            "loc": "https://example.com/?a=1&b=2",
            "lastmod": "2026-05-01T10:20:30.5+02:00",
            "lastmod_at": 1_777_623_630_500_000_i64,
            "changefreq": "weekly",
            "priority": 0.8_f32,
            "images": [
                { "loc": "https://example.com/1.jpg", "caption": "A <caption>", "geo_location": "Limerick, Ireland",
                  "title": "A title", "license": "https://example.com/l" },
                { "loc": "https://example.com/2.jpg", "caption": null, "geo_location": null, "title": null, "license": null },
            ],
            "videos": [{
                "thumbnail_loc": "https://example.com/t.jpg", "title": "Grilling", "description": "How to grill & serve",
                "content_loc": "https://example.com/v.mp4",
                "player_loc": { "allow_embed": true, "autoplay": "ap=1", "loc": "https://example.com/p?v=1" },
                "duration": 600, "expiration_date": "2027-01", "rating": 4.2,
                "content_segments": [
                    { "duration": 300, "loc": "https://example.com/s1.mp4" },
                    { "duration": null, "loc": "https://example.com/s2.mp4" },
                ],
                "view_count": u64::MAX, "publication_date": "2026-05-01T10:20Z", "tags": ["steak", "fire"],
                "category": "Food", "family_friendly": true,
                "restriction": { "relationship": "allow", "countries": ["IE", "GB", "US"] },
                "gallery_loc": { "title": "Videos", "loc": "https://example.com/g" },
                "prices": [
                    { "currency": "EUR", "kind": "rent", "resolution": "HD", "value": 1.99 },
                    { "currency": "USD", "kind": null, "resolution": null, "value": 2.0 },
                ],
                "requires_subscription": false, "uploader": { "info": "https://example.com/u", "name": "Cook" },
                "tv_show": { "show_title": "The show", "video_type": "full", "episode_title": "First", "season_number": 1,
                             "episode_number": 2, "premier_date": "2026" },
                "platform": { "relationship": "deny", "platforms": ["web", "tv"] }, "live": false,
                "ids": [{ "kind": "url", "id": "https://example.com/id" }],
            }],
            "news": [{
                "publication": { "name": "The Times", "language": "en" }, "access": "Subscription",
                "genres": ["Blog", "Opinion"], "publication_date": "2026-05-01", "title": "Steaks",
                "keywords": "meat, fire", "stock_tickers": ["NASDAQ:A", "NASDAQ:B"],
            }],
            "alternates": [
                { "rel": "alternate", "hreflang": "de-CH", "media": null, "href": "https://example.com/de?x=1&y=2" },
                { "rel": "alternate", "hreflang": null, "media": "only screen", "href": "https://m.example.com/" },
            ],
            "mobile": true,
            "page_map": {
                "template": { "src": "https://example.com/t" },
                "data_objects": [{ "kind": "recipe", "id": "r1", "attributes": [
                    { "name": "serves", "value": "4", "text": null }, { "name": "time", "value": null, "text": "1 h" },
                ] }],
            },
            "source": "https://example.com/sitemap.xml", "entry": 1, "byte": ROOT.len() + 1,
        })]
    );
}

fn gzipped(document: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(document.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn pages(locs: &[&str]) -> String {
    let page = |loc: &&str| format!("<url><loc>https://example.com/{loc}</loc></url>");
    urlset(&locs.iter().map(page).collect::<Vec<_>>().concat())
}

/// Files, streams and bytes, compressed or not, one after the other in the same batches.
#[test]
fn inputs_of_all_kinds() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, packed) = (folder.path().join("1.xml"), folder.path().join("2.xml.gz"));
    std::fs::write(&plain, pages(&["a", "b"])).unwrap();
    std::fs::write(&packed, gzipped(&pages(&["c"]))).unwrap();
    let inputs = vec![
        Input::from(plain.clone()),
        Input::from(packed.as_path()).with_name("packed"),
        Input::from(("https://example.com/3.xml", gzipped(&pages(&[])))),
        Input::from((
            String::from("https://example.com/4.xml"),
            pages(&["d"]).into_bytes(),
        )),
        Input::reader("a stream", io::Cursor::new(pages(&["e", "f"]))),
    ];
    let mut builder = BatchReaderBuilder::new();
    builder.columns(["source", "entry", "loc"]).unwrap().batch_rows(4);
    let batches: Vec<_> = builder.read(inputs).map(Result::unwrap).collect();
    assert_eq!(
        batches
            .iter()
            .map(arrow_array::RecordBatch::num_rows)
            .collect::<Vec<_>>(),
        [4, 2]
    );
    let row = |source: &str, entry: u64, loc: &str| json!({ "source": source, "entry": entry, "loc": format!("https://example.com/{loc}") });
    let plain = plain.display().to_string();
    assert_eq!(
        batches.iter().flat_map(told::rows).collect::<Vec<_>>(),
        [
            row(&plain, 1, "a"),
            row(&plain, 2, "b"),
            row("packed", 1, "c"),
            row("https://example.com/4.xml", 1, "d"),
            row("a stream", 1, "e"),
            row("a stream", 2, "f"),
        ]
    );
}

#[test]
fn nothing_to_read_is_no_batch() {
    assert!(
        BatchReaderBuilder::new()
            .read(Vec::<Input>::new())
            .next()
            .is_none()
    );
    let mut reader = BatchReaderBuilder::new().read([("a", pages(&[])), ("b", pages(&[]))]);
    assert!(reader.next().is_none() && reader.next().is_none());
    assert_eq!(reader.take_problems().unwrap().num_rows(), 0);
}

/// If there are no columns, batches still have a number of rows.
#[test]
fn no_columns() {
    let mut builder = BatchReaderBuilder::new();
    builder.columns(Vec::<&str>::new()).unwrap().batch_rows(2);
    let batches: Vec<_> = builder
        .read([("a", pages(&["1", "2", "3"]))])
        .map(Result::unwrap)
        .collect();
    assert_eq!(
        batches
            .iter()
            .map(|batch| (batch.num_columns(), batch.num_rows()))
            .collect::<Vec<_>>(),
        [(0, 2), (0, 1)]
    );
}

/// A batch ends after the bytes that it may have, with the entry that reaches them.
#[test]
fn batches_are_bounded_in_bytes() {
    let locs: Vec<String> = (0..500).map(|i| format!("{i}-{}", "x".repeat(400))).collect();
    let document = pages(&locs.iter().map(String::as_str).collect::<Vec<_>>());
    let mut builder = BatchReaderBuilder::new();
    builder.batch_bytes(20_000);
    let batches: Vec<_> = builder.read([("a", document)]).map(Result::unwrap).collect();
    assert!(batches.len() > 10, "{}", batches.len());
    for batch in &batches {
        // The unused capacity of the Vecs and bitmaps in all columns.
        assert!(
            batch.get_array_memory_size() < 3 * 20_000,
            "{}",
            batch.get_array_memory_size()
        );
    }
    assert_eq!(
        batches
            .iter()
            .map(arrow_array::RecordBatch::num_rows)
            .sum::<usize>(),
        500
    );
}

fn read_error(error: ArrowError) -> ReadError {
    match error {
        ArrowError::ExternalError(error) => *error.downcast().unwrap(),
        other => panic!("{other}"),
    }
}

/// The first rejected entry is an error after the rows before it, and ends the reading.
#[test]
fn without_skipping_the_first_refused_entry_ends_the_reading() {
    let document = urlset(
        "<url><loc>https://example.com/1</loc></url>\n<url><loc>https://example.com/2</loc><priority>2</priority></url>\
         <url><loc>https://example.com/3</loc></url>",
    );
    let mut reader = BatchReaderBuilder::new().read([("a\nname", document)]);
    assert_eq!(reader.next().unwrap().unwrap().num_rows(), 1);
    let error = read_error(reader.next().unwrap().unwrap_err());
    assert_eq!(
        error.to_string(),
        "a\\nname: `2` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field \
         out, at line 2, column 48 (byte 151), entry 2 · priority"
    );
    assert_eq!((error.document(), error.error().entry()), ("a\nname", Some(2)));
    assert!(reader.next().is_none() && reader.next().is_none());
}

struct Failing(&'static str);

impl Read for Failing {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(io::Error::other("the line is dead"));
        }
        let size = self.0.len().min(into.len());
        into[..size].copy_from_slice(&self.0.as_bytes()[..size]);
        self.0 = &self.0[size..];
        Ok(size)
    }
}

/// After a document that cannot be opened or read, or is something else, the next one is read.
#[test]
fn refused_documents_do_not_stop_the_others() {
    let begun = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/0</loc></url>";
    let inputs = || {
        vec![
            Input::path("/no/such/file.xml"),
            Input::reader("failing", Failing(begun)),
            Input::bytes("html", "<!doctype html><html></html>"),
            Input::bytes(
                "index",
                index("<sitemap><loc>https://example.com/1.xml</loc></sitemap>"),
            ),
            Input::bytes("cut", begun),
            Input::bytes("good", pages(&["1"])),
        ]
    };
    let mut builder = BatchReaderBuilder::new();
    builder.columns(["source"]).unwrap().skip_refused(true);
    let mut reader = builder.read(inputs());
    let rows: Vec<_> = reader
        .by_ref()
        .flat_map(|batch| told::rows(&batch.unwrap()))
        .collect();
    assert_eq!(
        rows,
        ["failing", "cut", "good"].map(|source| json!({ "source": source }))
    );
    let problems = told::rows(&reader.take_problems().unwrap());
    let told: Vec<_> = problems
        .iter()
        .map(|problem| {
            let message = problem["message"].as_str().unwrap();
            (
                problem["source"].as_str().unwrap(),
                problem["refused"].as_str().unwrap(),
                message,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (
                "/no/such/file.xml",
                "document",
                "cannot be opened: No such file or directory (os error 2)"
            ),
            (
                "failing",
                "document",
                "cannot read the sitemap: the line is dead, at line 1, column 104 (byte 103)"
            ),
            (
                "html",
                "document",
                "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an \
                 error page, at line 1, column 1 (byte 0)"
            ),
            (
                "index",
                "document",
                "this is a sitemapindex, which lists sitemaps, and a urlset was asked for (P-NS); read it as `SitemapIndex` or \
                 `Document`, and then the sitemaps that it lists, at line 1, column 1 (byte 0)"
            ),
            (
                "cut",
                "document",
                "the document ends inside `urlset`: it is truncated, or its end was never written; get a complete copy, at line 1, \
                 column 104 (byte 103)"
            ),
        ]
    );
    // If skipping is off, each is a separate error.
    for (i, input) in inputs().into_iter().enumerate() {
        let outcomes: Vec<_> = BatchReaderBuilder::new()
            .read([input])
            .map(|batch| batch.is_ok())
            .collect();
        assert_eq!(outcomes.last(), Some(&(i == 5)));
    }
}

/// In a lenient reading relative locs are resolved against the URL that the document is from, and only against a URL.
#[test]
fn lenient_reading_knows_the_address() {
    let document = urlset("<url><loc>/a</loc></url>");
    let mut builder = BatchReaderBuilder::new();
    builder.columns(["loc"]).unwrap().mode(Mode::Lenient);
    let mut reader = builder.read([
        ("https://example.com/sitemap.xml", document.clone()),
        ("a file", document),
    ]);
    let rows: Vec<_> = reader
        .by_ref()
        .flat_map(|batch| told::rows(&batch.unwrap()))
        .collect();
    assert_eq!(
        rows,
        [json!({ "loc": "https://example.com/a" }), json!({ "loc": "/a" })]
    );
}

/// The builder keeps the settings of the library's reader, and neither overwrites the other's mode.
#[test]
fn the_librarys_settings() {
    let mut builder = BatchReaderBuilder::new();
    builder.reader(|reader| {
        reader
            .limits(Limits::reading().with_entries(1))
            .mode(Mode::Lenient)
            .other_formats(true)
    });
    let broken = ("broken", "<urlset><url><loc>https://example.com/?a&b</loc></url>");
    assert_eq!(builder.read([broken]).next().unwrap().unwrap().num_rows(), 1);
    let mut reader = builder.read([("text", "https://example.com/1\nhttps://example.com/2\n")]);
    assert_eq!(reader.next().unwrap().unwrap().num_rows(), 1);
    assert_eq!(
        read_error(reader.next().unwrap().unwrap_err()).error().kind(),
        ErrorKind::Limit
    );
    builder.mode(Mode::Strict);
    assert!(builder.read([broken]).next().unwrap().is_err());
}

/// A reader can be sent to another thread and passed on like any other.
#[test]
fn a_reader_is_sent() {
    fn sent<T: Send + 'static>(reader: T) -> T {
        reader
    }
    let reader = sent(BatchReaderBuilder::new().read([("a", pages(&["1"]))]));
    let any: Box<dyn RecordBatchReader + Send> = Box::new(reader);
    assert_eq!(any.schema(), sitemap_arrow::schema());
    let rows = std::thread::spawn(move || any.map(|batch| batch.unwrap().num_rows()).sum::<usize>());
    assert_eq!(rows.join().unwrap(), 1);
}
