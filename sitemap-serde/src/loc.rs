//! The rules of a URL in a sitemap, for the reader and the writer alike: P-LOC, P-LOCLEN, P-LOCENC, P-HOST.

use std::fmt;

use percent_encoding::{AsciiSet, CONTROLS};

use crate::error::{Error, Result};
use crate::quote::quote;

/// P-LOCLEN: the longest loc, in characters as written, before XML escaping.
pub(crate) const MAX_CHARS: usize = 2048;

/// ASCII that RFC 3986 allows nowhere in a URL, or only in an IP literal (`[`, `]`).
const ILLEGAL: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// What a byte of a URL is to the one pass over it.
mod class {
    /// Copied as it stands.
    pub(super) const PLAIN: u8 = 0;
    /// Legal in a URL, escaped in XML: `&` and `'`.
    pub(super) const ESCAPE: u8 = 1;
    /// Not legal in a URL, or `%`, which has to be looked at.
    pub(super) const ENCODE: u8 = 2;
    /// XML white space and control characters: no URL read may hold one.
    pub(super) const BLANK: u8 = 4;
    /// A byte of a character outside ASCII.
    pub(super) const WIDE: u8 = 8;
}

static CLASS: [u8; 256] = {
    let mut table = [class::PLAIN; 256];
    let mut b = 0;
    while b < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "b is below 256")]
        let byte = b as u8;
        table[b] = match byte {
            b'&' | b'\'' => class::ESCAPE,
            0..=b' ' | 0x7F => class::BLANK | class::ENCODE,
            b'"' | b'<' | b'>' | b'[' | b'\\' | b']' | b'^' | b'`' | b'{' | b'|' | b'}' | b'%' => {
                class::ENCODE
            }
            0x80.. => class::WIDE | class::ENCODE,
            _ => class::PLAIN,
        };
        b += 1;
    }
    table
};

fn classes(url: &str) -> u8 {
    url.bytes().fold(0, |all, b| all | CLASS[usize::from(b)])
}

/// Where the parts of an absolute URL end.
struct Parts<'a> {
    scheme: &'a str,
    /// User information, host and port.
    authority: &'a str,
    /// Where the path (or query, or fragment) begins.
    rest: usize,
}

fn parts(url: &str) -> Option<Parts<'_>> {
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

impl Parts<'_> {
    fn is_web(&self) -> bool {
        self.scheme.eq_ignore_ascii_case("http") || self.scheme.eq_ignore_ascii_case("https")
    }

    /// The host and port, without user information.
    fn host_and_port(&self) -> &str {
        self.authority
            .rsplit_once('@')
            .map_or(self.authority, |(_, host)| host)
    }

    fn host(&self) -> &str {
        let host = self.host_and_port();
        if let Some(end) = host.strip_prefix('[').and_then(|literal| literal.find(']')) {
            return &host[..end + 2];
        }
        host.rsplit_once(':').map_or(host, |(host, _)| host)
    }

    fn port(&self) -> Option<&str> {
        self.host_and_port()[self.host().len()..].strip_prefix(':')
    }

    /// The port in use: the one given, or the scheme's.
    fn effective_port(&self) -> &str {
        match self.port() {
            Some(port) if !port.is_empty() => port,
            _ if self.scheme.eq_ignore_ascii_case("https") => "443",
            _ => "80",
        }
    }

    fn same_site(&self, other: &Parts<'_>) -> bool {
        self.scheme.eq_ignore_ascii_case(other.scheme)
            && self.host().eq_ignore_ascii_case(other.host())
            && self.effective_port() == other.effective_port()
    }

    /// RFC 3986 section 3.2: an IP literal, or a name without gen-delims; a port of digits.
    fn check_authority(&self) -> Result<(), Problem> {
        let host = self.host();
        if host.is_empty() {
            return Err(Problem::NoHost);
        }
        let legal = if let Some(literal) = host.strip_prefix('[') {
            literal.strip_suffix(']').is_some_and(|ip| {
                ip.bytes()
                    .all(|b| b.is_ascii_hexdigit() || matches!(b, b':' | b'.'))
            })
        } else {
            host.chars()
                .all(|c| !c.is_ascii() || c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=%".contains(c))
        };
        let port = self
            .port()
            .is_none_or(|port| port.is_empty() || port.parse::<u16>().is_ok());
        if legal && port {
            Ok(())
        } else {
            Err(Problem::BadHost)
        }
    }
}

