//! Text sitemaps and feeds: their entries, in strict and lenient mode, for any pieces of input; and written text.

use sitemap_serde::format::{Format, sniff};
use sitemap_serde::{ErrorKind, Limits, Mode, Reader, ReaderBuilder, Record, Rule, UrlEntry, WriterBuilder};
use sitemap_tests::{Trickle, agreed, limited};

/// The loc and lastmod of each entry or its error, then the diagnostics.
type Read = (Vec<Result<(String, Option<String>), String>>, Vec<String>);

fn all<'de, S: sitemap_serde::source::DocumentSource<'de>>(mut reader: Reader<S>) -> Read {
    let mut entries = Vec::new();
    for entry in reader.entries() {
        entries.push(match entry {
            Ok(entry) => Ok((entry.loc, entry.lastmod.map(|date| date.to_string()))),
            Err(error) => Err(error.to_string()),
        });
        assert!(entries.len() < 1000);
    }
    (
        entries,
        reader.diagnostics().iter().map(ToString::to_string).collect(),
    )
}

fn read(builder: &ReaderBuilder, document: &[u8]) -> Read {
    agreed(vec![
        ("from_slice", all(builder.from_slice(document))),
        ("from_reader", all(builder.from_reader(document))),
        ("bit by bit", all(builder.from_reader(Trickle::new(document)))),
    ])
}

fn strict() -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder.other_formats(true);
    builder
}

fn lenient() -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder
        .mode(Mode::Lenient)
        .location("https://example.com/feeds/1");
    builder
}

/// Reads a document in strict and lenient mode. Both give these entries, without diagnostics.
#[track_caller]
fn same(document: &str, format: Format, expected: &[(&str, Option<&str>)]) {
    assert_eq!(sniff(document.as_bytes()), format, "{document}");
    for builder in [strict(), lenient()] {
        assert_eq!(builder.from_str(document).format().unwrap(), format, "{document}");
        let (entries, told) = read(&builder, document.as_bytes());
        let entries: Vec<_> = entries.into_iter().map(|entry| entry.unwrap()).collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(loc, date)| ((*loc).to_owned(), date.map(str::to_owned)))
            .collect();
        assert_eq!(entries, expected, "{document}");
        assert!(told.is_empty(), "{document}: {told:?}");
    }
}

const ATOM: &str = "http://www.w3.org/2005/Atom";

#[test]
fn text() {
    same(
        "\u{FEFF}https://example.com/\r\n\r\n  HTTP://example.com/a?b&c=é \rhttps://example.com/last",
        Format::Text,
        &[
            ("https://example.com/", None),
            ("HTTP://example.com/a?b&c=é", None),
            ("https://example.com/last", None),
        ],
    );
}

#[test]
fn rss() {
    same(
        "<?xml version='1.0'?><rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/' \
         xmlns:a='http://www.w3.org/2005/Atom'><channel><title>x</title><link>https://example.com/</link>\
         <pubDate>Sun, 06 Sep 2009 16:20:00 +0000</pubDate><image><url>https://example.com/logo.png</url>\
         <link>https://example.com/</link></image>\
         <item><title>&lt;b&gt;</title><a:link href='https://example.com/none'/><link> https://example.com/?a=1&amp;b=2\n</link>\
         <guid>https://example.com/none</guid><pubDate>Sun, 06 Sep 2009 16:20:00 GMT</pubDate></item>\
         <item><link>https://example.com/<![CDATA[?a=1&b=2]]></link><dc:date>2024-05-06</dc:date></item>\
         <item><guid>https://example.com/guid</guid><pubDate>2024-05-06T07:08:09Z</pubDate><dc:date>2023</dc:date></item>\
         <item><link/><guid isPermaLink='true'>https://example.com/guid2</guid></item></channel></rss>",
        Format::Rss,
        &[
            ("https://example.com/?a=1&b=2", Some("2009-09-06T16:20:00Z")),
            ("https://example.com/?a=1&b=2", Some("2024-05-06")),
            ("https://example.com/guid", Some("2024-05-06T07:08:09Z")),
            ("https://example.com/guid2", None),
        ],
    );
    same(
        "<!DOCTYPE rss PUBLIC '-//Netscape Communications//DTD RSS 0.91//EN' 'http://my.netscape.com/rss-0.91.dtd'>\
         <rss version='0.91'><channel><item><link>https://example.com/</link></item></channel></rss>",
        Format::Rss,
        &[("https://example.com/", None)],
    );
}

