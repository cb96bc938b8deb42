//! The parts of an entry and of its elements: the column of each, and its serde name.
//!
//! **Record batches**. `model` is a table of the columns, each with serde's name of its element; a test holds it against the library's
//! structs. `plain` copies plain records into columns (`column`), which can be cut back to the last whole row; every other entry is read by
//! `Reader::diagnose` and copied by its names in serde (`value`). So the crate states no rule of the format. Arrow's own builders cannot
//! take a row back. `array` and `entries` are the other direction, by `EntryWriter::element`. The crate is on the Arrow of the current
//! DataFusion, since batches are handed over within one major version only.

use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use sitemap_serde::video::{Platform, Relationship};

/// One part: a field of the library's type, and a column or a field of a struct here.
#[derive(Debug)]
pub(crate) struct ModelPart {
    /// The name of the column: the library's name of the field.
    pub(crate) name: &'static str,
    /// The name in serde: `image:loc`, `@href`, `$text`.
    pub(crate) serde: &'static str,
    pub(crate) card: Card,
    pub(crate) kind: ValueKind,
}

/// The cardinality of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Card {
    /// Required.
    One,
    /// Optional: null if it is absent.
    Maybe,
    /// Any number of times: a list.
    Many,
    /// One element, which is a list of at most one here.
    ListOfOne,
    /// One element whose text is a list with this separator: a list.
    Joined(&'static str),
}

/// The values of a part.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueKind {
    Text,
    /// A word of a list. The function returns `true` if the library keeps a spelling unchanged.
    Word(fn(&str) -> bool),
    /// A W3C Datetime as text.
    Date,
    ChangeFreq,
    Priority,
    Decimal,
    /// A whole number below 2³².
    Integer,
    Count,
    YesNo,
    /// An element without a value.
    Flag,
    Group(&'static [ModelPart]),
}

impl Card {
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Card::Many | Card::ListOfOne | Card::Joined(_))
    }
}

const fn one(name: &'static str, serde: &'static str, kind: ValueKind) -> ModelPart {
    part(Card::One, name, serde, kind)
}

const fn maybe(name: &'static str, serde: &'static str, kind: ValueKind) -> ModelPart {
    part(Card::Maybe, name, serde, kind)
}

const fn many(name: &'static str, serde: &'static str, kind: ValueKind) -> ModelPart {
    part(Card::Many, name, serde, kind)
}

const fn joined(
    name: &'static str,
    serde: &'static str,
    kind: ValueKind,
    separator: &'static str,
) -> ModelPart {
    part(Card::Joined(separator), name, serde, kind)
}

const fn part(card: Card, name: &'static str, serde: &'static str, kind: ValueKind) -> ModelPart {
    ModelPart {
        name,
        serde,
        card,
        kind,
    }
}

/// A word of a library enum.
macro_rules! word {
    ($type:ident) => {
        Word(|text| AsRef::<str>::as_ref(&$type::from(text)) == text)
    };
}

use ValueKind::{ChangeFreq, Count, Date, Decimal, Flag, Group, Integer, Priority, Text, Word, YesNo};

/// The columns of an entry, in the order of the schema.
pub(crate) static ENTRY: [ModelPart; 10] = [
    one("loc", "loc", Text),
    maybe("lastmod", "lastmod", Date),
    maybe("changefreq", "changefreq", ChangeFreq),
    maybe("priority", "priority", Priority),
    many("images", "image:image", Group(&IMAGE)),
    many("videos", "video:video", Group(&VIDEO)),
    part(Card::ListOfOne, "news", "news:news", Group(&NEWS)),
    many("alternates", "xhtml:link", Group(&ALTERNATE)),
    one("mobile", "mobile:mobile", Flag),
    maybe("page_map", "pagemap:PageMap", Group(&PAGE_MAP)),
];

static IMAGE: [ModelPart; 5] = [
    one("loc", "image:loc", Text),
    maybe("caption", "image:caption", Text),
    maybe("geo_location", "image:geo_location", Text),
    maybe("title", "image:title", Text),
    maybe("license", "image:license", Text),
];

static VIDEO: [ModelPart; 23] = [
    one("thumbnail_loc", "video:thumbnail_loc", Text),
    one("title", "video:title", Text),
    one("description", "video:description", Text),
    maybe("content_loc", "video:content_loc", Text),
    maybe("player_loc", "video:player_loc", Group(&PLAYER_LOC)),
    maybe("duration", "video:duration", Integer),
    maybe("expiration_date", "video:expiration_date", Date),
    maybe("rating", "video:rating", Decimal),
    many(
        "content_segments",
        "video:content_segment_loc",
        Group(&CONTENT_SEGMENT),
    ),
    maybe("view_count", "video:view_count", Count),
    maybe("publication_date", "video:publication_date", Date),
    many("tags", "video:tag", Text),
    maybe("category", "video:category", Text),
    maybe("family_friendly", "video:family_friendly", YesNo),
    maybe("restriction", "video:restriction", Group(&RESTRICTION)),
    maybe("gallery_loc", "video:gallery_loc", Group(&GALLERY_LOC)),
    many("prices", "video:price", Group(&PRICE)),
    maybe("requires_subscription", "video:requires_subscription", YesNo),
    maybe("uploader", "video:uploader", Group(&UPLOADER)),
    maybe("tv_show", "video:tvshow", Group(&TV_SHOW)),
    maybe("platform", "video:platform", Group(&VIDEO_PLATFORM)),
    maybe("live", "video:live", YesNo),
    many("ids", "video:id", Group(&VIDEO_ID)),
];

