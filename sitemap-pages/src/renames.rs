//! Pages of the ledger whose URL has changed.

use std::collections::{HashMap, HashSet};

use crate::address::path_in;
use crate::leads::Leads;
use crate::ledger::{Ledger, LedgerPage};
use crate::listing::Verdict;
use crate::walk::FileId;

/// Finds each listed page in the ledger: by the path of its URL, by a path that redirects to it, or by the same path in another form, such
/// as `/about/` for `/about.html`. Each page of the ledger is found at most once.
pub(crate) fn earlier<'l>(ledger: &'l Ledger, leads: &Leads<'_>) -> HashMap<FileId, &'l LedgerPage> {
    let verdicts = (0..).zip(leads.verdicts);
    let listed: Vec<(FileId, String)> = verdicts
        .filter_map(|(id, verdict)| match verdict {
            Verdict::Listed(form) => Some((id, path_in(&leads.listing.files[id as usize].bytes(), *form))),
            Verdict::LeftOut(_) => None,
        })
        .collect();
    let mut found: HashMap<FileId, &LedgerPage> = HashMap::new();
    let mut taken: HashSet<&str> = HashSet::new();
    for (id, path) in &listed {
        if let Some(page) = ledger.page(path) {
            taken.insert(&page.path);
            found.insert(*id, page);
        }
    }
    if ledger.is_empty() || found.len() == listed.len() {
        return found;
    }
    for page in ledger.pages() {
        if taken.contains(&*page.path) {
            continue;
        }
        if let Some(id) = leads.redirected(&page.path)
            && !found.contains_key(&id)
        {
            taken.insert(&page.path);
            found.insert(id, page);
        }
    }
    let mut by_stem: HashMap<&str, &LedgerPage> = HashMap::new();
    for page in ledger.pages().iter().filter(|page| !taken.contains(&*page.path)) {
        by_stem.entry(stem(&page.path)).or_insert(page);
    }
    for (id, path) in &listed {
        if !found.contains_key(id)
            && let Some(page) = by_stem.remove(stem(path))
        {
            found.insert(*id, page);
        }
    }
    found
}

/// Returns the common part of all forms of a path.
fn stem(path: &str) -> &str {
    let path = ["index.html", "index.htm"]
        .iter()
        .find_map(|name| path.strip_suffix(name))
        .unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    path.strip_suffix(".html").unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn forms_of_a_path() {
        for path in ["a/b", "a/b/", "a/b.html", "a/b/index.html", "a/b/index.htm"] {
            assert_eq!(stem(path), "a/b");
        }
        assert_eq!((stem(""), stem("index.html"), stem("a.htm")), ("", "", "a.htm"));
    }
}
