//! The extensions' elements of the crate's own entries, straight from a record.

use crate::datetime::W3cDateTime;
use crate::error::{Error, Finding, Result, Words};
use crate::loc;
use crate::model::{
    Alternate, ContentSegment, DataAttribute, DataObject, GalleryLoc, Image, News, PageMap, PageMapTemplate,
    PlayerLoc, Price, PriceKind, Publication, Rel, Relationship, Resolution, Restriction, TvShow, Uploader,
    UrlEntry, Video, VideoId, VideoIdKind, VideoPlatform, VideoType, split_countries, split_genres,
    split_platforms, split_tickers,
};
use crate::record::{Name, Node, RecordView, Shape, missing, values};
use crate::rule::Rule;

/// An element or attribute, and the record that it is in.
#[derive(Clone, Copy)]
struct Element<'r> {
    record: &'r RecordView<'r, 'r>,
    index: usize,
    node: &'r Node,
    /// Its own text.
    text: &'r str,
}

/// Adds an element that is not the core's to an entry. Elements that the model does not have are passed over.
pub(super) fn extension(
    record: &RecordView<'_, '_>,
    index: usize,
    node: &Node,
    text: &str,
    entry: &mut UrlEntry,
) -> Result<()> {
    let element = Element {
        record,
        index,
        node,
        text,
    };
    match node.name {
        Name::Image => {
            add(&mut entry.images, Image::new(String::new()), element, fill_image)?;
        }
        Name::Video => {
            let empty = Video::bare(String::new(), String::new(), String::new());
            add(&mut entry.videos, empty, element, fill_video)?;
        }
        Name::XhtmlLink => {
            add(&mut entry.alternates, Alternate::empty(), element, fill_alternate)?;
        }
        Name::News => {
            if !node.first {
                return Err(element.fail(
                    Error::data(
                        Words::new("a second `news:news`: an entry has at most one").advice("remove one"),
                    )
                    .breaks(Rule::News4),
                ));
            }
            entry.news = Some(news(element).map_err(|error| element.fail(error))?);
        }
        Name::Mobile => entry.mobile = true,
        Name::PageMap => {
            element.once()?;
            let map = page_map(element).map_err(|error| element.fail(error))?;
            entry.page_map = Some(Box::new(map));
        }
        _ => {}
    }
    Ok(())
}

/// The images of an entry.
pub(crate) fn images(record: &RecordView<'_, '_>) -> Result<Vec<Image>> {
    only(record, Name::Image).map(|entry| entry.images)
}

/// The videos of an entry.
pub(crate) fn videos(record: &RecordView<'_, '_>) -> Result<Vec<Video>> {
    only(record, Name::Video).map(|entry| entry.videos)
}

/// The news of an entry.
pub(crate) fn news_of(record: &RecordView<'_, '_>) -> Result<Option<News>> {
    only(record, Name::News).map(|entry| entry.news)
}

/// The links of an entry to its alternates.
pub(crate) fn alternates(record: &RecordView<'_, '_>) -> Result<Vec<Alternate>> {
    only(record, Name::XhtmlLink).map(|entry| entry.alternates)
}

/// An entry of the elements of one name.
fn only(record: &RecordView<'_, '_>, name: Name) -> Result<UrlEntry> {
    let mut entry = UrlEntry::new(String::new());
    let mut index = 0;
    while let Some(node) = record.node(index) {
        if node.name == name {
            extension(record, index, node, record.value(node).get(), &mut entry)?;
        }
        index = node.next();
    }
    Ok(entry)
}

