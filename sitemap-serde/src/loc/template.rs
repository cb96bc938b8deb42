//! A loc built from a template's literals and values (RFC 6570, levels 1 and 2).

use std::fmt;

use sitemap_values::Rule;
use sitemap_values::quote::{is_invisible, quote};
use sitemap_values::url::Parts;

use crate::error::{Error, Message, Result};

use super::buffer::text;
use super::charset::Charset;
use super::check_encodable;
use super::class::{self, Legality};
use super::encode::{Encoder, Keep};
use super::problem::LocProblem;
use super::scope::has_dot_segment;

/// Builds a URL from the literals and values of a template.
#[derive(Debug)]
pub(crate) struct TemplateUrl<'a> {
    out: &'a mut Vec<u8>,
    /// Byte offset of the URL in `out`.
    start: usize,
    encoder: Encoder,
    known: UrlProperties,
    /// The URL's last character, if it came from a value and is not ASCII.
    last: Option<char>,
    /// `true` if the URL so far is just the value of a `{+site}` that ends with a slash.
    ends_site: bool,
    /// The placeholders of values that are empty, without braces, each with the byte offset in `out`.
    empty: Vec<(usize, Box<str>)>,
    /// `true` if the URL is the entry's loc, not the URL of an image, a video or a link.
    is_loc: bool,
}

/// Properties of a URL that are known from how it was built.
#[derive(Clone, Copy, Debug)]
pub(super) struct UrlProperties {
    /// No character needs percent-encoding.
    pub(super) legal: bool,
    /// No character needs escaping in XML.
    pub(super) plain: bool,
    /// Every triplet was made by this crate: neither literals nor values brought any.
    bare: bool,
}

impl UrlProperties {
    const NOTHING_TO_DO: UrlProperties = UrlProperties {
        legal: true,
        plain: true,
        bare: true,
    };

    fn of(part: &str) -> Self {
        if class::is_plain(part) {
            return UrlProperties::NOTHING_TO_DO;
        }
        UrlProperties {
            // Another part may have a `#` too, and only one is legal.
            legal: Legality::of(part).legal && !part.contains('#'),
            plain: !class::has_escaped(part.as_bytes()),
            bare: !part.contains('%'),
        }
    }

    fn and(self, other: UrlProperties) -> Self {
        UrlProperties {
            legal: self.legal && other.legal,
            plain: self.plain && other.plain,
            bare: self.bare && other.bare,
        }
    }
}