#[test]
fn rdf() {
    same(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/' \
         xmlns:dc='http://purl.org/dc/elements/1.1/'><channel rdf:about='https://example.com/'><link>https://example.com/</link>\
         <items><rdf:Seq><rdf:li rdf:resource='https://example.com/1'/></rdf:Seq></items></channel>\
         <item rdf:about='https://example.com/1'><link>https://example.com/1</link><dc:date>2024-05-06</dc:date></item></rdf:RDF>",
        Format::Rdf,
        &[("https://example.com/1", Some("2024-05-06"))],
    );
}

#[test]
fn atom() {
    same(
        &format!(
            "<feed xmlns='{ATOM}'><link href='https://example.com/'/><updated>2003-12-13</updated>\
             <entry><link rel='self' href='https://example.com/none'/><link href='https://example.com/1?a&amp;b'/>\
             <link rel='alternate' href='https://example.com/none'/><published>2001</published><updated>2003-12-13T18:30:02Z</updated>\
             <content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><entry><link href='https://example.com/none'/></entry></div>\
             </content><source><updated>1999</updated></source></entry>\
             <entry xml:base='https://example.org/x/'><link rel='alternate' href='y'/><published>2001</published></entry></feed>"
        ),
        Format::Atom,
        &[
            ("https://example.com/1?a&b", Some("2003-12-13T18:30:02Z")),
            ("https://example.org/x/y", Some("2001")),
        ],
    );
    same(
        "<a:feed version='0.3' xmlns:a='http://purl.org/atom/ns#' xml:base='https://example.com/a/b'><a:entry>\
         <a:link rel='alternate' type='text/html' href='1'/><a:issued>2024-01-01</a:issued><a:modified>2024-01-02</a:modified></a:entry>\
         <a:entry><a:link xml:base='c/d' href='2'/></a:entry></a:feed>",
        Format::Atom,
        &[
            ("https://example.com/a/1", Some("2024-01-02")),
            ("https://example.com/a/c/2", None),
        ],
    );
}

/// Only if requested. An item's address and date come from its own format, not from similar elements.
#[test]
fn elements_of_other_formats_in_feeds() {
    let rss = |item: &str| {
        format!("<rss version=\"2.0\" xmlns:x=\"urn:x\"><channel><item>{item}</item></channel></rss>")
    };
    for item in [
        "<x:link>https://example.com/x</x:link><link>https://example.com/1</link><published>2024-01-01</published>",
        "<title>https://example.com/title</title><guid>https://example.com/1</guid><updated>2024-01-01</updated>",
    ] {
        same(&rss(item), Format::Rss, &[("https://example.com/1", None)]);
    }
    let twice = "<link>https://example.com/1</link><link>https://example.com/2</link>\
                 <pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate><pubDate>Tue, 02 Jan 2024 00:00:00 GMT</pubDate>";
    same(
        &rss(twice),
        Format::Rss,
        &[("https://example.com/1", Some("2024-01-01T00:00:00Z"))],
    );
    let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><title>2024-01-01</title><id>2024-01-02</id>\
                <link xmlns=\"urn:x\" href=\"https://example.com/x\"/><link href=\"https://example.com/1\"/>\
                <pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></entry></feed>";
    same(atom, Format::Atom, &[("https://example.com/1", None)]);
}

#[test]
fn not_in_a_strict_reading() {
    for (document, message) in [
        (
            "https://example.com/",
            "`https://example.com/` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at \
             line 1, column 1 (byte 0)",
        ),
        (
            "<rss version=\"2.0\"/>",
            "the root is `rss`, and a sitemap's is `urlset` or `sitemapindex` (P-NS); this document is not a sitemap, at \
             line 1, column 1 (byte 0)",
        ),
    ] {
        let mut reader = Reader::from_str(document);
        assert_eq!(reader.entries().next().unwrap().unwrap_err().to_string(), message);
        let mut builder = lenient();
        assert!(
            builder.other_formats(false).from_str(document).format().is_err(),
            "{document}"
        );
    }
}

