//! An absolute URL split into scheme, authority and the rest (RFC 3986 section 3), and the rules for an authority and a base.

use std::borrow::Cow;
use std::fmt;
use std::net::Ipv6Addr;

use crate::error::Message;
use crate::punycode;
use crate::quote::quote;
use crate::rules::Rule;

/// P-LOCLEN: the longest loc, in characters as written, before XML escaping.
pub const MAX_CHARS: usize = 2_048;

/// The longest label of a DNS name, in bytes.
pub const MAX_LABEL: usize = 63;
/// The longest DNS name without a final dot, in bytes.
const MAX_NAME: usize = 253;

/// The ends of the parts of an absolute URL.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    /// The scheme, without its colon.
    pub scheme: &'a str,
    /// User information, host and port.
    pub authority: &'a str,
    /// Byte offset of the path (or query, or fragment).
    pub rest: usize,
}

impl<'a> Parts<'a> {
    /// `None` if there is no scheme, or no `//` after it.
    pub fn of(url: &'a str) -> Option<Self> {
        let colon = url.find(':')?;
        let scheme = &url[..colon];
        let after = url[colon + 1..].strip_prefix("//")?;
        let end = after.find(['/', '?', '#']).unwrap_or(after.len());
        is_scheme(scheme).then(|| Parts {
            scheme,
            authority: &after[..end],
            rest: colon + 3 + end,
        })
    }

    /// Returns `true` if the scheme is http or https.
    pub fn is_web(&self) -> bool {
        self.scheme.eq_ignore_ascii_case("http") || self.scheme.eq_ignore_ascii_case("https")
    }

    /// User information with its `@`; empty if there is none.
    pub fn user(&self) -> &'a str {
        self.authority.rfind('@').map_or("", |at| &self.authority[..=at])
    }

    /// The authority without user information.
    pub fn host_and_port(&self) -> &'a str {
        &self.authority[self.user().len()..]
    }

    /// The host; an address in brackets with its brackets.
    pub fn host(&self) -> &'a str {
        host(self.host_and_port())
    }

    /// The port in the URL, or else the scheme's default port.
    pub fn effective_port(&self) -> u16 {
        let port = self.host_and_port()[self.host().len()..].strip_prefix(':');
        match port.map(str::parse) {
            Some(Ok(port)) => port,
            _ if self.scheme.eq_ignore_ascii_case("https") => 443,
            _ => 80,
        }
    }

    /// Checks host and port.
    ///
    /// # Errors
    ///
    /// The problem with them.
    pub fn check_authority(&self) -> Result<(), AuthorityProblem> {
        check_host_and_port(self.host_and_port())
    }
}

/// Returns `true` if a text is a scheme (RFC 3986 section 3.1).
pub fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

fn host(host_and_port: &str) -> &str {
    if let Some(end) = host_and_port
        .strip_prefix('[')
        .and_then(|literal| literal.find(']'))
    {
        return &host_and_port[..end + 2];
    }
    host_and_port
        .rsplit_once(':')
        .map_or(host_and_port, |(host, _)| host)
}

/// A problem with an authority. Displayed, it continues a sentence that begins with the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthorityProblem {
    /// There is no host.
    NoHost,
    /// An address begins with a bracket but does not end with one.
    OpenBracket,
    /// The text in brackets is not an address.
    Address,
    /// The host has an invalid character.
    Character,
    /// The port is not a number up to 65535.
    Port,
    /// There is text between an address in brackets and the port.
    AfterAddress,
    /// The host is too long for DNS, or has an empty label.
    Name,
    /// A label of the host is invalid punycode.
    Punycode,
}

impl AuthorityProblem {
    /// The rule that a loc with this problem breaks.
    pub fn rule(self) -> Rule {
        match self {
            AuthorityProblem::Punycode => Rule::Idn,
            _ => Rule::Loc,
        }
    }

    /// The section of the standard.
    pub fn reference(self) -> &'static str {
        match self {
            AuthorityProblem::NoHost => "",
            AuthorityProblem::Name => "RFC 1035 section 2.3.4",
            AuthorityProblem::Punycode => "RFC 3492",
            _ => "RFC 3986 section 3.2",
        }
    }
}

