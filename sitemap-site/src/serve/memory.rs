//! The memory of renderings, cached or being sent, and temporary files for the excess.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;

/// Counts the bytes of renderings in memory, until the last client has received them.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    used: Arc<AtomicUsize>,
    most: usize,
}

impl Memory {
    pub(super) fn new(most: usize) -> Self {
        Memory {
            used: Arc::default(),
            most,
        }
    }

    /// Bytes in memory now.
    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Reserves memory for bytes; returns the bytes if there is no room.
    pub(super) fn hold(&self, bytes: Bytes) -> Result<Bytes, Bytes> {
        let more = bytes.len();
        let fits = |used: usize| used.checked_add(more).filter(|sum| *sum <= self.most);
        match self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) {
            Ok(_) => Ok(Bytes::from_owner(Held {
                bytes,
                used: Arc::clone(&self.used),
            })),
            Err(_) => Err(bytes),
        }
    }
}

/// The reservation ends when the last clone is dropped.
struct Held {
    bytes: Bytes,
    used: Arc<AtomicUsize>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes.len(), Ordering::Relaxed);
    }
}

/// A rendering in an unnamed temporary file, which is removed after the last reader.
#[derive(Debug)]
pub(crate) struct Spilled {
    file: File,
    len: u64,
}

impl Spilled {
    /// Writes bytes to a new temporary file. It blocks.
    pub(super) fn write(bytes: &[u8]) -> io::Result<Self> {
        let mut file = tempfile::tempfile()?;
        file.write_all(bytes)?;
        Ok(Spilled {
            file,
            len: bytes.len() as u64,
        })
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _: &mut [u8], _: u64) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Reads a spilled rendering from its beginning, independently of other readers.
#[derive(Debug)]
pub(super) struct SpilledReader {
    spilled: Arc<Spilled>,
    at: u64,
}

impl SpilledReader {
    pub(super) fn new(spilled: &Arc<Spilled>) -> Self {
        SpilledReader {
            spilled: Arc::clone(spilled),
            at: 0,
        }
    }
}

impl Read for SpilledReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.spilled.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_free_again_when_the_last_clone_is_gone() {
        let memory = Memory::new(100);
        let first = memory.hold(Bytes::from(vec![1; 60])).unwrap();
        assert_eq!(
            memory.hold(Bytes::from(vec![2; 41])),
            Err(Bytes::from(vec![2; 41]))
        );
        let second = memory.hold(Bytes::from(vec![2; 40])).unwrap();
        assert_eq!((first.len(), memory.used()), (60, 100));
        let slice = first.slice(10..20);
        drop((first, second));
        assert_eq!(memory.used(), 60);
        assert_eq!(slice, vec![1; 10]);
        drop(slice);
        assert_eq!(memory.used(), 0);
    }

    #[test]
    fn a_spilled_rendering_is_read_by_several() {
        let content: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        let spilled = Arc::new(Spilled::write(&content).unwrap());
        assert_eq!(spilled.len(), 100_000);
        let mut readers = [SpilledReader::new(&spilled), SpilledReader::new(&spilled)];
        let mut read = [Vec::new(), Vec::new()];
        for step in 0..20 {
            let at = step % 2;
            (&mut readers[at])
                .take(10_000)
                .read_to_end(&mut read[at])
                .unwrap();
        }
        assert!(read.iter().all(|read| *read == content));
    }
}
