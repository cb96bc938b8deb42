//! Parallel gzip: compresses in other threads while the XML is made, since compressing takes longer than the rest.
//!
//! The content is cut into pieces of 256 KiB. Each is compressed separately, with the 32 KiB before it as dictionary, and the
//! results are concatenated to one deflate stream in a gzip file (RFC 1952). The cuts depend on the content alone, so the same
//! XML gives the same file for any number of threads. The threads also hash their pieces.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

use crate::error::{Error, ErrorKind, Result};
use crate::hash::{Branch, Branches, ContentHash};

use super::Staged;

/// The size of a piece.
const PIECE: usize = 256 * 1024;
/// The farthest distance of a match in deflate (RFC 1951).
const WINDOW: usize = 32 * 1024;
/// Pieces per thread: one being compressed, and one waiting, so that the thread never idles.
const PIECES: usize = 2;
/// The most threads of a file. With as many, making the XML is the slowest step.
const MOST_THREADS: usize = 8;

/// The number of compressing threads in the program. Each file has at least one; more are started only while there are fewer than
/// processors.
static THREADS: AtomicUsize = AtomicUsize::new(0);

fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// Compresses what is written to it, in constant memory.
#[derive(Debug)]
pub(crate) struct Compressor {
    staged: Staged,
    /// The current piece, after the end of the previous one.
    piece: Piece,
    workers: Workers,
    /// For each piece being compressed, in order, the index of its thread.
    under_way: VecDeque<usize>,
    crc: Crc,
    branches: Branches,
    last: Option<Branch>,
    has_failed: bool,
}

/// Compressing threads, reused from file to file.
#[derive(Debug)]
pub(crate) struct Workers {
    level: u32,
    threads: Vec<Thread>,
    /// Finished pieces, whose buffers are reused.
    used: Vec<Piece>,
}

#[derive(Debug, Default)]
struct Piece {
    /// The dictionary, followed by the piece.
    plain: Vec<u8>,
    dictionary: usize,
    /// The offset of the piece in the content.
    begins: u64,
    is_last: bool,
    compressed: Vec<u8>,
    crc: Crc,
    branch: Option<Branch>,
}

/// A thread that compresses pieces one after the other, until the channel is closed.
#[derive(Debug)]
struct Thread {
    /// `None` when there are no more pieces.
    give: Option<Sender<Piece>>,
    take: Receiver<io::Result<Piece>>,
    pieces: usize,
    handle: Option<JoinHandle<()>>,
}

impl Compressor {
    pub(crate) fn start(mut staged: Staged, mut workers: Workers) -> Result<Self> {
        let started = match workers.threads.as_slice() {
            [] => workers.start_thread(),
            _ => Ok(()),
        };
        match started.and_then(|()| staged.write_all(&head(workers.level))) {
            Ok(()) => Ok(Compressor {
                staged,
                piece: workers.used.pop().unwrap_or_default().begun(&[], 0),
                workers,
                under_way: VecDeque::new(),
                crc: Crc::new(),
                branches: Branches::default(),
                last: None,
                has_failed: false,
            }),
            Err(error) => Err(Error::caused(
                ErrorKind::Io,
                format!("cannot begin a compressed part: {error}"),
                error,
            )),
        }
    }

    /// Finishes the file. Returns it with the hash of its content, and the threads for the next file.
    pub(crate) fn finish(mut self) -> Result<(Staged, ContentHash, Workers)> {
        match self.write_end() {
            Ok(hash) => {
                self.workers.used.push(self.piece);
                Ok((self.staged, hash, self.workers))
            }
            Err(error) => Err(Error::caused(
                ErrorKind::Io,
                format!("cannot write a compressed part: {error}"),
                error,
            )),
        }
    }

    fn write_end(&mut self) -> io::Result<ContentHash> {
        self.check()?;
        self.piece.is_last = true;
        self.give_piece()?;
        while !self.under_way.is_empty() {
            self.take_piece()?;
        }
        let mut end = [0; 8];
        let (crc, length) = end.split_at_mut(4);
        crc.copy_from_slice(&self.crc.sum().to_le_bytes());
        length.copy_from_slice(&self.crc.amount().to_le_bytes());
        self.staged.write_all(&end)?;
        let last = self.last.take().ok_or_else(ended)?;
        Ok(std::mem::take(&mut self.branches).finish(last))
    }

