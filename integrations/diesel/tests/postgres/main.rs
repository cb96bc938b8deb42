//! PostgreSQL from the system, by libpq; the tests are skipped with a message if it is missing.
#![cfg(unix)]

use std::sync::{Arc, Mutex};

use diesel::connection::{InstrumentationEvent, SimpleConnection};
use diesel::prelude::*;
use diesel::sql_types::Text;
use sitemap_serving_tests::Postgres;

/// The database with the tables, and the queries to it.
#[derive(Clone)]
pub(crate) struct Database {
    url: Arc<str>,
    queries: Arc<Mutex<Vec<String>>>,
}

#[derive(QueryableByName)]
struct Plan {
    #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
    line: String,
}

impl Database {
    fn new(url: String) -> Self {
        Database {
            url: url.into(),
            queries: Arc::default(),
        }
    }

    fn connect(&self) -> impl Fn() -> ConnectionResult<PgConnection> + use<> {
        let (url, queries) = (Arc::clone(&self.url), Arc::clone(&self.queries));
        move || {
            let mut connection = PgConnection::establish(&url)?;
            let queries = Arc::clone(&queries);
            connection.set_instrumentation(move |event: InstrumentationEvent<'_>| {
                if let InstrumentationEvent::StartQuery { query, .. } = event {
                    queries.lock().unwrap().push(query.to_string());
                }
            });
            Ok(connection)
        }
    }

    /// Runs queries on a thread that may block.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce(&mut PgConnection) -> T + Send + 'static) -> T {
        let connect = self.connect();
        tokio::task::spawn_blocking(move || work(&mut connect().unwrap()))
            .await
            .unwrap()
    }

    async fn execute(&self, sql: &'static str) {
        self.run(|connection| connection.batch_execute(sql).unwrap())
            .await;
    }

    /// A connection that has run this, and stays open.
    async fn hold(&self, sql: &'static str) -> PgConnection {
        let connect = self.connect();
        let held = tokio::task::spawn_blocking(move || {
            let mut connection = connect().unwrap();
            connection.batch_execute(sql).unwrap();
            connection
        });
        held.await.unwrap()
    }

    async fn explain(&self, sql: &str) -> Vec<String> {
        let sql = format!("EXPLAIN (COSTS OFF) {sql}");
        let plan: Vec<Plan> = self
            .run(|connection| diesel::sql_query(sql).load(connection).unwrap())
            .await;
        plan.into_iter().map(|plan| plan.line).collect()
    }

    async fn translations(&self, products: Vec<i64>) -> Vec<(i64, String, String)> {
        use tables::schema::translations as t;
        let query = t::table.filter(t::product.eq_any(products)).order(t::lang);
        self.run(move |connection| query.load(connection).unwrap()).await
    }

    /// The queries that were made since it was last asked, with their values.
    fn take_queries(&self) -> Vec<String> {
        let mut queries = std::mem::take(&mut *self.queries.lock().unwrap());
        // Diesel queries its own settings on each connection.
        queries.retain(|query| query.starts_with("SELECT"));
        queries
    }
}

/// A source of a table.
macro_rules! source {
    ($database:expr, table = $table:path, key = $key:tt, row = $row:ty, $($rest:tt)*) => {
        sitemap_site::source::blocking(sitemap_diesel::rows! {
            table = $table,
            key = $key,
            row = $row,
            connect = $database.connect(),
            $($rest)*
        })
    };
}

mod kinds;
mod tables;

#[tokio::test]
async fn tables_of_every_kind() {
    if let Some(postgres) = Postgres::start("tables_of_every_kind") {
        tables::check(postgres).await;
    }
}
