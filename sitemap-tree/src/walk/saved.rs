//! The state between two walks.
//!
//! **The state is a log.** `Walk::state` is the whole state, `Walk::take_changes` the documents whose state has changed since,
//! and `State::extend` combines them. So a killed program loses only the documents in flight, without writing thousands of
//! documents after each one.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::num::NonZero;
use std::sync::Arc;

use super::Walk;
use super::node::Node;
use crate::address::{self, Address};
use crate::budget::Remaining;
use crate::listing::Listed;
use crate::report::{DocumentKind, Fate};
use crate::request::Role;
use crate::state::{Progress, Reached, SavedDocument, State};

/// The state of a walk.
pub(super) fn state(walk: &Walk) -> State {
    let is_finished = walk.nodes.iter().all(|node| node.fate != Fate::Pending);
    let mut documents: Vec<_> = (walk.nodes.iter())
        .map(|node| document(walk, node, !is_finished))
        .filter(|document| document.reached.is_some() || document.known.is_some())
        .collect();
    // A vanished document is reported once.
    let vanished: HashSet<&str> = walk.vanished().into_iter().collect();
    let mut unreached: Vec<_> = walk.previous.iter().collect();
    unreached.sort_by_key(|(url, _)| *url);
    for (url, known) in unreached {
        if !(is_finished && vanished.contains(&**url)) {
            documents.push(SavedDocument {
                url: Arc::clone(url),
                reached: None,
                known: Some(known.clone()),
            });
        }
    }
    State {
        start: walk.start.clone(),
        is_finished,
        progress: progress(walk),
        documents,
    }
}

/// The changes of an unfinished walk's state.
pub(super) fn take_changes(walk: &mut Walk) -> State {
    let changed = mem::take(&mut walk.changed);
    State {
        start: walk.start.clone(),
        is_finished: false,
        progress: progress(walk),
        documents: (changed.iter())
            .filter_map(|&number| Some(document(walk, walk.nodes.get(number)?, true)))
            .collect(),
    }
}

fn document(walk: &Walk, node: &Node, is_reached: bool) -> SavedDocument {
    let url_of = |number: usize| walk.nodes.get(number).map(|node| Arc::clone(&node.url));
    SavedDocument {
        url: Arc::clone(&node.url),
        reached: is_reached.then(|| Reached {
            role: node.role,
            lister: node.lister.and_then(url_of),
            depth: node.depth,
            lastmod: node.lastmod.clone(),
            target: node.target.clone(),
            redirects: node.redirects,
            // A document that is still to be read is requested again.
            status: node
                .status
                .filter(|_| node.fate != Fate::Pending)
                .map(NonZero::get),
            fate: node.fate.clone(),
            contents: node.contents.clone(),
            has_changed: node.has_changed,
        }),
        known: node.known.as_deref().cloned(),
    }
}

fn progress(walk: &Walk) -> Progress {
    let budget = &walk.settings.budget;
    Progress {
        sites: walk.hosts.sites().to_vec(),
        is_private: walk.hosts.is_private(),
        wire_bytes: budget.wire_bytes.saturating_sub(walk.remaining.wire_bytes()),
        entries: budget.entries.saturating_sub(walk.remaining.entries()),
        ..walk.progress.clone()
    }
}

