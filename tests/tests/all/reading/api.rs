//! A reader's iterators, owned and borrowed, their results, and the traits of the types around them.

use std::io::Cursor;
use std::iter::FusedIterator;

use serde::Deserialize;
use sitemap_serde::iter::Entries;
use sitemap_serde::source::{DocumentSource, SliceSource, StreamSource};
use sitemap_serde::{
    ChangeFreq, Deserializer, Diagnostic, Error, ErrorKind, FromSitemapEntry, Image, IndexEntry, Limits,
    Mode, Priority, Reader, ReaderBuilder, Record, Result, SitemapIndex, UrlEntry, UrlSet, W3cDateTime,
    video::Platform,
};

const XML: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
    <url><loc>https://a.b/1</loc><priority>0.5</priority></url>\n\
    <url><loc>https://a.b/2</loc><priority>high</priority></url>\n\
    <url><loc>https://a.b/3</loc></url>\n\
    </urlset>\n";

#[derive(FromSitemapEntry)]
struct Page {
    #[sitemap(loc)]
    loc: String,
}

#[derive(serde::Deserialize)]
struct Row {
    loc: String,
}

fn entries(text: &str) -> impl Iterator<Item = Result<UrlEntry>> {
    Reader::from_str(text).into_iter()
}

/// An iterator over a stream that can be stored and named.
struct Crawl {
    entries: Entries<StreamSource<Cursor<Vec<u8>>>>,
}

#[test]
fn an_owned_iterator_gives_what_the_borrowed_one_gives() {
    let told = |result: Result<String>| result.unwrap_or_else(|error| error.to_string());
    let borrowed: Vec<String> = Reader::from_str(XML)
        .entries()
        .map(|entry| told(entry.map(|entry| entry.loc)))
        .collect();
    assert_eq!(
        borrowed,
        [
            "https://a.b/1",
            "`high` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the \
             field out, at line 3, column 40 (byte 160), entry 2 · priority",
            "https://a.b/3"
        ]
    );
    let owned: Vec<String> = entries(XML)
        .map(|entry| told(entry.map(|entry| entry.loc)))
        .collect();
    assert_eq!(owned, borrowed);
    let crawl = Crawl {
        entries: Reader::from_reader(Cursor::new(XML.as_bytes().to_vec())).into_iter(),
    };
    let stored: Vec<String> = crawl
        .entries
        .map(|entry| told(entry.map(|entry| entry.loc)))
        .collect();
    assert_eq!(stored, borrowed);

    let all = ["https://a.b/1", "https://a.b/2", "https://a.b/3"];
    let rows = Reader::from_str(XML).into_iter().deserialize::<Row>();
    assert_eq!(rows.map(|row| row.unwrap().loc).collect::<Vec<_>>(), all);
    let pages = Reader::from_str(XML).into_iter().read::<Page>();
    assert_eq!(pages.map(|page| page.unwrap().loc).collect::<Vec<_>>(), all);
    let diagnosed: Vec<_> = Reader::from_str(XML)
        .into_iter()
        .with_diagnostics()
        .map(|entry| entry.map(|(entry, found)| (entry.loc, found.len())).unwrap())
        .collect();
    assert_eq!(
        diagnosed,
        [
            (all[0].to_owned(), 0),
            (all[1].to_owned(), 1),
            (all[2].to_owned(), 0)
        ]
    );
}

#[test]
fn an_iterator_gives_its_reader_back() {
    let mut entries = Reader::from_str(XML).into_iter();
    assert_eq!(entries.next().unwrap().unwrap().loc, "https://a.b/1");
    let position = entries.reader().position();
    assert_eq!(
        (position.line(), position.column(), position.entry()),
        (2, 60, Some(1))
    );
    assert!(XML[usize::try_from(position.byte()).unwrap()..].starts_with("\n<url><loc>https://a.b/2"));

    // Another way of reading continues where this one stopped.
    let mut rows = entries.deserialize::<Row>();
    assert_eq!(rows.next().unwrap().unwrap().loc, "https://a.b/2");
    let mut reader = rows.into_reader();
    let mut pages = reader.read::<Page>();
    assert_eq!(pages.next().unwrap().unwrap().loc, "https://a.b/3");
    assert!(pages.next().is_none());
    assert!(pages.into_reader().position().entry().is_some());

    let mut lenient = ReaderBuilder::new().mode(Mode::Lenient).from_str(XML).into_iter();
    assert_eq!(lenient.by_ref().count(), 3);
    assert_eq!(lenient.reader().diagnostics().len(), 1);
}

