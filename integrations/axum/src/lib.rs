//! A served sitemap in [axum](https://docs.rs/axum) 0.8.
//!
//! ```sh
//! cargo add sitemap-axum axum sitemap-serde tracing-subscriber
//! cargo add sitemap-site --features serve
//! cargo add tokio --features macros,net,rt-multi-thread
//! ```
//!
//! ```no_run
//! use axum::Router;
//! use sitemap_site::SiteBuilder;
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! tracing_subscriber::fmt::init();
//! let site = SiteBuilder::new("https://example.com").build()?; // with its sections
//! site.ready().await?; // counts the rows; until then the index answers 503
//! let app = Router::new().merge(sitemap_axum::routes(&site));
//! # let app: Router = app;
//! # let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
//! axum::serve(listener, app).await?;
//! # Ok(())
//! # }
//! ```
//!
//! Failures return an HTTP status and a short explanation; the cause is in the log, under the target `sitemap_site`. The log is tracing's,
//! or the crate `log`'s if tracing has no subscriber. If neither is set up, or its filter hides this target, the first skipped row or failed
//! part is reported once, on standard error.
//!
//! A [`Site`] is a service with several addresses, not a handler: axum's `get(site)` does not compile.
//!
//! [`Sites`](sitemap_site::Sites) and [`ServeSet`](sitemap_site::ServeSet) have only the addresses `/sitemap.xml` and `/sitemap-{part}`:
//! mount these with [`Router::route_service`].

use std::convert::Infallible;
use std::task::{Context, Poll};

use axum::Router;
use axum::extract::{OriginalUri, Request};
use axum::http::Response;
use sitemap_site::{Body, ResponseFuture, Site};
use tower_service::Service;

/// The routes of a site, at the path of its base: `/sitemap.xml`, its parts, and if enabled `/robots.txt`, `/sitemap.html`, `/sitemap.css` and the key
/// file of IndexNow.
///
/// A site at `https://example.com/shop` has its routes at `/shop/sitemap.xml` and so on; merge them into the program's router with
/// [`Router::merge`]. If [`Router::nest`] or a proxy removes the path of the base first, use [`nested`]. These routes would be at
/// `/shop/shop/sitemap.xml` when nested, so their type does not fit `nest`.
///
/// ```compile_fail,E0308
/// use axum::Router;
/// use sitemap_site::SiteBuilder;
///
/// let site = SiteBuilder::new("https://example.com/shop").build()?;
/// let app: Router = Router::new().nest("/shop", sitemap_axum::routes(&site));
/// # Ok::<(), sitemap_site::Error>(())
/// ```
///
/// # Panics
///
/// [`Router::merge`] panics if the program already has a route at one of these paths. A base with a path segment that begins with `:` or
/// `*` panics too, like every such route in axum 0.8; mount such a site with [`Router::fallback_service`].
pub fn routes(site: &Site) -> RoutesForMerge {
    RoutesForMerge { site: site.clone() }
}

/// The routes of a site at the path of its base, for [`Router::merge`]. [`routes`] makes it. For [`Router::nest`], use [`nested`].
///
/// `Router::from` turns them into a router:
///
/// ```
/// use axum::Router;
/// use sitemap_site::SiteBuilder;
///
/// let site = SiteBuilder::new("https://example.com").build()?;
/// let sitemap: Router = sitemap_axum::routes(&site).into();
/// # Ok::<(), sitemap_site::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "merge the routes into a router: `app.merge(sitemap_axum::routes(&site))`"]
pub struct RoutesForMerge {
    site: Site,
}

impl<S: Clone + Send + Sync + 'static> From<RoutesForMerge> for Router<S> {
    fn from(RoutesForMerge { site }: RoutesForMerge) -> Self {
        at(&site, site.paths())
    }
}

/// The same routes without the path of the base, for [`Router::nest`], or behind a proxy that removes the path:
///
/// ```
/// use axum::Router;
/// use sitemap_site::SiteBuilder;
///
/// let site = SiteBuilder::new("https://example.com/shop").build()?;
/// let shop = Router::new().merge(sitemap_axum::nested(&site));
/// let app: Router = Router::new().nest("/shop", shop);
/// # Ok::<(), sitemap_site::Error>(())
/// ```
pub fn nested<S: Clone + Send + Sync + 'static>(site: &Site) -> Router<S> {
    at(
        site,
        site.paths()
            .map(|path| path[path.rfind('/').unwrap_or(0)..].to_owned()),
    )
}

fn at<S: Clone + Send + Sync + 'static>(site: &Site, paths: impl Iterator<Item = String>) -> Router<S> {
    let mounted = Mounted { site: site.clone() };
    paths.fold(Router::new(), |router, path| {
        router.route_service(&path, mounted.clone())
    })
}

/// A site that receives the whole path, although [`Router::nest`] removes the beginning: the site knows its own path.
#[derive(Clone)]
struct Mounted {
    site: Site,
}

impl Service<Request> for Mounted {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request>::poll_ready(&mut self.site, context)
    }

    fn call(&mut self, mut request: Request) -> ResponseFuture {
        if let Some(OriginalUri(whole)) = request.extensions().get() {
            *request.uri_mut() = whole.clone();
        }
        self.site.call(request)
    }
}

/// Runs the README's program as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
