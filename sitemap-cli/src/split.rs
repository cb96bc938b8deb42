//! `sitemap split`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use clap::Args;
use sitemap_serde::{Kind, Limits, OnInvalid as WriterPolicy};
use sitemap_site::{CommitPlan, FileAction, SetBuilder, SitemapSet, TaskWriter};

use crate::entries::Entries;
use crate::filters::Filters;
use crate::folder::Scope;
use crate::formats::{
    ColumnNames, Damage, Format, From, Row, RowEntry, RowReader, Text, each_line, each_row, each_value,
    line_row, open, row_mode, said,
};
use crate::input::{Documents, Input, Reading, counted, error_text, grouped, named, read_each};
use crate::live::{Live, Resume};
use crate::message::{Places, Printer};
use crate::omitted::{Losses, Omissions, OnInvalid, Tolerance, UnknownNames, is_entry, with_omitted};
use crate::outputs::Outputs;
use crate::progress::Progress;
use crate::replace::{in_folder, keep_set};
use crate::stylesheet::Stylesheets;
use crate::unread::Unread;
use crate::unsaid::{Kinds, Unsaid};

/// Split large sitemaps, or join several, into a set of files with an index
///
/// The entries of all files, in order, are written to DIRECTORY/sitemap-NAME-1.xml and so on, with
/// the index DIRECTORY/sitemap.xml, or only to DIRECTORY/sitemap.xml if one file is enough. Files
/// are replaced one by one, each atomically, the index last; files that are no longer listed are
/// deleted a day later. DIRECTORY/.sitemap records the set, so that most files stay unchanged the
/// next time; it need not be public. Indexes among the input files are skipped. Text sitemaps and
/// feeds are read too (in directories: .txt, .rss, .atom and .rdf), as are JSON files, and CSV files
/// with a header. If the directory's indexes and robots.txt list sitemaps, only those are read.
///
/// Invalid values stop the command, and nothing is written. With --on-invalid drop or --lenient, an
/// invalid value is left out, otherwise the element that requires it, or the page if it is the loc;
/// with --on-invalid skip, always the page. All losses are reported.
///
/// The exit status is 0 if the set has all entries, 1 if entries or values could not be read or
/// written, or are in files that their directory does not list, and 2 if nothing was done.
///
///     sitemap split huge.xml.gz -o public --base https://example.com --gzip
///     sitemap split old/ -o public --base https://example.com --max-entries 10000 --lenient
///     sitemap split huge.xml.gz -o public --base https://example.com --dry-run
///     sitemap cat old/ | grep -v /drafts/ | sitemap split - -o public --base https://example.com
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Options {
    /// Files, directories, URLs, or - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The directory of the set
    #[arg(long, short, value_name = "DIRECTORY")]
    output: PathBuf,
    /// The directory's public URL; the URLs of all pages begin with it
    #[arg(long, value_name = "URL")]
    base: String,
    /// Allow pages outside of the base, for sites whose robots.txt names the sitemap
    #[arg(long)]
    cross_submission: bool,
    /// The middle part of file names: sitemap-NAME-1.xml
    #[arg(long, default_value = "pages")]
    name: String,
    /// Maximum number of entries per file
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::ENTRIES, value_parser = clap::value_parser!(u64).range(1..=Limits::ENTRIES))]
    max_entries: u64,
    /// Maximum number of bytes per file, uncompressed
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::BYTES, value_parser = clap::value_parser!(u64).range(1024..=Limits::BYTES))]
    max_bytes: u64,
    /// Compress the files except sitemap.xml
    #[arg(long)]
    gzip: bool,
    #[command(flatten)]
    tolerance: Tolerance,
    #[command(flatten)]
    from: From,
    #[command(flatten)]
    columns: ColumnNames,
    /// Treat the URLs of text, JSON and CSV as pages, even if most end in .xml
    #[arg(long)]
    pages: bool,
    /// Replace a set even if it loses more than half of its entries, or a sitemap.xml that is not part of a set
    #[arg(long)]
    force: bool,
    /// Print the planned changes of each file, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    places: Places,
    #[command(flatten)]
    filters: Filters,
    #[command(flatten)]
    live: Live,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    if options.output == Path::new("-") {
        bail!(
            "-o names a directory, and `-` is standard output: a set has several files. For a directory of that name, write `./-`"
        );
    }
    options.from.apply();
    options.places.apply();
    options
        .filters
        .apply_to(&options.files, options.live.is_of_sites())?;
    let outputs = Outputs::new()
        .force(options.force)
        .reads(&options.files)
        .writes_set(&options.output, &options.name);
    let outputs = options.live.outputs(outputs);
    outputs.check()?;
    let documents = named(&options.files, Scope::Listed, &outputs)?;
    in_folder(&options.output, options.dry_run, || split(options, documents))
}

