//! Lines of text sitemaps with more than a URL: the values read from them, without invented ones.

use sitemap_serde::format::{Format, sniff};
use sitemap_serde::{Mode, ReaderBuilder, UrlEntry};
use sitemap_tests::{Random, Trickle, drain, rounds, urlset};

/// The entries as `loc lastmod changefreq priority`, and the diagnostics.
fn lenient(document: &str, location: Option<&str>) -> (Vec<String>, Vec<String>) {
    let mut builder = ReaderBuilder::new();
    builder.mode(Mode::Lenient);
    if let Some(location) = location {
        builder.location(location);
    }
    let mut reader = builder.from_slice(document.as_bytes());
    let read: Vec<_> = reader.entries().map(|entry| columns(&entry.unwrap())).collect();
    let told: Vec<_> = reader.diagnostics().iter().map(ToString::to_string).collect();
    let mut stream = builder.from_reader(Trickle::new(document.as_bytes()));
    let again: Vec<_> = stream.entries().map(|entry| columns(&entry.unwrap())).collect();
    assert_eq!(read, again, "{document}");
    let again: Vec<_> = stream.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(told, again, "{document}");
    (read, told)
}

fn columns(entry: &UrlEntry) -> String {
    let mut text = entry.loc.clone();
    let values = [
        entry.lastmod.map(|date| date.to_string()),
        entry.changefreq.map(|freq| freq.to_string()),
        entry.priority.map(|priority| priority.to_string()),
    ];
    for value in values.into_iter().flatten() {
        text.push(' ');
        text.push_str(&value);
    }
    text
}

fn strict(document: &str) -> Vec<Result<String, String>> {
    let mut builder = ReaderBuilder::new();
    let mut reader = builder.other_formats(true).from_str(document);
    drain(reader.entries())
        .into_iter()
        .map(|entry| entry.map(|entry| entry.loc).map_err(|problem| problem.message))
        .collect()
}

const ONLY: &str = "a text sitemap has one absolute URL per line, and nothing else (P-TXT1)";
const REST: &str = "remove what follows the URL, and write a space in a URL as `%20`";
/// Lines after the tested line, so that the document is text and not a table with missing cells.
const URLS: &str = "https://e.com/y\nhttps://e.com/z\n";
const PLACEHOLDER: &str = "fill in the placeholder, or remove the line";

#[test]
fn lines_of_several_words() {
    for (line, advice, read) in [
        (
            "http://e.com/   2005-01-01  monthly  0.8",
            REST,
            Some("http://e.com/ 2005-01-01 monthly 0.8"),
        ),
        (
            "http://e.com/ 0.8 2005-01-01T10:00:00Z",
            REST,
            Some("http://e.com/ 2005-01-01T10:00:00Z 0.8"),
        ),
        ("http://e.com/ 1.0", REST, Some("http://e.com/ 1.0")),
        ("http://e.com/\u{A0}never", REST, Some("http://e.com/ never")),
        ("https://e.com/a, https://e.com/b", REST, None),
        ("https://e.com/a https://e.com/b", REST, None),
        ("https://e.com/a b", REST, None),
        ("https://e.com/a 2005-01-01 10:00:00", REST, None),
        ("https://e.com/a monthly or so", REST, None),
        ("https://e.com/{{ slug }}", PLACEHOLDER, None),
        ("https://e.com/{{slug}}", PLACEHOLDER, None),
        ("https://e.com/{{slug}} 2005-01-01", PLACEHOLDER, None),
        ("{{ site.url }}", PLACEHOLDER, None),
        ("{{site.url}}/about.html", PLACEHOLDER, None),
        ("/{{page}}.html", PLACEHOLDER, None),
    ] {
        let document = format!("https://e.com/first\n{line}\n{URLS}");
        assert_eq!(sniff(document.as_bytes()), Format::Text);
        let message = format!(
            "the line `{}` is not a URL: {ONLY}; {advice}, at line 2, column 1 (byte 20), entry 2",
            line.replace('\u{A0}', "\\u{a0}")
        );
        let outcomes = strict(&document);
        assert_eq!(
            outcomes[..2],
            [Ok("https://e.com/first".to_owned()), Err(message.clone())]
        );
        assert!(outcomes[2..].iter().all(Result::is_ok));
        for location in [None, Some("https://e.com/sitemap.txt")] {
            let (found, told) = lenient(&document, location);
            assert_eq!(found[0], "https://e.com/first");
            let [_, of_line @ .., _, _] = &found[..] else {
                panic!("{line}: {found:?}")
            };
            assert_eq!(of_line.first().map(String::as_str), read, "{line}");
            assert_eq!(told, [format!("error[P-TXT1]: {message}")]);
        }
    }
    // Its first line already makes it text.
    assert_eq!(sniff(b"http://e.com/   2005-01-01  monthly  0.8"), Format::Text);
    // A tab ends the URL, whatever follows.
    let (found, told) = lenient("https://e.com/a\tThe first page\nhttps://e.com/b\tdaily", None);
    assert_eq!(found, ["https://e.com/a", "https://e.com/b daily"]);
    assert_eq!(told.len(), 2);
    // The first date counts.
    let (found, told) = lenient("https://e.com/a 2005 2006", None);
    assert_eq!(found, ["https://e.com/a 2005"]);
    assert_eq!(
        told[1],
        "error[P-DUP]: a second `lastmod`: a `url` has at most one (P-DUP); remove one of them, at line 1, column 22 (byte 21), entry 1 · lastmod"
    );
}

