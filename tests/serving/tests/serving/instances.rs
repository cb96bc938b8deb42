//! Several instances of a site over the same rows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use http::Request;
use sitemap_serving_tests::{Rows, body, sitemaps, urls};
use sitemap_site::source::BoxError;
use sitemap_site::storage::Version;
use sitemap_site::{Site, SiteBuilder, TableStore};

const BASE: &str = "https://example.com";

fn builder(rows: &Rows) -> SiteBuilder {
    SiteBuilder::new(BASE)
        .section("pages", rows.clone())
        .part_rows(10)
        .max_age(Duration::from_secs(600))
        .clone()
}

/// Deterministic random numbers below a bound.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        i64::try_from(self.0 >> 33).unwrap() % bound
    }
}

struct Answer {
    status: u16,
    etag: Option<String>,
    modified: Option<SystemTime>,
    text: String,
}

async fn ask(site: &Site, path: &str) -> Answer {
    let response = site.respond(&Request::get(path).body(()).unwrap()).await;
    let header = |name: &str| {
        let value = response.headers().get(name)?;
        Some(value.to_str().unwrap().to_owned())
    };
    let modified = header("last-modified");
    Answer {
        status: response.status().as_u16(),
        etag: header("etag"),
        modified: modified.map(|time| httpdate::parse_http_date(&time).unwrap()),
        text: body(response).await,
    }
}

async fn listed(site: &Site) -> Vec<String> {
    let index = ask(site, "/sitemap.xml").await;
    let path = |loc: &str| loc.strip_prefix(BASE).unwrap().to_owned();
    sitemaps(&index.text).iter().map(|part| path(&part.loc)).collect()
}

fn change(rows: &Rows, random: &mut Random) {
    change_except(rows, random, |_| false);
}

/// Changes rows, but removes no permanent ones.
fn change_except(rows: &Rows, random: &mut Random, stays: fn(i64) -> bool) {
    for _ in 0..=random.below(6) {
        let id = random.below(400);
        match random.below(4) {
            0 if stays(id) => {}
            0 => rows.remove(id),
            1 => (id..id + random.below(30)).for_each(|id| rows.put(id)),
            2 => rows.put(id),
            _ => rows.change(id, |page| {
                page.updated = format!("2026-06-{:02}", 1 + id % 30).parse().ok();
            }),
        }
    }
}

/// Returns `true` if a row is in the range of a part's address.
fn is_in(id: i64, path: &str) -> bool {
    let range = path
        .strip_prefix("/sitemap-pages.")
        .unwrap()
        .strip_suffix(".xml")
        .unwrap();
    let (after, to) = range.split_once('~').unwrap();
    let after: i64 = after.parse().unwrap_or(i64::MIN);
    let to: i64 = to.parse().unwrap_or(i64::MAX);
    after < id && id <= to
}

fn has_rows(rows: &Rows, part: &str) -> bool {
    let id = |loc: String| loc.strip_prefix("/p").unwrap().parse().unwrap();
    rows.locs("").into_iter().any(|loc| is_in(id(loc), part))
}

/// Instances that have counted the same rows have the same index, whatever requests they got before. Each serves the parts that another
/// lists.
#[tokio::test]
async fn tables_depend_on_rows_alone() {
    let rows = Rows::new(200);
    let sites = [(); 2].map(|()| builder(&rows).build().unwrap());
    let mut random = Random(1);
    for round in 0..sitemap_tests::rounds(20) {
        for site in &sites {
            change(&rows, &mut random);
            if random.below(2) == 0 {
                site.refresh().await.unwrap();
            }
            let parts = listed(site).await;
            for _ in 0..random.below(5) {
                let at = usize::try_from(random.below(i64::try_from(parts.len()).unwrap())).unwrap();
                ask(site, &parts[at]).await;
            }
        }
        // Instances of different age: each serves every listed part that has rows.
        for (site, other) in [(&sites[0], &sites[1]), (&sites[1], &sites[0])] {
            for part in listed(site).await {
                let expected = if has_rows(&rows, &part) { 200 } else { 404 };
                for site in [site, other] {
                    assert_eq!(ask(site, &part).await.status, expected, "{part}");
                    // An instance that found it empty no longer lists it.
                    let is_listed = listed(site).await.contains(&part);
                    assert!(expected == 200 || !is_listed, "{part}");
                }
            }
        }
        let mut indexes = Vec::new();
        for site in &sites {
            site.refresh().await.unwrap();
            indexes.push(ask(site, "/sitemap.xml").await);
        }
        let new = builder(&rows).build().unwrap();
        indexes.push(ask(&new, "/sitemap.xml").await);
        assert!(indexes[0].etag.is_some());
        for index in &indexes[1..] {
            assert_eq!(index.text, indexes[0].text, "round {round}");
            assert_eq!(index.etag, indexes[0].etag);
        }
    }
}

