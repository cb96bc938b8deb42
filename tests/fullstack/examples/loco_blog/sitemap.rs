//! The sitemap of the posts: `src/initializers/sitemap.rs` of an application of Loco.

use axum::Router;
use loco_rs::prelude::*;
use sea_orm::FromQueryResult;
use sitemap_serde::{SitemapEntry, UrlEntry};
use sitemap_site::{RobotsTxt, SiteBuilder};

use crate::models::_entities::posts;

/// A row. It is a type of its own, since `cargo loco db entities` overwrites the entities.
#[derive(FromQueryResult, SitemapEntry)]
#[sitemap(loc = "/posts/{slug}")]
struct Post {
    slug: String,
    #[sitemap(lastmod)]
    updated_at: DateTimeWithTimeZone,
}

pub struct Sitemap;

#[async_trait]
impl Initializer for Sitemap {
    fn name(&self) -> String {
        "sitemap".to_owned()
    }

    async fn after_routes(&self, router: Router, ctx: &AppContext) -> Result<Router> {
        let posts = sitemap_seaorm::entity_as::<posts::Entity, Post>(ctx.db.clone());
        let site = SiteBuilder::new(&ctx.config.server.host)
            .section("posts", posts)
            .section("pages", ["/", "/about"].map(UrlEntry::new))
            .robots_txt(RobotsTxt::new())
            .build()
            .map_err(Error::wrap)?;
        site.ready().await.map_err(Error::wrap)?; // counts the rows; until then the index answers 503
        Ok(router.merge(sitemap_axum::routes(&site)))
    }
}
