//! From batches to documents and sets.

use std::sync::Arc;

use arrow_array::builder::{LargeListBuilder, ListBuilder, StringBuilder};
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Date64Array, Decimal128Array, DictionaryArray,
    FixedSizeBinaryArray, Float16Array, Float32Array, Float64Array, Int8Array, Int32Array, Int64Array,
    LargeStringArray, ListArray, NullArray, RecordBatch, StringArray, StringViewArray, StructArray,
    TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray,
    UInt8Array, UInt64Array,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field};
use half::f16;
use sitemap_arrow::{BatchReaderBuilder, Entries, EntriesBuilder, Input};
use sitemap_serde::{Error, Reader, UrlEntry, Writer, WriterBuilder};
use sitemap_site::{Key, KeyValue, SitemapSet};
use sitemap_tests::Random;

use crate::{documents, told};

fn batch<const N: usize>(columns: [(&str, ArrayRef); N]) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap()
}

fn locs() -> ArrayRef {
    Arc::new(StringArray::from(vec![
        "https://example.com/1",
        "https://example.com/2",
    ]))
}

fn written(batch: &RecordBatch) -> Result<String, String> {
    let entries = Entries::try_from(batch).map_err(|error| error.to_string())?;
    let mut writer = Writer::from_writer(Vec::new());
    entries.write_to(&mut writer).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(writer.finish().unwrap()).unwrap())
}

/// The content of the first and the second `url`, after the loc.
fn values(batch: &RecordBatch) -> [String; 2] {
    let xml = written(batch).unwrap();
    let urls: Vec<&str> = xml
        .split("</loc>")
        .skip(1)
        .map(|rest| rest.split("</url>").next().unwrap())
        .collect();
    [urls[0].to_owned(), urls[1].to_owned()]
}

/// The values of a batch are written like an entry's, and rejected for the same rule.
#[test]
fn rows_are_written_as_entries_are() {
    let (mut same, mut refused) = (0, 0);
    for seed in 0..150 {
        let document = documents::document(&mut Random::new(seed), 10);
        let entries: Vec<UrlEntry> = Reader::from_str(&document)
            .entries()
            .filter_map(Result::ok)
            .collect();
        let mut builder = BatchReaderBuilder::new();
        builder.skip_refused(true);
        let rows = builder.read([("a", document)]).flat_map(|batch| {
            let batch = batch.unwrap();
            (0..batch.num_rows())
                .map(move |row| batch.slice(row, 1))
                .collect::<Vec<_>>()
        });
        for (entry, row) in entries.iter().zip(rows) {
            let row = Entries::try_from(&row).unwrap();
            let mut writer = Writer::from_writer(Vec::new());
            let by_entry = writer.write(entry).map(drop).map_err(|error| rule(&error));
            let mut other = Writer::from_writer(Vec::new());
            let by_row = row
                .rows()
                .try_for_each(|row| other.write(&row).map(drop))
                .map_err(|error| rule(&error));
            assert_eq!(by_row, by_entry, "{entry:?}");
            if by_entry.is_ok() {
                assert_eq!(read(&other.finish().unwrap()), read(&writer.finish().unwrap()));
                same += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert!(same > 200 && refused > 50, "{same} {refused}");
}

fn rule(error: &Error) -> (Option<&'static str>, Option<String>) {
    (
        error.rule().map(sitemap_serde::Rule::as_str),
        error.path().map(str::to_owned),
    )
}

fn read(document: &[u8]) -> Vec<serde_json::Value> {
    Reader::from_slice(document)
        .entries()
        .map(|entry| told::entry(&entry.unwrap()))
        .collect()
}

/// Batches, a set, and batches again.
#[test]
fn a_set_says_what_the_batches_said() {
    let folder = tempfile::tempdir().unwrap();
    let document = format!(
        "{}{}{}</urlset>",
        documents::ROOT,
        documents::WHOLE,
        documents::WHOLE.replace("?a=1", "?a=2")
    );
    let mut builder = BatchReaderBuilder::new();
    builder.batch_rows(1);
    let names: Vec<String> = sitemap_arrow::schema()
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect();
    builder.columns(&names[..11]).unwrap();
    let batches: Vec<_> = builder.read([("a", document)]).map(Result::unwrap).collect();
    assert_eq!(batches.len(), 2);

    let set = SitemapSet::directory(folder.path(), "https://example.com")
        .max_entries(1)
        .gzip(6)
        .open()
        .unwrap();
    let mut part = set.task_writer("pages", "all").unwrap();
    for batch in &batches {
        assert_eq!(
            Entries::try_from(batch)
                .unwrap()
                .write_to_part(&mut part)
                .unwrap(),
            1
        );
    }
    set.commit(&[part.finish().unwrap()]).unwrap();

    let public = folder.path().join("current");
    let mut parts: Vec<_> = std::fs::read_dir(&public)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "gz"))
        .collect();
    parts.sort();
    assert_eq!(parts.len(), 2);
    let again: Vec<_> = builder.read(parts).map(Result::unwrap).collect();
    assert_eq!(again, batches);
}

fn dictionary<T: Array + 'static>(values: T) -> ArrayRef {
    Arc::new(DictionaryArray::<Int32Type>::new(
        Int32Array::from(vec![1, 0]),
        Arc::new(values),
    ))
}

