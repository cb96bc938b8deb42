//! Sites that deploy late, never, or partly.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use sitemap_submit::{Deployment, Exchange, Request, Response, Step};
use sitemap_tree::{Failure, Head};

const INDEX: &str = "https://example.com/sitemap.xml";
const PART: &str = "https://example.com/sitemap-1.xml";

fn gzipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A server's response: a head and a body, or a failure.
type Served = Result<(Head, Vec<u8>), Failure>;

/// Runs a deployment against a server, which gets each request and the seconds since the start. Returns the duration in seconds,
/// the number of requests, and the result.
fn run(deployment: &mut Deployment, serve: &mut dyn FnMut(&Request, f64) -> Served) -> (f64, u32, String) {
    // Time does not begin at zero.
    let start = Duration::from_secs(1000);
    let (mut now, mut requests) = (start, 0);
    let seconds = |now: Duration| now.saturating_sub(start).as_secs_f64();
    loop {
        match deployment.step(now) {
            Step::Done => break,
            Step::Wait(time) => now += time,
            Step::Request(request) => {
                requests += 1;
                assert!(requests < 1000, "it does not end");
                let served = serve(&request, seconds(now));
                match served {
                    Ok((head, body)) => deployment.respond(Ok(Response::new(head, &mut &*body)), now),
                    Err(failure) => deployment.respond(Err(failure), now),
                }
            }
        }
    }
    let result = deployment
        .result()
        .map_or_else(|error| error.to_string(), |()| "served".to_owned());
    (seconds(now), requests, result)
}

fn deployment(seconds: u64) -> Deployment {
    let mut deployment = Deployment::new(Duration::from_secs(seconds));
    deployment.document(INDEX, &b"new index"[..]).unwrap();
    deployment.document(PART, &*gzipped(b"new part")).unwrap();
    deployment
}

#[test]
fn a_site_that_deploys_at_once_or_after_five_seconds() {
    for (after, seconds, requests) in [(0.0, 0.0, 2), (5.0, 7.5, 6), (100.0, 105.5, 13)] {
        let found = run(&mut deployment(600), &mut |request, now| {
            let age = if now < after { "old" } else { "new" };
            let what = if request.url() == INDEX { "index" } else { "part" };
            Ok((Head::new(200), format!("{age} {what}").into_bytes()))
        });
        assert_eq!(found, (seconds, requests, "served".to_owned()), "{after}");
    }
}

#[test]
fn a_site_that_never_deploys() {
    for (answer, text) in [
        (Ok(200), "is not the new document"),
        (Ok(404), "has status 404"),
        (Ok(304), "has status 304"),
        (Ok(503), "has status 503"),
        (Err(Failure::TimedOut(None)), "cannot be read: it took too long"),
        (
            Err(Failure::connection("connection reset")),
            "cannot be read: connection reset",
        ),
    ] {
        let (seconds, requests, result) = run(&mut deployment(60), &mut |_, _| {
            let status = answer.clone()?;
            Ok((Head::new(status), b"old index".to_vec()))
        });
        assert_eq!(
            result,
            format!("the new set is not served after 60 s: {INDEX} {text}")
        );
        // The last request begins a second before the end of the time.
        assert_eq!((seconds, requests), (59.0, 9));
    }
}

/// A server that sends nothing, or never stops, takes no longer than the time.
#[test]
fn requests_end_with_the_time() {
    for patience in [0, 1, 3, 60, 61, 600] {
        let (mut deployment, mut now) = (deployment(patience), Duration::ZERO);
        loop {
            match deployment.step(now) {
                Step::Request(request) => {
                    now += request.timeout();
                    deployment.respond(Err(Failure::TimedOut(Some(request.timeout()))), now);
                }
                Step::Wait(time) => now += time,
                Step::Done => break,
            }
        }
        // A last request gets a second.
        let most = patience.max(1);
        assert!((most - 1..=most).contains(&now.as_secs()), "{patience}: {now:?}");
    }
}

/// A server that cannot answer a conditional request is asked without the condition.
#[test]
fn servers_that_refuse_conditions() {
    let (_, _, result) = run(&mut deployment(60), &mut |request, now| {
        let age = if now < 5.0 { "old" } else { "new" };
        let what = if request.url() == INDEX { "index" } else { "part" };
        let is_conditional = request.headers().any(|(name, _)| name == "if-none-match");
        let mut head = Head::new(if is_conditional { 412 } else { 200 });
        head.header("ETag", b"\"1\"");
        Ok((head, format!("{age} {what}").into_bytes()))
    });
    assert_eq!(result, "served");
}

#[test]
fn a_site_that_deploys_half() {
    let (_, requests, result) = run(&mut deployment(60), &mut |request, _| {
        let body = if request.url() == INDEX {
            "new index"
        } else {
            "old part"
        };
        Ok((Head::new(200), body.into()))
    });
    assert_eq!(
        result,
        format!(
            "the new set is not served after 60 s: {PART} is not the new document; 1 of 2 documents are served"
        )
    );
    assert_eq!(requests, 10);
}

/// An old document with an entity tag is sent once.
#[test]
fn entity_tags() {
    let mut bodies = 0;
    let (_, requests, result) = run(&mut deployment(600), &mut |request, now| {
        let what = if request.url() == INDEX { "index" } else { "part" };
        let (age, tag) = if now < 20.0 {
            ("old", "\"1\"")
        } else {
            ("new", "\"2\"")
        };
        let known = request.headers().find(|(name, _)| *name == "if-none-match");
        if known.is_some_and(|(_, value)| value == tag) {
            return Ok((Head::new(304), Vec::new()));
        }
        bodies += 1;
        let mut head = Head::new(200);
        head.header("ETag", tag.as_bytes());
        Ok((head, format!("{age} {what}").into()))
    });
    assert_eq!((bodies, requests, &*result), (3, 8, "served"));
}

/// A document is the same compressed or not. A server cannot make the client read more bytes than the new document has.
#[test]
fn compressed_and_endless_documents() {
    let (_, _, result) = run(&mut deployment(60), &mut |request, _| {
        let body = if request.url() == INDEX {
            gzipped(b"new index")
        } else {
            b"new part".to_vec()
        };
        Ok((Head::new(200), body))
    });
    assert_eq!(result, "served");
    let mut read = 0;
    let mut deployment = deployment(0);
    while let Step::Request(_) = deployment.step(Duration::ZERO) {
        let mut endless = Endless(&mut read);
        deployment.respond(Ok(Response::new(Head::new(200), &mut endless)), Duration::ZERO);
    }
    assert!(read < 100_000, "{read}");
    assert!(deployment.awaited().is_some());
}

struct Endless<'a>(&'a mut usize);

impl std::io::Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        buffer.fill(b' ');
        *self.0 += buffer.len();
        Ok(buffer.len())
    }
}
