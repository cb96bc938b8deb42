//! Writing for search engines: the strictest limit counts, and its error names the engine.

use sitemap_serde::engine::Engine;
use sitemap_serde::lint::Linter;
use sitemap_serde::{ErrorKind, Image, Limits, Rule, UrlEntry, WriterBuilder};

const BASE: &str = "https://example.com";

/// A path whose loc has this number of bytes.
fn path(bytes: usize) -> String {
    format!("/{}", "a".repeat(bytes - BASE.len() - 1))
}

/// An entry slightly larger than this number of bytes.
fn large(bytes: usize) -> UrlEntry {
    let mut entry = UrlEntry::new("https://example.com/");
    let mut image = Image::new("https://example.com/1.jpg");
    image.caption = Some("x".repeat(bytes));
    entry.images.push(image);
    entry
}

/// A value at an engine's limit is written, and one byte more is refused. The lint agrees.
#[test]
fn the_limits_of_each_engine_and_of_all() {
    let sets: Vec<Vec<Engine>> = Engine::ALL.iter().map(|engine| vec![*engine]).collect();
    for engines in sets.into_iter().chain([vec![], Engine::ALL.to_vec()]) {
        let most = engines.iter().filter_map(|engine| engine.most_loc_bytes()).min();
        let mut builder = WriterBuilder::new();
        builder.base(BASE);
        for engine in &engines {
            builder.engine(*engine);
        }
        assert_eq!(builder.engines(), engines);
        for bytes in [255, 256, 257, 2048] {
            let mut writer = builder.from_writer(Vec::new());
            let mut text = builder.text_from_writer(Vec::new());
            let (in_xml, in_text) = (
                writer.write(&UrlEntry::new(path(bytes))),
                text.write(&UrlEntry::new(path(bytes))),
            );
            let fits = most.is_none_or(|most| bytes <= most);
            assert_eq!(
                (in_xml.is_ok(), in_text.is_ok()),
                (fits, fits),
                "{engines:?}: {bytes}"
            );
            let document = format!("{BASE}{}\n", path(bytes));
            let diagnostics = Linter::new()
                .engines(engines.iter().copied())
                .check(document.as_bytes());
            assert_eq!(diagnostics.iter().all(|found| found.rule() != Rule::Engine), fits);
        }
    }
}

#[test]
fn a_loc_is_as_long_as_it_is_written() {
    let mut builder = WriterBuilder::new();
    builder.base(BASE).engine(Engine::Baidu);
    let mut writer = builder.from_writer(Vec::new());
    // Two bytes of UTF-8 become six characters.
    let wide = |count: usize| UrlEntry::new(format!("/{}", "é".repeat(count)));
    writer.write(&wide(39)).unwrap();
    let error = writer.write(&wide(40)).unwrap_err();
    assert_eq!(
        (error.rule(), error.kind()),
        (Some(Rule::Engine), ErrorKind::Data)
    );
    let url = format!("{BASE}/{}", "%C3%A9".repeat(40));
    assert!(
        error
            .to_string()
            .contains("has 260 bytes: Baidu reads at most 256 (L-ENGINE); give the page a shorter address"),
        "{error}"
    );
    assert_eq!(url.len(), 260);
    // Other URLs of an entry are not locs.
    let mut entry = UrlEntry::new("/");
    entry.images.push(Image::new(path(1000)));
    writer.write(&entry).unwrap();
}

#[test]
fn a_document_ends_where_the_strictest_engine_does() {
    const MOST: u64 = 10_485_760;
    assert_eq!(Engine::Baidu.most_bytes(), Some(MOST));
    let mut builder = WriterBuilder::new();
    builder.engine(Engine::Google).engine(Engine::Baidu);
    // Independent of later settings.
    builder.limits(Limits::writing());
    let mut writer = builder.from_writer(Vec::new());
    let mut written = 0;
    let error = loop {
        match writer.write(&large(999_000)) {
            Ok(entries) => written += entries,
            Err(error) => break error,
        }
    };
    assert_eq!(
        error.to_string(),
        "the document is full: with this entry it would have 10,990,798 bytes, and Baidu reads at most 10,485,760 (L-ENGINE); finish it and \
         write this entry to the next one, entry 11, loc `https://example.com/`"
    );
    assert_eq!(
        (written, error.kind(), error.rule()),
        (10, ErrorKind::Limit, Some(Rule::Engine))
    );
    let xml = writer.finish().unwrap();
    assert!(xml.len() as u64 <= MOST);
    let mut limits = Limits::writing();
    (limits.token_bytes, limits.entry_bytes) = (1 << 30, 1 << 30);
    let error = builder
        .limits(limits)
        .from_writer(Vec::new())
        .write(&large(10_485_760))
        .unwrap_err()
        .to_string();
    assert!(error.contains("alone would have 10,486"), "{error}");
    assert!(
        error.contains("and Baidu reads at most 10,485,760 (L-ENGINE)"),
        "{error}"
    );
    // A lower limit from the settings applies.
    builder.limits(Limits::writing().with_bytes(1000));
    let error = builder
        .from_writer(Vec::new())
        .write(&large(1000))
        .unwrap_err()
        .to_string();
    assert!(error.contains("and 1,000 are allowed (P-SIZE)"), "{error}");
}

#[test]
fn a_text_ends_where_the_strictest_engine_does() {
    let mut builder = WriterBuilder::new();
    builder.base(BASE).engine(Engine::Baidu);
    let mut text = builder.text_from_writer(Vec::new());
    let entry = UrlEntry::new(path(255));
    for _ in 0..40_960 {
        text.write(&entry).unwrap();
    }
    assert_eq!(text.summary().bytes, 10_485_760);
    let error = text.write(&entry).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "the document is full: with this entry it would have 10,486,016 bytes, and Baidu reads at most 10,485,760 (L-ENGINE); finish it and \
             write this entry to the next one, entry 40961, loc `{BASE}{}`",
            path(255)
        )
    );
}
