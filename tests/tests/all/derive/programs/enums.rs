//! Static pages, pages with fields, and variants that contain the entry.
#![deny(warnings)]

use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Product(u8, #[sitemap(exclude_if)] bool);

#[derive(SitemapEntry)]
#[sitemap(exclude_if = Page::is_old)]
enum Page {
    #[sitemap(loc = "/about", changefreq = "yearly")]
    About,
    #[sitemap(loc = "/empty")]
    EmptyTuple(),
    #[sitemap(loc = "/empty")]
    EmptyStruct {},
    #[sitemap()]
    Product(Product),
    Reference(&'static Product),
    Boxed(Box<Page>),
    Filtered(#[sitemap(exclude_if = is_first)] Product),
    #[sitemap(loc = "/tags/{0}")]
    Tag(&'static str),
    Link(#[sitemap(loc)] String),
    #[sitemap(loc = "/{0}/{2}")]
    Triple(u8, #[sitemap(include_if)] bool, u8),
    #[sitemap(loc = "/posts/{slug}")]
    Post {
        slug: &'static str,
        #[sitemap(lastmod)]
        updated: Option<String>,
        #[sitemap(exclude_if)]
        draft: bool,
    },
}

impl Page {
    fn is_old(&self) -> bool {
        matches!(self, Page::Tag("old"))
    }
}

fn is_first(product: &Product) -> bool {
    product.0 == 1
}

pub(super) fn main() {
    static PRODUCT: Product = Product(1, true);
    let listed = [
        Page::About,
        Page::EmptyTuple(),
        Page::EmptyStruct {},
        Page::Product(Product(1, false)),
        Page::Boxed(Box::new(Page::About)),
        Page::Filtered(Product(2, false)),
        Page::Tag("new"),
        Page::Link(String::new()),
        Page::Triple(1, true, 2),
        Page::Post {
            slug: "a",
            updated: None,
            draft: false,
        },
    ];
    assert!(listed.iter().all(SitemapEntry::is_listed));
    let hidden = [
        Page::Product(Product(1, true)),
        Page::Reference(&PRODUCT),
        Page::Boxed(Box::new(Page::Tag("old"))),
        Page::Filtered(Product(1, false)),
        Page::Filtered(Product(2, true)),
        Page::Tag("old"),
        Page::Triple(1, false, 2),
        Page::Post {
            slug: "a",
            updated: None,
            draft: true,
        },
    ];
    assert!(!hidden.iter().any(SitemapEntry::is_listed));
}
