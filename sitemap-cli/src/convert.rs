//! `sitemap convert`.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use sitemap_serde::{Error, ErrorKind, IndexEntry, Kind, UrlEntry, Writer, WriterBuilder};

use crate::entries::Entries;
use crate::filters::{self, Filters};
use crate::folder::Scope;
use crate::formats::{
    COLUMNS, ColumnNames, Damage, Format, From, KIND, Row, RowReader, each_line, each_row, each_value,
    line_entry, of_name, open, push_json, row_mode, said,
};
use crate::input::{Documents, Input, Named, Reading, counted, error_text, grouped, named, read_each};
use crate::live::{Live, Resume};
use crate::message::{Places, Shown};
use crate::omitted::{Losses, Omissions, OnInvalid, Tolerance, UnknownNames, with_omitted};
use crate::outputs::{Existing, Outputs};
use crate::replace::{To, end_line, is_gzip_name, write_to};
use crate::stylesheet::{Styled, Stylesheets};
use crate::unread::Unread;
use crate::unsaid::{Kinds, Unsaid};
use crate::words::base_is_given;

/// Convert a sitemap: XML, text, JSON lines, CSV
///
/// Text has one URL per line and nothing else. CSV has a header and the columns loc, lastmod,
/// changefreq and priority, in any order, separated by commas, semicolons or tabs; --loc-column and
/// the other column options set different names. JSON has one object per line, or an array of them,
/// with the full content of an entry, extensions included. The column or key `kind` is `sitemap` for
/// the entries of an index. Text has no such column: URLs that all end in .xml are not written as a
/// urlset without --index. RSS and Atom feeds can be read too: their links and dates.
///
/// Standard error gets the number of entries that lose data in the new format. Invalid values, JSON
/// keys that are unknown in a sitemap, and misspelt columns stop the command: the exit status is 2,
/// and no file is written. With --on-invalid drop or --lenient, an invalid value is left out,
/// otherwise the element that requires it, or the page if it is the loc; with --on-invalid skip,
/// always the page. Each is reported, and the exit status is 1. Unknown elements are left out and
/// counted, too, with status 1; unknown keys and columns with status 0. With --lenient, malformed XML is repaired, and the rest of a truncated document is left
/// out. The stylesheets of XML are kept in XML.
///
/// A directory is read like by `sitemap cat`, and its entries become one document. Indexes among
/// several files are skipped, as is the output of an earlier conversion.
///
///     sitemap convert sitemap.xml.gz --to jsonl
///     sitemap convert urls.txt -o sitemap.xml
///     sitemap convert pages.csv --to xml --loc-column path --base https://example.com --lenient
///     sitemap convert public/ --to csv
///     sitemap cat old.xml | sitemap convert - --to xml --pretty
///     curl -s https://example.com/feed.atom | sitemap convert - --to xml
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Options {
    /// The document, compressed or not, a directory, or a URL; - for standard input
    file: PathBuf,
    /// The new format [default: by the name of --output, such as urls.csv or sitemap.xml.gz]
    #[arg(long, value_enum)]
    to: Option<Format>,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    columns: ColumnNames,
    /// The URL of the site, prepended to URLs that are paths: locs, and the URLs of alternates, images and videos. URLs of other sites stay
    /// unchanged
    #[arg(long, value_name = "URL")]
    base: Option<String>,
    #[command(flatten)]
    tolerance: Tolerance,
    /// Write an index, or with =false a urlset, from formats that do not distinguish them
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    index: Option<bool>,
    /// Indent XML
    #[arg(long)]
    pretty: bool,
    /// Write to this file, compressed if its name ends in .gz [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing file of --output
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    places: Places,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    live: Live,
}

