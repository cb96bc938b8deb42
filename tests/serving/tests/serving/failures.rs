//! Failures never produce an incomplete part or details in the response. They always produce a log line.

use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use http::Request;
use sitemap_serde::convert::ToLastmod;
use sitemap_serde::engine::Engine;
use sitemap_serde::{Image, OnInvalid, UrlEntry};
use sitemap_serving_tests::{Rows, body, get, logged, sitemaps, urls};
use sitemap_site::source::{self, BoxError, DatedKey, DatedKeys, Row, Source, Span};
use sitemap_site::{Key, Section, ServeSet, Site, SiteBuilder, SitemapSet};

use crate::server::Server;

const BASE: &str = "https://example.com";

/// Requests a path from a site, on this thread. Returns the status and the log.
fn ask(site: &Site, path: &str) -> (u16, Vec<String>) {
    let request = Request::get(path).body(()).unwrap();
    let (response, mut log) = logged(site.respond(&request));
    if path != "/sitemap.xml" {
        // The table is made in the meantime, and has the same problem.
        log.retain(|line| !line.starts_with("ERROR the sitemap's table"));
    }
    (response.status().as_u16(), log)
}

#[test]
fn a_failure_in_the_middle_is_no_part_at_all() {
    let rows = Rows::new(5_000);
    let site = SiteBuilder::new(BASE)
        .section("pages", rows.clone())
        .build()
        .unwrap();
    let server = Server::start(&site);
    rows.fail_above(4_500);
    for _ in 0..2 {
        let response = get(server.address, "/sitemap-pages.xml", &[]);
        assert_eq!(
            (response.status, response.text()),
            (
                500,
                "Internal Server Error: the pages of this part cannot be read\n"
            )
        );
        assert_eq!(response.header("cache-control"), Some("no-store"));
        assert_eq!(response.header("etag"), None);
    }
    rows.unavailable(true);
    site.purge("pages").unwrap();
    let response = get(server.address, "/sitemap-pages.xml", &[]);
    assert_eq!(
        (response.status, response.text()),
        (
            503,
            "Service Unavailable: the pages of this part cannot be read at the moment\n"
        )
    );
    assert_eq!(response.header("retry-after"), Some("60"));
    rows.fail_above(i64::MAX);
    site.purge("pages").unwrap();
    assert_eq!(
        urls(get(server.address, "/sitemap-pages.xml", &[]).text()).len(),
        5_000
    );
}

#[test]
fn the_reason_is_in_the_log_alone() {
    let rows = Rows::new(100);
    rows.fail_above(0);
    let site = SiteBuilder::new(BASE).section("pages", rows).build().unwrap();
    assert_eq!(
        ask(&site, "/sitemap.xml"),
        (
            503,
            vec![
                "ERROR the sitemap's table of parts cannot be updated: section `pages`: the rows cannot be counted: secret: the \
                 database is gone"
                    .to_owned()
            ]
        )
    );
    assert_eq!(
        ask(&site, "/sitemap-pages.xml"),
        (
            500,
            vec![
                "WARN the range sitemap-pages.xml, which is in no index yet, is not rendered: the rows cannot be read: secret: the database is \
                 gone"
                    .to_owned()
            ]
        )
    );
    assert_eq!(site.stats().failures, 0);
}

#[test]
fn a_row_that_cannot_be_listed_is_left_out_and_logged_with_its_key() {
    let rows = source::rows(|span: Span, limit| async move {
        let all: Vec<Row<UrlEntry>> = vec![
            Row::new(1, UrlEntry::new("/a")),
            Row::new(2, UrlEntry::new("no loc")),
            Row::failed(3, "the cell `updated` is no date"),
            Row::new(4, UrlEntry::new("/b")),
        ];
        let place = |key: Key| key.to_string().parse().unwrap_or(0);
        let (skip, to) = (span.after.map_or(0, place), span.to.map_or(4, place));
        Ok(all.into_iter().take(to).skip(skip).take(limit).collect())
    });
    let site = SiteBuilder::new(BASE)
        .section("pages", rows)
        .batch_rows(1)
        .build()
        .unwrap();
    let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
    let (response, log) = logged(site.respond(&request));
    assert_eq!(response.status(), 200);
    assert_eq!(site.stats().skipped, 2);
    assert_eq!(
        log,
        [
            "WARN a row is skipped in the sitemap key=2 error=`no loc` is not an absolute URL: a loc begins with its scheme and host, such as \
             `https://example.com/` (P-LOC); write the absolute URL, or begin it with `/`, entry 2 · loc",
            "WARN a row is skipped in the sitemap key=3 error=the cell `updated` is no date",
        ]
    );
}

