//! Walks that start with an earlier state.

use crate::limited;
use std::collections::HashMap;
use std::time::Duration;

use sitemap_tree::{Answer, Fate, Head, Request, Role, State, Step, Walk};

use crate::server::{Client, Log, Response, Seen, builder, run, urlset};

/// A site whose responses have validators.
#[derive(Clone, Default)]
struct Site {
    bodies: HashMap<String, String>,
    failing: Vec<String>,
}

impl Site {
    fn new() -> Self {
        let mut site = Site::default();
        site.put("robots.txt", "Sitemap: https://example.com/index.xml");
        site.put(
            "index.xml",
            &listing(&[("a", "2026-01-01"), ("b", "2026-01-01"), ("nested", "2026-01-01")]),
        );
        site.put(
            "nested.xml",
            &listing(&[("c", "2026-01-01"), ("d", "2026-01-01")]),
        );
        for name in ["a", "b", "c", "d"] {
            site.put(
                &format!("{name}.xml"),
                &urlset(&[&format!("https://example.com/{name}")]),
            );
        }
        site
    }

    fn put(&mut self, path: &str, body: &str) {
        self.bodies
            .insert(format!("https://example.com/{path}"), body.to_owned());
    }

    fn remove(&mut self, path: &str) {
        self.bodies.remove(&format!("https://example.com/{path}"));
    }

    fn respond(&self, request: &Request) -> Response {
        if self.failing.iter().any(|url| url == request.url()) {
            return Response::status(500);
        }
        let Some(body) = self.bodies.get(request.url()) else {
            return Response::status(404);
        };
        let etag = format!("\"{}\"", blake3::hash(body.as_bytes()));
        if request
            .headers()
            .any(|header| header == ("if-none-match", &*etag))
        {
            return Response::status(304).with("etag", etag);
        }
        Response::ok(body.as_bytes()).with("etag", etag)
    }
}

/// An index of these sitemaps with their lastmods.
fn listing(sitemaps: &[(&str, &str)]) -> String {
    let entries: Vec<String> = sitemaps
        .iter()
        .map(|(name, lastmod)| {
            format!(
                "<sitemap><loc>https://example.com/{name}.xml</loc><lastmod>{lastmod}</lastmod></sitemap>"
            )
        })
        .collect();
    format!(
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</sitemapindex>",
        entries.concat()
    )
}

/// A state after a round trip through a file.
fn stored(walk: &Walk) -> State {
    serde_json::from_str(&serde_json::to_string(&walk.state()).unwrap()).unwrap()
}

/// Walks a site, and returns the pages, the report's text and the state.
fn walk(site: &Site, state: Option<State>, trust: bool) -> (Seen, String, State) {
    let mut builder = builder();
    builder.trust_lastmod(trust);
    if let Some(state) = state {
        builder.state(state);
    }
    let mut walk = builder.walk_site("https://example.com/").unwrap();
    let mut client = Client::new(|request: &Request| site.respond(request));
    client.run(&mut walk);
    let mut report: Vec<String> = walk.report().to_string().lines().map(str::to_owned).collect();
    report.retain(|line| !line.contains("P-NEST"));
    (client.seen, report.join("\n"), stored(&walk))
}

#[test]
fn nothing_has_changed() {
    let site = Site::new();
    let (first, report, state) = walk(&site, None, false);
    assert_eq!(
        (first.requests.len(), first.documents.len(), &*report),
        (7, 4, "")
    );
    assert!(state.is_finished());
    // Several times, since the state of an unchanged walk is a state too.
    let mut state = state;
    for _ in 0..3 {
        let (again, report, next) = walk(&site, Some(state), false);
        assert_eq!(
            (again.requests.len(), again.documents.len(), &*report),
            (7, 0, "")
        );
        state = next;
    }
}

#[test]
fn what_has_changed_is_read() {
    let mut site = Site::new();
    let (_, _, state) = walk(&site, None, false);
    site.put("c.xml", &urlset(&["https://example.com/new"]));
    site.put(
        "nested.xml",
        &listing(&[("c", "2026-01-02"), ("e", "2026-01-02")]),
    );
    site.remove("b.xml");
    let (again, report, state) = walk(&site, Some(state), false);
    assert_eq!(again.locs(), ["https://example.com/new"]);
    assert_eq!(
        report,
        "https://example.com/b.xml does not exist\n\
         https://example.com/e.xml does not exist\n\
         https://example.com/d.xml is not listed any more"
    );
    // What has vanished is reported once.
    let (_, report, _) = walk(&site, Some(state), false);
    assert!(!report.contains("d.xml"), "{report}");
}

