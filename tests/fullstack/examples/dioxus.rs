//! A Dioxus fullstack server with the sitemap of its routes: one enum for the router and for the entries.

use dioxus::prelude::*;
use sitemap_serde::SitemapEntry;
use sitemap_site::{RobotsTxt, SiteBuilder};

#[derive(Clone, Debug, PartialEq, Routable, SitemapEntry)]
enum Route {
    #[route("/")]
    #[sitemap(loc = "/")]
    Home {},
    #[route("/about")]
    #[sitemap(loc = "/about")]
    About {},
    #[route("/posts/:slug")]
    #[sitemap(loc = "/posts/{slug}")]
    Post { slug: String },
}

#[component]
fn Home() -> Element {
    rsx! { "home" }
}

#[component]
fn About() -> Element {
    rsx! { "about" }
}

#[component]
fn Post(slug: String) -> Element {
    rsx! { "post {slug}" }
}

fn app() -> Element {
    rsx! { Router::<Route> {} }
}

fn main() {
    dioxus::serve(|| async {
        let slugs = ["lamps".into(), "dark lamps".into(), "x".repeat(3_000)]; // the last is too long for a sitemap
        let site = SiteBuilder::new("https://example.com")
            .section("pages", Route::static_routes())
            .section("posts", slugs.map(|slug| Route::Post { slug })) // rows of a database
            .robots_txt(RobotsTxt::new())
            .build()?;
        site.ready().await?; // renders each section once
        Ok(dioxus::server::router(app).merge(sitemap_axum::routes(&site)))
    });
}
