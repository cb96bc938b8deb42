//! Keys of every type: each row is listed once, or the source is refused.

use diesel::connection::SimpleConnection;
use diesel::pg::Pg;
use diesel::prelude::*;
use sitemap_serde::SitemapEntry;
use sitemap_serving_tests::{Class, Postgres, listed_once};
use sitemap_site::source::blocking;

/// The view `pages` with a key of a type.
macro_rules! pages {
    ($($module:ident $kind:ident;)*) => {$(
        mod $module {
            use super::*;

            diesel::table! { pages (id) { id -> $kind, slug -> Text, } }

            #[derive(Debug, Queryable, Selectable, SitemapEntry)]
            #[diesel(table_name = pages, check_for_backend(Pg))]
            #[sitemap(loc = "/{slug}")]
            pub(super) struct Page {
                slug: String,
            }

            pub(super) async fn listed(url: &str, name: &str) -> Result<(), String> {
                let source = || {
                    let url = url.to_owned();
                    blocking(sitemap_diesel::rows! {
                        table = pages::table,
                        key = (pages::id),
                        row = Page,
                        connect = move || PgConnection::establish(&url),
                    })
                };
                listed_once(source, name).await
            }
        }
    )*};
}
pages! {
    integer BigInt;
    text Text;
    uuids Uuid;
    bytes Binary;
}

mod several {
    use super::*;

    diesel::table! { pages (lang, id) { lang -> Text, id -> Integer, slug -> Text, } }

    #[derive(Debug, Queryable, Selectable, SitemapEntry)]
    #[diesel(table_name = pages, check_for_backend(Pg))]
    #[sitemap(loc = "/{slug}")]
    pub(super) struct Page {
        slug: String,
    }

    pub(super) async fn listed(url: &str, name: &str) -> Result<(), String> {
        let source = || {
            let url = url.to_owned();
            blocking(sitemap_diesel::rows! {
                table = pages::table,
                key = (pages::lang, pages::id),
                row = Page,
                connect = move || PgConnection::establish(&url),
            })
        };
        listed_once(source, name).await
    }
}

#[tokio::test]
async fn keys_of_postgresql() {
    let Some(postgres) = Postgres::start("keys_of_postgresql") else {
        return;
    };
    let url = postgres.url();
    let mut connection = PgConnection::establish(&url).unwrap();
    let mut refused = Vec::new();
    for kind in sitemap_serving_tests::postgres_kinds() {
        connection.batch_execute(&kind.sql).unwrap();
        let key = kind.key.join(", ");
        // The policy of rows does not apply to the user who makes the tables. A key is not null, as the compiler checks.
        if key.is_empty()
            || kind.class == Class::Other
            || ["secured", "nulls", "padded_twos"].contains(&kind.name)
        {
            continue;
        }
        let view = format!("CREATE VIEW pages AS SELECT {key}, slug FROM {}", kind.name);
        connection.batch_execute(&view).unwrap();
        let listed = match kind.class {
            Class::Integer => integer::listed(&url, kind.name).await,
            Class::Text | Class::Padded => text::listed(&url, kind.name).await,
            Class::Uuid => uuids::listed(&url, kind.name).await,
            Class::Bytes => bytes::listed(&url, kind.name).await,
            _ => several::listed(&url, kind.name).await,
        };
        connection.batch_execute("DROP VIEW pages").unwrap();
        if let Err(reason) = listed {
            assert!(
                reason.contains("the key column `id` (Text) is not compared as it is ordered"),
                "{}: {reason}",
                kind.name
            );
            refused.push(kind.name);
        }
    }
    assert_eq!(refused, ["citexts", "hidden_citexts"]);
}