#[test]
fn every_string_type_is_a_loc() {
    let plain = written(&batch([("loc", locs())])).unwrap();
    assert!(plain.ends_with(
        "<url><loc>https://example.com/1</loc></url><url><loc>https://example.com/2</loc></url></urlset>"
    ));
    let texts = vec!["https://example.com/1", "https://example.com/2"];
    let turned = vec!["https://example.com/2", "https://example.com/1"];
    let arrays: [ArrayRef; 6] = [
        Arc::new(LargeStringArray::from(texts.clone())),
        Arc::new(StringViewArray::from(texts)),
        dictionary(StringArray::from(turned.clone())),
        dictionary(LargeStringArray::from(turned.clone())),
        dictionary(StringViewArray::from(turned)),
        locs().slice(0, 2),
    ];
    for array in arrays {
        let data_type = array.data_type().clone();
        assert_eq!(
            written(&batch([("loc", array)])).as_ref(),
            Ok(&plain),
            "{data_type}"
        );
    }
    // Rows in the middle of longer arrays.
    let long = Arc::new(StringArray::from(vec![
        "x",
        "https://example.com/1",
        "https://example.com/2",
        "y",
    ]));
    assert_eq!(written(&batch([("loc", long)]).slice(1, 2)), Ok(plain));
}

#[test]
fn every_type_of_time_is_a_lastmod() {
    let second = 1_777_623_630_i64;
    let expected = [
        "<lastmod>2026-05-01T08:20:30Z</lastmod>".to_owned(),
        String::new(),
    ];
    let arrays: [ArrayRef; 6] = [
        Arc::new(TimestampSecondArray::from(vec![Some(second), None])),
        Arc::new(
            TimestampMillisecondArray::from(vec![Some(second * 1000), None]).with_timezone("Europe/Zurich"),
        ),
        Arc::new(TimestampMicrosecondArray::from(vec![Some(second * 1_000_000), None]).with_timezone("UTC")),
        Arc::new(
            TimestampNanosecondArray::from(vec![Some(second * 1_000_000_000), None]).with_timezone("+09:00"),
        ),
        Arc::new(StringViewArray::from(vec![Some("2026-05-01T08:20:30Z"), None])),
        dictionary(StringArray::from(vec![None, Some("2026-05-01T08:20:30Z")])),
    ];
    for array in arrays {
        for name in ["lastmod", "lastmod_at"] {
            assert_eq!(
                values(&batch([("loc", locs()), (name, Arc::clone(&array))])),
                expected,
                "{}",
                array.data_type()
            );
        }
    }
    let dates: [ArrayRef; 2] = [
        Arc::new(Date32Array::from(vec![Some(20_574), None])),
        Arc::new(Date64Array::from(vec![Some(20_574 * 86_400_000), None])),
    ];
    for array in dates {
        let expected = ["<lastmod>2026-05-01</lastmod>".to_owned(), String::new()];
        assert_eq!(values(&batch([("loc", locs()), ("lastmod", array)])), expected);
    }
    // Fractions, and before 1970.
    let fractions = Arc::new(TimestampNanosecondArray::from(vec![-1, 1_500_000_000]));
    assert_eq!(
        values(&batch([("loc", locs()), ("lastmod", fractions)])),
        [
            "<lastmod>1969-12-31T23:59:59.999999999Z</lastmod>",
            "<lastmod>1970-01-01T00:00:01.5Z</lastmod>"
        ]
    );
}

