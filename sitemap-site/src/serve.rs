//! Serving the sitemap of a site as a service.
//!
//! **tokio** provides tasks, timers and blocking threads; its reactor, files and sockets are not used. Time limits need a timer,
//! and a rendering must continue when the client that started it disconnects. All frameworks with tower services run on tokio.
//!
//! | module | content |
//! |---|---|
//! | `section`, `new_section`, `section_stats` | a section: its source without its type, its table and counters; as it is added to a site |
//! | `render`, `rendered`, `unrendered`, `entries`, `links`, `check`, `changes`, `export` | outputs of rows: XML and gzip, why there are none, entries, links with titles, a report, changed pages, a set of files |
//! | `order`, `disorder` | rows batch by batch, and the check that the source compares keys as it orders them |
//! | `count/`, `table/`, `upkeep`, `sharing` | the table of a section's parts: making it by short queries, keeping it, updating it, and sharing documents with other instances |
//! | `respond`, `kept`, `parts`, `index`, `flat`, `html/`, `robots`, `others` | a request's resource: the last good copy of a document and its renewal; parts, the index, all pages in one file, pages for people, robots.txt, sitemaps of other applications |
//! | `address`, `key_address`, `opaque`, `headers`, `http_date`, `conditional`, `encoding`, `body`, `refusal` | addresses, with or without the keys of rows; HTTP, and the errors of clients |
//! | `cache`, `memory`, `flight`, `turns`, `retries`, `recovery`, `purge` | limits: memory and temporary files, renderings that run and wait, pauses after failures, retries without requests |
//! | `stats`, `quiet`, `mount`, `unheard`, `refresh_error` | counters, and logs: once in a while, about a wrong mount, or on standard error if no log shows them |
//! | `builder`, `sites`, `serve_set/`, `rebased/` | building a site; several sites, a published set, and the sitemaps of another server as services |

mod address;
mod body;
mod builder;
mod cache;
mod changes;
mod check;
mod conditional;
mod count;
mod disorder;
mod encoding;
mod entries;
mod export;
mod flat;
mod flight;
mod headers;
mod html;
mod http_date;
mod index;
mod kept;
mod key_address;
mod links;
mod memory;
mod mount;
mod new_section;
mod opaque;
mod order;
mod others;
mod parts;
mod purge;
mod quiet;
mod rebased;
mod recovery;
mod refresh_error;
mod refusal;
mod render;
mod rendered;
mod respond;
mod retries;
mod robots;
mod section;
mod section_stats;
mod serve_set;
mod sharing;
mod sites;
mod stats;
mod table;
mod turns;
mod unheard;
mod unrendered;
mod upkeep;

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use sitemap_serde::WriterBuilder;
use tower_service::Service;

pub use body::Body;
pub use builder::SiteBuilder;
pub use changes::SiteChanges;
pub use check::{Findings, Report, SectionReport};
pub use new_section::{IntoSection, Section as NewSection};
pub use rebased::Rebased;
pub use robots::RobotsTxt;
pub use section_stats::{Failures, SectionStats};
pub use serve_set::ServeSet;
pub use sites::Sites;
pub use stats::ServeStats;
pub use table::{FileStore, TableStore};

use crate::source::Span;
use cache::Copies;
use section::Section;

/// The sitemap of a site as a service: an index at `/sitemap.xml` and its parts, rendered from rows on request.
///
/// ```
/// use sitemap_serde::SitemapEntry;
/// use sitemap_site::SiteBuilder;
///
/// #[derive(Clone, SitemapEntry)]
/// enum Page {
///     #[sitemap(loc = "/")]
///     Home,
///     #[sitemap(loc = "/about")]
///     About,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let site = SiteBuilder::new("https://example.com")
///     .section("pages", [Page::Home, Page::About])
///     .build()?;
///
/// let request = http::Request::get("/sitemap.xml").body(())?;
/// let response = site.respond(&request).await;
/// assert_eq!(response.status(), 200);
/// assert_eq!(response.headers()["content-type"], "application/xml; charset=utf-8");
/// # Ok(())
/// # }
/// ```
///
/// It is a [`tower_service::Service`] for requests with any body, and its error type is `Infallible`. The crates `sitemap-axum`,
/// `sitemap-actix` and `sitemap-rocket` have the routes; [`paths`](Self::paths) lists them for other frameworks. Cloning is
/// cheap; clones share the same state. The [guide](crate::guide::serving) has a first site, and describes the
/// [responses](crate::guide::responses) and their costs.
///
/// # Runtime
///
/// It needs a tokio runtime of any flavour with the timer enabled: parts are rendered in separate tasks, independent of the client, and
/// blocking queries run on tokio's blocking threads. It does not use tokio's I/O driver, files or sockets.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

/// A part, identified by its section's index and its range.
type PartId = (usize, Span);

