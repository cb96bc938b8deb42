//! `sitemap edit`: changes entries of a file and copies the rest byte for byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow, bail};
use clap::{ArgAction, ArgGroup, Args};
use sitemap_serde::{
    ChangeFreq, Editor, Error, ErrorKind, IndexEntry, Kind, Mode, Priority, ReaderBuilder, Result as Edited,
    Rule, UrlEntry, W3cDateTime, WriterBuilder,
    edit::{EntryEditor, Rebase},
    format::Format,
};

use crate::input::{Input, counted, url};
use crate::malformed::{repair, unreadable};
use crate::message::{Places, Shown, print_hidden};
use crate::missing;
use crate::outputs::{Existing, Outputs};
use crate::progress::Progress;
use crate::replace::{Target, To, compress, is_gzip_name};
use crate::words::argument;

/// Change entries of a sitemap file, and keep everything else
///
/// The file, compressed or not, is read and written as a stream, and replaced at the end. A file
/// without changes is not rewritten, and a compressed file stays compressed. No two entries get the
/// same loc. A LOC is the URL of an entry as written in the file, or with --base a path on that site.
///
/// The exit status is 0 if all entries were read, 1 if some could not be read and stay as they are,
/// and 2 after an error, such as an unknown LOC: the file is then unchanged.
///
/// --rebase replaces OLD with NEW at the start of all URLs in loc, xhtml:link, images, videos and page
/// maps. OLD is a scheme, a host and perhaps a path; a URL must have all segments of the path. URLs on
/// other hosts stay, and are counted. --set, --touch and --drop name URLs by their old base.
///
///     sitemap edit sitemap.xml --set https://example.com/ priority=0.9 --touch https://example.com/a
///     sitemap edit sitemap.xml.gz --base https://example.com --drop /old --add /new -o new.xml.gz
///     sitemap edit sitemap.xml --rebase https://staging.example.com https://example.com
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
#[command(override_usage = "sitemap edit [OPTIONS] <--set|--touch|--drop|--add|--rebase> <VALUES>... <FILE>")]
#[command(group = ArgGroup::new("change").required(true).multiple(true).args(["set", "touch", "drop", "add", "rebase"]))]
pub(crate) struct Options {
    /// The sitemap or index; - for standard input, with the output on standard output
    file: PathBuf,
    /// Set lastmod, changefreq, priority or loc of an entry; an empty value removes the element
    #[arg(long, num_args = 2, value_names = ["LOC", "FIELD=VALUE"])]
    set: Vec<String>,
    /// Set the lastmod of an entry to the current time
    #[arg(long, value_name = "LOC")]
    touch: Vec<String>,
    /// Remove an entry
    #[arg(long, value_name = "LOC")]
    drop: Vec<String>,
    /// Add an entry at the end, or fail if the file already has it
    #[arg(long, value_name = "LOC")]
    add: Vec<String>,
    /// Move all URLs that begin with OLD to NEW, and keep everything else
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], action = ArgAction::Set, conflicts_with = "base")]
    rebase: Vec<String>,
    /// The URL of the site, prepended to each LOC that is a path
    #[arg(long, value_name = "URL")]
    base: Option<String>,
    /// Write to this file, compressed if its name ends in .gz (- for standard output, compressed like FILE), instead of replacing FILE
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing file of --output
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    places: Places,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    options.places.apply();
    let mut changes = Changes::of(options)?;
    if let Some(url) = url(&options.file) {
        bail!("a document at a URL cannot be edited: load it first, such as by `curl -o sitemap.xml {url}`");
    }
    if options.file.is_dir() {
        bail!("{} is a directory: name one of its files", options.file.display());
    }
    let standard = Path::new("-");
    let is_standard = options.file == standard;
    let name = if is_standard {
        "standard input".to_owned()
    } else {
        options.file.display().to_string()
    };
    if options.output.is_none() && fs::metadata(&options.file).is_ok_and(|found| !found.is_file()) {
        bail!("{name} is not a regular file, and cannot be edited in place: name another file with -o");
    }
    let output = options.output.as_ref().unwrap_or(&options.file);
    Outputs::new()
        .force(options.force)
        .reads([&options.file])
        .writes("-o", options.output.as_ref(), Existing::None)
        .check()?;
    // Called before the file is opened, so that later changes by other programs are not overwritten.
    let target = (output != standard).then(|| Target::at(output)).transpose()?;
    let mut from: Box<dyn Read> = if is_standard {
        Box::new(io::stdin().lock())
    } else if options.file.is_file() {
        Input::local(&options.file)?.open_named()?
    } else {
        // A pipe is read as a stream.
        let file = File::open(&options.file).map_err(|error| missing::explain(&options.file, error));
        Box::new(file.with_context(|| format!("cannot open {name}"))?)
    };

    // The first bytes of a gzip file (RFC 1952).
    let mut start = Vec::new();
    Read::by_ref(&mut from)
        .take(2)
        .read_to_end(&mut start)
        .with_context(|| format!("cannot read {name}"))?;
    let was_compressed = start == [0x1F, 0x8B];
    let is_compressed = match &options.output {
        Some(path) if path != standard => is_gzip_name(path),
        Some(_) => was_compressed,
        None => was_compressed || is_gzip_name(&options.file),
    };
    let from: Box<dyn Read> = Box::new(Cursor::new(start).chain(from));

    let mut progress = if output == standard {
        Progress::of_output()
    } else {
        Progress::new()
    };
    let edit = |to: &mut To<'_>, changes: &mut Changes| {
        let edited = changes.apply(from, to, &mut progress).map(drop);
        edited.map_err(|error| match error.downcast::<Error>() {
            Ok(error) => match format_of(&options.file, &error) {
                Some(format) => anyhow!(
                    "{name}: this is a sitemap as {format}, and edit only changes XML: `sitemap convert {} --to xml` makes XML of it",
                    argument(&name)
                ),
                None => unreadable(&name, error, &repair(&options.file.display().to_string())),
            },
            Err(error) => error.context(name.clone()),
        })
    };
    let said = if let Some(target) = target {
        let is_other = options.output.is_some();
        target.write(is_compressed, |file| {
            edit(file, &mut changes)?;
            Ok(is_other || changes.is_some())
        })?;
        output.display().to_string()
    } else {
        if is_compressed {
            compress(&mut io::stdout(), true, |to| edit(to, &mut changes))?;
        } else {
            edit(&mut Shown::text(io::stdout()), &mut changes)?;
        }
        "standard output".to_owned()
    };
    print_hidden();
    if let Some(rebase) = &changes.rebase {
        print_moved(rebase);
    }
    print_note!(
        "{said}: {} changed, {} dropped, {} added{}",
        counted(changes.changed, "URL"),
        changes.dropped,
        changes.add.len(),
        if changes.is_some() { "" } else { ": as it was" }
    );
    Ok(ExitCode::from(u8::from(changes.unread > 0)))
}

