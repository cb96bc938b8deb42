//! Changes a sitemap file, compressed or not, and leaves what is not changed as it was, byte for byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use clap::{ArgGroup, Parser};
use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_examples::progress::{Progress, counted};
use sitemap_examples::replace::replace;
use sitemap_serde::{
    Category, Editor, EditorBuilder, EntryEditor, IndexEntry, Kind, Result as Edited, UrlEntry,
};

/// Change a sitemap file, and nothing but what was asked for
///
/// The file, compressed or not, is read and written as a stream, and replaced when all is done: after an error, such as a LOC
/// that it does not have, it is as it was, and the exit status is 1. A LOC is an entry's whole URL as the file has it, or with
/// --base a path on that site.
///
///     edit sitemap.xml --set https://example.com/ priority=0.9 --touch https://example.com/news
#[derive(Debug, Parser)]
#[command(name = "edit", version, verbatim_doc_comment)]
#[command(group = ArgGroup::new("change").required(true).multiple(true).args(["set", "touch", "drop", "add"]))]
struct Options {
    /// The sitemap or index; - for standard input, which is written to standard output
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
    /// Write there, - for standard output, and leave FILE as it is
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
    let mut changes = Changes::of(options)?;
    let standard = Path::new("-");
    let is_standard = options.file == standard;
    let name = if is_standard {
        "standard input".to_owned()
    } else {
        options.file.display().to_string()
    };
    let mut from: Box<dyn Read> = if is_standard {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(&options.file).with_context(|| format!("cannot open {name}"))?)
    };
    // A file is replaced, not a link to it.
    let output = options.output.as_ref().unwrap_or(&options.file);
    let place = fs::canonicalize(output).unwrap_or_else(|_| output.clone());

    // A file that is compressed begins like this (RFC 1952).
    let mut start = Vec::new();
    Read::by_ref(&mut from)
        .take(2)
        .read_to_end(&mut start)
        .with_context(|| format!("cannot read {name}"))?;
    let is_compressed = start == [0x1F, 0x8B];
    let from = io::Cursor::new(start).chain(from);

    let mut progress = Progress::new(&name, "URL", None);
    let edit = |to: &mut dyn Write| {
        let edited = if is_compressed {
            let to = GzEncoder::new(to, Compression::default());
            changes
                .apply(from, to, &mut progress)
                .and_then(|to| Ok(to.finish().map(drop)?))
        } else {
            changes.apply(from, to, &mut progress).map(drop)
        };
        edited.with_context(|| name.clone())
    };
    let said = if output == standard {
        edit(&mut io::stdout().lock())?;
        "standard output".to_owned()
    } else {
        replace(&place, |file| edit(file))?;
        place.display().to_string()
    };
    progress.finish();
    eprintln!(
        "{said}: {} changed, {} dropped, {} added",
        counted(changes.changed, "URL"),
        changes.dropped,
        changes.add.len()
    );
    Ok(())
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
    set: BTreeMap<String, BTreeMap<String, String>>,
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
        let mut set: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for pair in options.set.chunks(2) {
            let [loc, value] = pair else {
                bail!("--set takes a LOC and a FIELD=VALUE")
            };
            let Some((field, value)) = value.split_once('=') else {
                bail!("`{value}` is no FIELD=VALUE, such as `lastmod=2026-05-01`");
            };
            if (field, value) == ("lastmod", "now") {
                bail!("`lastmod=now`: --touch gives the lastmod of this moment");
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
            bail!("{loc} is to be dropped and changed");
        }
        let is_set = |loc: &&String| set.get(*loc).is_some_and(|fields| fields.contains_key("lastmod"));
        if let Some(loc) = touch.iter().find(is_set) {
            bail!("the lastmod of {loc} is given twice");
        }
        Ok(Changes {
            base: options.base.clone(),
            set,
            touch,
            drop,
            add: options.add.clone(),
            now: this_second()?,
            met: BTreeSet::new(),
            changed: 0,
            dropped: 0,
        })
    }

    /// Copies a sitemap with its changes.
    fn apply<W: Write>(&mut self, from: impl Read, to: W, progress: &mut Progress) -> Result<W> {
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
            match editor.kind()? {
                Kind::UrlSet => editor.add(&UrlEntry::new(loc))?,
                Kind::SitemapIndex => editor.add(&IndexEntry::new(loc))?,
            }
        }
        Ok(editor.finish()?)
    }

    /// Changes the next entry. `false` at the end.
    fn next<R: Read, W: Write>(
        &mut self,
        editor: &mut Editor<R, W>,
        progress: &mut Progress,
    ) -> Result<bool> {
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
