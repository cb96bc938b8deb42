//! Settings of a reader.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::document::{Callback, DocumentReader, Leniency};
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::loc::LocRules;
use crate::xml::names::KnownNamespaces;
use crate::xml::source::{SliceSource, StreamSource, Window};

use super::Reader;

/// Builder of a [`Reader`].
///
/// ```
/// use sitemap_serde::{ErrorKind, Limits, ReaderBuilder};
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/1</loc></url>
///   <url><loc>https://example.com/2</loc></url>
/// </urlset>"#;
/// let mut reader = ReaderBuilder::new().limits(Limits::reading().with_entries(1)).from_str(xml);
/// let mut entries = reader.entries();
/// assert!(entries.next().unwrap().is_ok());
/// assert_eq!(entries.next().unwrap().unwrap_err().kind(), ErrorKind::Limit);
/// assert!(entries.next().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct ReaderBuilder {
    limits: Limits,
    known: KnownNamespaces,
    base: Option<String>,
    mode: Mode,
    leniency: Leniency,
    other_formats: Option<bool>,
    notes_ignored: bool,
}

/// A [`Reader`]'s treatment of malformed documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Malformed XML is an error.
    #[default]
    Strict,
    /// Malformed XML is repaired as far as possible, invalid values are dropped, and each repair is a [`Diagnostic`].
    ///
    /// An entry ends at its end tag, or at the beginning of the next entry. A `&` that does not begin a reference is kept, and an HTML
    /// entity becomes its character. An undeclared prefix means the extension that usually has it. An end tag without a start tag is
    /// ignored; an outer element's end tag closes the inner elements too. Anything before and after the root is ignored. In a truncated
    /// document, the last entry survives if its loc is complete. Bytes that are not UTF-8 are read as windows-1252. An entry without a loc
    /// is skipped. A document that is not a sitemap at all, such as an HTML page, is still an error, and the
    /// [limits](ReaderBuilder::limits) still apply.
    ///
    /// ```
    /// use sitemap_serde::{Mode, ReaderBuilder, Rule};
    ///
    /// let xml = r#"
    /// <?xml version="1.0"?>
    /// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url><loc>https://example.com/?a=1&b=2</loc></url>
    ///   <url><loc>https://example.com/cut</loc><lastm"#;
    /// let mut reader = ReaderBuilder::new().mode(Mode::Lenient).from_str(xml);
    /// let locs: Vec<String> = reader.entries().map(|entry| entry.unwrap().loc).collect();
    /// assert_eq!(locs, ["https://example.com/?a=1&b=2", "https://example.com/cut"]);
    ///
    /// let rules: Vec<Rule> = reader.diagnostics().iter().map(|diagnostic| diagnostic.rule()).collect();
    /// assert_eq!(rules, [Rule::Decl, Rule::Esc, Rule::Xml]);
    /// ```
    Lenient,
    /// Like [`Lenient`](Self::Lenient), but values whose intent is unambiguous are replaced by the [suggestion](Diagnostic::suggestion) of
    /// their diagnostic.
    ///
    /// Such values are a date in another format, a decimal comma, or the hreflang `en-UK`. A time without a zone is read as its date, which
    /// is a [loss](Diagnostic::is_loss). Text that was escaped twice, such as `?a=1&amp;amp;b=2`, is resolved until no reference is left;
    /// a lenient reading keeps it. URLs are percent-encoded, and hosts are punycode, as a writer writes them (P-LOCENC, P-IDN).
    ///
    /// ```
    /// use sitemap_serde::{Mode, ReaderBuilder};
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url><loc>https://example.com/?a=1&amp;amp;b=2</loc><lastmod>2026/5/1</lastmod></url>
    /// </urlset>"#;
    /// let entry = ReaderBuilder::new().mode(Mode::Lenient).from_str(xml).entries().next().unwrap()?;
    /// assert_eq!((&*entry.loc, entry.lastmod), ("https://example.com/?a=1&amp;b=2", None));
    ///
    /// let mut reader = ReaderBuilder::new().mode(Mode::Correcting).from_str(xml);
    /// let entry = reader.entries().next().unwrap()?;
    /// assert_eq!(entry.loc, "https://example.com/?a=1&b=2");
    /// assert_eq!(entry.lastmod.unwrap().to_string(), "2026-05-01");
    ///
    /// let corrected = &reader.diagnostics()[0];
    /// assert_eq!(corrected.found(), Some("2026/5/1"));
    /// assert_eq!(corrected.suggestion().unwrap().value(), "2026-05-01");
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    Correcting,
}