#[test]
fn lines_that_are_no_urls() {
    let document =
        b"# all\nhttps://example.com/1\t2024\n/2\nwww.example.com/3\nexample.com/4\nsome words.\nnothing\n\
        https://example.com/\xE9\nhttps://example.com/\x016";
    let no_url = |line: &str, place: &str| {
        format!(
            "the line `{line}` is not a URL: a text sitemap has one absolute URL per line, and nothing else (P-TXT1); write an absolute URL, or remove the line, at {place}"
        )
    };
    let (entries, _) = read(&strict(), &document[..88]);
    assert_eq!(entries.len(), 7);
    assert_eq!(
        entries[0],
        Err(no_url("# all", "line 1, column 1 (byte 0), entry 1"))
    );
    assert_eq!(
        entries[1],
        Err(no_url(
            "https://example.com/1\\t2024",
            "line 2, column 1 (byte 6), entry 2"
        )
        .replace(
            "write an absolute URL, or remove the line",
            "remove what follows the URL, and write a space in a URL as `%20`"
        ))
    );
    assert!(entries.iter().all(Result::is_err), "{entries:?}");

    let (entries, told) = read(&lenient(), document);
    let locs: Vec<_> = entries
        .iter()
        .map(|entry| entry.as_ref().unwrap().0.as_str())
        .collect();
    assert_eq!(
        locs,
        [
            "https://example.com/1",
            "https://example.com/2",
            "https://www.example.com/3",
            "https://example.com/4",
            "https://example.com/é",
            "https://example.com/6",
        ]
    );
    assert_eq!(told.len(), 9, "{told:?}");
    assert_eq!(
        told[0],
        format!(
            "error[P-TXT1]: {}",
            no_url("# all", "line 1, column 1 (byte 0), entry 1")
        )
    );
    assert_eq!(
        told[2],
        "error[P-LOC]: `/2` is not an absolute URL: relative to the document's location it is `https://example.com/2` (P-LOC); write the absolute URL, at \
         line 3, column 1 (byte 33), entry 3 · loc"
    );
    assert!(
        told[8].starts_with("error[P-UTF8]: bytes that are invalid in UTF-8 from here on"),
        "{told:?}"
    );
    for limit in [
        Limits::reading().with_entries(1),
        Limits::reading().with_bytes(30),
        limited(Limits::reading(), |limits| limits.token_bytes = 10),
    ] {
        let mut builder = lenient();
        let (entries, _) = read(builder.limits(limit), document);
        assert!(entries.last().unwrap().is_err(), "{entries:?}");
    }
}

/// Items without a link, invalid dates, and broken feeds.
#[test]
fn items_that_are_wrong() {
    let document = "<rss><channel><item><title>x</title><guid isPermaLink='false'>https://example.com/none</guid></item>\
        <item><link>https://example.com/1</link><pubDate>yesterday</pubDate></item></channel></rss>";
    let no_link = "no `link`: an `item` without one has no page (P-LOC); add the address of its page, or remove the item, at line 1, \
        column 15 (byte 14), entry 1";
    let no_date = "`yesterday` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a \
        zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out, at line 1, column 150 (byte 149), \
        entry 2 · lastmod";
    let (entries, _) = read(&strict(), document.as_bytes());
    assert_eq!(entries, [Err(no_link.to_owned()), Err(no_date.to_owned())]);
    let (entries, told) = read(&lenient(), document.as_bytes());
    assert_eq!(entries, [Ok(("https://example.com/1".to_owned(), None))]);
    assert_eq!(
        told,
        [
            format!("error[P-LOC]: {no_link}"),
            format!("warning[P-LASTMOD]: {no_date}")
        ]
    );

    let document = "\n<?xml version='1.0'?><rss><channel><item><title>a & b<br></title><link>/1?a&b</link>\
        <item><PubDate>05 Jan 2017</PubDate><link>www.example.com</link></item><item><link>https://example.com/3</link></item>\
        <item><link>https://example.com/4</lin";
    let (entries, told) = read(&lenient(), document.as_bytes());
    let entries: Vec<_> = entries.into_iter().map(|entry| entry.unwrap()).collect();
    let expected = [
        ("https://example.com/1?a&b", None),
        ("https://www.example.com", Some("2017-01-05")),
        ("https://example.com/3", None),
        ("https://example.com/4", None),
    ];
    assert_eq!(
        entries,
        expected.map(|(loc, date)| (loc.to_owned(), date.map(str::to_owned)))
    );
    assert!(
        told.iter()
            .any(|told| told.contains("`item` begins before the end tag of `item`")),
        "{told:#?}"
    );
    assert!(
        told.iter()
            .any(|told| told.contains("the document ends inside a tag")),
        "{told:#?}"
    );

    // Any number of unclosed items.
    let document = format!(
        "<rss><channel>{}",
        "<item><link>https://example.com/</link>".repeat(500)
    );
    assert_eq!(
        read(&lenient(), document.as_bytes())
            .0
            .into_iter()
            .flatten()
            .count(),
        500
    );
}

