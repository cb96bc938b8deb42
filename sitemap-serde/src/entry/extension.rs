//! The extensions' elements of an entry, from the crate's own types.

use std::fmt::{self, Write};

use crate::error::Result;
use crate::model::{
    Alternate, DataObject, Image, News, NewsAccess, PageMap, Price, PriceKind, Rel, Resolution, TvShow,
    Video, join_countries, join_genres, join_platforms, join_tickers,
};
use crate::record::{Name, RecordWriter, Shape};

use super::{EntryWriter, ToAlternates, ToImages, ToNews, ToVideos};

impl EntryWriter<'_> {
    /// The images on the page: an [`Image`], the text of its loc, or an `Option` or a collection of them. May be called more
    /// than once.
    ///
    /// # Errors
    /// [`Category::Data`](crate::Category::Data) if an image has no loc, or one that is no http(s) URL (P-IMG2), if it is the
    /// entry's 1,001st (P-IMG1), or if the document is an index (P-INDEXTAGS).
    pub fn image(&mut self, images: impl ToImages) -> Result<()> {
        self.touch(Name::Image);
        images.write_images(self)
    }

    /// The videos on the page: a [`Video`], or an `Option` or a collection of them. May be called more than once.
    ///
    /// # Errors
    /// [`Category::Data`](crate::Category::Data) if a value breaks one of the rules P-VID1 to P-VID10 or the schema, or if the
    /// document is an index (P-INDEXTAGS).
    pub fn video(&mut self, videos: impl ToVideos) -> Result<()> {
        self.touch(Name::Video);
        videos.write_videos(self)
    }

    /// The news article that the page is: a [`News`], or an `Option` of one.
    ///
    /// # Errors
    /// [`Category::Data`](crate::Category::Data) if a value breaks one of the rules P-NEWS1 to P-NEWS3, if it is the entry's
    /// second (P-NEWS4), or if the document is an index (P-INDEXTAGS). A document's 1,001st is a
    /// [`Category::Limit`](crate::Category::Limit) of the entry.
    pub fn news(&mut self, news: impl ToNews) -> Result<()> {
        self.touch(Name::News);
        news.write_news(self)
    }

    /// The page in other languages: an [`Alternate`], a pair of hreflang and address, or an `Option` or a collection of them.
    /// May be called more than once.
    ///
    /// # Errors
    /// [`Category::Data`](crate::Category::Data) if a part is missing (P-ALT1), the address is no http(s) URL (P-ALT2), the
    /// hreflang is none (P-ALT5), or the document is an index (P-INDEXTAGS).
    pub fn alternate(&mut self, alternates: impl ToAlternates) -> Result<()> {
        self.touch(Name::XhtmlLink);
        alternates.write_alternates(self)
    }

    /// Whether the page is one for feature phones.
    ///
    /// # Errors
    /// [`Category::Data`](crate::Category::Data) if it is said a second time, or the document is an index (P-INDEXTAGS).
    pub fn mobile(&mut self, mobile: bool) -> Result<()> {
        self.touch(Name::Mobile);
        if !mobile {
            return Ok(());
        }
        element(&mut self.record, Name::Mobile, |_| Ok(()))
    }

    /// Structured data of the page.
    ///
    /// # Errors
    /// [`Category::Data`](crate::Category::Data) if it is the entry's second, or the document is an index (P-INDEXTAGS).
    pub fn page_map(&mut self, map: &PageMap) -> Result<()> {
        self.touch(Name::PageMap);
        element(&mut self.record, Name::PageMap, |record| page_map(record, map))
    }

    pub(super) fn touch(&mut self, name: Name) {
        self.record.touch(name.into());
    }

    pub(super) fn put_image(&mut self, image: &Image) -> Result<()> {
        element(&mut self.record, Name::Image, |record| {
            leaf(record, Name::ImageLoc, &image.loc)?;
            optional(record, Name::ImageCaption, image.caption.as_deref())?;
            optional(record, Name::ImageGeoLocation, image.geo_location.as_deref())?;
            optional(record, Name::ImageTitle, image.title.as_deref())?;
            optional(record, Name::ImageLicense, image.license.as_deref())
        })
    }

    pub(super) fn put_image_loc(&mut self, loc: &str) -> Result<()> {
        element(&mut self.record, Name::Image, |record| {
            leaf(record, Name::ImageLoc, loc)
        })
    }

    pub(super) fn put_video(&mut self, video: &Video) -> Result<()> {
        element(&mut self.record, Name::Video, |record| self::video(record, video))
    }

    pub(super) fn put_news(&mut self, news: &News) -> Result<()> {
        element(&mut self.record, Name::News, |record| self::news(record, news))
    }

    pub(super) fn put_alternate(&mut self, link: &Alternate) -> Result<()> {
        xhtml_link(
            &mut self.record,
            &link.rel,
            link.hreflang.as_deref(),
            link.media.as_deref(),
            &link.href,
        )
    }

    pub(super) fn put_translation(&mut self, hreflang: &str, href: &str) -> Result<()> {
        xhtml_link(&mut self.record, &Rel::Alternate, Some(hreflang), None, href)
    }
}

