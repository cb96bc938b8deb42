//! Sinks that fail, panic or lie, and dropped writers: the output is never wrong, and never looks complete when it is not.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error as _;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use serde::Deserialize;
use sitemap_serde::{Error, ErrorKind, Priority, UrlEntry, UrlSet, Writer, WriterBuilder};
use sitemap_tests::Problem;

/// Accepts this number of bytes at a time, and panics at the given calls.
#[derive(Debug)]
struct Panicking {
    taken: Rc<RefCell<Vec<u8>>>,
    step: usize,
    calls: usize,
    panics: Vec<usize>,
}

impl Panicking {
    fn new(step: usize, panics: &[usize]) -> (Self, Rc<RefCell<Vec<u8>>>) {
        let taken = Rc::new(RefCell::new(Vec::new()));
        let sink = Panicking {
            taken: Rc::clone(&taken),
            step,
            calls: 0,
            panics: panics.to_vec(),
        };
        (sink, taken)
    }
}

impl Write for Panicking {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        assert!(!self.panics.contains(&self.calls), "the sink panics");
        let n = bytes.len().min(self.step);
        self.taken.borrow_mut().extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.calls += 1;
        assert!(!self.panics.contains(&self.calls), "the sink panics");
        Ok(())
    }
}

fn page(i: usize) -> UrlEntry {
    UrlEntry::new(format!("https://example.com/{i}"))
}

fn complete(pages: usize) -> Vec<u8> {
    sitemap_serde::to_vec(&(0..pages).map(page).collect::<Vec<_>>()).unwrap()
}

#[test]
fn a_panic_of_the_writer_in_a_drop_is_caught() {
    for panics in 1..4 {
        let (sink, taken) = Panicking::new(100, &[panics]);
        let mut writer = Writer::from_writer(sink);
        writer.serialize(&page(0)).unwrap();
        drop(writer);
        assert!(complete(1).starts_with(&taken.borrow()));
        assert!(!taken.borrow().ends_with(b"</urlset>"));
    }
}

#[test]
fn a_panic_of_the_writer_during_another_panic_is_caught() {
    let (sink, taken) = Panicking::new(usize::MAX, &[1]);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let mut writer = Writer::from_writer(sink);
        writer.serialize(&page(0)).unwrap();
        panic!("the first");
    }));
    assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"the first"));
    assert!(taken.borrow().is_empty());
}

#[test]
fn after_a_panic_nothing_is_written_twice() {
    let expected = complete(3);
    for panics in 1..expected.len() / 7 {
        let (sink, taken) = Panicking::new(7, &[panics]);
        let mut writer = Writer::from_writer(sink);
        for i in 0..3 {
            writer.serialize(&page(i)).unwrap();
        }
        if catch_unwind(AssertUnwindSafe(|| writer.flush())).is_err() {
            assert_eq!(taken.borrow().len(), (panics - 1) * 7);
        }
        // The sink keeps the accepted bytes, and the rest follows.
        while catch_unwind(AssertUnwindSafe(|| writer.try_finish().unwrap())).is_err() {}
        assert_eq!(*taken.borrow(), expected, "panic at call {panics}");
    }
}

#[test]
fn a_sink_that_panicked_is_left_alone_in_the_drop() {
    let (sink, taken) = Panicking::new(50, &[2]);
    let mut writer = Writer::from_writer(sink);
    writer.serialize(&page(0)).unwrap();
    assert!(catch_unwind(AssertUnwindSafe(|| writer.flush())).is_err());
    drop(writer);
    assert_eq!(taken.borrow().len(), 50);
}

