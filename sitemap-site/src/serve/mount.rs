//! The path where a site is mounted, and warnings if it is mounted elsewhere, or only partly: such mistakes cause dead links, which nobody notices.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use tracing::warn;

/// Maximum number of folders to warn about, since any client can request any folder.
const FOLDERS: usize = 8;

/// Number of times that the index is sent before missing requests for its parts are a problem.
const INDEXES: u32 = 100;

/// The path of a base URL, empty or beginning with `/`.
pub(super) fn path_of(base: &str) -> String {
    let path = base.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    path.map_or(String::new(), |(_, path)| format!("/{path}"))
}

/// Evidence from requests about the site's mount.
#[derive(Debug, Default)]
pub(super) struct Mount {
    /// Other folders of requests for the sitemap.
    folders: Mutex<Vec<String>>,
    /// The number of times the index was sent.
    indexes: AtomicU32,
    has_parts: AtomicBool,
}

impl Mount {
    /// Warns, once for each folder, of a request for a sitemap in another folder than the base's, which is `base_path`, or the root if a framework strips it.
    pub(super) fn check_folder(&self, path: &str, base: &str, base_path: &str) {
        let Some((folder, name)) = path.rsplit_once('/') else {
            return;
        };
        let is_sitemap = name
            .strip_suffix(".xml")
            .is_some_and(|name| name == "sitemap" || name.starts_with("sitemap-"));
        if !is_sitemap || folder.is_empty() || folder == base_path {
            return;
        }
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if folders.len() < FOLDERS && !folders.iter().any(|known| known == folder) {
            folders.push(folder.to_owned());
            warn!(
                path,
                "a sitemap was requested outside the folder of the site's base, {base}, whose sitemap is {base}/sitemap.xml: if \
                 the site is mounted at {folder}, add that to the base"
            );
        }
    }

    pub(super) fn part_requested(&self) {
        self.has_parts.store(true, Ordering::Relaxed);
    }

    /// Warns once if the index is sent again and again, and nobody reaches its parts.
    pub(super) fn index_sent(&self, base: &str) {
        if self.has_parts.load(Ordering::Relaxed) {
            return;
        }
        if self.indexes.fetch_add(1, Ordering::Relaxed) + 1 == INDEXES {
            warn!(
                "the sitemap's index was sent {INDEXES} times, and none of its parts was requested: see whether {base}/sitemap-… reaches the \
                 site, at the path that the base names, and by a route for the parts"
            );
        }
    }
}
