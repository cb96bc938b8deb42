//! News sections: articles of the last two days, by a test clock.

use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use http::Request;
use sitemap_serde::news::Publication;
use sitemap_serde::{EntryWriter, News, Result, SitemapEntry, UrlEntry, W3cDateTime};
use sitemap_serving_tests::{body, logged, sitemaps, urls};
use sitemap_site::{Section, Site, SiteBuilder, SitemapSet, source};
use sitemap_tests::Random;

use crate::server::Server;

const HOUR: u64 = 3_600;
const START: u64 = 1_790_000_000;

fn time(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

fn article(path: &str, published: u64) -> UrlEntry {
    let date = W3cDateTime::try_from(time(published)).unwrap();
    let publication = Publication::new("The Example", "en");
    UrlEntry::new(path).with_news(News::new(publication, date, "Lamps"))
}

/// The articles of a table, and their publication times.
type Table = Arc<Mutex<Vec<(String, u64)>>>;

fn builder(table: &Table, clock: &Arc<AtomicU64>) -> SiteBuilder {
    let (table, clock) = (Arc::clone(table), Arc::clone(clock));
    let articles = source::list(move || {
        let rows = table.lock().unwrap();
        let articles: Vec<_> = rows
            .iter()
            .map(|(path, published)| article(path, *published))
            .collect();
        async { Ok(articles) }
    });
    SiteBuilder::new("https://example.com")
        .section("pages", [UrlEntry::new("/about")])
        .section("news", Section::new(articles).news().part_rows(10))
        .clock(move || time(clock.load(Ordering::SeqCst)))
        .max_age(Duration::from_millis(1))
        .clone()
}

/// The text of an existing resource.
async fn text(site: &Site, path: &str) -> String {
    let response = site.respond(&Request::get(path).body(()).unwrap()).await;
    assert_eq!(response.status(), 200, "{path}");
    body(response).await
}

/// The locs that a walk finds. All parts in the index must exist.
async fn walked(site: &Site) -> Vec<String> {
    // Real time, not simulated.
    std::thread::sleep(Duration::from_millis(2));
    let mut locs = Vec::new();
    for part in sitemaps(&text(site, "/sitemap.xml").await) {
        let path = part.loc.strip_prefix("https://example.com").unwrap();
        let part = text(site, path).await;
        // The readers in this test need an entry.
        let part = if part == EMPTY { Vec::new() } else { urls(&part) };
        assert!(part.len() <= 1_000);
        locs.extend(part.into_iter().map(|entry| entry.loc));
    }
    locs
}

/// At any time and with any new articles, a walk finds exactly the articles of two days.
#[tokio::test]
async fn articles_leave_after_two_days() {
    let (table, clock) = (Table::default(), Arc::new(AtomicU64::new(START)));
    let site = builder(&table, &clock).build().unwrap();
    let mut random = Random::new(28);
    let mut most = 0;
    for _ in 0..60 {
        let now = clock.fetch_add(random.below(9) as u64 * HOUR, Ordering::SeqCst);
        {
            let mut rows = table.lock().unwrap();
            for _ in 0..random.below(12) {
                let path = format!("/news/{}", rows.len());
                rows.push((path, now - random.below(60) as u64 * HOUR));
            }
        }
        let now = clock.load(Ordering::SeqCst);
        let mut expected = vec!["https://example.com/about".to_owned()];
        let rows = table.lock().unwrap().clone();
        let current = rows.iter().filter(|(_, published)| published + 48 * HOUR >= now);
        expected.extend(current.map(|(path, _)| format!("https://example.com{path}")));
        assert_eq!(walked(&site).await, expected);
        most = most.max(expected.len());
    }
    assert!(most > 30, "{most}");
    // No row has changed, but time has passed.
    clock.fetch_add(100 * HOUR, Ordering::SeqCst);
    assert_eq!(walked(&site).await, ["https://example.com/about"]);
    // Their file stays in the index, and is empty.
    let names = |index: &str| -> Vec<String> { sitemaps(index).into_iter().map(|part| part.loc).collect() };
    let quiet = [
        "https://example.com/sitemap-pages.xml",
        "https://example.com/sitemap-news.xml",
    ];
    assert_eq!(names(&text(&site, "/sitemap.xml").await), quiet);
    table.lock().unwrap().clear();
    site.refresh().await.unwrap();
    assert_eq!(names(&text(&site, "/sitemap.xml").await), quiet);
    assert_eq!(text(&site, "/sitemap-news.xml").await, EMPTY);
}

const EMPTY: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
    xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\"></urlset>";

/// A set keeps the file of a news section without articles today, and loses nothing else.
#[test]
fn a_set_has_an_empty_file_of_news() {
    let folder = tempfile::tempdir().unwrap();
    let set = SitemapSet::directory(folder.path(), "https://example.com")
        .news("news", None)
        .open()
        .unwrap();
    let commit = |articles: &[&str], has_pages: bool| {
        let mut lists = Vec::new();
        for task in ["one", "two"] {
            let mut news = set.task_writer("news", task).unwrap();
            for path in articles.iter().filter(|_| task == "two") {
                news.write(None, &article(path, START)).unwrap();
            }
            lists.push(news.finish().unwrap());
        }
        let mut pages = set.task_writer("pages", "all").unwrap();
        if has_pages {
            pages.write(None, &UrlEntry::new("/about")).unwrap();
        }
        lists.push(pages.finish().unwrap());
        set.commit(&lists)
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join("current").join(name)).unwrap();
    let index = || {
        sitemaps(&read("sitemap.xml"))
            .into_iter()
            .map(|part| part.loc)
            .collect::<Vec<_>>()
    };
    let both = [
        "https://example.com/sitemap-news-1.xml",
        "https://example.com/sitemap-pages-1.xml",
    ];
    commit(&["/1", "/2", "/3", "/4"], true).unwrap();
    assert_eq!(index(), both);
    assert_eq!(urls(&read("sitemap-news-1.xml")).len(), 4);
    commit(&[], true).unwrap();
    assert_eq!(index(), both);
    assert_eq!(read("sitemap-news-1.xml"), EMPTY);
    assert_eq!(set.entries().unwrap().count(), 1);
    commit(&["/5"], true).unwrap();
    assert_eq!(index(), both);
    assert_eq!(urls(&read("sitemap-news-1.xml")).len(), 1);
    // Pages do not come and go.
    assert_eq!(
        commit(&[], false).unwrap_err().to_string(),
        "the set would have 0 entries, less than half of the 1 published ones: if this is intended, allow it with \
         `SetBuilder::allow_shrinking(true)`; nothing was changed"
    );
}

/// Other readers accept the empty file.
#[test]
fn curl_and_xmllint_read_a_day_without_news() {
    let (Some(curl), Some(xmllint)) = (
        sitemap_tests::program("curl_and_xmllint_read_a_day_without_news", "curl"),
        sitemap_tests::program("curl_and_xmllint_read_a_day_without_news", "xmllint"),
    ) else {
        return;
    };
    let site = SiteBuilder::new("https://example.com")
        .section("news", Section::new(Vec::<UrlEntry>::new()).news())
        .build()
        .unwrap();
    let server = Server::start(&site);
    for (path, expected) in [
        ("/sitemap.xml", "https://example.com/sitemap-news.xml"),
        ("/sitemap-news.xml", ""),
    ] {
        let url = format!("http://{}{path}", server.address);
        let answer = Command::new(&curl)
            .args(["--fail", "--silent", "--compressed", &url])
            .output()
            .unwrap();
        assert!(answer.status.success(), "{path}: {answer:?}");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &answer.stdout).unwrap();
        let read = Command::new(&xmllint)
            .args(["--xpath", "string(//*[local-name()='loc'])"])
            .arg(file.path())
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(read.stdout).unwrap().trim(), expected, "{path}");
    }
}

