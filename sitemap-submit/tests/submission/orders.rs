//! The pages of each order, and the meaning of each response.

use std::time::Duration;

use sitemap_submit::{PageState, Report, Submission};

use crate::engine::{Engine, KEY, Reaction};

fn submission(pages: &[&str]) -> Submission {
    let mut submission = Submission::new(KEY).unwrap();
    for page in pages {
        submission.push(page, PageState::new("")).unwrap();
    }
    submission
}

/// The pages that were not received, in words.
fn unsent(report: &Report) -> Vec<String> {
    let unsent = report.unsent.iter();
    unsent
        .map(|unsent| format!("{} of {}: {}", unsent.pages, unsent.host, unsent.problem))
        .collect()
}

#[test]
fn one_host_an_order_and_its_key_first() {
    let mut submission = submission(&[
        "https://example.com/b",
        "http://example.com/a",
        "https://shop.example/caf\u{e9}",
        "https://EXAMPLE.com:443/c",
        "http://127.0.0.1:8080/d",
        "https://b\u{fc}cher.example/",
    ]);
    // The same page in another spelling is sent with its current state.
    submission
        .push("https://shop.example/caf%C3%A9", PageState::REMOVED)
        .unwrap();
    submission
        .push("https://example.com/gone", PageState::REMOVED)
        .unwrap();
    assert_eq!(submission.len(), 7);
    assert_eq!(submission.orders().count(), 4);
    let mut engine = Engine::new();
    engine.run(&mut submission);
    assert_eq!(
        engine.requests,
        [
            format!("GET http://127.0.0.1:8080/{KEY}.txt"),
            format!("POST {}", Submission::ENDPOINT),
            format!("GET https://example.com/{KEY}.txt"),
            format!("POST {}", Submission::ENDPOINT),
            format!("GET https://shop.example/{KEY}.txt"),
            format!("POST {}", Submission::ENDPOINT),
            format!("GET https://xn--bcher-kva.example/{KEY}.txt"),
            format!("POST {}", Submission::ENDPOINT),
        ]
    );
}

#[test]
fn ten_thousand_pages_an_order() {
    let mut submission = submission(&[]);
    for i in 0..20_001 {
        submission
            .push(&format!("https://example.com/{i}"), PageState::new(""))
            .unwrap();
    }
    assert_eq!(submission.orders().count(), 3);
    let mut engine = Engine::new();
    engine.run(&mut submission);
    assert_eq!((engine.requests.len(), engine.received.len()), (4, 20_001));
    assert_eq!((submission.report().received, submission.len()), (20_001, 0));
    assert!(submission.is_empty() && submission.report().unsent.is_empty());
    assert_eq!(submission.take_received().len(), 20_001);
    assert!(submission.take_received().is_empty());
}

#[test]
fn pages_below_the_key_file() {
    let mut submission = Submission::new(KEY).unwrap();
    submission
        .key_location("https://example.com/shop/key.txt")
        .unwrap();
    submission.endpoint("http://localhost:1/indexnow").unwrap();
    for (url, problem) in [
        (
            "https://example.com/about",
            "`https://example.com/about` is not below `/shop/`, the directory of the key: a key is valid for its directory only; serve the \
             key higher up",
        ),
        (
            "https://www.example.com/shop/",
            "`https://www.example.com/shop/` is not on the host of the key file, `example.com`",
        ),
        ("/shop/", "`/shop/` is not an absolute URL with http or https"),
        (
            "ftp://example.com/shop/",
            "`ftp://example.com/shop/` is not an absolute URL with http or https",
        ),
    ] {
        let error = submission.push(url, PageState::REMOVED).unwrap_err();
        assert_eq!(error.to_string(), problem);
    }
    submission
        .push("http://example.com/shop/lamps", PageState::new(""))
        .unwrap();
    let mut engine = Engine::new();
    engine.run(&mut submission);
    assert_eq!(
        engine.requests,
        [
            "GET https://example.com/shop/key.txt",
            "POST http://localhost:1/indexnow"
        ]
    );
    let problem = "`key.txt` is not an absolute URL with http or https";
    assert_eq!(
        submission.key_location("key.txt").unwrap_err().to_string(),
        problem
    );
    assert_eq!(submission.endpoint("key.txt").unwrap_err().to_string(), problem);
}

