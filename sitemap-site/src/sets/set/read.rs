//! Reading a published set back, through its index.

use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use sitemap_serde::__internal::grouped;
use sitemap_serde::{IndexEntry, Kind, Limits, Reader, ReaderBuilder, UrlEntry};

use super::SitemapSet;
use crate::error::{Error, ErrorKind, Result};
use crate::sets::backend::Open;
use crate::sets::name::{TOP_FILE, is_plain};

/// Number of entries in a batch that a thread sends.
const BATCH: usize = 256;
/// Maximum number of batches that wait, per file.
const WAITING: usize = 4;
const MOST_THREADS: usize = 8;

/// The entries of a published set, read by threads.
struct SetEntries {
    files: VecDeque<(String, Receiver<Batch>)>,
    ready: VecDeque<UrlEntry>,
    failed: bool,
}

enum Batch {
    Entries(Vec<UrlEntry>),
    Failed(Error),
    /// The file was read to its end.
    End,
}

impl SitemapSet {
    /// Reads all entries of the published set, file by file in the order of the index. In a directory of generations, all entries
    /// are from one generation, even if programs commit in the meantime: a generation stays until the second commit after it.
    ///
    /// Several files are read in parallel, by threads that end when the iterator is dropped. Memory use does not depend on the size
    /// of the set. The first error is the last item.
    ///
    /// The format's limits apply: an index has at most 50,000 files (P-COUNT), a file at most 50,000 entries and 52,428,800 bytes
    /// (P-SIZE), and an index must not list an index (P-NEST). An index that lists a file outside of its directory is refused, so
    /// that no name leads outside the set.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if there is no set, [`ErrorKind::Damaged`] if the index lists files that are not part of the set,
    /// [`ErrorKind::Entry`] and [`ErrorKind::Limit`] if the index is invalid. Errors in files are items of the iterator.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    /// use sitemap_site::SitemapSet;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let root = folder.path().join("sitemaps");
    /// let set = SitemapSet::directory(&root, "https://example.com").open()?;
    /// let mut pages = set.task_writer("pages", "all")?;
    /// pages.write(None, &UrlEntry::new("/about"))?;
    /// set.commit(&[pages.finish()?])?;
    /// let entries = set.entries()?.collect::<sitemap_site::Result<Vec<_>>>()?;
    /// assert_eq!(entries, [UrlEntry::new("https://example.com/about")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entries(&self) -> Result<impl Iterator<Item = Result<UrlEntry>> + fmt::Debug + Send + use<>> {
        let open = self.shared.backend.files()?;
        let mut top = Vec::new();
        let most = Limits::BYTES;
        open(TOP_FILE)?
            .take(most + 1)
            .read_to_end(&mut top)
            .map_err(|error| {
                Error::caused(ErrorKind::Io, format!("cannot read {TOP_FILE}: {error}"), error)
            })?;
        if Reader::from_slice(&top)
            .kind()
            .map_err(|error| Error::from(error).at(TOP_FILE))?
            == Kind::UrlSet
        {
            let open: Arc<Open> = Arc::new(move |_| Ok(Box::new(std::io::Cursor::new(top.clone()))));
            return Ok(SetEntries::new(vec![TOP_FILE.to_owned()], &open));
        }
        let location = format!("{}/", self.shared.settings.location);
        let mut names = Vec::new();
        for entry in builder().from_slice(&top).deserialize::<IndexEntry>() {
            let loc = entry.map_err(|error| Error::from(error).at(TOP_FILE))?.loc;
            match loc.strip_prefix(&location).filter(|name| is_plain(name)) {
                Some(name) => names.push(name.to_owned()),
                None => {
                    return Err(Error::new(
                        ErrorKind::Damaged,
                        format!(
                            "{TOP_FILE} lists `{}`, which is not a file directly in {location}",
                            loc.escape_debug()
                        ),
                    ));
                }
            }
        }
        Ok(SetEntries::new(names, &open))
    }
}

fn builder() -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder.limits(
        Limits::reading()
            .with_entries(Limits::ENTRIES)
            .with_bytes(Limits::BYTES),
    );
    builder
}

