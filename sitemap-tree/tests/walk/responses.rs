//! What becomes of a document by the responses to its requests.

use std::time::Duration;

use sitemap_tree::{Answer, Budget, Failure, Fate, Head, Request};

use crate::server::{Client, Response, builder, fates, gzip, index, run, site, stray_id, urlset};

const START: &str = "https://example.com/sitemap.xml";

/// The requests of one document and its fate, if its responses are these in order, and the last one from then on.
fn fate_of(responses: &[Response]) -> (Vec<u128>, String) {
    let mut walk = builder().walk_sitemap(START).unwrap();
    let mut number = 0;
    let mut client = Client::new(|_: &Request| {
        number += 1;
        responses[(number - 1).min(responses.len() - 1)].clone()
    });
    client.run(&mut walk);
    let times = client.seen.requests.iter().map(|(time, _)| *time).collect();
    (times, fates(&walk)[0].1.to_string())
}

#[test]
fn statuses() {
    for (status, requests, expected) in [
        (100, 1, "could not be read: status 100"),
        (200, 1, "was read"),
        (201, 1, "could not be read: status 201"),
        (203, 1, "was read"),
        (204, 1, "could not be read: status 204"),
        (206, 1, "could not be read: status 206"),
        (300, 1, "could not be read: status 300"),
        (304, 1, "could not be read: status 304"),
        (305, 1, "could not be read: status 305"),
        (400, 1, "could not be read: status 400"),
        (401, 1, "could not be read: status 401"),
        (403, 1, "could not be read: status 403"),
        (404, 1, "does not exist"),
        (408, 4, "could not be read: status 408"),
        (410, 1, "does not exist"),
        (418, 1, "could not be read: status 418"),
        (429, 4, "could not be read: status 429"),
        (500, 4, "could not be read: status 500"),
        (502, 4, "could not be read: status 502"),
        (503, 4, "could not be read: status 503"),
        (600, 1, "could not be read: status 600"),
        (0, 1, "could not be read: status 0"),
    ] {
        let response = Response {
            status,
            ..Response::ok(urlset(&["https://example.com/"]))
        };
        let (times, fate) = fate_of(&[response]);
        assert_eq!((times.len(), &*fate), (requests, expected), "{status}");
    }
}

#[test]
fn redirects() {
    for (location, expected) in [
        (
            "https://example.com/sitemap.xml#again",
            "could not be read: redirect: to itself",
        ),
        (
            "ftp://example.com/",
            "could not be read: redirect: ftp://example.com/ is neither http nor https",
        ),
        ("//", "could not be read: redirect: // is not an absolute URL"),
        (
            "http://127.1/",
            "could not be read: 127.0.0.1 is not a public address",
        ),
        (
            "http://[::ffff:a00:1]/",
            "could not be read: ::ffff:10.0.0.1 is not a public address",
        ),
        (
            "http://localhost:80/",
            "could not be read: localhost is not a public address",
        ),
        (
            "\u{7F}",
            "could not be read: redirect: the response has no valid Location",
        ),
    ] {
        assert_eq!(fate_of(&[Response::redirect(location)]).1, expected, "{location}");
    }
    let mut walk = builder().walk_sitemap(START).unwrap();
    let mut hop = 0;
    let mut client = Client::new(|_: &Request| {
        hop += 1;
        Response::redirect(&format!("https://example.com/{hop}"))
    });
    client.run(&mut walk);
    assert_eq!(client.seen.requests.len(), 21);
    assert_eq!(
        fates(&walk)[0].1.to_string(),
        "could not be read: redirect: more than 20"
    );
}

/// Many servers send a path as it is in UTF-8, and clients encode it.
#[test]
fn redirects_beyond_ascii() {
    let mut walk = builder().walk_sitemap(START).unwrap();
    let table = [(START, Response::redirect("/caf\u{e9}.xml"))];
    let seen = run(&mut walk, &table);
    assert_eq!(seen.addresses(), [START, "https://example.com/caf%C3%A9.xml"]);
}

#[test]
fn a_redirect_to_another_document_is_that_document() {
    let child = |name: &str| format!("https://example.com/{name}.xml");
    let (a, b, c, d) = (child("a"), child("b"), child("c"), child("d"));
    let mut walk = builder().walk_sitemap(START).unwrap();
    let seen = run(
        &mut walk,
        &[
            (START, Response::ok(index(&[&a, &b, &c, &d]))),
            (&a, Response::redirect(&b)),
            (&b, Response::ok(urlset(&["https://example.com/b"]))),
            (&c, Response::redirect("/e.xml")),
            (&d, Response::redirect("/e.xml")),
            (&child("e"), Response::ok(urlset(&["https://example.com/e"]))),
        ],
    );
    assert_eq!(seen.locs(), ["https://example.com/b", "https://example.com/e"]);
    let expected = [
        (START.to_owned(), Fate::Read),
        (a, Fate::SameAs(b.as_str().into())),
        (b, Fate::Read),
        (c, Fate::Read),
        (d, Fate::SameAs(child("c").into())),
    ];
    assert_eq!(fates(&walk), expected);
    let report = walk.report();
    assert_eq!(report.documents()[3].redirected_to(), Some(&*child("e")));
}

