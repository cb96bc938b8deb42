//! The queries as text. `tests/databases` tests them with databases.

use sea_orm::DbBackend;

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

#[test]
fn a_range_of_several_columns_is_a_comparison_of_row_values() {
    let db = DatabaseConnection::default();
    let rows = entity::<translation::Entity>(db.clone()).lastmod(translation::Column::UpdatedAt);
    let span = Span::new(Key::from(("de", 5)), Key::from(("en", 7)));

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
}
