//! Tests that are the same for every database.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::Request;
use sea_orm::prelude::*;
use sea_orm::{DatabaseConnection, QueryOrder};
use sitemap_seaorm::entity;
use sitemap_serde::convert::ToLastmod;
use sitemap_serde::{Alternate, UrlEntry};
use sitemap_serving_tests::{body, newest, walked};
use sitemap_site::source::{Newest, Source, Span, WrongKey, with_batch};
use sitemap_site::{Key, SiteBuilder};

/// An entity with a key of one column and a page.
macro_rules! entities {
    ($($module:ident $table:literal $key:ident $type:ty;)*) => {$(
        pub(crate) mod $module {
            use sea_orm::entity::prelude::*;
            use sitemap_serde::SitemapEntry;

            #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
            #[sea_orm(table_name = $table)]
            #[sitemap(loc = "/{slug}")]
            pub(crate) struct Model {
                #[sea_orm(primary_key, auto_increment = false)]
                pub $key: $type,
                pub slug: String,
            }

            #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
            pub(crate) enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}
        }
    )*};
}
entities! {
    small "smalls" id i16;
    big "bigs" id i64;
    uuid "uuids" id Uuid;
    blob "blobs" id Vec<u8>;
    nothing "none" id i32;
}

pub(crate) mod text {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "texts")]
    #[sitemap(loc = "/{slug}")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub slug: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod two {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "two")]
    #[sitemap(loc = "/{slug}")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub lang: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        pub slug: String,
        pub at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) mod product {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "products")]
    #[sitemap(loc = "/{slug}")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub slug: String,
        #[sitemap(lastmod)]
        pub at: Option<DateTimeUtc>,
        pub draft: bool,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

mod translation {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "translations")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub product: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub lang: String,
        pub slug: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub(crate) async fn check(db: &DatabaseConnection) {
    for limit in [1, 2, 9] {
        let keys = walked(&entity::<small::Entity>(db.clone()), limit).await;
        assert_eq!(keys, ["-2", "0", "5"]);
        let keys = walked(&entity::<big::Entity>(db.clone()), limit).await;
        assert_eq!(keys, ["-9223372036854775808", "7", "9223372036854775807"]);
        let few = entity::<big::Entity>(db.clone()).filter(big::Column::Id.lte(7));
        assert_eq!(walked(&few, limit).await, ["-9223372036854775808", "7"]);
        let keys = walked(&entity::<uuid::Entity>(db.clone()), limit).await;
        assert_eq!(
            keys,
            [
                "00000000-0000-0000-0000-000000000001",
                "7f000000-0000-4000-8000-000000000000",
                "ff000000-0000-4000-8000-000000000000"
            ]
        );
        let keys = walked(&entity::<blob::Entity>(db.clone()), limit).await;
        assert_eq!(keys, ["", "00ff", "ff"]);
        assert_eq!(
            walked(&entity::<nothing::Entity>(db.clone()), limit).await,
            [""; 0]
        );
    }
    made_up_keys(db).await;
    lastmods(db).await;
    failing_cells(db).await;
    translations(db).await;
}

/// A key of two columns, which MySQL has no index for.
pub(crate) async fn check_two(db: &DatabaseConnection) {
    for limit in [1, 2, 9] {
        let keys = walked(&entity::<two::Entity>(db.clone()), limit).await;
        assert_eq!(keys, ["de,2", "de,10", "en,0", "en,1", "fr,1"]);
    }
    let two = entity::<two::Entity>(db.clone());
    for key in [Key::from("de"), Key::from((1, 1)), Key::from(("de", 1_i64 << 40))] {
        let error = two.keys(&Span::new(None, key), 1).await.unwrap_err();
        assert!(error.is::<WrongKey>(), "{error}");
    }
}

async fn made_up_keys(db: &DatabaseConnection) {
    let small = entity::<small::Entity>(db.clone());
    for key in [Key::from("x"), Key::from(40_000), Key::from((1, 2))] {
        let error = small.rows(&Span::new(key, None), 1).await.unwrap_err();
        assert!(error.is::<WrongKey>(), "{error}");
    }
    let uuid = entity::<uuid::Entity>(db.clone());
    let error = uuid.rows(&Span::new(Key::from("x"), None), 1).await.unwrap_err();
    assert!(error.is::<WrongKey>(), "{error}");
}

