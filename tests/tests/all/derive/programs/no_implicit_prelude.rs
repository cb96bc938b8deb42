//! No name of the prelude is used unqualified.
#![no_implicit_prelude]
#![allow(dead_code)]

const HIGH: f64 = 0.9;

#[derive(::sitemap_serde::SitemapEntry)]
#[sitemap(loc = "/{shop}/{+path}", changefreq = "weekly", exclude_if = is_hidden)]
struct Product {
    shop: ::std::string::String,
    path: ::core::option::Option<::std::string::String>,
    #[sitemap(lastmod)]
    updated: ::core::option::Option<::sitemap_serde::W3cDateTime>,
    #[sitemap(priority, default = HIGH)]
    boost: ::core::option::Option<f32>,
    #[sitemap(exclude_if)]
    draft: bool,
    #[sitemap(image)]
    photos: Photos,
    #[sitemap(image)]
    cover: ::core::option::Option<::std::string::String>,
    #[sitemap(video)]
    videos: ::std::vec::Vec<::sitemap_serde::Video>,
    #[sitemap(news)]
    news: ::core::option::Option<::sitemap_serde::News>,
    #[sitemap(alternate, write_with = links)]
    languages: u8,
}

struct Photos(::std::vec::Vec<::sitemap_serde::Image>);

impl<'a> ::core::iter::IntoIterator for &'a Photos {
    type Item = &'a ::sitemap_serde::Image;
    type IntoIter = ::core::slice::Iter<'a, ::sitemap_serde::Image>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

fn links(_: &u8) -> [::sitemap_serde::Alternate; 0] {
    []
}

fn is_hidden(product: &Product) -> bool {
    ::std::string::String::is_empty(&product.shop)
}

#[derive(::sitemap_serde::SitemapEntry)]
#[sitemap(base = "https://example.com", encoding = "euc-jp")]
enum Page {
    #[sitemap(loc = "/about", lastmod = "2024-05-06", priority = HIGH)]
    About,
    Product(Product),
    #[sitemap(loc = "/tags/{0}")]
    Tag(#[sitemap(write_with = shorten)] ::std::string::String),
}

fn shorten(text: &str) -> &str {
    text
}

fn is_entry<T: ::sitemap_serde::SitemapEntry>() {}

pub(super) fn main() {
    is_entry::<Product>();
    is_entry::<Page>();
}
