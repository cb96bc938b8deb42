//! The state of a walk in a file, from which the next run continues.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Write};
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
/// already written survive if the command is killed.
pub(super) struct StateFile {
    path: PathBuf,
    file: File,
}

impl StateFile {
    /// Reads the state from a file, if it exists.
    pub(super) fn load(path: &Path) -> Result<Option<State>> {
        let cannot_read = || format!("cannot read {}", path.display());
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file.with_context(cannot_read)?,
        };
        let mut reader = BufReader::new(file);
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
        let Some(mut state) = states.next() else {
            bail!("{} is not a state of --save", path.display());
        };
        state.extend(states);
        Ok(Some(state))
    }

    /// Replaces the file with a walk's state. From now on, Ctrl-C ends the command after the current documents.
    pub(super) fn create(path: &Path, walk: &mut Walk) -> Result<Self> {
        walk.take_changes();
        write(path, walk)?;
        let file = OpenOptions::new()
            .append(true)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        ctrlc::set_handler(interrupt).context("cannot handle Ctrl-C")?;
        Ok(StateFile {
            path: path.to_owned(),
            file,
        })
    }

    pub(super) fn append(&mut self, changes: &State) -> Result<()> {
        let appended = self.file.write_all(&line(changes)?);
        appended.with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Replaces the file with a walk's state. Returns an error if the walk was interrupted before its end.
    pub(super) fn finish(self, walk: &mut Walk, time: Duration) -> Result<()> {
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