#[test]
fn many_rows_that_cannot_be_listed_are_counted() {
    let broken: Vec<_> = (0..100)
        .map(|_| UrlEntry::new("no loc"))
        .chain([UrlEntry::new("/a")])
        .collect();
    let site = SiteBuilder::new(BASE).section("pages", broken).build().unwrap();
    let (status, log) = ask(&site, "/sitemap-pages.xml");
    assert_eq!((status, log.len(), site.stats().skipped), (200, 21, 100));
    assert_eq!(
        log[20],
        "WARN this part of the sitemap has invalid rows skipped=100 dropped=0"
    );
}

/// A part's bad rows are logged once an hour, and counted in each rendering.
#[test]
fn bad_rows_are_logged_once() {
    for is_failing in [false, true] {
        let mut pages = vec![UrlEntry::new("no loc"), UrlEntry::new("/a")];
        pages.truncate(if is_failing { 1 } else { 2 });
        let site = SiteBuilder::new(BASE)
            .section("pages", pages)
            .memory_bytes(0)
            .max_age(Duration::ZERO)
            .build()
            .unwrap();
        let ((), log) = logged(async {
            site.refresh().await.unwrap();
            for _ in 0..5 {
                let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
                site.respond(&request).await;
            }
        });
        let of_rows = log
            .iter()
            .filter(|line| line.starts_with("WARN a row is skipped"));
        assert_eq!(of_rows.count(), 1, "{log:?}");
        assert_eq!(site.stats().skipped, 5);
    }
}

#[test]
fn keys_that_are_not_unique_are_refused_wherever_the_page_ends() {
    for batch_rows in 1..5 {
        let rows = source::rows(|span: Span, limit| async move {
            let keys = [1, 2, 2, 3];
            let after = span.after.map_or(0, |key| key.to_string().parse().unwrap_or(0));
            let above = keys.into_iter().filter(|key| *key > after);
            Ok(above
                .take(limit)
                .map(|key| Row::new(key, UrlEntry::new(format!("/{key}"))))
                .collect())
        });
        let site = SiteBuilder::new(BASE)
            .section("pages", rows)
            .batch_rows(batch_rows)
            .clone();
        assert_eq!(
            ask(&site.build().unwrap(), "/sitemap-pages.xml"),
            (
                500,
                vec![
                    "WARN the range sitemap-pages.xml, which is in no index yet, is not rendered: two rows have the key 2: the key columns of a source \
                     are unique and not null; name columns that are, such as the primary key"
                        .to_owned()
                ]
            ),
            "{batch_rows}"
        );
        // They are not counted as entries either, wherever a part would end.
        assert_eq!(
            ask(&site.build().unwrap(), "/sitemap.xml"),
            (
                503,
                vec![
                    "ERROR the sitemap's table of parts cannot be updated: section `pages`: two rows have the key 2: the key columns of a source are \
                     unique and not null; name columns that are, such as the primary key"
                        .to_owned()
                ]
            ),
            "{batch_rows}"
        );
    }
}

#[test]
fn a_source_that_does_not_move_on_ends() {
    let rows = source::rows(|_, limit| async move {
        let row = |_| Row::new(1, UrlEntry::new("/"));
        Ok::<_, BoxError>((0..limit).map(row).collect())
    });
    let site = SiteBuilder::new(BASE)
        .section("pages", rows)
        .part_rows(1)
        .build()
        .unwrap();
    let (status, log) = ask(&site, "/sitemap.xml");
    assert_eq!(status, 503);
    assert_eq!(
        log,
        [
            "ERROR the sitemap's table of parts cannot be updated: section `pages`: the source does not compare keys as it orders \
             them: the row of the key 1 is not in the range up to it, or in the range after it, so rows would be missing in the sitemap; name \
             other columns as the key"
        ]
    );
}

