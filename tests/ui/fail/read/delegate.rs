use sitemap_serde::FromSitemapEntry;

struct Product;

#[derive(FromSitemapEntry)]
enum Page<'a> {
    Product(Product),
    Borrowed(&'a Product),
}

fn main() {}
