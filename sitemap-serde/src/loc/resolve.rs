//! Resolves relative URLs against the URL of their document.
//!
//! **Two slashes are not a path.** A loc that begins with `/` is appended to the base; a loc that begins with `//` is an error. In RFC 3986
//! (section 4.2) `//` is followed by a host, and appending it to the base would silently name a page that does not exist. Templates can
//! produce it from a value with its own slash (`/{+path}`) or an empty one (`/{shop?}/{slug}`). A path whose first segment really is empty
//! can be written with its scheme and host.

use sitemap_values::Rule;
use sitemap_values::quote::quote;
use sitemap_values::url::{Parts, is_scheme};

use crate::error::{Error, Message, Result};

use super::{check_link, is_space};

/// The absolute URL of a document.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    url: String,
    scheme: String,
    /// The written host with its port.
    site: String,
    host: String,
    /// Byte offset of the path in the URL.
    rest: usize,
}

impl Address {
    /// # Errors
    /// A URL that is not absolute is an error.
    pub(crate) fn parse(url: &str) -> Result<Self> {
        let url = url.trim_matches(is_space);
        let parts = Parts::of(url).filter(|_| check_link(url).is_ok());
        let Some(parts) = parts else {
            return Err(Error::settings(
                Message::new(format!("the location {} is not an absolute URL", quote(url)))
                    .advice("give the document's absolute URL"),
            ));
        };
        Ok(Address {
            scheme: parts.scheme.to_owned(),
            site: parts.host_and_port().to_owned(),
            host: parts.host().to_owned(),
            rest: parts.rest,
            url: url.to_owned(),
        })
    }

    /// Resolves a relative URL (RFC 3986 section 5.2), or an absolute URL whose scheme is missing; `None` if `text` is
    /// absolute, empty, or a [template](is_template).
    pub(crate) fn resolve(&self, text: &str) -> Option<String> {
        if text.is_empty() || is_template(text) {
            return None;
        }
        if self.begins_with_site(text) || begins_with(text, "www.") {
            return Some(format!("{}://{text}", self.scheme));
        }
        if has_scheme(text) {
            return None;
        }
        if let Some(rest) = text.strip_prefix("//") {
            return Some(format!("{}://{rest}", self.scheme));
        }
        let (site, rest) = self.url.split_at(self.rest);
        let (base, base_query) = split_path(before_fragment(rest));
        let (path, query) = split_path(text);
        let mut url = site.to_owned();
        match path {
            "" if query.starts_with('?') => url.extend([or_root(base), query]),
            "" => url.extend([or_root(base), base_query, query]),
            path if path.starts_with('/') => {
                push_without_dots(&mut url, path);
                url.push_str(query);
            }
            path => {
                let directory = base.rfind('/').map_or("/", |end| &base[..=end]);
                push_without_dots(&mut url, &[directory, path].concat());
                url.push_str(query);
            }
        }
        Some(url)
    }

    /// Returns `true` if a text begins with the document's host, with or without its port.
    fn begins_with_site(&self, text: &str) -> bool {
        [&self.site, &self.host].into_iter().any(|site| {
            begins_with(text, site)
                && matches!(
                    text.as_bytes().get(site.len()),
                    None | Some(b'/' | b'?' | b'#' | b':')
                )
        })
    }
}

/// Returns `true` if a text has a placeholder of a template, such as `{{ … }}` or `${…}`, that was not filled in.
pub(crate) fn has_placeholder(text: &str) -> bool {
    // `{%22` begins partly percent-encoded JSON.
    let begins = |begin: &str| {
        let mut behind = text.match_indices(begin).map(|(at, _)| &text[at + begin.len()..]);
        behind.any(|rest| {
            let digits = rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count();
            !begin.ends_with('%') || digits < 2
        })
    };
    ["{{", "${", "{%", "<%"].into_iter().any(begins)
}

/// The error for a URL with a placeholder of a template that was not filled in; `None` if it has none.
pub(crate) fn unfilled(url: &str) -> Option<Error> {
    has_placeholder(url).then(|| {
        let message = Message::new(format!(
            "{} has a placeholder of a template that was not filled in",
            quote(url)
        ));
        Error::data(message.advice("fill it in: nobody but the template knows which page it is"))
            .breaks(Rule::LocEnc)
    })
}

/// Returns `true` if a text without a scheme has a placeholder, so that its URL is unknown.
pub(crate) fn is_template(text: &str) -> bool {
    has_placeholder(text) && !has_scheme(text)
}

fn begins_with(text: &str, prefix: &str) -> bool {
    let start = text.as_bytes().get(..prefix.len());
    !prefix.is_empty() && start.is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// Returns `true` if a text begins with a scheme (RFC 3986 section 3.1).
fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme))
}

fn before_fragment(rest: &str) -> &str {
    rest.split_once('#').map_or(rest, |(before, _)| before)
}

/// Splits a path from its query and fragment.
fn split_path(rest: &str) -> (&str, &str) {
    rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()))
}

fn or_root(path: &str) -> &str {
    if path.is_empty() { "/" } else { path }
}

/// Appends a path that begins with `/`, without its dot segments (RFC 3986 section 5.2.4).
fn push_without_dots(url: &mut String, path: &str) {
    let start = url.len();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    let end = url[start..].rfind('/').unwrap_or(0);
                    url.truncate(start + end);
                }
                if is_last {
                    url.push('/');
                }
            }
            segment => {
                url.push('/');
                url.push_str(segment);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The references of RFC 3986 section 5.4 without a scheme, and locs found in real files.
    #[test]
    fn references() {
        let address = Address::parse("http://a/b/c/d;p?q").unwrap();
        for (text, expected) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"),
        ] {
            assert_eq!(address.resolve(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["g:h", "http:g", "mailto:x@a", "javascript:void(0)", ""] {
            assert_eq!(address.resolve(text), None, "{text}");
        }
    }

    #[test]
    fn urls_without_a_scheme() {
        let address = Address::parse(" https://Example.com:8443/maps/sitemap.xml#top ").unwrap();
        for (text, expected) in [
            ("www.example.org/x", "https://www.example.org/x"),
            ("WWW.example.org", "https://WWW.example.org"),
            ("example.com/x", "https://example.com/x"),
            ("example.com:8443/x", "https://example.com:8443/x"),
            ("example.com", "https://example.com"),
            (
                "example.com.html",
                "https://Example.com:8443/maps/example.com.html",
            ),
            ("#x", "https://Example.com:8443/maps/sitemap.xml#x"),
            ("/é x", "https://Example.com:8443/é x"),
        ] {
            assert_eq!(address.resolve(text).as_deref(), Some(expected), "{text}");
        }
        let root = Address::parse("https://example.com").unwrap();
        assert_eq!(root.resolve("a/b").as_deref(), Some("https://example.com/a/b"));
        assert_eq!(root.resolve("?a").as_deref(), Some("https://example.com/?a"));
    }

    #[test]
    fn an_address_is_absolute() {
        for url in ["", "/sitemap.xml", "example.com", "mailto:x", "https://"] {
            let error = Address::parse(url).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("the location `{url}` is not an absolute URL; give the document's absolute URL")
            );
        }
    }
}
