//! The crate's error type.
//!
//! **Errors are built from the inside out, and formatted when displayed**. Each level adds a part: the value its text and rule, the field
//! its name, the record its byte offset; the document turns the offset into line and column. Until it is displayed, an error is one
//! allocation with these parts and a function that makes the message (problem, rule, advice). So a refused record takes 2.2 to 2.7 times as
//! long as an accepted one, and a refused entry 1.4 to 2.6 times (`benches -- refused`), and one rule can replace another without editing
//! text. serde converts errors to text, but the crate's own errors pass through it unchanged (`sitemap_values::handover`): they are handed
//! over in a thread-local when serde displays them.
//!
//! | file | content |
//! |---|---|
//! | this file | [`Error`](crate::Error), and what a program asks of it |
//! | `kind`, `position`, `path` | its kind; its position; the path to its field |
//! | `message`, `build` | its message; adding a part at each level |
//! | `convert` | from errors of serde, of values and of I/O |

mod build;
mod convert;
mod kind;
mod message;
mod path;
mod position;

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::OnceLock;

use sitemap_values::handover::{self, Received};
use sitemap_values::quote::quote_loc;
use sitemap_values::{Rule, ValueError};

use message::LazyMessage;
use path::Steps;

pub use kind::ErrorKind;
pub(crate) use message::{Facts, raise, skip_field, trust};
pub(crate) use path::Step;
pub use position::Position;
pub(crate) use sitemap_values::{Advice, Message, Suggestion};

/// A result whose error is [`Error`] by default.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error that occurred while a sitemap was read or written.
///
/// Its message contains the rejected text, the allowed values and the advice, and ends with the position. The type is as small as a
/// pointer.
///
/// ```
/// let error = sitemap_serde::from_str::<Vec<sitemap_serde::UrlEntry>>(
///     r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/</loc><priority>1.5</priority></url>
/// </urlset>"#,
/// )
/// .unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); \
///      write a value in that range, or leave the field out, \
///      at line 2, column 49 (byte 109), entry 1 · priority"
/// );
/// assert_eq!(error.kind(), sitemap_serde::ErrorKind::Data);
/// assert_eq!(error.position().unwrap().line(), 2);
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    rule: Option<Rule>,
    defect: Defect,
    message: LazyMessage,
    /// The name of the document, where several are read.
    document: Option<Box<str>>,
    position: Option<Position>,
    entry: Option<u64>,
    /// Byte offset in the entry; [`locate`](Error::locate) turns it into a position.
    offset: Option<usize>,
    steps: Steps,
    /// The text of [`path`](Error::path), made on first use.
    path: OnceLock<Box<str>>,
    mismatch: Option<Mismatch>,
    /// The loc of the entry, while writing.
    loc: Option<Box<str>>,
    ends_reading: bool,
    /// Number of the innermost steps within the part that was dropped because of the error.
    within_omitted: Option<usize>,
    /// `true` if something without a path was dropped because of the error.
    is_loss: bool,
    source: Option<io::Error>,
}

/// The kind of problem of an error whose rule covers several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Defect {
    /// An invalid value, or any other subject of the rule.
    #[default]
    Value,
    /// A required element or attribute is missing.
    Missing,
    /// Too many elements or attributes with one name.
    Excess,
    /// An element, attribute or text where none is allowed.
    Unknown,
    /// A root that is not a sitemap's.
    Root,
    /// A namespace that is not a sitemap's.
    Namespace,
    /// A namespace that readers take for a sitemap's or an extension's, but that is spelt differently or missing.
    Spelling,
    /// A prefix that is not declared.
    Prefix,
    /// A URL without its scheme or host.
    Incomplete,
    /// The target type rejects a value with its own error, not an error of this crate.
    Refused,
    /// Damage of a compressed document that loses no text.
    #[cfg_attr(
        not(feature = "gzip"),
        allow(dead_code, reason = "the feature `gzip` uses it")
    )]
    NothingMissing,
}

/// Which part of a type's template matched the entry's loc before the match failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mismatch {
    /// The template's literal text does not match.
    Text,
    /// The literal text matches, but the value of a placeholder does not fit its field.
    #[cfg(feature = "derive")]
    Value,
}

impl Error {
    /// An error with your own message, for implementations of [`SitemapEntry`](crate::SitemapEntry).
    ///
    /// Its kind is [`ErrorKind::Data`]; the writer adds the entry's number.
    ///
    /// ```
    /// let error = sitemap_serde::Error::custom("the product has no shop");
    /// assert_eq!(error.to_string(), "the product has no shop");
    /// ```
    pub fn custom(message: impl fmt::Display) -> Self {
        match handover::receive(&message) {
            Received::Text(text) => Error::data(text),
            Received::Error(error) => Error::handed_over(error),
        }
    }

