use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/products?id={slug}&amp;lang=en&lt;")]
struct Product {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/products?id={slug}&#62;&quot;&#x27;&nbsp;&")]
struct Others {
    slug: String,
}

fn main() {}
