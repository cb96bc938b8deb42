//! `_redirects`.

use std::collections::HashMap;

use super::either_form;
use super::pattern::{Captures, Pattern, name_len};
use crate::address::percent_decode;

/// The redirects of a `_redirects` file, as Netlify and Cloudflare Pages read it.
///
/// ```
/// use sitemap_pages::Redirects;
///
/// let redirects = Redirects::parse("/blog/* /news/:splat 301\n");
/// let found = redirects.redirect("https://example.com/blog/lamps").unwrap();
/// assert_eq!((found.line, &*found.to), (1, "https://example.com/news/lamps"));
/// assert!(redirects.redirect("https://example.com/about").is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Redirects {
    /// The rules for single paths, by these without slashes at their ends: a site that has moved has thousands.
    literals: HashMap<Box<str>, Vec<Redirect>>,
    /// The other rules.
    patterns: Vec<Redirect>,
    /// The lines that are no rules.
    unknown: Vec<usize>,
}

/// Where a rule leads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redirection {
    /// The line of the rule, from 1.
    pub line: usize,
    /// The absolute URL.
    pub to: String,
}

/// The error of a line that a host would not understand.
struct NotARule;

#[derive(Clone, Debug)]
struct Redirect {
    line: usize,
    from: Pattern,
    to: String,
}

impl Redirects {
    /// Parses the text of the file. Lines that a host would not understand have no effect.
    pub fn parse(text: &str) -> Self {
        let mut redirects = Redirects::default();
        for (line, text) in (1..).zip(text.lines()) {
            let Ok(rule) = Redirect::parse(line, text) else {
                redirects.unknown.push(line);
                continue;
            };
            let Some(rule) = rule else { continue };
            if rule.from.is_literal() {
                let path = literal(rule.from.path()).into();
                redirects.literals.entry(path).or_default().push(rule);
            } else {
                redirects.patterns.push(rule);
            }
        }
        redirects
    }

    /// The numbers of the lines that a host would not understand, from 1.
    ///
    /// ```
    /// use sitemap_pages::Redirects;
    ///
    /// let redirects = Redirects::parse("/blog/* /news/:splat 301\n/about\n/team /about moved\n");
    /// assert_eq!(redirects.unknown_lines(), [2, 3]);
    /// ```
    pub fn unknown_lines(&self) -> &[usize] {
        &self.unknown
    }

    /// The rule that redirects an absolute URL, whatever its query. A rewrite, which answers in place (status 200 or 404), is no redirect, nor
    /// is a rule for some countries, languages or queries.
    pub fn redirect(&self, url: &str) -> Option<Redirection> {
        let (scheme, host, path) = parts(url)?;
        let (line, to) = either_form(path, |path| self.find(host, path))?;
        let to = match () {
            () if to.starts_with("//") => format!("{scheme}:{to}"),
            () if to.starts_with('/') => format!("{scheme}://{host}{to}"),
            () => to,
        };
        Some(Redirection { line, to })
    }

    /// What a host finds the page of a URL by: its name in lower case, and the path percent-decoded, without slashes at its end. The scheme, the
    /// query and the fragment make no difference.
    ///
    /// ```
    /// use sitemap_pages::Redirects;
    ///
    /// let [a, b] = ["https://example.com/café/?from=home#menu", "http://EXAMPLE.com/caf%c3%a9"].map(Redirects::comparable);
    /// assert_eq!(a, b);
    /// ```
    #[doc(hidden)]
    pub fn comparable(url: &str) -> Vec<u8> {
        let Some((_, host, path)) = parts(url) else {
            return url.as_bytes().to_vec();
        };
        let path = percent_decode(path.trim_end_matches('/'));
        [host.to_ascii_lowercase().as_bytes(), &path].concat()
    }

    /// The line of the rule that redirects a path on the host, and the address to which it leads.
    pub(crate) fn find(&self, host: &str, path: &str) -> Option<(usize, String)> {
        let found = |rule: &Redirect| Some((rule.line, filled(&rule.to, &rule.from.captures(host, path)?)));
        let mut literals = self.literals.get(literal(path)).into_iter().flatten();
        let first = [literals.find_map(found), self.patterns.iter().find_map(found)];
        first.into_iter().flatten().min()
    }

