//! Reads the pages to compare with entries (`--pages`).

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use sitemap_pages::{FindingKind, FolderBuilder, FolderPages};
use sitemap_serde::W3cDateTime;

use crate::input::{Input, url_path};

/// Reads the pages of a folder. Adds unreadable pages to `unread`.
pub(super) fn read(
    folder: &Path,
    now: W3cDateTime,
    inputs: &[Input],
    locations: &[Option<String>],
    unread: &mut Vec<String>,
) -> Result<FolderPages> {
    let location = location(folder, inputs, locations).ok_or_else(|| {
        anyhow!(
            "{}: --pages needs --location, the URL of the file or directory",
            folder.display()
        )
    })?;
    let mut builder = FolderBuilder::new(location);
    if let Some(project) = crate::from::project(folder) {
        builder.project(project);
    }
    let read = builder.now(now).read(folder)?;
    let unreadable = read
        .findings()
        .iter()
        .filter(|finding| finding.kind == FindingKind::Unreadable);
    unread.extend(unreadable.map(|finding| format!("{}: {finding}", folder.display())));
    Ok(FolderPages::from(read))
}

/// Returns the location of the folder: derived from a document inside it, or else the directory of a document.
fn location(folder: &Path, inputs: &[Input], locations: &[Option<String>]) -> Option<String> {
    let root = fs::canonicalize(folder).ok();
    let known = || {
        let known = inputs.iter().zip(locations);
        known.filter_map(|(input, location)| Some((input, location.as_deref()?)))
    };
    let of_document = |(input, location): (&Input, &str)| {
        let path = fs::canonicalize(input.path()?).ok()?;
        let below = path.strip_prefix(root.as_ref()?).ok()?;
        location.strip_suffix(&url_path(below)).map(str::to_owned)
    };
    let directory = |location: &str| match location.rfind('/') {
        Some(slash) if !location[..slash].ends_with('/') => location[..=slash].to_owned(),
        // The location is only a host.
        _ => location.to_owned(),
    };
    known()
        .find_map(of_document)
        .or_else(|| known().next().map(|(_, location)| directory(location)))
}
