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

mod named {
    use sea_orm::entity::prelude::*;
    use sitemap_serde::SitemapEntry;

    /// A size, as an enum of the database.
    #[derive(Clone, Debug, PartialEq, EnumIter, DeriveActiveEnum)]
    #[sea_orm(rs_type = "String", db_type = "Enum", enum_name = "size")]
    pub(super) enum Size {
        #[sea_orm(string_value = "small")]
        Small,
    }

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel, SitemapEntry)]
    #[sea_orm(table_name = "named")]
    #[sitemap(loc = "/{sitemap_key_0}")]
    pub(super) struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub sitemap_key_0: String,
        pub size: Size,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

#[test]
fn a_column_may_have_the_name_of_a_key() {
    let rows = entity::<named::Entity>(DatabaseConnection::default());
    let keys = DbBackend::Sqlite.build(&rows.page_query(&Span::ALL, 10).unwrap());
    let keys = keys.to_string();
    assert!(keys.contains("\"named\".\"id\" AS \"sitemap_key_0_\""), "{keys}");
}

#[test]
fn an_enum_is_no_key() {
    let rows = entity::<named::Entity>(DatabaseConnection::default()).key([named::Column::Size]);
    let error = rows
        .page_query(&Span::new(None, Key::from("small")), 10)
        .unwrap_err();
    assert!(
        error.to_string().starts_with("the key column `size` is an enum"),
        "{error}"
    );
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
