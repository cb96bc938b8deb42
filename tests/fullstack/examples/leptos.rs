//! A Leptos application, which axum renders and serves, with a sitemap of its routes.

use axum::Router;
use leptos::prelude::*;
use leptos_axum::{AxumRouteListing, LeptosRoutes, generate_route_list};
use leptos_router::components::{Route, Router as Pages, Routes};
use leptos_router::{hooks::use_params_map, path};
use sitemap_serde::{SitemapEntry, UrlEntry};
use sitemap_site::{RobotsTxt, SiteBuilder};

#[component]
fn App() -> impl IntoView {
    view! {
        <Pages>
            <Routes fallback=|| "no such page">
                <Route path=path!("/") view=|| "home"/>
                <Route path=path!("/about") view=|| "about"/>
                <Route path=path!("/posts/:slug") view=|| format!("post {}", use_params_map().read().get("slug").unwrap_or_default())/>
            </Routes>
        </Pages>
    }
}

#[derive(Clone, SitemapEntry)]
#[sitemap(loc = "/posts/{slug}")]
struct Post {
    slug: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let slugs = ["lamps".into(), "dark lamps".into(), "x".repeat(3_000)]; // the last is too long for a sitemap
    let routes = generate_route_list(App);
    // In axum's syntax. A route with parameters, `/posts/{slug}`, is a section with rows of a database.
    let pages = routes
        .iter()
        .map(AxumRouteListing::path)
        .filter(|path| !path.contains('{'));
    let site = SiteBuilder::new("https://example.com")
        .section("pages", pages.map(UrlEntry::new).collect::<Vec<_>>())
        .section("posts", slugs.map(|slug| Post { slug }))
        .robots_txt(RobotsTxt::new())
        .build()?;
    site.ready().await?; // renders each section once
    let options = get_configuration(None)?.leptos_options;
    let listener = tokio::net::TcpListener::bind(options.site_addr).await?;
    let app = Router::new()
        .leptos_routes(&options, routes, App)
        .merge(sitemap_axum::routes(&site))
        .with_state(options);
    axum::serve(listener, app).await?;
    Ok(())
}
