//! How to read, write and check sitemaps, a page for each task. Every program here runs as a test.
//!
//! | page | topics |
//! |---|---|
//! | [`reading`] | entries one by one, whole documents, errors, limits, gzip and encodings, untrusted sitemaps |
//! | [`untrusted`] | ten thousand sitemaps of strangers: one program with threads, limits and a report |
//! | [`lenient`] | malformed documents, and a diagnostic for each repair |
//! | [`other_formats`] | text sitemaps, RSS and Atom; detecting a document's format; `robots.txt` |
//! | [`serde_mapping`] | how fields map to elements and attributes, extensions, your own namespaces |
//! | [`writing`] | documents from rows; images, videos and languages, bases, limits, encodings, several files, rows with several entries |
//! | [`deriving`] | `#[derive(SitemapEntry)]` and `#[derive(FromSitemapEntry)]` on database models |
//! | [`own_extensions`] | elements in a namespace of your own, typed, in both directions |
//! | [`editing`] | changing an existing file; the rest is copied byte for byte |
//! | [`linting`] | finding problems in a set of sitemaps, and comparing two sets |
//! | [`migrating`] | coming from `sitemap`, `sitemap-rs`, quick-xml's serde or Django |

#[cfg(feature = "derive")]
pub mod deriving;
pub mod editing;
pub mod lenient;
pub mod linting;
#[cfg(feature = "derive")]
pub mod migrating;
pub mod other_formats;
#[cfg(feature = "derive")]
pub mod own_extensions;
pub mod reading;
pub mod serde_mapping;
pub mod untrusted;
pub mod writing;
