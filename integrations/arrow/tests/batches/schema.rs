//! The schema is pinned, and has all that the library's types have.

use std::collections::BTreeSet;
use std::fmt::{Debug, Write as _};
use std::sync::Arc;

use arrow_array::RecordBatchReader;
use arrow_schema::{DataType, Field};
use sitemap_arrow::{BatchReaderBuilder, problems_schema, schema};
use sitemap_serde::news::Publication;
use sitemap_serde::pagemap::{DataAttribute, DataObject, PageMap};
use sitemap_serde::video::{
    ContentSegment, GalleryLoc, PlayerLoc, Price, Relationship, Restriction, TvShow, Uploader, VideoId,
    VideoPlatform,
};
use sitemap_serde::{Alternate, Image, News, UrlEntry, Video};

/// A field on a line, `?` if it may be null, and the fields of its struct below it.
fn describe(field: &Field, depth: usize, out: &mut String) {
    let null = if field.is_nullable() { "?" } else { "" };
    let name = field.name();
    let (list, inner) = match field.data_type() {
        DataType::List(item) => {
            assert!(!item.is_nullable() && item.name() == "item");
            ("List of ", item.data_type().clone())
        }
        other => ("", other.clone()),
    };
    let indent = "  ".repeat(depth);
    if let DataType::Struct(fields) = &inner {
        let _ = writeln!(out, "{indent}{name}{null}: {list}Struct");
        for field in fields {
            describe(field, depth + 1, out);
        }
    } else {
        let _ = writeln!(out, "{indent}{name}{null}: {list}{inner}");
    }
}

fn described(schema: &arrow_schema::Schema) -> String {
    let mut out = String::new();
    for field in schema.fields() {
        describe(field, 0, &mut out);
    }
    out
}

#[test]
fn the_schema_stays() {
    assert_eq!(described(&schema()), SCHEMA);
    assert_eq!(described(&problems_schema()), PROBLEMS);
    assert!(schema().metadata().is_empty());
}

const PROBLEMS: &str = "\
source: Utf8
refused?: Utf8
severity: Utf8
rule?: Utf8
entry?: Int64
line?: Int64
column?: Int64
byte?: Int64
path?: Utf8
message: Utf8
";

const SCHEMA: &str = r#"loc: Utf8
lastmod?: Utf8
lastmod_at?: Timestamp(µs, "UTC")
changefreq?: Utf8
priority?: Float32
images: List of Struct
  loc: Utf8
  caption?: Utf8
  geo_location?: Utf8
  title?: Utf8
  license?: Utf8
videos: List of Struct
  thumbnail_loc: Utf8
  title: Utf8
  description: Utf8
  content_loc?: Utf8
  player_loc?: Struct
    allow_embed?: Boolean
    autoplay?: Utf8
    loc: Utf8
  duration?: Int64
  expiration_date?: Utf8
  rating?: Float64
  content_segments: List of Struct
    duration?: Int64
    loc: Utf8
  view_count?: UInt64
  publication_date?: Utf8
  tags: List of Utf8
  category?: Utf8
  family_friendly?: Boolean
  restriction?: Struct
    relationship: Utf8
    countries: List of Utf8
  gallery_loc?: Struct
    title?: Utf8
    loc: Utf8
  prices: List of Struct
    currency?: Utf8
    kind?: Utf8
    resolution?: Utf8
    value?: Float64
  requires_subscription?: Boolean
  uploader?: Struct
    info?: Utf8
    name: Utf8
  tv_show?: Struct
    show_title: Utf8
    video_type: Utf8
    episode_title?: Utf8
    season_number?: Int64
    episode_number?: Int64
    premier_date?: Utf8
  platform?: Struct
    relationship: Utf8
    platforms: List of Utf8
  live?: Boolean
  ids: List of Struct
    kind: Utf8
    id: Utf8
news: List of Struct
  publication: Struct
    name: Utf8
    language: Utf8
  access?: Utf8
  genres: List of Utf8
  publication_date: Utf8
  title: Utf8
  keywords?: Utf8
  stock_tickers: List of Utf8
alternates: List of Struct
  rel: Utf8
  hreflang?: Utf8
  media?: Utf8
  href: Utf8
