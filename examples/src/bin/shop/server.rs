//! The shop on the web.

use std::fmt;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use clap::Args;
use sitemap_examples::progress::counted;
use tokio::task::spawn_blocking;

use crate::body::{BodyWriter, body};
use crate::database::{Database, Stock};
use crate::sitemap::{self, Part};
use crate::storefront;

/// Requests that may wait for the database or a slow client at a time.
const THREADS: usize = 64;

#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    stock: Stock,
    /// The address to listen on; with port 0 a free one is taken
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:3000")]
    listen: String,
    /// Where the shop is for the public, such as https://example.com/shop [default: http:// and the address]
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
        .with_context(|| format!("cannot listen on {address} (another can be chosen with --listen)"))?;
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
    let parts = sitemap::parts(&mut shop.database.connect()?)?;
    let urls: u64 = parts.iter().map(|part| part.listed).sum();

    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()
        .context("cannot start the server")?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        println!("The shop is open, with its rows in {}:", shop.database.path());
        println!("  http://{}/", reachable(address));
        println!(
            "  http://{}/sitemap.xml (an index of {}, {})",
            reachable(address),
            counted(parts.len() as u64, "part"),
            counted(urls, "URL")
        );
        println!("Ctrl-C closes it.");
        axum::serve(listener, router(shop)).await?;
        Ok(())
    })
}

/// The address that a browser on this machine finds it at.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => ([127, 0, 0, 1], v4.port()).into(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => (std::net::Ipv6Addr::LOCALHOST, v6.port()).into(),
        _ => address,
    }
}

fn router(shop: Shop) -> Router {
    Router::new()
        .route("/", get(storefront::home))
        .route("/about", get(storefront::about))
        .route("/terms", get(storefront::terms))
        .route("/products", get(storefront::products))
        .route("/products/{slug}", get(storefront::product))
        .route("/posts", get(storefront::posts))
        .route("/posts/{slug}", get(storefront::post))
        .route("/robots.txt", get(robots))
        .route("/sitemap.css", get(css))
        .route("/sitemap.xml", get(index))
        .route("/{file}", get(part))
        .with_state(Arc::new(shop))
}

pub(crate) type Site = State<Arc<Shop>>;

const XML: [(header::HeaderName, &str); 1] = [(header::CONTENT_TYPE, "application/xml; charset=utf-8")];

/// The index. It is small, so it is whole before it is sent.
async fn index(State(shop): Site) -> Response {
    let written = spawn_blocking(move || {
        let parts = sitemap::parts(&mut shop.database.connect()?)?;
        sitemap::write_index(&parts, &shop.base, "", Vec::new())
    });
    match written.await {
        Ok(Ok(xml)) => (XML, xml).into_response(),
        Ok(Err(error)) => failure("sitemap.xml", &error),
        Err(error) => failure("sitemap.xml", &error),
    }
}

/// A part, sent while its rows are read.
async fn part(State(shop): Site, Path(file): Path<String>) -> Response {
    let Some(part) = Part::named(&file) else {
        return not_found();
    };
    let (writer, mut blocks) = body();
    let sending = spawn_blocking(move || {
        let sent = send(&shop, part, writer);
        if let Err(error) = &sent {
            eprintln!("{part}: {error:#}");
        }
        sent
    });
    if blocks.begin().await {
        return (XML, Body::from_stream(blocks)).into_response();
    }
    match sending.await {
        Ok(Ok(())) => not_found(),
        _ => failed(),
    }
}

/// Writes a part, unless there is none of that number.
fn send(shop: &Shop, part: Part, out: BodyWriter) -> Result<()> {
    let mut connection = shop.database.connect()?;
    if part.summary(&mut connection)?.is_some() {
        let each = |row: sitemap_serde::Result<()>| {
            if let Err(error) = row {
                eprintln!("{part}: left out: {error}");
            }
        };
        part.write(&mut connection, &shop.base, out, each)?.end()?;
    }
    Ok(())
}

async fn css() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], sitemap::CSS)
}

async fn robots(State(shop): Site) -> String {
    format!("User-agent: *\nAllow: /\n\nSitemap: {}/sitemap.xml\n", shop.base)
}

/// The log gets the reason, the visitor does not.
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