/// What is wrong with a loc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Problem {
    Empty,
    Relative,
    NoHost,
    BadHost,
    Scheme,
    Blank(char),
    Unencodable(char),
    WideHost,
    Long(usize),
    OtherSite,
    DotSegment,
}

impl Problem {
    #[cold]
    fn explain(self, loc: &str) -> Error {
        let loc_text = quote(loc);
        let (rule, message) = match self {
            Problem::Empty => (
                "P-LOC",
                "the loc is empty: it is an absolute URL (P-LOC); write the address of the page".to_owned(),
            ),
            Problem::Relative => (
                "P-LOC",
                format!(
                    "{loc_text} is not an absolute URL: a loc begins with its scheme and host, such as \
                     `https://example.com/` (P-LOC); write it whole, or give the writer a base and begin it with `/`"
                ),
            ),
            Problem::NoHost => (
                "P-LOC",
                format!(
                    "{loc_text} has no host: a loc is an absolute URL with scheme and host (P-LOC); write the address of a page"
                ),
            ),
            Problem::BadHost => (
                "P-LOC",
                format!(
                    "{loc_text} has no valid host and port: they are a name or an address, and a number to 65535 (P-LOC, RFC 3986 section 3.2); correct it"
                ),
            ),
            Problem::Scheme => (
                "P-LOC",
                format!(
                    "{loc_text} is not http or https: crawlers fetch nothing else (P-LOC); leave it out, or write its web address"
                ),
            ),
            Problem::Blank(c) => (
                "P-LOC",
                format!(
                    "{loc_text} holds {}: a URL has no white space and no control characters (P-LOC, RFC 3986); percent-encode it",
                    Named(c)
                ),
            ),
            Problem::Unencodable(c) => (
                "P-LOC",
                format!(
                    "{loc_text} holds {}: no XML document and no URL can hold it (P-LOC); remove it",
                    Named(c)
                ),
            ),
            Problem::WideHost => (
                "P-IDN",
                format!(
                    "{loc_text} has a host outside ASCII: a sitemap has it as punycode (P-IDN); write it as `xn--…`"
                ),
            ),
            Problem::Long(chars) => (
                "P-LOCLEN",
                format!(
                    "{loc_text} has {chars} characters: {MAX_CHARS} are allowed (P-LOCLEN); shorten the URL or leave the page out"
                ),
            ),
            Problem::OtherSite => (
                "P-HOST",
                format!(
                    "{loc_text} is not on the site of the writer's base: all URLs of a file have its scheme, host and port (P-HOST); write them to a sitemap of their own, or allow cross-submission"
                ),
            ),
            Problem::DotSegment => (
                "P-LOC",
                format!(
                    "{loc_text} has a segment `.` or `..` made by a value: a browser would resolve it away (P-LOC, RFC 3986 section 5.2.4); exclude the row or change its value"
                ),
            ),
        };
        Error::data(message).rule(rule)
    }
}

/// A character by its code point: `U+000A`.
struct Named(char);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", u32::from(self.0))
    }
}

/// Checks a loc that was read: absolute, with a scheme and a host, 2,048 characters or fewer. What the writer would
/// percent-encode (a raw IRI, a `{`) is let pass; white space and control characters are not.
pub(crate) fn check(loc: &str) -> Result<()> {
    problem(loc).map_err(|problem| problem.explain(loc))
}

fn problem(loc: &str) -> Result<(), Problem> {
    // Comparisons rather than the table, so that it becomes vector instructions.
    let (blank, all) = loc.bytes().fold((0, 0), |(blank, all), b| {
        (blank | u8::from(b <= b' ') | u8::from(b == 0x7F), all | b)
    });
    if blank != 0 {
        let c = loc
            .chars()
            .find(|c| c.is_ascii() && CLASS[*c as usize] & class::BLANK != 0);
        return Err(Problem::Blank(c.unwrap_or(' ')));
    }
    let all = if all < 0x80 { class::PLAIN } else { class::WIDE };
    check_length(loc, all)?;
    if has_plain_host(loc) {
        return Ok(());
    }
    if loc.is_empty() {
        return Err(Problem::Empty);
    }
    match parts(loc) {
        Some(parts) => parts.check_authority(),
        None if loc.contains(':') && !loc.starts_with(['/', '?', '#', '.']) => Err(Problem::NoHost),
        None => Err(Problem::Relative),
    }
}

