//! Sinks that panic, and entries that do not fit: what comes out is never wrong, and never looks complete when it is not.

use std::cell::RefCell;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use sitemap_serde::{Category, Limits, UrlEntry, Writer, WriterBuilder};

/// Takes so many bytes at a time, and panics when it is called at one of the calls given.
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
fn a_sink_that_panics_in_the_drop_is_not_heard() {
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
fn nor_while_another_panic_is_on_its_way() {
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
        // The sink took what it took; the rest follows.
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

/// A sink that claims to have taken more than it was given.
#[test]
fn a_sink_that_lies_is_no_panic() {
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

/// An entry that is refused goes to the next file, as it is.
#[test]
fn a_refused_entry_is_written_to_the_next_document() {
    let mut builder = WriterBuilder::new();
    for limits in [
        Limits::writing().entries(2),
        Limits::writing().bytes(complete(3).len() as u64 - 1),
    ] {
        builder.limits(limits);
        let mut documents = Vec::new();
        let mut writer = builder.from_writer(Vec::new());
        for page in (0..7).map(page) {
            if let Err(error) = writer.serialize(&page) {
                assert_eq!(error.category(), Category::Limit);
                documents.push(writer.finish().unwrap());
                writer = builder.from_writer(Vec::new());
                writer.serialize(&page).unwrap();
            }
        }
        documents.push(writer.finish().unwrap());
        let pages: Vec<Vec<UrlEntry>> = documents
            .iter()
            .map(|document| sitemap_serde::from_slice(document).unwrap())
            .collect();
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2, 1]);
        assert_eq!(pages.concat(), (0..7).map(page).collect::<Vec<_>>());
    }
}
