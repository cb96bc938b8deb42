//! Adding the documents that others list.

use std::sync::Arc;
use std::time::Duration;

use sitemap_serde::robots::Robots;

use super::hosts::{OtherHosts, Waiting};
use super::node::Node;
use super::{Walk, robots_address};
use crate::address::{self, Address};
use crate::budget::BudgetItem;
use crate::listing::Listed;
use crate::report::{Cause, Failure, Fate};
use crate::request::Role;
use crate::schedule::Due;

/// Common addresses of sitemaps, for a `robots.txt` that names none.
const GUESSES: [&str; 5] = [
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap.xml.gz",
    "/sitemap.txt",
    "/wp-sitemap.xml",
];

impl Walk {
    /// Requests the start of the walk.
    pub(super) fn begin(&mut self) {
        if self.start.is_site || self.settings.crawl_delay.is_some() {
            let robots = robots_address(&self.start.url);
            self.add_robots(robots);
        } else {
            self.add_start();
        }
        self.add_listed();
    }

    fn add_start(&mut self) {
        let start = Listed {
            url: Arc::clone(&self.start.url),
            lastmod: None,
        };
        self.add(start, Role::Start, None);
    }

    /// Requests a `robots.txt`.
    fn add_robots(&mut self, robots: Address) {
        let known = self.previous.remove(&robots);
        let mut node = Node::new(robots, Role::Robots);
        node.known = known.map(Box::new);
        let number = self.nodes.len();
        self.nodes.push(node);
        self.changed.insert(number);
        self.admit(number);
    }

    /// Adds the newly listed documents.
    pub(super) fn add_listed(&mut self) {
        while let Some((lister, listed)) = self.unadded.pop_front() {
            let is_robots = self.nodes[lister].role == Role::Robots;
            let role = if is_robots { Role::Named } else { Role::Child };
            if is_robots && let Some(sitemaps) = &self.settings.sitemaps {
                self.keeps_named |= listed.iter().any(|listed| sitemaps.keeps(&listed.url));
            }
            for listed in listed {
                self.add(listed, role, Some(lister));
            }
        }
    }

    /// Adds a document and requests it, unless it is there.
    fn add(&mut self, listed: Listed, role: Role, lister: Option<usize>) {
        if let Some(number) = self.insert(listed, role, lister) {
            self.admit(number);
        }
    }

    /// Adds a document, unless it is there, or there are too many. Returns its number if it is to be read.
    fn insert(&mut self, listed: Listed, role: Role, lister: Option<usize>) -> Option<usize> {
        if let Some(&number) = self.by_address.get(&listed.url) {
            self.progress.repeated = self.progress.repeated.saturating_add(1);
            return self.list_again(number, role, lister).then_some(number);
        }
        if self.documents >= self.settings.budget.documents || !self.use_address(&listed.url) {
            self.progress.over_budget = self.progress.over_budget.saturating_add(1);
            return None;
        }
        self.documents += 1;
        let number = self.nodes.len();
        self.by_address.insert(Arc::clone(&listed.url), number);
        let known = self.previous.remove(&listed.url);
        let mut node = Node::new(listed.url, role);
        node.known = known.map(Box::new);
        node.lastmod = listed.lastmod;
        node.lister = lister;
        node.depth = self.depth_below(role, lister);
        self.nodes.push(node);
        self.changed.insert(number);
        self.note_child(lister, number);
        Some(number)
    }

    /// The number of indexes above the documents that a document lists.
    fn depth_below(&self, role: Role, lister: Option<usize>) -> u32 {
        let above = lister.and_then(|lister| self.nodes.get(lister));
        let above = above.filter(|_| role == Role::Child);
        above.map_or(0, |above| above.depth.saturating_add(1))
    }

    /// Records that a document lists another one, if there is room: its depth may change.
    pub(super) fn note_child(&mut self, lister: Option<usize>, number: usize) {
        let has_room = self.edges < self.settings.budget.url_bytes / size_of::<u32>();
        let child = u32::try_from(number).ok().filter(|_| has_room);
        if let (Some(child), Some(lister)) = (child, lister.and_then(|lister| self.nodes.get_mut(lister))) {
            lister.children.push(child);
            self.edges += 1;
        }
    }

