//! Input documents: files, directories, standard input, URLs.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::{Display, Write as _};
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
#[cfg(feature = "http")]
use std::io::{BufRead, BufReader};
#[cfg(feature = "http")]
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "http")]
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::{Context, Result};
use sitemap_serde::format::{Format as DocumentFormat, sniff};
use sitemap_serde::lint::Response;
use sitemap_serde::{Error, ErrorKind};
#[cfg(feature = "http")]
use sitemap_serde::{ReaderBuilder, Record};
#[cfg(feature = "http")]
use sitemap_tree::Head;

use crate::filters;
use crate::folder::{self, Scope, Unlisted};
use crate::formats::{self, Decoded};
use crate::live::connection::Connection;
use crate::live::{Live, Resume};
use crate::missing;
pub(crate) use crate::numbers::{counted, grouped};
use crate::outputs::Outputs;
use crate::unread::{Unread, unread_entries};
pub(crate) use crate::url_parts::{bytes, url};
use crate::words::argument;

/// A document that can be opened more than once. Input that can be read only once is kept in memory.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// The name for messages.
    pub(crate) name: String,
    place: Place,
    received: Option<Box<Received>>,
    /// The indexes of a folder above the document, nearest first.
    listers: Vec<String>,
    /// The unreadable part of an index.
    damage: Option<Damage>,
}

/// The name of standard input.
pub(crate) const STDIN: &str = "<stdin>";

/// The error for `-` given twice.
pub(crate) const TWICE: &str = "- is named twice, and standard input can be read only once";

/// A document whose rows are entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Csv,
    JsonLines,
    /// An array of objects.
    Json,
}

impl Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Table::Csv => "CSV",
            Table::JsonLines => "JSON lines",
            Table::Json => "JSON",
        })
    }
}

/// Facts from the HTTP response of a document.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    /// The `Last-Modified` time.
    pub(crate) modified: Option<SystemTime>,
    pub(crate) response: Response,
    /// The URLs of the indexes above it, nearest first.
    pub(crate) listers: Vec<String>,
    #[cfg(feature = "http")]
    pub(crate) head: Head,
    /// The part of an index that the walk could not read.
    pub(crate) damage: Option<Damage>,
}

/// The unreadable part of an index. The sitemaps listed there are not read either.
#[derive(Clone, Debug)]
pub(crate) enum Damage {
    /// The index could not be read to its end.
    Document(String),
    /// The number of unreadable entries, and the first problem.
    Entries(u64, String),
}

/// The error for a table given in place of a sitemap.
#[derive(Debug)]
struct IsTable(String);

impl Display for IsTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for IsTable {}

fn is_table(error: &io::Error) -> bool {
    let inner = error.get_ref();
    inner.and_then(|inner| inner.downcast_ref::<IsTable>()).is_some()
}

/// Returns the text of an error, without "cannot open" for a table, which was opened.
pub(crate) fn without_opening(error: &Error) -> String {
    let text = error.to_string();
    match text.strip_prefix("cannot open ") {
        Some(text) if error.io_error().is_some_and(is_table) => text.to_owned(),
        _ => text,
    }
}

#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    /// Standard input, a FIFO or a device.
    Memory(Arc<[u8]>),
    /// A document from a URL. The file has no name, and disappears with its last handle or with the process.
    #[cfg(feature = "http")]
    Loaded(Arc<Mutex<File>>),
    /// A short document from a URL.
    #[cfg(feature = "http")]
    Received(Arc<[u8]>),
    /// The reason why the document could not be loaded, or found in a folder.
    Unread(Arc<str>),
}

/// Reads a file that other threads may read at the same time.
#[cfg(feature = "http")]
struct LoadedReader {
    file: Arc<Mutex<File>>,
    at: u64,
}

#[cfg(feature = "http")]
impl Read for LoadedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Input {
    /// Returns a file, a document at a URL, or standard input for `-`, which is read to its end.
    pub(crate) fn of(path: &Path, connection: &Connection) -> Result<Self> {
        let Some(url) = url(path) else {
            return Input::local(path);
        };
        let input = Live::document(connection)
            .inputs(url, Scope::Listed)?
            .into_iter()
            .next();
        input.with_context(|| format!("cannot read {url}"))
    }

