//! A set in a directory: generations, or in place.
//!
//! ```text
//! ROOT/current            a link to generations/7; only this is public
//! ROOT/generations/6      the previous generation, for requests in progress
//! ROOT/generations/7      sitemap.xml and its parts
//! ROOT/state              private: lock, manifests, staging/SESSION/1.xml
//! ```
//! In place, ROOT itself is public and `ROOT/.sitemap` private.
//!
//! | module | content |
//! |---|---|
//! | `disk`, `os` | the trait of the file operations, and the operating system as its implementation |
//! | `session`, `background_sync` | the unpublished files of one program, synced while others are written |
//! | `commit`, `publish`, `in_place` | deciding a commit and removing old files; carrying it out by a new generation, or in place |
//! | `announced` | the files of the set that was announced last |

mod announced;
mod background_sync;
mod commit;
mod disk;
mod in_place;
mod os;
mod publish;
mod session;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use disk::{Disk, FileKind, Lock, Metadata};
pub(crate) use os::Os;
use session::FolderSession;

use sitemap_serde::__internal::Advice;

use super::backend::{Backend, Open, Snapshot, nothing};
#[cfg(feature = "serve")]
use super::backend::{Looked, Mark, Published as Found, foreign_top};
use super::decision::Place;
use super::list::PartList;
use super::manifest::{FileState, Manifest, ManifestPart, Top};
use super::name::TOP_FILE;
use super::plan::CommitPlan;
use super::session::Session;
use super::settings::Settings;
use super::summary::CommitSummary;
use crate::error::{Error, ErrorKind, Result, replace_damaged};
use crate::hash::ContentHash;
use crate::time::{SKEW, since_1970, to_lastmod};

/// Maximum size of a file that is read into memory. A manifest of 50,000 parts with long keys is smaller.
const MOST_READ: u64 = 512 << 20;

/// Maximum tries to read a set while other programs commit.
const MOST_LOADS: usize = 100;

#[derive(Clone, Debug)]
pub(crate) struct Directory {
    disk: Arc<dyn Disk>,
    root: PathBuf,
    in_place: bool,
}

/// A published set and its folder.
#[derive(Debug)]
pub(crate) struct Published {
    pub(crate) manifest: Manifest,
    folder: PathBuf,
}

/// The folder of a set, and the path of its manifest.
#[derive(Debug, PartialEq, Eq)]
struct Pointer {
    folder: PathBuf,
    manifest: PathBuf,
}

impl Published {
    /// The folder of its files.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Directory {
    pub(crate) fn new(disk: Arc<dyn Disk>, root: PathBuf, in_place: bool) -> Self {
        Directory { disk, root, in_place }
    }

    fn state(&self) -> PathBuf {
        self.root.join(if self.in_place { ".sitemap" } else { "state" })
    }

    fn staging(&self) -> PathBuf {
        self.state().join("staging")
    }

    fn current(&self) -> PathBuf {
        self.root.join("current")
    }

    fn generations(&self) -> PathBuf {
        self.root.join("generations")
    }

    fn generation(&self, number: u64) -> PathBuf {
        self.generations().join(number.to_string())
    }

    fn manifest_path(&self, generation: u64, top: ContentHash) -> PathBuf {
        self.state().join(if self.in_place {
            format!("manifest-{}.json", top.short())
        } else {
            format!("manifest-{generation}.json")
        })
    }

    /// The directory of the public generation, with the number instead of the link `current`. `None` if there is no set yet.
    pub(crate) fn public_folder(&self) -> Result<Option<PathBuf>> {
        if self.in_place {
            let top = self.root.join(TOP_FILE);
            return Ok(self.metadata(&top)?.map(|_| self.root.clone()));
        }
        Ok(self.current_generation()?.map(|number| self.generation(number)))
    }