    /// Sends the piece to a thread, and begins the next one.
    fn give_piece(&mut self) -> io::Result<()> {
        let threads = self.workers.threads.len();
        if self.under_way.len() >= PIECES * threads && !self.take_if_ready()? {
            // All threads are busy: start another, or wait.
            let room = threads < MOST_THREADS && THREADS.load(Ordering::Relaxed) < processors();
            if !(room && self.workers.start_thread().is_ok()) {
                self.take_piece()?;
            }
        }
        let window = self.piece.plain.len().saturating_sub(WINDOW);
        let dictionary = self.piece.plain.get(window..).unwrap_or_default();
        let begins = self.piece.begins + (self.piece.plain.len() - self.piece.dictionary) as u64;
        let next = self
            .workers
            .used
            .pop()
            .unwrap_or_default()
            .begun(dictionary, begins);
        let piece = std::mem::replace(&mut self.piece, next);
        let idle = self.workers.threads.iter_mut().enumerate();
        let Some((at, thread)) = idle.min_by_key(|(_, thread)| thread.pieces) else {
            return Err(ended());
        };
        thread.give(piece)?;
        self.under_way.push_back(at);
        Ok(())
    }

    /// Writes the first unfinished piece if it is compressed; `false` if it is not yet.
    fn take_if_ready(&mut self) -> io::Result<bool> {
        let threads = &self.workers.threads;
        let first = self.under_way.front().and_then(|at| threads.get(*at));
        match first.map(|thread| thread.take.try_recv()) {
            Some(Ok(piece)) => self.write_piece(piece?).map(|()| true),
            Some(Err(TryRecvError::Empty)) => Ok(false),
            Some(Err(TryRecvError::Disconnected)) | None => Err(ended()),
        }
    }

    /// Waits for the first unfinished piece, and writes it.
    fn take_piece(&mut self) -> io::Result<()> {
        let threads = &self.workers.threads;
        let first = self.under_way.front().and_then(|at| threads.get(*at));
        let piece = first.ok_or_else(ended)?.take.recv().map_err(|_| ended())?;
        self.write_piece(piece?)
    }

    fn write_piece(&mut self, piece: Piece) -> io::Result<()> {
        let threads = &mut self.workers.threads;
        if let Some(thread) = self.under_way.pop_front().and_then(|at| threads.get_mut(at)) {
            thread.pieces -= 1;
        }
        self.crc.combine(&piece.crc);
        match piece.branch {
            Some(branch) if !piece.is_last => self.branches.add(branch),
            last => self.last = last,
        }
        self.staged.write_all(&piece.compressed)?;
        self.workers.used.push(piece);
        Ok(())
    }

    /// Returns an error if a piece was lost in an earlier error.
    fn check(&self) -> io::Result<()> {
        if self.has_failed {
            return Err(io::Error::other("compressing has failed before"));
        }
        Ok(())
    }
}

impl Write for Compressor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        let mut rest = bytes;
        while !rest.is_empty() {
            let full = self.piece.dictionary + PIECE;
            if self.piece.plain.len() >= full {
                self.give_piece().inspect_err(|_| self.has_failed = true)?;
                continue;
            }
            let (taken, after) = rest.split_at(rest.len().min(full - self.piece.plain.len()));
            self.piece.plain.extend_from_slice(taken);
            rest = after;
        }
        Ok(bytes.len())
    }

    /// A flush would cost bytes; `finish` does it.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Workers {
    pub(crate) fn new(level: u32) -> Self {
        Workers {
            level,
            threads: Vec::new(),
            used: Vec::new(),
        }
    }

    fn start_thread(&mut self) -> io::Result<()> {
        let thread = Thread::start(Compression::new(self.level))?;
        self.threads.push(thread);
        Ok(())
    }
}

impl Thread {
    fn start(level: Compression) -> io::Result<Self> {
        let (give, to_compress) = channel::<Piece>();
        let (compressed, take) = channel();
        let counted = Counted::new();
        let work = move || {
            let _counted = counted;
            for mut piece in to_compress {
                let done = piece.compress(level).map(|()| piece);
                if compressed.send(done).is_err() {
                    return;
                }
            }
        };
        let handle = thread::Builder::new()
            .name("sitemap-gzip".to_owned())
            .spawn(work)?;
        Ok(Thread {
            give: Some(give),
            take,
            pieces: 0,
            handle: Some(handle),
        })
    }

