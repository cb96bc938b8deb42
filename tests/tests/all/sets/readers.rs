//! Sets checked by the schemas and third-party readers.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use sitemap_serde::{Image, UrlEntry};
use sitemap_site::SitemapSet;
use sitemap_tests::{files, program, readers};

use crate::sets::pages::{folder, public};

/// A set of two sections, optionally with images in some entries, and its locs in order.
fn publish(root: &Path, base: &str, gzip: bool, images: bool) -> Vec<String> {
    let set = SitemapSet::directory(root, base)
        .max_entries(40)
        .gzip(gzip.then_some(6))
        .default_stylesheet(true)
        // Once on the root, not on each image, because a reader treats it as an attribute of the image.
        .writer(|writer| writer.declare("image"))
        .open()
        .unwrap();
    let mut lists = Vec::new();
    let mut locs = Vec::new();
    for (section, rows) in [("articles", 95), ("products", 25)] {
        let mut writer = set.task_writer(section, "all").unwrap();
        for id in 1..=rows {
            let mut entry = UrlEntry::new(format!("/{section}/{id}?a=1&b=é"));
            entry.lastmod = Some("2026-05-01T10:00:00Z".parse().unwrap());
            if images && id % 3 == 0 {
                entry.images.push(Image::new(format!("{base}/i/{id}.jpg")));
            }
            writer.write(id, &entry).unwrap();
            locs.push(format!("{base}/{section}/{id}?a=1&b=%C3%A9"));
        }
        lists.push(writer.finish().unwrap());
    }
    set.commit(&lists).unwrap();
    locs
}

/// The lines that a program prints.
fn lines(command: &mut Command) -> Vec<String> {
    let output = command.stderr(Stdio::piped()).output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

fn data(name: &str) -> String {
    format!("{}/data/readers/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_file_is_valid() {
    let test = "every_file_is_valid";
    let (Some(shared), Some(xmllint)) = (files(test), program(test, "xmllint")) else {
        return;
    };
    for gzip in [false, true] {
        let folder = folder();
        let root = folder.path().join("set");
        publish(&root, "https://example.com", gzip, false);
        let mut checked = 0;
        for (name, xml) in public(&root.join("current")) {
            if name == "sitemap.css" {
                continue;
            }
            let schema = if name == "sitemap.xml" {
                "siteindex.xsd"
            } else {
                "sitemap.xsd"
            };
            let file = folder.path().join("checked.xml");
            fs::write(&file, xml).unwrap();
            let output = Command::new(&xmllint)
                .args(["--noout", "--schema"])
                .arg(shared.join("xsd").join(schema))
                .arg(&file)
                .output()
                .unwrap();
            assert!(
                output.status.success(),
                "{name}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            checked += 1;
        }
        assert_eq!(checked, 5);
    }
}

#[test]
fn other_readers_find_the_same_urls() {
    let Some(readers) = readers("other_readers_find_the_same_urls") else {
        return;
    };
    for gzip in [false, true] {
        let folder = folder();
        let root = folder.path().join("set");
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let mut locs = publish(&root, &format!("http://127.0.0.1:{port}"), gzip, true);
        let mut python = Command::new(readers.join("python/bin/python"));
        let mut found = lines(
            python
                .arg(data("usp_urls.py"))
                .arg(root.join("current"))
                .arg(port.to_string()),
        );
        let mut node = Command::new("node");
        let by_npm = lines(
            node.arg(data("npm_urls.cjs"))
                .arg(root.join("current"))
                .arg(&readers),
        );
        assert_eq!(by_npm, locs);
        // It reads an index in its own order, and also finds the files by their well-known names.
        found.sort();
        found.dedup();
        locs.sort();
        assert_eq!(found, locs);
    }
}
