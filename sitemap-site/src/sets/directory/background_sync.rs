//! Syncing finished files while the next ones are written.
//!
//! **Files are synced together, large tasks early.** A commit writes all files first and then syncs them, eight at a time, so that the file
//! system writes its journal once for many files. In place they get their public names only after that. A task of several parts also syncs
//! each of them in the background while it writes the next one (`directory/background_sync`), so the disk works while the rows are made.
//! The commit syncs these files again, since it has changed their times. Linux reports a failed sync once, and the next sync of the same
//! file succeeds: so a failure in the background fails the task.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use super::disk::Disk;
use crate::error::{Error, ErrorKind, Result};
use crate::sets::threads::{Counted, Threads};

/// Maximum number of such threads of the program.
const MOST_THREADS: usize = 8;
static THREADS: Threads = Threads::new(0);

/// Syncs the finished files of one writer, one at a time, so that the commit need not wait for all of them.
///
/// The commit syncs each file itself: some were not reached here, and it has changed the times of all. But a system reports a failed sync
/// only once, and the next sync of the same file succeeds although its content is lost. So a writer whose sync has failed must fail.
#[derive(Debug)]
pub(super) struct BackgroundSync {
    disk: Arc<dyn Disk>,
    thread: Option<Thread>,
}

#[derive(Debug)]
struct Thread {
    to_sync: Sender<PathBuf>,
    is_ending: Arc<AtomicBool>,
    handle: JoinHandle<Result<()>>,
}

impl BackgroundSync {
    pub(super) fn new(disk: Arc<dyn Disk>) -> Self {
        BackgroundSync { disk, thread: None }
    }

    /// Syncs a finished file soon.
    ///
    /// # Errors
    /// That of an earlier file.
    pub(super) fn add(&mut self, path: PathBuf) -> Result<()> {
        if self.disk.syncs_at_once() < 2 {
            return sync(&*self.disk, &path);
        }
        if self.thread.is_none() {
            self.thread = Thread::start(&self.disk);
        }
        match &self.thread {
            // The thread has failed.
            Some(thread) if thread.to_sync.send(path).is_err() => self.end(),
            _ => Ok(()),
        }
    }

    /// Waits for the sync in progress. The commit syncs the files that are left, several at once.
    ///
    /// # Errors
    /// That of the first sync that has failed.
    pub(super) fn end(&mut self) -> Result<()> {
        let Some(thread) = self.thread.take() else {
            return Ok(());
        };
        thread.is_ending.store(true, Ordering::Relaxed);
        drop(thread.to_sync);
        thread.handle.join().unwrap_or_else(|_| {
            Err(Error::new(
                ErrorKind::Io,
                "a thread that waited for the disk has panicked",
            ))
        })
    }
}

impl Thread {
    /// `None` if the program has enough of them, or the system gives no more: then only the commit syncs.
    fn start(disk: &Arc<dyn Disk>) -> Option<Self> {
        let counted = Counted::new(&THREADS, MOST_THREADS)?;
        let (to_sync, paths) = channel::<PathBuf>();
        let is_ending = Arc::new(AtomicBool::new(false));
        let (disk, ending) = (Arc::clone(disk), Arc::clone(&is_ending));
        let work = move || {
            let _counted = counted;
            let mut paths = paths.iter().take_while(|_| !ending.load(Ordering::Relaxed));
            paths.try_for_each(|path| sync(&*disk, &path))
        };
        let handle = thread::Builder::new()
            .name("sitemap-sync".to_owned())
            .spawn(work)
            .ok()?;
        Some(Thread {
            to_sync,
            is_ending,
            handle,
        })
    }
}

/// A file must not be removed while it is synced: some systems refuse that.
impl Drop for BackgroundSync {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

fn sync(disk: &dyn Disk, path: &Path) -> Result<()> {
    disk.sync_file(path)
        .map_err(|error| Error::file("sync", path, error))
}
