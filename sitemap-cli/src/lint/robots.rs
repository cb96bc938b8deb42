//! The robots.txt of the sites at the given URLs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::Result;
use sitemap_serde::lint::Linter;
use sitemap_serde::robots::Robots;

use crate::input::url;
use crate::live::client::robots;
use crate::live::connection::Connection;
use crate::url_parts::origin;

/// The robots.txt of sites, by scheme, host and port. `None` if it is unreadable: crawlers then read nothing of the site.
pub(super) type AllRobots = BTreeMap<String, Option<Robots>>;

/// Adds the robots.txt of each site to a lint, and returns them. A redirect to another site, such as from `example.com` to
/// `www.example.com`, makes the robots.txt apply to both. Adds unreadable ones to `unread`.
pub(super) fn add(
    linter: &mut Linter,
    files: &[PathBuf],
    agent: &str,
    connection: &Connection,
    unread: &mut Vec<String>,
) -> Result<AllRobots> {
    let mut found = AllRobots::new();
    let named: BTreeSet<&str> = files.iter().filter_map(|path| url(path)).map(origin).collect();
    for name in named {
        // Private addresses are allowed, because the user named these sites.
        match robots(connection, &location(name), true)? {
            Ok((end, robots)) => {
                let other = origin(&end);
                if end == location(other) {
                    found.insert(other.to_owned(), Some(robots.clone()));
                }
                found.insert(name.to_owned(), Some(robots));
            }
            Err(failure) => {
                let advice = connection.advice(name, &failure);
                unread.push(format!("{}: {failure}{advice}", location(name)));
                found.insert(name.to_owned(), None);
            }
        }
    }
    for (site, robots) in &found {
        if let Some(robots) = robots {
            linter.robots(location(site), robots.clone(), agent);
        }
    }
    Ok(found)
}

fn location(site: &str) -> String {
    format!("{site}/robots.txt")
}
