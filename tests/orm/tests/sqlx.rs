//! Rows of sqlx.

use chrono::{DateTime, Utc};
use sitemap_orm_tests::{assert_sitemap, assert_urls, pages, read_back};
use sitemap_serde::{
    ChangeFreq, FromSitemapEntry, FromSitemapFields, Result, SitemapEntry, SitemapFields,
    convert::{FromChangeFreq, ToChangeFreq},
};
use sqlx::sqlite::SqlitePoolOptions;

#[derive(sqlx::FromRow, SitemapEntry, FromSitemapEntry, Clone, PartialEq, Debug)]
#[sitemap(loc = "/posts/{slug}")]
struct Post {
    // Values that the sitemap lacks come from `Default`.
    #[sqlx(rename = "post_id")]
    id: i64,
    slug: String,
    #[sitemap(lastmod)]
    changed: DateTime<Utc>,
    #[sqlx(try_from = "i64")]
    #[sitemap(changefreq)]
    every: Every,
    #[sitemap(priority, default = 0.5)]
    weight: Option<f64>,
    #[sitemap(include_if)]
    public: bool,
}

/// A number of days, as stored in the database.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Every(i64);

impl From<i64> for Every {
    fn from(days: i64) -> Self {
        Every(days)
    }
}

impl ToChangeFreq for Every {
    fn to_changefreq(&self) -> Result<Option<ChangeFreq>> {
        Ok(match self.0 {
            1 => Some(ChangeFreq::Daily),
            7 => Some(ChangeFreq::Weekly),
            _ => None,
        })
    }
}

impl FromChangeFreq for Every {
    fn from_changefreq(value: Option<ChangeFreq>) -> Result<Self> {
        Ok(Every(match value {
            Some(ChangeFreq::Daily) => 1,
            Some(ChangeFreq::Weekly) => 7,
            _ => 0,
        }))
    }
}

fn post(id: i64, slug: &str, every: i64, weight: Option<f64>) -> Post {
    Post {
        id,
        slug: slug.to_owned(),
        changed: "2024-05-06T07:08:09.5Z".parse().unwrap(),
        every: Every(every),
        weight,
        public: true,
    }
}

#[tokio::test(flavor = "current_thread")]
async fn rows() {
    // Each connection would have its own memory database.
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect("sqlite::memory:")
        .await
        .unwrap();
    sqlx::query(
        "CREATE TABLE posts (post_id INTEGER PRIMARY KEY, slug TEXT NOT NULL, changed TEXT NOT NULL, \
         every INTEGER NOT NULL, weight REAL, public BOOLEAN NOT NULL)",
    )
    .execute(&pool)
    .await
    .unwrap();
    let rows = [
        post(1, "a/b", 7, Some(0.1)),
        Post {
            public: false,
            ..post(2, "hidden", 1, None)
        },
        post(3, "c", 0, None),
    ];
    for row in &rows {
        sqlx::query("INSERT INTO posts VALUES (?, ?, ?, ?, ?, ?)")
            .bind(row.id)
            .bind(&row.slug)
            .bind(row.changed)
            .bind(row.every.0)
            .bind(row.weight)
            .bind(row.public)
            .execute(&pool)
            .await
            .unwrap();
    }

    let found: Vec<Post> = sqlx::query_as("SELECT * FROM posts ORDER BY post_id")
        .fetch_all(&pool)
        .await
        .unwrap();
    assert_eq!(found, rows);
    assert_sitemap(
        &found,
        "",
        "<url><loc>https://example.com/posts/a%2Fb</loc><lastmod>2024-05-06T07:08:09.5Z</lastmod>\
         <changefreq>weekly</changefreq><priority>0.1</priority></url>\
         <url><loc>https://example.com/posts/c</loc><lastmod>2024-05-06T07:08:09.5Z</lastmod>\
         <priority>0.5</priority></url>",
        &[post(0, "a/b", 7, Some(0.1)), post(0, "c", 0, Some(0.5))],
    );
}

/// A part of a join.
#[derive(sqlx::FromRow, SitemapFields, FromSitemapFields, PartialEq, Debug)]
struct Product {
    slug: String,
    #[sitemap(lastmod, precision = "day")]
    changed: DateTime<Utc>,
    #[sitemap(image)]
    photo: Option<String>,
}

#[derive(sqlx::FromRow, SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(
    loc = "/{shop}/{product.slug}",
    changefreq = "daily",
    video(
        thumbnail_loc = "/img/{product.photo?}",
        title = "{product.slug} in the {shop}",
        description = "An offer",
        content_loc = "/films/{product.slug}.mp4",
        publication_date = "{product.changed}"
    )
)]
struct Offer {
    shop: String,
    #[sqlx(flatten)]
    #[sitemap(flatten)]
    product: Product,
}

/// A page in the languages of its table of translations.
#[derive(sqlx::FromRow, SitemapEntry, FromSitemapEntry, PartialEq, Debug)]
#[sitemap(loc = "/{lang}/{slug}")]
struct Article {
    id: i64,
    #[sqlx(skip)]
    #[sitemap(languages(slug))]
    names: Vec<(String, String)>,
}

