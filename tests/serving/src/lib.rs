//! Tests of `sitemap-site` over a socket.

mod body;
mod client;
mod crawl;
mod failing;
mod kinds;
mod log;
mod migrations;
mod mounts;
#[cfg(unix)]
mod mysql;
#[cfg(unix)]
mod postgres;
mod program;
mod rows;
mod suite;
mod walk;

pub use body::body;
pub use client::{Client, Response, get, raw, raw_timed};
pub use crawl::{Crawled, Entry, assert_products, crawl, inflate, listed, sitemaps, urls};
pub use failing::{FAILING, MESSAGES, codes};
pub use kinds::{Class, KIND_ROWS, Kind, listed_once, mariadb_kinds, postgres_kinds, sqlite_kinds};
pub use log::{Log, logged};
pub use migrations::{Dialect, MIGRATED_ROWS, Migrations, survives};
pub use mounts::{MOUNTED_ELSEWHERE, MOUNTS, Mounting, NAMES, mounted_site};
#[cfg(unix)]
pub use mysql::MySql;
#[cfg(unix)]
pub use postgres::Postgres;
pub use program::Program;
pub use rows::{Page, Rows};
pub use suite::{check, site};
pub use walk::{newest, uuid, walk, walked};
