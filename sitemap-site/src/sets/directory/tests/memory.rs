//! A simulated disk that can lose unsynced changes, for tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, SystemTime};

use super::super::disk::{Disk, DiskFile, FileKind, Lock, Metadata};

/// The unsynced changes that survive a crash.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Crash {
    /// Everything: only the program was killed.
    Killed,
    /// Nothing: the machine lost power.
    Strict,
    /// All names, but no content.
    NamesFirst,
    /// All names, and half of the content.
    Torn,
    /// Each name and each content, or not, by these bits.
    Mixed(u64),
}

#[derive(Clone, Debug)]
pub(crate) struct Memory(Arc<Mutex<State>>);

#[derive(Clone, Debug, Default)]
struct State {
    nodes: BTreeMap<u64, Node>,
    next: u64,
    /// The number of operations that changed something.
    operations: u64,
    /// All operations fail after this many.
    dies_after: Option<u64>,
    /// The number of the one operation that fails, and how.
    fails_at: Option<(u64, io::ErrorKind)>,
    locks: BTreeSet<u64>,
    now: Duration,
    /// `true` if creating links fails, as on file systems without links.
    without_links: bool,
    /// The number of threads that sync files, if there are several.
    sync_threads: Option<usize>,
    /// The duration of a file's sync.
    sync_time: Duration,
    /// Files that are being synced, and cannot be removed meanwhile, as on Windows.
    syncing: Vec<u64>,
    most_syncing: usize,
    /// The end of the paths of files that cannot be synced.
    unsyncable: Option<&'static str>,
    /// The operations whose order matters, since the disk was created.
    log: Vec<Operation>,
    other: Option<Other>,
}

/// Another program's work while this one reads.
#[derive(Clone)]
struct Other {
    /// The reads before it begins.
    reads: u64,
    /// `true` if it runs again before each later read.
    goes_on: bool,
    work: Arc<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Other")
            .field("reads", &self.reads)
            .finish_non_exhaustive()
    }
}

/// An operation on a file, which is identified by its number, not by its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// Its content or its time has changed.
    Change(u64),
    Sync(u64),
    SyncFolder(PathBuf),
    Rename(u64, PathBuf),
}

const ROOT: u64 = 0;

#[derive(Clone, Debug)]
enum Node {
    File {
        content: Vec<u8>,
        synced: Vec<u8>,
        modified: Duration,
        /// `true` once a sync has failed. Then the content is lost, though later syncs succeed, as on Linux.
        is_lost: bool,
    },
    Folder {
        names: BTreeMap<String, u64>,
        synced: BTreeMap<String, u64>,
    },
    Link(PathBuf),
}