fn split(options: &Options, documents: Documents<'_>) -> Result<ExitCode> {
    let omissions = Omissions::default();
    let dropped = omissions.clone();
    let skipped = Skipped::default();
    let messages = skipped.clone();
    let set = builder(options)
        .on_invalid(match options.tolerance.on_invalid() {
            // The report of each problem decides whether it ends the command.
            OnInvalid::Fail | OnInvalid::Skip => WriterPolicy::SkipEntry,
            OnInvalid::Drop => WriterPolicy::DropValue,
        })
        .on_problem(move |problem| match problem.entry_error() {
            Some(error) if error.dropped().is_some_and(|path| !is_entry(path)) => dropped.push(error),
            Some(error) => messages.push(error.renumbered(None).to_string()),
            None => messages.push(problem.to_string()),
        })
        .open()?;
    // Documents of a site are loaded in several threads, and split one at a time.
    let splitter = Mutex::new(Splitter {
        options,
        writer: set.task_writer(&options.name, "split")?,
        omissions,
        skipped,
        entries: 0,
        index: None,
        unsaid: Unsaid::default(),
        losses: Losses::new(options.tolerance.on_invalid(), documents.unlisted()),
        progress: Progress::new(),
    });
    read_each(documents.list, &options.live, &Resume::default(), &|input| {
        let mut splitter = splitter.lock().unwrap_or_else(PoisonError::into_inner);
        let before = splitter.entries;
        splitter.read(input)?;
        Ok(Reading::of(splitter.entries - before))
    })?;
    let splitter = splitter.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Splitter {
        writer,
        entries,
        index,
        unsaid,
        losses,
        ..
    } = splitter;
    if let Some(index) = index.filter(|_| entries == 0) {
        bail!("{index} is an index, which lists sitemaps and no pages: name the sitemaps that it lists");
    }
    if !options.pages {
        unsaid
            .check("name the files themselves, whose pages a set has, or take them for pages with --pages")?;
    }
    let list = writer.finish()?;
    if options.dry_run {
        let plan = set.plan(&[list])?;
        print_plan(options, &plan, &losses)?;
        losses.print();
        return match plan.refusal {
            Some(error) => Err(error.into()),
            None => Ok(ExitCode::from(u8::from(!losses.is_empty()))),
        };
    }
    let summary = keep_set(&options.output, || Ok(set.commit(&[list])?))?;
    let compressed = if summary.stored == summary.bytes {
        String::new()
    } else {
        format!(" ({} compressed)", grouped(summary.stored))
    };
    print_note!(
        "{}: {} with {}, {}{compressed}: {} written, {} kept, {} removed; {} left out",
        options.output.display(),
        counted(summary.files, "file"),
        counted(summary.entries, "URL"),
        counted(summary.bytes, "byte"),
        summary.written,
        summary.kept,
        summary.removed,
        grouped(losses.entries + losses.unlisted_entries)
    );
    for warning in &summary.warnings {
        print_message!("warning: {warning}");
    }
    for problem in &summary.cleanup_problems {
        print_note!("note: {problem}");
    }
    losses.print();
    Ok(ExitCode::from(u8::from(!losses.is_empty())))
}

/// Prints the planned changes of each file, and the totals.
fn print_plan(options: &Options, plan: &CommitPlan, losses: &Losses) -> Result<()> {
    let mut out = Printer::stdout();
    let (mut written, mut kept) = (0_u64, 0_u64);
    for file in &plan.files {
        let is_kept = file.action == FileAction::Keep;
        *if is_kept { &mut kept } else { &mut written } += 1;
        let action = if is_kept { "keep" } else { "write" };
        writeln!(out, "{action:7}{}", file.name)?;
    }
    for name in &plan.removed_files {
        writeln!(out, "remove {name}")?;
    }
    out.flush()?;
    print_note!(
        "{}: {} with {}: {written} would be written, {kept} kept, {} removed; {} left out",
        options.output.display(),
        counted(plan.files.len() as u64, "file"),
        counted(plan.entries, "URL"),
        plan.removed_files.len(),
        grouped(losses.entries + losses.unlisted_entries)
    );
    Ok(())
}

fn builder(options: &Options) -> SetBuilder {
    SitemapSet::in_place(&options.output, &options.base)
        .writer(|writer| writer.cross_submission(options.cross_submission))
        .max_entries(options.max_entries)
        .max_bytes(options.max_bytes)
        .gzip(options.gzip.then_some(6))
        .allow_shrinking(options.force)
        .clone()
}

/// The problems that made the set skip the last entry.
#[derive(Clone, Debug, Default)]
struct Skipped(Arc<Mutex<Vec<String>>>);

