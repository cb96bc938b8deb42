//! The scanner against xml-rs: of every document without a DOCTYPE both give the same events, or both an error.
//!
//! And against itself: a document gives the same events, places and errors in whatever pieces it is read.

use sitemap_serde::__internals::{of_reader, of_slice};
use sitemap_serde::Limits;
use sitemap_tests::xml_events::{joined, of_xml_rs};
use sitemap_tests::{Chunks, Random, files, rounds};

/// Documents to mutate, small so that a mutation hits something.
const SEEDS: [&str; 8] = [
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n  \
     <url><loc>http://www.example.com/?a=1&amp;b=2</loc><priority>0.8</priority></url>\n</urlset>\n",
    "<a xmlns:x='urn:x' xmlns='urn:d'><x:b y='1' x:y=\"&lt;&#65;&#x42;\t\n\" xml:lang='en'/><!-- c --><?p q?>t</a>",
    "<a><![CDATA[x & <y> ]] ]]>z<![CDATA[]]></a><!-- after --><?pi?> \n",
    "<r>\r\n\r a\rb\n</r>",
    "\u{FEFF}<r><é:é xmlns:é='urn:\u{E9}' é:ü='ö'>\u{1F980}\u{FFFD}</é:é></r>",
    "<a><b xmlns='urn:1'><c xmlns=''/><d/></b><e xmlns:p='urn:p' xmlns:q='urn:p' p:x='' y=''/></a>",
    "<a b=\"'\" c='\"'>]] > &gt; &quot;&apos;</a\n>",
    "<?xml version='1.0' standalone=\"yes\" ?><!--a--><root/><?x y ?>",
];

/// Fragments to insert, in addition to bytes.
const TOKENS: [&str; 39] = [
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "-->",
    "--",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "&",
    "&amp;",
    "&#0;",
    "&#65;",
    "&x;",
    "\"",
    "'",
    "=",
    " ",
    "\r",
    "\n",
    "\t",
    ":",
    "xmlns",
    "xmlns:x='urn:x'",
    "xmlns=''",
    "xml:lang='de'",
    "<a>",
    "</a>",
    "<?xml version='1.0'?>",
    "\u{0}",
    "\u{FFFE}",
    "\u{E9}",
    "x:",
    "a='b'",
    "<xmlns:a/>",
    "<name>",
    "</name>",
];

/// Expected differences: a part of the refusing parser's message, and the reason.
const DIFFERENCES: [(&str, &str); 10] = [
    (
        "the document is XML 1.1",
        "the scanner refuses XML 1.1, which xml-rs reads",
    ),
    (
        "(Namespaces in XML section 7)",
        "xml-rs lets a processing instruction's target have a colon",
    ),
    (
        "and a `<` comes before the",
        "xml-rs takes `</` in the value of an attribute (XML 1.0 section 3.1: no `<`)",
    ),
    (
        "is not a qualified name",
        "xml-rs takes local names that are no names, such as `x:9` (Namespaces in XML section 4)",
    ),
    (
        "twice on one element (XML 1.0 section 3.1)",
        "xml-rs takes two declarations of one prefix on an element",
    ),
    (
        "an unknown encoding",
        "xml-rs passes over labels that it does not know",
    ),
    (
        "Namespace 'xmlns' cannot be default",
        "xml-rs refuses the namespace `xmlns`; reserved is `http://www.w3.org/2000/xmlns/` (Namespaces in XML section 3)",
    ),
    (
        "'xml' cannot be an element name prefix",
        "xml-rs refuses elements in the namespace of `xml:`, which is only discouraged (Namespaces in XML section 3)",
    ),
    (
        "a malformed XML declaration",
        "xml-rs passes over prefixes in the XML declaration (XML 1.0 section 2.8 has none)",
    ),
    (
        "in the XML declaration",
        "xml-rs passes over what it does not know in the XML declaration, and takes its parts in any order (section 2.8)",
    ),
];

fn compare(document: &[u8]) -> Result<bool, String> {
    if memchr::memmem::find(document, b"<!DOCTYPE").is_some() {
        return Ok(false);
    }
    let (events, ours) = of_slice(document, Limits::reading());
    let ours = ours.map_err(|error| error.to_string());
    let (their_events, theirs) = of_xml_rs(document);
    let events = joined(events.into_iter().map(|(event, _)| event));
    let agreed = match (&ours, &theirs) {
        (Ok(()), Ok(())) => events == their_events,
        (Err(_), Err(_)) => true,
        _ => false,
    };
    let known = |error: &String| DIFFERENCES.iter().any(|(part, _)| error.contains(part));
    if agreed || ours.as_ref().is_err_and(known) || theirs.as_ref().is_err_and(known) {
        return Ok(agreed);
    }
    Err(format!(
        "{:?}\n  ours:   {ours:?} {events:?}\n  xml-rs: {theirs:?} {their_events:?}",
        String::from_utf8_lossy(document)
    ))
}

