//! Documents with several problems at once: the error of strict reading, all entries, and all diagnostics.

use std::fmt::Write as _;
use std::io::Write as _;

use sitemap_serde::source::DocumentSource;
use sitemap_serde::{IndexEntry, Kind, Mode, Reader, ReaderBuilder, Record, UrlEntry};
use sitemap_tests::{Chunks, index, urlset};

/// A document, its location if there is one, and the expected results.
struct Document {
    causes: &'static str,
    bytes: Vec<u8>,
    location: Option<&'static str>,
    /// The error of strict reading.
    strict: &'static str,
    /// The result of lenient reading, with one entry per line, or its error.
    read: Result<&'static [&'static str], &'static str>,
    told: &'static [&'static str],
}

fn line(entry: &UrlEntry) -> String {
    let mut line = entry.loc.clone();
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = write!(line, " {name}={value}");
        }
    };
    add("lastmod", entry.lastmod.map(|date| date.to_string()));
    add("changefreq", entry.changefreq.map(|freq| freq.to_string()));
    add("priority", entry.priority.map(|priority| priority.to_string()));
    for image in &entry.images {
        add("image", Some(image.loc.clone()));
        add("title", image.title.clone());
    }
    for video in &entry.videos {
        add("video", Some(video.title.clone()));
        add("duration", video.duration.map(|duration| duration.to_string()));
    }
    for link in &entry.alternates {
        add("link", Some(link.href.clone()));
    }
    add("news", entry.news.as_ref().map(|news| news.title.clone()));
    line
}

type Outcome = (Result<Vec<String>, String>, Vec<String>);

/// The entries or the error, and the diagnostics.
fn outcome<'de, S: DocumentSource<'de>>(mut reader: Reader<S>) -> Outcome {
    let read = if matches!(reader.kind(), Ok(Kind::SitemapIndex)) {
        let entries = reader.deserialize::<IndexEntry>();
        let line = |entry: IndexEntry| line(&UrlEntry::new(entry.loc).with_lastmod(entry.lastmod));
        entries.map(|entry| entry.map(line)).collect::<Result<_, _>>()
    } else {
        let entries = reader.entries();
        entries.map(|entry| entry.map(|entry| line(&entry))).collect()
    };
    let told = reader.diagnostics().iter().map(ToString::to_string).collect();
    (read.map_err(|error| error.to_string()), told)
}

impl Document {
    fn builder(&self) -> ReaderBuilder {
        let mut builder = ReaderBuilder::new();
        builder.mode(Mode::Lenient);
        if let Some(location) = self.location {
            builder.location(location);
        }
        builder
    }

    /// The first error of a strict reading.
    fn strict(&self) -> String {
        let mut reader = Reader::from_slice(&self.bytes);
        let error = if matches!(reader.kind(), Ok(Kind::SitemapIndex)) {
            reader.deserialize::<IndexEntry>().find_map(Result::err)
        } else {
            reader.entries().find_map(Result::err)
        };
        error.map_or_else(String::new, |error| error.to_string())
    }

    /// The result of lenient reading: the same from a slice, a stream, and pieces of any length.
    fn lenient(&self) -> Outcome {
        let whole = outcome(self.builder().from_slice(&self.bytes));
        assert_eq!(
            whole,
            outcome(self.builder().from_reader(&self.bytes[..])),
            "{}",
            self.causes
        );
        for size in [1, 2, 3, 7, 16, 61, 127] {
            let pieces = outcome(self.builder().from_reader(Chunks::new(&self.bytes, size)));
            assert_eq!(whole, pieces, "{}, {size} bytes at a time", self.causes);
        }
        // Records have the same locs.
        if let Ok(entries) = &whole.0 {
            let (mut reader, mut record, mut locs) =
                (self.builder().from_slice(&self.bytes), Record::new(), vec![]);
            while reader.read_record(&mut record).unwrap() {
                locs.push(record.loc().to_owned());
            }
            let same = entries
                .iter()
                .zip(&locs)
                .all(|(entry, loc)| entry.starts_with(loc.as_str()));
            assert!(same && entries.len() == locs.len(), "{}: {locs:?}", self.causes);
        }
        whole
    }
}

/// A document in UTF-16 with its byte order mark, without its last byte.
fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    let mut bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    bytes.pop();
    bytes
}

/// A document in gzip, with uncompressed blocks, without the last 40 bytes of its text.
fn cut_gzip(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.flush().unwrap();
    let mut bytes = gzip.get_ref().clone();
    // An empty block of five bytes follows the text.
    bytes.truncate(bytes.len() - 5 - 40);
    bytes
}

