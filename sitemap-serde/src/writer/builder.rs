//! Settings of a writer.
//!
//! **One policy for what is invalid**, by the same name for a writer, a set and a site. The writer drops values; whoever knows the row's
//! key skips the row: a part asks its writer for the problems of the last row (`Writer::take_problems`, hidden), so that a set's message
//! and a site's log name the key. Problems of limits, settings and files are errors under every policy.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use serde_core::Deserialize as _;
use sitemap_values::Precision;

use crate::de::Deserializer;
use crate::document::{DocumentReader, DocumentSettings, DocumentWriter, Stylesheet};
use crate::engine::{self, Engine};
use crate::entry::SitemapEntry;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::loc::{LocRules, LocSettings};
use crate::model::Kind;
use crate::record::{OnInvalid, RecordState, Report};
use crate::schema::UrlEntry;
use crate::ser::Serializer;
use crate::xml::names::KnownNamespaces;
use crate::xml::source::SliceSource;

use super::{OutputFile, Writer};

/// Builder of a [`Writer`], a [`Serializer`] or an [`Editor`](crate::Editor).
///
/// ```
/// use sitemap_serde::{IndexEntry, Kind, WriterBuilder};
///
/// let mut writer = WriterBuilder::new()
///     .kind(Kind::SitemapIndex)
///     .base("https://example.com")
///     .pretty(true)
///     .from_writer(Vec::new());
/// writer.serialize(&IndexEntry::new("/sitemap-1.xml"))?;
/// assert_eq!(
///     String::from_utf8(writer.finish()?).unwrap(),
///     r#"<?xml version="1.0" encoding="UTF-8"?>
/// <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <sitemap>
///     <loc>https://example.com/sitemap-1.xml</loc>
///   </sitemap>
/// </sitemapindex>
/// "#
/// );
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WriterBuilder {
    /// `None` if the first entry decides.
    kind: Option<Kind>,
    loc: LocSettings,
    pretty: bool,
    limits: Option<Limits>,
    pub(super) engines: Vec<Engine>,
    stylesheet: Option<Stylesheet>,
    known: KnownNamespaces,
    declare: Vec<String>,
    check_alternates: bool,
    precision: Precision,
    rows_before: u64,
    on_invalid: Option<OnInvalid>,
    report: Option<Report>,
    keeps_problems: bool,
}

impl Default for WriterBuilder {
    fn default() -> Self {
        WriterBuilder::new()
    }
}

/// The settings of a writer that are an editor's too.
#[derive(Debug)]
pub(crate) struct EditorSettings {
    pub(crate) loc: LocSettings,
    pub(crate) limits: Limits,
    pub(crate) known: KnownNamespaces,
    /// The first setting that is set and does nothing in an editor.
    pub(crate) useless: Option<&'static str>,
}

impl WriterBuilder {
    /// Makes a builder with the defaults: compact, the kind of the first entry, no base and no location, URLs in UTF-8, the protocol's
    /// limits.
    pub fn new() -> Self {
        WriterBuilder {
            kind: None,
            loc: LocSettings::default(),
            pretty: false,
            limits: None,
            engines: Vec::new(),
            stylesheet: None,
            known: KnownNamespaces::for_writing(),
            declare: Vec::new(),
            check_alternates: false,
            precision: Precision::Fraction,
            rows_before: 0,
            on_invalid: None,
            report: None,
            keeps_problems: false,
        }
    }