/// The shape that nearly every loc has: `https://`, a name of letters, digits, `.` and `-`, then `/` or the end.
fn has_plain_host(loc: &str) -> bool {
    let Some(after) = loc
        .strip_prefix("https://")
        .or_else(|| loc.strip_prefix("http://"))
    else {
        return false;
    };
    let bytes = after.as_bytes();
    let end = bytes
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-')))
        .unwrap_or(bytes.len());
    end > 0 && bytes.get(end).is_none_or(|&b| b == b'/')
}

fn check_length(loc: &str, classes: u8) -> Result<(), Problem> {
    if loc.len() <= MAX_CHARS {
        return Ok(());
    }
    let chars = if classes & class::WIDE == 0 {
        loc.len()
    } else {
        loc.chars().count()
    };
    if chars > MAX_CHARS {
        Err(Problem::Long(chars))
    } else {
        Ok(())
    }
}

/// Where an application is mounted: scheme, host, port, and a path prefix if it has one.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    /// As written in a loc, without a slash at the end.
    text: String,
}

impl Base {
    pub(crate) fn parse(base: &str) -> Result<Self> {
        let refuse = |why: &str| {
            Error::data(format!(
                "{} is no base: {why}; a base is a scheme (http or https), a host, a port and a path prefix, \
                 such as `https://example.com` or `https://example.com/shop` (P-LOC)",
                quote(base)
            ))
            .rule("P-LOC")
        };
        let mut text = String::new();
        encode(base, &mut text).map_err(|problem| problem.explain(base))?;
        let url = if text.is_empty() { base } else { &text };
        let Some(parts) = parts(url) else {
            return Err(refuse("it has no scheme and host"));
        };
        if url[parts.rest..].contains(['?', '#']) {
            return Err(refuse("it has a query or a fragment"));
        }
        Ok(Base {
            text: url.trim_end_matches('/').to_owned(),
        })
    }

    fn check_site(&self, url: &str) -> Result<(), Problem> {
        if let Some(rest) = url.strip_prefix(self.text.as_str())
            && (rest.is_empty() || rest.starts_with(['/', '?', '#']))
        {
            return Ok(());
        }
        match (parts(&self.text), parts(url)) {
            (Some(base), Some(url)) if base.same_site(&url) => Ok(()),
            _ => Err(Problem::OtherSite),
        }
    }
}

/// What the writer asks of a loc, and how it makes one right.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocRules {
    base: Option<Result<Base, String>>,
    cross_submission: bool,
}

impl LocRules {
    /// A base that is none is an error at the first loc.
    pub(crate) fn new(base: Option<&str>, cross_submission: bool) -> Self {
        LocRules {
            base: base.map(|base| Base::parse(base).map_err(|_| base.to_owned())),
            cross_submission,
        }
    }

    fn base(&self) -> Result<Option<&Base>> {
        match &self.base {
            None => Ok(None),
            Some(Ok(base)) => Ok(Some(base)),
            Some(Err(invalid)) => Base::parse(invalid).map(|_| None),
        }
    }

    /// Makes of `loc` what is written, before XML escaping: resolved against the base, encoded, checked.
    ///
    /// Returns `loc` itself where it is right as it stands, else builds it in `scratch`.
    pub(crate) fn apply<'a>(&self, loc: &'a str, scratch: &'a mut String) -> Result<&'a str> {
        scratch.clear();
        let base = self.base()?;
        if let (Some(base), true) = (base, loc.starts_with('/')) {
            scratch.push_str(&base.text);
            if classes(loc) & class::ENCODE == 0 {
                scratch.push_str(loc);
            } else {
                encode_rest(loc, scratch).map_err(|problem| problem.explain(loc))?;
            }
            check_length(scratch, class::PLAIN).map_err(|problem| problem.explain(scratch))?;
            return Ok(scratch);
        }
        encode(loc, scratch).map_err(|problem| problem.explain(loc))?;
        let url = if scratch.is_empty() { loc } else { scratch.as_str() };
        if let (Some(base), false) = (base, self.cross_submission) {
            base.check_site(url).map_err(|problem| problem.explain(url))?;
        }
        Ok(url)
    }
}

/// Checks a URL that was put together from a template's literals and values: a value must not make a segment that is
/// resolved away.
pub(crate) fn check_template(url: &str) -> Result<()> {
    let path = parts(url).map_or(0, |parts| parts.rest);
    let end = url[path..].find(['?', '#']).map_or(url.len(), |i| path + i);
    let resolves_away = |segment: &str| {
        segment.len() <= 6
            && matches!(
                segment.replace("%2e", ".").replace("%2E", ".").as_str(),
                "." | ".."
            )
    };
    if url[path..end].split('/').any(resolves_away) {
        return Err(Problem::DotSegment.explain(url));
    }
    Ok(())
}

