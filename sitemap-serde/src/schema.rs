//! The schema: one table per namespace defines all of its elements and attributes.
//!
//! A table ([`entry`], [`image`], [`video`], …) declares the crate's types. Next to each field is its row: its cardinality, the
//! qualified name, the kind of value and the rule. The rows give the names and their lookup ([`Name`]), reading from a record
//! and through serde ([`read`], [`serde`]), writing ([`write`]), and the checks and their messages ([`kind`]).
//!
//! **The path of one `image:title`, from bytes to struct and back.**
//! - *Reading.* The first `image:title` is read token by token: the scanner returns its start tag, `Table::element_name`
//!   (`record/table/names`) finds the row `TITLE` by namespace and local name (`schema/name`), and the tag is known from then on. Every later
//!   `image:title` is put into the record by `record/read/tags` (which tag is likely here), `pattern` (compares it), `bit_sets` (finds its
//!   end), `known` (the loop over all that), and `record/table` with `node` (the row's number and the text's byte range). Then a value is
//!   made of it: for `Reader::entries`, `de/typed`
//!   walks the nodes of the `image:image` and calls `Image::read` (`schema/element`) with each name; `schema/table` has generated it from the
//!   rows: `TITLE => maybe::read(&mut self.title, …)` (`schema/card`), which asks for a text, and `String::read` (`schema/leaf`) reads it as
//!   the row says (`schema/kind`). For serde, a visitor calls the same `Image::read`, and the source is the map's next value. These are the
//!   files whose instructions grow with the number of titles, counted by callgrind with debug information.
//! - *Errors.* `SchemaRow` makes the error in both cases, so both give the same error.
//! - *Writing.* `Image::write` gives each field to a `FieldSink`. The record's sink checks the text against its row (`SchemaRow::check`),
//!   puts it in the schema's order, and checks at the element's end that all required parts are present (`Written`). serde's sink is a
//!   `SerializeStruct`.
//!
//! `tests/tests/all/extensions/schema_differential.rs` compares these ways with each other, for every element and attribute.
//!
//! | file | content |
//! |---|---|
//! | `entry`, `image`, `video`, `news`, `alternate`, `page_map` | the tables: the crate's types and their rows. The elements directly in an entry are rows of `UrlEntry` |
//! | `table` | the macro `table!`, the rows of all tables as one array, and the counts kept while an element is written |
//! | `name` | names: the number of a row; namespace and local name are looked up in a hash table built at compile time |
//! | `kind` | the kinds of values: shape in serde's data model, check, message |
//! | `leaf` | the Rust types of texts: how each is read and written |
//! | `card` | `one`, `maybe`, `many`, `list`, `flag`: how often a field occurs, and how such a field is read and written |
//! | `read`, `write` | the traits `FieldSource` and `FieldSink`: values are read from and written to records (`de/typed`, `record/extension`), and every format of serde (`serde`) |

mod alternate;
mod argument;
mod card;
mod element;
mod entry;
mod image;
mod kind;
mod leaf;
mod name;
mod namespace;
mod news;
mod normal;
mod page_map;
mod read;
mod serde;
mod spelling;
mod suggest;
mod table;
mod video;
mod write;

pub use alternate::Alternate;
pub use entry::{IndexEntry, UrlEntry};
pub use image::Image;
pub use namespace::EXTENSIONS;
pub use news::{News, Publication};
pub use page_map::{DataAttribute, DataObject, PageMap};
pub use video::{
    ContentSegment, GalleryLoc, Platform, PlayerLoc, Price, Relationship, Restriction, TvShow, Uploader,
    Video, VideoId, VideoPlatform,
};

pub(crate) use self::serde::{ELEMENT_NAME, LEAF_NAME};
pub(crate) use alternate::{ALTERNATE_REL, HREF, HREFLANG, REL};
pub(crate) use element::{Blank, Element, Item, Word, leaf};
pub(crate) use entry::{ALTERNATE, CHANGEFREQ, IMAGE, LASTMOD, LOC, MOBILE, NEWS, PAGE_MAP, PRIORITY, VIDEO};
pub(crate) use image::{LICENSE, LOC as IMAGE_LOC};
pub(crate) use kind::{Shape, Spellings, ValueKind, missing};
pub(crate) use leaf::Leaf;
pub(crate) use name::Name;
pub(crate) use namespace::{CORE, Namespace};
pub(crate) use news::MOST_NEWS;
pub(crate) use normal::normal;
pub(crate) use read::{FieldSource, lacks, second};
pub(crate) use spelling::{Spelling, of_uri};
pub(crate) use suggest::field_meant;
pub(crate) use table::{Group, Occurs, SchemaRow, Written};
pub(crate) use video::{CONTENT_LOC, INFO, PLAYER_URL};
pub(crate) use write::FieldSink;

/// The rows of all tables.
#[cfg(test)]
pub(crate) fn rows() -> &'static [SchemaRow] {
    &table::ROWS
}
