//! Finds the sitemaps in a folder, and reports the files that are not read.
//!
//! **Indexes and robots.txt decide which files of a folder are read.** The walk follows links, visits each folder once, and asks
//! `sitemap_site::SetFiles` for files that a set has dropped. `listed` matches the URLs of indexes and of robots.txt with the paths of
//! files. The URL of a folder is unknown, so a URL refers to the file with the most trailing segments in common; the rest of the URL is the
//! folder's. A missing listed file, an unreadable folder and a FIFO become inputs that fail to open, so commands treat them like unreadable
//! documents. Files are compared by their places, with all links resolved, so a listed path may lead through a link.
//!
//! Pages found only in unlisted files make the set incomplete: every command says so, with status 1, and `diff` and `submit` never report
//! such a page as removed (`Unlisted`). A urlset named `sitemap.xml` lists only itself. Old parts of a set next to it are therefore
//! unlisted if the set's manifest was not deployed. `lint` and `index` read all files, because they look for unlisted ones.

mod listed;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, DirEntry, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use sitemap_serde::format::{Format, sniff};
use sitemap_site::{ErrorKind, SetFiles};

use crate::input::{Input, counted, grouped, head, shown};
use crate::outputs::Outputs;

pub(crate) use listed::{Unlisted, index, is_index};

/// The sitemaps of a folder to read. Files that a set has dropped are never read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All sitemaps.
    Whole,
    /// The indexes, and the files listed in them and in robots.txt; all sitemaps if none is listed.
    Listed,
}

/// The sitemaps of a folder.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The documents, sorted by name. Unreadable ones are included; opening them fails.
    pub(crate) documents: Vec<Document>,
    /// The URLs found only in unlisted files, which are not read.
    pub(crate) unlisted: Unlisted,
    /// The names of the outputs of the command, which are not read.
    pub(crate) outputs: Vec<String>,
}

/// A document of a folder.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) input: Input,
    /// The path below the folder.
    below: PathBuf,
    /// The path of the file, with links resolved. Empty if there is no file.
    pub(crate) place: PathBuf,
    /// `true` if the command writes the file, and so does not read it.
    is_output: bool,
}

/// Finds the sitemaps in a folder, at any depth, and prints which files are not read. Follows links; skips hidden files and folders.
pub(crate) fn read(folder: &Path, scope: Scope, outputs: &Outputs) -> Found {
    let mut walk = Walk {
        root: folder.to_owned(),
        outputs,
        documents: Vec::new(),
        robots: Vec::new(),
        published: Vec::new(),
        visited: HashSet::new(),
        links: Vec::new(),
        notes: Notes::default(),
    };
    walk.link(folder);
    // A folder is read under its own name before links to it.
    while !walk.links.is_empty() {
        for link in std::mem::take(&mut walk.links) {
            walk.link(&link);
        }
    }
    walk.documents.sort_by(|a, b| a.below.cmp(&b.below));
    // A set that is alone in its folder is split again.
    if walk.outputs.are_a_set() && walk.documents.iter().all(|document| document.is_output) {
        walk.documents
            .iter_mut()
            .for_each(|document| document.is_output = false);
    }
    let outputs = walk.documents.iter().filter(|document| document.is_output);
    let outputs: Vec<PathBuf> = outputs.map(|document| document.below.clone()).collect();
    let mut found = match scope {
        Scope::Whole => {
            let mut documents = std::mem::take(&mut walk.documents);
            documents.retain(|document| !document.is_output);
            let all = paths(&documents);
            Found {
                documents: walk.without_copies(documents, &all),
                ..Found::default()
            }
        }
        Scope::Listed => walk.listed(),
    };
    found.outputs = outputs.iter().map(|below| shown(&folder.join(below))).collect();
    if scope == Scope::Listed {
        walk.notes.outputs = outputs;
    }
    // A folder without sitemaps is an error, which the caller reports.
    if !found.documents.is_empty() {
        walk.notes.print(folder);
    }
    found
}

/// The files of a folder that are not read, by their paths below it.
#[derive(Debug, Default)]
struct Notes {
    /// Files named like texts or feeds, with other content.
    others: Vec<PathBuf>,
    dropped: Vec<PathBuf>,
    /// The outputs of the command.
    outputs: Vec<PathBuf>,
    unlisted: Vec<PathBuf>,
    broken_links: Vec<PathBuf>,
    /// Compressed files with the same content as the file next to them.
    copies: Vec<PathBuf>,
    /// Compressed files that differ from the file next to them. Both are read.
    others_of_name: Vec<PathBuf>,
    /// URLs of listed sitemaps outside the folder, as far as its URL is known.
    elsewhere: Vec<String>,
}

impl Notes {
    /// The maximum number of names to print in each list.
    const MOST: usize = 3;

