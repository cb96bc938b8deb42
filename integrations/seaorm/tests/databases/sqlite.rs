//! SQLite, in memory.

use sea_orm::{ConnectOptions, ConnectionTrait, Database};
use sitemap_seaorm::entity;
use sitemap_serving_tests::walked;
use sitemap_site::Key;
use sitemap_site::source::Span;

use crate::tables::{self, text, two};

#[tokio::test]
async fn tables_of_every_kind() {
    let mut options = ConnectOptions::new("sqlite::memory:");
    options.max_connections(1);
    let db = Database::connect(options).await.unwrap();
    db.execute_unprepared(include_str!("tables.sql")).await.unwrap();
    tables::check(&db).await;
    tables::check_two(&db).await;
    assert_eq!(
        walked(&entity::<text::Entity>(db.clone()), 2).await,
        ["7", "a", "b", "é"]
    );

    let two = entity::<two::Entity>(db.clone()).lastmod(two::Column::At);
    let span = Span::new(Key::from(("de", 5)), Key::from(("en", 7)));
    let search = vec![
        "SEARCH two USING INDEX sqlite_autoindex_two_1 ((lang,id)>(?,?) AND (lang,id)<(?,?))".to_owned(),
    ];
    assert_eq!(
        two.explain(&span).await.unwrap(),
        [search.clone(), search.clone()]
    );
    // With an index of all that is counted, the rows are not looked at.
    db.execute_unprepared("CREATE INDEX covering ON two (lang, id, at)")
        .await
        .unwrap();
    let covered = vec![search[0].replace("INDEX sqlite_autoindex_two_1", "COVERING INDEX covering")];
    assert_eq!(two.explain(&span).await.unwrap()[1], covered);
}