static PLAYER_LOC: [ModelPart; 3] = [
    maybe("allow_embed", "@allow_embed", YesNo),
    maybe("autoplay", "@autoplay", Text),
    one("loc", "$text", Text),
];

static CONTENT_SEGMENT: [ModelPart; 2] = [maybe("duration", "@duration", Integer), one("loc", "$text", Text)];

static RESTRICTION: [ModelPart; 2] = [
    one("relationship", "@relationship", word!(Relationship)),
    joined("countries", "$text", Text, " "),
];

static GALLERY_LOC: [ModelPart; 2] = [maybe("title", "@title", Text), one("loc", "$text", Text)];

static PRICE: [ModelPart; 4] = [
    maybe("currency", "@currency", Text),
    maybe("kind", "@type", Text),
    maybe("resolution", "@resolution", Text),
    maybe("value", "$text", Decimal),
];

static UPLOADER: [ModelPart; 2] = [maybe("info", "@info", Text), one("name", "$text", Text)];

static TV_SHOW: [ModelPart; 6] = [
    one("show_title", "video:show_title", Text),
    one("video_type", "video:video_type", Text),
    maybe("episode_title", "video:episode_title", Text),
    maybe("season_number", "video:season_number", Integer),
    maybe("episode_number", "video:episode_number", Integer),
    maybe("premier_date", "video:premier_date", Date),
];

static VIDEO_PLATFORM: [ModelPart; 2] = [
    one("relationship", "@relationship", word!(Relationship)),
    joined("platforms", "$text", word!(Platform), " "),
];

static VIDEO_ID: [ModelPart; 2] = [one("kind", "@type", Text), one("id", "$text", Text)];

static NEWS: [ModelPart; 7] = [
    one("publication", "news:publication", Group(&PUBLICATION)),
    maybe("access", "news:access", Text),
    joined("genres", "news:genres", Text, ", "),
    one("publication_date", "news:publication_date", Date),
    one("title", "news:title", Text),
    maybe("keywords", "news:keywords", Text),
    joined("stock_tickers", "news:stock_tickers", Text, ", "),
];

static PUBLICATION: [ModelPart; 2] = [
    one("name", "news:name", Text),
    one("language", "news:language", Text),
];

static ALTERNATE: [ModelPart; 4] = [
    one("rel", "@rel", Text),
    maybe("hreflang", "@hreflang", Text),
    maybe("media", "@media", Text),
    one("href", "@href", Text),
];

static PAGE_MAP: [ModelPart; 2] = [
    maybe("template", "pagemap:Template", Group(&TEMPLATE)),
    many("data_objects", "pagemap:DataObject", Group(&DATA_OBJECT)),
];

static TEMPLATE: [ModelPart; 1] = [one("src", "@src", Text)];

static DATA_OBJECT: [ModelPart; 3] = [
    one("kind", "@type", Text),
    maybe("id", "@id", Text),
    many("attributes", "pagemap:Attribute", Group(&DATA_ATTRIBUTE)),
];

static DATA_ATTRIBUTE: [ModelPart; 3] = [
    one("name", "@name", Text),
    maybe("value", "@value", Text),
    maybe("text", "$text", Text),
];

impl ModelPart {
    /// The part of `parts` with this name of a column.
    pub(crate) fn named(parts: &'static [ModelPart], name: &str) -> Option<&'static ModelPart> {
        parts.iter().find(|part| part.name == name)
    }

    pub(crate) fn data_type(&self) -> DataType {
        let item = self.kind.data_type();
        if self.card.is_list() {
            DataType::List(Arc::new(Field::new("item", item, false)))
        } else {
            item
        }
    }

    pub(crate) fn field(&self) -> Field {
        Field::new(self.name, self.data_type(), self.card == Card::Maybe)
    }
}

impl ValueKind {
    pub(crate) fn data_type(self) -> DataType {
        match self {
            Text | Word(_) | Date | ChangeFreq => DataType::Utf8,
            Priority => DataType::Float32,
            Decimal => DataType::Float64,
            Integer => DataType::Int64,
            Count => DataType::UInt64,
            YesNo | Flag => DataType::Boolean,
            Group(parts) => DataType::Struct(fields(parts)),
        }
    }
}

/// The fields of an element's struct.
pub(crate) fn fields(parts: &[ModelPart]) -> Fields {
    parts.iter().map(ModelPart::field).collect()
}

/// The column of an entry's lastmod as a time.
pub(crate) const LASTMOD_AT: &str = "lastmod_at";

/// The columns for the origin of an entry, which its document does not contain.
pub(crate) const ORIGIN: [&str; 3] = ["source", "entry", "byte"];

/// The schema of the batches of entries: the columns and their types, in this order. It is stable: a later version may add columns at the
/// end.
///
/// ```
/// let schema = sitemap_arrow::schema();
/// assert!(!schema.field_with_name("loc")?.is_nullable());
/// assert_eq!(schema.fields().len(), 14);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
pub fn schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
        let mut fields: Vec<Field> = ENTRY.iter().map(ModelPart::field).collect();
        let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        fields.insert(2, Field::new(LASTMOD_AT, time, true));
        let [source, entry, byte] = ORIGIN;
        fields.push(Field::new(source, DataType::Utf8, false));
        fields.push(Field::new(entry, DataType::Int64, false));
        fields.push(Field::new(byte, DataType::Int64, false));
        Arc::new(Schema::new(fields))
    });
    Arc::clone(&SCHEMA)
}
