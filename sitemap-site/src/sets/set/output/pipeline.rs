//! Hashing and compressing parts on several processors, while another thread makes their text.
//!
//! **Parts are hashed and compressed in chunks** of 256 KiB, in threads other than the one that makes the XML, as long as there are
//! processors for them. That thread helps when the others are busy, so that no processor waits. Each chunk is a subtree of BLAKE3's tree, and
//! its deflate dictionary is the 32 KiB before it, so that cutting costs only some thousandths in size. The compressed chunks form one deflate
//! stream in one gzip file (RFC 1952). The cuts depend only on the text, so the same text gives the same file with any number of processors.
//!
//! Chunks are written to their files in order, by the thread that makes the text. The last chunks of a part are compressed while the next part
//! is begun. The crate gzp would start new threads for each file, compute no hash, and wait at the end of each file. It also resets its
//! compressors. zlib-rs sometimes finds other matches after a reset, so the same XML could give different files.
//!
//! **Whole parts instead of chunks** were measured on two cores that other programs used too, at level 6 (best time of nine runs in
//! alternation, processor time, peak memory of the process):
//!
//! | set | chunks | whole parts |
//! |---|---|---|
//! | 200 parts of 50,000 short entries, 3 MB each | 3.4 s, 2.11 s, 20 MB | 7.2 s, 2.13 s, 32 MB |
//! | 20 parts of 41 MB | 3.3 s, 1.49 s, 19 MB | 5.1 s, 1.58 s, 244 MB |
//! | 1 part of 41 MB (four runs) | 0.13 s, 0.07 s, 13 MB | 0.41 s, 0.10 s, 84 MB |
//!
//! Both need the same processor time; on one core, and for 200 parts of 5,000 entries, they are equally fast. But whole parts need memory for
//! several parts, each up to 50 MB, and one part would be compressed by one processor. So chunks stay.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

#[cfg(feature = "gzip")]
use flate2::Crc;

use crate::hash::{Branches, ContentHash};
use crate::sets::session::Staged;
use crate::sets::threads::{Counted, Threads};

use super::Finished;
use super::chunk::Chunk;

/// Chunks of a thread: one in progress, and one waiting.
const PIECES: usize = 2;
/// Maximum number of chunks in the queue for each thread.
const QUEUED: usize = 2 * PIECES;
/// Maximum number of threads of a pipeline. With this many, making the text is the slowest step.
const MOST_THREADS: usize = 8;

/// Threads of all pipelines of the program.
static THREADS: Threads = Threads::new(0);

/// Maximum number of pipeline threads of the program: one per processor, minus one for the thread that makes the text.
fn spare_processors() -> usize {
    static SPARE: OnceLock<usize> = OnceLock::new();
    *SPARE.get_or_init(|| thread::available_parallelism().map_or(0, |processors| processors.get() - 1))
}

/// Processes the chunks of one file after the other. Clones are handles to the same pipeline.
#[derive(Clone, Debug)]
pub(crate) struct Pipeline(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// The compression level; `None` if files are not compressed.
    gzip: Option<u32>,
    /// Maximum number of threads of the program.
    most_threads: usize,
    threads: Vec<Thread>,
    /// The chunks that are not in their files yet, in order.
    queue: VecDeque<Queued>,
    /// The files of these chunks, in order.
    files: VecDeque<OpenFile>,
    /// The complete files to return, in order.
    finished: VecDeque<Finished>,
    /// Buffers of chunks that are in their files.
    unused: Vec<Chunk>,
    /// After an error a chunk is missing, and no file can be completed.
    has_failed: bool,
}

#[derive(Debug)]
enum Queued {
    /// Index of the thread that has the chunk.
    Thread(usize),
    Processed(Chunk),
}

#[derive(Debug)]
struct OpenFile {
    staged: Staged,
    branches: Branches,
    #[cfg(feature = "gzip")]
    crc: Crc,
}

/// A thread that processes chunks one after the other. It ends when its sender is dropped.
#[derive(Debug)]
struct Thread {
    to_process: Option<Sender<Chunk>>,
    processed: Receiver<io::Result<Chunk>>,
    /// The number of its chunks in the queue.
    chunks: usize,
    handle: Option<JoinHandle<()>>,
}

