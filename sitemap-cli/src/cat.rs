//! `sitemap cat`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use sitemap_serde::{Category, ReaderBuilder, Record};

use crate::input::{Formats, inputs};

/// Print the entries of sitemaps, one per line
///
/// Reads text sitemaps and feeds too. In directories it reads the files named .xml, and text sitemaps and feeds named .txt, .rss, .atom
/// and .rdf, compressed (.gz) or not.
///
/// Entries that cannot be read are reported on standard error, and the exit status is 1.
///
///     sitemap cat sitemap.xml.gz
///     sitemap cat public/ --fields loc,lastmod | sort
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// Files, directories, or - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The fields to print, separated by tabs: loc, lastmod, changefreq, priority
    #[arg(long, value_delimiter = ',', default_value = "loc", value_name = "FIELDS")]
    fields: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut record = Record::new();
    let mut is_whole = true;
    for input in inputs(&options.files, Formats::All)? {
        let name = || input.name.clone();
        let opened = input
            .open()
            .with_context(|| format!("cannot open {}", input.name))?;
        let mut reader = ReaderBuilder::new().other_formats(true).from_reader(opened);
        loop {
            match reader.read_record(&mut record) {
                Ok(true) => {
                    for (i, field) in options.fields.iter().enumerate() {
                        let tab = if i > 0 { "\t" } else { "" };
                        // Tabs and line breaks separate fields and entries.
                        let text = record
                            .get(field)
                            .unwrap_or_default()
                            .replace(['\t', '\n', '\r'], " ");
                        write!(out, "{tab}{text}")?;
                    }
                    writeln!(out)?;
                }
                Ok(false) => break,
                Err(error) if error.category() == Category::Data && !error.ends_reading() => {
                    is_whole = false;
                    print_message!("{}: {error}", input.name);
                }
                Err(error) => {
                    out.flush()?;
                    return Err(error).with_context(name);
                }
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::from(u8::from(!is_whole)))
}
