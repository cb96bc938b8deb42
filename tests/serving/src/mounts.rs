//! Mounts of a site in a framework, and its responses there.

use sitemap_site::{Site, SiteBuilder};

use crate::Rows;

/// The mount of a site.
#[derive(Clone, Copy, Debug)]
pub enum Mounting {
    /// With the framework's `routes`, at the root.
    Routes,
    /// By its `nested`, at this path.
    Nested(&'static str),
}

/// The bases of sites, their mounts, the requested folders, and the expected statuses of the [names](NAMES) there. Links of a site nested
/// at another path than its base would be dead, so the site is not served, and the log gives the reason.
pub const MOUNTS: [(&str, Mounting, &str, u16); 8] = [
    ("https://example.com", Mounting::Routes, "", 200),
    ("https://example.com", Mounting::Routes, "/shop", 404),
    ("https://example.com/shop", Mounting::Routes, "/shop", 200),
    ("https://example.com/shop", Mounting::Routes, "", 404),
    (
        "https://example.com/shop/a%20b",
        Mounting::Routes,
        "/shop/a%20b",
        200,
    ),
    (
        "https://example.com/shop",
        Mounting::Nested("/shop"),
        "/shop",
        200,
    ),
    // Mounted behind a proxy that strips the path.
    ("https://example.com/shop", Mounting::Nested(""), "", 200),
    ("https://example.com", Mounting::Nested("/maps"), "/maps", 404),
];

/// The names of all resources of a [site](mounted_site).
pub const NAMES: [&str; 5] = [
    "/sitemap.xml",
    "/sitemap-pages.xml",
    "/sitemap.html",
    "/sitemap.css",
    "/0123-abcd.txt",
];

/// A site with everything switched on.
///
/// # Panics
/// If the base is invalid.
pub fn mounted_site(base: &str) -> Site {
    SiteBuilder::new(base)
        .section("pages", Rows::new(3))
        .html(true)
        .index_now_key("0123-abcd")
        .build()
        .expect("a site")
}

/// The log of these mounts, for any number of requests.
pub const MOUNTED_ELSEWHERE: &str = "WARN a sitemap was requested outside the folder of the site's base, https://example.com, whose sitemap is \
     https://example.com/sitemap.xml: if the site is mounted at /maps, add that to the base path=\"/maps/sitemap.xml\"";
