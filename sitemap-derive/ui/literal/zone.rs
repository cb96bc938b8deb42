use sitemap_serde::SitemapEntry;

struct Naive;

#[derive(SitemapEntry)]
#[sitemap(loc = "/a")]
struct NoColon {
    #[sitemap(lastmod, zone = "+0900")]
    updated: Naive,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/a")]
struct TooFar {
    #[sitemap(lastmod, zone = "+24:00")]
    updated: Naive,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/a")]
struct Zulu {
    #[sitemap(lastmod, zone = "Z")]
    updated: Naive,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/a")]
struct Number {
    #[sitemap(lastmod, zone = 9)]
    updated: Naive,
}

fn main() {}
