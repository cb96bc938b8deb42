//! Checks of URLs in literals.

use std::fmt::Write as _;
use std::net::Ipv6Addr;
use std::ops::Range;

use proc_macro2::Span;
use syn::LitStr;

use crate::ctxt::Ctxt;

/// One mistake in a template.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) message: String,
    /// Its byte range in the literal's text.
    pub(crate) range: Range<usize>,
}

impl Problem {
    /// Reports the problem on its part of the literal.
    pub(crate) fn report(self, cx: &Ctxt, literal: &LitStr) {
        cx.error_at(part_of(literal, self.range), self.message);
    }
}

/// The span of a part of a literal's text if the compiler supports that, otherwise the literal's.
pub(crate) fn part_of(literal: &LitStr, range: Range<usize>) -> Span {
    let text = literal.value();
    let token = literal.token();
    let repr = token.to_string();
    // With escapes, byte offsets in the text differ from those in the token.
    let prefix = repr.find(&text).filter(|_| !text.is_empty());
    prefix
        .and_then(|prefix| token.subspan(prefix + range.start..prefix + range.end))
        .unwrap_or_else(|| literal.span())
}

/// The most characters of a loc (P-LOCLEN).
pub(crate) const MAX_CHARS: usize = 2_048;

/// Checks an authority: a name or an address, and a port of digits (RFC 3986 section 3.2).
pub(crate) fn check_authority(authority: &str) -> Result<(), &'static str> {
    let host_and_port = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (host, port) = match host_and_port.strip_prefix('[') {
        Some(literal) => literal.split_once(']').ok_or("has an address without its `]`")?,
        None => host_and_port.split_at(host_and_port.find(':').unwrap_or(host_and_port.len())),
    };
    if host.is_empty() {
        return Err("has no host: write it after the scheme, as in `https://example.com/`");
    }
    if let Some(digits) = port.strip_prefix(':') {
        let is_port = digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u16>().is_ok();
        if !is_port && !digits.is_empty() {
            return Err("has an invalid port: a port is a number up to 65535");
        }
    } else if !port.is_empty() {
        return Err("has text between its address and its port");
    }
    match host_and_port.strip_prefix('[') {
        Some(_) if !is_ip_literal(host) => Err("has no IPv6 address in its brackets"),
        None if !is_name(host) => Err("has a character in its host that no host has"),
        None if !fits_dns(host) => {
            Err("has a host that is no name of DNS: its parts have 1 to 63 characters, 253 in all")
        }
        _ => Ok(()),
    }
}

/// Whether `ip` is an IPv6 address, or one of a future version, `v1.a` (RFC 3986 section 3.2.2).
fn is_ip_literal(ip: &str) -> bool {
    let Some(future) = ip.strip_prefix(['v', 'V']) else {
        return ip.parse::<Ipv6Addr>().is_ok();
    };
    future.split_once('.').is_some_and(|(version, address)| {
        let digits = !version.is_empty() && version.bytes().all(|b| b.is_ascii_hexdigit());
        digits && !address.is_empty() && address.bytes().all(|b| is_name_byte(b) || b == b':')
    })
}

/// Whether `host` is a `reg-name` (RFC 3986 section 3.2.2), with its triplets decoded too.
fn is_name(host: &str) -> bool {
    let mut parts = host.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let triplet = part
            .get(..2)
            .filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(Ok(byte)) = triplet.map(|hex| u8::from_str_radix(hex, 16)) else {
            return false;
        };
        bytes.push(byte);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    std::str::from_utf8(&bytes).is_ok() && bytes.iter().all(|&b| is_name_byte(b) || !b.is_ascii())
}

/// Whether `b` is an unreserved character or a sub-delim.
fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&b)
}

/// Whether a name has the lengths that DNS allows (RFC 1035 section 2.3.4). Names with triplets or characters outside ASCII are
/// not looked up as written, and not measured.
fn fits_dns(host: &str) -> bool {
    if !host.is_ascii() || host.contains('%') {
        return true;
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    name.len() <= 253 && name.split('.').all(|label| (1..=63).contains(&label.len()))
}

/// The start of a URL up to its scheme: `ftp://` of `ftp://example.com/`, `mailto:` of `mailto:me@example.com`.
pub(crate) fn start_of(text: &str) -> &str {
    let colon = text.find(':').map_or(text.len(), |colon| colon + 1);
    let slashes = text[colon..].len() - text[colon..].trim_start_matches('/').len();
    &text[..colon + slashes]
}

/// Reports references such as `&amp;`: the writer escapes, so they would be escaped twice.
pub(crate) fn check_references(part: &str, at: usize, problems: &mut Vec<Problem>) {
    for (i, _) in part.match_indices('&') {
        let Some(length) = part[i..].find(';').map(|semicolon| semicolon + 1) else {
            continue;
        };
        let reference = &part[i..i + length];
        let meant = match &reference[1..length - 1] {
            "amp" | "#38" | "#x26" => "&",
            "lt" | "#60" | "#x3C" | "#x3c" => "%3C",
            "gt" | "#62" | "#x3E" | "#x3e" => "%3E",
            "quot" | "#34" | "#x22" => "%22",
            "apos" | "#39" | "#x27" => "'",
            _ => continue,
        };
        problems.push(Problem {
            message: format!(
                "`{reference}` is escaped for XML already, and the writer would escape it again: write `{meant}` (P-ESC)"
            ),
            range: at + i..at + i + length,
        });
    }
}

pub(crate) fn check_percent(part: &str, at: usize, problems: &mut Vec<Problem>) {
    for (i, _) in part.match_indices('%') {
        let digits = part.as_bytes().get(i + 1..i + 3);
        if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
            problems.push(Problem {
                message: "`%` in a URL is followed by two hexadecimal digits; a percent sign itself is `%25` (P-LOC)"
                    .to_owned(),
                range: at + i..at + i + 1,
            });
        }
    }
}

pub(crate) fn check_characters(part: &str, at: usize, problems: &mut Vec<Problem>) {
    for (i, c) in part.char_indices() {
        let name = match c {
            ' ' => "a space".to_owned(),
            '\t' => "a tab".to_owned(),
            '\n' | '\r' => "a line break".to_owned(),
            c if c.is_control() => format!("the control character U+{:04X}", u32::from(c)),
            c if c.is_whitespace() => format!("the white space U+{:04X}", u32::from(c)),
            '"' | '<' | '>' | '\\' | '^' | '`' | '|' => format!("`{c}`"),
            _ => continue,
        };
        let mut encoded = String::new();
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            let _ = write!(encoded, "%{byte:02X}");
        }
        problems.push(Problem {
            message: format!("{name} cannot stand in a URL: write `{encoded}` if it is meant (P-LOC)"),
            range: at + i..at + i + c.len_utf8(),
        });
    }
}

/// Reports the path segments `.` and `..`: readers resolve them, so the loc would be another than the template's.
pub(crate) fn check_dot_segments(text: &str, problems: &mut Vec<Problem>) {
    let start = ["http://", "https://"]
        .iter()
        .find(|scheme| text.starts_with(**scheme))
        .map_or(0, |scheme| scheme.len());
    let mut at = start;
    let path = text[start..].split(['?', '#']).next().unwrap_or_default();
    for segment in path.split('/') {
        let decoded = segment.replace("%2e", ".").replace("%2E", ".");
        if at > start && matches!(decoded.as_str(), "." | "..") {
            problems.push(Problem {
                message: format!(
                    "the segment `{segment}` resolves away, so crawlers would see another URL: leave it out (P-LOC)"
                ),
                range: at..at + segment.len(),
            });
        }
        at += segment.len() + 1;
    }
}
