//! The log has the whole chain of an error's causes, wherever a source, a store or a storage fails.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use http::Request;
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::logged;
use sitemap_site::source::{BoxError, DatedKey, DatedKeys, Row, Source, Span, Unavailable};
use sitemap_site::storage::{ListedObject, Object, PutOptions, Version};
use sitemap_site::{Site, SiteBuilder, SitemapSet, Storage, TableStore};

/// Like an ORM's error: it describes the failure, its cause names the place, and the cause's cause gives the reason.
#[derive(Debug)]
struct Layer(&'static str, Option<Box<Layer>>);

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Layer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.1.as_deref().map(|cause| cause as _)
    }
}

const CHAIN: &str = "error deserializing `status`: in column 3: unknown status \"whatever\"";

fn layers() -> Layer {
    let why = Layer("unknown status \"whatever\"", None);
    // An error that repeats its cause is printed once.
    let what = Layer("in column 3: unknown status \"whatever\"", Some(why.into()));
    Layer("error deserializing `status`", Some(what.into()))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fails {
    Row,
    Rows,
    Page,
    PageForNow,
    Keys,
    Latest,
    Lastmod,
}

#[derive(Debug)]
struct Failing(Fails);

impl Source for Failing {
    type Entry = UrlEntry;

    async fn rows(&self, span: &Span, _: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        if span.after.is_some() {
            return Ok(Vec::new());
        }
        match self.0 {
            Fails::Row => Ok(vec![Row::failed(1, layers()), Row::new(2, UrlEntry::new("/2"))]),
            Fails::Rows => Ok(vec![Row::failed(1, layers())]),
            Fails::Page => Err(layers().into()),
            Fails::PageForNow => Err(Unavailable::new(layers()).into()),
            _ => Ok(vec![Row::new(1, UrlEntry::new("/1"))]),
        }
    }

    async fn keys(&self, span: &Span, _: usize) -> Result<Vec<DatedKey>, BoxError> {
        let mut keys = DatedKeys::default();
        if span.after.is_none() {
            let date = Ok("2026-05-01".parse().ok());
            match self.0 {
                Fails::Keys => return Err(layers().into()),
                Fails::Lastmod => keys.push(1.into(), Err(layers().into()))?,
                _ => keys.push(1.into(), date)?,
            }
        }
        Ok(keys.finish())
    }

    async fn count(&self, _: &Span) -> Result<Option<u64>, BoxError> {
        Ok(Some(1))
    }

    async fn latest(&self, _: usize) -> Result<Option<Vec<DatedKey>>, BoxError> {
        match self.0 {
            Fails::Latest => Err(layers().into()),
            _ => Ok(None),
        }
    }
}

async fn ask(site: &Site, path: &str) {
    let request = Request::get(path).body(()).unwrap();
    let _ = site.respond(&request).await;
}

#[test]
fn errors_of_sources() {
    for (fails, expected) in [
        (
            Fails::Row,
            vec![format!(
                "WARN a row is skipped in the sitemap key=1 error={CHAIN}"
            )],
        ),
        (
            Fails::Rows,
            vec![
                format!("WARN a row is skipped in the sitemap key=1 error={CHAIN}"),
                format!(
                    "ERROR sitemap-pages.xml cannot be rendered: none of its rows can be listed: 1 are skipped, the first of them since \
                     {CHAIN} (row 1)"
                ),
            ],
        ),
        (
            Fails::Page,
            vec![format!(
                "ERROR sitemap-pages.xml cannot be rendered: the rows cannot be read: {CHAIN}"
            )],
        ),
        (
            Fails::PageForNow,
            vec![format!(
                "ERROR sitemap-pages.xml cannot be rendered: the rows cannot be read: {CHAIN}"
            )],
        ),
        (
            Fails::Keys,
            vec![format!(
                "ERROR the sitemap's table of parts cannot be updated: section `pages`: the rows cannot be counted: {CHAIN}"
            )],
        ),
        (
            Fails::Latest,
            vec![format!(
                "WARN the rows that have changed cannot be found, so the index has their lastmods later: {CHAIN}"
            )],
        ),
        (
            Fails::Lastmod,
            vec![format!(
                "WARN the source's column of lastmods has values that are not dates, so the index has no lastmod of their parts: convert \
                 them with `lastmod_with` rows=1 key=1 error={CHAIN}"
            )],
        ),
    ] {
        let ((), log) = logged(async {
            let site = SiteBuilder::new("https://example.com")
                .section("pages", Failing(fails))
                .max_age(Duration::ZERO)
                .build()
                .unwrap();
            ask(&site, "/sitemap.xml").await;
            if !matches!(fails, Fails::Latest | Fails::Keys | Fails::Lastmod) {
                ask(&site, "/sitemap-pages.xml").await;
            } else if fails == Fails::Latest {
                ask(&site, "/sitemap.xml").await;
            }
        });
        assert_eq!(log, expected, "{fails:?}");
    }
}

#[test]
fn errors_of_an_export() {
    let (done, _) = logged(async {
        let folder = tempfile::tempdir().unwrap();
        let set = SitemapSet::directory(folder.path().join("set"), "https://example.com")
            .open()
            .unwrap();
        let export = async |fails| {
            let site = SiteBuilder::new("https://example.com")
                .section("pages", Failing(fails))
                .build()
                .unwrap();
            site.export(&set).await
        };
        (export(Fails::Row).await, export(Fails::Page).await)
    });
    assert_eq!(done.0.unwrap().problems, [format!("row 1: {CHAIN}")]);
    assert_eq!(
        done.1.unwrap_err().to_string(),
        format!("section pages: the rows cannot be read: {CHAIN}")
    );
}

struct NoStore;

impl TableStore for NoStore {
    async fn load(&self) -> Result<Option<(String, Version)>, BoxError> {
        Err(layers().into())
    }

    async fn save(&self, _: String, _: Option<Version>) -> Result<bool, BoxError> {
        Err(layers().into())
    }
}

#[test]
fn errors_of_a_table_store() {
    let ((), log) = logged(async {
        let site = SiteBuilder::new("https://example.com")
            .section("pages", [UrlEntry::new("/")])
            .table_store(NoStore)
            .build()
            .unwrap();
        ask(&site, "/sitemap.xml").await;
    });
    let line = format!("WARN the stored table of the sitemap's parts cannot be used: {CHAIN}");
    assert!(
        !log.is_empty() && log.iter().all(|found| *found == line),
        "{log:#?}"
    );
}

#[derive(Debug)]
struct NoStorage;

impl NoStorage {
    fn failure<T>() -> io::Result<T> {
        Err(io::Error::other(layers()))
    }
}

impl Storage for NoStorage {
    fn get(&self, _: &str) -> io::Result<Option<Object>> {
        Self::failure()
    }

    fn put(&self, _: &str, _: Vec<u8>, _: &PutOptions) -> io::Result<Option<Version>> {
        Self::failure()
    }

    fn list(&self, _: &str) -> io::Result<Vec<ListedObject>> {
        Self::failure()
    }

    fn delete(&self, _: &str) -> io::Result<()> {
        Self::failure()
    }
}

#[test]
fn errors_of_a_storage() {
    let error = SitemapSet::storage(NoStorage, "https://example.com")
        .open()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("cannot read sitemap.xml of the storage: {CHAIN}")
    );
}