    /// Records another listing of a known document. The new lister may have fewer indexes above it, or be on a host that makes
    /// the document readable. The order of listings makes no difference. Returns `true` if the document is to be read now.
    fn list_again(&mut self, number: usize, role: Role, lister: Option<usize>) -> bool {
        self.note_child(lister, number);
        let depth = self.depth_below(role, lister);
        let node = &self.nodes[number];
        let may_be_read = match node.fate {
            Fate::Skipped(Cause::Disallowed) => true,
            Fate::Skipped(Cause::OtherHost) => {
                let lister = lister.and_then(|lister| self.nodes.get(lister));
                role != Role::Child
                    || lister.is_some_and(|lister| {
                        address::site(lister.address()) == address::site(node.address())
                    })
            }
            _ => false,
        };
        if may_be_read {
            let node = &mut self.nodes[number];
            node.role = role;
            node.lister = lister;
        }
        let is_higher = depth < self.nodes[number].depth;
        if is_higher {
            self.nodes[number].lister = lister;
            self.raise(number, depth);
        }
        may_be_read && self.reconsider(number)
    }

    /// Records that a document, and so its listed documents, have fewer indexes above them than known before.
    pub(super) fn raise(&mut self, number: usize, depth: u32) {
        let mut raised = vec![(number, depth)];
        while let Some((number, depth)) = raised.pop() {
            let Some(node) = self.nodes.get_mut(number).filter(|node| depth < node.depth) else {
                continue;
            };
            node.depth = depth;
            self.changed.insert(number);
            let below = |&child: &u32| (child as usize, depth.saturating_add(1));
            raised.extend(node.children.iter().map(below));
            if let Fate::SameAs(url) = &node.fate {
                raised.extend(self.by_address.get(url).map(|&same| (same, depth)));
            }
            let node = &self.nodes[number];
            let is_too_deep = node.fate == Fate::Skipped(Cause::Budget(BudgetItem::Depth));
            if is_too_deep && depth <= self.settings.budget.depth && self.reconsider(number) {
                self.admit(number);
            }
        }
    }

    /// Reads a skipped document after all, from its own address.
    fn reconsider(&mut self, number: usize) -> bool {
        self.changed.insert(number);
        let node = &mut self.nodes[number];
        node.fate = Fate::Pending;
        node.target = None;
        node.redirects = 0;
        true
    }

    /// Consumes the budget of addresses for one more. Returns `true` if there was room.
    pub(super) fn use_address(&mut self, address: &Address) -> bool {
        let used = self.url_bytes.saturating_add(address.len());
        let has_room = used <= self.settings.budget.url_bytes;
        if has_room {
            self.url_bytes = used;
        }
        has_room
    }

    /// Requests a document, unless its address or its lastmod says otherwise.
    pub(super) fn admit(&mut self, number: usize) {
        let node = &self.nodes[number];
        if self.is_filtered(node) {
            self.end(number, Fate::Skipped(Cause::Filter));
        } else if node.depth > self.settings.budget.depth {
            self.end(number, Fate::Skipped(Cause::Budget(BudgetItem::Depth)));
        } else if let Some(refusal) = self.hosts.refusal(node.address()) {
            self.end(number, Fate::Failed(Failure::PrivateIp(refusal.into())));
        } else if node.role == Role::Child && !self.is_near(node.address(), number) {
            match self.settings.other_hosts {
                OtherHosts::Skip => self.end(number, Fate::Skipped(Cause::OtherHost)),
                OtherHosts::CrossSubmitted => self.ask_robots(number),
                OtherHosts::Follow => self.admit_host(number),
            }
        } else {
            self.admit_host(number);
        }
    }

    /// Returns `true` if the program does not want a document.
    fn is_filtered(&self, node: &Node) -> bool {
        let is_chosen = match node.role {
            Role::Named => !self.keeps_named || !self.is_unwanted(node),
            Role::Child => !self.is_unwanted(node),
            _ => true,
        };
        let filter = self.settings.filter.as_ref();
        let filter = filter.filter(|_| self.settings.trusts_lastmod);
        !is_chosen || filter.is_some_and(|filter| !filter.may_keep_sitemap(node.lastmod.as_deref()))
    }

    /// Returns `true` if the choice of documents does not keep a document, which may be an index all the same.
    pub(super) fn is_unwanted(&self, node: &Node) -> bool {
        let sitemaps = self.settings.sitemaps.as_ref();
        let sitemaps = sitemaps.filter(|_| !matches!(node.role, Role::Start | Role::Robots));
        sitemaps.is_some_and(|sitemaps| !sitemaps.keeps(&node.url))
    }

    /// Returns `true` if an address belongs to the start's site, the document's own site, or its lister's.
    pub(super) fn is_near(&self, address: &str, number: usize) -> bool {
        let node = &self.nodes[number];
        let lister = node.lister.and_then(|lister| self.nodes.get(lister));
        let site = address::site(address);
        self.hosts.is_own(address)
            || lister.is_some_and(|lister| address::site(lister.address()) == site)
            || node.role != Role::Child && address::site(&node.url) == site
    }