    /// The public folder, and the state of its `sitemap.xml`.
    #[cfg(feature = "serve")]
    pub(crate) fn public_top(&self) -> Result<Option<(PathBuf, FileState)>> {
        let Some(folder) = self.public_folder()? else {
            return Ok(None);
        };
        let top = self.file_state(&folder.join(TOP_FILE))?;
        Ok(Some((folder, top.unwrap_or_default())))
    }

    fn current_generation(&self) -> Result<Option<u64>> {
        let current = self.current();
        match self.metadata(&current)? {
            None => return Ok(None),
            Some(found) if found.kind != FileKind::Link => {
                return Err(Error::new(
                    ErrorKind::Setting,
                    format!(
                        "{} is not a link: a set keeps its generations in {} and makes `current` a link to one; {}",
                        current.display(),
                        self.root.display(),
                        Advice::of_api(
                            "SitemapSet::in_place",
                            "move it away, or write the set in place with `SitemapSet::in_place`",
                        )
                    ),
                ));
            }
            Some(_) => {}
        }
        let target = self
            .disk
            .read_link(&current)
            .map_err(|error| Error::file("read", &current, error))?;
        let Some(target) = target else { return Ok(None) };
        let number = target
            .strip_prefix("generations")
            .ok()
            .and_then(|number| number.to_str()?.parse().ok());
        match number {
            Some(number) => Ok(Some(number)),
            None => Err(Error::new(
                ErrorKind::Setting,
                format!(
                    "{} is a link to {}, which is not a generation of a set; give the set a directory of its own",
                    current.display(),
                    target.display()
                ),
            )),
        }
    }

    /// Refuses a directory with another purpose, such as a web root: the web server would not find the set's files, and the set's
    /// private folders would be public.
    pub(crate) fn check_is_own(&self) -> Result<()> {
        if !self.check_folder(&self.root)? {
            return Ok(());
        }
        let root = self.root.display();
        let has_generations = self
            .metadata(&self.current())?
            .is_some_and(|found| found.kind == FileKind::Link)
            && self.metadata(&self.state())?.is_none()
            && self.metadata(&self.generations())?.is_some();
        if self.in_place && has_generations {
            return Err(Error::new(
                ErrorKind::Setting,
                format!(
                    "{root} is a set with generations, whose public files are in {}: {}",
                    self.current().display(),
                    Advice::of_api(
                        "SitemapSet::in_place",
                        "open it by `SitemapSet::directory`, or give this set a directory of its own",
                    )
                ),
            ));
        }
        if self.in_place || self.metadata(&self.current())?.is_some() {
            return Ok(());
        }
        let mut names = self.list(&self.root)?;
        names.retain(|name| is_foreign(name));
        // Name the file that best shows the directory's purpose.
        names.sort_by_key(|name| (name != TOP_FILE, name != "index.html", name.clone()));
        let Some(name) = names.first() else { return Ok(()) };
        Err(Error::new(
            ErrorKind::Setting,
            format!(
                "{root} contains `{}`, which is no file of a set: the set would be published in {}, and not in {root}; give it a directory \
                 of its own, or {}",
                name.escape_debug(),
                self.current().display(),
                Advice::of_api(
                    "SitemapSet::in_place",
                    "if this is the root of the web server, write the set in place with `SitemapSet::in_place`",
                )
            ),
        ))
    }

    /// The published set, with its manifest; `None` if there is none yet, or if it was not made by this crate.
    pub(crate) fn load(&self) -> Result<Option<Published>> {
        self.check_folder(&self.root)?;
        let mut pointer = self.pointer()?;
        for _ in 0..MOST_LOADS {
            let Some(Pointer {
                folder,
                manifest: path,
            }) = &pointer
            else {
                return Ok(None);
            };
            if let Some(json) = self.read_if_there(path)? {
                let manifest = Manifest::from_json(&json, &path.display().to_string())?;
                let folder = folder.clone();
                return Ok(Some(Published { manifest, folder }));
            }
            // Another program may have committed, and removed the manifest, since the pointer was read.
            let now = self.pointer()?;
            if now == pointer {
                break;
            }
            pointer = now;
        }
        match pointer {
            Some(pointer) if !self.in_place => Err(Error::new(
                ErrorKind::Damaged,
                format!(
                    "the manifest {} is gone: {}",
                    pointer.manifest.display(),
                    replace_damaged()
                ),
            )),
            // A sitemap.xml that is not part of a set.
            _ => Ok(None),
        }
    }