impl fmt::Display for AuthorityProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AuthorityProblem::NoHost => "has no host",
            AuthorityProblem::OpenBracket => "has an address without its `]`",
            AuthorityProblem::Address => "has no IPv6 address in its brackets",
            AuthorityProblem::Character => "has a character in its host that no host has",
            AuthorityProblem::Port => "has an invalid port: a port is a number up to 65535",
            AuthorityProblem::AfterAddress => "has text between its address and its port",
            AuthorityProblem::Name => {
                "has a host that no name server knows: between its dots are 1 to 63 characters, and 253 at most in all"
            }
            AuthorityProblem::Punycode => {
                "has a host of which a part begins with `xn--` and is punycode of no name"
            }
        })
    }
}

/// Checks a host and its port (RFC 3986 section 3.2): an IP literal, or a name without gen-delims; a port of digits.
fn check_host_and_port(host_and_port: &str) -> Result<(), AuthorityProblem> {
    let host = host(host_and_port);
    if host.is_empty() {
        return Err(AuthorityProblem::NoHost);
    }
    if let Some(literal) = host.strip_prefix('[') {
        match literal.strip_suffix(']') {
            Some(ip) if is_ip_literal(ip) => {}
            Some(_) => return Err(AuthorityProblem::Address),
            None => return Err(AuthorityProblem::OpenBracket),
        }
    } else {
        check_name(host)?;
    }
    let after = &host_and_port[host.len()..];
    match after.strip_prefix(':') {
        Some(port) if !is_port(port) => Err(AuthorityProblem::Port),
        None if !after.is_empty() => Err(AuthorityProblem::AfterAddress),
        _ => Ok(()),
    }
}

fn is_port(text: &str) -> bool {
    text.is_empty() || text.bytes().all(|b| b.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

/// Returns `true` if the text between brackets is an IPv6 address, or an address of a future version, `v1.a` (RFC 3986 section
/// 3.2.2).
fn is_ip_literal(ip: &str) -> bool {
    let Some(future) = ip.strip_prefix(['v', 'V']) else {
        return ip.parse::<Ipv6Addr>().is_ok();
    };
    future.split_once('.').is_some_and(|(version, address)| {
        let digits = !version.is_empty() && version.bytes().all(|b| b.is_ascii_hexdigit());
        digits && !address.is_empty() && address.bytes().all(|b| is_name_byte(b) || b == b':')
    })
}

/// Checks a `reg-name` (RFC 3986 section 3.2.2). Characters outside ASCII are accepted as in an IRI, as themselves and as triplets.
fn check_name(host: &str) -> Result<(), AuthorityProblem> {
    let name = decoded(host)
        .filter(|name| name.bytes().all(|b| is_name_byte(b) || !b.is_ascii()))
        .ok_or(AuthorityProblem::Character)?;
    if !fits_dns(host) {
        return Err(AuthorityProblem::Name);
    }
    if !punycode::is_valid_host(&name) {
        return Err(AuthorityProblem::Punycode);
    }
    Ok(())
}

/// Percent-decodes a host; `None` if a `%` begins no triplet or the bytes are not UTF-8.
pub fn decoded(host: &str) -> Option<Cow<'_, str>> {
    let mut parts = host.split('%');
    let before = parts.next()?;
    if before.len() == host.len() {
        return Some(Cow::Borrowed(host));
    }
    let mut bytes = before.as_bytes().to_vec();
    for part in parts {
        let (digits, after) = part.split_at_checked(2)?;
        let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
        bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| is_hex)?);
        bytes.extend_from_slice(after.as_bytes());
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// Unreserved characters and sub-delims.
fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&b)
}

/// Returns `true` if a host has the lengths of a DNS name (RFC 1035 section 2.3.4). A host with triplets or characters outside
/// ASCII is not measured here: the name that is looked up is another.
fn fits_dns(host: &str) -> bool {
    if !host.is_ascii() || host.contains('%') {
        return true;
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    name.len() <= MAX_NAME
        && name
            .split('.')
            .all(|label| (1..=MAX_LABEL).contains(&label.len()))
}

/// The message for a text that is not a base, the URL that paths are appended to; `why` is a clause about it.
pub fn not_a_base(text: &str, why: &dyn fmt::Display) -> Message {
    let shown: &dyn fmt::Display = if text.is_empty() {
        &"an empty text"
    } else {
        &quote(text)
    };
    Message::new(format!(
        "{shown} is not a base: {why}; a base is a scheme (http or https), a host, a port and a path prefix, such as \
         `https://example.com` or `https://example.com/shop`"
    ))
}

/// The clause for [`not_a_base`] about a text that does not begin with a scheme and `//`.
pub fn no_scheme_and_host(text: &str) -> String {
    let clause = "it has no scheme and host";
    let host = text.split(['/', '?', '#', ':']).next().unwrap_or(text);
    if let Some(rest) = text.strip_prefix("//") {
        format!("{clause} (did you mean {}?)", quote(&format!("https://{rest}")))
    } else if text.starts_with('/') {
        format!("{clause}, only a path")
    } else if host.contains('.') || host == "localhost" {
        format!("{clause} (did you mean {}?)", quote(&format!("https://{text}")))
    } else {
        clause.to_owned()
    }
}

/// A path segment that means its own or its parent's directory (RFC 3986 section 5.2.4), percent-encoded or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DotSegment {
    /// `.`: the directory itself.
    Current,
    /// `..`: its parent.
    Parent,
}

