//! Random migrations of a table, and a source's results before, during and after them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sitemap_site::Key;
use sitemap_site::source::{Source, Span};
use sitemap_tests::Random;

/// The database whose table is migrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MySQL or MariaDB.
    MySql,
}

/// Number of rows of the table.
pub const MIGRATED_ROWS: i64 = 120;

/// Rows per batch. The last batch is short.
const BATCH: usize = 37;

/// Number of migrations of each kind of source, pool and load, if `SITEMAP_ROUNDS` is not set.
const MIGRATIONS: usize = 10;

/// The time for a source to recover after the end of a migration.
const HEALED: Duration = Duration::from_millis(2_500);

/// Random migrations of the table `pages (id, slug, at)` and of the view `listed`, which has the same columns over the table `stored`. Each
/// migration ends with a table that has all its rows and values, under the same names.
#[derive(Debug)]
pub struct Migrations {
    dialect: Dialect,
    random: Random,
    /// The columns beyond `id`, `slug` and `at`.
    extra: Vec<String>,
    /// Number of columns added so far.
    added: usize,
    is_id_wide: bool,
    /// `true` if ids stay wide.
    are_ids_fixed: bool,
}

impl Migrations {
    /// The migrations of a seed.
    pub fn new(dialect: Dialect, seed: u64) -> Self {
        Migrations {
            dialect,
            random: Random::new(seed),
            extra: Vec::new(),
            added: 0,
            is_id_wide: false,
            are_ids_fixed: false,
        }
    }

    /// The migrations of a table whose ids are always BIGINT, for types that read only those integers.
    #[must_use]
    pub fn with_wide_ids(mut self) -> Self {
        (self.is_id_wide, self.are_ids_fixed) = (true, true);
        self
    }

    fn other_ids(&mut self) {
        self.is_id_wide = self.are_ids_fixed || !self.is_id_wide;
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn integer(&self) -> &'static str {
        match (self.dialect, self.is_id_wide) {
            (Dialect::Sqlite, _) => "INTEGER",
            (_, true) => "BIGINT",
            (_, false) => "INT",
        }
    }

