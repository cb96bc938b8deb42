use sitemap_serde::SitemapEntry;

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = "!published")]
struct Row1 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = "published")]
struct Row2 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = "self.draft")]
struct Row3 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = "self.stock == 0")]
struct Row4 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = self.draft)]
struct Row5 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = self.is_draft())]
struct Row6 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = !self.is_draft())]
struct Row7 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = Self::is_draft(&self))]
struct Row8 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = |p| !p.draft)]
struct Row9 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = stock == 0)]
struct Row10 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = true)]
struct Row11 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = &Self::is_draft)]
struct Row12 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", exclude_if = "")]
struct Row13 {
    slug: String,
}

#[derive(SitemapEntry)]
#[sitemap(loc = "/{slug}", include_if(Self::is_public))]
struct Row14 {
    slug: String,
}

#[derive(SitemapEntry)]
enum OnField {
    #[sitemap(loc = "/0")]
    V0 {
        #[sitemap(exclude_if = "!published")]
        field: bool,
    },
    #[sitemap(loc = "/1")]
    V1 {
        #[sitemap(exclude_if = "x == 0")]
        field: bool,
    },
    #[sitemap(loc = "/2")]
    V2 {
        #[sitemap(exclude_if = "true")]
        field: bool,
    },
    #[sitemap(loc = "/3")]
    V3 {
        #[sitemap(exclude_if = |d| !d)]
        field: bool,
    },
    #[sitemap(loc = "/4")]
    V4 {
        #[sitemap(exclude_if = Option::is_none())]
        field: bool,
    },
    #[sitemap(loc = "/5")]
    V5 {
        #[sitemap(exclude_if = 0)]
        field: bool,
    },
    #[sitemap(loc = "/6")]
    V6 {
        #[sitemap(exclude_if = self.draft)]
        field: bool,
    },
    #[sitemap(loc = "/7")]
    V7 {
        #[sitemap(exclude_if = "Option::is_none")]
        field: bool,
    },
    #[sitemap(loc = "/8")]
    V8 {
        #[sitemap(include_if(Option::is_some))]
        field: bool,
    },
}

#[derive(SitemapEntry)]
enum With {
    #[sitemap(loc = "/0")]
    V0 {
        #[sitemap(lastmod, write_with = "to_date")]
        field: String,
    },
    #[sitemap(loc = "/1")]
    V1 {
        #[sitemap(lastmod, write_with = to_date())]
        field: String,
    },
    #[sitemap(loc = "/2")]
    V2 {
        #[sitemap(lastmod, write_with = "%Y-%m-%d")]
        field: String,
    },
    #[sitemap(loc = "/3")]
    V3 {
        #[sitemap(lastmod, write_with = |d| d.to_string())]
        field: String,
    },
    #[sitemap(loc = "/4")]
    V4 {
        #[sitemap(lastmod, write_with = 5)]
        field: String,
    },
    #[sitemap(loc = "/5")]
    V5 {
        #[sitemap(lastmod, write_with = self.x)]
        field: String,
    },
    #[sitemap(loc = "/6")]
    V6 {
        #[sitemap(lastmod, write_with = &to_date)]
        field: String,
    },
    #[sitemap(loc = "/7")]
    V7 {
        #[sitemap(lastmod, write_with = "")]
        field: String,
    },
    #[sitemap(loc = "/8")]
    V8 {
        #[sitemap(lastmod, write_with = "to_date()")]
        field: String,
    },
    #[sitemap(loc = "/with/0")]
    With0 {
        #[sitemap(lastmod, with = "hex")]
        field: String,
    },
    #[sitemap(loc = "/with/1")]
    With1 {
        #[sitemap(lastmod, with = hex())]
        field: String,
    },
    #[sitemap(loc = "/with/2")]
    With2 {
        #[sitemap(lastmod, with = (to_date, of_date))]
        field: String,
    },
    #[sitemap(loc = "/with/3")]
    With3 {
        #[sitemap(lastmod, with)]
        field: String,
    },
    #[sitemap(loc = "/9")]
    V9 {
        #[sitemap(lastmod, read_with = "parse")]
        field: String,
    },
    #[sitemap(loc = "/10")]
    V10 {
        #[sitemap(lastmod, read_with = parse())]
        field: String,
    },
}

fn main() {}