#[test]
fn what_is_below_an_index_that_fails_has_not_vanished() {
    let mut site = Site::new();
    let (_, _, state) = walk(&site, None, false);
    site.failing = vec!["https://example.com/index.xml".to_owned()];
    site.remove("d.xml");
    let (_, report, state) = walk(&site, Some(state), false);
    assert_eq!(
        report,
        "https://example.com/index.xml could not be read: status 500"
    );
    // The state keeps it.
    site.failing.clear();
    let (again, report, _) = walk(&site, Some(state), false);
    assert_eq!(
        (again.documents.len(), &*report),
        (0, "https://example.com/d.xml does not exist")
    );
}

#[test]
fn an_unchanged_lastmod_is_trusted_on_request() {
    let mut site = Site::new();
    let (_, _, state) = walk(&site, None, true);
    // The site has changed b with a new lastmod, and c without.
    site.put("b.xml", &urlset(&["https://example.com/b2"]));
    site.put("c.xml", &urlset(&["https://example.com/c2"]));
    site.put(
        "index.xml",
        &listing(&[("a", "2026-01-01"), ("b", "2026-02-01"), ("nested", "2026-01-01")]),
    );
    let (again, report, _) = walk(&site, Some(state.clone()), true);
    assert_eq!(again.locs(), ["https://example.com/b2"]);
    assert_eq!(again.addresses().len(), 3);
    assert_eq!(report, "");
    let (again, ..) = walk(&site, Some(state), false);
    assert_eq!(again.locs(), ["https://example.com/b2", "https://example.com/c2"]);
}

#[test]
fn the_hash_says_what_the_server_does_not() {
    let table = |body: &str| [("https://example.com/a.xml", Response::ok(urlset(&[body])))];
    let mut first = builder().walk_sitemap("https://example.com/a.xml").unwrap();
    run(&mut first, &table("https://example.com/1"));
    assert!(first.report().documents()[0].has_changed());
    for (body, has_changed) in [("https://example.com/1", false), ("https://example.com/2", true)] {
        let mut again = builder()
            .state(stored(&first))
            .walk_sitemap("https://example.com/a.xml")
            .unwrap();
        run(&mut again, &table(body));
        assert_eq!(again.report().documents()[0].has_changed(), has_changed);
    }
}

/// A rejected document is not recorded as read: it is requested again without conditions.
#[test]
fn a_rejected_document_is_read_again() {
    const URL: &str = "https://example.com/a.txt";
    let (mut builder, mut fates) = (builder(), Vec::new());
    let mut conditions = Vec::new();
    for problem in [
        Some("line 1 is no URL"),
        Some("line 2 is no URL"),
        None,
        Some("never read"),
    ] {
        let mut walk = builder.walk_sitemap(URL).unwrap();
        let Step::Request(request) = walk.step(Duration::ZERO) else {
            panic!();
        };
        let tag = request.headers().find(|(name, _)| *name == "if-none-match");
        conditions.push(tag.is_some());
        let mut head = Head::new(if tag.is_some() { 304 } else { 200 });
        head.header("etag", b"\"1\"").header("content-length", b"21");
        if let Answer::Read(ticket) = walk.respond(request.id(), &head, Duration::ZERO) {
            let mut outcome = ticket.read(&b"https://example.com/1"[..]).outcome_unparsed();
            if let Some(problem) = problem {
                outcome.reject(problem);
                // The first problem counts.
                outcome.reject("another one");
            }
            walk.finish(outcome, Duration::ZERO);
        }
        fates.push(walk.report().documents()[0].fate().to_string());
        builder.state(stored(&walk));
    }
    assert_eq!(conditions, [false, false, false, true]);
    let expected = [
        "could not be read: line 1 is no URL",
        "could not be read: line 2 is no URL",
        "was read",
        "has not changed",
    ];
    assert_eq!(fates, expected);
}

#[test]
fn a_state_is_of_one_start() {
    let state = builder().walk_site("https://example.com").unwrap().state();
    let mut builder = builder();
    builder.state(state);
    let message = "the state is of https://example.com/, and not of https://example.net/";
    assert_eq!(
        builder.walk_site("https://example.net").unwrap_err().to_string(),
        message
    );
    assert!(builder.walk_sitemap("https://example.com/").is_err());
    assert!(builder.walk_site("https://EXAMPLE.com/").is_ok());
}

