//! Unpublished files, and the sessions that hold them. Each program that writes parts has one session.

use std::fmt::Debug;
use std::io::{self, Write};
use std::path::Path;

use crate::error::Result;
use crate::part::PartFacts;

/// The place of a program's files until they are published.
pub(crate) trait Session: Debug + Send + Sync {
    /// Begins a file.
    fn create(&self, extension: &str) -> Result<Staged>;

    /// Finishes a file, and returns its name and size.
    fn end(&self, staged: Staged, section: &str, facts: &PartFacts, extension: &str)
    -> Result<(String, u64)>;

    /// The folder of the files; `None` if they are in memory until they are finished.
    fn folder(&self) -> Option<&Path>;

    /// Syncs the finished files of one writer; `None` if files need no sync.
    fn background_sync(&self) -> Option<Box<dyn BackgroundSync>>;

    /// Renews the heartbeat. The lifetime of finished parts whose program has ended counts from it.
    fn beat(&self);

    /// Removes a file that will not be published.
    fn discard(&self, staged: &str);

    /// Keeps the finished files after the end of the program, since another one will commit them.
    fn leave(&self);

    /// Called after a commit. Returns `true` if the next writers need a new session, which knows the new set.
    fn committed(&self) -> bool;
}

/// Syncs finished files while the next ones are written.
pub(crate) trait BackgroundSync: Debug + Send {
    /// Syncs a finished file of the session soon.
    ///
    /// # Errors
    /// The error of an earlier file.
    fn add(&mut self, staged: &str) -> Result<()>;

    /// Waits for the sync in progress. The commit syncs the files that are left, several at once.
    ///
    /// # Errors
    /// The error of the first sync that has failed.
    fn end(&mut self) -> Result<()>;
}

pub(crate) trait DiskFile: Write + Debug + Send {}

/// A file that is being written, or complete, and not published yet.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) place: StagedPlace,
    /// The number of bytes written so far.
    pub(crate) size: u64,
}

#[derive(Debug)]
pub(crate) enum StagedPlace {
    File { name: String, file: Box<dyn DiskFile> },
    Memory(Vec<u8>),
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.place {
            StagedPlace::File { file, .. } => file.write(bytes)?,
            StagedPlace::Memory(content) => content.write(bytes)?,
        };
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            StagedPlace::File { file, .. } => file.flush(),
            StagedPlace::Memory(_) => Ok(()),
        }
    }
}