    /// The error that was handed over through serde.
    fn handed_over(error: Box<dyn Any>) -> Self {
        match error.downcast() {
            Ok(error) => *error,
            Err(error) => match error.downcast::<ValueError>() {
                Ok(error) => Error::from(*error),
                Err(_) => Error::data("an error of another library"),
            },
        }
    }

    fn of(kind: ErrorKind, message: LazyMessage) -> Self {
        Error(Box::new(Inner {
            kind,
            rule: None,
            defect: Defect::default(),
            message,
            document: None,
            position: None,
            entry: None,
            offset: None,
            steps: Steps::default(),
            path: OnceLock::new(),
            mismatch: None,
            loc: None,
            ends_reading: kind != ErrorKind::Data,
            within_omitted: None,
            is_loss: false,
            source: None,
        }))
    }

    pub(crate) fn new(kind: ErrorKind, message: impl Into<Message>) -> Self {
        Error::of(kind, LazyMessage::Ready(message.into()))
    }

    pub(crate) fn data(message: impl Into<Message>) -> Self {
        Error::new(ErrorKind::Data, message)
    }

    /// A data error whose message is made from the finding when it is displayed.
    pub(crate) fn found(finding: Facts, explain: fn(&Facts) -> Message) -> Self {
        Error::of(ErrorKind::Data, LazyMessage::Later(finding, explain))
    }

    /// A data error about a value; its message is made from the value when it is displayed.
    pub(crate) fn value(text: &str, explain: fn(&Facts) -> Message) -> Self {
        Error::found(Facts::new(text), explain)
    }

    /// The document is not well-formed.
    pub(crate) fn syntax(message: impl Into<Message>) -> Self {
        Error::new(ErrorKind::Syntax, message).breaks(Rule::Xml)
    }

    /// The document ends too early.
    pub(crate) fn eof(message: impl Into<Message>) -> Self {
        Error::new(ErrorKind::Eof, message).breaks(Rule::Xml)
    }

    pub(crate) fn limit(message: impl Into<Message>) -> Self {
        Error::new(ErrorKind::Limit, message)
    }

    /// A setting is wrong.
    pub(crate) fn settings(message: impl Into<Message>) -> Self {
        Error::new(ErrorKind::Settings, message)
    }

    pub(crate) fn io(source: io::Error, message: impl Into<Message>) -> Self {
        let mut error = Error::new(ErrorKind::Io, message);
        error.0.source = Some(source);
        error
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns `true` if nothing more of the document can be read after this error.
    ///
    /// `false` for a problem within an entry or between two: the next call continues after it. `true` for every
    /// [`kind`](Self::kind) but [`Data`](ErrorKind::Data), and for a root that is not a sitemap's, or not of the
    /// requested kind.
    ///
    /// ```
    /// use sitemap_serde::Reader;
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <Url><loc>https://example.com/1</loc></Url>
    ///   <url><loc>https://example.com/2</loc></url>
    /// </urlset>"#;
    /// let mut reader = Reader::from_str(xml);
    /// let mut entries = reader.entries();
    /// let unknown = entries.next().unwrap().unwrap_err();
    /// assert!(!unknown.ends_reading() && unknown.entry().is_none());
    /// assert_eq!(entries.next().unwrap()?.loc, "https://example.com/2");
    ///
    /// let wrong_root = Reader::from_str("<rss/>").kind().unwrap_err();
    /// assert_eq!(wrong_root.kind(), unknown.kind());
    /// assert!(wrong_root.ends_reading());
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn ends_reading(&self) -> bool {
        self.0.ends_reading
    }

    /// The name of the document that was read, if there are several, as for a [`Diff`](crate::diff::Diff). It begins the message.
    pub fn document(&self) -> Option<&str> {
        self.0.document.as_deref()
    }

    /// The position in the document that was read. `None` when writing; then [`entry`](Self::entry) and [`path`](Self::path) are set.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// The number of the entry, from 1. When writing, it is the row's number in a loop over all rows; rejected rows and rows that are [not
    /// listed](crate::SitemapEntry::is_listed) count too.
    pub fn entry(&self) -> Option<u64> {
        self.0.entry
    }

    /// The parts of the message.
    pub(crate) fn message(&self) -> Cow<'_, Message> {
        self.0.message.get()
    }

