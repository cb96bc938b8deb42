use sitemap_serde::SitemapEntry;

struct Post;

#[derive(SitemapEntry)]
enum Page {
    Post(#[sitemap(write_with = to_entry)] Post),
    Draft(#[sitemap(lok)] String),
    #[sitemap(exclude_if)]
    Hidden(Post),
}

fn main() {}
