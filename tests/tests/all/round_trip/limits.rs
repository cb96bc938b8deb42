//! What a writer writes, a reader with the same limits reads; what it refuses for its size, that reader refuses. By default too.

use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use sitemap_serde::edit::Rebase;
use sitemap_serde::{
    Alternate, Error, ErrorKind, Image, Limits, RawXml, ReaderBuilder, Result, UrlEntry, WriterBuilder,
};
use sitemap_tests::{Random, rounds};

/// Limits that no entry of these tests exceeds.
fn unlimited() -> Limits {
    Limits::trusted().with_entry_bytes(1 << 30)
}

fn builder(limits: &Limits, namespaces: usize) -> WriterBuilder {
    let mut builder = WriterBuilder::new();
    builder.limits(limits.clone());
    for i in 0..namespaces {
        builder.namespace(format!("p{i}"), format!("urn:{i}"));
    }
    builder
}

fn written(builder: &WriterBuilder, entry: &impl Serialize) -> Result<String> {
    let mut writer = builder.from_writer(Vec::new());
    writer.serialize(entry)?;
    Ok(String::from_utf8(writer.finish()?).unwrap())
}

/// The same by a serializer of whole documents.
fn serialized(builder: &WriterBuilder, entry: &impl Serialize) -> Result<String> {
    let mut serializer = builder.serializer_from_writer(Vec::new());
    [entry].serialize(&mut serializer)?;
    Ok(String::from_utf8(serializer.into_inner()).unwrap())
}

/// Reads a document to its end.
fn read(limits: &Limits, xml: &str) -> Result<usize> {
    let limits = limits.clone().with_entries(u64::MAX).with_bytes(u64::MAX);
    let mut reader = ReaderBuilder::new().limits(limits).from_str(xml);
    let entries = reader.deserialize::<IgnoredAny>().collect::<Result<Vec<_>>>()?;
    Ok(entries.len())
}

fn is_of_size(error: &Error) -> bool {
    let problem = error.problem();
    problem.contains("too large for a reader")
        || problem.contains("which is the limit of readers and writers")
}

/// Checks all ways of writing an entry against reading it.
fn check(limits: &Limits, namespaces: usize, pretty: bool, entry: &impl Serialize) -> Option<bool> {
    let (mut free, mut limited) = (builder(&unlimited(), namespaces), builder(limits, namespaces));
    free.pretty(pretty);
    limited.pretty(pretty);
    // Other mistakes of an entry are not of interest here.
    let xml = written(&free, entry).ok()?;
    let is_readable = match read(limits, &xml) {
        Ok(entries) => entries == 1,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}\n{xml}");
            false
        }
    };
    for outcome in [written(&limited, entry), serialized(&limited, entry)] {
        match outcome {
            Ok(found) => {
                assert_eq!(found, xml);
                assert!(is_readable, "{limits:?}\n{xml}");
            }
            Err(error) => {
                assert!(is_of_size(&error), "{error}");
                assert_eq!(error.kind(), ErrorKind::Data, "{error}");
                assert!(!is_readable, "{limits:?}\n{error}\n{xml}");
            }
        }
    }
    Some(is_readable)
}

/// An entry with elements that are kept as XML.
#[derive(Serialize)]
struct Entry {
    #[serde(flatten)]
    fields: Value,
    #[serde(rename = "$other")]
    other: Vec<RawXml>,
}

struct Maker {
    random: Random,
    namespaces: usize,
}

impl Maker {
    /// A number, small in most cases.
    fn below(&mut self, most: usize) -> usize {
        let most = 1 + self.random.below(most);
        self.random.below(most)
    }

    fn text(&mut self) -> String {
        let len = self.below(200);
        (0..len)
            .map(|_| ["a", "&", "é", " ", "\n"][self.random.below(5)])
            .collect()
    }

    fn own(&mut self) -> String {
        let (space, len) = (self.random.below(self.namespaces), 1 + self.below(40));
        format!("p{space}:{}", "e".repeat(len))
    }

    fn element(&mut self, depth: usize) -> Value {
        let mut fields = Map::new();
        for i in 0..self.below(14) {
            let name = if self.random.below(2) == 0 {
                format!("@a{i}")
            } else {
                format!("@{}{i}", self.own())
            };
            fields.insert(name, self.text().into());
        }
        if depth > 0 {
            for _ in 0..self.below(3) {
                fields.insert(self.own(), self.element(depth - 1));
            }
        }
        fields.insert("$text".to_owned(), format!("x{}", self.text()).into());
        fields.into()
    }

