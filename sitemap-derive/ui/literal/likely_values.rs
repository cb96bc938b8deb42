use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
enum Priority {
    #[sitemap(loc = "/0", priority = "0.8")]
    V0,
    #[sitemap(loc = "/1", priority = "high")]
    V1,
    #[sitemap(loc = "/2", priority = 8)]
    V2,
    #[sitemap(loc = "/3", priority = -0.5)]
    V3,
    #[sitemap(loc = "/4", priority = "80%")]
    V4,
    #[sitemap(loc = "/5", priority = 80%)]
    V5,
    #[sitemap(loc = "/6", priority = .8)]
    V6,
    #[sitemap(loc = "/7", priority = 1e-1)]
    V7,
    #[sitemap(loc = "/8", priority = "Self::rank")]
    V8,
    #[sitemap(loc = "/9", priority = "{rank}")]
    V9,
    #[sitemap(loc = "/10", priority = self.rank)]
    V10,
    #[sitemap(loc = "/11", priority = Self::rank())]
    V11,
    #[sitemap(loc = "/12", priority = true)]
    V12,
}

#[derive(SitemapEntry)]
enum OfOption {
    #[sitemap(loc = "/0", priority = Some(0.5), changefreq = Some("weekly"))]
    Some,
    #[sitemap(loc = "/1", priority = None, changefreq = None)]
    None,
    #[sitemap(loc = "/2")]
    Default {
        #[sitemap(priority, default = None)]
        field: Option<f32>,
    },
}

#[derive(SitemapEntry)]
enum Changefreq {
    #[sitemap(loc = "/0", changefreq = weekly)]
    V0,
    #[sitemap(loc = "/1", changefreq = Weekly)]
    V1,
    #[sitemap(loc = "/2", changefreq = "Weekly")]
    V2,
    #[sitemap(loc = "/3", changefreq = WEEKLY)]
    V3,
    #[sitemap(loc = "/4", changefreq = "every week")]
    V4,
    #[sitemap(loc = "/5", changefreq = "1w")]
    V5,
    #[sitemap(loc = "/6", changefreq = 7)]
    V6,
    #[sitemap(loc = "/7", changefreq = weekly())]
    V7,
    #[sitemap(loc = "/8", changefreq = "{freq}")]
    V8,
    #[sitemap(loc = "/9", changefreq = "Self::freq")]
    V9,
    #[sitemap(loc = "/10", changefreq = self.freq)]
    V10,
    #[sitemap(loc = "/11", changefreq = 'w')]
    V11,
    #[sitemap(loc = "/12", changefreq = "")]
    V12,
}

#[derive(SitemapEntry)]
enum Lastmod {
    #[sitemap(loc = "/0", lastmod = 2024)]
    V0,
    #[sitemap(loc = "/1", lastmod = 2024-05-06)]
    V1,
    #[sitemap(loc = "/2", lastmod = "now")]
    V2,
    #[sitemap(loc = "/3", lastmod = "{updated}")]
    V3,
    #[sitemap(loc = "/4", lastmod = "Self::updated")]
    V4,
    #[sitemap(loc = "/5", lastmod = Self::updated())]
    V5,
    #[sitemap(loc = "/6", lastmod = self.updated)]
    V6,
    #[sitemap(loc = "/7", lastmod = "2024/05/06")]
    V7,
    #[sitemap(loc = "/8", lastmod = "06.05.2024")]
    V8,
    #[sitemap(loc = "/9", lastmod = "May 6, 2024")]
    V9,
    #[sitemap(loc = "/10", lastmod = BUILD_DATE)]
    V10,
    #[sitemap(loc = "/11", lastmod = env!("BUILD_DATE"))]
    V11,
    #[sitemap(loc = "/12", lastmod = 1714979289)]
    V12,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = example_com(self))]
struct Base0;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = "example.com")]
struct Base1;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = "https://example.com/{x}")]
struct Base2;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = "/")]
struct Base3;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = "https://example.com?x")]
struct Base4;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = self.base)]
struct Base5;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = "http:/example.com")]
struct Base6;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = "SITE")]
struct Base7;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = 5)]
struct Base8;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = "")]
struct Base9;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = "https://")]
struct Base10;