/// A sink that claims to have written more than it received.
#[test]
fn a_writer_with_wrong_counts_does_not_panic() {
    struct Liar;
    impl Write for Liar {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(if bytes.len() > 10 { usize::MAX } else { 3 })
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = Writer::from_writer(Liar);
    for i in 0..2_000 {
        writer.serialize(&page(i)).unwrap();
    }
    writer.finish().unwrap();
}

// ---- A writer that is dropped. ----

/// A sink with readable content.
#[derive(Clone, Debug, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns `true` if this crate, quick-xml and xml-rs consider a document complete. They must agree.
#[track_caller]
fn is_complete(document: &str) -> bool {
    #[derive(Deserialize)]
    struct Set {
        #[serde(default, rename = "url")]
        _url: Vec<BTreeMap<String, String>>,
    }
    let here = sitemap_serde::from_str::<UrlSet>(document).map_err(|error| error.kind());
    let quick: Result<Set, _> = quick_xml::de::from_str(document);
    let events: Result<Vec<_>, _> = xml_rs::EventReader::new(document.as_bytes())
        .into_iter()
        .collect();
    assert_eq!(here.is_ok(), quick.is_ok(), "{document}");
    assert_eq!(here.is_ok(), events.is_ok(), "{document}");
    if let Err(kind) = here {
        assert_eq!(kind, ErrorKind::Eof, "{document}");
    }
    events.is_ok()
}

#[test]
fn a_writer_that_is_dropped_leaves_nothing_that_looks_complete() {
    for pretty in [false, true] {
        for count in [0, 1, 2, 5, 1000] {
            let sink = Shared::default();
            let mut writer = WriterBuilder::new().pretty(pretty).from_writer(sink.clone());
            for i in 0..count {
                writer
                    .serialize(&UrlEntry::new(format!("https://example.com/{i}")))
                    .unwrap();
                if i == 3 {
                    writer.flush().unwrap();
                }
            }
            let mut finished = WriterBuilder::new().pretty(pretty).from_writer(Vec::new());
            for i in 0..count {
                finished
                    .serialize(&UrlEntry::new(format!("https://example.com/{i}")))
                    .unwrap();
            }
            let finished = String::from_utf8(finished.finish().unwrap()).unwrap();
            assert!(is_complete(&finished));

            drop(writer);
            let left = sink.text();
            assert!(!is_complete(&left));
            // The written bytes are there for inspection. Only the end is missing.
            assert_eq!(left.matches("</url>").count(), count);
            assert!(finished.starts_with(&left));
            if count > 0 {
                assert_eq!(finished[left.len()..].trim(), "</urlset>");
            }
        }
    }
}

#[test]
fn an_early_return_does_not_publish_half_a_site() {
    fn publish(sink: Shared, rows: &[Result<&str, &str>]) -> Result<(), Box<dyn std::error::Error>> {
        let mut writer = WriterBuilder::new().base("https://example.com").from_writer(sink);
        for row in rows {
            writer.serialize(&UrlEntry::new((*row)?))?;
        }
        writer.finish()?;
        Ok(())
    }
    let sink = Shared::default();
    publish(sink.clone(), &[Ok("/1"), Ok("/2")]).unwrap();
    assert!(is_complete(&sink.text()));
    let sink = Shared::default();
    publish(sink.clone(), &[Ok("/1"), Err("the database is gone"), Ok("/2")]).unwrap_err();
    assert!(
        sink.text()
            .ends_with("<url><loc>https://example.com/1</loc></url>")
    );
    assert!(!is_complete(&sink.text()));
    let sink = Shared::default();
    publish(sink.clone(), &[Ok("/1"), Ok("x"), Ok("/2")]).unwrap_err();
    assert!(!is_complete(&sink.text()));
    let sink = Shared::default();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let mut writer = Writer::from_writer(sink.clone());
        writer.serialize(&UrlEntry::new("https://example.com/1")).unwrap();
        panic!("in the middle");
    }));
    assert!(panicked.is_err());
    assert!(!is_complete(&sink.text()));
    // Nor does `to_writer`.
    let sink = Shared::default();
    sitemap_serde::to_writer(
        sink.clone(),
        &[UrlEntry::new("https://example.com/1"), UrlEntry::new("2")],
    )
    .unwrap_err();
    assert!(!is_complete(&sink.text()));
}

// ---- Sinks that fail. ----

/// Accepts `room` bytes, at most `step` at once. Then it fails with `error` (or accepts nothing, if unset) until there is more room.
#[derive(Debug)]
struct Tight {
    taken: Vec<u8>,
    room: usize,
    step: usize,
    error: Option<io::ErrorKind>,
    /// `true` if every other call is interrupted.
    interrupting: bool,
    calls: usize,
    flushes: usize,
}

impl Tight {
    fn new(room: usize) -> Self {
        Tight {
            taken: Vec::new(),
            room,
            step: usize::MAX,
            error: Some(io::ErrorKind::StorageFull),
            interrupting: false,
            calls: 0,
            flushes: 0,
        }
    }
}

impl Write for Tight {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.interrupting && self.calls % 2 == 1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = bytes.len().min(self.step).min(self.room);
        if n == 0 && !bytes.is_empty() {
            return match self.error {
                Some(kind) => Err(io::Error::new(kind, "the disk is full")),
                None => Ok(0),
            };
        }
        self.room -= n;
        self.taken.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushes += 1;
        Ok(())
    }
}

fn pages(count: usize) -> Vec<UrlEntry> {
    (0..count)
        .map(|i| {
            let mut entry = UrlEntry::new(format!("https://example.com/{i}?a&b"));
            entry.priority = Some(Priority::DEFAULT);
            entry
        })
        .collect()
}