/// User types can borrow from them as from XML, and records give an entry's position.
#[test]
fn text_and_feeds_in_every_way_of_reading() {
    #[derive(serde::Deserialize)]
    struct Page<'a> {
        loc: &'a str,
        lastmod: Option<&'a str>,
    }
    for document in [
        "https://example.com/1\nhttps://example.com/2",
        "<rss><item><link>https://example.com/1</link></item><item><dc:date xmlns:dc='http://purl.org/dc/elements/1.1/'>2024</dc:date>\
         <link>https://example.com/2</link></item></rss>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='https://example.com/1'/></entry>\
         <entry><updated>2024</updated><link href='https://example.com/2'/></entry></feed>",
    ] {
        let pages: Vec<Page<'_>> = strict()
            .from_str(document)
            .deserialize()
            .collect::<Result<_, _>>()
            .unwrap();
        let locs: Vec<_> = pages.iter().map(|page| page.loc).collect();
        assert_eq!(locs, ["https://example.com/1", "https://example.com/2"]);
        assert!(pages[1].lastmod.is_none_or(|date| date == "2024"));
        let (mut reader, mut record) = (strict().from_str(document), Record::new());
        for loc in locs {
            assert!(reader.read_record(&mut record).unwrap());
            assert_eq!(record.loc(), loc);
            let range = record.byte_range();
            let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
            assert_eq!(document.get(range), Some(record.source()));
            assert!(record.source().contains(loc));
        }
        assert!(!reader.read_record(&mut record).unwrap());
    }
}

/// A written text can be read again, also by lines.
#[test]
fn text_is_written() {
    let rows = ["/", "/a?b=1&c='d'<e>", "/é", "https://example.com/x"].map(UrlEntry::new);
    let mut builder = WriterBuilder::new();
    let mut writer = builder.base("https://example.com").text_from_writer(Vec::new());
    for row in &rows {
        writer.write(row).unwrap();
    }
    assert_eq!(writer.summary().entries, 4);
    let bytes = writer.summary().bytes;
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    assert_eq!(text.len() as u64, bytes);
    assert_eq!(
        text,
        "https://example.com/\nhttps://example.com/a?b=1&c='d'%3Ce%3E\nhttps://example.com/%C3%A9\nhttps://example.com/x\n"
    );
    let read: Vec<String> = strict()
        .from_str(&text)
        .entries()
        .map(|entry| entry.unwrap().loc)
        .collect();
    assert!(text.lines().eq(read.iter().map(String::as_str)));
    assert_eq!(sniff(text.as_bytes()), Format::Text);

    // A row is written completely or not at all, within the limits.
    for (limits, what, loc) in [
        (
            Limits::writing().with_entries(1),
            "it has 1 lines, and 1 are allowed",
            "",
        ),
        (
            Limits::writing().with_bytes(24),
            "with this entry it would have 60 bytes, and 24 are allowed",
            ", loc `https://example.com/a?b=1&c='d'%3Ce%3E`",
        ),
    ] {
        let mut writer = builder.limits(limits).text_from_writer(Vec::new());
        writer.write(&rows[0]).unwrap();
        let error = writer.write(&rows[1]).unwrap_err();
        assert_eq!((error.kind(), error.rule()), (ErrorKind::Limit, Some(Rule::Txt2)));
        assert_eq!(
            error.to_string(),
            format!(
                "the document is full: {what} (P-TXT2); finish it and write this entry to the next one, entry 2{loc}"
            )
        );
        assert!(writer.write(&UrlEntry::new("javascript:x")).is_err());
        assert_eq!(writer.finish().unwrap(), b"https://example.com/\n");
    }
    let mut room = [0_u8; 25];
    let mut writer = builder.limits(Limits::writing()).text_from_writer(&mut room[..]);
    writer.write(&rows[0]).unwrap();
    writer.flush().unwrap();
    writer.write(&rows[3]).unwrap();
    assert_eq!(writer.flush().unwrap_err().kind(), ErrorKind::Io);
    assert!(writer.finish().is_err());

    // serde's values are entries of a text, too.
    let mut writer = builder.text_from_writer(Vec::new());
    writer.serialize(&rows[1]).unwrap();
    assert_eq!(
        writer.finish().unwrap(),
        b"https://example.com/a?b=1&c='d'%3Ce%3E\n"
    );
}

