//! The SQLite file: opened, created, filled.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use diesel::connection::SimpleConnection;
use diesel::dsl::{count_star, sql};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer};
use sitemap_examples::progress::Progress;

use crate::model::{posts, products};
use crate::sample;

/// `shop`, in SQLite's field for the application id.
const APPLICATION: i32 = i32::from_be_bytes(*b"shop");
/// Incremented with every change of the tables or of their sample rows.
const VERSION: i32 = 2;

#[derive(Debug, Args)]
pub(crate) struct Location {
    /// The SQLite file, created if it does not exist [default: sitemap-shop.sqlite in the temporary folder]
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Stock {
    #[command(flatten)]
    location: Location,
    /// Number of products of a new shop [default: 120000]; a filled shop with another number stays unchanged
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    products: Option<u32>,
    /// Recreate products and posts: changes in them are lost
    #[arg(long)]
    refill: bool,
}

/// The default number of products of a new shop.
const PRODUCTS: u32 = 120_000;

/// The place of the rows. Each user opens its own connection.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    path: String,
}

impl Location {
    /// The database, with its tables.
    pub(crate) fn open(&self) -> Result<Database> {
        let path = match &self.database {
            Some(path) => path.clone(),
            None => std::env::temp_dir().join("sitemap-shop.sqlite"),
        };
        // With an absolute path, even a file named `:memory:` or `file:…` is only a file.
        let path = std::path::absolute(&path).with_context(|| format!("cannot find {}", path.display()))?;
        let Some(path) = path.to_str() else {
            bail!(
                "cannot open {}: its name is not UTF-8; choose another with --database",
                path.display()
            );
        };
        let database = Database {
            path: path.to_owned(),
        };
        check_place(Path::new(path))
            .and_then(|()| database.create())
            .with_context(|| format!("cannot use {path} as the shop's database"))?;
        Ok(database)
    }
}

/// For these problems, SQLite only reports that it cannot open the file.
fn check_place(path: &Path) -> Result<()> {
    if path.is_dir() {
        bail!("it is a folder; name a file in it with --database");
    }
    match path.parent() {
        Some(folder) if !folder.is_dir() => bail!(
            "there is no folder {}; make it, or choose another file with --database",
            folder.display()
        ),
        _ => Ok(()),
    }
}

/// An error of SQLite about the file, with advice.
fn unusable(error: impl Into<anyhow::Error>) -> anyhow::Error {
    anyhow!("{:#}; choose another file with --database", error.into())
}

impl Stock {
    /// The database, filled.
    pub(crate) fn open(&self) -> Result<Database> {
        let database = self.location.open()?;
        database
            .fill(self.products, self.refill)
            .with_context(|| format!("cannot fill {}", database.path))?;
        Ok(database)
    }
}

impl Database {
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn connect(&self) -> Result<SqliteConnection> {
        let mut connection =
            SqliteConnection::establish(&self.path).with_context(|| format!("cannot open {}", self.path))?;
        // A writer is soon done, so wait for it. With write-ahead logging, readers need not wait at all. Rows are read once, in
        // order, so 512 KiB of cache per connection are enough instead of 2 MiB.
        connection.batch_execute(
            "PRAGMA busy_timeout = 10000; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -512;",
        )?;
        Ok(connection)
    }

    /// Creates the tables, unless they exist.
    fn create(&self) -> Result<()> {
        let mut connection = self.connect().map_err(unusable)?;
        let pragma = |connection: &mut SqliteConnection, name: &str| {
            let value = sql::<Integer>(&format!("PRAGMA {name}"));
            value.get_result::<i32>(connection).map_err(unusable)
        };
        let owner = pragma(&mut connection, "application_id")?;
        if owner == APPLICATION && pragma(&mut connection, "user_version")? == VERSION {
            return Ok(());
        }
        let tables: i64 = sql::<BigInt>("SELECT COUNT(*) FROM sqlite_schema").get_result(&mut connection)?;
        if owner != APPLICATION && tables > 0 {
            bail!("it is a database of another program; choose another file with --database");
        }
        if tables > 0 {
            bail!(
                "its tables are those of another version of the shop; remove it, or choose another file with --database"
            );
        }
        connection
            .batch_execute("PRAGMA journal_mode = WAL")
            .map_err(unusable)?;
        connection.immediate_transaction(|connection| {
            connection.batch_execute(include_str!("schema.sql"))?;
            connection.batch_execute(&format!(
                "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
            ))?;
            Ok(())
        })
    }

    /// Fills the shop if it is empty, or if a refill is requested. One transaction: the shop is filled completely or not at all.
    fn fill(&self, wanted: Option<u32>, refill: bool) -> Result<()> {
        let mut connection = self.connect()?;
        let present: i64 = products::table.select(count_star()).first(&mut connection)?;
        if present > 0 && !refill {
            match wanted {
                Some(wanted) if i64::from(wanted) != present => bail!(
                    "it has {present} products, which somebody may have changed, and not {wanted}; leave --products out to \
                     serve them, choose another file with --database, or make them anew with --refill"
                ),
                _ => return Ok(()),
            }
        }
        let wanted = i64::from(wanted.unwrap_or(PRODUCTS));
        let total = u64::try_from(wanted + sample::POSTS).ok();
        let mut progress = Progress::new("filling the shop", "row", total);
        connection.immediate_transaction(|connection| {
            diesel::delete(products::table).execute(connection)?;
            diesel::delete(posts::table).execute(connection)?;
            for id in 1..=wanted {
                diesel::insert_into(products::table)
                    .values(sample::product(id))
                    .execute(connection)?;
                progress.step();
            }
            for id in 1..=sample::POSTS {
                diesel::insert_into(posts::table)
                    .values(sample::post(id))
                    .execute(connection)?;
                progress.step();
            }
            QueryResult::Ok(())
        })?;
        progress.finish();
        Ok(())
    }
}
