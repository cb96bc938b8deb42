//! `_redirects`.

use std::collections::HashMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::either_form;
use super::pattern::{Pattern, Site, name_len};
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
    /// The rules for single paths, keyed by these without slashes at their ends: a site that has moved has thousands.
    literals: HashMap<Box<str>, Vec<Redirect>>,
    /// The other rules.
    patterns: Vec<Redirect>,
    /// The lines without a valid rule.
    unknown: Vec<usize>,
}

/// The target of a redirect rule.
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

/// The effect of a rule on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Redirects it to this address.
    To(String),
    /// Answers with this status instead.
    Gone(u16),
}

#[derive(Clone, Debug)]
struct Redirect {
    line: usize,
    from: Pattern,
    effect: Effect,
    /// `true` if a page at the path is served instead.
    yields: bool,
}

impl Redirects {
    /// Parses the text of the file. Lines that a host would not understand have no effect.
    pub fn parse(text: &str) -> Self {
        let mut redirects = Redirects::default();
        for (line, text) in (1..).zip(text.lines()) {
            match Redirect::parse(line, text) {
                Ok(rule) => redirects.extend(rule),
                Err(NotARule) => redirects.unknown.push(line),
            }
        }
        redirects
    }

    /// Reads the redirects of a `netlify.toml`. `line` turns a byte offset into a line number.
    pub(crate) fn of_netlify(rules: &[Spanned<DeValue<'_>>], line: impl Fn(usize) -> usize) -> Self {
        let mut redirects = Redirects::default();
        for rule in rules {
            let line = line(rule.span().start);
            let parsed = rule.get_ref().as_table().ok_or(NotARule);
            match parsed.and_then(|table| Redirect::of_netlify(line, table)) {
                Ok(rule) => redirects.extend(rule),
                Err(NotARule) => redirects.unknown.push(line),
            }
        }
        redirects
    }

    fn extend(&mut self, rule: Option<Redirect>) {
        let Some(rule) = rule else { return };
        if rule.from.is_literal() {
            let path = literal(rule.from.path()).into();
            self.literals.entry(path).or_default().push(rule);
        } else {
            self.patterns.push(rule);
        }
    }

    /// Returns the numbers of the lines that a host would not understand, from 1.
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

    /// Returns the rule that redirects an absolute URL, ignoring its query. Rewrites, which answer in place (status 200 or 404), do
    /// not count as redirects. Nor do rules for some countries, languages or queries.
    pub fn redirect(&self, url: &str) -> Option<Redirection> {
        let (scheme, host, path) = parts(url)?;
        let site = Site { scheme, host };
        let (line, effect) = either_form(path, |path| self.find(site, path, false))?;
        let Effect::To(to) = effect else { return None };
        let to = match () {
            () if to.starts_with("//") => format!("{scheme}:{to}"),
            () if to.starts_with('/') => format!("{scheme}://{host}{to}"),
            () => to,
        };
        Some(Redirection { line, to })
    }

    /// Returns a key that is equal for URLs of the same page: the host's name in lower case, and the path percent-decoded, without
    /// slashes at its end. The scheme, the query and the fragment make no difference.
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

    /// Returns the line of the rule for a path on the site, and its effect. `is_page` is `true` if there is a page at the path.
    pub(crate) fn find(&self, site: Site<'_>, path: &str, is_page: bool) -> Option<(usize, Effect)> {
        let found = |rule: &Redirect| {
            if rule.yields && is_page {
                return None;
            }
            let captures = rule.from.captures(site, path)?;
            let value = |name: &str| {
                let own = captures.iter().find(|(own, _)| *own == name);
                own.map(|(_, value)| *value)
            };
            match &rule.effect {
                Effect::To(to) => {
                    let to = filled(to, value);
                    (!is_same(&to, site, path)).then_some((rule.line, Effect::To(to)))
                }
                Effect::Gone(status) => Some((rule.line, Effect::Gone(*status))),
            }
        };
        let mut literals = self.literals.get(literal(path)).into_iter().flatten();
        let first = [literals.find_map(found), self.patterns.iter().find_map(found)];
        first.into_iter().flatten().min_by_key(|(line, _)| *line)
    }

    /// Iterates over the redirects of single paths: line, path and address.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (usize, &str, &str)> {
        let mut rules: Vec<&Redirect> = self.literals.values().flatten().collect();
        rules.sort_by_key(|rule| rule.line);
        rules.into_iter().filter_map(|rule| match &rule.effect {
            Effect::To(to) => Some((rule.line, rule.from.path(), to.as_str())),
            Effect::Gone(_) => None,
        })
    }
}

