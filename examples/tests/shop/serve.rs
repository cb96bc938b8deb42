//! Responses to a crawler.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use diesel::connection::SimpleConnection;

use crate::program::{Server, Shop};
use crate::sitemap::{Entry, assert_same, sitemaps, urls, validate};

/// The index, and every part with its entries.
fn crawl(test: &str, server: &Server) -> (Vec<Entry>, Vec<Vec<Entry>>) {
    let xml = server.xml("/sitemap.xml");
    validate(test, &xml);
    let index = sitemaps(&xml);
    let parts = index.iter().map(|part| {
        let path = part
            .loc
            .strip_prefix(&server.address)
            .expect("the index's own site");
        let xml = server.xml(path);
        validate(test, &xml);
        urls(&xml)
    });
    let parts = parts.collect();
    (index, parts)
}

#[test]
fn every_row_that_is_listed_is_in_a_part_once() {
    let shop = Shop::new();
    let server = shop.serve(&["--products", "2000"]);
    let (index, parts) = crawl("every_row_that_is_listed_is_in_a_part_once", &server);
    let locs: Vec<_> = index
        .iter()
        .map(|part| part.loc.strip_prefix(&server.address).unwrap())
        .collect();
    assert_eq!(
        locs,
        [
            "/sitemap-pages.xml",
            "/sitemap-posts.xml",
            "/sitemap-products.xml"
        ]
    );
    assert_same(&parts.concat(), &shop.listed(&server.address));
}

#[test]
fn the_full_shop_is_in_parts_of_about_10_000() {
    let shop = Shop::new();
    let server = shop.serve(&[]);
    let (index, parts) = crawl("the_full_shop_is_in_parts_of_about_10_000", &server);
    assert_eq!(index.len(), 13);
    assert_eq!(
        index[2].loc,
        format!("{}/sitemap-products.~6137.xml", server.address)
    );
    assert_eq!(
        index[12].loc,
        format!("{}/sitemap-products.115040~.xml", server.address)
    );
    for (summary, part) in index.iter().zip(&parts) {
        assert!(
            (1..=15_000).contains(&part.len()),
            "{}: {}",
            summary.loc,
            part.len()
        );
        // If a page's change is undated, so is its part's.
        let all = part.iter().all(|entry| entry.lastmod.is_some());
        let newest = part.iter().filter_map(|entry| entry.lastmod.as_ref()).max();
        assert_eq!(
            summary.lastmod.as_ref(),
            newest.filter(|_| all),
            "{}",
            summary.loc
        );
        assert_eq!(summary.lastmod.is_some(), summary.loc.contains("products"));
    }
    let listed = shop.listed(&server.address);
    assert_eq!(listed.len(), 119_230);
    assert_same(&parts.concat(), &listed);
}

/// Twelve times the rows need the same memory, except for the compressed parts in the cache. One part would be 2 MiB of text.
#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_number_of_rows() {
    let peak = |products| {
        let shop = Shop::new();
        let server = shop.serve(&["--products", products]);
        for part in sitemaps(&server.xml("/sitemap.xml")) {
            server.xml(part.loc.strip_prefix(&server.address).unwrap());
        }
        server.peak_memory()
    };
    let (few, many) = (peak("5000"), peak("60000"));
    assert!(
        many < few + 8 * 1024,
        "{few} KiB for 5,000 rows, {many} KiB for 60,000"
    );
}

#[test]
fn base_is_where_the_public_finds_it() {
    let shop = Shop::new();
    let server = shop.serve(&["--products", "10", "--base", "https://example.com/shop/"]);
    let index = sitemaps(&server.xml("/sitemap.xml"));
    assert_eq!(index[2].loc, "https://example.com/shop/sitemap-products.xml");
    let products = urls(&server.xml("/sitemap-products.xml"));
    assert_eq!(
        products[0].loc,
        "https://example.com/shop/products/white-oak-lamp-1"
    );
    assert_eq!(
        server.response("/robots.txt").body,
        "User-agent: *\nAllow: /\n\nSitemap: https://example.com/shop/sitemap.xml\n"
    );
}