/// Counts of converted entries.
#[derive(Debug, Default)]
struct Done {
    entries: u64,
    /// Entries that lose data.
    poorer: u64,
    unsaid: Unsaid,
    /// `true` if the entries belong to an index.
    is_index: bool,
    losses: Losses,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let to = new_format(options)?;
    options.from.apply();
    options.places.apply();
    options
        .filters
        .apply_to(&[&options.file], options.live.is_of_sites())?;
    let outputs = Outputs::new().force(options.force).reads([&options.file]).writes(
        "-o",
        options.output.as_ref(),
        Existing::None,
    );
    let outputs = options.live.outputs(outputs);
    outputs.check()?;
    let documents = named(std::slice::from_ref(&options.file), Scope::Listed, &outputs)?;
    let mut done = Done::default();
    match options.output.as_deref().filter(|path| *path != Path::new("-")) {
        None => {
            let mut out = match to {
                Format::Jsonl => Shown::json(io::stdout()),
                Format::Xml | Format::Text | Format::Csv => Shown::text(io::stdout()),
            };
            convert(options, to, documents, &mut out, &mut done)?;
            out.flush()?;
        }
        Some(path) => write_to(path, is_gzip_name(path), |file| {
            convert(options, to, documents, file, &mut done)?;
            Ok(true)
        })?,
    }
    if done.poorer > 0 {
        let format = to.to_possible_value();
        let format = format.as_ref().map_or("", |value| value.get_name());
        print_note!(
            "note: {format} cannot represent all data of {} of {}: the rest is left out",
            grouped(done.poorer),
            counted(done.entries, "URL")
        );
    }
    if done.is_index && to == Format::Text {
        print_note!(
            "note: text does not say that these are sitemaps: `sitemap convert --index` makes an index of it again"
        );
    }
    done.losses.print();
    if done.losses.entries > 0 {
        let advice = if options.tolerance.on_invalid() == OnInvalid::Skip {
            "; --on-invalid drop keeps those with a valid loc"
        } else {
            ""
        };
        let left_out = counted(done.losses.entries, "URL");
        print_note!("note: {left_out} left out{advice}");
    }
    Ok(ExitCode::from(u8::from(!done.losses.is_empty())))
}

/// Returns the requested format, or the one implied by the output's name.
fn new_format(options: &Options) -> Result<Format> {
    let named = || of_name(options.output.as_deref()?);
    options.to.or_else(named).context(
        "the new format is not known: name it by --to (xml, text, jsonl or csv), or write to a file whose name says it, \
         such as -o sitemap.xml",
    )
}

fn convert(
    options: &Options,
    to: Format,
    documents: Documents<'_>,
    out: &mut To<'_>,
    done: &mut Done,
) -> Result<()> {
    done.losses = Losses::new(options.tolerance.on_invalid(), documents.unlisted());
    let are_several = documents.list.len() > 1 || options.live.is_of_sites();
    let styles = match &*documents.list {
        [Named::Input(input)] if to == Format::Xml => Some(Stylesheets::of(input)),
        _ => None,
    };
    let kept = styles.as_ref().map(|styles| &*styles.kept).unwrap_or_default();
    // Documents of a site are loaded in several threads, and converted one at a time.
    let converter = Mutex::new(Converter {
        options,
        to,
        checks: Checks::new(options)?,
        sink: Output::new(options, to, kept, out),
        styles,
        done,
    });
    read_each(documents.list, &options.live, &Resume::default(), &|input| {
        let mut converter = converter.lock().unwrap_or_else(PoisonError::into_inner);
        let before = converter.done.entries;
        match converter.read(input, are_several) {
            // The entries before the damage were read.
            Err(error) if options.tolerance.lenient && Damage::of(&error).is_some() => {
                converter.done.losses.cut_off(&error);
            }
            read => read?,
        }
        Ok(Reading::of(converter.done.entries - before))
    })?;
    let converter = converter.into_inner().unwrap_or_else(PoisonError::into_inner);
    converter.check_kind()?;
    converter.sink.finish(options.pretty)
}

/// A conversion in progress.
struct Converter<'c, 'o> {
    options: &'c Options,
    to: Format,
    checks: Checks,
    sink: Output<'o>,
    /// The stylesheets of a single document that becomes XML again.
    styles: Option<Stylesheets>,
    done: &'c mut Done,
}