/// Killed after each step: the next walk reads the unfinished documents, and none twice.
#[test]
fn interrupted_after_any_step() {
    let site = Site::new();
    for parallel in [1, 3] {
        let mut steps = 0;
        loop {
            let mut first = builder().walk_site("https://example.com/").unwrap();
            let mut client = Client::new(|request: &Request| site.respond(request));
            client.parallel = parallel;
            let goes_on = (0..steps).all(|_| client.advance(&mut first));
            assert_eq!(
                stored(&first).is_finished(),
                !goes_on || first.report().count(|fate| *fate == Fate::Pending) == 0 && steps > 2
            );
            let mut second = builder()
                .state(stored(&first))
                .walk_site("https://example.com/")
                .unwrap();
            if goes_on {
                let before = client.seen.documents.clone();
                let mut client = Client::new(|request: &Request| site.respond(request));
                client.run(&mut second);
                let mut read = before;
                read.extend(client.seen.documents);
                read.sort();
                let urls: Vec<&str> = read
                    .iter()
                    .map(|(url, _)| url.rsplit('/').next().unwrap())
                    .collect();
                assert_eq!(urls, ["a.xml", "b.xml", "c.xml", "d.xml"], "{steps}");
                assert_eq!(
                    second.report().count(|fate| *fate == Fate::Read),
                    if stored(&first).is_finished() { 0 } else { 6 }
                );
            } else {
                break;
            }
            steps += 1;
        }
        assert!(steps > 10);
    }
}

/// After any step, the first state plus all changes is the state, and the rest of the walk can be read from it.
#[test]
fn changes_make_up_the_state() {
    let mut site = Site::new();
    let (_, _, earlier) = walk(&site, None, false);
    site.put("c.xml", &urlset(&["https://example.com/new"]));
    site.put(
        "nested.xml",
        &listing(&[("c", "2026-01-02"), ("e", "2026-01-02")]),
    );
    site.put("e.xml", &urlset(&["https://example.com/e"]));
    for steps in 1.. {
        let mut second = builder()
            .state(earlier.clone())
            .walk_site("https://example.com/")
            .unwrap();
        let mut log = Log::new(&mut second);
        let mut client = Client::new(|request: &Request| site.respond(request));
        client.parallel = 2;
        let goes_on = (0..steps).all(|_| {
            let goes_on = client.advance(&mut second);
            log.append(&mut second);
            goes_on
        });
        if second.state().is_finished() {
            assert!(steps > 10 || !goes_on);
            break;
        }
        log.check(&second);
        let mut read = client.seen.documents;
        let (rest, report, _) = walk(&site, Some(log.state()), false);
        read.extend(rest.documents);
        let (at_once, expected, _) = walk(&site, Some(earlier.clone()), false);
        read.sort();
        assert_eq!((read, report), (at_once.documents, expected), "{steps}");
    }
}

#[test]
fn an_interrupted_walk_has_used_its_budget() {
    let site = Site::new();
    let budget = limited(|budget| {
        budget.entries = 3;
    });
    let mut builder = builder();
    builder.budget(budget);
    let mut walk = builder.walk_site("https://example.com/").unwrap();
    let mut entries = 0;
    // A program is interrupted after every second document.
    for _ in 0..20 {
        let mut client = Client::new(|request: &Request| site.respond(request));
        while client.seen.documents.len() < 2 && client.advance(&mut walk) {}
        entries += client.seen.locs().len();
        if stored(&walk).is_finished() {
            break;
        }
        walk = builder
            .state(stored(&walk))
            .walk_site("https://example.com/")
            .unwrap();
    }
    assert_eq!(entries, 3);
}

/// A walk from any file ends.
#[test]
fn damaged_states() {
    let site = Site::new();
    let mut client = Client::new(|request: &Request| site.respond(request));
    let mut first = builder().walk_site("https://example.com/").unwrap();
    for _ in 0..6 {
        client.advance(&mut first);
    }
    let json = serde_json::to_string(&first.state()).unwrap();
    let mut read = 0;
    for (from, to) in [
        ("\"https://example.com/index.xml\"", "\"no address\""),
        (
            "\"https://example.com/a.xml\"",
            "\"https://example.com/index.xml\"",
        ),
        ("\"depth\":0", "\"depth\":4294967295"),
        ("\"depth\":1", "\"depth\":4294967295"),
        ("\"redirects\":0", "\"redirects\":4294967295"),
        ("\"Robots\"", "\"Child\""),
        ("\"Read\"", "\"Pending\""),
        ("\"entries\":0", "\"entries\":18446744073709551615"),
        ("\"requests\":", "\"requests\":1844674407370955161"),
    ] {
        let Ok(state) = serde_json::from_str::<State>(&json.replace(from, to)) else {
            continue;
        };
        let mut walk = builder().state(state).walk_site("https://example.com/").unwrap();
        let mut client = Client::new(|request: &Request| site.respond(request));
        client.run(&mut walk);
        read += 1;
    }
    assert!(read > 5);
}