    fn print(&self, folder: &Path) {
        let files = |paths: &[PathBuf], why: [&str; 2]| {
            let ([one, more], count) = (why, paths.len() as u64);
            let (are, why) = if count == 1 { ("is", one) } else { ("are", more) };
            format!(
                "{} {are} not read, since {why}: {}",
                counted(count, "file"),
                names(paths)
            )
        };
        let links = match self.broken_links.len() {
            1 => "1 link leads".to_owned(),
            count => format!("{} lead", counted(count as u64, "link")),
        };
        let links = format!("{links} nowhere: {}", names(&self.broken_links));
        let elsewhere = match self.elsewhere.len() {
            1 => "1 listed sitemap is".to_owned(),
            count => format!("{} are", counted(count as u64, "listed sitemap")),
        };
        let elsewhere = format!(
            "{elsewhere} elsewhere: {}",
            first(self.elsewhere.iter().cloned(), self.elsewhere.len())
        );
        let outputs = ["it is the output", "they are the output"];
        let dropped = ["the set lists it no more", "the set lists them no more"];
        let unlisted = [
            "no index and no robots.txt lists it",
            "no index and no robots.txt lists them",
        ];
        let others = ["it is no sitemap", "they are no sitemaps"];
        let copies = ["it is a compressed copy", "they are compressed copies"];
        let others_of_name = match self.others_of_name.len() {
            1 => "1 compressed file differs from the one beside it, and both are read".to_owned(),
            count => format!(
                "{} differ from those beside them, and all are read",
                counted(count as u64, "compressed file")
            ),
        };
        let others_of_name = format!("{others_of_name}: {}", names(&self.others_of_name));
        let notes = [
            (self.outputs.len(), files(&self.outputs, outputs)),
            (self.dropped.len(), files(&self.dropped, dropped)),
            (self.unlisted.len(), files(&self.unlisted, unlisted)),
            (self.others.len(), files(&self.others, others)),
            (self.copies.len(), files(&self.copies, copies)),
            (self.others_of_name.len(), others_of_name),
            (self.broken_links.len(), links),
            (self.elsewhere.len(), elsewhere),
        ];
        let notes = notes.into_iter().filter(|(count, _)| *count > 0);
        let notes: Vec<_> = notes.map(|(_, note)| note).collect();
        if !notes.is_empty() {
            print_note!("note: {}: {}", shown(folder), notes.join("; "));
        }
    }
}

fn names(paths: &[PathBuf]) -> String {
    first(paths.iter().map(|path| shown(path)), paths.len())
}

/// Lists the first names, and counts the rest.
fn first(names: impl Iterator<Item = String>, count: usize) -> String {
    let first = names.take(Notes::MOST).collect::<Vec<_>>().join(", ");
    match count.saturating_sub(Notes::MOST) {
        0 => first,
        more => format!("{first} and {} more", grouped(more as u64)),
    }
}

/// The kind of file that a name implies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sitemap,
    Robots,
    Text,
    Feed,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        if name == "robots.txt" {
            return Some(Kind::Robots);
        }
        let plain = name.strip_suffix(".gz").unwrap_or(&name);
        match Path::new(plain).extension()?.to_str()? {
            "xml" => Some(Kind::Sitemap),
            "txt" => Some(Kind::Text),
            "rss" | "atom" | "rdf" => Some(Kind::Feed),
            _ => None,
        }
    }

    /// Returns `true` if a file starts like this kind, after decompression if necessary. Unreadable files also count; they are reported
    /// when they are read.
    fn has(self, path: &Path) -> bool {
        match self {
            Kind::Sitemap | Kind::Robots => true,
            Kind::Text => File::open(path)
                .and_then(head)
                .map_or(true, |head| is_list(&head)),
            Kind::Feed => File::open(path)
                .and_then(head)
                .map_or(true, |head| sniff(&head).is_feed()),
        }
    }
}

fn unreadable(error: &io::Error) -> String {
    format!("the directory cannot be read: {error}")
}

/// Returns `true` if a path may exist: its folder is private, or it is too long.
fn is_unread(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidFilename
    )
}

/// Returns `true` if a compressed file has the content of another one.
fn is_copy(compressed: &Path, plain: &Path) -> io::Result<bool> {
    let mut compressed = BufReader::new(MultiGzDecoder::new(BufReader::new(File::open(compressed)?)));
    let mut plain = BufReader::new(File::open(plain)?);
    loop {
        let (a, b) = (compressed.fill_buf()?, plain.fill_buf()?);
        let len = a.len().min(b.len());
        if len == 0 {
            return Ok(a.len() == b.len());
        }
        if a[..len] != b[..len] {
            return Ok(false);
        }
        compressed.consume(len);
        plain.consume(len);
    }
}

/// Returns `true` if a text is a sitemap: its first line is a URL. Other texts, such as licenses, contain URLs too.
fn is_list(head: &[u8]) -> bool {
    let first = head.trim_ascii_start().split(|byte| *byte == b'\n').next();
    first.is_some_and(|line| sniff(line) == Format::Text)
}

/// Returns the paths of documents below the folder.
fn paths(documents: &[Document]) -> HashSet<PathBuf> {
    documents.iter().map(|document| document.below.clone()).collect()
}