#[track_caller]
fn is_failure(error: &Error, kind: io::ErrorKind, text: &str) {
    assert_eq!(error.kind(), ErrorKind::Io);
    let message = format!("cannot write the sitemap: {text}");
    let found = Problem::of(error);
    let path = found.path.map(|path| format!(", {path}")).unwrap_or_default();
    assert_eq!(found.message, message + &path);
    assert_eq!((found.place, found.rule), (None, None));
    let cause = error.io_error().unwrap();
    assert_eq!((cause.kind(), cause.to_string().as_str()), (kind, text));
    // The chain of sources repeats no text.
    assert!(error.source().is_none());
}

#[test]
fn a_sink_that_is_full_after_every_byte() {
    let pages = pages(3);
    let whole = sitemap_serde::to_vec(&pages).unwrap();
    for room in 0..whole.len() {
        let mut writer = Writer::from_writer(Tight::new(room));
        for page in &pages {
            writer.serialize(page).unwrap();
        }
        let error = writer.try_finish().unwrap_err();
        is_failure(&error, io::ErrorKind::StorageFull, "the disk is full");
        assert_eq!(error.entry(), None);
        assert_eq!(
            writer.get_ref().taken,
            whole[..room],
            "what it took is still there"
        );
        assert_eq!(writer.get_ref().flushes, 0);
        is_failure(
            &writer.try_finish().unwrap_err(),
            io::ErrorKind::StorageFull,
            "the disk is full",
        );
        // With more room, it continues where it stopped.
        writer.get_mut().room = 1;
        let again = writer.try_finish();
        assert_eq!(again.is_ok(), room + 1 == whole.len());
        writer.get_mut().room = usize::MAX;
        writer.try_finish().unwrap();
        assert_eq!(writer.finish().unwrap().taken, whole);

        // `finish` also reports it, and drops its buffer.
        let mut writer = Writer::from_writer(Tight::new(room));
        writer.serialize(&pages[0]).unwrap();
        if room < 100 {
            is_failure(
                &writer.finish().unwrap_err(),
                io::ErrorKind::StorageFull,
                "the disk is full",
            );
        }
        let error = sitemap_serde::to_writer(Tight::new(room), &pages).unwrap_err();
        is_failure(&error, io::ErrorKind::StorageFull, "the disk is full");
        let error = sitemap_serde::to_writer_pretty(Tight::new(room), &pages).unwrap_err();
        is_failure(&error, io::ErrorKind::StorageFull, "the disk is full");
    }
    assert_eq!(io::Error::from(failure()).kind(), io::ErrorKind::StorageFull);
}

fn failure() -> Error {
    sitemap_serde::to_writer(Tight::new(0), &pages(1)).unwrap_err()
}

#[test]
fn a_sink_that_is_full_in_the_middle_of_a_large_document() {
    let pages = pages(2000);
    let whole = sitemap_serde::to_vec(&pages).unwrap();
    for room in [0, 1, 32_767, 32_768, 32_769, 70_000, whole.len() - 1] {
        let mut writer = Writer::from_writer(Tight::new(room));
        let mut failed = 0;
        let mut pages = pages.iter().peekable();
        while let Some(page) = pages.peek() {
            let before = writer.summary().entries;
            match writer.serialize(page) {
                Ok(()) => {
                    assert_eq!(writer.summary().entries, before + 1);
                    pages.next();
                }
                Err(error) => {
                    is_failure(&error, io::ErrorKind::StorageFull, "the disk is full");
                    assert_eq!(
                        (writer.summary().entries, error.entry()),
                        (before, Some(before + 1))
                    );
                    failed += 1;
                    assert_eq!(writer.get_ref().taken, whole[..room]);
                    writer.get_mut().room = usize::MAX;
                }
            }
        }
        assert_eq!(failed, usize::from(room + 32_768 + 1000 < whole.len()), "{room}");
        writer.get_mut().room = usize::MAX;
        writer.try_finish().unwrap();
        assert_eq!(writer.get_ref().taken.len(), whole.len());
        assert_eq!(writer.finish().unwrap().taken, whole);
    }
}

#[test]
fn short_and_interrupted_writes() {
    let pages = pages(3);
    for pretty in [false, true] {
        let mut builder = WriterBuilder::new();
        builder.pretty(pretty);
        let mut expected = builder.from_writer(Vec::new());
        for page in &pages {
            expected.serialize(page).unwrap();
        }
        let expected = expected.finish().unwrap();
        for step in [1, 2, 3, 7, 64] {
            for interrupting in [false, true] {
                let mut writer = builder.from_writer(Tight {
                    step,
                    interrupting,
                    ..Tight::new(usize::MAX)
                });
                for page in &pages {
                    writer.serialize(page).unwrap();
                    writer.flush().unwrap();
                }
                let sink = writer.finish().unwrap();
                assert_eq!(sink.taken, expected);
                assert_eq!(sink.flushes, 4);
            }
        }
    }
}

