//! A database that is locked, removed, or restarted while parts are rendered.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_serving_tests::{Postgres, get, urls};
use sqlx::Connection as _;

use crate::served::{Shop, execute, sqlite};

const ROWS: usize = 3_000 - 30;
const PATH: &str = "/sitemap-products.xml";

/// Sends requests on several threads while `disturb` runs. Every answer must be a whole part or a failure without one. Returns the number
/// of each.
fn watched(shop: &Shop, disturb: impl FnOnce(&dyn Fn())) -> (usize, usize) {
    let on = AtomicBool::new(true);
    let (whole, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for client in 0..6 {
            let (on, whole, failed) = (&on, &whole, &failed);
            scope.spawn(move || {
                while on.load(Ordering::SeqCst) {
                    let path = if client % 2 == 0 {
                        PATH
                    } else {
                        "/sitemap-products.~3000.xml"
                    };
                    let response = get(shop.address, path, &[]);
                    match response.status {
                        200 => {
                            assert_eq!(urls(response.text()).len(), ROWS);
                            whole.fetch_add(1, Ordering::SeqCst);
                        }
                        500 | 503 => {
                            assert!(!response.text().contains('<'), "{response:?}");
                            assert_eq!(response.header("cache-control"), Some("no-store"));
                            failed.fetch_add(1, Ordering::SeqCst);
                        }
                        status => panic!("{status}"),
                    }
                    // The index is unchanged.
                    assert_eq!(get(shop.address, "/sitemap.xml", &[]).status, 200);
                }
            });
        }
        // Waits until a rendering is running. This is soon, because pages have ten rows.
        let in_the_middle = || shop.until("under_way", |flights| flights > 0);
        disturb(&in_the_middle);
        on.store(false, Ordering::SeqCst);
    });
    (whole.into_inner(), failed.into_inner())
}

/// Sends requests until a part is served again.
#[track_caller]
fn until_served(shop: &Shop) {
    let started = Instant::now();
    loop {
        let response = get(shop.address, PATH, &[]);
        if response.status == 200 {
            assert_eq!(urls(response.text()).len(), ROWS);
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(90), "{response:?}");
        thread::sleep(Duration::from_millis(50));
    }
}

const SETTINGS: [(&str, &str); 3] = [("PAGE_ROWS", "10"), ("MEMORY_BYTES", "0"), ("MAX_AGE_MS", "200")];

/// Waits until some requests failed, or for a short time.
fn until_failed(shop: &Shop) {
    let failures = shop.stat("failures");
    let started = Instant::now();
    while shop.stat("failures") == failures && started.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_file_that_is_locked_in_the_middle() {
    let file = sqlite(3_000, 12);
    // With this journal, a writer blocks readers.
    execute(&file.url, "PRAGMA journal_mode = DELETE");
    let shop = Shop::start(&file.url, &SETTINGS);
    let (whole, failed) = watched(&shop, |in_the_middle| {
        for _ in 0..3 {
            in_the_middle();
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let options = sqlx::sqlite::SqliteConnectOptions::new()
                    .filename(&file.path)
                    .busy_timeout(Duration::from_secs(30));
                let mut writer = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
                sqlx::raw_sql("BEGIN EXCLUSIVE")
                    .execute(&mut writer)
                    .await
                    .unwrap();
                until_failed(&shop);
                sqlx::raw_sql("COMMIT").execute(&mut writer).await.unwrap();
                writer.close().await.unwrap();
            });
            until_served(&shop);
        }
    });
    assert!(whole > 0 && failed > 0, "{whole} were whole, {failed} failed");
}

#[test]
fn a_file_that_is_removed_in_the_middle() {
    let file = sqlite(3_000, 12);
    let shop = Shop::start(&file.url, &SETTINGS);
    let away = file.path.with_extension("away");
    let (whole, _) = watched(&shop, |in_the_middle| {
        for _ in 0..3 {
            in_the_middle();
            // Open connections keep using the file. For new connections, it is soon back.
            fs::rename(&file.path, &away).unwrap();
            thread::sleep(Duration::from_millis(200));
            fs::rename(&away, &file.path).unwrap();
            until_served(&shop);
        }
    });
    assert!(whole > 0);
    until_served(&shop);
}

#[test]
fn a_server_that_is_restarted_in_the_middle() {
    let Some(mut postgres) = Postgres::start("a_server_that_is_restarted_in_the_middle") else {
        return;
    };
    let url = postgres.url();
    execute(&url, &sitemap_load_tests::fill(&url, 3_000, 12));
    let shop = Shop::start(&url, &SETTINGS);
    let (whole, failed) = watched(&shop, |in_the_middle| {
        for _ in 0..3 {
            in_the_middle();
            postgres.stop();
            until_failed(&shop);
            postgres.restart();
            until_served(&shop);
        }
    });
    assert!(whole > 0 && failed > 0, "{whole} were whole, {failed} failed");
    shop.until("under_way", |flights| flights == 0);
}