fn mutate(random: &mut Random, document: &mut Vec<u8>) {
    for _ in 0..=random.below(3) {
        let at = random.below(document.len() + 1);
        match random.below(6) {
            0 if at < document.len() => document[at] ^= 1 << random.below(8),
            1 if at < document.len() => {
                let end = (at + 1 + random.below(8)).min(document.len());
                document.drain(at..end);
            }
            2 => {
                let end = (at + 1 + random.below(24)).min(document.len());
                let copy = document[at..end].to_vec();
                let to = random.below(document.len() + 1);
                document.splice(to..to, copy);
            }
            3 => {
                let end = (at + random.below(5)).min(document.len());
                document.splice(at..end, TOKENS[random.below(TOKENS.len())].bytes());
            }
            _ => {
                document.splice(at..at, TOKENS[random.below(TOKENS.len())].bytes());
            }
        }
    }
}

#[test]
fn mutated_documents() {
    let mut random = Random::new(2026);
    let (mut agreed, mut wrong) = (0, Vec::new());
    for _ in 0..20_000 {
        let mut document = SEEDS[random.below(SEEDS.len())].as_bytes().to_vec();
        mutate(&mut random, &mut document);
        match compare(&document) {
            Ok(same) => agreed += u32::from(same),
            Err(difference) => wrong.push(difference),
        }
    }
    println!("{agreed} of 20000 mutated documents decided alike");
    wrong.sort_by_key(String::len);
    // One of a kind is enough.
    let mut kinds = std::collections::BTreeSet::new();
    let found = wrong.len();
    wrong.retain(|difference| {
        let said = difference.split("ours:").nth(1).unwrap_or_default();
        kinds.insert(
            said.chars()
                .filter(|c| c.is_alphabetic())
                .take(40)
                .collect::<String>(),
        )
    });
    let shown = wrong
        .iter()
        .take(12)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("\n");
    assert!(wrong.is_empty(), "{found} decided differently, such as\n{shown}");
}

#[test]
fn mutated_documents_in_pieces() {
    let mut random = Random::new(1998);
    for _ in 0..rounds(2_500) {
        let mut document = SEEDS[random.below(SEEDS.len())].as_bytes().to_vec();
        mutate(&mut random, &mut document);
        in_pieces(&mut random, &document);
    }
}

fn in_pieces(random: &mut Random, document: &[u8]) {
    // Mostly small limits, so that documents reach them, also exactly.
    let mut limits = Limits::reading();
    (limits.token_bytes, limits.name_bytes) = (90, 12);
    (limits.depth, limits.attributes) = (4, 3);
    match random.below(8) {
        0..4 => limits.token_bytes = 1 + random.below(24),
        4 => limits.depth = 1 + random.below(3),
        5 => {
            limits.attributes = random.below(4);
            limits.namespaces = random.below(3);
        }
        6 => limits.name_bytes = 1 + random.below(8),
        _ => limits.bytes = random.below(document.len() + 2) as u64,
    }
    let (events, result) = of_slice(document, limits.clone());
    let expected = (events, result.map_err(|error| error.to_string()));
    for size in [1, 2 + random.below(20), document.len().max(1)] {
        let (events, result) = of_reader(Chunks::new(document, size), limits.clone());
        let found = (events, result.map_err(|error| error.to_string()));
        assert_eq!(
            found,
            expected,
            "{:?} in pieces of {size}",
            String::from_utf8_lossy(document)
        );
    }
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn the_corpus() {
    let Some(folder) = files("xml_differential") else {
        return;
    };
    let mut random = Random::new(9);
    let (mut compared, mut wrong) = (0, Vec::new());
    for (path, document) in sitemap_tests::corpus_sample(&folder) {
        in_pieces(&mut random, &document[..document.len().min(3000)]);
        match compare(&document) {
            Ok(_) => compared += 1,
            Err(difference) => wrong.push(format!(
                "{path}: {}",
                &difference[difference.len().saturating_sub(300)..]
            )),
        }
    }
    println!("{compared} files of the corpus decided alike");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > sitemap_tests::of_sample(200));
}
