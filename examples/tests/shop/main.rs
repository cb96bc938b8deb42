//! The example `shop` from outside: run, fetched, opened in a browser, and checked by other programs.

mod browser;
mod corpus;
mod errors;
mod export;
mod fill;
mod import;
mod program;
mod serve;
mod sitemap;
