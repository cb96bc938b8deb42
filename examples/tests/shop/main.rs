//! The example `shop` from outside: run, fetched from, looked at in a browser, and judged by programs of others.

mod browser;
mod corpus;
mod errors;
mod export;
mod fill;
mod import;
mod program;
mod serve;
mod sitemap;