#[derive(SitemapEntry)]
#[sitemap(loc = "/", base = "{site}")]
struct Base11;

#[derive(SitemapEntry)]
enum Offset {
    #[sitemap(loc = "/0")]
    V0 {
        #[sitemap(lastmod, zone = 9)]
        field: String,
    },
    #[sitemap(loc = "/1")]
    V1 {
        #[sitemap(lastmod, zone = -5)]
        field: String,
    },
    #[sitemap(loc = "/2")]
    V2 {
        #[sitemap(lastmod, zone = "9")]
        field: String,
    },
    #[sitemap(loc = "/3")]
    V3 {
        #[sitemap(lastmod, zone = "+0900")]
        field: String,
    },
    #[sitemap(loc = "/4")]
    V4 {
        #[sitemap(lastmod, zone = "UTC")]
        field: String,
    },
    #[sitemap(loc = "/5")]
    V5 {
        #[sitemap(lastmod, zone = utc)]
        field: String,
    },
    #[sitemap(loc = "/6")]
    V6 {
        #[sitemap(lastmod, zone = 540)]
        field: String,
    },
    #[sitemap(loc = "/7")]
    V7 {
        #[sitemap(lastmod, zone = "Europe/Berlin")]
        field: String,
    },
    #[sitemap(loc = "/8")]
    V8 {
        #[sitemap(lastmod, zone = "+9h")]
        field: String,
    },
    #[sitemap(loc = "/9")]
    V9 {
        #[sitemap(lastmod, zone = "9:00")]
        field: String,
    },
    #[sitemap(loc = "/10")]
    V10 {
        #[sitemap(lastmod, zone = "CET")]
        field: String,
    },
    #[sitemap(loc = "/11")]
    V11 {
        #[sitemap(lastmod, zone = "")]
        field: String,
    },
}

#[derive(SitemapEntry)]
enum Precision {
    #[sitemap(loc = "/0")]
    V0 {
        #[sitemap(lastmod, precision = day)]
        field: String,
    },
    #[sitemap(loc = "/1")]
    V1 {
        #[sitemap(lastmod, precision = Day)]
        field: String,
    },
    #[sitemap(loc = "/2")]
    V2 {
        #[sitemap(lastmod, precision = "Day")]
        field: String,
    },
    #[sitemap(loc = "/3")]
    V3 {
        #[sitemap(lastmod, precision = "days")]
        field: String,
    },
    #[sitemap(loc = "/4")]
    V4 {
        #[sitemap(lastmod, precision = "1d")]
        field: String,
    },
    #[sitemap(loc = "/5")]
    V5 {
        #[sitemap(lastmod, precision = 86400)]
        field: String,
    },
    #[sitemap(loc = "/6")]
    V6 {
        #[sitemap(lastmod, precision = "date")]
        field: String,
    },
    #[sitemap(loc = "/7")]
    V7 {
        #[sitemap(lastmod, precision = "hour")]
        field: String,
    },
    #[sitemap(loc = "/8")]
    V8 {
        #[sitemap(lastmod, precision = "ms")]
        field: String,
    },
    #[sitemap(loc = "/9")]
    V9 {
        #[sitemap(lastmod, precision = Precision::Day)]
        field: String,
    },
    #[sitemap(loc = "/10")]
    V10 {
        #[sitemap(lastmod, precision = "DAY")]
        field: String,
    },
    #[sitemap(loc = "/11")]
    V11 {
        #[sitemap(lastmod, precision = "")]
        field: String,
    },
}

#[derive(SitemapEntry)]
enum PriorityDefault {
    #[sitemap(loc = "/0")]
    V0 {
        #[sitemap(priority, default = "0.5")]
        field: Option<f32>,
    },
    #[sitemap(loc = "/1")]
    V1 {
        #[sitemap(priority, default = 5)]
        field: Option<f32>,
    },
    #[sitemap(loc = "/2")]
    V2 {
        #[sitemap(priority, default = "high")]
        field: Option<f32>,
    },
    #[sitemap(loc = "/3")]
    V3 {
        #[sitemap(priority, default = true)]
        field: Option<f32>,
    },
}