/// A walk reads the index from one instance, and the parts later from others. Each permanent row is in exactly one part.
#[tokio::test]
async fn a_walk_with_an_old_index_finds_every_row_that_stays() {
    let stays = |id: i64| id % 3 == 0;
    for seed in 0..sitemap_tests::rounds(8) as u64 {
        let rows = Rows::new(300);
        let sites = [(); 3].map(|()| builder(&rows).build().unwrap());
        let mut random = Random(seed);
        let any = |random: &mut Random| &sites[usize::try_from(random.below(3)).unwrap()];
        for round in 0..8 {
            let mut found: HashMap<String, usize> = HashMap::new();
            for part in listed(any(&mut random)).await {
                change_except(&rows, &mut random, stays);
                match random.below(6) {
                    0 => any(&mut random).refresh().await.unwrap(),
                    1 => any(&mut random).purge("pages").unwrap(),
                    _ => {}
                }
                let answer = ask(any(&mut random), &part).await;
                if answer.status == 200 {
                    for entry in urls(&answer.text) {
                        *found.entry(entry.loc).or_default() += 1;
                    }
                } else {
                    assert!(answer.status == 404 && !has_rows(&rows, &part), "{part}");
                }
            }
            for id in (1..=300).filter(|id| stays(*id)) {
                let times = found.get(&format!("{BASE}/p{id}"));
                assert_eq!(times, Some(&1), "row {id}, seed {seed}, round {round}");
            }
        }
    }
}

/// The same with a store, which holds the times of changes.
#[tokio::test(start_paused = true)]
async fn a_shared_store_makes_indexes_equal() {
    for seed in 0..4 {
        let rows = Rows::new(200);
        let store = Shared::default();
        let sites = [(); 2].map(|()| builder(&rows).table_store(store.clone()).build().unwrap());
        let mut random = Random(seed);
        for round in 0..6 {
            for site in &sites {
                change(&rows, &mut random);
                for part in listed(site).await {
                    if random.below(2) == 0 {
                        ask(site, &part).await;
                    }
                }
            }
            // First all instances count, then all load what the others have stored.
            for _ in 0..2 {
                for site in &sites {
                    site.refresh().await.unwrap();
                    tokio::time::sleep(Duration::from_secs(5)).await;
                }
            }
            let [one, other] = &sites;
            loop {
                let before = ask(one, "/sitemap.xml").await;
                let index = ask(other, "/sitemap.xml").await;
                // Times of changes within one second are not sent before they have passed.
                if ask(one, "/sitemap.xml").await.etag == before.etag {
                    assert_eq!(index.text, before.text, "seed {seed}, round {round}");
                    assert_eq!((index.etag.is_some(), &index.etag), (true, &before.etag));
                    break;
                }
            }
        }
    }
}

