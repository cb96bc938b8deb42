//! Headers that hosts send: `_headers`, and the equivalent settings.

use regex::Regex;
use sitemap_serde::W3cDateTime;

use super::Place;
use super::pattern::{Pattern, Site};
use super::redirects::filled;
use crate::html::{is_noindex, is_past, unavailable_after};

/// The rules for `X-Robots-Tag`, and for `Link` with a canonical address.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    place: Place,
    paths: Paths,
    says: Says,
}

/// The paths of a rule.
#[derive(Clone, Debug)]
pub(super) enum Paths {
    Pattern(Pattern),
    Regex(Regex),
    All,
}

#[derive(Debug)]
enum Says {
    /// Excludes the page.
    NoIndex,
    /// Excludes it after a date.
    UnavailableAfter(String),
    Canonical(String),
    /// Removes the tags of rules before it: `! X-Robots-Tag`.
    NoTag,
    /// Removes the links: `! Link`.
    NoLink,
}

/// The facts in a page's headers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PageHeaders {
    /// The rule that excludes it.
    pub(crate) noindex: Option<Place>,
    /// Its canonical address.
    pub(crate) canonical: Option<(Place, String)>,
}

/// The lines that a host would not understand, and the reasons.
pub(super) type Unknown = Vec<(usize, &'static str)>;

impl Headers {
    /// Adds the rules of a `_headers` file.
    pub(crate) fn parse(&mut self, file: &'static str, text: &str) -> Unknown {
        let mut unknown = Vec::new();
        let mut pattern: Option<&str> = None;
        for (line, text) in (1..).zip(text.lines()) {
            let trimmed = text.trim();
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            if !text.starts_with(char::is_whitespace) {
                let is_path = trimmed.starts_with('/') || trimmed.contains("://");
                pattern = is_path.then_some(trimmed);
                if !is_path {
                    unknown.push((line, "is not a path: begin it with `/`, or indent a header"));
                }
                continue;
            }
            let removed = trimmed.strip_prefix('!').map(str::trim);
            let Some((name, value)) = removed.map(|name| (name, "")).or(trimmed.split_once(':')) else {
                unknown.push((line, "is not a header: write `Name: value`"));
                continue;
            };
            let Some(pattern) = pattern else {
                unknown.push((line, "is a header without a path before it"));
                continue;
            };
            let paths = || Paths::Pattern(Pattern::parse(pattern));
            if removed.is_some() {
                self.remove(Place { file, line }, name, paths);
            } else {
                self.add(Place { file, line }, name, value, paths);
            }
        }
        unknown
    }

    /// Adds a header, if it concerns a page.
    pub(super) fn add(&mut self, place: Place, name: &str, value: &str, paths: impl Fn() -> Paths) {
        let name = name.trim();
        let says = if name.eq_ignore_ascii_case("x-robots-tag") {
            if tag_is_noindex(value) {
                Some(Says::NoIndex)
            } else {
                unavailable_after(value).map(|date| Says::UnavailableAfter(date.to_owned()))
            }
        } else if name.eq_ignore_ascii_case("link") {
            canonical_link(value).map(|to| Says::Canonical(to.to_owned()))
        } else {
            None
        };
        self.rules.extend(says.map(|says| Rule {
            place,
            paths: paths(),
            says,
        }));
    }

    fn remove(&mut self, place: Place, name: &str, paths: impl Fn() -> Paths) {
        let says = if name.eq_ignore_ascii_case("x-robots-tag") {
            Says::NoTag
        } else if name.eq_ignore_ascii_case("link") {
            Says::NoLink
        } else {
            return;
        };
        let paths = paths();
        self.rules.push(Rule { place, paths, says });
    }

    /// Returns the facts in the headers of a path on the site.
    pub(crate) fn of(&self, site: Site<'_>, path: &str, now: W3cDateTime) -> PageHeaders {
        let mut headers = PageHeaders::default();
        for rule in &self.rules {
            let Some(captures) = rule.paths.captures(site, path) else {
                continue;
            };
            match &rule.says {
                Says::NoTag => headers.noindex = None,
                Says::NoLink => headers.canonical = None,
                Says::UnavailableAfter(date) if !is_past(date, now) => {}
                Says::NoIndex | Says::UnavailableAfter(_) => {
                    headers.noindex.get_or_insert(rule.place);
                }
                Says::Canonical(to) => {
                    headers.canonical.get_or_insert_with(|| {
                        let value = |name: &str| {
                            let own = captures.iter().find(|(own, _)| *own == name);
                            own.map(|(_, value)| *value)
                        };
                        (rule.place, filled(to, value))
                    });
                }
            }
        }
        headers
    }
}

impl Paths {
    fn captures<'a>(&'a self, site: Site<'_>, path: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        match self {
            Paths::Pattern(pattern) => pattern.captures(site, path),
            Paths::Regex(regex) => regex.is_match(path).then(Vec::new),
            Paths::All => Some(Vec::new()),
        }
    }
}

