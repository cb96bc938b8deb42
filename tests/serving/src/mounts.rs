/// The bases of sites, the paths at which they are mounted, and the statuses of their indexes there. At the second path its links would be dead,
/// so it is not served, and the log says why.
pub const MOUNTS: [(&str, &str, u16); 2] = [
    ("https://example.com/shop", "/shop", 200),
    ("https://example.com", "/maps", 404),
];

/// What is logged of these mounts, however often they are asked.
pub const MOUNTED_ELSEWHERE: &str = "WARN a sitemap was requested in another folder than that of the site's base, https://example.com, whose sitemap is \
     https://example.com/sitemap.xml: if the site is mounted at /maps, that belongs to the base path=\"/maps/sitemap.xml\"";
