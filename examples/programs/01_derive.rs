//! A struct becomes an entry by a derive, and is checked while it is written.

use sitemap_serde::{SitemapEntry, WriterBuilder};

#[derive(SitemapEntry)]
#[sitemap(loc = "/products/{slug}", changefreq = "weekly")]
struct Product {
    slug: String,
    #[sitemap(lastmod)]
    updated: String,
    #[sitemap(image)]
    pictures: Vec<String>,
    #[sitemap(exclude_if)]
    draft: bool,
}

fn product(slug: &str, draft: bool) -> Product {
    Product {
        slug: slug.to_owned(),
        updated: "2026-05-06".to_owned(),
        pictures: vec![format!("/pictures/{slug}.jpg")],
        draft,
    }
}

fn main() -> sitemap_serde::Result<()> {
    let products = [product("desk lamp", false), product("not yet", true)];
    let mut builder = WriterBuilder::new();
    builder.base("https://example.com").pretty(true);
    print!("{}", builder.entries_to_string(&products)?);

    // A date that is none is an error, before a byte of the entry is written.
    let wrong = Product {
        updated: "6 May".to_owned(),
        ..product("chair", false)
    };
    println!("{}", builder.entries_to_string([&wrong]).unwrap_err());
    Ok(())
}
