//! The recipes in `docs/recipes.md`: each command and query has the output on the page.

use std::env;
use std::fmt::Write as _;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folder::{CORE, Folder};
use crate::server::{Answer, Server};

/// Runs the statements on standard input in order, and prints their rows as CSV.
const RUN: &str = "
import csv, sys, duckdb
connection = duckdb.connect('recipes.db')
for statement in duckdb.extract_statements(sys.stdin.read()):
    found = connection.execute(statement)
    if statement.type == duckdb.StatementType.SELECT:
        csv.writer(sys.stdout, lineterminator='\\n').writerows(found.fetchall())
";

/// The Python interpreter with duckdb, which `.ci/run` installs.
fn python() -> Option<PathBuf> {
    let python = env::var_os("SITEMAP_READERS").map(|folder| Path::new(&folder).join("python/bin/python"));
    let has_duckdb = |python: &PathBuf| {
        let imports = Command::new(python).args(["-c", "import duckdb"]).output();
        imports.is_ok_and(|output| output.status.success())
    };
    let found = python.filter(has_duckdb);
    if found.is_none() {
        assert!(
            env::var_os("SITEMAP_REQUIRE_ALL").is_none_or(|all| all != "1"),
            "duckdb is not installed"
        );
        let _ = writeln!(stderr(), "recipes: SKIPPED: duckdb is not installed");
    }
    found
}

/// The page's example site: two sitemaps, and a third that is listed but missing.
fn site() -> Server {
    Server::start(|_, request| {
        let host = &request.host;
        let urlset = |entries: &str| {
            Answer::ok(format!(
                "<urlset xmlns=\"{CORE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
                 xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">{entries}</urlset>"
            ))
        };
        match &*request.path {
            "/robots.txt" => Answer::ok(format!("Sitemap: http://{host}/sitemap.xml\n")),
            "/sitemap.xml" => {
                let mut listed = String::new();
                for name in ["blog", "shop", "gone"] {
                    let _ = write!(listed, "<sitemap><loc>http://{host}/{name}.xml</loc></sitemap>");
                }
                Answer::ok(format!("<sitemapindex xmlns=\"{CORE}\">{listed}</sitemapindex>"))
            }
            "/blog.xml" => urlset(
                "<url><loc>https://example.com/blog/1</loc><lastmod>2026-05-01</lastmod>\
                 <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"https://example.com/blog/1\"/>\
                 <xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/blog/1\"/></url>\
                 <url><loc>https://example.com/blog/2</loc><lastmod>2026-05-02</lastmod></url>",
            ),
            "/shop.xml" => urlset(
                "<url><loc>https://example.com/shop/lamp</loc><lastmod>2026-04-30</lastmod>\
                 <image:image><image:loc>https://example.com/lamp-1.jpg</image:loc><image:title>A lamp</image:title></image:image>\
                 <image:image><image:loc>https://example.com/lamp-2.jpg</image:loc></image:image></url>\
                 <url><loc>https://example.com/shop/old</loc></url>",
            ),
            _ => Answer::status(404),
        }
    })
}

#[test]
fn recipes_have_the_outputs_that_the_page_shows() {
    let Some(python) = python() else {
        return;
    };
    let (server, folder) = (site(), Folder::empty());
    folder.write(
        "crawl.csv",
        "url\nhttps://example.com/blog/1\nhttps://example.com/blog/2\nhttps://example.com/shop/lamp\nhttps://example.com/shop/new\n",
    );
    let page = include_str!("../../docs/recipes.md");
    let (mut commands, mut queries) = (0, 0);
    let blocks: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    for (at, block) in blocks.iter().enumerate() {
        let (language, text) = block.split_once('\n').unwrap();
        if language == "sh" {
            commands += 1;
            let line = text.trim();
            let (line, file) = line.split_once(" > ").unwrap();
            let line = line.replace("https://example.com/", &server.url("/"));
            let arguments: Vec<&str> = line.split(' ').skip(1).collect();
            let (_, printed, told) = folder.run(&arguments);
            assert!(
                told.contains("gone.xml does not exist") || told.contains("gone.xml"),
                "{told}"
            );
            folder.write(file, printed.replace(&server.url("/"), "https://example.com/"));
            let report = folder
                .read("walk.jsonl")
                .replace(&server.url("/"), "https://example.com/");
            folder.write("walk.jsonl", report);
        }
        if language == "sql" {
            queries += 1;
            folder.write("query.sql", text);
            let output = Command::new(&python)
                .args(["-c", RUN])
                .stdin(std::fs::File::open(folder.path("query.sql")).unwrap())
                .current_dir(folder.path(""))
                .output()
                .unwrap();
            let (printed, told) = (
                String::from_utf8(output.stdout).unwrap(),
                String::from_utf8_lossy(&output.stderr),
            );
            let shown = blocks[at + 1].strip_prefix("text\n").unwrap();
            assert_eq!(printed, shown, "{text}{told}");
        }
    }
    assert_eq!((commands, queries), (1, 6));
}
