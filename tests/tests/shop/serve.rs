//! What a crawler gets.

use std::io::Read;
use std::process::Command;

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
            "/sitemap-pages-1.xml",
            "/sitemap-posts-1.xml",
            "/sitemap-products-1.xml"
        ]
    );
    assert_same(&parts.concat(), &shop.listed(&server.address));
}

#[test]
fn the_full_shop_is_split_at_50_000() {
    let shop = Shop::new();
    let server = shop.serve(&[]);
    assert!(
        server.said.contains("(an index of 5 parts, 119,230 URLs)"),
        "{}",
        server.said
    );
    let (index, parts) = crawl("the_full_shop_is_split_at_50_000", &server);
    assert_eq!(index.len(), 5);
    for (summary, part) in index.iter().zip(&parts) {
        assert!(
            (1..=50_000).contains(&part.len()),
            "{}: {}",
            summary.loc,
            part.len()
        );
        let newest = part.iter().filter_map(|entry| entry.lastmod.as_ref()).max();
        assert_eq!(summary.lastmod.as_ref(), newest, "{}", summary.loc);
    }
    let listed = shop.listed(&server.address);
    assert_eq!(listed.len(), 119_230);
    assert_same(&parts.concat(), &listed);
}

/// What streams does not gather: twelve times the rows, the same memory. One part of the many would be 8 MiB.
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
    let (few, many) = (peak("10000"), peak("120000"));
    assert!(
        many < few + 2 * 1024,
        "{few} KiB for 10,000 rows, {many} KiB for 120,000"
    );
}

#[test]
fn base_is_where_the_public_finds_it() {
    let shop = Shop::new();
    let server = shop.serve(&["--products", "10", "--base", "https://example.com/shop/"]);
    let index = sitemaps(&server.xml("/sitemap.xml"));
    assert_eq!(index[2].loc, "https://example.com/shop/sitemap-products-1.xml");
    let products = urls(&server.xml("/sitemap-products-1.xml"));
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
        "/sitemap-products-0.xml",
        "/sitemap-products-01.xml",
        "/sitemap-products-+1.xml",
        "/sitemap-products-2.xml",
        "/sitemap-products-99999999999999999999.xml",
        "/sitemap-products-184467440737095.xml",
        "/sitemap-pages-2.xml",
        "/sitemap-drafts-1.xml",
        "/sitemap-products-1.xml.gz",
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

/// A crawler that hangs up costs the shop nothing, and the query ends.
#[test]
fn a_client_that_goes_away_leaves_the_server_well() {
    let shop = Shop::new();
    let server = shop.serve(&[]);
    for _ in 0..10 {
        let mut body = server.open("/sitemap-products-1.xml");
        body.read_exact(&mut [0; 1000]).unwrap();
        drop(body);
    }
    server.wait_for("sitemap-products-1.xml: ");
    server.wait_for("the client is gone");
    assert_eq!(urls(&server.xml("/sitemap-products-3.xml")).len(), 19_793);
}

/// A row that cannot be read ends the response in an error, and what came of it is no whole document.
#[test]
fn a_failure_in_the_middle_does_not_look_like_the_end() {
    let shop = Shop::new();
    let server = shop.serve(&["--products", "10000"]);
    let break_row = |id: u32| {
        let sql = format!("UPDATE products SET updated_at = '0 days ago' WHERE id = {id}");
        shop.database().batch_execute(&sql).unwrap();
    };
    break_row(9_000);
    let mut body = Vec::new();
    let read = server.open("/sitemap-products-1.xml").read_to_end(&mut body);
    assert!(read.is_err(), "the response looks whole");
    assert!(body.len() > 1_000_000, "{}", body.len());
    let mut entries = 0;
    let mut error = None;
    for entry in sitemap_serde::Reader::from_slice(&body).entries() {
        match entry {
            Ok(_) => entries += 1,
            Err(eof) => error = Some(eof.category()),
        }
    }
    assert_eq!(error, Some(sitemap_serde::Category::Eof));
    assert!((5_000..9_000).contains(&entries), "{entries}");
    server.wait_for("sitemap-products-1.xml: ");

    // Where nothing is sent yet, the response still can say so.
    break_row(1);
    assert_eq!(server.response("/sitemap-products-1.xml").status, 500);
}

/// A slug that makes no URL leaves its row out, not the other rows.
#[test]
fn a_row_that_cannot_be_listed_is_left_out_and_said() {
    let shop = Shop::new();
    let server = shop.serve(&["--products", "100"]);
    shop.database()
        .batch_execute("UPDATE products SET slug = '..' WHERE id = 5")
        .unwrap();
    let products = urls(&server.xml("/sitemap-products-1.xml"));
    assert_eq!(products.len(), 98);
    server.wait_for("sitemap-products-1.xml: left out: ");
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
    let start = |products: &str| {
        let server = shop.serve(&["--products", products]);
        server.xml("/sitemap-products-1.xml");
        server.log()
    };
    assert!(
        start("50").starts_with("filling the shop: 550 rows in "),
        "a new one"
    );
    assert_eq!(start("50"), "");
    assert!(
        start("60").starts_with("filling the shop: 560 rows in "),
        "of another size"
    );
}
