//! The extensions' elements of an entry, from the crate's own types.

use serde_core::Serialize;

use crate::error::Result;
#[cfg(feature = "derive")]
use crate::loc::TemplateUrl;
use crate::record::RecordWriter;
use crate::schema::{
    self, ALTERNATE, Alternate, FieldSink, IMAGE, Image, Item, MOBILE, NEWS, Name, News, PAGE_MAP, PageMap,
    VIDEO, Video,
};

#[cfg(feature = "derive")]
use super::LocWriter;
use super::{EntryWriter, ToElements};

/// A type that is an element of an entry.
pub(crate) trait OfEntry {
    /// Marks the element as one of the type's.
    fn touch(entry: &mut EntryWriter<'_>);
}

macro_rules! elements {
    ($($element:ident $name:ident)*) => {
        $(impl OfEntry for $element {
            fn touch(entry: &mut EntryWriter<'_>) {
                entry.touch($name);
            }
        })*
    };
}
elements!(Image IMAGE Video VIDEO News NEWS Alternate ALTERNATE);

impl EntryWriter<'_> {
    /// The images on the page: an [`Image`](crate::Image), the text of its loc, or an `Option` or a collection of them. It may be called
    /// more than once. An empty text means no image.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if an image has no loc, or its loc is not an http(s) URL (P-IMG2), if it is the entry's
    /// 1,001st (P-IMG1), or if the document is an index (P-INDEXTAGS).
    pub fn image(&mut self, images: impl ToElements<Image>) -> Result<()> {
        self.elements(images)
    }

    /// The videos on the page: a [`Video`](crate::Video), or an `Option` or a collection of them. It may be called more than once.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if a value breaks the schema or a rule from P-VID1 to P-VID10, or if the document is an
    /// index (P-INDEXTAGS).
    pub fn video(&mut self, videos: impl ToElements<Video>) -> Result<()> {
        self.elements(videos)
    }

    /// The page's news article: a [`News`], or an `Option` of it.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if a value breaks a rule from P-NEWS1 to P-NEWS3, if it is the entry's second (P-NEWS4),
    /// or if the document is an index (P-INDEXTAGS). The document's 1,001st article is an [`ErrorKind::Limit`](crate::ErrorKind::Limit)
    /// error of the entry.
    pub fn news(&mut self, news: impl ToElements<News>) -> Result<()> {
        self.elements(news)
    }

    /// The page in other languages: an [`Alternate`](crate::Alternate), a pair of hreflang and address, or an `Option` or a collection of
    /// them. It may be called more than once.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if a part is missing (P-ALT1), the address is not an http(s) URL (P-ALT2),
    /// the hreflang is invalid (P-ALT5), or the document is an index (P-INDEXTAGS).
    pub fn alternate(&mut self, alternates: impl ToElements<Alternate>) -> Result<()> {
        self.elements(alternates)
    }

    /// Elements of one kind.
    pub(crate) fn elements<E: OfEntry>(&mut self, elements: impl ToElements<E>) -> Result<()> {
        E::touch(self);
        elements.write_elements(self).or_else(|error| self.omit(error))
    }

