//! Google's video extension: the videos on a page.

use sitemap_values::schema::video as known;
use sitemap_values::{Decimal, Rule, W3cDateTime};

use crate::error::Result;
use crate::model::listed;

use super::entry::VIDEO;
use super::{Element, Spellings, Written, image, missing};

/// The greatest number of a season or an episode that its field can hold.
const MOST_NUMBER: u64 = u32::MAX as u64;

super::table::table! {
    after image::END;

    /// A video on a page: one `video:video`.
    ///
    /// A video has its own URL, or a player's URL, or both (P-VID1); hence two constructors. It also requires a thumbnail, a title and a
    /// description: if one is missing, writing the video is an error.
    ///
    /// ```
    /// use sitemap_serde::video::Decimal;
    /// use sitemap_serde::{UrlEntry, Video};
    ///
    /// let video = Video::content("https://example.com/123.mp4")
    ///     .with_thumbnail("https://example.com/123.jpg")
    ///     .with_title("Grilling steaks for summer")
    ///     .with_description("How to get perfectly done steaks every time")
    ///     .with_duration(600)
    ///     .with_rating("4.20".parse::<Decimal>()?);
    /// let mut entry = UrlEntry::new("https://example.com/grill");
    /// entry.videos = vec![video];
    /// let xml = sitemap_serde::to_string(&[&entry])?;
    /// assert_eq!(sitemap_serde::from_str::<Vec<UrlEntry>>(&xml)?, [entry]);
    /// # Ok::<(), sitemap_serde::Error>(())
    /// ```
    pub struct Video in VIDEO by Vid1 where content_or_player {
        /// Address of a thumbnail of the video (P-VID1).
        one thumbnail_loc: String => THUMBNAIL_LOC [known::THUMBNAIL_LOC];
        /// Title, at most 100 characters (P-VID1).
        one title: String => TITLE [known::TITLE];
        /// Description, at most 2,048 characters (P-VID1).
        one description: String => DESCRIPTION [known::DESCRIPTION];
        /// Address of the video file, different from the page's (P-VID2).
        maybe content_loc: Option<String> => CONTENT_LOC [known::CONTENT_LOC];
        /// Address of a player for the video, different from the page's (P-VID2).
        maybe player_loc: Option<PlayerLoc> => PLAYER_LOC (known::PLAYER_LOC.name): Group;
        /// Duration in seconds: 1 to 28,800, which are 8 hours (P-VID3).
        maybe duration: Option<u32> => DURATION [known::DURATION];
        /// Expiration date: the video is not shown afterwards (P-VID4).
        maybe expiration_date: Option<W3cDateTime> => EXPIRATION_DATE [known::EXPIRATION_DATE];
        /// Rating, 0.0 to 5.0 (P-VID5).
        maybe rating: Option<Decimal> => RATING [known::RATING];
        /// Segments, if the video is published as several files.
        many content_segments: Vec<ContentSegment> => CONTENT_SEGMENT_LOC (known::CONTENT_SEGMENT_LOC): Group;
        /// Number of views (P-VID5).
        maybe view_count: Option<u64> => VIEW_COUNT [known::VIEW_COUNT];
        /// Publication date (P-VID4).
        maybe publication_date: Option<W3cDateTime> => PUBLICATION_DATE [known::PUBLICATION_DATE];
        /// Tags: short descriptions of the video's content, at most 32 (P-VID10).
        many(32) tags: Vec<String> => TAG [known::TAG];
        /// Category, at most 256 characters.
        maybe category: Option<String> => CATEGORY [known::CATEGORY];
        /// `true` if the video is found with SafeSearch on (P-VID6).
        maybe family_friendly: Option<bool> => FAMILY_FRIENDLY [known::FAMILY_FRIENDLY];
        /// Countries where the video can be seen or not (P-VID7).
        maybe restriction: Option<Restriction> => RESTRICTION (known::RESTRICTION): Group;
        /// Gallery with the video.
        maybe gallery_loc: Option<GalleryLoc> => GALLERY_LOC (known::GALLERY_LOC): Group;
        /// Prices, perhaps in several currencies.
        many prices: Vec<Price> => PRICE (known::PRICE): Group;
        /// `true` if only subscribers can see the video (P-VID6).
        maybe requires_subscription: Option<bool> => REQUIRES_SUBSCRIPTION [known::REQUIRES_SUBSCRIPTION];
        /// Uploader (P-VID9).
        maybe uploader: Option<Uploader> => UPLOADER (known::UPLOADER.name): Group;
        /// Television show of the video.
        maybe tv_show: Option<Box<TvShow>> => TVSHOW (known::TVSHOW): Group;
        /// Platforms where the video can be seen or not (P-VID8).
        maybe platform: Option<VideoPlatform> => PLATFORM (known::PLATFORM): Group;
        /// `true` if the video is a live stream (P-VID6).
        maybe live: Option<bool> => LIVE [known::LIVE];
        /// Ids of the video in other catalogues.
        many ids: Vec<VideoId> => ID (known::ID): Group;
    }

    /// The address of a player, with a permission to embed it.
    pub struct PlayerLoc in PLAYER_LOC by Vid1 {
        /// `true` if a search engine may embed the player.
        maybe allow_embed: Option<bool> => ALLOW_EMBED "@allow_embed": YesNo by VideoXsd;
        /// Text that a search engine appends to the address so that the video starts, such as `ap=1`.
        maybe autoplay: Option<String> => AUTOPLAY "@autoplay": Text;
        /// Address of the player.
        one loc: String => PLAYER_URL "$text": Url by Vid1;
    }

    /// A segment of a video that is published as several files.
    pub struct ContentSegment in CONTENT_SEGMENT_LOC by VideoXsd {
        /// Duration in seconds, at most 28,800.
        maybe duration: Option<u32>
            => SEGMENT_DURATION "@duration": Integer(0, known::MAX_SECONDS, known::A_DURATION) by VideoXsd;
        /// Address of the segment.
        one loc: String => SEGMENT_URL "$text": Url by VideoXsd;
    }

    /// The countries where a video can be seen or not (P-VID7).
    pub struct Restriction in RESTRICTION by Vid7 {
        /// Allows only these countries, or denies them.
        one relationship: Relationship
            => RESTRICTION_RELATIONSHIP "@relationship": Word(&Relationship::WORDS) by Vid7;
        /// ISO 3166 codes of the countries, such as `GB`. If none is allowed, the video can be seen nowhere.
        list countries: Vec<String> => COUNTRIES "$text": Countries by Vid7;
    }

    /// The address of a gallery.
    pub struct GalleryLoc in GALLERY_LOC by VideoXsd {
        /// Title of the gallery.
        maybe title: Option<String> => GALLERY_TITLE "@title": Text;
        /// Address of the gallery.
        one loc: String => GALLERY_URL "$text": Url by VideoXsd;
    }

    /// The price of seeing a video.
    #[derive(Default)]
    pub struct Price in PRICE by VideoXsd where currency_or_type {
        /// Currency, an ISO 4217 code such as `EUR`.
        maybe currency: Option<String> => CURRENCY "@currency": Currency by VideoXsd;
        /// The kind of price: `rent` or `purchase`; the schema also allows capital letters.
        maybe kind: Option<String> => PRICE_TYPE "@type": Word(&PRICE_KINDS) by VideoXsd;
        /// Resolution of the video for that price: `HD` or `SD`; the schema also allows small letters.
        maybe resolution: Option<String> => RESOLUTION "@resolution": Word(&RESOLUTIONS) by VideoXsd;
        /// Amount; `None` if only the kind of price is known.
        maybe value: Option<Decimal> => AMOUNT "$text": Amount by VideoXsd;
    }

    /// The uploader of a video (P-VID9).
    pub struct Uploader in UPLOADER by Vid9 {
        /// Address of a page about the uploader, on the page's domain.
        maybe info: Option<String> => INFO "@info": Url by Vid9;
        /// Name, at most 255 characters.
        one name: String => UPLOADER_NAME "$text": TextOf(255) by Vid9;
    }

    /// The television show of a video.
    pub struct TvShow in TVSHOW by VideoXsd {
        /// Title of the show.
        one show_title: String => SHOW_TITLE "video:show_title": Text;
        /// Kind of video: `full` for a whole episode, `preview`, `clip`, `interview`, `news` or `other`.
        one video_type: String => VIDEO_TYPE "video:video_type": Word(&VIDEO_TYPES) by VideoXsd;
        /// Title of the episode.
        maybe episode_title: Option<String> => EPISODE_TITLE "video:episode_title": Text;
        /// Number of the season, from 1.
        maybe season_number: Option<u32> => SEASON_NUMBER "video:season_number":
            Integer(1, MOST_NUMBER, "the number of a season or an episode: such a number is") by VideoXsd;
        /// Number of the episode, from 1.
        maybe episode_number: Option<u32> => EPISODE_NUMBER "video:episode_number":
            Integer(1, MOST_NUMBER, "the number of a season or an episode: such a number is") by VideoXsd;
        /// Date of the first broadcast.
        maybe premier_date: Option<W3cDateTime> => PREMIER_DATE "video:premier_date": DateTime by VideoXsd;
    }

    /// The platforms where a video can be seen or not (P-VID8).
    pub struct VideoPlatform in PLATFORM by Vid8 {
        /// Allows only these platforms, or denies them.
        one relationship: Relationship
            => PLATFORM_RELATIONSHIP "@relationship": Word(&Relationship::WORDS) by Vid8;
        /// Platforms.
        list platforms: Vec<Platform> => PLATFORMS "$text": SpaceWords(&Platform::WORDS) by Vid8;
    }

    /// The id of a video in another catalogue.
    pub struct VideoId in ID by VideoXsd {
        /// Catalogue: `tms:series`, `tms:program`, `rovi:series`, `rovi:program`, `freebase` or `url`.
        one kind: String => ID_TYPE "@type": Word(&CATALOGUES) by VideoXsd;
        /// Id in the catalogue.
        one id: String => ID_TEXT "$text": Text;
    }
}