    fn give(&mut self, piece: Piece) -> io::Result<()> {
        let give = self.give.as_ref().ok_or_else(ended)?;
        give.send(piece).map_err(|_| ended())?;
        self.pieces += 1;
        Ok(())
    }
}

/// Ends the thread, and waits for it.
impl Drop for Thread {
    fn drop(&mut self) {
        self.give = None;
        if let Some(handle) = self.handle.take() {
            // A panic was already found when waiting for its pieces.
            let _ = handle.join();
        }
    }
}

/// Counts one thread in [`THREADS`] while it exists.
struct Counted;

impl Counted {
    fn new() -> Self {
        THREADS.fetch_add(1, Ordering::Relaxed);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        THREADS.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Piece {
    /// Reuses the buffers for a piece that begins at this offset, after a dictionary.
    fn begun(mut self, dictionary: &[u8], begins: u64) -> Self {
        self.plain.clear();
        self.plain.extend_from_slice(dictionary);
        self.dictionary = dictionary.len();
        self.begins = begins;
        self.is_last = false;
        self
    }

    fn compress(&mut self, level: Compression) -> io::Result<()> {
        // After a reset, a compressor sometimes finds other matches than a new one, and the same XML has to give the same file.
        let mut compress = Compress::new(level, false);
        let (dictionary, mut rest) = self.plain.split_at(self.dictionary);
        if !dictionary.is_empty() {
            compress.set_dictionary(dictionary)?;
        }
        self.crc = Crc::new();
        self.crc.update(rest);
        self.branch = Some(Branch::of(rest, self.begins, self.is_last));
        self.compressed.clear();
        // Pieces other than the last end at a byte boundary, without the mark of the stream's end.
        let flush = if self.is_last {
            FlushCompress::Finish
        } else {
            FlushCompress::Sync
        };
        loop {
            // Enough room even for incompressible content: with less, the output would depend on the buffer's capacity.
            self.compressed.reserve(rest.len() + rest.len() / 64 + 4096);
            let (taken, made) = (compress.total_in(), compress.total_out());
            let status = compress.compress_vec(rest, &mut self.compressed, flush)?;
            let taken = usize::try_from(compress.total_in() - taken).unwrap_or(usize::MAX);
            rest = rest.get(taken..).unwrap_or_default();
            let has_room = self.compressed.len() < self.compressed.capacity();
            let is_done = match status {
                Status::StreamEnd => true,
                Status::Ok | Status::BufError => !self.is_last && rest.is_empty() && has_room,
            };
            if is_done {
                return Ok(());
            }
            if taken == 0 && compress.total_out() == made {
                return Err(io::Error::other("deflate makes no progress"));
            }
        }
    }
}

/// The gzip header, without a name and a time, so that the same content gives the same file.
fn head(level: u32) -> [u8; 10] {
    let effort = match level {
        9 => 2,
        1 => 4,
        _ => 0,
    };
    [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, effort, 255]
}

fn ended() -> io::Error {
    io::Error::other("the thread that compresses has ended")
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::bufread::GzDecoder;

    use super::super::StagedPlace;
    use super::*;
    use crate::directory::DiskFile;

    fn staged() -> Staged {
        Staged {
            place: StagedPlace::Memory(Vec::new()),
            size: 0,
        }
    }

    fn compressed(plain: &[u8], level: u32, block: usize) -> Vec<u8> {
        let mut compressor = Compressor::start(staged(), Workers::new(level)).unwrap();
        for block in plain.chunks(block) {
            compressor.write_all(block).unwrap();
        }
        let (staged, hash, _) = compressor.finish().unwrap();
        assert_eq!(hash, ContentHash::of(plain));
        let StagedPlace::Memory(gzip) = staged.place else {
            panic!("it is in memory");
        };
        assert_eq!(staged.size, gzip.len() as u64);
        gzip
    }

    /// Text that repeats itself at short and long distances, and random bytes.
    fn sample(length: usize) -> Vec<u8> {
        let mut plain = Vec::with_capacity(length + 100);
        let mut state = 1_u64;
        while plain.len() < length {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let random = state >> 33;
            match random % 3 {
                0 => plain.extend(random.to_le_bytes()),
                _ => plain.extend(format!("<loc>https://example.com/{}</loc>", random % 5000).bytes()),
            }
        }
        plain.truncate(length);
        plain
    }

    #[test]
    fn it_is_one_gzip_file_of_all_that_was_written() {
        let lengths = [
            0,
            1,
            WINDOW,
            PIECE - 1,
            PIECE,
            PIECE + 1,
            2 * PIECE,
            20 * PIECE + 77,
        ];
        for length in lengths {
            let plain = sample(length);
            for level in [1, 6, 9] {
                let gzip = compressed(&plain, level, 32 * 1024);
                let (mut decoder, mut read) = (GzDecoder::new(gzip.as_slice()), Vec::new());
                decoder.read_to_end(&mut read).unwrap();
                assert!(read == plain, "{length} bytes at level {level}");
                assert!(decoder.into_inner().is_empty(), "nothing follows its end");
                assert_eq!(
                    compressed(&plain, level, 1_000_003),
                    gzip,
                    "however it is written, it is the same"
                );
            }
        }
    }

    #[test]
    fn threads_compress_one_file_after_the_other() {
        let mut workers = Workers::new(6);
        for length in [3 * PIECE, 0, 7, 5 * PIECE + 7] {
            let plain = sample(length);
            let mut compressor = Compressor::start(staged(), workers).unwrap();
            compressor.write_all(&plain).unwrap();
            let (staged, hash, again) = compressor.finish().unwrap();
            assert_eq!(hash, ContentHash::of(&plain));
            let StagedPlace::Memory(gzip) = staged.place else {
                panic!("it is in memory");
            };
            assert!(gzip == compressed(&plain, 6, PIECE), "{length} bytes");
            workers = again;
        }
        assert!(!workers.threads.is_empty());
    }

    /// The output does not depend on what a thread compressed before.
    #[test]
    fn the_same_text_is_the_same_file_after_any_other() {
        let plain = sample(20 * PIECE);
        let mut workers = Workers::new(6);
        let mut state = 1_u64;
        for _ in 0..200 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let begins = (state >> 33) as usize % 17 * PIECE;
            let file = &plain[begins..begins + 3 * PIECE];
            let mut compressor = Compressor::start(staged(), workers).unwrap();
            compressor.write_all(file).unwrap();
            let (staged, _, again) = compressor.finish().unwrap();
            let StagedPlace::Memory(gzip) = staged.place else {
                panic!("it is in memory");
            };
            assert!(gzip == compressed(file, 6, PIECE), "the file from byte {begins}");
            workers = again;
        }
    }

    #[test]
    fn pieces_cost_little() {
        let plain = sample(20 * PIECE);
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::new(6));
        encoder.write_all(&plain).unwrap();
        let (whole, pieces) = (
            encoder.finish().unwrap().len(),
            compressed(&plain, 6, PIECE).len(),
        );
        assert!(
            pieces * 1000 < whole * 1005,
            "{pieces} bytes, and {whole} in one piece"
        );
    }

