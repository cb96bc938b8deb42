//! The parts of URLs. A host ends at a `/`, and also at the `?` or `#` of a URL without a path.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Result, bail};

/// Returns the argument if it is a URL rather than a path.
pub(crate) fn url(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")).then_some(text)
}

/// Returns the bytes of a path, with slashes on every system.
#[cfg(unix)]
pub(crate) fn bytes(path: &Path) -> Cow<'_, [u8]> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).into()
}

#[cfg(not(unix))]
pub(crate) fn bytes(path: &Path) -> Cow<'_, [u8]> {
    path.to_string_lossy().replace('\\', "/").into_bytes().into()
}

/// Splits a URL after its host. The rest is empty or begins with `/`, `?` or `#`. Returns `None` for a text without a scheme.
pub(crate) fn split_after_host(url: &str) -> Option<(&str, &str)> {
    let start = url.find("://")? + 3;
    let rest = url.get(start..)?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    url.split_at_checked(start + end)
}

/// Returns the scheme, host and port of a URL, with the user if it has one.
#[cfg(any(feature = "http", test))]
pub(crate) fn origin(url: &str) -> &str {
    split_after_host(url).map_or(url, |(origin, _)| origin)
}

/// Returns the host and port of a URL, with the user if it has one; nothing for a text without a scheme.
pub(crate) fn authority(url: &str) -> &str {
    let (origin, _) = split_after_host(url).unwrap_or_default();
    origin.split_once("://").map_or("", |(_, authority)| authority)
}

/// Returns the part after the host: `/` if it is empty, and the whole text if it has no scheme.
pub(crate) fn after_host(url: &str) -> &str {
    match split_after_host(url) {
        None => url,
        Some((_, "")) => "/",
        Some((_, rest)) => rest,
    }
}

/// Returns `true` if a URL has a user name or a password before its host. A password may contain an unescaped `/`, `?` or `#`.
pub(crate) fn has_user(url: &str) -> bool {
    let host = authority(url);
    let has_port = || match host.rsplit_once(':') {
        Some((host, port)) => {
            host.ends_with(']') || !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
        }
        None => true,
    };
    host.contains('@') || url.contains('@') && !host.ends_with(']') && !has_port()
}

/// Returns an error for a URL with a user name or a password.
///
/// # Errors
/// The URL has one. The error does not contain it.
pub(crate) fn check_no_user(url: &str) -> Result<()> {
    if has_user(url) {
        bail!(
            "a URL has a user name or a password: leave them out of it; commands that request it take them with --basic-auth USER:PASSWORD \
             or the variable SITEMAP_BASIC_AUTH"
        );
    }
    Ok(())
}

/// The options whose values may look like such a URL and are none: patterns, and headers, which are never printed.
const NO_URLS: [&str; 7] = [
    "--match",
    "--match-regex",
    "--not-match",
    "--sitemaps",
    "--header",
    "--basic-auth",
    "--user-agent",
];

