//! The options of `CREATE EXTERNAL TABLE` and `COPY`.

use std::collections::HashMap;
use std::fmt::Write as _;

use datafusion::common::DataFusionError;
use datafusion::error::Result;
use serde::{Deserialize, Serialize};
use sitemap_arrow::{BatchReaderBuilder, EntriesBuilder};
use sitemap_serde::{Mode, OnInvalid};

/// All options, of reading and of writing.
const KNOWN: [&str; 12] = [
    "mode",
    "skip_refused",
    "base",
    "files_url",
    "section",
    "key",
    "gzip",
    "max_entries",
    "on_invalid",
    "ignore_others",
    "update",
    "allow_shrinking",
];

/// The settings for writing a set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Hash, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct Writing {
    pub(crate) base: Option<String>,
    pub(crate) files_url: Option<String>,
    pub(crate) section: String,
    pub(crate) key: Vec<String>,
    pub(crate) gzip: bool,
    pub(crate) most_entries: Option<u64>,
    pub(crate) on_invalid: Policy,
    pub(crate) ignores_others: bool,
    pub(crate) updates: bool,
    pub(crate) may_shrink: bool,
}

impl Default for Writing {
    fn default() -> Self {
        Writing {
            base: None,
            files_url: None,
            section: "pages".to_owned(),
            key: Vec::new(),
            gzip: false,
            most_entries: None,
            on_invalid: Policy::Fail,
            ignores_others: false,
            updates: false,
            may_shrink: false,
        }
    }
}

/// [`OnInvalid`], which is sent to other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Hash, Serialize, Deserialize)]
pub(crate) enum Policy {
    Fail,
    DropValue,
    SkipEntry,
}

impl From<OnInvalid> for Policy {
    fn from(policy: OnInvalid) -> Self {
        match policy {
            OnInvalid::DropValue => Policy::DropValue,
            OnInvalid::SkipEntry => Policy::SkipEntry,
            _ => Policy::Fail,
        }
    }
}

impl From<Policy> for OnInvalid {
    fn from(policy: Policy) -> Self {
        match policy {
            Policy::Fail => OnInvalid::Fail,
            Policy::DropValue => OnInvalid::DropValue,
            Policy::SkipEntry => OnInvalid::SkipEntry,
        }
    }
}

impl Writing {
    /// The conversion of a batch's rows to entries.
    pub(crate) fn entries(&self) -> EntriesBuilder {
        let entries = EntriesBuilder::new().ignore_others(self.ignores_others);
        self.key.iter().fold(entries, EntriesBuilder::key)
    }
}

/// Applies the options to a reader, and makes the settings of a writer of them.
pub(crate) fn parse(options: &HashMap<String, String>, reader: &mut BatchReaderBuilder) -> Result<Writing> {
    let mut writing = Writing::default();
    // In an order that does not depend on the map, for errors.
    let mut sorted: Vec<_> = options.iter().collect();
    sorted.sort();
    for (key, value) in sorted {
        let Some(name) = key.strip_prefix("format.") else {
            // Another part of DataFusion's.
            continue;
        };
        match name {
            "mode" => {
                reader.mode(match value.as_str() {
                    "strict" => Mode::Strict,
                    "lenient" => Mode::Lenient,
                    "correcting" => Mode::Correcting,
                    _ => return Err(wrong(name, value, "`strict`, `lenient` or `correcting`")),
                });
            }
            "skip_refused" => {
                reader.skip_refused(flag(name, value)?);
            }
            "base" => writing.base = Some(value.clone()),
            "files_url" => writing.files_url = Some(value.clone()),
            "section" => writing.section.clone_from(value),
            "key" => {
                let columns = value.split(',').map(|column| column.trim().to_owned());
                writing.key = columns.collect();
            }
            "gzip" => writing.gzip = flag(name, value)?,
            "max_entries" => {
                let entries = value
                    .parse()
                    .ok()
                    .filter(|entries| (1..=50_000).contains(entries));
                writing.most_entries =
                    Some(entries.ok_or_else(|| wrong(name, value, "a number from 1 to 50000"))?);
            }
            "on_invalid" => {
                writing.on_invalid = match value.as_str() {
                    "fail" => Policy::Fail,
                    "drop" => Policy::DropValue,
                    "skip" => Policy::SkipEntry,
                    _ => return Err(wrong(name, value, "`fail`, `drop` or `skip`")),
                };
            }
            "ignore_others" => writing.ignores_others = flag(name, value)?,
            "update" => writing.updates = flag(name, value)?,
            "allow_shrinking" => writing.may_shrink = flag(name, value)?,
            // DataFusion passes the ending of a path like this; compressed files are recognised.
            "compression" => {}
            _ => {
                let mut message = format!(
                    "`{}` is not an option of sitemaps, which are: ",
                    name.escape_debug()
                );
                let _ = write!(message, "{}", KNOWN.join(", "));
                return Err(DataFusionError::Configuration(message));
            }
        }
    }
    Ok(writing)
}

/// The options for reading files.
pub(crate) fn of_reading(options: &HashMap<String, String>) -> HashMap<String, String> {
    let reading = ["format.mode", "format.skip_refused"];
    let given = options.iter().filter(|(key, _)| reading.contains(&key.as_str()));
    given.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn flag(name: &str, value: &str) -> Result<bool> {
    value.parse().map_err(|_| wrong(name, value, "`true` or `false`"))
}

fn wrong(name: &str, value: &str, allowed: &str) -> DataFusionError {
    DataFusionError::Configuration(format!(
        "the option `{name}` is `{}`, and has to be {allowed}",
        value.escape_debug()
    ))
}