    /// Requests a document on an allowed host, unless its lastmod shows that it has not changed.
    fn admit_host(&mut self, number: usize) {
        let node = &self.nodes[number];
        let is_unchanged = |node: &Node| {
            let known = node.known.as_ref();
            node.lastmod.is_some() && known.is_some_and(|known| known.lastmod == node.lastmod)
        };
        if self.settings.trusts_lastmod && is_unchanged(node) {
            self.be_unchanged(number);
        } else {
            self.arrive(number, false);
        }
    }

    /// Ends an unchanged document. Its list of documents is the earlier one.
    pub(super) fn be_unchanged(&mut self, number: usize) {
        self.changed.insert(number);
        let node = &mut self.nodes[number];
        node.be_unchanged();
        let listed = node
            .known
            .as_ref()
            .map(|known| known.listed.clone())
            .unwrap_or_default();
        if !self.may_keep(&listed) {
            // The next walk reads it again.
            self.nodes[number].known = None;
        }
        self.unadded.push_back((number, listed));
        self.share(number);
    }

    /// A request for a document, at the end of its known redirects.
    pub(super) fn due(&mut self, number: usize) -> Due {
        let host = self.schedule.host(address::origin(self.nodes[number].address()));
        Due {
            document: number,
            host,
        }
    }

    /// Requests a document on another host if its `robots.txt` names it, or the index that lists it.
    fn ask_robots(&mut self, number: usize) {
        let robots = robots_address(self.nodes[number].address());
        match self.hosts.wait(&robots, number) {
            Waiting::First => self.add_robots(robots),
            Waiting::Requested => {}
            Waiting::Read => self.admit_submitted(number),
        }
    }

    fn admit_submitted(&mut self, number: usize) {
        let node = &self.nodes[number];
        if node.fate != Fate::Pending {
            return;
        }
        let site = address::site(&node.url);
        let lister = node.lister.and_then(|lister| self.nodes.get(lister));
        let is_submitted = self.hosts.is_submitted(site, &node.url)
            || lister.is_some_and(|lister| {
                self.hosts.is_submitted(site, &lister.url) || self.hosts.is_submitted(site, lister.address())
            });
        if is_submitted {
            self.admit_host(number);
        } else {
            self.end(number, Fate::Skipped(Cause::OtherHost));
        }
    }

    /// Continues after a `robots.txt`. If it was not read, there are no rules and no sitemaps.
    pub(super) fn after_robots(&mut self, number: usize, robots: Option<(&Robots, &[Listed])>) {
        let url = Arc::clone(&self.nodes[number].url);
        let target = Arc::clone(self.nodes[number].address());
        if let Some((robots, _)) = robots
            && let Some(delay) = robots.crawl_delay(&self.settings.user_agent)
        {
            self.wait_between_requests(&[&url, &target], delay);
        }
        if number > 0 {
            if let Some((_, named)) = robots {
                let most = self.settings.budget.url_bytes;
                let named = named.iter().map(|listed| Arc::clone(&listed.url));
                self.hosts.submit(address::site(&url), named, most);
            }
            for waiting in self.hosts.waited(&url) {
                self.admit_submitted(waiting);
            }
        } else if !self.start.is_site {
            self.add_start();
        } else if robots.is_none_or(|(_, named)| named.is_empty()) {
            let is_own = address::site(&url) == address::site(&target);
            let base = if is_own { &target } else { &url };
            self.guess(base, robots.map(|(robots, _)| robots));
        }
    }

    fn wait_between_requests(&mut self, addresses: &[&Address], delay: Duration) {
        if addresses
            .first()
            .is_some_and(|address| self.hosts.is_own(address))
        {
            self.progress.crawl_delay = Some(delay);
        }
        let delay = self.settings.kept_delay(delay);
        for address in addresses {
            let host = self.schedule.host(address::origin(address));
            self.schedule.set_interval(host, delay);
        }
    }

    /// Tries the common addresses, if the `robots.txt` names no sitemap and does not fail.
    fn guess(&mut self, base: &str, robots: Option<&Robots>) {
        let fate = &self.nodes[0].fate;
        if !matches!(
            fate,
            Fate::Read | Fate::Absent | Fate::Failed(Failure::Redirect(_))
        ) {
            return;
        }
        for path in GUESSES {
            let Ok(url) = address::parse(path, Some(base)) else {
                continue;
            };
            let is_allowed = robots.is_none_or(|robots| robots.allows(&self.settings.user_agent, &url));
            let guess = Listed { url, lastmod: None };
            match self.insert(guess, Role::Guess, None) {
                Some(number) if is_allowed => self.admit(number),
                Some(number) => self.end(number, Fate::Skipped(Cause::Disallowed)),
                None => {}
            }
        }
    }
}