/// Like gzip(1): members may follow each other, zeros may pad the end, and other trailing bytes are reported. A truncation or damage loses
/// the rest.
#[test]
fn compressed_as_gzip_takes_it() {
    use std::io::Write;

    let member = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let text = "https://example.com/1\nhttps://example.com/2\n";
    let xml = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/1</loc></url>\
        <url><loc>https://example.com/2</loc></url></urlset>";
    for document in [text, xml] {
        let (first, second) = document.split_at(70.min(document.len() - 3));
        let members = [member(first), member(second)].concat();
        let junk = [&members[..], b"junk"].concat();
        let mut damaged = member(document);
        let checksum = damaged.len() - 8;
        damaged[checksum] ^= 1;
        let cut = member(document)[..checksum].to_vec();
        for (name, bytes, told) in [
            ("members", members.clone(), ""),
            ("zeros", [&members[..], &[0; 600]].concat(), ""),
            (
                "junk",
                junk,
                "the compressed data is followed by data that is not compressed",
            ),
            (
                "a wrong checksum",
                damaged,
                "the checksum of the compressed document is wrong: any part of it may be damaged",
            ),
            ("truncated", cut, "the compressed document is truncated"),
        ] {
            let (entries, diagnostics) = read(&lenient(), &bytes);
            assert_eq!(entries.iter().flatten().count(), 2, "{name}: {entries:?}");
            assert!(entries.iter().all(Result::is_ok), "{name}: {entries:?}");
            assert_eq!(
                diagnostics.len(),
                usize::from(!told.is_empty()),
                "{name}: {diagnostics:?}"
            );
            assert!(
                diagnostics
                    .iter()
                    .all(|found| found.contains(told) && found.contains("P-GZIP")),
                "{diagnostics:?}"
            );
            let (entries, _) = read(&strict(), &bytes);
            assert_eq!(
                entries.iter().any(Result::is_err),
                !told.is_empty(),
                "{name}: {entries:?}"
            );
        }
    }
    // A bomb: a megabyte of it would decompress to a gigabyte.
    let bomb = member(&"https://example.com/\n".repeat(100_000));
    assert!(bomb.len() < 20_000);
    for (limit, fits) in [(2_100_000, true), (2_099_999, false)] {
        let limits = Limits::reading().with_decompressed_bytes(limit);
        let mut builder = lenient();
        let mut reader = builder.limits(limits).from_slice(&bomb);
        let error = reader.entries().find_map(Result::err);
        assert_eq!(error.is_none(), fits, "{error:?}");
        if let Some(error) = error {
            assert_eq!((error.kind(), error.rule()), (ErrorKind::Limit, Some(Rule::Size)));
            assert!(
                error.to_string().starts_with(
                    "the compressed document has more than 2,099,999 bytes when it is decompressed, which is the limit (P-SIZE); if you trust the document, raise the limit with `Limits::with_decompressed_bytes`"
                ),
                "{error}"
            );
        }
    }
}

