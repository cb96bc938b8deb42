//! Rules about a folder of sitemaps as a site serves it: listed sitemaps exist, and existing sitemaps are listed.
//!
//! **A folder is compared to its listed files** in the second pass, which reads every index again. A function of the program returns the
//! names in a directory, and each directory is read once. The library compares the names, so the file system's case sensitivity does not
//! matter. `sitemap-cli/src/lint/folder` decides whether all of a folder is linted, since otherwise an index may be missing.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io;
use std::sync::Arc;

use sitemap_values::Rule;
use sitemap_values::quote::quote;
use sitemap_values::url::{DotSegment, Parts, decoded};

use crate::error::{Error, Message, Result, Suggestion};
use crate::loc::{encode_segment, path_of, same_site};
use crate::model::Kind;
use crate::robots::Robots;

use super::{Finding, Input};

/// The names of all files and directories in a directory.
type NamesIn = dyn Fn(&str) -> io::Result<Vec<String>> + Send + Sync;

/// A folder, and its location.
#[derive(Clone)]
pub(super) struct Served {
    pub(super) location: String,
    pub(super) names: Arc<NamesIn>,
}

impl fmt::Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served")
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

/// The names in a directory, by their lower case. Those of directories end with `/`.
type Names = HashMap<String, Vec<String>>;

/// The known files of a folder, and the listed ones. Paths are percent-decoded, and relative to the folder.
#[derive(Debug)]
pub(super) struct Folder<'s> {
    served: &'s Served,
    /// The segments of the location's path.
    base: Vec<String>,
    /// The directories that have been read.
    directories: HashMap<String, Names>,
    listed: HashSet<String>,
}

impl<'s> Folder<'s> {
    pub(super) fn new(served: &'s Served) -> Self {
        let mut base = segments(&served.location).unwrap_or_default();
        base.retain(|segment| !segment.is_empty());
        Folder {
            served,
            base,
            directories: HashMap::new(),
            listed: HashSet::new(),
        }
    }

    pub(super) fn location(&self) -> &str {
        &self.served.location
    }

    /// Notes that an address is listed. If the file is not in the folder, returns the known facts about it.
    ///
    /// # Errors
    /// If the names of files cannot be read.
    pub(super) fn list(&mut self, url: &str) -> Result<Option<Absent>> {
        let Some(path) = self.path(url) else {
            return Ok(None);
        };
        let meant = self.find(&path)?;
        self.listed.extend(meant.clone());
        // A program answers a query, and another site has its own files, although they may be the same.
        let has_query = url.split('#').next().is_some_and(|url| url.contains('?'));
        if meant.as_ref() == Some(&path) || has_query || !same_site(url, &self.served.location) {
            return Ok(None);
        }
        let address = meant.as_deref().map(|meant| self.address(meant));
        Ok(Some(Absent { path, meant, address }))
    }

