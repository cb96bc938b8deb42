//! The fate of a document for each response.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use sitemap_tree::{Answer, Budget, Failure, Fate, Head, Request};

use crate::server::{Client, Response, builder, fates, gzip, index, run, site, stray_id, urlset};

const START: &str = "https://example.com/sitemap.xml";

/// The requests of one document and its fate, for these responses in order; the last one repeats.
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
        (201, 1, "was read"),
        (202, 1, "was read"),
        (203, 1, "was read"),
        (204, 1, "could not be read: status 204"),
        (205, 1, "could not be read: status 205"),
        (206, 1, "could not be read: status 206"),
        (226, 1, "was read"),
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

/// Many servers send a path in raw UTF-8, and clients encode it.
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

/// The target of several redirects is listed while a redirect is requesting it.
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
        "could not be read: its body broke off: it has 140 of 155 bytes"
    );
    // A body with its whole length is a broken document, which no retry would change.
    let (times, fate) = fate_of(&[Response::ok(&whole[..140]).with("content-length", "140")]);
    assert_eq!(times.len(), 1);
    assert!(
        fate.starts_with("could not be read: ") && !fate.contains("cut"),
        "{fate}"
    );
    // Bytes after the document are read too.
    let (_, fate) = fate_of(&[Response::ok(&*whole).with("content-length", "200")]);
    assert_eq!(
        fate,
        "could not be read: its body broke off: it has 155 of 200 bytes"
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
    // A date is compared with the system clock if the response has no `Date`.
    let until = SystemTime::now() + Duration::from_secs(300);
    let busy = Response::status(429).with("retry-after", httpdate::fmt_http_date(until));
    let (times, _) = fate_of(&[busy, good.clone()]);
    assert!((290_000..301_001).contains(&times[1]), "{times:?}");
    // After 429 the host's other documents wait too, but not for long. After 503 only the document waits. Other hosts never wait.
    for (status, retry_after, late_ones) in [
        (429, "60", &["/b.xml", "/a.xml"][..]),
        (429, "300", &["/b.xml", "/a.xml"]),
        (503, "60", &["/a.xml"]),
    ] {
        let mut walk = site();
        let mut is_busy = true;
        let mut client = Client::new(|request: &Request| match request.url() {
            "https://example.com/robots.txt" => {
                Response::ok("Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: https://example.net/c.xml")
            }
            "https://example.com/a.xml" if std::mem::take(&mut is_busy) => {
                Response::status(status).with("retry-after", retry_after)
            }
            _ => good.clone(),
        });
        client.run(&mut walk);
        let late: Vec<&str> = client
            .seen
            .requests
            .iter()
            .filter(|(time, _)| *time >= 60_000)
            .map(|(_, url)| &url["https://example.com".len()..])
            .collect();
        assert_eq!(late, late_ones, "{status}, {retry_after}");
    }
}

/// If a response asks to wait for a day, only this document fails, with its status.
#[test]
fn a_document_that_is_busy_for_long_fails_alone() {
    let addresses: Vec<String> = (0..17).map(|i| format!("https://example.com/{i}.xml")).collect();
    for status in [429, 503] {
        let mut walk = builder().walk_sitemap(START).unwrap();
        let mut client = Client::new(|request: &Request| match request.url() {
            START => Response::ok(index(&addresses)),
            "https://example.com/3.xml" => Response::status(status).with("retry-after", "86400"),
            url => Response::ok(urlset(&[url])),
        });
        client.run(&mut walk);
        assert_eq!((client.seen.locs().len(), client.now), (16, Duration::ZERO));
        let told = format!(
            "https://example.com/3.xml could not be read: status {status}, and the server asks to wait 24 hours\n"
        );
        assert_eq!(walk.report().to_string(), told);
    }
}

/// A partial response is the document if its range covers everything.
#[test]
fn ranges() {
    for (range, expected) in [
        ("bytes 0-114/115", "was read"),
        ("bytes 0-114/116", "could not be read: status 206"),
        ("bytes 1-114/115", "could not be read: status 206"),
        ("bytes 0-114/*", "could not be read: status 206"),
        ("bytes */115", "could not be read: status 206"),
        ("bytes 0-18446744073709551615/0", "could not be read: status 206"),
        ("lines 0-114/115", "could not be read: status 206"),
    ] {
        let response = Response {
            status: 206,
            ..Response::ok(urlset(&["https://example.com/"]))
        };
        assert_eq!(
            fate_of(&[response.with("content-range", range)]).1,
            expected,
            "{range}"
        );
    }
}

