//! Conditions on the type and on its fields; all must hold.
#![deny(warnings)]

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry, Clone)]
#[sitemap(loc = "/{slug}", exclude_if = Self::is_test, include_if = has_slug)]
struct Product {
    slug: String,
    #[sitemap(exclude_if)]
    draft: bool,
    #[sitemap(include_if = Option::is_some)]
    price: Option<u32>,
    #[sitemap(exclude_if = is_over)]
    year: u16,
    #[sitemap(include_if)]
    public: &'static bool,
    #[sitemap(lastmod, exclude_if = str::is_empty)]
    updated: String,
}

impl Product {
    fn is_test(&self) -> bool {
        self.slug.starts_with("test")
    }
}

fn has_slug(product: &Product) -> bool {
    !product.slug.is_empty()
}

const fn is_over(year: &u16) -> bool {
    *year < 2000
}

pub(super) fn main() {
    let listed = Product {
        slug: "a".to_owned(),
        draft: false,
        price: Some(1),
        year: 2024,
        public: &true,
        updated: "2024".to_owned(),
    };
    assert!(listed.is_listed());
    let changes: [fn(&mut Product); 7] = [
        |product| product.slug = "test".to_owned(),
        |product| product.slug.clear(),
        |product| product.draft = true,
        |product| product.price = None,
        |product| product.year = 1999,
        |product| product.public = &false,
        |product| product.updated.clear(),
    ];
    for change in changes {
        let mut product = listed.clone();
        change(&mut product);
        assert!(!product.is_listed());
    }
}