    /// A disk that is full after a number of bytes.
    #[derive(Debug)]
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl DiskFile for Full {}

    #[test]
    fn what_has_failed_is_not_finished() {
        let plain = sample(20 * PIECE);
        let whole = compressed(&plain, 6, PIECE).len();
        for room in [0, 9, 10, whole / 2, whole - 9, whole - 8, whole - 1] {
            let staged = Staged {
                place: StagedPlace::File {
                    name: String::new(),
                    file: Box::new(Full(room)),
                },
                size: 0,
            };
            let compressor = Compressor::start(staged, Workers::new(6));
            assert_eq!(compressor.is_ok(), room >= 10);
            let Ok(mut compressor) = compressor else { continue };
            let written = compressor.write_all(&plain);
            if let Err(error) = &written {
                assert_eq!(error.kind(), io::ErrorKind::StorageFull);
                let again = compressor.write_all(b"x").unwrap_err();
                assert_eq!(again.to_string(), "compressing has failed before");
            }
            let Err(error) = compressor.finish() else {
                panic!("it is whole, with {room} bytes of {whole}");
            };
            assert_eq!(error.kind(), ErrorKind::Io);
            assert!(
                error.to_string().starts_with("cannot write a compressed part: "),
                "{error}"
            );
        }
    }
}
