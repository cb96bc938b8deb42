//! The normal form of a URL, which decides whether two URLs are one page.
//!
//! **This is the only place that normalizes URLs for a comparison.** Duplicates, links between pages, sites, diffs and submissions compare
//! normal forms, and so do the crates above. A normal form is never written to a document: what is written stays as it was spelt.

use std::borrow::Cow;

use sitemap_values::url::{DotSegment, Parts, decoded};

use super::absolute::{is_space, push_punycode, push_rest};
use super::class::{self, Legality};
use super::encode::{Encoder, Keep};
use super::site::plain_site;

/// Returns the normal form of a URL. Two URLs are one page if their normal forms are equal.
///
/// It is percent-encoded in UTF-8, then normalized by syntax (RFC 3986 section 6.2.2) and by scheme (section 6.2.3):
///
/// * scheme and host are in lower case, and a host outside ASCII is punycode (RFC 5891; needs the feature `idn`);
/// * the scheme's default port and an empty port are left out;
/// * an empty path is `/`, and the path has no dot segments;
/// * triplets of unreserved characters are decoded, and the digits of the others are in upper case;
/// * white space at both ends is removed.
///
/// The case of a path, a slash at its end, the parts of a query, user information and the fragment are kept. A text without a scheme and
/// `//` is only percent-encoded, with its triplets normalized.
pub fn normal_form(url: &str) -> Cow<'_, str> {
    if is_normal(url) {
        return Cow::Borrowed(url);
    }
    let url = url.trim_matches(is_space);
    let Some(parts) = Parts::of(url) else {
        return Cow::Owned(normal_piece(url, None));
    };
    let scheme = parts.scheme.to_ascii_lowercase();
    let mut normal = format!("{scheme}://");
    if let Some(user) = parts.user().strip_suffix('@') {
        normal.extend([&normal_piece(user, Some(Keep::User)), "@"]);
    }
    if parts.check_authority().is_ok() {
        normal.push_str(&normal_host(parts.host()));
        push_port(&parts, &scheme, &mut normal);
    } else {
        normal.push_str(&lower(parts.host_and_port()));
    }
    push_path(&normal_piece(&url[parts.rest..], None), &mut normal);
    Cow::Owned(normal)
}

/// Returns `true` if two URLs have the same [normal form](normal_form).
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    one == other || normal_form(one) == normal_form(other)
}

/// Returns `true` if two URLs have one scheme, host and port (P-HOST).
pub(crate) fn same_site(one: &str, other: &str) -> bool {
    match (Parts::of(one), Parts::of(other)) {
        (Some(one), Some(other)) => {
            one.scheme.eq_ignore_ascii_case(other.scheme)
                && one.effective_port() == other.effective_port()
                && same_host(one.host(), other.host())
        }
        _ => false,
    }
}

/// Returns `true` if two hosts are one: their normal forms are equal.
pub(crate) fn same_host(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
        || !(is_plain_host(one) && is_plain_host(other)) && normal_host(one) == normal_host(other)
}

/// Returns the host in lower case, and in punycode if it has characters outside ASCII. An invalid host is only put in lower case.
pub(super) fn normal_host(host: &str) -> Cow<'_, str> {
    if is_plain_host(host) {
        return if host.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(host.to_ascii_lowercase())
        } else {
            Cow::Borrowed(host)
        };
    }
    let mut ascii = Vec::new();
    if let Some(name) = decoded(host)
        && !name.is_ascii()
        && push_punycode(&mut ascii, &name).is_ok()
    {
        return Cow::Owned(String::from_utf8(ascii).unwrap_or_default());
    }
    Cow::Owned(lower(host))
}

fn lower(host_and_port: &str) -> String {
    normal_piece(&host_and_port.to_lowercase(), None).to_ascii_lowercase()
}

/// Appends a valid port, unless it is empty or the scheme's default.
fn push_port(parts: &Parts<'_>, scheme: &str, out: &mut String) {
    let digits = parts.host_and_port()[parts.host().len()..].trim_start_matches(':');
    let default = match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    };
    match digits.parse::<u16>() {
        Ok(port) if Some(port) != default => out.extend([":", &port.to_string()]),
        _ => {}
    }
}

fn is_plain_host(host: &str) -> bool {
    host.is_ascii() && !host.contains('%')
}

/// Returns `true` if a URL certainly is in its normal form, as nearly every loc is.
fn is_normal(url: &str) -> bool {
    let Some(end) = plain_site(url) else {
        return false;
    };
    let (site, rest) = url.split_at(end);
    let after_scheme = site.get("https:".len()..).unwrap_or_default();
    rest.starts_with('/')
        && !after_scheme.bytes().any(|b| b == b':' || b.is_ascii_uppercase())
        && memchr::memchr(b'%', rest.as_bytes()).is_none()
        && Legality::of(rest).legal
        && memchr::memmem::find(rest.as_bytes(), b"/.").is_none()
}

/// Percent-encodes a piece of a URL, and normalizes its triplets. Without `keep`, it is the part after the host.
fn normal_piece(piece: &str, keep: Option<Keep>) -> String {
    let (encoder, mut encoded) = (Encoder::default(), Vec::with_capacity(piece.len()));
    // UTF-8 has every character.
    let _ = match keep {
        Some(keep) => encoder.push(&mut encoded, piece, keep),
        None => push_rest(encoder, piece, &mut encoded),
    };
    let mut normal = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_slice();
    while let Some(at) = memchr::memchr(b'%', rest) {
        let (before, triplet) = rest.split_at(at);
        normal.extend_from_slice(before);
        // After encoding, every `%` begins a triplet.
        let Some((triplet, behind)) = triplet.split_at_checked(3) else {
            break;
        };
        let digits = str::from_utf8(&triplet[1..]).unwrap_or_default();
        match u8::from_str_radix(digits, 16) {
            Ok(b) if class::of(b) & class::UNRESERVED != 0 => normal.push(b),
            _ => normal.extend(triplet.iter().map(u8::to_ascii_uppercase)),
        }
        rest = behind;
    }
    normal.extend_from_slice(rest);
    String::from_utf8(normal).unwrap_or_default()
}