impl Converter<'_, '_> {
    fn read(&mut self, input: &Input, is_one_of_several: bool) -> Result<()> {
        let (reader, format) = open(input)?;
        let options = self.options;
        let format = match format {
            // The header may start with another column than `loc`.
            Format::Text if options.columns.is_some() && said().is_none() => Format::Csv,
            // Lenient reading keeps the URL of a line with other text. A base completes lines that are paths.
            Format::Text if options.tolerance.lenient && options.base.is_none() && said().is_none() => {
                Format::Xml
            }
            format => format,
        };
        let mut rows = Rows {
            reader: RowReader::new(row_mode(
                options.tolerance.lenient,
                options.tolerance.on_invalid(),
            ))
            .columns(&options.columns),
            kinds: Kinds::default(),
            is_one_of_several,
            is_skipped: false,
        };
        match format {
            Format::Xml => self.read_xml(input, is_one_of_several),
            Format::Text => each_line(reader, &input.name, &mut |place, line| {
                if line.as_ref().is_ok_and(|line| !filters::keeps(line, None)) {
                    return Ok(());
                }
                let entry = line.and_then(|line| match options.base {
                    Some(_) if line.starts_with('/') => path_entry(line),
                    _ => line_entry(line),
                });
                self.put_checked(place, entry, None)
            }),
            Format::Jsonl => each_value(reader, &input.name, &mut |place, line| {
                self.put_row(place, line.map(Row::Json), &mut rows)
            }),
            Format::Csv => {
                let mut others = UnknownNames::columns();
                let mut found = |place: &str, columns: &UnknownNames| {
                    others.append(columns);
                    // A table may have columns for other programs.
                    let is_fine = options.tolerance.on_invalid() != OnInvalid::Fail || !columns.has_meant();
                    check_unknown(columns, is_fine).context(place.to_owned())
                };
                let mut put = |place: &str, row: Result<Row<'_>>| self.put_row(place, row, &mut rows);
                each_row(reader, &input.name, &options.columns, &mut found, &mut put)?;
                self.done.losses.unknown.append(&others);
                Ok(())
            }
        }
    }

    fn read_xml(&mut self, input: &Input, is_one_of_several: bool) -> Result<()> {
        let Options { tolerance, index, .. } = self.options;
        let lenient = tolerance.lenient;
        let lost_styles = match &self.styles {
            Some(styles) => styles.others,
            None => Stylesheets::of(input).count(),
        };
        let mut entries = Entries::of(input, lenient, tolerance.on_invalid())?;
        if let Some(base) = &self.options.base {
            entries.complete(base);
        }
        let is_index = entries.kind() == Kind::SitemapIndex;
        if is_index && is_one_of_several {
            self.done.losses.indexes += 1;
            let mut unread = Unread::default();
            let checked = input.check_index(&mut unread);
            self.done.losses.entries += unread.entries;
            return checked;
        }
        if index.is_some_and(|index| index != is_index) && self.to == Format::Xml && !entries.is_text() {
            bail!(
                "{} is {}: --index is for formats that do not tell a urlset from an index",
                input.name,
                if is_index { "an index" } else { "a urlset" }
            );
        }
        self.done.losses.stylesheets += lost_styles;
        while let Some(entry) = entries.next(&mut self.done.losses)? {
            // The checks complete a loc that is a path.
            let place = format!("{}, entry {}", input.name, entries.number());
            let kind = Some(entries.kind()).filter(|_| !entries.is_text());
            self.put_checked(&place, Ok(entry), kind)?;
        }
        Ok(())
    }

    /// Writes the entry of a row or a line. A problem is an error; with `--lenient` it is reported and the value is left out.
    fn put_row(&mut self, place: &str, row: Result<Row<'_>>, rows: &mut Rows) -> Result<()> {
        let begun = row.and_then(|row| rows.reader.read(row));
        if begun.is_ok() && !rows.reader.is_chosen() {
            return Ok(());
        }
        let goes_on = self.options.tolerance.on_invalid() != OnInvalid::Fail;
        let read = begun.and_then(|()| {
            if let Some(base) = &self.options.base {
                rows.reader.complete(base)?;
            }
            let row = rows.reader.entry()?;
            check_unknown(&row.unknown, goes_on)?;
            Ok(row)
        });
        let kind = read.as_ref().ok().and_then(|row| row.kind);
        let read = read.and_then(|row| {
            // --index sets the kind of rows that do not state it.
            if rows.is_one_of_several || row.kind.is_some() {
                rows.kinds.check(row.kind)?;
            }
            Ok(row)
        });
        if rows.is_one_of_several && read.is_ok() && kind == Some(Kind::SitemapIndex) {
            self.done.losses.indexes += u64::from(!std::mem::replace(&mut rows.is_skipped, true));
            return Ok(());
        }
        let entry = read.map(|row| self.done.losses.row(place, row));
        self.put_checked(place, entry, kind)
    }

