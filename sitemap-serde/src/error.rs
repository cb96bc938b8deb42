//! The crate's error type.

mod message;
mod path;

use std::fmt;
use std::io;
use std::sync::OnceLock;

use sitemap_values::handover::{self, Received};
use sitemap_values::quote::quote_loc;
use sitemap_values::{Rule, ValueError};

use crate::schema::field_meant;

use message::LazyMessage;
use path::Steps;

pub(crate) use message::{Finding, Message};
pub(crate) use path::Step;

/// A result whose error is [`Error`] by default.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error that occurred while a sitemap was read or written.
///
/// Its message says what was found, what is allowed and what to do, and ends with the position. The type is as small as a pointer.
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
///     "`1.5` is not a priority: it is a decimal from 0.0 to 1.0 (P-PRIO); \
///      write a value in that range, or leave the field out, \
///      at line 2, column 49 (byte 109), entry 1 · priority"
/// );
/// assert_eq!(error.category(), sitemap_serde::Category::Data);
/// assert_eq!(error.position().unwrap().line(), 2);
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    category: Category,
    rule: Option<Rule>,
    defect: Defect,
    message: LazyMessage,
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
    /// Number of the innermost steps that are within what was left out because of the error.
    within_omitted: Option<usize>,
    source: Option<io::Error>,
}

/// The kind of an [`Error`], for a program that has to decide what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The underlying reader or writer failed: [`Error::io_error`] is its error, whose text is part of this error's message.
    Io,
    /// The document is not well-formed XML, or in an unsupported encoding.
    Syntax,
    /// The document is XML, but breaks a rule of the format, or a value does not fit the type that it is read into.
    /// Reading continues with the next entry, unless [`Error::ends_reading`] is `true`.
    Data,
    /// A setting of a builder or of a derive is invalid, such as a base that is not a URL. Every entry would fail;
    /// [`WriterBuilder::check`](crate::WriterBuilder::check) finds it before the first entry.
    Settings,
    /// A count or a size is over its limit.
    Limit,
    /// The document ends before it is complete.
    Eof,
}

/// What kind of problem an error is about, where its rule is about several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Defect {
    /// An invalid value, or whatever else the rule is about.
    #[default]
    Value,
    /// A required element or attribute is missing.
    Missing,
    /// More elements or attributes of a name than are allowed.
    Excess,
    /// An element, attribute or text where none is allowed.
    Unknown,
    /// A root that is not a sitemap's.
    Root,
    /// A namespace that is not a sitemap's.
    Namespace,
    /// A URL without its scheme or host.
    Incomplete,
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

/// A position in a document.
///
/// Lines, columns (in characters) and entries count from 1; bytes count from 0 in the document's UTF-8 text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    line: u64,
    column: u64,
    byte: u64,
    entry: Option<u64>,
}

impl Position {
    pub(crate) fn new(line: u64, column: u64, byte: u64) -> Self {
        Position {
            line,
            column,
            byte,
            entry: None,
        }
    }

    pub(crate) fn in_entry(mut self, number: u64) -> Self {
        self.entry = Some(number);
        self
    }

    /// The line, from 1. A line ends at a line feed, a carriage return, or the two together.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The column, from 1, in characters.
    pub fn column(&self) -> u64 {
        self.column
    }

    /// The byte, from 0, in the document's UTF-8 text (after decoding, where it is in another encoding).
    pub fn byte(&self) -> u64 {
        self.byte
    }

    /// The number of the `url` or `sitemap` element that contains the position, from 1; `None` outside of entries.
    pub fn entry(&self) -> Option<u64> {
        self.entry
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {} (byte {})",
            self.line, self.column, self.byte
        )
    }
}

impl Error {
    /// An error with your own message, for implementations of [`SitemapEntry`](crate::SitemapEntry).
    ///
    /// Its category is [`Category::Data`]; the writer adds the entry's number.
    ///
    /// ```
    /// let error = sitemap_serde::Error::custom("the product has no shop");
    /// assert_eq!(error.to_string(), "the product has no shop");
    /// ```
    pub fn custom(message: impl fmt::Display) -> Self {
        match handover::receive(&message) {
            Received::Text(text) => Error::data(text),
            Received::Error(error) => match error.downcast() {
                Ok(error) => *error,
                Err(error) => match error.downcast::<ValueError>() {
                    Ok(error) => Error::from(*error),
                    Err(_) => Error::data("an error of another library"),
                },
            },
        }
    }