/// Appends a path with its query and fragment: without dot segments (RFC 3986 section 5.2.4), and `/` as the empty path.
fn push_path(rest: &str, out: &mut String) {
    let (path, behind) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    let mut segments: Vec<&str> = Vec::new();
    let mut is_directory = true;
    for segment in path.split('/').skip(1) {
        let dots = DotSegment::of(segment);
        is_directory = dots.is_some();
        match dots {
            Some(DotSegment::Current) => {}
            Some(DotSegment::Parent) => {
                segments.pop();
            }
            None => segments.push(segment),
        }
    }
    for segment in segments {
        out.extend(["/", segment]);
    }
    if is_directory {
        out.push('/');
    }
    out.push_str(behind);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_url() {
        for (one, other, expected) in [
            ("https://example.com/é x", "https://example.com/%C3%A9%20x", true),
            ("https://example.com/%c3%a9", "https://example.com/%C3%A9", true),
            ("HTTPS://Example.COM/a", "https://example.com/a", true),
            ("https://example.com", "https://example.com/", true),
            ("https://example.com?a", "https://example.com/?a", true),
            ("https://example.com:443/", "https://example.com/", true),
            ("https://example.com:/", "https://example.com/", true),
            ("http://example.com:080#a", "http://example.com/#a", true),
            ("https://example.com:80/", "https://example.com/", false),
            ("https://example.com:0/", "https://example.com/", false),
            ("https://example.com:00/", "https://example.com:0/", true),
            ("https://u@Example.com:80/", "https://u@example.com:80/", true),
            ("https://u%6e@example.com/", "https://un@example.com/", true),
            (" https://example.com/ ", "https://example.com/", true),
            (
                "https://example.com/a/./b/../%7euser",
                "https://example.com/a/~user",
                true,
            ),
            ("https://example.com/a/%2e%2E/b", "https://example.com/b", true),
            ("https://example.com/a/..", "https://example.com/", true),
            ("https://example.com/a/.", "https://example.com/a/", true),
            ("https://example.com/..//a", "https://example.com//a", true),
            (
                "https://example.com/?a=/../%41",
                "https://example.com/?a=/../A",
                true,
            ),
            ("https://example.com/a", "https://example.com/A", false),
            ("https://example.com/a", "https://example.com/a/", false),
            ("https://example.com/a%2Fb", "https://example.com/a/b", false),
            ("https://example.com/%21", "https://example.com/!", false),
            ("https://example.com/?a&b", "https://example.com/?b&a", false),
            ("https://example.com/?", "https://example.com/", false),
            ("https://example.com/#a", "https://example.com/", false),
            ("https://example.com./", "https://example.com/", false),
            ("https://U@example.com/", "https://u@example.com/", false),
            ("http://example.com/", "https://example.com/", false),
            ("https://example.com/%", "https://example.com/%25", true),
            ("https://%41%2fb/", "https://a%2Fb", true),
            ("https://[2001:DB8::A]/", "https://[2001:db8::a]:443", true),
            ("/a", "/a", true),
            ("/a b", "/a%20b", true),
            ("/a", "/b", false),
        ] {
            assert_eq!(is_same(one, other), expected, "{one} {other}");
        }
    }

    #[cfg(feature = "idn")]
    #[test]
    fn a_host_and_its_punycode_are_one() {
        for host in [
            "müller.example",
            "MÜLLER.Example",
            "m%C3%BCller.example",
            "XN--MLLER-KVA.example",
            "mu\u{308}ller\u{3002}example",
        ] {
            let url = format!("https://{host}/ä");
            assert_eq!(normal_form(&url), "https://xn--mller-kva.example/%C3%A4");
            assert!(same_site(&url, "https://xn--mller-kva.example:443"), "{host}");
        }
        assert!(!same_host("müller.example", "muller.example"));
        // No name of DNS.
        assert_eq!(
            normal_form("https://É\u{200b}-.%zz:443"),
            "https://%c3%a9%e2%80%8b-.%25zz:443/"
        );
    }

    /// The short way may only be shorter.
    #[test]
    fn a_url_that_is_normal_stays() {
        let pieces = [
            "https://",
            "http://",
            "HTTPS://",
            "example.com",
            "Example",
            ":443",
            ":8080",
            "/",
            "a",
            ".",
            "..",
            "%41",
            "%2F",
            "%2f",
            "?",
            "#",
            "é",
            " ",
            "[",
            "@",
            "&",
            "xn--mller-kva",
        ];
        let mut seed = 7_u64;
        let mut random = |bound: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(seed >> 40).unwrap_or_default() % bound
        };
        let mut short = 0;
        for _ in 0..100_000 {
            let mut url = pieces[random(3)].to_owned() + pieces[3 + random(2)];
            for _ in 0..random(8) {
                url += pieces[random(pieces.len())];
            }
            let normal = normal_form(&url).into_owned();
            assert_eq!(normal_form(&normal), normal, "{url}");
            if is_normal(&url) {
                short += 1;
                assert_eq!(url, normal);
                let mut long = format!("{}://{}", &url[..url.find(':').unwrap_or_default()], "");
                let parts = Parts::of(&url).unwrap();
                long += &normal_host(parts.host());
                push_path(&normal_piece(&url[parts.rest..], None), &mut long);
                assert_eq!(url, long);
            }
        }
        assert!(short > 300, "{short}");
    }
}