/// Sites that set a cookie and redirect are read. The cookie is sent only to them.
#[test]
fn cookies_within_a_site() {
    let (a, b, other) = (
        "https://example.com/a.xml",
        "https://example.com/b.xml",
        "https://cdn.example/c.xml",
    );
    for hop in [None, Some("https://example.com/consent?next=a")] {
        let mut sent: Vec<(String, Option<String>)> = Vec::new();
        let mut walk = site();
        let mut client = Client::new(|request: &Request| {
            let cookie = request
                .headers()
                .find(|(name, _)| *name == "cookie")
                .map(|(_, value)| value.to_owned());
            sent.push((request.url().to_owned(), cookie.clone()));
            let is_known = cookie.is_some_and(|cookie| cookie.contains("seen=1"));
            match request.url() {
                "https://example.com/robots.txt" => {
                    Response::ok(format!("Sitemap: {a}\nSitemap: {b}\nSitemap: {other}"))
                        .with("set-cookie", "lang=de; Path=/")
                }
                url if url == other => Response::ok(urlset(&[url])).with("set-cookie", "theirs=1"),
                url if is_known => Response::ok(urlset(&[url])).with("set-cookie", "gone=1; Max-Age=0"),
                url if Some(url) == hop => {
                    Response::redirect(a).with("set-cookie", "seen=1; Secure; HttpOnly")
                }
                url => match hop {
                    Some(hop) => Response::redirect(hop),
                    None => Response::redirect(url).with("set-cookie", "seen=1; Max-Age=60"),
                },
            }
        });
        client.run(&mut walk);
        let read: BTreeSet<&str> = client.seen.locs().into_iter().collect();
        assert_eq!(read, BTreeSet::from([a, b, other]), "{}", walk.report());
        let own = sent
            .iter()
            .filter(|(url, _)| url.starts_with("https://example.com/"))
            .skip(1);
        assert!(
            own.clone().all(|(_, cookie)| cookie
                .as_ref()
                .is_some_and(|cookie| cookie.starts_with("lang=de"))),
            "{sent:?}"
        );
        let theirs = sent.iter().find(|(url, _)| url == other).unwrap();
        assert_eq!(theirs.1, None);
    }
    // A new cookie each time does not make the walk endless.
    let mut number = 0;
    let mut walk = builder().walk_sitemap(START).unwrap();
    let mut client = Client::new(|_: &Request| {
        number += 1;
        Response::redirect(START).with("set-cookie", format!("n={number}"))
    });
    client.run(&mut walk);
    assert_eq!(client.seen.requests.len(), 21);
    assert_eq!(
        fates(&walk)[0].1.to_string(),
        "could not be read: redirect: more than 20"
    );
}

/// A server that answers every address alike has one sitemap, at any common address.
#[test]
fn guesses_that_are_answered_alike() {
    for parallel in 1..6 {
        let mut walk = site();
        let mut client = Client::new(|request: &Request| {
            if request.url().ends_with("/robots.txt") {
                Response::status(404)
            } else {
                Response::ok(urlset(&["https://example.com/"]))
            }
        });
        client.parallel = parallel;
        client.run(&mut walk);
        assert_eq!(client.seen.locs(), ["https://example.com/"]);
        let report = walk.report();
        let same = report.count(|fate| matches!(fate, Fate::SameAs(_)));
        assert_eq!(
            (same, report.count(|fate| *fate == Fate::Read), report.entries()),
            (4, 1, 1)
        );
    }
}

#[test]
fn a_server_that_asks_to_wait_beyond_the_end_is_not_waited_for() {
    let mut walk = site();
    let mut client = Client::new(|_: &Request| Response::status(503).with("retry-after", "99999999999"));
    client.run(&mut walk);
    assert!(client.now < Duration::from_secs(2));
    let expected = "https://example.com/robots.txt could not be read: status 503, and the server asks to wait more than 1,000 years\n";
    assert_eq!(walk.report().to_string(), expected);
}

#[test]
fn crawl_delay_is_kept_up_to_a_time() {
    let robots = "User-agent: *\nCrawl-delay: 2.5\nSitemap: /a.xml\nSitemap: /b.xml\n";
    let table = [("https://example.com/robots.txt", Response::ok(robots))];
    for (longest, expected) in [
        (None, [0, 0, 1000]),
        (Some(0), [0, 0, 0]),
        (Some(2), [0, 0, 2000]),
        (Some(60), [0, 0, 2500]),
    ] {
        let mut builder = builder();
        if let Some(longest) = longest {
            builder.max_crawl_delay(Duration::from_secs(longest));
        }
        let mut walk = builder.walk_site("https://example.com").unwrap();
        let seen = run(&mut walk, &table);
        let times: Vec<u128> = seen.requests.iter().map(|(time, _)| *time).collect();
        assert_eq!(times, expected);
        assert_eq!(walk.crawl_delay(), Some(Duration::from_millis(2500)));
    }
    // A walk over a sitemap requests robots.txt only for its delay, if a delay is set.
    let mut walk = builder().walk_sitemap(START).unwrap();
    assert_eq!(run(&mut walk, &table).addresses(), [START]);
    let mut walk = builder()
        .max_crawl_delay(Duration::from_secs(9))
        .walk_sitemap(START)
        .unwrap();
    let seen = run(&mut walk, &table);
    assert_eq!(seen.addresses(), ["https://example.com/robots.txt", START]);
}

#[test]
fn at_most_four_requests_to_a_host_at_once() {
    let addresses: Vec<String> = (0..20).map(|i| format!("https://example.com/{i}.xml")).collect();
    for (connections, expected) in [(None, 4), (Some(2), 2), (Some(1), 1)] {
        let mut builder = builder();
        if let Some(connections) = connections {
            builder.max_connections_per_host(connections);
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

/// Settings that a walk cannot obey are errors when it begins.
#[test]
fn settings_that_do_not_fit() {
    let (mut unconnected, mut located) = (builder(), builder());
    unconnected.max_connections_per_host(0);
    located.reader(|reader| reader.location("https://example.com/a.xml"));
    for (builder, problem) in [
        (unconnected, "a walk needs at least one connection to a host"),
        (
            located,
            "the location of a document is its URL, and not https://example.com/a.xml: set none",
        ),
    ] {
        assert_eq!(builder.walk_sitemap(START).unwrap_err().to_string(), problem);
        assert_eq!(
            builder.walk_site("https://example.com/").unwrap_err().to_string(),
            problem
        );
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
    walk.fail(id, Failure::TimedOut(None), Duration::ZERO);
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
        (Failure::TimedOut(None), 4, "could not be read: it took too long"),
        (Failure::TooSlow, 1, "could not be read: it was too slow"),
        (
            Failure::Certificate("invalid peer certificate: Expired".into()),
            1,
            "could not be read: invalid peer certificate: Expired",
        ),
        (
            Failure::private_ip("10.0.0.7".parse().unwrap()),
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
