//! Every setting of the writer affects the output of a set and a site, or is refused by name.

use http::Request;
use sitemap_serde::engine::Engine;
use sitemap_serde::{
    Alternate, EntryWriter, Kind, Limits, OnInvalid, Precision, Result, SitemapEntry, WriterBuilder,
};
use sitemap_serving_tests::{body, logged};
use sitemap_site::{SiteBuilder, SitemapSet};

const BASE: &str = "https://example.com";

/// A row that shows the effect of the setting with this name.
#[derive(Clone, Copy)]
struct Row(&'static str);

impl SitemapEntry for Row {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        match self.0 {
            "cross_submission" => return entry.loc("https://elsewhere.example/"),
            "engine" => return entry.loc(format!("/{}", "a".repeat(250))),
            _ => entry.loc("/é")?,
        }
        match self.0 {
            "namespace" => entry.element("shop:price", &1),
            "expanded_names" => entry.element("{urn:shop}price", &1),
            "check_alternates" => entry.alternate([Alternate::new("de", "/de")]),
            "lastmod_precision" => entry.lastmod("2026-05-01T10:00:00Z"),
            _ => Ok(()),
        }
    }
}

type Set = fn(&mut WriterBuilder) -> &mut WriterBuilder;

/// The settings that have an effect on entries.
const SETTINGS: [(&str, Set); 10] = [
    ("cross_submission", |writer| writer.cross_submission(true)),
    ("encoding", |writer| writer.encoding("windows-1252")),
    ("lowercase_hex", |writer| writer.lowercase_hex(true)),
    ("pretty", |writer| writer.pretty(true)),
    ("engine", |writer| writer.engine(Engine::Baidu)),
    ("namespace", |writer| writer.namespace("shop", "urn:shop")),
    ("expanded_names", |writer| writer.expanded_names(true)),
    ("declare", |writer| writer.declare("image")),
    ("check_alternates", |writer| writer.check_alternates(true)),
    ("lastmod_precision", |writer| {
        writer.lastmod_precision(Precision::Day)
    }),
];

/// The settings of the document, which belong to the set and the site, with their advice.
const OWN: [(&str, Set, &str, &str); 7] = [
    (
        "base",
        |writer| writer.base("https://elsewhere.example"),
        "pass the base to `SitemapSet::directory`, `in_place` or `storage`",
        "pass the base to `SiteBuilder::new`",
    ),
    (
        "kind",
        |writer| writer.kind(Kind::UrlSet),
        "leave it out",
        "leave it out",
    ),
    (
        "limits",
        |writer| writer.limits(Limits::writing()),
        "set them by `SetBuilder::max_entries` and `max_bytes`",
        "set the size of parts by `SiteBuilder::part_rows`",
    ),
    (
        "location",
        |writer| writer.location("/sitemap.xml"),
        "set the URL of the files by `SetBuilder::files_url`",
        "leave it out",
    ),
    (
        "on_invalid",
        |writer| writer.on_invalid(OnInvalid::Fail),
        "set it by `SetBuilder::on_invalid`",
        "set it by `SiteBuilder::on_invalid`",
    ),
    (
        "on_problem",
        |writer| writer.on_problem(|_| ()),
        "set it by `SetBuilder::on_problem`",
        "set it by `SiteBuilder::on_problem`",
    ),
    (
        "stylesheet",
        |writer| writer.stylesheet("/own.css"),
        "use the crate's own by `SetBuilder::default_stylesheet`",
        "use the crate's own by `SiteBuilder::html`",
    ),
];

/// A set's output with a setting: the file, or the error of a row.
fn published(row: Row, set: Set) -> std::result::Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let set = SitemapSet::directory(folder.path(), BASE).writer(set).open();
    let set = set.map_err(|error| error.to_string())?;
    let mut writer = set.task_writer("pages", "all").unwrap();
    writer.write(1, &row).map_err(|error| error.to_string())?;
    set.commit(writer.finish().unwrap()).unwrap();
    Ok(std::fs::read_to_string(folder.path().join("current/sitemap.xml")).unwrap())
}

/// A site's output with a setting: the part, or the log.
fn served(row: Row, set: Set) -> std::result::Result<String, String> {
    let site = SiteBuilder::new(BASE).section("pages", [row]).writer(set).build();
    let site = site.map_err(|error| error.to_string())?;
    let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
    let (response, log) = logged(site.respond(&request));
    if response.status() != 200 {
        return Err(log.join("\n"));
    }
    Ok(logged(body(response)).0)
}

#[test]
fn a_setting_of_entries_has_its_effect() {
    for (name, set) in SETTINGS {
        for serve in [published, served] {
            let (with, without) = (serve(Row(name), set), serve(Row(name), |writer| writer));
            assert_ne!(with, without, "{name}");
            assert!(with.is_ok() || without.is_ok(), "{name}: {with:?}");
        }
    }
}

#[test]
fn a_setting_of_the_document_is_refused() {
    for (name, set, of_set, of_site) in OWN {
        assert_eq!(
            published(Row(name), set).unwrap_err(),
            format!("`SetBuilder::writer` sets `{name}`, which is not the writer's here: {of_set}")
        );
        assert_eq!(
            served(Row(name), set).unwrap_err(),
            format!("`SiteBuilder::writer` sets `{name}`, which is not the writer's here: {of_site}")
        );
    }
}

/// A new setting must be in one of the two tables.
#[test]
fn the_tables_have_all_settings() {
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../sitemap-serde/src/writer/builder.rs"
    );
    let source = std::fs::read_to_string(source).unwrap();
    let mut names = Vec::new();
    let lines: Vec<&str> = source.lines().collect();
    for pair in lines.windows(2) {
        let name = pair[1]
            .trim()
            .strip_prefix("pub fn ")
            .and_then(|rest| rest.split_once("(&mut self"));
        if let Some((name, _)) = name
            && pair[0].trim() != "#[doc(hidden)]"
        {
            names.push(name);
        }
    }
    let mut known: Vec<&str> = SETTINGS.iter().map(|(name, _)| *name).collect();
    known.extend(OWN.iter().map(|(name, ..)| *name));
    names.sort_unstable();
    known.sort_unstable();
    assert_eq!(known, names);
}
