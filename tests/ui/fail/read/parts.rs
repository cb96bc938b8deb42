use sitemap_serde::FromSitemapFields;
use sitemap_serde::{FromSitemapEntry, SitemapEntry};

#[derive(FromSitemapFields)]
struct Product {
    slug: String,
    #[sitemap(image)]
    pictures: Vec<String>,
}

/// By the row and by what it flattens: whose are an entry's?
#[derive(FromSitemapEntry)]
#[sitemap(loc = "/a/{product.slug}")]
struct Row {
    #[sitemap(flatten)]
    product: Product,
    #[sitemap(image)]
    cover: Option<String>,
}

/// By two parts.
#[derive(FromSitemapEntry)]
#[sitemap(loc = "/b/{first.slug}")]
struct Two {
    #[sitemap(flatten)]
    first: Product,
    #[sitemap(flatten)]
    second: Option<Product>,
}

struct Plain {
    slug: String,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/c/{plain.slug}")]
struct NoPart {
    #[sitemap(flatten)]
    plain: Plain,
}

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/d/{product.slg}")]
struct Misspelt {
    #[sitemap(flatten)]
    product: Product,
}

struct Names;

impl<'a> IntoIterator for &'a Names {
    type Item = &'a (String, String);
    type IntoIter = std::slice::Iter<'a, (String, String)>;

    fn into_iter(self) -> Self::IntoIter {
        [].iter()
    }
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/e/{lang}/{name}")]
struct OwnCollection {
    #[sitemap(languages(name))]
    names: Names,
}

fn main() {}
