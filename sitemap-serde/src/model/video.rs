//! Videos on a page.

use serde::{Deserialize, Serialize};

use crate::datetime::W3cDateTime;

use super::checked::text_or_fields;
use super::listed::{joined, listed};
use super::{Decimal, checked};

/// A video on a page: one `video:video`.
///
/// It has an address of its own, or of a player that shows it, or both (P-VID1); hence two constructors.
///
/// ```
/// use sitemap_serde::{UrlEntry, Video};
///
/// let mut video = Video::with_content(
///     "https://example.com/123.mp4",
///     "https://example.com/123.jpg",
///     "Grilling steaks for summer",
///     "How to get perfectly done steaks every time",
/// );
/// video.duration = Some(600);
/// video.rating = Some("4.20".parse()?);
/// let mut entry = UrlEntry::new("https://example.com/grill");
/// entry.videos = vec![video];
/// let xml = sitemap_serde::to_string(&[&entry])?;
/// assert_eq!(sitemap_serde::from_str::<Vec<UrlEntry>>(&xml)?, [entry]);
/// # Ok::<(), sitemap_serde::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Video {
    /// The address of a picture of it (P-VID1).
    #[serde(rename = "video:thumbnail_loc", deserialize_with = "checked::url")]
    pub thumbnail_loc: String,
    /// Its title, at most 100 characters (P-VID1).
    #[serde(rename = "video:title")]
    pub title: String,
    /// What it is about, at most 2,048 characters (P-VID1).
    #[serde(rename = "video:description")]
    pub description: String,
    /// The address of the video itself, which is not the page's (P-VID2).
    #[serde(
        rename = "video:content_loc",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "checked::optional_url"
    )]
    pub content_loc: Option<String>,
    /// The address of a player for it, which is not the page's (P-VID2).
    #[serde(rename = "video:player_loc", default, skip_serializing_if = "Option::is_none")]
    pub player_loc: Option<PlayerLoc>,
    /// How long it is, in seconds: 1 to 28,800, which are 8 hours (P-VID3).
    #[serde(
        rename = "video:duration",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "checked::duration"
    )]
    pub duration: Option<u32>,
    /// When it is not there any more (P-VID4).
    #[serde(
        rename = "video:expiration_date",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub expiration_date: Option<W3cDateTime>,
    /// How well it is rated, 0.0 to 5.0 (P-VID5).
    #[serde(
        rename = "video:rating",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "checked::rating"
    )]
    pub rating: Option<Decimal>,
    /// The parts that it is in, if it is in parts.
    #[serde(
        rename = "video:content_segment_loc",
        default,
        skip_serializing_if = "Vec::is_empty"
    )]
    pub content_segments: Vec<ContentSegment>,
    /// How often it was seen (P-VID5).
    #[serde(rename = "video:view_count", default, skip_serializing_if = "Option::is_none")]
    pub view_count: Option<u64>,
    /// When it was published (P-VID4).
    #[serde(
        rename = "video:publication_date",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub publication_date: Option<W3cDateTime>,
    /// Short texts that it is described by, at most 32 (P-VID10).
    #[serde(rename = "video:tag", default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Its category, at most 256 characters.
    #[serde(rename = "video:category", default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Whether it is found with SafeSearch on (P-VID6).
    #[serde(
        rename = "video:family_friendly",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "checked::yes_no"
    )]
    pub family_friendly: Option<bool>,
    /// The countries where it can be seen, or cannot (P-VID7).
    #[serde(
        rename = "video:restriction",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub restriction: Option<Restriction>,
    /// The address of a gallery that it is in.
    #[serde(
        rename = "video:gallery_loc",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub gallery_loc: Option<GalleryLoc>,
    /// What it costs, in several currencies perhaps.
    #[serde(rename = "video:price", default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<Price>,
    /// Whether only subscribers can see it (P-VID6).
    #[serde(
        rename = "video:requires_subscription",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "checked::yes_no"
    )]
    pub requires_subscription: Option<bool>,
    /// Who has uploaded it (P-VID9).
    #[serde(rename = "video:uploader", default, skip_serializing_if = "Option::is_none")]
    pub uploader: Option<Uploader>,
    /// The show that it is of.
    #[serde(rename = "video:tvshow", default, skip_serializing_if = "Option::is_none")]
    pub tv_show: Option<Box<TvShow>>,
    /// The platforms where it can be seen, or cannot (P-VID8).
    #[serde(rename = "video:platform", default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<VideoPlatform>,
    /// Whether it is a live stream (P-VID6).
    #[serde(
        rename = "video:live",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "checked::yes_no"
    )]
    pub live: Option<bool>,
    /// What it is called in other catalogues.
    #[serde(rename = "video:id", default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<VideoId>,
}

