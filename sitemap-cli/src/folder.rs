//! The sitemaps in a directory.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use anyhow::{Context, Result};
use sitemap_serde::format::{Format, sniff};

use crate::input::{Input, head};

/// Which files of a directory are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formats {
    /// Files named `.xml`.
    Xml,
    /// Files named `.xml`, and text sitemaps and feeds named `.txt`, `.rss`, `.atom` or `.rdf`.
    All,
}

/// Adds the files of these formats in a directory, at any depth.
pub(crate) fn walk(folder: &Path, formats: Formats, found: &mut Vec<Input>) -> Result<()> {
    let context = || format!("cannot read {}", folder.display());
    let mut entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .with_context(context)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        // Links are not followed: a link to a parent directory would never end.
        let kind = entry.file_type().with_context(context)?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if name.starts_with('.') {
            continue;
        }
        let path = entry.path();
        if kind.is_dir() {
            walk(&path, formats, found)?;
            continue;
        }
        // A FIFO in a directory, which may never be written to, is skipped; a dangling link is reported when it is read.
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            continue;
        }
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let is_taken = match Path::new(name)
            .extension()
            .and_then(|extension| extension.to_str())
        {
            Some("xml") => true,
            Some("txt") if formats == Formats::All => is_other_format(&path, is_text_sitemap),
            Some("rss" | "atom" | "rdf") if formats == Formats::All => {
                is_other_format(&path, |head| sniff(head).is_feed())
            }
            _ => false,
        };
        if is_taken {
            found.push(Input::of(&path)?);
        }
    }
    Ok(())
}

/// Whether the beginning of a file, decompressed if necessary, is of a format, or cannot be read: that is reported where the file is.
fn is_other_format(path: &Path, is_of_it: impl FnOnce(&[u8]) -> bool) -> bool {
    let head = File::open(path).and_then(head);
    head.map_or(true, |head| is_of_it(&head))
}

/// Whether a text file is a sitemap: its first line is a URL. Other text files contain URLs too: licenses, `robots.txt`.
fn is_text_sitemap(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let first = text.trim_start_matches('\u{FEFF}').trim_start().lines().next();
    first.is_some_and(|line| sniff(line.as_bytes()) == Format::Text)
}
