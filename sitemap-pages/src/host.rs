//! The files by which a folder configures its host: `_redirects` and `_headers`, as Netlify and Cloudflare Pages read them.

mod headers;
mod pattern;
mod redirects;

pub(crate) use headers::Headers;
pub(crate) use redirects::Redirects;
