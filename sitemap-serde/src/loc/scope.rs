//! The scope of a document: it may list URLs of its own site (P-HOST, P-IDX1), in its own directory or below (P-PATH,
//! P-IDX2).

use sitemap_values::Rule;
use sitemap_values::quote::quote;
use sitemap_values::url::{DotSegment, Parts};

use crate::error::{Advice, Error, Message, Result};
use crate::model::Kind;

use super::class;
use super::normal::same_site;
use super::origin::Origin;

/// The URLs that a document may list.
#[derive(Clone, Debug)]
pub(super) enum Scope {
    /// All URLs.
    Everywhere,
    /// URLs of the same site as the writer's base, which has no slash at its end.
    Site { base: String, origin: Origin },
    /// URLs in the document's directory and below.
    Directory {
        /// URL of the directory, with a slash at its end and dot segments resolved.
        url: String,
        /// Byte offset of the directory's path in `url`.
        path: usize,
        origin: Option<Origin>,
    },
}

impl Scope {
    /// The scope of a document at `location`, which is an absolute URL.
    pub(super) fn of_location(location: &str) -> Self {
        let parts = Parts::of(location);
        let path = parts.map_or(0, |parts| parts.rest);
        let mut url = location[..path].to_owned();
        url.push('/');
        let mut segments: Vec<&str> = Vec::new();
        let (directories, _) = split_path(&location[path..]);
        for segment in directories {
            match DotSegment::of(segment) {
                Some(DotSegment::Current) => {}
                Some(DotSegment::Parent) => {
                    segments.pop();
                }
                None => segments.push(segment),
            }
        }
        for segment in segments {
            url.push_str(segment);
            url.push('/');
        }
        Scope::Directory {
            url,
            path,
            origin: parts.map(|parts| Origin::of(&parts)),
        }
    }

    /// Returns an error if the document may not list `url`, which is a valid URL.
    #[inline]
    pub(super) fn check(&self, url: &str, kind: Kind) -> Result<()> {
        if self.surely_holds(url) {
            return Ok(());
        }
        match self {
            Scope::Everywhere => Ok(()),
            Scope::Site { base, origin } => match Parts::of(url) {
                Some(parts) if origin.is_of(&parts) => Ok(()),
                _ => Err(other_site(
                    url,
                    kind,
                    &Advice::of_api("WriterBuilder", "the writer's base").to_string(),
                    base,
                )),
            },
            Scope::Directory {
                url: directory,
                path,
                origin,
            } => {
                let Some(parts) =
                    Parts::of(url).filter(|parts| origin.as_ref().is_some_and(|origin| origin.is_of(parts)))
                else {
                    return Err(other_site(url, kind, "the document", directory));
                };
                if is_within(&url[parts.rest..], &directory[*path..]) {
                    return Ok(());
                }
                Err(other_directory(url, kind, directory))
            }
        }
    }

