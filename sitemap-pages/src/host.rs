//! The files that configure a site's host: `_redirects` and `_headers`, as Netlify and Cloudflare Pages read them, and the settings of
//! Netlify, Vercel, Firebase and Azure Static Web Apps.
//!
//! | file | content |
//! |---|---|
//! | `redirects`, `headers` | the rules of `_redirects` and `_headers` |
//! | `pattern` | patterns of paths in `_redirects` and `_headers` |
//! | `settings` | the settings of other hosts, as the same rules |
//! | `source` | patterns of paths in the settings of other hosts, as regular expressions |
//! | `json` | JSON with lines |

mod headers;
mod json;
mod pattern;
mod redirects;
mod settings;
mod source;

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use sitemap_serde::W3cDateTime;
use sitemap_serde::robots::Robots;

use crate::address::{SiteAddress, percent_decode};
use crate::error::{Error, Result};
use crate::finding::{Finding, FindingKind};
pub(crate) use headers::{Headers, PageHeaders, canonical_link, tag_is_noindex};
use pattern::Site;
pub(crate) use redirects::Effect;
pub use redirects::{Redirection, Redirects};
pub(crate) use settings::HostForms;
use settings::{AZURE, FIREBASE, NETLIFY, Settings, SettingsReader, VERCEL};

const REDIRECTS: &str = "_redirects";
const HEADERS: &str = "_headers";

/// Files of other hosts or programs, which redirect pages and send headers.
const IGNORED: [&str; 3] = [".htaccess", "web.config", "_worker.js"];

/// The parsed files that configure a host and crawlers.
#[derive(Debug, Default)]
pub(crate) struct HostFiles {
    redirects: Redirects,
    settings: Settings,
    headers: Headers,
    robots: Robots,
}

/// The file of a host and the line of a rule in it: `_redirects:3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) file: &'static str,
    /// From 1.
    pub(crate) line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The folders with a site's files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostFolders<'a> {
    /// The folder of the pages.
    pub(crate) root: &'a Path,
    /// The folder of the project.
    pub(crate) project: Option<&'a Path>,
}

impl HostFolders<'_> {
    fn bytes(path: &Path) -> Result<Option<Vec<u8>>> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(Error::file("read", path, error)),
        }
    }

    /// Reads a file of the folder of pages; empty if there is none.
    fn published(&self, name: &str) -> Result<Vec<u8>> {
        Ok(Self::bytes(&self.root.join(name))?.unwrap_or_default())
    }

    /// Reads a file of the folder of pages, or else of the project. Also returns its folder.
    fn settings(&self, name: &str) -> Result<Option<(String, &Path)>> {
        for folder in [Some(self.root), self.project].into_iter().flatten() {
            if let Some(bytes) = Self::bytes(&folder.join(name))? {
                let text = String::from_utf8_lossy(&bytes);
                let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
                return Ok(Some((text, folder)));
            }
        }
        Ok(None)
    }
}

