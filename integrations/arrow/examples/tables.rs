//! Sitemaps to Arrow IPC or Parquet files, which DuckDB, Polars, Spark and pandas read, and such files to a set of sitemaps.
//!
//! ```text
//! tables read pages.parquet sitemaps/*.xml.gz
//! tables read pages.arrow sitemaps/*.xml.gz
//! tables write public https://example.com pages.parquet
//! ```
//!
//! Many processes write one set: each writes the parts of a task and prints their list, and one commits all lists.
//!
//! ```text
//! tables part public https://example.com task-1 1.parquet >1.json
//! tables part public https://example.com task-2 2.parquet >2.json
//! tables commit public https://example.com 1.json 2.json
//! ```

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::process::ExitCode;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sitemap_arrow::{BatchReaderBuilder, EntriesBuilder, Input};
use sitemap_serde::Mode;
use sitemap_site::{PartList, SitemapSet};

const USAGE: &str = "usage: tables read TABLE SITEMAP…, tables write FOLDER BASE TABLE…, tables part FOLDER BASE TASK TABLE, or \
                     tables commit FOLDER BASE LIST…";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &arguments[..] {
        ["read", table, inputs @ ..] if !inputs.is_empty() => read(Path::new(table), inputs),
        ["write", folder, base, tables @ ..] if !tables.is_empty() => write(folder, base, tables),
        ["part", folder, base, task, table] => print_part(folder, base, task, table),
        ["commit", folder, base, lists @ ..] if !lists.is_empty() => commit(folder, base, lists),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tables: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the readable parts of sitemaps, and prints the problems.
fn read(table: &Path, inputs: &[&str]) -> Result<()> {
    let mut builder = BatchReaderBuilder::new();
    builder.mode(Mode::Lenient).skip_refused(true);
    let mut reader = builder.read(inputs.iter().map(Input::path));
    let rows = if has_end(table, "parquet") {
        let mut writer = ArrowWriter::try_new(File::create(table)?, reader.schema(), None)?;
        let rows = each(&mut reader, |batch| Ok(writer.write(batch)?))?;
        writer.close()?;
        rows
    } else {
        let mut writer = FileWriter::try_new(File::create(table)?, &reader.schema())?;
        let rows = each(&mut reader, |batch| Ok(writer.write(batch)?))?;
        writer.finish()?;
        rows
    };
    let problems = reader.take_problems()?;
    println!(
        "{rows} entries, {} problems",
        problems.num_rows() as u64 + reader.dropped_problems()
    );
    Ok(())
}

fn each(
    batches: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>,
    mut work: impl FnMut(&RecordBatch) -> Result<()>,
) -> Result<usize> {
    let mut rows = 0;
    for batch in batches {
        let batch = batch?;
        work(&batch)?;
        rows += batch.num_rows();
    }
    Ok(rows)
}

fn open(folder: &str, base: &str) -> Result<SitemapSet> {
    Ok(SitemapSet::directory(folder, base).gzip(6).open()?)
}

/// Each table is a task.
fn write(folder: &str, base: &str, tables: &[&str]) -> Result<()> {
    let set = open(folder, base)?;
    let lists = tables.iter().enumerate();
    let lists = lists.map(|(number, table)| part(&set, &format!("table-{number:06}"), table));
    println!("{}", set.commit(&lists.collect::<Result<Vec<_>>>()?)?);
    Ok(())
}

fn print_part(folder: &str, base: &str, task: &str, table: &str) -> Result<()> {
    let list = part(&open(folder, base)?, task, table)?;
    println!("{}", serde_json::to_string(&list)?);
    Ok(())
}

fn commit(folder: &str, base: &str, lists: &[&str]) -> Result<()> {
    let read = |list: &&str| -> Result<PartList> { Ok(serde_json::from_slice(&fs::read(list)?)?) };
    let lists = lists.iter().map(read).collect::<Result<Vec<_>>>()?;
    println!("{}", open(folder, base)?.commit(&lists)?);
    Ok(())
}

/// Writes a table as the parts of a task.
fn part(set: &SitemapSet, task: &str, table: &str) -> Result<PartList> {
    let builder = EntriesBuilder::new().ignore_others(true);
    let mut part = set.task_writer("pages", task)?;
    let mut add = |batch: &RecordBatch| {
        builder.build(batch)?.write_to_part(&mut part)?;
        Ok(())
    };
    let file = File::open(table)?;
    if has_end(Path::new(table), "parquet") {
        each(ParquetRecordBatchReaderBuilder::try_new(file)?.build()?, &mut add)?;
    } else {
        each(FileReader::try_new(file, None)?, &mut add)?;
    }
    Ok(part.finish()?)
}

fn has_end(path: &Path, end: &str) -> bool {
    path.extension().is_some_and(|extension| extension == end)
}