/// A row with three articles.
#[derive(Clone)]
struct Three(usize);

impl SitemapEntry for Three {
    fn write_entry(&self, entry: &mut EntryWriter<'_>) -> Result<()> {
        entry.each(["a", "b", "c"], |part, entry| {
            article(&format!("/{}/{part}", self.0), START).write_entry(entry)
        })
    }
}

#[test]
fn a_part_of_news_has_1000_articles() {
    let rows: Vec<_> = (0..450).map(Three).collect();
    let site = SiteBuilder::new("https://example.com")
        .section("news", Section::new(rows).news())
        .clock(|| time(START))
        .build()
        .unwrap();
    let (locs, lines) = logged(async {
        // The first part is being split, which is not a failure of the section.
        site.ready().await.unwrap();
        let ask = site.respond(&Request::get("/sitemap-news.xml").body(()).unwrap());
        let refused = ask.await;
        assert_eq!(refused.status(), 503);
        tokio::time::sleep(Duration::from_millis(300)).await;
        let locs = walked(&site).await;
        // It stays split after a new count.
        site.refresh().await.unwrap();
        assert_eq!(walked(&site).await, locs);
        locs
    });
    assert_eq!(locs.len(), 3 * 450);
    let refused = lines.iter().filter(|line| line.contains("is being split"));
    assert_eq!(refused.count(), 1, "{lines:?}");
    assert!(
        lines.contains(
            &"ERROR sitemap-news.xml cannot be rendered: the range has more entries or bytes than a sitemap may have (P-NEWS4, P-SIZE): \
              333 of its rows fit in; it is being split"
                .to_owned()
        ),
        "{lines:?}"
    );
}

