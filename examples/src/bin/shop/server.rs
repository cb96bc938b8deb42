//! The shop on the web.

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use clap::Args;
use sitemap_site::Site;
use tracing::Level;

use crate::connections;
use crate::database::{Database, Stock};
use crate::sitemap;
use crate::storefront;

/// Requests that may wait for the database at a time.
const THREADS: usize = 64;

#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    stock: Stock,
    /// The address to listen on; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:3000")]
    listen: String,
    /// The public URL of the shop, such as https://example.com/shop [default: http:// and the address]
    #[arg(long, value_name = "URL")]
    base: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Shop {
    pub(crate) database: Database,
    pub(crate) base: String,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let address = &options.listen;
    let listener = TcpListener::bind(address)
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
        .map_err(|error| {
            anyhow!("cannot listen on {address}: {error}; choose another address with --listen: 127.0.0.1:0 is one with a free port")
        })?;
    let address = listener.local_addr()?;
    let base = match &options.base {
        Some(base) => base.trim_end_matches('/').to_owned(),
        None => format!("http://{}", reachable(address)),
    };
    sitemap::check_base(&base)?;
    let shop = Shop {
        database: options.stock.open()?,
        base,
    };
    let site = sitemap::site(&shop.base, &shop.database)?;
    // Logs skipped rows, and failed parts of the sitemap.
    tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_max_level(Level::WARN)
        .init();

    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()
        .context("cannot start the server")?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        site.ready().await.context("the sitemap cannot be made")?;
        println!(
            "The shop is open, with its rows in {} (--refill makes them anew):",
            shop.database.path()
        );
        println!("  http://{}/", reachable(address));
        println!("  http://{}/sitemap.xml", reachable(address));
        println!(
            "  http://{}/sitemap.html (the same, for people)",
            reachable(address)
        );
        println!("Ctrl-C closes it.");
        connections::serve(listener, router(shop, &site), connections::closed()).await;
        Ok(())
    })
}

/// The address for a browser on this machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => ([127, 0, 0, 1], v4.port()).into(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => (std::net::Ipv6Addr::LOCALHOST, v6.port()).into(),
        _ => address,
    }
}

fn router(shop: Shop, site: &Site) -> Router {
    let robots = format!("User-agent: *\nAllow: /\n\n{}\n", site.robots_lines());
    Router::new()
        .route("/", get(storefront::home))
        .route("/about", get(storefront::about))
        .route("/terms", get(storefront::terms))
        .route("/products", get(storefront::products))
        .route("/products/{slug}", get(storefront::product))
        .route("/posts", get(storefront::posts))
        .route("/posts/{slug}", get(storefront::post))
        .route("/robots.txt", get(|| async { robots }))
        // The shop's own pages are at the root: a proxy strips the path of the base.
        .merge(sitemap_axum::nested(site))
        .fallback(|| async { not_found() })
        .with_state(Arc::new(shop))
}

pub(crate) type InShop = State<Arc<Shop>>;

/// Only the log gets the reason, not the visitor.
pub(crate) fn failure(what: &str, error: &(impl fmt::Display + ?Sized)) -> Response {
    eprintln!("{what}: {error:#}");
    failed()
}

fn failed() -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, "The shop has a problem.\n").into_response()
}

pub(crate) fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "There is no such page.\n").into_response()
}
