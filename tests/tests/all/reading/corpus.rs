//! Published sitemaps, found through `SITEMAP_SHARED`: this crate and quick-xml read the same values from every well-formed one.

use std::collections::BTreeMap;

use quick_xml::NsReader;
use quick_xml::events::Event;
use quick_xml::name::ResolveResult;
use serde::Deserialize;
use sitemap_serde::{ErrorKind, Reader};
use sitemap_tests::{corpus_sample, files, of_sample};

/// An entry as text.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Row {
    loc: String,
    lastmod: String,
    changefreq: String,
    priority: String,
}

const CORE: [&str; 8] = [
    "http://www.sitemaps.org/schemas/sitemap/0.9",
    "https://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.sitemaps.org/schemas/sitemap/0.9/",
    "http://sitemaps.org/schemas/sitemap/0.9",
    "http://www.google.com/schemas/sitemap/0.84",
    "http://www.google.com/schemas/sitemap/0.9",
    "http://www.google.com/schemas/sitemap/0.90",
    "http://www.sitemaps.org/schemas/sitemap/0.90",
];

/// The entries of a document as quick-xml reads them. `None` if it is no sitemap.
fn by_quick_xml(document: &str) -> Option<Vec<Row>> {
    let mut reader = NsReader::from_str(document);
    reader.config_mut().expand_empty_elements = true;
    let mut path: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    let mut text = String::new();
    loop {
        let (namespace, event) = reader.read_resolved_event().ok()?;
        let core = match namespace {
            ResolveResult::Bound(namespace) => CORE.iter().any(|core| *core == namespace.as_ref()),
            ResolveResult::Unbound => true,
            ResolveResult::Unknown(_) => return None,
        };
        match event {
            Event::Start(start) => {
                let local = start.local_name().as_ref().to_owned();
                path.push(if core { local } else { String::new() });
                if path.len() == 1 && !matches!(path[0].as_str(), "urlset" | "sitemapindex") {
                    return None;
                }
                if path.len() == 2 && matches!(path[1].as_str(), "url" | "sitemap") {
                    rows.push(Row::default());
                }
                text.clear();
            }
            Event::Text(part) if path.len() == 3 => text.push_str(&part),
            Event::CData(part) if path.len() == 3 => text.push_str(&part),
            Event::GeneralRef(entity) if path.len() == 3 => {
                let resolved = match entity.resolve_char_ref().ok()? {
                    Some(c) => c.to_string(),
                    None => quick_xml::escape::resolve_predefined_entity(&entity)?.to_owned(),
                };
                text.push_str(&resolved);
            }
            Event::End(_) => {
                let name = path.pop()?;
                if path.len() == 2 && matches!(path[1].as_str(), "url" | "sitemap") {
                    let row = rows.last_mut()?;
                    let field = match name.as_str() {
                        "loc" => Some(&mut row.loc),
                        "lastmod" => Some(&mut row.lastmod),
                        "changefreq" => Some(&mut row.changefreq),
                        "priority" => Some(&mut row.priority),
                        _ => None,
                    };
                    if let Some(field) = field {
                        text.trim_matches([' ', '\t', '\n', '\r']).clone_into(field);
                    }
                }
            }
            Event::Eof => return Some(rows),
            _ => {}
        }
    }
}

#[test]
#[cfg_attr(
    not(shared_files),
    ignore = "SITEMAP_SHARED is not set: there are no files to test with"
)]
fn every_well_formed_file_says_the_same_to_quick_xml() {
    let Some(folder) = files("corpus") else { return };
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (path, document) in corpus_sample(&folder) {
        let mut rows = Vec::new();
        let mut failed = None;
        for row in Reader::from_slice(&document).deserialize::<Row>() {
            match row {
                Ok(row) => rows.push(row),
                // quick-xml only counts the entry, and does not read it.
                Err(error) if error.kind() == ErrorKind::Data && error.entry().is_some() => {
                    rows.push(Row::default());
                }
                Err(error) => failed = Some(error),
            }
        }
        let group = match &failed {
            None => "read",
            Some(error) if error.kind() == ErrorKind::Data => "no sitemap",
            Some(_) if path.starts_with("broken/") => "broken, as its folder says",
            Some(_) => "not well-formed",
        };
        *counts.entry(group).or_default() += 1;
        if failed.is_some() {
            if path.starts_with("real/") && group == "not well-formed" {
                wrong.push(format!(
                    "{path}: {}",
                    failed.map(|error| error.to_string()).unwrap_or_default()
                ));
            }
            continue;
        }
        let text = String::from_utf8_lossy(&document);
        match by_quick_xml(text.trim_start_matches('\u{FEFF}')) {
            None => wrong.push(format!("{path}: quick-xml does not read it")),
            Some(theirs) => {
                if theirs.len() != rows.len() {
                    wrong.push(format!(
                        "{path}: {} entries, quick-xml has {}",
                        rows.len(),
                        theirs.len()
                    ));
                } else if let Some((ours, theirs)) = rows
                    .iter()
                    .zip(&theirs)
                    .find(|(a, b)| a != b && !a.loc.is_empty())
                {
                    wrong.push(format!("{path}: {ours:?}, quick-xml has {theirs:?}"));
                }
            }
        }
    }
    for (group, count) in &counts {
        println!("{count:>4} {group}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts["read"] as usize > of_sample(200), "{counts:?}");
}