    /// Returns a file, or standard input for `-`, which is read to its end.
    pub(crate) fn local(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            let mut bytes = Vec::new();
            io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .context("cannot read standard input")?;
            return Ok(Input::at(STDIN.to_owned(), Place::Memory(bytes.into())));
        }
        let name = shown(path);
        let is_stream = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
        let place = if is_stream {
            let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
            Place::Memory(bytes.into())
        } else {
            Place::File(path.to_owned())
        };
        Ok(Input::at(name, place))
    }

    /// Returns a file.
    pub(crate) fn file(path: &Path) -> Self {
        Input::at(shown(path), Place::File(path.to_owned()))
    }

    fn at(name: String, place: Place) -> Self {
        Input {
            name,
            place,
            received: None,
            listers: Vec::new(),
            damage: None,
        }
    }

    /// Returns a document from a URL.
    #[cfg(feature = "http")]
    pub(crate) fn loaded(url: String, file: File) -> Self {
        Input::at(url, Place::Loaded(Arc::new(Mutex::new(file))))
    }

    /// Returns a short document from a URL.
    #[cfg(feature = "http")]
    pub(crate) fn received(url: String, bytes: Vec<u8>) -> Self {
        Input::at(url, Place::Received(bytes.into()))
    }

    /// Returns a document that could not be loaded, or was not found in a folder.
    pub(crate) fn unread(name: String, problem: String) -> Self {
        Input::at(name, Place::Unread(problem.into()))
    }

    /// Returns the known reason why the document cannot be opened.
    pub(crate) fn problem(&self) -> Option<&str> {
        match &self.place {
            Place::Unread(problem) => Some(problem),
            _ => None,
        }
    }

    /// Records the indexes of a folder above the document, nearest first.
    pub(crate) fn listed_in(&mut self, indexes: Vec<String>) {
        self.listers = indexes;
    }

    /// Records the unreadable part of an index.
    pub(crate) fn damage(&mut self, damage: Damage) {
        self.damage = Some(damage);
    }

    /// Attaches the response of the document.
    #[cfg(feature = "http")]
    pub(crate) fn of_response(self, received: Received) -> Self {
        let received = Some(Box::new(received));
        Input { received, ..self }
    }

    /// Returns the last URL of the document, after redirects.
    #[cfg(feature = "http")]
    pub(crate) fn last_url(&self) -> &str {
        let target = self
            .received
            .as_ref()
            .and_then(|received| received.response.redirected_to.as_deref());
        target.unwrap_or(&self.name)
    }

    /// Returns the document as it was found at a URL that is redirected to another one, or is that.
    #[cfg(feature = "http")]
    pub(crate) fn found_at(mut self, url: &str, end: &str, is_in_index: bool) -> Self {
        url.clone_into(&mut self.name);
        if let Some(received) = &mut self.received {
            received.response.redirected_to = (url != end).then(|| end.to_owned());
            received.response.is_in_index = is_in_index;
        }
        self
    }

    /// Marks the document as the redirect to another one.
    #[cfg(feature = "http")]
    pub(crate) fn of_other(mut self) -> Self {
        if let Some(received) = &mut self.received {
            received.response.is_of_other = true;
        }
        self
    }

    /// Decompresses a compressed document to its end. Returns the problem if it is damaged.
    #[cfg(feature = "http")]
    pub(crate) fn damaged_compression(&self) -> Option<String> {
        let mut body = BufReader::new(self.open_any().ok()?);
        let is_compressed = body
            .fill_buf()
            .is_ok_and(|start| start.starts_with(&[0x1F, 0x8B]));
        let mut text = is_compressed.then(|| formats::Gunzip::new(body))?;
        io::copy(&mut text, &mut io::sink())
            .err()
            .map(|error| error.to_string())
    }

    /// Returns the response of the document.
    pub(crate) fn response(&self) -> Option<&Received> {
        self.received.as_deref()
    }

    /// Returns the table format that the file's name implies, if any.
    pub(crate) fn table(&self) -> Option<Table> {
        let Place::File(path) = &self.place else {
            return None;
        };
        formats::of_name(path)?.table()
    }

    /// Opens a sitemap.
    ///
    /// # Errors
    /// The document cannot be opened, or [`check_format`](Self::check_format) fails.
    pub(crate) fn open(&self) -> io::Result<Box<dyn Read>> {
        self.check_format()?;
        self.open_any()
    }

    /// Prints a note if the lines of a text sitemap look like rows.
    pub(crate) fn note_rows(&self) {
        // Read errors are reported when the entries are read.
        if let Ok(start) = self.open_any().and_then(head) {
            formats::note_rows(self, &start);
        }
    }

    /// Returns an error for a table, by its name or its beginning. Otherwise its lines would be read as a text sitemap.
    pub(crate) fn check_format(&self) -> io::Result<()> {
        if let Some(format) = formats::said() {
            return format
                .table()
                .map_or(Ok(()), |table| Err(self.is_table(table, "`--from`")));
        }
        let (table, by) = match self.table() {
            Some(table) => (table, "its name"),
            None => match head(self.open_any()?).as_deref().map(formats::table) {
                Ok(Some(table)) => (table, "its beginning"),
                // Read errors are reported when the entries are read.
                _ => return Ok(()),
            },
        };
        Err(self.is_table(table, by))
    }

    fn is_table(&self, table: Table, by: &str) -> io::Error {
        let path = if self.name == STDIN { "-" } else { &self.name };
        let from = match formats::said() {
            Some(format) => format!(" --from {}", format.as_str()),
            None => String::new(),
        };
        io::Error::other(IsTable(format!(
            "by {by} this is {table}: `sitemap convert {}{from} --to xml` makes a sitemap of it",
            argument(path)
        )))
    }

    /// Like [`open`](Self::open), with the document's name in the error.
    pub(crate) fn open_named(&self) -> Result<Box<dyn Read>> {
        self.open().map_err(|error| {
            let context = if is_table(&error) {
                self.name.clone()
            } else {
                format!("cannot open {}", self.name)
            };
            anyhow::Error::from(error).context(context)
        })
    }

    /// Returns `true` if the document starts like JSON without a loc. Servers send errors in this form, with status 200.
    #[cfg(feature = "http")]
    pub(crate) fn is_other_json(&self) -> bool {
        let Ok(head) = self.open_any().and_then(head) else {
            return false;
        };
        formats::table(&head) == Some(Table::JsonLines) && !head.windows(5).any(|window| window == b"\"loc\"")
    }

    /// Opens a document of any format.
    pub(crate) fn open_any(&self) -> io::Result<Box<dyn Read>> {
        Ok(match &self.place {
            Place::File(path) => Box::new(File::open(path).map_err(|error| missing::explain(path, error))?),
            Place::Memory(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
            #[cfg(feature = "http")]
            Place::Received(bytes) => self.decoded(Cursor::new(Arc::clone(bytes))),
            #[cfg(feature = "http")]
            Place::Loaded(file) => self.decoded(LoadedReader {
                file: Arc::clone(file),
                at: 0,
            }),
            Place::Unread(problem) => return Err(io::Error::other(problem.to_string())),
        })
    }

    /// Returns the response's body, decoded by its `Content-Encoding`.
    #[cfg(feature = "http")]
    fn decoded(&self, body: impl Read + 'static) -> Box<dyn Read> {
        match &self.received {
            Some(received) => Box::new(received.head.body(body)),
            None => Box::new(body),
        }
    }

    /// Returns the document's URL, if it was loaded from one.
    pub(crate) fn url(&self) -> Option<&str> {
        match &self.place {
            Place::File(_) | Place::Memory(_) => None,
            Place::Unread(_) => url(Path::new(&self.name)),
            #[cfg(feature = "http")]
            Place::Loaded(_) | Place::Received(_) => Some(&self.name),
        }
    }

    /// Returns a URL of the document's content, resolved against the document's own URL. `None` if it is relative and cannot be resolved.
    pub(crate) fn absolute<'l>(&self, loc: &'l str) -> Option<Cow<'l, str>> {
        if loc.contains("://") && !loc.starts_with(['/', '?', '#', '.']) {
            return Some(loc.into());
        }
        #[cfg(feature = "http")]
        if let Some(base) = self.url() {
            let url = url::Url::parse(base).and_then(|base| base.join(loc));
            return url.ok().map(|url| String::from(url).into());
        }
        None
    }

    /// Reports the unreadable part of an index. For commands that ignore its entries, because they read the listed documents.
    ///
    /// # Errors
    /// The index could not be read to its end.
    pub(crate) fn check_index(&self, unread: &mut Unread) -> Result<()> {
        let received = self.received.as_deref();
        let of_walk = received.and_then(|received| received.damage.as_ref());
        match self.damage.as_ref().or(of_walk) {
            None => {}
            Some(Damage::Document(problem)) => anyhow::bail!("{}: {problem}", self.name),
            Some(Damage::Entries(count, problem)) => {
                unread.entry(&self.name, unread_entries(*count, problem));
                unread.entries += count - 1;
            }
        }
        Ok(())
    }

    /// Returns the names of the indexes above the document, nearest first.
    pub(crate) fn indexes(&self) -> &[String] {
        self.received
            .as_deref()
            .map_or(&*self.listers, |received| &received.listers)
    }

    /// Counts the entries of the document.
    #[cfg(feature = "http")]
    pub(crate) fn reading(&self) -> Reading {
        let (mut entries, mut unread) = (0, Unread::default());
        let result = self.open_any().map_err(Error::from).and_then(|opened| {
            let mut reader = ReaderBuilder::new().other_formats(true).from_reader(opened);
            let mut record = Record::new();
            loop {
                match reader.read_record(&mut record) {
                    Ok(true) => entries += 1,
                    Ok(false) => return Ok(()),
                    Err(error) if error.ends_reading() => return Err(error),
                    Err(error) => {
                        unread.entries += 1;
                        unread.problem.get_or_insert_with(|| error.to_string());
                    }
                }
            }
        });
        if let Err(error) = result {
            unread.documents += 1;
            unread.problem.get_or_insert_with(|| error.to_string());
        }
        Reading::of(entries).with(&unread)
    }

    /// Returns the path, for a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        if let Place::File(path) = &self.place {
            Some(path)
        } else {
            None
        }
    }
}

