//! The line in `robots.txt` that names the sitemap.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sitemap_serde::robots::Robots;

use crate::replace::{folder_of, write_changed};

/// The line to add to the file.
pub(super) struct Line {
    path: PathBuf,
    url: String,
    before: Vec<u8>,
}

impl Line {
    /// Creates the line for `sitemap`, the file or folder to write. Fails if the sitemap's URL or the file cannot be determined.
    pub(super) fn new(folder: &Path, location: &str, sitemap: &Path) -> Result<Self> {
        let after_host = location.split_once("://").map_or("", |(_, rest)| rest);
        if after_host.trim_end_matches('/').contains('/') {
            bail!(
                "--robots: crawlers read robots.txt at the root of a host only, and {location} is below it"
            );
        }
        let is_folder = sitemap.is_dir() || sitemap.as_os_str().as_encoded_bytes().ends_with(b"/");
        let sitemap = if is_folder {
            sitemap.join("sitemap.xml")
        } else {
            sitemap.to_owned()
        };
        let below = absolute(&sitemap).and_then(|sitemap| {
            let below = sitemap.strip_prefix(absolute(folder)?).ok()?;
            Some(below.to_str()?.replace('\\', "/"))
        });
        let Some(below) = below else {
            bail!(
                "--robots: {} is not in {}, so its URL is not known",
                sitemap.display(),
                folder.display()
            );
        };
        let path = folder.join("robots.txt");
        let before = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        Ok(Line {
            path,
            url: format!("{}/{below}", location.trim_end_matches('/')),
            before,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the line, unless it exists. Returns `true` if the file was written.
    pub(super) fn write(&self) -> Result<bool> {
        let robots = Robots::parse(&self.before);
        for (number, url, problem) in robots.sitemap_lines() {
            if let Some(problem) = problem {
                let path = self.path.display();
                print_note!("note: {path}, line {number}: `Sitemap: {url}` {problem}");
            }
        }
        if robots.is_utf16() {
            bail!(
                "{} is in UTF-16, which crawlers do not read: save it in UTF-8",
                self.path.display()
            );
        }
        let is_named = robots.sitemaps().any(|named| named == self.url);
        if is_named {
            return Ok(false);
        }
        let mut text = self.before.clone();
        if text.is_empty() {
            text.extend_from_slice(b"User-agent: *\nAllow: /\n");
        }
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
        text.extend_from_slice(format!("\nSitemap: {}\n", self.url).as_bytes());
        write_changed(&self.path, &text)
    }
}

/// Returns the absolute path of a file, which need not exist, with the links of its folder resolved.
fn absolute(path: &Path) -> Option<PathBuf> {
    if let Ok(found) = path.canonicalize() {
        return Some(found);
    }
    let folder = folder_of(path).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}
