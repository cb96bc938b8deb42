//! The queries, and what SQLite makes of them.

use sea_orm::{ConnectOptions, Database, DbBackend, Schema, Statement};

use super::*;

mod translation {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "translations")]
    #[sitemap(loc = "/{language}/{slug}")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub language: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub product: i64,
        pub slug: String,
        #[sitemap(lastmod)]
        pub updated_at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

#[tokio::test]
async fn an_index_answers_a_range_of_several_columns() {
    let mut options = ConnectOptions::new("sqlite::memory:");
    options.max_connections(1);
    let db = Database::connect(options).await.unwrap();
    let table = Schema::new(DbBackend::Sqlite).create_table_from_entity(translation::Entity);
    db.execute(&table).await.unwrap();
    let rows = entity::<translation::Entity>(db.clone()).lastmod(translation::Column::UpdatedAt);
    let span = Span::new(
        sitemap_site::Key::from(("de", 5)),
        sitemap_site::Key::from(("en", 7)),
    );

    let page = rows.page_query(&span, 10).unwrap();
    let page = DbBackend::Sqlite.build(&page);
    assert_eq!(
        page.to_string(),
        "SELECT \"translations\".\"language\", \"translations\".\"product\", \"translations\".\"slug\", \"translations\".\"updated_at\", \
         \"translations\".\"language\" AS \"sitemap_key_0\", \"translations\".\"product\" AS \"sitemap_key_1\" FROM \"translations\" \
         WHERE (\"translations\".\"language\", \"translations\".\"product\") > ('de', 5) \
         AND (\"translations\".\"language\", \"translations\".\"product\") <= ('en', 7) \
         ORDER BY \"translations\".\"language\" ASC, \"translations\".\"product\" ASC LIMIT 10"
    );
    let explain = |statement: Statement| {
        let db = db.clone();
        async move {
            let values = statement.values.unwrap();
            let explained = Statement::from_sql_and_values(
                DbBackend::Sqlite,
                format!("EXPLAIN QUERY PLAN {}", statement.sql),
                values,
            );
            let plan = db.query_all_raw(explained).await.unwrap();
            plan.iter()
                .map(|row| row.try_get::<String>("", "detail").unwrap())
                .collect::<Vec<_>>()
        }
    };
    let search = "SEARCH translations USING INDEX sqlite_autoindex_translations_1 ((language,product)>(?,?) AND (language,product)<(?,?))";
    assert_eq!(explain(page).await, [search]);
    let step = DbBackend::Sqlite.build(&rows.step_query(&span, 10).unwrap());
    assert_eq!(explain(step.clone()).await, [search]);
    // With an index of all that a step asks for, the rows are not looked at.
    db.execute_unprepared("CREATE INDEX covering ON translations (language, product, updated_at)")
        .await
        .unwrap();
    assert_eq!(
        explain(step).await,
        [search.replace("INDEX sqlite_autoindex_translations_1", "COVERING INDEX covering")]
    );
}
