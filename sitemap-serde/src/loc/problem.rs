//! What can be wrong with a loc, and what its error says.

use std::fmt;

use crate::error::Error;
use crate::quote::quote;
use crate::rule::Rule;

use super::MAX_CHARS;

/// What is wrong with a loc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    Empty,
    Relative,
    /// It begins with `//`: with a host, and no scheme.
    NoScheme,
    NoHost,
    BadHost,
    /// The host is a name that DNS cannot have.
    BadName,
    Scheme,
    Blank(char),
    Unencodable(char),
    /// A character, and the name of the server's encoding, which does not have it.
    NotInCharset(char, &'static str),
    WideHost,
    Long(usize),
    DotSegment,
}

impl Problem {
    /// What is wrong with a text that has no scheme and `//`.
    pub(super) fn of_relative(loc: &str) -> Self {
        if loc.is_empty() {
            Problem::Empty
        } else if loc.starts_with("//") {
            Problem::NoScheme
        } else if loc.contains(':') && !loc.starts_with(['/', '?', '#', '.']) {
            Problem::NoHost
        } else {
            Problem::Relative
        }
    }

    /// The error for a loc that is read.
    #[cold]
    pub(super) fn explain_read(self, loc: &str) -> Error {
        match self {
            Problem::Relative | Problem::NoScheme => {
                relative(loc, "or read it into a `String` and resolve it")
            }
            problem => problem.explain(loc),
        }
    }

    /// The error for a loc that is written.
    #[cold]
    pub(super) fn explain(self, loc: &str) -> Error {
        let loc_text = quote(loc);
        let (rule, message) = match self {
            Problem::Empty => (
                Rule::Loc,
                "the loc is empty: it is an absolute URL (P-LOC); write the address of the page".to_owned(),
            ),
            Problem::Relative => return relative(loc, "or give the writer a base and begin it with `/`"),
            Problem::NoScheme => (
                Rule::Loc,
                format!(
                    "{loc_text} begins with `//`, as a host does whose scheme is left out, so it is no path (P-LOC, RFC 3986 \
                     section 4.2); write the scheme in front of it, or one `/` for a path; a path whose first segment is empty \
                     is written with its scheme and host"
                ),
            ),
            Problem::NoHost => (
                Rule::Loc,
                format!(
                    "{loc_text} has no host: a loc is an absolute URL with scheme and host (P-LOC); write the address of a page"
                ),
            ),
            Problem::BadHost => (
                Rule::Loc,
                format!(
                    "{loc_text} has no valid host and port: they are a name or an address, and a number to 65535 (P-LOC, RFC 3986 section 3.2); correct it"
                ),
            ),
            Problem::BadName => (
                Rule::Loc,
                format!(
                    "{loc_text} has a host that no name server knows: between its dots are 1 to 63 characters, and 253 at most \
                     in all (P-LOC, RFC 1035 section 2.3.4); correct it"
                ),
            ),
            Problem::Scheme => (
                Rule::Loc,
                format!(
                    "{loc_text} is not http or https: crawlers fetch nothing else (P-LOC); leave it out, or write its web address"
                ),
            ),
            Problem::Blank(c) => (
                Rule::Loc,
                format!(
                    "{loc_text} holds {}: a URL has no white space and no control characters (P-LOC, RFC 3986); percent-encode it",
                    Named(c)
                ),
            ),
            Problem::Unencodable(c) => (
                Rule::Loc,
                format!(
                    "{loc_text} holds {}: no XML document and no URL can hold it (P-LOC); remove it",
                    Named(c)
                ),
            ),
            Problem::NotInCharset(c, charset) => (
                Rule::LocEnc,
                format!(
                    "{loc_text} holds {} {}, which {charset}, the server's encoding, does not have: a loc is \
                     percent-encoded in that encoding (P-LOCENC); change the URL, or name the encoding that the server \
                     decodes it by",
                    quote(c.encode_utf8(&mut [0; 4])),
                    Named(c),
                ),
            ),
            Problem::WideHost => (Rule::Idn, wide_host(loc)),
            Problem::Long(chars) => (
                Rule::LocLen,
                format!(
                    "{loc_text} has {chars} characters: {MAX_CHARS} are allowed (P-LOCLEN); shorten the URL or leave the page out"
                ),
            ),
            Problem::DotSegment => (
                Rule::Loc,
                format!(
                    "{loc_text} has a segment `.` or `..` made by a value: a browser would resolve it away (P-LOC, RFC 3986 section 5.2.4); exclude the row or change its value"
                ),
            ),
        };
        Error::data(message).breaks(rule)
    }
}

impl Problem {
    /// The error for a URL of something else than a page.
    #[cold]
    pub(super) fn explain_link(self, url: &str) -> Error {
        let what = match self {
            Problem::Empty => return Error::data("the URL is empty: write an absolute URL, or leave it out"),
            Problem::Relative | Problem::NoScheme => "is not an absolute URL: write it with its scheme and host".to_owned(),
            Problem::NoHost => "has no host: write an absolute URL with scheme and host".to_owned(),
            Problem::BadHost => {
                "has no valid host and port: they are a name or an address, and a number to 65535 (RFC 3986 section 3.2); \
                 correct it"
                    .to_owned()
            }
            Problem::BadName => {
                "has a host that no name server knows: between its dots are 1 to 63 characters, and 253 at most in all \
                 (RFC 1035 section 2.3.4); correct it"
                    .to_owned()
            }
            Problem::Scheme => {
                "is not http or https: crawlers fetch nothing else; write its web address, or leave it out".to_owned()
            }
            Problem::Blank(c) | Problem::Unencodable(c) => format!(
                "holds {}: a URL has no white space and no control characters (RFC 3986); percent-encode or remove it",
                Named(c)
            ),
            // Only locs are held to a length and made of templates; the others say it of any URL.
            problem => return problem.explain(url),
        };
        Error::data(format!("{} {what}", quote(url)))
    }
}

#[cold]
fn relative(loc: &str, advice: &str) -> Error {
    Error::data(format!(
        "{} is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); \
         write it whole, {advice}",
        quote(loc)
    ))
    .breaks(Rule::Loc)
}

#[cfg(feature = "idn")]
fn wide_host(loc: &str) -> String {
    format!(
        "{} has a host outside ASCII that is no internationalized domain name: labels of at most 63 characters, as UTS 46 \
         allows them (P-IDN); correct it",
        quote(loc)
    )
}

#[cfg(not(feature = "idn"))]
fn wide_host(loc: &str) -> String {
    format!(
        "{} has a host outside ASCII: a sitemap has it as punycode (P-IDN); write it as `xn--…`, or turn on \
         sitemap-serde's feature `idn`, which does it",
        quote(loc)
    )
}

/// A character by its code point: `U+000A`.
struct Named(char);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", u32::from(self.0))
    }
}
