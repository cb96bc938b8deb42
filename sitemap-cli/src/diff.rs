//! `sitemap diff`.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::json;
use sitemap_serde::Error;
use sitemap_serde::diff::{Change, Diff, Documents, IndexNow, Summary};

use crate::input::{Formats, Input, inputs};
use crate::live::Live;
use crate::message::for_output;

/// Compare two sitemaps, or two sets of sitemaps
///
/// OLD and NEW are files, directories or URLs; - is standard input. In a directory the files named .xml are one set, with those named .txt,
/// .rss, .atom and .rdf that are text sitemaps and feeds; compressed (.gz) or not. Pages are compared: an index is skipped. The exit
/// status is 0 if nothing changed, 1 if something did, and 2 if one of them cannot be read, or has only indexes.
///
/// Values are compared, not texts: a priority of 1.0 is 1, and one instant is the same in two time zones.
///
///     sitemap diff yesterday.xml.gz sitemap.xml.gz
///     sitemap diff old/ new/ --ignore lastmod
///     sitemap diff https://example.com/sitemap.xml public/sitemap.xml
///     sitemap diff old.xml new.xml --format index-now --host example.com --key 0123456789abcdef
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    #[command(flatten)]
    sides: Sides,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The host of the pages, for index-now
    #[arg(long, required_if_eq("format", "index-now"))]
    host: Option<String>,
    /// The IndexNow key, for index-now
    #[arg(long, required_if_eq("format", "index-now"))]
    key: Option<String>,
    /// The URL of the key file, if it is not /KEY.txt, for index-now
    #[arg(long, value_name = "URL")]
    key_location: Option<String>,
}

/// What is compared, and how.
#[derive(Debug, Args)]
pub(crate) struct Sides {
    /// The old sitemap or set: a file, a directory, a URL, or - for standard input
    old: PathBuf,
    /// The new sitemap or set
    new: PathBuf,
    /// Ignore a field, such as lastmod or image:image
    #[arg(long, value_name = "FIELD")]
    ignore: Vec<String>,
    /// Compare texts instead of values: 1.0 differs from 1
    #[arg(long)]
    exact: bool,
    #[command(flatten)]
    live: Live,
}

impl Sides {
    /// The documents of the old and the new side.
    pub(crate) fn inputs(&self) -> Result<(Vec<Input>, Vec<Input>)> {
        let inputs = |side| inputs(std::slice::from_ref(side), Formats::All, &self.live);
        Ok((inputs(&self.old)?, inputs(&self.new)?))
    }

    /// What the new side was named.
    pub(crate) fn new_path(&self) -> &Path {
        &self.new
    }

    pub(crate) fn diff(&self) -> Diff {
        let mut diff = Diff::new();
        diff.exact(self.exact);
        for field in &self.ignore {
            diff.ignore(field);
        }
        diff
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line per page: `+` added, `-` removed, `~` changed
    Text,
    /// One JSON object per line
    Json,
    /// The bodies of IndexNow requests, one per line, with at most 10,000 pages each
    IndexNow,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let (old, new) = options.sides.inputs()?;
    let diff = options.sides.diff();
    let mut out = BufWriter::new(io::stdout().lock());
    let compare = |report: &mut dyn FnMut(Change) -> Result<(), Error>| {
        diff.run(&mut documents(&old), &mut documents(&new), report)
    };
    let summary = match options.format {
        Format::Text => compare(&mut |change| Ok(writeln!(out, "{}", for_output(&change.to_string()))?))?,
        Format::Json => compare(&mut |change| Ok(writeln!(out, "{}", object(&change))?))?,
        Format::IndexNow => {
            let (host, key) = (options.host.as_deref(), options.key.as_deref());
            let mut requests = IndexNow::new(host.unwrap_or_default(), key.unwrap_or_default())?;
            if let Some(location) = &options.key_location {
                requests = requests.key_location(location).context("--key-location")?;
            }
            let summary = compare(&mut |change| {
                if let Some(body) = requests.push(change.loc())? {
                    writeln!(out, "{body}")?;
                }
                Ok(())
            })?;
            if let Some(body) = requests.finish() {
                writeln!(out, "{body}")?;
            }
            summary
        }
    };
    out.flush()?;
    print_message!("{}", summary_text(&summary));
    Ok(ExitCode::from(u8::from(!summary.is_empty())))
}

/// The documents of a side.
pub(crate) fn documents(inputs: &[Input]) -> Documents<'_> {
    let mut documents = Documents::new();
    for input in inputs {
        documents.add(input.name.clone(), || input.open());
    }
    documents
}

fn object(change: &Change) -> serde_json::Value {
    match change {
        Change::Added { loc } => json!({ "change": "added", "loc": loc }),
        Change::Removed { loc } => json!({ "change": "removed", "loc": loc }),
        Change::Changed { loc, fields } => {
            let fields: Vec<_> = fields
                .iter()
                .map(|field| json!({ "name": field.name, "before": field.before, "after": field.after }))
                .collect();
            json!({ "change": "changed", "loc": loc, "fields": fields })
        }
        other => json!({ "change": "other", "loc": other.loc() }),
    }
}

fn summary_text(summary: &Summary) -> String {
    let mut text = format!(
        "{} added, {} removed, {} changed, {} as before",
        summary.added, summary.removed, summary.changed, summary.same
    );
    // Writing to a string cannot fail.
    if summary.unread > 0 {
        let entries = if summary.unread == 1 { "entry" } else { "entries" };
        let _ = write!(text, "; {} {entries} could not be read", summary.unread);
    }
    if summary.repeated > 0 {
        let _ = write!(text, "; {} of a loc that was listed before", summary.repeated);
    }
    if summary.indexes > 0 {
        let indexes = if summary.indexes == 1 { "index" } else { "indexes" };
        let _ = write!(text, "; {} {indexes} skipped", summary.indexes);
    }
    text
}
