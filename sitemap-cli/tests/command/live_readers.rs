//! Other site readers find the same pages: ultimate-sitemap-parser (PyPI) and sitemapper (npm).

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use sitemap_tests::sample;

use crate::folder::{Folder, gzipped};
use crate::live::{index, ok, serve, urlset};

/// Prints the pages of the site in the argument.
const USP: &str = "import logging, sys
from usp.tree import sitemap_tree_for_homepage
logging.disable()
for page in sitemap_tree_for_homepage(sys.argv[1]).all_pages():
    print(page.url)";

/// Prints the pages of a sitemap or an index.
const SITEMAPPER: &str = "import('sitemapper').then(async ({ default: Sitemapper }) => {
  const { sites } = await new Sitemapper({ timeout: 60000 }).fetch(process.argv[1]);
  console.log(sites.join('\\n'));
});";

/// The folder of readers that `.ci/run` installs.
fn readers() -> Option<PathBuf> {
    let readers = env::var_os("SITEMAP_READERS").map(PathBuf::from);
    let found = readers
        .filter(|folder| folder.join("python").exists() && folder.join("node_modules/sitemapper").exists());
    assert!(
        found.is_some() || env::var_os("SITEMAP_REQUIRE_ALL").is_none_or(|all| all != "1"),
        "SITEMAP_READERS has no python and sitemapper"
    );
    if found.is_none() {
        eprintln!("skipped: SITEMAP_READERS has no readers; .ci/run installs them");
    }
    found
}

/// The sorted pages that a program prints.
fn printed(readers: &Path, program: &str, arguments: &[&str]) -> Vec<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(readers)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    sorted(&String::from_utf8(output.stdout).unwrap())
}

/// Compares all pages. The message contains their number.
fn check(printed: &[String], found: &[String]) {
    assert!(
        printed == found,
        "{} pages instead of {}",
        printed.len(),
        found.len()
    );
}

fn sorted(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort_unstable();
    lines
}

/// Pages on the server itself, in a sitemap with this name.
fn pages(name: &str) -> Vec<String> {
    (0..100)
        .map(|number| format!("http://HOST/{name}/page-{number}?a=1&amp;b=2"))
        .collect()
}

fn sitemap(name: &str) -> String {
    let pages = pages(name);
    urlset(&pages.iter().map(|page| &**page).collect::<Vec<_>>())
}

#[test]
fn other_readers_find_the_same_pages() {
    let Some(readers) = readers() else {
        return;
    };
    let children = ["http://HOST/a.xml", "http://HOST/b.xml", "http://HOST/moved.xml"];
    let moved =
        crate::live::head("HTTP/1.1 301 Moved\r\nConnection: close\r\nContent-Length: 0\r\nLocation: /c.xml");
    let text = pages("text").join("\n").replace("&amp;", "&");
    let rss = "<rss version=\"2.0\"><channel><item><title>News</title><description>New</description><link>http://HOST/news</link></item></channel></rss>";
    let sites = [
        (ok("Sitemap: http://HOST/sitemap.xml"), vec![], true),
        // Found at a usual URL, not by robots.txt.
        (ok("User-agent: *\nDisallow: /private/"), vec![], true),
        // Formats that sitemapper cannot read.
        (
            ok(
                "Sitemap: http://HOST/sitemap.xml\nSitemap: http://HOST/pages.txt\nSitemap: http://HOST/feed.rss",
            ),
            vec![("/pages.txt", ok(text)), ("/feed.rss", ok(rss))],
            false,
        ),
    ];
    for (robots, more, is_for_sitemapper) in sample(sites) {
        let mut table = vec![
            ("/robots.txt", robots),
            ("/sitemap.xml", ok(index(&children))),
            ("/a.xml", ok(sitemap("a"))),
            ("/b.xml", ok(sitemap("b"))),
            ("/moved.xml", moved.clone()),
            ("/c.xml", ok(sitemap("c"))),
        ];
        table.extend(more);
        let site = format!("http://{}/", serve(&table));
        let (status, said, problems) = Folder::empty().run(&["cat", &site, "--site"]);
        assert_eq!((status, &*problems), (0, ""));
        let found = sorted(&said);
        assert_eq!(found.len(), if is_for_sitemapper { 300 } else { 401 });
        check(
            &printed(&readers, "python/bin/python", &["-c", USP, &site]),
            &found,
        );
        if is_for_sitemapper {
            let start = format!("{site}sitemap.xml");
            check(&printed(&readers, "node", &["-e", SITEMAPPER, &start]), &found);
        }
    }
}

/// Compressed sitemaps use a fixed host, because the server cannot replace `HOST` in compressed bodies.
#[test]
fn other_readers_find_the_same_pages_in_compressed_sitemaps() {
    let Some(readers) = readers() else {
        return;
    };
    let packed = gzipped(&sitemap("packed").replace("HOST", "www.example.com"));
    let table = [
        ("/robots.txt", ok("Sitemap: http://HOST/index.xml")),
        ("/index.xml", ok(index(&["http://HOST/packed.xml.gz"]))),
        ("/packed.xml.gz", ok(packed)),
    ];
    let site = format!("http://{}/", serve(&table));
    let (status, said, _) = Folder::empty().run(&["cat", &site, "--site"]);
    let found = sorted(&said);
    assert_eq!((status, found.len()), (0, 100));
    check(
        &printed(&readers, "python/bin/python", &["-c", USP, &site]),
        &found,
    );
    let start = format!("{site}index.xml");
    check(&printed(&readers, "node", &["-e", SITEMAPPER, &start]), &found);
}