mobile: Boolean
page_map?: Struct
  template?: Struct
    src: Utf8
  data_objects: List of Struct
    kind: Utf8
    id?: Utf8
    attributes: List of Struct
      name: Utf8
      value?: Utf8
      text?: Utf8
source: Utf8
entry: Int64
byte: Int64
"#;

/// The fields of a struct, as `Debug` shows them.
fn names(value: &dyn Debug) -> BTreeSet<String> {
    let shown = format!("{value:#?}");
    let fields = shown
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split_once(": "));
    let fields = fields.filter(|(name, _)| !name.starts_with(' '));
    fields.map(|(name, _)| name.to_owned()).collect()
}

/// The fields of the struct in a column.
fn columns(path: &[&str]) -> BTreeSet<String> {
    let mut data_type = DataType::Struct(schema().fields().clone());
    for name in path {
        let DataType::Struct(fields) = &data_type else {
            panic!("{path:?}");
        };
        let (_, field) = fields.find(name).unwrap();
        data_type = match field.data_type() {
            DataType::List(item) => item.data_type().clone(),
            other => other.clone(),
        };
    }
    match data_type {
        DataType::Struct(fields) => fields.iter().map(|field| field.name().clone()).collect(),
        _ => panic!("{path:?}"),
    }
}

/// A new field of the library is a new column of the same name.
#[test]
fn every_field_of_the_library_has_a_column() {
    let mut entry = names(&UrlEntry::new(""));
    entry.extend(["lastmod_at", "source", "entry", "byte"].map(str::to_owned));
    assert_eq!(columns(&[]), entry);
    assert_eq!(columns(&["images"]), names(&Image::new("")));
    assert_eq!(
        columns(&["videos"]),
        names(
            &Video::content("")
                .with_thumbnail("")
                .with_title("")
                .with_description("")
        )
    );
    assert_eq!(columns(&["videos", "player_loc"]), names(&PlayerLoc::new("")));
    assert_eq!(
        columns(&["videos", "content_segments"]),
        names(&ContentSegment::new(""))
    );
    let restriction = Restriction::new(Relationship::Allow, Vec::<String>::new());
    assert_eq!(columns(&["videos", "restriction"]), names(&restriction));
    assert_eq!(columns(&["videos", "gallery_loc"]), names(&GalleryLoc::new("")));
    assert_eq!(columns(&["videos", "prices"]), names(&Price::default()));
    assert_eq!(columns(&["videos", "uploader"]), names(&Uploader::new("")));
    assert_eq!(columns(&["videos", "tv_show"]), names(&TvShow::new("", "full")));
    let platform = VideoPlatform::new(Relationship::Deny, []);
    assert_eq!(columns(&["videos", "platform"]), names(&platform));
    assert_eq!(columns(&["videos", "ids"]), names(&VideoId::new("url", "")));
    let publication = Publication::new("", "");
    assert_eq!(columns(&["news", "publication"]), names(&publication));
    let news = News::new(publication, "2026".parse().unwrap(), "");
    assert_eq!(columns(&["news"]), names(&news));
    assert_eq!(columns(&["alternates"]), names(&Alternate::new("", "")));
    assert_eq!(columns(&["page_map"]), names(&PageMap::new(Vec::new())));
    assert_eq!(columns(&["page_map", "template"]), ["src".to_owned()].into());
    let object = DataObject::new("", Vec::new());
    assert_eq!(columns(&["page_map", "data_objects"]), names(&object));
    let attribute = DataAttribute::new("", "");
    assert_eq!(
        columns(&["page_map", "data_objects", "attributes"]),
        names(&attribute)
    );
}

#[test]
fn columns_are_chosen_by_name() {
    let mut builder = BatchReaderBuilder::new();
    builder.columns(["priority", "loc"]).unwrap();
    let reader = builder.read([(
        "a",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>",
    )]);
    assert_eq!(reader.schema(), Arc::new(schema().project(&[4, 0]).unwrap()));
    assert_eq!(
        builder.columns(["url"]).unwrap_err().to_string(),
        "Schema error: `url` is not a column of sitemaps, which are: loc, lastmod, lastmod_at, changefreq, priority, images, videos, \
         news, alternates, mobile, page_map, source, entry, byte"
    );
    assert_eq!(
        builder.columns(["loc", "loc"]).unwrap_err().to_string(),
        "Schema error: the column `loc` is given twice"
    );
}