/// For engines that read only shorter addresses, the index lists no part whose address is too long for them. The pages stay listed.
#[test]
fn parts_have_addresses_that_engines_read() {
    let keys = Section::new(source::rows(|span: Span, limit| async move {
        let row = |key: &str| Row::new(Key::from(key), UrlEntry::new("/"));
        let all = ["a", "b", &"c".repeat(80)].map(row).into_iter();
        Ok::<_, BoxError>(
            all.filter(|row| {
                let key = row.key().to_string();
                span.after.as_ref().is_none_or(|after| after.to_string() < key)
                    && span.to.as_ref().is_none_or(|to| to.to_string() >= key)
            })
            .take(limit)
            .collect(),
        )
    }));
    let site = |base: &str, rows: usize| {
        let mut site = SiteBuilder::new(base);
        site.section("pages", keys.clone())
            .writer(|writer| writer.engine(Engine::Baidu));
        site.part_rows(rows).build()
    };
    // 256 bytes for the name of the only part.
    let folder = "f".repeat(256 - "https://example.com//sitemap-pages.xml".len());
    let base = format!("https://example.com/{folder}");
    let (status, _) = ask(&site(&base, 10).unwrap(), "/sitemap.xml");
    assert_eq!(status, 200);
    assert_eq!(
        site(&format!("{base}f"), 10).unwrap_err().to_string(),
        format!(
            "`{base}f/sitemap-pages.xml` is longer than an engine of the site reads (L-ENGINE): shorten the base or the section's name"
        )
    );
    let base = format!("https://example.com/{}", "f".repeat(190));
    let (status, log) = ask(&site(&base, 1).unwrap(), "/sitemap.xml");
    assert_eq!(status, 503);
    assert_eq!(
        log,
        [
            "ERROR the sitemap's table of parts cannot be updated: section `pages`: the name of a part would be \
             `sitemap-pages.b~_h5b2dd89806343fa7550802e587f0b9c1.xml`, with 54 bytes; a name has at most 45 bytes and contains both ends of the \
             part's key range: use shorter key columns"
        ]
    );
}

#[test]
fn a_panic_in_a_source_is_a_500() {
    let rows = source::rows(|_, _| async {
        assert!(env::args().count() > 1000, "of the test");
        Ok(vec![Row::new(1, UrlEntry::new("/"))])
    });
    let site = SiteBuilder::new(BASE).section("pages", rows).build().unwrap();
    let server = Server::start(&site);
    for _ in 0..2 {
        assert_eq!(get(server.address, "/sitemap-pages.xml", &[]).status, 500);
    }
    assert_eq!(get(server.address, "/sitemap.xml", &[]).status, 503);
    assert_eq!(get(server.address, "/product", &[]).status, 200);
}

/// It is never rendered again, and the longest duration is allowed.
#[test]
fn the_longest_times_are_no_panic() {
    for _ in 0..20 {
        let rows = Rows::new(25);
        let site = SiteBuilder::new(BASE)
            .section("pages", rows.clone())
            .max_age(Duration::MAX)
            .stale_while_revalidate(Duration::MAX)
            .recount_after(Duration::MAX)
            .time_limit(Duration::MAX)
            .build()
            .unwrap();
        assert_eq!(ask(&site, "/sitemap-pages.xml"), (200, vec![]));
        assert_eq!(ask(&site, "/sitemap.xml"), (200, vec![]));
        rows.fail_above(0);
        site.purge("pages").unwrap();
        assert_eq!(ask(&site, "/sitemap-pages.xml").0, 500);
    }
}

