//! An absolute URL split into scheme, authority and the rest (RFC 3986 section 3).

use std::borrow::Cow;
use std::net::Ipv6Addr;

use crate::block::{self, LEN};

use super::class;
use super::problem::Problem;
use super::punycode;

/// The longest label of a DNS name, and the longest name without a final dot, in bytes.
const MOST_LABEL: usize = 63;
const MOST_NAME: usize = 253;

/// Where the parts of an absolute URL end.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) scheme: &'a str,
    /// User information, host and port.
    authority: &'a str,
    /// Where the path (or query, or fragment) begins.
    pub(super) rest: usize,
}

impl<'a> Parts<'a> {
    /// `None` if there is no scheme, or no `//` after it.
    pub(super) fn of(url: &'a str) -> Option<Self> {
        let colon = url.find(':')?;
        let scheme = &url[..colon];
        let mut letters = scheme.bytes();
        let legal = letters.next().is_some_and(|b| b.is_ascii_alphabetic())
            && letters.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
        let after = url[colon + 1..].strip_prefix("//")?;
        let end = after.find(['/', '?', '#']).unwrap_or(after.len());
        legal.then(|| Parts {
            scheme,
            authority: &after[..end],
            rest: colon + 3 + end,
        })
    }

    /// As [`of`](Self::of), for a URL of http or https whose authority is legal.
    pub(super) fn of_web(url: &'a str) -> Result<Self, Problem> {
        if url.is_empty() {
            return Err(Problem::Empty);
        }
        let Some(parts) = Parts::of(url) else {
            return Err(Problem::of_relative(url));
        };
        if !parts.scheme.eq_ignore_ascii_case("http") && !parts.scheme.eq_ignore_ascii_case("https") {
            return Err(Problem::Scheme);
        }
        parts.check_authority()?;
        Ok(parts)
    }

    /// User information with its `@`; empty if there is none.
    pub(super) fn user(&self) -> &'a str {
        self.authority.rfind('@').map_or("", |at| &self.authority[..=at])
    }

    pub(super) fn host_and_port(&self) -> &'a str {
        &self.authority[self.user().len()..]
    }

    pub(super) fn host(&self) -> &'a str {
        let host = self.host_and_port();
        if let Some(end) = host.strip_prefix('[').and_then(|literal| literal.find(']')) {
            return &host[..end + 2];
        }
        host.rsplit_once(':').map_or(host, |(host, _)| host)
    }

    fn port(&self) -> Option<&'a str> {
        self.host_and_port()[self.host().len()..].strip_prefix(':')
    }

    /// The port in the URL, or else the scheme's default port.
    fn effective_port(&self) -> u16 {
        match self.port().map(str::parse) {
            Some(Ok(port)) => port,
            _ if self.scheme.eq_ignore_ascii_case("https") => 443,
            _ => 80,
        }
    }

    /// Whether two URLs have one scheme, host and port.
    pub(super) fn same_site(&self, other: &Parts<'_>) -> bool {
        self.scheme.eq_ignore_ascii_case(other.scheme)
            && self.host().eq_ignore_ascii_case(other.host())
            && self.effective_port() == other.effective_port()
    }

    /// Checks host and port (RFC 3986 section 3.2): an IP literal, or a name without gen-delims; a port of digits.
    pub(super) fn check_authority(&self) -> Result<(), Problem> {
        let host = self.host();
        if host.is_empty() {
            return Err(Problem::NoHost);
        }
        let legal = match host.strip_prefix('[') {
            Some(literal) => literal.strip_suffix(']').is_some_and(is_ip_literal),
            None => is_registered_name(host),
        };
        let port = self.port().is_none_or(|port| {
            port.is_empty() || port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok()
        });
        // After the `]` of an IP literal only a port is allowed.
        let after = &self.host_and_port()[host.len()..];
        if !legal || !port || !(after.is_empty() || after.starts_with(':')) {
            return Err(Problem::BadHost);
        }
        if !fits_dns(host) {
            return Err(Problem::BadName);
        }
        if !punycode::is_valid_host(host) {
            return Err(Problem::BadPunycode);
        }
        Ok(())
    }
}

/// Scheme, host and port, to be compared with those of many URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// In lower case, as the host.
    scheme: String,
    host: String,
    port: u16,
}

impl Origin {
    pub(super) fn of(parts: &Parts<'_>) -> Self {
        Origin {
            scheme: parts.scheme.to_ascii_lowercase(),
            host: parts.host().to_ascii_lowercase(),
            port: parts.effective_port(),
        }
    }

    pub(super) fn is_of(&self, parts: &Parts<'_>) -> bool {
        parts.scheme.eq_ignore_ascii_case(&self.scheme)
            && parts.host().eq_ignore_ascii_case(&self.host)
            && parts.effective_port() == self.port
    }
}

