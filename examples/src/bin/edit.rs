//! Changes a sitemap file, compressed or not, and leaves what is not changed as it was, byte for byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;
use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_examples::progress::{Progress, counted};
use sitemap_examples::replace::replace;
use sitemap_serde::{Category, Editor, EditorBuilder, EntryEditor, IndexEntry, Result as Edited};

/// Change a sitemap file, and nothing but what was asked for
///
/// The file, compressed or not, is read and written as a stream, and replaced when all is done: after an error, such as a LOC
/// that it does not have, it is as it was. A LOC is an entry's whole URL, or with --base a path on that site.
///
///     edit sitemap.xml --set https://example.com/ priority=0.9 --touch https://example.com/news
#[derive(Debug, Parser)]
#[command(name = "edit", version, verbatim_doc_comment)]
struct Options {
    /// The sitemap or index
    file: PathBuf,
    /// Give an entry a value: lastmod, changefreq, priority or loc; an empty one removes the element
    #[arg(long, num_args = 2, value_names = ["LOC", "FIELD=VALUE"])]
    set: Vec<String>,
    /// Give an entry the lastmod of this moment
    #[arg(long, value_name = "LOC")]
    touch: Vec<String>,
    /// Remove an entry
    #[arg(long, value_name = "LOC")]
    drop: Vec<String>,
    /// Add an entry at the end
    #[arg(long, value_name = "LOC")]
    add: Vec<String>,
    /// Where the site is: the beginning of each LOC that is a path
    #[arg(long, value_name = "URL")]
    base: Option<String>,
    /// Write there, and leave FILE as it is
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("edit: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<()> {
    let name = options.file.display();
    let mut changes = Changes::of(options)?;
    let mut file = File::open(&options.file).with_context(|| format!("cannot open {name}"))?;
    let is_compressed = starts_like_gzip(&mut file).with_context(|| format!("cannot read {name}"))?;
    // The file itself is replaced, not a link to it.
    let output = match &options.output {
        Some(output) => output.clone(),
        None => fs::canonicalize(&options.file).with_context(|| format!("cannot find {name}"))?,
    };
    let mut progress = Progress::new(name.to_string(), "URL", None);
    replace(&output, |out| {
        if is_compressed {
            let out = GzEncoder::new(out, Compression::default());
            changes.apply(file, out, &mut progress)?.finish()?;
        } else {
            changes.apply(file, out, &mut progress)?;
        }
        Ok(())
    })?;
    progress.finish();
    println!(
        "{}: {} changed, {} dropped, {} added",
        output.display(),
        counted(changes.changed, "URL"),
        changes.dropped,
        changes.add.len()
    );
    Ok(())
}

/// Whether a file begins as a compressed one does (RFC 1952); then back at its start.
fn starts_like_gzip(file: &mut File) -> Result<bool> {
    let mut start = Vec::new();
    Read::by_ref(file).take(2).read_to_end(&mut start)?;
    file.rewind()?;
    Ok(start == [0x1F, 0x8B])
}

/// Nobody wants to know it to the nanosecond.
fn this_second() -> Result<SystemTime> {
    let since = SystemTime::UNIX_EPOCH.elapsed().context("the clock is wrong")?;
    Ok(SystemTime::UNIX_EPOCH + Duration::from_secs(since.as_secs()))
}

/// What is to be done to which entries.
#[derive(Debug)]
struct Changes {
    base: Option<String>,
    /// By loc, fields and their values.
    set: BTreeMap<String, Vec<(String, String)>>,
    touch: BTreeSet<String>,
    drop: BTreeSet<String>,
    add: Vec<String>,
    now: SystemTime,
    /// The locs that were met.
    met: BTreeSet<String>,
    changed: u64,
    dropped: u64,
}

impl Changes {
    fn of(options: &Options) -> Result<Self> {
        let base = options.base.as_deref();
        let whole = |loc: &String| match base {
            Some(base) if loc.starts_with('/') => format!("{}{loc}", base.trim_end_matches('/')),
            _ => loc.clone(),
        };
        let mut set: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for pair in options.set.chunks(2) {
            let [loc, value] = pair else {
                bail!("--set takes a LOC and a FIELD=VALUE")
            };
            let (field, value) = value
                .split_once('=')
                .ok_or_else(|| anyhow!("`{value}` is no FIELD=VALUE, such as `lastmod=2026-05-01`"))?;
            let values = set.entry(whole(loc)).or_default();
            values.push((field.to_owned(), value.to_owned()));
        }
        Ok(Changes {
            base: options.base.clone(),
            set,
            touch: options.touch.iter().map(whole).collect(),
            drop: options.drop.iter().map(whole).collect(),
            add: options.add.clone(),
            now: this_second()?,
            met: BTreeSet::new(),
            changed: 0,
            dropped: 0,
        })
    }

    /// Copies a sitemap with its changes.
    fn apply<W: Write>(&mut self, from: File, to: W, progress: &mut Progress) -> Result<W> {
        let mut builder = EditorBuilder::new();
        if let Some(base) = &self.base {
            builder.base(base);
        }
        let mut editor = builder.build(from, to);
        while self.next(&mut editor, progress)? {
            progress.step();
        }
        let asked = self.set.keys().chain(&self.touch).chain(&self.drop);
        let missing: BTreeSet<_> = asked.filter(|loc| !self.met.contains(*loc)).collect();
        if let Some(loc) = missing.first() {
            let others = match missing.len() - 1 {
                0 => String::new(),
                others => format!(", nor {others} more that were asked for"),
            };
            bail!("it has no entry {loc}{others}");
        }
        for loc in &self.add {
            // Written to an index too: it has what both kinds of entries have.
            editor.add(&IndexEntry::new(loc))?;
        }
        Ok(editor.finish()?)
    }

    /// Changes the next entry. `false` at the end.
    fn next<W: Write>(&mut self, editor: &mut Editor<File, W>, progress: &mut Progress) -> Result<bool> {
        match editor.next_entry() {
            Ok(Some(entry)) => self.change(entry)?,
            Ok(None) => return Ok(false),
            Err(error) if error.category() == Category::Data && error.entry().is_some() => {
                progress.say(format_args!("left as it is: {error}"));
            }
            Err(error) => return Err(error.into()),
        }
        Ok(true)
    }

    fn change(&mut self, mut entry: EntryEditor<'_>) -> Edited<()> {
        let loc = entry.loc();
        let set = self.set.get(loc);
        let (touch, drop) = (self.touch.contains(loc), self.drop.contains(loc));
        if set.is_none() && !touch && !drop {
            return Ok(());
        }
        self.met.insert(loc.to_owned());
        if drop {
            entry.delete();
            self.dropped += 1;
            return Ok(());
        }
        if touch {
            entry.set_lastmod(self.now)?;
        }
        for (field, value) in set.into_iter().flatten() {
            entry.set(field, value)?;
        }
        self.changed += 1;
        Ok(())
    }
}
