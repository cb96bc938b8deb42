//! Elements of a namespace of your own, typed, in both directions. Readers that do not know them skip them.

use sitemap_serde::{FromSitemapEntry, ReaderBuilder, SitemapEntry, WriterBuilder};

#[derive(SitemapEntry, FromSitemapEntry, Debug)]
#[sitemap(loc = "/products/{slug}", namespace(shop = "urn:shop"))]
struct Product {
    slug: String,
    #[sitemap(element = "shop:price")]
    price: f64,
    #[sitemap(element = "shop:colour")]
    colours: Vec<String>,
}

fn main() -> sitemap_serde::Result<()> {
    let lamp = Product {
        slug: "lamp".to_owned(),
        price: 9.9,
        colours: vec!["red".to_owned(), "blue".to_owned()],
    };
    let mut writer = WriterBuilder::new();
    writer.base("https://example.com");
    let xml = writer.entries_to_string([&lamp])?;
    println!("{xml}");

    let mut reader = ReaderBuilder::new().base("https://example.com").from_str(&xml);
    for product in reader.read::<Product>() {
        println!("{:?}", product?);
    }
    Ok(())
}
