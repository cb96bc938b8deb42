//! Reading entries into an application's own types.

use std::fmt;

use serde_core::Deserialize;
use sitemap_values::{ChangeFreq, Priority, ValueError, W3cDateTime};

use crate::de::{self, url_entry};
use crate::error::{Error, Mismatch, Result};
#[cfg(feature = "derive")]
use crate::loc::Mount;
use crate::loc::{self, LocRules};
use crate::model::Kind;
use crate::record::{Node, RecordView};
use crate::schema::Name;
use crate::schema::{Alternate, Image, IndexEntry, News, UrlEntry, Video};

/// A type that an entry can be read as. `#[derive(FromSitemapEntry)]` implements it, from the attributes of
/// [`SitemapEntry`](crate::SitemapEntry).
///
/// By hand:
///
/// ```
/// use sitemap_serde::{EntryReader, FromSitemapEntry, Reader, Result, W3cDateTime};
///
/// #[derive(Debug)]
/// struct Post {
///     slug: String,
///     changed: Option<W3cDateTime>,
/// }
///
/// impl FromSitemapEntry for Post {
///     fn from_entry(entry: &EntryReader<'_>) -> Result<Self> {
///         let slug = entry.path()?.and_then(|path| path.strip_prefix("/posts/"));
///         Ok(Post {
///             slug: slug.ok_or_else(|| entry.mismatch("not the address of a post"))?.to_owned(),
///             changed: entry.lastmod()?,
///         })
///     }
/// }
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/posts/first</loc><lastmod>2024-05-06</lastmod></url>
///   <url><loc>https://example.com/about</loc></url>
/// </urlset>"#;
/// let mut reader = Reader::from_str(xml);
/// let mut posts = reader.read::<Post>();
/// let first = posts.next().unwrap()?;
/// assert_eq!(first.slug, "first");
/// assert_eq!(first.changed.unwrap().day(), Some(6));
/// assert_eq!(
///     posts.next().unwrap().unwrap_err().to_string(),
///     "not the address of a post, at line 3, column 13 (byte 158), entry 2 · loc"
/// );
/// # Result::<()>::Ok(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from an entry of a sitemap",
    note = "derive it: `#[derive(FromSitemapEntry)]` with the `#[sitemap(…)]` attributes of `SitemapEntry`",
    note = "a type that implements serde's `Deserialize` is read by `Reader::deserialize`"
)]
pub trait FromSitemapEntry: Sized {
    /// Reads a value from an entry.
    ///
    /// # Errors
    /// The errors of `entry`'s functions. Use [`EntryReader::mismatch`] for an entry of another kind, and [`Error::custom`] for any other
    /// error.
    fn from_entry(entry: &EntryReader<'_>) -> Result<Self>;

    /// Calls `add` with prefix and URI of each namespace that the type declares for its elements.
    #[doc(hidden)]
    fn namespaces(add: &mut dyn FnMut(&'static str, &'static str)) {
        let _ = add;
    }
}

impl<T: FromSitemapEntry> FromSitemapEntry for Box<T> {
    fn from_entry(entry: &EntryReader<'_>) -> Result<Self> {
        T::from_entry(entry).map(Box::new)
    }

    fn namespaces(add: &mut dyn FnMut(&'static str, &'static str)) {
        T::namespaces(add);
    }
}

/// Checks every value; any page matches.
impl FromSitemapEntry for UrlEntry {
    fn from_entry(entry: &EntryReader<'_>) -> Result<Self> {
        url_entry(entry.record)
    }
}

/// Checks both values; any entry matches.
impl FromSitemapEntry for IndexEntry {
    fn from_entry(entry: &EntryReader<'_>) -> Result<Self> {
        let mut read = IndexEntry::new(entry.checked_loc()?);
        read.lastmod = entry.lastmod()?;
        Ok(read)
    }
}

/// An entry that was read; implementations of [`FromSitemapEntry`] take their values from it.
///
/// The structure is already checked (exactly one loc, the other three core elements at most once); a value is checked when it is requested.
#[derive(Clone, Copy, Debug)]
pub struct EntryReader<'r> {
    record: RecordView<'r, 'r>,
    kind: Kind,
    rules: Option<&'r LocRules>,
    /// The loc overrides of the type that is read.
    #[cfg(feature = "derive")]
    own: Own,
}

