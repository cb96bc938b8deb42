//! Five hundred clients that disconnect after their request.

use std::thread;
use std::time::Duration;

use sitemap_serving_tests::get;

use crate::served::{Shop, sqlite};

const CLIENTS: usize = 500;

#[test]
fn those_who_leave_leave_nothing_behind() {
    // The number of rows read for an unlisted range. Pages have ten rows, so a rendering takes 1,900 queries and is far from done when the
    // clients disconnect. Unlisted ranges get half of the queue.
    let file = sqlite(19_000, 12);
    let settings = [("PAGE_ROWS", "10"), ("MEMORY_BYTES", "0")];
    let shop = Shop::start(&file.url, &settings);
    get(shop.address, "/sitemap.xml", &[]);
    shop.until("under_way", |flights| flights == 0);
    let (process, before) = (shop.process(), shop.stats());
    // The cost of a rendering, for comparison.
    let started = process.cpu();
    assert_eq!(get(shop.address, "/sitemap-products.1~.xml", &[]).status, 200);
    let one = process.cpu().saturating_sub(started);
    let mut files = Vec::new();
    let mut memory = Vec::new();
    for round in 0..3 {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                shop.ask(&format!(
                    "/sitemap-products.{}~.xml",
                    2 + round * CLIENTS + client
                ))
            })
            .collect();
        shop.until("under_way", |flights| flights > 400);
        drop(clients);
        let left = process.cpu();
        shop.until("under_way", |flights| flights == 0);
        // Work in progress ended long before its normal end, by processor time, not by the clock.
        let spent = process.cpu().saturating_sub(left);
        assert!(
            spent < one * 8 + Duration::from_secs(1),
            "{spent:?} after they left, and one rendering takes {one:?}"
        );
        shop.until("tasks", |tasks| tasks <= before["tasks"] + 1);
        shop.until("idle", |idle| idle == shop.stat("connections"));
        files.push(process.files());
        memory.push(process.memory().0);
        // No work continues.
        let (queries, cpu) = (shop.stat("queries"), process.cpu());
        thread::sleep(Duration::from_millis(500));
        assert_eq!(shop.stat("queries"), queries);
        let idle = process.cpu().saturating_sub(cpu);
        assert!(
            idle <= Duration::from_millis(100),
            "{idle:?} of half a second in which nobody asks"
        );
    }
    assert_eq!(shop.stat("failures"), before["failures"]);
    // The pool's four connections have a few files each, and are opened on demand.
    assert!(
        files[2] <= files[0] + 16,
        "open files after each round: {files:?}"
    );
    assert!(
        memory[2] < memory[0] + memory[0] / 2 + (8 << 20),
        "memory after each round: {memory:?}"
    );
    // It still serves requests.
    assert_eq!(get(shop.address, "/sitemap-products.1~.xml", &[]).status, 200);
}
