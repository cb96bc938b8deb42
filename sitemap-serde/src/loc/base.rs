//! The base: the URL that paths are appended to.

use sitemap_values::Rule;
use sitemap_values::quote::quote;

use crate::error::{Error, Result};

use super::absolute::{encode_absolute, is_space};
use super::encode::{Encoder, Keep};
use super::parts::{Origin, Parts};
use super::problem::Problem;
use super::scope::is_same;
use super::template::text;
use super::{MAX_CHARS, UrlBuffer, class, or_slash};

/// URL that paths are appended to, encoded, without a slash at its end.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) url: String,
    pub(super) origin: Origin,
    /// Byte offset of the path in `url`.
    pub(super) path: usize,
    /// No byte has to be escaped in XML.
    pub(super) plain: bool,
}

impl Base {
    /// The part of a URL after the base; `None` if the URL does not begin with the base.
    pub(super) fn path_of<'a>(&self, url: &'a str, encoder: Encoder) -> Option<&'a str> {
        let parts = Parts::of(url)?;
        if !self.origin.is_of(&parts) {
            return None;
        }
        let (directory, path) = (&self.url[self.path..], &url[parts.rest..]);
        let rest = path
            .strip_prefix(directory)
            .filter(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']));
        rest.or_else(|| behind(path, directory, encoder)).map(or_slash)
    }

    pub(super) fn parse(base: &str, encoder: Encoder) -> Result<Self> {
        let refuse = |why: &str| {
            Error::data(format!(
                "{} is not a base: {why}; a base is a scheme (http or https), a host, a port and a path prefix, \
                 such as `https://example.com` or `https://example.com/shop`",
                quote(base)
            ))
            .breaks(Rule::Loc)
        };
        let mut url = UrlBuffer::default();
        encode_absolute(encoder, base.trim_matches(is_space), &mut url).map_err(|problem| match problem {
            Problem::Scheme => refuse("its scheme is another"),
            Problem::BadHost | Problem::BadName | Problem::BadPunycode => {
                refuse("its host or port is invalid")
            }
            Problem::Unencodable(_) | Problem::Control(_) | Problem::Invisible(_) => {
                refuse("it holds a character that no URL can hold")
            }
            Problem::WideHost | Problem::NotInCharset(..) => problem.explain(base),
            _ => refuse("it has no scheme and host"),
        })?;
        let url = url.text();
        if url.len() > MAX_CHARS {
            return Err(refuse("it is longer than a loc may be"));
        }
        if url.contains(['?', '#']) {
            return Err(refuse("it has a query or a fragment"));
        }
        let url = url.trim_end_matches('/').to_owned();
        let parts = Parts::of(&url).ok_or_else(|| refuse("it has no scheme and host"))?;
        if has_dot_segment(&url[parts.rest..]) {
            return Err(refuse("it has a segment `.` or `..`, which crawlers resolve"));
        }
        Ok(Base {
            origin: Origin::of(&parts),
            path: parts.rest,
            plain: !class::has_escaped(url.as_bytes()),
            url,
        })
    }
}

/// Whether a path has a segment that means its own or its parent's directory (RFC 3986, section 5.2.4), percent-encoded or not.
fn has_dot_segment(path: &str) -> bool {
    let is_dot = |segment: &str| {
        matches!(
            segment.replace("%2e", ".").replace("%2E", ".").as_str(),
            "." | ".."
        )
    };
    path.split('/').any(is_dot)
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
