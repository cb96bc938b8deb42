//! Which hosts a walk may connect to.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

use crate::address::{self, Address};
use crate::is_global;
use crate::request::Head;

/// Which listed documents on other hosts are read. Another host is neither the index's nor the start's. The host where the
/// start's redirects end counts as the start's, and `www.` makes no difference. Sitemaps that the site's own `robots.txt` names
/// are always read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OtherHosts {
    /// None. The report has them as skipped.
    #[default]
    Skip,
    /// Documents that their own host's `robots.txt` names, and documents of indexes that it names.
    CrossSubmitted,
    /// All.
    Follow,
}

/// A walk's knowledge of hosts.
#[derive(Debug)]
pub(super) struct Hosts {
    /// Scheme, host and port of the start.
    start: Box<str>,
    /// `true` if the start's address is not globally routable; `None` before the first response.
    is_private: Option<bool>,
    /// The start's site, and the sites that it redirects to.
    sites: Vec<Box<str>>,
    /// The `robots.txt` of other hosts, with the documents that wait for it; `None` if it was read.
    robots: HashMap<Address, Option<Vec<usize>>>,
    /// Sitemaps that the `robots.txt` of their own host names: that host's site, and the sitemap.
    submitted: HashSet<(Box<str>, Address)>,
    submitted_bytes: usize,
}

impl Hosts {
    pub(super) fn new(start: &str) -> Self {
        let is_private = address::refusal(start).is_some();
        Hosts {
            start: address::origin(start).into(),
            is_private: (is_private || address::is_literal(start)).then_some(is_private),
            sites: vec![address::site(start).into()],
            robots: HashMap::new(),
            submitted: HashSet::new(),
            submitted_bytes: 0,
        }
    }

    pub(super) fn is_private(&self) -> Option<bool> {
        self.is_private
    }

    pub(super) fn sites(&self) -> &[Box<str>] {
        &self.sites
    }

    /// Restores the hosts of an interrupted walk.
    pub(super) fn restore(&mut self, sites: Vec<Box<str>>, is_private: Option<bool>) {
        self.sites = sites;
        self.is_private = is_private;
    }

    /// The test for IP addresses that a client may connect to, for a document's address.
    pub(super) fn policy(&self, address: &str) -> fn(IpAddr) -> bool {
        if self.is_free(address) {
            |_| true
        } else {
            is_global
        }
    }

    /// Why the client must not connect to the host of an address at all.
    pub(super) fn refusal(&self, address: &str) -> Option<String> {
        address::refusal(address).filter(|_| !self.is_free(address))
    }

    /// Returns `true` if every IP address is allowed.
    fn is_free(&self, address: &str) -> bool {
        self.is_private != Some(false) && address::origin(address) == &*self.start
    }

    /// Learns from the first response whether the start is private.
    pub(super) fn meet(&mut self, head: &Head) {
        if self.is_private.is_none() {
            self.is_private = Some(head.ip.is_some_and(|ip| !is_global(ip)));
        }
    }

    /// Counts the site of an address as the start's.
    pub(super) fn adopt(&mut self, address: &str) {
        if !self.is_own(address) {
            self.sites.push(address::site(address).into());
        }
    }

    /// Returns `true` if an address belongs to the start's site, or to a site that it redirected to.
    pub(super) fn is_own(&self, address: &str) -> bool {
        let site = address::site(address);
        self.sites.iter().any(|own| **own == *site)
    }
}

/// Cross submission: a document on another host is read if the `robots.txt` there names it, or the index that lists it.
impl Hosts {
    /// Makes a document wait for a `robots.txt`, unless it was already read.
    pub(super) fn wait(&mut self, robots: &Address, document: usize) -> Waiting {
        match self.robots.get_mut(robots) {
            Some(Some(waiting)) => {
                waiting.push(document);
                Waiting::Requested
            }
            Some(None) => Waiting::Read,
            None => {
                self.robots.insert(robots.clone(), Some(vec![document]));
                Waiting::First
            }
        }
    }

    /// Records that a `robots.txt` was read, and returns the documents that waited for it.
    pub(super) fn waited(&mut self, robots: &Address) -> Vec<usize> {
        self.robots
            .insert(robots.clone(), None)
            .flatten()
            .unwrap_or_default()
    }

    /// Returns `true` if documents wait.
    pub(super) fn are_waiting(&self) -> bool {
        self.robots.values().flatten().any(|waiting| !waiting.is_empty())
    }

    /// Ends all waiting.
    pub(super) fn stop_waiting(&mut self) {
        self.robots.values_mut().flatten().for_each(Vec::clear);
    }

    /// Records the sitemaps that a site's own `robots.txt` names, up to `most` bytes.
    pub(super) fn submit(&mut self, site: &str, sitemaps: impl Iterator<Item = Address>, most: usize) {
        for sitemap in sitemaps {
            let bytes = self.submitted_bytes.saturating_add(site.len() + sitemap.len());
            if bytes <= most && self.submitted.insert((site.into(), sitemap)) {
                self.submitted_bytes = bytes;
            }
        }
    }

    /// Returns `true` if the `robots.txt` of a site names a sitemap.
    pub(super) fn is_submitted(&self, site: &str, sitemap: &Address) -> bool {
        self.submitted.contains(&(site.into(), sitemap.clone()))
    }
}

/// The `robots.txt` that a document waits for.
#[derive(Debug)]
pub(super) enum Waiting {
    /// It is still to be requested.
    First,
    Requested,
    Read,
}