/// Encodes an absolute URL into `out`, which stays empty if there is nothing to encode.
fn encode(url: &str, out: &mut String) -> Result<(), Problem> {
    let all = classes(url);
    if all & class::ENCODE == 0 && has_plain_host(url) {
        return check_length(url, all);
    }
    if url.is_empty() {
        return Err(Problem::Empty);
    }
    let Some(parts) = parts(url) else {
        return Err(problem(url).err().unwrap_or(Problem::Relative));
    };
    if !parts.is_web() {
        return Err(Problem::Scheme);
    }
    parts.check_authority()?;
    if !parts.host().is_ascii() {
        return Err(Problem::WideHost);
    }
    if all & class::ENCODE != 0 {
        let (front, rest) = url.split_at(parts.rest);
        out.push_str(front);
        encode_rest(rest, out)?;
        return check_length(out, class::PLAIN);
    }
    check_length(url, all)
}

/// Percent-encodes what follows the host: characters outside ASCII as UTF-8 (P-LOCENC), ASCII that RFC 3986 does not
/// allow, and a `%` that begins no triplet. Triplets stay as they are.
fn encode_rest(rest: &str, out: &mut String) -> Result<(), Problem> {
    let mut from = 0;
    for (i, c) in rest.char_indices() {
        if !crate::xml::escape::is_xml_char(c) {
            return Err(Problem::Unencodable(c));
        }
        let lone_percent = c == '%'
            && !(rest.as_bytes().get(i + 1).is_some_and(u8::is_ascii_hexdigit)
                && rest.as_bytes().get(i + 2).is_some_and(u8::is_ascii_hexdigit));
        if lone_percent {
            out.extend(percent_encoding::utf8_percent_encode(&rest[from..i], ILLEGAL));
            out.push_str("%25");
            from = i + 1;
        }
    }
    out.extend(percent_encoding::utf8_percent_encode(&rest[from..], ILLEGAL));
    Ok(())
}

