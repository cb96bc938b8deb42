//! Where a video comes from: who has uploaded it, the show that it is of, other catalogues.

use serde::{Deserialize, Serialize};

use crate::datetime::W3cDateTime;
use crate::model::checked::{self, text_or_fields};
use crate::model::listed::listed;

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
    Uploader("an uploader") |text| Ok(Uploader::new(text));
}