/// Returns the canonical address in a `Link` header (RFC 8288): `<https://example.com/a>; rel="canonical"`.
pub(crate) fn canonical_link(value: &str) -> Option<&str> {
    value.split('<').skip(1).find_map(|link| {
        let (target, parameters) = link.split_once('>')?;
        let mut parameters = parameters
            .split([';', ','])
            .filter_map(|parameter| parameter.split_once('='));
        let is_canonical = |value: &str| {
            let mut words = value.trim().trim_matches('"').split_ascii_whitespace();
            words.any(|word| word.eq_ignore_ascii_case("canonical"))
        };
        parameters
            .any(|(name, value)| name.trim().eq_ignore_ascii_case("rel") && is_canonical(value))
            .then(|| target.trim())
    })
}

/// Returns `true` if an `X-Robots-Tag` keeps a page out, for all crawlers or Google's: `noindex`, `googlebot: noindex`.
pub(crate) fn tag_is_noindex(value: &str) -> bool {
    let mut is_addressed = true;
    value.split(',').any(|directive| {
        let directive = match directive.split_once(':') {
            // A colon follows a directive with a value, or the name of a crawler.
            Some((name, _)) if name.trim().starts_with("max-") || name.trim() == "unavailable_after" => "",
            Some((agent, directive)) => {
                is_addressed = agent.trim().eq_ignore_ascii_case("googlebot");
                directive
            }
            None => directive,
        };
        is_addressed && is_noindex(directive)
    })
}

#[cfg(test)]
mod tests {
    use super::{Headers, Place, Site, tag_is_noindex};

    const FILE: &str = "_headers";

    #[test]
    fn rules_for_paths() {
        let mut headers = Headers::default();
        let unknown = headers.parse(
            FILE,
            "# drafts\n/drafts/*\n  Cache-Control: no-cache\n  X-Robots-Tag: noindex\n/drafts/public\n  ! X-Robots-Tag\n\
             https://:project.pages.dev/*\n  X-Robots-Tag: noindex\n/open\n  x-robots-tag: nofollow\n  X-Robots-Tag: none\n\
             /old\n  X-Robots-Tag: unavailable_after: 2026-01-01\n/new\n  X-Robots-Tag: unavailable_after: 2027-01-01\n\
             /print/:page\n  Link: </style.css>; rel=preload, <https://example.com/:page>; rel=\"canonical\"\n/print/own\n  ! Link\n",
        );
        assert_eq!(unknown, []);
        for (host, path, line, canonical) in [
            ("example.com", "/drafts/a", Some(4), None),
            ("example.com", "/drafts/public", None, None),
            ("example.com", "/a", None, None),
            ("shop.pages.dev", "/a", Some(8), None),
            ("example.com", "/open", Some(11), None),
            ("example.com", "/old", Some(13), None),
            ("example.com", "/new", None, None),
            ("example.com", "/print/a", None, Some("https://example.com/a")),
            ("example.com", "/print/own", None, None),
        ] {
            let scheme = "https";
            let found = headers.of(Site { scheme, host }, path, "2026-05-01".parse().unwrap());
            let place = |line| Place { file: FILE, line };
            assert_eq!(found.noindex, line.map(place), "{host}{path}");
            let canonical = canonical.map(|to| (place(17), to.to_owned()));
            assert_eq!(found.canonical, canonical, "{host}{path}");
        }
    }

    #[test]
    fn lines_that_are_none() {
        let mut headers = Headers::default();
        let unknown = headers.parse(
            FILE,
            "  X-Robots-Tag: noindex\n/a\n  X-Robots-Tag\nX-Robots-Tag: noindex\n  A: b\n",
        );
        assert_eq!(
            unknown,
            [
                (1, "is a header without a path before it"),
                (3, "is not a header: write `Name: value`"),
                (4, "is not a path: begin it with `/`, or indent a header"),
                (5, "is a header without a path before it"),
            ]
        );
    }

    #[test]
    fn tags() {
        for (value, found) in [
            ("noindex", true),
            ("nofollow, NoIndex", true),
            ("googlebot: noindex", true),
            ("otherbot: noindex", false),
            ("otherbot: noindex, nofollow", false),
            ("otherbot: noindex, googlebot: none", true),
            ("unavailable_after: 25 Jun 2026 15:00:00 PST", false),
            ("max-snippet:-1, noindex", true),
            ("all", false),
        ] {
            assert_eq!(tag_is_noindex(value), found, "{value}");
        }
    }
}
