//! The record of received pages.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use sitemap_serde::W3cDateTime;
use sitemap_submit::{Record, SentPage};

/// Files up to this number of lines are never rewritten for being too long.
const FEW: usize = 1000;

/// The largest record, in bytes: about two million pages.
const BYTES: u64 = 256 << 20;

/// A record for appending, locked for this run.
#[derive(Debug)]
pub(super) struct RecordFile {
    path: PathBuf,
    file: File,
}

impl RecordFile {
    /// Opens or creates a record. Rewrites it if a killed run has left an incomplete last line, or if more than half of the lines are
    /// obsolete.
    pub(super) fn open(path: &Path, endpoint: &str) -> Result<(Self, Record)> {
        let mut opened = RecordFile::lock(path)?;
        let text = opened.text()?;
        let record = parse(path, &text, endpoint)?;
        let lines = text.lines().count();
        if !text.ends_with('\n') || lines > FEW.max(2 * record.len()) {
            // Rewritten in place, because another file would not be locked. If this run is killed here, pages are sent again.
            opened.write(|file| {
                file.set_len(0)?;
                file.seek(SeekFrom::Start(0))?;
                file.write_all(record.text(endpoint, &now()).as_bytes())
            })?;
        }
        Ok((opened, record))
    }

    fn lock(path: &Path) -> Result<Self> {
        check(path)?;
        let mut options = OpenOptions::new();
        // Not in append mode, because Windows cannot truncate a file opened for appending.
        let opened = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let file = opened.with_context(|| format!("cannot open {}", path.display()))?;
        match file.try_lock() {
            // Without locks, another run cannot be detected.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "{} is written to by another run: run the command again when that has ended",
                path.display()
            ),
        }
        let path = path.to_owned();
        Ok(RecordFile { path, file })
    }

    fn text(&mut self) -> Result<String> {
        let mut text = String::new();
        let read = self.file.read_to_string(&mut text);
        read.with_context(|| format!("cannot read {}", self.path.display()))?;
        Ok(text)
    }

    /// Appends the pages of a request. They are on disk when this returns.
    pub(super) fn append(&mut self, pages: &[SentPage]) -> Result<()> {
        if pages.is_empty() {
            return Ok(());
        }
        let now = now();
        let lines: String = pages.iter().map(|page| page.line(&now)).collect();
        self.write(|file| {
            file.write_all(lines.as_bytes())?;
            file.sync_data()
        })
    }

    fn write(&mut self, write: impl FnOnce(&mut File) -> std::io::Result<()>) -> Result<()> {
        write(&mut self.file).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Returns an error if something other than a file of a bounded size exists: a device has no end.
fn check(path: &Path) -> Result<()> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => bail!("{shown} is not a file: a record is a file to append to"),
        Ok(found) if found.len() > BYTES => {
            bail!("{shown} is longer than 256 MiB: begin another record when all pages are sent")
        }
        _ => Ok(()),
    }
}

/// Reads a record without writing. A missing file is an empty record.
pub(super) fn read(path: &Path, endpoint: &str) -> Result<Record> {
    check(path)?;
    match fs::read_to_string(path) {
        Ok(text) => parse(path, &text, endpoint),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Record::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn parse(path: &Path, text: &str, endpoint: &str) -> Result<Record> {
    let shown = path.display();
    let record = Record::parse(text).with_context(|| format!("{shown}"))?;
    match record.endpoint() {
        Some(other) if other != endpoint => {
            bail!("{shown} is the record of another endpoint, {other}: name another file for {endpoint}")
        }
        _ => Ok(record),
    }
}

/// Returns the current time as text.
fn now() -> String {
    let now = W3cDateTime::try_from(SystemTime::now());
    now.map_or_else(|_| "-".to_owned(), |now| now.to_string())
}
