//! Where a video can be seen, and where not.

use serde::{Deserialize, Serialize};

use crate::model::listed::{joined, listed};

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

joined!(countries, String, ' ', " ");
joined!(platforms, Platform, ' ', " ");

pub(crate) use countries::{join as join_countries, split as split_countries};
pub(crate) use platforms::{join as join_platforms, split as split_platforms};