#[test]
fn a_document_listed_after_it_was_redirected_to() {
    let mut walk = builder().walk_sitemap(START).unwrap();
    let table = [
        (START, Response::ok(index(&["/a.xml", "/c.xml"]))),
        ("https://example.com/a.xml", Response::redirect("/b.xml")),
        (
            "https://example.com/b.xml",
            Response::ok(urlset(&["https://example.com/b"])),
        ),
        (
            "https://example.com/c.xml",
            Response::ok(index(&["/b.xml", "/b.xml#2", "/a.xml"])),
        ),
    ];
    let seen = run(&mut walk, &table);
    assert_eq!(
        (seen.locs(), seen.requests.len()),
        (vec!["https://example.com/b"], 4)
    );
    assert_eq!(
        fates(&walk)[3].1,
        Fate::SameAs("https://example.com/a.xml".into())
    );
    assert_eq!(fates(&walk).len(), 4);
}

/// The target is listed while it is requested as that of a redirect, and several redirect to it.
#[test]
fn a_document_listed_while_its_redirect_is_followed() {
    let table = [
        (START, Response::ok(index(&["/a.xml", "/b.xml", "/c.xml"]))),
        ("https://example.com/a.xml", Response::redirect("/t.xml")),
        ("https://example.com/b.xml", Response::redirect("/t.xml")),
        ("https://example.com/c.xml", Response::ok(index(&["/t.xml"]))),
        (
            "https://example.com/t.xml",
            Response::ok(urlset(&["https://example.com/t"])),
        ),
    ];
    for parallel in 1..5 {
        let mut walk = builder().walk_sitemap(START).unwrap();
        let mut client = Client::new(|request: &Request| {
            let found = table.iter().find(|(url, _)| *url == request.url());
            found.unwrap().1.clone()
        });
        client.parallel = parallel;
        client.run(&mut walk);
        assert_eq!(client.seen.locs(), ["https://example.com/t"]);
        let of_target = client
            .seen
            .addresses()
            .iter()
            .filter(|url| url.ends_with("t.xml"))
            .count();
        assert_eq!((of_target, client.seen.requests.len()), (1, 5), "{parallel}");
    }
}

#[test]
fn temporary_failures_are_tried_again_after_a_while() {
    let good = Response::ok(urlset(&["https://example.com/"]));
    for bad in [
        Response::lost(),
        Response::status(500),
        Response::status(503),
        good.clone().broken(),
        good.clone().with("content-length", "1000"),
        Response::ok(&good.body[..60]),
        Response::ok(&gzip(&good.body)[..40]),
        Response::ok(&gzip(&good.body)[..gzip(&good.body).len() - 1]),
    ] {
        let (times, fate) = fate_of(&[bad.clone(), bad.clone(), good.clone()]);
        assert_eq!(fate, "was read", "{bad:?}");
        assert!(times[1] >= 500 && times[1] <= 1000, "{times:?}");
        assert!(
            times[2] - times[1] >= 1000 && times[2] - times[1] <= 2000,
            "{times:?}"
        );
        assert_eq!(fate_of(&[bad]).0.len(), 4);
    }
}

#[test]
fn a_cut_body_is_no_document() {
    let whole = urlset(&["https://example.com/1", "https://example.com/2"]);
    let (_, fate) = fate_of(&[Response::ok(&whole[..140]).with("content-length", whole.len().to_string())]);
    assert_eq!(
        fate,
        "could not be read: its body was cut: it has 140 of 155 bytes"
    );
    // With its whole length it is the document that is broken, and no other try would change it.
    let (times, fate) = fate_of(&[Response::ok(&whole[..140]).with("content-length", "140")]);
    assert_eq!(times.len(), 1);
    assert!(
        fate.starts_with("could not be read: ") && !fate.contains("cut"),
        "{fate}"
    );
    // What is after the document is read too.
    let (_, fate) = fate_of(&[Response::ok(&*whole).with("content-length", "200")]);
    assert_eq!(
        fate,
        "could not be read: its body was cut: it has 155 of 200 bytes"
    );
}