impl Pipeline {
    pub(crate) fn new(gzip: Option<u32>) -> Self {
        Pipeline::with_threads(gzip, spare_processors())
    }

    fn with_threads(gzip: Option<u32>, most_threads: usize) -> Self {
        Pipeline(Arc::new(Mutex::new(State {
            gzip,
            most_threads,
            threads: Vec::new(),
            queue: VecDeque::new(),
            files: VecDeque::new(),
            finished: VecDeque::new(),
            unused: Vec::new(),
            has_failed: false,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A buffer for the first chunk of a file.
    pub(super) fn first_chunk(&self) -> Chunk {
        let mut state = self.lock();
        let gzip = state.gzip.is_some();
        state.unused.pop().unwrap_or_default().first(gzip)
    }

    /// Takes a chunk of a file, and returns a buffer for the next one. The first chunk of a file brings the file itself.
    pub(super) fn put(&self, chunk: Chunk, file: Option<Staged>) -> io::Result<Chunk> {
        self.lock().attempt(|state| state.put(chunk, file))
    }

    /// The oldest complete file; waits until all of its chunks are in it. An error if no file was ended.
    pub(crate) fn finished(&self) -> io::Result<Finished> {
        self.lock().attempt(|state| {
            loop {
                if let Some(finished) = state.finished.pop_front() {
                    return Ok(finished);
                }
                state.write_first()?;
            }
        })
    }
}

impl State {
    fn attempt<T>(&mut self, work: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        if self.has_failed {
            return Err(io::Error::other(
                "an earlier chunk of the parts could not be written",
            ));
        }
        work(self).inspect_err(|_| self.has_failed = true)
    }

    fn put(&mut self, mut chunk: Chunk, file: Option<Staged>) -> io::Result<Chunk> {
        if let Some(staged) = file {
            self.files.push_back(OpenFile::new(staged));
        }
        let next = self.unused.pop().unwrap_or_default().after(&chunk);
        match self.idle_thread(&chunk) {
            Some(at) => {
                self.thread(at)?.give(chunk)?;
                self.queue.push_back(Queued::Thread(at));
            }
            None => {
                chunk.process(self.gzip.unwrap_or(0))?;
                self.queue.push_back(Queued::Processed(chunk));
            }
        }
        while self.write_first_if_processed()? {}
        while self.queue.len() > QUEUED * self.threads.len() {
            self.write_first()?;
        }
        Ok(next)
    }

    /// The index of a thread that has room for the chunk. `None` if this thread must process it.
    fn idle_thread(&mut self, chunk: &Chunk) -> Option<usize> {
        let threads = self.threads.iter().enumerate();
        let idle = threads.min_by_key(|(_, thread)| thread.chunks);
        if let Some((at, _)) = idle.filter(|(_, thread)| thread.chunks < PIECES) {
            return Some(at);
        }
        let has_room = self.threads.len() < MOST_THREADS;
        // A small file is done before a thread has started.
        if !has_room || chunk.is_only() {
            return None;
        }
        let thread = Thread::start(self.gzip, self.most_threads)?;
        self.threads.push(thread);
        Some(self.threads.len() - 1)
    }

    fn thread(&mut self, at: usize) -> io::Result<&mut Thread> {
        self.threads.get_mut(at).ok_or_else(ended)
    }

    /// Writes the first chunk of the queue to its file, if it is processed. Returns `false` if it is not, or the queue is empty.
    fn write_first_if_processed(&mut self) -> io::Result<bool> {
        let chunk = match self.queue.front() {
            None => return Ok(false),
            Some(Queued::Processed(_)) => return self.write_first().map(|()| true),
            Some(&Queued::Thread(at)) => match self.thread(at)?.processed.try_recv() {
                Ok(chunk) => chunk?,
                Err(TryRecvError::Empty) => return Ok(false),
                Err(TryRecvError::Disconnected) => return Err(ended()),
            },
        };
        self.write(chunk).map(|()| true)
    }

    /// Writes the first chunk of the queue to its file, once it is processed.
    fn write_first(&mut self) -> io::Result<()> {
        let chunk = match self.queue.front_mut() {
            None => return Err(io::Error::other("no part was ended")),
            Some(Queued::Processed(chunk)) => std::mem::take(chunk),
            Some(&mut Queued::Thread(at)) => self.thread(at)?.processed.recv().map_err(|_| ended())??,
        };
        self.write(chunk)
    }

    /// Writes the chunk that was the first of the queue.
    fn write(&mut self, chunk: Chunk) -> io::Result<()> {
        if let Some(Queued::Thread(at)) = self.queue.pop_front() {
            self.thread(at)?.chunks -= 1;
        }
        let file = self.files.front_mut().ok_or_else(ended)?;
        if let Some(hash) = file.write(&chunk, self.gzip)?
            && let Some(file) = self.files.pop_front()
        {
            let staged = file.staged;
            self.finished.push_back(Finished { staged, hash });
        }
        self.unused.push(chunk);
        Ok(())
    }
}

impl OpenFile {
    fn new(staged: Staged) -> Self {
        OpenFile {
            staged,
            branches: Branches::default(),
            #[cfg(feature = "gzip")]
            crc: Crc::new(),
        }
    }

    /// Writes a processed chunk, and the head and trailer of a compressed file. Returns the hash of the whole text after the last chunk.
    fn write(&mut self, chunk: &Chunk, gzip: Option<u32>) -> io::Result<Option<ContentHash>> {
        #[cfg(feature = "gzip")]
        if let Some(level) = gzip
            && self.staged.size == 0
        {
            self.staged.write_all(&head(level))?;
        }
        #[cfg(not(feature = "gzip"))]
        let _ = gzip;
        self.staged.write_all(chunk.stored())?;
        let branch = chunk.branch().ok_or_else(ended)?;
        #[cfg(feature = "gzip")]
        if let Some(crc) = chunk.crc() {
            self.crc.combine(crc);
        }
        if !chunk.is_last() {
            self.branches.add(branch);
            return Ok(None);
        }
        #[cfg(feature = "gzip")]
        if gzip.is_some() {
            self.staged.write_all(&self.crc.sum().to_le_bytes())?;
            self.staged.write_all(&self.crc.amount().to_le_bytes())?;
        }
        self.staged.flush()?;
        Ok(Some(std::mem::take(&mut self.branches).finish(branch)))
    }
}

impl Thread {
    /// `None` at the maximum number of threads, or if the system cannot start another.
    fn start(gzip: Option<u32>, most: usize) -> Option<Self> {
        let counted = Counted::new(&THREADS, most)?;
        let (to_process, chunks) = channel::<Chunk>();
        let (done, processed) = channel();
        let work = move || {
            let _counted = counted;
            for mut chunk in chunks {
                let result = chunk.process(gzip.unwrap_or(0)).map(|()| chunk);
                if done.send(result).is_err() {
                    return;
                }
            }
        };
        let handle = thread::Builder::new()
            .name("sitemap-part".to_owned())
            .spawn(work)
            .ok()?;
        Some(Thread {
            to_process: Some(to_process),
            processed,
            chunks: 0,
            handle: Some(handle),
        })
    }

    fn give(&mut self, chunk: Chunk) -> io::Result<()> {
        let to_process = self.to_process.as_ref().ok_or_else(ended)?;
        to_process.send(chunk).map_err(|_| ended())?;
        self.chunks += 1;
        Ok(())
    }
}

/// Waits for the thread to end.
impl Drop for Thread {
    fn drop(&mut self) {
        self.to_process = None;
        if let Some(handle) = self.handle.take() {
            // If the thread has panicked, its missing chunk was an error already.
            let _ = handle.join();
        }
    }
}

/// The head of a gzip file, without a name and a time, so that the same text gives the same file.
#[cfg(feature = "gzip")]
fn head(level: u32) -> [u8; 10] {
    let effort = match level {
        9 => 2,
        1 => 4,
        _ => 0,
    };
    [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, effort, 255]
}

fn ended() -> io::Error {
    io::Error::other("a thread that processes chunks of parts has panicked")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::super::Output;
    use super::super::chunk::LENGTH;
    use super::*;
    use crate::sets::session::{DiskFile, StagedPlace};

    fn staged() -> Staged {
        Staged {
            place: StagedPlace::Memory(Vec::new()),
            size: 0,
        }
    }

    /// Writes a file in blocks of this length.
    fn put(pipeline: &Pipeline, text: &[u8], block: usize) -> io::Result<()> {
        let mut output = Output::new(staged(), pipeline);
        for block in text.chunks(block) {
            output.write_all(block)?;
            let state = pipeline.lock();
            assert!(state.queue.len() <= QUEUED * state.threads.len());
        }
        output.end()
    }

    /// The next complete file, which must be of this text.
    fn take(pipeline: &Pipeline, text: &[u8]) -> Vec<u8> {
        let Finished { staged, hash } = pipeline.finished().unwrap();
        assert_eq!(hash, ContentHash::of(text));
        let StagedPlace::Memory(stored) = staged.place else {
            panic!("it is in memory");
        };
        assert_eq!(staged.size, stored.len() as u64);
        stored
    }

    /// A pipeline with this number of threads, independent of other tests.
    fn pipeline(gzip: Option<u32>, threads: usize) -> Pipeline {
        let pipeline = Pipeline::with_threads(gzip, usize::MAX);
        let mut state = pipeline.lock();
        state.threads = (0..threads)
            .map(|_| Thread::start(gzip, usize::MAX).unwrap())
            .collect();
        state.most_threads = 0;
        drop(state);
        pipeline
    }

    /// Text that repeats itself, at once and far back, and bytes that do not.
    fn sample(length: usize) -> Vec<u8> {
        let mut text = Vec::with_capacity(length + 100);
        let mut state = 1_u64;
        while text.len() < length {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let random = state >> 33;
            match random % 3 {
                0 => text.extend(random.to_le_bytes()),
                _ => text.extend(format!("<loc>https://example.com/{}</loc>", random % 5000).bytes()),
            }
        }
        text.truncate(length);
        text
    }

    const LENGTHS: [usize; 7] = [0, 1, LENGTH - 1, LENGTH, LENGTH + 1, 2 * LENGTH, 20 * LENGTH + 77];

    #[test]
    fn text_is_hashed_and_unchanged() {
        for length in LENGTHS {
            let text = sample(length);
            for threads in [0, 1, 3] {
                let pipeline = pipeline(None, threads);
                put(&pipeline, &text, 32 * 1024).unwrap();
                assert!(take(&pipeline, &text) == text, "{length} bytes");
            }
        }
    }

    /// Files of different lengths. Each is finished before its predecessor is received.
    #[test]
    fn one_file_follows_the_other() {
        for gzip in [None, cfg!(feature = "gzip").then_some(6)] {
            for threads in [0, 1, 3] {
                let pipeline = pipeline(gzip, threads);
                let texts: Vec<_> = [3, 0, 1, 5, 1]
                    .iter()
                    .map(|chunks| sample(chunks * LENGTH + chunks))
                    .collect();
                put(&pipeline, &texts[0], LENGTH).unwrap();
                for pair in texts.windows(2) {
                    // A file that is started and abandoned leaves nothing behind.
                    drop(Output::new(staged(), &pipeline));
                    put(&pipeline, &pair[1], LENGTH).unwrap();
                    take(&pipeline, &pair[0]);
                }
                take(&pipeline, &texts[4]);
                let error = pipeline.finished().unwrap_err();
                assert_eq!(error.to_string(), "no part was ended");
            }
        }
    }

    #[test]
    fn small_files_need_no_thread() {
        let pipeline = Pipeline::with_threads(None, usize::MAX);
        put(&pipeline, &sample(LENGTH), LENGTH).unwrap();
        assert!(pipeline.lock().threads.is_empty());
        put(&pipeline, &sample(2 * LENGTH), LENGTH).unwrap();
        assert_eq!(pipeline.lock().threads.len(), 1);
        // Only started threads count.
        let none = Pipeline::with_threads(None, 0);
        put(&none, &sample(5 * LENGTH), LENGTH).unwrap();
        assert!(none.lock().threads.is_empty());
        assert!(THREADS.load(Ordering::Relaxed) < 1_000_000);
    }

    #[cfg(feature = "gzip")]
    mod gzip {
        use std::io::Read;

        use flate2::bufread::GzDecoder;

        use super::*;

        fn compressed(text: &[u8], level: u32, block: usize, threads: usize) -> Vec<u8> {
            let pipeline = pipeline(Some(level), threads);
            put(&pipeline, text, block).unwrap();
            take(&pipeline, text)
        }

        #[test]
        fn it_is_one_gzip_file_of_all_that_was_written() {
            for length in LENGTHS {
                let text = sample(length);
                // The effort is a value of RFC 1952, and the system is unknown.
                for (level, effort) in [(1, 4), (6, 0), (9, 2)] {
                    let gzip = compressed(&text, level, 32 * 1024, 1);
                    assert_eq!(gzip[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, effort, 255]);
                    let (mut decoder, mut read) = (GzDecoder::new(gzip.as_slice()), Vec::new());
                    decoder.read_to_end(&mut read).unwrap();
                    assert!(read == text, "{length} bytes at level {level}");
                    assert!(decoder.into_inner().is_empty(), "nothing follows its end");
                    for (block, threads) in [(1_000_003, 0), (1_000, 3)] {
                        let other = compressed(&text, level, block, threads);
                        assert!(other == gzip, "however it is written, it is the same");
                    }
                }
            }
        }

        /// A thread's earlier work has no effect.
        #[test]
        fn the_same_text_is_the_same_file_after_any_other() {
            let text = sample(20 * LENGTH);
            let pipeline = pipeline(Some(6), 1);
            let mut state = 1_u64;
            for _ in 0..100 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let begins = (state >> 33) as usize % 17 * LENGTH;
                let file = &text[begins..begins + 3 * LENGTH];
                put(&pipeline, file, LENGTH).unwrap();
                let gzip = take(&pipeline, file);
                assert!(
                    gzip == compressed(file, 6, LENGTH, 0),
                    "the file from byte {begins}"
                );
            }
        }

        #[test]
        fn chunks_cost_little() {
            let text = sample(20 * LENGTH);
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
            encoder.write_all(&text).unwrap();
            let (whole, chunks) = (
                encoder.finish().unwrap().len(),
                compressed(&text, 6, LENGTH, 1).len(),
            );
            assert!(
                chunks * 1000 < whole * 1005,
                "{chunks} bytes, and {whole} in one chunk"
            );
        }

        #[test]
        fn what_has_failed_is_not_finished() {
            let text = sample(20 * LENGTH);
            let whole = compressed(&text, 6, LENGTH, 1).len();
            for threads in [0, 1, 3] {
                for room in [0, 9, 10, whole / 2, whole - 9, whole - 8, whole - 1] {
                    let pipeline = pipeline(Some(6), threads);
                    fails(&pipeline, room, &text);
                }
            }
        }
    }

    /// A disk with room for this many bytes.
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

    /// Writes a file to a disk that has too little room. The first error has the reason, all later errors report something
    /// missing, and no later file is ever complete, nor this one.
    fn fails(pipeline: &Pipeline, room: usize, text: &[u8]) {
        let full = Staged {
            place: StagedPlace::File {
                name: String::new(),
                file: Box::new(Full(room)),
            },
            size: 0,
        };
        let mut output = Output::new(full, pipeline);
        let mut errors = Vec::new();
        for block in text.chunks(10_000) {
            errors.extend(output.write_all(block).err());
        }
        errors.extend(output.end().err());
        errors.extend(put(pipeline, text, LENGTH).err());
        errors.extend(pipeline.finished().err());
        assert!(errors.len() > 1, "{room}: {errors:?}");
        let (first, others) = errors.split_first().unwrap();
        assert_eq!(first.kind(), io::ErrorKind::StorageFull, "{room}");
        for error in others {
            let text = error.to_string();
            assert_eq!(
                text, "an earlier chunk of the parts could not be written",
                "{room}"
            );
        }
    }

    #[test]
    fn a_full_disk_is_told_once_and_for_all() {
        let text = sample(20 * LENGTH);
        for threads in [0, 1, 3] {
            for room in [0, 1, LENGTH, 20 * LENGTH - 1] {
                fails(&pipeline(None, threads), room, &text);
            }
        }
    }
}