/// Formats a path for messages: with slashes on every system, without `./`.
pub(crate) fn shown(path: &Path) -> String {
    let mut text = path.display().to_string();
    if cfg!(windows) {
        text = text.replace('\\', "/");
    }
    text.strip_prefix("./").map_or(text.clone(), str::to_owned)
}

/// Formats a path for URLs: with slashes, without `./`, and percent-encoded, even if its bytes are not UTF-8.
pub(crate) fn url_path(path: &Path) -> String {
    let mut out = String::new();
    for &byte in bytes(path.strip_prefix(".").unwrap_or(path)).iter() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                out.push(byte.into());
            }
            byte => {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// Reads a document. Several threads read the documents of a site.
pub(crate) type ReadInput<'r> = dyn Fn(&Input) -> Result<Reading> + Sync + 'r;

/// The result of reading a document.
#[derive(Clone, Debug, Default)]
#[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only walks use it"))]
pub(crate) struct Reading {
    /// The number of entries.
    pub(crate) entries: u64,
    /// The number of entries that could not be read.
    pub(crate) unreadable: u64,
    /// `true` if the document was read to its end.
    pub(crate) is_whole: bool,
    /// The first problem, if a command with `--save` could not read everything. The next run then reads the document again.
    pub(crate) problem: Option<String>,
}

impl Reading {
    /// Returns the reading of an intact document with this number of entries.
    pub(crate) fn of(entries: u64) -> Self {
        Reading {
            entries,
            is_whole: true,
            ..Reading::default()
        }
    }

    /// Adds the problems of a document.
    pub(crate) fn with(self, unread: &Unread) -> Self {
        Reading {
            unreadable: unread.entries,
            is_whole: unread.documents == 0,
            problem: unread.problem.clone(),
            ..self
        }
    }
}

/// A document named by an argument, or the documents at a URL.
#[derive(Debug)]
pub(crate) enum Named<'p> {
    Url(&'p str),
    Input(Input),
}

impl Named<'_> {
    /// Returns the name for messages.
    pub(crate) fn name(&self) -> &str {
        match self {
            Named::Url(url) => url,
            Named::Input(input) => &input.name,
        }
    }
}