#[test]
fn a_site_without_entries_has_no_index() {
    let site = SiteBuilder::new(BASE)
        .section("pages", Rows::new(0))
        .build()
        .unwrap();
    let log = "WARN the sitemap has no entries, so `/sitemap.xml` is 404: an empty sitemap would be invalid (P-EMPTY)";
    assert_eq!(ask(&site, "/sitemap.xml"), (404, vec![log.to_owned()]));
    // Once in a while is enough.
    assert_eq!(ask(&site, "/sitemap.xml"), (404, vec![]));
    assert_eq!(ask(&site, "/sitemap-pages.xml"), (404, vec![]));
    let server = Server::start(&site);
    for (path, body) in [
        (
            "/sitemap.xml",
            "Not Found: the site has no pages to list, and a sitemap without entries would be invalid\n",
        ),
        (
            "/sitemap-pages.xml",
            "Not Found: there are no pages to list in this range\n",
        ),
        (
            "/sitemap-other.xml",
            "Not Found: this site has no sitemap at this address\n",
        ),
    ] {
        assert_eq!(get(server.address, path, &[]).text(), body);
    }
}

/// Invalid texts in a source's date column drop neither rows nor the section, and are counted.
#[test]
fn lastmods_that_are_no_dates_are_one_warning() {
    let keys = |texts: &[&str]| {
        let mut keys = DatedKeys::default();
        for (id, text) in (1..).zip(texts) {
            keys.push(Key::from(id), text.to_lastmod().map_err(BoxError::from))
                .unwrap();
        }
        keys.finish()
    };
    let (found, log) = logged(async { keys(&["2026-05-01", "yesterday", "soon"]) });
    let dates = found.iter().map(|row| row.lastmod.lastmod().is_some());
    assert_eq!(dates.collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(
        log,
        [
            "WARN the source's column of lastmods has values that are not dates, so the index has no lastmod of their parts: convert them with \
             `lastmod_with` rows=2 key=2 error=`yesterday` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or \
             `YYYY-MM-DDThh:mm[:ss[.s]]` and a zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out"
        ]
    );
    let (_, log) = logged(async { keys(&["2026-05-01", "2026-05-02"]) });
    assert_eq!(log, Vec::<String>::new());
    let mut twice = DatedKeys::default();
    twice.push(Key::from(1), Ok(None)).unwrap();
    assert_eq!(
        twice.push(Key::from(1), Ok(None)).unwrap_err().to_string(),
        "two rows have the key 1: the columns of a key must be unique together; name others with `key`"
    );
}

/// A bad image drops its page, only itself, or under the strictest policy the whole part. It is logged in any case.
#[test]
fn a_bad_image_costs_its_row_or_itself() {
    for (policy, status, images, counts, expected) in [
        (
            OnInvalid::Fail,
            500,
            0,
            (0, 0),
            "WARN the range sitemap-pages.xml, which is in no index yet, is not rendered: a row is invalid: `file:///b.jpg` is not http or https",
        ),
        (
            OnInvalid::SkipEntry,
            500,
            0,
            (0, 0),
            "WARN a row is skipped in the sitemap key=1 error=`file:///b.jpg` is not http or https",
        ),
        (
            OnInvalid::DropValue,
            200,
            1,
            (0, 1),
            "WARN a value is dropped from the sitemap key=1 error=`file:///b.jpg` is not http or https",
        ),
    ] {
        let mut lamp = UrlEntry::new("/lamp");
        lamp.images = vec![Image::new("/a.jpg"), Image::new("file:///b.jpg")];
        let site = SiteBuilder::new(BASE)
            .section("pages", [lamp])
            .on_invalid(policy)
            .build()
            .unwrap();
        let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
        let (response, log) = logged(site.respond(&request));
        assert!(log[0].starts_with(expected), "{log:?}");
        assert_eq!(response.status(), status);
        let (text, _) = logged(body(response));
        assert_eq!(text.matches("<image:image>").count(), images);
        let stats = site.stats();
        assert_eq!((stats.skipped, stats.dropped), counts);
        assert_eq!((stats.sections[0].skipped, stats.sections[0].dropped), counts);
    }
}

/// Pages with these lastmods. An empty text means no lastmod. If keys are read, they have the lastmods, too.
struct Dated {
    lastmods: &'static [&'static str],
    reads_lastmods: bool,
}

impl Source for Dated {
    type Entry = UrlEntry;

