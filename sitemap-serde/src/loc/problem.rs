//! Problems of a loc, and the text of each error.

use std::fmt;

use sitemap_values::Rule;
use sitemap_values::number::grouped;
use sitemap_values::quote::quote;
use sitemap_values::url::{AuthorityProblem, MAX_CHARS};

use crate::engine::Engine;
use crate::error::{Advice, Defect, Error, Message};

/// A problem of a loc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocProblem {
    Empty,
    Relative,
    /// The loc begins with `//`: it has a host but no scheme.
    NoScheme,
    NoHost,
    /// The host or port is wrong.
    Authority(AuthorityProblem),
    Scheme,
    /// A control character.
    Control(char),
    /// White space or a format character at either end.
    Invisible(char),
    Unencodable(char),
    /// A character that the server's encoding does not have, and the name of the encoding.
    #[cfg_attr(
        not(feature = "encoding"),
        expect(dead_code, reason = "UTF-8 has every character")
    )]
    NotInCharset(char, &'static str),
    WideHost,
    Long(usize),
    /// The number of bytes, and the engine's maximum.
    LongFor(Engine, usize, usize),
    DotSegment,
}

impl From<AuthorityProblem> for LocProblem {
    fn from(problem: AuthorityProblem) -> Self {
        match problem {
            AuthorityProblem::NoHost => LocProblem::NoHost,
            problem => LocProblem::Authority(problem),
        }
    }
}

impl LocProblem {
    /// The problem of a text that does not begin with a scheme and `//`.
    pub(super) fn of_relative(loc: &str) -> Self {
        if loc.is_empty() {
            LocProblem::Empty
        } else if loc.starts_with("//") {
            LocProblem::NoScheme
        } else if loc.contains(':') && !loc.starts_with(['/', '?', '#', '.']) {
            LocProblem::NoHost
        } else {
            LocProblem::Relative
        }
    }

    /// The rule that a loc with this problem breaks.
    pub(super) fn rule(self) -> Rule {
        match self {
            LocProblem::NotInCharset(..) => Rule::LocEnc,
            LocProblem::WideHost => Rule::Idn,
            LocProblem::Authority(problem) => problem.rule(),
            LocProblem::Long(_) => Rule::LocLen,
            LocProblem::LongFor(..) => Rule::Engine,
            _ => Rule::Loc,
        }
    }

    pub(super) fn defect(self) -> Defect {
        match self {
            LocProblem::Relative | LocProblem::NoScheme => Defect::Incomplete,
            _ => Defect::Value,
        }
    }

    /// The error of the writer for a loc.
    #[cold]
    pub(super) fn explain(self, loc: &str) -> Error {
        Error::data(self.message(loc))
            .breaks(self.rule())
            .with_defect(self.defect())
    }

    /// The same, by a writer that has a base or none.
    #[cold]
    pub(super) fn explain_written(self, loc: &str, has_base: bool) -> Error {
        match self {
            LocProblem::Relative if has_base => {
                Error::data(relative(loc, &Advice::from("or begin it with `/`"))).breaks(self.rule())
            }
            problem => problem.explain(loc),
        }
    }

    /// The error of the writer for a URL that is not a loc, with or without a base.
    #[cold]
    pub(super) fn explain_link(self, url: &str, has_base: bool) -> Error {
        let message = match self {
            LocProblem::Relative if has_base => Message::new(format!(
                "{} is not an absolute URL: write it with its scheme and host, or begin it with `/`",
                quote(url)
            )),
            problem => problem.message_for_link(url),
        };
        let error = Error::data(message);
        match self {
            LocProblem::NotInCharset(..)
            | LocProblem::WideHost
            | LocProblem::Authority(AuthorityProblem::Punycode)
            | LocProblem::Long(_)
            | LocProblem::DotSegment => error.breaks(self.rule()),
            _ => error,
        }
    }

    /// The message for a loc that was read.
    pub(super) fn message_when_reading(self, loc: &str) -> Message {
        match self {
            LocProblem::Relative | LocProblem::NoScheme => {
                let advice = "or read it into a `String` and resolve it";
                relative(loc, &Advice::of_api("String", advice))
            }
            problem => problem.message(loc),
        }
    }