/// Writes an element with attributes and children. After an error nothing of it is there.
fn element<'a>(
    record: &mut RecordWriter<'a>,
    name: Name,
    write: impl FnOnce(&mut RecordWriter<'a>) -> Result<()>,
) -> Result<()> {
    let index = record.count(name);
    let mark = record.mark();
    let mut result = record.open(name.into());
    if result.is_ok() {
        result = write(record).and_then(|()| record.close());
        if result.is_err() {
            record.rollback(mark, name);
        }
    }
    result.map_err(|error| {
        let error = if name.shape().is_some_and(Shape::is_repeated) {
            error.at_index(index)
        } else {
            error
        };
        error.within(name.as_static().unwrap_or_default())
    })
}

fn leaf(record: &mut RecordWriter<'_>, name: Name, text: &str) -> Result<()> {
    record
        .leaf(name.into(), text)
        .map_err(|error| error.within(name.as_static().unwrap_or_default()))
}

fn optional(record: &mut RecordWriter<'_>, name: Name, text: Option<&str>) -> Result<()> {
    text.map_or(Ok(()), |text| leaf(record, name, text))
}

/// Writes a value by what it displays.
fn displayed<T: fmt::Display>(record: &mut RecordWriter<'_>, name: Name, value: Option<T>) -> Result<()> {
    let Some(value) = value else { return Ok(()) };
    with_scratch(
        record,
        |text| {
            // A `String` takes everything, and what is displayed is the crate's own.
            let _ = write!(text, "{value}");
        },
        |record, text| leaf(record, name, text),
    )
}

fn yes_no(record: &mut RecordWriter<'_>, name: Name, value: Option<bool>) -> Result<()> {
    optional(record, name, value.map(|value| if value { "yes" } else { "no" }))
}

/// Puts a text together in the record's scratch, and gives it to `give`.
fn with_scratch<'a>(
    record: &mut RecordWriter<'a>,
    build: impl FnOnce(&mut String),
    give: impl FnOnce(&mut RecordWriter<'a>, &str) -> Result<()>,
) -> Result<()> {
    let mut text = std::mem::take(record.scratch());
    text.clear();
    build(&mut text);
    let result = give(record, &text);
    *record.scratch() = text;
    result
}

fn attribute(record: &mut RecordWriter<'_>, name: Name, text: Option<&str>) -> Result<()> {
    let (Some(text), Some(name)) = (text, name.as_static()) else {
        return Ok(());
    };
    record.attribute(name, text).map_err(|error| error.within(name))
}

fn text(record: &mut RecordWriter<'_>, text: &str) -> Result<()> {
    record.element_text(text).map_err(|error| error.within("$text"))
}

fn xhtml_link(
    record: &mut RecordWriter<'_>,
    rel: &Rel,
    hreflang: Option<&str>,
    media: Option<&str>,
    href: &str,
) -> Result<()> {
    element(record, Name::XhtmlLink, |record| {
        attribute(record, Name::Rel, Some(rel.as_str()))?;
        attribute(record, Name::Hreflang, hreflang)?;
        attribute(record, Name::Media, media)?;
        attribute(record, Name::Href, Some(href))
    })
}