/// The written text takes precedence over its time, which is used if the text is null.
#[test]
fn two_columns_of_lastmods() {
    let text = Arc::new(StringArray::from(vec![Some("2026-05"), None]));
    let at = Arc::new(TimestampSecondArray::from(vec![0, 1]));
    assert_eq!(
        values(&batch([("loc", locs()), ("lastmod_at", at), ("lastmod", text)])),
        [
            "<lastmod>2026-05</lastmod>",
            "<lastmod>1970-01-01T00:00:01Z</lastmod>"
        ]
    );
}

#[test]
fn every_type_of_number_is_a_priority() {
    let expected = ["<priority>0.8</priority>".to_owned(), String::new()];
    let arrays: [ArrayRef; 4] = [
        Arc::new(Float32Array::from(vec![Some(0.8), None])),
        Arc::new(Float64Array::from(vec![Some(0.8), None])),
        Arc::new(
            Decimal128Array::from(vec![Some(8), None])
                .with_precision_and_scale(5, 1)
                .unwrap(),
        ),
        Arc::new(StringArray::from(vec![Some("0.8"), None])),
    ];
    for array in arrays {
        assert_eq!(
            values(&batch([("loc", locs()), ("priority", Arc::clone(&array))])),
            expected,
            "{}",
            array.data_type()
        );
    }
    let halves: ArrayRef = Arc::new(Float16Array::from(vec![f16::ONE, f16::ZERO]));
    let numbers = values(&batch([("loc", locs()), ("priority", halves)]));
    assert_eq!(numbers, ["<priority>1.0</priority>", "<priority>0.0</priority>"]);
    let arrays: [ArrayRef; 3] = [
        Arc::new(Int8Array::from(vec![1, 0])),
        Arc::new(UInt64Array::from(vec![1, 0])),
        Arc::new(UInt8Array::from(vec![1, 0])),
    ];
    for array in arrays {
        let numbers = values(&batch([("loc", locs()), ("priority", array)]));
        assert_eq!(numbers, ["<priority>1</priority>", "<priority>0</priority>"]);
    }
}

/// Lists of the three kinds; images as their locs; news as a struct; lists of no type at all; null lists.
#[test]
fn lists_and_structs() {
    let mut list = ListBuilder::new(StringBuilder::new());
    list.append_value([
        Some("https://example.com/1.jpg"),
        Some("https://example.com/2.jpg"),
    ]);
    list.append_null();
    let mut large = LargeListBuilder::new(StringBuilder::new());
    large.append_value([
        Some("https://example.com/1.jpg"),
        Some("https://example.com/2.jpg"),
    ]);
    large.append(true);
    let image = "<image:image><image:loc>https://example.com/";
    let both = format!("{image}1.jpg</image:loc></image:image>{image}2.jpg</image:loc></image:image>");
    for images in [Arc::new(list.finish()) as ArrayRef, Arc::new(large.finish())] {
        assert_eq!(
            values(&batch([("loc", locs()), ("images", images)])),
            [both.clone(), String::new()]
        );
    }

    let publication = StructArray::try_from(vec![
        (
            "name",
            Arc::new(StringArray::from(vec!["The Times", ""])) as ArrayRef,
        ),
        ("language", Arc::new(StringArray::from(vec!["en", ""]))),
    ])
    .unwrap();
    let mut genres = ListBuilder::new(StringBuilder::new());
    genres.append_value([Some("Blog"), Some("Opinion")]);
    genres.append_null();
    let (fields, arrays, _) = StructArray::try_from(vec![
        ("publication", Arc::new(publication) as ArrayRef),
        (
            "publication_date",
            Arc::new(TimestampSecondArray::from(vec![0, 0])),
        ),
        ("title", Arc::new(StringArray::from(vec!["Steaks", ""]))),
        ("genres", Arc::new(genres.finish())),
    ])
    .unwrap()
    .into_parts();
    let news = StructArray::new(fields, arrays, Some(vec![true, false].into()));
    assert_eq!(
        values(&batch([
            ("loc", locs()),
            ("news", Arc::new(news)),
            ("mobile", Arc::new(BooleanArray::from(vec![false, true])))
        ])),
        [
            "<news:news><news:publication><news:name>The Times</news:name><news:language>en</news:language></news:publication>\
             <news:genres>Blog, Opinion</news:genres><news:publication_date>1970-01-01T00:00:00Z</news:publication_date>\
             <news:title>Steaks</news:title></news:news>",
            "<mobile:mobile/>"
        ]
    );
    let nothing: ArrayRef = Arc::new(NullArray::new(2));
    assert_eq!(
        values(&batch([
            ("loc", locs()),
            ("lastmod", Arc::clone(&nothing)),
            ("changefreq", nothing)
        ])),
        ["", ""]
    );
}

