//! Abilities that had functions and types of their own before those were merged into others: each still works. What replaced them is in
//! the comment of each test; a function that is merged next gets its test here.

use serde::{Deserialize, Serialize};
use sitemap_serde::news::Publication;
use sitemap_serde::pagemap::{DataAttribute, DataObject, PageMap};
use sitemap_serde::robots::Robots;
use sitemap_serde::video::{Decimal, Price, TvShow, VideoId};
use sitemap_serde::{
    Editor, Image, Limits, Mode, News, RawXml, Reader, ReaderBuilder, Record, Rule, UrlEntry, Video,
    WriterBuilder, from_str, to_string,
};
use sitemap_tests::{finished, urlset};

/// `NewsAccess`, `NewsGenre`, `PriceKind`, `Resolution`, `VideoIdKind`, `VideoType` and `Rel` are texts: their words are written and read,
/// other words are refused by the writer and kept by the reader. `with_…` of images, news and entries are their fields, and so are the forms
/// that `Price::of_kind`, `DataAttribute::with_text` and `PageMapTemplate::new` made.
#[test]
fn words_and_constructors() {
    let date = "2026-05-01T10:00:00Z".parse().unwrap();
    let mut news = News::new(Publication::new("The Times", "en"), date, "Title");
    news.access = Some("Subscription".to_owned());
    news.genres = vec!["PressRelease".to_owned(), "Blog".to_owned()];
    news.keywords = Some("a, b".to_owned());
    let mut video = Video::content("https://example.com/v")
        .with_thumbnail("https://example.com/t")
        .with_title("Title")
        .with_description("Text");
    video.tv_show = Some(Box::new(TvShow::new("Show", "full")));
    let mut price = Price::new("9.90".parse::<Decimal>().unwrap(), "EUR");
    (price.kind, price.resolution) = (Some("rent".to_owned()), Some("HD".to_owned()));
    let mut without_value = price.clone();
    without_value.value = None;
    video.prices = vec![price, without_value];
    video.ids = vec![VideoId::new("tms:series", "7")];
    let mut image = Image::new("https://example.com/i");
    (image.title, image.caption) = (Some("Title".to_owned()), Some("Caption".to_owned()));
    let mut text_only = DataAttribute::new("a", "");
    (text_only.text, text_only.value) = (Some("text".to_owned()), None);
    let mut map = PageMap::new(vec![DataObject::new(
        "o",
        vec![text_only, DataAttribute::new("b", "c")],
    )]);
    map.template = Some("https://example.com/template".to_owned());

    let mut entry = UrlEntry::new("https://example.com/");
    entry.news = Some(Box::new(news));
    entry.videos = vec![video];
    entry.images = vec![image];
    entry.page_map = Some(Box::new(map));
    entry.mobile = true;
    let xml = to_string(&[&entry]).unwrap();
    assert_eq!(from_str::<Vec<UrlEntry>>(&xml).unwrap(), [entry.clone()]);

    for (word, other, rule) in [
        ("Subscription", "Gratis", Rule::NewsXsd),
        (">full<", ">half<", Rule::VideoXsd),
    ] {
        let read = from_str::<Vec<UrlEntry>>(&xml.replace(word, other)).unwrap();
        assert_eq!(to_string(&read).unwrap_err().rule(), Some(rule), "{other}");
    }
}

/// `TextWriter` is a `Writer`; `len`, `is_empty` and `byte_len` of writers are in the summary.
#[test]
fn texts_and_counts() {
    let mut writer = WriterBuilder::new().text_from_writer(Vec::new());
    assert_eq!(writer.summary().entries, 0);
    writer.write(&UrlEntry::new("https://example.com/a")).unwrap();
    writer.serialize(&UrlEntry::new("https://example.com/b")).unwrap();
    assert_eq!((writer.summary().entries, writer.summary().bytes), (2, 44));
    assert_eq!(finished(writer), "https://example.com/a\nhttps://example.com/b\n");
}