impl<'a> TemplateUrl<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>, encoder: Encoder) -> Self {
        TemplateUrl {
            start: out.len(),
            out,
            encoder,
            known: UrlProperties::NOTHING_TO_DO,
            last: None,
            ends_site: false,
            empty: Vec::new(),
            is_loc: true,
        }
    }

    /// The same, for a URL that is not a loc.
    #[cfg(feature = "derive")]
    pub(super) fn of_link(self) -> Self {
        TemplateUrl {
            is_loc: false,
            ..self
        }
    }

    /// The number of values that are empty.
    #[cfg(feature = "derive")]
    pub(crate) fn empty_values(&self) -> usize {
        self.empty.len()
    }

    /// Forgets the values that are empty but for the first `count`: they may be.
    #[cfg(feature = "derive")]
    pub(crate) fn forget_empty_values(&mut self, count: usize) {
        self.empty.truncate(count);
    }

    /// Takes back the slash of a site before a path that begins with one: a `url::Url` without a path ends with it.
    #[inline]
    fn join(&mut self, text: &str) {
        if self.ends_site {
            self.ends_site = false;
            if text.starts_with('/') {
                self.out.pop();
            }
        }
    }

    /// Appends a literal of the template unchanged.
    pub(crate) fn literal(&mut self, text: &str) {
        self.join(text);
        self.out.extend_from_slice(text.as_bytes());
        self.known = self.known.and(UrlProperties::of(text));
        if !text.is_empty() {
            self.last = None;
        }
    }

    /// Like [`literal`](Self::literal), for a literal that needs neither percent-encoding nor XML escaping.
    #[cfg(feature = "derive")]
    #[inline]
    pub(crate) fn plain_literal(&mut self, text: &str) {
        debug_assert!(Legality::of(text).plain && !text.contains('#'));
        self.join(text);
        self.out.extend_from_slice(text.as_bytes());
        self.last = None;
    }

    /// Appends a value, everything but unreserved characters percent-encoded.
    pub(crate) fn simple(&mut self, name: &str, value: impl fmt::Display) -> Result<()> {
        // The result is legal and needs no escaping, so `known` does not change.
        self.ends_site = false;
        self.value(name, value, Keep::Unreserved)
    }

    /// Appends a value, everything but unreserved and reserved characters and triplets percent-encoded.
    pub(crate) fn reserved(&mut self, name: &str, value: impl fmt::Display) -> Result<()> {
        let start = self.out.len();
        self.value(name, value, Keep::Reserved)?;
        let added = text(self.out, start);
        self.known = self.known.and(UrlProperties::of(added));
        self.ends_site = start == self.start && added.ends_with('/') && !added.contains(['?', '#']);
        Ok(())
    }

    fn value(&mut self, name: &str, value: impl fmt::Display, keep: Keep) -> Result<()> {
        let start = self.out.len();
        let mut encoder = self.encoder;
        if self.is_before_path() {
            // The value may be part of the host, which is not percent-encoded: the finished URL is encoded as a whole.
            encoder.charset = Charset::Deferred;
            self.known.legal = false;
        }
        let mut put = Put {
            out: self.out,
            encoder,
            keep,
            last: self.last,
            problem: None,
        };
        let result = fmt::write(&mut put, format_args!("{value}"));
        self.last = put.last;
        match (result, put.problem) {
            (Ok(()), None) => {
                if self.out.len() == start {
                    self.push_empty(start, name, keep);
                }
                Ok(())
            }
            (_, problem) => {
                self.out.truncate(start);
                Err(match problem {
                    Some(problem) => problem.explain(&value.to_string()),
                    None => Error::data(format!(
                        "the value of {} in the loc's template cannot be displayed: its `Display` returned an error",
                        quote(name)
                    )),
                })
            }
        }
    }

    #[cold]
    fn push_empty(&mut self, at: usize, name: &str, keep: Keep) {
        let sign = match keep {
            Keep::Reserved => "+",
            _ => "",
        };
        self.empty.push((at, format!("{sign}{name}").into()));
    }

    /// Returns `true` if the next character may belong to the scheme or the host.
    fn is_before_path(&self) -> bool {
        if self.out.get(self.start) == Some(&b'/') {
            return false;
        }
        let url = text(self.out, self.start);
        match url.split_once("://") {
            Some((_, rest)) => !rest.contains(['/', '?', '#']),
            None => true,
        }
    }

    /// Rejects a value at the end of the URL that ends with an invisible character: later checks would not see it
    /// percent-encoded.
    fn check_end(&self) -> Result<()> {
        match self.last.filter(|c| is_invisible(*c)) {
            Some(c) => Err(LocProblem::Invisible(c).explain(text(self.out, self.start))),
            None => Ok(()),
        }
    }

    /// Rejects a URL if an empty value leaves a path segment empty: the URL would be another page's.
    fn check_empty(&self) -> Result<()> {
        if self.empty.is_empty() {
            return Ok(());
        }
        let url = text(self.out, self.start);
        let path = Parts::of(url).map_or(0, |parts| parts.rest);
        let end = url.find(['?', '#']).unwrap_or(url.len());
        let is_segment = |at: usize| {
            let (before, after) = url.split_at_checked(at).unwrap_or_default();
            at > path
                && at <= end
                && before.ends_with('/')
                && (after.is_empty() || after.starts_with(['/', '?', '#']))
        };
        let found = self.empty.iter().find(|(at, _)| is_segment(at - self.start));
        match found {
            Some((_, placeholder)) => Err(empty_segment(placeholder, self.is_loc)),
            None => Ok(()),
        }
    }

    /// Rejects a URL if a value has turned a segment into `.` or `..`: a browser resolves it to another page's URL.
    pub(super) fn finish(self) -> Result<UrlProperties> {
        self.check_end()?;
        self.check_empty()?;
        let bytes = self.out.get(self.start..).unwrap_or_default();
        // The encoder never encodes dots, so a URL without a dot has one only in a triplet that a literal or value brought.
        if class::has_dot(bytes) || !self.known.bare {
            check_segments(text(self.out, self.start))?;
        }
        Ok(self.known)
    }
}

#[cold]
fn empty_segment(placeholder: &str, is_loc: bool) -> Error {
    let name = placeholder.trim_start_matches('+');
    let advice = if is_loc {
        "leave such entries out with `#[sitemap(exclude_if = str::is_empty)]` on the field; where the page exists without it"
    } else {
        "make the field an `Option` that is `None` where there is no such URL; where there is one without it"
    };
    Error::data(
        Message::new(format!(
            "`{name}` is empty, and the template needs it: without it the URL is another page's"
        ))
        .advice(format!("{advice}, write `{{{placeholder}?}}`")),
    )
    .breaks(Rule::Loc)
}

fn check_segments(url: &str) -> Result<()> {
    let path = Parts::of(url).map_or(0, |parts| parts.rest);
    if has_dot_segment(&url[path..]) {
        return Err(LocProblem::DotSegment.explain(url));
    }
    Ok(())
}

/// Percent-encodes the output of a value's `Display`.
struct Put<'a> {
    out: &'a mut Vec<u8>,
    encoder: Encoder,
    keep: Keep,
    /// The last character written, if it is not ASCII.
    last: Option<char>,
    problem: Option<LocProblem>,
}

impl fmt::Write for Put<'_> {
    #[inline]
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if class::is_unreserved(text.as_bytes()) {
            self.out.extend_from_slice(text.as_bytes());
            self.last = self.last.filter(|_| text.is_empty());
            return Ok(());
        }
        self.last = text.chars().next_back().filter(|c| !c.is_ascii());
        let pushed = check_encodable(text).and_then(|()| self.encoder.push(self.out, text, self.keep));
        pushed.map_err(|problem| {
            self.problem = Some(problem);
            fmt::Error
        })
    }
}
