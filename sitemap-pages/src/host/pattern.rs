//! The patterns of paths in `_redirects` and `_headers`.

/// A pattern such as `/blog/*`, `/news/:year/:slug` or `https://example.com/*`.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// `true` if the pattern is for http only. An https pattern holds for both: its host redirects http to https before it reads
    /// rules.
    is_http: bool,
    /// The host, if the pattern is an absolute address.
    host: Option<String>,
    path: String,
}

/// The scheme and host of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    pub(crate) scheme: &'a str,
    pub(crate) host: &'a str,
}

/// The values of a pattern's placeholders, `splat` for `*`.
pub(crate) type Captures<'a> = Vec<(&'a str, &'a str)>;

impl Pattern {
    pub(crate) fn parse(text: &str) -> Self {
        let address = text.strip_prefix("https://").or(text.strip_prefix("http://"));
        match address {
            Some(address) => {
                let (host, path) = address.split_at(address.find('/').unwrap_or(address.len()));
                Pattern {
                    is_http: text.starts_with("http://"),
                    host: Some(host.to_owned()),
                    path: if path.is_empty() {
                        "/".to_owned()
                    } else {
                        path.to_owned()
                    },
                }
            }
            None => Pattern {
                is_http: false,
                host: None,
                path: text.to_owned(),
            },
        }
    }

    /// Returns `true` if it is a single path, without `*` and placeholders.
    pub(crate) fn is_literal(&self) -> bool {
        !self.path.contains('*') && !self.path.contains("/:")
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the values of the placeholders, if the pattern matches a path on the site.
    pub(crate) fn captures<'a>(&'a self, site: Site<'_>, path: &'a str) -> Option<Captures<'a>> {
        if self.is_http && site.scheme != "http" {
            return None;
        }
        let host = site.host;
        if let Some(own) = &self.host {
            // A host's placeholder stands for one label.
            let is_same = own.split('.').count() == host.split('.').count()
                && own
                    .split('.')
                    .zip(host.split('.'))
                    .all(|(own, label)| own.starts_with(':') || own.eq_ignore_ascii_case(label));
            if !is_same {
                return None;
            }
        }
        let mut captures = Vec::new();
        let mut rest = path;
        let mut pattern = self.path.as_str();
        while let Some(start) = pattern.find(['*', ':']) {
            let (literal, special) = pattern.split_at(start);
            rest = rest.strip_prefix(literal)?;
            if let Some(after) = special.strip_prefix('*') {
                // A `*` is greedy, as on the hosts.
                let end = if after.is_empty() {
                    rest.len()
                } else {
                    rest.rfind(after)?
                };
                captures.push(("splat", &rest[..end]));
                (rest, pattern) = (&rest[end..], after);
                continue;
            }
            let len = 1 + name_len(&special[1..]);
            if len == 1 || !literal.ends_with('/') {
                rest = rest.strip_prefix(':')?;
                pattern = &special[1..];
                continue;
            }
            let end = rest.find('/').unwrap_or(rest.len());
            if end == 0 {
                return None;
            }
            captures.push((&special[1..len], &rest[..end]));
            (rest, pattern) = (&rest[end..], &special[len..]);
        }
        // Both hosts ignore a slash at the end.
        let is_end = rest == pattern || rest.trim_end_matches('/') == pattern.trim_end_matches('/');
        if is_end {
            return Some(captures);
        }
        None
    }
}

/// Returns the length of the placeholder's name at the start of a text.
pub(super) fn name_len(text: &str) -> usize {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.find(|c| !is_name(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Site};

    const SITE: Site<'_> = Site {
        scheme: "https",
        host: "example.com",
    };

    #[test]
    fn literals_splats_and_placeholders() {
        for (pattern, path, captures) in [
            ("/a", "/a", Some(vec![])),
            ("/a", "/a/", Some(vec![])),
            ("/a/", "/a", Some(vec![])),
            ("/a", "/ab", None),
            ("/a/*", "/a/b/c", Some(vec![("splat", "b/c")])),
            ("/a/*", "/a/", Some(vec![("splat", "")])),
            ("/a/*", "/ab", None),
            ("/*", "/", Some(vec![("splat", "")])),
            ("/*.html", "/a/b.html", Some(vec![("splat", "a/b")])),
            ("/*.html", "/a/b.htm", None),
            (
                "/n/:year/:slug",
                "/n/2026/x",
                Some(vec![("year", "2026"), ("slug", "x")]),
            ),
            ("/n/:year", "/n/2026/x", None),
            ("/n/:year", "/n/", None),
            (
                "/n/:year/*",
                "/n/2026/x/y",
                Some(vec![("year", "2026"), ("splat", "x/y")]),
            ),
            ("/a:b", "/a:b", Some(vec![])),
            ("https://example.com/*", "/x", Some(vec![("splat", "x")])),
            ("https://:project.pages.dev/*", "/x", None),
            ("https://www.example.com/*", "/x", None),
        ] {
            let parsed = Pattern::parse(pattern);
            assert_eq!(parsed.captures(SITE, path), captures, "{pattern} {path}");
        }
        let preview = Pattern::parse("https://:project.pages.dev/*");
        let shop = Site {
            host: "shop.pages.dev",
            ..SITE
        };
        assert!(preview.captures(shop, "/x").is_some());
        let http = Site {
            scheme: "http",
            ..SITE
        };
        for (pattern, by_http, by_https) in [
            ("http://example.com/*", true, false),
            ("https://example.com/*", true, true),
            ("/*", true, true),
        ] {
            let parsed = Pattern::parse(pattern);
            let found = (
                parsed.captures(http, "/x").is_some(),
                parsed.captures(SITE, "/x").is_some(),
            );
            assert_eq!(found, (by_http, by_https), "{pattern}");
        }
    }
}