/// Checks all words of the command line, before any of them is printed.
///
/// # Errors
/// Those of [`check_no_user`].
pub(crate) fn check_words(words: &[String]) -> Result<()> {
    let mut option = "";
    for word in words {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, value),
            _ => (option, word.as_str()),
        };
        option = if word.starts_with("--") { word } else { "" };
        if NO_URLS.contains(&name) {
            continue;
        }
        for text in value.split(',') {
            let scheme = text.find("://").and_then(|at| text.get(..at)).unwrap_or_default();
            let start = scheme
                .rfind(|c: char| !c.is_ascii_alphanumeric())
                .map_or(0, |at| at + 1);
            check_no_user(text.get(start..).unwrap_or(text))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_passwords_are_found() {
        for (url, found) in [
            ("https://example.com/@a", false),
            ("https://example.com:8080/@a", false),
            ("https://[::1]/@a", false),
            ("https://[::1]:80/@a", false),
            ("https://example.com?a@b", false),
            ("https://me:/secret@example.com", true),
            ("a/b@c", false),
            ("https://me@example.com", true),
            ("HTTP://me:secret@example.com?a", true),
            ("https://me:secret@[::1]:80/", true),
            ("https://me:se/cret@example.com/", true),
            ("https://me:se#cret@example.com/", true),
        ] {
            assert_eq!(has_user(url), found, "{url}");
        }
        let check =
            |words: &[&str]| check_words(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        let url = "https://me:secret@example.com/";
        for words in [
            &["cat", url][..],
            &["from", &format!("--location={url}")],
            &["edit", "--set", "/a", &format!("loc={url}")],
        ] {
            assert!(check(words).is_err(), "{words:?}");
        }
        for words in [
            &["cat", "--match", url, "a.xml"][..],
            &["cat", &format!("--match={url}")],
            &["cat", "--header", &format!("Referer: {url}")],
            &[
                "cat",
                "--user-agent",
                "bot (+https://example.com; me@example.com)",
                "a@b.xml",
            ],
        ] {
            assert!(check(words).is_ok(), "{words:?}");
        }
    }

    #[test]
    fn hosts_end_at_their_paths_queries_and_fragments() {
        for (url, parts) in [
            ("https://example.com", ("https://example.com", "example.com", "/")),
            (
                "https://example.com?a",
                ("https://example.com", "example.com", "?a"),
            ),
            (
                "https://example.com#/a",
                ("https://example.com", "example.com", "#/a"),
            ),
            (
                "https://example.com/a",
                ("https://example.com", "example.com", "/a"),
            ),
            ("public/a.xml", ("public/a.xml", "", "public/a.xml")),
        ] {
            assert_eq!((origin(url), authority(url), after_host(url)), parts);
        }
    }

    /// For random URLs, the parts are those of the `url` crate, and make the URL again.
    #[cfg(feature = "http")]
    #[test]
    fn random_urls_are_split_as_the_url_crate_does() {
        use url::Url;

        const PARTS: [&str; 19] = [
            "/",
            "?",
            "#",
            "//",
            "://",
            "@",
            ":",
            "a",
            "b.xml",
            "?next=/a.xml",
            "#/x",
            "=",
            "&",
            ".",
            "..",
            "%2F",
            "é",
            "é.example/",
            "https://",
        ];
        const HOSTS: [&str; 8] = [
            "example.com",
            "www.example.com:8080",
            "127.0.0.1",
            "[::1]:80",
            "user@example.com",
            "u:p@example.com:443",
            "EXAMPLE.com",
            "é.example",
        ];
        let mut state = 7_u64;
        let mut below = |count: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(state >> 33).unwrap() % count
        };
        let mut count = 0;
        for _ in 0..20_000 {
            let scheme = ["http://", "https://", "HTTPS://"][below(3)];
            let host = HOSTS[below(HOSTS.len())];
            let start = ["", "/", "?", "#"][below(4)];
            let mut url = [scheme, host, start].concat();
            if !start.is_empty() {
                for _ in 0..below(5) {
                    url += PARTS[below(PARTS.len())];
                }
            }
            let Ok(parsed) = Url::parse(&url) else { continue };
            count += 1;
            let of_origin = Url::parse(origin(&url)).unwrap();
            assert_eq!(of_origin.origin(), parsed.origin(), "{url}");
            assert_eq!(
                authority(&url).contains('@'),
                !parsed.username().is_empty(),
                "{url}"
            );
            assert_eq!(
                Url::parse(&(origin(&url).to_owned() + after_host(&url))).unwrap(),
                parsed,
                "{url}"
            );
            let path = Url::parse(&("https://other.example".to_owned() + after_host(&url))).unwrap();
            assert_eq!(
                (path.path(), path.query(), path.fragment()),
                (parsed.path(), parsed.query(), parsed.fragment()),
                "{url}"
            );
        }
        assert!(count > 15_000, "{count}");
    }
}