pub(crate) struct Inner {
    /// Scheme, host, and path without a `/` at the end.
    base: String,
    /// The base's path, empty or beginning with `/`.
    base_path: String,
    sections: Vec<Section>,
    /// The sitemaps of other applications.
    others: Vec<Arc<others::Other>>,
    index_writer: WriterBuilder,
    /// The index's lifetime: the shortest of the sections'.
    lifetime: headers::Lifetime,
    /// Maximum age of a count of all rows.
    recount_age: Duration,
    /// Maximum time of a rendering.
    time_limit: Duration,
    /// The page at `/sitemap.html`, if it is served.
    html: Option<html::Html>,
    index_now_key: Option<String>,
    robots_txt: Option<RobotsTxt>,
    addresses: address::Addresses,
    /// If `/sitemap.xml` is a urlset as long as the pages fit in one.
    flat: flat::State,
    /// Of a document.
    most_bytes: u64,
    /// The memory of renderings, cached or being sent.
    memory: memory::Memory,
    copies: Copies<PartId>,
    parts: kept::Renewals<PartId, Arc<rendered::Rendered>, refusal::Refusal>,
    turns: turns::Turns,
    running: turns::Running<PartId>,
    /// `true` if the index omits sections that fail to be counted, and lists the others.
    skips_failed: bool,
    quiet: quiet::Quiet,
    mount: mount::Mount,
    upkeep: upkeep::State,
    index: index::State,
    stats: stats::Counters,
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site")
            .field("base", &self.0.base)
            .field("sections", &self.0.sections)
            .finish_non_exhaustive()
    }
}

impl Site {
    /// The paths of the site, for the routes of a framework: `/sitemap.xml`, `/sitemap-{part}` for all parts, and, if enabled,
    /// `/robots.txt`, `/sitemap.html`, `/sitemap.css` and the key file of IndexNow, all below the path of the base.
    ///
    /// ```
    /// let site = sitemap_site::SiteBuilder::new("https://example.com/shop").html(true).build()?;
    /// let paths: Vec<_> = site.paths().collect();
    /// assert_eq!(paths, ["/shop/sitemap.xml", "/shop/sitemap-{part}", "/shop/sitemap.html", "/shop/sitemap.css"]);
    /// # Ok::<(), sitemap_site::Error>(())
    /// ```
    pub fn paths(&self) -> impl Iterator<Item = String> {
        let site = &*self.0;
        let key = site.index_now_key.as_ref().map(|key| format!("{key}.txt"));
        ["sitemap.xml", "sitemap-{part}"]
            .into_iter()
            .chain(site.robots_txt.as_ref().map(|_| "robots.txt"))
            .chain(site.html.as_ref().map(|_| "sitemap.html"))
            .chain(site.html.as_ref().map(|_| "sitemap.css"))
            .map(str::to_owned)
            .chain(key)
            .map(|name| format!("{}/{name}", site.base_path))
    }

    /// The lines of robots.txt with the URLs of the indexes, without a line break at the end. There is one index, unless the site
    /// has more than 50,000 parts (P-COUNT). Then `/sitemap-index-2.xml` and so on list the rest, since an index cannot list
    /// other indexes (P-NEST). The number of indexes is known after [`ready`](Self::ready). When it changes, a warning has the
    /// lines.
    ///
    /// ```
    /// let site = sitemap_site::SiteBuilder::new("https://example.com/shop/").build()?;
    /// assert_eq!(site.robots_lines(), "Sitemap: https://example.com/shop/sitemap.xml");
    /// # Ok::<(), sitemap_site::Error>(())
    /// ```
    pub fn robots_lines(&self) -> String {
        self.0.robots_lines(self.0.index.count())
    }

    /// Returns the counters of the site.
    pub fn stats(&self) -> ServeStats {
        let site = &self.0;
        ServeStats {
            sections: site.sections.iter().map(Section::stats).collect(),
            ..site
                .stats
                .stats(site.copies.bytes(), &site.memory, site.turns.pending())
        }
    }
}

/// The future of a response from a [`Site`], [`Sites`], [`ServeSet`] or [`Rebased`] as a service, which never fails. Dropping it cancels the rendering, unless other
/// requests wait for it.
pub struct ResponseFuture(Pin<Box<dyn Future<Output = Response<Body>> + Send>>);

impl fmt::Debug for ResponseFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseFuture").finish_non_exhaustive()
    }
}

impl Future for ResponseFuture {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context).map(Ok)
    }
}

macro_rules! service {
    ($($service:ty),*) => {$(
        impl<B> Service<Request<B>> for $service {
            type Response = Response<Body>;
            type Error = Infallible;
            type Future = ResponseFuture;

            fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
                Poll::Ready(Ok(()))
            }

            fn call(&mut self, request: Request<B>) -> ResponseFuture {
                ResponseFuture(Box::pin(self.respond(&request)))
            }
        }
    )*};
}
service!(Site, Sites, ServeSet, Rebased);