impl HostFiles {
    pub(crate) fn read(
        folders: HostFolders<'_>,
        address: &SiteAddress,
        findings: &mut Vec<Finding>,
    ) -> Result<Self> {
        let mut headers = Headers::default();
        let text = |name| {
            folders
                .published(name)
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let redirects = text(REDIRECTS)?;
        let lines: Vec<&str> = redirects.lines().collect();
        let redirects = Redirects::parse(&redirects);
        for line in redirects.unknown_lines() {
            let text = lines.get(line - 1).copied().unwrap_or_default().trim();
            let message = format!("`{}` is not a redirect: write `/from /to 301`", shortened(text));
            findings.push(Finding::new(
                REDIRECTS,
                Some(*line),
                FindingKind::HostFile,
                message,
            ));
        }
        for (line, problem) in headers.parse(HEADERS, &text(HEADERS)?) {
            findings.push(Finding::new(HEADERS, Some(line), FindingKind::HostFile, problem));
        }
        let mut reader = SettingsReader {
            settings: Settings::default(),
            headers: &mut headers,
            problems: Vec::new(),
            host: address.host(),
        };
        if let Some((text, _)) = folders.settings(NETLIFY)? {
            reader.netlify(&text);
        }
        if let Some((text, _)) = folders.settings(VERCEL)? {
            reader.vercel(&text);
        }
        if let Some((text, folder)) = folders.settings(FIREBASE)? {
            reader.firebase(&text, folder, folders.root);
        }
        if let Some((text, _)) = folders.settings(AZURE)? {
            reader.azure(&text);
        }
        let SettingsReader {
            settings, problems, ..
        } = reader;
        findings.extend(problems.into_iter().map(|problem| {
            let kind = if problem.is_wrong {
                FindingKind::HostFile
            } else {
                FindingKind::HostIgnored
            };
            Finding::new(problem.file, problem.line, kind, problem.message)
        }));
        for name in IGNORED {
            if folders.root.join(name).is_file() {
                let message =
                    "is not read: what it redirects is listed, unless the pages themselves say otherwise";
                findings.push(Finding::new(name, None, FindingKind::HostIgnored, message));
            }
        }
        Ok(HostFiles {
            redirects,
            settings,
            headers,
            robots: robots(folders, address, findings)?,
        })
    }

    /// Returns the rule that redirects a path on the host, and its effect. `is_page` returns `true` if a file answers at the path.
    pub(crate) fn redirect(
        &self,
        address: &SiteAddress,
        path: &str,
        is_page: bool,
    ) -> Option<(Place, Effect)> {
        let site = site(address);
        either_form(path, |path| {
            let own = self.redirects.find(site, path, is_page).map(|(line, effect)| {
                let place = Place {
                    file: REDIRECTS,
                    line,
                };
                (place, effect)
            });
            own.or_else(|| self.settings.find(site, path, is_page))
        })
    }

    /// Iterates over the redirects of single paths: place, path and address.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (Place, &str, &str)> {
        let own = self.redirects.literals().map(|(line, path, to)| {
            let place = Place {
                file: REDIRECTS,
                line,
            };
            (place, path, to)
        });
        own.chain(self.settings.literals())
    }

    /// Returns the facts in the headers of a path on the host.
    pub(crate) fn headers(&self, address: &SiteAddress, path: &str, now: W3cDateTime) -> PageHeaders {
        let found = |path: &str| {
            let headers = self.headers.of(site(address), path, now);
            (headers != PageHeaders::default()).then_some(headers)
        };
        either_form(path, found).unwrap_or_default()
    }

    /// Returns `true` if the folder's robots.txt allows Google to read a path on the host.
    pub(crate) fn allows(&self, path: &str) -> bool {
        self.robots.allows("Googlebot", path)
    }

    /// Returns the forms of addresses that the host redirects to.
    pub(crate) fn forms(&self) -> Option<HostForms> {
        self.settings.forms
    }
}

fn site(address: &SiteAddress) -> Site<'_> {
    Site {
        scheme: address.scheme(),
        host: address.host(),
    }
}

fn robots(folders: HostFolders<'_>, address: &SiteAddress, findings: &mut Vec<Finding>) -> Result<Robots> {
    let mut robots = folders.published("robots.txt")?;
    if !robots.is_empty() && address.base() != "/" {
        let message = format!(
            "has no effect: crawlers read {}/robots.txt, and this one is at {}",
            address.origin(),
            address.of_path("robots.txt")
        );
        findings.push(Finding::new("robots.txt", None, FindingKind::Robots, message));
        robots.clear();
    }
    Ok(Robots::parse(&robots))
}

/// Returns the beginning of a text that may be long.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 100;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Finds a value for a path as it is encoded, then for the decoded path: rules are written in both ways.
pub(crate) fn either_form<T>(path: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    find(path).or_else(|| {
        let decoded = String::from_utf8(percent_decode(path).into_owned()).ok()?;
        find(&decoded)
    })
}