    fn message(self, loc: &str) -> Message {
        let loc_text = quote(loc);
        match self {
            LocProblem::Empty => Message::new("the loc is empty: it is an absolute URL").advice("write the address of the page"),
            LocProblem::Relative => {
                let advice = "or give the writer a base and begin it with `/`";
                relative(loc, &Advice::of_api("WriterBuilder::base", advice))
            }
            LocProblem::NoScheme => Message::new(format!(
                "{loc_text} begins with `//`, as a host without its scheme does, so it is not a path"
            ))
            .reference("RFC 3986 section 4.2")
            .advice(
                "write the scheme in front of it, or one `/` for a path; a path whose first segment is empty is written \
                 with its scheme and host",
            ),
            LocProblem::NoHost => Message::new(format!(
                "{loc_text} has no host: a loc is an absolute URL with scheme and host"
            ))
            .advice("write the address of a page"),
            LocProblem::Authority(problem) => Message::new(format!("{loc_text} {problem}"))
                .reference(problem.reference())
                .advice("correct it"),
            LocProblem::Scheme => Message::new(format!(
                "{loc_text} is not http or https: crawlers fetch nothing else"
            ))
            .advice("leave it out, or write its web address"),
            LocProblem::Control(c) => Message::new(format!(
                "{loc_text} holds {}: a URL has no control characters, tab and line break among them",
                Named(c)
            ))
            .reference("RFC 3986")
            .advice("remove it"),
            LocProblem::Invisible(c) => Message::new(format!(
                "{loc_text} begins or ends with {}, a character that cannot be seen and is no part of the URL",
                Named(c)
            ))
            .advice("remove it"),
            LocProblem::Unencodable(c) => Message::new(format!(
                "{loc_text} holds {}: no XML document and no URL can hold it",
                Named(c)
            ))
            .advice("remove it"),
            LocProblem::NotInCharset(c, charset) => Message::new(format!(
                "{loc_text} holds {} {}, which {charset}, the server's encoding, does not have: a loc is percent-encoded in \
                 that encoding",
                quote(c.encode_utf8(&mut [0; 4])),
                Named(c),
            ))
            .advice("change the URL, or name the encoding that the server decodes it by"),
            LocProblem::WideHost => wide_host(loc),
            LocProblem::Long(chars) => Message::new(format!(
                "{loc_text} has {} characters: {} are allowed",
                grouped(chars as u64),
                grouped(MAX_CHARS as u64),
            ))
            .advice("shorten the URL or leave the page out"),
            LocProblem::LongFor(engine, bytes, most) => Message::new(format!(
                "{loc_text} has {} bytes: {engine} reads at most {}",
                grouped(bytes as u64),
                grouped(most as u64),
            ))
            .advice("give the page a shorter address"),
            LocProblem::DotSegment => Message::new(format!(
                "{loc_text} has a segment `.` or `..` made by a value: a browser would resolve it away"
            ))
            .reference("RFC 3986 section 5.2.4")
            .advice("exclude the row or change its value"),
        }
    }

    /// The message for a URL that is not a loc.
    pub(super) fn message_for_link(self, url: &str) -> Message {
        let what = match self {
            LocProblem::Empty => {
                return Message::new("the URL is empty: write an absolute URL, or leave it out");
            }
            LocProblem::Relative | LocProblem::NoScheme => {
                "is not an absolute URL: write it with its scheme and host".to_owned()
            }
            LocProblem::NoHost => "has no host: write an absolute URL with scheme and host".to_owned(),
            LocProblem::Scheme => {
                "is not http or https: crawlers fetch nothing else; write its web address, or leave it out"
                    .to_owned()
            }
            LocProblem::Control(c) | LocProblem::Unencodable(c) => format!(
                "holds {}: a URL has no control characters, tab and line break among them (RFC 3986); remove it",
                Named(c)
            ),
            LocProblem::Invisible(c) => format!(
                "begins or ends with {}, a character that cannot be seen and is no part of the URL; remove it",
                Named(c)
            ),
            // Length and templates concern only locs; the other messages fit any URL.
            problem => return problem.message(url),
        };
        Message::new(format!("{} {what}", quote(url)))
    }
}

#[cold]
fn relative(loc: &str, advice: &Advice) -> Message {
    Message::new(format!(
        "{} is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/`",
        quote(loc)
    ))
    .advice(format!("write the absolute URL, {advice}"))
}

#[cfg(feature = "idn")]
fn wide_host(loc: &str) -> Message {
    Message::new(format!(
        "{} has a host outside ASCII that is not an internationalized domain name: labels of at most 63 characters, as UTS 46 \
         allows them",
        quote(loc)
    ))
    .advice("correct it")
}

#[cfg(not(feature = "idn"))]
fn wide_host(loc: &str) -> Message {
    Message::new(format!(
        "{} has a host outside ASCII: a sitemap has it as punycode",
        quote(loc)
    ))
    .advice("write it as `xn--…`, or turn on sitemap-serde's feature `idn`, which does it")
}

/// Displays a character as its code point: `U+000A`.
struct Named(char);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", u32::from(self.0))
    }
}