    /// The manifest of a generation; `None` if there is none.
    pub(crate) fn manifest_of(&self, generation: u64) -> Result<Option<Manifest>> {
        let path = self.state().join(format!("manifest-{generation}.json"));
        let json = self.read_if_there(&path)?;
        json.map(|json| Manifest::from_json(&json, &path.display().to_string()))
            .transpose()
    }

    /// Identifies the published set; `None` if there is none yet.
    fn pointer(&self) -> Result<Option<Pointer>> {
        if self.in_place {
            let top = self.read_if_there(&self.root.join(TOP_FILE))?;
            return Ok(top.map(|content| Pointer {
                folder: self.root.clone(),
                manifest: self.manifest_path(0, ContentHash::of(&content)),
            }));
        }
        Ok(self.current_generation()?.map(|number| Pointer {
            folder: self.generation(number),
            manifest: self.state().join(format!("manifest-{number}.json")),
        }))
    }

    /// Creates the private directories, and the root.
    fn create_folders(&self) -> Result<()> {
        self.create_dir_all(&self.root)?;
        self.create_dir_all(&self.staging())
    }

    /// Returns `true` if the path exists and is a directory.
    fn check_folder(&self, path: &Path) -> Result<bool> {
        match self.metadata(path)?.map(|found| found.kind) {
            None => Ok(false),
            // A link may lead to a directory.
            Some(FileKind::Folder | FileKind::Link) => Ok(true),
            Some(FileKind::File) => Err(Error::new(
                ErrorKind::Setting,
                format!(
                    "{} is not a directory: give the set another path, or move the file away",
                    path.display()
                ),
            )),
        }
    }

    fn create_dir_all(&self, path: &Path) -> Result<()> {
        if self.check_folder(path)? {
            return Ok(());
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if let Some(parent) = parent {
            self.create_dir_all(parent)?;
        }
        match self.disk.create_dir(path) {
            // Another program has created it.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => created.map_err(|error| Error::file("create", path, error))?,
        }
        self.sync_dir(parent.unwrap_or(Path::new(".")))
    }

    fn metadata(&self, path: &Path) -> Result<Option<Metadata>> {
        self.disk
            .metadata(path)
            .map_err(|error| Error::file("look at", path, error))
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        self.disk
            .sync_dir(path)
            .map_err(|error| Error::file("sync", path, error))
    }

    fn read_if_there(&self, path: &Path) -> Result<Option<Vec<u8>>> {
        let read = self.disk.open(path).and_then(|file| {
            let mut content = Vec::new();
            file.take(MOST_READ).read_to_end(&mut content)?;
            Ok(content)
        });
        match read {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some).map_err(|error| Error::file("read", path, error)),
        }
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        self.read_if_there(path)?
            .ok_or_else(|| Error::file("read", path, io::ErrorKind::NotFound.into()))
    }

    /// Opens a file of the public directory.
    pub(crate) fn open(&self, folder: &Path, name: &str) -> Result<Box<dyn Read + Send>> {
        let path = folder.join(name);
        self.disk
            .open(&path)
            .map_err(|error| Error::file("read", &path, error))
    }

    fn list(&self, path: &Path) -> Result<Vec<String>> {
        match self.disk.list(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            names => names.map_err(|error| Error::file("list", path, error)),
        }
    }

    /// Writes a file and syncs it.
    fn write_file(&self, path: &Path, content: &[u8], before: Option<SystemTime>) -> Result<()> {
        self.write_unsynced(path, content, before)?;
        self.sync_files(std::slice::from_ref(&path.to_owned()))
    }

