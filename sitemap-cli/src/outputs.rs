//! The files that a run writes.
//!
//! **A run replaces only its own files.** Before a command reads anything, it lists the files that it reads and writes in [`Outputs`]. For
//! each file that is written:
//!
//! 1. No other option writes it, under any name: a link, a hard link, another spelling of its path.
//! 2. The run does not read it. Commands that change a file in place, and options that read their own file first, are the exception. In a
//!    folder that is read, the output is skipped.
//! 3. An existing file is replaced only if it [is of the kind](Existing) that the option writes, or with `--force`.
//!
//! The table in `tests/command/outputs.rs` holds all commands and all their options to these rules.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use percent_encoding::percent_decode_str;
use sitemap_site::SetFiles;

use crate::replace::folder_of;
use crate::url_parts::{bytes, url};

/// The existing files that an option replaces without `--force`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Existing {
    /// None.
    None,
    /// Sitemaps, as this function finds. The command refuses one that would lose most of its entries.
    Sitemap(fn(&Path) -> bool),
    /// Files that the option has written, as this function finds. An empty file is replaced, too.
    Own(fn(&Path) -> bool),
    /// Files whose content the command checks when it reads them.
    Checked,
}

/// A file that the run writes.
#[derive(Debug)]
struct Output {
    option: &'static str,
    path: PathBuf,
    place: Place,
    existing: Existing,
}

/// A folder with the files of a set.
#[derive(Debug)]
struct Set {
    folder: PathBuf,
    place: PathBuf,
    /// The start of the names of its new files.
    start: String,
    own: OwnFiles,
}

/// The files that a run reads and writes.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    inputs: Vec<(PathBuf, Place)>,
    files: Vec<Output>,
    set: Option<Set>,
    force: bool,
    /// `true` if the command has the option `--force`.
    has_force: bool,
}

impl Outputs {
    pub(crate) fn new() -> Self {
        Outputs::default()
    }

    /// Sets the value of `--force`, for a command that has it.
    pub(crate) fn force(mut self, force: bool) -> Self {
        (self.has_force, self.force) = (true, force);
        self
    }

    /// Adds files that the run reads. Skips folders, URLs and standard input.
    pub(crate) fn reads<'p>(mut self, paths: impl IntoIterator<Item = &'p PathBuf>) -> Self {
        let is_file = |path: &&PathBuf| *path != Path::new("-") && url(path).is_none() && !path.is_dir();
        for path in paths.into_iter().filter(is_file) {
            self.inputs.push((path.clone(), Place::of(path)));
        }
        self
    }

    /// Adds the file of an option, if it is given. Skips standard output.
    pub(crate) fn writes(mut self, option: &'static str, path: Option<&PathBuf>, existing: Existing) -> Self {
        if let Some(path) = path.filter(|path| *path != Path::new("-")) {
            self.files.push(Output {
                option,
                path: path.clone(),
                place: Place::of(path),
                existing,
            });
        }
        self
    }

    /// Adds the folder of a set, whose files have this name.
    pub(crate) fn writes_set(mut self, folder: &Path, name: &str) -> Self {
        self.set = Some(Set {
            folder: folder.to_owned(),
            place: fs::canonicalize(folder).unwrap_or_else(|_| Place::of(folder).path),
            start: format!("sitemap-{name}-"),
            own: OwnFiles::of(folder),
        });
        self
    }

    /// Checks the rules above. Reads only existing outputs, and writes nothing.
    ///
    /// # Errors
    /// A rule is broken.
    pub(crate) fn check(&self) -> Result<()> {
        for (i, output) in self.files.iter().enumerate() {
            let (option, path) = (output.option, output.path.display());
            if let Some(other) = self.files[..i].iter().find(|other| other.place.is(&output.place)) {
                bail!(
                    "{} and {option} name the same file, {path}: each needs a file of its own",
                    other.option
                );
            }
            if let Some(set) = self.set.as_ref().filter(|set| set.contains(&output.place)) {
                bail!(
                    "{option} names {path}, a file of the set in {}: name another file",
                    set.folder.display()
                );
            }
            if self.inputs.iter().any(|(_, input)| input.is(&output.place)) {
                bail!("{option} names {path}, which this command reads: name another file");
            }
            self.check_existing(output)?;
        }
        self.set.as_ref().map_or(Ok(()), |set| self.check_set(set))
    }

    fn check_existing(&self, output: &Output) -> Result<()> {
        let (option, path) = (output.option, &output.path);
        if self.force || !output.place.is_file() {
            return Ok(());
        }
        let why = match output.existing {
            Existing::Checked => return Ok(()),
            Existing::None => "already exists".to_owned(),
            Existing::Sitemap(is_sitemap) if is_sitemap(path) => return Ok(()),
            Existing::Sitemap(_) => "already exists, and is not a sitemap".to_owned(),
            Existing::Own(is_own) if output.place.is_empty() || is_own(path) => return Ok(()),
            Existing::Own(_) => format!("already exists, and was not written by {option}"),
        };
        if self.has_force {
            bail!("{} {why}: --force replaces it", path.display());
        }
        bail!("{} {why}: name another file", path.display())
    }

    /// Returns an error if a folder has files with the names of a set that are not its own.
    fn check_set(&self, set: &Set) -> Result<()> {
        if let Some((path, _)) = self.inputs.iter().find(|(_, input)| set.contains(input)) {
            bail!(
                "{} is read, and it is a file of the set in {}: name another directory",
                path.display(),
                set.folder.display()
            );
        }
        if self.force {
            return Ok(());
        }
        let is_foreign = |name: &str| set.is_name(name) && !set.own.contains(name);
        let names = fs::read_dir(&set.folder).into_iter().flatten().flatten();
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        let mut foreign: Vec<String> = names.filter(|name| is_foreign(name)).collect();
        // `sitemap.xml` is the first.
        foreign.sort_by_key(|name| (name.len(), name.clone()));
        match foreign.first() {
            Some(name) => bail!(
                "{} already exists and is not part of a set: --force replaces it",
                set.folder.join(name).display()
            ),
            None => Ok(()),
        }
    }

    /// Checks that no output is one of these pages, by their percent-encoded paths in the folder.
    ///
    /// # Errors
    /// An output is a page.
    pub(crate) fn check_pages<'p>(&self, folder: &Path, pages: impl Iterator<Item = &'p str>) -> Result<()> {
        let root = resolved(folder);
        let below = |output: &Output| {
            let path = output.place.path.strip_prefix(&root).ok()?;
            Some(bytes(path).into_owned())
        };
        let outputs: Vec<_> = self
            .files
            .iter()
            .filter_map(|output| Some((below(output)?, output)))
            .collect();
        if outputs.is_empty() {
            return Ok(());
        }
        for page in pages {
            let page: Vec<u8> = percent_decode_str(page).collect();
            if let Some((_, output)) = outputs.iter().find(|(below, _)| *below == page) {
                bail!(
                    "{} names {}, a page of {}: name another file",
                    output.option,
                    output.path.display(),
                    folder.display()
                );
            }
        }
        Ok(())
    }

    /// Returns `true` if the run writes a set.
    pub(crate) fn are_a_set(&self) -> bool {
        self.set.is_some()
    }

    /// Returns `true` if the run writes the file at this place, whose links are resolved.
    pub(crate) fn contains(&self, place: &Path) -> bool {
        let is_own = |set: &Set| {
            let name = place.strip_prefix(&set.place).ok().and_then(Path::to_str);
            name.is_some_and(|name| set.own.contains(name))
        };
        self.files.iter().any(|output| output.place.path == place) || self.set.as_ref().is_some_and(is_own)
    }
}

