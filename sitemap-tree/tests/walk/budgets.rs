//! Documents skipped for an exhausted budget.

use crate::limited;
use std::time::Duration;

use sitemap_serde::{Limits, Mode, Rule};
use sitemap_tree::{Answer, Budget, BudgetItem, Cause, Document, Fate, Head, Request, Step, Walk};

use crate::server::{Client, Response, builder, gzip, index, run, urlset};

const START: &str = "https://example.com/index.xml";

/// A walk over an index of ten sitemaps of ten pages each, with a budget.
fn walked(budget: Budget, parallel: usize) -> (Walk, usize) {
    let mut walk = builder().budget(budget).walk_sitemap(START).unwrap();
    let children: Vec<String> = (0..10).map(|i| format!("https://example.com/{i}.xml")).collect();
    let mut client = Client::new(|request: &Request| match request.url() {
        START => Response::ok(index(&children)),
        url => {
            let locs: Vec<String> = (0..10).map(|i| format!("{url}/{i}")).collect();
            Response::ok(urlset(&locs.iter().map(|loc| &**loc).collect::<Vec<_>>()))
        }
    });
    client.parallel = parallel;
    client.run(&mut walk);
    let read = client.seen.locs().len();
    (walk, read)
}

fn left_out(walk: &Walk, item: BudgetItem) -> u64 {
    walk.report()
        .count(|fate| *fate == Fate::Skipped(Cause::Budget(item)))
}

#[test]
fn documents() {
    let budget = limited(|budget| {
        budget.documents = 5;
    });
    let (walk, read) = walked(budget, 1);
    let report = walk.report();
    assert_eq!((read, report.documents().len(), report.over_budget()), (40, 5, 6));
    assert_eq!(report.to_string(), "6 listed documents are over the budget\n");
    let none = limited(|budget| {
        budget.documents = 0;
    });
    let (walk, read) = walked(none, 1);
    assert_eq!((read, walk.report().over_budget()), (0, 1));
}

#[test]
fn entries_are_counted_exactly_in_any_order() {
    for parallel in [1, 4] {
        let budget = limited(|budget| {
            budget.entries = 25;
        });
        let (walk, _) = walked(budget, parallel);
        assert_eq!(walk.report().entries(), 25);
        assert_eq!(left_out(&walk, BudgetItem::Entries), 8);
    }
    let (walk, read) = walked(
        limited(|budget| {
            budget.entries = 100;
        }),
        1,
    );
    assert_eq!(
        (
            read,
            walk.report().entries(),
            left_out(&walk, BudgetItem::Entries)
        ),
        (100, 100, 0)
    );
}

#[test]
fn bytes() {
    let (walk, _) = walked(
        limited(|budget| {
            budget.wire_bytes = 2000;
        }),
        1,
    );
    assert!(left_out(&walk, BudgetItem::WireBytes) >= 8);
    assert_eq!(walk.report().count(|fate| *fate == Fate::Pending), 0);
    let (walk, _) = walked(
        limited(|budget| {
            budget.decompressed_bytes = 2000;
        }),
        1,
    );
    assert!(left_out(&walk, BudgetItem::DecompressedBytes) >= 8);
}

#[test]
fn time() {
    let budget = limited(|budget| {
        budget.time = Duration::ZERO;
    });
    let (walk, read) = walked(budget, 1);
    assert_eq!((read, left_out(&walk, BudgetItem::Time)), (0, 1));
}

#[test]
fn requests_end_with_the_time() {
    let budget = limited(|budget| {
        budget.time = Duration::from_secs(100);
        budget.request_time = Duration::from_secs(60);
    });
    let mut walk = builder().budget(budget).walk_sitemap(START).unwrap();
    let mut timeouts = Vec::new();
    let mut now = Duration::from_secs(1000);
    while let Step::Request(request) = walk.step(now) {
        timeouts.push(request.timeout().as_secs());
        now += request.timeout();
        walk.fail(request.id(), sitemap_tree::Failure::TimedOut(None), now);
        now += Duration::from_secs(1);
    }
    assert_eq!(timeouts, [60, 39]);
    assert_eq!(left_out(&walk, BudgetItem::Time), 1);
}

#[test]
fn depth() {
    for (depth, expected) in [(0, 1), (1, 2), (4, 5)] {
        let budget = limited(|budget| {
            budget.depth = depth;
        });
        let mut walk = builder()
            .budget(budget)
            .walk_sitemap("https://example.com/0")
            .unwrap();
        let mut client = Client::new(|request: &Request| {
            let number: u32 = request.url().rsplit('/').next().unwrap().parse().unwrap();
            Response::ok(index(&[format!("/{}", number + 1)]))
        });
        client.run(&mut walk);
        assert_eq!(client.seen.requests.len(), expected);
        assert_eq!(left_out(&walk, BudgetItem::Depth), 1);
    }
}

