//! Pages in other languages.

use std::sync::Arc;

use sitemap_serde::{Alternate, UrlEntry, to_string};

use crate::address::{SiteAddress, path_in};
use crate::error::{Error, ErrorKind, Result};
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
    /// Links between pages in different languages, as (from, to), sorted.
    links: Vec<(FileId, FileId)>,
    languages: &'a Languages,
}

/// Languages by the folders of their pages.
#[derive(Debug)]
pub(crate) struct Languages(Vec<(String, Vec<u8>)>);

impl Languages {
    /// Takes the configured folders of languages: `/` or `/fr/`.
    pub(crate) fn of(set: &[(String, String)]) -> Self {
        let languages = set.iter().map(|(language, folder)| {
            let folder = folder.trim_matches('/');
            let slash = if folder.is_empty() { "" } else { "/" };
            (language.clone(), format!("{folder}{slash}").into_bytes())
        });
        Languages(languages.collect())
    }

    /// Checks the configured languages.
    pub(crate) fn check(set: &[(String, String)]) -> Result<()> {
        let refused = |problem: String| Err(Error::new(ErrorKind::Setting, problem));
        for (i, (language, folder)) in set.iter().enumerate() {
            let mut entry = UrlEntry::new("https://example.com/");
            entry.alternates = vec![Alternate::new(language, "https://example.com/")];
            if let Err(error) = to_string(&[&entry]) {
                let advice = error
                    .advice()
                    .map_or_else(String::new, |advice| format!("; {advice}"));
                return refused(format!(
                    "the language `{language}` of `{folder}`: {}{advice}",
                    error.problem()
                ));
            }
            let same = set[..i]
                .iter()
                .find(|(other, _)| other.eq_ignore_ascii_case(language));
            if let Some((_, other)) = same {
                return refused(format!(
                    "the language `{language}` has two folders, `{other}` and `{folder}`"
                ));
            }
        }
        Ok(())
    }

    /// Returns the path of a file below its language's folder, which is the deepest match.
    fn below<'f>(&self, file: &'f [u8]) -> Option<&'f [u8]> {
        let below = self
            .0
            .iter()
            .filter_map(|(_, folder)| file.strip_prefix(&**folder));
        below.min_by_key(|below| below.len())
    }
}

