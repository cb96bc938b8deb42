//! Lenient reading keeps the same of an entry, and reports the same, whichever way it is read.

use sitemap_serde::source::SliceSource;
use sitemap_serde::{Diagnostic, Mode, Reader, ReaderBuilder, Record, UrlEntry};
use sitemap_tests::{Random, rounds};

use crate::extensions::changed::{Change, Element, FULL, apply, changes, document, tree};

/// Mixed content, references, repeated, misplaced and invalid elements, and elements in scopes of their own.
const PIECES: [&str; 18] = [
    "stray",
    "a &amp; b",
    "<!-- x -->",
    "<![CDATA[ x ]]>",
    "&#65;",
    "<?p?>",
    "<other:y>z</other:y>",
    "<image:title>t</image:title>",
    "<video:live>maybe</video:live>",
    "<lastmod>2024-02-30</lastmod>",
    "<i:image xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1\"><i:loc>https://e.com/&#x61;</i:loc></i:image>",
    "<lastmod/>",
    "<priority> 0.5 </priority>",
    "<image:image xmlns:image=\"urn:x\"><image:loc>x</image:loc></image:image>",
    "\u{a0}",
    "&#160;",
    "<news:title></news:title>",
    "<news:news xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\"/>",
];

/// Declarations that change the meaning of the names around them.
const DECLARATIONS: [&str; 4] = [
    " xmlns:image=\"urn:y\"",
    " xmlns:video=\"urn:z\"",
    " xmlns=\"urn:q\"",
    " xmlns:q='urn:q' q:a='1'",
];

/// An entry with some of all elements, and up to six changes and three pieces in it.
fn damaged(entry: &Element, changes: &[(Vec<usize>, Change)], random: &mut Random) -> String {
    let mut entry = entry.clone();
    for _ in 0..=random.below(6) {
        let (path, change) = &changes[random.below(changes.len())];
        apply(&mut entry, path, change);
    }
    let kept = 2 + random.below(6);
    entry
        .children
        .retain(|child| child.name == "loc" || random.below(8) < kept);
    let mut document = document(&entry);
    let start = document.find("<url>").unwrap();
    for _ in 0..random.below(4) {
        let tags: Vec<usize> = document[start..document.len() - 20]
            .match_indices('>')
            .map(|(end, _)| start + end + 1)
            .collect();
        document.insert_str(tags[random.below(tags.len())], PIECES[random.below(PIECES.len())]);
    }
    if random.below(4) == 0 {
        let names: Vec<usize> = document[start..]
            .match_indices('<')
            .filter_map(|(tag, _)| {
                let name = &document[start + tag + 1..];
                let len = name.find([' ', '>', '/'])?;
                (!name.starts_with(['/', '!', '?'])).then_some(start + tag + 1 + len)
            })
            .collect();
        let declaration = DECLARATIONS[random.below(DECLARATIONS.len())];
        document.insert_str(names[random.below(names.len())], declaration);
    }
    if random.below(4) == 0 {
        document = document.replace('\n', "\r\n");
    }
    document
}

/// The entries of a document and its diagnostics; an error is its message.
type Told = (Vec<Result<UrlEntry, String>>, Vec<Diagnostic>);

fn told(
    mut reader: Reader<SliceSource<'_>>,
    read: impl FnOnce(&mut Reader<SliceSource<'_>>) -> Vec<sitemap_serde::Result<UrlEntry>>,
) -> Told {
    let entries = read(&mut reader).into_iter();
    let entries = entries.map(|entry| entry.map_err(|error| error.to_string()));
    (entries.collect(), reader.take_diagnostics())
}

#[test]
fn every_way_keeps_and_reports_the_same() {
    let entry = tree(FULL);
    let changes = changes(&entry);
    let mut random = Random::new(0x7761_7973);
    let mut reported = 0;
    for _ in 0..rounds(400) {
        let document = damaged(&entry, &changes, &mut random);
        let mode = [Mode::Lenient, Mode::Correcting][random.below(2)];
        let mut builder = ReaderBuilder::new();
        builder.mode(mode);
        if random.below(2) == 0 {
            builder.location("https://example.com/sitemap.xml");
        }
        let entries = told(builder.from_str(&document), |reader| reader.entries().collect());
        reported += entries.1.len();
        let serde = told(builder.from_str(&document), |reader| {
            reader.deserialize().collect()
        });
        assert_eq!(serde, entries, "serde, {mode:?}\n{document}");
        let read = told(builder.from_str(&document), |reader| reader.read().collect());
        assert_eq!(read, entries, "`read`, {mode:?}\n{document}");
        let records = told(builder.from_str(&document), |reader| {
            let (mut record, mut entries) = (Record::new(), Vec::new());
            while let Ok(true) = reader.read_record(&mut record) {
                entries.push(reader.diagnose(&record));
            }
            entries
        });
        assert_eq!(records, entries, "records, {mode:?}\n{document}");
        let mut diagnosed = Vec::new();
        let (with_diagnostics, others) = told(builder.from_str(&document), |reader| {
            let entries = reader.entries().with_diagnostics().map(|entry| {
                let (entry, diagnostics) = entry?;
                diagnosed.extend(diagnostics);
                Ok(entry)
            });
            entries.collect()
        });
        assert_eq!(
            with_diagnostics, entries.0,
            "with diagnostics, {mode:?}\n{document}"
        );
        // In document order within an entry.
        diagnosed.extend(others);
        let in_order = |mut told: Vec<Diagnostic>| {
            told.sort_by_key(ToString::to_string);
            told
        };
        assert_eq!(in_order(diagnosed), in_order(entries.1), "{mode:?}\n{document}");
    }
    assert!(reported > 0);
}

/// Invisible characters at the ends of a value, which are no white space of XML, cost no value: each is reported, and the rest is kept.
#[test]
fn invisible_characters_cost_no_value() {
    let (head, _) = FULL.split_once("\n<url>").unwrap();
    let page = |before: &str, after: &str| {
        format!(
            "{head}<url><loc>https://example.com/</loc><lastmod>{before}2026-05-01{after}</lastmod>\
             <changefreq>{before}daily{after}</changefreq><priority>{before}0.5{after}</priority>\
             <image:image><image:loc>{before}https://example.com/1.png{after}</image:loc></image:image></url></urlset>"
        )
    };
    let plain: Vec<UrlEntry> = sitemap_serde::from_str(&page("", "")).unwrap();
    for invisible in ["\u{A0}", "\u{200B}", "\u{FEFF}", "\u{2060}", "\u{AD}\u{200E}"] {
        for (before, after) in [(invisible, ""), ("", invisible), (invisible, invisible)] {
            let document = page(before, after);
            let (entries, told) = told(
                ReaderBuilder::new().mode(Mode::Lenient).from_str(&document),
                |reader| reader.deserialize().collect(),
            );
            let entries: Vec<_> = entries.into_iter().collect::<Result<_, _>>().unwrap();
            assert_eq!(entries, plain, "{document:?}");
            assert_eq!(told.len(), 4, "{document:?}: {told:?}");
            assert!(told.iter().all(|diagnostic| !diagnostic.is_loss()), "{told:?}");
        }
    }
}