#[derive(SitemapEntry)]
enum ChangefreqDefault {
    #[sitemap(loc = "/0")]
    V0 {
        #[sitemap(changefreq, default = 0.5)]
        field: Option<String>,
    },
    #[sitemap(loc = "/1")]
    V1 {
        #[sitemap(changefreq, default = weekly)]
        field: Option<String>,
    },
    #[sitemap(loc = "/2")]
    V2 {
        #[sitemap(changefreq, default = Weekly)]
        field: Option<String>,
    },
    #[sitemap(loc = "/3")]
    V3 {
        #[sitemap(changefreq, default = "Weekly")]
        field: Option<String>,
    },
    #[sitemap(loc = "/4")]
    V4 {
        #[sitemap(changefreq, default = true)]
        field: Option<String>,
    },
}

#[derive(SitemapEntry)]
#[sitemap(loc = self.url())]
struct Loc0 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = Self::url())]
struct Loc1 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "{self.slug}")]
struct Loc2 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "{}")]
struct Loc3 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = format!("/{}", slug))]
struct Loc4 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/:slug")]
struct Loc5 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{{slug}}")]
struct Loc6 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{Slug}")]
struct Loc7 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "products/{slug}")]
struct Loc8 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = 5)]
struct Loc9 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "")]
struct Loc10 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "Self::url")]
struct Loc11 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = self.url)]
struct Loc12 {
    slug: String,
}

#[derive(SitemapEntry)]
enum Image {
    #[sitemap(loc = "/0", image = "photo")]
    V0,
    #[sitemap(loc = "/1", image = Self::photos())]
    V1,
    #[sitemap(loc = "/2", image = self.photos)]
    V2,
    #[sitemap(loc = "/3", image = ["a"])]
    V3,
    #[sitemap(loc = "/4", image = true)]
    V4,
    #[sitemap(loc = "/5", image = "Self::photos")]
    V5,
}

#[derive(SitemapEntry)]
enum News {
    #[sitemap(loc = "/0", news = "photo")]
    V0,
    #[sitemap(loc = "/1", news = Self::photos())]
    V1,
    #[sitemap(loc = "/2", news = self.photos)]
    V2,
    #[sitemap(loc = "/3", news = ["a"])]
    V3,
    #[sitemap(loc = "/4", news = true)]
    V4,
    #[sitemap(loc = "/5", news = "Self::photos")]
    V5,
}

#[derive(SitemapEntry)]
enum Video {
    #[sitemap(loc = "/0", video = "photo")]
    V0,
    #[sitemap(loc = "/1", video = Self::photos())]
    V1,
    #[sitemap(loc = "/2", video = self.photos)]
    V2,
    #[sitemap(loc = "/3", video = ["a"])]
    V3,
    #[sitemap(loc = "/4", video = true)]
    V4,
    #[sitemap(loc = "/5", video = "Self::photos")]
    V5,
}

#[derive(SitemapEntry)]
enum Alternate {
    #[sitemap(loc = "/0", alternate = "photo")]
    V0,
    #[sitemap(loc = "/1", alternate = Self::photos())]
    V1,
    #[sitemap(loc = "/2", alternate = self.photos)]
    V2,
    #[sitemap(loc = "/3", alternate = ["a"])]
    V3,
    #[sitemap(loc = "/4", alternate = true)]
    V4,
    #[sitemap(loc = "/5", alternate = "Self::photos")]
    V5,
}

#[derive(SitemapEntry)]
enum XDefault {
    #[sitemap(loc = "/{lang}/0", languages("de", "en"), x_default = de)]
    V0,
    #[sitemap(loc = "/{lang}/1", languages("de", "en"), x_default = "fr")]
    V1,
    #[sitemap(loc = "/{lang}/2", languages("de", "en"), x_default = true)]
    V2,
}

fn main() {}