/// Prints how many URLs moved to another base, and how many did not.
fn print_moved(rebase: &Rebase) {
    let others = rebase.first_kept().map_or_else(String::new, |first| {
        format!(
            "; {} not under {}, such as {first}, unchanged",
            counted(rebase.kept(), "URL"),
            rebase.old_base()
        )
    });
    print_note!(
        "note: {} moved to {}{others}",
        counted(rebase.moved(), "URL"),
        rebase.new_base()
    );
}

/// Returns the format of a file that was refused as XML, if it is a known one.
fn format_of(path: &Path, error: &Error) -> Option<Format> {
    let is_refused = matches!(error.rule(), Some(Rule::Ns | Rule::Decl)) && path.is_file();
    let opened = Input::file(path).open().ok().filter(|_| is_refused)?;
    let mut builder = ReaderBuilder::new();
    builder.mode(Mode::Lenient).other_formats(true);
    let format = builder.from_reader(opened).format().ok()?;
    (format == Format::Text || format.is_feed()).then_some(format)
}

/// Returns the current time, to the second.
fn this_second() -> Result<W3cDateTime> {
    let since = SystemTime::UNIX_EPOCH.elapsed().context("the clock is wrong")?;
    let second = SystemTime::UNIX_EPOCH + Duration::from_secs(since.as_secs());
    Ok(W3cDateTime::try_from(second)?)
}

/// Returns `true` if a value may stay in a field.
fn is_valid(field: &str, value: &str) -> bool {
    match field {
        _ if value.is_empty() => true,
        "loc" => WriterBuilder::new().to_entries(&UrlEntry::new(value)).is_ok(),
        "lastmod" => value.parse::<W3cDateTime>().is_ok(),
        "changefreq" => value.parse::<ChangeFreq>().is_ok(),
        "priority" => value.parse::<Priority>().is_ok(),
        _ => true,
    }
}

