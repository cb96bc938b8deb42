//! Types that derive nothing, wherever a row, an entry, a source or a store is wanted.

use std::io;

use sitemap_serde::{Reader, WriterBuilder, Writer, lint::Linter};
use sitemap_site::{SiteBuilder, SitemapSet, TaskWriter};

#[derive(Clone)]
struct Product {
    id: i64,
}

fn writes(rows: &[Product], found: Vec<Result<Product, io::Error>>, product: &Product) {
    let _ = sitemap_serde::entries_to_string(rows);
    let _ = sitemap_serde::entries_to_string(found);
    let _ = sitemap_serde::entries_to_string(["https://example.com/"]);
    let _ = WriterBuilder::new().entries_to_writer(Vec::new(), rows.iter());
    let _ = WriterBuilder::new().to_entries(product);
    let _ = Writer::from_writer(Vec::new()).write(product);
    let _ = Writer::from_writer(Vec::new()).write(product);
}

fn reads() {
    let _ = Reader::from_str("").read::<Product>();
}

fn sets(writer: &mut TaskWriter, product: &Product) {
    let _ = writer.write(product.id, product);
    let _ = SitemapSet::storage("s3://bucket", "https://example.com");
}

fn serves(rows: Vec<Product>) {
    let mut builder = SiteBuilder::new("https://example.com");
    builder.section("products", rows);
    builder.table_store("table.json");
}

fn lints() {
    let _ = Linter::new().pages("public");
}

fn main() {}
