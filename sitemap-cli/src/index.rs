//! `sitemap index`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use sitemap_serde::source::DocumentSource;
use sitemap_serde::{
    Error, ErrorKind, IndexEntry, Kind, Reader, ReaderBuilder, Record, W3cDateTime, WriterBuilder,
};

use crate::folder::Scope;
use crate::input::{Input, counted, grouped, inputs, url, url_path};
use crate::live::Live;
use crate::live::connection::Connection;
use crate::malformed::pointer;
use crate::message::{Printer, Shown};
use crate::missing;
use crate::outputs::{Existing, Outputs};
use crate::progress::Progress;
use crate::replace::{end_line, is_gzip_name, write_to};

/// Make an index of the sitemaps in a directory
///
/// Lists the sitemaps in the directory and below it, sorted by name, each with the file's
/// modification time: files named .xml, and text sitemaps and feeds named .txt, .rss, .atom and
/// .rdf, compressed (.gz) or not. Skips indexes (an index must not list an index), the output file,
/// and files that a set no longer lists.
///
/// The exit status is 0 if all files are listed, 1 if some cannot be read, are not sitemaps or are
/// truncated or malformed, or if --lastmod newest cannot read a lastmod, and 2 if nothing was
/// written.
///
///     sitemap index public --location https://example.com -o public/sitemap.xml
///     sitemap index public/shop --location https://example.com/shop --lastmod newest
///     sitemap index public --location https://example.com --add https://example.com/blog/sitemap.xml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// The directory
    directory: PathBuf,
    /// The URL of the directory
    #[arg(long, value_name = "URL")]
    location: String,
    /// Also list this sitemap of another application, or the sitemaps of this index; may be given several times
    #[arg(long, value_name = "URL|INDEX")]
    add: Vec<PathBuf>,
    /// Write to this file, compressed if its name ends in .gz [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing file of --output
    #[arg(long, requires = "output")]
    force: bool,
    /// The lastmod of each file
    #[arg(long, value_enum, default_value = "modified")]
    lastmod: Lastmod,
    /// Indent the XML
    #[arg(long)]
    pretty: bool,
    #[command(flatten)]
    connection: Connection,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Lastmod {
    /// The file's modification time, as the protocol requires (P-IDX3)
    Modified,
    /// The newest lastmod of the file's entries, for files that are copied or rebuilt each time
    Newest,
    /// None
    None,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    check_directory(&options.directory)?;
    WriterBuilder::new().base(&options.location).check()?;
    options
        .connection
        .check(options.add.iter().map(PathBuf::as_path), false)?;
    let output = options.output.as_deref().filter(|path| *path != Path::new("-"));
    let outputs = Outputs::new().force(options.force).reads(&options.add).writes(
        "-o",
        options.output.as_ref(),
        Existing::None,
    );
    let outputs = options.connection.outputs(outputs);
    outputs.check()?;
    let files = inputs(
        std::slice::from_ref(&options.directory),
        Scope::Whole,
        &Live::document(&options.connection),
        &outputs,
    )?
    .list;
    let (mut listed, mut indexes, mut others, mut unread) = (Vec::new(), 0_u64, 0_u64, 0_u64);
    let mut progress = Progress::new();
    for (i, input) in files.iter().enumerate() {
        progress.show(|| format!("{} of {}: {}", i + 1, files.len(), input.name));
        if let Some(problem) = input.problem() {
            others += 1;
            print_message!("not listed: {}: {problem}", input.name);
            continue;
        }
        let Some(path) = input.path() else { continue };
        match entry(options, input, path) {
            Ok(Some((entry, bad))) => {
                if bad > 0 {
                    unread += bad;
                    let of = if bad == 1 { "it" } else { "them" };
                    print_message!(
                        "{}: {} could not be read: its lastmod is the newest without {of}",
                        input.name,
                        entries(bad)
                    );
                }
                listed.push(entry);
            }
            Ok(None) => indexes += 1,
            Err(error) => {
                others += 1;
                let of_input = |error: &Error| pointer(&input.name, error);
                let pointer = error.downcast_ref().map(of_input).unwrap_or_default();
                print_message!("not listed: {}: {error:#}{pointer}", input.name);
            }
        }
    }
    for (i, path) in options.add.iter().enumerate() {
        progress.show(|| format!("{} of {}: {}", i + 1, options.add.len(), path.display()));
        match added(options, path) {
            Ok(entries) => listed.extend(entries),
            Err(error) => {
                others += 1;
                print_message!("not listed: {}: {error:#}", path.display());
            }
        }
    }
    drop(progress);
    if listed.is_empty() {
        bail!(
            "{} has no urlset that could be listed",
            options.directory.display()
        );
    }
    write_index(options, output, &listed)?;
    let passed = match indexes {
        0 => String::new(),
        1 => ", 1 index skipped".to_owned(),
        indexes => format!(", {indexes} indexes skipped"),
    };
    print_note!(
        "{} listed{passed}, {others} not listed",
        counted(listed.len() as u64, "sitemap")
    );
    Ok(ExitCode::from(u8::from(others + unread > 0)))
}