    /// Sets the kind of document: urlset or sitemapindex.
    ///
    /// If unset, the first entry decides: an [`IndexEntry`](crate::IndexEntry), or a type that [sets it](crate::EntryWriter::kind), makes
    /// the document a sitemapindex; every other type makes it a urlset. A document without entries is a urlset. An entry of the other kind
    /// is an error (P-NS). A [`Serializer`] does not wait for the first entry: it writes a sequence as a urlset, like
    /// [`to_string`](crate::to_string()).
    ///
    /// ```
    /// use sitemap_serde::{IndexEntry, UrlEntry, Writer};
    ///
    /// let mut writer = Writer::from_writer(Vec::new());
    /// writer.write(&IndexEntry::new("https://example.com/1.xml"))?;
    /// let page = writer.write(&UrlEntry::new("https://example.com/")).unwrap_err();
    /// assert_eq!(
    ///     page.to_string(),
    ///     "a `url` entry in a sitemapindex: a sitemapindex lists `sitemap` entries (P-NS); write it to a urlset, with \
    ///      `Kind::UrlSet` or the type `UrlSet`, entry 2"
    /// );
    /// assert!(writer.finish()?.ends_with(b"<sitemap><loc>https://example.com/1.xml</loc></sitemap></sitemapindex>"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn kind(&mut self, kind: Kind) -> &mut Self {
        self.kind = Some(kind);
        self
    }

    /// Sets the base, the URL that paths are appended to: scheme, host, port, and an optional path prefix; no query.
    ///
    /// A loc that begins with `/` is appended to the base. A loc that begins with `//` is an error, since a host follows `//` (P-LOC).
    /// Every other loc must be on the base's site (P-HOST, and P-IDX1 in an index), unless [`location`](Self::location) or
    /// [`cross_submission`](Self::cross_submission) changes the scope. An invalid base is an error of [`check`](Self::check), of every
    /// entry and of [`finish`](Writer::finish). A type may have [its own](derive@crate::SitemapEntry#base).
    ///
    /// ```
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new().base("https://example.com/shop/").from_writer(Vec::new());
    /// writer.serialize(&UrlEntry::new("/products/1"))?; // https://example.com/shop/products/1
    /// let elsewhere = writer.serialize(&UrlEntry::new("https://example.org/")).unwrap_err();
    /// assert_eq!(elsewhere.rule(), Some(sitemap_serde::Rule::Host));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn base(&mut self, base: impl Into<String>) -> &mut Self {
        self.loc.base = Some(base.into());
        self
    }

    /// Sets the URL of the document itself: absolute, or, with a [`base`](Self::base), a path that begins with `/`.
    ///
    /// A sitemap lists pages of its own site (P-HOST), in its own directory and below it (P-PATH); an index lists sitemaps of its own site
    /// (P-IDX1), in its own directory and below it (P-IDX2). If a location is set, every other loc is an error, unless
    /// [`cross_submission`](Self::cross_submission) is allowed. Dot segments are resolved before paths are compared, and triplets of
    /// unreserved characters equal the characters. An invalid location is an error like an invalid base.
    ///
    /// ```
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new()
    ///     .base("https://example.com")
    ///     .location("/shop/sitemap.xml")
    ///     .from_writer(Vec::new());
    /// writer.serialize(&UrlEntry::new("/shop/lamps"))?;
    /// let above = writer.serialize(&UrlEntry::new("/about")).unwrap_err();
    /// assert_eq!(
    ///     above.to_string(),
    ///     "`https://example.com/about` is not below `https://example.com/shop/`, where the sitemap is: a sitemap lists \
    ///      pages of its own directory and those below it (P-PATH); put the sitemap higher up, or allow cross-submission, \
    ///      entry 2 · loc"
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn location(&mut self, location: impl Into<String>) -> &mut Self {
        self.loc.location = Some(location.into());
        self
    }

    /// Allows URLs outside the document's scope (its site and directory), as the protocol's cross-submission through robots.txt
    /// does (P-HOST, P-PATH, P-IDX1, P-IDX2). Off by default.
    ///
    /// ```
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new()
    ///     .location("https://sitemaps.example.net/example.com/1.xml")
    ///     .cross_submission(true) // https://example.com/robots.txt says `Sitemap:` with that address
    ///     .from_writer(Vec::new());
    /// writer.serialize(&UrlEntry::new("https://example.com/"))?;
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn cross_submission(&mut self, allowed: bool) -> &mut Self {
        self.loc.cross_submission = allowed;
        self
    }

    /// Sets the encoding of the server's URLs: characters outside ASCII are percent-encoded in it (P-LOCENC); UTF-8 by default. The
    /// document itself is always in UTF-8 (P-UTF8).
    ///
    /// The names come from the [Encoding Standard](https://encoding.spec.whatwg.org/#names-and-labels), in any case: `euc-jp`, `shift_jis`,
    /// `gbk`, `windows-1252` (also named `iso-8859-1` there). All except UTF-8 need the feature `encoding`. An unknown name, or the name of
    /// an encoding without an encoder (`utf-16`), is an error like an invalid [`base`](Self::base); a character that the encoding lacks is
    /// an error of its entry. Existing percent-encoded bytes are preserved. A type may have [its own](derive@crate::SitemapEntry#encoding).
    ///
    #[cfg_attr(feature = "encoding", doc = "```")]
    #[cfg_attr(not(feature = "encoding"), doc = "```ignore")]
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new()
    ///     .encoding("euc-jp")
    ///     .lowercase_hex(true)
    ///     .from_writer(Vec::new());
    /// writer.serialize(&UrlEntry::new("http://www.example.com/サイトマップ"))?;
    /// let wave = writer.serialize(&UrlEntry::new("http://www.example.com/🌊")).unwrap_err();
    /// assert_eq!(wave.rule(), Some(sitemap_serde::Rule::LocEnc));
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains("<loc>http://www.example.com/%a5%b5%a5%a4%a5%c8%a5%de%a5%c3%a5%d7</loc>"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn encoding(&mut self, name: impl Into<String>) -> &mut Self {
        self.loc.encoding = Some(name.into());
        self
    }

    /// Writes percent-encoded bytes with lower-case hex digits, `%e3`. Off by default: RFC 3986 section 2.1 recommends upper case, `%E3`;
    /// both are the same URL. Existing triplets are preserved.
    ///
    /// ```
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new().lowercase_hex(true).from_writer(Vec::new());
    /// writer.serialize(&UrlEntry::new("https://example.com/é%C3%A9"))?;
    /// assert!(String::from_utf8(writer.finish()?).unwrap().contains("/%c3%a9%C3%A9<"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn lowercase_hex(&mut self, lowercase: bool) -> &mut Self {
        self.loc.lowercase_hex = lowercase;
        self
    }

    /// Indents the elements by two spaces a level. Off by default.
    pub fn pretty(&mut self, pretty: bool) -> &mut Self {
        self.pretty = pretty;
        self
    }

    /// Sets the maximum number of entries and bytes of the document; the defaults are the protocol's 50,000 and 52,428,800.
    pub fn limits(&mut self, limits: Limits) -> &mut Self {
        self.limits = Some(limits);
        self
    }

    /// Adds a search engine that the document is for. The strictest of all engines' limits and the [limits](Self::limits) counts. For
    /// [`Engine::Baidu`], a document has at most 10,485,760 bytes, and a written loc at most 256. The errors name the engine (L-ENGINE). An
    /// unlimited size (`u64::MAX`) stays unlimited.
    ///
    /// ```
    /// use sitemap_serde::engine::Engine;
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new().engine(Engine::Google).engine(Engine::Baidu).from_writer(Vec::new());
    /// let long = UrlEntry::new(format!("https://example.com/{}", "a".repeat(237)));
    /// let error = writer.write(&long).unwrap_err().to_string();
    /// assert!(error.contains("has 257 bytes: Baidu reads at most 256 (L-ENGINE)"), "{error}");
    /// ```
    pub fn engine(&mut self, engine: Engine) -> &mut Self {
        self.engines.push(engine);
        self.loc.engine = engine::most_loc_bytes(&self.engines);
        self
    }

    /// The engines that the document is for.
    #[doc(hidden)]
    pub fn engines(&self) -> &[Engine] {
        &self.engines
    }

    /// Sets the stylesheet for browsers, as an `xml-stylesheet` instruction: the URL of a CSS file, or of an XSLT file if it ends in `.xsl`
    /// or `.xslt` (browsers are removing XSLT).
    ///
    /// The URL may be relative to the document. Characters that are not allowed in a URL are percent-encoded in UTF-8, as browsers do, not
    /// in the [`encoding`](Self::encoding) of the locs. An empty URL, or a URL with another scheme than http or https, is an error like an
    /// invalid [`base`](Self::base).
    ///
    /// ```
    /// let mut writer = sitemap_serde::WriterBuilder::new().stylesheet("/sitemap.css").from_writer(Vec::new());
    /// writer.try_finish()?;
    /// let xml = std::str::from_utf8(writer.get_ref()).unwrap();
    /// assert!(xml.contains("<?xml-stylesheet type=\"text/css\" href=\"/sitemap.css\"?>\n<urlset"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn stylesheet(&mut self, url: impl AsRef<str>) -> &mut Self {
        self.stylesheet = Some(Stylesheet::new(url.as_ref().to_owned()));
        self
    }

    /// Declares your own namespace: fields named `prefix:name` are its elements, and `@prefix:name` its attributes. The counterpart of
    /// [`ReaderBuilder::namespace`](crate::ReaderBuilder::namespace).
    ///
    /// A namespace is declared in the document where it is used: on the root if the first entry's type has a field in it, otherwise on the
    /// element. See [`declare`](Self::declare). The namespaces of the extensions (`image`, `video`, `news`, `xhtml`, `mobile`, `pagemap`)
    /// need no call. It is an error like an invalid [`base`](Self::base) if the prefix is not an XML name or belongs to an extension, or if
    /// the namespace already has a prefix. At most 256 namespaces are supported.
    ///
    /// ```
    /// use sitemap_serde::WriterBuilder;
    ///
    /// #[derive(serde::Serialize)]
    /// struct Page {
    ///     loc: &'static str,
    ///     #[serde(rename = "shop:price")]
    ///     price: f64,
    /// }
    ///
    /// let mut writer = WriterBuilder::new().namespace("shop", "urn:shop").from_writer(Vec::new());
    /// writer.serialize(&Page { loc: "https://example.com/", price: 9.9 })?;
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains(r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:shop="urn:shop">"#));
    /// assert!(xml.contains("<shop:price>9.9</shop:price>"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn namespace(&mut self, prefix: impl AsRef<str>, uri: impl AsRef<str>) -> &mut Self {
        self.known.add(prefix.as_ref(), uri.as_ref());
        self
    }

    /// Writes fields named `{uri}local` and `@{uri}local` as elements and attributes of the namespace `uri`, which gets its own prefix:
    /// `ns1` and so on. Off by default. The counterpart of [`ReaderBuilder::expanded_names`](crate::ReaderBuilder::expanded_names), which
    /// has an example.
    ///
    /// In these namespaces a unit is an empty element (`<ns1:x/>`), and `None` is no element. A document may have at most 256 namespaces
    /// outside the schema; an entry with one more is an error.
    pub fn expanded_names(&mut self, expanded: bool) -> &mut Self {
        self.known.expand_names(expanded);
        self
    }

    /// Declares a namespace on the root, even if the first entry does not use it. Otherwise, if the first entry does not use it, each later
    /// entry that does declares it again. The prefix belongs to an extension (`image`) or a [`namespace`](Self::namespace); any other is an
    /// error like an invalid [`base`](Self::base).
    ///
    /// ```
    /// use sitemap_serde::{Image, UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new().declare("image").from_writer(Vec::new());
    /// writer.serialize(&UrlEntry::new("https://example.com/"))?;
    /// let mut lamp = UrlEntry::new("https://example.com/lamp");
    /// lamp.images.push(Image::new("https://example.com/lamp.jpg"));
    /// writer.serialize(&lamp)?;
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains(r#" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url>"#));
    /// assert!(xml.contains("<image:image><image:loc>"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn declare(&mut self, prefix: impl Into<String>) -> &mut Self {
        self.declare.push(prefix.into());
        self
    }

    /// Requires an entry's alternates to link to the page itself, and to have no language twice (P-ALT3); other entries are errors.
    /// Off by default; always on for the derive's [`languages`](derive@crate::SitemapEntry#languages).
    ///
    /// ```
    /// use sitemap_serde::{Alternate, Rule, UrlEntry, WriterBuilder};
    ///
    /// let mut page = UrlEntry::new("https://example.com/en/lamp");
    /// page.alternates.push(Alternate::new("de", "https://example.com/de/lampe"));
    /// let mut writer = WriterBuilder::new().check_alternates(true).from_writer(Vec::new());
    /// assert_eq!(writer.write(&page).unwrap_err().rule(), Some(Rule::Alt3));
    /// page.alternates.push(Alternate::new("en", "https://example.com/en/lamp"));
    /// writer.write(&page)?;
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn check_alternates(&mut self, check: bool) -> &mut Self {
        self.check_alternates = check;
        self
    }

    /// Sets the finest precision of written lastmods: finer parts are truncated, not rounded, and a date is the date in the value's own
    /// zone. Use it for databases whose fractions of a second mean nothing to a crawler. If unset, nothing is truncated.
    ///
    /// The XSD has dates, and date-times with seconds (P-LASTMODX): [`Day`](Precision::Day) and
    /// [`Second`](Precision::Second). A type can set its own precision with
    /// [`precision`](derive@crate::SitemapEntry#precision).
    ///
    /// ```
    /// use sitemap_serde::{Precision, UrlEntry, WriterBuilder};
    ///
    /// let mut page = UrlEntry::new("https://example.com/");
    /// page.lastmod = Some("2024-05-06T07:08:09.123456789Z".parse()?);
    /// let mut writer = WriterBuilder::new().lastmod_precision(Precision::Second).from_writer(Vec::new());
    /// writer.write(&page)?;
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains("<lastmod>2024-05-06T07:08:09Z</lastmod>"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn lastmod_precision(&mut self, precision: Precision) -> &mut Self {
        self.precision = precision;
        self
    }

    /// Sets the number of rows in earlier documents, if the rows fill several: errors then count the rows of all documents. 0 by default.
    #[doc(hidden)]
    pub fn rows_before(&mut self, rows: u64) -> &mut Self {
        self.rows_before = rows;
        self
    }

    /// Keeps problems for [`Writer::take_problems`].
    #[doc(hidden)]
    pub fn keep_problems(&mut self) -> &mut Self {
        self.keeps_problems = true;
        self
    }

    /// Sets the policy for invalid values in a row: an error (the default), or the invalid [value is dropped](OnInvalid::DropValue), or the
    /// [row is skipped](OnInvalid::SkipEntry). Use it for rows of a database, and for entries that were read, if an invalid image must not
    /// cost the page.
    ///
    /// [`on_problem`](Self::on_problem) receives each dropped value and skipped row, and [`Writer::summary`] counts them. A row that no
    /// longer fits in the document is an error under every policy. The policy applies to [`write`](Writer::write) and everything else that
    /// accepts a [`SitemapEntry`](crate::SitemapEntry), but not to [`serialize`](Writer::serialize).
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use sitemap_serde::{OnInvalid, SitemapEntry, WriterBuilder};
    ///
    /// #[derive(SitemapEntry)]
    /// #[sitemap(loc = "{+path}")]
    /// struct Product {
    ///     path: &'static str,
    ///     #[sitemap(image)]
    ///     picture: &'static str,
    /// }
    ///
    /// let products = [("/1", "/a.jpg"), ("/2", "file:///b.jpg"), ("ftp://c", "/c.jpg")];
    /// let products = products.map(|(path, picture)| Product { path, picture });
    /// for (policy, entries, dropped, skipped) in [(OnInvalid::DropValue, 2, 1, 1), (OnInvalid::SkipEntry, 1, 0, 2)] {
    ///     let mut builder = WriterBuilder::new();
    ///     let mut writer = builder.base("https://example.com").on_invalid(policy).from_writer(Vec::new());
    ///     for product in &products {
    ///         writer.write(product)?;
    ///     }
    ///     let summary = writer.summary();
    ///     assert_eq!((summary.entries, summary.dropped, summary.skipped), (entries, dropped, skipped));
    /// }
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn on_invalid(&mut self, policy: OnInvalid) -> &mut Self {
        self.on_invalid = Some(policy);
        self
    }

    /// Sets a function that receives the problem of each value that is dropped, and of each row that is skipped, because of
    /// [`on_invalid`](Self::on_invalid). [`Error::dropped`](crate::Error::dropped) names the dropped part.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use sitemap_serde::{Image, OnInvalid, UrlEntry, WriterBuilder};
    ///
    /// let problems = Arc::new(Mutex::new(Vec::new()));
    /// let seen = problems.clone();
    /// let mut builder = WriterBuilder::new();
    /// builder
    ///     .base("https://example.com")
    ///     .on_invalid(OnInvalid::DropValue)
    ///     .on_problem(move |problem| seen.lock().unwrap().push(problem.to_string()));
    ///
    /// let page = UrlEntry::new("/products/7").with_images(["/a.jpg", "file:///b.jpg", "/c.jpg"].map(Image::new));
    /// let xml = builder.entries_to_string([page])?;
    /// assert_eq!(xml.matches("<image:image>").count(), 2);
    /// assert_eq!(
    ///     *problems.lock().unwrap(),
    ///     ["`file:///b.jpg` is not http or https: crawlers fetch nothing else; write its web address, or leave it out (P-IMG2), entry 1 · image:image[1] · image:loc, \
    ///       loc `https://example.com/products/7`"]
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn on_problem(&mut self, problem: impl Fn(&Error) + Send + Sync + 'static) -> &mut Self {
        self.report = Some(Report(Arc::new(problem)));
        self
    }

    /// The limits, including the engines'.
    pub(super) fn document_limits(&self) -> Limits {
        let limits = self.limits.clone().unwrap_or_else(Limits::writing);
        limits.for_engines(&self.engines)
    }

    /// The names of the settings that concern the document rather than its entries: a set and a site have other settings for these.
    #[doc(hidden)]
    pub fn document_settings(&self) -> Vec<&'static str> {
        let settings = [
            ("base", self.loc.base.is_some()),
            ("kind", self.kind.is_some()),
            ("limits", self.limits.is_some()),
            ("location", self.loc.location.is_some()),
            ("on_invalid", self.on_invalid.is_some()),
            ("on_problem", self.report.is_some()),
            ("stylesheet", self.stylesheet.is_some()),
        ];
        let set = settings.into_iter().filter(|(_, is_set)| *is_set);
        set.map(|(name, _)| name).collect()
    }

    /// What an editor takes from the settings.
    pub(crate) fn editor_settings(&self) -> EditorSettings {
        let useless = [
            ("kind", self.kind.is_some()),
            ("pretty", self.pretty),
            ("stylesheet", self.stylesheet.is_some()),
            ("declare", !self.declare.is_empty()),
            ("lastmod_precision", self.precision != Precision::Fraction),
            ("check_alternates", self.check_alternates),
            ("on_invalid", self.on_invalid.is_some()),
            ("on_problem", self.report.is_some()),
        ];
        let useless = useless.into_iter().find(|(_, is_set)| *is_set);
        EditorSettings {
            loc: self.loc.clone(),
            limits: self.document_limits(),
            known: self.known.clone(),
            useless: useless.map(|(name, _)| name),
        }
    }

    fn document<W: Write>(&self, inner: W) -> DocumentWriter<W> {
        let limits = self.document_limits();
        let settings = DocumentSettings {
            kind: self.kind.unwrap_or_default(),
            is_kind_set: self.kind.is_some(),
            pretty: self.pretty,
            is_text: false,
            unchecked_bytes: limits.unchecked_bytes(),
            limits,
            stylesheet: self.stylesheet.clone(),
            declare: self.declare.clone(),
            rows_before: self.rows_before,
        };
        let rules = LocRules::new(&self.loc);
        let mut record = RecordState::new(self.pretty, rules, self.known.clone());
        record.check_alternates = self.check_alternates;
        record.precision = self.precision;
        record.on_invalid = self.on_invalid.unwrap_or_default();
        let mut document = DocumentWriter::new(inner, settings, record);
        document.report.clone_from(&self.report);
        document.problems = self.keeps_problems.then(Vec::new);
        document
    }

    /// Checks the settings, so that a program can report an invalid one when it starts, not with the first document. The builder's setters
    /// check nothing, so that they chain.
    ///
    /// # Errors
    /// [`ErrorKind::Settings`](crate::ErrorKind::Settings) if the [`base`](Self::base), the [`location`](Self::location), the
    /// [`encoding`](Self::encoding), a [`namespace`](Self::namespace) or a [declared](Self::declare) prefix is invalid.
    ///
    /// ```
    /// use sitemap_serde::WriterBuilder;
    ///
    /// let mut builder = WriterBuilder::new();
    /// builder.base("https://example.com").check()?;
    /// assert_eq!(
    ///     builder.base("example.com").check().unwrap_err().to_string(),
    ///     "`example.com` is not a base: it has no scheme and host (did you mean `https://example.com`?); a base is a scheme \
    ///      (http or https), a host, a port and a path prefix, such as `https://example.com` or `https://example.com/shop` (P-LOC)"
    /// );
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn check(&self) -> Result<()> {
        self.document(std::io::sink()).check_settings()
    }

    /// Returns the entries that a writer makes of a row: locs are resolved and encoded, and every value is checked. A row that is not
    /// listed has none. Use it for tests of a derive, for previews, and for writing rows in another format. Elements of your own namespaces
    /// are not included.
    ///
    /// # Errors
    /// See [`Writer::write`].
    ///
    /// ```
    /// use sitemap_serde::{SitemapEntry, UrlEntry, WriterBuilder};
    ///
    /// #[derive(SitemapEntry)]
    /// #[sitemap(loc = "/products/{slug}", priority = 0.8)]
    /// struct Product {
    ///     slug: &'static str,
    /// }
    ///
    /// let mut builder = WriterBuilder::new();
    /// builder.base("https://example.com");
    /// let mut expected = UrlEntry::new("https://example.com/products/caf%C3%A9");
    /// expected.priority = Some("0.8".parse()?);
    /// assert_eq!(builder.to_entries(&Product { slug: "café" })?, [expected]);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn to_entries<T: SitemapEntry + ?Sized>(&self, row: &T) -> Result<Vec<UrlEntry>> {
        let xml = self.entries_to_string([row])?;
        let limits = self.document_limits().with_entries(u64::MAX).with_bytes(u64::MAX);
        let document = DocumentReader::new(SliceSource::from_str(&xml), limits, KnownNamespaces::default());
        Vec::deserialize(&mut Deserializer::over(document))
    }

    /// Makes a writer into `inner`.
    pub fn from_writer<W: Write>(&self, inner: W) -> Writer<W> {
        Writer {
            document: Some(self.document(inner)),
        }
    }

    /// Makes a writer of a text sitemap into `inner`: only the locs of entries, one per line, in UTF-8 (P-TXT1), within the same
    /// [limits](Self::limits) (P-TXT2). The other values of an entry (dates, images, alternates) are checked, but not written. A text has
    /// no end, so a reader cannot tell that its writer was dropped instead of [finished](Writer::finish).
    ///
    /// ```
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new().base("https://example.com").text_from_writer(Vec::new());
    /// for path in ["/", "/a & b"] {
    ///     writer.write(&UrlEntry::new(path))?;
    /// }
    /// assert_eq!(writer.finish()?, b"https://example.com/\nhttps://example.com/a%20&%20b\n");
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn text_from_writer<W: Write>(&self, inner: W) -> Writer<W> {
        let mut document = self.document(inner);
        document.set_text();
        Writer {
            document: Some(document),
        }
    }

    /// Creates or truncates a file and makes a writer into it, compressed if the name ends in `.gz` (P-GZIP).
    ///
    /// [`finish`](Writer::finish) writes the compressed file's trailer: if the writer is dropped instead, the file is not valid
    /// gzip.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the file cannot be created, and [`ErrorKind::Settings`](crate::ErrorKind::Settings)
    /// if its name ends in `.gz` and the feature `gzip` is off.
    pub fn from_path(&self, path: impl AsRef<Path>) -> Result<Writer<OutputFile>> {
        let file = OutputFile::create(path.as_ref())?;
        Ok(Writer {
            document: Some(self.document(file).completed_by(OutputFile::complete)),
        })
    }

    /// Makes a serde [`Serializer`] that writes one whole document to `inner`.
    ///
    /// ```
    /// use serde::Serialize;
    /// use sitemap_serde::{UrlEntry, WriterBuilder};
    ///
    /// let mut serializer = WriterBuilder::new().base("https://example.com").serializer_from_writer(Vec::new());
    /// vec![UrlEntry::new("/")].serialize(&mut serializer)?;
    /// assert!(serializer.into_inner().ends_with(b"<loc>https://example.com/</loc></url></urlset>"));
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub fn serializer_from_writer<W: Write>(&self, inner: W) -> Serializer<W> {
        Serializer::over(self.document(inner))
    }
}