impl Skipped {
    fn push(&self, problem: String) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(problem);
    }

    fn report(&self, place: &str, losses: &mut Losses) {
        for problem in self.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            losses.entry(place, problem);
        }
    }
}

/// A set being written.
struct Splitter<'o> {
    options: &'o Options,
    writer: TaskWriter,
    omissions: Omissions,
    skipped: Skipped,
    /// The number of entries read.
    entries: u64,
    /// The name of the last skipped index.
    index: Option<String>,
    unsaid: Unsaid,
    losses: Losses,
    progress: Progress,
}

impl Splitter<'_> {
    fn read(&mut self, input: &Input) -> Result<()> {
        let (text, format) = open(input)?;
        if matches!(format, Format::Csv | Format::Jsonl) || format == Format::Text && said().is_some() {
            return self.read_table(input, text, format);
        }
        let losses = &mut self.losses;
        losses.stylesheets += Stylesheets::of(input).count();
        let mut entries = Entries::of(
            input,
            self.options.tolerance.lenient,
            self.options.tolerance.on_invalid(),
        )?;
        if entries.kind() == Kind::SitemapIndex {
            losses.indexes += 1;
            self.index = Some(input.name.clone());
            let mut unread = Unread::default();
            let checked = input.check_index(&mut unread);
            losses.entries += unread.entries;
            return checked;
        }
        while let Some(entry) = entries.next(losses)? {
            if entries.is_text() {
                self.unsaid.count(&entry.loc);
            }
            let written = self.writer.write(None, &entry);
            let place = || format!("{}, entry {}", input.name, entries.number());
            written.with_context(place)?;
            self.skipped.report(&place(), losses);
            for error in self.omissions.take(Some(entries.number())) {
                losses.value(&input.name, &with_omitted(&error));
            }
            losses.check()?;
            self.entries += 1;
            let count = self.entries;
            self.progress
                .show(|| format!("{}, {}", input.name, counted(count, "URL")));
        }
        Ok(())
    }

    /// Writes the rows of a table, or the lines of a text.
    fn read_table(&mut self, input: &Input, text: Text, format: Format) -> Result<()> {
        let options = self.options;
        let lenient = options.tolerance.lenient;
        let mut rows =
            RowReader::new(row_mode(lenient, self.options.tolerance.on_invalid())).columns(&options.columns);
        let mut kinds = Kinds::default();
        let mut others = UnknownNames::columns();
        let mut put = |place: &str, row: Result<Row<'_>>| {
            let begun = row.and_then(|row| rows.read(row));
            if begun.is_ok() && !rows.is_chosen() {
                return Ok(());
            }
            match begun.and_then(|()| rows.entry()) {
                Ok(row) => match kinds.check(row.kind) {
                    Ok(Kind::SitemapIndex) => {}
                    Ok(Kind::UrlSet) => self.put_row(place, row)?,
                    Err(error) => self.losses.entry(place, error),
                },
                Err(error) => self.losses.entry(place, error_text(&error)),
            }
            self.losses.check()
        };
        let read = match format {
            Format::Csv => {
                let mut found = |_: &str, columns: &UnknownNames| {
                    others.append(columns);
                    Ok(())
                };
                each_row(text, &input.name, &options.columns, &mut found, &mut put)
            }
            Format::Jsonl => each_value(text, &input.name, &mut |place, value| {
                put(place, value.map(Row::Json))
            }),
            Format::Xml | Format::Text => each_line(text, &input.name, &mut |place, line| {
                put(place, line.and_then(line_row))
            }),
        };
        self.losses.unknown.append(&others);
        if kinds.is_index() {
            self.losses.indexes += 1;
            self.index = Some(input.name.clone());
        }
        match read {
            Err(error) if lenient && Damage::of(&error).is_some() => {
                self.losses.cut_off(&error);
                Ok(())
            }
            read => read,
        }
    }

    fn put_row(&mut self, place: &str, row: RowEntry) -> Result<()> {
        let is_unsaid = row.kind.is_none();
        let entry = self.losses.row(place, row);
        let is_skipped = self.losses.take_skipped();
        self.losses.check()?;
        if is_skipped {
            return Ok(());
        }
        if is_unsaid {
            self.unsaid.count(&entry.loc);
        }
        let written = self.writer.write(None, &entry);
        written.with_context(|| place.to_owned())?;
        self.skipped.report(place, &mut self.losses);
        for error in self.omissions.take(None) {
            self.losses.value(place, &with_omitted(&error));
        }
        self.losses.check()?;
        self.entries += 1;
        let count = self.entries;
        self.progress
            .show(|| format!("{place}, {}", counted(count, "URL")));
        Ok(())
    }
}
