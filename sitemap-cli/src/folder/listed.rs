//! Finds the files of a folder that its indexes and robots.txt list.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::mem;
use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_decode_str;
use sitemap_serde::__internal::normal_form;
use sitemap_serde::robots::Robots;
use sitemap_serde::{Error, Kind, Mode, Reader, ReaderBuilder, Record, source::StreamSource};

use super::{Document, Found, Walk, names, paths};
use crate::input::{Damage, Input, bytes, counted, grouped, shown};
use crate::malformed::{is_repairable, pointer, repair};
use crate::omitted::{is_cut, with_place};
use crate::url_parts::split_after_host;

/// The maximum number of URL prefixes to store for an index. An index of one site has one.
const MOST_PREFIXES: usize = 16;

impl Walk<'_> {
    /// Returns the listed documents and the indexes. Returns all documents if none is listed, or if some lists are unreadable.
    pub(super) fn listed(&mut self) -> Found {
        let mut documents = mem::take(&mut self.documents);
        let mut files = Files::of(&documents, &self.root);
        let published = mem::take(&mut self.published);
        let (mut indexes, mut folders, mut is_known) = (HashSet::new(), Vec::new(), true);
        for (at, document) in documents.iter_mut().enumerate() {
            if document.is_output || !is_index(&document.input) {
                continue;
            }
            indexes.insert(at);
            let (urls, damage) = index(&document.input);
            is_known &= !matches!(damage, Some(Damage::Document(_)));
            folders.extend(files.list(&document.below, &document.input.name, Some(at), urls));
            if let Some(damage) = damage {
                document.input.damage(damage);
            }
        }
        for path in mem::take(&mut self.robots) {
            let read = File::open(&path)
                .map_err(Error::from)
                .and_then(Robots::from_reader);
            match read {
                Ok(robots) => {
                    let urls: Vec<_> = robots.sitemaps().map(str::to_owned).collect();
                    folders.extend(files.list(&self.below(&path), &shown(&path), None, urls));
                }
                Err(error) => {
                    is_known = false;
                    self.unread(&path, error.to_string());
                }
            }
        }
        files.publish(published);
        self.notes.elsewhere.append(&mut files.elsewhere);
        self.notes.elsewhere.sort();
        self.notes.elsewhere.dedup();
        let Files {
            mut listed,
            hidden,
            missing,
            lister,
            mut listers,
            ..
        } = files;
        self.add_hidden(hidden, &mut documents, &mut listed, &mut listers);
        name_indexes(&mut documents, &listers);
        let is_told = !missing.is_empty();
        for (below, problem) in missing {
            self.unread(&self.root.join(below), problem);
        }
        // An index lists files in its folder and below.
        let roots = roots(&documents, &indexes);
        let is_read = |at: &usize, document: &Document| {
            let is_listed = indexes.contains(at) || listed.contains(at);
            let has_list = || folders.iter().any(|folder| document.below.starts_with(folder));
            let is_former = || {
                is_part(&document.below)
                    && document
                        .below
                        .parent()
                        .is_some_and(|folder| roots.contains(folder))
            };
            let has_no_file = document.place.as_os_str().is_empty() && !(is_dangling(document) && has_list());
            is_listed || !is_known || has_no_file || !has_list() && !is_former()
        };
        let has_pages = documents.iter().enumerate().any(|(at, document)| {
            !indexes.contains(&at) && !document.is_output && document.input.path().is_some()
        });
        if !has_pages {
            let listed = mem::take(&mut self.notes.elsewhere);
            let listed = if is_told { Vec::new() } else { listed };
            self.lists_nothing(listed, lister.as_deref());
        }
        let (read, others): (Vec<_>, Vec<_>) = documents
            .into_iter()
            .enumerate()
            .filter(|(_, document)| !document.is_output)
            .partition(|(at, document)| is_read(at, document));
        let pages = read
            .iter()
            .filter(|(at, _)| !indexes.contains(at))
            .map(|(_, document)| document);
        let unlisted = Unlisted::only_in(others.iter().map(|(_, document)| document), pages);
        let [read, others] = [read, others].map(|documents| {
            documents
                .into_iter()
                .map(|(_, document)| document)
                .collect::<Vec<_>>()
        });
        let paths = paths(&read);
        let others = self.without_copies(others, &paths);
        let others: Vec<_> = others.into_iter().map(|document| document.below).collect();
        self.say_unlisted(&unlisted, others);
        let mut documents = self.without_copies(read, &paths);
        documents.append(&mut self.documents);
        documents.sort_by(|a, b| a.below.cmp(&b.below));
        Found {
            documents,
            unlisted,
            ..Found::default()
        }
    }
}

