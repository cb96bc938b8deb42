//! Models of SeaORM.

use sea_orm::entity::prelude::*;
use sea_orm::{ConnectOptions, Database, QueryOrder, Schema, Set};
use sitemap_orm_tests::assert_sitemap;

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

    /// A value of the database's that stands in the address.
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
    // Each connection would have a memory of its own.
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
