//! The settings of a set.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sitemap_serde::{OnInvalid, W3cDateTime, WriterBuilder};

use crate::error::Error;
use crate::stylesheet::Stylesheet;

/// The settings of a set.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub(crate) struct Settings {
    /// The public URL of the site, without a slash at its end.
    pub(crate) base: String,
    /// The public URL of the files, without a slash at its end.
    pub(crate) location: String,
    pub(crate) writer: WriterBuilder,
    pub(crate) entries: u64,
    pub(crate) bytes: u64,
    pub(crate) gzip: Option<u32>,
    pub(crate) text: bool,
    pub(crate) flat: bool,
    pub(crate) stylesheet: Option<Stylesheet>,
    /// The news sections, each with the current time, if one is set.
    pub(crate) news: BTreeMap<String, Option<W3cDateTime>>,
    pub(crate) grace: Duration,
    pub(crate) allow_shrinking: bool,
    pub(crate) replace_damaged: bool,
    pub(crate) progress: Option<OnProgress>,
    /// `None` if nothing is set: then a row is an error, and an export treats it as its site does.
    pub(crate) on_invalid: Option<OnInvalid>,
    pub(crate) on_problem: Option<OnProblem>,
}

pub(crate) type OnProblem = Arc<dyn Fn(&Error) + Send + Sync>;
pub(crate) type OnProgress = Arc<dyn Fn(&Progress<'_>) + Send + Sync>;

/// The progress of a [`TaskWriter`](crate::TaskWriter).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The section that is written.
    pub section: &'a str,
    /// The task that writes it.
    pub task: &'a str,
    /// Entries written so far.
    pub entries: u64,
    /// Bytes of finished parts, uncompressed.
    pub bytes: u64,
    /// Finished parts.
    pub parts: u64,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// The address of a file.
    pub(crate) fn address(&self, name: &str) -> String {
        format!("{}/{name}", self.location)
    }

    #[expect(clippy::unused_self, reason = "the one place that knows the names of files")]
    pub(crate) fn extension(&self, gzip: bool, text: bool) -> &'static str {
        match (text, gzip) {
            (false, false) => ".xml",
            (false, true) => ".xml.gz",
            (true, false) => ".txt",
            (true, true) => ".txt.gz",
        }
    }
}
