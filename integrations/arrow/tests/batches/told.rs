//! The content of a batch and of an entry in the same words: this file judges both, not the crate.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type, TimestampMicrosecondType, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use serde_json::{Map, Value, json};
use sitemap_serde::pagemap::PageMap;
use sitemap_serde::video::Decimal;
use sitemap_serde::{Alternate, Image, News, UrlEntry, Video, W3cDateTime};

/// The rows of a batch by the names of the columns.
pub(crate) fn rows(batch: &RecordBatch) -> Vec<Value> {
    let schema = batch.schema();
    let row = |row| {
        let columns = schema.fields().iter().zip(batch.columns());
        let values = columns.map(|(field, array)| (field.name().clone(), value(array, row)));
        Value::Object(values.collect::<Map<_, _>>())
    };
    (0..batch.num_rows()).map(row).collect()
}

fn value(array: &dyn Array, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Utf8 => json!(array.as_string::<i32>().value(row)),
        DataType::Float32 => json!(array.as_primitive::<Float32Type>().value(row)),
        DataType::Float64 => json!(array.as_primitive::<Float64Type>().value(row)),
        DataType::Int64 => json!(array.as_primitive::<Int64Type>().value(row)),
        DataType::UInt64 => json!(array.as_primitive::<UInt64Type>().value(row)),
        DataType::Boolean => json!(array.as_boolean().value(row)),
        DataType::Timestamp(TimeUnit::Microsecond, Some(zone)) if &**zone == "UTC" => {
            json!(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            (0..items.len()).map(|item| value(&items, item)).collect()
        }
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            Value::Object(
                columns
                    .map(|(field, array)| (field.name().clone(), value(array, row)))
                    .collect(),
            )
        }
        other => panic!("a column of {other}"),
    }
}

fn date(date: Option<W3cDateTime>) -> Value {
    json!(date.map(|date| date.to_string()))
}

fn decimal(decimal: Option<&Decimal>) -> Value {
    json!(decimal.map(|decimal| decimal.as_str().parse::<f64>().unwrap()))
}

/// Microseconds since 1970, by chrono.
fn at(lastmod: W3cDateTime) -> i64 {
    let text = lastmod.to_string();
    let whole = match text.len() {
        4 => format!("{text}-01-01T00:00:00Z"),
        7 => format!("{text}-01T00:00:00Z"),
        10 => format!("{text}T00:00:00Z"),
        // chrono wants seconds.
        17 | 22 if text.as_bytes()[16] != b':' => format!("{}:00{}", &text[..16], &text[16..]),
        _ => text,
    };
    chrono::DateTime::parse_from_rfc3339(&whole)
        .unwrap()
        .timestamp_micros()
}

/// An entry as the row of a batch, without its origin.
pub(crate) fn entry(entry: &UrlEntry) -> Value {
    json!({
        "loc": entry.loc,
        "lastmod": date(entry.lastmod),
        "lastmod_at": entry.lastmod.map(at),
        "changefreq": entry.changefreq.map(sitemap_serde::ChangeFreq::as_str),
        "priority": entry.priority.map(sitemap_serde::Priority::get),
        "images": entry.images.iter().map(image).collect::<Vec<_>>(),
        "videos": entry.videos.iter().map(video).collect::<Vec<_>>(),
        "news": entry.news.as_deref().into_iter().map(news).collect::<Vec<_>>(),
        "alternates": entry.alternates.iter().map(alternate).collect::<Vec<_>>(),
        "mobile": entry.mobile,
        "page_map": entry.page_map.as_deref().map(page_map),
    })
}

fn image(image: &Image) -> Value {
    json!({
        "loc": image.loc, "caption": image.caption, "geo_location": image.geo_location, "title": image.title,
        "license": image.license,
    })
}

fn video(video: &Video) -> Value {
    json!({
        "thumbnail_loc": video.thumbnail_loc,
        "title": video.title,
        "description": video.description,
        "content_loc": video.content_loc,
        "player_loc": video.player_loc.as_ref().map(|player| json!({
            "allow_embed": player.allow_embed, "autoplay": player.autoplay, "loc": player.loc,
        })),
        "duration": video.duration,
        "expiration_date": date(video.expiration_date),
        "rating": decimal(video.rating.as_ref()),
        "content_segments": video.content_segments.iter().map(|segment| json!({
            "duration": segment.duration, "loc": segment.loc,
        })).collect::<Vec<_>>(),
        "view_count": video.view_count,
        "publication_date": date(video.publication_date),
        "tags": video.tags,
        "category": video.category,
        "family_friendly": video.family_friendly,
        "restriction": video.restriction.as_ref().map(|restriction| json!({
            "relationship": restriction.relationship.as_ref(), "countries": restriction.countries,
        })),
        "gallery_loc": video.gallery_loc.as_ref().map(|gallery| json!({
            "title": gallery.title, "loc": gallery.loc,
        })),
        "prices": video.prices.iter().map(|price| json!({
            "currency": price.currency,
            "kind": price.kind,
            "resolution": price.resolution,
            "value": decimal(price.value.as_ref()),
        })).collect::<Vec<_>>(),
        "requires_subscription": video.requires_subscription,
        "uploader": video.uploader.as_ref().map(|uploader| json!({ "info": uploader.info, "name": uploader.name })),
        "tv_show": video.tv_show.as_ref().map(|show| json!({
            "show_title": show.show_title,
            "video_type": show.video_type,
            "episode_title": show.episode_title,
            "season_number": show.season_number,
            "episode_number": show.episode_number,
            "premier_date": date(show.premier_date),
        })),
        "platform": video.platform.as_ref().map(|platform| json!({
            "relationship": platform.relationship.as_ref(),
            "platforms": platform.platforms.iter().map(AsRef::<str>::as_ref).collect::<Vec<_>>(),
        })),
        "live": video.live,
        "ids": video.ids.iter().map(|id| json!({ "kind": id.kind, "id": id.id })).collect::<Vec<_>>(),
    })
}

fn news(news: &News) -> Value {
    json!({
        "publication": { "name": news.publication.name, "language": news.publication.language },
        "access": news.access,
        "genres": news.genres,
        "publication_date": news.publication_date.to_string(),
        "title": news.title,
        "keywords": news.keywords,
        "stock_tickers": news.stock_tickers,
    })
}

fn alternate(link: &Alternate) -> Value {
    json!({ "rel": link.rel, "hreflang": link.hreflang, "media": link.media, "href": link.href })
}

fn page_map(map: &PageMap) -> Value {
    json!({
        "template": map.template.as_ref().map(|template| json!({ "src": template })),
        "data_objects": map.data_objects.iter().map(|object| json!({
            "kind": object.kind,
            "id": object.id,
            "attributes": object.attributes.iter().map(|attribute| json!({
                "name": attribute.name, "value": attribute.value, "text": attribute.text,
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}