    fn text(&mut self) -> &'static str {
        ["TEXT", "VARCHAR(100)"][self.below(2)]
    }

    fn time(&self) -> &'static str {
        match self.dialect {
            Dialect::Sqlite => "TEXT",
            Dialect::Postgres => "TIMESTAMPTZ",
            Dialect::MySql => "TIMESTAMP NULL",
        }
    }

    /// The statements that make the tables and the view.
    pub fn setup(&mut self) -> Vec<String> {
        let mut statements = vec![
            "DROP VIEW IF EXISTS listed".to_owned(),
            "DROP TABLE IF EXISTS pages".to_owned(),
            "DROP TABLE IF EXISTS stored".to_owned(),
        ];
        for table in ["pages", "stored"] {
            statements.push(format!(
                "CREATE TABLE {table} (id {} NOT NULL PRIMARY KEY, slug {} NOT NULL, at {})",
                self.integer(),
                self.text(),
                self.time()
            ));
            let rows: Vec<_> = (1..=MIGRATED_ROWS)
                .map(|n| {
                    let (hour, minute) = (n / 60, n % 60);
                    format!("({}, 'p{}', '2026-05-01 {hour:02}:{minute:02}:00')", n * 3, n * 3)
                })
                .collect();
            statements.push(format!("INSERT INTO {table} VALUES {}", rows.join(", ")));
        }
        statements.push("CREATE VIEW listed AS SELECT id, slug, at FROM stored".to_owned());
        statements
    }

    /// Wraps statements in a transaction if the database supports transactional schema changes.
    fn together(&self, statements: Vec<String>) -> Vec<String> {
        if self.dialect == Dialect::MySql {
            return statements;
        }
        vec![format!("BEGIN; {}; COMMIT", statements.join("; "))]
    }

    /// A random migration, as statements with queries between them. The table is valid again after the last one.
    pub fn migration(&mut self) -> Vec<String> {
        let taken = self.below(self.extra.len().max(1));
        match self.below(10) {
            0 | 1 => {
                self.added += 1;
                let name = format!("extra_{}", self.added);
                let first = if self.dialect == Dialect::MySql && self.below(2) == 0 {
                    " FIRST"
                } else {
                    ""
                };
                let added = format!("ALTER TABLE pages ADD COLUMN {name} VARCHAR(20) DEFAULT 'x'{first}");
                self.extra.push(name);
                vec![added]
            }
            2 if !self.extra.is_empty() => {
                let name = self.extra.remove(taken);
                vec![format!("ALTER TABLE pages DROP COLUMN {name}")]
            }
            3 if !self.extra.is_empty() => {
                self.added += 1;
                let name = format!("renamed_{}", self.added);
                let before = std::mem::replace(&mut self.extra[taken], name.clone());
                vec![format!("ALTER TABLE pages RENAME COLUMN {before} TO {name}")]
            }
            4 => vec![
                "ALTER TABLE pages RENAME COLUMN slug TO elsewhere".to_owned(),
                "ALTER TABLE pages RENAME COLUMN elsewhere TO slug".to_owned(),
            ],
            5 => {
                let text = self.text();
                let mut statements = vec![
                    format!("ALTER TABLE pages ADD COLUMN copied {text}"),
                    "UPDATE pages SET copied = slug".to_owned(),
                ];
                statements.extend(self.together(vec![
                    "ALTER TABLE pages DROP COLUMN slug".to_owned(),
                    "ALTER TABLE pages RENAME COLUMN copied TO slug".to_owned(),
                ]));
                statements
            }
            6 => self.rebuild(),
            7 => self.other_types(),
            _ => self.other_view(),
        }
    }

    /// Columns in another order, with other types, in a new table.
    fn rebuild(&mut self) -> Vec<String> {
        self.other_ids();
        let mut columns = vec![
            format!("id {} NOT NULL PRIMARY KEY", self.integer()),
            format!("slug {} NOT NULL", self.text()),
            format!("at {}", self.time()),
        ];
        for name in std::mem::take(&mut self.extra) {
            if self.below(2) == 0 {
                columns.push(format!("{name} VARCHAR(20) DEFAULT 'y'"));
                self.extra.push(name);
            }
        }
        let first = self.below(columns.len());
        columns.rotate_left(first);
        let mut statements = vec![
            format!("CREATE TABLE rebuilt ({})", columns.join(", ")),
            "INSERT INTO rebuilt (id, slug, at) SELECT id, slug, at FROM pages".to_owned(),
        ];
        if self.dialect == Dialect::MySql {
            statements.push("RENAME TABLE pages TO former, rebuilt TO pages".to_owned());
            statements.push("DROP TABLE former".to_owned());
            return statements;
        }
        statements.extend([
            "DROP TABLE pages".to_owned(),
            "ALTER TABLE rebuilt RENAME TO pages".to_owned(),
        ]);
        self.together(statements)
    }

    /// Other column types, with temporary values that are not texts.
    fn other_types(&mut self) -> Vec<String> {
        let to_binary = self.below(2) == 0;
        if !to_binary {
            self.other_ids();
        }
        let (id, text) = (self.integer(), self.text());
        match (self.dialect, to_binary) {
            (Dialect::Sqlite, true) => vec![
                "UPDATE pages SET slug = x'80ff'".to_owned(),
                "UPDATE pages SET slug = 'p' || id".to_owned(),
            ],
            (Dialect::Sqlite, false) => self.rebuild(),
            (Dialect::Postgres, true) => vec![
                "ALTER TABLE pages ALTER COLUMN slug TYPE bytea USING convert_to(slug, 'UTF8')".to_owned(),
                format!("ALTER TABLE pages ALTER COLUMN slug TYPE {text} USING convert_from(slug, 'UTF8')"),
            ],
            (Dialect::Postgres, false) => vec![
                format!("ALTER TABLE pages ALTER COLUMN slug TYPE {text}"),
                format!("ALTER TABLE pages ALTER COLUMN id TYPE {id}"),
            ],
            (Dialect::MySql, true) => vec![
                "ALTER TABLE pages MODIFY slug BLOB NOT NULL".to_owned(),
                format!("ALTER TABLE pages MODIFY slug {text} NOT NULL"),
            ],
            (Dialect::MySql, false) => vec![
                format!("ALTER TABLE pages MODIFY slug {text} NOT NULL FIRST"),
                format!("ALTER TABLE pages MODIFY id {id} NOT NULL"),
            ],
        }
    }

    /// The view with other columns in another order.
    fn other_view(&mut self) -> Vec<String> {
        let mut columns = vec!["id", "slug", "at"];
        let more = ["'x' AS more", "id + 1 AS next", "slug AS also"];
        // The text of a query may stay the same while the type of a column changes.
        if self.dialect == Dialect::Postgres && self.below(3) == 0 {
            columns[1] = "slug::varchar(50) AS slug";
        }
        columns.extend(&more[..self.below(4)]);
        let first = self.below(columns.len());
        columns.rotate_left(first);
        let columns = columns.join(", ");
        let is_apart = self.below(3) == 0;
        match self.dialect {
            Dialect::MySql => vec![format!(
                "CREATE OR REPLACE VIEW listed AS SELECT {columns} FROM stored"
            )],
            _ if is_apart => vec![
                "DROP VIEW listed".to_owned(),
                format!("CREATE VIEW listed AS SELECT {columns} FROM stored"),
            ],
            _ => self.together(vec![
                "DROP VIEW listed".to_owned(),
                format!("CREATE VIEW listed AS SELECT {columns} FROM stored"),
            ]),
        }
    }
}