/// The documents named by the arguments.
#[derive(Debug, Default)]
pub(crate) struct Documents<'p> {
    pub(crate) list: Vec<Named<'p>>,
    /// The unread URLs of each folder, found only in unlisted files.
    unlisted: Vec<Unlisted>,
}

impl Documents<'_> {
    /// Returns the number of unread URLs in folders.
    pub(crate) fn unlisted(&self) -> u64 {
        self.unlisted.iter().map(Unlisted::count).sum()
    }
}

/// Documents that can be read any number of times.
#[derive(Debug)]
pub(crate) struct Inputs {
    pub(crate) list: Vec<Input>,
    unlisted: Vec<Unlisted>,
}

impl Inputs {
    /// Returns `true` if pages are left unread because only unlisted files contain them.
    pub(crate) fn has_unlisted(&self) -> bool {
        self.unlisted.iter().any(|unlisted| unlisted.count() > 0)
    }

    /// Returns `true` if a page occurs only in unlisted files.
    pub(crate) fn is_unlisted(&self, loc: &str) -> bool {
        self.unlisted.iter().any(|unlisted| unlisted.contains(loc))
    }
}

/// Returns the documents named by the arguments, for reading any number of times. Documents at URLs are loaded by `live`.
pub(crate) fn inputs(paths: &[PathBuf], scope: Scope, live: &Live, outputs: &Outputs) -> Result<Inputs> {
    let Documents { list, unlisted } = named(paths, scope, outputs)?;
    let mut found = Vec::new();
    for named in list {
        match named {
            Named::Url(url) => found.append(&mut live.inputs(url, scope)?),
            Named::Input(input) => found.push(input),
        }
    }
    Ok(Inputs {
        list: found,
        unlisted,
    })
}