#[test]
fn what_is_read_and_told() {
    let mut wrong = Vec::new();
    for document in documents() {
        let (read, told) = document.lenient();
        let strict = document.strict();
        let is_read = match (&read, document.read) {
            (Ok(read), Ok(expected)) => read.iter().eq(expected),
            (Err(error), Err(expected)) => error == expected,
            _ => false,
        };
        if !is_read || strict != document.strict || !told.iter().eq(document.told) {
            wrong.push(format!("{}: {:#?}", document.causes, (strict, read, told)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
fn documents() -> Vec<Document> {
    vec![
        Document {
            causes: "a byte order mark, a warning before the declaration, an undeclared prefix, and the end is cut off",
            bytes: "\u{feff}Notice: x\n<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/></url><url><loc>https://example.com/2</loc><lastmod>20".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/1 link=https://example.com/de", "https://example.com/2"]),
            told: &[
                "error[P-DECL]: text before the XML declaration, in line 1, most likely a program's error messages: `Notice: x` (P-DECL); remove it, or read the document with `Mode::Lenient`, at line 1, column 1 (byte 3)",
                "error[XML]: the prefix `xhtml` of `xhtml:link` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:xhtml=\"…\"`, at line 3, column 99 (byte 133), entry 1",
                "error[XML]: the document ends inside `lastmod`: it is truncated, or its end was never written; get a complete copy, at line 3, column 225 (byte 259), entry 2",
            ],
        },
        Document {
            causes: "a sitemap in an HTML page, with end tags of the page within an entry, and without the end of its root",
            bytes: "<html><body><div><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc></div><lastmod>2024</lastmod></url><url><loc>https://example.com/2</loc></url></body></html>".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/1 lastmod=2024", "https://example.com/2"]),
            told: &[
                "error[P-NS]: this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, column 1 (byte 0)",
                "error[XML]: the end tag `</div>` where `</url>` is expected: the element that began last ends first, at line 1, column 115 (byte 114), entry 1",
                "error[XML]: the end tag `</body>` where `</urlset>` is expected: the element that began last ends first, at line 1, column 193 (byte 192)",
            ],
        },
        Document {
            causes: "a second loc in a CDATA section that does not end, and a byte of windows-1252",
            bytes: b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1</loc><loc><![CDATA[https://example.com/2\xe9</loc></url><url><loc>https://example.com/3</loc></url></urlset>".into(),
            location: None,
            strict: "invalid UTF-8: the byte 0xE9 (P-UTF8); convert the file to UTF-8, or declare the encoding that it is in, at line 1, column 133 (byte 132), entry 1",
            read: Ok(&["https://example.com/1", "https://example.com/3"]),
            told: &[
                "error[XML]: the document ends inside a CDATA section that begins here: it is truncated, or its `]]>` was never written; get a complete copy, at line 1, column 103 (byte 102), entry 1",
                "error[XML]: the end tag `</url>` where `</loc>` is expected: the element that began last ends first, at line 1, column 140 (byte 140), entry 1",
                "error[P-DUP]: a second `loc`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 103 (byte 102), entry 1 · loc",
                "error[P-UTF8]: bytes that are invalid in UTF-8 from here on: they are read as windows-1252 (P-UTF8); convert the file to UTF-8, or declare the encoding that it is in, at line 1, column 133 (byte 132)",
            ],
        },
        Document {
            causes: "an entry in a comment that contains two hyphens, and a comment that does not end",
            bytes: urlset("<!-- <url><loc>https://example.com/0</loc></url> -- old --><url><loc>https://example.com/1</loc></url><!-- <url><loc>https://example.com/2</loc></url>").into(),
            location: None,
            strict: "`--` inside a comment (XML 1.0 section 2.5); write `- -`, at line 1, column 110 (byte 109)",
            read: Ok(&["https://example.com/1", "https://example.com/2"]),
            told: &[
                "error[XML]: `--` inside a comment (XML 1.0 section 2.5); write `- -`, at line 1, column 110 (byte 109)",
                "error[XML]: the document ends inside a comment that begins here: it is truncated, or its `-->` was never written; get a complete copy, at line 1, column 163 (byte 162)",
            ],
        },
        Document {
            causes: "a root in wrong case that declares two namespaces, and entries of both spellings",
            bytes: "<UrlSet xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:x=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns=\"urn:y\"><x:url><x:loc>https://example.com/1</x:loc></x:url><url><loc>https://example.com/2</loc></url></UrlSet>".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/1", "https://example.com/2"]),
            told: &[
                "error[XML]: the attribute `xmlns` twice on one element (XML 1.0 section 3.1); keep one, at line 1, column 115 (byte 114)",
                "error[P-NS]: the root is `UrlSet`: names are case-sensitive, and it is `urlset` (P-NS), at line 1, column 1 (byte 0)",
            ],
        },
        Document {
            causes: "a DOCTYPE with an entity, and a bare `&` in a later entry",
            bytes: "<!DOCTYPE urlset [<!ENTITY host \"example.com\">]><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://&host;/1</loc></url><url><loc>https://&host;/2?a&b</loc></url></urlset>".into(),
            location: None,
            strict: "Unexpected token inside entity: </ (in a document with a DOCTYPE; a sitemap needs none), at line 1, column 177 (byte 176), entry 2",
            read: Ok(&["https://example.com/1"]),
            told: &[
                "error[XML]: Unexpected token inside entity: </ (in a document with a DOCTYPE; a sitemap needs none), at line 1, column 177 (byte 176), entry 2",
                "error[P-DUP]: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, at line 1, column 147 (byte 146), entry 2 · loc",
            ],
        },
        Document {
            causes: "UTF-16 that is cut off within a character, and a bare `&`",
            bytes: utf16("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a&b</loc></url><url><loc>https://example.com/2"),
            location: None,
            strict: "a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 93 (byte 92), entry 1",
            read: Ok(&["https://example.com/?a&b"]),
            told: &[
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 93 (byte 92), entry 1",
                "error[XML]: the document ends inside `loc`: it is truncated, or its end was never written; get a complete copy, at line 1, column 138 (byte 139), entry 2",
                "error[P-DUP]: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, at line 1, column 107 (byte 106), entry 2 · loc",
                "error[P-UTF8]: bytes that are invalid in UTF-16LE from here on: they are read as U+FFFD (P-UTF8); convert the file to UTF-8, or correct its declaration, at line 1, column 137 (byte 136)",
            ],
        },
        Document {
            causes: "a `url` within an image, whose end comes after it, and a lastmod behind that",
            bytes: urlset("<url><loc>https://example.com/1</loc><image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><image:loc>https://example.com/1.png</image:loc><url><loc>https://example.com/2</loc></url></image:image><lastmod>2024</lastmod></url>").into(),
            location: None,
            strict: "an entry within a `url`: entries are children of the root (P-NS); move it to the root, at line 1, column 221 (byte 220), entry 1",
            read: Ok(&["https://example.com/1 image=https://example.com/1.png", "https://example.com/2"]),
            told: &[
                "error[XML]: `url` begins before the end tag of `image:image`; add the end tag, at line 1, column 221 (byte 220), entry 1",
                "error[XML]: the end tag `</image:image>` where `</urlset>` is expected: the element that began last ends first, at line 1, column 264 (byte 263)",
                "error[P-NS]: `lastmod` is not an element of a urlset, whose entries are `url` elements (P-NS); put it into a `url`, at line 1, column 278 (byte 277)",
                "error[XML]: the end tag `</url>` where `</urlset>` is expected: the element that began last ends first, at line 1, column 301 (byte 300)",
            ],
        },
        Document {
            causes: "`]]>`, NUL, another control character and a bare `&` in one text",
            bytes: urlset("<url><loc>https://example.com/?a]]>b\x00&\x01c</loc></url>").into(),
            location: None,
            strict: "`]]>` in text: its `>` is written `&gt;` (XML 1.0 section 2.4), at line 1, column 93 (byte 92), entry 1",
            read: Ok(&["https://example.com/?a]]>b&c"]),
            told: &[
                "error[XML]: `]]>` in text: its `>` is written `&gt;` (XML 1.0 section 2.4), at line 1, column 93 (byte 92), entry 1",
                "error[XML]: the character U+0000 cannot be in an XML document (XML 1.0 section 2.2); remove it, at line 1, column 97 (byte 96), entry 1",
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 98 (byte 97), entry 1",
            ],
        },
        Document {
            causes: "locs relative to the location, `www.` and the location's own host without a scheme, a bare `&`, and white space",
            bytes: urlset("<url><loc>/1?a&b</loc></url><url><loc>www.example.com/2</loc></url><url><loc>example.com/3</loc></url><url><loc> ../4 </loc></url>").into(),
            location: Some("https://example.com/maps/a.xml"),
            strict: "a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 75 (byte 74), entry 1",
            read: Ok(&["https://example.com/1?a&b", "https://www.example.com/2", "https://example.com/3", "https://example.com/4"]),
            told: &[
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 75 (byte 74), entry 1",
                "error[P-LOC]: `/1?a&b` is not an absolute URL: relative to the document's location it is `https://example.com/1?a&b` (P-LOC); write the absolute URL, at line 1, column 71 (byte 70), entry 1 · loc",
                "error[P-LOC]: `www.example.com/2` is not an absolute URL: relative to the document's location it is `https://www.example.com/2` (P-LOC); write the absolute URL, at line 1, column 99 (byte 98), entry 2 · loc",
                "error[P-LOC]: `example.com/3` is not an absolute URL: relative to the document's location it is `https://example.com/3` (P-LOC); write the absolute URL, at line 1, column 138 (byte 137), entry 3 · loc",
                "error[P-LOC]: `../4` is not an absolute URL: relative to the document's location it is `https://example.com/4` (P-LOC); write the absolute URL, at line 1, column 174 (byte 173), entry 4 · loc",
            ],
        },
        Document {
            causes: "a text sitemap with a line of XML and a relative line",
            bytes: "\u{feff}https://example.com/1\n<url><loc>https://example.com/2</loc></url>\n\n/3\nhttps://example.com/4".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/1", "https://example.com/4"]),
            told: &[
                "error[P-TXT1]: the line `<url><loc>https://example.com/2</loc></url>` is not a URL: a text sitemap has one absolute URL per line, and nothing else (P-TXT1); write an absolute URL, or remove the line, at line 2, column 1 (byte 25), entry 2",
                "error[P-TXT1]: the line `/3` is not a URL: a text sitemap has one absolute URL per line, and nothing else (P-TXT1); write an absolute URL, or remove the line, at line 4, column 1 (byte 70), entry 3",
            ],
        },
        Document {
            causes: "a feed with a CDATA section that does not end, and an item without a link",
            bytes: "<rss version=\"2.0\"><channel><item><title><![CDATA[a</title><link>https://example.com/1</link></item><item><link>https://example.com/2</link><pubDate>Mon, 06 May 2024 10:00:00 GMT</pubDate></item></channel></rss>".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/2 lastmod=2024-05-06T10:00:00Z"]),
            told: &[
                "error[XML]: the document ends inside a CDATA section that begins here: it is truncated, or its `]]>` was never written; get a complete copy, at line 1, column 42 (byte 41), entry 1",
                "error[XML]: the end tag `</item>` where `</title>` is expected: the element that began last ends first, at line 1, column 94 (byte 93), entry 1",
                "error[P-LOC]: no `link`: an `item` without one has no page (P-LOC); add the address of its page, or remove the item, at line 1, column 29 (byte 28), entry 1",
            ],
        },
        Document {
            causes: "an Atom feed with an undeclared prefix, which is cut off within a date",
            bytes: "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"https://example.com/1\"/><media:x/><updated>2024-05-06T10:00:00Z</updated></entry><entry><link href=\"https://example.com/2\"/><updated>20".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/1 lastmod=2024-05-06T10:00:00Z", "https://example.com/2"]),
            told: &[
                "error[XML]: the prefix `media` of `media:x` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:media=\"…\"`, at line 1, column 87 (byte 86), entry 1",
                "error[XML]: the document ends inside `updated`: it is truncated, or its end was never written; get a complete copy, at line 1, column 197 (byte 196), entry 2",
            ],
        },
        Document {
            causes: "an index with two relative locs in an entry, and a `url` with a priority",
            bytes: index("<sitemap><loc>a.xml</loc><loc>b.xml</loc></sitemap><url><loc>https://example.com/1</loc><priority>2</priority></url>").into(),
            location: Some("https://example.com/sitemap.xml"),
            strict: "a second `loc`: a `sitemap` has at most one (P-DUP); remove one of them, at line 1, column 97 (byte 96), entry 1 · loc",
            read: Ok(&["https://example.com/a.xml", "https://example.com/b.xml"]),
            told: &[
                "error[P-DUP]: a second `loc`, which differs from the first: a `sitemap` has one (P-DUP); give it its own entry, as it was read, at line 1, column 97 (byte 96), entry 1 · loc",
                "error[P-LOC]: `a.xml` is not an absolute URL: relative to the document's location it is `https://example.com/a.xml` (P-LOC); write the absolute URL, at line 1, column 81 (byte 80), entry 1 · loc",
                "error[P-LOC]: `b.xml` is not an absolute URL: relative to the document's location it is `https://example.com/b.xml` (P-LOC); write the absolute URL, at line 1, column 97 (byte 96), entry 2 · loc",
                "error[P-NS]: a `url` in a sitemapindex: a sitemapindex lists sitemaps, `sitemap` entries only (P-NS); move it to a document of its own, at line 1, column 118 (byte 117), entry 3",
            ],
        },
        Document {
            causes: "a loc that the next `url` ends, and a loc with an element in it that is not closed",
            bytes: urlset("<url><loc>https://example.com/1<url><loc>https://example.com/2<x:y xmlns:x=\"urn:x\">z</loc></url>").into(),
            location: None,
            strict: "the end tag `</loc>` where `</x:y>` is expected: the element that began last ends first, at line 1, column 145 (byte 144), entry 1",
            read: Ok(&["https://example.com/1", "https://example.com/2"]),
            told: &[
                "error[XML]: `url` begins before the end tag of `loc`; add the end tag, at line 1, column 92 (byte 91), entry 1",
                "error[XML]: the end tag `</loc>` where `</x:y>` is expected: the element that began last ends first, at line 1, column 145 (byte 144), entry 2",
                "error[XML]: `x:y`, which is of another namespace, has no end tag: the rest of its parent is left out with it; add its end tag, at line 1, column 123 (byte 122), entry 2",
                "error[P-ESC]: an element within `loc`, which contains text only (P-ESC); remove it, or write its `<` as `&lt;` if it is text, at line 1, column 123 (byte 122), entry 2 · loc",
            ],
        },
        Document {
            causes: "the markers of a git conflict, a second root and text after it",
            bytes: format!("{}\n<<<<<<< HEAD\n{}end", urlset("<url><loc>https://example.com/1</loc></url>"), urlset("<url><loc>https://example.com/1</loc></url>")).into(),
            location: None,
            strict: "found `<` where the name of an element begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`, at line 2, column 2 (byte 114)",
            read: Ok(&["https://example.com/1", "https://example.com/1"]),
            told: &[
                "error[XML]: found `<` where the name of an element begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`, at line 2, column 2 (byte 114)",
                "error[XML]: a second root `urlset`: a document has one (XML 1.0 section 2.1); remove it, at line 3, column 1 (byte 126)",
                "error[XML]: `end` after the end of the root: a document ends with its root; remove it, at line 3, column 113 (byte 238)",
            ],
        },
        Document {
            causes: "escaped twice in a CDATA section, entities of HTML with and without `;`, and a byte of windows-1252",
            bytes: b"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc><![CDATA[https://example.com/?a&amp;b=\xe9]]></loc><image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><image:loc>https://example.com/1.png</image:loc><image:title>&eacute;&copy</image:title></image:image></url></urlset>".into(),
            location: None,
            strict: "invalid UTF-8: the byte 0xE9 (P-UTF8); convert the file to UTF-8, or declare the encoding that it is in, at line 1, column 109 (byte 108), entry 1",
            read: Ok(&["https://example.com/?a&amp;b=é image=https://example.com/1.png title=é&copy"]),
            told: &[
                "error[P-ESC]: the entity `&eacute;` is not declared: XML itself has only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` (P-ESC); write the character itself, at line 1, column 255 (byte 255), entry 1",
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 263 (byte 263), entry 1",
                "warning[P-ESC]: `https://example.com/?a&amp;b=é` is escaped twice (P-ESC); escape it once, at line 1, column 80 (byte 79), entry 1 · loc",
                "error[P-UTF8]: bytes that are invalid in UTF-8 from here on: they are read as windows-1252 (P-UTF8); convert the file to UTF-8, or declare the encoding that it is in, at line 1, column 109 (byte 108)",
            ],
        },
        Document {
            causes: "an attribute without quotes, and an entry in wrong case without its end",
            bytes: urlset("<url><loc>https://example.com/1</loc><xhtml:link xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" rel=alternate hreflang=\"de\" href=\"https://example.com/de\"/></url><URL><LOC>https://example.com/2</LOC>").into(),
            location: None,
            strict: "the attribute `rel` has no value in quotes (XML 1.0 section 3.1); write it `name=\"value\"`, at line 1, column 157 (byte 156), entry 1",
            read: Ok(&["https://example.com/1", "https://example.com/2"]),
            told: &[
                "error[XML]: the attribute `rel` has no value in quotes (XML 1.0 section 3.1); write it `name=\"value\"`, at line 1, column 157 (byte 156), entry 1",
                "warning[P-ALT1]: no `@rel`: every `xhtml:link` has one (P-ALT1); add it, or leave the `xhtml:link` out, at line 1, column 212 (byte 211), entry 1 · xhtml:link[0] · @rel",
                "error[P-NS]: `URL` is not an element of a urlset, whose entries are `url` elements (P-NS); did you mean `url`?, at line 1, column 218 (byte 217), entry 2",
                "error[XML]: the end tag `</urlset>` where `</URL>` is expected: the element that began last ends first, at line 1, column 255 (byte 254), entry 2",
                "error[P-NS]: `loc` in another case: names are case-sensitive (P-NS); write it in lower case, at line 1, column 218 (byte 217), entry 2 · loc",
            ],
        },
        Document {
            causes: "a namespace with spaces around it, and a priority with a comma",
            bytes: "<s:urlset xmlns:s=\" http://www.sitemaps.org/schemas/sitemap/0.9 \"><s:url><s:loc>https://example.com/1</s:loc><s:priority>0,5</s:priority></s:url></s:urlset>".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/1"]),
            told: &[
                "error[P-NS]: the root `s:urlset` is in the wrong namespace: a sitemap's is `http://www.sitemaps.org/schemas/sitemap/0.9` (P-NS); correct its `xmlns`, at line 1, column 1 (byte 0)",
                "warning[P-PRIO]: `0,5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write `0.5`, at line 1, column 122 (byte 121), entry 1 · priority",
            ],
        },
        Document {
            causes: "PHP that does not end, and is cut by its own `>`",
            bytes: urlset("<?php if ($a->b) <url><loc>https://example.com/1</loc></url>").into(),
            location: None,
            strict: "a processing instruction begins here and does not end, so that the rest of the document is part of it; close it with its `?>`, at line 1, column 61 (byte 60)",
            read: Ok(&["https://example.com/1"]),
            told: &[
                "error[XML]: the document ends inside a processing instruction that begins here: it is truncated, or its `?>` was never written; get a complete copy, at line 1, column 61 (byte 60)",
                "error[P-NS]: the text `b)` between entries: a urlset holds `url` elements (P-NS); remove it, or put it in a comment, at line 1, column 75 (byte 74)",
            ],
        },
        Document {
            causes: "Latin-1 that is declared as UTF-8, carriage returns alone, and a no-break space around a loc",
            bytes: b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>\r<loc>\xa0https://example.com/\xe9 </loc>\r</url>\r</urlset>".into(),
            location: None,
            strict: "invalid UTF-8: the byte 0xA0 (P-UTF8); convert the file to UTF-8, or declare the encoding that it is in, at line 3, column 6 (byte 110), entry 1",
            read: Ok(&["https://example.com/é"]),
            told: &[
                "error[P-LOC]: `\\u{a0}https://example.com/é` begins or ends with U+00A0, a character that cannot be seen and is no part of the URL (P-LOC); remove it, at line 3, column 6 (byte 110), entry 1 · loc",
                "error[P-UTF8]: bytes that are invalid in UTF-8 from here on: they are read as windows-1252 (P-UTF8); convert the file to UTF-8, or declare the encoding that it is in, at line 3, column 6 (byte 110)",
            ],
        },
        Document {
            causes: "references to no characters, and an entity of HTML without `;` before a reference",
            bytes: urlset("<url><loc>https://example.com/1&#0;&#xD800;&nbsp&#x41;</loc></url>").into(),
            location: None,
            strict: "a reference to a character that cannot be in an XML document (XML 1.0 section 4.1); remove it, at line 1, column 92 (byte 91), entry 1",
            read: Ok(&["https://example.com/1&nbspA"]),
            told: &[
                "error[XML]: a reference to a character that cannot be in an XML document (XML 1.0 section 4.1); remove it, at line 1, column 92 (byte 91), entry 1",
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 104 (byte 103), entry 1",
            ],
        },
        Document {
            causes: "a feed in an HTML page",
            bytes: "<html><head><title>t</title></head><body><rss><channel><item><link>https://example.com/1</link></item></channel></rss></body></html>".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Err("the document's root could not be read, as an error before this one says"),
            told: &[],
        },
        Document {
            causes: "Shift_JIS with a byte that is none, and an entry that the root ends",
            bytes: b"<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/1\x83T</loc></url><url><loc>https://example.com/2\xff</loc></urlset>".into(),
            location: None,
            strict: "bytes that are invalid in Shift_JIS, the encoding of the document (P-UTF8); convert the file to UTF-8, or correct its declaration, at line 1, column 178 (byte 179), entry 2",
            read: Ok(&["https://example.com/1サ", "https://example.com/2\u{fffd}"]),
            told: &[
                "error[XML]: the end tag `</urlset>` where `</url>` is expected: the element that began last ends first, at line 1, column 185 (byte 188), entry 2",
                "error[P-UTF8]: bytes that are invalid in Shift_JIS from here on: they are read as U+FFFD (P-UTF8); convert the file to UTF-8, or correct its declaration, at line 1, column 178 (byte 179)",
            ],
        },
        Document {
            causes: "a video with two durations, the first of which is none, and two titles with a bare `&`",
            bytes: urlset("<url><loc>https://example.com/1</loc><video:video xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\"><video:thumbnail_loc>https://example.com/t</video:thumbnail_loc><video:title>a & b</video:title><video:title>c</video:title><video:description>d</video:description><video:content_loc>https://example.com/v</video:content_loc><video:duration>abc</video:duration><video:duration>60</video:duration></video:video></url>").into(),
            location: None,
            strict: "a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 252 (byte 251), entry 1",
            read: Ok(&["https://example.com/1 video=a & b duration=60"]),
            told: &[
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 252 (byte 251), entry 1",
                "warning[P-DUP]: a second `video:title`: a `video:video` has at most one; remove one, at line 1, column 282 (byte 281), entry 1 · video:video[0] · video:title",
                "warning[P-VID3]: `abc` is not a duration: a duration is in seconds, a whole number from 1 to 28800 (P-VID3); write a value in that range, or leave it out, at line 1, column 413 (byte 412), entry 1 · video:video[0] · video:duration",
            ],
        },
        Document {
            causes: "a link without `href` and an image without loc, both with undeclared prefixes, and a right priority",
            bytes: urlset("<url><loc>https://example.com/1</loc><xhtml:link rel=\"alternate\" hreflang=\"de\"/><image:image><image:title>x</image:title></image:image><priority>0.5</priority></url>").into(),
            location: None,
            strict: "the prefix `xhtml` of `xhtml:link` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:xhtml=\"…\"`, at line 1, column 99 (byte 98), entry 1",
            read: Ok(&["https://example.com/1 priority=0.5"]),
            told: &[
                "error[XML]: the prefix `xhtml` of `xhtml:link` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:xhtml=\"…\"`, at line 1, column 99 (byte 98), entry 1",
                "error[XML]: the prefix `image` of `image:image` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:image=\"…\"`, at line 1, column 142 (byte 141), entry 1",
                "warning[P-ALT1]: no `@href`: every `xhtml:link` has one (P-ALT1); add it, or leave the `xhtml:link` out, at line 1, column 141 (byte 140), entry 1 · xhtml:link[0] · @href",
                "warning[P-IMG2]: no `image:loc`: every `image:image` has one (P-IMG2); add it, or leave the `image:image` out, at line 1, column 154 (byte 153), entry 1 · image:image[0] · image:loc",
            ],
        },
        Document {
            causes: "a blank loc, then one, then the same with an invisible character before it",
            bytes: urlset("<url><loc> </loc><loc>https://example.com/1</loc><loc>\u{200b}https://example.com/1</loc></url>").into(),
            location: None,
            strict: "a second `loc`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 83 (byte 82), entry 1 · loc",
            read: Ok(&["https://example.com/1", "https://example.com/1"]),
            told: &[
                "error[P-DUP]: a second `loc`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 71 (byte 70), entry 1 · loc",
                "error[P-DUP]: a second `loc`, which differs from the first: a `url` has one (P-DUP); give it its own entry, as it was read, at line 1, column 115 (byte 114), entry 1 · loc",
                "error[P-LOC]: `\\u{200b}https://example.com/1` begins or ends with U+200B, a character that cannot be seen and is no part of the URL (P-LOC); remove it, at line 1, column 115 (byte 114), entry 2 · loc",
            ],
        },
        Document {
            causes: "a text sitemap with a value behind a tab, a byte of windows-1252 and a NUL",
            bytes: b"\r\nhttps://example.com/1\tx\r\nhttps://example.com/\xe9\r\nhttps://example.com/2\x00".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/1", "https://example.com/é", "https://example.com/2"]),
            told: &[
                "error[P-TXT1]: the line `https://example.com/1\\tx` is not a URL: a text sitemap has one absolute URL per line, and nothing else (P-TXT1); remove what follows the URL, and write a space in a URL as `%20`, at line 2, column 1 (byte 2), entry 1",
                "error[P-LOC]: `https://example.com/2\\u{0}` holds U+0000: no XML document and no URL can hold it (P-LOC); remove it, at line 4, column 1 (byte 51), entry 3 · loc",
                "error[P-UTF8]: bytes that are invalid in UTF-8 from here on: they are read as windows-1252 (P-UTF8); convert the file to UTF-8, or declare the encoding that it is in, at line 3, column 21 (byte 47)",
            ],
        },
        Document {
            causes: "`<` in an attribute of an entry, and a comment in it that does not end",
            bytes: urlset("<url title=\"a>b\" id=\"<1\"><loc>https://example.com/1</loc><!-- x </url><url><loc>https://example.com/2</loc></url>").into(),
            location: None,
            strict: "the value of the attribute `id` begins with `\"` here, and a `<` comes before the `\"` that ends it (XML 1.0 section 3.1); close it, or write `&lt;` if the `<` is a part of it, at line 1, column 81 (byte 80)",
            read: Ok(&["https://example.com/1", "https://example.com/2"]),
            told: &[
                "error[XML]: the value of the attribute `id` begins with `\"` here, and a `<` comes before the `\"` that ends it (XML 1.0 section 3.1); close it, or write `&lt;` if the `<` is a part of it, at line 1, column 81 (byte 80), entry 1",
                "error[XML]: found `1` where the name of an element begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`, at line 1, column 83 (byte 82), entry 1",
                "error[XML]: the document ends inside a comment that begins here: it is truncated, or its `-->` was never written; get a complete copy, at line 1, column 118 (byte 117), entry 1",
                "warning[sitemap.xsd]: the text `<1\">` between the elements of an entry, which has elements only (sitemap.xsd); remove it, or put it in a comment, at line 1, column 82 (byte 81), entry 1",
            ],
        },
        Document {
            causes: "elements in wrong case, spaces in a loc, a day that does not exist, and an unknown element",
            bytes: urlset("<url><Loc>https://example.com/a b</Loc><LastMod>2024-02-30</LastMod><foo>x</foo></url>").into(),
            location: None,
            strict: "`Loc` is not an element of a `url`: names are case-sensitive (P-NS); did you mean `loc`?, at line 1, column 66 (byte 65), entry 1",
            read: Ok(&["https://example.com/a b"]),
            told: &[
                "error[P-NS]: `loc` in another case: names are case-sensitive (P-NS); write it in lower case, at line 1, column 61 (byte 60), entry 1 · loc",
                "warning[P-LASTMOD]: `2024-02-30` is not a W3C Datetime: February 2024 has 29 days (P-LASTMOD); write a day from 01 to 29, at line 1, column 109 (byte 108), entry 1 · lastmod",
            ],
        },
        Document {
            causes: "a `sitemap` in a urlset that is not closed, and another between entries",
            bytes: urlset("<sitemap><loc>https://example.com/0.xml</loc><url><loc>https://example.com/1</loc></url><sitemap><loc>https://example.com/1.xml</loc></sitemap>").into(),
            location: None,
            strict: "the end tag `</urlset>` where `</sitemap>` is expected: the element that began last ends first, at line 1, column 204 (byte 203), entry 1",
            read: Ok(&["https://example.com/1"]),
            told: &[
                "error[P-NS]: a `sitemap` in a urlset: a urlset lists pages, `url` entries only (P-NS); move it to a document of its own, at line 1, column 61 (byte 60), entry 1",
                "error[P-NS]: `loc` is not an element of a urlset, whose entries are `url` elements (P-NS); put it into a `url`, at line 1, column 70 (byte 69)",
                "error[P-NS]: a `sitemap` in a urlset: a urlset lists pages, `url` entries only (P-NS); move it to a document of its own, at line 1, column 149 (byte 148), entry 3",
                "error[P-NS]: `loc` is not an element of a urlset, whose entries are `url` elements (P-NS); put it into a `url`, at line 1, column 158 (byte 157)",
                "error[XML]: the end tag `</urlset>` where `</sitemap>` is expected: the element that began last ends first, at line 1, column 204 (byte 203)",
            ],
        },
        Document {
            causes: "XML 1.1, a wrong `standalone`, and a reference to a control character",
            bytes: ["<?xml version=\"1.1\" standalone=\"maybe\"?>", &urlset("<url><loc>https://example.com/1&#1;</loc></url>")].concat().into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/1"]),
            told: &[
                "error[P-DECL]: the document is XML 1.1, and a sitemap is XML 1.0 (P-DECL); convert it, at line 1, column 7 (byte 6)",
                "error[XML]: a reference to a character that cannot be in an XML document (XML 1.0 section 4.1); remove it, at line 1, column 132 (byte 131), entry 1",
            ],
        },
        Document {
            causes: "an index behind a urlset, then HTML",
            bytes: [urlset("<url><loc>https://example.com/1</loc></url>"), index("<sitemap><loc>https://example.com/2.xml</loc></sitemap>"), "<p>x</p>".into()].concat().into(),
            location: None,
            strict: "a second root `sitemapindex`: a document has one (XML 1.0 section 2.1); remove it, at line 1, column 113 (byte 112)",
            read: Ok(&["https://example.com/1"]),
            told: &[
                "error[XML]: a second root `sitemapindex`: a document has one (XML 1.0 section 2.1); remove it, at line 1, column 113 (byte 112)",
                "error[P-NS]: a `sitemap` in a urlset: a urlset lists pages, `url` entries only (P-NS); move it to a document of its own, at line 1, column 179 (byte 178), entry 2",
                "error[XML]: a second root `p`: a document has one (XML 1.0 section 2.1); remove it, at line 1, column 249 (byte 248)",
                "error[XML]: `x` after the end of the root: a document ends with its root; remove it, at line 1, column 252 (byte 251)",
                "error[XML]: the end tag `p` has no start tag, at line 1, column 253 (byte 252)",
            ],
        },
        Document {
            causes: "two `news:news` with an undeclared prefix, of which the first has an invalid date",
            bytes: urlset("<url><loc>https://example.com/1</loc><news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:publication_date>now</news:publication_date><news:title>a</news:title></news:news><news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:publication_date>2024-05-06</news:publication_date><news:title>b</news:title></news:news></url>").into(),
            location: None,
            strict: "the prefix `news` of `news:news` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:news=\"…\"`, at line 1, column 99 (byte 98), entry 1",
            read: Ok(&["https://example.com/1 news=b"]),
            told: &[
                "error[XML]: the prefix `news` of `news:news` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:news=\"…\"`, at line 1, column 99 (byte 98), entry 1",
                "warning[P-NEWS3]: `now` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-NEWS3); write it like that, or leave the field out, at line 1, column 226 (byte 225), entry 1 · news:news · news:publication_date",
            ],
        },
        Document {
            causes: "RSS 1.0 without the declaration of `rdf`, in wrong case, and with a bare `&`",
            bytes: "<rdf:RDF xmlns=\"http://purl.org/rss/1.0/\"><item><Link>https://example.com/?a&b</Link><dc:date>2024</dc:date></item></rdf:RDF>".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/?a&b"]),
            told: &[
                "error[XML]: the prefix `rdf` of `rdf:RDF` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:rdf=\"…\"`, at line 1, column 2 (byte 1)",
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 77 (byte 76), entry 1",
                "error[XML]: the prefix `dc` of `dc:date` is not declared: nothing says which namespace it stands for (Namespaces in XML section 5); declare it on the root as `xmlns:dc=\"…\"`, at line 1, column 87 (byte 86), entry 1",
            ],
        },
        Document {
            causes: "no root, an entry without a start tag, and a bare `<` in a loc",
            bytes: "1</loc></url><url><loc>https://example.com/2?a<3</loc></url><url><loc>https://example.com/4</loc></url>".into(),
            location: None,
            strict: "the document's root could not be read, as an error before this one says",
            read: Ok(&["https://example.com/2?a<3", "https://example.com/4"]),
            told: &[
                "error[P-DECL]: `1` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, column 1 (byte 0)",
                "error[XML]: the end tag `loc` has no start tag, at line 1, column 2 (byte 1)",
                "error[XML]: the end tag `url` has no start tag, at line 1, column 8 (byte 7)",
                "error[P-NS]: the root is `url`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap, at line 1, column 14 (byte 13), entry 1",
                "error[XML]: found `3` where the name of an element begins (XML 1.0 section 2.3); if it is text, `<` is written `&lt;`, at line 1, column 48 (byte 47), entry 1",
                "error[XML]: a second root `url`: a document has one (XML 1.0 section 2.1); remove it, at line 1, column 61 (byte 60), entry 2",
                "error[XML]: the document ends inside `urlset`: it is truncated, or its end was never written; get a complete copy, at line 1, column 104 (byte 103)",
            ],
        },
        Document {
            causes: "gzip that is cut off, around an entry with a bare `&`",
            bytes: cut_gzip("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/?a&b</loc></url><url><loc>https://example.com/2</loc></url></urlset>"),
            location: None,
            strict: "a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 93 (byte 92), entry 1",
            read: Ok(&["https://example.com/?a&b"]),
            told: &[
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 93 (byte 92), entry 1",
                "error[P-GZIP]: the compressed document is truncated (P-GZIP); get a complete copy, at line 1, column 119 (byte 118), entry 2",
                "error[P-DUP]: no `loc`: every `url` has exactly one (P-DUP); add it, or remove the entry, at line 1, column 107 (byte 106), entry 2 · loc",
            ],
        },
        Document {
            causes: "a tag without `>`, and an end tag without `>`, before a lastmod",
            bytes: urlset("<url><loc https://example.com/1</loc><lastmod>2024</lastmod></url><url><loc>https://example.com/2</loc <lastmod>2024</lastmod></url>").into(),
            location: None,
            strict: "`https:` is not a qualified name: a name has at most one colon, between prefix and local name (Namespaces in XML section 4), at line 1, column 71 (byte 70), entry 1",
            read: Ok(&["https://example.com/2 lastmod=2024"]),
            told: &[
                "error[XML]: `https:` is not a qualified name: a name has at most one colon, between prefix and local name (Namespaces in XML section 4), at line 1, column 71 (byte 70), entry 1",
                "error[P-LOC]: the loc is empty: it is an absolute URL (P-LOC); write the address of the page, at line 1, column 92 (byte 91), entry 1 · loc",
                "error[XML]: found `<` inside a tag: the tag before it has no `>`, or `<` in a value is not written `&lt;` (XML 1.0 section 3.1), at line 1, column 164 (byte 163), entry 2",
            ],
        },
        Document {
            causes: "a CDATA section in a loc with text on both sides, references in it, and a comment",
            bytes: urlset("<url><loc>https://example.com/<![CDATA[1?a&b]]>&<!-- - -- -->c&eacute;</loc></url>").into(),
            location: None,
            strict: "a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 108 (byte 107), entry 1",
            read: Ok(&["https://example.com/1?a&b&cé"]),
            told: &[
                "error[P-ESC]: a `&` that does not begin a reference: in a value it is written `&amp;` (P-ESC), at line 1, column 108 (byte 107), entry 1",
                "error[XML]: `--` inside a comment (XML 1.0 section 2.5); write `- -`, at line 1, column 116 (byte 115), entry 1",
                "error[P-ESC]: the entity `&eacute;` is not declared: XML itself has only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` (P-ESC); write the character itself, at line 1, column 123 (byte 122), entry 1",
            ],
        },
    ]
}
