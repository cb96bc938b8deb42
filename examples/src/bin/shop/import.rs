//! Any sitemaps, read into a table.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use diesel::prelude::*;
use diesel::result::Error as DatabaseError;
use diesel::sqlite::SqliteConnection;
use sitemap_examples::progress::{Progress, counted};
use sitemap_serde::source::StreamSource;
use sitemap_serde::{ErrorKind, IndexEntry, Kind, Reader};

use crate::database::Location;
use crate::model::{Page, pages};

/// Maximum number of an index's sitemaps in a message.
const SHOWN: usize = 10;

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The sitemaps to read, compressed or not
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    database: Location,
    /// Keep the table's rows; by default the files replace them
    #[arg(long)]
    append: bool,
}

/// Reads every file in one transaction. If one cannot be read to its end, or no page is found, the table stays as it was.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let database = options.database.open()?;
    let mut connection = database.connect()?;
    let mut failed = 0;
    let result = connection.immediate_transaction(|connection| {
        if !options.append {
            diesel::delete(pages::table).execute(connection)?;
        }
        let mut imported = 0;
        for file in &options.files {
            match import(connection, file)? {
                Ok(pages) => imported += pages,
                Err(error) => {
                    eprintln!("shop: {}: {error:#}", file.display());
                    failed += 1;
                }
            }
        }
        if failed > 0 || imported == 0 {
            return Err(DatabaseError::RollbackTransaction);
        }
        Ok(())
    });
    match result {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(DatabaseError::RollbackTransaction) => {
            let why = match failed {
                0 => "no page was found".to_owned(),
                _ => format!(
                    "{} of {} could not be read",
                    failed,
                    counted(options.files.len() as u64, "file")
                ),
            };
            bail!("{why}: the table `pages` stays as it was")
        }
        Err(error) => Err(error).with_context(|| format!("cannot write to {}", database.path())),
    }
}

/// Reads one file, and returns its number of pages. The outer error is the database's, the inner one the file's.
fn import(connection: &mut SqliteConnection, path: &Path) -> QueryResult<Result<u64>> {
    let mut reader = match open(path) {
        Ok(reader) => reader,
        Err(error) => return Ok(Err(error)),
    };
    let mut progress = Progress::new(path.display().to_string(), "URL", None);
    let (mut imported, mut left_out) = (0_u64, 0_u64);
    let mut end = Ok(());
    for page in reader.deserialize::<Page>() {
        match page {
            Ok(page) => {
                diesel::insert_into(pages::table)
                    .values(page)
                    .execute(connection)?;
                progress.step();
                imported += 1;
            }
            // The reader continues after it.
            Err(error) if error.kind() == ErrorKind::Data => {
                progress.say(format_args!("{}: left out: {error}", path.display()));
                left_out += 1;
            }
            Err(error) => end = Err(error.into()),
        }
    }
    progress.finish();
    if left_out > 0 {
        eprintln!("{}: {} left out", path.display(), counted(left_out, "URL"));
    }
    Ok(end.map(|()| imported))
}

/// Opens a sitemap of pages. An index is an error that names its sitemaps.
fn open(path: &Path) -> Result<Reader<StreamSource<File>>> {
    if path.starts_with("http:") || path.starts_with("https:") {
        bail!("it is a URL, and files are imported; download it first");
    }
    if path.is_dir() {
        bail!("it is a folder; name the files in it");
    }
    let mut reader = Reader::from_path(path)?;
    if reader.kind()? == Kind::UrlSet {
        return Ok(reader);
    }
    let mut sitemaps = reader.deserialize::<IndexEntry>();
    let listed: Vec<String> = sitemaps
        .by_ref()
        .take(SHOWN)
        .map(|sitemap| sitemap.map_or_else(|error| format!("({error})"), |sitemap| sitemap.loc))
        .collect();
    if listed.is_empty() {
        bail!("it is an index that lists no sitemap");
    }
    let more = if sitemaps.next().is_some() { "\n  …" } else { "" };
    bail!(
        "it is an index, whose entries are sitemaps and not pages; import the files that it lists:\n  {}{more}",
        listed.join("\n  ")
    )
}
