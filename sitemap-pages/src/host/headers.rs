//! `_headers`.

use super::pattern::Pattern;
use crate::html::is_noindex;

/// The rules of `_headers` that say `X-Robots-Tag`.
#[derive(Debug, Default)]
pub(crate) struct Headers {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    line: usize,
    pattern: Pattern,
    /// Whether it removes what rules before it have said: `! X-Robots-Tag`.
    is_removal: bool,
}

impl Headers {
    pub(crate) fn parse(text: &str) -> Self {
        let mut rules = Vec::new();
        let mut pattern: Option<&str> = None;
        for (line, text) in (1..).zip(text.lines()) {
            let trimmed = text.trim();
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            if !text.starts_with(char::is_whitespace) {
                pattern = Some(trimmed);
                continue;
            }
            let Some(pattern) = pattern else { continue };
            let (name, value) = trimmed.split_once(':').unwrap_or((trimmed, ""));
            let is_robots = |name: &str| name.trim().eq_ignore_ascii_case("x-robots-tag");
            let is_removal = name.strip_prefix('!').is_some_and(is_robots);
            if is_removal || is_robots(name) && tag_is_noindex(value) {
                rules.push(Rule {
                    line,
                    pattern: Pattern::parse(pattern),
                    is_removal,
                });
            }
        }
        Headers { rules }
    }

    /// The line that says that a path on the host is not to be listed.
    pub(crate) fn noindex(&self, host: &str, path: &str) -> Option<usize> {
        let matching = |rule: &&Rule| rule.pattern.captures(host, path).is_some();
        self.rules.iter().filter(matching).fold(None, |line, rule| {
            if rule.is_removal {
                None
            } else {
                line.or(Some(rule.line))
            }
        })
    }
}

/// Whether an `X-Robots-Tag` keeps a page out, for all crawlers or Google's: `noindex`, `googlebot: noindex`.
pub(crate) fn tag_is_noindex(value: &str) -> bool {
    let mut is_addressed = true;
    value.split(',').any(|directive| {
        let directive = match directive.split_once(':') {
            // Directives with values, and else the name of a crawler.
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
    use super::{Headers, tag_is_noindex};

    #[test]
    fn rules_for_paths() {
        let headers = Headers::parse(
            "# drafts\n/drafts/*\n  Cache-Control: no-cache\n  X-Robots-Tag: noindex\n/drafts/public\n  ! X-Robots-Tag\n\
             https://:project.pages.dev/*\n  X-Robots-Tag: noindex\n/open\n  x-robots-tag: nofollow\n  X-Robots-Tag: none\n",
        );
        for (host, path, line) in [
            ("example.com", "/drafts/a", Some(4)),
            ("example.com", "/drafts/public", None),
            ("example.com", "/a", None),
            ("shop.pages.dev", "/a", Some(8)),
            ("example.com", "/open", Some(11)),
        ] {
            assert_eq!(headers.noindex(host, path), line, "{host}{path}");
        }
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
