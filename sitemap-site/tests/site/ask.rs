//! Requests, and responses read to their end.

use std::future::Future;
use std::io::Read;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use http::{Request, Response};
use http_body::Body as _;
use sitemap_site::Body;

/// A response whose body is read.
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: http::HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Got {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body's text, inflated where its encoding says so.
    pub(crate) fn text(&self) -> String {
        if self.header("content-encoding") != "gzip" {
            return String::from_utf8(self.body.clone()).unwrap();
        }
        let mut text = String::new();
        flate2::read::GzDecoder::new(self.body.as_slice())
            .read_to_string(&mut text)
            .unwrap();
        text
    }

    /// The names that an index lists.
    pub(crate) fn listed(&self) -> Vec<String> {
        let text = self.text();
        let locs = text.split("<loc>https://example.com/").skip(1);
        locs.map(|rest| rest.split('<').next().unwrap().to_owned())
            .collect()
    }
}

/// The frames of a body, one by one.
pub(crate) struct Frames<'a>(pub(crate) Pin<&'a mut Body>);

impl Future for Frames<'_> {
    type Output = Option<bytes::Bytes>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let frame = self.0.as_mut().poll_frame(context);
        frame.map(|frame| frame.map(|frame| frame.unwrap().into_data().unwrap()))
    }
}

pub(crate) fn request(method: &str, path: &str, headers: &[(&str, &str)]) -> Request<()> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap()
}

/// Reads a response to its end, and compares its body with its headers.
pub(crate) async fn read(response: Response<Body>) -> Got {
    let (head, body) = response.into_parts();
    let hint = body.size_hint().exact().unwrap();
    let mut body = pin!(body);
    let mut read = Vec::new();
    while let Some(block) = Frames(body.as_mut()).await {
        assert!(!block.is_empty());
        read.extend_from_slice(&block);
    }
    assert!(body.is_end_stream());
    assert_eq!(read.len() as u64, hint);
    let got = Got {
        status: head.status.as_u16(),
        headers: head.headers,
        body: read,
    };
    if got.status == 200 && hint > 0 {
        assert_eq!(got.header("content-length"), hint.to_string());
    }
    got
}
