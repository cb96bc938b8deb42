//! The addresses where a walk looks.

use sitemap_tree::{Cause, DocumentKind, DocumentReport, Failure, Fate, Role, Walk};

use crate::server::{Response, builder, fates, gzip, index, run, site, urlset};

const ROBOTS: &str = "https://example.com/robots.txt";

/// The addresses that a walk requests if `robots.txt` has this response.
fn requested(robots: Response) -> (Vec<String>, Walk) {
    let mut walk = site();
    let seen = run(&mut walk, &[(ROBOTS, robots)]);
    let addresses = seen.addresses().into_iter().map(str::to_owned).collect();
    (addresses, walk)
}

const GUESSES: [&str; 6] = [
    ROBOTS,
    "https://example.com/sitemap.xml",
    "https://example.com/sitemap_index.xml",
    "https://example.com/sitemap.xml.gz",
    "https://example.com/sitemap.txt",
    "https://example.com/wp-sitemap.xml",
];

#[test]
fn guesses_if_robots_txt_names_none_or_does_not_exist() {
    for robots in [
        Response::ok("User-agent: *\nDisallow: /cart"),
        Response::ok("<!doctype html><p>Not found"),
        Response::ok(""),
        Response::ok("Sitemap: ftp://example.com/sitemap.xml"),
        // An unfilled template, quotes, and words are no addresses.
        Response::ok("Sitemap: {{ .Site.BaseURL }}sitemap.xml"),
        Response::ok("Sitemap: \"https://example.com/map.xml\""),
        Response::ok("Sitemap: see the page"),
        // RFC 9309 section 2.3.1.1: successful, and empty.
        Response::status(204),
        Response::status(205),
        Response::status(400),
        Response::status(401),
        Response::status(403),
        Response::status(404),
        Response::status(410),
        Response::redirect("https://example.com/robots.txt"),
        Response::redirect("https://example.com:99999/"),
        Response::status(301),
    ] {
        let shown = format!("{robots:?}");
        assert_eq!(requested(robots).0, GUESSES, "{shown}");
    }
}

#[test]
fn a_named_sitemap_is_no_guess() {
    let (addresses, walk) = requested(Response::ok(
        "SITEMAP: /maps/a.xml # ours\nSitemap: https://cdn.example.net/b.xml",
    ));
    assert_eq!(
        addresses,
        [
            ROBOTS,
            "https://example.com/maps/a.xml",
            "https://cdn.example.net/b.xml"
        ]
    );
    let report = walk.report();
    let roles: Vec<Role> = report.documents().iter().map(DocumentReport::role).collect();
    assert_eq!(roles, [Role::Robots, Role::Named, Role::Named]);
    assert_eq!(report.documents()[1].listed_in(), Some(ROBOTS));
}

#[test]
fn a_robots_txt_that_fails_disallows_everything() {
    for status in [408, 429, 500, 502, 503, 599] {
        let (addresses, walk) = requested(Response::status(status));
        assert_eq!(addresses, [ROBOTS; 4], "{status}");
        assert_eq!(
            fates(&walk),
            [(ROBOTS.to_owned(), Fate::Failed(Failure::Status(status)))]
        );
    }
    let (addresses, walk) = requested(Response::lost());
    assert_eq!(addresses, [ROBOTS; 4]);
    assert_eq!(
        walk.report().to_string(),
        "https://example.com/robots.txt could not be read: connection refused\n"
    );
    let (addresses, walk) = requested(Response::ok("Sitemap: /a.xml").broken());
    assert_eq!(addresses, [ROBOTS; 4]);
    assert_eq!(
        walk.report().to_string(),
        "https://example.com/robots.txt could not be read: its body broke off: connection reset\n"
    );
}

