//! Which pages are listed, and with which addresses.

use std::fs;
use std::io;
use std::path::Path;

use sitemap_serde::robots::Robots;
use sitemap_serde::{UrlEntry, to_string};

use crate::address::{Form, SiteAddress, UrlStyle, form_of, is_index, path_in, percent_decode};
use crate::error::{Error, Result};
use crate::facts::{LeadTarget, LinkResolver, PageFacts, Votes};
use crate::finding::{Finding, FindingKind};
use crate::host::{Headers, Redirects, either_form};
use crate::reason::Reason;
use crate::walk::{FileId, PageFile};

/// What reading a file gave.
#[derive(Debug)]
pub(crate) enum ReadPage {
    Facts(Box<PageFacts>),
    LeftOut(Box<Reason>),
}

impl ReadPage {
    pub(crate) fn facts(&self) -> Option<&PageFacts> {
        match self {
            ReadPage::Facts(facts) => Some(facts),
            ReadPage::LeftOut(_) => None,
        }
    }
}

/// Whether a page is listed.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// With the address of this form.
    Listed(Form),
    LeftOut(Box<Reason>),
}

/// The files of the folder by which a host and crawlers are configured.
#[derive(Debug, Default)]
pub(crate) struct HostFiles {
    pub(crate) redirects: Redirects,
    headers: Headers,
    robots: Robots,
}

impl HostFiles {
    pub(crate) fn read(root: &Path, address: &SiteAddress, findings: &mut Vec<Finding>) -> Result<Self> {
        let text = |name: &str| match fs::read(root.join(name)) {
            Ok(bytes) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(Error::file("read", &root.join(name), error)),
        };
        let mut robots = text("robots.txt")?;
        if !robots.is_empty() && address.base() != "/" {
            let message = format!(
                "has no effect: crawlers read {}/robots.txt, and this one is at {}",
                address.origin(),
                address.of_path("robots.txt")
            );
            findings.push(Finding::new("robots.txt", None, FindingKind::Robots, message));
            robots.clear();
        }
        Ok(HostFiles {
            redirects: Redirects::parse(&String::from_utf8_lossy(&text("_redirects")?)),
            headers: Headers::parse(&String::from_utf8_lossy(&text("_headers")?)),
            robots: Robots::parse(&robots),
        })
    }

    /// The line of `_redirects` that redirects a path on the host, and the address to which it leads.
    pub(crate) fn redirect(&self, address: &SiteAddress, path: &str) -> Option<(usize, String)> {
        either_form(path, |path| self.redirects.find(address.host(), path))
    }
}

/// Decides which pages are listed.
#[derive(Debug)]
pub(crate) struct Listing<'a> {
    pub(crate) address: &'a SiteAddress,
    pub(crate) files: &'a [PageFile],
    pub(crate) read: &'a [ReadPage],
    pub(crate) host: &'a HostFiles,
    pub(crate) resolver: LinkResolver<'a>,
    /// As set; otherwise the majority decides.
    pub(crate) style: Option<UrlStyle>,
}

