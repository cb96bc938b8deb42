//! Documents and pages that the program does not want.

use sitemap_serde::Filter;
use sitemap_tree::{Cause, Fate};

use crate::server::{Response, builder, fates, index, run, urlset};

const ROBOTS: &str = "https://example.com/robots.txt";

fn url(name: &str) -> String {
    format!("https://example.com/{name}")
}

/// Walks a site with these documents: the text of `robots.txt`, and each other document. Returns what was requested but for
/// `robots.txt`, the pages that were read, and the documents that were skipped, without the host.
fn walk(keep: &'static str, robots: &[&str], documents: &[(&str, String)]) -> [Vec<String>; 3] {
    let robots: Vec<String> = robots
        .iter()
        .map(|name| format!("Sitemap: {}\n", url(name)))
        .collect();
    let addresses: Vec<String> = documents.iter().map(|(name, _)| url(name)).collect();
    let mut table = vec![(ROBOTS, Response::ok(robots.concat()))];
    let responses = documents.iter().map(|(_, body)| Response::ok(body.clone()));
    table.extend(addresses.iter().map(|address| &**address).zip(responses));
    let mut builder = builder();
    builder.sitemaps(move |url| url.contains(keep));
    let mut walk = builder.walk_site("https://example.com/").unwrap();
    let seen = run(&mut walk, &table);
    let skipped = fates(&walk)
        .into_iter()
        .filter(|(_, fate)| *fate == Fate::Skipped(Cause::Filter));
    let short = |url: &str| url.replace("https://example.com/", "");
    let mut requested: Vec<String> = seen.addresses().iter().map(|url| short(url)).collect();
    requested.retain(|url| url != "robots.txt" && documents.iter().any(|(name, _)| name == url));
    let mut lists = [
        requested,
        seen.locs().iter().map(|loc| short(loc)).collect(),
        skipped.map(|(url, _)| short(&url)).collect(),
    ];
    for list in &mut lists {
        list.sort();
    }
    lists
}

#[test]
fn only_wanted_documents_are_requested() {
    let pages = |name: &str| urlset(&[&*url(name)]);
    let list = |names: &[&str]| index(&names.iter().map(|name| url(name)).collect::<Vec<_>>());
    for (case, robots, documents, requested, read, skipped) in [
        (
            "those of an index",
            &["index.xml"][..],
            vec![
                ("index.xml", list(&["blog-1.xml", "shop.xml", "blog-2.xml"])),
                ("blog-1.xml", pages("1")),
                ("blog-2.xml", pages("2")),
                ("shop.xml", pages("3")),
            ],
            &["blog-1.xml", "blog-2.xml", "index.xml"][..],
            &["1", "2"][..],
            &["shop.xml"][..],
        ),
        (
            "those of robots.txt",
            &["blog.xml", "shop.xml"],
            vec![("blog.xml", pages("1")), ("shop.xml", pages("2"))],
            &["blog.xml"],
            &["1"],
            &["shop.xml"],
        ),
        (
            "none of robots.txt: any may be an index",
            &["all.xml", "shop.xml"],
            vec![
                ("all.xml", list(&["blog.xml", "about.xml"])),
                ("shop.xml", pages("2")),
                ("blog.xml", pages("1")),
                ("about.xml", pages("3")),
            ],
            &["all.xml", "blog.xml", "shop.xml"],
            &["1"],
            &["about.xml", "shop.xml"],
        ),
        (
            "guesses",
            &[],
            vec![
                ("sitemap.xml", pages("2")),
                ("sitemap_index.xml", list(&["blog.xml", "shop.xml"])),
                ("blog.xml", pages("1")),
                ("shop.xml", pages("3")),
            ],
            &["blog.xml", "sitemap.xml", "sitemap_index.xml"],
            &["1"],
            &["shop.xml", "sitemap.xml"],
        ),
    ] {
        let found = walk("blog", robots, &documents);
        let expected = [requested, read, skipped]
            .map(|list| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(found, expected, "{case}");
    }
}

/// The program asked for the start.
#[test]
fn the_start_is_always_read() {
    let start = url("shop.xml");
    let table = [(&*start, Response::ok(urlset(&[&*url("1")])))];
    let mut builder = builder();
    builder.sitemaps(|_| false);
    let mut walk = builder.walk_sitemap(&start).unwrap();
    assert_eq!(run(&mut walk, &table).locs(), [url("1")]);
}

/// Pages are filtered, and the entries of indexes are not, unless their dates are trusted.
#[test]
fn pages_are_filtered_by_date() {
    let dated = |kind: [&str; 2], entries: &[(&str, &str)]| {
        let entries: Vec<String> = entries
            .iter()
            .map(|(name, date)| {
                format!(
                    "<{0}><loc>{1}</loc><lastmod>{date}</lastmod></{0}>",
                    kind[1],
                    url(name)
                )
            })
            .collect();
        format!(
            "<{0} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{1}</{0}>",
            kind[0],
            entries.concat()
        )
    };
    let (root, a, b) = (url("index.xml"), url("a.xml"), url("b.xml"));
    let table = [
        (
            &*root,
            Response::ok(dated(
                ["sitemapindex", "sitemap"],
                &[("a.xml", "2020"), ("b.xml", "2026-05-01")],
            )),
        ),
        (
            &*a,
            Response::ok(dated(["urlset", "url"], &[("1", "2026-05-01"), ("2", "2020")])),
        ),
        (
            &*b,
            Response::ok(dated(["urlset", "url"], &[("3", "2026-05-02"), ("4", "2019")])),
        ),
    ];
    for (trust, locs, skipped, entries) in [
        (false, vec![url("1"), url("3")], 2, 2),
        (true, vec![url("3")], 1, 1),
    ] {
        let filter = Filter::new().since("2026-01-01".parse().unwrap());
        let mut builder = builder();
        builder.filter(filter.clone()).trust_lastmod(trust);
        let mut walk = builder.walk_sitemap(&root).unwrap();
        let seen = run(&mut walk, &table);
        let mut found = seen.locs();
        found.sort_unstable();
        assert_eq!(found, locs);
        assert_eq!(filter.skipped(), skipped);
        let report = walk.report();
        assert_eq!(report.entries(), entries);
        let is_skipped = |fate: &Fate| *fate == Fate::Skipped(Cause::Filter);
        assert_eq!(report.count(is_skipped), u64::from(trust));
        assert_eq!(
            report.to_string(),
            if trust {
                format!("{a} was skipped: a filter does not keep it\n")
            } else {
                String::new()
            }
        );
    }
}

/// What another filter wants is read by the next walk.
#[test]
fn a_later_walk_reads_what_was_skipped() {
    let (root, a, b) = (url("index.xml"), url("a.xml"), url("b.xml"));
    let table = [
        (&*root, Response::ok(index(&[&a, &b]))),
        (&*a, Response::ok(urlset(&[&*url("1")]))),
        (&*b, Response::ok(urlset(&[&*url("2")]))),
    ];
    let mut builder = builder();
    builder.sitemaps(|url| url.ends_with("a.xml"));
    let mut walk = builder.walk_sitemap(&root).unwrap();
    assert_eq!(run(&mut walk, &table).locs(), [url("1")]);
    let state = walk.state();
    assert!(state.is_finished());
    let mut walk = crate::server::builder().state(state).walk_sitemap(&root).unwrap();
    let seen = run(&mut walk, &table);
    assert!(seen.locs().contains(&&*url("2")));
    assert!(walk.report().vanished().is_empty());
}