impl Video {
    /// A video whose file is at an address, with a picture of it, its title and its description.
    pub fn with_content(
        content_loc: impl Into<String>,
        thumbnail_loc: impl Into<String>,
        title: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        let mut video = Video::bare(thumbnail_loc.into(), title.into(), description.into());
        video.content_loc = Some(content_loc.into());
        video
    }

    /// A video that a player shows, with a picture of it, its title and its description.
    pub fn with_player(
        player_loc: impl Into<PlayerLoc>,
        thumbnail_loc: impl Into<String>,
        title: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        let mut video = Video::bare(thumbnail_loc.into(), title.into(), description.into());
        video.player_loc = Some(player_loc.into());
        video
    }

    pub(crate) fn bare(thumbnail_loc: String, title: String, description: String) -> Self {
        Video {
            thumbnail_loc,
            title,
            description,
            content_loc: None,
            player_loc: None,
            duration: None,
            expiration_date: None,
            rating: None,
            content_segments: Vec::new(),
            view_count: None,
            publication_date: None,
            tags: Vec::new(),
            category: None,
            family_friendly: None,
            restriction: None,
            gallery_loc: None,
            prices: Vec::new(),
            requires_subscription: None,
            uploader: None,
            tv_show: None,
            platform: None,
            live: None,
            ids: Vec::new(),
        }
    }
}

/// The address of a player, and what may be done with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[non_exhaustive]
pub struct PlayerLoc {
    /// The address.
    #[serde(rename = "$text", deserialize_with = "checked::url")]
    pub loc: String,
    /// Whether a search engine may embed it.
    #[serde(
        rename = "@allow_embed",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "checked::yes_no"
    )]
    pub allow_embed: Option<bool>,
    /// What a search engine appends to the address so that the video starts, such as `ap=1`.
    #[serde(rename = "@autoplay", default, skip_serializing_if = "Option::is_none")]
    pub autoplay: Option<String>,
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

/// A part of a video that is in parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[non_exhaustive]
pub struct ContentSegment {
    /// Its address.
    #[serde(rename = "$text", deserialize_with = "checked::url")]
    pub loc: String,
    /// How long it is, in seconds, at most 28,800.
    #[serde(rename = "@duration", default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<u32>,
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

/// The countries where a video can be seen, or cannot (P-VID7).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Restriction {
    /// Whether these countries are allowed, and no others, or denied.
    #[serde(rename = "@relationship")]
    pub relationship: Relationship,
    /// Their ISO 3166 codes, such as `GB`. None allowed: it can be seen nowhere.
    #[serde(
        rename = "$text",
        default,
        skip_serializing_if = "Vec::is_empty",
        with = "countries"
    )]
    pub countries: Vec<String>,
}

impl Restriction {
    /// These countries only, or all but these.
    pub fn new<C: Into<String>>(relationship: Relationship, countries: impl IntoIterator<Item = C>) -> Self {
        Restriction {
            relationship,
            countries: countries.into_iter().map(Into::into).collect(),
        }
    }
}

/// The platforms where a video can be seen, or cannot (P-VID8).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VideoPlatform {
    /// Whether these platforms are allowed, and no others, or denied.
    #[serde(rename = "@relationship")]
    pub relationship: Relationship,
    /// The platforms.
    #[serde(
        rename = "$text",
        default,
        skip_serializing_if = "Vec::is_empty",
        with = "platforms"
    )]
    pub platforms: Vec<Platform>,
}

impl VideoPlatform {
    /// These platforms only, or all but these.
    pub fn new(relationship: Relationship, platforms: impl IntoIterator<Item = Platform>) -> Self {
        VideoPlatform {
            relationship,
            platforms: platforms.into_iter().collect(),
        }
    }
}

/// The address of a gallery.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[non_exhaustive]
pub struct GalleryLoc {
    /// The address.
    #[serde(rename = "$text", deserialize_with = "checked::url")]
    pub loc: String,
    /// The gallery's title.
    #[serde(rename = "@title", default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
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

/// What it costs to see a video.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[non_exhaustive]
pub struct Price {
    /// How much; `None` if only the kind of price is said.
    #[serde(rename = "$text", default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Decimal>,
    /// In which currency, an ISO 4217 code such as `EUR`.
    #[serde(rename = "@currency", default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// What is paid for.
    #[serde(rename = "@type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PriceKind>,
    /// In which resolution it is then.
    #[serde(rename = "@resolution", default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
}

impl Price {
    /// So much of a currency.
    pub fn new(value: impl Into<Decimal>, currency: impl Into<String>) -> Self {
        Price {
            value: Some(value.into()),
            currency: Some(currency.into()),
            kind: None,
            resolution: None,
        }
    }

