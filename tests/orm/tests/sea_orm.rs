//! Models of SeaORM.

use sea_orm::entity::prelude::*;
use sea_orm::{ConnectOptions, Database, QueryOrder, Schema, Set};
use sitemap_orm_tests::{assert_sitemap, assert_urls, pages};
use sitemap_serde::{SitemapEntry, SitemapFields};

mod article {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::{FromSitemapEntry, SitemapEntry};

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry, FromSitemapEntry)]
    #[sea_orm(table_name = "articles")]
    #[sitemap(loc = "/{section}/{id}", changefreq = "monthly")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        pub section: Section,
        #[sea_orm(column_type = "Text")]
        pub title: String,
        #[sitemap(lastmod)]
        pub published: Option<DateTimeUtc>,
        #[sitemap(priority)]
        pub priority: Option<f64>,
        #[sea_orm(default_value = false)]
        #[sitemap(exclude_if)]
        pub hidden: bool,
    }

    /// A value from the database that is part of the address.
    #[derive(Clone, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
    #[sea_orm(rs_type = "String", db_type = "Text")]
    pub(super) enum Section {
        #[sea_orm(string_value = "news")]
        News,
        #[sea_orm(string_value = "how-to")]
        HowTo,
    }

    impl std::fmt::Display for Section {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(&self.to_value())
        }
    }

    impl std::str::FromStr for Section {
        type Err = DbErr;

        fn from_str(text: &str) -> Result<Self, DbErr> {
            Section::try_from_value(&text.to_owned())
        }
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

use article::{Model, Section};

#[tokio::test(flavor = "current_thread")]
async fn models() {
    // Each connection would have its own memory database.
    let mut options = ConnectOptions::new("sqlite::memory:");
    options.max_connections(1).min_connections(1);
    let database = Database::connect(options).await.unwrap();
    let schema = Schema::new(database.get_database_backend());
    let table = schema.create_table_from_entity(article::Entity);
    database.execute(&table).await.unwrap();

    let model = |id, section, published: Option<&str>| Model {
        id,
        section,
        title: format!("Article {id}"),
        published: published.map(|text| text.parse().unwrap()),
        priority: published.map(|_| 0.7),
        hidden: false,
    };
    let models = [
        model(1, Section::News, Some("2024-05-06T07:08:09Z")),
        Model {
            hidden: true,
            ..model(2, Section::News, None)
        },
        model(3, Section::HowTo, None),
    ];
    for model in &models {
        let model = model.clone();
        let active = article::ActiveModel {
            id: Set(model.id),
            section: Set(model.section),
            title: Set(model.title),
            published: Set(model.published),
            priority: Set(model.priority),
            hidden: Set(model.hidden),
        };
        active.insert(&database).await.unwrap();
    }

    let found = article::Entity::find()
        .order_by_asc(article::Column::Id)
        .all(&database)
        .await
        .unwrap();
    assert_eq!(found, models);
    let without_title = |model: &Model| Model {
        title: String::new(),
        ..model.clone()
    };
    assert_sitemap(
        &found,
        "",
        "<url><loc>https://example.com/news/1</loc><lastmod>2024-05-06T07:08:09Z</lastmod>\
         <changefreq>monthly</changefreq><priority>0.7</priority></url>\
         <url><loc>https://example.com/how-to/3</loc><changefreq>monthly</changefreq></url>",
        &[without_title(&models[0]), without_title(&models[2])],
    );
}

mod author {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapFields;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapFields)]
    #[sea_orm(table_name = "authors")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        pub name: String,
        #[sitemap(image)]
        pub portrait: Option<String>,
        #[sea_orm(has_many)]
        pub posts: HasMany<super::post::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod translation {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "translations")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        pub post_id: i32,
        pub language: String,
        pub slug: String,
        #[sea_orm(belongs_to, from = "post_id", to = "id")]
        pub post: HasOne<super::post::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod post {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapFields;

    /// Conditions on the model also apply to its `ModelEx`. The page is made from the latter, because it has the relations.
    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapFields)]
    #[sea_orm(
        table_name = "posts",
        model_ex_attrs(
            derive(sitemap_serde::SitemapEntry),
            sitemap(loc = "/{lang}/{author.name}/{slug}")
        )
    )]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i32,
        pub author_id: i32,
        #[sitemap(lastmod, precision = "second")]
        pub published: Option<DateTimeUtc>,
        #[sea_orm(belongs_to, from = "author_id", to = "id")]
        #[sitemap(flatten, write_with = HasOne::as_ref)]
        pub author: HasOne<super::author::Entity>,
        #[sea_orm(has_many)]
        #[sitemap(languages(slug), write_with = super::names)]
        pub translations: HasMany<super::translation::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