#[test]
fn a_long_robots_txt_is_read_up_to_500_kib() {
    let robots = format!("Sitemap: /a.xml\n{}\nSitemap: /b.xml", "#".repeat(500 << 10));
    let (addresses, walk) = requested(Response::ok(robots));
    assert_eq!(addresses, [ROBOTS, "https://example.com/a.xml"]);
    let report = walk.report().to_string();
    let unread = "https://example.com/robots.txt: 1 could not be read: text after its first 512,000 bytes is not read\n";
    assert!(report.starts_with(unread), "{report}");
}

#[test]
fn disallowed_guesses_are_left_out() {
    let robots = "User-agent: TestBot\nDisallow: /*.xml\nUser-agent: *\nDisallow: /";
    let (addresses, walk) = requested(Response::ok(robots));
    assert_eq!(addresses, [ROBOTS, "https://example.com/sitemap.txt"]);
    let left_out = walk
        .report()
        .count(|fate| *fate == Fate::Skipped(Cause::Disallowed));
    assert_eq!(left_out, 4);
}

#[test]
fn redirects_of_robots_txt_lead_to_the_site() {
    let mut walk = builder().walk_site("http://example.com").unwrap();
    let seen = run(
        &mut walk,
        &[
            (
                "http://example.com/robots.txt",
                Response::redirect("https://example.com/robots.txt"),
            ),
            (ROBOTS, Response::redirect("//www.example.com/robots.txt")),
            ("https://www.example.com/robots.txt", Response::status(200)),
            (
                "https://www.example.com/sitemap.xml",
                Response::ok(index(&[
                    "https://example.com/a.xml",
                    "/b.xml",
                    "https://other.example/c.xml",
                ])),
            ),
            (
                "https://example.com/a.xml",
                Response::ok(urlset(&["https://example.com/a"])),
            ),
            (
                "https://www.example.com/b.xml",
                Response::ok(urlset(&["https://example.com/b"])),
            ),
        ],
    );
    assert_eq!(seen.locs(), ["https://example.com/a", "https://example.com/b"]);
    let other = walk
        .report()
        .count(|fate| *fate == Fate::Skipped(Cause::OtherHost));
    assert_eq!(other, 1);
}

#[test]
fn five_redirects_of_robots_txt_are_followed() {
    let hops: Vec<String> = (0..6)
        .map(|i| format!("https://example.com/robots{i}.txt"))
        .collect();
    let mut table = vec![(ROBOTS, Response::redirect(&hops[0]))];
    for pair in hops.windows(2) {
        table.push((&pair[0], Response::redirect(&pair[1])));
    }
    table.push((&hops[5], Response::ok("Sitemap: /a.xml")));
    let mut walk = site();
    let seen = run(&mut walk, &table);
    assert_eq!(seen.addresses().last(), Some(&"https://example.com/a.xml"));
}

#[test]
fn documents_are_recognised_by_their_content() {
    let rss =
        "<rss version=\"2.0\"><channel><item><link>https://example.com/rss</link></item></channel></rss>";
    let documents = [
        (
            "https://example.com/a",
            urlset(&["https://example.com/xml"]).into_bytes(),
        ),
        (
            "https://example.com/b.xml",
            gzip(urlset(&["https://example.com/gzip"]).as_bytes()),
        ),
        (
            "https://example.com/c.xml.gz",
            b"https://example.com/text\n".to_vec(),
        ),
        ("https://example.com/d.txt", rss.as_bytes().to_vec()),
        (
            "https://example.com/e.xml",
            index(&["https://example.com/d.txt"]).into_bytes(),
        ),
    ];
    let addresses: Vec<&str> = documents.iter().map(|(url, _)| *url).collect();
    let start = "https://example.com/index";
    let mut table = vec![(start, Response::ok(index(&addresses)))];
    table.extend(
        documents
            .iter()
            .map(|(url, body)| (*url, Response::ok(body.clone()))),
    );
    let mut walk = builder().walk_sitemap(start).unwrap();
    let seen = run(&mut walk, &table);
    let locs = ["gzip", "rss", "text", "xml"].map(|name| format!("https://example.com/{name}"));
    assert_eq!(seen.locs(), locs);
    let report = walk.report();
    let kinds: Vec<_> = report
        .documents()
        .iter()
        .filter_map(DocumentReport::kind)
        .collect();
    use DocumentKind::{Index, Pages};
    assert_eq!(kinds, [Index, Pages, Pages, Pages, Pages, Index]);
    assert_eq!(
        (report.entries(), report.repeated(), report.requests()),
        (4, 1, 6)
    );
    assert_eq!(
        report.to_string(),
        "https://example.com/e.xml is an index listed by an index (P-NEST)\n"
    );
    let header = |url: &str, name: &str| {
        let headers = seen.headers[url].iter().find(|(found, _)| found == name);
        headers.map(|(_, value)| value.clone())
    };
    assert_eq!(
        header(addresses[2], "accept-encoding").as_deref(),
        Some("identity")
    );
    assert_eq!(header(addresses[1], "accept-encoding").as_deref(), Some("gzip"));
    assert_eq!(
        header(addresses[0], "user-agent").as_deref(),
        Some("TestBot/1.0 (+https://example.com/bot)")
    );
}

