//! The files of a folder.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::address::{Form, candidates, percent_encode};
use crate::error::{Error, ErrorKind, Result};
use crate::finding::{Finding, FindingKind};
use crate::patterns::Patterns;

/// The number of a file in its folder, in path order.
pub(crate) type FileId = u32;

/// A file that may be a page.
#[derive(Debug)]
pub(crate) struct PageFile {
    /// Its path in the folder.
    pub(crate) path: Box<Path>,
    pub(crate) is_html: bool,
    pub(crate) is_excluded: bool,
}

impl PageFile {
    /// Returns the path in bytes, with slashes.
    pub(crate) fn bytes(&self) -> Cow<'_, [u8]> {
        let bytes = self.path.as_os_str().as_encoded_bytes();
        if MAIN_SEPARATOR == '/' {
            return bytes.into();
        }
        let slash = |b: &u8| if *b == b'\\' { b'/' } else { *b };
        bytes.iter().map(slash).collect()
    }

    /// Returns the path as in the ledger and in messages.
    pub(crate) fn name(&self) -> String {
        percent_encode(&self.bytes())
    }
}

/// Finds files by their paths.
#[derive(Debug)]
pub(crate) struct FileIndex<'a>(HashMap<Cow<'a, [u8]>, FileId>);

impl<'a> FileIndex<'a> {
    pub(crate) fn of(files: &'a [PageFile]) -> Self {
        FileIndex((0..).zip(files).map(|(id, file)| (file.bytes(), id)).collect())
    }

    /// Iterates over files that may answer a request for a path below the folder's address.
    pub(crate) fn all(&self, path: &[u8]) -> impl Iterator<Item = FileId> {
        candidates(path).filter_map(|(file, _)| self.0.get(&*file).copied())
    }

    /// Returns the file that answers a request for a path below the folder's address.
    pub(crate) fn find(&self, path: &[u8]) -> Option<(FileId, Form)> {
        candidates(path).find_map(|(file, form)| Some((*self.0.get(&*file)?, form)))
    }
}

/// Finds the folder's pages and its included files, in path order. Skips hidden files, and follows links.
pub(crate) fn files(
    root: &Path,
    include: &mut Patterns,
    exclude: &mut Patterns,
    findings: &mut Vec<Finding>,
) -> Result<Vec<PageFile>> {
    match root.metadata() {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            let problem = format!(
                "{} is not a folder: name the one that the pages were built in",
                root.display()
            );
            return Err(Error::new(ErrorKind::Folder, problem));
        }
        Err(error) => return Err(Error::file("read", root, error)),
    }
    let is_visible =
        |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    let mut files = Vec::new();
    for entry in WalkDir::new(root)
        .follow_links(true)
        .into_iter()
        .filter_entry(is_visible)
    {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                findings.push(unreadable(root, &error));
                continue;
            }
        };
        let Ok(path) = entry.path().strip_prefix(root) else {
            continue;
        };
        if !entry.file_type().is_file() {
            continue;
        }
        let is_html = is_html(path);
        if include.matches(path) || is_html {
            files.push(PageFile {
                path: path.into(),
                is_html,
                is_excluded: exclude.matches(path),
            });
        }
    }
    for (what, patterns) in [("include", include), ("exclude", exclude)] {
        findings.extend(patterns.unused().map(|pattern| {
            let message = format!("the pattern `{pattern}` of {what} matches no file that could be listed");
            Finding::new("", None, FindingKind::Pattern, message)
        }));
    }
    files.sort_by(|a, b| a.bytes().cmp(&b.bytes()));
    files.shrink_to_fit();
    Ok(files)
}

/// Returns `true` if any kind of file is at a decoded path below the folder's address. A path that leads out of the folder, such as
/// by `..%2F` in the address, matches none.
pub(crate) fn has_file(root: &Path, path: &[u8]) -> bool {
    let start = path.iter().take_while(|b| **b == b'/').count();
    let path = native_path(path[start..].to_vec());
    let is_inside = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    is_inside && root.join(path).is_file()
}

/// Makes a path from bytes, which on Unix may not be UTF-8.
pub(crate) fn native_path(bytes: Vec<u8>) -> PathBuf {
    #[cfg(unix)]
    return <std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes).into();
    #[cfg(not(unix))]
    return String::from_utf8_lossy(&bytes).into_owned().into();
}

fn is_html(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["html", "htm", "xhtml"]
        .iter()
        .any(|html| extension.eq_ignore_ascii_case(html))
}

/// Returns `true` if servers send a file as XML.
pub(crate) fn is_xhtml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("xhtml"))
}

fn unreadable(root: &Path, error: &walkdir::Error) -> Finding {
    let path = error.path().unwrap_or(root);
    let path = path.strip_prefix(root).unwrap_or(path);
    let file = percent_encode(path.as_os_str().as_encoded_bytes());
    match error.loop_ancestor() {
        Some(ancestor) => {
            let ancestor = ancestor.strip_prefix(root).unwrap_or(ancestor);
            let ancestor = if ancestor.as_os_str().is_empty() {
                "the folder itself".to_owned()
            } else {
                percent_encode(ancestor.as_os_str().as_encoded_bytes())
            };
            let message = format!("is a link to {ancestor}, in which it is: it is not followed");
            Finding::new(file, None, FindingKind::LinkLoop, message)
        }
        None => {
            let cause = error
                .io_error()
                .map_or_else(|| error.to_string(), ToString::to_string);
            Finding::new(
                file,
                None,
                FindingKind::Unreadable,
                format!("cannot be read: {cause}"),
            )
        }
    }
}
