//! Types, constants and functions that exist only in a function's body.
#![deny(warnings)]

pub(super) fn main() {
    use sitemap_serde::SitemapEntry;

    const HIGH: f32 = 0.9;

    struct Inner(u8);

    fn convert(inner: &Inner) -> u8 {
        inner.0
    }

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{inner}", priority = HIGH, exclude_if = is_hidden)]
    struct Product {
        #[sitemap(write_with = convert)]
        inner: Inner,
    }

    fn is_hidden(product: &Product) -> bool {
        product.inner.0 == 0
    }

    assert!(!Product { inner: Inner(0) }.is_listed());
    assert!(Product { inner: Inner(1) }.is_listed());

    let _ = || {
        #[derive(SitemapEntry)]
        #[sitemap(loc = "/")]
        struct Home;

        fn is_entry<T: SitemapEntry>() {}
        is_entry::<Home>();
    };
}