    /// Writes a file. It is at least a second newer than the file that it replaces, since web servers compute ETags from time and
    /// size, and `Last-Modified` has a resolution of one second. A time from a wrong clock is ignored, so that it does not stay
    /// forever.
    fn write_unsynced(&self, path: &Path, content: &[u8], before: Option<SystemTime>) -> Result<()> {
        let write = || {
            let mut file = self.disk.create(path)?;
            file.write_all(content)?;
            file.flush()?;
            drop(file);
            self.disk.set_modified(path, self.next_time(before))
        };
        write().map_err(|error| Error::file("write", path, error))
    }

    /// Syncs all files, by several threads at once, so that a file system with a journal writes it once for many files
    /// instead of once for each.
    fn sync_files(&self, paths: &[PathBuf]) -> Result<()> {
        let next = AtomicUsize::new(0);
        let sync = || {
            while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.disk
                    .sync_file(path)
                    .map_err(|error| Error::file("sync", path, error))?;
            }
            Ok(())
        };
        let threads = self.disk.syncs_at_once().min(paths.len());
        if threads < 2 {
            return sync();
        }
        thread::scope(|scope| {
            // If no more threads start, fewer do the work.
            let others: Vec<_> = (1..threads)
                .map_while(|_| thread::Builder::new().spawn_scoped(scope, sync).ok())
                .collect();
            others.into_iter().fold(sync(), |done, other| {
                done.and(other.join().unwrap_or_else(|_| {
                    Err(Error::new(
                        ErrorKind::Io,
                        "a thread that waited for the disk has panicked",
                    ))
                }))
            })
        })
    }

    fn next_time(&self, before: Option<SystemTime>) -> SystemTime {
        let now = self.disk.now();
        let before = before.filter(|before| *before <= now + SKEW);
        before.map_or(now, |before| now.max(before + Duration::from_secs(1)))
    }

    fn file_state(&self, path: &Path) -> Result<Option<FileState>> {
        Ok(self
            .metadata(path)?
            .filter(|found| found.kind == FileKind::File)
            .map(|found| FileState {
                size: found.len,
                modified: since_1970(found.modified),
            }))
    }

    /// Removes a file, or a directory with its content.
    fn remove(&self, path: &Path) -> Result<()> {
        let remove = |done: io::Result<()>| match done {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done.map_err(|error| Error::file("remove", path, error)),
        };
        match self.metadata(path)? {
            None => Ok(()),
            Some(found) if found.kind == FileKind::Folder => {
                for name in self.list(path)? {
                    self.remove(&path.join(name))?;
                }
                remove(self.disk.remove_dir(path))
            }
            Some(_) => remove(self.disk.remove_file(path)),
        }
    }

    /// Takes the lock for commits. It is a lock on a file, not the file's existence, so a killed program leaves no lock behind.
    fn lock(&self) -> Result<Lock> {
        let path = self.state().join("lock");
        let lock = self
            .disk
            .lock(&path)
            .map_err(|error| Error::file("lock", &path, error))?;
        let holder = self.state().join("holder");
        let Some(lock) = lock else {
            let holder = self.read_if_there(&holder).ok().flatten().unwrap_or_default();
            let holder = String::from_utf8_lossy(&holder)
                .trim()
                .chars()
                .take(200)
                .collect::<String>();
            let holder = if holder.is_empty() {
                "another program"
            } else {
                &holder
            };
            return Err(Error::new(
                ErrorKind::Locked,
                format!(
                    "the set in {} is being committed by {holder}: try again when that is done; nothing was changed",
                    self.root.display()
                ),
            ));
        };
        let program = std::env::current_exe().ok();
        let program = program.as_deref().and_then(Path::file_name).unwrap_or_default();
        let since = to_lastmod(self.disk.now())?;
        let text = format!(
            "`{}`, process {}, since {since}\n",
            program.to_string_lossy(),
            std::process::id()
        );
        let written = self
            .disk
            .create(&holder)
            .and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| Error::file("write", &holder, error))?;
        Ok(lock)
    }
}