impl Walk<'_> {
    /// Reports unlisted files.
    fn say_unlisted(&mut self, unlisted: &Unlisted, others: Vec<PathBuf>) {
        if unlisted.count() > 0 {
            let are = if unlisted.count() == 1 { "is" } else { "are" };
            let whose = if others.len() == 1 { "file" } else { "files" };
            print_message!(
                "{}: {} {are} not read, since no index and no robots.txt lists the {whose}: {}",
                shown(&self.root),
                counted(unlisted.count(), "URL"),
                names(&others)
            );
        } else {
            self.notes.unlisted = others;
        }
    }

    /// Reports that a folder of indexes contains no listed sitemap.
    fn lists_nothing(&mut self, urls: Vec<String>, lister: Option<&str>) {
        let (others, lister) = (others(urls.len()), lister.unwrap_or_default());
        if let Some(first) = urls.into_iter().next() {
            let problem = format!("{lister} lists it, and no file has its path{others}");
            let input = Input::unread(first, problem);
            self.documents.push(Document {
                input,
                below: PathBuf::new(),
                place: PathBuf::new(),
                is_output: false,
            });
        }
    }

    /// Adds listed files that are not named like sitemaps, or are in hidden folders. A path through a link leads to a file with another
    /// path.
    fn add_hidden(
        &self,
        hidden: Vec<PathBuf>,
        documents: &mut Vec<Document>,
        listed: &mut HashSet<usize>,
        listers: &mut Listers,
    ) {
        let places = documents.iter().map(|document| document.place.clone());
        let places: HashMap<_, _> = places.zip(0..).collect();
        for below in hidden {
            let path = self.root.join(&below);
            let place = fs::canonicalize(&path).unwrap_or_default();
            listed.insert(places.get(&place).copied().unwrap_or(documents.len()));
            if let Some(at) = places.get(&place) {
                let above = listers.remove(&below).unwrap_or_default();
                listers
                    .entry(documents[*at].below.clone())
                    .or_default()
                    .extend(above);
            } else {
                let input = Input::file(&path);
                let is_output = self.outputs.contains(&place);
                documents.push(Document {
                    input,
                    below,
                    place,
                    is_output,
                });
            }
        }
    }
}

/// The numbers of the indexes that list a path.
type Listers = HashMap<PathBuf, Vec<usize>>;

/// The maximum number of indexes in a chain of indexes that list each other, which the format does not allow.
const MOST_LEVELS: usize = 4;

/// Records the indexes above each document.
fn name_indexes(documents: &mut [Document], listers: &Listers) {
    for at in 0..documents.len() {
        let above = indexes_above(documents, listers, at);
        if let Some(document) = documents.get_mut(at) {
            document.input.listed_in(above);
        }
    }
}

/// Returns the names of the indexes above a document, nearest first: all that list it, and those above the first of them.
fn indexes_above(documents: &[Document], listers: &Listers, at: usize) -> Vec<String> {
    let of = |at: usize| {
        documents
            .get(at)
            .and_then(|document| listers.get(&document.below))
    };
    let mut found = of(at).cloned().unwrap_or_default();
    let mut top = found.first().copied();
    for _ in 1..MOST_LEVELS {
        top = top.and_then(of).and_then(|above| above.first().copied());
        found.extend(top.filter(|top| !found.contains(top)));
    }
    let names = found.into_iter().filter(|index| *index != at);
    names
        .filter_map(|index| Some(documents.get(index)?.input.name.clone()))
        .collect()
}

/// Returns `true` if the document is a link to a missing file.
fn is_dangling(document: &Document) -> bool {
    let path = document.input.path();
    path.is_some_and(|path| path.is_symlink() && !path.exists())
}

/// Returns the folders whose `sitemap.xml` is the whole set. Old parts may remain from a larger set.
fn roots(documents: &[Document], indexes: &HashSet<usize>) -> HashSet<PathBuf> {
    let is_top = |document: &&Document| {
        let name = document.below.file_name();
        name.is_some_and(|name| name == "sitemap.xml" || name == "sitemap.xml.gz")
    };
    let urlsets = documents
        .iter()
        .enumerate()
        .filter(|(at, document)| !indexes.contains(at) && !document.is_output);
    let tops = urlsets.map(|(_, document)| document).filter(is_top);
    tops.filter_map(|document| document.below.parent().map(Path::to_owned))
        .collect()
}

