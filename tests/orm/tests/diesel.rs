//! Rows of Diesel.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use sitemap_orm_tests::{IMAGES, assert_sitemap};
use sitemap_serde::{FromSitemapEntry, SitemapEntry};

mod schema {
    diesel::table! {
        products (id) {
            id -> BigInt,
            slug -> Text,
            updated_at -> Nullable<Timestamp>,
            boost -> Float,
            photo_url -> Nullable<Text>,
            draft -> Bool,
        }
    }
}

use schema::products;

#[derive(
    Queryable, Selectable, Insertable, Identifiable, SitemapEntry, FromSitemapEntry, Clone, PartialEq, Debug,
)]
#[diesel(table_name = products, check_for_backend(diesel::sqlite::Sqlite))]
#[sitemap(loc = "/products/{id}-{slug}", changefreq = "weekly")]
struct Product {
    id: i64,
    slug: String,
    #[sitemap(lastmod, utc)]
    updated_at: Option<NaiveDateTime>,
    #[diesel(column_name = boost)]
    #[sitemap(priority)]
    priority: f32,
    #[sitemap(image)]
    photo_url: Option<String>,
    #[sitemap(exclude_if)]
    draft: bool,
}

/// Some columns of the same table.
#[derive(Queryable, Selectable, SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[diesel(table_name = products)]
struct Page {
    #[diesel(column_name = slug)]
    #[sitemap(loc, with = path, from_with = slug)]
    slug: String,
}

fn path(slug: &str) -> String {
    format!("/p/{slug}")
}

fn slug(loc: &str) -> Result<String, &'static str> {
    let slug = loc.strip_prefix("https://example.com/p/");
    slug.map(str::to_owned).ok_or("not the address of a product")
}

fn product(id: i64, slug: &str) -> Product {
    Product {
        id,
        slug: slug.to_owned(),
        updated_at: None,
        priority: 0.5,
        photo_url: None,
        draft: false,
    }
}

#[test]
fn rows() {
    let mut connection = SqliteConnection::establish(":memory:").unwrap();
    diesel::sql_query(
        "CREATE TABLE products (id BIGINT PRIMARY KEY NOT NULL, slug TEXT NOT NULL, updated_at TIMESTAMP, \
         boost REAL NOT NULL, photo_url TEXT, draft BOOLEAN NOT NULL)",
    )
    .execute(&mut connection)
    .unwrap();
    let rows = [
        Product {
            updated_at: Some("2024-05-06T07:08:09".parse().unwrap()),
            priority: 0.85,
            photo_url: Some("https://cdn.example.net/lamp.jpg".to_owned()),
            ..product(1, "lamp-&-shade")
        },
        Product {
            draft: true,
            ..product(2, "unfinished")
        },
        product(3, "サ"),
    ];
    diesel::insert_into(products::table)
        .values(&rows[..])
        .execute(&mut connection)
        .unwrap();

    let found: Vec<Product> = products::table
        .select(Product::as_select())
        .order(products::id)
        .load(&mut connection)
        .unwrap();
    assert_eq!(found, rows);
    assert_sitemap(
        &found,
        IMAGES,
        "<url><loc>https://example.com/products/1-lamp-%26-shade</loc><lastmod>2024-05-06T07:08:09Z</lastmod>\
         <changefreq>weekly</changefreq><priority>0.85</priority>\
         <image:image><image:loc>https://cdn.example.net/lamp.jpg</image:loc></image:image></url>\
         <url><loc>https://example.com/products/3-%E3%82%B5</loc>\
         <changefreq>weekly</changefreq><priority>0.5</priority></url>",
        &[rows[0].clone(), rows[2].clone()],
    );

    let pages: Vec<Page> = products::table
        .filter(products::draft.eq(false))
        .select(Page::as_select())
        .order(products::id.desc())
        .load(&mut connection)
        .unwrap();
    assert_sitemap(
        &pages,
        "",
        "<url><loc>https://example.com/p/%E3%82%B5</loc></url><url><loc>https://example.com/p/lamp-&amp;-shade</loc></url>",
        &[
            Page {
                slug: "%E3%82%B5".to_owned(),
            },
            Page {
                slug: "lamp-&-shade".to_owned(),
            },
        ],
    );
}