impl DotSegment {
    /// `None` for any other segment.
    pub fn of(segment: &str) -> Option<Self> {
        let mut rest = segment;
        let mut dots = 0;
        while let Some(after) = rest
            .strip_prefix('.')
            .or_else(|| rest.strip_prefix("%2e"))
            .or_else(|| rest.strip_prefix("%2E"))
        {
            rest = after;
            dots += 1;
        }
        match (rest, dots) {
            ("", 1) => Some(DotSegment::Current),
            ("", 2) => Some(DotSegment::Parent),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_parts() {
        for (url, scheme, user, host, port, rest) in [
            ("https://example.com", "https", "", "example.com", 443, ""),
            ("HTTP://a:b@c@[::1]/x?y", "HTTP", "a:b@c@", "[::1]", 80, "/x?y"),
            ("http://[v1.a:b]:8080?a:b", "http", "", "[v1.a:b]", 8080, "?a:b"),
            (
                "a+b-c.1://example.com:7#//",
                "a+b-c.1",
                "",
                "example.com",
                7,
                "#//",
            ),
        ] {
            let parts = Parts::of(url).unwrap();
            assert_eq!(
                (parts.scheme, parts.user(), parts.host()),
                (scheme, user, host),
                "{url}"
            );
            assert_eq!(
                (parts.effective_port(), &url[parts.rest..]),
                (port, rest),
                "{url}"
            );
            assert_eq!(parts.check_authority(), Ok(()), "{url}");
        }
        for text in [
            "",
            "example.com",
            "https:",
            "https:/a",
            "1a://b",
            "a_b://c",
            "//a",
        ] {
            assert!(Parts::of(text).is_none(), "{text}");
        }
    }

    #[test]
    fn an_authority_is_checked() {
        use AuthorityProblem::{Address, AfterAddress, Character, Name, NoHost, OpenBracket, Port, Punycode};
        let long = ["a"; 127].join(".");
        for (authority, problem) in [
            ("", Some(NoHost)),
            ("a@", Some(NoHost)),
            (":80", Some(NoHost)),
            ("[::1", Some(OpenBracket)),
            ("[::1]", None),
            ("[::1]:", None),
            ("[::1]:80", None),
            ("[::1]80", Some(AfterAddress)),
            ("[]", Some(Address)),
            ("[1.2.3.4]", Some(Address)),
            ("[v1.a]", None),
            ("[vF.a:~]", None),
            ("[v1.]", Some(Address)),
            ("[v.a]", Some(Address)),
            ("[vg.a]", Some(Address)),
            ("[v1]", Some(Address)),
            ("[v1.a/]", Some(Address)),
            ("[v1.a b]", Some(Address)),
            ("a-._~!$&'()*+,;=z", None),
            ("a b", Some(Character)),
            ("a<b", Some(Character)),
            ("a%20b", Some(Character)),
            ("a%2", Some(Character)),
            ("a%41é", None),
            ("a:65535", None),
            ("a:65536", Some(Port)),
            ("a:+1", Some(Port)),
            ("a..b", Some(Name)),
            ("a.", None),
            (&long, None),
            (&format!("{long}a"), Some(Name)),
            ("xn--a.b", Some(Punycode)),
        ] {
            // Some of these end an authority within a whole URL.
            let parts = Parts {
                scheme: "https",
                authority,
                rest: 0,
            };
            assert_eq!(parts.check_authority().err(), problem, "{authority}");
        }
    }

    #[test]
    fn dots_are_segments_percent_encoded_or_not() {
        for (segment, expected) in [
            (".", Some(DotSegment::Current)),
            ("%2e", Some(DotSegment::Current)),
            ("..", Some(DotSegment::Parent)),
            (".%2E", Some(DotSegment::Parent)),
            ("%2e.", Some(DotSegment::Parent)),
            ("", None),
            ("...", None),
            (".a", None),
            ("%2f", None),
        ] {
            assert_eq!(DotSegment::of(segment), expected, "{segment}");
        }
    }
}
