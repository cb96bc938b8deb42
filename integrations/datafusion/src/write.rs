//! Writing the rows of a stream as the parts of one task.

use std::fmt::Write as _;
use std::path::PathBuf;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_plan::SendableRecordBatchStream;
use futures::StreamExt;
use sitemap_arrow::{BatchError, EntriesBuilder};
use sitemap_site::{ContentHash, PartList, SetBuilder, SitemapSet, TaskWriter};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use crate::options::Writing;
use crate::storage::Store;

/// Batches that wait to be written.
const AHEAD: usize = 2;

/// Hex digits of a hash in the name of a task.
const DIGITS: usize = 32;

/// The name of a task.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    Named(&'static str),
    /// A hash of the first row's values in these columns, so that a task that is run again has the same name.
    ByFirstRow(Vec<String>),
}

/// The set in a directory or an object store, as the options say.
pub(crate) fn set(writing: &Writing, target: &ListingTableUrl, runtime: &RuntimeEnv) -> Result<SetBuilder> {
    let base = writing.base.as_deref().unwrap_or_default();
    let mut set = if target.scheme() == "file" {
        SitemapSet::directory(folder(target)?, base)
    } else {
        let store = runtime.object_store(target)?;
        let store = Store::new(store, target.prefix().clone(), Handle::current());
        SitemapSet::storage(store, base)
    };
    set.gzip(writing.gzip.then_some(6))
        .allow_shrinking(writing.may_shrink)
        .on_invalid(writing.on_invalid.into());
    if let Some(url) = &writing.files_url {
        set.files_url(url);
    }
    if let Some(entries) = writing.most_entries {
        set.max_entries(entries);
    }
    Ok(set)
}

/// Rejects a pattern of paths, since DataFusion would take the folder before the pattern.
pub(crate) fn check_target(target: &ListingTableUrl) -> Result<()> {
    let Some(pattern) = target.get_glob() else {
        return Ok(());
    };
    Err(DataFusionError::Plan(format!(
        "a set is written to one place, and `{pattern}` is a pattern of paths: a folder with `*`, `?` or `[` in its name is given as a URL, such \
         as `file:///srv/site%5B1%5D`"
    )))
}

/// The directory that a `file:` URL names.
fn folder(target: &ListingTableUrl) -> Result<PathBuf> {
    let url = url::Url::parse(target.as_str()).map_err(|error| DataFusionError::External(error.into()))?;
    url.to_file_path()
        .map_err(|()| DataFusionError::Plan(format!("{url} is not the path of a directory")))
}

/// The unpublished parts of a task.
pub(crate) struct Written {
    /// The set that they were written with. If it fails to publish them, they are removed.
    pub(crate) set: SitemapSet,
    pub(crate) list: PartList,
}

/// Writes the rows of a stream, and publishes nothing. `None` if there are no rows to name the task after.
pub(crate) async fn write(
    mut rows: SendableRecordBatchStream,
    set: SetBuilder,
    writing: &Writing,
    task: Task,
) -> Result<Option<Written>> {
    let (sender, receiver) = mpsc::channel(AHEAD);
    let writer = Writer {
        set,
        section: writing.section.clone(),
        entries: writing.entries(),
    };
    let writer = tokio::task::spawn_blocking(move || writer.write(&task, receiver));
    let mut broken = None;
    while let Some(batch) = rows.next().await {
        match batch {
            Ok(batch) => {
                if sender.send(Rows::Batch(batch)).await.is_err() {
                    // The writer has failed, and returns the error.
                    break;
                }
            }
            Err(error) => {
                broken = Some(error);
                break;
            }
        }
    }
    if broken.is_none() {
        let _ = sender.send(Rows::End).await;
    }
    drop(sender);
    let written = writer
        .await
        .map_err(|error| DataFusionError::External(error.into()))?;
    match broken {
        Some(error) => Err(error),
        None => written,
    }
}

enum Rows {
    Batch(RecordBatch),
    /// Nothing follows, and nothing failed: otherwise there is no list.
    End,
}

struct Writer {
    set: SetBuilder,
    section: String,
    entries: EntriesBuilder,
}

impl Writer {
    /// Writes the received rows to the end, on a blocking thread.
    fn write(self, task: &Task, mut rows: mpsc::Receiver<Rows>) -> Result<Option<Written>> {
        let set = self.set.clone().open().map_err(failed)?;
        let mut next = next_batch(&mut rows)?;
        let name = match (task, &next) {
            (Task::Named(name), _) => (*name).to_owned(),
            (Task::ByFirstRow(columns), Some(first)) => name_of(first, columns)?,
            (Task::ByFirstRow(_), None) => return Ok(None),
        };
        let mut part = set.task_writer(&self.section, &name).map_err(failed)?;
        while let Some(batch) = next {
            self.write_batch(&mut part, &batch)?;
            next = next_batch(&mut rows)?;
        }
        let list = part.finish().map_err(failed)?;
        Ok(Some(Written { set, list }))
    }

    fn write_batch(&self, part: &mut TaskWriter, batch: &RecordBatch) -> Result<()> {
        let entries = self.entries.build(batch).map_err(refused)?;
        entries.write_to_part(part).map_err(refused)?;
        Ok(())
    }
}

/// The next batch that has rows; `None` at the end of the query.
fn next_batch(rows: &mut mpsc::Receiver<Rows>) -> Result<Option<RecordBatch>> {
    loop {
        match rows.blocking_recv() {
            Some(Rows::Batch(batch)) if batch.num_rows() == 0 => {}
            Some(Rows::Batch(batch)) => return Ok(Some(batch)),
            Some(Rows::End) => return Ok(None),
            // The query failed or was cancelled.
            None => {
                return Err(DataFusionError::Execution(
                    "the query has ended before its rows".to_owned(),
                ));
            }
        }
    }
}

/// The task's name, made from the first row of the batch.
fn name_of(batch: &RecordBatch, columns: &[String]) -> Result<String> {
    let mut text = String::new();
    let options = FormatOptions::default();
    for column in columns {
        let Some(values) = batch.column_by_name(column) else {
            return Err(DataFusionError::Plan(format!(
                "there is no column `{column}`, by which the rows are ordered"
            )));
        };
        let value = ArrayFormatter::try_new(values, &options)?.value(0).to_string();
        // The length makes the text unique to these values.
        let _ = write!(text, "{}:{value}", value.len());
    }
    let mut name = ContentHash::of(text.as_bytes()).to_string();
    name.truncate(DIGITS);
    Ok(name)
}

pub(crate) fn failed(error: sitemap_site::Error) -> DataFusionError {
    DataFusionError::External(error.into())
}

fn refused(error: BatchError) -> DataFusionError {
    DataFusionError::External(error.into())
}
