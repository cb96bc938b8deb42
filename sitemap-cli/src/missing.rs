//! Advice about a path without a file.

use std::fs;
use std::io;
use std::path::Path;

use crate::replace::folder_of;
use crate::words::nearest;

/// Adds advice to the error of opening a missing file, such as a similar name.
pub(crate) fn explain(path: &Path, error: io::Error) -> io::Error {
    if error.kind() != io::ErrorKind::NotFound {
        return error;
    }
    match advice(path) {
        Some(advice) => io::Error::new(error.kind(), format!("{error}; {advice}")),
        None => error,
    }
}

fn advice(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    if fs::symlink_metadata(path).is_ok() {
        return Some("it is a link whose target does not exist".to_owned());
    }
    if let Some((scheme, rest)) = text.split_once("://") {
        return Some(match scheme {
            "file" => format!("write a path, such as {rest}"),
            _ => "a URL begins with http:// or https://".to_owned(),
        });
    }
    if text.contains(['*', '?', '[']) {
        return Some("no file has such a name; a directory is read with all its sitemaps".to_owned());
    }
    match neighbour(path) {
        Some(meant) => Some(format!("did you mean {meant}?")),
        None if is_address(text) => Some(format!("a URL begins with its scheme: https://{text}")),
        None => None,
    }
}

/// Returns the file in the same directory with the most similar name.
fn neighbour(path: &Path) -> Option<String> {
    let entries = fs::read_dir(folder_of(path)).ok()?;
    let names = entries.flatten().take(10_000).map(|entry| entry.file_name());
    let names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    let wanted = path.file_name()?.to_str()?;
    let meant = nearest(wanted, names.iter().map(String::as_str))?;
    // The stems must be similar too, because all sitemaps share their extensions.
    nearest(stem(wanted), [stem(meant)])?;
    Some(path.with_file_name(meant).display().to_string())
}

/// Returns a name without its extensions.
fn stem(name: &str) -> &str {
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// Returns `true` if a text looks like a host, with or without a path, rather than a file name.
fn is_address(text: &str) -> bool {
    let (host, path) = text.split_once('/').unwrap_or((text, ""));
    let is_host_character = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ':');
    let Some((name, domain)) = host.split(':').next().unwrap_or_default().rsplit_once('.') else {
        return false;
    };
    let is_file = [
        "xml", "gz", "txt", "csv", "jsonl", "ndjson", "json", "html", "rss", "atom", "rdf",
    ]
    .contains(&domain);
    !name.is_empty()
        && domain.len() >= 2
        && host.chars().all(is_host_character)
        && (!is_file || !path.is_empty())
        && !Path::new(host).exists()
}