/// A sitemap that redirects to another listed one, and two that redirect to one.
fn redirected(request: &Request) -> Response {
    match request.url() {
        "https://example.com/robots.txt" => Response::ok("Sitemap: https://example.com/index.xml"),
        "https://example.com/index.xml" => {
            Response::ok(listing(&[("a", "2026-01-01"), ("nested", "2026-01-01")]))
        }
        "https://example.com/nested.xml" => Response::ok(listing(&[("t", "2026-01-01")])),
        "https://example.com/both.xml" => Response::ok(listing(&[("a", "2026-01-01"), ("b", "2026-01-01")])),
        "https://example.com/a.xml" | "https://example.com/b.xml" => {
            Response::redirect("https://example.com/t.xml")
        }
        "https://example.com/t.xml" => Response::ok(urlset(&["https://example.com/t"])),
        _ => Response::status(404),
    }
}

/// Walks until only `unread` is left, which is in flight.
fn walk_without(walk: &mut Walk, unread: &str) {
    while let Step::Request(request) = walk.step(Duration::ZERO) {
        let response = redirected(&request);
        let mut head = Head::new(response.status);
        for (name, value) in &response.headers {
            head.header(name, value.as_bytes());
        }
        if let Answer::Read(ticket) = walk.respond(request.id(), &head, Duration::ZERO)
            && request.url() != unread
        {
            let outcome = ticket.read(&*response.body).outcome();
            walk.finish(outcome, Duration::ZERO);
        }
    }
}

/// The target of a redirect is listed while it is read under the redirecting address.
#[test]
fn interrupted_while_a_target_is_read() {
    for start in ["https://example.com/index.xml", "https://example.com/both.xml"] {
        for goes_elsewhere in [false, true] {
            let mut walk = builder().walk_sitemap(start).unwrap();
            walk_without(&mut walk, "https://example.com/t.xml");
            let mut builder = builder();
            builder.state(stored(&walk));
            let mut walk = builder.walk_sitemap(start).unwrap();
            let mut client = Client::new(|request: &Request| match request.url() {
                "https://example.com/a.xml" if goes_elsewhere => Response::status(404),
                _ => redirected(request),
            });
            client.run(&mut walk);
            assert_eq!(client.seen.locs(), ["https://example.com/t"], "{}", walk.report());
        }
    }
}

#[test]
fn cut_while_a_target_is_listed() {
    let mut walk = builder().walk_site("https://example.com/").unwrap();
    let mut is_cut = true;
    let mut client = Client::new(|request: &Request| {
        let response = redirected(request);
        if request.url() == "https://example.com/t.xml" && std::mem::take(&mut is_cut) {
            return response.broken();
        }
        response
    });
    client.run(&mut walk);
    assert_eq!(client.seen.locs(), ["https://example.com/t"], "{}", walk.report());
}

#[test]
fn validators_go_where_they_are_from() {
    for second in ["t", "u", "a"] {
        // The new target of `a.xml` is older than its former one.
        let serve = |target: &'static str| {
            move |request: &Request| {
                let is_conditional = request.headers().any(|(name, _)| name == "if-modified-since");
                match request.url() {
                    "https://example.com/robots.txt" => Response::ok("Sitemap: https://example.com/a.xml"),
                    "https://example.com/a.xml" if target != "a" => {
                        Response::redirect(&format!("https://example.com/{target}.xml"))
                    }
                    _ if is_conditional => Response::status(304),
                    url => {
                        Response::ok(urlset(&[url])).with("last-modified", "Fri, 01 May 2026 00:00:00 GMT")
                    }
                }
            }
        };
        let mut walk = builder().walk_site("https://example.com/").unwrap();
        Client::new(serve("t")).run(&mut walk);
        let mut builder = builder();
        builder.state(stored(&walk));
        let mut walk = builder.walk_site("https://example.com/").unwrap();
        let mut client = Client::new(serve(second));
        client.run(&mut walk);
        let read = format!("https://example.com/{second}.xml");
        let expected = if second == "t" { vec![] } else { vec![&*read] };
        assert_eq!(client.seen.locs(), expected);
    }
}

