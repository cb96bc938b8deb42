use sitemap_serde::FromSitemapEntry;

#[derive(FromSitemapEntry)]
enum Page {
    Whole(#[sitemap(loc)] String),
    #[sitemap(loc = "/about")]
    About,
    Other {
        #[sitemap(loc)]
        url: String,
    },
}

fn main() {}