    /// The beginning of the message: the rejected text and the allowed values, without rule, advice and position.
    ///
    /// ```
    /// use sitemap_serde::UrlEntry;
    ///
    /// let text = "<url><loc>https://example.com/</loc><lastmod>2026/5/1</lastmod></url>";
    /// let document = format!(r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{text}</urlset>"#);
    /// let error = sitemap_serde::from_str::<Vec<UrlEntry>>(&document).unwrap_err();
    /// assert_eq!(
    ///     error.problem(),
    ///     "`2026/5/1` is not a W3C Datetime: the parts of a date are joined by `-`"
    /// );
    /// assert_eq!(error.advice().unwrap(), "write `2026-05-01`");
    /// assert_eq!(error.suggestion().unwrap().value(), "2026-05-01");
    /// ```
    pub fn problem(&self) -> Cow<'_, str> {
        match self.message() {
            Cow::Borrowed(message) => Cow::Borrowed(&message.problem),
            Cow::Owned(message) => message.problem,
        }
    }

    /// The advice, if there is any.
    pub fn advice(&self) -> Option<String> {
        self.message().advice.as_ref().map(Advice::to_string)
    }

    /// The replacement for the rejected text, if known. The advice contains it.
    pub fn suggestion(&self) -> Option<Suggestion> {
        self.message().into_owned().suggestion
    }

    /// The entry and the field, outermost first: `entry 3 · image:image[1] · image:loc`.
    ///
    /// Entries count from 1, indices from 0. For a row with several entries, `entry 3 (number 2 of its row)` is the row's second entry; its
    /// first would have been entry 3. `None` if the error is about the document.
    pub fn path(&self) -> Option<&str> {
        let Inner { entry, steps, .. } = &*self.0;
        if entry.is_none() && steps.is_empty() {
            return None;
        }
        Some(self.0.path.get_or_init(|| {
            let path = match entry {
                None => steps.to_string(),
                Some(entry) if steps.is_empty() => format!("entry {entry}"),
                Some(entry) => match steps.index_in_row() {
                    None => format!("entry {entry} · {steps}"),
                    Some(index) => {
                        let steps = steps.to_string();
                        let steps = steps.strip_prefix(&format!("[{index}]")).unwrap_or(&steps);
                        format!(
                            "entry {entry} (number {} of its row){steps}",
                            index.saturating_add(1)
                        )
                    }
                },
            };
            path.into()
        }))
    }

    /// The path of the part that was dropped because of the error: the field itself, or the element that requires it, such as a video
    /// without its title. `None` if nothing was dropped. See [`on_invalid`](crate::WriterBuilder::on_invalid).
    ///
    /// ```
    /// use sitemap_serde::{OnInvalid, UrlEntry, Video, WriterBuilder};
    ///
    /// let video = Video::content("https://example.com/v.mp4")
    ///     .with_thumbnail("https://example.com/v.jpg")
    ///     .with_title("Grilling")
    ///     .with_description("How to grill");
    /// let mut page = UrlEntry::new("https://example.com/");
    /// page.videos = vec![video.clone(), video];
    /// page.videos[0].duration = Some(99_999);
    /// page.videos[1].title = "?".repeat(101);
    ///
    /// let (errors, omitted) = std::sync::mpsc::channel();
    /// let mut builder = WriterBuilder::new();
    /// builder
    ///     .on_invalid(OnInvalid::DropValue)
    ///     .on_problem(move |error| drop(errors.send(error.dropped().map(str::to_owned))));
    /// assert_eq!(builder.to_entries(&page)?[0].videos.len(), 1);
    /// drop(builder);
    /// let omitted: Vec<String> = omitted.into_iter().flatten().collect();
    /// assert_eq!(
    ///     omitted,
    ///     [
    ///         "entry 1 · video:video[0] · video:duration",
    ///         "entry 1 · video:video[1]", // because of its title
    ///     ]
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn dropped(&self) -> Option<&str> {
        let within = self.0.steps.innermost(self.0.within_omitted?);
        let path = self.path()?;
        Some(path.strip_suffix(&within).unwrap_or(path).trim_end_matches(" · "))
    }

    /// Returns `true` if something was dropped because of the error, or may have been, since nothing after it is read.
    pub(crate) fn is_loss(&self) -> bool {
        let ends_document = matches!(self.0.kind, ErrorKind::Eof | ErrorKind::Io | ErrorKind::Limit);
        self.0.is_loss || self.0.within_omitted.is_some() || ends_document
    }

    /// The loc of the entry that was being written or changed, resolved and percent-encoded, if already known; it ends the error's message.
    /// `None` when reading; then there is a [`position`](Self::position).
    ///
    /// ```
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new().base("https://example.com").from_writer(Vec::new());
    /// writer.write(&UrlEntry::new("/1"))?;
    /// let mut entry = UrlEntry::new("/2?a=1&b=é");
    /// entry.images.push(sitemap_serde::Image::new(""));
    /// let error = writer.write(&entry).unwrap_err();
    /// assert_eq!((error.entry(), error.field()), (Some(2), Some("image:loc")));
    /// assert_eq!(error.loc(), Some("https://example.com/2?a=1&b=%C3%A9"));
    /// assert!(error.to_string().ends_with(
    ///     ", entry 2 · image:image[0] · image:loc, loc `https://example.com/2?a=1&b=%C3%A9`"
    /// ));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn loc(&self) -> Option<&str> {
        self.0.loc.as_deref()
    }

    /// The field of the error, the last part of the [`path`](Self::path), such as `image:loc`.
    pub fn field(&self) -> Option<&str> {
        self.0.steps.field()
    }

    /// The first field of the [`path`](Self::path).
    pub(crate) fn outermost_field(&self) -> Option<&str> {
        self.0.steps.outermost()
    }

    /// The same error with another entry number, or none, and without a position: for the command, which writes one entry at a time and
    /// counts them itself. An [I/O error](Self::io_error) is not kept.
    #[doc(hidden)]
    #[must_use]
    pub fn renumbered(&self, entry: Option<u64>) -> Self {
        let mut copy = self.copy();
        copy.0.entry = entry;
        copy.0.loc.clone_from(&self.0.loc);
        copy.0.ends_reading = self.0.ends_reading;
        copy.0.within_omitted = self.0.within_omitted;
        copy
    }

    /// The error of the underlying reader or writer, if the kind is [`ErrorKind::Io`].
    pub fn io_error(&self) -> Option<&io::Error> {
        self.0.source.as_ref()
    }

    /// The broken rule of the format, if any; [`Rule::Xml`] if the document is not well-formed.
    pub fn rule(&self) -> Option<Rule> {
        self.0.rule
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An error with a position is from another document, which was read to make the value: only its text is passed on.
        let is_of_value =
            self.0.kind == ErrorKind::Data && self.0.position.is_none() && self.0.entry.is_none();
        if is_of_value && handover::hand_over(f, || self.copy()) {
            return Ok(());
        }
        if let Some(document) = &self.0.document {
            write!(f, "{document}: ")?;
        }
        self.message().write(f, self.0.rule)?;
        if let Some(position) = &self.0.position {
            write!(f, ", at {position}")?;
        }
        if let Some(path) = self.path() {
            write!(f, ", {path}")?;
        }
        if let Some(loc) = self.loc() {
            write!(f, ", loc {}", quote_loc(loc))?;
        }
        Ok(())
    }
}

