//! The tables, and their rows as entries of a sitemap.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use serde::Deserialize;
use sitemap_serde::SitemapEntry;

diesel::table! {
    products (id) {
        id -> BigInt,
        slug -> Text,
        name -> Text,
        updated_at -> Nullable<Timestamp>,
        draft -> Bool,
    }
}

diesel::table! {
    posts (id) {
        id -> BigInt,
        slug -> Text,
        title -> Text,
        weight -> Nullable<Double>,
        updated_at -> Nullable<Timestamp>,
        draft -> Bool,
    }
}

diesel::table! {
    pages (id) {
        id -> BigInt,
        loc -> Text,
        lastmod -> Nullable<Text>,
        changefreq -> Nullable<Text>,
        priority -> Nullable<Double>,
    }
}

/// A row of `products`; as an entry, the product's page.
#[derive(Debug, Queryable, Selectable, Insertable, SitemapEntry)]
#[diesel(table_name = products, check_for_backend(Sqlite), treat_none_as_default_value = false)]
#[sitemap(loc = "/products/{slug}", changefreq = "weekly", priority = 0.8)]
pub(crate) struct Product {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    #[sitemap(lastmod, zone = "UTC")]
    pub(crate) updated_at: Option<NaiveDateTime>,
    #[sitemap(exclude_if)]
    pub(crate) draft: bool,
}

/// A row of `posts`; as an entry, the post's page.
#[derive(Debug, Queryable, Selectable, Insertable, SitemapEntry)]
#[diesel(table_name = posts, check_for_backend(Sqlite), treat_none_as_default_value = false)]
#[sitemap(loc = "/posts/{slug}", changefreq = "monthly")]
pub(crate) struct Post {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) title: String,
    #[sitemap(priority)]
    pub(crate) weight: Option<f64>,
    #[sitemap(lastmod, zone = "UTC")]
    pub(crate) updated_at: Option<NaiveDateTime>,
    #[sitemap(exclude_if)]
    pub(crate) draft: bool,
}

/// Pages without a table.
#[derive(Clone, Copy, Debug, SitemapEntry)]
pub(crate) enum StaticPage {
    #[sitemap(loc = "/", changefreq = "daily", priority = 1.0)]
    Home,
    #[sitemap(loc = "/products", changefreq = "daily", priority = 0.9)]
    Products,
    #[sitemap(loc = "/posts", changefreq = "weekly", priority = 0.6)]
    Posts,
    #[sitemap(loc = "/about", changefreq = "yearly")]
    About,
    #[sitemap(loc = "/terms", changefreq = "yearly", priority = 0.1)]
    Terms,
}

impl StaticPage {
    pub(crate) const ALL: [StaticPage; 5] = [
        StaticPage::Home,
        StaticPage::Products,
        StaticPage::Posts,
        StaticPage::About,
        StaticPage::Terms,
    ];
}

/// A row of `pages`: an entry of an imported sitemap, unchanged.
#[derive(Debug, Deserialize, Insertable)]
#[diesel(table_name = pages, treat_none_as_default_value = false)]
pub(crate) struct Page {
    loc: String,
    lastmod: Option<String>,
    changefreq: Option<String>,
    priority: Option<f64>,
}