fn video(record: &mut RecordWriter<'_>, video: &Video) -> Result<()> {
    leaf(record, Name::VideoThumbnailLoc, &video.thumbnail_loc)?;
    leaf(record, Name::VideoTitle, &video.title)?;
    leaf(record, Name::VideoDescription, &video.description)?;
    optional(record, Name::VideoContentLoc, video.content_loc.as_deref())?;
    if let Some(player) = &video.player_loc {
        element(record, Name::VideoPlayerLoc, |record| {
            let allow_embed = player.allow_embed.map(|allow| if allow { "yes" } else { "no" });
            attribute(record, Name::AllowEmbed, allow_embed)?;
            attribute(record, Name::Autoplay, player.autoplay.as_deref())?;
            text(record, &player.loc)
        })?;
    }
    displayed(record, Name::VideoDuration, video.duration)?;
    displayed(record, Name::VideoExpirationDate, video.expiration_date)?;
    displayed(record, Name::VideoRating, video.rating.as_ref())?;
    for segment in &video.content_segments {
        element(record, Name::VideoContentSegmentLoc, |record| {
            let duration = segment.duration.map(|seconds| seconds.to_string());
            attribute(record, Name::DurationOf, duration.as_deref())?;
            text(record, &segment.loc)
        })?;
    }
    displayed(record, Name::VideoViewCount, video.view_count)?;
    displayed(record, Name::VideoPublicationDate, video.publication_date)?;
    for (i, tag) in video.tags.iter().enumerate() {
        record
            .leaf(Name::VideoTag.into(), tag)
            .map_err(|error| error.at_index(i).within("video:tag"))?;
    }
    optional(record, Name::VideoCategory, video.category.as_deref())?;
    yes_no(record, Name::VideoFamilyFriendly, video.family_friendly)?;
    if let Some(restriction) = &video.restriction {
        element(record, Name::VideoRestriction, |record| {
            attribute(
                record,
                Name::Relationship,
                Some(restriction.relationship.as_str()),
            )?;
            with_scratch(record, |out| join_countries(&restriction.countries, out), text)
        })?;
    }
    if let Some(gallery) = &video.gallery_loc {
        element(record, Name::VideoGalleryLoc, |record| {
            attribute(record, Name::Title, gallery.title.as_deref())?;
            text(record, &gallery.loc)
        })?;
    }
    for price in &video.prices {
        self::price(record, price)?;
    }
    yes_no(
        record,
        Name::VideoRequiresSubscription,
        video.requires_subscription,
    )?;
    if let Some(uploader) = &video.uploader {
        element(record, Name::VideoUploader, |record| {
            attribute(record, Name::Info, uploader.info.as_deref())?;
            text(record, &uploader.name)
        })?;
    }
    if let Some(show) = &video.tv_show {
        element(record, Name::VideoTvshow, |record| tv_show(record, show))?;
    }
    if let Some(platform) = &video.platform {
        element(record, Name::VideoPlatform, |record| {
            attribute(record, Name::Relationship, Some(platform.relationship.as_str()))?;
            with_scratch(record, |out| join_platforms(&platform.platforms, out), text)
        })?;
    }
    yes_no(record, Name::VideoLive, video.live)?;
    for id in &video.ids {
        element(record, Name::VideoId, |record| {
            attribute(record, Name::Type, Some(id.kind.as_str()))?;
            text(record, &id.id)
        })?;
    }
    Ok(())
}

fn price(record: &mut RecordWriter<'_>, price: &Price) -> Result<()> {
    element(record, Name::VideoPrice, |record| {
        attribute(record, Name::Currency, price.currency.as_deref())?;
        attribute(record, Name::Type, price.kind.as_ref().map(PriceKind::as_str))?;
        attribute(
            record,
            Name::Resolution,
            price.resolution.as_ref().map(Resolution::as_str),
        )?;
        text(record, price.value.as_ref().map_or("", |value| value.as_str()))
    })
}

fn tv_show(record: &mut RecordWriter<'_>, show: &TvShow) -> Result<()> {
    leaf(record, Name::VideoShowTitle, &show.show_title)?;
    leaf(record, Name::VideoVideoType, show.video_type.as_str())?;
    optional(record, Name::VideoEpisodeTitle, show.episode_title.as_deref())?;
    displayed(record, Name::VideoSeasonNumber, show.season_number)?;
    displayed(record, Name::VideoEpisodeNumber, show.episode_number)?;
    displayed(record, Name::VideoPremierDate, show.premier_date)
}

fn news(record: &mut RecordWriter<'_>, news: &News) -> Result<()> {
    element(record, Name::NewsPublication, |record| {
        leaf(record, Name::NewsName, &news.publication.name)?;
        leaf(record, Name::NewsLanguage, &news.publication.language)
    })?;
    optional(
        record,
        Name::NewsAccess,
        news.access.as_ref().map(NewsAccess::as_str),
    )?;
    with_scratch(
        record,
        |out| join_genres(&news.genres, out),
        |record, text| leaf(record, Name::NewsGenres, text),
    )?;
    displayed(record, Name::NewsPublicationDate, Some(news.publication_date))?;
    leaf(record, Name::NewsTitle, &news.title)?;
    optional(record, Name::NewsKeywords, news.keywords.as_deref())?;
    with_scratch(
        record,
        |out| join_tickers(&news.stock_tickers, out),
        |record, text| leaf(record, Name::NewsStockTickers, text),
    )
}

fn page_map(record: &mut RecordWriter<'_>, map: &PageMap) -> Result<()> {
    if let Some(template) = &map.template {
        element(record, Name::PageMapTemplate, |record| {
            attribute(record, Name::Src, Some(&template.src))
        })?;
    }
    map.data_objects.iter().try_for_each(|object| {
        element(record, Name::PageMapDataObject, |record| {
            data_object(record, object)
        })
    })
}

fn data_object(record: &mut RecordWriter<'_>, object: &DataObject) -> Result<()> {
    attribute(record, Name::Type, Some(&object.kind))?;
    attribute(record, Name::IdOf, object.id.as_deref())?;
    for data in &object.attributes {
        element(record, Name::PageMapAttribute, |record| {
            attribute(record, Name::NameOf, Some(&data.name))?;
            attribute(record, Name::ValueOf, data.value.as_deref())?;
            text(record, data.text.as_deref().unwrap_or_default())
        })?;
    }
    Ok(())
}