/// Text that is truncated within a line, after the start that identifies the format: the lines before it are read.
#[test]
fn compressed_text_that_is_cut_off() {
    use std::fmt::Write as _;
    use std::io::Write as _;

    let mut long = String::new();
    for i in 0..900_u32 {
        long.push_str("https://example.com");
        for j in 0..20 {
            let _ = write!(long, "/{}", (20 * i + j).wrapping_mul(2_654_435_761));
        }
        long.push('\n');
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(long.as_bytes()).unwrap();
    let whole = encoder.finish().unwrap();
    let cut = &whole[..whole.len() / 2];
    let (entries, diagnostics) = read(&lenient(), cut);
    assert!(read(&strict(), cut).0.last().is_some_and(Result::is_err));
    let locs: Vec<_> = entries.iter().flatten().map(|(loc, _)| loc).collect();
    assert!(locs.len() > 100 && locs.len() == entries.len(), "{entries:?}");
    assert!(locs.iter().zip(long.lines()).all(|(loc, line)| *loc == line));
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert!(
        diagnostics[0].contains("the compressed document is truncated"),
        "{diagnostics:?}"
    );
}

/// A truncated text is read up to the cut, wherever the cut is, even if the text is not longer than the prefix used to detect the
/// format. An incomplete line is dropped. gzip stores the text uncompressed here, so each byte of the file is one byte of text.
#[test]
fn every_cut_of_a_short_compressed_text() {
    use std::io::Write as _;

    let text = "https://example.com/page-1\nhttps://example.com/page-12\r\nhttps://example.com/page-123\n";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(text.as_bytes()).unwrap();
    let whole = encoder.finish().unwrap();
    let start = whole.windows(8).position(|bytes| bytes == b"https://").unwrap();
    for cut in start + 1..whole.len() {
        let part = &text.as_bytes()[..(cut - start).min(text.len())];
        let lines: Vec<_> = std::str::from_utf8(part)
            .unwrap()
            .split_inclusive(['\n', '\r'])
            .filter(|line| line.ends_with(['\n', '\r']))
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        for builder in [strict(), lenient()] {
            let (entries, told) = read(&builder, &whole[..cut]);
            let locs: Vec<_> = entries.iter().flatten().map(|(loc, _)| loc).collect();
            assert_eq!(locs, lines, "{cut}: {entries:?}, {told:?}");
            let errors: Vec<_> = entries.iter().filter_map(|entry| entry.as_ref().err()).collect();
            let said: Vec<_> = errors.into_iter().chain(&told).collect();
            assert!(
                matches!(*said, [said] if said.contains("the compressed document is truncated (P-GZIP); get a complete copy")),
                "{cut}: {said:?}"
            );
        }
    }
}

/// A checksum does not locate the damage: the text ended normally, so its last line is valid, and the message has no position. Members
/// after a wrong one are also read.
#[test]
fn a_wrong_checksum_is_one_of_the_whole() {
    use std::io::Write as _;

    let member = |text: &str, wrong: bool| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        let mut member = encoder.finish().unwrap();
        let checksum = member.len() - 8;
        member[checksum] ^= u8::from(wrong);
        member
    };
    let text = "https://example.com/1\nhttps://example.com/2";
    let xml = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/1</loc></url>\
        <url><loc>https://example.com/2</loc></url></urlset>";
    let told = "the checksum of the compressed document is wrong: any part of it may be damaged (P-GZIP); get a new copy";
    for document in [text, xml] {
        let (first, second) = document.split_at(30);
        for file in [
            member(document, true),
            [member(first, true), member(second, false)].concat(),
            [member(first, false), member(second, true)].concat(),
            [member(document, true), vec![0; 100]].concat(),
        ] {
            let (entries, said) = read(&lenient(), &file);
            let locs: Vec<_> = entries.iter().flatten().map(|(loc, _)| loc.as_str()).collect();
            assert_eq!(locs, ["https://example.com/1", "https://example.com/2"]);
            assert_eq!(said, [format!("error[P-GZIP]: {told}")]);
            let (entries, _) = read(&strict(), &file);
            let error = entries.last().unwrap().as_ref().unwrap_err();
            assert!(error == told || *error == format!("{told}, entry 2"), "{error}");
        }
    }
}

/// Every way of reading names the compression of a file that it cannot decompress.
#[test]
fn other_compressions() {
    for (name, start) in [
        ("zip", &b"PK\x03\x04\x14\0\0\0\x08\0"[..]),
        ("xz", b"\xFD7zXZ\0\0\x04\xE6\xD6"),
        ("zstd", b"\x28\xB5\x2F\xFD\x24\x1F\xF9"),
        ("bzip2", b"BZh91AY&SY\xC0\x11"),
    ] {
        let told = format!(
            "the document is compressed with {name}, and gzip is the only compression of sitemaps (P-GZIP); decompress it, at line 1, \
             column 1 (byte 0)"
        );
        for builder in [strict(), lenient(), ReaderBuilder::new()] {
            assert_eq!(read(&builder, start), (vec![Err(told.clone())], Vec::new()));
        }
        assert_eq!(sniff(start), Format::Unknown);
    }
    // The fourth byte of bzip2 is its block size, from 1 to 9. The mark of a block or of the end follows.
    for digit in 0..=u8::MAX {
        for (mark, is_mark) in [
            (&b"1AY&SY"[..], true),
            (b"\x17\x72\x45\x38\x50\x90", true),
            (b"1AY&S", false),
            (b"0 pages", false),
            (b"", false),
        ] {
            let start = [&[b'B', b'Z', b'h', digit], mark].concat();
            let (entries, _) = read(&lenient(), &start);
            let is_told = entries
                .iter()
                .any(|entry| matches!(entry, Err(error) if error.contains("bzip2")));
            assert_eq!(is_told, is_mark && (b'1'..=b'9').contains(&digit), "{start:?}");
        }
    }
    let document = b"BZh: a warning\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc></url></urlset>";
    let (entries, _) = read(&lenient(), document);
    let locs: Vec<_> = entries.iter().flatten().map(|(loc, _)| loc.as_str()).collect();
    assert_eq!(locs, ["https://example.com/"]);
}

