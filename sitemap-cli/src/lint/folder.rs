//! The folder that a site serves, if all of it is linted.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use sitemap_serde::lint::Linter;

use super::Options;
use super::settings::Settings;

/// Returns an error if a URL cannot be that of a directory: those of its files begin with it.
pub(super) fn check_location(url: &str) -> Result<()> {
    match url.find(['?', '#']) {
        Some(end) => bail!(
            "`{url}` is not the URL of a directory, since it has a query or a fragment: write `{}`",
            &url[..end]
        ),
        None => Ok(()),
    }
}

/// A folder, and its location.
#[derive(Debug)]
pub(super) struct Served {
    location: String,
    root: PathBuf,
}

impl Served {
    /// The directory that --location or the settings are about; `None` if only parts of it are linted.
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

    /// Adds the files to a lint, and the robots.txt among them unless one `is_named`. If that cannot be read, what it lists is not known:
    /// nothing is added but why, to `unread`.
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

    /// Whether there is a robots.txt in it.
    pub(super) fn has_robots(&self) -> bool {
        self.robots().is_some()
    }

    /// The path of its robots.txt, if the site has its root here.
    fn robots(&self) -> Option<PathBuf> {
        let (_, rest) = self.location.split_once("://")?;
        let is_root = !rest.trim_end_matches('/').contains(['/', '?', '#']);
        let path = self.root.join("robots.txt");
        (is_root && path.is_file()).then_some(path)
    }
}

/// The names of what is in a directory.
fn names(directory: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.extend(name(&entry?)?);
    }
    Ok(names)
}

/// The name of a file, or of a directory with `/`. Those that are not in Unicode have none, since no address in UTF-8 is theirs, nor have links
/// to what is not there.
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