    /// Returns `true` if a URL's first characters suffice to show that it is in scope. Its host is then the base's,
    /// and therefore valid.
    #[inline]
    pub(super) fn surely_holds(&self, url: &str) -> bool {
        match self {
            Scope::Everywhere => false,
            Scope::Site { base, .. } => url
                .strip_prefix(base.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#'])),
            Scope::Directory { url: directory, .. } => {
                url.strip_prefix(directory.as_str()).is_some_and(is_direct)
            }
        }
    }

    /// Returns `true` if every URL that begins with a base of this origin is in scope.
    pub(super) fn holds_base(&self, base: &Origin) -> bool {
        match self {
            Scope::Everywhere => true,
            Scope::Site { origin, .. } => origin == base,
            Scope::Directory { .. } => false,
        }
    }
}

/// Returns `true` if `rest`, the part of a path after the directory, certainly has no dot segment.
fn is_direct(rest: &str) -> bool {
    if memchr::memchr2(b'.', b'%', rest.as_bytes()).is_none() {
        return true;
    }
    let may_be_dots = |segments: &str| segments.starts_with('.') || segments.starts_with("%2");
    !may_be_dots(rest) && !rest.contains("/.") && !rest.contains("/%2")
}

/// The error for a URL of another site than `whose` is at `home`.
#[cold]
fn other_site(url: &str, kind: Kind, whose: &str, home: &str) -> Error {
    let (found, home_text) = (quote(url), quote(home));
    let problem = format!("{found} is not on the site of {whose}, {home_text}");
    let (problem, advice, rule) = match kind {
        Kind::UrlSet => (
            format!("{problem}: all URLs of a file have its scheme, host and port"),
            "write them to a sitemap of their own, or allow cross-submission",
            Rule::Host,
        ),
        Kind::SitemapIndex => (
            format!("{problem}: an index lists sitemaps of its own scheme, host and port"),
            "list them in an index of their own, or allow cross-submission",
            Rule::Idx1,
        ),
    };
    let message = Message::new(problem);
    let message = match with_scheme_of(home, url) {
        Some(meant) => message.advice(format!("did you mean {}?", quote(&meant))),
        None => message.advice(advice),
    };
    Error::data(message).breaks(rule)
}

/// The URL with the scheme of `home`, if it is on its site then.
fn with_scheme_of(home: &str, url: &str) -> Option<String> {
    let (home_parts, parts) = (Parts::of(home)?, Parts::of(url)?);
    let meant = format!("{}{}", home_parts.scheme, &url[parts.scheme.len()..]);
    same_site(home, &meant).then_some(meant)
}

#[cold]
fn other_directory(url: &str, kind: Kind, directory: &str) -> Error {
    let (url, directory) = (quote(url), quote(directory));
    match kind {
        Kind::UrlSet => Error::data(Message::new(format!(
            "{url} is not below {directory}, where the sitemap is: a sitemap lists pages of its own directory and those \
             below it"
        )).advice("put the sitemap higher up, or allow cross-submission")).breaks(Rule::Path),
        Kind::SitemapIndex => Error::data(Message::new(format!(
            "{url} is not below {directory}, where the index is: an index lists sitemaps of its own directory and those \
             below it"
        )).advice("put the index higher up, or allow cross-submission")).breaks(Rule::Idx2),
    }
}

/// Splits a path (empty, or beginning with `/`) into its directories and its last segment. Query and fragment are
/// removed.
fn split_path(rest: &str) -> (impl Iterator<Item = &str>, &str) {
    let path = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let (directories, last) = path.rsplit_once('/').unwrap_or(("", path));
    // The text before the first slash is empty, and not a directory.
    (directories.split('/').skip(1), last)
}

/// Returns `true` if a path, its dot segments resolved, is below a directory that has no dot segments.
fn is_within(rest: &str, directory: &str) -> bool {
    let wanted = |depth| split_path(directory).0.nth(depth);
    let (directories, last) = split_path(rest);
    // The path's depth so far, and how many of its leading segments are the directory's.
    let (mut depth, mut shared) = (0_usize, 0_usize);
    let last = Some(last).filter(|last| DotSegment::of(last) == Some(DotSegment::Parent));
    for segment in directories.chain(last) {
        match DotSegment::of(segment) {
            Some(DotSegment::Current) => {}
            Some(DotSegment::Parent) => {
                depth = depth.saturating_sub(1);
                shared = shared.min(depth);
            }
            None => {
                if shared == depth && wanted(depth).is_some_and(|wanted| is_same(wanted, segment)) {
                    shared += 1;
                }
                depth += 1;
            }
        }
    }
    wanted(shared).is_none()
}

/// Returns `true` if a path has a segment `.` or `..`.
pub(super) fn has_dot_segment(rest: &str) -> bool {
    let (directories, last) = split_path(rest);
    directories
        .chain([last])
        .any(|segment| DotSegment::of(segment).is_some())
}

/// Returns `true` if two segments are equal when normalised (RFC 3986 section 6.2.2): the case of hex digits does not
/// matter, and a triplet of an unreserved character equals the character.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    a == b || normalised(a).eq(normalised(b))
}

/// The normalised bytes of a segment. Values above 255 are bytes that remain percent-encoded.
fn normalised(segment: &str) -> impl Iterator<Item = u16> {
    let bytes = segment.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let &byte = bytes.get(at)?;
        if let (b'%', Some(Some(high)), Some(Some(low))) = (
            byte,
            bytes.get(at + 1).map(|&b| char::from(b).to_digit(16)),
            bytes.get(at + 2).map(|&b| char::from(b).to_digit(16)),
        ) {
            at += 3;
            let value = u8::try_from(high << 4 | low).unwrap_or_default();
            let is_unreserved = class::of(value) & class::UNRESERVED != 0;
            return Some(u16::from(value) + if is_unreserved { 0 } else { 256 });
        }
        at += 1;
        Some(u16::from(byte))
    })
}
