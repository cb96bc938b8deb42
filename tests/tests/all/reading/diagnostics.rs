//! Entries that are read with their invalid values.

use sitemap_serde::{Diagnostic, Reader, Rule, UrlEntry, lint::Severity};
use sitemap_tests::{corpus_sample, files, index, of_sample, urlset, with_every_reader};

const LOC: &str = "<loc>https://example.com/</loc>";

/// Its rule, severity, the text of the value, and its words.
type Told = (Rule, Severity, Option<String>, String);

type Outcome = Result<(UrlEntry, Vec<Diagnostic>), String>;

fn outcomes(document: &[u8]) -> Vec<Outcome> {
    with_every_reader!(document, reader => reader
        .entries().with_diagnostics()
        .map(|outcome| outcome.map_err(|error| error.to_string()))
        .collect::<Vec<Outcome>>())
}

/// The entry of a document, and for each diagnostic its rule, severity, text of the value and whole words.
fn told(entry: &str) -> (UrlEntry, Vec<Told>) {
    let document = urlset(&format!(
        "<url xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
         xmlns:mobile=\"http://www.google.com/schemas/sitemap-mobile/1.0\">{entry}</url>"
    ));
    let mut outcomes = outcomes(document.as_bytes());
    assert_eq!(outcomes.len(), 1);
    let (entry, diagnostics) = outcomes.remove(0).unwrap();
    let told = |diagnostic: &Diagnostic| {
        assert_eq!(diagnostic.entry(), Some(1));
        let words = diagnostic.to_string();
        let place = diagnostic.position().unwrap();
        let words = words.replace(&format!(", at {place}"), "");
        (
            diagnostic.rule(),
            diagnostic.severity(),
            diagnostic.found().map(str::to_owned),
            words,
        )
    };
    (entry, diagnostics.iter().map(told).collect())
}

#[track_caller]
fn assert_told(inner: &str, expected: &[(Rule, Severity, Option<&str>, &str)]) -> UrlEntry {
    let (entry, told) = told(inner);
    let told: Vec<_> = told
        .iter()
        .map(|(rule, severity, found, words)| (*rule, *severity, found.as_deref(), words.as_str()))
        .collect();
    assert_eq!(told, expected, "{inner}");
    entry
}

#[test]
fn an_invalid_value_is_left_out() {
    let entry = assert_told(
        &format!("{LOC}<lastmod>2024-02-30</lastmod><changefreq>Dayly</changefreq><priority>1.5</priority>"),
        &[
            (
                Rule::Lastmod,
                Severity::Warning,
                Some("2024-02-30"),
                "warning[P-LASTMOD]: `2024-02-30` is not a W3C Datetime: February 2024 has 29 days (P-LASTMOD); write a \
                 day from 01 to 29, entry 1 · lastmod",
            ),
            (
                Rule::Freq,
                Severity::Warning,
                Some("Dayly"),
                "warning[P-FREQ]: `Dayly` is not a changefreq: a changefreq is one of always, hourly, daily, weekly, monthly, yearly and \
                 never (P-FREQ); did you mean `daily`?, entry 1 · changefreq",
            ),
            (
                Rule::Prio,
                Severity::Warning,
                Some("1.5"),
                "warning[P-PRIO]: `1.5` is not a priority: a priority is a decimal from 0.0 to 1.0 (P-PRIO); write a value in that \
                 range, or leave the field out, entry 1 · priority",
            ),
        ],
    );
    assert_eq!(entry, UrlEntry::new("https://example.com/"));
}

#[test]
fn a_loc_stays_as_it_stands() {
    let entry = assert_told(
        "<loc>/a b</loc><priority>0.5</priority>",
        &[(
            Rule::Loc,
            Severity::Error,
            Some("/a b"),
            "error[P-LOC]: `/a b` is not an absolute URL: a loc begins with its scheme and host, such as \
             `https://example.com/` (P-LOC); write the absolute URL, or read it into a `String` and resolve it, entry 1 · loc",
        )],
    );
    assert_eq!(entry.loc, "/a b");
    assert!(entry.priority.is_some());
}

#[test]
fn the_first_value_that_parses_counts() {
    let entry = assert_told(
        &format!("<lastmod>x</lastmod>{LOC}<lastmod>2024</lastmod><lastmod/><lastmod>2025</lastmod>"),
        &[
            (
                Rule::Lastmod,
                Severity::Warning,
                Some("x"),
                "warning[P-LASTMOD]: `x` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or \
                 `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave \
                 the field out, entry 1 · lastmod",
            ),
            (
                Rule::Dup,
                Severity::Warning,
                Some("2025"),
                "warning[P-DUP]: a second `lastmod`: an entry has at most one; remove one, entry 1 · lastmod",
            ),
        ],
    );
    assert_eq!(entry.lastmod.unwrap().to_string(), "2024");
}

