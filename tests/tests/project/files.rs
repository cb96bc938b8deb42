//! The files of the project.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the files below a folder with these extensions, at any depth, sorted.
pub(crate) fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, extensions, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, extensions, found);
        } else if extensions
            .iter()
            .any(|extension| path.extension() == Some(extension.as_ref()))
        {
            found.push(path);
        }
    }
}
