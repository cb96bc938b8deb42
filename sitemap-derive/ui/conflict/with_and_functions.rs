use sitemap_serde::{FromSitemapEntry, SitemapEntry};

mod hex {
    pub fn write(value: &u32) -> String {
        format!("{value:x}")
    }

    pub fn read(text: &str) -> Result<u32, std::num::ParseIntError> {
        u32::from_str_radix(text, 16)
    }
}

#[derive(SitemapEntry, FromSitemapEntry)]
#[sitemap(loc = "/{id}/{of}/{all}")]
struct Product {
    #[sitemap(with = hex, write_with = hex::write)]
    id: u32,
    #[sitemap(read_with = hex::read, with = hex)]
    of: u32,
    #[sitemap(write_with = hex::write, with = hex, read_with = hex::read)]
    all: u32,
    #[sitemap(with = hex)]
    unused: u32,
}

fn main() {}