    /// Writes an entry without its invalid values. An entry that cannot be written is an error; with `--lenient` it is reported. The entry
    /// may state its kind.
    fn put_checked(&mut self, place: &str, entry: Result<UrlEntry>, kind: Option<Kind>) -> Result<()> {
        let checked = entry
            .and_then(|entry| self.checks.entry(&entry))
            .and_then(|entry| {
                self.sink.check(kind)?;
                Ok(entry)
            });
        let entry = match checked {
            Ok(entry) => entry,
            Err(error) => {
                self.done.losses.take_skipped();
                self.done.losses.entry(place, error_text(&error));
                return self.done.losses.check();
            }
        };
        for error in self.checks.omissions.take(None) {
            self.done.losses.value(place, &with_omitted(&error));
        }
        let is_skipped = self.done.losses.take_skipped();
        self.done.losses.check()?;
        if is_skipped {
            return Ok(());
        }
        if kind.is_none() {
            self.done.unsaid.count(&entry.loc);
        }
        let is_index = kind == Some(Kind::SitemapIndex);
        let written = self.sink.put(&entry, is_index, self.done);
        written.with_context(|| place.to_owned())
    }

    /// Returns an error if the input of a urlset was most likely an index.
    fn check_kind(&self) -> Result<()> {
        if self.to != Format::Xml || self.options.index.is_some() {
            return Ok(());
        }
        let advice = "--index writes an index, and --index=false a urlset";
        self.done.unsaid.check(advice)
    }
}

/// The rows of a document.
struct Rows {
    reader: RowReader,
    kinds: Kinds,
    is_one_of_several: bool,
    /// `true` if the document is a skipped index.
    is_skipped: bool,
}

/// Returns an error if there are names that are unknown to the format, unless they may be left out.
fn check_unknown(unknown: &UnknownNames, is_lenient: bool) -> Result<()> {
    if is_lenient || unknown.is_empty() {
        return Ok(());
    }
    let what = unknown.counted();
    bail!("{what}: {unknown}; --lenient leaves out what a sitemap does not have")
}

/// Returns the entry of a line with a path, which the base completes.
fn path_entry(line: &str) -> Result<UrlEntry> {
    if line.contains(char::is_whitespace) {
        bail!(
            "the line `{line}` is not the path of a URL: a text sitemap has one URL per line, and nothing else (P-TXT1); remove what \
             follows the path, and write a space in it as `%20`"
        );
    }
    Ok(UrlEntry::new(line))
}

/// The output in the new format.
struct Output<'o> {
    to: Sink<'o>,
    /// The kind of entries that do not state it.
    unsaid: Kind,
    /// The kind of the first entry.
    kind: Option<Kind>,
}