#[tokio::test]
async fn news_are_fresh_for_a_minute() {
    let (table, clock) = (Table::default(), Arc::new(AtomicU64::new(START)));
    table.lock().unwrap().push(("/news/1".to_owned(), START));
    let site = builder(&table, &clock)
        .max_age(Duration::from_secs(600))
        .build()
        .unwrap();
    for (path, age) in [
        ("/sitemap.xml", 60),
        ("/sitemap-news.xml", 60),
        ("/sitemap-pages.xml", 600),
    ] {
        let response = site.respond(&Request::get(path).body(()).unwrap()).await;
        let control = response.headers()["cache-control"].to_str().unwrap();
        assert!(
            control.starts_with(&format!("public, max-age={age},")),
            "{path}: {control}"
        );
    }
}

/// Rows without news are left out, and all of them are a failure.
#[test]
fn rows_of_news_have_news() {
    let site = SiteBuilder::new("https://example.com")
        .section("news", Section::new([UrlEntry::new("/about")]).news())
        .build()
        .unwrap();
    let (status, lines) = logged(async {
        let response = site.respond(&Request::get("/sitemap-news.xml").body(()).unwrap());
        response.await.status().as_u16()
    });
    assert_eq!(status, 500);
    assert!(
        lines.iter().any(|line| line
            .contains("a row is skipped in the sitemap key=1 error=https://example.com/about has no `news:news`, and the section is one of news")),
        "{lines:?}"
    );
}

#[test]
fn sections_have_settings_of_their_own() {
    let news = || Section::new([UrlEntry::new("/")]);
    let refusal = |section: Section| {
        let mut site = SiteBuilder::new("https://example.com");
        site.section("news", section).build().unwrap_err().to_string()
    };
    for rows in [0, 40_001] {
        assert_eq!(
            refusal(news().part_rows(rows)),
            format!("`part_rows` of the section `news` is {rows}; it is from 1 to 40000")
        );
    }
    assert_eq!(
        refusal(news().news().part_rows(501)),
        "the parts of the news section `news` have 501 rows on average, and some of them twice as many; a part has at most 1000 \
         articles (P-NEWS4), so that `Section::part_rows` is at most 500"
    );
    let mut site = SiteBuilder::new("https://example.com");
    site.section("news", news().part_rows(500).news())
        .part_rows(40_000);
    assert!(site.build().is_ok());
}