    /// The rules for single paths: line, path and address.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (usize, &str, &str)> {
        let mut rules: Vec<&Redirect> = self.literals.values().flatten().collect();
        rules.sort_by_key(|rule| rule.line);
        rules
            .into_iter()
            .map(|rule| (rule.line, rule.from.path(), rule.to.as_str()))
    }
}

/// The scheme, the host and the path of an absolute URL.
fn parts(url: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    Some((scheme, host, if path.is_empty() { "/" } else { path }))
}

/// A path by which the rules for it are found: a slash at its end makes no difference.
fn literal(path: &str) -> &str {
    path.trim_end_matches('/')
}

impl Redirect {
    /// `None` if the line redirects no page. A rewrite or an error page (status 200 or 404) answers in place, and a file takes precedence
    /// over it.
    fn parse(line: usize, text: &str) -> Result<Option<Self>, NotARule> {
        let text = text.split(" #").next().unwrap_or_default().trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        let mut words = text.split_whitespace();
        let from = words.next().ok_or(NotARule)?;
        let is_target = |word: &&str| word.starts_with('/') || word.contains("://");
        // Between them may be conditions on the query: `/search q=:q /find/:q`.
        let rest: Vec<&str> = words.collect();
        let to = rest.iter().position(is_target).ok_or(NotARule)?;
        let after = rest.get(to + 1..).unwrap_or_default();
        let is_conditional = to > 0 || after.iter().any(|word| word.contains('='));
        let status = after.first().filter(|word| !word.contains('='));
        let status = status.map(|status| status.trim_end_matches('!').parse::<u16>());
        let redirects = match status {
            None | Some(Ok(301 | 302 | 303 | 307 | 308)) => true,
            Some(Ok(_)) => false,
            Some(Err(_)) => return Err(NotARule),
        };
        // A rule for some countries or languages leaves the page to all others.
        Ok((redirects && !is_conditional).then(|| Redirect {
            line,
            from: Pattern::parse(from),
            to: rest[to].to_owned(),
        }))
    }
}