impl Backend for Directory {
    fn before(&self, replace_damaged: bool) -> Result<Option<Manifest>> {
        self.check_is_own()?;
        match self.load() {
            Err(error) if error.kind() == ErrorKind::Damaged && replace_damaged => Ok(None),
            before => Ok(before?.map(|before| before.manifest)),
        }
    }

    fn plan(&self, lists: &[PartList], whole: bool, settings: &Settings) -> Result<CommitPlan> {
        self.plan_commit(lists, whole, settings)
    }

    fn commit(
        &self,
        lists: &[PartList],
        whole: bool,
        settings: &Settings,
    ) -> Result<(CommitSummary, Manifest)> {
        self.carry_out(lists, whole, settings)
    }

    fn begin_session(&self, _before: Option<&Manifest>) -> Result<Arc<dyn Session>> {
        self.create_folders()?;
        // A program that is killed again and again must not fill the disk before its first commit. The commit reports problems.
        self.clear_sessions(&mut Vec::new());
        Ok(Arc::new(FolderSession::begin(
            Arc::clone(&self.disk),
            &self.staging(),
        )?))
    }

    fn snapshot(&self) -> Result<Snapshot> {
        self.keep_snapshot()
    }

    fn announced(&self) -> Result<Option<Snapshot>> {
        self.announced_snapshot()
    }

    fn mark_announced(&self, name: &str, _documents: &[String]) -> Result<()> {
        self.record_announced(name)
    }

    fn files(&self) -> Result<Arc<Open>> {
        let Some(folder) = self.public_folder()? else {
            return Err(nothing());
        };
        let directory = self.clone();
        Ok(Arc::new(move |name| directory.open(&folder, name)))
    }

    #[cfg(feature = "serve")]
    fn look(&self, known: Option<&Mark>) -> Result<Looked> {
        let Some((folder, top)) = self.public_top()? else {
            return Ok(Looked::Nothing);
        };
        // Read before the manifest: if another program commits in between, the mark is too old, and the next look loads the set again.
        let mark = Mark::Folder(folder, top);
        if known == Some(&mark) {
            return Ok(Looked::Same);
        }
        let Some(published) = self.load()? else {
            return Err(foreign_top());
        };
        let (directory, folder) = (self.clone(), published.folder);
        Ok(Looked::Published(Box::new(Found {
            manifest: published.manifest,
            open: Arc::new(move |name| directory.open(&folder, name)),
            mark,
        })))
    }

    #[cfg(feature = "serve")]
    fn is_storage(&self) -> bool {
        false
    }
}

/// Returns `true` if a file does not belong to a set with generations. Hidden files such as `.gitignore` are ignored, except
/// files of web servers and the state of an in-place set.
fn is_foreign(name: &str) -> bool {
    match name {
        "current" | "current.new" | "generations" | "state" | "lost+found" => false,
        ".sitemap" | ".well-known" | ".htaccess" => true,
        _ => !name.starts_with('.'),
    }
}

/// The names and states of files in a directory, for deciding a commit.
pub(crate) struct DirectoryPlace<'a> {
    directory: &'a Directory,
    folder: Option<&'a Path>,
}

impl Directory {
    pub(crate) fn place<'a>(&'a self, published: Option<&'a Published>) -> DirectoryPlace<'a> {
        DirectoryPlace {
            directory: self,
            folder: published.map(|published| published.folder.as_path()),
        }
    }
}

impl Place for DirectoryPlace<'_> {
    fn name(&self, section: &str, number: u64, _: ContentHash, extension: &str) -> String {
        format!("sitemap-{section}-{number}{extension}")
    }

    fn is_intact(&self, part: &ManifestPart, top: Top) -> Result<bool> {
        let Some(folder) = self.folder else {
            return Ok(false);
        };
        let found = self.directory.file_state(&folder.join(part.file_name(top)))?;
        Ok(found == Some(part.file))
    }
}
