//! Other hosts, and private addresses.

use std::net::IpAddr;
use std::time::Duration;

use sitemap_tree::{Answer, Cause, Fate, Head, OtherHosts, Request, Step, Walk};

use crate::server::{Client, Response, builder, fates, index, run, urlset};

const START: &str = "https://example.com/index.xml";

#[test]
fn documents_on_other_hosts() {
    let (own, named, indexed, other) = (
        "https://example.com/own.xml",
        "https://a.example/named.xml",
        "https://b.example/indexed.xml",
        "https://c.example/other.xml",
    );
    let moved = "https://example.com/moved.xml";
    let table = [
        (START, Response::ok(index(&[own, named, indexed, other, moved]))),
        (own, Response::ok(urlset(&["https://example.com/own"]))),
        (named, Response::ok(urlset(&["https://example.com/named"]))),
        (indexed, Response::ok(urlset(&["https://example.com/indexed"]))),
        (other, Response::ok(urlset(&["https://example.com/other"]))),
        (moved, Response::redirect("https://d.example/moved.xml")),
        (
            "https://d.example/moved.xml",
            Response::ok(urlset(&["https://example.com/moved"])),
        ),
        (
            "https://a.example/robots.txt",
            Response::ok(format!("Sitemap: {named}")),
        ),
        (
            "https://b.example/robots.txt",
            Response::ok(format!("Sitemap: {START}")),
        ),
        (
            "https://c.example/robots.txt",
            Response::ok("Sitemap: https://c.example/sitemap.xml"),
        ),
    ];
    for (other_hosts, read, left_out) in [
        (
            OtherHosts::Skip,
            &["own"][..],
            &[named, indexed, other, moved][..],
        ),
        (
            OtherHosts::CrossSubmitted,
            &["indexed", "named", "own"],
            &[other, moved],
        ),
        (
            OtherHosts::Follow,
            &["indexed", "moved", "named", "other", "own"],
            &[],
        ),
    ] {
        let mut walk = builder().other_hosts(other_hosts).walk_sitemap(START).unwrap();
        let seen = run(&mut walk, &table);
        let locs: Vec<String> = read
            .iter()
            .map(|name| format!("https://example.com/{name}"))
            .collect();
        assert_eq!(seen.locs(), locs, "{other_hosts:?}");
        let fates = fates(&walk);
        let skipped = fates
            .iter()
            .filter(|(_, fate)| *fate == Fate::Skipped(Cause::OtherHost));
        assert_eq!(
            skipped.map(|(url, _)| &**url).collect::<Vec<_>>(),
            left_out,
            "{other_hosts:?}"
        );
    }
}

#[test]
fn a_robots_txt_of_another_host_is_requested_once() {
    let children: Vec<String> = (0..9).map(|i| format!("https://a.example/{i}.xml")).collect();
    let second = "https://example.com/second.xml";
    let mut all = vec![second.to_owned()];
    all.extend_from_slice(&children[..5]);
    for robots in [
        Response::status(404),
        Response::status(500),
        Response::lost(),
        Response::ok(""),
    ] {
        let tries = if matches!(robots.status, 500 | 0) { 4 } else { 1 };
        let mut walk = builder()
            .other_hosts(OtherHosts::CrossSubmitted)
            .walk_sitemap(START)
            .unwrap();
        let table = [
            (START, Response::ok(index(&all))),
            (second, Response::ok(index(&children))),
            ("https://a.example/robots.txt", robots),
        ];
        let seen = run(&mut walk, &table);
        assert_eq!(seen.requests.len(), 2 + tries);
        assert_eq!(
            walk.report()
                .count(|fate| *fate == Fate::Skipped(Cause::OtherHost)),
            9
        );
    }
}

#[test]
fn an_index_may_list_its_own_host() {
    let robots = Response::ok("Sitemap: https://cdn.example.net/index.xml");
    let child = "https://cdn.example.net/a.xml";
    let mut walk = builder().walk_site("https://example.com/").unwrap();
    let table = [
        ("https://example.com/robots.txt", robots),
        ("https://cdn.example.net/index.xml", Response::ok(index(&[child]))),
        (child, Response::ok(urlset(&["https://example.com/a"]))),
    ];
    assert_eq!(run(&mut walk, &table).locs(), ["https://example.com/a"]);
}

const PRIVATE: [&str; 3] = ["127.0.0.1", "10.0.0.1", "::1"];
const PUBLIC: &str = "93.184.216.34";

fn ip(address: &str) -> IpAddr {
    address.parse().unwrap()
}

fn next(walk: &mut Walk) -> Request {
    match walk.step(Duration::ZERO) {
        Step::Request(request) => request,
        step => panic!("{step:?}"),
    }
}

/// Walks a site from `start`, whose `robots.txt` is from `address`, and returns the request of a sitemap that it names.
fn second_request(start: &str, address: Option<&str>, named: &str) -> Option<Request> {
    let mut walk = Walk::site("TestBot", start).unwrap();
    let first = next(&mut walk);
    let mut head = Head::new(200);
    if let Some(address) = address {
        head.ip(ip(address));
    }
    let Answer::Read(ticket) = walk.respond(first.id(), &head, Duration::ZERO) else {
        panic!("{start}");
    };
    let body = format!("Sitemap: {named}");
    walk.finish(ticket.read(body.as_bytes()).outcome(), Duration::ZERO);
    match walk.step(Duration::ZERO) {
        Step::Request(request) => Some(request),
        _ => None,
    }
}

