//! No name of the prelude is used unqualified.
#![no_implicit_prelude]
#![allow(dead_code)]

const LOW: f64 = 0.1;

#[derive(::sitemap_serde::FromSitemapEntry)]
#[sitemap(loc = "/{shop}/{id}-{path}", exclude_if = is_hidden)]
struct Product {
    shop: ::std::string::String,
    id: ::core::option::Option<u32>,
    path: ::std::boxed::Box<str>,
    #[sitemap(lastmod)]
    updated: ::core::option::Option<::sitemap_serde::W3cDateTime>,
    #[sitemap(priority, default = LOW)]
    boost: f32,
    #[sitemap(changefreq, default = "daily")]
    often: ::sitemap_serde::ChangeFreq,
    #[sitemap(exclude_if)]
    draft: bool,
    other: ::core::option::Option<Page>,
    #[sitemap(image)]
    photos: ::std::vec::Vec<::std::string::String>,
    #[sitemap(video)]
    video: ::core::option::Option<::sitemap_serde::Video>,
    #[sitemap(news)]
    news: ::core::option::Option<::sitemap_serde::News>,
    #[sitemap(alternate, read_with = links)]
    languages: usize,
}

fn is_hidden(product: &Product) -> bool {
    product.draft
}

fn links(links: ::std::vec::Vec<::sitemap_serde::Alternate>) -> usize {
    links.len()
}

#[derive(::sitemap_serde::FromSitemapEntry)]
#[sitemap(base = "https://example.com", encoding = "euc-jp")]
enum Page {
    #[sitemap(loc = "/about", lastmod = "2024-05-06", priority = LOW)]
    About,
    Product(::std::boxed::Box<Product>),
    #[sitemap(loc = "/tags/{0}/{0}")]
    Tag(#[sitemap(read_with = own)] ::std::string::String),
    #[sitemap(loc = "/years/{0}")]
    Year(u8, #[sitemap(lastmod, read_with = year)] ::std::string::String),
    Whole(#[sitemap(loc)] ::std::string::String),
}

fn own(text: &str) -> ::std::string::String {
    ::std::string::ToString::to_string(text)
}

fn year(lastmod: ::sitemap_serde::W3cDateTime) -> ::std::string::String {
    ::std::string::ToString::to_string(&lastmod.year())
}

fn is_read<T: ::sitemap_serde::FromSitemapEntry>() {}

pub(super) fn main() {
    is_read::<Product>();
    is_read::<Page>();
}