#[test]
fn only_parts_that_there_are_have_an_address() {
    let shop = Shop::new();
    let server = shop.serve(&["--products", "10"]);
    for path in [
        "/sitemap-products-1.xml",
        "/sitemap-products.1.xml",
        "/sitemap-products.~01.xml",
        "/sitemap-products.+1~2.xml",
        "/sitemap-products.10~.xml",
        "/sitemap-products.99999999999999999999~.xml",
        "/sitemap-products.a~.xml",
        "/sitemap-drafts.xml",
        "/sitemap-products.xml.gz",
    ] {
        assert_eq!(server.response(path).status, 404, "{path}");
    }
}

#[test]
fn links_lead_somewhere() {
    let shop = Shop::new();
    let server = shop.serve(&["--products", "3000"]);
    let awkward = |entry: &&Entry| entry.loc.contains('%') || entry.loc.len() > 1000;
    let listed = shop.listed(&server.address);
    let pages = listed.iter().take(10).chain(listed.iter().filter(awkward));
    let mut count = 0;
    for page in pages {
        let path = page.loc.strip_prefix(&server.address).unwrap();
        let response = server.response(path);
        assert_eq!(
            (response.status, response.content_type.as_str()),
            (200, "text/html; charset=utf-8"),
            "{path}"
        );
        count += 1;
    }
    assert!(count > 50, "{count}");
    assert_eq!(
        server.response("/products/grey-linen-vase-97").status,
        404,
        "a draft"
    );
}

/// A crawler that disconnects costs the shop nothing.
#[test]
fn a_client_that_goes_away_leaves_the_server_well() {
    let shop = Shop::new();
    let server = shop.serve(&["--products", "20000"]);
    for _ in 0..10 {
        let mut body = server.open("/sitemap-products.~6137.xml");
        body.read_exact(&mut [0; 1000]).unwrap();
        drop(body);
    }
    // Every 97th product is a draft.
    let listed = (6_138..=20_000).filter(|id| id % 97 != 0).count();
    assert_eq!(urls(&server.xml("/sitemap-products.6137~.xml")).len(), listed);
    assert_eq!(problems(&server.log()), Vec::<&str>::new());
}

/// The lines of a log, without the two of every start: the number of new rows, and the posts without a date.
fn problems(log: &str) -> Vec<&str> {
    log.lines()
        .filter(|line| {
            !line.starts_with("filling") && !line.contains("the index has no lastmod of sitemap-posts.xml")
        })
        .collect()
}

/// An unreadable cell skips its row. A missing table fails the part, never half of it.
#[test]
fn a_failure_is_not_half_a_part() {
    let shop = Shop::new();
    let execute = |sql: &str| shop.database().batch_execute(sql).unwrap();
    drop(shop.serve(&["--products", "10000"]));
    execute("UPDATE products SET updated_at = '0 days ago' WHERE id = 9000");
    let server = shop.serve(&["--products", "10000"]);
    let products = urls(&server.xml("/sitemap-products.xml"));
    assert_eq!(products.len(), 10_000 - 10_000 / 97 - 1);
    assert!(products.iter().all(|entry| !entry.loc.ends_with("-9000")));
    server.wait_for("a row is skipped in the sitemap key=9000 error=");

    execute("ALTER TABLE products RENAME TO gone");
    let response = server.response("/sitemap-products.5~.xml");
    assert_eq!(
        (response.status, response.body.as_str()),
        (
            500,
            "Internal Server Error: the pages of this part cannot be read\n"
        )
    );
    server.wait_for(
        "the range sitemap-products.5~.xml, which the index does not list, is not rendered: the rows cannot be read: no such table: products",
    );
    assert_eq!(urls(&server.xml("/sitemap-posts.xml")).len(), 462);
}