/// The words of [`Price::kind`].
const PRICE_KINDS: Spellings = Spellings {
    listed: &["rent", "purchase"],
    spellings: &["rent", "RENT", "purchase", "PURCHASE"],
};

/// The words of [`Price::resolution`].
const RESOLUTIONS: Spellings = Spellings {
    listed: &["HD", "SD"],
    spellings: &["HD", "hd", "SD", "sd"],
};

/// The words of [`TvShow::video_type`].
const VIDEO_TYPES: Spellings = Spellings::new(&["full", "preview", "clip", "interview", "news", "other"]);

/// The words of [`VideoId::kind`].
const CATALOGUES: Spellings = Spellings::new(&[
    "tms:series",
    "tms:program",
    "rovi:series",
    "rovi:program",
    "freebase",
    "url",
]);

/// P-VID1: a video has an address of its own, or of a player.
fn content_or_player(video: &Written) -> Result<()> {
    if video.has(CONTENT_LOC) || video.has(PLAYER_LOC) {
        return Ok(());
    }
    Err(missing(
        "video:video",
        "video:content_loc` or `video:player_loc",
        Rule::Vid1,
    ))
}

/// A price has a currency, or, without an amount, a type.
fn currency_or_type(price: &Written) -> Result<()> {
    let needed = if price.has(AMOUNT) { CURRENCY } else { PRICE_TYPE };
    if price.has(needed) {
        return Ok(());
    }
    Err(missing("video:price", needed.shown(), Rule::VideoXsd).within(needed.shown()))
}