    fn entry(&mut self) -> Entry {
        let mut entry = Map::new();
        entry.insert(
            "loc".to_owned(),
            format!("https://example.com/{}", "p".repeat(self.below(80))).into(),
        );
        for _ in 0..self.below(4) {
            let depth = self.below(9);
            entry.insert(self.own(), self.element(depth));
        }
        if self.random.below(2) == 0 {
            let image = || json!({"image:loc": "https://example.com/a?b&c"});
            let mut images: Vec<Value> = (0..=self.below(5)).map(|_| image()).collect();
            images[0]["image:caption"] = format!("x{}", self.text()).into();
            entry.insert("image:image".to_owned(), images.into());
        }
        if self.random.below(2) == 0 {
            let mut link = json!({"@rel": "alternate", "@hreflang": "de", "@href": "https://example.com/de"});
            for i in 0..self.below(12) {
                link[format!("@data{i}")] = self.text().into();
            }
            entry.insert("xhtml:link".to_owned(), link);
        }
        let mut other = Vec::new();
        if self.random.below(3) == 0 {
            let depth = self.below(9);
            let (open, close) = ("<d>".repeat(depth), "</d>".repeat(depth));
            let raw = format!(
                "<r xmlns='urn:r'>{open}{}{close}</r>",
                "x".repeat(self.below(300))
            );
            other.push(RawXml::new(raw).unwrap());
        }
        Entry {
            fields: entry.into(),
            other,
        }
    }

    fn limits(&mut self) -> Limits {
        let mut limits = Limits::writing();
        for limit in [&mut limits.depth, &mut limits.attributes, &mut limits.namespaces] {
            if self.random.below(3) == 0 {
                *limit = 1 + self.random.below(14);
            }
        }
        if self.random.below(3) == 0 {
            limits.name_bytes = 8 + self.random.below(40);
        }
        if self.random.below(2) == 0 {
            limits.token_bytes = 60 + self.random.below(400);
        }
        if self.random.below(2) == 0 {
            limits.entry_bytes = 60 + self.random.below(1500);
        }
        limits
    }
}

#[test]
fn readers_take_what_writers_write_within_random_limits() {
    let mut maker = Maker {
        random: Random::new(61),
        namespaces: 9,
    };
    let (mut readable, mut unreadable) = (0, 0);
    for _ in 0..rounds(4_000) {
        let (limits, entry, pretty) = (maker.limits(), maker.entry(), maker.random.below(2) == 0);
        match check(&limits, maker.namespaces, pretty, &entry) {
            Some(true) => readable += 1,
            Some(false) => unreadable += 1,
            None => {}
        }
    }
    assert!(
        readable > rounds(500) && unreadable > rounds(500),
        "{readable} {unreadable}"
    );
}

/// Several entries, some refused, in one document; and the same added by an editor.
#[test]
fn documents_of_several_entries_are_read() {
    let mut maker = Maker {
        random: Random::new(62),
        namespaces: 9,
    };
    for _ in 0..rounds(500) {
        let (limits, pretty) = (maker.limits(), maker.random.below(2) == 0);
        let mut builder = builder(&limits, maker.namespaces);
        builder.pretty(pretty);
        let mut writer = builder.from_writer(Vec::new());
        for _ in 0..4 {
            let _ = writer.serialize(&maker.entry());
        }
        let entries = writer.summary().entries;
        let Ok(xml) = writer.finish() else { continue };
        let xml = String::from_utf8(xml).unwrap();
        assert_eq!(read(&limits, &xml).unwrap() as u64, entries, "{limits:?}\n{xml}");

        builder.pretty(false);
        let mut editor = builder.editor(xml.as_bytes(), Vec::new());
        let mut added = 0;
        for _ in 0..4 {
            let mut entry = UrlEntry::new("https://example.com/");
            entry.images = (0..maker.below(9))
                .map(|_| Image::new("https://example.com/a.jpg"))
                .collect();
            entry.alternates = (0..maker.below(9))
                .map(|_| Alternate::new("de", "https://example.com/de"))
                .collect();
            if let Some(image) = entry.images.first_mut() {
                image.caption = Some(maker.text());
            }
            let is_added = editor.add(&entry);
            added += u64::from(is_added.is_ok());
            // A row is previewed as it would be written alone.
            let mut alone = WriterBuilder::new();
            match alone.limits(limits.clone()).to_entries(&entry) {
                Ok(entries) => assert_eq!(entries.len(), 1),
                Err(error) => assert!(is_of_size(&error), "{error}"),
            }
        }
        let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
        assert_eq!(
            read(&limits, &edited).unwrap() as u64,
            entries + added,
            "{limits:?}\n{edited}"
        );
    }
}

