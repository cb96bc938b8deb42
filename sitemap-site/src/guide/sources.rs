//! Where entries come from.
//!
//! Anything that implements [`Source`](crate::Source) is a section. Lists are sources as they are; a database has a crate of its own
//! (`sitemap-sqlx`, `sitemap-seaorm`, `sitemap-diesel`, `sitemap-diesel-async`). By hand it is one function, which gives the first rows of a
//! range:
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::ops::Bound::{Excluded, Included, Unbounded};
//!
//! use sitemap_serde::UrlEntry;
//! use sitemap_site::source::{BoxError, Row, Span, WrongKey};
//! use sitemap_site::{Key, KeyValue, Site, Source};
//!
//! struct Articles(BTreeMap<i64, String>);
//!
//! impl Source for Articles {
//!     type Entry = UrlEntry;
//!
//!     async fn page(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
//!         let number = |key: &Key| match key.values() {
//!             [KeyValue::Integer(number)] => Ok(*number),
//!             _ => Err(WrongKey), // somebody made the address up: 404
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
//! let site = Site::new("https://example.com").section("articles", articles).build()?;
//! # Ok::<(), sitemap_site::BuildError>(())
//! ```
//!
//! A source that blocks its thread implements [`BlockingSource`](crate::source::BlockingSource) in place of it, and
//! [`blocking`](crate::source::blocking()) runs it where that does no harm.
//!
//! # Keys
//!
//! A key is unique and not null, and rows are ordered by it; by which collation is the database's business alone. Whole numbers, texts
//! (UUIDs among them), bytes, and several columns of these are keys. That keys are unique is checked where rows are read: two with
//! the same fail the part, and the log names the key.
//!
//! | | SQLite | PostgreSQL | MySQL, MariaDB |
//! |---|---|---|---|
//! | sqlx | whole numbers, texts, blobs | whatever has a text | whole numbers, texts, bytes; one column |
//! | SeaORM | whole numbers, texts, UUIDs, bytes | whole numbers, texts, UUIDs, bytes | the same; one column |
//! | Diesel, diesel-async | whole numbers, texts, bytes | the same, and UUIDs with the feature `uuid` | not tested |
//!
//! Several columns are compared as a row value, `(a, b) > (?, ?)`, which an index of both answers in SQLite and PostgreSQL, and none in MySQL.
//! Diesel reaches PostgreSQL by libpq; diesel-async does without.
//!
//! # Failures
//!
//! An error of a page fails the part with a 500; [`Unavailable`](crate::source::Unavailable) makes it a 503, for what is expected to
//! pass. One row that cannot be made an entry is [`Row::failed`](crate::source::Row::failed): it alone is left out.
//!
//! # One more query for a page of rows
//!
//! [`with_page`](crate::source::with_page()) is given the rows of a page at once and gives back others: the translations of 1,000 products
//! are one query.
//!
//! # Versions
//!
//! A source that knows when a range has changed says so by [`version`](crate::Source::version), a text that is another after each change,
//! covering all that entries are made of, joined tables too. While it is the same, no rows are read.
