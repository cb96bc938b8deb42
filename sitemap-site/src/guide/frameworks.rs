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
//! | Loco 1 | an initializer that merges the routes of `sitemap-axum`, below; needs Rust 1.94 |
//! | Leptos 0.9 on axum | `Router::merge(sitemap_axum::routes(&site))`; a section with the routes of the application, below |
//! | Dioxus 0.7 with its server | `dioxus::server::router(app).merge(sitemap_axum::routes(&site))`; a section with the routes, below |
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
//! The programs of Loco, Leptos and Dioxus are in `tests/fullstack/examples`. A test reads their sitemaps and each listed page by curl.
//!
//! # Loco
//!
//! Loco passes its axum router to the initializers that `Hooks::initializers` lists. This one is `src/initializers/sitemap.rs`:
//!
//! ```ignore
//! #[derive(FromQueryResult, SitemapEntry)]
//! #[sitemap(loc = "/posts/{slug}")]
//! struct Post {
//!     slug: String,
//!     #[sitemap(lastmod)]
//!     updated_at: DateTimeWithTimeZone,
//! }
//!
//! #[async_trait]
//! impl Initializer for Sitemap {
//!     fn name(&self) -> String {
//!         "sitemap".to_owned()
//!     }
//!
//!     async fn after_routes(&self, router: Router, ctx: &AppContext) -> Result<Router> {
//!         let posts = sitemap_seaorm::entity_as::<posts::Entity, Post>(ctx.db.clone());
//!         let site = SiteBuilder::new(&ctx.config.server.host)
//!             .section("posts", posts)
//!             .section("pages", ["/", "/about"].map(UrlEntry::new))
//!             .robots_txt(RobotsTxt::new())
//!             .build()
//!             .map_err(Error::wrap)?;
//!         site.ready().await.map_err(Error::wrap)?; // counts the rows; until then the index answers 503
//!         Ok(router.merge(sitemap_axum::routes(&site)))
//!     }
//! }
//! ```
//!
//! The row is a type of its own, since `cargo loco db entities` overwrites the entities. The base is `server.host` of the settings,
//! which must be the public address of the site.
//!
//! By default, Loco's log has only the events of Loco and of the application. Standard error has one line about the sitemap, when the first
//! row is skipped or a part fails. A filter in `config/production.yaml` adds the warnings of all crates:
//!
//! ```yaml
//! logger:
//!   override_filter: warn,loco_rs=info,loco_blog=info
//! ```
//!
//! `loco_blog` is the application. The variable `RUST_LOG` replaces the filter of the settings.
//!
//! # Leptos
//!
//! `generate_route_list` returns the routes of the application in axum's syntax. Those without parameters are pages. The pages of the others
//! are rows of a database:
//!
//! ```ignore
//! let routes = generate_route_list(App);
//! let pages = routes
//!     .iter()
//!     .map(AxumRouteListing::path)
//!     .filter(|path| !path.contains('{'));
//! let site = SiteBuilder::new("https://example.com")
//!     .section("pages", pages.map(UrlEntry::new).collect::<Vec<_>>())
//!     .section("posts", slugs.map(|slug| Post { slug }))
//!     .robots_txt(RobotsTxt::new())
//!     .build()?;
//! site.ready().await?; // renders each section once
//! let app = Router::new()
//!     .leptos_routes(&options, routes, App)
//!     .merge(sitemap_axum::routes(&site))
//!     .with_state(options);
//! ```
//!
//! The path of a route, such as `/posts/{slug}`, is also the template of a loc. Leptos sets up no log: begin `main` with
//! `tracing_subscriber::fmt::init()`.
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
//!     #[route("/posts/:slug")]
//!     #[sitemap(loc = "/posts/{slug}")]
//!     Post { slug: String },
//! }
//!
//! fn main() {
//!     dioxus::serve(|| async {
//!         let site = SiteBuilder::new("https://example.com")
//!             .section("pages", Route::static_routes())
//!             .section("posts", slugs.map(|slug| Route::Post { slug })) // rows of a database
//!             .robots_txt(RobotsTxt::new())
//!             .build()?;
//!         site.ready().await?; // renders each section once
//!         Ok(dioxus::server::router(app).merge(sitemap_axum::routes(&site)))
//!     });
//! }
//! ```
//!
//! A test should request each listed page, or compare the loc of each route with its path in the router, `route.to_string()`. Dioxus' own
//! log shows the events of all crates; if `RUST_LOG` is set, it must name `sitemap_site=warn`.
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