/// A video's numbers in other types than the schema's.
#[test]
fn numbers_in_structs() {
    let texts = |text: &str| Arc::new(StringArray::from(vec![text])) as ArrayRef;
    let video = StructArray::try_from(vec![
        ("thumbnail_loc", texts("https://example.com/t")),
        ("title", texts("A title")),
        ("description", texts("A description")),
        ("content_loc", texts("https://example.com/v")),
        ("duration", Arc::new(UInt8Array::from(vec![60])) as ArrayRef),
        ("rating", Arc::new(Float32Array::from(vec![4.2])) as ArrayRef),
        ("view_count", Arc::new(Int32Array::from(vec![7])) as ArrayRef),
        (
            "family_friendly",
            Arc::new(BooleanArray::from(vec![true])) as ArrayRef,
        ),
        ("player_loc", texts("https://example.com/p")),
    ])
    .unwrap();
    let field = Arc::new(Field::new("item", video.data_type().clone(), true));
    let videos = ListArray::new(field, OffsetBuffer::from_lengths([1]), Arc::new(video), None);
    let loc = Arc::new(StringArray::from(vec!["https://example.com/"]));
    let xml = written(&batch([("loc", loc), ("videos", Arc::new(videos))])).unwrap();
    assert!(
        xml.contains(
            "<video:content_loc>https://example.com/v</video:content_loc><video:player_loc>https://example.com/p</video:player_loc>\
             <video:duration>60</video:duration><video:rating>4.2</video:rating><video:view_count>7</video:view_count>\
             <video:family_friendly>yes</video:family_friendly>"
        ),
        "{xml}"
    );
}

#[test]
fn a_wrong_batch_is_refused_before_anything_is_written() {
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let refused = |batch: RecordBatch| {
        let error = Entries::try_from(&batch).unwrap_err();
        (
            error.column_name().map(str::to_owned),
            error.row(),
            error.to_string(),
        )
    };
    let text = "text: Utf8, LargeUtf8, Utf8View, or a dictionary of one of them";
    let cases = [
        (
            batch([("lastmod", locs())]),
            (None, None),
            "there is no column `loc`, which has the URL of each page: add it, or rename the column that has it".to_owned(),
        ),
        (
            batch([("loc", Arc::clone(&numbers))]),
            (Some("loc"), None),
            format!("column `loc`: it is of the type Int64, and has to be {text}: cast it"),
        ),
        (
            batch([("loc", Arc::new(StringArray::from(vec![Some("/1"), None])))]),
            (Some("loc"), Some(1)),
            "column `loc`, row 1: it is null, and every entry has a loc: leave such rows out".to_owned(),
        ),
        (
            batch([("loc", locs()), ("last_mod", locs())]),
            (Some("last_mod"), None),
            "column `last_mod`: it means nothing in a sitemap, where there are loc, lastmod, changefreq, priority, images, videos, news, \
             alternates, mobile, page_map, lastmod_at, source, entry, byte: rename it, leave it out, or ignore other columns"
                .to_owned(),
        ),
        (
            batch([("loc", locs()), ("lastmod", Arc::clone(&numbers))]),
            (Some("lastmod"), None),
            "column `lastmod`: it is of the type Int64, and has to be a date or time: text in the form of a W3C Datetime, Timestamp, \
             Date32 or Date64: cast it"
                .to_owned(),
        ),
        (
            batch([("loc", locs()), ("mobile", Arc::clone(&numbers))]),
            (Some("mobile"), None),
            "column `mobile`: it is of the type Int64, and has to be Boolean: cast it".to_owned(),
        ),
        (
            batch([("loc", locs()), ("images", locs())]),
            (Some("images"), None),
            "column `images`: it is of the type Utf8, and has to be a list of a struct: cast it".to_owned(),
        ),
    ];
    for (batch, (column, row), message) in cases {
        assert_eq!(refused(batch), (column.map(str::to_owned), row, message));
    }
    // A field of a struct in a list.
    let images = StructArray::try_from(vec![("loc", locs()), ("caption", Arc::clone(&numbers))]).unwrap();
    let field = Arc::new(Field::new("item", images.data_type().clone(), true));
    let images: ArrayRef = Arc::new(ListArray::new(
        field,
        OffsetBuffer::from_lengths([1, 1]),
        Arc::new(images),
        None,
    ));
    assert_eq!(
        refused(batch([("loc", locs()), ("images", images)])).2,
        format!("column `images.caption`: it is of the type Int64, and has to be {text}: cast it")
    );
    // Other columns, if they may be there.
    let entries = EntriesBuilder::new()
        .ignore_others(true)
        .build(&batch([("loc", locs()), ("id", numbers)]))
        .unwrap();
    assert_eq!((entries.len(), entries.is_empty()), (2, false));
}