/// Writes the index to a file, compressed by its name, or to standard output.
fn write_index(options: &Options, output: Option<&Path>, listed: &[IndexEntry]) -> Result<()> {
    let mut builder = WriterBuilder::new();
    builder.kind(Kind::SitemapIndex).pretty(options.pretty);
    let write = |to: &mut dyn Write| -> Result<()> {
        let mut writer = builder.from_writer(to);
        for entry in listed {
            let written = writer.write(entry);
            if written
                .as_ref()
                .is_err_and(|error| error.kind() == ErrorKind::Limit)
            {
                bail!(
                    "{} sitemaps: an index lists at most 50,000; make an index of each part of the folder",
                    grouped(listed.len() as u64)
                );
            }
            written?;
        }
        Ok(end_line(writer.finish()?, options.pretty)?)
    };
    match output {
        None => {
            let mut out = Shown::text(Printer::stdout());
            write(&mut out)?;
            out.flush()?;
        }
        Some(path) => write_to(path, is_gzip_name(path), |file| write(file).map(|()| true))?,
    }
    Ok(())
}

/// Returns an error if there is no such directory.
fn check_directory(directory: &Path) -> Result<()> {
    if let Err(error) = fs::metadata(directory) {
        let error = missing::explain(directory, error);
        return Err(error).with_context(|| format!("cannot open {}", directory.display()));
    }
    if !directory.is_dir() {
        bail!(
            "{} is not a directory: name the one with the sitemaps",
            directory.display()
        );
    }
    Ok(())
}

/// Returns the entry for a file, and the number of its unreadable entries, which may be newer than the lastmod. `None` if the file is an
/// index.
fn entry(options: &Options, input: &Input, path: &Path) -> Result<Option<(IndexEntry, u64)>> {
    let opened = input.open().context("cannot open it")?;
    let mut reader = ReaderBuilder::new().other_formats(true).from_reader(opened);
    if reader.kind()? == Kind::SitemapIndex {
        return Ok(None);
    }
    let below = path.strip_prefix(&options.directory)?;
    let location = options.location.trim_end_matches('/');
    let mut entry = IndexEntry::new(format!("{location}/{}", url_path(below)));
    let (newest, unread) = newest(&mut reader)?;
    entry.lastmod = match options.lastmod {
        Lastmod::None => None,
        Lastmod::Modified => Some(modified(path)?),
        Lastmod::Newest => newest,
    };
    let unread = if options.lastmod == Lastmod::Newest {
        unread
    } else {
        0
    };
    Ok(Some((entry, unread)))
}

/// Returns the entries of `--add`: all sitemaps of an index, or the document at a URL.
fn added(options: &Options, path: &Path) -> Result<Vec<IndexEntry>> {
    let input = Input::of(path, &options.connection)?;
    if let Some(problem) = input.problem() {
        bail!("{problem}");
    }
    let opened = input.open().context("cannot open it")?;
    let mut reader = ReaderBuilder::new().other_formats(true).from_reader(opened);
    if reader.kind()? == Kind::SitemapIndex {
        let entries = reader.deserialize().collect::<Result<Vec<IndexEntry>, Error>>()?;
        if entries.is_empty() {
            bail!("it is an index without sitemaps");
        }
        return Ok(entries);
    }
    let Some(url) = url(path) else {
        bail!("it is not an index, and its URL is not known: name its URL, or put it in the directory");
    };
    let (newest, _) = newest(&mut reader)?;
    let mut entry = IndexEntry::new(url);
    entry.lastmod = newest.filter(|_| options.lastmod == Lastmod::Newest);
    Ok(vec![entry])
}

/// Returns the newest lastmod, and the number of entries whose lastmod is unreadable. Always reads the file to its end, because a truncated
/// file must not be listed.
fn newest<'de, S: DocumentSource<'de>>(reader: &mut Reader<S>) -> Result<(Option<W3cDateTime>, u64), Error> {
    let (mut record, mut newest, mut unread) = (Record::new(), None::<W3cDateTime>, 0);
    loop {
        let lastmod = match reader.read_record(&mut record) {
            Ok(true) => record.lastmod(),
            Ok(false) => return Ok((newest, unread)),
            Err(error) if error.ends_reading() => return Err(error),
            Err(error) => Err(error),
        };
        unread += u64::from(lastmod.is_err());
        let lastmod = lastmod.ok().flatten();
        newest = match (newest, lastmod) {
            (Some(a), Some(b)) => Some(if is_newer(b, a) { b } else { a }),
            (a, b) => a.or(b),
        };
    }
}

fn entries(count: u64) -> String {
    match count {
        1 => "1 entry".to_owned(),
        count => format!("{} entries", grouped(count)),
    }
}

fn is_newer(a: W3cDateTime, b: W3cDateTime) -> bool {
    let time = |value: W3cDateTime| SystemTime::try_from(value.assume_utc()).ok();
    time(a) > time(b)
}

/// Returns a file's modification time, to the second.
fn modified(path: &Path) -> Result<W3cDateTime> {
    let modified = fs::metadata(path)?.modified()?;
    let seconds = modified
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    Ok(W3cDateTime::try_from(
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds),
    )?)
}