/// Returns `true` if a file is named like a part of a set: `sitemap-pages-1.xml`.
fn is_part(below: &Path) -> bool {
    let name = below
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let part = name
        .strip_prefix("sitemap-")
        .and_then(|name| name.strip_suffix(".xml"));
    let number = part
        .and_then(|part| part.rsplit_once('-'))
        .map(|(_, number)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(crate) fn is_index(input: &Input) -> bool {
    lenient(input).is_some_and(|mut reader| matches!(reader.kind(), Ok(Kind::SitemapIndex)))
}

type AnyReader = Reader<StreamSource<Box<dyn std::io::Read>>>;

/// Opens a document for lenient reading.
fn lenient(input: &Input) -> Option<AnyReader> {
    let opened = input.open_any().ok()?;
    let mut builder = ReaderBuilder::new();
    Some(
        builder
            .mode(Mode::Lenient)
            .other_formats(true)
            .from_reader(opened),
    )
}

/// Reads the URLs in an index, and the damage that made others unreadable.
pub(crate) fn index(input: &Input) -> (Vec<String>, Option<Damage>) {
    let Some(mut reader) = lenient(input) else {
        return (Vec::new(), None);
    };
    let (mut record, mut urls, mut last) = (Record::new(), Vec::new(), 0);
    let mut lost: Option<String> = None;
    loop {
        let read = reader.read_record(&mut record);
        for diagnostic in reader.take_diagnostics() {
            if is_cut(&diagnostic) {
                let mut text = with_place(&diagnostic);
                if is_repairable(diagnostic.kind(), Some(diagnostic.rule())) {
                    text.extend(["; ", &repair(&input.name)]);
                }
                return (urls, Some(Damage::Document(text)));
            }
            last = last.max(diagnostic.entry().unwrap_or_default());
            if diagnostic.is_loss() {
                lost.get_or_insert_with(|| with_place(&diagnostic));
            }
        }
        match read {
            Ok(true) => {
                last = last.max(record.number());
                urls.extend(Some(record.loc().to_owned()).filter(|loc| !loc.is_empty()));
            }
            Ok(false) => break,
            Err(error) if error.ends_reading() => {
                let text = error.to_string() + &pointer(&input.name, &error);
                return (urls, Some(Damage::Document(text)));
            }
            Err(error) => {
                last = last.max(error.entry().unwrap_or_default());
                lost.get_or_insert_with(|| error.to_string());
            }
        }
    }
    let unread = last.saturating_sub(urls.len() as u64);
    let damage = lost.filter(|_| unread > 0);
    (urls, damage.map(|first| Damage::Entries(unread, first)))
}

/// The URLs found only in unlisted files, stored as hashes of their normal forms.
#[derive(Debug, Default)]
pub(crate) struct Unlisted {
    hashes: HashSet<u64>,
    hash: RandomState,
}

impl Unlisted {
    /// Returns the URLs that only `documents` contain.
    fn only_in<'d>(
        documents: impl Iterator<Item = &'d Document>,
        others: impl Iterator<Item = &'d Document>,
    ) -> Self {
        let mut unlisted = Unlisted::default();
        let Unlisted { hashes, hash } = &mut unlisted;
        for document in documents {
            each_loc(&document.input, |loc| {
                hashes.insert(hash.hash_one(&*normal_form(loc)));
            });
        }
        if !hashes.is_empty() {
            for document in others {
                each_loc(&document.input, |loc| {
                    hashes.remove(&hash.hash_one(&*normal_form(loc)));
                });
            }
        }
        unlisted
    }

    pub(crate) fn count(&self) -> u64 {
        self.hashes.len() as u64
    }

    pub(crate) fn contains(&self, loc: &str) -> bool {
        self.count() > 0 && self.hashes.contains(&self.hash.hash_one(&*normal_form(loc)))
    }
}

fn each_loc(input: &Input, mut each: impl FnMut(&str)) {
    let Some(mut reader) = lenient(input) else { return };
    let mut record = Record::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) if !record.loc().is_empty() => each(record.loc()),
            Ok(false) => return,
            Err(error) if error.ends_reading() => return,
            Ok(true) | Err(_) => {}
        }
    }
}

