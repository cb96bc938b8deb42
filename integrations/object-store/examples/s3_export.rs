//! The pages of a site as a set of files in an S3 bucket, published at once.
//!
//! `cargo run -p sitemap-object-store --example s3_export BUCKET` takes the credentials from `AWS_ACCESS_KEY_ID` and the other variables of
//! AWS; for another store than Amazon's, `AWS_ENDPOINT` has its address.

use std::sync::Arc;

use object_store::aws::AmazonS3Builder;
use sitemap_object_store::ObjectStorage;
use sitemap_serde::UrlEntry;
use sitemap_site::{SiteBuilder, SitemapSet};

const BASE: &str = "https://example.com";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    rustls::crypto::ring::default_provider()
        .install_default()
        .map_err(|_| "another provider of cryptography")?;
    let bucket = std::env::args().nth(1).ok_or("the name of a bucket")?;
    let store = AmazonS3Builder::from_env().with_bucket_name(bucket).build()?;
    let storage = ObjectStorage::new(Arc::new(store), "public")?;
    let set = SitemapSet::storage(storage, BASE).gzip(6).open()?;

    let products: Vec<_> = (1..=60_000)
        .map(|id| UrlEntry::new(format!("/products/{id}")))
        .collect();
    let site = SiteBuilder::new(BASE)
        .section("pages", ["/", "/about"].map(UrlEntry::new))
        .section("products", products) // or a source of sitemap-sqlx, …
        .build()?;
    let summary = site.export(&set).await?;
    println!("{} URLs: {}", summary.entries, summary.written_files.join(", "));
    Ok(())
}
