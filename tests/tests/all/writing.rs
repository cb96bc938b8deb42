//! Writing: the output, its sinks, its encodings, and skipped rows and values.

mod charsets;
mod engines;
mod field_sets;
mod files;
mod omitted;
mod output;
mod readers;
mod rows;
mod sinks;
mod urls;

use sitemap_serde::WriterBuilder;

/// A writer of rows under `https://a.b`.
fn builder() -> WriterBuilder {
    let mut builder = WriterBuilder::new();
    builder.base("https://a.b");
    builder
}