impl Listing<'_> {
    pub(crate) fn verdicts(&self, findings: &mut Vec<Finding>) -> Vec<Verdict> {
        let style = self.style.unwrap_or_else(|| self.majority());
        let mut verdicts: Vec<Verdict> = (0..)
            .zip(self.read)
            .map(|(id, read)| match read {
                ReadPage::LeftOut(reason) => Verdict::LeftOut(reason.clone()),
                ReadPage::Facts(facts) => self.verdict(id, facts, style, findings),
            })
            .collect();
        self.leave_out_duplicates(&mut verdicts);
        verdicts
    }

    /// The form that most canonical addresses have, or else most links.
    fn majority(&self) -> UrlStyle {
        let mut canonical = Votes::default();
        let mut links = Votes::default();
        for facts in self.read.iter().filter_map(ReadPage::facts) {
            if let Some((form, _)) = facts.own_address {
                canonical.add(form);
            }
            links.html = links.html.saturating_add(facts.votes.html);
            links.clean = links.clean.saturating_add(facts.votes.clean);
        }
        let votes = if canonical == Votes::default() {
            links
        } else {
            canonical
        };
        if votes.clean > votes.html {
            UrlStyle::Clean
        } else {
            UrlStyle::Html
        }
    }

    fn verdict(
        &self,
        id: FileId,
        facts: &PageFacts,
        style: UrlStyle,
        findings: &mut Vec<Finding>,
    ) -> Verdict {
        let file = self.files[id as usize].bytes();
        let mut form = form_of(&file, style);
        let mut path = path_in(&file, form);
        if let Some((own_form, line)) = facts.own_address {
            let own = path_in(&file, own_form);
            if own != path {
                // Set, the style is that of the host, whatever the pages say.
                let is_set = self.style.is_some() && !is_index(&file);
                let listed = if is_set { &path } else { &own };
                let message = format!(
                    "the canonical address is `/{own}`, and by the other pages' it would be `/{path}`: listed is `/{listed}`"
                );
                let name = self.files[id as usize].name();
                findings.push(Finding::new(
                    name,
                    Some(line as usize),
                    FindingKind::UrlStyle,
                    message,
                ));
                if !is_set {
                    (form, path) = (own_form, own);
                }
            }
        }
        let on_host = |path: &str| format!("{}{path}", self.address.base());
        if let Some((line, to)) = self.host.redirect(self.address, &on_host(&path)) {
            match self.resolver.resolve(&to, &path, None) {
                // From one of its addresses to another.
                LeadTarget::Page(page, other)
                    if page == id
                        && self
                            .host
                            .redirect(self.address, &on_host(&path_in(&file, other)))
                            .is_none() =>
                {
                    (form, path) = (other, path_in(&file, other));
                }
                _ => return Verdict::LeftOut(Box::new(Reason::Redirect { line, to })),
            }
        }
        let reason = self
            .reason(facts, &on_host(&path))
            .or_else(|| self.refused(&path));
        reason.map_or(Verdict::Listed(form), |reason| Verdict::LeftOut(Box::new(reason)))
    }

    /// Why the page is not listed. `path` is its path on the host.
    fn reason(&self, facts: &PageFacts, path: &str) -> Option<Reason> {
        if let Some(line) = either_form(path, |path| self.host.headers.noindex(self.address.host(), path)) {
            return Some(Reason::Header { line });
        }
        if let Some(line) = facts.noindex {
            return Some(Reason::NoIndex { line });
        }
        if let Some(refresh) = &facts.refresh {
            let (line, to) = (refresh.line, refresh.text.clone());
            return Some(Reason::Refresh { line, to });
        }
        if let Some(canonical) = &facts.canonical {
            let (line, to) = (canonical.line, canonical.text.clone());
            return Some(Reason::Canonical { line, to });
        }
        (!self.host.robots.allows("Googlebot", path)).then_some(Reason::Robots)
    }

    /// Why the format of sitemaps does not allow the address.
    fn refused(&self, path: &str) -> Option<Reason> {
        let error = to_string(&[UrlEntry::new(self.address.of_path(path))]).err()?;
        let message = error.to_string();
        Some(Reason::Refused { message })
    }

    /// Of several files with one address, such as `a.html` and `a/index.html` with the canonical address `/a`, the first is listed.
    fn leave_out_duplicates(&self, verdicts: &mut [Verdict]) {
        for id in 0..verdicts.len() {
            let Verdict::Listed(form) = verdicts[id] else {
                continue;
            };
            let path = path_in(&self.files[id].bytes(), form);
            let is_same = |other: &usize| matches!(verdicts[*other], Verdict::Listed(form) if path_in(&self.files[*other].bytes(), form) == path);
            let decoded = percent_decode(&path);
            let others = self.resolver.files.all(&decoded).map(|other| other as usize);
            if let Some(first) = others.filter(|other| *other < id).find(is_same) {
                let of = self.files[first].name();
                verdicts[id] = Verdict::LeftOut(Box::new(Reason::Duplicate { of }));
            }
        }
    }
}

/// Whether the file is the page for requests that fail: `404.html` in any folder, since Cloudflare Pages uses the nearest, and others of
/// the kind in the folder itself.
pub(crate) fn is_error_page(file: &[u8]) -> bool {
    let (folder, name) = match file.iter().rposition(|b| *b == b'/') {
        Some(slash) => file.split_at(slash + 1),
        None => (&b""[..], file),
    };
    let is_status = |stem: &[u8]| {
        stem.len() == 3
            && matches!(stem[0], b'4' | b'5')
            && stem[1..].iter().all(|b| b.is_ascii_digit() || *b == b'x')
    };
    let stem = name.rsplitn(2, |b| *b == b'.').nth(1).unwrap_or(name);
    match folder {
        b"" => is_status(stem),
        b"404/" => name == b"index.html",
        _ => name == b"404.html",
    }
}

/// Whether the file proves to a search engine who owns the site: `google0123456789abcdef.html`, `yandex_0123456789abcdef.html`.
pub(crate) fn is_verification(name: &[u8], content: &[u8]) -> bool {
    content.len() < 1024
        && (name.starts_with(b"google")
            && content
                .trim_ascii_start()
                .starts_with(b"google-site-verification")
            || name.starts_with(b"yandex_") && content.windows(14).any(|found| found == b"Verification: "))
}

#[cfg(test)]
mod tests {
    use super::is_error_page;

    #[test]
    fn pages_for_errors() {
        for (file, is_error) in [
            ("404.html", true),
            ("50x.html", true),
            ("500.htm", true),
            ("404/index.html", true),
            ("de/404.html", true),
            ("http/500.html", false),
            ("600.html", false),
            ("4040.html", false),
            ("index.html", false),
            ("blog/404-things.html", false),
        ] {
            assert_eq!(is_error_page(file.as_bytes()), is_error, "{file}");
        }
    }
}