#[test]
fn a_reader_gives_its_stream_back() {
    let mut reader = Reader::from_reader(Cursor::new(XML.as_bytes().to_vec()));
    assert_eq!(reader.get_ref().position(), 0);
    assert_eq!(reader.entries().flatten().count(), 2);
    assert_eq!(reader.get_ref().position(), XML.len() as u64);
    reader.get_mut().set_position(7);
    assert_eq!(reader.into_inner().position(), 7);

    let with_doctype = format!("<!DOCTYPE urlset []>{XML}");
    let mut reader = Reader::from_reader(Cursor::new(with_doctype.clone().into_bytes()));
    assert_eq!(reader.entries().flatten().count(), 2);
    assert_eq!(reader.get_mut().position(), with_doctype.len() as u64);
    assert_eq!(reader.get_ref().position(), with_doctype.len() as u64);
    assert_eq!(reader.into_inner().get_ref().len(), with_doctype.len());
}

#[test]
fn a_reader_gives_a_compressed_stream_back() {
    use std::io::Write as _;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(XML.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let mut reader = Reader::from_reader(Cursor::new(gzip.clone()));
    assert_eq!(reader.entries().flatten().count(), 2);
    assert_eq!(reader.get_ref().position(), gzip.len() as u64);
    reader.get_mut().set_position(3);
    assert_eq!(reader.into_inner().position(), 3);
}

#[test]
fn sources_iterators_and_fields_can_be_named() {
    fn fused<T: FusedIterator>() {}
    fn of_any_source<'de, S: DocumentSource<'de>>(reader: Reader<S>) -> Entries<S> {
        reader.into_iter()
    }
    fused::<Entries<SliceSource<'_>>>();
    fused::<Entries<SliceSource<'_>, UrlEntry, &mut Reader<SliceSource<'_>>>>();
    fused::<Entries<SliceSource<'_>, (UrlEntry, Vec<Diagnostic>)>>();
    fused::<Entries<StreamSource<Cursor<Vec<u8>>>, Page>>();
    assert_eq!(of_any_source(Reader::from_str(XML)).flatten().count(), 2);

    let mut reader = Reader::from_str(XML);
    let mut record = Record::new();
    reader.read_record(&mut record).unwrap();
    let names: Vec<&str> = record.fields().map(|field| field.name()).collect();
    assert_eq!(names, ["loc", "priority"]);
}

/// Every function of a reader, called by one generic function for text and streams, with public names only.
#[test]
fn a_function_takes_readers_of_text_and_of_streams() {
    fn all<'de, S: DocumentSource<'de>>(make: impl Fn() -> Reader<S>) -> Vec<String> {
        let mut told = vec![
            format!("{:?}", make().kind()),
            format!("{:?}", make().format()),
            format!("{:?}", make().entries().flatten().collect::<Vec<UrlEntry>>()),
            format!("{:?}", make().entries().with_diagnostics().collect::<Vec<_>>()),
            make().read::<Page>().map(|page| page.unwrap().loc).collect(),
            make().deserialize::<Row>().map(|row| row.unwrap().loc).collect(),
        ];
        let (mut reader, mut record) = (make(), Record::new());
        while reader.read_record(&mut record).unwrap() {
            told.push(format!("{:?} {:?}", reader.position(), reader.diagnose(&record)));
        }
        told.push(format!(
            "{:?} {}",
            reader.take_diagnostics(),
            reader.dropped_diagnostics()
        ));
        told
    }
    fn value<'de, S: DocumentSource<'de>>(mut deserializer: Deserializer<S>) -> usize {
        Vec::<Row>::deserialize(&mut deserializer).unwrap().len()
    }
    let of_text = all(|| Reader::from_str(XML));
    assert_eq!(of_text[4], "https://a.b/1https://a.b/2https://a.b/3");
    assert_eq!(all(|| Reader::from_slice(XML.as_bytes())), of_text);
    assert_eq!(all(|| Reader::from_reader(XML.as_bytes())), of_text);
    assert_eq!(value(Deserializer::from_str(XML)), 3);
    assert_eq!(value(Deserializer::from_reader(XML.as_bytes())), 3);
}

/// Setters of a builder by name, and the error text if they are set for strict reading.
#[test]
fn settings_that_do_nothing_in_a_mode_are_refused_at_the_root() {
    type Set = fn(&mut ReaderBuilder);
    let settings: [(&str, Set); 2] = [
        ("location", |builder| {
            builder.location("https://a.b/sitemap.xml");
        }),
        ("on_diagnostic", |builder| {
            builder.on_diagnostic(|_| {});
        }),
    ];
    for (name, set) in settings {
        for mode in [Mode::Strict, Mode::Lenient, Mode::Correcting] {
            let (mut before, mut after) = (ReaderBuilder::new(), ReaderBuilder::new());
            set(before.mode(mode));
            set(&mut after);
            after.mode(mode);
            for builder in [before, after] {
                let told = |error: Error| {
                    assert_eq!((error.kind(), error.ends_reading()), (ErrorKind::Settings, true));
                    error.to_string()
                };
                let mut entries = builder.from_str(XML).into_iter();
                let outcomes = [
                    builder.from_str(XML).kind().map(drop).map_err(told),
                    builder.from_reader(XML.as_bytes()).kind().map(drop).map_err(told),
                    entries.next().unwrap().map(drop).map_err(told),
                    Vec::<Row>::deserialize(&mut Deserializer::new(builder.from_str(XML)))
                        .map(drop)
                        .map_err(told),
                ];
                let expected = match mode {
                    Mode::Strict => Err(format!(
                        "the setting `{name}` does nothing in `Mode::Strict`; set the mode to `Mode::Lenient` or `Mode::Correcting`, or \
                         drop the setting"
                    )),
                    _ => Ok(()),
                };
                assert_eq!(outcomes, [(); 4].map(|()| expected.clone()), "{name}, {mode:?}");
                assert_eq!(entries.count(), if mode == Mode::Strict { 0 } else { 2 });
            }
        }
    }
}

#[test]
fn entries_and_lists_in_one_expression() {
    let date: W3cDateTime = "2026-05-01".parse().unwrap();
    let entry = UrlEntry::new("https://a.b/")
        .with_lastmod(date)
        .with_changefreq(ChangeFreq::Daily)
        .with_priority(Priority::new(0.3).unwrap())
        .with_images(["https://a.b/1.jpg"])
        .with_images([Image::new("https://a.b/2.jpg")]);
    let mut by_hand = UrlEntry::new("https://a.b/");
    by_hand.lastmod = Some(date);
    by_hand.changefreq = Some(ChangeFreq::Daily);
    by_hand.priority = Some(Priority::new(0.3).unwrap());
    by_hand.images = vec![Image::new("https://a.b/1.jpg"), Image::new("https://a.b/2.jpg")];
    assert_eq!(entry, by_hand);
    assert_eq!(entry.with_lastmod(None).lastmod, None);

    let mut set: UrlSet = [UrlEntry::new("https://a.b/1")].into_iter().collect();
    set.extend([UrlEntry::new("https://a.b/2")]);
    for entry in &mut set {
        entry.mobile = true;
    }
    assert!(set.iter().all(|entry| entry.mobile) && set.len() == 2);
    let mut index = SitemapIndex::default();
    index.extend([IndexEntry::new("https://a.b/1.xml").with_lastmod(date)]);
    assert_eq!(index[0].lastmod, Some(date));
}

#[test]
fn small_traits() {
    let platform: Platform = "tv".parse().unwrap();
    assert_eq!((platform.clone(), platform.as_ref()), (Platform::Tv, "tv"));
    assert_eq!("a".parse::<Platform>().unwrap(), Platform::Other("a".into()));

    let limits = Limits::writing().with_entries(3).with_entry_bytes(4);
    assert_eq!(
        (limits.entries, limits.bytes, limits.entry_bytes),
        (3, Limits::BYTES, 4)
    );

    let error = Reader::from_str("<urlset>")
        .kind()
        .and(Reader::from_str("<p/>").kind());
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    assert_eq!(Reader::from_str("").kind().unwrap_err().kind(), ErrorKind::Eof);
}

/// Records that are converted to entries equal the result of `entries`: values, errors with their positions, and repairs.
#[test]
fn a_record_is_read_again_as_an_entry() {
    let extended = XML.replace(
        "<url><loc>https://a.b/3</loc>",
        "<url><loc>https://a.b/3</loc><i:image xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'/>\
         <lastmod>yesterday</lastmod>",
    );
    for mode in [Mode::Strict, Mode::Lenient, Mode::Correcting] {
        for xml in [XML, &extended] {
            let mut builder = ReaderBuilder::new();
            builder.mode(mode);
            let told = |outcomes: Vec<Result<UrlEntry>>| -> Vec<_> {
                outcomes
                    .into_iter()
                    .map(|outcome| outcome.map_err(|error| sitemap_tests::Problem::of(&error)))
                    .collect()
            };
            let (mut reader, mut record) = (builder.from_str(xml), Record::new());
            let mut by_record = Vec::new();
            while reader.read_record(&mut record).unwrap() {
                by_record.push(reader.diagnose(&record));
            }
            let mut entries = builder.from_str(xml).into_iter();
            assert_eq!(told(by_record), told(entries.by_ref().collect()));
            assert_eq!(reader.diagnostics(), entries.reader().diagnostics());
        }
    }
}

/// No mode makes an entry of an empty record, or places the values of another reader's record in its own document.
#[test]
fn records_that_the_reader_has_not_read_are_errors() {
    for mode in [Mode::Strict, Mode::Lenient, Mode::Correcting] {
        let mut builder = ReaderBuilder::new();
        builder.mode(mode);
        let (mut reader, mut other) = (builder.from_str(XML), builder.from_str(XML));
        let (mut record, mut theirs) = (Record::new(), Record::new());
        let empty = "the record is empty: `diagnose` takes a record that this reader has read; call `read_record` of this reader, and \
                     `diagnose` if it returns `true`";
        assert_eq!(reader.diagnose(&record).unwrap_err().to_string(), empty);
        while reader.read_record(&mut record).unwrap() {
            assert!(other.read_record(&mut theirs).unwrap());
            assert_eq!(
                reader.diagnose(&theirs).unwrap_err().to_string(),
                empty.replace("the record is empty", "another reader has read the record")
            );
            // A copy is the same record.
            let _ = other.diagnose(&theirs.clone());
        }
        assert_eq!(reader.diagnose(&record).unwrap_err().to_string(), empty);
        assert!(reader.diagnostics().is_empty());
    }
}

/// The position of an earlier record is unknown, and without a record there is no entry.
#[test]
fn an_earlier_record_is_read_as_by_itself() {
    let (mut reader, mut record) = (Reader::from_str(XML), Record::new());
    assert!(reader.diagnose(&record).is_err());
    for _ in 0..2 {
        assert!(reader.read_record(&mut record).unwrap());
    }
    let before = record.clone();
    assert!(reader.diagnose(&before).unwrap_err().position().is_some());
    assert!(reader.read_record(&mut record).unwrap());
    let error = reader.diagnose(&before).unwrap_err();
    assert_eq!(
        (error.position(), error.path()),
        (None, Some("entry 2 · priority"))
    );
    assert!(reader.diagnose(&record).is_ok());
}

/// A field's text is checked as a value of its type.
#[test]
fn fields_are_checked() {
    let wrong = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:v='http://www.google.com/schemas/sitemap-video/1.1'>\
        <url><loc>nowhere</loc><lastmod>2026</lastmod><changefreq>often</changefreq><v:video><v:rating>6</v:rating>\
        <v:title>any</v:title><v:player_loc autoplay='x' allow_embed='perhaps'>p</v:player_loc><v:duration>1</v:duration></v:video></url></urlset>";
    let mut record = Record::new();
    Reader::from_str(wrong).read_record(&mut record).unwrap();
    let mut found = Vec::new();
    let mut fields: Vec<_> = record.fields().collect();
    while let Some(field) = fields.pop() {
        found.extend(field.check().err().map(|error| error.path().unwrap().to_owned()));
        fields.extend(field.fields());
    }
    found.sort();
    assert_eq!(
        found,
        [
            "entry 1 · @allow_embed",
            "entry 1 · changefreq",
            "entry 1 · loc",
            "entry 1 · video:player_loc",
            "entry 1 · video:rating",
        ]
    );
}

/// A value is checked when it is requested, and can be read into any type.
#[test]
fn values_of_a_record() {
    let xml = XML.replace("</loc></url>", "</loc><changefreq>Daily</changefreq></url>");
    let mut reader = Reader::from_str(&xml);
    let mut record = Record::new();
    let mut found = Vec::new();
    while reader.read_record(&mut record).unwrap() {
        let row: Row = record.deserialize().unwrap();
        assert_eq!(row.loc, record.loc());
        let priority = record
            .priority()
            .map(|priority| priority.map(|priority| priority.to_string()));
        let changefreq = record.changefreq().map(|freq| freq.map(|freq| freq.to_string()));
        found.extend([priority, changefreq].map(|value| value.map_err(|error| error.to_string())));
    }
    let wrong = |message: &str| Err(message.to_owned());
    assert_eq!(
        found,
        [
            Ok(Some("0.5".to_owned())),
            Ok(None),
            wrong(
                "`high` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that range, or leave the field out, entry 2 · priority"
            ),
            Ok(None),
            Ok(None),
            wrong(
                "`Daily` is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and never (P-FREQ); did you mean `daily`?, entry 3 · changefreq"
            )
        ]
    );
    #[derive(Debug, serde::Deserialize)]
    struct Ranked {
        #[expect(dead_code, reason = "it is not read")]
        priority: f32,
    }
    let mut reader = Reader::from_str(&xml);
    while reader.read_record(&mut record).unwrap() && record.number() < 2 {}
    assert_eq!(
        record.deserialize::<Ranked>().unwrap_err().to_string(),
        "`high` is not a decimal number: digits, with a point at most; correct it, or read it into a `String`, entry 2 · priority"
    );
}