/// Returns a URL's variants: with or without its last slash, and with the other scheme.
fn other_ways(loc: &str) -> [String; 2] {
    let slash = loc
        .strip_suffix('/')
        .map_or_else(|| format!("{loc}/"), str::to_owned);
    let scheme = match loc.split_once("://") {
        Some(("https", rest)) => format!("http://{rest}"),
        Some((_, rest)) => format!("https://{rest}"),
        None => String::new(),
    };
    [slash, scheme]
}

/// The requested changes.
#[derive(Debug)]
struct Changes {
    base: Option<String>,
    /// Fields and their new values, by loc.
    set: BTreeMap<String, BTreeMap<String, String>>,
    touch: BTreeSet<String>,
    drop: BTreeSet<String>,
    add: Vec<String>,
    rebase: Option<Rebase>,
    now: W3cDateTime,
    /// The locs to add, as written, with their index in `add`.
    added: BTreeMap<String, usize>,
    /// The new locs of entries, as written.
    new: BTreeSet<String>,
    /// The locs found in the file.
    met: BTreeSet<String>,
    /// Variants of the requested locs, each with the requested loc.
    other_ways: BTreeMap<String, String>,
    /// Requested locs that the file has only as a variant, with that variant.
    similar: BTreeMap<String, String>,
    changed: u64,
    dropped: u64,
    /// Entries that could not be read, and stay as they are.
    unread: u64,
}

impl Changes {
    fn of(options: &Options) -> Result<Self> {
        let base = options.base.as_deref();
        let whole = |loc: &String| match base {
            Some(base) if loc.starts_with('/') => format!("{}{loc}", base.trim_end_matches('/')),
            _ => loc.clone(),
        };
        let mut set: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for pair in options.set.chunks(2) {
            let [loc, value] = pair else {
                bail!("--set takes a LOC and a FIELD=VALUE")
            };
            let Some((field, value)) = value.split_once('=') else {
                bail!("`{value}` is not of the form FIELD=VALUE, such as `lastmod=2026-05-01`");
            };
            if (field, value) == ("lastmod", "now") {
                bail!("`lastmod=now`: use --touch for the current time");
            }
            if set
                .entry(whole(loc))
                .or_default()
                .insert(field.to_owned(), value.to_owned())
                .is_some()
            {
                bail!("the {field} of {loc} is given twice");
            }
        }
        let touch: BTreeSet<_> = options.touch.iter().map(whole).collect();
        let drop: BTreeSet<_> = options.drop.iter().map(whole).collect();
        if let Some(loc) = drop
            .iter()
            .find(|loc| touch.contains(*loc) || set.contains_key(*loc))
        {
            bail!("{loc} cannot be both dropped and changed");
        }
        let is_set = |loc: &&String| set.get(*loc).is_some_and(|fields| fields.contains_key("lastmod"));
        if let Some(loc) = touch.iter().find(is_set) {
            bail!("the lastmod of {loc} is given twice");
        }
        let mut added = BTreeMap::new();
        let mut writer = WriterBuilder::new();
        if let Some(base) = base {
            writer.base(base);
        }
        // An invalid loc is reported by the writer.
        let written = |loc: &String| {
            let written = writer.to_entries(&UrlEntry::new(loc)).ok();
            let written = written.and_then(|mut written| written.pop());
            written.map_or_else(|| whole(loc), |entry| entry.loc)
        };
        for (i, loc) in options.add.iter().enumerate() {
            let written = written(loc);
            if drop.contains(&written) || drop.contains(&whole(loc)) {
                bail!("{loc} cannot be both dropped and added");
            }
            if added.insert(written, i).is_some() {
                bail!("{loc} is given to --add twice");
            }
        }
        let mut new = BTreeSet::new();
        for loc in set.values().filter_map(|fields| fields.get("loc")) {
            let loc = written(loc);
            if added.contains_key(&loc) || !new.insert(loc.clone()) {
                bail!("{loc} cannot be the loc of two entries");
            }
        }
        let rebase = match &options.rebase[..] {
            [old, new] => Some(Rebase::new(old, new).map_err(|error| anyhow!("--rebase: {error}"))?),
            _ => None,
        };
        let asked = set.keys().chain(&touch).chain(&drop);
        let ways = asked.flat_map(|loc| other_ways(loc).map(|way| (way, loc.clone())));
        Ok(Changes {
            added,
            new,
            other_ways: ways.collect(),
            base: options.base.clone(),
            set,
            touch,
            drop,
            add: options.add.clone(),
            rebase,
            now: this_second()?,
            met: BTreeSet::new(),
            similar: BTreeMap::new(),
            changed: 0,
            dropped: 0,
            unread: 0,
        })
    }

