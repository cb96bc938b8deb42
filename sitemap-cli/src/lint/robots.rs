//! The robots.txt of sites whose URLs are given.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use sitemap_serde::lint::Linter;
use sitemap_serde::robots::Robots;
use sitemap_tree::Client;

use crate::input::url;
use crate::live::client::robots;

/// The robots.txt of sites, by scheme, host and port; `None` if it cannot be read: crawlers then read nothing of the site.
pub(super) type AllRobots = BTreeMap<String, Option<Robots>>;

/// Adds the robots.txt of each site to a lint, and returns them. If it redirects to that of another site, such as from `example.com` to
/// `www.example.com`, it is that one's as well. Those that cannot be read are added to `unread`.
pub(super) fn add(
    linter: &mut Linter,
    files: &[PathBuf],
    agent: &str,
    unread: &mut Vec<String>,
) -> AllRobots {
    let mut found = AllRobots::new();
    let named: BTreeSet<&str> = files.iter().filter_map(|path| url(path)).map(site).collect();
    let client = Client::new();
    for name in named {
        // The user has named these sites.
        match robots(&client, &location(name), true) {
            Ok((end, robots)) => {
                let other = site(&end);
                if end == location(other) {
                    found.insert(other.to_owned(), Some(robots.clone()));
                }
                found.insert(name.to_owned(), Some(robots));
            }
            Err(failure) => {
                unread.push(format!("{}: {failure}", location(name)));
                found.insert(name.to_owned(), None);
            }
        }
    }
    for (site, robots) in &found {
        if let Some(robots) = robots {
            linter.robots(location(site), robots.clone(), agent);
        }
    }
    found
}

fn location(site: &str) -> String {
    format!("{site}/robots.txt")
}

/// Scheme, host and port of a URL.
pub(super) fn site(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#']);
    end.map_or(url, |end| &url[..start + end])
}