/// An address with each placeholder replaced by what it stands for. A name that the rule's pattern does not have is text.
fn filled(to: &str, captures: &Captures<'_>) -> String {
    let mut parts = to.split(':');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_at(name_len(part));
        if let Some((_, value)) = captures.iter().find(|(own, _)| *own == name) {
            out.push_str(value);
            out.push_str(rest);
        } else {
            out.push(':');
            out.push_str(part);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Redirects, filled};

    #[test]
    fn placeholders_are_replaced_by_whole_names_once() {
        let captures = vec![("p", "7"), ("page", ":p"), ("splat", "a/:page")];
        for (to, address) in [
            ("/:p/:page", "/7/:p"),
            ("/:page/:p", "/:p/7"),
            ("/:splat", "/a/:page"),
            ("/:pages/:pa:p", "/:pages/:pa7"),
            ("/:p.html", "/7.html"),
            (
                "https://example.com:8080/:p?q=:p",
                "https://example.com:8080/7?q=7",
            ),
            ("/a:", "/a:"),
            ("/::p:", "/:7:"),
            ("/:p\u{e9}", "/7\u{e9}"),
        ] {
            assert_eq!(filled(to, &captures), address, "{to}");
        }
        let redirects = Redirects::parse("/:p/in/:page /:page/of/:p\n");
        let found = redirects.find("example.com", "/x/in/:p");
        assert_eq!(found, Some((1, "/:p/of/x".to_owned())));
    }

    /// A pattern's placeholders name what stands in a path: filled into the pattern itself, they are the path.
    #[test]
    fn a_pattern_filled_with_its_captures_is_the_path() {
        let names = ["p", "page", "page_2", "pa", "a"];
        let values = ["x", ":p", ":page", "a:", "\u{e9}"];
        for i in 0..names.len() * values.len() {
            let name = |k: usize| names[(i + k) % names.len()];
            let value = |k: usize| values[(i / names.len() + k) % values.len()];
            let pattern = format!("/:{}/at/:{}/:{}", name(0), name(1), name(2));
            let path = format!("/{}/at/{}/{}", value(0), value(1), value(2));
            let redirects = Redirects::parse(&format!("{pattern} {pattern}"));
            assert_eq!(
                redirects.find("example.com", &path),
                Some((1, path.clone())),
                "{pattern}"
            );
        }
    }

    #[test]
    fn redirects_of_urls() {
        let redirects = Redirects::parse(
            "/a /b\n/caf\u{e9} //other.example/x\nhttps://www.example.com/* https://example.com/:splat\n/ /home\n",
        );
        for (url, found) in [
            ("https://example.com/a?x#y", Some((1, "https://example.com/b"))),
            (
                "https://example.com/caf%C3%A9",
                Some((2, "https://other.example/x")),
            ),
            ("http://www.example.com/x", Some((3, "https://example.com/x"))),
            ("https://example.com", Some((4, "https://example.com/home"))),
            ("https://example.com?q", Some((4, "https://example.com/home"))),
            ("https://example.com/c", None),
            ("/a", None),
        ] {
            let redirect = redirects.redirect(url);
            let redirect = redirect.as_ref().map(|redirect| (redirect.line, &*redirect.to));
            assert_eq!(redirect, found, "{url}");
        }
    }

    /// Of all rules the first one that matches a path on the host.
    #[test]
    fn the_first_rule_of_all() {
        const FROM: [&str; 9] = [
            "/a",
            "/a/",
            "/b",
            "/:p",
            "/a/*",
            "/*",
            "/a/b",
            "https://www.example.com/a",
            "/a:b",
        ];
        let mut random = 7_usize;
        let mut below = |end: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % end
        };
        for _ in 0..500 {
            let lines: Vec<String> = (0..below(8))
                .map(|i| {
                    let status = ["", "301", "200", "302!", "404"][below(5)];
                    format!("{} /to/{i} {status}\n", FROM[below(FROM.len())])
                })
                .collect();
            let all = Redirects::parse(&lines.concat());
            let alone: Vec<Redirects> = lines.iter().map(|line| Redirects::parse(line)).collect();
            for path in ["/a", "/a/", "/b", "/c", "/a/b", "/a/b/", "/a:b", "/", "/x/y"] {
                for host in ["example.com", "www.example.com"] {
                    let mut each = (1..).zip(&alone);
                    let expected = each.find_map(|(line, rule)| Some((line, rule.find(host, path)?.1)));
                    assert_eq!(all.find(host, path), expected, "{lines:?} {host}{path}");
                }
            }
        }
    }

    #[test]
    fn rules_in_order() {
        let redirects = Redirects::parse(
            "# old pages\n/old /new\n/old /other 301\n\n/blog/* /news/:splat 301! # moved\n/app/* /app/index.html 200\n\
             /app/x /y 302\n/de/* /en/:splat 302 Language=en\n/find q=:q /search/:q 301\n/p/:id https://shop.example/:id 308\n\
             https://www.example.com/* https://example.com/:splat 301!\n/gone /404.html 404\n/broken\n/bad /x moved\n",
        );
        for (path, found) in [
            ("/old", Some((2, "/new"))),
            ("/old/", Some((2, "/new"))),
            ("/blog/a/b", Some((5, "/news/a/b"))),
            ("/app/x", Some((7, "/y"))),
            ("/app/y", None),
            ("/de/a", None),
            ("/find", None),
            ("/p/7", Some((10, "https://shop.example/7"))),
            ("/gone", None),
            ("/broken", None),
            ("/bad", None),
            ("/", None),
        ] {
            let found = found.map(|(line, to)| (line, to.to_owned()));
            assert_eq!(redirects.find("example.com", path), found, "{path}");
        }
        let www = redirects.find("www.example.com", "/a");
        assert_eq!(www, Some((11, "https://example.com/a".to_owned())));
        let literals: Vec<_> = redirects.literals().collect();
        assert_eq!(
            literals,
            [(2, "/old", "/new"), (3, "/old", "/other"), (7, "/app/x", "/y")]
        );
    }
}
