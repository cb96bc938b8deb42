//! The sitemap schema as Rust types.

mod alternate;
mod changefreq;
pub(crate) mod checked;
mod decimal;
mod entries;
mod image;
mod kind;
mod listed;
mod news;
mod pagemap;
mod priority;
mod root;
mod video;

pub use alternate::{Alternate, Rel};
pub use changefreq::ChangeFreq;
pub(crate) use decimal::DECIMAL_NAME;
pub use decimal::Decimal;
pub use entries::{IndexEntry, UrlEntry};
pub use image::Image;
pub use kind::Kind;
pub use news::{News, NewsAccess, NewsArticle, NewsGenre, Publication};
pub(crate) use news::{join_genres, join_tickers, split_genres, split_tickers};
pub use pagemap::{DataAttribute, DataObject, PageMap, PageMapTemplate};
pub(crate) use priority::PRIORITY_NAME;
pub use priority::Priority;
pub use root::{Document, SitemapIndex, UrlSet};
pub use video::{
    ContentSegment, GalleryLoc, Platform, PlayerLoc, Price, PriceKind, Relationship, Resolution, Restriction,
    TvShow, Uploader, Video, VideoId, VideoIdKind, VideoPlatform, VideoType,
};
pub(crate) use video::{join_countries, join_platforms, split_countries, split_platforms};