enum Sink<'o> {
    /// XML, and `true` for an index.
    Xml(Box<Writer<Styled<&'o mut (dyn Write + Send)>>>, bool, Omissions),
    Text(Box<Writer<&'o mut (dyn Write + Send)>>),
    Jsonl(&'o mut (dyn Write + Send)),
    /// CSV, and `true` once its header is written.
    Csv(Box<csv::Writer<&'o mut (dyn Write + Send)>>, bool),
}

impl<'o> Output<'o> {
    fn new(options: &Options, to: Format, styles: &[String], out: &'o mut (dyn Write + Send)) -> Self {
        let to = match to {
            Format::Xml => {
                let mut builder = WriterBuilder::new();
                builder.pretty(options.pretty);
                let is_index = options.index == Some(true);
                if is_index {
                    builder.kind(Kind::SitemapIndex);
                }
                let omissions = Omissions::of(&mut builder);
                Sink::Xml(
                    Box::new(builder.from_writer(Styled::new(out, styles))),
                    is_index,
                    omissions,
                )
            }
            Format::Text => Sink::Text(Box::new(WriterBuilder::new().text_from_writer(out))),
            Format::Jsonl => Sink::Jsonl(out),
            Format::Csv => Sink::Csv(Box::new(csv::Writer::from_writer(out)), false),
        };
        let unsaid = if options.index == Some(true) {
            Kind::SitemapIndex
        } else {
            Kind::UrlSet
        };
        Output {
            to,
            unsaid,
            kind: None,
        }
    }

    /// Returns an error if an entry differs in kind from the ones before it.
    fn check(&mut self, kind: Option<Kind>) -> Result<()> {
        let kind = kind.unwrap_or(self.unsaid);
        let first = *self.kind.get_or_insert(kind);
        if first != kind {
            bail!("an entry of a {kind}, and those before it are of a {first}");
        }
        Ok(())
    }

    fn put(&mut self, entry: &UrlEntry, is_index: bool, done: &mut Done) -> Result<()> {
        done.entries += 1;
        done.is_index |= is_index;
        let mut bare = UrlEntry::new(&entry.loc);
        let is_poorer = match &mut self.to {
            Sink::Xml(writer, to_index, omissions) if is_index || *to_index => {
                let mut listed = IndexEntry::new(&entry.loc);
                listed.lastmod = entry.lastmod;
                let written = writer.write(&listed);
                written
                    .and_then(|written| omissions.take_skipped(written))
                    .map_err(too_many)?;
                bare.lastmod = entry.lastmod;
                *entry != bare
            }
            Sink::Xml(writer, _, omissions) => {
                let written = writer.write(entry);
                written
                    .and_then(|written| omissions.take_skipped(written))
                    .map_err(too_many)?;
                false
            }
            Sink::Text(writer) => {
                writer.write(&bare).map_err(too_many)?;
                *entry != bare
            }
            Sink::Jsonl(out) => {
                let mut line = Vec::new();
                push_json(&mut line, entry, is_index)?;
                line.push(b'\n');
                out.write_all(&line)?;
                false
            }
            Sink::Csv(rows, has_header) => {
                if !std::mem::replace(has_header, true) {
                    write_header(rows, is_index)?;
                }
                let text = |value: Option<&dyn Display>| value.map(ToString::to_string).unwrap_or_default();
                let values = [
                    entry.loc.clone(),
                    text(entry.lastmod.as_ref().map(|value| value as _)),
                    text(entry.changefreq.as_ref().map(|value| value as _)),
                    text(entry.priority.as_ref().map(|value| value as _)),
                ];
                let kind = is_index.then(|| Kind::SitemapIndex.entry().to_owned());
                rows.write_record(values.into_iter().chain(kind))?;
                (bare.lastmod, bare.changefreq, bare.priority) =
                    (entry.lastmod, entry.changefreq, entry.priority);
                *entry != bare
            }
        };
        done.poorer += u64::from(is_poorer);
        Ok(())
    }

    fn finish(self, is_pretty: bool) -> Result<()> {
        match self.to {
            Sink::Xml(writer, ..) => end_line(writer.finish()?, is_pretty)?,
            Sink::Text(writer) => drop(writer.finish()?),
            Sink::Csv(mut rows, has_header) => {
                if !has_header {
                    write_header(&mut rows, false)?;
                }
                rows.flush()?;
            }
            Sink::Jsonl(_) => {}
        }
        Ok(())
    }
}

/// Writes the header. An index gets a column for the kind, because CSV does not distinguish it from a urlset.
fn write_header(rows: &mut csv::Writer<impl Write>, is_index: bool) -> Result<()> {
    let kind = is_index.then_some(KIND);
    Ok(rows.write_record(COLUMNS.into_iter().chain(kind))?)
}

/// Returns a writer's error. If the document is too large, it names the command that writes several.
fn too_many(error: Error) -> anyhow::Error {
    if error.kind() != ErrorKind::Limit {
        return error.into();
    }
    let rule = error.rule().map(|rule| format!(" ({rule})"));
    let problem = error.problem();
    anyhow!(
        "{problem}{}; `sitemap split` writes several",
        rule.unwrap_or_default()
    )
}

/// Checks entries of other formats like the XML writer, for every output format.
struct Checks {
    writer: WriterBuilder,
    omissions: Omissions,
}

impl Checks {
    fn new(options: &Options) -> Result<Self> {
        let mut writer = WriterBuilder::new();
        if let Some(base) = &options.base {
            base_is_given();
            // The base completes locs, and does not restrict them to its site.
            writer
                .base(base)
                .cross_submission(true)
                .check()
                .context("--base")?;
        }
        let omissions = Omissions::of(&mut writer);
        Ok(Checks { writer, omissions })
    }

    /// Returns the entry as written, without its invalid values.
    fn entry(&self, entry: &UrlEntry) -> Result<UrlEntry> {
        let mut written = self
            .writer
            .to_entries(entry)
            .and_then(|written| {
                self.omissions.take_skipped(written.len() as u64)?;
                Ok(written)
            })
            .map_err(|error| error.renumbered(None))?;
        written.pop().context("not an entry")
    }
}
