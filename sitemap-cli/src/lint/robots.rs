//! The robots.txt of sites whose URLs are given.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use sitemap_serde::lint::Linter;
use sitemap_serde::robots::Robots;

use crate::input::url;
use crate::live::client::Client;

/// Adds the robots.txt of each site to a lint, and returns them by scheme, host and port. One that cannot be read is added to `unread`:
/// crawlers then read nothing of the site.
pub(super) fn add(
    linter: &mut Linter,
    files: &[PathBuf],
    agent: &str,
    unread: &mut Vec<String>,
) -> HashMap<String, Robots> {
    let mut found = HashMap::new();
    let sites: BTreeSet<&str> = files.iter().filter_map(|path| url(path)).map(site).collect();
    let client = Client::new();
    for site in sites {
        let location = format!("{site}/robots.txt");
        match client.robots(&location) {
            Ok(Some(robots)) => {
                linter.robots(location, robots.clone(), agent);
                found.insert(site.to_owned(), robots);
            }
            Ok(None) => {}
            Err(failure) => unread.push(format!("{location}: {failure}")),
        }
    }
    found
}

/// Scheme, host and port of a URL.
pub(super) fn site(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#']);
    end.map_or(url, |end| &url[..start + end])
}
