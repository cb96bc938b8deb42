//! The names of sections, tasks and files.

use crate::error::{Error, ErrorKind, Result};
use crate::stylesheet;

pub(crate) const TOP_FILE: &str = "sitemap.xml";

/// Checks the name of a section or task: sections are in the names of files.
pub(crate) fn check_name(what: &str, name: &str) -> Result<()> {
    let allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    if (1..=64).contains(&name.len()) && name.bytes().all(allowed) && !name.starts_with('-') {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Setting,
        format!(
            "`{}` cannot be the name of a {what}: it is part of file names, so it has 1 to 64 of the characters a-z, 0-9, `-` and \
             `_`, and does not begin with `-`",
            name.chars().take(80).collect::<String>().escape_debug()
        ),
    ))
}

/// The name of a part's file, without `sitemap-` and extension.
pub(crate) fn stem(name: &str) -> Option<&str> {
    let (stem, extension) = name.strip_prefix("sitemap-")?.split_once('.')?;
    matches!(extension, "xml" | "xml.gz" | "txt" | "txt.gz").then_some(stem)
}

/// Returns `true` if a set gives its files such names, except the top file.
pub(crate) fn is_own(name: &str) -> bool {
    is_plain(name) && (stem(name).is_some() || name == stylesheet::SHIPPED.name)
}

/// Returns `true` if a name is a plain file name, without directories.
pub(crate) fn is_plain(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=255).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(allowed)
}