    /// Reports what robots.txt names and is not in the folder, as findings about the first document, and then the documents that nothing
    /// lists.
    ///
    /// # Errors
    /// If the names of files cannot be read.
    pub(super) fn finish(
        mut self,
        documents: &[Input<'_>],
        robots: Option<&Robots>,
        mut found: impl FnMut(usize, Finding),
    ) -> Result<()> {
        let path = |document: &Input<'_>| self.path(document.location.as_deref()?);
        let paths: Vec<Option<String>> = documents.iter().map(path).collect();
        let read: HashSet<&str> = paths.iter().flatten().map(String::as_str).collect();
        let named: Vec<String> = robots.map_or_else(Vec::new, |robots| {
            // A line that names no sitemap has its own finding.
            let lines = robots.sitemap_lines().filter(|(.., problem)| problem.is_none());
            lines
                .map(|(_, line, _)| absolute(line, &self.served.location))
                .collect()
        });
        // The list of an unread document is unknown.
        let mut is_known = !documents.iter().any(Input::may_list_more);
        for url in &named {
            if let Some(absent) = self.list(url)?
                && !documents.is_empty()
            {
                found(0, absent.finding(&format!("robots.txt names {}", quote(url))));
            }
            let file = match self.path(url) {
                Some(path) => self.find(&path)?,
                None => None,
            };
            is_known &= file.is_some_and(|file| read.contains(&*file));
        }
        if is_known {
            self.report_orphans(documents, &paths, !named.is_empty(), found);
        }
        Ok(())
    }

    fn report_orphans(
        &self,
        documents: &[Input<'_>],
        paths: &[Option<String>],
        has_names: bool,
        mut found: impl FnMut(usize, Finding),
    ) {
        let indexes = indexes(documents, paths);
        for (number, (document, path)) in documents.iter().zip(paths).enumerate() {
            let (Some(kind), Some(path), Some(location)) = (document.kind, path, &document.location) else {
                continue;
            };
            if document.is_feed || self.is_listed(path) {
                continue;
            }
            let mut above = std::iter::successors(parent(path), |directory| parent(directory));
            let index = above
                .find_map(|directory| indexes.get(directory))
                .filter(|_| kind == Kind::UrlSet);
            if index.is_some() || has_names {
                found(number, orphan(location, index.copied()));
            }
        }
    }

    /// Returns `true` if a file is listed, compressed or not.
    fn is_listed(&self, path: &str) -> bool {
        self.listed.contains(path)
            || self.listed.contains(&format!("{path}.gz"))
            || path
                .strip_suffix(".gz")
                .is_some_and(|path| self.listed.contains(path))
    }

    /// The path of a URL; `None` if it is outside of the folder, or which file a server sends for it is not known.
    fn path(&self, url: &str) -> Option<String> {
        let segments = segments(url)?;
        let path = segments.strip_prefix(&*self.base)?;
        let is_plain = |segment: &String| !segment.is_empty() && !segment.contains('/');
        (!path.is_empty() && path.iter().all(is_plain)).then(|| path.join("/"))
    }

    /// The path of the file that a path names: the same path, or the file with or without compression, or in another case.
    fn find(&mut self, path: &str) -> Result<Option<String>> {
        let mut wanted: Vec<&str> = path.split_inclusive('/').collect();
        let name = wanted.pop().unwrap_or_default();
        let mut directory = String::new();
        for wanted in wanted {
            let names = self.names(&directory)?;
            let Some(found) = exact(names, wanted).or_else(|| nearest(names, wanted)) else {
                return Ok(None);
            };
            directory += found;
        }
        let zipped = format!("{name}.gz");
        let wanted = [Some(name), Some(&*zipped), name.strip_suffix(".gz")];
        let wanted = || wanted.into_iter().flatten();
        let names = self.names(&directory)?;
        let found = wanted()
            .find_map(|name| exact(names, name))
            .or_else(|| wanted().find_map(|name| nearest(names, name)));
        Ok(found.map(|name| directory + name))
    }

    fn names(&mut self, directory: &str) -> Result<&Names> {
        if !self.directories.contains_key(directory) {
            let names = (self.served.names)(directory).map_err(|error| {
                let message = format!("cannot read the names of files in {}: {error}", quote(directory));
                Error::io(error, message)
            })?;
            let mut by_case = Names::new();
            for name in names {
                by_case.entry(name.to_lowercase()).or_default().push(name);
            }
            for names in by_case.values_mut() {
                names.sort_unstable();
            }
            self.directories.insert(directory.to_owned(), by_case);
        }
        Ok(self.directories.entry(directory.to_owned()).or_default())
    }

    /// The address of a file.
    fn address(&self, path: &str) -> String {
        let segments: Vec<String> = path.split('/').map(encode_segment).collect();
        format!(
            "{}/{}",
            self.served.location.trim_end_matches('/'),
            segments.join("/")
        )
    }
}

/// A file that is listed and not in the folder.
#[derive(Debug)]
pub(super) struct Absent {
    path: String,
    /// The path and the address of a file that may be intended.
    meant: Option<String>,
    address: Option<String>,
}

impl Absent {
    /// The finding; `listing` names the lister.
    pub(super) fn finding(self, listing: &str) -> Finding {
        let (Some(meant), Some(address)) = (self.meant, self.address) else {
            let message = Message::new(format!(
                "{listing}, and the folder has no file {}",
                quote(&self.path)
            ));
            let message = message.advice("publish the file, or remove the entry");
            return Finding::new(Error::data(message).breaks(Rule::Absent));
        };
        let is_zipped = meant.strip_suffix(".gz") == Some(&self.path);
        let is_unzipped = self.path.strip_suffix(".gz") == Some(&meant);
        let (why, or) = match (is_zipped, is_unzipped) {
            (true, _) => (
                "only some servers send one for the other",
                "publish the file uncompressed too",
            ),
            (_, true) => (
                "a server that compresses responses does not change their addresses",
                "publish the file compressed",
            ),
            _ => ("upper and lower case differ in addresses", "rename the file"),
        };
        let message = Message::new(format!(
            "{listing}, and the folder has {} instead: {why}",
            quote(&meant)
        ))
        .advice(format!("write {}, or {or}", quote(&address)))
        .suggestion(Suggestion::probable(address));
        let finding = Finding::new(Error::data(message).breaks(Rule::Absent));
        if is_zipped { finding.warning() } else { finding }
    }
}

/// The finding for a document that nothing lists.
fn orphan(location: &str, index: Option<&str>) -> Finding {
    let location = quote(location);
    let (problem, advice) = match index {
        Some(index) => (
            format!("no index lists {location}, and no `Sitemap:` line of robots.txt names it"),
            format!("list it in {index}, or remove the file"),
        ),
        None => (
            format!("robots.txt names other sitemaps, and not {location}"),
            "add a `Sitemap:` line for it, or remove the file".to_owned(),
        ),
    };
    Finding::new(Error::data(Message::new(problem).advice(advice)).breaks(Rule::Orphan))
}

/// The name of the first index in each directory.
fn indexes<'p>(documents: &'p [Input<'_>], paths: &'p [Option<String>]) -> HashMap<&'p str, &'p str> {
    let mut indexes = HashMap::new();
    for (document, path) in documents.iter().zip(paths) {
        if let (Some(Kind::SitemapIndex), Some(directory)) = (document.kind, path.as_deref().and_then(parent))
        {
            indexes.entry(directory).or_insert(&*document.name);
        }
    }
    indexes
}

/// The directory of a path, which is empty for the folder itself; `None` for that.
fn parent(path: &str) -> Option<&str> {
    match path.rsplit_once('/') {
        Some((parent, _)) => Some(parent),
        None => (!path.is_empty()).then_some(""),
    }
}

/// The URL that a line of robots.txt names. Most crawlers read a path without a site as a path on their own site.
fn absolute(named: &str, location: &str) -> String {
    match Parts::of(location) {
        Some(parts) if named.starts_with('/') => location[..parts.rest].to_owned() + named,
        _ => named.to_owned(),
    }
}

/// The decoded segments of a URL's path, without dot segments (RFC 3986 section 5.2.4); `None` if it has no segments, or is not in
/// UTF-8.
fn segments(url: &str) -> Option<Vec<String>> {
    let path = path_of(url)?.split(['?', '#']).next()?;
    let mut segments = Vec::new();
    for segment in path.split('/').skip(1) {
        match DotSegment::of(segment) {
            Some(DotSegment::Current) => {}
            Some(DotSegment::Parent) => {
                segments.pop();
            }
            None => segments.push(decoded(segment)?.into_owned()),
        }
    }
    Some(segments)
}

fn exact<'n>(names: &'n Names, wanted: &str) -> Option<&'n str> {
    let same = names.get(&wanted.to_lowercase())?;
    same.iter().find(|name| *name == wanted).map(String::as_str)
}

fn nearest<'n>(names: &'n Names, wanted: &str) -> Option<&'n str> {
    names.get(&wanted.to_lowercase())?.first().map(String::as_str)
}