const STRICT_ADVICE: &str = "set the mode to `Mode::Lenient` or `Mode::Correcting`, or drop the setting";

impl Default for ReaderBuilder {
    fn default() -> Self {
        ReaderBuilder::new()
    }
}

impl ReaderBuilder {
    /// The limits of [`Limits::reading`].
    pub fn new() -> Self {
        ReaderBuilder {
            limits: Limits::reading(),
            known: KnownNamespaces::default(),
            base: None,
            mode: Mode::Strict,
            leniency: Leniency::default(),
            other_formats: None,
            notes_ignored: false,
        }
    }

    /// Sets the limits on the size of the document and of its parts.
    pub fn limits(&mut self, limits: Limits) -> &mut Self {
        self.limits = limits;
        self
    }

    /// Adds a user namespace: its elements and attributes are fields named `prefix:name`, for any prefix in a document. Elements of unknown
    /// namespaces are ignored.
    ///
    /// It is an error at the document's root if the prefix is not an XML name or belongs to an extension, or if the namespace already has a
    /// prefix, since no field would ever get a value.
    ///
    /// ```
    /// use sitemap_serde::ReaderBuilder;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Page {
    ///     loc: String,
    ///     #[serde(rename = "shop:price")]
    ///     price: f64,
    /// }
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:s="urn:shop">
    ///   <url><loc>https://example.com/</loc><s:price>9.90</s:price></url>
    /// </urlset>"#;
    /// let mut reader = ReaderBuilder::new().namespace("shop", "urn:shop").from_str(xml);
    /// let page: Page = reader.deserialize().next().unwrap()?;
    /// assert_eq!(page.price, 9.9);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn namespace(&mut self, prefix: impl AsRef<str>, uri: impl AsRef<str>) -> &mut Self {
        self.known.add(prefix.as_ref(), uri.as_ref());
        self
    }

    /// Reads elements and attributes of unknown namespaces as fields too, named `{uri}local` and `@{uri}local`. Off by default: they are
    /// ignored.
    ///
    /// Use it for a type that keeps unknown fields in a map, so that reading and [writing](crate::WriterBuilder::expanded_names) an entry
    /// loses none of them. Names, attributes and text survive; prefixes, comments and the order of elements with different names may be
    /// lost.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use serde::{Deserialize, Serialize};
    /// use sitemap_serde::{ReaderBuilder, WriterBuilder};
    ///
    /// #[derive(Serialize, Deserialize)]
    /// struct Page {
    ///     loc: String,
    ///     #[serde(flatten)]
    ///     rest: BTreeMap<String, serde_json::Value>,
    /// }
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:s="urn:shop">
    ///   <url><loc>https://example.com/</loc><s:price unit="EUR">9.90</s:price></url>
    /// </urlset>"#;
    /// let mut reader = ReaderBuilder::new().expanded_names(true).from_str(xml);
    /// let page: Page = reader.deserialize().next().unwrap()?;
    /// assert_eq!(page.rest["{urn:shop}price"]["@unit"], "EUR");
    ///
    /// let mut writer = WriterBuilder::new().expanded_names(true).from_writer(Vec::new());
    /// writer.serialize(&page)?;
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains(r#" xmlns:ns1="urn:shop">"#));
    /// assert!(xml.contains(r#"<ns1:price unit="EUR">9.90</ns1:price>"#));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn expanded_names(&mut self, expanded: bool) -> &mut Self {
        self.known.expand_names(expanded);
        self
    }

    /// Keeps elements of unknown namespaces as XML, in a field `$other` of type [`RawXml`](crate::RawXml), which has an example. Elements
    /// in the namespaces of sitemaps and extensions that the schema lacks are kept too. Off by default: such elements are ignored. If
    /// [`expanded_names`](Self::expanded_names) is also on, elements are kept as XML and attributes by their expanded names.
    pub fn raw_elements(&mut self, raw: bool) -> &mut Self {
        self.known.keep_raw(raw);
        self
    }

    /// Sets the URL of the sitemap's application, like the [writer's base](crate::WriterBuilder::base). [`read`](Reader::read) matches
    /// templates that begin with `/` against the part of a loc after the base; locs outside the base do not match. If unset, they match the
    /// part after the host, and any host is accepted.
    ///
    /// An invalid base is reported when a loc is first matched against it. A type may have
    /// [its own](derive@crate::FromSitemapEntry#base-and-encoding).
    ///
    /// ```
    /// use sitemap_serde::{FromSitemapEntry, ReaderBuilder};
    ///
    /// #[derive(FromSitemapEntry)]
    /// #[sitemap(loc = "/products/{id}")]
    /// struct Product {
    ///     id: u32,
    /// }
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url><loc>https://example.com/shop/products/7</loc></url>
    ///   <url><loc>https://example.com/blog/products/7</loc></url>
    /// </urlset>"#;
    /// let mut reader = ReaderBuilder::new().base("https://example.com/shop").from_str(xml);
    /// let mut products = reader.read::<Product>();
    /// assert_eq!(products.next().unwrap()?.id, 7);
    /// assert!(products.next().unwrap().is_err());
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn base(&mut self, base: impl Into<String>) -> &mut Self {
        self.base = Some(base.into());
        self
    }

    /// Sets the treatment of malformed documents; [`Mode::Strict`] by default. [`Reader::diagnostics`] lists the repairs of the other
    /// modes.
    pub fn mode(&mut self, mode: Mode) -> &mut Self {
        self.mode = mode;
        self
    }

    /// Sets the document's own location, an absolute URL. A [lenient](Mode::Lenient) reading resolves relative locs against it (RFC 3986
    /// section 5.2), and gives its scheme to a loc that begins with `www.` or with the location's host. Each such loc is a diagnostic
    /// (P-LOC). If unset, relative locs are kept unchanged.
    ///
    /// In a strict reading, where a relative loc is an error, a location is an [`ErrorKind::Settings`](crate::ErrorKind::Settings) error at
    /// the root. A location that is not an absolute URL is an error, too.
    ///
    /// ```
    /// use sitemap_serde::{Mode, ReaderBuilder};
    ///
    /// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    ///   <url><loc>/about</loc></url>
    ///   <url><loc>www.example.com/help</loc></url>
    /// </urlset>"#;
    /// let mut builder = ReaderBuilder::new();
    /// let mut reader = builder.mode(Mode::Lenient).location("https://www.example.com/sitemap.xml").from_str(xml);
    /// let locs: Vec<String> = reader.entries().map(|entry| entry.unwrap().loc).collect();
    /// assert_eq!(locs, ["https://www.example.com/about", "https://www.example.com/help"]);
    /// assert_eq!(reader.diagnostics()[0].found(), Some("/about"));
    /// ```
    pub fn location(&mut self, location: impl Into<String>) -> &mut Self {
        self.leniency.location = Some(location.into());
        self
    }

    /// Calls a function with each diagnostic of a [lenient](Mode::Lenient) reading as it is found, including diagnostics that no longer fit
    /// in [`Reader::diagnostics`].
    ///
    /// An entry has at most 1,000 diagnostics of repaired XML; [`Reader::dropped_diagnostics`] counts the others. In a strict reading, which
    /// has no diagnostics, the function is an [`ErrorKind::Settings`](crate::ErrorKind::Settings) error at the root.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::sync::Arc;
    ///
    /// use sitemap_serde::{Mode, ReaderBuilder};
    ///
    /// let repairs = Arc::new(AtomicU64::new(0));
    /// let counter = Arc::clone(&repairs);
    /// let mut builder = ReaderBuilder::new();
    /// builder.mode(Mode::Lenient).on_diagnostic(move |diagnostic| {
    ///     eprintln!("{diagnostic}");
    ///     counter.fetch_add(1, Ordering::Relaxed);
    /// });
    /// let mut reader = builder.from_str("<urlset><url><loc>https://example.com/?a&b</loc></url>");
    /// assert_eq!(reader.entries().count(), 1);
    /// assert_eq!(repairs.load(Ordering::Relaxed), 3); // the namespace, the `&`, and the end of the root
    /// ```
    pub fn on_diagnostic(&mut self, call: impl Fn(&Diagnostic) + Send + Sync + 'static) -> &mut Self {
        self.leniency.callback = Some(Callback(Arc::new(call)));
        self
    }

    /// Reads text sitemaps, RSS and Atom feeds as sitemaps: each line or item is an entry, its link the loc, its date the lastmod. The
    /// format is recognised by the document's [content](crate::format::sniff). If unset, only a [lenient](Mode::Lenient) reading reads
    /// them; see the [guide](crate::guide::other_formats).
    ///
    /// ```
    /// use sitemap_serde::ReaderBuilder;
    ///
    /// let mut builder = ReaderBuilder::new();
    /// builder.other_formats(true);
    ///
    /// let text = "https://example.com/\nhttps://example.com/about\n";
    /// let locs: Vec<String> = builder.from_str(text).entries().map(|entry| entry.unwrap().loc).collect();
    /// assert_eq!(locs, ["https://example.com/", "https://example.com/about"]);
    ///
    /// let rss = r#"<rss version="2.0"><channel><link>https://example.com/</link><item>
    ///   <link>https://example.com/news/1</link><pubDate>Sun, 06 Sep 2009 16:20:00 +0000</pubDate>
    /// </item></channel></rss>"#;
    /// let entry = builder.from_str(rss).entries().next().unwrap()?;
    /// assert_eq!(entry.loc, "https://example.com/news/1");
    /// assert_eq!(entry.lastmod.unwrap().to_string(), "2009-09-06T16:20:00+00:00");
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn other_formats(&mut self, read: bool) -> &mut Self {
        self.other_formats = Some(read);
        self
    }

    /// Notes the texts in entries that strict reading ignores, for a program that reports them.
    #[doc(hidden)]
    pub fn note_ignored(&mut self, noted: bool) -> &mut Self {
        self.notes_ignored = noted;
        self
    }

    /// The limits in the settings, for programs that read with a user's settings.
    #[doc(hidden)]
    pub fn limits_set(&self) -> &Limits {
        &self.limits
    }

    /// The location in the settings; see [`limits_set`](Self::limits_set).
    #[doc(hidden)]
    pub fn location_set(&self) -> Option<&str> {
        self.leniency.location.as_deref()
    }

    /// Sets the [`location`](Self::location) unless the mode is strict: the walk reads with the settings of its user.
    #[doc(hidden)]
    pub fn location_if_lenient(&mut self, location: impl Into<String>) -> &mut Self {
        match self.mode {
            Mode::Strict => self,
            Mode::Lenient | Mode::Correcting => self.location(location),
        }
    }

    fn document<S: Window>(&self, mut source: S) -> DocumentReader<S> {
        let is_lenient = self.mode != Mode::Strict;
        if is_lenient {
            source.take_odd_bytes();
        }
        let mut document = DocumentReader::new(source, self.limits.clone(), self.known.clone());
        if is_lenient {
            document.be_lenient(Leniency {
                corrects_values: self.mode == Mode::Correcting,
                ..self.leniency.clone()
            });
        } else if self.leniency.location.is_some() {
            document.refuse_setting("location", "`Mode::Strict`", STRICT_ADVICE);
        } else if self.leniency.callback.is_some() {
            document.refuse_setting("on_diagnostic", "`Mode::Strict`", STRICT_ADVICE);
        }
        if self.notes_ignored {
            document.note_ignored();
        }
        if self.other_formats.unwrap_or(is_lenient) {
            document.take_formats();
        }
        document
    }

    fn reader<S: Window>(&self, source: S) -> Reader<S> {
        Reader {
            document: self.document(source),
            rules: LocRules::of_base(self.base.as_deref()),
        }
    }

    /// Makes a reader of text.
    pub fn from_str<'de>(&self, text: &'de str) -> Reader<SliceSource<'de>> {
        self.reader(SliceSource::from_str(text))
    }

    /// Makes a reader of bytes.
    pub fn from_slice<'de>(&self, bytes: &'de [u8]) -> Reader<SliceSource<'de>> {
        self.reader(SliceSource::from_slice(bytes))
    }

    /// Makes a reader of an [`io::Read`](Read).
    pub fn from_reader<R: Read>(&self, reader: R) -> Reader<StreamSource<R>> {
        self.reader(StreamSource::new(reader))
    }

    /// Opens a file.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the file cannot be opened.
    pub fn from_path(&self, path: impl AsRef<Path>) -> Result<Reader<StreamSource<File>>> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|error| {
            let message = format!("cannot open {}: {error}", path.display());
            Error::io(error, message)
        })?;
        Ok(self.from_reader(file))
    }
}