/// Changes that make an entry too large are refused, and nothing of them is complete.
#[test]
fn changed_entries_are_read() {
    let link = |host: &str| {
        format!(
            "<x:link xmlns:x='http://www.w3.org/1999/xhtml' rel='alternate' hreflang='de' href='https://{host}/a'/>"
        )
    };
    let entry =
        |host: &str, lastmod: &str| format!("<url><loc>https://{host}/</loc>{lastmod}{}</url>", link(host));
    let document = |host: &str, lastmod: &str| format!("<urlset>{}</urlset>", entry(host, lastmod));
    let (old, new) = ("a.example", "long.host.of.the.new.site.example");
    let xml = document(old, "");
    for (target, limits) in [
        (
            document(new, ""),
            Limits::writing().with_entry_bytes(entry(new, "").len()),
        ),
        (
            document(old, "<lastmod>2026-05-01</lastmod>"),
            Limits::writing().with_entry_bytes(entry(old, "<lastmod>2026-05-01</lastmod>").len()),
        ),
        (document(new, ""), {
            let mut limits = Limits::writing();
            limits.token_bytes = link(new).len() - 1;
            limits
        }),
    ] {
        for is_allowed in [true, false] {
            let mut limits = limits.clone();
            if !is_allowed {
                limits.entry_bytes = limits.entry_bytes.min(target.len() - "<urlset></urlset>".len()) - 1;
                limits.token_bytes = limits.token_bytes.min(link(new).len() - 1) - 1;
                if limits.token_bytes < link(old).len() - 1 {
                    limits.token_bytes = Limits::writing().token_bytes;
                }
            }
            let mut editor = builder(&limits, 0).editor(xml.as_bytes(), Vec::new());
            let mut current = editor.next_entry().unwrap().unwrap();
            if target.contains("lastmod") {
                current.set("lastmod", "2026-05-01").unwrap();
            } else {
                let mut rebase = Rebase::new(format!("https://{old}"), format!("https://{new}")).unwrap();
                current.rebase(&mut rebase).unwrap();
            }
            match editor.try_finish() {
                Ok(()) => {
                    assert!(is_allowed);
                    let edited = String::from_utf8(editor.get_ref().clone()).unwrap();
                    assert_eq!(edited, target);
                    assert_eq!(read(&limits, &edited).unwrap(), 1);
                }
                Err(error) => {
                    assert!(!is_allowed, "{error}");
                    assert!(
                        is_of_size(&error) && error.kind() == ErrorKind::Limit && error.entry() == Some(1),
                        "{error}"
                    );
                    assert!(read(&limits, &target).is_err());
                    assert!(!editor.get_ref().ends_with(b"</urlset>"));
                }
            }
        }
    }
}