/// Adds the value of an element to those of its name, filled where it is. The first makes room for all of them, unless there
/// are so many that they have to turn out to be right first.
fn add<T>(
    values: &mut Vec<T>,
    empty: T,
    element: Element<'_>,
    fill: fn(&mut T, Element<'_>) -> Result<()>,
) -> Result<()> {
    const MANY: usize = 64;
    if values.is_empty() {
        values.reserve_exact(element.record.count_from(element.node).min(MANY));
    }
    let index = values.len();
    values.push(empty);
    match values.last_mut() {
        Some(value) => fill(value, element).map_err(|error| element.within(error, index)),
        None => Ok(()),
    }
}

impl<'r> Element<'r> {
    /// Its attributes and children that say something or have something in them, none twice that stands once.
    fn children(self) -> impl Iterator<Item = Result<(Name, Element<'r>)>> {
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            loop {
                let index = next;
                if index >= self.node.next() {
                    return None;
                }
                let node = self.record.node(index)?;
                next = node.next();
                let child = Element {
                    index,
                    node,
                    text: self.record.value(node).get(),
                    ..self
                };
                if node.next() > index + 1 || !child.text.is_empty() {
                    return Some(child.once().map(|()| (node.name, child)));
                }
            }
        })
    }

    /// The error of an element that stands a second time and may stand once.
    fn once(self) -> Result<()> {
        if self.node.first || self.node.name.shape().is_none_or(Shape::is_repeated) {
            return Ok(());
        }
        let name = self.node.name.as_static().unwrap_or_default();
        let again = |found: &Finding| {
            let [name, _] = found.names;
            Words::new(format!(
                "a second `{name}`: it stands at most once here; remove one"
            ))
        };
        Err(self.fail(Error::found(Finding::none().names([name, ""]), again)))
    }

    #[cold]
    fn fail(self, error: Error) -> Error {
        error
            .within(self.record.step(self.node))
            .at_offset(self.node.at())
    }

    #[cold]
    fn within(self, error: Error, index: usize) -> Error {
        self.fail(error.at_index(index))
    }

    /// The error for a part that it has to have and does not.
    #[cold]
    fn lacks(self, part: Name, rule: Rule) -> Error {
        let part = if part == self.node.name {
            "$text"
        } else {
            part.as_static().unwrap_or_default()
        };
        missing(self.node.name, part, rule)
            .within(part)
            .at_offset(self.node.at())
    }

    fn owned(self) -> String {
        self.text.to_owned()
    }

    fn url(self, rule: Rule) -> Result<String> {
        let text = self.text;
        loc::check_link(text).map_err(|error| self.fail(error.under(rule)))?;
        Ok(text.to_owned())
    }

    fn value<T>(self, parse: impl FnOnce(&str) -> Result<T>) -> Result<T> {
        parse(self.text).map_err(|error| self.fail(error))
    }

    fn date(self, rule: Rule) -> Result<W3cDateTime> {
        self.value(|text| values::date(text, rule))
    }

    fn yes_no(self, rule: Rule) -> Result<bool> {
        self.value(|text| values::yes_no(text, rule))
    }

    /// A child's value with its index among those of its name, for an error's path.
    fn nth<T>(self, index: usize, read: impl FnOnce(Self) -> Result<T>) -> Result<T> {
        read(self).map_err(|error| self.within(error, index))
    }

    /// A child's value.
    fn only<T>(self, read: impl FnOnce(Self) -> Result<T>) -> Result<T> {
        read(self).map_err(|error| self.fail(error))
    }
}

fn fill_image(image: &mut Image, element: Element<'_>) -> Result<()> {
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::ImageLoc => image.loc = child.url(Rule::Img2)?,
            Name::ImageCaption => image.caption = Some(child.owned()),
            Name::ImageGeoLocation => image.geo_location = Some(child.owned()),
            Name::ImageTitle => image.title = Some(child.owned()),
            Name::ImageLicense => image.license = Some(child.owned()),
            _ => {}
        }
    }
    if image.loc.is_empty() {
        return Err(element.lacks(Name::ImageLoc, Rule::Img2));
    }
    Ok(())
}

fn fill_alternate(link: &mut Alternate, element: Element<'_>) -> Result<()> {
    let mut rel = None;
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::Rel => rel = Some(Rel::from(child.text)),
            Name::Hreflang => link.hreflang = Some(child.owned()),
            Name::Media => link.media = Some(child.owned()),
            Name::Href => link.href = child.url(Rule::Alt2)?,
            _ => {}
        }
    }
    if link.href.is_empty() {
        return Err(element.lacks(Name::Href, Rule::Alt1));
    }
    link.rel = rel.ok_or_else(|| element.lacks(Name::Rel, Rule::Alt1))?;
    Ok(())
}

fn news(element: Element<'_>) -> Result<News> {
    let (mut publication, mut date, mut title) = (None, None, None);
    let (mut access, mut genres, mut keywords, mut tickers) = (None, Vec::new(), None, Vec::new());
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::NewsPublication => publication = Some(child.only(self::publication)?),
            Name::NewsAccess => access = Some(child.text.into()),
            Name::NewsGenres => genres = split_genres(child.text),
            Name::NewsPublicationDate => date = Some(child.date(Rule::News3)?),
            Name::NewsTitle => title = Some(child.owned()),
            Name::NewsKeywords => keywords = Some(child.owned()),
            Name::NewsStockTickers => tickers = split_tickers(child.text),
            _ => {}
        }
    }
    let lacks = |name| element.lacks(name, Rule::News1);
    let mut news = News::new(
        publication.ok_or_else(|| lacks(Name::NewsPublication))?,
        date.ok_or_else(|| lacks(Name::NewsPublicationDate))?,
        title.ok_or_else(|| lacks(Name::NewsTitle))?,
    );
    news.access = access;
    news.genres = genres;
    news.keywords = keywords;
    news.stock_tickers = tickers;
    Ok(news)
}