/// Begins a walk with an earlier state, or continues an interrupted walk.
pub(super) fn restore(walk: &mut Walk, state: State) {
    let documents = state.documents.iter();
    walk.known_by_address = documents
        .filter_map(|document| {
            let target = document.known.as_ref()?.target.as_ref();
            Some((
                Arc::clone(target.unwrap_or(&document.url)),
                Arc::clone(&document.url),
            ))
        })
        .collect();
    if state.is_finished {
        let known = state.documents.into_iter();
        walk.previous = known
            .filter_map(|document| Some((document.url, document.known?)))
            .collect();
        walk.begin();
        return;
    }
    let mut numbers: HashMap<Address, usize> = HashMap::new();
    for SavedDocument { url, reached, known } in state.documents {
        let Some(reached) = reached else {
            walk.previous.extend(known.map(|known| (url, known)));
            continue;
        };
        let is_robots = reached.role == Role::Robots;
        // The state does not have the rules of other hosts: their robots.txt is requested again when needed.
        if is_robots && !walk.nodes.is_empty() || numbers.contains_key(&url) {
            continue;
        }
        let number = walk.nodes.len();
        if !is_robots {
            walk.documents += 1;
            walk.by_address.insert(Arc::clone(&url), number);
        }
        numbers.insert(Arc::clone(&url), number);
        let lister = reached
            .lister
            .as_ref()
            .and_then(|lister| numbers.get(lister))
            .copied();
        let node = Node::reached(url, reached, known, lister);
        if node.role == Role::Named && !walk.is_unwanted(&node) {
            walk.keeps_named = true;
        }
        let addresses = [Some(&node.url), node.target.as_ref()].into_iter().flatten();
        walk.url_bytes += addresses.map(|address| address.len()).sum::<usize>();
        let lists = node.known.iter().flat_map(|known| &known.listed);
        walk.kept = lists.map(Listed::bytes).fold(walk.kept, usize::saturating_add);
        walk.nodes.push(node);
    }
    if walk.nodes.is_empty() {
        walk.begin();
        return;
    }
    for number in 0..walk.nodes.len() {
        let node = &mut walk.nodes[number];
        if node.fate == Fate::Pending {
            node.target = None;
            node.redirects = 0;
        } else if node.role != Role::Robots && node.was_answered() {
            if let (Role::Guess, Some(hash)) = (node.role, node.known.as_ref().and_then(|known| known.hash)) {
                walk.guesses.note(hash, &node.url);
            }
            walk.own(number);
        }
    }
    walk.note_children();
    resume(walk, state.progress);
}

/// Requests the unread documents of an interrupted walk.
fn resume(walk: &mut Walk, progress: Progress) {
    let budget = &walk.settings.budget;
    let left = |all: u64, used: u64| all.saturating_sub(used);
    walk.remaining = Arc::new(Remaining::new(
        left(budget.wire_bytes, progress.wire_bytes),
        left(budget.entries, progress.entries),
    ));
    walk.hosts.restore(progress.sites.clone(), progress.is_private);
    if let Some(delay) = progress.crawl_delay {
        let host = walk.schedule.host(address::origin(&walk.start.url));
        let delay = walk.settings.kept_delay(delay);
        walk.schedule.set_interval(host, delay);
    }
    walk.progress = progress;
    for number in 0..walk.nodes.len() {
        if walk.nodes[number].fate == Fate::Pending {
            walk.admit(number);
        }
    }
    walk.add_listed();
}

impl Walk {
    /// Records the lister of each restored document.
    fn note_children(&mut self) {
        for number in 0..self.nodes.len() {
            let lister = self.nodes[number].lister;
            self.note_child(lister, number);
        }
    }

    /// The documents of the earlier walk that nothing lists any more, sorted. The list of an unreadable index is unknown, so its
    /// documents are not included.
    pub(super) fn vanished(&self) -> Vec<&str> {
        if self.progress.over_budget > 0 {
            return Vec::new();
        }
        let unread = self.nodes.iter().filter(|node| !node.is_settled());
        let mut listers: Vec<_> = unread.filter_map(|node| node.known.as_deref()).collect();
        let mut unknown: HashSet<&str> = HashSet::new();
        while let Some(lister) = listers.pop() {
            for listed in &lister.listed {
                if let Some((url, known)) = self.previous.get_key_value(&listed.url)
                    && unknown.insert(url)
                {
                    listers.push(known);
                }
            }
        }
        let unreached = self.previous.iter();
        let sitemaps = unreached.filter(|(_, known)| known.kind != DocumentKind::Robots);
        let mut vanished: Vec<&str> = sitemaps
            .map(|(url, _)| &**url)
            .filter(|url| !unknown.contains(url))
            .collect();
        vanished.sort_unstable();
        vanished
    }
}
