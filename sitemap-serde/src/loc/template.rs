//! A loc that is put together from a template's literals and values (RFC 6570, levels 1 and 2).

use std::fmt;

use crate::error::{Error, Result};
use crate::quote::{is_invisible, quote};

use super::charset::Charset;
use super::check_encodable;
use super::class;
use super::encode::{Encoder, Keep, is_legal};
use super::parts::Parts;
use super::problem::Problem;
use super::scope::has_dot_segment;

/// Takes the parts of a template.
#[derive(Debug)]
pub(crate) struct TemplateUrl<'a> {
    out: &'a mut Vec<u8>,
    /// Where the template's own text begins.
    start: usize,
    encoder: Encoder,
    known: Known,
    /// The last character, if a value has put it and it is not ASCII.
    last: Option<char>,
    /// Whether all there is yet is the value of a `{+site}` that ends with a slash.
    ends_site: bool,
}

/// What is known of a URL without a look at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Nothing has to be encoded.
    pub(super) legal: bool,
    /// Nothing has to be escaped in XML.
    pub(super) plain: bool,
    /// There is no triplet that nobody here has made.
    bare: bool,
}

impl Known {
    const NOTHING_TO_DO: Known = Known {
        legal: true,
        plain: true,
        bare: true,
    };

    fn of(part: &str) -> Self {
        if class::is_plain(part) {
            return Known::NOTHING_TO_DO;
        }
        Known {
            // Another part may have a `#` too.
            legal: is_legal(part) && !part.contains('#'),
            plain: class::all(part) & class::ESCAPE == 0,
            bare: !part.contains('%'),
        }
    }

    fn and(self, other: Known) -> Self {
        Known {
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
            known: Known::NOTHING_TO_DO,
            last: None,
            ends_site: false,
        }
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

    /// Appends a part of the template as it stands.
    pub(crate) fn literal(&mut self, text: &str) {
        self.join(text);
        self.out.extend_from_slice(text.as_bytes());
        self.known = self.known.and(Known::of(text));
        if !text.is_empty() {
            self.last = None;
        }
    }

    /// As [`literal`](Self::literal), for a part in which nothing has to be encoded or escaped.
    #[cfg(feature = "derive")]
    #[inline]
    pub(crate) fn plain_literal(&mut self, text: &str) {
        debug_assert!(class::is_plain(text));
        self.join(text);
        self.out.extend_from_slice(text.as_bytes());
        self.last = None;
    }

    /// Appends a value, of which only unreserved characters stay as they are.
    pub(crate) fn simple(&mut self, name: &str, value: impl fmt::Display) -> Result<()> {
        // Nothing has to be done to what this makes.
        self.ends_site = false;
        self.value(name, value, Keep::Unreserved)
    }

    /// Appends a value, of which reserved characters and triplets stay as they are too.
    pub(crate) fn reserved(&mut self, name: &str, value: impl fmt::Display) -> Result<()> {
        let start = self.out.len();
        self.value(name, value, Keep::Reserved)?;
        let added = text(self.out, start);
        self.known = self.known.and(Known::of(added));
        self.ends_site = start == self.start && added.ends_with('/') && !added.contains(['?', '#']);
        Ok(())
    }

    fn value(&mut self, name: &str, value: impl fmt::Display, keep: Keep) -> Result<()> {
        let start = self.out.len();
        let mut encoder = self.encoder;
        if self.is_before_path() {
            // What may be the host does not get percent-encoded: the URL is looked at as a whole then.
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
            (Ok(()), None) => Ok(()),
            (_, problem) => {
                self.out.truncate(start);
                Err(match problem {
                    Some(problem) => problem.explain(&value.to_string()),
                    None => Error::data(format!(
                        "the value of {} in the loc's template cannot be displayed; its `Display` returned an error",
                        quote(name)
                    )),
                })
            }
        }
    }

    /// Whether what is put next may belong to the scheme or the host.
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

    /// A value at the end may not end with what cannot be seen: encoded, it would not be found by looking at the URL.
    fn check_end(&self) -> Result<()> {
        match self.last.filter(|c| is_invisible(*c)) {
            Some(c) => Err(Problem::Invisible(c).explain(text(self.out, self.start))),
            None => Ok(()),
        }
    }

    /// Checks that no value has made a segment that is resolved away: the page would be another's.
    pub(super) fn finish(self) -> Result<Known> {
        self.check_end()?;
        let bytes = self.out.get(self.start..).unwrap_or_default();
        // A dot is never encoded here, so without it only a triplet of somebody else's can be one.
        if class::has_dot(bytes) || !self.known.bare {
            check_segments(text(self.out, self.start))?;
        }
        Ok(self.known)
    }
}

/// What is put together is made of whole texts and of ASCII, so the default is never taken.
pub(super) fn text(bytes: &[u8], start: usize) -> &str {
    std::str::from_utf8(bytes.get(start..).unwrap_or_default()).unwrap_or_default()
}

fn check_segments(url: &str) -> Result<()> {
    let path = Parts::of(url).map_or(0, |parts| parts.rest);
    if has_dot_segment(&url[path..]) {
        return Err(Problem::DotSegment.explain(url));
    }
    Ok(())
}

/// Encodes what is displayed to it.
struct Put<'a> {
    out: &'a mut Vec<u8>,
    encoder: Encoder,
    keep: Keep,
    /// The last character of all, if it is not ASCII.
    last: Option<char>,
    problem: Option<Problem>,
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
