//! A part of an application's row that contributes values to the row's entry.

use crate::error::Result;

use super::{EntryReader, EntryWriter};

/// A part of a row that writes the lastmod, changefreq, priority, images, videos, news or alternates of the row's entry, but no loc. `#[derive(SitemapFields)]` implements it; a field of the row that holds such a value is marked
/// `#[sitemap(flatten)]`. References, boxes and options of such types implement it too; `None` writes nothing.
///
/// A manual implementation:
///
/// ```
/// use sitemap_serde::{EntryWriter, Result, SitemapEntry, SitemapFields, WriterBuilder};
///
/// struct Stamps {
///     updated: String,
/// }
///
/// impl SitemapFields for Stamps {
///     fn write_fields(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
///         entry.lastmod(&self.updated)
///     }
/// }
///
/// #[derive(SitemapEntry)]
/// #[sitemap(loc = "/{slug}")]
/// struct Page {
///     slug: String,
///     #[sitemap(flatten)]
///     stamps: Option<Stamps>,
/// }
///
/// let page = Page { slug: "lamp".to_owned(), stamps: Some(Stamps { updated: "2024-05-06".to_owned() }) };
/// let mut builder = WriterBuilder::new();
/// let entries = builder.base("https://example.com").to_entries(&page)?;
/// assert_eq!(entries[0].lastmod, Some("2024-05-06".parse()?));
/// # Result::<()>::Ok(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives an entry no fields",
    label = "does not implement `SitemapFields`",
    note = "derive it: `#[derive(SitemapFields)]` with `#[sitemap(lastmod)]` and so on; without any it gives nothing but the values \
            that a template names",
    note = "for a type of somebody else's put `write_with = path::to::function` beside `flatten`, which returns what implements it, or an \
            `Option` of that"
)]
pub trait SitemapFields {
    /// The values that an entry has only once and that it writes, according to the derive.
    #[doc(hidden)]
    const GIVES: Gives = Gives::UNKNOWN;

    /// Writes the values to `entry`, in any order.
    ///
    /// # Errors
    /// The errors of `entry`'s functions; make your own with [`Error::custom`](crate::Error::custom). After an error, nothing of the entry
    /// is written.
    fn write_fields(&self, entry: &mut EntryWriter<'_>) -> Result<()>;

    /// Returns the title of the row's pages, if the row has none of its own; see [`SitemapEntry::page_title`](crate::SitemapEntry::page_title).
    /// The default returns `None`.
    fn page_title(&self) -> Option<String> {
        None
    }
}

impl<T: SitemapFields + ?Sized> SitemapFields for &T {
    const GIVES: Gives = T::GIVES;

    fn write_fields(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        (**self).write_fields(entry)
    }

    fn page_title(&self) -> Option<String> {
        (**self).page_title()
    }
}

impl<T: SitemapFields + ?Sized> SitemapFields for Box<T> {
    const GIVES: Gives = T::GIVES;

    fn write_fields(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        (**self).write_fields(entry)
    }

    fn page_title(&self) -> Option<String> {
        (**self).page_title()
    }
}

impl<T: SitemapFields> SitemapFields for Option<T> {
    const GIVES: Gives = T::GIVES;

    fn write_fields(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.as_ref().map_or(Ok(()), |fields| fields.write_fields(entry))
    }