impl Memory {
    pub(crate) fn new() -> Self {
        let mut state = State {
            next: 1,
            now: Duration::from_secs(1_800_000_000),
            ..State::default()
        };
        let root = Node::Folder {
            names: BTreeMap::new(),
            synced: BTreeMap::new(),
        };
        state.nodes.insert(ROOT, root);
        Memory(Arc::new(Mutex::new(state)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(crate) fn operations(&self) -> u64 {
        self.state().operations
    }

    /// A copy of the disk whose operations all fail after `operations` more.
    pub(crate) fn dying_after(&self, operations: u64) -> Self {
        let mut state = self.state().clone();
        state.dies_after = Some(state.operations + operations);
        state.locks.clear();
        Memory(Arc::new(Mutex::new(state)))
    }

    /// A copy of the disk that is full at the operation with this number.
    pub(crate) fn failing_at(&self, operation: u64) -> Self {
        self.failing_with(operation, io::ErrorKind::StorageFull)
    }

    /// A copy of the disk whose operation with this number fails.
    pub(crate) fn failing_with(&self, operation: u64, how: io::ErrorKind) -> Self {
        let mut state = self.state().clone();
        state.fails_at = Some((state.operations + operation, how));
        state.locks.clear();
        Memory(Arc::new(Mutex::new(state)))
    }

    pub(crate) fn without_links(&self) {
        self.state().without_links = true;
    }

    /// Files are synced by several threads, as on a real disk, and each sync takes `time`.
    pub(crate) fn with_threads(threads: usize, time: Duration) -> Self {
        let disk = Memory::new();
        disk.state().sync_threads = Some(threads);
        disk.state().sync_time = time;
        disk
    }

    /// From now on, files whose paths have this end cannot be synced.
    pub(crate) fn cannot_sync(&self, end: Option<&'static str>) {
        self.state().unsyncable = end;
    }

    pub(crate) fn is_syncing(&self) -> bool {
        !self.state().syncing.is_empty()
    }

    /// The maximum number of files that were being synced at a time.
    pub(crate) fn most_syncing(&self) -> usize {
        self.state().most_syncing
    }

    /// After `reads` more reads, another program does `work`: before the next one, or, if it `goes_on`, before each.
    pub(crate) fn interrupt(&self, reads: u64, goes_on: bool, work: impl Fn() + Send + Sync + 'static) {
        let work = Arc::new(work);
        self.state().other = Some(Other { reads, goes_on, work });
    }

    /// Returns `true` if the other program has not begun yet. It does no more.
    pub(crate) fn end_interruption(&self) -> bool {
        // Dropped after the lock, since its set uses the disk.
        let other = self.state().other.take();
        other.is_some_and(|other| other.reads > 0)
    }

    /// The state for a read; another program may run before it.
    fn reading(&self) -> MutexGuard<'_, State> {
        let other = self.state().other.take();
        if let Some(mut other) = other {
            let is_its_turn = other.reads == 0;
            if is_its_turn {
                (other.work)();
            }
            other.reads = other.reads.saturating_sub(1);
            if !is_its_turn || other.goes_on {
                self.state().other = Some(other);
            }
        }
        self.state()
    }

    pub(crate) fn wait(&self, time: Duration) {
        self.state().now += time;
    }

    /// Sets the clock back.
    pub(crate) fn turn_back(&self, time: Duration) {
        self.state().now -= time;
    }

    /// The disk after a crash.
    pub(crate) fn after(&self, crash: Crash) -> Self {
        let mut state = self.state().clone();
        (state.dies_after, state.fails_at) = (None, None);
        state.locks.clear();
        let mut bits = match crash {
            Crash::Mixed(bits) => bits | 1,
            _ => 1,
        };
        let mut draw = move || {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            bits
        };
        for node in state.nodes.values_mut() {
            match node {
                Node::File { content, synced, .. } => {
                    let keep = match crash {
                        Crash::Killed => continue,
                        Crash::Strict | Crash::NamesFirst => 0,
                        Crash::Torn => 1,
                        Crash::Mixed(_) => draw() % 3,
                    };
                    match keep {
                        0 => content.clone_from(synced),
                        1 if content != synced => content.truncate(content.len() / 2),
                        _ => {}
                    }
                    synced.clone_from(content);
                }
                Node::Folder { names, synced } => {
                    match crash {
                        Crash::Killed | Crash::NamesFirst | Crash::Torn => {}
                        Crash::Strict => names.clone_from(synced),
                        Crash::Mixed(_) => {
                            let all: Vec<String> = names.keys().chain(synced.keys()).cloned().collect();
                            for name in all {
                                if draw() % 2 == 0 {
                                    continue;
                                }
                                match synced.get(&name) {
                                    Some(&node) => names.insert(name, node),
                                    None => names.remove(&name),
                                };
                            }
                        }
                    }
                    synced.clone_from(names);
                }
                Node::Link(_) => {}
            }
        }
        Memory(Arc::new(Mutex::new(state)))
    }

    pub(crate) fn log(&self) -> Vec<Operation> {
        self.state().log.clone()
    }

    /// The number of the file with this path.
    pub(crate) fn file_at(&self, path: &str) -> Option<u64> {
        self.state().find(Path::new(path)).unwrap()
    }

    /// All files, by path.
    pub(crate) fn tree(&self) -> BTreeMap<String, Vec<u8>> {
        fn walk(state: &State, folder: u64, before: &str, found: &mut BTreeMap<String, Vec<u8>>) {
            let Some(Node::Folder { names, .. }) = state.nodes.get(&folder) else {
                return;
            };
            for (name, node) in names {
                let path = format!("{before}/{name}");
                match &state.nodes[node] {
                    Node::File { content, .. } => drop(found.insert(path, content.clone())),
                    Node::Link(target) => drop(found.insert(path, target.to_str().unwrap().into())),
                    Node::Folder { .. } => walk(state, *node, &path, found),
                }
            }
        }
        let mut found = BTreeMap::new();
        walk(&self.state(), ROOT, "", &mut found);
        found
    }
}

impl State {
    /// Counts an operation; an error if it is meant to fail.
    fn operate(&mut self) -> io::Result<()> {
        self.operations += 1;
        if self.dies_after.is_some_and(|last| self.operations > last) {
            return Err(io::Error::other("the machine is off"));
        }
        match self.fails_at {
            Some((operation, how)) if operation == self.operations => Err(how.into()),
            _ => Ok(()),
        }
    }

    fn alive(&self) -> io::Result<()> {
        match self.dies_after {
            Some(last) if self.operations > last => Err(io::Error::other("the machine is off")),
            _ => Ok(()),
        }
    }

    fn find(&self, path: &Path) -> io::Result<Option<u64>> {
        self.alive()?;
        let mut at = ROOT;
        let parts = path.components().filter_map(|part| match part {
            std::path::Component::Normal(name) => name.to_str(),
            _ => None,
        });
        for name in parts {
            let Some(Node::Folder { names, .. }) = self.nodes.get(&at) else {
                return Ok(None);
            };
            let Some(&next) = names.get(name) else {
                return Ok(None);
            };
            at = next;
        }
        Ok(Some(at))
    }

    fn node(&mut self, path: &Path) -> io::Result<&mut Node> {
        let found = self.find(path)?.ok_or(io::ErrorKind::NotFound)?;
        self.nodes
            .get_mut(&found)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn names(&mut self, path: &Path) -> io::Result<(&mut BTreeMap<String, u64>, String)> {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match self.node(path.parent().unwrap())? {
            Node::Folder { names, .. } => Ok((names, name)),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn add(&mut self, path: &Path, node: Node) -> io::Result<u64> {
        let number = self.next;
        let (names, name) = self.names(path)?;
        if names.contains_key(&name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        names.insert(name, number);
        self.next += 1;
        self.nodes.insert(number, node);
        Ok(number)
    }

    fn file(&mut self, path: &Path) -> io::Result<u64> {
        if let Some(found) = self.find(path)? {
            return Ok(found);
        }
        let modified = self.now;
        self.add(
            path,
            Node::File {
                content: Vec::new(),
                synced: Vec::new(),
                modified,
                is_lost: false,
            },
        )
    }
}

#[derive(Debug)]
struct MemoryFile {
    disk: Memory,
    node: u64,
}

impl Write for MemoryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.disk.state();
        state.operate()?;
        let now = state.now;
        state.log.push(Operation::Change(self.node));
        if let Some(Node::File {
            content, modified, ..
        }) = state.nodes.get_mut(&self.node)
        {
            content.extend_from_slice(bytes);
            *modified = now;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for MemoryFile {}

#[derive(Debug)]
struct MemoryLock {
    disk: Memory,
    node: u64,
}

impl Drop for MemoryLock {
    fn drop(&mut self) {
        self.disk.state().locks.remove(&self.node);
    }
}

impl Disk for Memory {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.operate()?;
        let folder = Node::Folder {
            names: BTreeMap::new(),
            synced: BTreeMap::new(),
        };
        state.add(path, folder).map(drop)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        match self.state().node(path)? {
            Node::Folder { names, .. } => Ok(names.keys().cloned().collect()),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let mut state = self.state();
        state.operate()?;
        let node = state.file(path)?;
        if let Some(Node::File { content, .. }) = state.nodes.get_mut(&node) {
            content.clear();
        }
        Ok(Box::new(MemoryFile {
            disk: self.clone(),
            node,
        }))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        match self.reading().node(path)? {
            Node::File { content, .. } => Ok(Box::new(Cursor::new(content.clone()))),
            _ => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    fn metadata(&self, path: &Path) -> io::Result<Option<Metadata>> {
        let state = self.reading();
        let Some(found) = state.find(path)? else {
            return Ok(None);
        };
        let (kind, len, modified) = match &state.nodes[&found] {
            Node::File {
                content, modified, ..
            } => (FileKind::File, content.len() as u64, *modified),
            Node::Folder { .. } => (FileKind::Folder, 0, state.now),
            Node::Link(_) => (FileKind::Link, 0, state.now),
        };
        Ok(Some(Metadata {
            kind,
            len,
            modified: SystemTime::UNIX_EPOCH + modified,
        }))
    }

    fn set_modified(&self, path: &Path, time: SystemTime) -> io::Result<()> {
        let mut state = self.state();
        state.operate()?;
        if let Some(node) = state.find(path)? {
            state.log.push(Operation::Change(node));
        }
        if let Node::File { modified, .. } = state.node(path)? {
            *modified = time.duration_since(SystemTime::UNIX_EPOCH).unwrap();
        }
        Ok(())
    }

    fn syncs_at_once(&self) -> usize {
        self.state().sync_threads.unwrap_or(1)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        let node = state.find(path)?;
        state.syncing.extend(node);
        state.most_syncing = state.most_syncing.max(state.syncing.len());
        let time = state.sync_time;
        if time > Duration::ZERO {
            drop(state);
            thread::sleep(time);
            state = self.state();
        }
        if let Some(position) = state.syncing.iter().position(|file| Some(*file) == node) {
            state.syncing.swap_remove(position);
        }
        let is_unsyncable = |end| path.to_str().is_some_and(|path| path.ends_with(end));
        let mut done = state.operate();
        if state.unsyncable.is_some_and(is_unsyncable) {
            done = Err(io::Error::other("a broken sector"));
        }
        if let Some(node) = node {
            state.log.push(Operation::Sync(node));
        }
        if let Node::File {
            content,
            synced,
            is_lost,
            ..
        } = state.node(path)?
        {
            *is_lost |= done.is_err();
            if !*is_lost {
                synced.clone_from(content);
            }
        }
        done
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.operate()?;
        state.log.push(Operation::SyncFolder(path.to_owned()));
        if let Node::Folder { names, synced } = state.node(path)? {
            synced.clone_from(names);
        }
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.operate()?;
        let (names, name) = state.names(from)?;
        let node = names.remove(&name).ok_or(io::ErrorKind::NotFound)?;
        let (names, name) = state.names(to)?;
        names.insert(name, node);
        state.log.push(Operation::Rename(node, to.to_owned()));
        Ok(())
    }

    fn hard_link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.operate()?;
        if state.without_links {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let node = state.find(from)?.ok_or(io::ErrorKind::NotFound)?;
        let (names, name) = state.names(to)?;
        if names.contains_key(&name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        names.insert(name, node);
        Ok(())
    }

    fn symlink(&self, target: &Path, link: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.operate()?;
        state.add(link, Node::Link(target.to_owned())).map(drop)
    }

    fn read_link(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        match self.reading().node(path)? {
            Node::Link(target) => Ok(Some(target.clone())),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.operate()?;
        if state
            .find(path)?
            .is_some_and(|node| state.syncing.contains(&node))
        {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let (names, name) = state.names(path)?;
        names
            .remove(&name)
            .map(drop)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.operate()?;
        if let Node::Folder { names, .. } = state.node(path)?
            && !names.is_empty()
        {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        let (names, name) = state.names(path)?;
        names
            .remove(&name)
            .map(drop)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn lock(&self, path: &Path) -> io::Result<Option<Lock>> {
        let mut state = self.state();
        state.operate()?;
        let node = state.file(path)?;
        if !state.locks.insert(node) {
            return Ok(None);
        }
        Ok(Some(Box::new(MemoryLock {
            disk: self.clone(),
            node,
        })))
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + self.state().now
    }
}
