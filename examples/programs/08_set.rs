//! Rows become a set of files, published at once; the next run writes only what has changed. The argument is the set's folder.

use sitemap_serde::SitemapEntry;
use sitemap_site::SitemapSet;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{id}")]
struct Product {
    id: i64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("the folder of the set")?;
    let set = SitemapSet::directory(folder, "https://example.com").open()?;
    for last in [60_000, 60_001] {
        let mut products = set.task_writer("products", "all")?;
        for id in 1..=last {
            products.write(id, &Product { id })?;
        }
        let summary = set.commit(&[products.finish()?])?;
        println!("{} URLs: {}", summary.entries, summary.written_files.join(", "));
    }
    Ok(())
}