#[test]
fn a_public_start_allows_public_addresses_only() {
    for address in [Some(PUBLIC), None] {
        let request = second_request("https://example.com/", address, "/a.xml").unwrap();
        assert!(request.allows(ip(PUBLIC)));
        for private in PRIVATE {
            assert!(
                !request.allows(ip(private)),
                "a name that resolves to {private} later"
            );
        }
    }
    for named in [
        "http://127.0.0.1/",
        "http://0x7f.1/",
        "http://[::1]/",
        "http://localhost/",
    ] {
        assert!(
            second_request("https://example.com/", Some(PUBLIC), named).is_none(),
            "{named}"
        );
        assert!(
            second_request("https://93.184.216.34/", None, named).is_none(),
            "{named}"
        );
    }
    let request = second_request("https://93.184.216.34/", None, "/a.xml").unwrap();
    assert!(!request.allows(ip("127.0.0.1")));
}

#[test]
fn a_private_start_allows_its_own_host_and_port() {
    for (start, address) in [
        ("http://127.0.0.1:8080/", None),
        ("http://[::1]:8080/", None),
        ("http://localhost:8080/", None),
        ("http://intranet:8080/", Some("10.0.0.1")),
    ] {
        let mut walk = Walk::site("TestBot", start).unwrap();
        assert!(next(&mut walk).allows(ip("10.0.0.1")), "{start}");
        let request = second_request(start, address, "/a.xml").unwrap();
        assert!(
            request.url().starts_with(start) && request.allows(ip("10.0.0.1")),
            "{start}"
        );
        for named in [
            "http://127.0.0.1/",
            "http://127.0.0.1:8081/",
            "http://10.0.0.1:8080/",
            "https://127.0.0.1:8080/",
        ] {
            assert!(second_request(start, address, named).is_none(), "{start} {named}");
        }
        for named in ["http://intranet/", "http://other:8080/", "https://example.com/"] {
            let request = second_request(start, address, named).unwrap();
            assert!(
                !request.allows(ip("10.0.0.1")) && request.allows(ip(PUBLIC)),
                "{start} {named}"
            );
        }
    }
}

#[test]
fn a_list_of_private_addresses_is_in_the_report() {
    let private = ["http://127.0.0.1/a.xml", "http://[fe80::1]/a.xml"];
    let mut walk = builder()
        .other_hosts(OtherHosts::Follow)
        .behind_proxy(true)
        .walk_sitemap(START)
        .unwrap();
    let seen = run(&mut walk, &[(START, Response::ok(index(&private)))]);
    assert_eq!(seen.addresses(), [START]);
    let expected = "http://127.0.0.1/a.xml could not be read: 127.0.0.1 is not a public address\n\
        http://[fe80::1]/a.xml could not be read: fe80::1 is not a public address\n\
        behind a proxy names of hosts are not checked for private addresses\n";
    assert_eq!(walk.report().to_string(), expected);
}

#[test]
fn a_start_that_turns_out_private_is_walked() {
    let start = "http://intranet/index.xml";
    let mut walk = builder().walk_sitemap(start).unwrap();
    let mut client = Client::new(|request: &Request| {
        assert!(request.allows(ip("10.0.0.1")));
        if request.url() == start {
            Response::ok(index(&["http://intranet/a.xml"]))
        } else {
            Response::ok(urlset(&["http://intranet/a"]))
        }
    });
    client.address = Some(ip("10.0.0.1"));
    client.run(&mut walk);
    assert_eq!(client.seen.locs(), ["http://intranet/a"]);
}

#[test]
fn named_sitemaps_redirect_to_other_hosts() {
    let mut walk = builder().walk_site("https://example.com/").unwrap();
    let seen = run(
        &mut walk,
        &[
            (
                "https://example.com/robots.txt",
                Response::ok("Sitemap: https://example.com/sitemap.xml"),
            ),
            (
                "https://example.com/sitemap.xml",
                Response::redirect("https://cdn.example.net/sitemap.xml"),
            ),
            (
                "https://cdn.example.net/sitemap.xml",
                Response::ok(urlset(&["https://example.com/page"])),
            ),
        ],
    );
    assert_eq!(seen.locs(), ["https://example.com/page"], "{}", walk.report());
}

/// A document that its own host's `robots.txt` names may move within that host, and no further.
#[test]
fn a_named_document_moves_within_its_host() {
    let named = ["https://a.example/1.xml", "https://a.example/2.xml"];
    let table = [
        (START, Response::ok(index(&named))),
        (
            "https://a.example/robots.txt",
            Response::ok(format!("Sitemap: {}\nSitemap: {}", named[0], named[1])),
        ),
        (named[0], Response::redirect("https://www.a.example/moved.xml")),
        (
            "https://www.a.example/moved.xml",
            Response::ok(urlset(&["https://example.com/moved"])),
        ),
        (named[1], Response::redirect("https://b.example/moved.xml")),
    ];
    let mut walk = builder()
        .other_hosts(OtherHosts::CrossSubmitted)
        .walk_sitemap(START)
        .unwrap();
    let seen = run(&mut walk, &table);
    assert_eq!(seen.locs(), ["https://example.com/moved"]);
    assert_eq!(
        walk.report().to_string(),
        format!("{} was skipped: it is on another host\n", named[1])
    );
}