async fn lastmods(db: &DatabaseConnection) {
    // The server's zone is Tokyo's.
    let all = || entity::<product::Entity>(db.clone()).lastmod(product::Column::At);
    assert_eq!(newest(&all(), &Span::ALL, 9).await, Newest::Unknown);
    let first = newest(&all(), &Span::ALL, 1).await;
    assert_eq!(first, Newest::Is("2026-05-01T23:00:00Z".parse().unwrap()));
    let published = all().filter(product::Column::Draft.eq(false));
    let latest = published.latest(9).await.unwrap().unwrap();
    assert!(latest.iter().map(|row| &row.key).eq(&[900, -7].map(Key::from)));
    assert_eq!(published.latest(1).await.unwrap().unwrap(), latest[..1]);
    // The model declares the same.
    let declared = entity::<product::Entity>(db.clone());
    assert_eq!(declared.latest(9).await.unwrap(), all().latest(9).await.unwrap());
    assert_eq!(declared.without_lastmod().latest(9).await.unwrap(), None);
    let listed = published.filter(product::Column::At.is_not_null());
    let keys = listed.keys(&Span::ALL, 9).await.unwrap();
    assert_eq!((keys.len(), &keys[1].key), (2, &Key::from(900)));
    assert_eq!(
        newest(&listed, &Span::ALL, 9).await,
        Newest::Is("2026-06-01T00:00:00Z".parse().unwrap())
    );
}

async fn failing_cells(db: &DatabaseConnection) {
    let slug = async |slug: &str| {
        let sql = format!("UPDATE bigs SET slug = {slug} WHERE id = 7");
        db.execute_unprepared(&sql).await.unwrap();
    };
    slug("NULL").await;
    let page = entity::<big::Entity>(db.clone())
        .rows(&Span::ALL, 9)
        .await
        .unwrap();
    let slugs: Vec<_> = page
        .iter()
        .map(|row| row.entry().map(|page| page.slug.as_str()).ok())
        .collect();
    assert_eq!(slugs, [Some("b"), None, Some("a")]);
    assert_eq!(page[1].key(), &Key::from(7));
    slug("'c'").await;
}

/// The pages of a product in each language, with one more query for each page of rows.
async fn translations(db: &DatabaseConnection) {
    let products = entity::<product::Entity>(db.clone()).filter(product::Column::Draft.eq(false));
    let asked = Arc::new(AtomicUsize::new(0));
    let (db, count) = (db.clone(), Arc::clone(&asked));
    let pages = with_batch(products, move |page: Vec<product::Model>| {
        let db = db.clone();
        count.fetch_add(1, Ordering::SeqCst);
        async move {
            let found = translation::Entity::find()
                .filter(translation::Column::Product.is_in(page.iter().map(|product| product.id)))
                .order_by_asc(translation::Column::Lang)
                .all(&db)
                .await?;
            let entry = |product: product::Model| {
                let mut entry = UrlEntry::new(format!("/{}", product.slug));
                entry.lastmod = product.at.to_lastmod()?;
                let own = found
                    .iter()
                    .filter(|translation| translation.product == product.id);
                entry.alternates = own
                    .map(|t| Alternate::new(&*t.lang, format!("/{}/{}", t.lang, t.slug)))
                    .collect();
                Ok(entry)
            };
            page.into_iter().map(entry).collect()
        }
    });
    let site = SiteBuilder::new("https://example.com")
        .section("pages", pages)
        .batch_rows(2)
        .build()
        .unwrap();
    let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
    let xml = body(site.respond(&request).await).await;
    assert_eq!(asked.load(Ordering::SeqCst), 2, "one for each page of two rows");
    let expected = concat!(
        "<url><loc>https://example.com/lamp</loc><lastmod>2026-05-01T23:00:00Z</lastmod>",
        "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/lampe\"/>",
        "<xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/en/lamp\"/></url>",
        "<url><loc>https://example.com/chair</loc></url>",
        "<url><loc>https://example.com/desk</loc><lastmod>2026-06-01T00:00:00Z</lastmod>",
        "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/tisch\"/></url></urlset>"
    );
    assert!(xml.ends_with(expected), "{xml}");
}