/// A table is refused, not read as URLs with trailing text. A text with URLs that have commas is read.
#[test]
fn tables_are_no_text() {
    let (a, b) = ("https://example.com/a", "https://example.com/b");
    for (document, told) in [
        (
            format!("{a},\"2026-05-01\"\n{b},\n"),
            "each line has 1 value behind its URL, separated by `,`",
        ),
        (
            format!("{a};2026-05-01 10:00;daily;0,5\r\n{b};2026-05-02 11:00;daily;0,5\r\n"),
            "each line has 3 values behind its URL, separated by `;`",
        ),
        (
            format!("url;lastmod;changefreq;priority\r\n{a};2026-05-01;daily;0,5\r\n{b};;;\r\n"),
            "each line has 3 values behind its URL, separated by `;`",
        ),
        (
            format!("page,date\n{a},2026-05-01\n"),
            "each line has 1 value behind its URL, separated by `,`",
        ),
    ] {
        assert_eq!(sniff(document.as_bytes()), Format::Csv);
        let told = format!(
            "this is CSV, and no text sitemap: {told} (P-TXT1); read its rows with a reader of CSV, at line 1, column 1 (byte 0)"
        );
        let utf16: Vec<u8> = format!("\u{FEFF}{document}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for builder in [strict(), lenient()] {
            for bytes in [document.as_bytes(), &utf16] {
                assert_eq!(
                    read(&builder, bytes),
                    (vec![Err(told.clone())], Vec::new()),
                    "{document}"
                );
            }
        }
    }
    same(
        "https://example.com/@52.5,13.4\nhttps://example.com/0,1518,123,00.html\nhttps://example.com/a;b,c\n",
        Format::Text,
        &[
            ("https://example.com/@52.5,13.4", None),
            ("https://example.com/0,1518,123,00.html", None),
            ("https://example.com/a;b,c", None),
        ],
    );
    // Lines that are all URLs are URLs, whatever their endings.
    for separator in [',', ';'] {
        for value in [
            "0.5",
            "2026-05-01",
            "daily",
            "2026-05-01T10:00:00Z",
            "https://example.com/",
            "x",
            "1",
            "",
        ] {
            for count in 1..3 {
                let cells = format!("{separator}{value}").repeat(count);
                let document = format!("{a}{cells}\n{b}{cells}\n");
                same(
                    &document,
                    Format::Text,
                    &[(&format!("{a}{cells}"), None), (&format!("{b}{cells}"), None)],
                );
            }
        }
    }
    // An empty cell proves nothing, because a URL may end with the separator.
    same(
        "https://example.com/a,\nhttps://example.com/b,\n",
        Format::Text,
        &[("https://example.com/a,", None), ("https://example.com/b,", None)],
    );
}

/// Bytes that are invalid in the declared encoding are dropped, and nothing else is.
#[test]
fn other_encodings_that_are_damaged() {
    let document = b"<?xml version='1.0' encoding='Shift_JIS'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>\
        <loc>https://example.com/\x83\x54</loc></url>\
        <url><loc>https://example.com/\xFF\x83</loc></url></urlset>";
    let (entries, told) = read(&lenient(), document);
    let locs: Vec<_> = entries
        .iter()
        .map(|entry| entry.as_ref().unwrap().0.as_str())
        .collect();
    assert_eq!(
        locs,
        ["https://example.com/サ", "https://example.com/\u{FFFD}\u{FFFD}"]
    );
    assert_eq!(
        told,
        [
            "error[P-UTF8]: bytes that are invalid in Shift_JIS from here on: they are read as U+FFFD (P-UTF8); convert the file to UTF-8, or \
             correct its declaration, at line 1, column 176 (byte 177)"
        ]
    );
}