    fn of(category: Category, message: LazyMessage) -> Self {
        Error(Box::new(Inner {
            category,
            rule: None,
            defect: Defect::default(),
            message,
            position: None,
            entry: None,
            offset: None,
            steps: Steps::default(),
            path: OnceLock::new(),
            mismatch: None,
            loc: None,
            ends_reading: category != Category::Data,
            within_omitted: None,
            source: None,
        }))
    }

    pub(crate) fn new(category: Category, message: impl Into<Message>) -> Self {
        Error::of(category, LazyMessage::Ready(message.into()))
    }

    pub(crate) fn data(message: impl Into<Message>) -> Self {
        Error::new(Category::Data, message)
    }

    /// A data error whose message is made from the finding when it is displayed.
    pub(crate) fn found(finding: Finding, explain: fn(&Finding) -> Message) -> Self {
        Error::of(Category::Data, LazyMessage::Later(finding, explain))
    }

    /// A data error about a value; its message is made from the value when it is displayed.
    pub(crate) fn value(text: &str, explain: fn(&Finding) -> Message) -> Self {
        Error::found(Finding::new(text), explain)
    }

    /// The document is not well-formed.
    pub(crate) fn syntax(message: impl Into<Message>) -> Self {
        Error::new(Category::Syntax, message).breaks(Rule::Xml)
    }

    /// The document ends too early.
    pub(crate) fn eof(message: impl Into<Message>) -> Self {
        Error::new(Category::Eof, message).breaks(Rule::Xml)
    }

    pub(crate) fn limit(message: impl Into<Message>) -> Self {
        Error::new(Category::Limit, message)
    }

    /// A setting is wrong.
    pub(crate) fn settings(message: impl Into<Message>) -> Self {
        Error::new(Category::Settings, message)
    }

    pub(crate) fn io(source: io::Error, message: impl Into<Message>) -> Self {
        let mut error = Error::new(Category::Io, message);
        error.0.source = Some(source);
        error
    }

    /// A copy of the parts that an error about a value has: no position, entry or loc.
    fn copy(&self) -> Self {
        let mut copy = Error::of(self.0.category, self.0.message.clone());
        copy.0.rule = self.0.rule;
        copy.0.defect = self.0.defect;
        copy.0.steps = self.0.steps.clone();
        copy
    }

    /// Sets the broken rule, unless there is already one more specific than [`Rule::Xml`].
    #[must_use]
    pub(crate) fn breaks(mut self, rule: Rule) -> Self {
        if matches!(self.0.rule, None | Some(Rule::Xml)) {
            self.0.rule = Some(rule);
        }
        self
    }

    /// Replaces the broken rule: which rule an invalid value breaks depends on the element, since a date may be a lastmod or a
    /// publication date.
    #[must_use]
    pub(crate) fn under(mut self, rule: Rule) -> Self {
        self.0.rule = Some(rule);
        self
    }

    /// Says what kind of problem was found.
    #[must_use]
    pub(crate) fn with_defect(mut self, defect: Defect) -> Self {
        self.0.defect = defect;
        self
    }

    pub(crate) fn defect(&self) -> Defect {
        self.0.defect
    }

    /// Marks the error as a mismatch: the entry may still be one of another type, such as another variant of an enum.
    #[must_use]
    pub(crate) fn mismatch(mut self, mismatch: Mismatch) -> Self {
        self.0.mismatch = Some(mismatch);
        self
    }

    /// The mismatch, if the entry's loc did not match the type's template.
    #[cfg(feature = "derive")]
    pub(crate) fn as_mismatch(&self) -> Option<Mismatch> {
        self.0.mismatch
    }

    /// Sets the position, unless it is set.
    #[must_use]
    pub(crate) fn at(mut self, position: Position) -> Self {
        if self.0.position.is_none() {
            self.0.entry = self.0.entry.or(position.entry);
            self.0.position = Some(position);
        }
        self
    }