impl<'a> Alternates<'a> {
    pub(crate) fn new(
        address: &'a SiteAddress,
        files: &'a [PageFile],
        read: &'a [ReadPage],
        verdicts: &'a [Verdict],
        languages: &'a Languages,
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
            languages,
        }
    }

    /// Reports the folders of languages that have no listed page.
    pub(crate) fn report_empty(&self, findings: &mut Vec<Finding>) {
        for (language, folder) in &self.languages.0 {
            let mut listed = self.verdicts.iter().zip(self.files);
            let is_used = listed.any(|(verdict, file)| {
                matches!(verdict, Verdict::Listed(_)) && file.bytes().starts_with(folder)
            });
            if !is_used {
                let folder = String::from_utf8_lossy(folder);
                let message =
                    format!("the folder `/{folder}` of the language `{language}` has no listed page");
                findings.push(Finding::new("", None, FindingKind::Alternate, message));
            }
        }
    }

    /// Returns the alternates of a page: its `hreflang` links to listed pages.
    pub(crate) fn of(&self, id: FileId, findings: &mut Vec<Finding>) -> Arc<[Alternate]> {
        let Some(facts) = self.read[id as usize].facts() else {
            return Arc::default();
        };
        if facts.alternates.is_empty() {
            return self.by_folder(id, findings);
        }
        let alternates = facts
            .alternates
            .iter()
            .filter_map(|fact| match self.alternate(id, fact) {
                Ok((alternate, problem)) => {
                    let kind = FindingKind::Alternate;
                    findings.extend(problem.map(|problem| self.finding(id, fact, kind, &problem)));
                    Some(alternate)
                }
                Err((kind, problem)) => {
                    findings.push(self.finding(id, fact, kind, &problem));
                    None
                }
            });
        alternates.collect()
    }

    /// Returns the pages at the same path in the languages' folders.
    fn by_folder(&self, id: FileId, findings: &mut Vec<Finding>) -> Arc<[Alternate]> {
        let file = self.files[id as usize].bytes();
        let Some(below) = self.languages.below(&file) else {
            return Arc::default();
        };
        let pages = self.languages.0.iter().filter_map(|(language, folder)| {
            let other = [folder, below].concat();
            // A page in a deeper folder has that folder's language.
            if self.languages.below(&other) != Some(below) {
                return None;
            }
            let found = self.files.binary_search_by(|file| (*file.bytes()).cmp(&*other));
            let page = FileId::try_from(found.ok()?).ok()?;
            let Some(Verdict::Listed(form)) = self.verdicts.get(page as usize) else {
                return None;
            };
            let is_own = self.read[page as usize].facts()?.alternates.is_empty();
            is_own.then(|| (language, page, path_in(&other, *form)))
        });
        let pages: Vec<_> = pages.collect();
        // A page without a translation has no alternates.
        if pages.iter().all(|(_, page, _)| *page == id) {
            return Arc::default();
        }
        let alternates = pages.into_iter().filter_map(|(language, _, path)| {
            self.checked(language, &path)
                .map_err(|problem| {
                    let message = format!("the language `{language}`: {problem}");
                    let name = self.files[id as usize].name();
                    findings.push(Finding::new(name, None, FindingKind::Alternate, message));
                })
                .ok()
        });
        alternates.collect()
    }

    /// Returns the alternate at a path, if the format of sitemaps allows it.
    fn checked(&self, hreflang: &str, path: &str) -> Result<Alternate, String> {
        let mut entry = UrlEntry::new(self.address.of_path(path));
        entry.alternates = vec![Alternate::new(hreflang, self.address.of_path(path))];
        match to_string(&[&entry]) {
            Ok(_) => Ok(entry.alternates.remove(0)),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Returns the alternate, and a problem that does not exclude it.
    fn alternate(
        &self,
        id: FileId,
        fact: &AlternateFact,
    ) -> Result<(Alternate, Option<String>), (FindingKind, String)> {
        let wrong = |problem: String| Err((FindingKind::Alternate, problem));
        let page = match &fact.lead.to {
            LeadTarget::Page(page, _) => *page,
            LeadTarget::Outside => {
                return Err((
                    FindingKind::AlternateOutside,
                    "leads out of the folder: it is left out, since nothing is known of the page".to_owned(),
                ));
            }
            LeadTarget::Query | LeadTarget::NoPage(_) => {
                return wrong("leads nowhere: there is no page at this address".to_owned());
            }
        };
        let path = match self.verdicts.get(page as usize) {
            Some(Verdict::Listed(form)) => path_in(&self.files[page as usize].bytes(), *form),
            Some(Verdict::LeftOut(reason)) => {
                return wrong(format!("leads to a page that is not listed: {reason}"));
            }
            None => return wrong("leads nowhere".to_owned()),
        };
        let alternate = match self.checked(&fact.hreflang, &path) {
            Ok(alternate) => alternate,
            Err(problem) => return wrong(problem),
        };
        let is_returned = page == id || self.links.binary_search(&(page, id)).is_ok();
        let problem = (!is_returned)
            .then(|| "is not returned: the page does not link back, so search engines ignore it".to_owned());
        Ok((alternate, problem))
    }

    fn finding(&self, id: FileId, fact: &AlternateFact, kind: FindingKind, problem: &str) -> Finding {
        let message = format!(
            "the alternate `{}` in `{}` {problem}",
            fact.lead.text, fact.hreflang
        );
        let name = self.files[id as usize].name();
        Finding::new(name, Some(fact.lead.line), kind, message)
    }
}
