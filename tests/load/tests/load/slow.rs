//! A hundred clients that read one kilobyte per second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sitemap_serving_tests::{Client, get};

use crate::served::{Shop, sqlite};

/// More bytes than the sockets of both ends can buffer.
const WIDTH: usize = 1_900;

/// The median time of a product's page, which is one query, for two shops. Requests alternate between them, so that other load affects
/// both.
fn product(shop: &Shop, other: &Shop) -> (Duration, Duration) {
    let timed = |shop: &Shop, id: usize| {
        let started = Instant::now();
        assert_eq!(get(shop.address, &format!("/products/{id}"), &[]).status, 200);
        started.elapsed()
    };
    let (mut own, mut others): (Vec<_>, Vec<_>) =
        (1..=301).map(|id| (timed(shop, id), timed(other, id))).unzip();
    own.sort();
    others.sort();
    (own[150], others[150])
}

#[test]
fn slow_clients_hold_no_connection_and_slow_nothing_down() {
    let file = sqlite(10_101, WIDTH);
    // With one connection, any request that held it would block all others.
    let shop = Shop::start(&file.url, &[("CONNECTIONS", "1")]);
    let quiet = Shop::start(&file.url, &[("CONNECTIONS", "1")]);
    let path = "/sitemap-products.xml";
    let whole = get(shop.address, path, &[]);
    assert!(whole.body.len() > 18_000_000, "{}", whole.body.len());
    let before = shop.stats();
    let memory = shop.process().memory().0;

    let slow: Vec<Client> = (0..100)
        .map(|_| {
            let mut client = shop.ask(path);
            assert_eq!(client.receive_head().unwrap().status, 200);
            client
        })
        .collect();
    let reading = AtomicBool::new(true);
    thread::scope(|scope| {
        let readers: Vec<_> = slow
            .into_iter()
            .map(|mut client| {
                let (reading, whole) = (&reading, &whole);
                scope.spawn(move || {
                    let mut block = [0; 1024];
                    let mut at = 0;
                    while reading.load(Ordering::SeqCst) {
                        let read = client.read(&mut block).unwrap();
                        assert!(read > 0 && block[..read] == whole.body[at..at + read]);
                        at += read;
                        thread::sleep(Duration::from_secs(1));
                    }
                    at
                })
            })
            .collect();
        let (loaded, idle) = product(&shop, &quiet);
        assert!(
            loaded <= idle * 2,
            "{loaded:?} while there are slow clients, {idle:?} without"
        );
        // A connection returns to its pool shortly after its query.
        shop.until("idle", |idle| idle == 1);
        let stats = shop.stats();
        // Another part is rendered in the meantime, over the only connection.
        assert_eq!(get(shop.address, "/sitemap-products.10000~.xml", &[]).status, 200);
        reading.store(false, Ordering::SeqCst);
        for reader in readers {
            let read = reader.join().unwrap();
            assert!((1..100_000).contains(&read), "{read} bytes are not slow");
        }
        assert_eq!(
            (stats["connections"], stats["idle"], stats["under_way"]),
            (1, 1, 0)
        );
        assert_eq!(stats["renderings"], before["renderings"]);
        // A client costs a few blocks of 32 kB, not its whole document.
        let more = shop.process().memory().0.saturating_sub(memory);
        assert!(more < 100 << 20, "{} MB more for a hundred clients", more >> 20);
    });
}
