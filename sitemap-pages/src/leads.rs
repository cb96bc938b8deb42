//! Follows canonical addresses and redirects.

use std::collections::BTreeMap;
use std::path::Path;

use crate::facts::LeadTarget;
use crate::finding::{Finding, FindingKind};
use crate::host::Effect;
use crate::listing::{Listing, Verdict};
use crate::reason::Reason;
use crate::walk::{FileId, has_file};

/// Longer chains are not followed.
const LONGEST: usize = 20;

/// Checks the targets of all canonical addresses and redirects.
#[derive(Debug)]
pub(crate) struct Leads<'a> {
    pub(crate) root: &'a Path,
    pub(crate) listing: &'a Listing<'a>,
    pub(crate) verdicts: &'a [Verdict],
}

/// A canonical address or redirect.
struct Origin<'a> {
    file: String,
    line: Option<usize>,
    /// `the canonical address`, `the redirect to`.
    what: &'static str,
    text: &'a str,
    page: Option<FileId>,
}

impl Leads<'_> {
    pub(crate) fn check(&self, findings: &mut Vec<Finding>) {
        let mut canonicals: BTreeMap<String, Vec<(FileId, usize)>> = BTreeMap::new();
        for (id, verdict) in (0..).zip(self.verdicts) {
            let Verdict::LeftOut(reason) = verdict else {
                continue;
            };
            let file = self.listing.files[id as usize].name();
            let (line, what, text) = match &**reason {
                Reason::Canonical { line, to } => {
                    canonicals
                        .entry(self.normalized(id))
                        .or_default()
                        .push((id, *line));
                    (*line, "the canonical address", to)
                }
                Reason::CanonicalHeader { to, .. } => {
                    let target = Some(self.listing.resolver.resolve(to, &file, None));
                    let what = "the canonical address of its headers";
                    let origin = Origin {
                        file,
                        line: None,
                        what,
                        text: to,
                        page: Some(id),
                    };
                    self.follow(&origin, target, findings);
                    continue;
                }
                Reason::Refresh { line, to } => (*line, "the redirect to", to),
                _ => continue,
            };
            let page = Some(id);
            let to = self.next(id);
            self.follow(
                &Origin {
                    file,
                    line: Some(line),
                    what,
                    text,
                    page,
                },
                to,
                findings,
            );
        }
        for (place, from, text) in self.listing.host.literals() {
            let page = match self.listing.resolver.resolve(from, "", None) {
                LeadTarget::Page(page, _) => Some(page),
                _ => None,
            };
            let target = self.listing.resolver.resolve(text, "", None);
            // One address of a page names another, or itself.
            if matches!(target, LeadTarget::Page(to, _) if Some(to) == page) {
                continue;
            }
            let origin = Origin {
                file: place.file.to_owned(),
                line: Some(place.line),
                what: "the redirect to",
                text,
                page,
            };
            self.follow(&origin, Some(target), findings);
        }
        self.report_shared(&canonicals, findings);
    }

    /// Returns the target of a page that is left out because it leads elsewhere.
    fn next(&self, id: FileId) -> Option<LeadTarget> {
        let facts = self.listing.read[id as usize].facts();
        let Verdict::LeftOut(reason) = self.verdicts.get(id as usize)? else {
            return None;
        };
        match &**reason {
            Reason::Canonical { .. } => Some(facts?.canonical.as_ref()?.to.clone()),
            Reason::Refresh { .. } => Some(facts?.refresh.as_ref()?.to.clone()),
            Reason::Redirect { to, .. } | Reason::CanonicalHeader { to, .. } => {
                Some(self.listing.resolver.resolve(to, "", None))
            }
            _ => None,
        }
    }

    /// Returns the listed page that a path below the folder's address redirects to.
    pub(crate) fn redirected(&self, path: &str) -> Option<FileId> {
        let mut to = self
            .listing
            .resolver
            .resolve(&self.listing.address.of_path(path), "", None);
        let mut is_redirected = false;
        for _ in 0..LONGEST {
            if matches!(to, LeadTarget::NoPage(_)) {
                to = self.after_redirects(Some(to))?;
                is_redirected = true;
            }
            let LeadTarget::Page(page, _) = to else {
                return None;
            };
            match self.next(page) {
                Some(next) => to = next,
                None => {
                    let is_listed = matches!(self.verdicts.get(page as usize)?, Verdict::Listed(_));
                    return (is_redirected && is_listed).then_some(page);
                }
            }
            is_redirected = true;
        }
        None
    }

    fn follow(&self, origin: &Origin<'_>, to: Option<LeadTarget>, findings: &mut Vec<Finding>) {
        let mut passed: Vec<FileId> = origin.page.into_iter().collect();
        let mut to = to;
        let mut steps = 0;
        let (kind, problem) = loop {
            match self.after_redirects(to) {
                None | Some(LeadTarget::Outside | LeadTarget::Query) => {
                    return self.report_chain(origin, &passed, steps, findings);
                }
                Some(LeadTarget::NoPage(path)) => {
                    // A file that is not a page, such as a picture.
                    if has_file(self.root, &path) {
                        return self.report_chain(origin, &passed, steps, findings);
                    }
                    break (
                        FindingKind::LeadsNowhere,
                        "leads nowhere: there is no page at this address".to_owned(),
                    );
                }
                Some(LeadTarget::Page(page, _)) => {
                    if passed.contains(&page) || steps == LONGEST {
                        break (
                            FindingKind::Loop,
                            format!("leads in a circle: {}", self.way(&passed, page)),
                        );
                    }
                    passed.push(page);
                    steps += 1;
                    to = self.next(page);
                    if to.is_none()
                        && let Some(Verdict::LeftOut(reason)) = self.verdicts.get(page as usize)
                    {
                        let name = self.listing.files[page as usize].name();
                        let problem = format!("leads to {name}, which is not listed: {reason}");
                        break (FindingKind::LeadsToUnlisted, problem);
                    }
                }
            }
        };
        let message = format!("{} `{}` {problem}", origin.what, origin.text);
        findings.push(Finding::new(origin.file.clone(), origin.line, kind, message));
    }

    /// A path without a page may redirect to one.
    fn after_redirects(&self, to: Option<LeadTarget>) -> Option<LeadTarget> {
        let mut to = to?;
        for _ in 0..LONGEST {
            let LeadTarget::NoPage(path) = &to else { break };
            let path = format!("{}{}", self.listing.address.base(), String::from_utf8_lossy(path));
            match self.listing.host.redirect(self.listing.address, &path, false) {
                Some((_, Effect::To(next))) => to = self.listing.resolver.resolve(&next, "", None),
                _ => break,
            }
        }
        Some(to)
    }

    fn report_chain(
        &self,
        origin: &Origin<'_>,
        passed: &[FileId],
        steps: usize,
        findings: &mut Vec<Finding>,
    ) {
        if steps < 2 {
            return;
        }
        let Some((last, way)) = passed.split_last() else {
            return;
        };
        let message = format!(
            "{} `{}` leads on: {}; name the last one",
            origin.what,
            origin.text,
            self.way(way, *last)
        );
        findings.push(Finding::new(
            origin.file.clone(),
            origin.line,
            FindingKind::Chain,
            message,
        ));
    }

    fn way(&self, passed: &[FileId], last: FileId) -> String {
        let names = passed
            .iter()
            .chain([&last])
            .map(|id| self.listing.files[*id as usize].name());
        names.collect::<Vec<_>>().join(" → ")
    }

    /// Returns the canonical address of a page, the same for all ways of writing it.
    fn normalized(&self, id: FileId) -> String {
        let canonical = self.listing.read[id as usize]
            .facts()
            .and_then(|facts| facts.canonical.as_ref());
        canonical.map_or_else(String::new, |lead| match &lead.to {
            LeadTarget::Page(page, _) => self.listing.files[*page as usize].name(),
            _ => lead.text.clone(),
        })
    }

    fn report_shared(
        &self,
        canonicals: &BTreeMap<String, Vec<(FileId, usize)>>,
        findings: &mut Vec<Finding>,
    ) {
        for pages in canonicals.values() {
            let Some(((first, _), others)) = pages.split_first() else {
                continue;
            };
            for (page, line) in others {
                let message = format!(
                    "has the canonical address that {} has, too",
                    self.listing.files[*first as usize].name()
                );
                let name = self.listing.files[*page as usize].name();
                findings.push(Finding::new(
                    name,
                    Some(*line),
                    FindingKind::SharedCanonical,
                    message,
                ));
            }
        }
    }
}