    /// Returns `true` if anything was changed.
    fn is_some(&self) -> bool {
        self.changed > 0 || self.dropped > 0 || !self.add.is_empty()
    }

    /// Copies a sitemap and applies the changes.
    fn apply<W: Write>(&mut self, from: impl Read, to: W, progress: &mut Progress) -> Result<W> {
        let mut builder = WriterBuilder::new();
        if let Some(base) = &self.base {
            builder.base(base);
        }
        let mut editor = builder.editor(from, to);
        let mut entries = 0;
        while self.next(&mut editor)? {
            entries += 1;
            progress.show(|| counted(entries, "URL"));
        }
        let asked = self.set.keys().chain(&self.touch).chain(&self.drop);
        let missing: BTreeSet<_> = asked.filter(|loc| !self.met.contains(*loc)).collect();
        if let Some(loc) = missing.first() {
            let others = match missing.len() - 1 {
                0 => String::new(),
                others => format!(", nor {others} more that were asked for"),
            };
            let advice = match self.similar.get(*loc) {
                _ if self.added.contains_key(*loc) => {
                    ": --add makes it at the end, and the next run of the command can change it".to_owned()
                }
                Some(similar) => format!("; did you mean {similar}?"),
                None if loc.starts_with('/') => {
                    "; the URL of the site, for paths, is given by --base".to_owned()
                }
                None => String::new(),
            };
            bail!("it has no entry {loc}{others}{advice}");
        }
        for loc in &self.add {
            match editor.kind()? {
                Kind::UrlSet => editor.add(&UrlEntry::new(loc))?,
                Kind::SitemapIndex => editor.add(&IndexEntry::new(loc))?,
            }
        }
        Ok(editor.finish()?)
    }

    /// Changes the next entry. Returns `false` at the end.
    fn next<R: Read, W: Write>(&mut self, editor: &mut Editor<R, W>) -> Result<bool> {
        match editor.next_entry() {
            Ok(Some(entry)) => {
                let rebased = self.rebase.as_ref().and_then(|rebase| rebase.apply(entry.loc()));
                let loc = rebased.as_deref().unwrap_or(entry.loc());
                if let Some(i) = self.added.get(loc)
                    && self.stays(entry.loc())
                {
                    let loc = self.add.get(*i).map_or("", String::as_str);
                    bail!(
                        "{loc} is already in the file, as entry {}: change it with --set or --touch",
                        entry.record().number()
                    );
                }
                if self.new.contains(loc) && self.stays(entry.loc()) {
                    bail!(
                        "{loc} is already in the file, as entry {}: drop that, or give it another loc",
                        entry.record().number()
                    );
                }
                self.change(entry)?;
            }
            Ok(None) => return Ok(false),
            Err(error) if error.kind() == ErrorKind::Data && error.entry().is_some() => {
                self.unread += 1;
                print_problem!("left as it is: {error}");
            }
            Err(error) => return Err(error.into()),
        }
        Ok(true)
    }

    /// Returns `true` if an entry keeps its loc, so other entries must not get it.
    fn stays(&self, loc: &str) -> bool {
        !self.drop.contains(loc) && !self.set.get(loc).is_some_and(|fields| fields.contains_key("loc"))
    }

    fn change(&mut self, mut entry: EntryEditor<'_>) -> Edited<()> {
        let loc = entry.loc();
        let set = self.set.get(loc);
        let (touch, drop) = (self.touch.contains(loc), self.drop.contains(loc));
        if set.is_some() || touch || drop {
            self.met.insert(loc.to_owned());
        } else if let Some(asked) = self.other_ways.get(loc) {
            self.similar.insert(asked.clone(), loc.to_owned());
        }
        if drop {
            entry.delete();
            self.dropped += 1;
            return Ok(());
        }
        let mut is_changed = touch;
        if touch {
            entry.set_lastmod(self.now)?;
        }
        for (field, value) in set.into_iter().flatten() {
            // An equal value is not rewritten, unless it is invalid, which is an error.
            if entry.record().get(field).unwrap_or_default() != value.trim() || !is_valid(field, value.trim())
            {
                entry.set(field, value)?;
                is_changed = true;
            }
        }
        if let Some(rebase) = &mut self.rebase {
            let before = rebase.moved();
            entry.rebase(rebase)?;
            is_changed |= rebase.moved() > before;
        }
        self.changed += u64::from(is_changed);
        Ok(())
    }
}
