//! The sitemap on disk.

use std::fs;
use std::io::Read;
use std::path::Path;

use diesel::connection::SimpleConnection;

use crate::program::Shop;
use crate::sitemap::{Entry, assert_same, sitemaps, urls, validate};

const BASE: &str = "https://example.com";

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn read(file: &Path) -> String {
    let bytes = fs::read(file).unwrap();
    let mut text = String::new();
    if file.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(&*bytes)
            .read_to_string(&mut text)
            .unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    text
}

/// Every entry of the set, by its index.
fn entries(test: &str, folder: &Path) -> Vec<Entry> {
    let index = read(&folder.join("sitemap.xml"));
    validate(test, &index);
    let mut entries = Vec::new();
    for part in sitemaps(&index) {
        let name = part.loc.strip_prefix(BASE).unwrap().trim_start_matches('/');
        let xml = read(&folder.join(name));
        validate(test, &xml);
        let urls = urls(&xml);
        assert!(urls.len() <= 50_000);
        entries.extend(urls);
    }
    entries
}

#[test]
fn the_set_is_what_the_server_has_and_reads_back_as_it_was() {
    let test = "the_set_is_what_the_server_has_and_reads_back_as_it_was";
    let shop = Shop::new();
    shop.succeed(&["export", "set", "--base", BASE, "--products", "55000"]);
    let folder = shop.path("set/current");
    let names = names(&folder);
    assert_eq!(
        names,
        [
            "sitemap-pages-1.xml",
            "sitemap-posts-1.xml",
            "sitemap-products-1.xml",
            "sitemap-products-2.xml",
            "sitemap.css",
            "sitemap.xml"
        ]
    );
    let listed = shop.listed(BASE);
    assert_eq!(listed.len(), 54_900);
    assert_same(&entries(test, &folder), &listed);

    let files: Vec<_> = names
        .iter()
        .filter(|name| name.contains('-'))
        .map(|name| format!("set/current/{name}"))
        .collect();
    let mut arguments = vec!["import"];
    arguments.extend(files.iter().map(String::as_str));
    shop.succeed(&arguments);
    assert_same(&shop.imported(), &listed);
}

#[test]
fn compressed_parts_are_listed_and_read_as_such() {
    let test = "compressed_parts_are_listed_and_read_as_such";
    let shop = Shop::new();
    shop.succeed(&["export", "set", "--base", BASE, "--gzip", "--products", "1000"]);
    let folder = shop.path("set/current");
    assert_eq!(
        names(&folder),
        [
            "sitemap-pages-1.xml.gz",
            "sitemap-posts-1.xml.gz",
            "sitemap-products-1.xml.gz",
            "sitemap.css",
            "sitemap.xml"
        ]
    );
    let listed = shop.listed(BASE);
    assert_same(&entries(test, &folder), &listed);

    shop.succeed(&[
        "import",
        "set/current/sitemap-pages-1.xml.gz",
        "set/current/sitemap-posts-1.xml.gz",
        "set/current/sitemap-products-1.xml.gz",
    ]);
    assert_same(&shop.imported(), &listed);
}

/// After any failure, no file is truncated, and the existing index stays.
#[test]
fn a_failed_export_leaves_the_old_files() {
    let shop = Shop::new();
    shop.succeed(&["export", "set", "--base", BASE, "--products", "1000"]);
    let folder = shop.path("set/current");
    let before: Vec<_> = names(&folder)
        .iter()
        .map(|name| (name.clone(), read(&folder.join(name))))
        .collect();
    shop.database()
        .batch_execute("UPDATE products SET updated_at = '0 days ago' WHERE id = 900")
        .unwrap();
    let error = shop.fail(&["export", "set", "--base", BASE, "--products", "1000"]);
    assert!(
        error.contains("shop: cannot read the products; the sitemap stays as it was: "),
        "{error}"
    );
    let after: Vec<_> = names(&folder)
        .iter()
        .map(|name| (name.clone(), read(&folder.join(name))))
        .collect();
    assert!(before == after, "the files have changed");
}

#[test]
fn a_row_that_cannot_be_listed_is_left_out_and_said() {
    let shop = Shop::new();
    shop.succeed(&["export", "set", "--base", BASE, "--products", "100"]);
    shop.database()
        .batch_execute("UPDATE products SET slug = '..' WHERE id = 5")
        .unwrap();
    let said = shop.fail(&["export", "set", "--base", BASE, "--products", "100"]);
    assert!(said.contains("\nskipped: section products, row 5: "), "{said}");
    assert!(
        said.ends_with("\nshop: the sitemap is written, without 1 row\n"),
        "{said}"
    );
    let products = urls(&read(&shop.path("set/current/sitemap-products-1.xml")));
    assert_eq!(products.len(), 98);
}
