//! Reading and writing without loss: published sitemaps, and entries made at random, which the schemas find nothing wrong with.

mod corpus;
mod guide;
mod independent;
mod namespaces;
mod random;
mod schemas;
mod shuffled;

/// The namespaces of the extensions.
const NAMESPACES: [&str; 6] = [
    "http://www.google.com/schemas/sitemap-image/1.1",
    "http://www.google.com/schemas/sitemap-video/1.1",
    "http://www.google.com/schemas/sitemap-news/0.9",
    "http://www.w3.org/1999/xhtml",
    "http://www.google.com/schemas/sitemap-mobile/1.0",
    "http://www.google.com/schemas/sitemap-pagemap/1.0",
];
