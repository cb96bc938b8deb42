//! Writing a set with several tasks: settings, and the part of the process that starts and commits them.

mod exec;
mod node;
mod rows;

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::dataframe::DataFrame;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::logical_expr::{Extension, LogicalPlan};
use serde::{Deserialize, Serialize};
use sitemap_serde::OnInvalid;
use sitemap_site::CommitSummary;

pub use exec::{PartsExec, PartsQueryPlanner};
pub use node::PartsNode;
pub use rows::{part_lists, parts_schema};

use crate::options::Writing;
use crate::write;

/// Writes the rows of a query as a set: each partition of the query is written by its own task, and the parts of all tasks are published at
/// once.
///
/// `COPY` moves all rows to one task. Here, rows become parts in their own partition, and only the [lists](part_lists) of the parts are
/// sent to the process that publishes them. The tasks can therefore run on other machines that reach the same directory or object store;
/// the crate `sitemap-ballista` runs them on a Ballista cluster. A session needs the [planner](PartsQueryPlanner).
///
/// ```
/// use std::sync::Arc;
///
/// use datafusion::execution::SessionStateBuilder;
/// use datafusion::prelude::{SessionConfig, SessionContext};
/// use sitemap_datafusion::{Parts, PartsQueryPlanner};
///
/// # #[tokio::main]
/// # async fn main() -> datafusion::error::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let public = folder.path().join("public");
/// # let public = public.to_str().expect("UTF-8");
/// let state = SessionStateBuilder::new_with_default_features()
///     .with_config(SessionConfig::new().with_target_partitions(2))
///     .with_query_planner(Arc::new(PartsQueryPlanner))
///     .build();
/// let context = SessionContext::new_with_state(state);
///
/// let products = context
///     .sql("SELECT value AS id, '/products/' || value AS loc FROM generate_series(1, 60000)")
///     .await?;
/// let parts = Parts::new(public, "https://example.com")?.section("products").key("id").shuffle(true);
/// let summary = parts.write(products).await?;
/// assert_eq!((summary.entries, summary.files), (60_000, 3)); // two parts, and sitemap.xml
/// # Ok(())
/// # }
/// ```
///
/// # Order and names
///
/// A task writes its rows in the order of their [key](Self::key), or of their locs if there is no key: a partition that may be in another
/// order is sorted. The task's name is made from its first row. A task that is killed and run again therefore has the same name, and a task
/// with almost the same rows as yesterday continues yesterday's parts. Two tasks must not begin with the same row: rows with the same key
/// must be in the same partition, as in files that are divided by the key, or after a [shuffle](Self::shuffle).
///
/// # Invalid rows
///
/// A row that breaks a rule fails the query, or is [skipped](Self::on_invalid) and counted in the [summary](CommitSummary::skipped).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Hash, Serialize, Deserialize)]
pub struct Parts {
    /// A URL, so that it means the same in every process.
    target: String,
    writing: Writing,
    shuffles: bool,
}

impl Parts {
    /// A set in a directory or in an object store, given by its path or URL, for the site with this base URL. All processes must reach it
    /// by this path or URL, which is resolved here.
    ///
    /// # Errors
    /// If the target is not a path or URL, or is a pattern of paths.
    pub fn new(target: impl AsRef<str>, base: impl Into<String>) -> Result<Self> {
        let target = ListingTableUrl::parse(target)?;
        write::check_target(&target)?;
        Ok(Parts {
            target: target.to_string(),
            writing: Writing {
                base: Some(base.into()),
                ..Writing::default()
            },
            shuffles: false,
        })
    }

    /// Sets the section, which is part of the files' names; `pages` by default.
    #[must_use]
    pub fn section(mut self, section: impl Into<String>) -> Self {
        self.writing.section = section.into();
        self
    }

    /// Adds a column to the rows' [key](sitemap_arrow::EntriesBuilder::key), which orders them and cuts parts.
    #[must_use]
    pub fn key(mut self, column: impl Into<String>) -> Self {
        self.writing.key.push(column.into());
        self
    }

    /// First divides the rows by a hash of their key, or of their loc if there is no key, into the number of partitions in the session's
    /// `datafusion.execution.target_partitions`. Off by default: the query's partitions are used, for example one for each file, and no row
    /// leaves the task that reads it.
    #[must_use]
    pub fn shuffle(mut self, shuffle: bool) -> Self {
        self.shuffles = shuffle;
        self
    }