/// A document without an end: its last byte never arrives.
#[test]
fn bombs_and_endless_documents() {
    let whitespace = vec![b' '; 3 << 20];
    let bomb = gzip(&[&b"<urlset>"[..], &whitespace].concat());
    for (body, expected) in [
        (bomb.clone(), "could not be read: "),
        (gzip(&bomb), "could not be read: "),
        (whitespace, "could not be read: "),
    ] {
        let mut walk = builder()
            .reader(|reader| {
                let limits = Limits::reading().with_decompressed_bytes(1 << 20);
                reader.limits(limits.with_bytes(2 << 20))
            })
            .max_retries(0)
            .walk_sitemap(START)
            .unwrap();
        run(&mut walk, &[(START, Response::ok(body))]);
        let fate = walk.report().documents()[0].fate().to_string();
        assert!(fate.starts_with(expected), "{fate}");
    }
}

/// An index that lists itself, and one document a hundred thousand times in many spellings.
#[test]
fn an_index_that_repeats_itself() {
    let mut locs = vec![START.to_owned(); 1000];
    for i in 0..20_000 {
        locs.push(format!("HTTPS://EXAMPLE.com:443/%61/../b.xml#{i}"));
        locs.push("https://example.com/%62.xml".to_owned());
    }
    let mut walk = builder().walk_sitemap(START).unwrap();
    let table = [
        (START, Response::ok(index(&locs))),
        (
            "https://example.com/b.xml",
            Response::ok(urlset(&["https://example.com/"])),
        ),
    ];
    let seen = run(&mut walk, &table);
    assert_eq!(seen.requests.len(), 2);
    let report = walk.report();
    assert_eq!(
        (report.documents().len(), report.repeated(), report.over_budget()),
        (2, 41_000 - 1, 0)
    );
}

#[test]
fn what_an_index_lists_and_is_no_address_is_counted() {
    let locs = [
        "https://example.com/a.xml",
        "mailto:me@example.com",
        "http://:80/",
    ];
    let mut walk = builder().walk_sitemap(START).unwrap();
    run(&mut walk, &[(START, Response::ok(index(&locs)))]);
    assert_eq!(
        walk.report().to_string(),
        "https://example.com/index.xml: 2 could not be read: mailto:me@example.com is neither http nor https\n\
         https://example.com/a.xml does not exist\n"
    );
}

#[test]
fn documents_are_read_strictly_or_leniently() {
    let body =
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>/a?b&c</loc></url></urlset>";
    let mut builder = builder();
    let mut strict = builder.walk_sitemap(START).unwrap();
    run(&mut strict, &[(START, Response::ok(body))]);
    assert!(matches!(strict.report().documents()[0].fate(), Fate::Failed(_)));
    let mut walk = builder
        .reader(|reader| reader.mode(Mode::Lenient))
        .walk_sitemap(START)
        .unwrap();
    let mut document = opened(&mut walk, body);
    let locs: Vec<String> = document.entries().map(|entry| entry.unwrap().loc).collect();
    assert_eq!(locs, ["https://example.com/a?b&c"]);
    assert!(!document.take_diagnostics().is_empty());
    assert!(document.outcome().is_whole());
}

/// A strict walk gives an entry without its invalid value, too.
#[test]
fn entries_have_their_diagnostics() {
    let body = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>\
        <loc>https://example.com/a</loc><lastmod>yesterday</lastmod></url></urlset>";
    let mut walk = builder().walk_sitemap(START).unwrap();
    assert!(opened(&mut walk, body).entries().next().unwrap().is_err());
    let mut walk = builder().walk_sitemap(START).unwrap();
    let mut document = opened(&mut walk, body);
    let found: Vec<_> = document.entries_with_diagnostics().map(Result::unwrap).collect();
    let [(entry, diagnostics)] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(
        (entry.loc.as_str(), entry.lastmod),
        ("https://example.com/a", None)
    );
    assert_eq!(diagnostics[0].rule(), Rule::Lastmod);
    drop(found);
    let outcome = document.outcome();
    assert_eq!((outcome.is_whole(), outcome.entries()), (true, 1));
}

