use sitemap_serde::SitemapEntry;

struct Naive;

#[derive(SitemapEntry)]
#[sitemap(loc = "/a")]
struct NoColon {
    #[sitemap(lastmod, offset = "+0900")]
    updated: Naive,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/a")]
struct TooFar {
    #[sitemap(lastmod, offset = "+24:00")]
    updated: Naive,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/a")]
struct Zulu {
    #[sitemap(lastmod, offset = "Z")]
    updated: Naive,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/a")]
struct Number {
    #[sitemap(lastmod, offset = 9)]
    updated: Naive,
}

fn main() {}