/// The parts of another instance are read once within `max_age`, like its own. Made-up ranges need not be cached.
#[tokio::test]
async fn what_another_instance_lists_is_read_once() {
    let rows = Rows::new(2_000);
    let site = |part_rows| builder(&rows).part_rows(part_rows).build().unwrap();
    let (old, new) = (site(100), site(100));
    old.ready().await.unwrap();
    (500..900).step_by(3).for_each(|id| rows.remove(id));
    new.ready().await.unwrap();
    let (before, after) = (listed(&old).await, listed(&new).await);
    let others: Vec<_> = after.iter().filter(|part| !before.contains(part)).collect();
    assert!(others.len() >= 3, "{others:?}");
    for part in &others {
        assert_eq!(ask(&old, part).await.status, 200);
    }
    let (queries, cached) = (rows.queries(), old.stats().cached_bytes);
    for part in &others {
        assert_eq!(ask(&old, part).await.status, 200);
    }
    assert_eq!(rows.queries(), queries);
    let mut random = Random(1);
    for _ in 0..100 {
        let first = random.below(1_900);
        ask(
            &old,
            &format!("/sitemap-pages.{first}~{}.xml", first + random.below(99)),
        )
        .await;
    }
    // One made-up end in six could be a part's end, so one range in forty could be a part.
    let kept = (old.stats().cached_bytes - cached) / 512;
    assert!(kept <= 20, "{kept}");
}

/// A store in memory, which counts versions.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<(u64, Option<String>)>>);

impl TableStore for Shared {
    async fn load(&self) -> Result<Option<(String, Version)>, BoxError> {
        let stored = self.0.lock().unwrap();
        Ok(stored
            .1
            .clone()
            .map(|table| (table, Version::new(stored.0.to_string()))))
    }

    async fn save(&self, table: String, replaces: Option<Version>) -> Result<bool, BoxError> {
        // Another instance may be faster.
        tokio::time::sleep(Duration::from_millis(5)).await;
        let mut stored = self.0.lock().unwrap();
        let current = stored.1.as_ref().map(|_| Version::new(stored.0.to_string()));
        if current != replaces {
            return Ok(false);
        }
        *stored = (stored.0 + 1, Some(table));
        Ok(true)
    }
}