/// Every status from 100 to 599 means received, repeated or refused, and no page is lost silently. A page is sent once, in either
/// case of its percent-encoded digits, and never with a password.
#[test]
fn spellings_of_a_page() {
    let mut submission = Submission::new(KEY).unwrap();
    for path in [
        "m%c3%bcller",
        "m%C3%bcller",
        "m\u{FC}ller",
        "a%2fb",
        "a%2Fb",
        "c%zzd",
        "e%",
    ] {
        let pushed = submission.push(&format!("https://example.com/{path}"), PageState::new("1"));
        assert!(
            pushed.is_ok() || path.starts_with(['c', 'e']),
            "{path}: {pushed:?}"
        );
    }
    for loc in [
        "https://anna:secret@example.com/a",
        "https://anna@example.com/a",
        "https://:secret@example.com/a",
    ] {
        let error = submission.push(loc, PageState::new("1")).unwrap_err().to_string();
        let problem =
            "a page of `example.com` has a user name or a password in its URL, which would be public";
        assert_eq!(error, problem);
    }
    let orders: Vec<String> = submission.orders().collect();
    assert_eq!(orders.len(), 1);
    for (url, times) in [
        ("/m%C3%BCller", 1),
        ("/a%2Fb", 1),
        ("%c3", 0),
        ("%2f", 0),
        ("secret", 0),
    ] {
        assert_eq!(orders[0].matches(url).count(), times, "{url}: {}", orders[0]);
    }
}

#[test]
fn every_status() {
    for status in 100..600 {
        let mut submission = submission(&["https://example.com/a", "https://example.com/b"]);
        let mut engine = Engine::new();
        engine.order_reactions = vec![Reaction::Answer(status); 100];
        engine.run(&mut submission);
        let report = submission.report();
        let tries = engine.requests.len() - 1;
        let expected = match status {
            200 | 202 => {
                assert_eq!(
                    (report.received, report.unchecked),
                    (2, if status == 202 { 2 } else { 0 })
                );
                assert!(report.unsent.is_empty());
                continue;
            }
            201..300 => format!(
                "status {status}, which IndexNow does not define: whether the engine has the pages is not known"
            ),
            429 => "status 429: there were too many requests; send the rest later".to_owned(),
            408 | 500.. => format!("status {status} in all tries; send the rest later"),
            300..400 => {
                format!("status {status}: the endpoint redirects; use the address that it leads to")
            }
            400 => "status 400: the request is invalid".to_owned(),
            403 => "status 403: the key is not valid: the engine did not find it where it should be served"
                .to_owned(),
            404 | 405 => format!("status {status}: this is not an IndexNow endpoint"),
            422 => "status 422: the pages are not of the key's host, or the key does not fit the protocol"
                .to_owned(),
            _ => format!("status {status}: the pages were refused"),
        };
        assert_eq!(unsent(report), [format!("2 of example.com: {expected}")]);
        assert_eq!(
            tries,
            if matches!(status, 408 | 429 | 500..) { 9 } else { 1 },
            "{status}"
        );
        // 1 + 2 + 4 + … + 64 + 64 seconds.
        assert_eq!(engine.now.as_secs(), if tries == 9 { 191 } else { 0 }, "{status}");
    }
}

#[test]
fn what_passes_is_repeated() {
    for (reaction, seconds) in [
        (Reaction::Answer(429), 1),
        (Reaction::Answer(503), 1),
        (Reaction::Reset, 1),
        (Reaction::TimeOut, 1),
        (Reaction::Later(429, "30"), 30),
        (Reaction::Later(503, "0"), 1),
        (Reaction::Later(429, "Sun, 06 Nov 1994 08:50:37 GMT"), 60),
        (Reaction::Later(429, "soon"), 1),
    ] {
        for is_of_key in [true, false] {
            let mut submission = submission(&["https://example.com/"]);
            let mut engine = Engine::new();
            if is_of_key {
                engine.key_reactions = vec![reaction.clone()];
            } else {
                engine.order_reactions = vec![reaction.clone()];
            }
            engine.run(&mut submission);
            assert_eq!(submission.report().received, 1, "{reaction:?}");
            assert_eq!(engine.now, Duration::from_secs(seconds), "{reaction:?}");
            assert_eq!(engine.requests.len(), 3);
        }
    }
    let mut submission = submission(&["https://example.com/"]);
    let mut engine = Engine::new();
    engine.order_reactions = vec![Reaction::Later(429, "601")];
    engine.run(&mut submission);
    assert_eq!(
        unsent(submission.report()),
        ["1 of example.com: the server wants to be asked again in 601 s; send the rest then"]
    );
}