impl Video {
    /// Makes a video with the URL of its file.
    pub fn content(content_loc: impl Into<String>) -> Self {
        Video {
            content_loc: Some(content_loc.into()),
            ..<Video as Element>::blank()
        }
    }

    /// Makes a video with the URL of a player that shows it.
    pub fn player(player_loc: impl Into<PlayerLoc>) -> Self {
        Video {
            player_loc: Some(player_loc.into()),
            ..<Video as Element>::blank()
        }
    }

    /// Sets [`thumbnail_loc`](Self::thumbnail_loc).
    #[must_use]
    pub fn with_thumbnail(mut self, loc: impl Into<String>) -> Self {
        self.thumbnail_loc = loc.into();
        self
    }

    /// Sets [`title`](Self::title).
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets [`description`](Self::description).
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets [`duration`](Self::duration), in seconds.
    #[must_use]
    pub fn with_duration(mut self, seconds: impl Into<Option<u32>>) -> Self {
        self.duration = seconds.into();
        self
    }

    /// Sets [`publication_date`](Self::publication_date).
    #[must_use]
    pub fn with_publication_date(mut self, date: impl Into<Option<W3cDateTime>>) -> Self {
        self.publication_date = date.into();
        self
    }

    /// Sets [`rating`](Self::rating).
    #[must_use]
    pub fn with_rating(mut self, rating: impl Into<Option<Decimal>>) -> Self {
        self.rating = rating.into();
        self
    }

