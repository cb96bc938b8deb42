//! Readers that fail.

use std::io::{self, Read};

use sitemap_serde::{ErrorKind, Mode, Reader, ReaderBuilder, UrlEntry};
use sitemap_tests::Problem;

use crate::rejections_reading::{Failing, between};

#[test]
fn a_reader_that_fails() {
    let document = between("<url><loc>https://example.com/2?サ</loc></url>");
    let ends: Vec<usize> = document
        .match_indices("</url>")
        .map(|(at, tag)| at + tag.len())
        .collect();
    for cut in 0..=document.len() {
        let mut reader = Reader::from_reader(Failing::after(&document.as_bytes()[..cut]));
        let mut entries = reader.entries();
        let complete = ends.iter().filter(|&&end| end <= cut).count();
        for _ in 0..complete {
            assert!(entries.next().unwrap().is_ok(), "{cut}");
        }
        let error = entries.next().unwrap().unwrap_err();
        assert!(entries.next().is_none(), "{cut}");
        assert!(reader.deserialize::<UrlEntry>().next().is_none(), "{cut}");
        assert_eq!(error.kind(), ErrorKind::Io, "{cut}");
        let problem = Problem::of(&error);
        let message = problem.message.split(", at line").next().unwrap();
        assert_eq!(message, "cannot read the sitemap: the cable was pulled");
        assert_eq!(problem.rule, None);
        let source = error.io_error().unwrap();
        assert_eq!(source.kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(source.to_string(), "the cable was pulled");
        let outer = io::Error::from(error);
        assert_eq!(outer.kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(outer.to_string(), problem.message);
    }
}

/// The failure is reported at the same place, however far the reader looked ahead.
#[test]
fn a_reader_that_fails_behind_text_that_was_looked_at() {
    let entries = between("<url><loc>https://example.com/2?サ</loc></url>");
    for document in [
        format!("a <!-- -- b --> \n{entries}"),
        format!("a </urlset> b\n{entries}"),
        format!(" \n \n{entries} \n"),
        entries.replace("<url>", "<url><"),
        "https://example.com/1\nhttps://example.com/2\n".to_owned(),
        "neither & nor < 1".to_owned(),
    ] {
        for cut in 0..=document.len() {
            for has_others in [false, true] {
                let mut builder = ReaderBuilder::new();
                builder.mode(Mode::Lenient).other_formats(has_others);
                let mut reader = builder.from_reader(Failing::after(&document.as_bytes()[..cut]));
                let error = reader.entries().last().unwrap().unwrap_err();
                let message = error.to_string();
                let message = message.split(", at line").next().unwrap();
                assert_eq!(
                    message, "cannot read the sitemap: the cable was pulled",
                    "{cut} of {document}"
                );
            }
        }
    }
}

/// Claims to have returned more bytes than requested.
struct Boasting<'a>(&'a [u8]);

impl Read for Boasting<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map(|_| into.len() + 1)
    }
}

#[test]
fn a_reader_that_says_it_gave_more_than_it_could() {
    let document = between("");
    let error = Reader::from_reader(Boasting(document.as_bytes()))
        .kind()
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(
        error.to_string(),
        "cannot read the sitemap: it was asked for 32,768 bytes at most and says it gave 32,769, which `Read` does not \
         allow, at line 1, column 1 (byte 0)"
    );
}

#[test]
fn errors_as_io_errors() {
    for (document, kind) in [
        ("<urlset>", io::ErrorKind::UnexpectedEof),
        ("", io::ErrorKind::UnexpectedEof),
        ("x", io::ErrorKind::InvalidData),
        ("<html/>", io::ErrorKind::InvalidData),
    ] {
        let error = sitemap_serde::from_str::<Vec<UrlEntry>>(document).unwrap_err();
        let message = error.to_string();
        let error = io::Error::from(error);
        assert_eq!(error.kind(), kind);
        assert_eq!(error.to_string(), message);
        let inner: Option<&sitemap_serde::Error> = error.get_ref().unwrap().downcast_ref();
        assert_eq!(inner.unwrap().to_string(), message);
    }
}

#[test]
fn a_file_that_is_not_there() {
    let path = std::env::temp_dir()
        .join("sitemap-serde-no-such-folder")
        .join("x.xml");
    let error = Reader::from_path(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.position().is_none() && error.entry().is_none() && error.path().is_none());
    assert_eq!(
        error.to_string(),
        format!("cannot open {}: {}", path.display(), error.io_error().unwrap())
    );
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
}
