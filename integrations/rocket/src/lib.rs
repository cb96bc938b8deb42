//! A served sitemap in [Rocket](https://docs.rs/rocket) 0.5.
//!
//! ```sh
//! cargo add sitemap-rocket rocket sitemap-serde tracing-subscriber
//! cargo add sitemap-site --features serve
//! ```
//!
//! ```no_run
//! use sitemap_site::SiteBuilder;
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! tracing_subscriber::fmt::init(); // beside Rocket's own log
//! let site = SiteBuilder::new("https://example.com").build()?; // with its sections
//! site.ready().await?; // counts the rows; until then the index answers 503
//! let rocket = rocket::build().mount("/", sitemap_rocket::routes(&site));
//! # Ok(())
//! # }
//! ```
//!
//! Failures return an HTTP status and a short explanation; the cause is in the log, under the target `sitemap_site`. The log is tracing's,
//! or the crate `log`'s if tracing has no subscriber. If neither is set up, or its filter hides this target, the first skipped row or failed
//! part is reported once, on standard error.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use http_body::Body as _;
use rocket::http::uri::Origin;
use rocket::http::{Method, Status};
use rocket::route::{Handler, Outcome, Route};
use rocket::tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use rocket::{Data, Request, Response};
use sitemap_site::{Body, Site};

/// The routes of a site, at the path of its base: `/sitemap.xml`, its parts, and if enabled `/robots.txt`, `/sitemap.html`, `/sitemap.css` and the key
/// file of IndexNow. They are mounted at `/`, and forward the other names in their folder to other routes.
///
/// A site at `https://example.com/shop` has its routes at `/shop/sitemap.xml` and so on. To mount them at the path of the base, or behind a
/// proxy that removes the path, use [`nested`].
pub fn routes(site: &Site) -> Vec<Route> {
    let index = site.paths().next().unwrap_or_default();
    let folder = &index[..index.rfind('/').unwrap_or(0)];
    // Rocket compares decoded segments, and panics at a path that it cannot parse.
    let is_literal = folder.is_empty() || !folder.contains(['<', '>', '%']) && Origin::parse(folder).is_ok();
    if is_literal {
        return at(site, &format!("{folder}/<sitemap>"), None);
    }
    let segments = (0..folder.matches('/').count()).map(|number| format!("/<folder{number}>"));
    let uri: String = segments.chain(["/<sitemap>".to_owned()]).collect();
    at(site, &uri, Some(folder.to_owned()))
}

/// The same routes without the path of the base, for mounting at that path, or at `/` behind a proxy that removes the path:
///
/// ```
/// use sitemap_site::SiteBuilder;
///
/// let site = SiteBuilder::new("https://example.com/shop").build()?;
/// let rocket = rocket::build().mount("/shop", sitemap_rocket::nested(&site));
/// # Ok::<(), sitemap_site::Error>(())
/// ```
pub fn nested(site: &Site) -> Vec<Route> {
    at(site, "/<sitemap>", None)
}

fn at(site: &Site, uri: &str, folder: Option<String>) -> Vec<Route> {
    // Rocket answers HEAD by the route for GET.
    let methods = [
        Method::Get,
        Method::Post,
        Method::Put,
        Method::Delete,
        Method::Options,
        Method::Patch,
    ];
    let sitemap = Sitemap {
        site: site.clone(),
        folder,
    };
    methods
        .map(|method| Route::ranked(10, method, uri, sitemap.clone()))
        .into()
}

/// The handler of a site's routes.
#[derive(Clone, Debug)]
struct Sitemap {
    site: Site,
    /// The only folder that it answers for; `None` if the route is its own.
    folder: Option<String>,
}

#[rocket::async_trait]
impl Handler for Sitemap {
    async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
        let path = request.uri().path().as_str();
        let (folder, name) = path.split_at(path.rfind('/').unwrap_or(0));
        let is_elsewhere = self.folder.as_ref().is_some_and(|own| own != folder);
        let is_part = name.starts_with("/sitemap-");
        if is_elsewhere || !is_part && !self.site.paths().any(|path| path.ends_with(name)) {
            return Outcome::forward(data, Status::NotFound);
        }
        let mut asked = http::Request::builder()
            .method(request.method().as_str())
            .uri(path);
        for header in request.headers().iter() {
            asked = asked.header(header.name().as_str(), header.value());
        }
        let Ok(asked) = asked.body(()) else {
            return Outcome::error(Status::BadRequest);
        };
        let (head, body) = self.site.respond(&asked).await.into_parts();
        let mut response = Response::build();
        response.status(Status::new(head.status.as_u16()));
        for (name, value) in &head.headers {
            // Rocket itself sets the length of the body.
            if let Ok(value) = value.to_str()
                && name != http::header::CONTENT_LENGTH
            {
                response.raw_header_adjoin(name.to_string(), value.to_owned());
            }
        }
        if let Some(length) = body
            .size_hint()
            .exact()
            .and_then(|length| usize::try_from(length).ok())
        {
            response.sized_body(
                length,
                Reader {
                    body,
                    block: Bytes::new(),
                },
            );
        }
        Outcome::Success(response.finalize())
    }
}

/// A body that Rocket can read.
struct Reader {
    body: Body,
    block: Bytes,
}

impl AsyncRead for Reader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.block.is_empty()
            && let Some(frame) = ready!(Pin::new(&mut self.body).poll_frame(context))
        {
            self.block = frame?.into_data().unwrap_or_default();
        }
        let length = self.block.len().min(into.remaining());
        into.put_slice(&self.block[..length]);
        self.block.advance(length);
        Poll::Ready(Ok(()))
    }
}

/// Rocket determines the length of a body by seeking if it is unknown.
impl AsyncSeek for Reader {
    fn start_seek(self: Pin<&mut Self>, _: io::SeekFrom) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn poll_complete(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<u64>> {
        Poll::Ready(Err(io::ErrorKind::Unsupported.into()))
    }
}

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