#[test]
fn keys_that_are_not_served() {
    let url = format!("https://example.com/{KEY}.txt");
    for (reaction, text, problem) in [
        (
            Reaction::Answer(404),
            KEY.to_owned(),
            format!("the key is not at {url}: status 404; serve it there as a text file"),
        ),
        (
            Reaction::Answer(301),
            KEY.to_owned(),
            format!("the key is not at {url}: status 301; serve it there as a text file"),
        ),
        (
            Reaction::Answer(200),
            "<!doctype html><title>Home</title>".to_owned(),
            format!("the text at {url} is not the key; serve only the key there, as text"),
        ),
        (
            Reaction::Answer(200),
            format!("{KEY}0"),
            format!("the text at {url} is not the key; serve only the key there, as text"),
        ),
        (
            Reaction::Answer(200),
            format!("{KEY}{}{KEY}", " ".repeat(2000)),
            format!("the text at {url} is not the key; serve only the key there, as text"),
        ),
        (Reaction::Answer(200), format!("\u{feff}{KEY}\r\n"), String::new()),
    ] {
        let mut submission = submission(&["https://example.com/a", "https://shop.example/b"]);
        let mut engine = Engine::new();
        engine.key_reactions = vec![reaction];
        engine.key_text = text;
        engine.run(&mut submission);
        let found = unsent(submission.report());
        if problem.is_empty() {
            assert!(found.is_empty(), "{found:?}");
        } else {
            assert_eq!(found[0], format!("1 of example.com: {problem}"));
        }
    }
}

/// A refused order does not stop the next one. A refused key stops its whole host.
#[test]
fn what_else_is_sent_after_a_refusal() {
    for (status, received, orders) in [(400, 2, 3), (422, 2, 3), (403, 1, 2)] {
        let mut submission = submission(&[]);
        for i in 0..10_001 {
            submission
                .push(&format!("https://a.example/{i}"), PageState::new(""))
                .unwrap();
        }
        submission.push("https://b.example/", PageState::new("")).unwrap();
        let mut engine = Engine::new();
        engine.order_reactions = vec![Reaction::Answer(status)];
        engine.run(&mut submission);
        assert_eq!(engine.received.len(), received);
        let posts = engine
            .requests
            .iter()
            .filter(|request| request.starts_with("POST"));
        assert_eq!(posts.count(), orders);
        let report = submission.report();
        assert_eq!(report.received + report.unsent[0].pages, 10_002);
    }
}

/// An engine's own reason stands before what its status means. It is one line, whatever the engine sends.
#[test]
fn reasons_of_engines() {
    const MEANING: &str = "the key is not valid: the engine did not find it where it should be served";
    for (words, reason) in [
        ("", ""),
        ("  \n", ""),
        ("<html><title>403</title></html>", ""),
        (
            r#"{"code":"UserForbiddedToAccessSite","message":"User is unauthorized to access the site.","details":[]}"#,
            "the engine says `UserForbiddedToAccessSite: User is unauthorized to access the site.`; ",
        ),
        (
            r#"{"message" : "the \"key\"", "x": 1}"#,
            r#"the engine says `the \"key\"`; "#,
        ),
        (r#"{"message":"it is cut o"#, "the engine says `it is cut o`; "),
        (
            "not\r\nyour\u{1b}[31m site\n",
            "the engine says `not  your [31m site`; ",
        ),
        (
            &"x".repeat(9000),
            &format!("the engine says `{}`; ", "x".repeat(300)),
        ),
    ] {
        let mut engine = Engine::new();
        engine.words = words.to_owned();
        engine.order_reactions = vec![Reaction::Answer(403)];
        let mut submission = submission(&["https://example.com/a"]);
        engine.run(&mut submission);
        let expected = format!("1 of example.com: status 403: {reason}{MEANING}");
        assert_eq!(unsent(submission.report()), [expected]);
    }
}

/// A busy engine is asked as often as the program wants.
#[test]
fn retries_are_bounded() {
    for (retries, requests) in [(None, 9), (Some(0), 1), (Some(1), 2), (Some(20), 21)] {
        let mut engine = Engine::new();
        engine.order_reactions = vec![Reaction::Answer(503); 30];
        let mut submission = submission(&["https://example.com/a"]);
        if let Some(retries) = retries {
            submission.max_retries(retries);
        }
        engine.run(&mut submission);
        // The first request is for the key.
        assert_eq!(engine.requests.len() - 1, requests, "{retries:?}");
    }
}
