//! A fetched document with its URLs changed.

use std::io::{self, Cursor, Read, Write};
use std::time::Instant;

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use sitemap_serde::__internal::grouped;
use sitemap_serde::edit::Rebase;
use sitemap_serde::{Editor, ErrorKind, Kind, Limits};

use super::fetched::Fetched;
use crate::hash::Hashing;
use crate::serve::rendered::{Rendered, encoder};

/// An edited document, with counts of entries that could not be edited.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) rendered: Rendered,
    /// The number of entries that were left out because their URL would be too long.
    pub(super) skipped: u64,
    /// The number of unreadable entries, which stay unchanged.
    pub(super) unreadable: u64,
    pub(super) first_problem: Option<String>,
    /// Entries whose loc does not begin with the old base.
    pub(super) others: u64,
    pub(super) first_other: Option<String>,
    /// The first sitemap with a query that an index lists.
    pub(super) first_query: Option<String>,
}

/// Changes the URLs of a document, until the time `end`. It blocks. The error is the reason for the log.
pub(super) fn edit(fetched: Fetched, mut rebase: Rebase, end: Option<Instant>) -> Result<Document, String> {
    let body = Cursor::new(fetched.body);
    let reader: Box<dyn Read> = match fetched.encoding.as_deref() {
        None | Some("" | "identity") => Box::new(body),
        // A compressed file may be compressed once more for the way.
        Some("gzip" | "x-gzip") => Box::new(MultiGzDecoder::new(body)),
        Some(other) => {
            return Err(format!(
                "it has the Content-Encoding `{other}`, and only gzip is known"
            ));
        }
    };
    let reader: Box<dyn Read> = Box::new(UntilEnd { reader, end });
    let mut editor = Editor::new(reader, Output::new());
    let (mut skipped, mut unreadable, mut first_problem) = (0, 0, None);
    let (mut others, mut first_other, mut first_query) = (0, None, None);
    loop {
        match editor.next_entry() {
            Ok(Some(mut entry)) => {
                // Entries that are left out do not count for the output.
                if entry.record().byte_range().end > Limits::BYTES {
                    return Err(too_large());
                }
                if rebase.apply(entry.loc()).is_none() {
                    others += 1;
                    first_other.get_or_insert_with(|| entry.loc().to_owned());
                } else if entry.record().kind() == Kind::SitemapIndex && entry.loc().contains('?') {
                    first_query.get_or_insert_with(|| entry.loc().to_owned());
                }
                if let Err(error) = entry.rebase(&mut rebase) {
                    skipped += 1;
                    first_problem.get_or_insert_with(|| error.to_string());
                    entry.delete();
                }
            }
            Ok(None) => break,
            Err(error) if error.kind() == ErrorKind::Data && !error.ends_reading() => {
                unreadable += 1;
                first_problem.get_or_insert_with(|| error.to_string());
            }
            Err(error) => return Err(reason(&editor, &error)),
        }
    }
    if let Err(error) = editor.try_finish() {
        return Err(reason(&editor, &error));
    }
    let output = editor.finish().map_err(|error| error.to_string())?;
    Ok(Document {
        rendered: output.finish().map_err(|error| error.to_string())?,
        skipped,
        unreadable,
        first_problem,
        others,
        first_other,
        first_query,
    })
}

fn reason(editor: &Editor<Box<dyn Read>, Output>, error: &sitemap_serde::Error) -> String {
    match &editor.get_ref().too_large {
        Some(reason) => reason.clone(),
        None => error.to_string(),
    }
}

fn too_large() -> String {
    format!("it has more than {} bytes (P-SIZE)", grouped(Limits::BYTES))
}

/// A reader that fails after a time, since nothing else ends a thread.
struct UntilEnd<R> {
    reader: R,
    end: Option<Instant>,
}

impl<R: Read> Read for UntilEnd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.end.is_some_and(|end| Instant::now() >= end) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.reader.read(buffer)
    }
}

/// The edited document, compressed, up to the size limit.
struct Output {
    too_large: Option<String>,
    encoder: GzEncoder<Vec<u8>>,
    hash: Hashing,
    length: u64,
}

impl Output {
    fn new() -> Self {
        Output {
            too_large: None,
            encoder: encoder(),
            hash: Hashing::default(),
            length: 0,
        }
    }

    fn finish(self) -> io::Result<Rendered> {
        let gzip = self.encoder.finish()?;
        Ok(Rendered::of_file(gzip, self.length, self.hash.finish()))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.length + bytes.len() as u64;
        if length > Limits::BYTES {
            let message = too_large();
            self.too_large = Some(message.clone());
            return Err(io::Error::other(message));
        }
        self.encoder.write_all(bytes)?;
        self.hash.update(bytes);
        self.length = length;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
