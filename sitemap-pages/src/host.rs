//! The files by which a folder configures its host: `_redirects` and `_headers`, as Netlify and Cloudflare Pages read them.

mod headers;
mod pattern;
mod redirects;

pub(crate) use headers::{Headers, tag_is_noindex};
pub use redirects::{Redirection, Redirects};

use crate::address::percent_decode;

/// What holds of a path as it is encoded, or decoded, since rules are written in both ways.
pub(crate) fn either_form<T>(path: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    find(path).or_else(|| {
        let decoded = String::from_utf8(percent_decode(path).into_owned()).ok()?;
        find(&decoded)
    })
}