/// The files of a folder by their paths below it, and which are listed.
struct Files {
    /// The number of the document at each path.
    documents: HashMap<Vec<u8>, usize>,
    /// The numbers of the command's outputs. Lists that name only these list nothing.
    outputs: HashSet<usize>,
    /// The maximum number of segments in these paths.
    depth: usize,
    root: PathBuf,
    listed: HashSet<usize>,
    /// Listed files that are not named like sitemaps, or are in hidden folders.
    hidden: Vec<PathBuf>,
    /// The first missing file of each document that lists missing files, with the problem.
    missing: Vec<(PathBuf, String)>,
    /// Listed URLs without a path in the folder, and the name of the document that lists the first one.
    elsewhere: Vec<String>,
    lister: Option<String>,
    /// All listed paths without a document.
    absent: HashSet<PathBuf>,
    /// The indexes that list each path.
    listers: Listers,
}

/// Formats the number of missing files after the first one.
fn others(missing: usize) -> String {
    match missing {
        0 | 1 => String::new(),
        2 => " (nor another one)".to_owned(),
        count => format!(" (nor {} others)", grouped(count as u64 - 1)),
    }
}

/// The file that matches a URL.
struct Match {
    document: usize,
    /// The path of the file.
    path: PathBuf,
    /// The length of the URL's prefix: the URL of `folder`.
    prefix: usize,
    /// The path of the folder, which is the root or a folder in it.
    folder: Vec<u8>,
}

impl Files {
    fn of(documents: &[Document], root: &Path) -> Self {
        let below = |document: &Document| bytes(&document.below).into_owned();
        let numbered = documents.iter().enumerate();
        let outputs = numbered
            .filter(|(_, document)| document.is_output)
            .map(|(at, _)| at)
            .collect();
        let documents: HashMap<_, _> = documents
            .iter()
            .enumerate()
            .map(|(at, document)| (below(document), at))
            .collect();
        let depth = |path: &Vec<u8>| path.split(|byte| *byte == b'/').count();
        Files {
            depth: documents.keys().map(depth).max().unwrap_or_default(),
            documents,
            outputs,
            root: root.to_owned(),
            listed: HashSet::new(),
            hidden: Vec::new(),
            missing: Vec::new(),
            elsewhere: Vec::new(),
            lister: None,
            absent: HashSet::new(),
            listers: Listers::new(),
        }
    }

    /// Marks the files listed in a document, and records its number for an index. The URL of the folder is unknown; it is derived from the files at the listed paths. Returns
    /// the folder that contains these files and the document; `None` if no file matches.
    fn list(&mut self, below: &Path, name: &str, index: Option<usize>, urls: Vec<String>) -> Option<PathBuf> {
        let folders = ancestors(below);
        let mut prefixes: Vec<(String, Vec<u8>)> = Vec::new();
        let mut others = Vec::new();
        let mut common = None;
        let mut matches = Vec::new();
        let mut paths: HashMap<String, usize> = HashMap::new();
        for url in &urls {
            *paths.entry(path_part(url).to_owned()).or_default() += 1;
        }
        // A server may return a different document for each query of a path.
        let is_one = |url: &str| paths.get(path_part(url)) == Some(&1);
        for url in urls {
            let without_query = || {
                let found = self.find(path_part(&url), &folders).filter(|_| is_one(&url));
                found.filter(|found| found.path != below)
            };
            let Some(found) = self.find(&url, &folders).or_else(without_query) else {
                others.push(url);
                continue;
            };
            let prefix = (url[..found.prefix].to_owned(), found.folder.clone());
            if prefixes.len() < MOST_PREFIXES && !prefixes.contains(&prefix) {
                prefixes.push(prefix);
            }
            matches.push((url, found));
        }
        // A URL under a folder's known URL must match the whole rest of the path. A file that only shares its ending is a different one.
        let is_of_another = |url: &str, found: &Match| {
            prefixes.iter().any(|(prefix, folder)| {
                *folder == found.folder && prefix.len() < found.prefix && url.starts_with(&**prefix)
            })
        };
        for (url, found) in matches {
            if is_of_another(&url, &found) {
                others.push(url);
                continue;
            }
            if self.outputs.contains(&found.document) {
                continue;
            }
            self.listed.insert(found.document);
            self.record(&found.path, index);
            let folder = found.path.parent().unwrap_or(Path::new(""));
            let all = common.get_or_insert_with(|| below.parent().unwrap_or(Path::new("")).to_owned());
            while !folder.starts_with(&*all) && all.pop() {}
        }
        let mut absent = Vec::new();
        for url in others {
            // A server's response to a query, or for a folder, is unknown.
            let is_file = !url.contains('?') && !url.ends_with('/');
            let prefix = prefixes
                .iter()
                .find(|(prefix, _)| is_file && url.starts_with(&**prefix));
            let Some((prefix, folder)) = prefix else {
                self.elsewhere.push(url);
                self.lister.get_or_insert_with(|| name.to_owned());
                continue;
            };
            let rest = url.get(prefix.len()..).unwrap_or_default();
            let segments = rest.split('/').map(decoded).collect::<Vec<_>>().join(&b'/');
            absent.push(path_of(&joined(folder, &segments)));
        }
        for path in &absent {
            self.record(path, index);
        }
        self.absent(name, absent);
        common
    }