/// The index of a set, or its only file.
const TOP: &str = "sitemap.xml";

impl Set {
    /// Returns `true` if the set has files with this name.
    fn is_name(&self, name: &str) -> bool {
        let number = || {
            let rest = name.strip_prefix(&self.start)?;
            rest.strip_suffix(".xml.gz").or_else(|| rest.strip_suffix(".xml"))
        };
        name == TOP || number().is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    }

    fn contains(&self, file: &Place) -> bool {
        let below = file.path.strip_prefix(&self.place).ok().and_then(Path::to_str);
        below.is_some_and(|below| self.is_name(below) || Path::new(below).starts_with(".sitemap"))
    }
}

/// The files of a folder that belong to its set.
#[derive(Debug)]
enum OwnFiles {
    /// There is no set.
    None,
    /// The files that it lists, or has listed.
    Named(Vec<String>),
    /// All with such names: a run was killed, or `sitemap.xml` was replaced.
    All,
}

impl OwnFiles {
    fn of(folder: &Path) -> Self {
        let state = folder.join(".sitemap");
        if !state.is_dir() {
            return OwnFiles::None;
        }
        match SetFiles::find(folder) {
            Ok(Some(set)) if !state.join("pending.json").exists() => {
                OwnFiles::Named([set.listed, set.dropped].concat())
            }
            // The set reports a damaged manifest.
            _ => OwnFiles::All,
        }
    }

    fn contains(&self, name: &str) -> bool {
        match self {
            OwnFiles::None => false,
            OwnFiles::Named(names) => names.iter().any(|own| own == name),
            OwnFiles::All => name == TOP || name.starts_with("sitemap-"),
        }
    }
}

/// The place of a file, which need not exist.
#[derive(Debug)]
struct Place {
    /// The absolute path, with all links resolved.
    path: PathBuf,
    metadata: Option<Metadata>,
}

impl Place {
    fn of(path: &Path) -> Self {
        let path = resolved(path);
        let metadata = fs::metadata(&path).ok();
        Place { path, metadata }
    }

    fn is_file(&self) -> bool {
        self.metadata.as_ref().is_some_and(Metadata::is_file)
    }

    fn is_empty(&self) -> bool {
        self.metadata.as_ref().is_some_and(|metadata| metadata.len() == 0)
    }

    /// Returns `true` if both are one file. Several options may name one device, such as `/dev/null`.
    fn is(&self, other: &Place) -> bool {
        match (&self.metadata, &other.metadata) {
            (Some(a), Some(b)) => a.is_file() && (self.path == other.path || is_same_file(a, b)),
            (None, None) if cfg!(any(windows, target_os = "macos")) => {
                self.path.to_string_lossy().to_lowercase() == other.path.to_string_lossy().to_lowercase()
            }
            (None, None) => self.path == other.path,
            _ => false,
        }
    }
}

#[cfg(unix)]
fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    false
}

/// Returns the absolute path of a file, with links resolved, even of links that lead nowhere.
fn resolved(path: &Path) -> PathBuf {
    /// As many links as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(place) = fs::canonicalize(&path) {
            return place;
        }
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => break,
        }
    }
    let folder = fs::canonicalize(folder_of(&path)).or_else(|_| std::path::absolute(folder_of(&path)));
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}