/// Percent-encodes a URL reference of any kind, absolute or not.
pub(crate) fn encode_reference(url: &str) -> String {
    percent_encoding::utf8_percent_encode(url, ILLEGAL).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(base: Option<&str>, loc: &str) -> Result<String> {
        let rules = LocRules::new(base, false);
        let mut scratch = String::new();
        rules.apply(loc, &mut scratch).map(str::to_owned)
    }

    fn refused(base: Option<&str>, loc: &str) -> String {
        written(base, loc).unwrap_err().to_string()
    }

    #[test]
    fn right_urls_stay_as_they_are() {
        for url in [
            "http://www.example.com/",
            "https://example.com",
            "https://example.com?x=1#y",
            "HTTPS://Example.COM:8443/a%20b?c=d&e='f'#g",
            "http://user:pw@example.com/",
            "http://[2001:db8::1]:80/a;b=c,d(e)*!$~@:",
            "https://xn--bcher-kva.example/",
        ] {
            assert_eq!(written(None, url).unwrap(), url);
            check(url).unwrap();
        }
    }

    #[test]
    fn encodes_what_a_url_cannot_hold() {
        assert_eq!(
            written(None, "https://example.com/サイトマップ?q=ä b").unwrap(),
            "https://example.com/%E3%82%B5%E3%82%A4%E3%83%88%E3%83%9E%E3%83%83%E3%83%97?q=%C3%A4%20b"
        );
        assert_eq!(
            written(None, "https://example.com/100%/%zz/%e3%82%B5/{x}|[y]\t\"<>\\^`").unwrap(),
            "https://example.com/100%25/%25zz/%e3%82%B5/%7Bx%7D%7C%5By%5D%09%22%3C%3E%5C%5E%60"
        );
    }

    #[test]
    fn resolves_against_the_base() {
        let shop = Some("https://example.com:8080/shop/");
        assert_eq!(
            written(shop, "/a b").unwrap(),
            "https://example.com:8080/shop/a%20b"
        );
        assert_eq!(written(shop, "/").unwrap(), "https://example.com:8080/shop/");
        assert_eq!(
            written(shop, "https://EXAMPLE.com:8080/other").unwrap(),
            "https://EXAMPLE.com:8080/other"
        );
        assert_eq!(
            written(Some("https://example.com"), "https://example.com:443/x").unwrap(),
            "https://example.com:443/x"
        );
        for elsewhere in [
            "https://example.com/",
            "http://example.com:8080/",
            "https://example.com.evil:8080/",
        ] {
            assert_eq!(
                refused(shop, elsewhere),
                format!(
                    "`{elsewhere}` is not on the site of the writer's base: all URLs of a file have its scheme, host and port \
                     (P-HOST); write them to a sitemap of their own, or allow cross-submission"
                )
            );
        }
        let rules = LocRules::new(Some("https://a.example"), true);
        assert_eq!(
            rules.apply("https://b.example/", &mut String::new()).unwrap(),
            "https://b.example/"
        );
    }

    #[test]
    fn counts_what_is_written() {
        let at = |n: usize| format!("https://example.com/{}", "x".repeat(n - 20));
        assert_eq!(written(None, &at(2048)).unwrap().len(), 2048);
        assert!(refused(None, &at(2049)).contains("has 2049 characters: 2048 are allowed (P-LOCLEN)"));
        assert!(check(&at(2048)).is_ok());
        assert_eq!(check(&at(2049)).unwrap_err().rule_id(), Some("P-LOCLEN"));
        // 2,048 characters as an IRI are read, but are 6,000 bytes when written.
        let iri = format!("https://example.com/{}", "サ".repeat(2028));
        check(&iri).unwrap();
        assert_eq!(written(None, &iri).unwrap_err().rule_id(), Some("P-LOCLEN"));
        let path = "/".to_owned() + &"x".repeat(2029);
        assert_eq!(
            written(Some("https://example.com"), &path).unwrap_err().rule_id(),
            Some("P-LOCLEN")
        );
    }

    #[test]
    fn refuses_what_is_no_url() {
        assert_eq!(
            refused(None, "/about"),
            "`/about` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` \
             (P-LOC); write it whole, or give the writer a base and begin it with `/`"
        );
        for relative in ["about", "//example.com/", "?x", "#x", "../x", "/a:b"] {
            assert_eq!(
                refused(None, relative),
                written(None, relative).unwrap_err().to_string()
            );
            assert!(
                refused(None, relative).contains("is not an absolute URL"),
                "{relative}"
            );
            assert!(
                check(relative)
                    .unwrap_err()
                    .to_string()
                    .contains("is not an absolute URL"),
                "{relative}"
            );
        }
        for no_host in [
            "javascript:alert(1)",
            "mailto:a@b",
            "http:///x",
            "http://",
            "https://:80/",
            "data:,x",
            "file:///x",
        ] {
            let reading = check(no_host).unwrap_err().to_string();
            assert!(reading.contains("has no host"), "{reading}");
            assert!(written(None, no_host).is_err());
        }
        check("ftp://example.com/x").unwrap();
        assert!(refused(None, "ftp://example.com/x").contains("is not http or https"));
        for bad in [
            "https://exa mple.com/",
            "https://a:99999/",
            "https://a:b/",
            "https://a<b>/",
            "https://[::1/",
            "https://a]b/",
        ] {
            assert!(refused(None, bad).contains("has no valid host and port"), "{bad}");
        }
        assert!(refused(None, "https://bücher.example/").contains("has a host outside ASCII"));
        assert!(refused(None, "https://example.com/\u{0}").contains("holds U+0000"));
        assert!(
            check("https://example.com/a b")
                .unwrap_err()
                .to_string()
                .contains("holds U+0020")
        );
        assert!(refused(None, "").contains("the loc is empty"));
    }

    #[test]
    fn refuses_bases_that_are_none() {
        for bad in [
            "example.com",
            "/x",
            "https://example.com/?q",
            "https://example.com#f",
            "ftp://example.com",
            "https://bücher.example",
            "",
        ] {
            assert!(Base::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_class_table_agrees_with_the_encoder() {
        for b in 0..0x80u8 {
            let c = char::from(b);
            let encoded =
                percent_encoding::utf8_percent_encode(&c.to_string(), ILLEGAL).to_string() != c.to_string();
            let class = CLASS[usize::from(b)];
            assert_eq!(encoded || c == '%', class & class::ENCODE != 0, "{c:?}");
        }
    }

    #[test]
    fn values_of_a_template_make_no_dot_segments() {
        for bad in ["/x/../y", "/..", "/.", "/x/%2e%2E/y", "https://a.example/x/./y"] {
            assert!(
                check_template(bad)
                    .unwrap_err()
                    .to_string()
                    .contains("has a segment `.` or `..`"),
                "{bad}"
            );
        }
        for good in ["/x/...", "/x?../y", "/.well-known/x", "/a..b", "/%2f"] {
            check_template(good).unwrap();
        }
    }
}
