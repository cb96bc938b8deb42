//! What `sitemap-site` serves, seen from the other end of a socket.

mod client;
mod crawl;
mod rows;
mod suite;

pub use client::{Client, Response, get, raw, raw_timed};
pub use crawl::{Crawled, Entry, crawl, inflate, sitemaps, urls};
pub use rows::{Page, Rows};
pub use suite::{check, site};
