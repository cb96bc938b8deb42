//! A served sitemap in [actix-web](https://docs.rs/actix-web) 4.
//!
//! ```sh
//! cargo add sitemap-actix actix-web sitemap-serde tracing-subscriber
//! cargo add sitemap-site --features serve
//! ```
//!
//! ```no_run
//! use actix_web::{App, HttpServer};
//! use sitemap_site::SiteBuilder;
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! tracing_subscriber::fmt::init();
//! let site = SiteBuilder::new("https://example.com").build()?; // with its sections
//! site.ready().await?; // counts the rows; until then the index answers 503
//! HttpServer::new(move || App::new().configure(sitemap_actix::routes(&site)))
//!     .bind("127.0.0.1:3000")?
//!     .run()
//!     .await?;
//! # Ok(())
//! # }
//! ```
//!
//! Failures return an HTTP status and a short explanation; the cause is in the log, under the target `sitemap_site`. The log is tracing's,
//! or the crate `log`'s if tracing has no subscriber. If neither is set up, or its filter hides this target, the first skipped row or failed
//! part is reported once, on standard error.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::StatusCode;
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, guard};
use bytes::Bytes;
use http_body::Body as _;
use sitemap_site::{Body, Site};

/// The routes of a site, at the path of its base: `/sitemap.xml`, its parts, and if enabled `/robots.txt`, `/sitemap.html`, `/sitemap.css` and the key
/// file of IndexNow.
///
/// A site at `https://example.com/shop` has its routes at `/shop/sitemap.xml` and so on. Within a scope with that path, or behind a proxy
/// that removes the path, use [`nested`].
pub fn routes(site: &Site) -> impl FnOnce(&mut ServiceConfig) + use<> {
    at(site, site.paths().collect())
}

/// The same routes without the path of the base, for a scope with that path, or behind a proxy that removes the path:
///
/// ```no_run
/// use actix_web::{App, web};
/// use sitemap_site::SiteBuilder;
///
/// let site = SiteBuilder::new("https://example.com/shop").build()?;
/// let app = App::new().service(web::scope("/shop").configure(sitemap_actix::nested(&site)));
/// # Ok::<(), sitemap_site::Error>(())
/// ```
///
/// If two sites have the same paths, the first configured one is served: configure each within its own scope, and a site at the root last.
pub fn nested(site: &Site) -> impl FnOnce(&mut ServiceConfig) + use<> {
    let name = |path: String| path[path.rfind('/').unwrap_or(0)..].to_owned();
    at(site, site.paths().map(name).collect())
}

fn at(site: &Site, paths: Vec<String>) -> impl FnOnce(&mut ServiceConfig) + use<> {
    let site = site.clone();
    move |config| {
        for path in paths {
            let site = site.clone();
            let handler = move |request: HttpRequest| respond(site.clone(), request);
            let (folder, name) = path.split_at(path.rfind('/').unwrap_or(0));
            if !folder.contains('%') {
                config.route(&path, web::route().to(handler));
                continue;
            }
            // Patterns are compared with decoded paths.
            let segments = (0..folder.matches('/').count()).map(|number| format!("/{{folder{number}}}"));
            let pattern: String = segments.chain([name.to_owned()]).collect();
            let folder = folder.to_owned();
            let is_own = guard::fn_guard(move |context| {
                let path = context.head().uri.path();
                path.rsplit_once('/').is_some_and(|(found, _)| found == folder)
            });
            config.service(web::resource(pattern).guard(is_own).to(handler));
        }
    }
}

/// The response to a request, for handwritten handlers.
pub async fn respond(site: Site, request: HttpRequest) -> HttpResponse<impl MessageBody> {
    let mut asked = http::Request::builder()
        .method(request.method().as_str())
        .uri(request.path());
    for (name, value) in request.headers() {
        asked = asked.header(name.as_str(), value.as_bytes());
    }
    let Ok(asked) = asked.body(()) else {
        return HttpResponse::with_body(
            StatusCode::BAD_REQUEST,
            Sized {
                body: None,
                size: BodySize::Sized(0),
            },
        );
    };
    let (head, body) = site.respond(&asked).await.into_parts();
    let status = StatusCode::from_u16(head.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let length = head
        .headers
        .get(http::header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    // For a HEAD request, actix sends the body's length, but not the body.
    let body = (asked.method() != http::Method::HEAD).then_some(body);
    let size = length.map_or(BodySize::None, BodySize::Sized);
    let mut response = HttpResponse::with_body(status, Sized { body, size });
    for (name, value) in &head.headers {
        use actix_web::http::header::{HeaderName, HeaderValue};
        let name = HeaderName::from_bytes(name.as_str().as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.as_bytes())) {
            response.headers_mut().append(name, value);
        }
    }
    response
}

struct Sized {
    body: Option<Body>,
    size: BodySize,
}

impl MessageBody for Sized {
    type Error = std::io::Error;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        Pin::new(body)
            .poll_frame(context)
            .map(|frame| Some(frame?.map(|frame| frame.into_data().unwrap_or_default())))
    }
}

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