#[test]
fn what_is_no_address_is_an_error() {
    for (start, message) in [
        ("example.com", "example.com is not an absolute URL"),
        (
            "file:///etc/passwd",
            "file:///etc/passwd is neither http nor https",
        ),
        (
            "https://me:secret@example.com/",
            "https://me:secret@example.com/ has a user name or a password",
        ),
    ] {
        assert_eq!(Walk::site("TestBot", start).unwrap_err().to_string(), message);
    }
}

/// A `robots.txt` that is redirected to another host belongs to the site that was asked (RFC 9309 section 2.3.1.2): its rules, its relative
/// lines, and the common addresses if it names none.
#[test]
fn a_robots_txt_of_another_host_is_the_sites_own() {
    const SHARED: &str = "https://static.example/robots-generic.txt";
    let requested = |robots: &str| {
        let mut walk = site();
        let table = [
            (ROBOTS, Response::redirect(SHARED)),
            (SHARED, Response::ok(robots)),
        ];
        let seen = run(&mut walk, &table);
        let addresses = seen.addresses().into_iter().skip(2).map(str::to_owned);
        addresses.collect::<Vec<_>>()
    };
    assert_eq!(requested("User-agent: *\nDisallow: /tmp/"), GUESSES[1..]);
    assert_eq!(requested("User-agent: *\nDisallow: /sitemap"), GUESSES[5..]);
    assert_eq!(
        requested("Sitemap: /maps/a.xml"),
        ["https://example.com/maps/a.xml"]
    );
    assert_eq!(
        requested("Sitemap: maps/a.xml"),
        ["https://example.com/maps/a.xml"]
    );
    assert_eq!(
        requested("Sitemap: https://static.example/b.xml"),
        ["https://static.example/b.xml"]
    );
}

/// Lines that name no sitemap are counted, with the number of the first.
#[test]
fn lines_of_robots_txt_that_name_no_sitemap() {
    let mut walk = site();
    let robots = "User-agent: *\nSitemap: {{ site.url }}/a.xml\nSitemap: https://example.com/b.xml\nSitemap: 'c.xml'\n";
    run(&mut walk, &[(ROBOTS, Response::ok(robots))]);
    let report = walk.report();
    let found = &report.documents()[0];
    assert_eq!(
        (found.invalid_entries(), found.problem()),
        (
            2,
            Some("line 2, `Sitemap: {{ site.url }}/a.xml`, is a template that was not filled in")
        )
    );
    assert_eq!(report.documents().len(), 2);
}

/// UTF-16 is decoded.
#[test]
fn a_robots_txt_in_utf_16() {
    let text = "\u{FEFF}Sitemap: https://example.com/map.xml\r\n";
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (addresses, _) = requested(Response::ok(bytes));
    assert_eq!(addresses, [ROBOTS, "https://example.com/map.xml"]);
}