impl SetEntries {
    fn new(names: Vec<String>, open: &Arc<Open>) -> Self {
        let (mut files, mut senders) = (VecDeque::new(), Vec::new());
        for name in names {
            let (sender, receiver) = sync_channel(WAITING);
            senders.push((name.clone(), sender));
            files.push_back((name, receiver));
        }
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let threads = threads.min(MOST_THREADS).min(senders.len());
        let queue = Arc::new((
            AtomicUsize::new(0),
            senders.into_iter().map(Slot::new).collect::<Vec<_>>(),
        ));
        for _ in 0..threads {
            let (queue, open) = (Arc::clone(&queue), Arc::clone(open));
            thread::spawn(move || {
                // Files are read in the order of the index, so that the file that the iterator waits for is always being read.
                let next = || queue.1.get(queue.0.fetch_add(1, Ordering::Relaxed))?.take();
                while let Some((name, sender)) = next() {
                    let last = match read_file(&name, &open, &sender) {
                        Ok(true) => Batch::End,
                        Ok(false) => break,
                        Err(error) => Batch::Failed(error.at(name)),
                    };
                    if sender.send(last).is_err() {
                        break;
                    }
                }
            });
        }
        SetEntries {
            files,
            ready: VecDeque::new(),
            failed: false,
        }
    }
}

/// A file to be read by a thread.
struct Slot(std::sync::Mutex<Option<(String, SyncSender<Batch>)>>);

impl Slot {
    fn new(file: (String, SyncSender<Batch>)) -> Self {
        Slot(std::sync::Mutex::new(Some(file)))
    }

    fn take(&self) -> Option<(String, SyncSender<Batch>)> {
        super::lock(&self.0).take()
    }
}

/// Reads a file to its end. Returns `false` if the receiver is gone.
fn read_file(name: &str, open: &Arc<Open>, to: &SyncSender<Batch>) -> Result<bool> {
    let file = open(name)?;
    let mut batch = Vec::with_capacity(BATCH);
    let mut push = |entry: UrlEntry| {
        batch.push(entry);
        if batch.len() < BATCH {
            return true;
        }
        let full = std::mem::replace(&mut batch, Vec::with_capacity(BATCH));
        to.send(Batch::Entries(full)).is_ok()
    };
    let read = if name.contains(".txt") {
        read_text(file, name, &mut push)
    } else {
        read_xml(file, &mut push)
    };
    // The entries before an error are sent too.
    let is_received = batch.is_empty() || to.send(Batch::Entries(batch)).is_ok();
    read.map(|is_whole| is_whole && is_received)
}

fn read_xml(file: Box<dyn Read>, push: &mut impl FnMut(UrlEntry) -> bool) -> Result<bool> {
    for entry in builder().from_reader(file).entries() {
        if !push(entry?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads a text sitemap (P-TXT1).
fn read_text(
    file: Box<dyn Read + Send>,
    name: &str,
    push: &mut impl FnMut(UrlEntry) -> bool,
) -> Result<bool> {
    let file: Box<dyn Read> = match name.rsplit_once('.') {
        #[cfg(feature = "gzip")]
        Some((_, "gz")) => Box::new(flate2::read::MultiGzDecoder::new(file)),
        _ => file,
    };
    let mut lines = BufReader::new(file.take(Limits::BYTES + 1));
    let (mut line, mut count, mut bytes) = (String::new(), 0, 0);
    loop {
        line.clear();
        let read = lines
            .read_line(&mut line)
            .map_err(|error| Error::caused(ErrorKind::Io, format!("cannot be read: {error}"), error))?;
        if read == 0 {
            return Ok(true);
        }
        bytes += read as u64;
        let url = line.trim();
        count += u64::from(!url.is_empty());
        if count > Limits::ENTRIES || bytes > Limits::BYTES {
            return Err(Error::new(
                ErrorKind::Limit,
                format!(
                    "it has more than {} lines or {} bytes (P-TXT2)",
                    grouped(Limits::ENTRIES),
                    grouped(Limits::BYTES)
                ),
            ));
        }
        if !url.is_empty() && !push(UrlEntry::new(url)) {
            return Ok(false);
        }
    }
}

impl Iterator for SetEntries {
    type Item = Result<UrlEntry>;

    fn next(&mut self) -> Option<Result<UrlEntry>> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Some(Ok(entry));
            }
            if self.failed {
                return None;
            }
            let (name, receiver) = self.files.front()?;
            match receiver.recv() {
                Ok(Batch::Entries(entries)) => self.ready = entries.into(),
                Ok(Batch::End) => drop(self.files.pop_front()),
                Ok(Batch::Failed(error)) => {
                    self.failed = true;
                    return Some(Err(error));
                }
                Err(_) => {
                    let message = format!("{name}: the thread that read it has ended");
                    self.failed = true;
                    return Some(Err(Error::new(ErrorKind::Io, message)));
                }
            }
        }
    }
}

impl fmt::Debug for SetEntries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetEntries")
            .field("files", &self.files.len())
            .finish_non_exhaustive()
    }
}
