/// The bases of sites, the paths at which they are mounted, the addresses of their indexes there, and the statuses. At the last path its
/// links would be dead, so it is not served, and the log says why.
pub const MOUNTS: [(&str, &str, &str, u16); 4] = [
    ("https://example.com", "/", "/sitemap.xml", 200),
    ("https://example.com/shop", "/shop", "/shop/sitemap.xml", 200),
    // The routes have the path of the base.
    ("https://example.com/shop", "/", "/shop/sitemap.xml", 200),
    ("https://example.com", "/maps", "/maps/sitemap.xml", 404),
];

/// What is logged of these mounts, however often they are asked.
pub const MOUNTED_ELSEWHERE: &str = "WARN a sitemap was requested in another folder than that of the site's base, https://example.com, whose sitemap is \
     https://example.com/sitemap.xml: if the site is mounted at /maps, that belongs to the base path=\"/maps/sitemap.xml\"";