/// The kind and the [`Display`](fmt::Display) message, so that a failed `unwrap` is readable.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.0.kind)
    }
}

impl std::error::Error for Error {
    /// The source of the [`io_error`](Error::io_error), whose own text is part of this error's message.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.io_error().and_then(std::error::Error::source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_one_word() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }

    #[test]
    fn path_grows_outwards_and_the_innermost_position_stays() {
        let error = Error::data("no")
            .within("image:loc")
            .at(Position::new(4, 2, 99))
            .at_index(1)
            .within("image:image")
            .at(Position::new(1, 1, 0))
            .in_entry(3);
        assert_eq!(
            error.to_string(),
            "no, at line 4, column 2 (byte 99), entry 3 · image:image[1] · image:loc"
        );
        assert_eq!(error.path(), Some("entry 3 · image:image[1] · image:loc"));
        assert_eq!(error.position().unwrap().entry(), Some(3));
        assert_eq!(error.entry(), Some(3));
    }

    #[test]
    fn has_another_number() {
        let error = Error::data("no").within("loc").in_entry(1);
        assert_eq!(error.renumbered(Some(12)).path(), Some("entry 12 · loc"));
        assert_eq!(error.renumbered(None).path(), Some("loc"));
    }

    #[test]
    fn becomes_an_io_error_of_its_kind() {
        let full = Error::io(io::Error::from(io::ErrorKind::StorageFull), "cannot write");
        assert_eq!(io::Error::from(full).kind(), io::ErrorKind::StorageFull);
        let eof = Error::new(ErrorKind::Eof, "cut off");
        assert_eq!(io::Error::from(eof).kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(
            io::Error::from(Error::data("x")).kind(),
            io::ErrorKind::InvalidData
        );
    }
}
