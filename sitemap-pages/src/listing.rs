//! Chooses the listed pages and their addresses.

use sitemap_serde::{UrlEntry, W3cDateTime, to_string};

use crate::address::{Form, SiteAddress, UrlStyle, is_index, path_in, percent_decode};
use crate::facts::{LeadTarget, LinkResolver, PageFacts, Votes};
use crate::finding::{Finding, FindingKind};
use crate::host::{Effect, HostFiles, Place};
use crate::html::is_past;
use crate::reason::Reason;
use crate::walk::{FileId, PageFile};

/// The result of reading a file.
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

/// The decision about a page.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Listed, with an address of this form.
    Listed(Form),
    LeftOut(Box<Reason>),
}

/// Decides which pages are listed.
#[derive(Debug)]
pub(crate) struct Listing<'a> {
    pub(crate) address: &'a SiteAddress,
    pub(crate) files: &'a [PageFile],
    pub(crate) read: &'a [ReadPage],
    pub(crate) host: &'a HostFiles,
    pub(crate) resolver: LinkResolver<'a>,
    /// The configured style. If unset, the host's settings decide, or the majority.
    pub(crate) style: Option<UrlStyle>,
    pub(crate) now: W3cDateTime,
}

/// The forms of pages that name no canonical address.
#[derive(Clone, Copy, Debug)]
struct Forms {
    /// Form of `about.html`.
    file: Expected,
    /// Form of `about/index.html`.
    index: Expected,
}

#[derive(Clone, Copy, Debug)]
struct Expected {
    form: Form,
    by: Whose,
}

/// The source of an expected form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Setting,
    Host(Place),
    /// This number of canonical addresses.
    Canonicals(u32),
    /// Links, or the default: a page's own address contradicts neither.
    Nobody,
}

/// The number of canonical addresses in each form.
#[derive(Clone, Copy, Debug, Default)]
struct FormVotes([u32; Form::ALL.len()]);

impl FormVotes {
    fn add(&mut self, form: Form) {
        let votes = &mut self.0[form as usize];
        *votes = votes.saturating_add(1);
    }

    fn of(&self, form: Form) -> u32 {
        self.0[form as usize]
    }

    /// Returns the most frequent form. Among equals, the first in `Form` wins.
    fn most(&self) -> Option<Expected> {
        let most = self.0.into_iter().max().filter(|most| *most > 0)?;
        let form = Form::ALL.into_iter().find(|form| self.of(*form) == most)?;
        Some(Expected {
            form,
            by: Whose::Canonicals(most),
        })
    }
}