/// Returns an error if an option for URLs is used without one, or if a request option does not fit the URLs. `sends` is `true` for a command that
/// also sends other requests.
pub(crate) fn check_urls<'p>(
    live: &Live,
    paths: impl IntoIterator<Item = &'p Path>,
    sends: bool,
) -> Result<()> {
    let paths: Vec<&Path> = paths.into_iter().collect();
    if live.is_of_sites() && !paths.iter().any(|path| url(path).is_some()) {
        anyhow::bail!("--site is for a site at a URL, such as https://example.com/");
    }
    live.check(paths, sends)
}

/// Reads each document once; documents at URLs as soon as they are loaded. Returns the number of documents.
pub(crate) fn read_each(
    documents: Vec<Named<'_>>,
    live: &Live,
    resume: &Resume,
    read: &ReadInput<'_>,
) -> Result<u64> {
    check_urls(live, documents.iter().map(|named| Path::new(named.name())), false)?;
    let mut count = 0;
    for named in documents {
        match named {
            Named::Url(url) => count += live.each(url, resume, read)?,
            Named::Input(input) => {
                read(&input)?;
                count += 1;
            }
        }
    }
    Ok(count)
}

/// Returns the documents named by the arguments: URLs, files, and the sitemaps of folders, except `outputs`. Each file occurs once.
///
/// # Errors
/// Standard input cannot be read, or the only argument is a folder without sitemaps.
pub(crate) fn named<'p>(paths: &'p [PathBuf], scope: Scope, outputs: &Outputs) -> Result<Documents<'p>> {
    if paths.iter().filter(|path| *path == Path::new("-")).count() > 1 {
        anyhow::bail!("{TWICE}");
    }
    let mut all = Documents::default();
    let mut seen = HashSet::new();
    for path in paths {
        if let Some(url) = url(path) {
            all.list.push(Named::Url(url));
        } else if path.is_dir() {
            let found = folder::read(path, scope, outputs);
            all.unlisted.push(found.unlisted);
            if found.documents.is_empty() {
                let problem = match found.outputs.first() {
                    Some(output) => format!("nothing to read but the output, {output}"),
                    None => "no file named .xml or .xml.gz, no text sitemap and no feed".to_owned(),
                };
                if paths.len() == 1 {
                    anyhow::bail!("{} has {problem}", path.display());
                }
                let input = Input::unread(shown(path), format!("it has {problem}"));
                all.list.push(Named::Input(input));
            }
            let is_new = |document: &folder::Document| {
                document.place.as_os_str().is_empty() || seen.insert(document.place.clone())
            };
            let documents = found.documents.into_iter().filter(is_new);
            let inputs = documents.map(|document| document.input).filter(is_chosen);
            all.list.extend(inputs.map(Named::Input));
        } else if fs::canonicalize(path).map_or(true, |place| seen.insert(place)) {
            all.list.push(Named::Input(Input::local(path)?));
        }
    }
    Ok(all)
}

