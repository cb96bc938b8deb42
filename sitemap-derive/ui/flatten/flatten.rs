use sitemap_serde::{FromSitemapEntry, SitemapEntry, SitemapFields, FromSitemapFields};

#[derive(SitemapFields)]
struct Product {
    slug: String,
}

/// The field is there, but not flattened; or there is none.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{product.slug}/{prodct.slug}/{self.id}/{other.0}")]
struct Row {
    id: u32,
    product: Product,
    #[sitemap(flatten)]
    more: Product,
}

/// It is no value of its own beside.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{id}", flatten)]
struct Beside {
    id: u32,
    #[sitemap(flatten, lastmod)]
    product: Product,
    #[sitemap(flatten = true, zone = "UTC")]
    other: Product,
}

/// What a function takes is made without the address.
#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{product.slug}")]
struct Back {
    #[sitemap(flatten, write_with = HasOne::loaded, read_with = HasOne::of)]
    product: HasOne<Product>,
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{id}")]
struct NoWayBack {
    id: u8,
    #[sitemap(flatten, write_with = HasOne::loaded)]
    product: HasOne<Product>,
}

#[derive(FromSitemapFields)]
enum Any {
    A(Product),
}

#[derive(FromSitemapFields)]
struct Two {
    #[sitemap(image)]
    cover: String,
    #[sitemap(image)]
    pictures: Vec<String>,
}

#[derive(SitemapFields)]
enum Either {
    A(Product),
}

#[derive(SitemapFields)]
#[sitemap(loc = "/{slug}", lastmod = "2024-13", colour = "red")]
struct Wrong {
    #[sitemap(write_with = str::trim)]
    slug: String,
}

#[derive(SitemapFields)]
struct Unused {
    #[sitemap(write_with = str::trim)]
    slug: String,
}

fn main() {}