/// Reads all rows as a rendering reads a part, and all keys and the newest rows as a count does. An error is one; anything else must be complete.
///
/// # Panics
/// If rows are missing or others, without an error. A row that is skipped has one, too.
async fn read<S: Source>(source: &S, slug: fn(&S::Entry) -> &str) -> Result<(), String> {
    let mut expected = (1..=MIGRATED_ROWS).map(|n| n * 3);
    let mut span = Span::ALL;
    loop {
        let mut batch = source
            .rows(&span, BATCH + 1)
            .await
            .map_err(|error| error.to_string())?;
        let more = batch.len() > BATCH;
        batch.truncate(BATCH);
        for row in &batch {
            let id = expected.next().expect("no more rows than there are");
            assert_eq!(row.key(), &Key::from(id));
            let entry = row.entry().map_err(|error| format!("row {id}: {error:?}"))?;
            assert_eq!(slug(entry), format!("p{id}"), "the value of another column");
        }
        match batch.last() {
            Some(last) if more => span = span.above(last.key().clone()),
            _ => break,
        }
    }
    assert_eq!(expected.next(), None, "rows are missing");
    let keys = source.keys(&Span::ALL, 1_000).await;
    let keys = keys.map_err(|error| error.to_string())?;
    let all = (1..=MIGRATED_ROWS).map(|n| Key::from(n * 3));
    assert!(keys.iter().map(|row| row.key.clone()).eq(all), "{keys:?}");
    let latest = source.latest(10).await.map_err(|error| error.to_string())?;
    let newest = (0..10).map(|n| Key::from((MIGRATED_ROWS - n) * 3));
    if let Some(latest) = latest {
        assert!(latest.iter().map(|row| row.key.clone()).eq(newest), "{latest:?}");
    }
    Ok(())
}

/// Migrates the table of a source, with queries before and after each statement, and, if `is_busy`, during all of them. Each reading gets all rows or an
/// error, and soon after each migration there is no error any more.
///
/// # Panics
/// If a reading misses rows, or if errors remain.
pub async fn survives<S: Source>(
    source: S,
    slug: fn(&S::Entry) -> &str,
    mut migrations: Migrations,
    is_busy: bool,
    mut execute: impl AsyncFnMut(&str),
) {
    let source = Arc::new(source);
    let (ended, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let readers: Vec<_> = (0..if is_busy { 3 } else { 0 })
        .map(|_| {
            let (source, ended, done) = (Arc::clone(&source), Arc::clone(&ended), Arc::clone(&done));
            tokio::spawn(async move {
                while !ended.load(Ordering::Relaxed) {
                    if read(&*source, slug).await.is_ok() {
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            })
        })
        .collect();
    read(&*source, slug)
        .await
        .expect("all rows before the first migration");
    let mut made = Vec::new();
    for _ in 0..sitemap_tests::rounds(MIGRATIONS) {
        for statement in migrations.migration() {
            execute(&statement).await;
            made.push(statement);
            if migrations.below(2) == 0 {
                // Complete, or an error.
                let _ = read(&*source, slug).await;
            } else {
                let wait = u64::try_from(migrations.below(20)).unwrap_or(0);
                tokio::time::sleep(Duration::from_millis(wait)).await;
            }
        }
        let started = Instant::now();
        while let Err(error) = read(&*source, slug).await {
            assert!(started.elapsed() < HEALED, "{error} after {made:#?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    ended.store(true, Ordering::Relaxed);
    for reader in readers {
        reader.await.expect("no reading that misses rows");
    }
    assert!(
        !is_busy || done.load(Ordering::Relaxed) > 0,
        "no reading has ended well"
    );
}