impl Listing<'_> {
    pub(crate) fn verdicts(&self, findings: &mut Vec<Finding>) -> Vec<Verdict> {
        let (forms, votes) = self.forms();
        let mut verdicts: Vec<Verdict> = (0..)
            .zip(self.read)
            .map(|(id, read)| match read {
                ReadPage::LeftOut(reason) => Verdict::LeftOut(reason.clone()),
                ReadPage::Facts(facts) => self.verdict(id, facts, (forms, &votes), findings),
            })
            .collect();
        self.leave_out_duplicates(&mut verdicts, findings);
        verdicts
    }

    /// Returns the forms of listed pages, and the votes for each form: by canonical addresses of files, and of folders.
    fn forms(&self) -> (Forms, [FormVotes; 2]) {
        let mut canonical = [FormVotes::default(); 2];
        let mut links = Votes::default();
        for (file, read) in self.files.iter().zip(self.read) {
            let Some(facts) = read.facts() else { continue };
            let file = file.bytes();
            if let Some((form, _)) = facts.own_address {
                // The root page has only one form.
                if !matches!(&*file, b"index.html" | b"index.htm") {
                    canonical[usize::from(is_index(&file))].add(form);
                }
            }
            links.html = links.html.saturating_add(facts.votes.html);
            links.clean = links.clean.saturating_add(facts.votes.clean);
        }
        let by_links = Expected {
            form: if links.clean > links.html {
                Form::Clean
            } else {
                Form::File
            },
            by: Whose::Nobody,
        };
        let by_default = Expected {
            form: Form::Folder,
            by: Whose::Nobody,
        };
        let host = self.host.forms();
        let of_host = |form: Option<Form>| {
            let by = Whose::Host(host?.place);
            Some(Expected { form: form?, by })
        };
        let set = self.style.map(|style| Expected {
            form: match style {
                UrlStyle::Html => Form::File,
                UrlStyle::Clean => Form::Clean,
            },
            by: Whose::Setting,
        });
        let file = set.or(of_host(host.and_then(|forms| forms.file)));
        let index = of_host(host.and_then(|forms| forms.index));
        let forms = Forms {
            file: file.or(canonical[0].most()).unwrap_or(by_links),
            index: index.or(canonical[1].most()).unwrap_or(by_default),
        };
        (forms, canonical)
    }

    fn verdict(
        &self,
        id: FileId,
        facts: &PageFacts,
        (forms, votes): (Forms, &[FormVotes; 2]),
        findings: &mut Vec<Finding>,
    ) -> Verdict {
        let file = self.files[id as usize].bytes();
        let is_index = is_index(&file);
        let expected = match () {
            () if is_index => forms.index,
            () if file.ends_with(b".html") => forms.file,
            // Hosts omit no extension other than these.
            () => Expected {
                form: Form::File,
                by: Whose::Nobody,
            },
        };
        let mut form = expected.form;
        let mut path = path_in(&file, form);
        if let Some((own_form, line)) = facts.own_address {
            let own = path_in(&file, own_form);
            if own != path {
                let by = match expected.by {
                    Whose::Setting => Some("by the style that is set".to_owned()),
                    Whose::Host(place) => Some(format!("by {place}")),
                    Whose::Canonicals(most) if most > votes[usize::from(is_index)].of(own_form) => {
                        Some("by the other pages'".to_owned())
                    }
                    Whose::Canonicals(_) | Whose::Nobody => None,
                };
                // A configured form is the host's, even if pages disagree.
                let is_set = matches!(expected.by, Whose::Setting | Whose::Host(_));
                if let Some(by) = by {
                    let listed = if is_set { &path } else { &own };
                    let message = format!(
                        "the canonical address is `/{own}`, and {by} it would be `/{path}`: listed is `/{listed}`"
                    );
                    let name = self.files[id as usize].name();
                    let line = Some(line as usize);
                    findings.push(Finding::new(name, line, FindingKind::UrlStyle, message));
                }
                if !is_set {
                    (form, path) = (own_form, own);
                }
            }
        }
        let on_host = |path: &str| format!("{}{path}", self.address.base());
        match self.host.redirect(self.address, &on_host(&path), true) {
            Some((place, Effect::To(to))) => match self.resolver.resolve(&to, &path, None) {
                // One of the page's addresses redirects to another.
                LeadTarget::Page(page, other)
                    if page == id
                        && self
                            .host
                            .redirect(self.address, &on_host(&path_in(&file, other)), true)
                            .is_none() =>
                {
                    (form, path) = (other, path_in(&file, other));
                }
                _ => {
                    let Place { file, line } = place;
                    return Verdict::LeftOut(Box::new(Reason::Redirect { file, line, to }));
                }
            },
            Some((Place { file, line }, Effect::Gone(status))) => {
                return Verdict::LeftOut(Box::new(Reason::Gone { file, line, status }));
            }
            None => {}
        }
        let reason = self
            .reason(id, facts, &on_host(&path))
            .or_else(|| self.refused(&path));
        reason.map_or(Verdict::Listed(form), |reason| Verdict::LeftOut(Box::new(reason)))
    }

    /// Returns the reason if the page is not listed. `path` is its path on the host.
    fn reason(&self, id: FileId, facts: &PageFacts, path: &str) -> Option<Reason> {
        let headers = self.host.headers(self.address, path, self.now);
        if let Some(Place { file, line }) = headers.noindex {
            return Some(Reason::Header { file, line });
        }
        if let Some(line) = facts.noindex {
            return Some(Reason::NoIndex { line });
        }
        if let Some(note) = facts
            .unavailable
            .as_ref()
            .filter(|note| is_past(&note.text, self.now))
        {
            let (line, after) = (note.line, note.text.clone());
            return Some(Reason::Unavailable { line, after });
        }
        if let Some(refresh) = &facts.refresh {
            let (line, to) = (refresh.line, refresh.text.clone());
            return Some(Reason::Refresh { line, to });
        }
        if let Some(canonical) = &facts.canonical {
            let (line, to) = (canonical.line, canonical.text.clone());
            return Some(Reason::Canonical { line, to });
        }
        if let Some((Place { file, line }, to)) = headers.canonical {
            let own = self.files[id as usize].name();
            let is_own =
                matches!(self.resolver.resolve(&to, &own, None), LeadTarget::Page(page, _) if page == id);
            if !is_own {
                return Some(Reason::CanonicalHeader { file, line, to });
            }
        }
        (!self.host.allows(path)).then_some(Reason::Robots)
    }

    /// Returns the reason if the format of sitemaps does not allow the address.
    fn refused(&self, path: &str) -> Option<Reason> {
        let error = to_string(&[UrlEntry::new(self.address.of_path(path))]).err()?;
        let message = error.to_string();
        Some(Reason::Refused { message })
    }

    /// If several files have one address, such as `a.html` and `a/index.html` with the canonical address `/a`, lists only the file
    /// that a server would prefer.
    fn leave_out_duplicates(&self, verdicts: &mut [Verdict], findings: &mut Vec<Finding>) {
        for id in 0..verdicts.len() {
            let Verdict::Listed(form) = verdicts[id] else {
                continue;
            };
            let path = path_in(&self.files[id].bytes(), form);
            let is_same = |other: &usize| matches!(verdicts[*other], Verdict::Listed(form) if path_in(&self.files[*other].bytes(), form) == path);
            let decoded = percent_decode(&path);
            let mut files = self.resolver.files.all(&decoded).map(|other| other as usize);
            if let Some(first) = files.find(is_same).filter(|first| *first != id) {
                let of = self.files[first].name();
                let message = format!("has the URL of {of}, which is listed instead");
                let name = self.files[id].name();
                findings.push(Finding::new(name, None, FindingKind::SharedUrl, message));
                verdicts[id] = Verdict::LeftOut(Box::new(Reason::Duplicate { of }));
            }
        }
    }
}

/// Returns `true` for error pages: `404.html` in any folder, since Cloudflare Pages uses the nearest, and others such as `50x.html`
/// at the top.
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

/// Returns `true` if the file proves to a search engine who owns the site: `google0123456789abcdef.html`,
/// `yandex_0123456789abcdef.html`.
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
