//! Panics as errors, so that each costs a row, a part or a count, and nothing else.
//!
//! **A panic is an error**. It is caught at the call of the source, and at the row whose type panics, so that it fails no more than that;
//! the `Section` makes all calls, and counts them.

use std::any::Any;
use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use sitemap_serde::{EntryWriter, SitemapEntry};

/// A panic as an error, with its message.
///
/// The site catches the panics of a source's calls and of its rows' types. A source that catches panics itself, such as panics of
/// a column's type, returns this error, so that [`SectionStats::panics`](crate::SectionStats::panics) counts them, as
/// [`Row::decoded`](super::Row::decoded) does.
///
/// In a program that is built with `panic = "abort"` a panic ends the process.
#[derive(Debug)]
pub struct Panicked(String);

impl Panicked {
    /// The error for the payload that [`catch_unwind`] or tokio's `JoinError::into_panic` returns.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "whoever caught the panic has no other use for its payload"
    )]
    pub fn new(payload: Box<dyn Any + Send>) -> Self {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Panicked(text.unwrap_or("its message is no text").to_owned())
    }

    /// Runs `work` and returns a panic as an error. After a panic, do not use again what `work` may have changed.
    ///
    /// # Errors
    /// If `work` panics.
    ///
    /// ```
    /// use sitemap_site::source::Panicked;
    ///
    /// let read = Panicked::catch(|| "infinity".parse::<u32>().expect("a number of days"));
    /// assert_eq!(
    ///     read.unwrap_err().to_string(),
    ///     "a panic: a number of days: ParseIntError { kind: InvalidDigit }"
    /// );
    /// ```
    pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Self> {
        catch_unwind(AssertUnwindSafe(work)).map_err(Panicked::new)
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Messages of panics often have the value that caused them, and so any character.
        f.write_str("a panic: ")?;
        self.0.chars().try_for_each(|c| {
            if c.is_control() {
                c.escape_default().fmt(f)
            } else {
                fmt::Write::write_char(f, c)
            }
        })
    }
}

impl Error for Panicked {}

/// The result of a future, or its panic.
pub(crate) async fn caught<T>(work: impl Future<Output = T>) -> Result<T, Panicked> {
    let mut work = pin!(work);
    poll_fn(|context| {
        // After a panic it is only dropped.
        match Panicked::catch(|| work.as_mut().poll(context)) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    })
    .await
}

/// A row whose panics are errors of its entry.
pub(crate) struct Guarded<'a, T: ?Sized> {
    row: &'a T,
    panicked: RefCell<Option<Panicked>>,
}

impl<'a, T: SitemapEntry + ?Sized> Guarded<'a, T> {
    pub(crate) fn new(row: &'a T) -> Self {
        Guarded {
            row,
            panicked: RefCell::new(None),
        }
    }

    /// Returns `true` if the row has panicked.
    pub(crate) fn has_panicked(&self) -> bool {
        self.panicked.borrow().is_some()
    }

    fn call<R>(&self, work: impl FnOnce(&T) -> R) -> Option<R> {
        let caught = Panicked::catch(|| work(self.row));
        caught
            .map_err(|panic| *self.panicked.borrow_mut() = Some(panic))
            .ok()
    }
}

impl<T: SitemapEntry + ?Sized> SitemapEntry for Guarded<'_, T> {
    /// A row that panics here is refused when it is written.
    fn is_listed(&self) -> bool {
        self.call(SitemapEntry::is_listed).unwrap_or(true)
    }

    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
        let written = if self.has_panicked() {
            None
        } else {
            self.call(|row| row.write_entry(entry))
        };
        written.unwrap_or_else(|| {
            let panicked = self.panicked.borrow();
            Err(sitemap_serde::Error::custom(
                panicked.as_ref().map_or_else(String::new, ToString::to_string),
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use sitemap_serde::{UrlEntry, WriterBuilder};

    use super::*;

    #[test]
    fn messages_are_one_line() {
        let payloads: [(Box<dyn Any + Send>, &str); 3] = [
            (Box::new("of a text"), "a panic: of a text"),
            (
                Box::new("two\nlines\u{1b}".to_owned()),
                "a panic: two\\nlines\\u{1b}",
            ),
            (Box::new(7), "a panic: its message is no text"),
        ];
        for (payload, message) in payloads {
            assert_eq!(Panicked::new(payload).to_string(), message);
        }
    }

    #[test]
    fn a_row_is_decoded_or_fails() {
        let entry = |decode: fn() -> Result<u32, crate::source::BoxError>| {
            let row = crate::source::Row::decoded(7, decode);
            assert_eq!(row.key(), &7.into());
            row.into_parts().1.map_err(|error| error.to_string())
        };
        assert_eq!(entry(|| Ok(5)), Ok(5));
        assert_eq!(entry(|| Err("no number".into())), Err("no number".to_owned()));
        assert_eq!(entry(|| panic!("far")), Err("a panic: far".to_owned()));
    }

    /// Panics at any point of a row.
    struct Row(usize);

    impl SitemapEntry for Row {
        fn is_listed(&self) -> bool {
            assert_ne!(self.0, 0, "of the test");
            self.0 != 5
        }

        fn write_entry(&self, entry: &mut EntryWriter<'_>) -> sitemap_serde::Result<()> {
            assert_ne!(self.0, 1, "of the test");
            entry.each(["/a", "/b"], |path, entry| {
                assert!(self.0 != 2 || path == "/a", "of the test");
                entry.loc(format!("{path}{}", self.0))?;
                assert_ne!(self.0, 3, "of the test");
                entry.lastmod("2026-05-01")
            })
        }
    }

    /// A row that panics leaves nothing in the document, wherever it does, and the rows around it are whole.
    #[test]
    fn a_row_that_panics_is_refused_as_a_whole() {
        let mut builder = WriterBuilder::new();
        let mut writer = builder.base("https://example.com").from_writer(Vec::new());
        let mut expected = Vec::new();
        for round in 0..3 {
            for at in 0..=5 {
                let before = UrlEntry::new(format!("/before/{round}/{at}"));
                writer.write(&before).unwrap();
                expected.push(before.loc.clone());
                let row = Row(at);
                let row = Guarded::new(&row);
                let written = writer.write(&row);
                assert_eq!(row.has_panicked(), at < 4, "{at}");
                match written {
                    Ok(_) if at == 4 => expected.extend(["/a4", "/b4"].map(str::to_owned)),
                    Ok(_) => assert_eq!(at, 5),
                    Err(error) => assert!(error.to_string().starts_with("a panic: "), "{at}: {error}"),
                }
            }
        }
        let xml = String::from_utf8(writer.finish().unwrap()).unwrap();
        let locs = xml.split("<loc>https://example.com").skip(1);
        let found: Vec<_> = locs.map(|rest| rest.split('<').next().unwrap()).collect();
        assert_eq!(found, expected);
        assert_eq!(xml.matches("<lastmod>").count(), 6);
    }
}
