//! Elements of a namespace of the user's, without the prelude.
#![no_implicit_prelude]
#![allow(dead_code)]

#[derive(::sitemap_serde::SitemapEntry, ::sitemap_serde::FromSitemapEntry)]
enum Page<T> {
    #[sitemap(loc = "/{0}")]
    Of(
        u8,
        #[sitemap(element = "shop:price")] T,
        #[sitemap(element = "shop:stock", write_with = stock, read_with = of_stock)] u32,
    ),
    #[sitemap(loc = "/x/{id}")]
    Part {
        id: u8,
        #[sitemap(flatten)]
        part: ::core::option::Option<Part>,
        #[sitemap(element = "mobile:mobile")]
        mobile: bool,
    },
}

#[derive(
    ::sitemap_serde::SitemapFields, ::sitemap_serde::FromSitemapFields, ::core::default::Default,
)]
#[sitemap(namespace(shop = "urn:shop"))]
struct Part {
    #[sitemap(element = "shop:colour")]
    colours: ::std::vec::Vec<::std::string::String>,
}

fn stock(stock: &u32) -> ::core::option::Option<u32> {
    ::core::option::Option::Some(*stock)
}

fn of_stock(stock: ::core::option::Option<u32>) -> u32 {
    stock.unwrap_or(0)
}

fn is_both<T: ::sitemap_serde::SitemapEntry + ::sitemap_serde::FromSitemapEntry>() {}

pub(super) fn main() {
    is_both::<Page<f64>>();
}