    /// Records the index that lists a path.
    fn record(&mut self, path: &Path, index: Option<usize>) {
        let Some(index) = index else { return };
        let above = self.listers.entry(path.to_owned()).or_default();
        // An index is read at once, so an earlier number is that of another one.
        if above.last() != Some(&index) {
            above.push(index);
        }
    }

    /// Marks the files of sets.
    fn publish(&mut self, paths: Vec<PathBuf>) {
        let mut absent = Vec::new();
        for path in paths {
            match self.documents.get(&*bytes(&path)) {
                Some(document) => {
                    self.listed.insert(*document);
                }
                None => absent.push(path),
            }
        }
        self.absent("the set", absent);
    }

    /// Adds the paths that `name` lists and that have no document.
    fn absent(&mut self, name: &str, paths: Vec<PathBuf>) {
        let is_new = |path: &PathBuf| self.absent.insert(path.clone());
        let new: Vec<_> = paths.into_iter().filter(is_new).collect();
        let (mut hidden, missing): (Vec<_>, Vec<_>) = new.into_iter().partition(|below| {
            let is_inside = below
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
            is_inside && self.root.join(below).is_file()
        });
        self.hidden.append(&mut hidden);
        let others = others(missing.len());
        if let Some(first) = missing.into_iter().next() {
            let problem = format!("{name} lists it, and there is no such file{others}");
            self.missing.push((first, problem));
        }
    }

    /// Finds the file of a URL in one of these folders: the file whose path is the longest suffix of the URL.
    fn find(&self, url: &str, folders: &[Vec<u8>]) -> Option<Match> {
        let start = match split_after_host(url) {
            Some((origin, rest)) if rest.starts_with('/') => origin.len() + 1,
            Some(_) => return None,
            None => usize::from(url.starts_with('/')),
        };
        let end = url.find('#').unwrap_or(url.len());
        let path = url.get(start..end).filter(|path| !path.contains('?'))?;
        let segments: Vec<_> = path.split('/').map(decoded).collect();
        let first = segments.len().saturating_sub(self.depth);
        let mut prefix = start
            + path
                .split('/')
                .take(first)
                .map(|segment| segment.len() + 1)
                .sum::<usize>();
        for (at, segment) in path.split('/').enumerate().skip(first) {
            let rest = segments.get(at..).unwrap_or_default().join(&b'/');
            for folder in folders {
                let path = joined(folder, &rest);
                if let Some(document) = self.documents.get(&path) {
                    return Some(Match {
                        document: *document,
                        path: path_of(&path),
                        prefix,
                        folder: folder.clone(),
                    });
                }
            }
            prefix += segment.len() + 1;
        }
        None
    }
}

/// Returns a URL without its query and fragment.
fn path_part(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url)
}

/// Returns the folders above a path, starting at the outermost, which has no name.
fn ancestors(path: &Path) -> Vec<Vec<u8>> {
    let mut folders: Vec<_> = path
        .ancestors()
        .skip(1)
        .map(|folder| bytes(folder).into_owned())
        .collect();
    folders.reverse();
    folders
}

fn joined(folder: &[u8], rest: &[u8]) -> Vec<u8> {
    if folder.is_empty() {
        rest.to_vec()
    } else {
        [folder, rest].join(&b'/')
    }
}

/// Decodes a segment of a URL.
fn decoded(segment: &str) -> Vec<u8> {
    percent_decode_str(segment).collect()
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;

    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