impl Shared {
    /// The time when the stored table was made.
    fn counted_all(&self) -> Option<u64> {
        let table = self.0.lock().unwrap().1.clone()?;
        let (_, after) = table.split_once(r#""counted":{"all":"#)?;
        after.split_once(',')?.0.parse().ok()
    }

    /// The number of parts with known content.
    fn known(&self) -> usize {
        let table = self.0.lock().unwrap().1.clone().unwrap_or_default();
        table.matches("\"hash\":").count()
    }
}

/// Two instances render, count and save in any order. No hash is lost while the rows stay the same, and no time goes backwards.
#[tokio::test(start_paused = true)]
async fn what_instances_know_is_combined_in_the_store() {
    let rows = Rows::new(300);
    let store = Shared::default();
    let sites = [(); 3].map(|()| builder(&rows).table_store(store.clone()).build().unwrap());
    let mut random = Random(3);
    // For each part, by instance.
    let mut times: HashMap<(usize, String), SystemTime> = HashMap::new();
    for round in 0..40 {
        let is_changed = round % 4 == 0;
        if is_changed {
            change(&rows, &mut random);
        }
        let known = store.known();
        let mut tasks = Vec::new();
        for site in &sites {
            let (what, first) = (random.below(3), random.below(40));
            let site = site.clone();
            tasks.push(tokio::spawn(async move {
                match what {
                    0 if is_changed => site.refresh().await.unwrap(),
                    1 if is_changed => site.purge("pages").unwrap(),
                    _ => {}
                }
                let parts = listed(&site).await;
                let mut found = Vec::new();
                for part in parts.iter().cycle().skip(usize::try_from(first).unwrap()).take(4) {
                    let answer = ask(&site, part).await;
                    found.extend(answer.modified.map(|time| (part.clone(), time)));
                }
                found
            }));
        }
        for (site, task) in tasks.into_iter().enumerate() {
            for (part, time) in task.await.unwrap() {
                let before = times.insert((site, part.clone()), time);
                assert!(before <= Some(time), "{part}: {time:?} after {before:?}");
            }
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
        if !is_changed {
            assert!(store.known() >= known, "round {round}");
        }
    }
    assert!(times.len() > 20, "{} parts", times.len());
    // A part rendered by one instance is known to all others.
    for site in &sites {
        site.refresh().await.unwrap();
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    for part in listed(&sites[0]).await {
        ask(&sites[0], &part).await;
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    for site in &sites {
        site.refresh().await.unwrap();
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    // Changes within one real second have times ahead of the clock, and are not sent before those times.
    let mut compared = 0;
    for part in listed(&sites[0]).await {
        let first = ask(&sites[0], &part).await;
        for site in &sites[1..] {
            let other = ask(site, &part).await;
            assert_eq!(other.etag, first.etag, "{part}");
            if let (Some(other), Some(first)) = (other.modified, first.modified) {
                assert_eq!(other, first, "{part}");
                compared += 1;
            }
        }
    }
    assert!(compared > 10, "{compared} times");
}

/// A part that has lost its rows is no longer in an index, even after its table was combined with the table of an instance that
/// saw it full.
#[tokio::test(start_paused = true)]
async fn an_emptied_part_is_listed_by_none_until_it_has_rows() {
    let rows = Rows::new(300);
    let store = Shared::default();
    let [one, two] = [(); 2].map(|()| {
        let mut builder = builder(&rows);
        builder.max_age(Duration::ZERO).table_store(store.clone());
        builder.build().unwrap()
    });
    let all = listed(&one).await;
    let part = &all[3];
    for site in [&one, &two] {
        assert_eq!(ask(site, part).await.status, 200);
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
    let ids: Vec<i64> = (1..=300).filter(|id| is_in(*id, part)).collect();
    for id in &ids {
        rows.remove(*id);
    }
    assert_eq!(ask(&one, part).await.status, 404);
    for _ in 0..4 {
        for site in [&one, &two] {
            tokio::time::sleep(Duration::from_secs(5)).await;
            listed(site).await;
        }
    }
    for site in [&one, &two] {
        assert!(!listed(site).await.contains(part));
    }
    rows.put(ids[0]);
    for _ in 0..2 {
        for site in [&one, &two] {
            listed(site).await;
            tokio::time::sleep(Duration::from_secs(5)).await;
            assert_eq!(listed(site).await, all);
        }
    }
}

/// The time of the last count of all rows survives the process, even if the count changed nothing.
#[tokio::test]
async fn a_restart_does_not_count_all_rows_again() {
    let rows = Rows::new(300);
    let store = Shared::default();
    let build = || {
        let mut builder = builder(&rows);
        builder
            .table_store(store.clone())
            .recount_after(Duration::from_secs(3_600));
        builder.build().unwrap()
    };
    let is_saved = async |after: Option<u64>| {
        let saved = async {
            while store.counted_all() <= after {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), saved)
            .await
            .unwrap();
    };
    let site = build();
    site.ready().await.unwrap();
    is_saved(Some(0)).await;
    let first = store.counted_all();
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    site.refresh().await.unwrap();
    is_saved(first).await;

    let site = build();
    let queries = rows.queries();
    listed(&site).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    // Only the last part.
    assert!(rows.queries() - queries <= 2, "{}", rows.queries() - queries);
}

/// A failed count does not count as a later one. The table of the instance that could count all rows stays.
#[tokio::test(start_paused = true)]
async fn a_count_that_fails_does_not_replace_that_of_another() {
    let rows = Rows::new(300);
    let store = Shared::default();
    let site = || {
        let mut builder = builder(&rows);
        builder.table_store(store.clone());
        builder.build().unwrap()
    };
    let (good, failing) = (site(), site());
    good.ready().await.unwrap();
    failing.ready().await.unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let before = store.counted_all();
    assert!(before.is_some());
    // A second of the running clock.
    std::thread::sleep(Duration::from_millis(1_100));
    rows.fail_above(200);
    rows.slow_down(Duration::from_millis(100));
    rows.change(1, |page| page.updated = "2026-06-01".parse().ok());
    let part = listed(&failing).await.remove(0);
    // A request finds a change while the rows are counted, so there is something to store.
    let (counted, answer) = tokio::join!(failing.refresh(), ask(&failing, &part));
    assert_eq!((counted.is_err(), answer.status), (true, 200));
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(store.counted_all(), before);
}
