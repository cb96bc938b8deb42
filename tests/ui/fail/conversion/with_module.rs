use sitemap_serde::{FromSitemapEntry, SitemapEntry};

mod only_write {
    pub fn write(value: &u32) -> String {
        value.to_string()
    }
}

mod only_read {
    pub fn read(text: &str) -> u32 {
        u32::try_from(text.len()).unwrap()
    }
}

fn function(value: &u32) -> String {
    value.to_string()
}

// What only writes, or only reads, needs one function.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Written(#[sitemap(with = only_write)] u32);

#[derive(FromSitemapEntry)]
#[sitemap(loc = "/{0}")]
struct Read(#[sitemap(with = only_read)] u32);

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{0}")]
struct NoRead(#[sitemap(with = only_write)] u32);

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{0}")]
struct NoWrite(#[sitemap(with = only_read)] u32);

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct NoModule(#[sitemap(with = function)] u32);

#[derive(SitemapEntry)]
#[sitemap(loc = "/{0}")]
struct NotThere(#[sitemap(with = missing)] u32);

fn main() {}