#[test]
fn characters_that_xml_cannot_hold() {
    for c in ['\u{1}', '\u{7F}', '\u{FFFE}', '\u{FFFF}', '\u{FFFD}', 'é'] {
        let document = format!("https://e.com/a\nhttps://e.com/b{c}c");
        let is_xml = !matches!(c, '\u{1}' | '\u{FFFE}' | '\u{FFFF}');
        let escaped = c.escape_default();
        let message = format!(
            "`https://e.com/b\\{}c` holds U+{:04X}: no XML document and no URL can hold it (P-LOC); remove it, at line 2, column 1 \
             (byte 16), entry 2 · loc",
            &escaped.to_string()[1..],
            u32::from(c)
        );
        let found = strict(&document).remove(1);
        let (read, told) = lenient(&document, None);
        if is_xml {
            assert_eq!(found.is_err(), c.is_control(), "{found:?}");
            assert_eq!(read[1], format!("https://e.com/b{c}c"));
            assert_eq!(told.len(), usize::from(c.is_control()));
        } else {
            assert_eq!(found, Err(message.clone()));
            assert_eq!(read, ["https://e.com/a", "https://e.com/bc"]);
            assert_eq!(told, [format!("error[P-LOC]: {message}")]);
        }
        // As in XML.
        let document = urlset(&format!("<url><loc>https://e.com/b{c}c</loc></url>"));
        let xml: Vec<_> = strict(&document);
        assert_eq!(xml[0].is_ok(), strict(&format!("https://e.com/b{c}c"))[0].is_ok());
        assert_eq!(lenient(&document, None).0, [read[1].clone()]);
    }
}

/// A line whose last segment has only such characters is not the URL of the folder.
#[test]
fn a_line_never_becomes_the_url_of_another_page() {
    for (line, read) in [
        ("https://e.com/\u{7}", None),
        ("https://e.com/a/\u{1}\u{2}", None),
        ("https://e.com/a\u{7}/", Some("https://e.com/a/")),
        ("https://e.com/\u{7}a", Some("https://e.com/a")),
    ] {
        let (found, told) = lenient(&format!("https://e.com/first\n{line}"), None);
        assert_eq!(found.get(1).map(String::as_str), read, "{line:?}");
        assert_eq!(told.len(), 1, "{told:?}");
    }
}