/// The document of the walk's first request, with this body.
fn opened<'b>(walk: &mut Walk, body: &'b str) -> Document<&'b [u8]> {
    let Step::Request(request) = walk.step(Duration::ZERO) else {
        panic!();
    };
    let Answer::Read(ticket) = walk.respond(request.id(), &Head::new(200), Duration::ZERO) else {
        panic!();
    };
    ticket.read(body.as_bytes())
}

#[test]
fn indexes_that_are_read_again_return_no_entries() {
    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
        <sitemap><loc>https://example.com/1.xml</loc></sitemap>\
        <sitemap><loc>https://example.com/2.xml</loc></sitemap></sitemapindex>";
    for entries in [2, u64::MAX] {
        let budget = limited(|budget| {
            budget.entries = entries;
        });
        let mut walk = builder()
            .budget(budget)
            .walk_sitemap("https://example.com/index.xml")
            .unwrap();
        let mut is_cut = true;
        let mut client = Client::new(|request: &Request| match request.url() {
            "https://example.com/index.xml" if std::mem::take(&mut is_cut) => Response::ok(index).broken(),
            "https://example.com/index.xml" => Response::ok(index),
            _ => Response::ok(urlset(&["https://example.com/a", "https://example.com/b"])),
        });
        client.run(&mut walk);
        let read = if entries == 2 { 2 } else { 4 };
        assert_eq!(client.seen.locs().len(), read, "{}", walk.report());
    }
}

/// The budget bounds the memory of an index's addresses, including redirect targets.
#[test]
fn bytes_of_addresses() {
    let long = |name: &str, number: usize| format!("https://example.com/{name}{number}/{}", "x".repeat(8000));
    let budget = limited(|budget| {
        budget.url_bytes = 100_000;
    });
    let mut walk = builder().budget(budget).walk_sitemap(START).unwrap();
    let listed: Vec<String> = (0..8).map(|number| long("a", number)).collect();
    let mut client = Client::new(|request: &Request| match request.url() {
        START => Response::ok(index(&listed)),
        url if url.contains("/a") => Response::redirect(&url.replace("/a", "/b")),
        _ => Response::ok(urlset(&["https://example.com/"])),
    });
    client.run(&mut walk);
    // Eight addresses, and four redirect targets.
    assert_eq!(client.seen.locs().len(), 4);
    assert_eq!(left_out(&walk, BudgetItem::UrlBytes), 4);
    let listed: Vec<String> = (0..50).map(|number| long("c", number)).collect();
    let mut walk = builder().budget(budget).walk_sitemap(START).unwrap();
    let seen = run(&mut walk, &[(START, Response::ok(index(&listed)))]);
    assert_eq!((seen.requests.len(), walk.report().over_budget()), (13, 38));
    let report = walk.report().to_string();
    assert_eq!(
        report.lines().last(),
        Some("38 listed documents are over the budget")
    );
}

/// Pages that the program reads elsewhere are not parsed. Their bodies are read to the end, if it is declared.
#[test]
fn pages_that_are_not_parsed() {
    let body = urlset(&["https://example.com/a", "https://example.com/b"]);
    let broken = &body[..body.len() - 20];
    let length = ("content-length", body.len().to_string());
    for (body, header, most, expected) in [
        (&*body, Some(length.clone()), 1000, Ok(0)),
        (
            &body,
            Some(("transfer-encoding", "chunked".to_owned())),
            1000,
            Ok(0),
        ),
        (&body, None, 1000, Ok(2)),
        (broken, Some(length.clone()), 1000, Err("its body broke off: ")),
        (broken, None, 1000, Err("its body broke off: ")),
        (&body, Some(length), 100, Err("its body has more than 100 bytes")),
    ] {
        let limits = Limits::reading().with_bytes(most);
        let mut walk = builder()
            .reader(|reader| reader.limits(limits))
            .max_retries(0)
            .walk_sitemap(START)
            .unwrap();
        let Step::Request(request) = walk.step(Duration::ZERO) else {
            panic!();
        };
        let mut head = Head::new(200);
        if let Some((name, value)) = &header {
            head.header(name, value.as_bytes());
        }
        let Answer::Read(ticket) = walk.respond(request.id(), &head, Duration::ZERO) else {
            panic!();
        };
        // In small pieces, so that no buffer holds all of it.
        let outcome = ticket.read(Pieces(body.as_bytes())).outcome_unparsed();
        walk.finish(outcome, Duration::ZERO);
        let report = walk.report();
        match expected {
            Ok(entries) => {
                assert_eq!(
                    (report.entries(), report.documents()[0].fate()),
                    (entries, &Fate::Read)
                );
                assert_eq!(report.documents()[0].wire_bytes(), body.len() as u64);
            }
            Err(problem) => {
                let fate = report.documents()[0].fate().to_string();
                let text = format!("could not be read: {problem}");
                assert!(fate.starts_with(&text), "{header:?}: {fate}");
            }
        }
    }
}