/// Returns `true` if a document of a folder is read. Indexes always are.
fn is_chosen(input: &Input) -> bool {
    let is_chosen = filters::keeps_sitemap(&input.name) || folder::is_index(input);
    if !is_chosen {
        filters::skip_document(&input.name);
    }
    is_chosen
}

/// Returns the URL of each document, from the URL of the named file or directory. `None` for a document outside it.
pub(crate) fn urls_below(url: &str, named: &Path, inputs: &[Input]) -> Vec<Option<String>> {
    if !named.is_dir() {
        return vec![Some(url.to_owned()); inputs.len()];
    }
    let base = url.trim_end_matches('/');
    let of = |input: &Input| {
        let below = input.path()?.strip_prefix(named).ok()?;
        Some(format!("{base}/{}", url_path(below)))
    };
    inputs.iter().map(of).collect()
}

/// Formats an error and its causes. Skips a cause whose text is already part of the message.
pub(crate) fn error_text(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| {
        let cause = cause.to_string();
        match () {
            () if text.is_empty() => cause,
            () if text.contains(&cause) => text,
            () => format!("{text}: {cause}"),
        }
    })
}

/// Returns `true` if a file is a sitemap, or empty.
pub(crate) fn is_sitemap(path: &Path) -> bool {
    let head = File::open(path).and_then(head).unwrap_or_default();
    let is_known = matches!(
        sniff(&head),
        DocumentFormat::UrlSet | DocumentFormat::SitemapIndex | DocumentFormat::Text
    );
    head.is_empty() || is_known
}

/// The number of bytes used to detect the format of a file.
pub(crate) const HEAD: usize = 8 << 10;

/// Reads the beginning of a document, decompressed and decoded if necessary. Damaged data is read up to the damage.
///
/// # Errors
/// Nothing can be read.
pub(crate) fn head(document: impl Read + 'static) -> io::Result<Vec<u8>> {
    let mut document = Decoded::new(Box::new(document));
    match document.take_failure() {
        Some(failure) => Err(failure),
        None => Ok(document.start().to_vec()),
    }
}

/// Returns `true` if the reader of standard output has closed the pipe.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let own = cause
            .downcast_ref::<Error>()
            .filter(|error| error.kind() == ErrorKind::Io)
            .and_then(|error| error.io_error().map(io::Error::kind));
        let of_csv = cause
            .downcast_ref::<csv::Error>()
            .and_then(|error| match error.kind() {
                csv::ErrorKind::Io(error) => Some(error.kind()),
                _ => None,
            });
        io.or(own).or(of_csv) == Some(io::ErrorKind::BrokenPipe)
    })
}