#[test]
fn a_wrong_value_is_refused_with_its_row_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let priorities: ArrayRef = Arc::new(Float64Array::from(vec![0.5, 1.5]));
    let wrong = batch([("loc", locs()), ("priority", priorities)]);
    let message = "`1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
                   field out, entry 2 · priority, loc `https://example.com/2`";
    assert_eq!(
        written(&wrong),
        Err(format!("column `priority`, row 1: {message}"))
    );

    let set = SitemapSet::directory(folder.path(), "https://example.com")
        .open()
        .unwrap();
    let mut part = set.task_writer("pages", "all").unwrap();
    let error = Entries::try_from(&wrong)
        .unwrap()
        .write_to_part(&mut part)
        .unwrap_err();
    assert_eq!((error.column_name(), error.row()), (Some("priority"), Some(1)));
    assert_eq!(
        error.to_string(),
        format!("column `priority`, row 1: section pages: {message}")
    );
    assert_eq!(part.finish().unwrap().entries(), 1);

    let mut images = ListBuilder::new(StringBuilder::new());
    images.append_value([Some("https://example.com/1.jpg"), None]);
    images.append_value([Some("nowhere")]);
    let wrong = batch([("loc", locs()), ("images", Arc::new(images.finish()))]);
    assert_eq!(
        written(&wrong.slice(0, 1)),
        Err("column `images`, row 0: item 1 of the list is null: leave it out, entry 1 · image:image, loc `https://example.com/1`".to_owned())
    );
    assert!(
        written(&wrong.slice(1, 1))
            .unwrap_err()
            .starts_with("column `images`, row 0: `nowhere` is not")
    );
    let far: ArrayRef = Arc::new(TimestampSecondArray::from(vec![i64::MAX, i64::MIN]));
    for row in 0..2 {
        let error =
            written(&batch([("loc", locs()), ("lastmod", Arc::clone(&far))]).slice(row, 1)).unwrap_err();
        assert!(error.starts_with("row 0: "), "{error}");
    }
}

