//! The response of another server, read completely.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;

use bytes::Buf;
use http::header::{CONTENT_ENCODING, RETRY_AFTER};
use http::{HeaderMap, HeaderName, Response, StatusCode};
use http_body::Body;
use sitemap_serde::__internal::grouped;
use sitemap_serde::Limits;

use crate::error::Chain;
use crate::serve::refusal::Refusal;
use crate::source::BoxError;

/// Maximum size of a document, as it is sent.
const MOST: u64 = Limits::BYTES;

/// Seconds until the next try if the other server does not say.
const WAIT: u32 = 60;

/// Fetches the document at a URL.
pub(super) type Fetch =
    Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = Result<Fetched, Failure>> + Send>> + Send + Sync>;

/// A document as it was sent.
#[derive(Debug)]
pub(super) struct Fetched {
    /// The value of `Content-Encoding`.
    pub(super) encoding: Option<String>,
    pub(super) body: Vec<u8>,
}

/// The refusal of a document, and the reason for the log.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) refusal: Refusal,
    pub(super) reason: String,
}

impl Failure {
    pub(super) fn unreachable(reason: String) -> Self {
        Failure {
            refusal: Refusal::BadGateway("the server with this sitemap cannot be reached"),
            reason,
        }
    }

    pub(super) fn unusable(reason: String) -> Self {
        Failure {
            refusal: Refusal::BadGateway("the server with this sitemap has sent something else"),
            reason,
        }
    }

    /// The failure that a status means; `None` for 200.
    fn of_status(status: StatusCode, headers: &HeaderMap) -> Option<Self> {
        let refusal = match status {
            StatusCode::OK => return None,
            StatusCode::NOT_FOUND => Refusal::NO_SUCH_ADDRESS,
            StatusCode::GONE => Refusal::Gone("this sitemap was removed"),
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                let seconds = text(headers, &RETRY_AFTER).and_then(|seconds| seconds.parse().ok());
                let why = "the server with this sitemap is not available";
                Refusal::Unavailable(why, seconds.unwrap_or(WAIT))
            }
            _ => Refusal::BadGateway("the server with this sitemap has failed"),
        };
        Some(Failure {
            refusal,
            reason: format!("it answers {status}"),
        })
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Reads a response to its end, or to the limit.
pub(super) async fn read<B>(response: Result<Response<B>, BoxError>) -> Result<Fetched, Failure>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    let response = response.map_err(|error| Failure::unreachable(Chain(&*error).to_string()))?;
    let (head, body) = response.into_parts();
    if let Some(failure) = Failure::of_status(head.status, &head.headers) {
        return Err(failure);
    }
    let too_large = || Failure::unusable(format!("it has more than {} bytes (P-SIZE)", grouped(MOST)));
    if body.size_hint().lower() > MOST {
        return Err(too_large());
    }
    let (mut body, mut spool) = (pin!(body), Vec::new());
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|error| Failure::unreachable(Chain(&*error.into()).to_string()))?;
        let Ok(mut data) = frame.into_data() else {
            continue;
        };
        if (spool.len() + data.remaining()) as u64 > MOST {
            return Err(too_large());
        }
        while data.has_remaining() {
            let chunk = data.chunk();
            spool.extend_from_slice(chunk);
            let len = chunk.len();
            data.advance(len);
        }
    }
    Ok(Fetched {
        encoding: text(&head.headers, &CONTENT_ENCODING).map(str::to_ascii_lowercase),
        body: spool,
    })
}