    fn page_title(&self) -> Option<String> {
        self.as_ref().and_then(SitemapFields::page_title)
    }
}

/// A part of a row that is read from an entry's values, the reverse of [`SitemapFields`]. `#[derive(FromSitemapFields)]` implements it; a
/// field of the row that holds such a value is marked `#[sitemap(flatten)]`. Boxes and options of such types implement it too: an `Option`
/// is `None` if the entry has none of its values.
///
/// A manual implementation:
///
/// ```
/// use sitemap_serde::{EntryReader, FromSitemapEntry, FromSitemapFields, Reader, Result, W3cDateTime};
///
/// struct Stamps {
///     updated: Option<W3cDateTime>,
/// }
///
/// impl FromSitemapFields for Stamps {
///     fn from_fields(entry: &EntryReader<'_>) -> Result<Self> {
///         Ok(Stamps { updated: entry.lastmod()? })
///     }
/// }
///
/// #[derive(FromSitemapEntry)]
/// #[sitemap(loc = "/{slug}")]
/// struct Page {
///     slug: String,
///     #[sitemap(flatten)]
///     stamps: Stamps,
/// }
///
/// let xml = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url><loc>https://example.com/lamp</loc><lastmod>2024-05-06</lastmod></url>
/// </urlset>"#;
/// let page: Page = Reader::from_str(xml).read().next().unwrap()?;
/// assert_eq!(page.slug, "lamp");
/// assert_eq!(page.stamps.updated, Some("2024-05-06".parse()?));
/// # Result::<()>::Ok(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the values of an entry",
    label = "does not implement `FromSitemapFields`",
    note = "derive it: `#[derive(FromSitemapFields)]` with the `#[sitemap(…)]` attributes of `SitemapFields`",
    note = "for a type of somebody else's put `read_with = path::to::function` beside `flatten`, which takes what implements it and returns \
            the field's value"
)]
pub trait FromSitemapFields: Sized {
    /// The values of an entry that it reads, according to the derive.
    #[doc(hidden)]
    const READS: Gives = Gives::UNKNOWN;

    /// Reads a value from an entry.
    ///
    /// # Errors
    /// The errors of `entry`'s functions; make your own with [`Error::custom`](crate::Error::custom).
    fn from_fields(entry: &EntryReader<'_>) -> Result<Self>;

    /// Calls `add` with prefix and URI of each namespace that the type declares for its elements.
    #[doc(hidden)]
    fn namespaces(add: &mut dyn FnMut(&'static str, &'static str)) {
        let _ = add;
    }

    /// Returns `true` if the entry has any of its values; if not, an `Option` of the type is `None`. The default returns `true`.
    fn has_fields(entry: &EntryReader<'_>) -> bool {
        let _ = entry;
        true
    }
}

impl<T: FromSitemapFields> FromSitemapFields for Box<T> {
    const READS: Gives = T::READS;

    fn namespaces(add: &mut dyn FnMut(&'static str, &'static str)) {
        T::namespaces(add);
    }

    fn from_fields(entry: &EntryReader<'_>) -> Result<Self> {
        T::from_fields(entry).map(Box::new)
    }

    fn has_fields(entry: &EntryReader<'_>) -> bool {
        T::has_fields(entry)
    }
}

impl<T: FromSitemapFields> FromSitemapFields for Option<T> {
    const READS: Gives = T::READS;

    fn namespaces(add: &mut dyn FnMut(&'static str, &'static str)) {
        T::namespaces(add);
    }

    fn from_fields(entry: &EntryReader<'_>) -> Result<Self> {
        if T::has_fields(entry) {
            return T::from_fields(entry).map(Some);
        }
        Ok(None)
    }

    fn has_fields(entry: &EntryReader<'_>) -> bool {
        T::has_fields(entry)
    }
}

/// The values that an entry has only once and that a type writes. If two parts write the same one, that is a compile error.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Gives(u8);

#[doc(hidden)]
#[allow(missing_docs, reason = "for what the derive generates")]
impl Gives {
    /// Unknown: a second value is an error when it is written.
    pub const UNKNOWN: Gives = Gives(0);
    pub const LASTMOD: Gives = Gives(1);
    pub const CHANGEFREQ: Gives = Gives(2);
    pub const PRIORITY: Gives = Gives(4);
    pub const NEWS: Gives = Gives(8);
    pub const ALTERNATE: Gives = Gives(16);
    pub const IMAGE: Gives = Gives(32);
    pub const VIDEO: Gives = Gives(64);

    #[must_use]
    pub const fn and(self, other: Gives) -> Gives {
        Gives(self.0 | other.0)
    }

    #[must_use]
    pub const fn has(self, other: Gives) -> bool {
        self.0 & other.0 != 0
    }
}
