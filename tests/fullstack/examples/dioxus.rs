//! The routes of a Dioxus application as a sitemap: one enum for the router and for the entries.

use dioxus::prelude::*;
use sitemap_serde::{SitemapEntry, WriterBuilder};

#[derive(Clone, Debug, PartialEq, Routable, SitemapEntry)]
enum Route {
    #[route("/")]
    #[sitemap(loc = "/")]
    Home {},
    #[route("/about")]
    #[sitemap(loc = "/about")]
    About {},
    #[route("/posts/:id")]
    #[sitemap(loc = "/posts/{id}")]
    Post { id: u32 },
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
fn Post(id: u32) -> Element {
    rsx! { "post {id}" }
}

fn main() -> sitemap_serde::Result<()> {
    let posts = [7, 8].map(|id| Route::Post { id }); // of a database
    let routes: Vec<Route> = Route::static_routes().into_iter().chain(posts).collect();
    // The router's own paths, which the test compares with the locs.
    println!(
        "{}",
        routes.iter().map(Route::to_string).collect::<Vec<_>>().join(" ")
    );
    println!(
        "{}",
        WriterBuilder::new()
            .base("https://example.com")
            .entries_to_string(&routes)?
    );
    Ok(())
}