/// The edge of each default limit.
#[test]
fn readers_take_what_writers_write_by_default() {
    let entry = |name: &str, value: Value| json!({"loc": "https://example.com/", name: value});
    let caption = |bytes: usize| {
        entry(
            "image:image",
            json!([{"image:loc": "https://example.com/a", "image:caption": "c".repeat(bytes)}]),
        )
    };
    let attributes = |count: usize| {
        let attributes: Map<_, _> = (0..count).map(|i| (format!("@a{i}"), "x".into())).collect();
        entry("p0:e", attributes.into())
    };
    let levels = |count: usize| {
        let innermost = json!({"$text": "x"});
        entry(
            "p0:e",
            (3..count).fold(innermost, |inner, _| json!({"p0:e": inner})),
        )
    };
    let name = |bytes: usize| entry(&format!("p0:{}", "e".repeat(bytes - 3)), "x".into());
    let spaces = |count: usize| {
        let mut entry = entry("p0:e", "x".into());
        for i in 1..count {
            entry[format!("p{i}:e")] = "x".into();
        }
        entry
    };
    let big = |bytes: usize| {
        // Images of half a mebibyte each, and one that fills the entry.
        let image = |caption: usize| json!({"image:loc": "https://example.com/a", "image:caption": "c".repeat(caption)});
        let with = |last: usize| {
            let images: Vec<Value> = (0..15).map(|_| image(1 << 19)).chain([image(last)]).collect();
            entry("image:image", images.into())
        };
        let xml = written(&builder(&unlimited(), 0), &with(1)).unwrap();
        let len = xml.find("</urlset>").unwrap() - xml.find("<url>").unwrap();
        with(1 + bytes - len)
    };
    let mib = 1 << 20;
    for (own, fits, exceeds) in [
        (0, caption(mib), caption(mib + 1)),
        (1, attributes(256), attributes(257)),
        (1, levels(128), levels(129)),
        (1, name(1024), name(1025)),
        // The default namespace is declared too.
        (64, spaces(63), spaces(64)),
        (0, big(8 * mib), big(8 * mib + 1)),
    ] {
        for pretty in [false, true] {
            assert_eq!(
                check(&Limits::writing(), own, pretty, &fits).map(|_| ()),
                Some(())
            );
        }
        assert_eq!(check(&Limits::writing(), own, false, &fits), Some(true));
        assert_eq!(check(&Limits::writing(), own, false, &exceeds), Some(false));
    }
    // By a type of the crate, in every way of writing it.
    for (bytes, fits) in [(mib, true), (mib + 1, false)] {
        let mut row = UrlEntry::new("https://example.com/");
        row.images.push(Image::new("https://example.com/a"));
        row.images[0].caption = Some("c".repeat(bytes));
        let empty = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"/>";
        let mut editor = builder(&Limits::writing(), 0).editor(empty.as_bytes(), Vec::new());
        for outcome in [
            sitemap_serde::to_string(&[&row]).and_then(|xml| sitemap_serde::from_str::<Vec<UrlEntry>>(&xml)),
            WriterBuilder::new().to_entries(&row),
            editor.add(&row).map(|()| vec![row.clone()]),
        ] {
            match outcome {
                Ok(read) => assert!(fits && read == [row.clone()]),
                Err(error) => {
                    assert!(!fits);
                    assert_eq!(error.path(), Some("entry 1 · image:image[0] · image:caption"));
                    assert_eq!(
                        error.to_string(),
                        "a text of more than 1,048,576 bytes, which is the limit of readers and writers; shorten it, entry 1 · \
                         image:image[0] · image:caption, loc `https://example.com/`"
                    );
                }
            }
        }
        let edited = String::from_utf8(editor.finish().unwrap()).unwrap();
        assert_eq!(
            sitemap_serde::from_str::<Vec<UrlEntry>>(&edited).unwrap().len(),
            usize::from(fits)
        );
    }
}

/// Settings that make every document unreadable are found before the first entry.
#[test]
fn roots_that_no_reader_takes_are_settings_errors() {
    let mut declared = builder(&Limits::writing(), 64);
    for i in 0..64 {
        declared.declare(format!("p{i}"));
    }
    let mut long_name = WriterBuilder::new();
    let prefix = "p".repeat(1_024);
    long_name.namespace(&prefix, "urn:p").declare(&prefix);
    let mut long_uri = WriterBuilder::new();
    long_uri
        .namespace("p", format!("urn:{}", "u".repeat(1 << 20)))
        .declare("p");
    let mut stylesheet = WriterBuilder::new();
    stylesheet.stylesheet(format!("/{}", "s".repeat(1 << 20)));
    for builder in [declared, long_name, long_uri, stylesheet] {
        let error = builder.check().unwrap_err();
        assert!(
            is_of_size(&error) && error.kind() == ErrorKind::Settings,
            "{error}"
        );
        assert!(builder.from_writer(Vec::new()).finish().is_err());
        assert!(
            builder
                .from_writer(Vec::new())
                .write(&UrlEntry::new("https://example.com/"))
                .is_err()
        );
    }
}

/// Names that are no qualified names are never written.
#[test]
fn names_with_nothing_before_the_colon_are_refused() {
    for expanded in [false, true] {
        let mut builder = builder(&Limits::writing(), 1);
        builder.expanded_names(expanded);
        for name in ["@:a", ":a", "@a:", "p0:", "@p0:", "p0:a:b", "@:", ":"] {
            for entry in [
                json!({"loc": "https://example.com/", "p0:e": {name: "x"}}),
                json!({"loc": "https://example.com/", name: "x"}),
                json!({"loc": "https://example.com/", "xhtml:link": {"@rel": "x", "@href": "https://example.com/", name: "x"}}),
            ] {
                assert!(written(&builder, &entry).is_err(), "{entry}");
            }
        }
    }
}
