//! How to read, write and check sitemaps, page by page. Every program here runs as a test.
//!
//! | page | what |
//! |---|---|
//! | [`reading`] | entries one by one, whole documents, errors, limits, gzip and encodings, sitemaps from strangers |
//! | [`lenient`] | documents that are broken, and what was repaired in them |
//! | [`other_formats`] | text sitemaps, RSS and Atom; what a document is; `robots.txt` |
//! | [`serde_mapping`] | which field is which element: attributes, extensions, namespaces of your own |
//! | [`writing`] | rows to a document, file by file; bases, limits, encodings, rows of several entries |
//! | [`deriving`] | `#[derive(SitemapEntry)]` and `#[derive(FromSitemapEntry)]` on the model of a database |
//! | [`editing`] | changes to somebody's file, all else byte for byte as it was |
//! | [`linting`] | what is wrong with a set of sitemaps, and what changed between two sets |

#[cfg(feature = "derive")]
pub mod deriving;
pub mod editing;
pub mod lenient;
pub mod linting;
pub mod other_formats;
pub mod reading;
pub mod serde_mapping;
pub mod writing;