#[test]
fn an_invalid_extension_is_left_out() {
    let entry = assert_told(
        &format!(
            "{LOC}<image:image><image:loc>https://example.com/1.jpg</image:loc></image:image>\
             <image:image><image:caption>x</image:caption></image:image>\
             <image:image><image:loc>https://example.com/3.jpg</image:loc></image:image>\
             <news:news><news:title>x</news:title></news:news><mobile:mobile/><mobile:mobile/>"
        ),
        &[
            (
                Rule::Img2,
                Severity::Warning,
                None,
                "warning[P-IMG2]: no `image:loc`: every `image:image` has one (P-IMG2); add it, or leave the `image:image` \
                 out, entry 1 · image:image[1] · image:loc",
            ),
            (
                Rule::News1,
                Severity::Warning,
                None,
                "warning[P-NEWS1]: no `news:publication`: every `news:news` has one (P-NEWS1); add it, or leave the \
                 `news:news` out, entry 1 · news:news · news:publication",
            ),
            (
                Rule::Dup,
                Severity::Warning,
                None,
                "warning[P-DUP]: a second `mobile:mobile`: an entry has at most one; remove one, entry 1 · mobile:mobile",
            ),
        ],
    );
    let images: Vec<&str> = entry.images.iter().map(|image| image.loc.as_str()).collect();
    assert_eq!(images, ["https://example.com/1.jpg", "https://example.com/3.jpg"]);
    assert!(entry.news.is_none() && entry.mobile);
}

#[test]
fn lost_elements_are_reported() {
    let entry = assert_told(
        &format!("{LOC}<LastMod>2024</LastMod>"),
        &[(
            Rule::Ns,
            Severity::Warning,
            None,
            "warning[P-NS]: `LastMod` is not an element of a `url`: names are case-sensitive (P-NS); did you mean `lastmod`?, entry 1",
        )],
    );
    assert_eq!(entry, UrlEntry::new("https://example.com/"));
}

#[test]
fn without_a_loc_there_is_no_entry() {
    for entry in [
        "<priority>1</priority>".to_owned(),
        format!("{LOC}{LOC}"),
        "<loc>https://example.com/<b/></loc>".to_owned(),
    ] {
        let document = urlset(&format!("<url>{entry}</url><url>{LOC}</url>"));
        let outcomes = outcomes(document.as_bytes());
        assert!(matches!(&outcomes[..], [Err(_), Ok(_)]), "{outcomes:?}");
    }
    assert!(matches!(&outcomes(index("").as_bytes())[..], [Err(_)]));
}

/// Valid entries are unchanged and have no diagnostics, and everything else stays where possible.
#[test]
fn published_sitemaps() {
    let Some(folder) = files("diagnostics") else {
        return;
    };
    let (mut right, mut kept, mut lost) = (0, 0, 0);
    for (name, bytes) in corpus_sample(&folder) {
        let strict: Vec<_> = Reader::from_slice(&bytes).entries().collect();
        let told: Vec<_> = Reader::from_slice(&bytes).entries().with_diagnostics().collect();
        assert_eq!(strict.len(), told.len(), "{name}");
        for (strict, told) in strict.into_iter().zip(told) {
            match (strict, told) {
                (Ok(entry), Ok((same, diagnostics))) => {
                    assert!(entry == same && diagnostics.is_empty(), "{name}: {diagnostics:?}");
                    right += 1;
                }
                (Err(error), Ok((entry, diagnostics))) => {
                    let told = diagnostics
                        .iter()
                        .any(|diagnostic| Some(diagnostic.rule()) == error.rule());
                    assert!(!entry.loc.is_empty() && told, "{name}: {error}: {diagnostics:?}");
                    kept += 1;
                }
                (Err(error), Err(same)) => {
                    assert_eq!(error.to_string(), same.to_string(), "{name}");
                    lost += 1;
                }
                (Ok(_), Err(error)) => panic!("{name}: {error}"),
            }
        }
    }
    println!("{right} entries are right, {kept} more are kept, {lost} errors are left");
    assert!(right > of_sample(10_000) && kept > of_sample(60));
}
