//! Five hundred clients that disconnect after their request.

use std::thread;
use std::time::Duration;

use sitemap_serving_tests::{get, listed};

use crate::served::{Shop, sqlite};

const CLIENTS: usize = 500;

#[test]
fn those_who_leave_leave_nothing_behind() {
    // Unlisted ranges of many parts. Pages have ten rows, so a rendering takes hundreds of queries and is far from done when the clients
    // disconnect. Unlisted ranges get half of the queue.
    let file = sqlite(19_000, 12);
    let settings = [("PAGE_ROWS", "10"), ("PART_ROWS", "200"), ("MEMORY_BYTES", "0")];
    let shop = Shop::start(&file.url, &settings);
    let names = listed(shop.address);
    let ends: Vec<_> = names
        .iter()
        .filter(|name| name.contains("products."))
        .filter_map(|name| name.split_once('~')?.1.strip_suffix(".xml"))
        .filter(|end| !end.is_empty())
        .collect();
    let (first, last) = ends.split_at(ends.len() / 2);
    let ranges: Vec<_> = first
        .iter()
        .flat_map(|after| {
            last.iter()
                .map(move |to| format!("/sitemap-products.{after}~{to}.xml"))
        })
        .collect();
    assert!(ranges.len() >= 3 * CLIENTS, "{}", ranges.len());
    shop.until("under_way", |flights| flights == 0);
    let (process, before) = (shop.process(), shop.stats());
    // The cost of a rendering, for comparison.
    let started = process.cpu();
    let whole = ranges.last().unwrap();
    assert_eq!(get(shop.address, whole, &[]).status, 200);
    let one = process.cpu().saturating_sub(started);
    let mut files = Vec::new();
    let mut memory = Vec::new();
    for round in 0..3 {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| shop.ask(&ranges[round * CLIENTS + client]))
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
    assert_eq!(get(shop.address, whole, &[]).status, 200);
}
