//! The state of a walk in a file, from which the next run continues.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use sitemap_tree::{State, Step, Walk};

use crate::replace::write_to;

/// The exit status after Ctrl-C.
const INTERRUPTED_STATUS: i32 = 130;

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Returns `true` once Ctrl-C was pressed.
pub(super) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

/// The file of a walk's state, in lines of JSON. The first line is the state at the start of the walk, and each later line a change. Lines
/// already written survive if the command is killed. The file is locked for this run, since two runs would print the same pages.
pub(super) struct StateFile {
    path: PathBuf,
    file: File,
}

impl StateFile {
    /// Opens a file, which is created if it does not exist, and reads its state, if it has one.
    pub(super) fn open(path: &Path) -> Result<(Self, Option<State>)> {
        let file = lock(path)?;
        let cannot_read = || format!("cannot read {}", path.display());
        let mut reader = BufReader::new(&file);
        let mut states = Vec::new();
        loop {
            let mut line = Vec::new();
            reader.read_until(b'\n', &mut line).with_context(cannot_read)?;
            // An empty line is the end of the file. Other unterminated lines were being written when the command was killed.
            let Some(line) = line.strip_suffix(b"\n") else {
                break;
            };
            let state = serde_json::from_slice(line).with_context(|| {
                format!(
                    "{}, line {}: no state of --save",
                    path.display(),
                    states.len() + 1
                )
            })?;
            states.push(state);
        }
        let mut states: std::vec::IntoIter<State> = states.into_iter();
        let mut state = states.next();
        match &mut state {
            Some(state) => state.extend(states),
            None if file.metadata().with_context(cannot_read)?.len() > 0 => {
                bail!("{} is not a state of --save", path.display())
            }
            None => {}
        }
        let path = path.to_owned();
        Ok((StateFile { path, file }, state))
    }

    /// Replaces the file with a walk's state. From now on, Ctrl-C ends the command after the current documents.
    pub(super) fn begin(&mut self, walk: &mut Walk) -> Result<()> {
        walk.take_changes();
        // Only one of two runs gets the lock of the file that is there in the end, and the other one ends before it prints anything.
        let _ = self.file.unlock();
        write(&self.path, walk)?;
        self.file = lock(&self.path)?;
        ctrlc::set_handler(interrupt).context("cannot handle Ctrl-C")
    }

    pub(super) fn append(&mut self, changes: &State) -> Result<()> {
        let appended = self.file.write_all(&line(changes)?);
        appended.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Replaces the file with a walk's state. Returns an error if the walk was interrupted before its end.
    pub(super) fn finish(self, walk: &mut Walk, time: Duration) -> Result<()> {
        let _ = self.file.unlock();
        write(&self.path, walk)?;
        if is_interrupted() && !matches!(walk.step(time), Step::Done) {
            bail!(
                "interrupted: the same command goes on with {}",
                self.path.display()
            );
        }
        Ok(())
    }
}

/// Opens a file for appending, and locks it for this run.
fn lock(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    let opened = options.read(true).append(true).create(true).open(path);
    let file = opened.with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        // Without locks, another run cannot be detected.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        Err(TryLockError::WouldBlock) => bail!(
            "{} is written to by another run: run the command again when that has ended",
            path.display()
        ),
    }
}

fn write(path: &Path, walk: &Walk) -> Result<()> {
    let line = line(&walk.state())?;
    write_to(path, false, |file| {
        file.write_all(&line)?;
        Ok(true)
    })
}

fn line(state: &State) -> Result<Vec<u8>> {
    let mut line = serde_json::to_vec(state)?;
    line.push(b'\n');
    Ok(line)
}

/// Stops the walk after the current documents. The second call ends the command at once.
fn interrupt() {
    if IS_INTERRUPTED.swap(true, Ordering::Relaxed) {
        process::exit(INTERRUPTED_STATUS);
    }
    print_message!("sitemap: stopping; Ctrl-C again stops at once");
}