/// Returns `true` if a rule leads to the address itself. Hosts do not follow it: `https://example.com/*` to
/// `https://example.com/:splat`.
pub(super) fn is_same(to: &str, site: Site<'_>, path: &str) -> bool {
    match parts(to) {
        Some((scheme, host, to)) => {
            scheme == site.scheme && host.eq_ignore_ascii_case(site.host) && to == path
        }
        None => to == path,
    }
}

/// Returns the scheme, the host and the path of an absolute URL.
fn parts(url: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    Some((scheme, host, if path.is_empty() { "/" } else { path }))
}

/// Returns the key of a path's rules: a slash at its end makes no difference.
fn literal(path: &str) -> &str {
    path.trim_end_matches('/')
}

impl Redirect {
    /// Returns `None` if the line redirects no page. A rewrite or an error page (status 200 or 404) answers in place, and a file
    /// takes precedence over it.
    fn parse(line: usize, text: &str) -> Result<Option<Self>, NotARule> {
        let text = text.split(" #").next().unwrap_or_default().trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        let mut words = text.split_whitespace();
        let from = words.next().ok_or(NotARule)?;
        let is_target = |word: &&str| word.starts_with('/') || word.contains("://");
        // Conditions on the query may stand in between: `/search q=:q /find/:q`.
        let rest: Vec<&str> = words.collect();
        let to = rest.iter().position(is_target).ok_or(NotARule)?;
        let after = rest.get(to + 1..).unwrap_or_default();
        let is_conditional = to > 0 || after.iter().any(|word| word.contains('='));
        let status = after.first().filter(|word| !word.contains('='));
        let is_forced = status.is_some_and(|status| status.ends_with('!'));
        let status = status.map_or(Ok(301), |status| status.trim_end_matches('!').parse());
        let effect = effect(status.map_err(|_| NotARule)?, is_forced, rest[to])?;
        // A rule for some countries or languages leaves the page to all others.
        Ok(effect.filter(|_| !is_conditional).map(|effect| Redirect {
            line,
            from: Pattern::parse(from),
            effect,
            // Netlify serves an existing page, unless a rule is forced. Cloudflare redirects it.
            yields: false,
        }))
    }

    /// Reads a `[[redirects]]` in `netlify.toml`, like [`parse`](Self::parse).
    fn of_netlify(line: usize, table: &DeTable<'_>) -> Result<Option<Self>, NotARule> {
        let text = |name: &str| table.get(name).and_then(|value| value.get_ref().as_str());
        let from = text("from").ok_or(NotARule)?;
        let status = match table.get("status").map(Spanned::get_ref) {
            None => 301,
            Some(DeValue::Integer(status)) => status.as_str().parse().map_err(|_| NotARule)?,
            Some(_) => return Err(NotARule),
        };
        let is_forced = matches!(
            table.get("force").map(Spanned::get_ref),
            Some(DeValue::Boolean(true))
        );
        let is_conditional = ["query", "conditions"].iter().any(|name| {
            let condition = table.get(*name).map(Spanned::get_ref);
            condition.is_some_and(|value| value.as_table().is_none_or(|table| !table.is_empty()))
        });
        // An error needs no page.
        let to = text("to").or((status >= 400).then_some("")).ok_or(NotARule)?;
        let effect = effect(status, is_forced, to)?;
        Ok(effect.filter(|_| !is_conditional).map(|effect| Redirect {
            line,
            from: Pattern::parse(from),
            effect,
            yields: !is_forced,
        }))
    }
}

