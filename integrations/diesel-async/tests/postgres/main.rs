//! PostgreSQL from the system, without libpq; the tests are skipped with a message if it is
//! missing.
#![cfg(unix)]

use std::sync::{Arc, Mutex};

use diesel::connection::InstrumentationEvent;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
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

    async fn connection(self) -> ConnectionResult<AsyncPgConnection> {
        let mut connection = AsyncPgConnection::establish(&self.url).await?;
        connection.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::StartQuery { query, .. } = event {
                self.queries.lock().unwrap().push(query.to_string());
            }
        });
        Ok(connection)
    }

    fn connect(&self) -> impl Fn() -> connecting::Connecting + use<> {
        let database = self.clone();
        move || Box::pin(database.clone().connection())
    }

    async fn execute(&self, sql: &'static str) {
        let mut connection = self.clone().connection().await.unwrap();
        connection.batch_execute(sql).await.unwrap();
    }

    /// A connection that has run this, and stays open.
    async fn hold(&self, sql: &'static str) -> AsyncPgConnection {
        let mut connection = self.clone().connection().await.unwrap();
        connection.batch_execute(sql).await.unwrap();
        connection
    }

    async fn explain(&self, sql: &str) -> Vec<String> {
        let mut connection = self.clone().connection().await.unwrap();
        let plan = diesel::sql_query(format!("EXPLAIN (COSTS OFF) {sql}"));
        let plan: Vec<Plan> = plan.load(&mut connection).await.unwrap();
        plan.into_iter().map(|plan| plan.line).collect()
    }

    async fn translations(&self, products: Vec<i64>) -> Vec<(i64, String, String)> {
        use tables::schema::translations as t;
        let mut connection = self.clone().connection().await.unwrap();
        let query = t::table.filter(t::product.eq_any(products)).order(t::lang);
        query.load(&mut connection).await.unwrap()
    }

    /// The queries that were made since it was last asked, with their values.
    fn take_queries(&self) -> Vec<String> {
        let mut queries = std::mem::take(&mut *self.queries.lock().unwrap());
        // Diesel queries its own settings on each connection.
        queries.retain(|query| query.starts_with("SELECT"));
        queries
    }
}

mod connecting {
    use std::pin::Pin;

    use diesel::ConnectionResult;
    use diesel_async::AsyncPgConnection;

    pub(crate) type Connecting = Pin<Box<dyn Future<Output = ConnectionResult<AsyncPgConnection>> + Send>>;
}

/// A source of a table.
macro_rules! source {
    ($database:expr, table = $table:path, key = $key:tt, row = $row:ty, $($rest:tt)*) => {
        sitemap_diesel_async::rows! {
            table = $table,
            key = $key,
            row = $row,
            connect = $database.connect(),
            $($rest)*
        }
    };
}

#[path = "../../../diesel/tests/postgres/tables.rs"]
mod tables;

#[tokio::test]
async fn tables_of_every_kind() {
    if let Some(postgres) = Postgres::start("tables_of_every_kind") {
        tables::check(postgres).await;
    }
}
