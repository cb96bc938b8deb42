//! Sources of rows: lists, databases, your own.
//!
//! Begin with [`source::list`](crate::source::list()), a function that returns all entries: it is enough for a [small site](super::small). A database is read
//! in parts.
//!
//! A section's rows come from a type that implements [`Source`](crate::Source). Lists implement it; for databases there are the crates
//! `sitemap-sqlx`, `sitemap-seaorm`, `sitemap-diesel` and `sitemap-diesel-async`. Your own source implements one function, which returns the
//! first rows of a range of keys:
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::ops::Bound::{Excluded, Included, Unbounded};
//!
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::source::{BoxError, Row, Span, WrongKey};
//! use sitemap_site::{Key, KeyValue, SiteBuilder, Source};
//!
//! struct Articles(BTreeMap<i64, String>);
//!
//! impl Source for Articles {
//!     type Entry = UrlEntry;
//!
//!     async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
//!         let number = |key: &Key| match key.values() {
//!             [KeyValue::Integer(number)] => Ok(*number),
//!             _ => Err(WrongKey), // the address is made up: 404
//!         };
//!         let after = span.after.as_ref().map(number).transpose()?;
//!         let to = span.to.as_ref().map(number).transpose()?;
//!         if after.is_some() && to.is_some() && after >= to {
//!             return Ok(Vec::new());
//!         }
//!         let range = (after.map_or(Unbounded, Excluded), to.map_or(Unbounded, Included));
//!         let rows = self.0.range(range).take(limit);
//!         Ok(rows.map(|(id, slug)| Row::new(*id, UrlEntry::new(format!("/{slug}")))).collect())
//!     }
//! }
//!
//! let articles = Articles([(1, "first".into()), (7, "second".into())].into());
//! let site = SiteBuilder::new("https://example.com").section("articles", articles).build()?;
//! # Ok::<(), sitemap_site::Error>(())
//! ```
//!
//! A source that blocks its thread implements [`BlockingSource`](crate::source::BlockingSource) instead;
//! [`blocking`](crate::source::blocking()) makes it a `Source` that runs on threads where blocking is allowed.
//!
//! # Keys
//!
//! A key is unique and not null, and rows are ordered by it, in any collation of the database. A key consists of one or more columns of
//! integers, texts (including UUIDs) or bytes. When rows are read, a duplicate key fails the part, and the log names the key.
//!
//! A database must compare keys as it orders them, or rows between two queries are lost. A site checks this: the ranges up to a key and after it
//! must have all rows, as they were read, and as many as the source counts. Otherwise [`Site::ready`](crate::Site::ready) is an error that names
//! the column, and a part that would lack rows is 500. So these are refused: null in a key, PostgreSQL's `citext` if a program compares it as a
//! text (SeaORM, Diesel) or if its schema is not in the `search_path`, and enums of MariaDB, which are compared as texts and ordered by their
//! definition.
//!
//! | | SQLite | PostgreSQL | MySQL, MariaDB |
//! |---|---|---|---|
//! | sqlx | integers, texts, blobs | any type that converts to and from text | integers, decimals, texts, bytes, dates, times with a date, UUIDs, IP addresses; one column |
//! | SeaORM | integers, texts, UUIDs, bytes | integers, texts, UUIDs, bytes | the same; one column |
//! | Diesel | integers, texts, bytes | the same, and UUIDs with the feature `uuid` | the same, and unsigned integers with the feature `mysql`; one column |
//! | diesel-async | integers, texts, bytes | the same, and UUIDs with the feature `uuid` | not tested |
//!
//! Several columns are compared as a row value, `(a, b) > (?, ?)`. SQLite and PostgreSQL use an index on both columns for it; MySQL does not.
//! Diesel needs libpq for PostgreSQL and libmysqlclient or libmariadb for MySQL; diesel-async needs neither.
//!
//! # Failures
//!
//! An error from `page` fails the part with a 500, or with a 503 if it is [`Unavailable`](crate::source::Unavailable), for temporary failures. If
//! a single row cannot be made an entry, return [`Row::failed`](crate::source::Row::failed): only that row is skipped.
//!
//! # One more query per batch of rows
//!
//! [`with_batch`](crate::source::with_batch()) takes a function that receives the rows of a batch together and returns the rows to list: the
//! translations of 1,000 products need one query, not 1,000.
//!
//! For a list in another table, such as a product's images, the database can do this itself: a subquery with `json_group_array` (SQLite) or
//! `json_agg` (PostgreSQL) makes one column of it, which the type decodes as a `Vec`. The documentation of `sitemap-sqlx` has a program.
//!
//! # Versions
//!
//! A source that knows when a range has changed implements [`version`](crate::Source::version): it returns a text that differs after each change
//! of anything that the entries depend on, joined tables included. While it is the same, no rows are read.