#[test]
fn unchanged_targets_that_are_listed() {
    let serve = |request: &Request| {
        let is_conditional = request.headers().any(|(name, _)| name == "if-none-match");
        match request.url() {
            "https://example.com/robots.txt" => {
                Response::ok("Sitemap: https://example.com/a.xml\nSitemap: https://example.com/nested.xml")
            }
            "https://example.com/nested.xml" | "https://example.com/t.xml" if is_conditional => {
                Response::status(304)
            }
            _ => redirected(request).with("etag", "\"1\""),
        }
    };
    let mut walk = builder().walk_site("https://example.com/").unwrap();
    let mut client = Client::new(serve);
    client.run(&mut walk);
    assert_eq!(client.seen.locs(), ["https://example.com/t"]);
    let mut builder = builder();
    builder.state(stored(&walk));
    let mut walk = builder.walk_site("https://example.com/").unwrap();
    let mut client = Client::new(serve);
    client.run(&mut walk);
    assert_eq!(client.seen.locs(), [""; 0], "{}", walk.report());
}

/// A server that cannot answer conditional requests is asked again without the condition: once, and not counted as a retry.
#[test]
fn servers_that_refuse_conditions() {
    for status in [400, 412, 500, 501, 502, 503] {
        let site = Site::new();
        let (_, _, state) = walk(&site, None, false);
        let mut builder = builder();
        builder.max_retries(u32::from(status == 503)).state(state);
        let mut walk = builder.walk_site("https://example.com/").unwrap();
        let mut client = Client::new(|request: &Request| {
            if request.headers().any(|(name, _)| name == "if-none-match") {
                Response::status(status)
            } else {
                site.respond(request)
            }
        });
        client.run(&mut walk);
        let unread = walk.report().count(|fate| !matches!(fate, Fate::Read));
        assert_eq!(unread, 0, "{status}: {}", walk.report());
        // robots.txt is always read; each other document is requested twice.
        assert_eq!(client.seen.requests.len(), 13, "{status}");
    }
}

/// Two documents that are redirected to one: which of them is there first differs from walk to walk, and nothing has changed.
#[test]
fn redirects_that_meet_in_another_order() {
    let serve = |request: &Request, page: &str| match &request.url()["https://example.com/".len()..] {
        "robots.txt" => Response::ok("Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: /c.xml\n"),
        "a.xml" | "b.xml" | "c.xml" => Response::redirect("/end.xml"),
        _ => Response::ok(urlset(&[page])),
    };
    let mut state = None;
    let mut read = Vec::new();
    for (order, page) in [
        ("a", "1"),
        ("b", "1"),
        ("c", "1"),
        ("a", "1"),
        ("b", "2"),
        ("c", "2"),
        ("a", "2"),
    ] {
        let mut builder = builder();
        if let Some(state) = state.take() {
            builder.state(state);
        }
        let page = format!("https://example.com/{page}");
        let mut walk = builder.walk_site("https://example.com/").unwrap();
        let mut waiting = Vec::new();
        while let Step::Request(request) = walk.step(Duration::ZERO) {
            waiting.push(request);
        }
        // robots.txt, and then the three documents, the chosen one first.
        while !waiting.is_empty() {
            waiting.sort_by_key(|request| !request.url().ends_with(&format!("/{order}.xml")));
            let request = waiting.remove(0);
            let response = serve(&request, &page);
            let mut head = Head::new(response.status);
            for (name, value) in &response.headers {
                head.header(name, value.as_bytes());
            }
            if let Answer::Read(ticket) = walk.respond(request.id(), &head, Duration::ZERO) {
                walk.finish(ticket.read(&*response.body).outcome(), Duration::ZERO);
            }
            // The document at the end is answered before the other redirects.
            if let Step::Request(request) = walk.step(Duration::ZERO) {
                waiting.insert(0, request);
                if waiting[0].url().ends_with("end.xml") {
                    let request = waiting.remove(0);
                    let response = serve(&request, &page);
                    let Answer::Read(ticket) = walk.respond(request.id(), &Head::new(200), Duration::ZERO)
                    else {
                        panic!("the document is not read");
                    };
                    walk.finish(ticket.read(&*response.body).outcome(), Duration::ZERO);
                }
            }
            while let Step::Request(request) = walk.step(Duration::ZERO) {
                waiting.push(request);
            }
        }
        let report = walk.report();
        let documents = report.documents().iter();
        let mut changed =
            documents.filter(|document| document.has_changed() && document.role() == Role::Named);
        let owner = changed.next().map(|document| document.url().to_owned());
        assert!(changed.next().is_none());
        assert_eq!(
            report.count(|fate| matches!(fate, Fate::SameAs(_))),
            2,
            "{report}"
        );
        read.push(owner.map(|url| url["https://example.com/".len()..].to_owned()));
        state = Some(stored(&walk));
    }
    let read: Vec<Option<&str>> = read.iter().map(Option::as_deref).collect();
    assert_eq!(read, [Some("a.xml"), None, None, None, Some("b.xml"), None, None]);
}