/// The walk through a folder.
struct Walk<'o> {
    root: PathBuf,
    outputs: &'o Outputs,
    documents: Vec<Document>,
    robots: Vec<PathBuf>,
    /// The files of sets, by their paths below the root.
    published: Vec<PathBuf>,
    /// The visited folders, with links resolved.
    visited: HashSet<PathBuf>,
    /// Links to folders, which are read last.
    links: Vec<PathBuf>,
    notes: Notes,
}

impl Walk<'_> {
    /// Reads a folder whose path may contain links.
    fn link(&mut self, path: &Path) {
        match fs::canonicalize(path) {
            Ok(place) => self.folder(path, &place),
            Err(error) => self.unread(path, unreadable(&error)),
        }
    }

    /// Reads a folder. `place` is its path with links resolved.
    fn folder(&mut self, path: &Path, place: &Path) {
        if !self.visited.insert(place.to_owned()) {
            return;
        }
        let is_in_place = path.join(".sitemap").is_dir();
        let (set, is_root) = match SetFiles::find(path) {
            Ok(set) => {
                let is_root = set.as_ref().is_some_and(|set| set.folder != path);
                (set, is_root)
            }
            Err(error) => {
                let is_root = !is_in_place && path.join("generations").is_dir();
                // A manifest may be private. The index lists the same files.
                if !is_root && error.kind() != ErrorKind::Io {
                    self.unread(path, error.to_string());
                }
                (None, is_root)
            }
        };
        if is_root {
            // Only the set's current generation is public.
            return self.link(&path.join("current"));
        }
        let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.unread(path, unreadable(&error)),
        };
        entries.sort_by_key(DirEntry::file_name);
        let (listed, dropped) = set.map(|set| (set.listed, set.dropped)).unwrap_or_default();
        let dropped: HashSet<OsString> = dropped.into_iter().map(OsString::from).collect();
        for entry in &entries {
            if dropped.contains(&entry.file_name()) {
                self.notes.dropped.push(self.below(&entry.path()));
            } else {
                self.entry(entry, place);
            }
        }
        let below = self.below(path);
        self.published.extend(listed.iter().map(|name| below.join(name)));
    }

    fn entry(&mut self, entry: &DirEntry, place: &Path) {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') {
            return;
        }
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        let kind = Kind::of(&name);
        let is_file = match fs::metadata(&path) {
            Ok(found) if found.is_dir() && is_link => return self.links.push(path),
            Ok(found) if found.is_dir() => return self.folder(&path, &place.join(entry.file_name())),
            Ok(found) => found.is_file(),
            // Opening the file reports the error.
            Err(_) if kind.is_some() => true,
            Err(error) if is_link && !is_unread(&error) => {
                return self.notes.broken_links.push(self.below(&path));
            }
            // It may be a folder, or lead to one.
            Err(error) if !entry.file_type().is_ok_and(|kind| kind.is_file()) => {
                return self.unread(&path, error.to_string());
            }
            Err(_) => false,
        };
        match kind {
            None => {}
            Some(_) if !is_file => {
                self.unread(&path, "it is a FIFO or a device: name it to read it".to_owned());
            }
            Some(Kind::Robots) => self.robots.push(path),
            Some(kind) if kind.has(&path) => {
                let place = if is_link {
                    fs::canonicalize(&path).unwrap_or_default()
                } else {
                    place.join(entry.file_name())
                };
                let input = Input::file(&path);
                self.document(input, &path, place);
            }
            Some(_) => self.notes.others.push(self.below(&path)),
        }
    }

    /// Removes compressed copies of files that are read, such as `a.xml.gz` with the content of `a.xml`. Servers may send them in place of
    /// the file.
    fn without_copies(&mut self, documents: Vec<Document>, read: &HashSet<PathBuf>) -> Vec<Document> {
        let (copies, documents): (Vec<_>, Vec<_>) = documents.into_iter().partition(|document| {
            let path = document.input.path();
            let is_gzip = path
                .and_then(Path::extension)
                .is_some_and(|end| end.eq_ignore_ascii_case("gz"));
            if !is_gzip || !read.contains(&document.below.with_extension("")) {
                return false;
            }
            let is_copy = path.map(|path| is_copy(path, &path.with_extension("")));
            if matches!(is_copy, Some(Ok(false))) && read.contains(&document.below) {
                self.notes.others_of_name.push(document.below.clone());
            }
            matches!(is_copy, Some(Ok(true)))
        });
        self.notes
            .copies
            .extend(copies.into_iter().map(|document| document.below));
        documents
    }

    fn unread(&mut self, path: &Path, problem: String) {
        let input = Input::unread(shown(path), problem);
        self.document(input, path, PathBuf::new());
    }

    fn document(&mut self, input: Input, path: &Path, place: PathBuf) {
        let below = self.below(path);
        let is_output = !place.as_os_str().is_empty() && self.outputs.contains(&place);
        self.documents.push(Document {
            input,
            below,
            place,
            is_output,
        });
    }

    fn below(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root).unwrap_or(path).to_owned()
    }
}
