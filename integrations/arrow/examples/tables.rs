//! Sitemaps to Arrow IPC or Parquet files, which DuckDB, Polars, Spark and pandas read, and such files to a set of sitemaps.
//!
//! ```text
//! tables read pages.parquet sitemaps/*.xml.gz
//! tables read pages.arrow sitemaps/*.xml.gz
//! tables write public https://example.com pages.parquet
//! ```

use std::error::Error;
use std::fs::File;
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
use sitemap_site::SitemapSet;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match &arguments[..] {
        ["read", table, inputs @ ..] if !inputs.is_empty() => read(Path::new(table), inputs),
        ["write", folder, base, tables @ ..] if !tables.is_empty() => write(folder, base, tables),
        _ => Err("usage: tables read TABLE SITEMAP…, or tables write FOLDER BASE TABLE…".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tables: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads sitemaps as far as they can be read, and says what was wrong.
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
        problems.num_rows() as u64 + reader.problems_left_out()
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

/// Each table is a task of its own: they could be written by as many processes.
fn write(folder: &str, base: &str, tables: &[&str]) -> Result<()> {
    let set = SitemapSet::directory(folder, base).gzip(true).open()?;
    let builder = EntriesBuilder::new().ignore_others(true);
    let mut lists = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        let mut part = set.part_writer("pages", &format!("table-{number:06}"))?;
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
        lists.push(part.finish()?);
    }
    let summary = set.commit(&lists)?;
    println!("{summary}");
    Ok(())
}

fn has_end(path: &Path, end: &str) -> bool {
    path.extension().is_some_and(|extension| extension == end)
}
