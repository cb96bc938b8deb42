//! The folder that a site serves, when all of it is linted.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use sitemap_serde::lint::Linter;

use super::Options;
use super::settings::Settings;

/// A folder and its location.
#[derive(Debug)]
pub(super) struct Served {
    location: String,
    root: PathBuf,
}

impl Served {
    /// Returns the directory of `--location` or of the settings. `None` if only parts of it are linted.
    pub(super) fn find(options: &Options, settings: &Settings, files: &[PathBuf]) -> Option<Self> {
        let (location, root) = match (&options.location, files) {
            (Some(location), [named]) => (location, named.clone()),
            (Some(_), _) => return None,
            (None, _) => (settings.location.as_ref()?, settings.root()),
        };
        let whole = fs::canonicalize(&root).ok().filter(|root| root.is_dir())?;
        let has_all = |named: &PathBuf| fs::canonicalize(named).is_ok_and(|named| whole.starts_with(named));
        files.iter().any(has_all).then(|| Served {
            location: location.clone(),
            root,
        })
    }

    /// Adds the files to a lint, and their robots.txt unless another one `is_named`. If the robots.txt is unreadable, its sitemaps are
    /// unknown: adds only the reason, to `unread`.
    pub(super) fn add(&self, linter: &mut Linter, agent: &str, is_named: bool, unread: &mut Vec<String>) {
        if let Some(path) = self.robots().filter(|_| !is_named) {
            match super::read_robots(&path) {
                Ok(robots) => linter.robots(&self.location, robots, agent),
                Err(error) => return unread.push(format!("{error:#}")),
            };
        }
        let root = self.root.clone();
        linter.files(&self.location, move |directory| names(&root.join(directory)));
    }

    /// Returns `true` if the folder has a robots.txt.
    pub(super) fn has_robots(&self) -> bool {
        self.robots().is_some()
    }

    /// Returns the path of the robots.txt, if the folder is the root of the site.
    fn robots(&self) -> Option<PathBuf> {
        let (_, rest) = self.location.split_once("://")?;
        let is_root = !rest.trim_end_matches('/').contains(['/', '?', '#']);
        let path = self.root.join("robots.txt");
        (is_root && path.is_file()).then_some(path)
    }
}

/// Returns the names in a directory.
fn names(directory: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.extend(name(&entry?)?);
    }
    Ok(names)
}

/// Returns the name of a file, or of a directory with a `/`. `None` for names that are not Unicode, because no UTF-8 URL leads to them, and
/// for broken links.
fn name(entry: &DirEntry) -> io::Result<Option<String>> {
    let mut is_directory = entry.file_type()?.is_dir();
    if entry.file_type()?.is_symlink() {
        match fs::metadata(entry.path()) {
            Ok(found) => is_directory = found.is_dir(),
            Err(_) => return Ok(None),
        }
    }
    let name = entry.file_name().into_string().ok();
    Ok(name.map(|name| if is_directory { name + "/" } else { name }))
}
