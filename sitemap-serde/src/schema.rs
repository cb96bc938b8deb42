//! The schema: one table per namespace defines all of its elements and attributes.
//!
//! A table ([`entry`], [`image`], [`video`], …) declares the crate's types. Next to each field is its row: its cardinality, the
//! qualified name, the kind of value and the rule. The rows give the names and their lookup ([`Name`]), reading from a record
//! and through serde ([`read`], [`serde`]), writing ([`write`]), and the checks and their messages ([`kind`]).

mod alternate;
mod argument;
mod card;
mod element;
mod entry;
mod image;
mod kind;
mod leaf;
mod meant;
mod name;
mod namespace;
mod news;
mod normal;
mod page_map;
mod read;
mod serde;
mod spelling;
mod table;
mod video;
mod write;

pub use alternate::{Alternate, Rel};
pub use entry::{IndexEntry, UrlEntry};
pub use image::Image;
pub use namespace::EXTENSIONS;
pub use news::{News, NewsAccess, NewsGenre, Publication};
pub use page_map::{DataAttribute, DataObject, PageMap, PageMapTemplate};
pub use video::{
    ContentSegment, GalleryLoc, Platform, PlayerLoc, Price, PriceKind, Relationship, Resolution, Restriction,
    TvShow, Uploader, Video, VideoId, VideoIdKind, VideoPlatform, VideoType,
};

pub(crate) use self::serde::{ELEMENT_NAME, LEAF_NAME};
pub(crate) use alternate::{HREF, HREFLANG, REL};
pub(crate) use element::{Blank, Element, Item, Word, leaf};
pub(crate) use entry::{ALTERNATE, CHANGEFREQ, IMAGE, LASTMOD, LOC, MOBILE, NEWS, PAGE_MAP, PRIORITY, VIDEO};
pub(crate) use image::LOC as IMAGE_LOC;
pub(crate) use kind::{Shape, Spellings, ValueKind, missing};
pub(crate) use leaf::Leaf;
pub(crate) use meant::field_meant;
pub(crate) use name::Name;
pub(crate) use namespace::{CORE, Namespace};
pub(crate) use news::MOST_NEWS;
pub(crate) use normal::normal;
pub(crate) use read::{FieldSource, lacks, second};
pub(crate) use spelling::of_uri;
pub(crate) use table::{Group, Occurs, SchemaRow, Written};
pub(crate) use video::{CONTENT_LOC, INFO, PLAYER_URL};
pub(crate) use write::FieldSink;

/// The rows of all tables.
#[cfg(test)]
pub(crate) fn rows() -> &'static [SchemaRow] {
    &table::ROWS
}