/// Whether the text between brackets is an IPv6 address, or one of a future version, `v1.a` (RFC 3986 section 3.2.2).
fn is_ip_literal(ip: &str) -> bool {
    let Some(future) = ip.strip_prefix(['v', 'V']) else {
        return ip.parse::<Ipv6Addr>().is_ok();
    };
    future.split_once('.').is_some_and(|(version, address)| {
        let digits = !version.is_empty() && version.bytes().all(|b| b.is_ascii_hexdigit());
        digits && !address.is_empty() && address.bytes().all(|b| is_name_byte(b) || b == b':')
    })
}

/// Whether a host is a `reg-name` (RFC 3986 section 3.2.2), characters outside ASCII allowed as in an IRI. Triplets must
/// decode to such characters too.
fn is_registered_name(host: &str) -> bool {
    decoded(host).is_some_and(|name| name.bytes().all(|b| is_name_byte(b) || !b.is_ascii()))
}

/// Percent-decodes a name; `None` if a `%` begins no triplet or the bytes are not UTF-8.
pub(super) fn decoded(name: &str) -> Option<Cow<'_, str>> {
    let Some((before, mut rest)) = name.split_once('%') else {
        return Some(Cow::Borrowed(name));
    };
    let mut bytes = before.as_bytes().to_vec();
    loop {
        let triplet = rest
            .get(..2)
            .filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(triplet, 16).ok()?);
        match rest[2..].split_once('%') {
            Some((text, after)) => {
                bytes.extend_from_slice(text.as_bytes());
                rest = after;
            }
            None => {
                bytes.extend_from_slice(&rest.as_bytes()[2..]);
                return String::from_utf8(bytes).ok().map(Cow::Owned);
            }
        }
    }
}

/// Unreserved characters and sub-delims.
fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&b)
}

/// Whether a host has the lengths of a DNS name (RFC 1035 section 2.3.4). A host with triplets or characters outside
/// ASCII is not measured here: the name that is looked up is another.
fn fits_dns(host: &str) -> bool {
    if !host.is_ascii() || host.contains(['[', '%']) {
        return true;
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    name.len() <= MOST_NAME
        && name
            .split('.')
            .all(|label| (1..=MOST_LABEL).contains(&label.len()))
}

/// Where the path of a URL begins (or its query or fragment, or where it ends) that begins as nearly every loc does: `https://`
/// or `http://`, a name of letters, digits, `.` and `-`, and perhaps a port. `None` for others, valid or not.
#[inline]
pub(super) fn plain_site(loc: &str) -> Option<usize> {
    let after = loc
        .strip_prefix("https://")
        .or_else(|| loc.strip_prefix("http://"))?;
    // A bit for each of the bytes that can be of such a name, and for each dot and hyphen among them.
    let (mut name, mut dots, mut hyphens) = (0_u64, 0_u64, 0_u64);
    for (i, block) in block::blocks(after.as_bytes())
        .take(MOST_LABEL.div_ceil(LEN))
        .enumerate()
    {
        let (dot, hyphen) = (block.equal(b'.'), block.equal(b'-'));
        let of_name = (class::is_alphanumeric(block) | dot | hyphen).bits();
        name |= u64::from(of_name) << (i * LEN);
        dots |= u64::from(dot.bits()) << (i * LEN);
        hyphens |= u64::from(hyphen.bits()) << (i * LEN);
        if of_name != u16::MAX {
            break;
        }
    }
    let end = name.trailing_ones();
    // Whatever its labels are, they are no longer than the name.
    if end == 0 || end as usize > MOST_LABEL {
        return None;
    }
    let site = loc.len() - after.len() + end as usize;
    let site = match loc.as_bytes().get(site) {
        None | Some(b'/' | b'?' | b'#') => site,
        Some(b':') => site + port_len(&loc.as_bytes()[site..])?,
        Some(_) => return None,
    };
    let of_name = (1_u64 << end) - 1;
    (dots, hyphens) = (dots & of_name, hyphens & of_name);
    let label_starts = (dots << 1 | 1) & of_name;
    // A label that is empty, and one of punycode, are to be looked at.
    let ends_with_dot = dots >> (end - 1) & 1 != 0;
    let is_plain =
        label_starts & dots == 0 && !ends_with_dot && label_starts & hyphens >> 2 & hyphens >> 3 == 0;
    is_plain.then_some(site)
}

/// The length of a port with its colon, if a path, query or fragment, or nothing, comes after it.
fn port_len(text: &[u8]) -> Option<usize> {
    let digits = text.iter().skip(1).take_while(|b| b.is_ascii_digit()).count();
    let port = text.get(1..=digits).filter(|_| (1..=5).contains(&digits))?;
    let number = port
        .iter()
        .fold(0_u32, |number, digit| number * 10 + u32::from(digit - b'0'));
    let is_end = matches!(text.get(digits + 1), None | Some(b'/' | b'?' | b'#'));
    (is_end && number <= u16::MAX.into()).then_some(digits + 1)
}