fn names(translations: &HasMany<translation::Entity>) -> Vec<(String, String)> {
    let translations = translations.iter();
    translations
        .map(|row| (row.language.clone(), row.slug.clone()))
        .collect()
}

/// Some columns, and some columns of the author.
#[derive(DerivePartialModel, SitemapEntry)]
#[sea_orm(entity = "post::Entity")]
#[sitemap(loc = "/posts/{author.name}/{id}")]
struct Listed {
    id: i32,
    #[sitemap(lastmod, precision = "day")]
    published: Option<DateTimeUtc>,
    #[sea_orm(nested)]
    #[sitemap(flatten)]
    author: Option<Writer>,
}

#[derive(DerivePartialModel, SitemapFields)]
#[sea_orm(entity = "author::Entity")]
struct Writer {
    name: String,
    #[sitemap(image)]
    portrait: Option<String>,
}

#[tokio::test(flavor = "current_thread")]
async fn relations_and_partial_models() {
    let mut options = ConnectOptions::new("sqlite::memory:");
    options.max_connections(1).min_connections(1);
    let database = Database::connect(options).await.unwrap();
    let schema = Schema::new(database.get_database_backend());
    for table in [
        schema.create_table_from_entity(author::Entity),
        schema.create_table_from_entity(post::Entity),
        schema.create_table_from_entity(translation::Entity),
    ] {
        database.execute(&table).await.unwrap();
    }
    let author = author::ActiveModel {
        id: Set(1),
        name: Set("a & b".to_owned()),
        portrait: Set(Some("/img/a.jpg".to_owned())),
    };
    author.insert(&database).await.unwrap();
    let post = post::ActiveModel {
        id: Set(7),
        author_id: Set(1),
        published: Set(Some("2024-05-06T07:08:09.5Z".parse().unwrap())),
    };
    post.insert(&database).await.unwrap();
    for (id, language, slug) in [(1, "de", "lampe"), (2, "en", "lamp")] {
        let translation = translation::ActiveModel {
            id: Set(id),
            post_id: Set(7),
            language: Set(language.to_owned()),
            slug: Set(slug.to_owned()),
        };
        translation.insert(&database).await.unwrap();
    }

    let found: Vec<post::ModelEx> = post::Entity::load()
        .with(author::Entity)
        .with(translation::Entity)
        .all(&database)
        .await
        .unwrap();
    let expected = pages(&[("de", "/de/a%20%26%20b/lampe"), ("en", "/en/a%20%26%20b/lamp")]);
    let values = "</loc><lastmod>2024-05-06T07:08:09Z</lastmod>\
                  <image:image><image:loc>https://example.com/img/a.jpg</image:loc></image:image>";
    assert_urls(&found, &expected.replace("</loc>", values));

    let listed: Vec<Listed> = post::Entity::find()
        .left_join(author::Entity)
        .into_partial_model::<Listed>()
        .all(&database)
        .await
        .unwrap();
    assert_urls(
        &listed,
        "<url><loc>https://example.com/posts/a%20%26%20b/7</loc><lastmod>2024-05-06</lastmod>\
         <image:image><image:loc>https://example.com/img/a.jpg</image:loc></image:image></url>",
    );
}
