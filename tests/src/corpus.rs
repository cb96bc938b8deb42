//! The files of the corpus.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::cases::{reads_all, sample};

/// Returns every seventh file of [`corpus`], or each of them if `SITEMAP_ROUNDS` is set: for properties of a single document.
///
/// # Panics
/// If a file cannot be read.
pub fn corpus_sample(folder: &Path) -> Vec<(String, Vec<u8>)> {
    sample(corpus(folder)).collect()
}

/// Scales a count that a whole table or corpus exceeds to its [`sample`].
pub fn of_sample(count: usize) -> usize {
    if reads_all() { count } else { count / 10 }
}

/// Returns every XML file below the shared folder's `corpus`, decompressed, with its path there, in order.
///
/// # Panics
/// If a file cannot be read.
pub fn corpus(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let root = folder.join("corpus");
    let mut found = Vec::new();
    collect(&root, &root, &mut found);
    found.sort();
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
            continue;
        }
        let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let is_document = path.extension().is_some_and(|end| end == "xml" || end == "gz");
        if !name.contains('/') || !is_document {
            continue;
        }
        let mut bytes = fs::read(&path).unwrap();
        if bytes.starts_with(&[0x1F, 0x8B]) {
            let mut plain = Vec::new();
            flate2::read::MultiGzDecoder::new(&bytes[..])
                .read_to_end(&mut plain)
                .unwrap();
            bytes = plain;
        }
        found.push((name, bytes));
    }
}