    /// Sets the byte offset in the entry, unless it is set.
    #[must_use]
    pub(crate) fn at_offset(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Removes the position and the entry's number, for a text that is not a document.
    #[must_use]
    pub(crate) fn without_place(mut self) -> Self {
        self.0.position = None;
        self.0.entry = None;
        self
    }

    /// Turns the offset in the entry into a position.
    #[must_use]
    pub(crate) fn locate(self, position: impl FnOnce(usize) -> Position) -> Self {
        let offset = self.0.offset.unwrap_or(0);
        if self.has_position() {
            self
        } else {
            self.at(position(offset))
        }
    }

    /// Prepends a field to the path.
    #[must_use]
    pub(crate) fn within(mut self, step: impl Into<Step>) -> Self {
        self.0.steps.push(step.into());
        self.0.message.nest();
        self.0.path.take();
        self
    }

    /// Prepends an index to the path, from 0: which of several fields with one name.
    #[must_use]
    pub(crate) fn at_index(self, index: usize) -> Self {
        self.within(Step::Index(index))
    }

    /// Sets the entry's number, from 1, which begins the path.
    #[must_use]
    pub(crate) fn in_entry(mut self, entry: u64) -> Self {
        self.0.entry = Some(entry);
        if let Some(position) = &mut self.0.position {
            position.entry = Some(entry);
        }
        self.0.path.take();
        self
    }

    /// Makes it an error of [`Category::Settings`].
    #[must_use]
    pub(crate) fn in_settings(mut self) -> Self {
        self.0.category = Category::Settings;
        self.0.ends_reading = true;
        self
    }

    /// Marks the error as one after which nothing more can be read.
    #[must_use]
    pub(crate) fn ending_reading(mut self) -> Self {
        self.0.ends_reading = true;
        self
    }

    /// Sets the loc of the entry that is being written.
    #[must_use]
    pub(crate) fn of_loc(mut self, loc: &str) -> Self {
        // A wrong setting affects all entries, not just this one.
        if self.0.loc.is_none() && !loc.is_empty() && self.0.category != Category::Settings {
            self.0.loc = Some(loc.into());
        }
        self
    }

    /// Marks the outermost field of the path as left out.
    #[must_use]
    pub(crate) fn omitting_field(mut self) -> Self {
        self.0.within_omitted = self.0.steps.within_outermost();
        self
    }

    /// Marks the entry as left out.
    #[must_use]
    pub(crate) fn omitting_entry(mut self) -> Self {
        self.0.within_omitted = Some(usize::MAX);
        self
    }

    fn has_position(&self) -> bool {
        self.0.position.is_some()
    }

    /// The kind of the error.
    pub fn category(&self) -> Category {
        self.0.category
    }

    /// Whether the underlying reader or writer failed ([`Category::Io`]).
    pub fn is_io(&self) -> bool {
        self.category() == Category::Io
    }

    /// Whether the document is not well-formed XML, or in an unsupported encoding ([`Category::Syntax`]).
    pub fn is_syntax(&self) -> bool {
        self.category() == Category::Syntax
    }

    /// Whether a rule of the format is broken, or a value does not fit its type ([`Category::Data`]).
    pub fn is_data(&self) -> bool {
        self.category() == Category::Data
    }

    /// Whether a setting is invalid ([`Category::Settings`]).
    pub fn is_settings(&self) -> bool {
        self.category() == Category::Settings
    }

    /// Whether a count or a size is over its limit ([`Category::Limit`]).
    pub fn is_limit(&self) -> bool {
        self.category() == Category::Limit
    }

    /// Whether the document ends before it is complete ([`Category::Eof`]).
    pub fn is_eof(&self) -> bool {
        self.category() == Category::Eof
    }

    /// Whether nothing more of the document can be read after this error.
    ///
    /// `false` for a problem within an entry or between two: the next call continues after it. `true` for every
    /// [`category`](Self::category) but [`Data`](Category::Data), and for a root that is not a sitemap's, or not of the
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
    /// assert_eq!(wrong_root.category(), unknown.category());
    /// assert!(wrong_root.ends_reading());
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn ends_reading(&self) -> bool {
        self.0.ends_reading
    }

    /// The position in the document that was read. `None` while writing, where [`entry`](Self::entry) and
    /// [`path`](Self::path) are set.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// The number of the entry, from 1. While writing, it is the row's number in a loop over all rows: refused rows, and those
    /// that are [not listed](crate::SitemapEntry::is_listed), count too.
    pub fn entry(&self) -> Option<u64> {
        self.0.entry
    }

    /// The entry and the field, outermost first: `entry 3 · image:image[1] · image:loc`.
    ///
    /// Entries count from 1, indices from 0. `None` if the error is about the document.
    pub fn path(&self) -> Option<&str> {
        let Inner { entry, steps, .. } = &*self.0;
        if entry.is_none() && steps.is_empty() {
            return None;
        }
        Some(self.0.path.get_or_init(|| {
            let path = match entry {
                None => steps.to_string(),
                Some(entry) if steps.is_empty() => format!("entry {entry}"),
                // The index counts the entries of one row.
                Some(entry) if steps.begins_with_index() => format!("entry {entry}{steps}"),
                Some(entry) => format!("entry {entry} · {steps}"),
            };
            path.into()
        }))
    }

    /// The path of what was left out because of the error: the field itself, or what cannot be without it, such as a video without
    /// its title. `None` if nothing was left out. See [`omit_bad_values`](crate::WriterBuilder::omit_bad_values).
    ///
    /// ```
    /// use sitemap_serde::{UrlEntry, Video, WriterBuilder};
    ///
    /// let video = Video::with_content("https://example.com/v.mp4", "https://example.com/v.jpg", "Grilling", "How to grill");
    /// let mut page = UrlEntry::new("https://example.com/");
    /// page.videos = vec![video.clone(), video];
    /// page.videos[0].duration = Some(99_999);
    /// page.videos[1].title = "?".repeat(101);
    ///
    /// let (errors, omitted) = std::sync::mpsc::channel();
    /// let mut builder = WriterBuilder::new();
    /// builder.omit_bad_values(move |error| drop(errors.send(error.omitted().map(str::to_owned))));
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
    pub fn omitted(&self) -> Option<&str> {
        let within = self.0.steps.innermost(self.0.within_omitted?);
        let path = self.path()?;
        Some(path.strip_suffix(&within).unwrap_or(path).trim_end_matches(" · "))
    }

    /// The loc of the entry that was being written or changed, resolved and percent-encoded, if it was already known; it ends the
    /// error's message. `None` while reading, where there is a [`position`](Self::position).
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

    /// The field that the error is about, the last one of the [`path`](Self::path), such as `image:loc`.
    pub fn field(&self) -> Option<&str> {
        self.0.steps.field()
    }

    /// The first field of the [`path`](Self::path).
    pub(crate) fn outermost_field(&self) -> Option<&str> {
        self.0.steps.outermost()
    }

    /// The error of the underlying reader or writer, if the category is [`Category::Io`].
    pub fn io_error(&self) -> Option<&io::Error> {
        self.0.source.as_ref()
    }

    /// The rule of the format that is broken, where it is one. [`Rule::Xml`] if the document is not well-formed.
    pub fn rule(&self) -> Option<Rule> {
        self.0.rule
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An error with a position is from another document, which was read to make the value: only its text is passed on.
        let is_of_value =
            self.0.category == Category::Data && self.0.position.is_none() && self.0.entry.is_none();
        if is_of_value && handover::hand_over(f, || self.copy()) {
            return Ok(());
        }
        self.0.message.write(f, self.0.rule)?;
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

/// The category and the [`Display`](fmt::Display) message, so that a failed `unwrap` is readable.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.0.category)
    }
}

impl std::error::Error for Error {
    /// The source of the [`io_error`](Error::io_error), whose own text is part of this error's message.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.io_error().and_then(std::error::Error::source)
    }
}