#[test]
fn a_sink_that_takes_nothing() {
    let mut writer = Writer::from_writer(Tight {
        error: None,
        ..Tight::new(10)
    });
    writer.serialize(&pages(1)[0]).unwrap();
    let error = writer.flush().unwrap_err();
    is_failure(
        &error,
        io::ErrorKind::WriteZero,
        &io::Error::from(io::ErrorKind::WriteZero).to_string(),
    );
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::WriteZero);
    writer.get_mut().room = usize::MAX;
    assert_eq!(
        writer.finish().unwrap().taken,
        sitemap_serde::to_vec(&pages(1)).unwrap()
    );
}

/// Fails or panics when it is flushed.
#[derive(Debug)]
struct Unflushable(bool);

impl Write for Unflushable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        assert!(!self.0, "the sink panics");
        Err(io::Error::new(io::ErrorKind::BrokenPipe, "nobody reads"))
    }
}

#[test]
fn a_sink_that_cannot_be_flushed() {
    let mut writer = Writer::from_writer(Unflushable(false));
    writer.serialize(&pages(1)[0]).unwrap();
    is_failure(
        &writer.flush().unwrap_err(),
        io::ErrorKind::BrokenPipe,
        "nobody reads",
    );
    is_failure(
        &writer.try_finish().unwrap_err(),
        io::ErrorKind::BrokenPipe,
        "nobody reads",
    );
    is_failure(
        &writer.finish().unwrap_err(),
        io::ErrorKind::BrokenPipe,
        "nobody reads",
    );
}

#[test]
fn dropping_never_panics() {
    // A sink that fails.
    for room in [0, 10, 200] {
        let mut writer = Writer::from_writer(Tight::new(room));
        for page in pages(3) {
            writer.serialize(&page).unwrap();
        }
        drop(writer);
        let mut writer = Writer::from_writer(Tight::new(room));
        writer.serialize(&pages(1)[0]).unwrap();
        let _ = writer.try_finish();
        drop(writer);
    }
    let mut writer = Writer::from_writer(Unflushable(false));
    writer.serialize(&pages(1)[0]).unwrap();
    drop(writer);

    // A sink that panics is not called again during unwinding, because that would abort the program.
    struct Panicking {
        calls: Rc<RefCell<usize>>,
    }
    impl Write for Panicking {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            *self.calls.borrow_mut() += 1;
            panic!("the sink panics")
        }
        fn flush(&mut self) -> io::Result<()> {
            panic!("the sink panics")
        }
    }
    let calls = Rc::new(RefCell::new(0));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let mut writer = Writer::from_writer(Panicking { calls: calls.clone() });
        writer.serialize(&pages(1)[0]).unwrap();
        let _ = writer.flush();
    }));
    assert!(panicked.is_err());
    assert_eq!(*calls.borrow(), 1);
    let panicked = catch_unwind(|| {
        let mut writer = Writer::from_writer(Unflushable(true));
        writer.serialize(&pages(1)[0]).unwrap();
        let _ = writer.flush();
    });
    assert!(panicked.is_err());
}

#[test]
fn a_failed_finish_is_not_made_up_for_by_the_drop() {
    let sink = Shared::default();
    #[derive(Debug)]
    struct Once(Shared, bool);
    impl Write for Once {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.1, false) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.0.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = Writer::from_writer(Once(sink.clone(), true));
    writer.serialize(&pages(1)[0]).unwrap();
    writer.finish().unwrap_err();
    assert!(!is_complete(&sink.text()));
}

#[test]
fn a_file_that_cannot_be_created() {
    let path = std::env::temp_dir()
        .join("sitemap-serde-no-such-folder")
        .join("x.xml");
    let error = Writer::from_path(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(
        error.to_string(),
        format!("cannot create {}: {}", path.display(), error.io_error().unwrap())
    );
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
}

/// The number of bytes equals the written bytes, after each entry, accepted or refused.
#[test]
fn the_bytes_so_far() {
    for pretty in [false, true] {
        let mut writer = WriterBuilder::new().pretty(pretty).from_writer(Vec::new());
        let mut lengths = vec![writer.summary().bytes];
        for loc in ["https://example.com/", "none", "https://example.com/é&1"] {
            let is_written = writer.write(&UrlEntry::new(loc)).is_ok();
            assert_eq!(is_written, loc != "none");
            writer.flush().unwrap();
            assert_eq!(writer.summary().bytes, writer.get_ref().len() as u64, "{loc}");
            lengths.push(writer.summary().bytes);
        }
        assert!(
            lengths[1] > lengths[0] && lengths[2] == lengths[1] && lengths[3] > lengths[2],
            "{lengths:?}"
        );
    }
}
