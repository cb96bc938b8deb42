//! Videos on a page.

mod audience;
mod loc;
mod origin;
mod price;

use serde::{Deserialize, Serialize};

use crate::datetime::W3cDateTime;

use super::{Decimal, checked};

pub use self::audience::{Platform, Relationship, Restriction, VideoPlatform};
pub(crate) use self::audience::{join_countries, join_platforms, split_countries, split_platforms};
pub use self::loc::{ContentSegment, GalleryLoc, PlayerLoc};
pub use self::origin::{TvShow, Uploader, VideoId, VideoIdKind, VideoType};
pub use self::price::{Price, PriceKind, Resolution};

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