/// The types whose base and encoding apply.
#[cfg(feature = "derive")]
#[derive(Clone, Copy, Debug, Default)]
struct Own {
    base: Option<&'static Mount>,
    encoding: Option<&'static Mount>,
}

impl<'r> EntryReader<'r> {
    pub(crate) fn new(record: RecordView<'r, 'r>, kind: Kind, rules: Option<&'r LocRules>) -> Self {
        EntryReader {
            record,
            kind,
            rules,
            #[cfg(feature = "derive")]
            own: Own::default(),
        }
    }

    /// The entry, read with the base and encoding of a type instead of the reader's.
    #[cfg(feature = "derive")]
    pub(crate) fn mounted(mut self, mount: &'static Mount) -> Self {
        if mount.overrides.base.is_some() {
            self.rules = Some(mount.rules());
            self.own.base = Some(mount);
        }
        if mount.overrides.encoding.is_some() {
            self.own.encoding = Some(mount);
        }
        self
    }

    /// The type's own base.
    #[cfg(feature = "derive")]
    pub(crate) fn own_base(&self) -> Option<&'static str> {
        self.own.base.and_then(|mount| mount.overrides.base)
    }

    /// The rules of the type's own encoding, if it has one.
    #[cfg(feature = "derive")]
    pub(crate) fn own_encoding(&self) -> Option<&'static LocRules> {
        self.own.encoding.map(Mount::rules)
    }

    /// The kind of the entry's document: `url` elements belong to a urlset, `sitemap` elements to an index.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The text of the loc: trimmed, with references resolved, but not checked.
    pub fn loc(&self) -> &'r str {
        self.node(crate::schema::LOC)
            .map_or("", |node| self.record.value(node).get())
    }

    /// The part of the loc after the reader's [base](crate::ReaderBuilder::base), or after the host if there is no base: path, query and
    /// fragment, still percent-encoded. It is `/` if that is empty, and `None` if the loc does not begin with the base or has no host.
    ///
    /// # Errors
    /// [`ErrorKind::Settings`](crate::ErrorKind::Settings) if the reader's base is invalid.
    pub fn path(&self) -> Result<Option<&'r str>> {
        self.path_in(self.loc())
    }

    /// Like [`path`](Self::path), of another URL.
    pub(crate) fn path_in<'u>(&self, url: &'u str) -> Result<Option<&'u str>> {
        match self.rules {
            Some(rules) => rules
                .path_of(url)
                .map_err(|error| self.in_field(crate::schema::LOC, error)),
            None => Ok(loc::path_of(url)),
        }
    }

    /// The time of the page's last change (P-LASTMOD); `None` if the element is absent or empty.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not a W3C Datetime.
    pub fn lastmod(&self) -> Result<Option<W3cDateTime>> {
        self.checked(crate::schema::LASTMOD, W3cDateTime::parse, W3cDateTime::explain)
    }

    /// The expected frequency of changes to the page (P-FREQ); `None` if the element is absent or empty.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not a changefreq.
    pub fn changefreq(&self) -> Result<Option<ChangeFreq>> {
        self.checked(crate::schema::CHANGEFREQ, ChangeFreq::parse, ChangeFreq::explain)
    }

    /// The page's priority (P-PRIO); `None` if the element is absent or empty, which means 0.5.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is not a decimal from 0.0 to 1.0.
    pub fn priority(&self) -> Result<Option<Priority>> {
        self.checked(crate::schema::PRIORITY, Priority::parse, Priority::explain)
    }

    /// The images on the page. URLs are checked; other texts are read unchanged, and checked when they are written.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if an image has no loc, or its loc is not a URL (P-IMG2).
    pub fn images(&self) -> Result<Vec<Image>> {
        de::images(&self.record)
    }

    /// The videos on the page. URLs, dates, numbers and `yes` or `no` are checked; other texts (a title that is too long, an unknown
    /// country) are read unchanged, and checked when they are written.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if a required part is missing (P-VID1), or a value does not fit its type (P-VID1, P-VID3 to
    /// P-VID9 or the schema).
    pub fn videos(&self) -> Result<Vec<Video>> {
        de::videos(&self.record)
    }

    /// The page's news article; `None` if there is none. Its date is checked; other texts are read unchanged, and checked when they are
    /// written.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if a value breaks a rule from P-NEWS1 to P-NEWS3, or there are two articles (P-NEWS4).
    pub fn news(&self) -> Result<Option<News>> {
        de::news_of(&self.record)
    }

    /// The page in other languages. URLs are checked; other texts are read unchanged, and checked when they are written.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if a part is missing (P-ALT1), or the address is not a URL (P-ALT2).
    pub fn alternates(&self) -> Result<Vec<Alternate>> {
        de::alternates(&self.record)
    }

    /// Elements with one name, usually in your own namespace, as any type with serde's `Deserialize`: a number, a text, a struct with
    /// fields for attributes (`@name`), children and text (`$text`), or a collection of these. If there is no such element, an `Option` is
    /// `None` and a collection is empty.
    ///
    /// `name` is the element's name with the prefix set by [`ReaderBuilder::namespace`](crate::ReaderBuilder::namespace); the document's
    /// prefix may differ.
    ///
    /// # Errors
    /// [`ErrorKind::Settings`](crate::ErrorKind::Settings) if the prefix is unknown; [`ErrorKind::Data`](crate::ErrorKind::Data) if a value does
    /// not fit the type, or there is no element and the type requires one.
    ///
    /// ```
    /// use sitemap_serde::{EntryReader, FromSitemapEntry, ReaderBuilder, Result};
    ///
    /// struct Product {
    ///     price: Option<f64>,
    /// }
    ///
    /// impl FromSitemapEntry for Product {
    ///     fn from_entry(entry: &EntryReader<'_>) -> Result<Self> {
    ///         Ok(Product { price: entry.element("shop:price")? })
    ///     }
    /// }
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:s="urn:shop">
    ///   <url><loc>https://example.com/lamp</loc><s:price>9.9</s:price></url>
    /// </urlset>"#;
    /// let mut reader = ReaderBuilder::new().namespace("shop", "urn:shop").from_str(xml);
    /// let product: Product = reader.read().next().unwrap()?;
    /// assert_eq!(product.price, Some(9.9));
    /// # Result::<()>::Ok(())
    /// ```
    pub fn element<T: Deserialize<'r>>(&self, name: &str) -> Result<T> {
        de::element(&self.record, name)
    }

    /// Makes the error for an entry whose loc shows that it is not of this type. An enum with a variant for each type of entry then
    /// tries its next variant; any other error ends the search.
    #[must_use]
    pub fn mismatch(&self, message: impl fmt::Display) -> Error {
        self.in_field(
            crate::schema::LOC,
            Error::custom(message).mismatch(Mismatch::Text),
        )
    }

    /// The loc, checked (P-LOC, P-LOCLEN).
    pub(crate) fn checked_loc(&self) -> Result<&'r str> {
        let loc = self.loc();
        match loc::check(loc) {
            Ok(()) => Ok(loc),
            Err(error) => Err(self.in_field(crate::schema::LOC, error)),
        }
    }

    /// An error about a value, with the field's name and place.
    #[cold]
    pub(crate) fn in_field(&self, name: Name, error: Error) -> Error {
        let error = error.within(self.record.table.step(name));
        match self.node(name) {
            Some(node) => error.at_offset(node.at()),
            None => error,
        }
    }

    /// Returns `true` if the entry has an element of that name.
    #[cfg(feature = "derive")]
    pub(crate) fn has_named(&self, name: &str) -> bool {
        let mut i = 0;
        while let Some(node) = self.record.node(i) {
            if self.record.name(node) == name {
                return true;
            }
            i = node.next();
        }
        false
    }

    /// Returns `true` if the entry has an element.
    #[cfg(feature = "derive")]
    pub(crate) fn has(&self, name: Name) -> bool {
        self.node(name).is_some()
    }

    fn node(&self, name: Name) -> Option<&'r Node> {
        let mut i = 0;
        while let Some(node) = self.record.node(i) {
            if node.name == name {
                return Some(node);
            }
            i = node.next();
        }
        None
    }

    fn checked<T>(
        &self,
        name: Name,
        parse: fn(&str) -> Option<T>,
        explain: fn(&str) -> ValueError,
    ) -> Result<Option<T>> {
        let text = self.node(name).map(|node| self.record.value(node).get());
        match text.filter(|text| !text.is_empty()) {
            None => Ok(None),
            Some(text) => match parse(text) {
                Some(value) => Ok(Some(value)),
                None => Err(self.in_field(name, explain(text).into())),
            },
        }
    }
}