/// A slug that makes no URL skips only its own row.
#[test]
fn a_row_that_cannot_be_listed_is_left_out_and_said() {
    let shop = Shop::new();
    drop(shop.serve(&["--products", "100"]));
    shop.database()
        .batch_execute("UPDATE products SET slug = '..' WHERE id = 5")
        .unwrap();
    let server = shop.serve(&["--products", "100"]);
    let products = urls(&server.xml("/sitemap-products.xml"));
    assert_eq!(products.len(), 98);
    server.wait_for("a row is skipped in the sitemap key=5 error=");
}

#[test]
fn curl_gets_the_index_and_the_parts() {
    let test = "curl_gets_the_index_and_the_parts";
    let Some(curl) = sitemap_tests::program(test, "curl") else {
        return;
    };
    let shop = Shop::new();
    let server = shop.serve(&["--products", "5000"]);
    let get = |url: &str| {
        let output = Command::new(&curl)
            .args(["--silent", "--show-error", "--fail", url])
            .output()
            .unwrap();
        assert!(output.status.success(), "{url}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let index = get(&format!("{}/sitemap.xml", server.address));
    validate(test, &index);
    let mut entries = Vec::new();
    for part in sitemaps(&index) {
        let xml = get(&part.loc);
        validate(test, &xml);
        entries.extend(urls(&xml));
    }
    assert_same(&entries, &shop.listed(&server.address));
}

/// The second start finds the database filled.
#[test]
fn a_filled_database_is_used_again() {
    let shop = Shop::new();
    let start = |arguments: &[&str]| {
        let server = shop.serve(arguments);
        server.xml("/sitemap-products.xml");
        server.log()
    };
    assert!(
        start(&["--products", "50"]).starts_with("filling the shop: 550 rows in "),
        "a new one"
    );
    for arguments in [&["--products", "50"][..], &[]] {
        let log = start(arguments);
        assert!(!log.contains("filling"), "{log}");
        assert_eq!(problems(&log), Vec::<&str>::new());
    }
    assert!(
        start(&["--products", "60", "--refill"]).starts_with("filling the shop: 560 rows in "),
        "of another size, and asked for"
    );
}

/// The shop does not wait for a client that sends no request.
#[test]
fn a_head_that_does_not_come_ends_the_connection() {
    let shop = Shop::new();
    let server = shop.serve(&["--products", "10"]);
    let address = server.address.strip_prefix("http://").unwrap();
    let mut slow = TcpStream::connect(address).unwrap();
    slow.write_all(b"GET /sitemap.xml HTTP/1.1\r\nHost: ").unwrap();
    slow.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut answer = String::new();
    slow.read_to_string(&mut answer).unwrap();
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 408"),
        "{answer}"
    );
}

/// The shop closes at a signal, after the responses in progress.
#[cfg(unix)]
#[test]
fn the_shop_closes_after_its_last_response() {
    let shop = Shop::new();
    let server = shop.serve(&["--products", "2000"]);
    let whole = server.xml("/sitemap-products.xml");
    let address = server.address.strip_prefix("http://").unwrap().to_owned();
    let mut begun = TcpStream::connect(&address).unwrap();
    begun
        .write_all(b"GET /sitemap-products.xml HTTP/1.1\r\nHost: a\r\n\r\n")
        .unwrap();
    let mut first = [0; 1000];
    begun.read_exact(&mut first).unwrap();
    let mut idle = TcpStream::connect(&address).unwrap();
    let ended = server.terminate();
    let mut rest = Vec::new();
    begun.read_to_end(&mut rest).unwrap();
    let response = [first.to_vec(), rest].concat();
    assert!(response.ends_with(whole.as_bytes()));
    let mut nothing = Vec::new();
    // A connection that was never used is closed, too.
    drop(idle.read_to_end(&mut nothing));
    let ended = ended();
    assert!(ended.success(), "{ended}");
    assert!(TcpStream::connect(&address).is_err());
}
