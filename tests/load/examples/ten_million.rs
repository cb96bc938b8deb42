//! Ten million rows in SQLite and PostgreSQL, served, compared with Django's `GenericSitemap` on the same SQLite file.
//!
//! ```text
//! cargo run --release -p sitemap-load-tests --example ten_million -- [ROWS] [FOLDER]
//! ```
//!
//! FOLDER keeps the SQLite file and Django's virtual environment (`python3 -m venv`, Django from PyPI) for the next run. Servers are processes of
//! their own, asked over loopback; nothing is cached, so that each request of a part renders it.

use std::env;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sitemap_load_tests::{Process, app, fill, open};
use sitemap_serving_tests::{Postgres, get, sitemaps, urls};
use sqlx::Connection as _;
use tokio::net::TcpListener;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Rows of a part.
const PART: usize = 10_000;
/// The number of requests for each.
const ROUNDS: usize = 5;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [word, url] = &arguments[..]
        && word == "serve"
    {
        return serve(url).await;
    }
    let rows = arguments
        .first()
        .map_or(Ok(10_000_000), |rows| rows.replace('_', "").parse())?;
    let temporary = tempfile::tempdir()?;
    let folder = arguments.get(1).map_or(temporary.path(), Path::new);
    std::fs::create_dir_all(folder)?;
    // This thread waits for the servers.
    tokio::task::spawn_blocking({
        let folder = folder.to_owned();
        move || compare(rows, &folder).map_err(|error| error.to_string())
    })
    .await??;
    Ok(())
}

fn compare(rows: u64, folder: &Path) -> Result<()> {
    println!(
        "| {rows} rows | table made | index, first | index | part 1 | part 200 | ratio | last full part | memory, idle | at most |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let file = folder.join(format!("products-{rows}.sqlite"));
    let url = format!("sqlite:{}", file.display());
    if !file.exists() {
        let started = Instant::now();
        wait(filled_sqlite(&file, &fill(&url, rows, 12)))?;
        eprintln!("SQLite filled in {:.0?}", started.elapsed());
    }
    measured("SQLite", &Server::own(&url)?)?;
    if let Some(postgres) = Postgres::start("ten_million") {
        let started = Instant::now();
        wait(filled_postgres(&postgres.url(), &fill("postgres:", rows, 12)))?;
        eprintln!("PostgreSQL filled in {:.0?}", started.elapsed());
        measured("PostgreSQL", &Server::own(&postgres.url())?)?;
    }
    measured("Django, SQLite", &Server::django(folder, &file)?)
}

/// Fills a database on a runtime of its own.
fn wait(work: impl Future<Output = std::result::Result<(), sqlx::Error>>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    Ok(runtime.block_on(work)?)
}

async fn filled_sqlite(file: &Path, sql: &str) -> std::result::Result<(), sqlx::Error> {
    // It has another name until it is complete.
    let unfinished = file.with_extension("unfinished");
    let options = sqlx::sqlite::SqliteConnectOptions::new()
        .filename(&unfinished)
        .create_if_missing(true);
    let mut connection = sqlx::SqliteConnection::connect_with(&options).await?;
    let sql = format!("PRAGMA synchronous = OFF; {sql} PRAGMA wal_checkpoint(TRUNCATE);");
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql))
        .execute(&mut connection)
        .await?;
    connection.close().await?;
    std::fs::rename(unfinished, file).map_err(sqlx::Error::Io)
}

async fn filled_postgres(url: &str, sql: &str) -> std::result::Result<(), sqlx::Error> {
    let mut connection = sqlx::PgConnection::connect(url).await?;
    for statement in sql.split(';').filter(|statement| !statement.trim().is_empty()) {
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned()))
            .execute(&mut connection)
            .await?;
    }
    connection.close().await
}

/// The site as a process. It prints its address, and the number of seconds that its table of parts took.
async fn serve(url: &str) -> Result<()> {
    let database = open(url, 4).await?;
    let site = database.site("https://example.com").memory_bytes(0).build()?;
    let started = Instant::now();
    site.ready().await?;
    let took = started.elapsed().as_secs_f64();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{} {took}", listener.local_addr()?);
    axum::serve(listener, app(&database, &site)).await?;
    Ok(())
}

struct Server {
    child: Child,
    address: SocketAddr,
    /// The time until the first request is answered.
    table: Option<f64>,
}

impl Server {
    fn own(url: &str) -> Result<Self> {
        let mut program = Command::new(env::current_exe()?);
        program.arg("serve").arg(url);
        Server::start(program)
    }

    fn django(folder: &Path, file: &Path) -> Result<Self> {
        let venv = folder.join("venv");
        let python = venv.join("bin/python");
        if !python.exists() {
            let made = Command::new("python3").args(["-m", "venv"]).arg(&venv).status()?;
            assert!(made.success(), "python3 has no module `venv`");
            let pip = Command::new(venv.join("bin/pip"))
                .args(["install", "--quiet", "--disable-pip-version-check", "django"])
                .status()?;
            assert!(pip.success(), "Django is not to be had");
        }
        let mut program = Command::new(python);
        program
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/django_sitemap.py"))
            .arg(file)
            .arg(PART.to_string());
        Server::start(program)
    }

    fn start(mut program: Command) -> Result<Self> {
        let mut child = program.stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("a pipe")?).read_line(&mut line)?;
        let mut words = line.trim().split(' ');
        let address = words
            .next()
            .and_then(|word| word.strip_prefix("http://"))
            .ok_or("it has ended")?
            .parse()?;
        Ok(Server {
            child,
            address,
            table: words.next().map(str::parse).transpose()?,
        })
    }

    /// The duration of a request up to the last byte of the response, and the body.
    fn timed(&self, path: &str) -> (Duration, String) {
        let started = Instant::now();
        let response = get(self.address, path, &[]);
        let took = started.elapsed();
        assert_eq!(response.status, 200, "{path}");
        (took, response.text().to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn measured(name: &str, server: &Server) -> Result<()> {
    let process = Process(server.child.id());
    let (first, index) = server.timed("/sitemap.xml");
    let parts: Vec<String> = sitemaps(index.trim_end())
        .into_iter()
        .map(|part| part.loc.splitn(4, '/').nth(3).map(|path| format!("/{path}")))
        .collect::<Option<_>>()
        .ok_or("an index of addresses")?;
    let index = median((0..ROUNDS).map(|_| server.timed("/sitemap.xml").0).collect());
    let idle = process.memory().0;
    let wanted = [0, 199.min(parts.len() - 1), parts.len().saturating_sub(2)];
    let mut times = vec![Vec::new(); wanted.len()];
    for _ in 0..ROUNDS {
        for (at, part) in wanted.iter().enumerate() {
            let (took, xml) = server.timed(&parts[*part]);
            assert_eq!(urls(xml.trim_end()).len(), PART);
            times[at].push(took);
        }
    }
    let times: Vec<_> = times.into_iter().map(median).collect();
    let at_most = process.memory().1;
    println!(
        "| {name} | {} | {} | {} | {} | {} | {:.2} | {} | {} MB | {} MB |",
        server
            .table
            .map_or("-".to_owned(), |table| format!("{table:.1} s")),
        ms(first),
        ms(index),
        ms(times[0]),
        ms(times[1]),
        times[1].as_secs_f64() / times[0].as_secs_f64(),
        ms(times[2]),
        idle >> 20,
        at_most >> 20,
    );
    Ok(())
}
