//! The body of a response that no server has sent.

use std::future::poll_fn;
use std::pin::pin;

use http::Response;
use http_body::Body as _;
use sitemap_site::Body;

/// The text of a response.
///
/// # Panics
/// If the body fails, or is not UTF-8.
pub async fn body(response: Response<Body>) -> String {
    let mut body = pin!(response.into_body());
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        if let Ok(data) = frame.expect("a block").into_data() {
            bytes.extend_from_slice(&data);
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}
