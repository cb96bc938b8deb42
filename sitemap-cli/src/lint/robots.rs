//! The robots.txt of sites whose URLs are given.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use sitemap_serde::lint::Linter;
use sitemap_serde::robots::Robots;

use crate::input::url;
use crate::live::client::Client;

/// The robots.txt of sites, by scheme, host and port; `None` if it cannot be read: crawlers then read nothing of the site.
pub(super) type AllRobots = HashMap<String, Option<Robots>>;

/// Adds the robots.txt of each site to a lint, and returns them. Those that cannot be read are added to `unread`.
pub(super) fn add(
    linter: &mut Linter,
    files: &[PathBuf],
    agent: &str,
    unread: &mut Vec<String>,
) -> AllRobots {
    let mut found = HashMap::new();
    let sites: BTreeSet<&str> = files.iter().filter_map(|path| url(path)).map(site).collect();
    let client = Client::new();
    for site in sites {
        let location = format!("{site}/robots.txt");
        // The user has named these sites.
        let robots = client.robots(&location, true);
        let robots = robots.map_err(|failure| unread.push(format!("{location}: {failure}")));
        if let Ok(robots) = &robots {
            linter.robots(location, robots.clone(), agent);
        }
        found.insert(site.to_owned(), robots.ok());
    }
    found
}

/// Scheme, host and port of a URL.
pub(super) fn site(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#']);
    end.map_or(url, |end| &url[..start + end])
}
