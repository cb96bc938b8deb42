//! Addresses and their documents: redirects may lead several documents to one address.
//!
//! **A document is one node, by its normalized address; an address is requested once**. A redirect moves a node to another
//! address. The first node that reaches an address owns it and requests it. Later nodes follow the known redirects, or wait for
//! the owner. If the owner is read, they are the same document. Any other fate of the owner is also theirs. Each node counts its
//! own redirects, so its fate does not depend on other nodes: each node has the full limit, in a loop and in a shared tail of
//! redirects. `tests/walk/redirects.rs` compares random graphs with this rule.

use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::Arc;

use super::Walk;
use super::hosts::OtherHosts;
use crate::address::{self, Address};
use crate::report::{Cause, Failure, Fate};
use crate::request::Role;
use crate::state::Known;

/// A walk's knowledge of addresses. Each is requested once, by the first document that arrives there. The others wait for the
/// response.
#[derive(Debug, Default)]
pub(super) struct Resources {
    /// The redirects that were answered, from address to address.
    redirects: HashMap<Address, Address>,
    /// Documents that request, or have requested, an address other than their own, and got no redirect.
    owners: HashMap<Address, usize>,
    /// Documents that wait at an owner's address.
    waiting: HashMap<Address, Vec<usize>>,
}

impl Resources {
    /// Records a redirect, and returns the documents that waited at the address.
    pub(super) fn redirect(&mut self, from: &Address, to: &Address) -> Vec<usize> {
        self.owners.remove(from);
        self.redirects.insert(Arc::clone(from), Arc::clone(to));
        self.waiting.remove(from).unwrap_or_default()
    }

    /// Forgets the redirects of an origin: a new cookie may change them. Returns the documents that waited at its addresses.
    pub(super) fn forget(&mut self, address: &Address) -> Vec<usize> {
        let origin = address::origin(address);
        self.redirects.retain(|from, _| address::origin(from) != origin);
        self.owners.remove(address);
        self.waiting.remove(address).unwrap_or_default()
    }

    /// Ends all waiting.
    pub(super) fn stop_waiting(&mut self) {
        self.waiting.clear();
    }

    /// Returns `true` if the redirects from an address form a circle.
    fn are_circular(&self, from: &Address, most: u32) -> bool {
        let (mut seen, mut at) = (HashSet::from([from]), from);
        for _ in 0..=most {
            let Some(next) = self.redirects.get(at) else {
                return false;
            };
            if !seen.insert(next) {
                return true;
            }
            at = next;
        }
        false
    }
}

impl Walk {
    /// The document that requests an address, or has requested it.
    fn owner(&self, address: &Address) -> Option<usize> {
        let own = || {
            let number = *self.by_address.get(address)?;
            self.nodes[number].owns_url.then_some(number)
        };
        self.resources.owners.get(address).copied().or_else(own)
    }

    /// Makes a document the owner of its address, unless there is one. Returns the owner.
    pub(super) fn own(&mut self, number: usize) -> usize {
        let address = Arc::clone(self.nodes[number].address());
        if let Some(owner) = self.owner(&address) {
            return owner;
        }
        self.inherit(number, &address);
        let node = &mut self.nodes[number];
        if node.target.is_none() {
            node.owns_url = true;
        } else {
            self.resources.owners.insert(address, number);
        }
        number
    }

    /// Gives a document what is known of its address, also if another document was redirected there in the earlier walk: which one gets
    /// there first differs from walk to walk.
    fn inherit(&mut self, number: usize, address: &Address) {
        let target = self.nodes[number].target.clone();
        let is_of_address = |known: &Known| known.target == target;
        if self.nodes[number].known.as_deref().is_some_and(is_of_address) {
            return;
        }
        let Some(url) = self.known_by_address.get(address) else {
            return;
        };
        let reached = self.by_address.get(url).map(|&other| &self.nodes[other]);
        let known = match reached {
            Some(other) => other.known.as_deref(),
            None => self.previous.get(url),
        };
        let is_same = |known: &&Known| known.target.as_ref().unwrap_or(url) == address;
        if let Some(known) = known.filter(is_same) {
            let lastmod = self.nodes[number].lastmod.clone();
            let known = Known {
                target,
                lastmod,
                ..known.clone()
            };
            self.nodes[number].known = Some(Box::new(known));
        }
    }

    /// Follows the known redirects of a document, and requests it at their end. It waits if another document owns that address.
    pub(super) fn arrive(&mut self, number: usize, is_first: bool) {
        if self.nodes[number].role != Role::Robots {
            while let Some(target) = self
                .resources
                .redirects
                .get(self.nodes[number].address())
                .cloned()
            {
                if let Err(fate) = self.follow(number, target) {
                    return self.end(number, fate);
                }
            }
            let owner = self.own(number);
            if owner != number {
                let address = Arc::clone(self.nodes[number].address());
                if self.nodes[owner].fate == Fate::Pending {
                    self.resources.waiting.entry(address).or_default().push(number);
                } else {
                    self.be_same(number, owner);
                }
                return;
            }
        }
        let due = self.due(number);
        if is_first {
            self.schedule.push_first(due);
        } else {
            self.schedule.push(due);
        }
    }

    /// Moves a document to its redirect's target. The error is its fate.
    pub(super) fn follow(&mut self, number: usize, target: Address) -> Result<(), Fate> {
        let node = &self.nodes[number];
        let most = self.settings.budget.redirects;
        if node.redirects >= most {
            let problem = if self.resources.are_circular(&node.url, most) {
                "in a circle".to_owned()
            } else {
                format!("more than {most}")
            };
            return Err(Fate::Failed(Failure::Redirect(problem.into())));
        }
        if let Some(refusal) = self.hosts.refusal(&target) {
            return Err(Fate::Failed(Failure::PrivateIp(refusal.into())));
        }
        // A document that may be read may also move within its host.
        let stays = address::site(&target) == address::site(node.address());
        let may_leave = node.role != Role::Child || self.settings.other_hosts == OtherHosts::Follow;
        if !may_leave && !stays && !self.is_near(&target, number) {
            return Err(Fate::Skipped(Cause::OtherHost));
        }
        self.changed.insert(number);
        let node = &mut self.nodes[number];
        node.redirects += 1;
        node.target = Some(target);
        Ok(())
    }

    /// Gives the documents that waited for the address of this one the same fate.
    pub(super) fn share(&mut self, number: usize) {
        let address = Arc::clone(self.nodes[number].address());
        if self.owner(&address) != Some(number) {
            return;
        }
        for waiting in self.resources.waiting.remove(&address).unwrap_or_default() {
            self.be_same(waiting, number);
        }
    }

    /// Ends a document like the owner of its address: as the same document if the owner was read, otherwise with the same
    /// failure.
    fn be_same(&mut self, number: usize, owner: usize) {
        let owned = &self.nodes[owner];
        let fate = match &owned.fate {
            Fate::Read | Fate::Unchanged => Fate::SameAs(Arc::clone(&owned.url)),
            fate => fate.clone(),
        };
        if matches!(fate, Fate::SameAs(_)) {
            // The owner has it.
            self.nodes[number].known = None;
        }
        let depth = self.nodes[number].depth;
        self.raise(owner, depth);
        self.end(number, fate);
    }
}