/// Returns the effect of a status. A rewrite or an error page (200, or 404 without `!`) answers only if there is no page.
fn effect(status: u16, is_forced: bool, to: &str) -> Result<Option<Effect>, NotARule> {
    match status {
        301 | 302 | 303 | 307 | 308 => Ok(Some(Effect::To(to.to_owned()))),
        410 | 451 => Ok(Some(Effect::Gone(status))),
        400..500 if is_forced => Ok(Some(Effect::Gone(status))),
        200 | 400..600 => Ok(None),
        // No host answers with it.
        _ => Err(NotARule),
    }
}

/// Replaces each placeholder of an address by its value. A name without a value stays as text.
pub(super) fn filled<'a>(to: &str, value: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut parts = to.split(':');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_at(name_len(part));
        if let Some(value) = value(name) {
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
    use super::{Effect, Redirects, Site, filled};

    const SITE: Site<'_> = Site {
        scheme: "https",
        host: "example.com",
    };

    #[expect(clippy::unnecessary_wraps, reason = "it is what is found")]
    fn to(line: usize, to: impl Into<String>) -> Option<(usize, Effect)> {
        Some((line, Effect::To(to.into())))
    }

    #[test]
    fn placeholders_are_replaced_by_whole_names_once() {
        let captures = [("p", "7"), ("page", ":p"), ("splat", "a/:page")];
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
            let value = |name: &str| {
                let own = captures.iter().find(|(own, _)| *own == name);
                own.map(|(_, value)| *value)
            };
            assert_eq!(filled(to, value), address, "{to}");
        }
        let redirects = Redirects::parse("/:p/in/:page /:page/of/:p\n");
        let found = redirects.find(SITE, "/x/in/:p", true);
        assert_eq!(found, to(1, "/:p/of/x"));
    }

    /// A pattern's placeholders name the parts of a path: filling these into the pattern itself gives the path again.
    #[test]
    fn a_pattern_filled_with_its_captures_has_the_path() {
        let names = ["p", "page", "page_2", "pa", "a"];
        let values = ["x", ":p", ":page", "a:", "\u{e9}"];
        for i in 0..names.len() * values.len() {
            let name = |k: usize| names[(i + k) % names.len()];
            let value = |k: usize| values[(i / names.len() + k) % values.len()];
            let pattern = format!("/:{}/at/:{}/:{}", name(0), name(1), name(2));
            let path = format!("/{}/at/{}/{}", value(0), value(1), value(2));
            let redirects = Redirects::parse(&format!("{pattern} /to{pattern}"));
            let expected = to(1, format!("/to{path}"));
            assert_eq!(redirects.find(SITE, &path, true), expected, "{pattern}");
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

    /// The first of all rules that match a path on the host wins.
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
                    let site = Site { host, ..SITE };
                    let mut each = (1..).zip(&alone);
                    let expected = each.find_map(|(line, rule)| Some((line, rule.find(site, path, true)?.1)));
                    assert_eq!(all.find(site, path, true), expected, "{lines:?} {host}{path}");
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
            let found = found.and_then(|(line, address)| to(line, address));
            assert_eq!(redirects.find(SITE, path, true), found, "{path}");
        }
        let www = Site {
            host: "www.example.com",
            ..SITE
        };
        assert_eq!(redirects.find(www, "/a", true), to(11, "https://example.com/a"));
        let literals: Vec<_> = redirects.literals().collect();
        assert_eq!(
            literals,
            [(2, "/old", "/new"), (3, "/old", "/other"), (7, "/app/x", "/y")]
        );
    }

    #[test]
    fn statuses_schemes_and_circles() {
        let redirects = Redirects::parse(
            "/gone /404.html 404!\n/old /404.html 410\n/app/* /index.html 200!\nhttp://example.com/* https://example.com/:splat 301!\n\
             https://example.com/* https://example.com/:splat 301!\n/a /a 301\n/a /b\n",
        );
        let http = Site {
            scheme: "http",
            ..SITE
        };
        for (site, path, found) in [
            (SITE, "/gone", Some((1, Effect::Gone(404)))),
            (SITE, "/old", Some((2, Effect::Gone(410)))),
            (SITE, "/app/x", None),
            (SITE, "/x", None),
            (http, "/x", to(4, "https://example.com/x")),
            (SITE, "/a", to(7, "/b")),
        ] {
            assert_eq!(redirects.find(site, path, true), found, "{site:?} {path}");
        }
    }
}