/// All bytes read of any body count against the budget, however its document is read.
#[test]
fn bodies_use_the_budget() {
    let pages: Vec<String> = (0..20)
        .map(|page| format!("https://example.com/{page}"))
        .collect();
    let locs: Vec<&str> = pages.iter().map(|page| &**page).collect();
    let (sitemap, listed) = (urlset(&locs), index(&pages));
    let html = format!("<!doctype html><p>{}</p>", "x".repeat(1000));
    let bodies = [
        sitemap.clone().into_bytes(),
        sitemap.as_bytes()[..sitemap.len() / 2].to_vec(),
        listed.clone().into_bytes(),
        [&listed.as_bytes()[..listed.len() / 2], &b"<x ".repeat(300)].concat(),
        html.into_bytes(),
        locs.join("\n").into_bytes(),
        gzip(sitemap.as_bytes()),
    ];
    for (number, body) in bodies.iter().enumerate() {
        for most in (0..=body.len() as u64 + 50).step_by(50) {
            for is_parsed in [true, false] {
                let budget = limited(|budget| {
                    budget.wire_bytes = most;
                });
                let mut walk = builder().budget(budget).walk_sitemap(START).unwrap();
                let Step::Request(request) = walk.step(Duration::ZERO) else {
                    // Nothing is requested without a budget.
                    assert_eq!(most, 0);
                    continue;
                };
                let mut head = Head::new(200);
                head.header("content-length", body.len().to_string().as_bytes());
                let Answer::Read(ticket) = walk.respond(request.id(), &head, Duration::ZERO) else {
                    panic!();
                };
                let mut pieces = Pieces(body);
                let document = ticket.read(&mut pieces);
                let outcome = if is_parsed {
                    document.outcome()
                } else {
                    document.outcome_unparsed()
                };
                let read = (body.len() - pieces.0.len()) as u64;
                assert!(read <= most + 10, "body {number}: {read} of {most}");
                // A body that is not parsed is read to its end, even if it is broken.
                assert!(
                    is_parsed || read >= most.min(body.len() as u64),
                    "body {number}: {read} of {most}"
                );
                if read > most {
                    let fate = Fate::Skipped(Cause::Budget(BudgetItem::WireBytes));
                    assert_eq!(*outcome.fate(), fate, "body {number}");
                }
                walk.finish(outcome, Duration::ZERO);
                assert_eq!(walk.report().documents()[0].wire_bytes(), read, "body {number}");
            }
        }
    }
}

/// A reader of ten bytes at a time.
struct Pieces<'a>(&'a [u8]);

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(10);
        self.0.read(&mut buffer[..most])
    }
}

/// The lists of many indexes are kept within a number of bytes. An index whose list is not kept is read again.
#[test]
fn lists_of_long_addresses() {
    let page = |number: usize| format!("https://example.com/{}/{number}.xml", "x".repeat(2000));
    let serve = |request: &Request| {
        let is_conditional = request.headers().any(|(name, _)| name == "if-none-match");
        let url = request.url();
        if url == START {
            Response::ok(index(&(0..10).map(|i| format!("/{i}.xml")).collect::<Vec<_>>()))
        } else if url.contains("xxx") {
            let status = Response::status(304);
            let read = Response::ok(urlset(&["https://example.com/"])).with("etag", "\"1\"");
            if is_conditional { status } else { read }
        } else {
            Response::ok(index(&(0..80).map(page).collect::<Vec<_>>())).with("etag", "\"1\"")
        }
    };
    let mut builder = builder();
    builder.budget(limited(|budget| {
        budget.url_bytes = 200_000;
    }));
    let mut walk = builder.walk_sitemap(START).unwrap();
    let mut client = Client::new(serve);
    client.run(&mut walk);
    assert_eq!(client.seen.locs().len(), 80);
    let state = serde_json::to_string(&walk.state()).unwrap();
    assert!(state.len() < 500_000, "{}", state.len());
    builder.state(serde_json::from_str(&state).unwrap());
    let mut walk = builder.walk_sitemap(START).unwrap();
    let mut client = Client::new(serve);
    client.run(&mut walk);
    assert_eq!((client.seen.locs().len(), client.seen.requests.len()), (0, 91));
}
