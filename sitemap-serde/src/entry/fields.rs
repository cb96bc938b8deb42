//! A part of an application's row that gives values to the row's entry.

use crate::error::Result;

use super::EntryWriter;

/// A type whose values are a part of a row and give the row's entry its lastmod, changefreq, priority, images, videos, news or
/// alternates, but no loc. `#[derive(SitemapFields)]` implements it; a field of the row that holds such a value is marked
/// `#[sitemap(flatten)]`. References, boxes and options of such types are too, `None` gives nothing.
///
/// By hand:
///
/// ```
/// use sitemap_serde::convert::EntryWriter;
/// use sitemap_serde::{Result, SitemapEntry, SitemapFields, WriterBuilder};
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
    note = "for a type of somebody else's put `with = path::to::function` beside `flatten`, which returns what implements it, or an \
            `Option` of that"
)]
pub trait SitemapFields {
    /// Which of the values that an entry has once it gives, as the derive says.
    #[doc(hidden)]
    const GIVES: Gives = Gives::UNKNOWN;

    /// Gives the values to `entry`, in any order.
    ///
    /// # Errors
    /// Those of `entry`'s functions; your own are made with [`Error::custom`](crate::Error::custom). After an error nothing of the entry
    /// is written.
    fn write_fields(&self, entry: &mut EntryWriter<'_>) -> Result<()>;
}

impl<T: SitemapFields + ?Sized> SitemapFields for &T {
    const GIVES: Gives = T::GIVES;

    fn write_fields(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        (**self).write_fields(entry)
    }
}

impl<T: SitemapFields + ?Sized> SitemapFields for Box<T> {
    const GIVES: Gives = T::GIVES;

    fn write_fields(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        (**self).write_fields(entry)
    }
}

impl<T: SitemapFields> SitemapFields for Option<T> {
    const GIVES: Gives = T::GIVES;

    fn write_fields(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        self.as_ref().map_or(Ok(()), |fields| fields.write_fields(entry))
    }
}

/// Which of the values that an entry has once a type gives, for two that give the same to be told apart while they are compiled.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Gives(u8);

#[doc(hidden)]
#[allow(missing_docs, reason = "for what the derive generates")]
impl Gives {
    /// Nothing that is known: a second value is an error when it is written.
    pub const UNKNOWN: Gives = Gives(0);
    pub const LASTMOD: Gives = Gives(1);
    pub const CHANGEFREQ: Gives = Gives(2);
    pub const PRIORITY: Gives = Gives(4);
    pub const NEWS: Gives = Gives(8);
    pub const ALTERNATE: Gives = Gives(16);

    #[must_use]
    pub const fn and(self, other: Gives) -> Gives {
        Gives(self.0 | other.0)
    }

    #[must_use]
    pub const fn has(self, other: Gives) -> bool {
        self.0 & other.0 != 0
    }
}
