//! Pages in other languages.

use std::sync::Arc;

use sitemap_serde::{Alternate, UrlEntry, to_string};

use crate::address::{SiteAddress, path_in};
use crate::facts::{AlternateFact, LeadTarget};
use crate::finding::{Finding, FindingKind};
use crate::listing::{ReadPage, Verdict};
use crate::walk::{FileId, PageFile};

/// Makes the alternates of pages.
#[derive(Debug)]
pub(crate) struct Alternates<'a> {
    address: &'a SiteAddress,
    files: &'a [PageFile],
    read: &'a [ReadPage],
    verdicts: &'a [Verdict],
    /// From which page to which the links lead, ordered.
    links: Vec<(FileId, FileId)>,
}

impl<'a> Alternates<'a> {
    pub(crate) fn new(
        address: &'a SiteAddress,
        files: &'a [PageFile],
        read: &'a [ReadPage],
        verdicts: &'a [Verdict],
    ) -> Self {
        let mut links = Vec::new();
        for (id, read) in (0..).zip(read) {
            let alternates = read.facts().into_iter().flat_map(|facts| &facts.alternates);
            links.extend(alternates.filter_map(|fact| match fact.lead.to {
                LeadTarget::Page(page, _) => Some((id, page)),
                _ => None,
            }));
        }
        links.sort_unstable();
        Alternates {
            address,
            files,
            read,
            verdicts,
            links,
        }
    }

    /// The alternates of a page: of its links those that lead to listed pages.
    pub(crate) fn of(&self, id: FileId, findings: &mut Vec<Finding>) -> Arc<[Alternate]> {
        let Some(facts) = self.read[id as usize].facts() else {
            return Arc::default();
        };
        if facts.alternates.is_empty() {
            return Arc::default();
        }
        let alternates = facts
            .alternates
            .iter()
            .filter_map(|fact| match self.alternate(id, fact) {
                Ok((alternate, problem)) => {
                    findings.extend(problem.map(|problem| self.finding(id, fact, &problem)));
                    Some(alternate)
                }
                Err(problem) => {
                    findings.push(self.finding(id, fact, &problem));
                    None
                }
            });
        alternates.collect()
    }

    /// The alternate, with what is wrong with it even so.
    fn alternate(&self, id: FileId, fact: &AlternateFact) -> Result<(Alternate, Option<String>), String> {
        let page = match &fact.lead.to {
            LeadTarget::Page(page, _) => *page,
            LeadTarget::Outside => {
                return Err(
                    "leads out of the folder: it is left out, since nothing is known of the page".to_owned(),
                );
            }
            LeadTarget::Query | LeadTarget::NoPage(_) => {
                return Err("leads nowhere: there is no page at this address".to_owned());
            }
        };
        let path = match self.verdicts.get(page as usize) {
            Some(Verdict::Listed(form)) => path_in(&self.files[page as usize].bytes(), *form),
            Some(Verdict::LeftOut(reason)) => {
                return Err(format!("leads to a page that is not listed: {reason}"));
            }
            None => return Err("leads nowhere".to_owned()),
        };
        let alternate = Alternate::new(fact.hreflang.as_str(), self.address.of_path(&path));
        let mut entry = UrlEntry::new(self.address.of_path(&path));
        entry.alternates = vec![alternate];
        if let Err(error) = to_string(&[&entry]) {
            return Err(error.to_string());
        }
        let is_returned = page == id || self.links.binary_search(&(page, id)).is_ok();
        let problem = (!is_returned)
            .then(|| "is not returned: the page does not link back, so search engines ignore it".to_owned());
        Ok((entry.alternates.remove(0), problem))
    }

    fn finding(&self, id: FileId, fact: &AlternateFact, problem: &str) -> Finding {
        let message = format!(
            "the alternate `{}` in `{}` {problem}",
            fact.lead.text, fact.hreflang
        );
        let name = self.files[id as usize].name();
        Finding::new(name, Some(fact.lead.line), FindingKind::Alternate, message)
    }
}
