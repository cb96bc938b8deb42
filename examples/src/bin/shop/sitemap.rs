//! The shop's sitemap, as it is served.

use anyhow::{Context, Result};
use chrono::NaiveDateTime;
use sitemap_serde::WriterBuilder;
use sitemap_site::{Site, SiteBuilder, source};

use crate::database::Database;
use crate::model::{Post, Product, StaticPage, posts, products};

/// The pages without a table, the posts, and the products.
pub(crate) fn site(base: &str, database: &Database) -> Result<Site> {
    let (of_posts, of_products) = (database.clone(), database.clone());
    let posts = sitemap_diesel::rows! {
        table = posts::table,
        key = (posts::id),
        row = Post,
        connect = move || of_posts.connect(),
        filter = posts::draft.eq(false),
        lastmod = posts::updated_at => |at: Option<NaiveDateTime>| at.map(|at| at.and_utc()),
    };
    let products = sitemap_diesel::rows! {
        table = products::table,
        key = (products::id),
        row = Product,
        connect = move || of_products.connect(),
        filter = products::draft.eq(false),
        lastmod = products::updated_at => |at: Option<NaiveDateTime>| at.map(|at| at.and_utc()),
    };
    let site = SiteBuilder::new(base)
        .section("pages", StaticPage::ALL)
        .section("posts", source::blocking(posts))
        .section("products", source::blocking(products))
        .html(true)
        .build()?;
    Ok(site)
}

/// Checks that a sitemap can be written for that base, before a database is filled for it.
pub(crate) fn check_base(base: &str) -> Result<()> {
    let checked = WriterBuilder::new().base(base).check();
    checked.with_context(|| format!("the sitemap cannot have {base:?} as its base"))
}