    /// A price of a kind, without saying how much.
    pub fn of_kind(kind: PriceKind) -> Self {
        Price {
            value: None,
            currency: None,
            kind: Some(kind),
            resolution: None,
        }
    }
}

/// Who has uploaded a video (P-VID9).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[non_exhaustive]
pub struct Uploader {
    /// The name, at most 255 characters.
    #[serde(rename = "$text")]
    pub name: String,
    /// The address of a page about them, on the page's domain.
    #[serde(
        rename = "@info",
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "checked::optional_url"
    )]
    pub info: Option<String>,
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

/// The show that a video is of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TvShow {
    /// The show's title.
    #[serde(rename = "video:show_title")]
    pub show_title: String,
    /// What the video is to the show.
    #[serde(rename = "video:video_type")]
    pub video_type: VideoType,
    /// The episode's title.
    #[serde(
        rename = "video:episode_title",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub episode_title: Option<String>,
    /// The season's number, from 1.
    #[serde(
        rename = "video:season_number",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub season_number: Option<u32>,
    /// The episode's number, from 1.
    #[serde(
        rename = "video:episode_number",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub episode_number: Option<u32>,
    /// When it was first broadcast.
    #[serde(
        rename = "video:premier_date",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub premier_date: Option<W3cDateTime>,
}

impl TvShow {
    /// A show by its title, and what the video is to it.
    pub fn new(show_title: impl Into<String>, video_type: VideoType) -> Self {
        TvShow {
            show_title: show_title.into(),
            video_type,
            episode_title: None,
            season_number: None,
            episode_number: None,
            premier_date: None,
        }
    }
}

/// What a video is called in another catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VideoId {
    /// Its name there.
    #[serde(rename = "$text")]
    pub id: String,
    /// The catalogue.
    #[serde(rename = "@type")]
    pub kind: VideoIdKind,
}

impl VideoId {
    /// A name in a catalogue.
    pub fn new(kind: VideoIdKind, id: impl Into<String>) -> Self {
        VideoId { id: id.into(), kind }
    }
}

listed! {
    /// Whether what is listed is allowed or denied.
    Relationship {
        /// What is listed, and nothing else.
        Allow = "allow",
        /// All but what is listed.
        Deny = "deny",
    }
}

listed! {
    /// Where a video is watched.
    Platform {
        /// In browsers on computers.
        Web = "web",
        /// In browsers on phones and tablets.
        Mobile = "mobile",
        /// On television sets.
        Tv = "tv",
    }
}

listed! {
    /// What a price is for.
    PriceKind {
        /// To see it for a time.
        Rent = "rent" | "RENT",
        /// To have it.
        Purchase = "purchase" | "PURCHASE",
    }
}

listed! {
    /// The resolution of a video.
    Resolution {
        /// High definition.
        Hd = "HD" | "hd",
        /// Standard definition.
        Sd = "SD" | "sd",
    }
}

listed! {
    /// What a video is to a show.
    VideoType {
        /// A whole episode.
        Full = "full",
        /// A preview of an episode.
        Preview = "preview",
        /// A clip of an episode.
        Clip = "clip",
        /// An interview.
        Interview = "interview",
        /// News about it.
        News = "news",
        /// Something else that the schema has no word for.
        Unspecified = "other",
    }
}

listed! {
    /// The catalogues that a video's id can be of.
    VideoIdKind {
        /// A series, by Tribune Media Services.
        TmsSeries = "tms:series",
        /// A program, by Tribune Media Services.
        TmsProgram = "tms:program",
        /// A series, by Rovi.
        RoviSeries = "rovi:series",
        /// A program, by Rovi.
        RoviProgram = "rovi:program",
        /// Freebase.
        Freebase = "freebase",
        /// A URL.
        Url = "url",
    }
}

text_or_fields! {
    PlayerLoc("the address of a player") |text| checked::text_url(text).map(PlayerLoc::new);
    ContentSegment("the address of a part") |text| checked::text_url(text).map(ContentSegment::new);
    GalleryLoc("the address of a gallery") |text| checked::text_url(text).map(GalleryLoc::new);
    Price("a price") |text| {
        Ok(Price {
            value: Some(text.parse()?),
            currency: None,
            kind: None,
            resolution: None,
        })
    };
    Uploader("an uploader") |text| Ok(Uploader::new(text));
}

joined!(countries, String, ' ', " ");
joined!(platforms, Platform, ' ', " ");

pub(crate) use countries::{join as join_countries, split as split_countries};
pub(crate) use platforms::{join as join_platforms, split as split_platforms};
