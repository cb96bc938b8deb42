//! Mounting a site in a web framework.
//!
//! [`Site`](crate::Site), [`Sites`](crate::Sites), [`ServeSet`](crate::ServeSet) and [`Rebased`](crate::Rebased) are tower services for requests
//! with any body.
//!
//! | framework | mount |
//! |---|---|
//! | axum 0.8 | `Router::merge(sitemap_axum::routes(&site))`; below a prefix `sitemap_axum::nested`; other services by `Router::route_service` |
//! | actix-web 4 | `App::new().configure(sitemap_actix::routes(&site))` |
//! | Rocket 0.5 | `rocket::build().mount("/", sitemap_rocket::routes(&site))` |
//! | poem 3 | its feature `tower-compat`, below |
//! | salvo 0.95 | its feature `tower-compat`, below; needs Rust 1.94 |
//! | hyper 1 | `TowerToHyperService::new(site)` of hyper-util, for a program that serves nothing else |
//!
//! [`Site::paths`](crate::Site::paths) lists all paths of a site, such as `/robots.txt` if it has one.
//!
//! # poem
//!
//! A route that begins with a fixed text and ends with a parameter is a regular expression in poem:
//!
//! ```ignore
//! use poem::endpoint::TowerCompatExt; // poem's feature `tower-compat`
//!
//! let app = Route::new()
//!     .at("/sitemap.xml", site.clone().compat())
//!     .at("/:part<sitemap-.+>", site.compat());
//! ```
//!
//! # salvo
//!
//! ```ignore
//! let router = Router::new()
//!     .push(Router::with_path("sitemap.xml").goal(handler(site.clone())))
//!     .push(Router::with_path("sitemap-{part}").goal(handler(site)));
//!
//! fn handler(site: Site) -> impl Handler {
//!     TowerServiceCompat::<ReqBody, _, _, _>::compat(site) // salvo's feature `tower-compat`
//! }
//! ```
//!
//! Whole programs for both, and for hyper, are in `tests/frameworks/examples` of the repository. A test asks each for every kind of response.
//!
//! # Dioxus
//!
//! An enum of routes is also a type of entries. `static_routes` of Dioxus' router returns the routes without parameters; the others are rows of
//! a database:
//!
//! ```ignore
//! #[derive(Clone, Debug, PartialEq, Routable, SitemapEntry)]
//! enum Route {
//!     #[route("/about")]
//!     #[sitemap(loc = "/about")]
//!     About {},
//!     #[route("/posts/:id")]
//!     #[sitemap(loc = "/posts/{id}")]
//!     Post { id: u32 },
//! }
//! ```
//!
//! `SiteBuilder::section("pages", Route::static_routes())` lists them. A test should compare the loc of each route with its path in the router,
//! `route.to_string()`, as `tests/fullstack` in the repository does.
//!
//! # The log's filter
//!
//! Skipped rows and failures are logged under the target `sitemap_site`, as warnings and errors. A subscriber that shows only the program's
//! own lines hides them: standard error has only one line, about the first of them. A filter must name both targets:
//!
//! ```
//! // With `EnvFilter` of tracing-subscriber: `EnvFilter::new("my_shop=info,sitemap_site=warn")`, or the variable `RUST_LOG`.
//! use tracing_subscriber::filter::{LevelFilter, Targets};
//! use tracing_subscriber::prelude::*;
//!
//! let filter = Targets::new()
//!     .with_target("my_shop", LevelFilter::INFO)
//!     .with_target("sitemap_site", LevelFilter::WARN);
//! let subscriber = tracing_subscriber::registry().with(tracing_subscriber::fmt::layer()).with(filter);
//! # drop(subscriber);
//! ```
