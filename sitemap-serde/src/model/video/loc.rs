//! Addresses of a video, with what is said of each.

use serde::{Deserialize, Serialize};

use crate::model::checked::{self, text_or_fields};

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

text_or_fields! {
    PlayerLoc("the address of a player") |text| checked::text_url(text).map(PlayerLoc::new);
    ContentSegment("the address of a part") |text| checked::text_url(text).map(ContentSegment::new);
    GalleryLoc("the address of a gallery") |text| checked::text_url(text).map(GalleryLoc::new);
}