/// An unfilled placeholder is no relative URL, in text or XML.
#[test]
fn placeholders_in_xml_and_feeds() {
    let location = Some("https://e.com/sitemap.xml");
    let document = urlset(
        "<url><loc>{{ site.url }}/a</loc></url><url><loc>https://e.com/{{ b }}</loc></url><url><loc>/c</loc>\
         <xhtml:link xmlns:xhtml='http://www.w3.org/1999/xhtml' rel='alternate' hreflang='de' href='{{ site.url }}/de'/></url>",
    );
    let (found, told) = lenient(&document, location);
    assert_eq!(found, ["https://e.com/{{ b }}", "https://e.com/c"]);
    assert_eq!(
        told,
        [
            "error[P-LOC]: `{{ site.url }}/a` is not an absolute URL: its placeholder was not filled in (P-LOC); fill it in, or remove the \
             entry, at line 1, column 71 (byte 70), entry 1 · loc",
            "error[P-LOC]: `/c` is not an absolute URL: relative to the document's location it is `https://e.com/c` (P-LOC); write the \
             absolute URL, at line 1, column 152 (byte 151), entry 3 · loc",
            "warning[P-ALT2]: `{{ site.url }}/de` is not an absolute URL: write it with its scheme and host (P-ALT2), at line 1, \
             column 251 (byte 250), entry 3 · xhtml:link[0] · @href",
        ]
    );
    let (found, told) = lenient("<rss><item><link>{{ item.url }}</link></item></rss>", location);
    assert_eq!(found, [""; 0]);
    assert_eq!(
        told[0],
        "error[P-LOC]: `{{ item.url }}` is not an absolute URL: its placeholder was not filled in (P-LOC); fill it in, or remove the entry, \
         at line 1, column 18 (byte 17), entry 1 · loc"
    );
}

/// Lines of random words: each is read, or reported, or both, and every value comes from its line.
#[test]
fn nothing_is_invented() {
    const WORDS: [&str; 24] = [
        "https://e.com/a",
        "http://e.com/",
        "https://e.com/b,c",
        "HTTPS://e.com/é",
        "https://e.com/{d}",
        "https://e.com/{{d}}",
        "https://e.com/\u{FFFF}",
        "{{",
        "}}",
        "site.url",
        "{{page.url}}",
        "/e",
        "www.e.com/f",
        ",",
        ";",
        "\"https://e.com/g\"",
        "2005-01-01",
        "2005",
        "2005-01-01T10:00Z",
        "10:00",
        "daily",
        "0.5",
        "1",
        "words",
    ];
    const GAPS: [&str; 6] = [" ", "  ", "\t", "\u{A0}", ",", ", "];
    let mut random = Random::new(0x7478_7431);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..rounds(1500) {
        let mut line = if random.below(2) == 0 {
            WORDS[random.below(4)].to_owned()
        } else {
            WORDS[random.below(WORDS.len())].to_owned()
        };
        for _ in 0..random.below(4) {
            line.push_str(GAPS[random.below(GAPS.len())]);
            line.push_str(WORDS[random.below(WORDS.len())]);
        }
        let document = format!("https://e.com/first\n{line}\n{URLS}");
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_url = |word: &str| {
            ["http://", "https://"]
                .iter()
                .any(|scheme| word.to_lowercase().starts_with(scheme))
        };
        let is_one = words.len() == 1 && is_url(&line) && !line.contains("{{") && !line.contains('\u{FFFF}');
        let outcome = strict(&document).remove(1);
        assert_eq!(outcome.is_ok(), is_one, "{line}: {outcome:?}");

        for location in [None, Some("https://e.com/sitemap.txt")] {
            let (found, told) = lenient(&document, location);
            assert_eq!(told.is_empty(), is_one, "{line}: {told:?}");
            let [_, rest @ .., _, _] = &found[..] else {
                panic!("{document}")
            };
            let Some(entry) = rest.first() else {
                refused += 1;
                continue;
            };
            read += 1;
            assert_eq!(rest.len(), 1, "{line}");
            assert!(!entry.contains("{{") && !entry.contains("%7B"), "{line}: {entry}");
            let (loc, values) = entry.split_once(' ').unwrap_or((entry, ""));
            let first = words[0].replace('\u{FFFF}', "");
            let is_resolved = location.is_some() && words.len() == 1 && loc.ends_with(&first);
            assert!(loc == first || is_resolved, "{line}: {entry}");
            for value in values.split_whitespace() {
                assert!(words[1..].contains(&value), "{line}: {entry}");
            }
            // Several words are a URL and its values, or cells.
            assert!(
                words.len() == 1 || !values.is_empty() || line[words[0].len()..].starts_with('\t'),
                "{line}: {entry}"
            );
        }
    }
    assert!(read > rounds(500) && refused > rounds(1_000), "{read}, {refused}");
}
