//! The base: the URL that paths are appended to.

use std::fmt::Display;

use sitemap_values::Rule;
use sitemap_values::url::{MAX_CHARS, Parts, no_scheme_and_host, not_a_base};

use crate::error::{Error, Result};

use super::absolute::{encode_absolute, is_space};
use super::buffer::text;
use super::encode::{Encoder, Keep};
use super::origin::Origin;
use super::problem::LocProblem;
use super::scope::{has_dot_segment, is_same};
use super::{UrlBuffer, class, or_slash};

/// URL that paths are appended to, encoded, without a slash at its end.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) url: String,
    pub(super) origin: Origin,
    /// Byte offset of the path in `url`.
    pub(super) path: usize,
    /// No byte needs escaping in XML.
    pub(super) plain: bool,
}

impl Base {
    /// The part of a URL after the base, `/` if that is empty; `None` if the URL does not begin with the base.
    pub(super) fn path_of<'a>(&self, url: &'a str, encoder: Encoder) -> Option<&'a str> {
        self.rest_of(url, encoder).map(or_slash)
    }

    /// The part of a URL after the base; `None` if the URL does not begin with the base.
    pub(super) fn rest_of<'a>(&self, url: &'a str, encoder: Encoder) -> Option<&'a str> {
        let parts = Parts::of(url)?;
        if !self.origin.is_of(&parts) {
            return None;
        }
        let (directory, path) = (&self.url[self.path..], &url[parts.rest..]);
        let rest = path
            .strip_prefix(directory)
            .filter(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']));
        rest.or_else(|| behind(path, directory, encoder))
    }

    pub(super) fn parse(base: &str, encoder: Encoder) -> Result<Self> {
        let refuse = |why: &dyn Display| Error::data(not_a_base(base, why)).breaks(Rule::Loc);
        let no_site = || refuse(&no_scheme_and_host(base));
        let mut url = UrlBuffer::default();
        encode_absolute(encoder, base.trim_matches(is_space), &mut url).map_err(|problem| match problem {
            LocProblem::Scheme => refuse(&"its scheme is another"),
            LocProblem::Authority(problem) => {
                let message = not_a_base(base, &format_args!("it {problem}")).reference(problem.reference());
                Error::data(message).breaks(problem.rule())
            }
            LocProblem::Unencodable(_) | LocProblem::Control(_) | LocProblem::Invisible(_) => {
                refuse(&"it holds a character that no URL can hold")
            }
            LocProblem::WideHost | LocProblem::NotInCharset(..) => problem.explain(base),
            LocProblem::NoHost if Parts::of(base).is_some() => refuse(&"it has no host"),
            _ => no_site(),
        })?;
        let url = url.text();
        if url.len() > MAX_CHARS {
            return Err(refuse(&"it is longer than a loc may be"));
        }
        match url.find(['?', '#']) {
            Some(at) if url[at..].starts_with('?') => return Err(refuse(&"it has a query")),
            Some(_) => return Err(refuse(&"it has a fragment")),
            None => {}
        }
        let url = url.trim_end_matches('/').to_owned();
        let parts = Parts::of(&url).ok_or_else(no_site)?;
        if has_dot_segment(&url[parts.rest..]) {
            return Err(refuse(&"it has a segment `.` or `..`, which crawlers resolve"));
        }
        Ok(Base {
            origin: Origin::of(&parts),
            path: parts.rest,
            plain: !class::has_escaped(url.as_bytes()),
            url,
        })
    }
}

/// The part of a path after a directory, which the path may spell differently: with hex digits in the other case, or
/// with characters that are not percent-encoded.
#[cold]
fn behind<'a>(path: &'a str, directory: &str, encoder: Encoder) -> Option<&'a str> {
    let mut rest = path;
    for segment in directory.split('/').skip(1) {
        let after = rest.strip_prefix('/')?;
        let end = after.find(['/', '?', '#']).unwrap_or(after.len());
        let mut encoded = Vec::new();
        encoder.push(&mut encoded, &after[..end], Keep::Legal).ok()?;
        if !is_same(text(&encoded, 0), segment) {
            return None;
        }
        rest = &after[end..];
    }
    Some(rest)
}