#[test]
fn a_busy_host_is_left_alone() {
    let good = Response::ok(urlset(&["https://example.com/"]));
    let date = |minutes: u64| format!("Mon, 23 Nov 2026 10:{minutes:02}:00 GMT");
    for (retry_after, milliseconds) in [("120", 120_000), (&*date(7), 7 * 60_000)] {
        let busy = Response::status(429)
            .with("retry-after", retry_after)
            .with("date", date(0));
        let (times, fate) = fate_of(&[busy, good.clone()]);
        assert_eq!(fate, "was read");
        assert!(
            times[1] >= milliseconds && times[1] <= milliseconds + 1000,
            "{times:?}"
        );
    }
    // The other documents of the host wait too, those of another host do not.
    let mut walk = site();
    let mut is_busy = true;
    let mut client = Client::new(|request: &Request| match request.url() {
        "https://example.com/robots.txt" => {
            Response::ok("Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: https://example.net/c.xml")
        }
        "https://example.com/a.xml" if std::mem::take(&mut is_busy) => {
            Response::status(503).with("retry-after", "60")
        }
        _ => good.clone(),
    });
    client.run(&mut walk);
    let late: Vec<&str> = client
        .seen
        .requests
        .iter()
        .filter(|(time, _)| *time >= 60_000)
        .map(|(_, url)| &**url)
        .collect();
    assert_eq!(late, ["https://example.com/b.xml", "https://example.com/a.xml"]);
}

#[test]
fn a_server_that_asks_to_wait_beyond_the_end_is_not_waited_for() {
    let mut walk = site();
    let mut client = Client::new(|_: &Request| Response::status(503).with("retry-after", "99999999999"));
    client.run(&mut walk);
    assert!(client.now < Duration::from_secs(2));
    let expected = "https://example.com/robots.txt was left out: the walk may not use more time\n";
    assert_eq!(walk.report().to_string(), expected);
}

#[test]
fn crawl_delay_is_kept_on_request() {
    let robots = "User-agent: *\nCrawl-delay: 2.5\nSitemap: /a.xml\nSitemap: /b.xml\n";
    let table = [("https://example.com/robots.txt", Response::ok(robots))];
    for (wait, expected) in [(false, [0, 0, 0]), (true, [0, 0, 2500])] {
        let mut walk = builder()
            .crawl_delay(wait)
            .walk_site("https://example.com")
            .unwrap();
        let seen = run(&mut walk, &table);
        let times: Vec<u128> = seen.requests.iter().map(|(time, _)| *time).collect();
        assert_eq!(times, expected);
    }
    // For a sitemap, robots.txt is requested for its delay only.
    let mut walk = builder().crawl_delay(true).walk_sitemap(START).unwrap();
    let seen = run(&mut walk, &table);
    assert_eq!(seen.addresses(), ["https://example.com/robots.txt", START]);
}

#[test]
fn at_most_four_requests_to_a_host_at_once() {
    let addresses: Vec<String> = (0..20).map(|i| format!("https://example.com/{i}.xml")).collect();
    for (connections, expected) in [(None, 4), (Some(2), 2), (Some(0), 1)] {
        let mut builder = builder();
        if let Some(connections) = connections {
            builder.connections_per_host(connections);
        }
        let mut walk = builder.walk_sitemap(START).unwrap();
        let mut client = Client::new(|request: &Request| match request.url() {
            START => Response::ok(index(&addresses)),
            url => Response::ok(urlset(&[url])),
        });
        client.parallel = 100;
        client.run(&mut walk);
        assert_eq!((client.seen.in_flight, client.seen.locs().len()), (expected, 20));
    }
}

#[test]
fn answers_to_requests_that_are_not_in_flight_are_ignored() {
    let mut walk = site();
    let id = stray_id();
    assert!(matches!(
        walk.respond(id, &Head::new(200), Duration::ZERO),
        Answer::Skip
    ));
    walk.fail(id, Failure::TimedOut, Duration::ZERO);
    let seen = run(
        &mut walk,
        &[("https://example.com/robots.txt", Response::ok("Sitemap: /a.xml"))],
    );
    assert_eq!(
        seen.addresses(),
        ["https://example.com/robots.txt", "https://example.com/a.xml"]
    );
}

#[test]
fn failures_of_the_client() {
    for (failure, requests, expected) in [
        (Failure::TimedOut, 4, "could not be read: it took too long"),
        (
            Failure::private_address("10.0.0.7".parse().unwrap()),
            1,
            "could not be read: 10.0.0.7 is not a public address",
        ),
    ] {
        let mut walk = builder().budget(Budget::default()).walk_sitemap(START).unwrap();
        let mut now = Duration::ZERO;
        loop {
            match walk.step(now) {
                sitemap_tree::Step::Request(request) => walk.fail(request.id(), failure.clone(), now),
                sitemap_tree::Step::Wait(time) => now += time.unwrap(),
                sitemap_tree::Step::Done => break,
            }
        }
        let report = walk.report();
        assert_eq!(
            (report.requests(), &*report.documents()[0].fate().to_string()),
            (requests, expected)
        );
    }
}