fn publication(element: Element<'_>) -> Result<Publication> {
    let (mut title, mut language) = (None, None);
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::NewsName => title = Some(child.owned()),
            Name::NewsLanguage => language = Some(child.owned()),
            _ => {}
        }
    }
    Ok(Publication::new(
        title.ok_or_else(|| element.lacks(Name::NewsName, Rule::News1))?,
        language.ok_or_else(|| element.lacks(Name::NewsLanguage, Rule::News1))?,
    ))
}

fn fill_video(video: &mut Video, element: Element<'_>) -> Result<()> {
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::VideoThumbnailLoc => video.thumbnail_loc = child.url(Rule::Vid1)?,
            Name::VideoTitle => video.title = child.owned(),
            Name::VideoDescription => video.description = child.owned(),
            Name::VideoContentLoc => video.content_loc = Some(child.url(Rule::Vid1)?),
            Name::VideoPlayerLoc => video.player_loc = Some(child.only(player_loc)?),
            Name::VideoDuration => video.duration = Some(child.value(values::duration)?),
            Name::VideoExpirationDate => video.expiration_date = Some(child.date(Rule::Vid4)?),
            Name::VideoRating => video.rating = Some(child.value(values::rating)?),
            Name::VideoContentSegmentLoc => {
                let segment = child.nth(video.content_segments.len(), content_segment)?;
                video.content_segments.push(segment);
            }
            Name::VideoViewCount => video.view_count = Some(child.value(values::view_count)?),
            Name::VideoPublicationDate => video.publication_date = Some(child.date(Rule::Vid4)?),
            Name::VideoTag => video.tags.push(child.owned()),
            Name::VideoCategory => video.category = Some(child.owned()),
            Name::VideoFamilyFriendly => video.family_friendly = Some(child.yes_no(Rule::Vid6)?),
            Name::VideoRestriction => video.restriction = Some(child.only(restriction)?),
            Name::VideoGalleryLoc => video.gallery_loc = Some(child.only(gallery_loc)?),
            Name::VideoPrice => {
                let price = child.nth(video.prices.len(), price)?;
                video.prices.push(price);
            }
            Name::VideoRequiresSubscription => video.requires_subscription = Some(child.yes_no(Rule::Vid6)?),
            Name::VideoUploader => video.uploader = Some(child.only(uploader)?),
            Name::VideoTvshow => video.tv_show = Some(Box::new(child.only(tv_show)?)),
            Name::VideoPlatform => video.platform = Some(child.only(platform)?),
            Name::VideoLive => video.live = Some(child.yes_no(Rule::Vid6)?),
            Name::VideoId => {
                let id = child.nth(video.ids.len(), id)?;
                video.ids.push(id);
            }
            _ => {}
        }
    }
    for (text, part) in [
        (&video.thumbnail_loc, Name::VideoThumbnailLoc),
        (&video.title, Name::VideoTitle),
        (&video.description, Name::VideoDescription),
    ] {
        if text.is_empty() {
            return Err(element.lacks(part, Rule::Vid1));
        }
    }
    Ok(())
}

/// The URL that is an element's own text. Errors are put on the path by the caller.
fn own_url(element: Element<'_>, rule: Rule) -> Result<String> {
    let text = element.text;
    if text.is_empty() {
        return Err(element.lacks(element.node.name, rule));
    }
    loc::check_link(text).map_err(|error| error.under(rule))?;
    Ok(text.to_owned())
}

fn player_loc(element: Element<'_>) -> Result<PlayerLoc> {
    let mut player = PlayerLoc::new(own_url(element, Rule::Vid1)?);
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::AllowEmbed => player.allow_embed = Some(child.yes_no(Rule::VideoXsd)?),
            Name::Autoplay => player.autoplay = Some(child.owned()),
            _ => {}
        }
    }
    Ok(player)
}

fn content_segment(element: Element<'_>) -> Result<ContentSegment> {
    let mut segment = ContentSegment::new(own_url(element, Rule::VideoXsd)?);
    for child in element.children() {
        if let (Name::DurationOf, child) = child? {
            segment.duration = Some(child.value(values::segment_duration)?);
        }
    }
    Ok(segment)
}

fn gallery_loc(element: Element<'_>) -> Result<GalleryLoc> {
    let mut gallery = GalleryLoc::new(own_url(element, Rule::VideoXsd)?);
    for child in element.children() {
        if let (Name::Title, child) = child? {
            gallery.title = Some(child.owned());
        }
    }
    Ok(gallery)
}

fn relationship(element: Element<'_>, rule: Rule) -> Result<Relationship> {
    for child in element.children() {
        if let (Name::Relationship, child) = child? {
            return Ok(child.text.into());
        }
    }
    Err(element.lacks(Name::Relationship, rule))
}