/// `Limits::with_structure`, `structure` and `StructureLimit` are the fields; the getters too.
#[test]
fn limits() {
    let mut limits = Limits::reading().with_entries(2).with_bytes(1 << 20);
    limits.depth = 3;
    assert_eq!((limits.entries, limits.bytes, limits.depth), (2, 1 << 20, 3));
    let xml = urlset("<url><loc>https://example.com/</loc><x><y/></x></url>");
    assert!(
        ReaderBuilder::new()
            .limits(limits.clone())
            .from_str(&xml)
            .entries()
            .next()
            .unwrap()
            .is_err()
    );
    limits.depth = 4;
    assert!(
        ReaderBuilder::new()
            .limits(limits)
            .from_str(&xml)
            .entries()
            .next()
            .unwrap()
            .is_ok()
    );
}

/// `set_loc`, `set_changefreq` and `get` of the editor are `set` and the record; every name is removed. The writer's `raw_elements` is
/// always on, which took the names from the editor once.
#[test]
fn edits() {
    let xml =
        urlset("<url><loc>https://example.com/</loc><lastmod>2025</lastmod><expires>2027</expires></url>");
    let mut editor = Editor::new(xml.as_bytes(), Vec::new());
    let mut entry = editor.next_entry().unwrap().unwrap();
    assert_eq!(entry.record().get("lastmod"), Some("2025"));
    entry.set("loc", "https://example.com/b").unwrap();
    entry.set("changefreq", "daily").unwrap();
    entry.set_lastmod(std::time::SystemTime::UNIX_EPOCH).unwrap();
    entry.set_priority(0.5_f32).unwrap();
    assert!(entry.remove("expires").unwrap());
    let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
    let expected = "<loc>https://example.com/b</loc><lastmod>1970-01-01T00:00:00Z</lastmod><changefreq>daily</changefreq>\
                    <priority>0.5</priority>";
    assert_eq!(edited, urlset(&format!("<url>{expected}</url>")));

    #[derive(Serialize, Deserialize)]
    struct Raw {
        loc: String,
        #[serde(rename = "$other")]
        other: RawXml,
    }
    let raw = urlset("<url><loc>https://example.com/</loc><x:y xmlns:x=\"urn:x\">z</x:y></url>");
    let mut reading = ReaderBuilder::new();
    let mut reader = reading.raw_elements(true).from_str(&raw);
    let read: Raw = reader.deserialize().next().unwrap().unwrap();
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    writer.serialize(&read).unwrap();
    assert!(finished(writer).contains("<x:y xmlns:x=\"urn:x\">z</x:y>"));
}

/// `Record::to_entry` and `IntoIterator` are `read`, `deserialize` and `fields`; the four ways of reading are one iterator.
#[test]
fn records_and_entries() {
    let xml = urlset("<url><loc>https://example.com/</loc><lastmod>2026-05-01</lastmod></url>");
    let (mut reader, mut record) = (Reader::from_str(&xml), Record::new());
    assert!(reader.read_record(&mut record).unwrap());
    let entry: UrlEntry = record.read().unwrap();
    assert_eq!(record.deserialize::<UrlEntry>().unwrap(), entry);
    assert_eq!(record.fields().count(), 2);
    let mut reader = Reader::from_str(&xml);
    let (diagnosed, found) = reader.entries().with_diagnostics().next().unwrap().unwrap();
    assert_eq!((diagnosed, found.len()), (entry.clone(), 0));
    assert_eq!(Reader::from_str(&xml).into_iter().next().unwrap().unwrap(), entry);
    assert_eq!(
        Reader::from_str(&xml).read::<UrlEntry>().next().unwrap().unwrap(),
        entry
    );
    let mut lenient = ReaderBuilder::new();
    let read = lenient
        .mode(Mode::Lenient)
        .from_str(&xml)
        .deserialize::<UrlEntry>()
        .next();
    assert_eq!(read.unwrap().unwrap(), entry);
}

/// `RuleDoc` and `Statement` are methods of rules and engines.
#[test]
fn rules_and_engines() {
    use sitemap_serde::engine::{Engine, Stance};
    assert!(Rule::Prio.explanation().contains("0.0"));
    assert_eq!(Rule::Prio.as_str(), "P-PRIO");
    let stated =
        |engine: &Engine| engine.on(Rule::Prio) != Stance::Unknown && engine.source(Rule::Prio).is_some();
    assert!(Engine::ALL.iter().any(stated));
    assert!(
        Robots::parse(b"Sitemap: https://example.com/a.xml")
            .sitemaps()
            .eq(["https://example.com/a.xml"])
    );
}