impl serde_core::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::custom(message)
    }

    fn missing_field(field: &'static str) -> Self {
        Error::found(Finding::none().names([field, ""]), |found| {
            let [field, _] = found.names;
            let message = Message::new(format!("missing field `{field}`"));
            match field_meant(field).filter(|_| !found.is_nested()) {
                Some(meant) => message.advice(format!(
                    "did you mean `{meant}`? Rename it with `#[serde(rename = \"{meant}\")]`"
                )),
                None => message,
            }
        })
    }
}

impl serde_core::ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error::custom(message)
    }
}

/// The error for a value, of [`Category::Data`].
impl From<ValueError> for Error {
    fn from(error: ValueError) -> Self {
        let rule = error.rule();
        let mut of_value = Error::of(Category::Data, LazyMessage::Value(error));
        of_value.0.rule = rule;
        of_value
    }
}

/// Keeps the kind of an I/O error; [`Category::Eof`] becomes `UnexpectedEof`, all others `InvalidData`.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match (&error.0.source, error.0.category) {
            (Some(source), _) => source.kind(),
            (None, Category::Eof) => io::ErrorKind::UnexpectedEof,
            (None, _) => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}

/// Lets `?` convert the errors of a function that opens files and reads sitemaps.
///
/// ```
/// fn count(path: &str) -> sitemap_serde::Result<usize> {
///     let file = std::fs::File::open(path)?;
///     Ok(sitemap_serde::Reader::from_reader(file).entries().count())
/// }
///
/// let error = count("no/such/sitemap.xml").unwrap_err();
/// assert_eq!(error.category(), sitemap_serde::Category::Io);
/// ```
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        let message = error.to_string();
        Error::io(error, message)
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
    fn becomes_an_io_error_of_its_kind() {
        let full = Error::io(io::Error::from(io::ErrorKind::StorageFull), "cannot write");
        assert_eq!(io::Error::from(full).kind(), io::ErrorKind::StorageFull);
        let eof = Error::new(Category::Eof, "cut off");
        assert_eq!(io::Error::from(eof).kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(
            io::Error::from(Error::data("x")).kind(),
            io::ErrorKind::InvalidData
        );
    }
}