    async fn rows(&self, span: &Span, limit: usize) -> Result<Vec<Row<UrlEntry>>, BoxError> {
        let mut rows = Vec::new();
        for (id, lastmod) in (1..).zip(self.lastmods) {
            let key = Key::from(id);
            if span.after.as_ref().is_none_or(|after| key > *after) {
                let mut entry = UrlEntry::new(format!("/{id}"));
                entry.lastmod = lastmod.parse().ok();
                rows.push(Row::new(key, entry));
            }
        }
        rows.truncate(limit);
        Ok(rows)
    }

    async fn keys(&self, span: &Span, limit: usize) -> Result<Vec<DatedKey>, BoxError> {
        let rows = self.rows(span, limit).await?;
        let lastmod = |row: &Row<UrlEntry>| row.entry().ok()?.lastmod.filter(|_| self.reads_lastmods);
        Ok(rows
            .iter()
            .map(|row| DatedKey::new(row.key().clone(), lastmod(row)))
            .collect())
    }
}

/// If a row's lastmod is unknown, the index has no lastmod for its part. The reason is logged once, for any number of renderings, and such
/// parts are counted.
#[test]
fn a_part_without_a_lastmod_in_the_index_is_one_warning() {
    let mixed = "WARN the index has no lastmod of sitemap-pages.xml: 1 of its 3 entries have none, so it is unknown when the last of them \
                 changed; fill these dates, or set a `SiteBuilder::table_store`, which records when parts change";
    let unread = "WARN the index has no lastmod of sitemap-pages.xml, although all of its entries have one: the source reads the keys without \
                  lastmods, or has a row without one that is not listed; name the source's column of lastmods, and leave out such rows by its \
                  condition";
    for (lastmods, reads_lastmods, without, expected) in [
        (&["2026-05-01", "", "2026-05-03"][..], true, 1, &[mixed][..]),
        (&["2026-05-01", "2026-05-03"], true, 0, &[]),
        // No page of the section has a date: nothing is missing.
        (&["", ""], true, 1, &[]),
        (&["2026-05-01", "2026-05-03"], false, 1, &[unread]),
    ] {
        let source = Dated {
            lastmods,
            reads_lastmods,
        };
        let site = SiteBuilder::new(BASE)
            .section("pages", source)
            .max_age(Duration::ZERO)
            .build()
            .unwrap();
        let ((), log) = logged(async {
            site.ready().await.unwrap();
            for _ in 0..2 {
                let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
                assert_eq!(site.respond(&request).await.status(), 200);
            }
        });
        assert_eq!(log, expected);
        assert_eq!(site.stats().sections[0].renderings, 3);
        assert_eq!(site.stats().sections[0].without_lastmod, without);
    }
}

/// A part with more bytes than its engine reads is split, and the log names the engine.
#[test]
fn a_part_that_is_full_for_its_engine() {
    let large = |row: u32| {
        let mut image = Image::new("https://example.com/1.jpg");
        image.caption = Some("x".repeat(500_000));
        let mut entry = UrlEntry::new(format!("/{row}"));
        entry.images.push(image);
        entry
    };
    let site = SiteBuilder::new("https://example.com")
        .writer(|writer| writer.engine(Engine::Baidu))
        .section("pages", (0..30).map(large).collect::<Vec<_>>())
        .build()
        .unwrap();
    let (status, lines) = logged(async {
        let index = Request::get("/sitemap.xml").body(()).unwrap();
        assert_eq!(site.respond(&index).await.status(), 200);
        let request = Request::get("/sitemap-pages.xml").body(()).unwrap();
        site.respond(&request).await.status()
    });
    assert_eq!(status, 503);
    assert_eq!(
        lines,
        [
            "ERROR sitemap-pages.xml cannot be rendered: the range has more entries or bytes than a sitemap may have (P-COUNT, L-ENGINE: Baidu \
             reads at most 10,485,760 bytes): 20 of its rows fit in; it is being split"
        ]
    );
}

