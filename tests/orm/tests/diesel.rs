//! Rows of Diesel.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use sitemap_orm_tests::{IMAGES, assert_sitemap, assert_urls, pages};
use sitemap_serde::{FromSitemapEntry, SitemapEntry, SitemapFields};

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
    #[sitemap(lastmod, zone = "UTC")]
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
    #[sitemap(loc, write_with = path, read_with = slug)]
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

mod joined {
    diesel::table! {
        shops (id) {
            id -> BigInt,
            name -> Text,
            changed -> Nullable<Timestamp>,
        }
    }

    diesel::table! {
        offers (id) {
            id -> BigInt,
            slug -> Text,
            shop_id -> Nullable<BigInt>,
            photo -> Text,
        }
    }

    diesel::table! {
        translations (id) {
            id -> BigInt,
            offer_id -> BigInt,
            language -> Text,
            slug -> Text,
        }
    }

    diesel::joinable!(offers -> shops (shop_id));
    diesel::joinable!(translations -> offers (offer_id));
    diesel::allow_tables_to_appear_in_same_query!(offers, shops, translations);
}

use joined::{offers, shops, translations};

#[derive(Queryable, Selectable, SitemapFields)]
#[diesel(table_name = shops)]
struct Shop {
    name: String,
    #[sitemap(lastmod, zone = "UTC")]
    changed: Option<NaiveDateTime>,
}

#[derive(Queryable, Selectable, Identifiable, SitemapFields)]
#[diesel(table_name = offers)]
struct Offer {
    id: i64,
    slug: String,
    #[sitemap(image)]
    photo: String,
}

/// A left join: the shop may be absent.
#[derive(Queryable, Selectable, SitemapEntry)]
#[diesel(table_name = offers)]
#[sitemap(loc = "/offers/{offer.id}-{offer.slug}", image = "/shops/{shop.name}.png")]
struct Joined {
    #[diesel(embed)]
    #[sitemap(flatten)]
    offer: Offer,
    #[diesel(embed)]
    #[sitemap(flatten)]
    shop: Option<Shop>,
}

#[derive(Queryable, Selectable, Identifiable, Associations)]
#[diesel(belongs_to(Offer))]
#[diesel(table_name = translations)]
struct Translation {
    id: i64,
    offer_id: i64,
    language: String,
    slug: String,
}

/// An offer with its rows in the table of translations.
#[derive(SitemapEntry)]
#[sitemap(loc = "/{lang}/{0.id}/{slug}")]
struct Translated(
    #[sitemap(flatten)] Offer,
    #[sitemap(languages(slug), write_with = names)] Vec<Translation>,
);

fn names(translations: &[Translation]) -> Vec<(&str, &str)> {
    let translations = translations.iter();
    translations
        .map(|translation| (&*translation.language, &*translation.slug))
        .collect()
}

#[test]
fn embedded_joins_and_translations() {
    let mut connection = SqliteConnection::establish(":memory:").unwrap();
    for statement in [
        "CREATE TABLE shops (id BIGINT PRIMARY KEY NOT NULL, name TEXT NOT NULL, changed TIMESTAMP)",
        "CREATE TABLE offers (id BIGINT PRIMARY KEY NOT NULL, slug TEXT NOT NULL, shop_id BIGINT, photo TEXT NOT NULL)",
        "CREATE TABLE translations (id BIGINT PRIMARY KEY NOT NULL, offer_id BIGINT NOT NULL, language TEXT NOT NULL, \
         slug TEXT NOT NULL)",
        "INSERT INTO shops VALUES (1, 'north', '2024-05-06 07:08:09')",
        "INSERT INTO offers VALUES (1, 'lamp', 1, '/lamp.jpg'), (2, 'chair', NULL, '')",
        "INSERT INTO translations VALUES (1, 1, 'de', 'lampe & schirm'), (2, 1, 'en', 'lamp')",
    ] {
        diesel::sql_query(statement).execute(&mut connection).unwrap();
    }
    let rows: Vec<Joined> = offers::table
        .left_join(shops::table)
        .select(Joined::as_select())
        .order(offers::id)
        .load(&mut connection)
        .unwrap();
    assert_urls(
        &rows,
        "<url><loc>https://example.com/offers/1-lamp</loc><lastmod>2024-05-06T07:08:09Z</lastmod>\
         <image:image><image:loc>https://example.com/shops/north.png</image:loc></image:image>\
         <image:image><image:loc>https://example.com/lamp.jpg</image:loc></image:image></url>\
         <url><loc>https://example.com/offers/2-chair</loc></url>",
    );

    let offers: Vec<Offer> = offers::table
        .select(Offer::as_select())
        .order(offers::id)
        .load(&mut connection)
        .unwrap();
    let translations: Vec<Translation> = Translation::belonging_to(&offers)
        .select(Translation::as_select())
        .order(translations::id)
        .load(&mut connection)
        .unwrap();
    assert_eq!(translations[0].id, 1);
    let grouped = translations.grouped_by(&offers);
    let mut rows: Vec<Translated> = offers
        .into_iter()
        .zip(grouped)
        .map(|(offer, translations)| Translated(offer, translations))
        .collect();
    // A row without a translation has no page.
    assert!(rows[1].1.is_empty());
    rows[0].0.photo.clear();
    assert_urls(
        &rows,
        &pages(&[("de", "/de/1/lampe%20%26%20schirm"), ("en", "/en/1/lamp")]),
    );
}