#[derive(sqlx::FromRow)]
struct Translation {
    article: i64,
    language: String,
    slug: String,
}

/// A database in memory, filled by statements.
async fn database(statements: &[&'static str]) -> sqlx::SqlitePool {
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect("sqlite::memory:")
        .await
        .unwrap();
    for &statement in statements {
        sqlx::query(statement).execute(&pool).await.unwrap();
    }
    pool
}

#[tokio::test(flavor = "current_thread")]
async fn joins() {
    let pool = database(&[
        "CREATE TABLE products (slug TEXT NOT NULL, changed TEXT NOT NULL, photo TEXT)",
        "CREATE TABLE offers (shop TEXT NOT NULL, product TEXT NOT NULL)",
        "INSERT INTO products VALUES ('lamp & shade', '2024-05-06T07:08:09.123456789+00:00', '/img/lamp.jpg'), \
         ('chair', '2024-05-07T00:00:00+00:00', '')",
        "INSERT INTO offers VALUES ('north', 'lamp & shade'), ('south', 'chair')",
    ])
    .await;
    let offers: Vec<Offer> = sqlx::query_as(
        "SELECT shop, slug, changed, photo FROM offers JOIN products ON slug = product ORDER BY shop",
    )
    .fetch_all(&pool)
    .await
    .unwrap();
    let video = |photo: &str, slug: &str, title: &str, date: &str| {
        format!(
            "<video:video><video:thumbnail_loc>https://example.com/img/{photo}</video:thumbnail_loc><video:title>{title}</video:title>\
             <video:description>An offer</video:description><video:content_loc>https://example.com/films/{slug}.mp4</video:content_loc>\
             <video:publication_date>{date}</video:publication_date></video:video>"
        )
    };
    let lamp = video(
        "%2Fimg%2Flamp.jpg",
        "lamp%20%26%20shade",
        "lamp &amp; shade in the north",
        "2024-05-06T07:08:09.123456789Z",
    );
    let chair = video("", "chair", "chair in the south", "2024-05-07T00:00:00Z");
    assert_urls(
        &offers,
        &format!(
            "<url><loc>https://example.com/north/lamp%20%26%20shade</loc><lastmod>2024-05-06</lastmod>\
             <changefreq>daily</changefreq><image:image><image:loc>https://example.com/img/lamp.jpg</image:loc></image:image>{lamp}</url>\
             <url><loc>https://example.com/south/chair</loc><lastmod>2024-05-07</lastmod><changefreq>daily</changefreq>{chair}</url>"
        ),
    );
    // The values of the join's part, and of the address, come back.
    let day = |date: &str| format!("{date}T00:00:00Z").parse().unwrap();
    let back = |shop: &str, slug: &str, date: &str, photo: Option<&str>| Offer {
        shop: shop.to_owned(),
        product: Product {
            slug: slug.to_owned(),
            changed: day(date),
            photo: photo.map(str::to_owned),
        },
    };
    assert_eq!(
        read_back(&offers),
        [
            back(
                "north",
                "lamp & shade",
                "2024-05-06",
                Some("https://example.com/img/lamp.jpg")
            ),
            back("south", "chair", "2024-05-07", None),
        ]
    );
}

#[tokio::test(flavor = "current_thread")]
async fn translations() {
    let pool = database(&[
        "CREATE TABLE articles (id INTEGER PRIMARY KEY)",
        "CREATE TABLE translations (article INTEGER NOT NULL, language TEXT NOT NULL, slug TEXT NOT NULL)",
        "INSERT INTO articles VALUES (1), (2), (3)",
        "INSERT INTO translations VALUES (1, 'de', 'lampe & schirm'), (1, 'en', 'lamp & shade'), (3, 'fr', 'chaise')",
    ])
    .await;
    let mut articles: Vec<Article> = sqlx::query_as("SELECT id FROM articles ORDER BY id")
        .fetch_all(&pool)
        .await
        .unwrap();
    let translations: Vec<Translation> = sqlx::query_as("SELECT * FROM translations ORDER BY language")
        .fetch_all(&pool)
        .await
        .unwrap();
    for Translation {
        article,
        language,
        slug,
    } in translations
    {
        let of = articles.iter_mut().find(|other| other.id == article).unwrap();
        of.names.push((language, slug));
    }
    assert_urls(
        &articles,
        &[
            pages(&[
                ("de", "/de/lampe%20%26%20schirm"),
                ("en", "/en/lamp%20%26%20shade"),
            ]),
            pages(&[("fr", "/fr/chaise")]),
        ]
        .concat(),
    );
    // Each entry gives its whole row, except the id. Without translations, there is no row.
    let mut found = read_back(&articles);
    assert_eq!(found.len(), 3);
    found.dedup();
    articles.retain(|article| !article.names.is_empty());
    for article in &mut articles {
        article.id = 0;
    }
    assert_eq!(found, articles);
}
