//! `sitemap lint https://…`: what only the wire says.

use crate::folder::{CORE, Folder, gzipped};
use crate::server::{Answer, Request, Server};

const MODIFIED: &str = "Last-Modified: Sun, 03 May 2026 08:00:00 GMT";

fn sitemap(host: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n\
         <url><loc>http://{host}/a</loc><lastmod>2026-05-02</lastmod></url>\n</urlset>\n"
    )
}

fn xml(body: impl Into<Vec<u8>>) -> Answer {
    Answer::ok(body).with("Content-Type: application/xml")
}

/// A site without a fault.
fn good(request: &Request) -> Answer {
    let host = &request.host;
    match &*request.path {
        "/robots.txt" => Answer::ok(format!("Sitemap: http://{host}/sitemap.xml\n")),
        "/sitemap.xml" => xml(sitemap(host)).with(MODIFIED),
        _ => Answer::status(404),
    }
}

/// The rules that a lint finds broken, with its status and what it says besides.
fn lint(answer: fn(&Request) -> Answer, rest: &[&str]) -> (i32, Vec<String>, String) {
    let server = Server::start(move |_, request| answer(request));
    let folder = Folder::empty();
    let url = server.url(1, if rest.is_empty() { "/sitemap.xml" } else { "/" });
    let arguments = ["lint", &url, "--format", "json", "--now", "2026-05-10T00:00:00Z"];
    let (status, printed, said) = folder.run(&[&arguments[..], rest].concat());
    let mut rules: Vec<String> = printed
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|object| object["type"] == "diagnostic")
        .map(|object| object["rule"].as_str().unwrap().to_owned())
        .collect();
    rules.sort();
    (status, rules, said.replace(&server.port.to_string(), "PORT"))
}

#[test]
fn a_good_site_has_nothing_wrong() {
    for rest in [&[][..], &["--site"]] {
        assert_eq!(lint(good, rest), (0, Vec::new(), String::new()), "{rest:?}");
    }
}

#[test]
fn one_fault_a_rule() {
    type Site = fn(&Request) -> Answer;
    let faults: [(Site, i32, &str); 9] = [
        (
            |request| match &*request.path {
                "/sitemap.xml" => Answer::status(301).with("Location: /moved.xml"),
                "/moved.xml" => xml(sitemap(&request.host)).with(MODIFIED),
                _ => good(request),
            },
            0,
            "L-MOVED",
        ),
        (
            |request| match &*request.path {
                "/sitemap.xml" => Answer::ok(sitemap(&request.host))
                    .with("Content-Type: text/html")
                    .with(MODIFIED),
                _ => good(request),
            },
            0,
            "L-TYPE",
        ),
        (
            |request| match &*request.path {
                "/sitemap.xml" => xml(sitemap(&request.host)),
                _ => good(request),
            },
            0,
            "L-VALIDATOR",
        ),
        (
            |request| match &*request.path {
                "/robots.txt" => Answer::ok("User-agent: *\nDisallow:\n"),
                _ => good(request),
            },
            0,
            "L-UNNAMED",
        ),
        (
            |request| match &*request.path {
                "/robots.txt" => Answer::status(404),
                _ => good(request),
            },
            0,
            "L-UNNAMED",
        ),
        (
            |request| match &*request.path {
                "/robots.txt" => Answer::ok(format!(
                    "Sitemap: http://{}/s.xml\nUser-agent: *\nDisallow: /s\n",
                    request.host
                )),
                _ => good(request),
            },
            1,
            "L-FORBIDDEN",
        ),
        (
            |request| match &*request.path {
                "/robots.txt" => Answer::ok(format!(
                    "Sitemap: http://{}/s.xml\nUser-agent: *\nDisallow: /a\n",
                    request.host
                )),
                _ => good(request),
            },
            0,
            "L-ROBOTS",
        ),
        (
            |request| match &*request.path {
                "/sitemap.xml" => {
                    let twice = gzipped(&gzipped(&sitemap(&request.host)));
                    Answer::ok(twice)
                        .with("Content-Type: application/gzip")
                        .with("ETag: \"1\"")
                }
                _ => good(request),
            },
            1,
            "P-GZIP",
        ),
        (
            |request| match &*request.path {
                "/sitemap.xml" => {
                    xml(sitemap(&request.host)).with("Last-Modified: Mon, 20 Apr 2026 08:00:00 GMT")
                }
                _ => good(request),
            },
            0,
            "L-NEWER",
        ),
    ];
    for (site, status, rule) in faults {
        assert_eq!(
            lint(site, &[]),
            (status, vec![rule.to_owned()], String::new()),
            "{rule}"
        );
    }
}

/// Without robots.txt, crawlers read nothing of the site.
#[test]
fn a_robots_txt_that_fails() {
    let (status, rules, said) = lint(
        |request| match &*request.path {
            "/robots.txt" => Answer::status(500),
            _ => good(request),
        },
        &[],
    );
    let expected = "sitemap: http://127.0.0.1:PORT/robots.txt: status 500\n";
    assert_eq!((status, rules, &*said), (2, Vec::new(), expected));
}