    /// An image, a video or an article whose parts are written one by one by `write`.
    #[cfg(feature = "derive")]
    pub(crate) fn parts(
        &mut self,
        element: Name,
        write: impl FnOnce(&mut RecordWriter<'_>) -> Result<()>,
    ) -> Result<()> {
        self.touch(element);
        self.record.extra(|record| record.nth(element, write))
    }

    /// Writes a link to the page in another language, and `x-default` too if this is its language. `build` builds its URL from literals
    /// and values.
    #[cfg(feature = "derive")]
    pub(crate) fn translation(
        &mut self,
        hreflang: &str,
        x_default: Option<&str>,
        build: impl FnOnce(&mut LocWriter<'_>) -> Result<()>,
    ) -> Result<()> {
        self.touch(ALTERNATE);
        let is_default = x_default.is_some_and(|default| default.eq_ignore_ascii_case(hreflang));
        self.record.extra(|record| {
            record.link_template("xhtml:link", parts(build), |record, href| {
                put_link(record, hreflang, |record| record.link(schema::HREF, href))?;
                if is_default {
                    put_link(record, "x-default", |record| record.link(schema::HREF, href))?;
                }
                Ok(())
            })
        })
    }

    /// An element of your own namespace, or several with one name, from any type with serde's `Serialize`. A number, text or bool is the
    /// element's text; a struct is attributes (`@name`), children and text (`$text`); a sequence is several elements; `None` writes no
    /// element. The [guide](crate::guide::own_extensions) has a page about it.
    ///
    /// `name` is the element's name with the prefix set by [`WriterBuilder::namespace`](crate::WriterBuilder::namespace).
    ///
    /// # Errors
    /// [`ErrorKind::Settings`](crate::ErrorKind::Settings) if the prefix is unknown; [`ErrorKind::Data`](crate::ErrorKind::Data) if the
    /// name is not a valid XML name, the value is of another type, or the document is an index (P-INDEXTAGS). After an error, nothing of
    /// the element is written.
    ///
    /// ```
    /// use sitemap_serde::{EntryWriter, Result, SitemapEntry, WriterBuilder};
    ///
    /// struct Product {
    ///     price: f64,
    /// }
    ///
    /// impl SitemapEntry for Product {
    ///     fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
    ///         entry.loc("https://example.com/lamp")?;
    ///         entry.element("shop:price", &self.price)
    ///     }
    /// }
    ///
    /// let mut builder = WriterBuilder::new();
    /// let xml = builder.namespace("shop", "urn:shop").entries_to_string([Product { price: 9.9 }])?;
    /// assert!(xml.contains("<loc>https://example.com/lamp</loc><shop:price>9.9</shop:price>"));
    ///
    /// let error = WriterBuilder::new().entries_to_string([Product { price: 9.9 }]).unwrap_err();
    /// assert!(error.to_string().starts_with("`shop:price` has the prefix `shop`, and no namespace is known by it"));
    /// # Result::<()>::Ok(())
    /// ```
    pub fn element<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        self.record
            .extra(|record| crate::ser::element(record, name, value))
    }

    /// `true` if the page is for feature phones.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it was already called, or the document is an index (P-INDEXTAGS).
    pub fn mobile(&mut self, mobile: bool) -> Result<()> {
        self.touch(MOBILE);
        if !mobile {
            return Ok(());
        }
        self.record.extra(|record| record.flag(MOBILE))
    }

    /// Structured data of the page.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it is the entry's second, or the document is an index (P-INDEXTAGS).
    pub fn page_map(&mut self, map: &PageMap) -> Result<()> {
        self.touch(PAGE_MAP);
        self.record.extra(|record| map.write_item(PAGE_MAP, record))
    }

    fn touch(&mut self, name: Name) {
        self.record.touch(name.into());
    }

    pub(super) fn put<T: Item>(&mut self, name: Name, value: &T) -> Result<()> {
        self.record.many(name, std::slice::from_ref(value))
    }

    /// An empty text means no image, as in a database column without NULL.
    pub(super) fn put_image_loc(&mut self, loc: &str) -> Result<()> {
        if crate::xml::trim(loc).is_empty() {
            return Ok(());
        }
        self.record
            .extra(|record| record.nth(IMAGE, |record| record.part(schema::IMAGE_LOC, loc)))
    }

    pub(super) fn put_news(&mut self, news: &News) -> Result<()> {
        self.record.extra(|record| news.write_item(NEWS, record))
    }

    pub(super) fn put_translation(&mut self, hreflang: &str, href: &str) -> Result<()> {
        if self.record.plain_link(hreflang, href) {
            return Ok(());
        }
        self.record
            .extra(|record| put_link(record, hreflang, |record| record.part(schema::HREF, href)))
    }
}

fn put_link(
    record: &mut RecordWriter<'_>,
    hreflang: &str,
    write_href: impl FnOnce(&mut RecordWriter<'_>) -> Result<()>,
) -> Result<()> {
    record.nth(ALTERNATE, |record| {
        record.part(schema::REL, schema::ALTERNATE_REL)?;
        record.part(schema::HREFLANG, hreflang)?;
        write_href(record)
    })
}

/// The parts of a template, in the form that the record accepts.
#[cfg(feature = "derive")]
pub(crate) fn parts(
    build: impl FnOnce(&mut LocWriter<'_>) -> Result<()>,
) -> impl for<'t> FnOnce(TemplateUrl<'t>) -> Result<TemplateUrl<'t>> {
    |url| {
        let mut loc = LocWriter { url };
        build(&mut loc).map(|()| loc.url)
    }
}
