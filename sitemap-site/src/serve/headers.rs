//! The headers of responses.

use http::header::{
    AGE, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    HeaderName, HeaderValue, LAST_MODIFIED, RETRY_AFTER, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{Response, StatusCode};
use std::time::Duration;

use super::body::Body;
use super::conditional::Validators;
use super::encoding::Encoding;
use super::http_date;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

pub(super) const XML: &str = "application/xml; charset=utf-8";
pub(super) const GZIP: &str = "application/gzip";
pub(super) const HTML: &str = "text/html; charset=utf-8";
pub(super) const CSS: &str = "text/css; charset=utf-8";
pub(super) const TEXT: &str = "text/plain; charset=utf-8";

/// The page has neither scripts nor forms, and loads nothing.
const HTML_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// A response without a body, with the headers of all responses: search engines must not list it as a page, and browsers must not take it for
/// another type.
fn response(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(ROBOTS, HeaderValue::from_static("noindex"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// A text as a header's value; empty if it is not valid there.
fn set(response: &mut Response<Body>, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// The time that a stale response may be used after an error, here and in caches.
pub(super) const STALE_IF_ERROR: Duration = Duration::from_secs(86_400);

/// The time that caches may use a response.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifetime {
    pub(super) max_age: Duration,
    pub(super) stale_while_revalidate: Duration,
}

impl Lifetime {
    fn cache_control(self) -> String {
        format!(
            "public, max-age={}, stale-while-revalidate={}, stale-if-error={}",
            self.max_age.as_secs(),
            self.stale_while_revalidate.as_secs(),
            STALE_IF_ERROR.as_secs()
        )
    }
}

impl Default for Lifetime {
    fn default() -> Self {
        Lifetime {
            max_age: Duration::from_secs(600),
            stale_while_revalidate: Duration::from_secs(86_400),
        }
    }
}

/// Says how old a stale response is, so that caches do not consider it fresh.
pub(super) fn set_age(response: &mut Response<Body>, age: Duration) {
    response.headers_mut().insert(AGE, age.as_secs().into());
}

fn set_validators(response: &mut Response<Body>, validators: &Validators, lifetime: Lifetime) {
    set(response, ETAG, &validators.etag);
    if let Some(modified) = validators.last_modified {
        set(response, LAST_MODIFIED, &http_date::format(modified));
    }
    set(response, CACHE_CONTROL, &lifetime.cache_control());
    response
        .headers_mut()
        .insert(VARY, HeaderValue::from_static("Accept-Encoding"));
}

/// 304 Not Modified.
pub(super) fn not_modified(validators: &Validators, lifetime: Lifetime) -> Response<Body> {
    let mut response = response(StatusCode::NOT_MODIFIED);
    set_validators(&mut response, validators, lifetime);
    response
}

/// The headers of a document with a `Content-Length` of `length`.
pub(super) fn document(
    content_type: &'static str,
    encoding: Encoding,
    length: u64,
    validators: &Validators,
    lifetime: Lifetime,
) -> Response<Body> {
    let mut response = response(StatusCode::OK);
    set_validators(&mut response, validators, lifetime);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(CONTENT_LENGTH, length.into());
    if content_type == HTML {
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(HTML_POLICY));
    }
    if encoding == Encoding::Gzip {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

/// A failure, not cached: a status, and a short explanation.
pub(super) fn failure(status: StatusCode, why: &str, retry_after: Option<u32>) -> (Response<Body>, String) {
    let mut response = response(status);
    let text = format!("{}: {why}\n", status.canonical_reason().unwrap_or("Error"));
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(TEXT));
    headers.insert(CONTENT_LENGTH, text.len().into());
    if let Some(seconds) = retry_after {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    (response, text)
}
