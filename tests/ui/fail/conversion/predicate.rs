use sitemap_serde::SitemapEntry;

fn is_low(stock: &u32) -> u32 {
    *stock
}

fn is_old(year: &u16) -> bool {
    *year < 2000
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/products", exclude_if = no_such_function)]
struct Products {
    #[sitemap(exclude_if = is_low)]
    stock: u32,
    #[sitemap(exclude_if = is_old)]
    year: u32,
}

fn main() {}