    /// Sets the URL of the files, if different from the base.
    #[must_use]
    pub fn files_url(mut self, url: impl Into<String>) -> Self {
        self.writing.files_url = Some(url.into());
        self
    }

    /// Compresses the parts. Off by default.
    #[must_use]
    pub fn gzip(mut self, gzip: bool) -> Self {
        self.writing.gzip = gzip;
        self
    }

    /// Sets the maximum number of entries of a part, from 1 to 50,000, which is the default.
    #[must_use]
    pub fn max_entries(mut self, entries: u64) -> Self {
        self.writing.most_entries = Some(entries);
        self
    }

    /// Sets the policy for rows that break a rule, like [`SetBuilder::on_invalid`](sitemap_site::SetBuilder::on_invalid). If unset, such a
    /// row fails the query. A null loc or key always fails the query: add `WHERE loc IS NOT NULL`.
    #[must_use]
    pub fn on_invalid(mut self, policy: OnInvalid) -> Self {
        self.writing.on_invalid = policy.into();
        self
    }

    /// Ignores columns without a meaning in a sitemap. Off by default: they are errors.
    #[must_use]
    pub fn ignore_others(mut self, ignore: bool) -> Self {
        self.writing.ignores_others = ignore;
        self
    }

    /// Allows the set to lose more than half of its entries. Off by default.
    #[must_use]
    pub fn allow_shrinking(mut self, allowed: bool) -> Self {
        self.writing.may_shrink = allowed;
        self
    }

    /// Writes the rows of a query, and publishes them as the whole set if all tasks succeeded.
    ///
    /// # Errors
    /// If the query, a task or the [commit](sitemap_site::SitemapSet::commit) fails. Nothing is then published.
    pub async fn write(&self, query: DataFrame) -> Result<CommitSummary> {
        let query = self.plan(query)?;
        let runtime = query.task_ctx().runtime_env();
        let written = query.collect().await?;
        self.commit(&written, &runtime).await
    }

    /// A query that writes the rows of the given query, publishes nothing, and returns a row for each part, with the [schema](parts_schema)
    /// of part lists.
    ///
    /// # Errors
    /// If the query lacks the column `loc` or a column of the key.
    pub fn plan(&self, query: DataFrame) -> Result<DataFrame> {
        let (state, input) = query.into_parts();
        let node = Arc::new(PartsNode::try_new(input, self.clone())?);
        Ok(DataFrame::new(state, LogicalPlan::Extension(Extension { node })))
    }

    /// Publishes the result of the [planned](Self::plan) query as the whole set.
    ///
    /// # Errors
    /// The errors of [`part_lists`] and of [`SitemapSet::commit`](sitemap_site::SitemapSet::commit), and if two partitions begin with the
    /// same row.
    pub async fn commit(&self, written: &[RecordBatch], runtime: &RuntimeEnv) -> Result<CommitSummary> {
        let lists = part_lists(written)?;
        let mut tasks = BTreeMap::new();
        for list in &lists {
            *tasks.entry(list.task()).or_insert(0) += 1;
        }
        if let Some((task, count)) = tasks.iter().find(|(_, count)| **count > 1) {
            return Err(DataFusionError::Execution(format!(
                "{count} partitions begin with the same row, which gave their tasks the same name, `{task}`: rows of the same key, or of the same \
                 loc if there is no key, have to be in one partition, which `shuffle` does"
            )));
        }
        let set = write::set(&self.writing, &self.url()?, runtime)?;
        let publish = move || {
            set.open()
                .and_then(|set| set.commit(&lists))
                .map_err(write::failed)
        };
        tokio::task::spawn_blocking(publish)
            .await
            .map_err(|error| DataFusionError::External(error.into()))?
    }

    fn url(&self) -> Result<ListingTableUrl> {
        ListingTableUrl::parse(&self.target)
    }

    /// The columns that order the rows.
    fn order(&self) -> Vec<String> {
        let loc = (!self.writing.key.iter().any(|column| column == "loc")).then(|| "loc".to_owned());
        self.writing.key.iter().cloned().chain(loc).collect()
    }
}

/// The only input of a node that writes parts.
pub(crate) fn one_input<T: Clone>(inputs: &[T]) -> Result<T> {
    match inputs {
        [input] => Ok(input.clone()),
        _ => Err(DataFusionError::Plan(format!(
            "parts are written from one input, and there are {}",
            inputs.len()
        ))),
    }
}