fn restriction(element: Element<'_>) -> Result<Restriction> {
    Ok(Restriction {
        relationship: relationship(element, Rule::Vid7)?,
        countries: split_countries(element.text),
    })
}

fn platform(element: Element<'_>) -> Result<VideoPlatform> {
    Ok(VideoPlatform {
        relationship: relationship(element, Rule::Vid8)?,
        platforms: split_platforms(element.text),
    })
}

fn price(element: Element<'_>) -> Result<Price> {
    let text = element.text;
    let mut price = Price {
        value: None,
        currency: None,
        kind: None,
        resolution: None,
    };
    if !text.is_empty() {
        price.value = Some(values::price(text)?);
    }
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::Currency => price.currency = Some(child.owned()),
            Name::Type => price.kind = Some(PriceKind::from(child.text)),
            Name::Resolution => price.resolution = Some(Resolution::from(child.text)),
            _ => {}
        }
    }
    Ok(price)
}

fn uploader(element: Element<'_>) -> Result<Uploader> {
    if element.text.is_empty() {
        return Err(element.lacks(Name::VideoUploader, Rule::Vid9));
    }
    let mut uploader = Uploader::new(element.text);
    for child in element.children() {
        if let (Name::Info, child) = child? {
            uploader.info = Some(child.url(Rule::Vid9)?);
        }
    }
    Ok(uploader)
}

fn tv_show(element: Element<'_>) -> Result<TvShow> {
    let (mut show_title, mut video_type) = (None, None);
    let mut show = TvShow::new(String::new(), VideoType::Unspecified);
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::VideoShowTitle => show_title = Some(child.owned()),
            Name::VideoVideoType => video_type = Some(VideoType::from(child.text)),
            Name::VideoEpisodeTitle => show.episode_title = Some(child.owned()),
            Name::VideoSeasonNumber => show.season_number = Some(child.value(values::from_one)?),
            Name::VideoEpisodeNumber => show.episode_number = Some(child.value(values::from_one)?),
            Name::VideoPremierDate => show.premier_date = Some(child.date(Rule::VideoXsd)?),
            _ => {}
        }
    }
    show.show_title = show_title.ok_or_else(|| element.lacks(Name::VideoShowTitle, Rule::VideoXsd))?;
    show.video_type = video_type.ok_or_else(|| element.lacks(Name::VideoVideoType, Rule::VideoXsd))?;
    Ok(show)
}

fn id(element: Element<'_>) -> Result<VideoId> {
    if element.text.is_empty() {
        return Err(element.lacks(Name::VideoId, Rule::VideoXsd));
    }
    for child in element.children() {
        if let (Name::Type, child) = child? {
            return Ok(VideoId::new(VideoIdKind::from(child.text), element.text));
        }
    }
    Err(element.lacks(Name::Type, Rule::VideoXsd))
}

fn page_map(element: Element<'_>) -> Result<PageMap> {
    let mut map = PageMap::default();
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::PageMapTemplate => {
                let mut template = None;
                for attribute in child.children() {
                    if let (Name::Src, src) = attribute? {
                        template = Some(PageMapTemplate::new(src.url(Rule::PageMapXsd)?));
                    }
                }
                map.template = template;
            }
            Name::PageMapDataObject => {
                let object = child.nth(map.data_objects.len(), data_object)?;
                map.data_objects.push(object);
            }
            _ => {}
        }
    }
    Ok(map)
}

fn data_object(element: Element<'_>) -> Result<DataObject> {
    let mut kind = None;
    let mut object = DataObject::new(String::new(), Vec::new());
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::Type => kind = Some(child.owned()),
            Name::IdOf => object.id = Some(child.owned()),
            Name::PageMapAttribute => {
                let attribute = child.nth(object.attributes.len(), data_attribute)?;
                object.attributes.push(attribute);
            }
            _ => {}
        }
    }
    object.kind = kind.ok_or_else(|| element.lacks(Name::Type, Rule::PageMapXsd))?;
    Ok(object)
}

fn data_attribute(element: Element<'_>) -> Result<DataAttribute> {
    let mut name_of = None;
    let mut value_of = None;
    for child in element.children() {
        let (name, child) = child?;
        match name {
            Name::NameOf => name_of = Some(child.owned()),
            Name::ValueOf => value_of = Some(child.owned()),
            _ => {}
        }
    }
    let text = element.text;
    Ok(DataAttribute {
        name: name_of.ok_or_else(|| element.lacks(Name::NameOf, Rule::PageMapXsd))?,
        value: value_of,
        text: (!text.is_empty()).then(|| text.to_owned()),
    })
}
