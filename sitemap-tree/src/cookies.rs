//! Cookies. Many sites set one and redirect to the same address, which they serve only with the cookie.

use std::collections::HashMap;

use crate::address;

/// Limits: sites with cookies, and the bytes of a site's cookies as sent. Servers accept about 8 KiB of all headers, and some set another
/// cookie in each response.
const SITES: usize = 1000;
const BYTES: usize = 4 << 10;

/// The cookies of each site, until the walk ends. If they are too long, the oldest are dropped. A cookie is sent to the host that set it, also over https if http set it. With the
/// site's `Domain`, it is sent to the host with and without `www.`. A cookie from https, or with `Secure`, is sent over https
/// only.
#[derive(Default)]
pub(crate) struct Cookies(HashMap<Box<str>, Vec<Cookie>>);

struct Cookie {
    name: Box<str>,
    value: Box<str>,
    /// The host and port that set it; `None` for all of the site.
    host: Option<Box<str>>,
    is_secure: bool,
}

impl Cookies {
    /// Takes the values of `Set-Cookie`. Returns `true` if the cookies to send have changed.
    pub(crate) fn set(&mut self, address: &str, values: &[Box<str>]) -> bool {
        let site = address::site(address);
        if values.is_empty() || self.0.len() >= SITES && !self.0.contains_key(site) {
            return false;
        }
        let kept = self.0.entry(site.into()).or_default();
        let mut has_changed = false;
        for value in values {
            let Some((cookie, is_removed)) = Cookie::parse(address, value) else {
                continue;
            };
            let is_same = |other: &Cookie| other.name == cookie.name && other.host == cookie.host;
            match kept.iter().position(is_same) {
                Some(at) if is_removed => {
                    kept.remove(at);
                    has_changed = true;
                }
                Some(at) => {
                    has_changed |= kept[at].value != cookie.value;
                    // It is the newest now.
                    kept.remove(at);
                    kept.push(cookie);
                }
                None if !is_removed && cookie.bytes() <= BYTES => {
                    kept.push(cookie);
                    has_changed = true;
                }
                None => {}
            }
        }
        while kept.iter().map(Cookie::bytes).sum::<usize>() > BYTES {
            kept.remove(0);
        }
        has_changed
    }

    /// The value of `Cookie` for an address.
    pub(crate) fn of(&self, address: &str) -> Option<Box<str>> {
        let kept = self.0.get(address::site(address))?;
        let pairs: Vec<String> = kept
            .iter()
            .filter(|cookie| cookie.is_for(address))
            .map(|Cookie { name, value, .. }| format!("{name}={value}"))
            .collect();
        (!pairs.is_empty()).then(|| pairs.join("; ").into())
    }
}

/// Without values.
impl std::fmt::Debug for Cookies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Cookie {
    /// Parses a `Set-Cookie`. Also returns `true` if it removes the cookie.
    fn parse(address: &str, text: &str) -> Option<(Self, bool)> {
        let mut parts = text.split(';');
        let (name, value) = parts.next()?.split_once('=')?;
        let (name, value) = (name.trim(), value.trim());
        let is_valid = |text: &str| text.bytes().all(|b| (b' '..0x7F).contains(&b) && b != b';');
        if name.is_empty() || !is_valid(name) || !is_valid(value) {
            return None;
        }
        let mut is_removed = false;
        let mut cookie = Cookie {
            name: name.into(),
            value: value.into(),
            host: Some(host(address).into()),
            is_secure: is_secure(address),
        };
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            match key.trim().to_ascii_lowercase().as_str() {
                "secure" => cookie.is_secure = true,
                "max-age" => is_removed = value.trim().parse::<i64>().is_ok_and(|age| age <= 0),
                // The domain of a whole suffix, such as `com`, is no site's.
                "domain" => {
                    let domain = value.trim().trim_start_matches('.').to_ascii_lowercase();
                    if domain == address::site(address) {
                        cookie.host = None;
                    }
                }
                _ => {}
            }
        }
        Some((cookie, is_removed))
    }

    /// The bytes of it as sent.
    fn bytes(&self) -> usize {
        self.name.len() + self.value.len() + "=; ".len()
    }

    fn is_for(&self, address: &str) -> bool {
        (is_secure(address) || !self.is_secure) && self.host.as_deref().is_none_or(|own| own == host(address))
    }
}

fn is_secure(address: &str) -> bool {
    address.starts_with("https://")
}

/// Host and port, without the scheme's default port.
fn host(address: &str) -> &str {
    let origin = address::origin(address);
    origin.split_once("://").map_or(origin, |(_, host)| host)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A site that sets another cookie in each response gets back its newest, and no more than servers accept.
    #[test]
    fn cookies_are_bounded() {
        let (mut cookies, address) = (Cookies::default(), "https://example.com/");
        for number in 0..1000 {
            let cookie = format!("visit{number}={}", "x".repeat(number));
            assert!(cookies.set(address, &[cookie.into(), "session=1".into()]));
        }
        let sent = cookies.of(address).unwrap();
        assert!((2000..=BYTES).contains(&sent.len()), "{}", sent.len());
        assert!(sent.contains("visit999=") && sent.ends_with("; session=1"));
        assert!(!cookies.set(address, &[format!("a={}", "x".repeat(BYTES)).into()]));
        assert_eq!(cookies.of(address), Some(sent));
    }

    /// Which addresses get a cookie that another one has set.
    #[test]
    fn cookies_stay_within_a_site() {
        let addresses = [
            "http://example.com/",
            "https://example.com/a?b",
            "https://www.example.com/",
            "http://www.example.com/",
            "https://example.com:8443/",
            "https://shop.example.com/",
            "https://example.org/",
            "https://com/",
        ];
        for (from, cookie, expected) in [
            ("http://example.com/x", "a=1", "11000000"),
            ("https://example.com/x", "a=1; Path=/", "01000000"),
            ("http://example.com/x", "a=1; secure", "01000000"),
            ("https://example.com/x", "a=1; Domain=example.com", "01100000"),
            (
                "https://www.example.com/x",
                "a=1; domain=.EXAMPLE.com",
                "01100000",
            ),
            ("http://example.com/x", "a=1; Domain=example.com", "11110000"),
            ("https://www.example.com/x", "a=1", "00100000"),
            // Not the site's domain: the cookie is the host's.
            ("https://example.com/x", "a=1; Domain=com", "01000000"),
            ("https://example.com/x", "a=1; Domain=example.org", "01000000"),
            ("https://shop.example.com/", "a=1; Domain=example.com", "00000100"),
            ("https://example.com:8443/", "a=1", "00001000"),
            ("https://example.com/", "a=1; Max-Age=0", "00000000"),
            ("https://example.com/", "=1", "00000000"),
            ("https://example.com/", "a", "00000000"),
            ("https://example.com/", "a=\u{7f}", "00000000"),
        ] {
            let mut cookies = Cookies::default();
            let is_kept = expected.contains('1');
            assert_eq!(cookies.set(from, &[cookie.into()]), is_kept, "{from} {cookie}");
            let sent: String = addresses
                .iter()
                .map(|address| match cookies.of(address).as_deref() {
                    Some("a=1") => '1',
                    None => '0',
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(sent, expected, "{from} {cookie}");
            assert!(!format!("{cookies:?}").contains("a="));
        }
    }
}