#[test]
fn keys() {
    let numbers: ArrayRef = Arc::new(Int8Array::from(vec![Some(7), None]));
    let bytes: ArrayRef =
        Arc::new(FixedSizeBinaryArray::try_from_iter([[1_u8, 2], [3, 4]].into_iter()).unwrap());
    let large: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX, 0]));
    let words = dictionary(StringArray::from(vec!["b", "a"]));
    let binary: ArrayRef = Arc::new(BinaryArray::from(vec![&b"x"[..], b"y"]));
    let batch = batch([
        ("loc", locs()),
        ("n", numbers),
        ("b", bytes),
        ("l", large),
        ("w", words),
        ("x", binary),
        ("f", Arc::new(Float32Array::from(vec![0.0, 1.0]))),
    ]);
    let keys = |names: &[&str]| {
        let builder = names
            .iter()
            .fold(EntriesBuilder::new().ignore_others(true), |builder, name| {
                builder.key(*name)
            });
        builder.build(&batch)
    };
    let told = |name: &str, row| keys(&[name]).unwrap().key(row).unwrap_err().to_string();
    assert_eq!(keys(&[]).unwrap().key(0).unwrap(), None);
    assert_eq!(keys(&["n"]).unwrap().key(0).unwrap(), Some(Key::from(7)));
    assert_eq!(
        told("n", 1),
        "column `n`, row 1: it is null, and is the key of the row: give each row a key"
    );
    assert_eq!(
        told("l", 0),
        "column `l`, row 0: 18446744073709551615 is too large for a key, which is at most 2^63 - 1: cast it to text"
    );
    assert_eq!(
        keys(&["w", "b", "x"]).unwrap().key(1).unwrap(),
        Some(Key::composite([
            KeyValue::Text("b".into()),
            KeyValue::Bytes(vec![3, 4]),
            KeyValue::Bytes(b"y".to_vec())
        ]))
    );
    assert_eq!(
        keys(&["nothing"]).unwrap_err().to_string(),
        "column `nothing`: there is no such column, and it is to be the key of the rows"
    );
    assert_eq!(
        keys(&["f"]).unwrap_err().to_string(),
        "column `f`: it is of the type Float32, and a key has to be integers, text or bytes: cast it"
    );
    // A key's column may also be a column of the sitemap.
    assert_eq!(
        keys(&["loc"]).unwrap().key(0).unwrap(),
        Some(Key::from("https://example.com/1"))
    );
}

/// Batches of a join may have them: the intended column is unknown.
#[test]
fn two_columns_of_one_name() {
    let numbers = || -> ArrayRef { Arc::new(Int8Array::from(vec![1, 2])) };
    let days = || -> ArrayRef { Arc::new(Date32Array::from(vec![1, 2])) };
    for (name, column) in [
        ("loc", locs as fn() -> ArrayRef),
        ("lastmod", days),
        ("lastmod_at", days),
        ("id", numbers),
    ] {
        let batch = batch([("loc", locs()), (name, column()), (name, column())]);
        for ignores_others in [false, true] {
            let mut builder = EntriesBuilder::new().ignore_others(ignores_others);
            if name == "id" {
                builder = builder.key(name);
            }
            assert_eq!(
                builder.build(&batch).unwrap_err().to_string(),
                format!("column `{name}`: there are two columns of this name: rename one")
            );
        }
    }
}

/// A dictionary with only null values has no values.
#[test]
fn an_empty_dictionary() {
    let empty = DictionaryArray::<Int8Type>::new(
        Int8Array::from(vec![None, None]),
        Arc::new(StringArray::from(Vec::<&str>::new())),
    );
    assert_eq!(
        values(&batch([("loc", locs()), ("changefreq", Arc::new(empty))])),
        ["", ""]
    );
}

/// The writer's base completes paths, and batches without rows write nothing.
#[test]
fn settings_are_the_writers() {
    let mut writer = WriterBuilder::new()
        .base("https://example.com/shop")
        .from_writer(Vec::new());
    let paths = batch([("loc", Arc::new(StringArray::from(vec!["/a b"])))]);
    assert_eq!(
        Entries::try_from(&paths).unwrap().write_to(&mut writer).unwrap(),
        1
    );
    assert_eq!(
        Entries::try_from(&paths.slice(0, 0))
            .unwrap()
            .write_to(&mut writer)
            .unwrap(),
        0
    );
    let xml = writer.finish().unwrap();
    let mut builder = BatchReaderBuilder::new();
    builder.columns(["loc"]).unwrap();
    let rows: Vec<_> = builder
        .read([Input::bytes("a", xml)])
        .flat_map(|batch| told::rows(&batch.unwrap()))
        .collect();
    assert_eq!(
        rows,
        [serde_json::json!({ "loc": "https://example.com/shop/a%20b" })]
    );
    assert_eq!(
        DataType::Utf8,
        sitemap_arrow::schema().field(0).data_type().clone()
    );
}