/// A set's file that another program has changed: too long, or with other content.
#[test]
fn why_a_file_is_not_sent_is_in_the_log_alone() {
    let folder = tempfile::tempdir().unwrap();
    let set = || {
        SitemapSet::in_place(folder.path(), BASE)
            .max_entries(1)
            .open()
            .unwrap()
    };
    let writing = set();
    let mut writer = writing.task_writer("p", "all").unwrap();
    for id in [1, 2] {
        writer.write(id, &UrlEntry::new(format!("/{id}"))).unwrap();
    }
    writing.commit(&[writer.finish().unwrap()]).unwrap();
    let (short, long) = (b"<urlset/>".to_vec(), vec![b' '; 52_428_801]);
    for (name, content) in [("sitemap-p-1.xml", long), ("sitemap-p-2.xml", short)] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    for (name, reason) in [
        ("sitemap-p-1.xml", "it has more than 52,428,800 bytes (P-SIZE)"),
        (
            "sitemap-p-2.xml",
            "it differs from the set's manifest: it was changed by another program, or is being replaced",
        ),
    ] {
        let service = ServeSet::new(set());
        let request = Request::get(format!("/{name}")).body(()).unwrap();
        let (response, log) = logged(async { body(service.respond(&request).await).await });
        assert_eq!(
            response,
            "Service Unavailable: the file cannot be read at the moment\n"
        );
        let line = format!("ERROR a file of the sitemap cannot be sent: {reason} file=\"{name}\"");
        assert_eq!(log.first(), Some(&line), "{log:?}");
    }
}

/// All renderings wait for a hanging database. Requests queued behind them are refused after five times the time limit.
#[test]
fn parts_that_wait_too_long_are_refused() {
    let rows = Rows::new(460);
    let site = SiteBuilder::new(BASE)
        .section("pages", rows.clone())
        .part_rows(10)
        .time_limit(Duration::from_millis(40))
        .build()
        .unwrap();
    let ((responses, failures), log) = logged(async {
        site.refresh().await.unwrap();
        let request = Request::get("/sitemap.xml").body(()).unwrap();
        let index = body(site.respond(&request).await).await;
        rows.close();
        let requests: Vec<_> = sitemaps(&index)
            .iter()
            .map(|part| {
                Request::get(part.loc.strip_prefix(BASE).unwrap())
                    .body(())
                    .unwrap()
            })
            .map(|request| tokio::spawn(site.respond(&request)))
            .collect();
        let mut responses = Vec::new();
        for request in requests {
            responses.push(body(request.await.unwrap()).await);
        }
        (responses, site.stats().sections[0].failures)
    });
    assert!(
        responses
            .iter()
            .all(|response| response.starts_with("Service Unavailable: ")),
        "{responses:?}"
    );
    let count = responses.len() as u64;
    assert!(
        count > 40 && failures.busy > 0 && failures.late > 0 && failures.busy + failures.late == count,
        "{failures:?} of {count}"
    );
    let lines = log.iter().filter(|line| line.starts_with("ERROR sitemap-pages."));
    let late = " cannot be rendered: it took more than 40ms";
    let busy = " others are being rendered or waiting";
    assert!(
        lines
            .clone()
            .all(|line| line.contains(late) || line.contains(busy)),
        "{log:?}"
    );
    assert_eq!(lines.count(), 10);
}

/// The part of the next test that runs where temporary files cannot be written.
#[test]
#[ignore = "it needs a variable of its own"]
fn without_temporary_files() {
    let site = SiteBuilder::new(BASE)
        .section("pages", Rows::new(3))
        .memory_bytes(0)
        .build()
        .unwrap();
    let why = "0 bytes of renderings are in memory (`memory_bytes`), and a temporary file cannot be written";
    let error = std::io::Error::from_raw_os_error(2);
    let line = format!("ERROR sitemap-pages.xml cannot be rendered: {why}: {error}");
    // The first part of a section is rendered in this case.
    let (ready, log) = logged(site.ready());
    ready.unwrap_err();
    assert_eq!(log, [line]);
    assert_eq!(ask(&site, "/sitemap-pages.xml"), (503, vec![]));
    assert_eq!(site.stats().sections[0].failures.room, 1);
}

#[test]
#[cfg(unix)]
fn a_part_that_has_room_nowhere_is_refused() {
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "failures::without_temporary_files", "--ignored"])
        .env("TMPDIR", "/nowhere")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}