    /// Adds to [`tags`](Self::tags).
    #[must_use]
    pub fn with_tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags.extend(tags.into_iter().map(Into::into));
        self
    }
}

impl PlayerLoc {
    /// A player at an address.
    pub fn new(loc: impl Into<String>) -> Self {
        PlayerLoc {
            loc: loc.into(),
            allow_embed: None,
            autoplay: None,
        }
    }
}

impl From<&str> for PlayerLoc {
    fn from(loc: &str) -> Self {
        PlayerLoc::new(loc)
    }
}

impl From<String> for PlayerLoc {
    fn from(loc: String) -> Self {
        PlayerLoc::new(loc)
    }
}

impl ContentSegment {
    /// A part at an address.
    pub fn new(loc: impl Into<String>) -> Self {
        ContentSegment {
            loc: loc.into(),
            duration: None,
        }
    }
}

impl GalleryLoc {
    /// A gallery at an address.
    pub fn new(loc: impl Into<String>) -> Self {
        GalleryLoc {
            loc: loc.into(),
            title: None,
        }
    }
}

impl Restriction {
    /// Allows only these countries, or all others.
    pub fn new<C: Into<String>>(relationship: Relationship, countries: impl IntoIterator<Item = C>) -> Self {
        Restriction {
            relationship,
            countries: countries.into_iter().map(Into::into).collect(),
        }
    }
}

impl VideoPlatform {
    /// Allows only these platforms, or all others.
    pub fn new(relationship: Relationship, platforms: impl IntoIterator<Item = Platform>) -> Self {
        VideoPlatform {
            relationship,
            platforms: platforms.into_iter().collect(),
        }
    }
}

impl Uploader {
    /// An uploader by name.
    pub fn new(name: impl Into<String>) -> Self {
        Uploader {
            name: name.into(),
            info: None,
        }
    }
}

impl TvShow {
    /// A show by its title, and the kind of video.
    pub fn new(show_title: impl Into<String>, video_type: impl Into<String>) -> Self {
        TvShow {
            show_title: show_title.into(),
            video_type: video_type.into(),
            episode_title: None,
            season_number: None,
            episode_number: None,
            premier_date: None,
        }
    }
}

impl VideoId {
    /// An id in a catalogue.
    pub fn new(kind: impl Into<String>, id: impl Into<String>) -> Self {
        VideoId {
            kind: kind.into(),
            id: id.into(),
        }
    }
}

impl Price {
    /// An amount in a currency. A price without an amount is `Price::default()` with a [`kind`](Self::kind).
    pub fn new(value: impl Into<Decimal>, currency: impl Into<String>) -> Self {
        Price {
            value: Some(value.into()),
            currency: Some(currency.into()),
            kind: None,
            resolution: None,
        }
    }
}

listed! {
    /// Allows or denies the listed countries or platforms.
    Relationship {
        /// Only listed ones.
        Allow = "allow",
        /// All except listed ones.
        Deny = "deny",
    }
}

listed! {
    /// A device for watching a video.
    Platform {
        /// Browsers on computers.
        Web = "web",
        /// Browsers on phones and tablets.
        Mobile = "mobile",
        /// Television sets.
        Tv = "tv",
    }
}
