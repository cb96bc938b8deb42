//! `sitemap lint https://…`: facts from the HTTP response.

use std::sync::atomic::{AtomicUsize, Ordering};

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

/// A site without faults.
fn good(request: &Request) -> Answer {
    let host = &request.host;
    match &*request.path {
        "/robots.txt" => Answer::ok(format!("Sitemap: http://{host}/sitemap.xml\n")),
        "/sitemap.xml" => xml(sitemap(host)).with(MODIFIED),
        _ => Answer::status(404),
    }
}

/// Lints the site. Returns the status, the broken rules and the messages.
fn lint(
    answer: impl Fn(&Request) -> Answer + Send + Sync + 'static,
    rest: &[&str],
) -> (i32, Vec<String>, String) {
    let server = Server::start(move |_, request| answer(request));
    let folder = Folder::empty();
    let url = server.url(if rest.is_empty() { "/sitemap.xml" } else { "/" });
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
    let faults: [(Site, i32, &str); 5] = [
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

#[test]
fn one_fault_of_robots_txt() {
    let named = "Sitemap: http://HOST/sitemap.xml\n";
    for (text, status, rule) in [
        (Some("User-agent: *\nDisallow:\n".to_owned()), 0, "L-UNNAMED"),
        (Some("Sitemap: http://HOST/old.xml\n".to_owned()), 0, "L-UNNAMED"),
        (None, 0, "L-UNNAMED"),
        (
            Some(format!("{named}User-agent: *\nDisallow: /s\n")),
            1,
            "L-FORBIDDEN",
        ),
        (
            Some(format!("{named}User-agent: *\nDisallow: /a\n")),
            0,
            "L-ROBOTS",
        ),
    ] {
        let shown = format!("{text:?}");
        let site = move |request: &Request| match (&*request.path, &text) {
            ("/robots.txt", Some(text)) => Answer::ok(text.replace("HOST", &request.host)),
            ("/robots.txt", None) => Answer::status(404),
            _ => good(request),
        };
        let expected = (status, vec![rule.to_owned()], String::new());
        assert_eq!(lint(site, &[]), expected, "{shown}");
    }
}

/// A robots.txt behind redirects applies, because sites without `www` often redirect. Endless redirects are reported.
#[test]
fn a_robots_txt_that_redirects() {
    let forbidding = |request: &Request| match &*request.path {
        "/robots.txt" => Answer::status(301).with("Location: /1.txt"),
        "/1.txt" => Answer::status(302).with("Location: /2.txt"),
        "/2.txt" => Answer::ok(format!(
            "Sitemap: http://{}/sitemap.xml\nUser-agent: *\nDisallow: /s\n",
            request.host
        )),
        _ => good(request),
    };
    let expected = (1, vec!["L-FORBIDDEN".to_owned()], String::new());
    assert_eq!(lint(forbidding, &[]), expected);
    let endless = |request: &Request| match &*request.path {
        "/robots.txt" => Answer::status(301).with("Location: /robots.txt"),
        _ => good(request),
    };
    let (status, rules, said) = lint(endless, &[]);
    let problem = "sitemap: http://127.0.0.1:PORT/robots.txt: redirect: more than 5\n";
    assert_eq!((status, rules, &*said), (2, Vec::new(), problem));
}

/// If the site has moved to another host, such as from `example.com` to `www.example.com`, the rules of the new host apply.
#[test]
fn a_robots_txt_of_another_host() {
    let proxy = Server::start(|_, request| match &*request.path {
        path if request.host == "site.example" => {
            Answer::status(301).with(&format!("Location: http://www.site.example{path}"))
        }
        "/robots.txt" => Answer::ok(
            "Sitemap: http://www.site.example/sitemap.xml\nUser-agent: *\nDisallow: /s\nDisallow: /a\n",
        ),
        _ => good(request),
    });
    let folder = Folder::empty();
    let lint = |url: &str| {
        let arguments = ["lint", url, "--site", "--format", "github"];
        let mut command = folder.command(&arguments);
        let output = command.env("HTTP_PROXY", proxy.url("")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let expected = lint("http://www.site.example/");
    for rule in ["L-FORBIDDEN", "L-ROBOTS"] {
        assert!(expected.1.contains(&format!("title={rule}::")), "{}", expected.1);
    }
    let requests = proxy.requests().len();
    assert_eq!(lint("http://site.example/"), expected);
    let requests = proxy.requests().split_off(requests);
    let moved = requests.iter().filter(|request| request.host == "site.example");
    // One request by the walk, and one by the lint.
    assert_eq!(moved.count(), 2);
}

/// robots.txt names an index, so the index and the sitemaps in it may list the whole site.
#[test]
fn sitemaps_in_a_directory() {
    let site = |names: bool| {
        move |request: &Request| {
            let host = &request.host;
            match &*request.path {
                "/robots.txt" if names => Answer::ok(format!("Sitemap: http://{host}/sitemaps/index.xml\n")),
                "/robots.txt" => Answer::ok(format!("Sitemap: http://{host}/sitemap.xml\n")),
                "/" | "/sitemap.xml" => Answer::status(302).with("Location: /sitemaps/index.xml"),
                "/sitemaps/index.xml" => xml(format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{CORE}\">\n\
                     <sitemap><loc>http://{host}/maps/1.xml</loc></sitemap>\n</sitemapindex>\n"
                ))
                .with(MODIFIED),
                "/maps/1.xml" => xml(sitemap(host)).with(MODIFIED),
                _ => Answer::status(404),
            }
        }
    };
    assert_eq!(lint(site(true), &["--site"]), (0, Vec::new(), String::new()));
    // The URL in robots.txt redirects to the index.
    assert_eq!(lint(site(false), &["--site"]).1, ["L-MOVED"]);
}

/// If robots.txt fails, crawlers read nothing from the site.
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

/// A site whose pages have one fault each, except one page without faults.
fn pages(request: &Request) -> Answer {
    let host = &request.host;
    let url = |path: &str| format!("<url><loc>http://{host}/{path}</loc></url>\n");
    let html = |head: &str| {
        Answer::ok(format!("<html><head>{head}</head><body><p>Page")).with("Content-Type: text/html")
    };
    match &*request.path {
        "/sitemap.xml" => {
            let paths = ["good", "moved", "gone", "hidden", "tagged", "copy", "forbidden"];
            let entries: Vec<String> = paths.iter().map(|path| url(path)).collect();
            xml(format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n{}</urlset>\n",
                entries.concat()
            ))
            .with(MODIFIED)
        }
        "/robots.txt" => Answer::ok(format!(
            "Sitemap: http://{host}/sitemap.xml\nUser-agent: sitemap\nDisallow: /forbidden\n"
        )),
        "/good" | "/forbidden" | "/copy" => html("<link rel=canonical href=/good>"),
        "/moved" => Answer::status(302).with("Location: /good"),
        "/hidden" => html("<meta name=robots content=noindex>"),
        "/tagged" => html("").with("X-Robots-Tag: noindex"),
        _ => Answer::status(404),
    }
}

#[test]
fn pages_of_a_live_site() {
    let server = Server::start(|_, request| pages(request));
    let folder = Folder::empty();
    let url = server.url("/sitemap.xml");
    let arguments = [
        "lint",
        &url,
        "--format",
        "github",
        "--check-pages",
        "all",
        "--seed",
        "1",
    ];
    let (status, printed, said) = folder.run(&arguments);
    let page = |path: &str| server.url(&format!("/{path}"));
    let found = |line: u32, rule: &str, path: &str, problem: &str| {
        let file = url.replace(':', "%3A");
        format!(
            "::warning file={file},line={line},col=1,title={rule}::`{}` is listed, and {problem}\n",
            page(path)
        )
    };
    let expected = [
        found(
            4,
            "L-REDIRECT",
            "moved",
            "leads to another address: status 302, to `/good` (L-REDIRECT); list the address that it leads to",
        ),
        found(
            5,
            "L-MISSING",
            "gone",
            "is no page: status 404 (L-MISSING); remove the entry",
        ),
        found(
            6,
            "L-NOINDEX",
            "hidden",
            "may not be indexed: line 1: `noindex` (L-NOINDEX); remove the entry, or let the page be indexed",
        ),
        found(
            7,
            "L-NOINDEX",
            "tagged",
            "may not be indexed: `X-Robots-Tag: noindex` (L-NOINDEX); remove the entry, or let the page be indexed",
        ),
        found(
            8,
            "L-CANONICAL",
            "copy",
            &format!(
                "is not the canonical address of its page: line 1: `{}` (L-CANONICAL); list the canonical address",
                page("good")
            ),
        ),
    ];
    let without_columns = |text: &str| {
        let columns = text
            .split(",col=")
            .map(|rest| rest.split_once(',').map_or(rest, |(_, rest)| rest).to_owned());
        columns.collect::<Vec<_>>()
    };
    assert_eq!(
        (status, without_columns(&printed)),
        (0, without_columns(&expected.concat())),
        "{printed}"
    );
    let counts = "6 of 7 pages checked (--seed 1)\nsitemap: 1 page not checked: forbidden to `sitemap` by robots.txt\n";
    assert!(said.starts_with(counts), "{said}");
    // Pages that robots.txt disallows are not requested.
    assert!(!server.lines().contains(&"GET /forbidden".to_owned()));

    let sampled = |seed: &str| {
        let server = Server::start(|_, request| pages(request));
        let url = server.url("/sitemap.xml");
        let arguments = [
            "lint",
            &url,
            "--check-pages",
            "2",
            "--seed",
            seed,
            "--fail-on",
            "never",
        ];
        assert_eq!(folder.run(&arguments).0, 0);
        server.lines().split_off(2)
    };
    assert_eq!(sampled("7"), sampled("7"));
    assert!((0..10).any(|seed| sampled(&seed.to_string()) != sampled("7")));
}

/// Headers may contain bytes beyond ASCII. A page counts as unchecked if the response gives no content, such as 304.
#[test]
fn pages_with_odd_responses() {
    let paths = ["good", "utf8", "tag", "304", "gzip", "identity", "404"];
    let server = Server::start(move |_, request| match &*request.path {
        "/sitemap.txt" => Answer::ok(
            paths
                .map(|path| format!("http://{}/{path}\n", request.host))
                .concat(),
        ),
        "/utf8" => Answer::status(301).with("Location: /caf\u{e9}"),
        "/tag" => Answer::ok("").with("X-Robots-Tag: noindex, caf\u{e9}"),
        "/304" => Answer::status(304),
        "/gzip" => Answer::ok(gzipped("<meta name=robots content=noindex>")).with("Content-Encoding: gzip"),
        "/identity" => Answer::ok("<meta name=robots content=noindex>").with("Content-Encoding: identity"),
        // The body of an error response is not read.
        "/404" => Answer::Response(404, "Content-Encoding: gzip\r\n".to_owned(), gzipped("Not found")),
        "/good" => Answer::ok("<title>A page</title>"),
        _ => Answer::status(404),
    });
    let url = server.url("/sitemap.txt");
    let arguments = [
        "lint",
        &url,
        "--check-pages",
        "all",
        "--seed",
        "1",
        "--format",
        "json",
    ];
    let (status, printed, said) = Folder::empty().run(&arguments);
    let lines = printed
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let mut found: Vec<String> = lines
        .filter_map(|object| Some(object["message"].as_str()?.replace(&server.url(""), "")))
        .filter(|message| message.starts_with('`'))
        .collect();
    found.sort();
    assert_eq!(
        found,
        [
            "`/404` is listed, and is no page: status 404 (L-MISSING); remove the entry",
            "`/gzip` is listed, and may not be indexed: line 1: `noindex` (L-NOINDEX); remove the entry, or let the page be indexed",
            "`/identity` is listed, and may not be indexed: line 1: `noindex` (L-NOINDEX); remove the entry, or let the page be indexed",
            "`/tag` is listed, and may not be indexed: `X-Robots-Tag: noindex, caf\u{e9}` (L-NOINDEX); remove the entry, or let the page be indexed",
            "`/utf8` is listed, and leads to another address: status 301, to `/caf\u{e9}` (L-REDIRECT); list the address that it leads to",
        ]
    );
    let expected = "6 of 7 pages checked (--seed 1)\nsitemap: /304: status 304\n";
    assert_eq!((status, &*said.replace(&server.url(""), "")), (2, expected));
}

/// After three busy pages in a row, the rest of the site is skipped. Other sites are still checked.
#[test]
fn pages_of_a_busy_site() {
    let [busy, other] = [true, false].map(|is_busy| {
        Server::start(move |_, request| match &*request.path {
            "/sitemap.xml" | "/robots.txt" => pages(request),
            _ if is_busy => Answer::status(429).with("Retry-After: 0"),
            _ => pages(request),
        })
    });
    let urls = [&busy, &other].map(|server| server.url("/sitemap.xml"));
    let arguments = ["lint", &urls[0], &urls[1], "--check-pages", "all", "--seed", "1"];
    let (status, _, said) = Folder::empty().run(&arguments);
    let problem = format!("sitemap: {}: status 429: 3 pages not checked\n", busy.url(""));
    assert!(status == 2 && said.contains(&problem), "{said}");
    assert_eq!(said.matches(": status 429\n").count(), 3, "{said}");
    assert!(
        said.starts_with("6 of 14 pages checked (--seed 1)\nsitemap: 2 pages not checked: forbidden to `sitemap` by robots.txt"),
        "{said}"
    );
    // Each page is requested twice.
    assert_eq!((busy.requests().len(), other.requests().len()), (8, 8));
}

/// A busy page is requested once more. If it is still busy, only this page fails.
#[test]
fn pages_of_a_site_that_is_busy_for_a_moment() {
    for (answers, headers, checked, requests) in [
        (1, "Retry-After: 0", 6, 7),
        (2, "Retry-After: 0", 5, 7),
        (1, "X: y", 6, 7),
        (1, "Retry-After: 86400", 5, 6),
    ] {
        let asked = AtomicUsize::new(0);
        let server = Server::start(move |_, request| match &*request.path {
            "/sitemap.xml" | "/robots.txt" => pages(request),
            _ if asked.fetch_add(1, Ordering::Relaxed) < answers => Answer::status(503).with(headers),
            _ => pages(request),
        });
        let url = server.url("/sitemap.xml");
        let (_, _, said) = Folder::empty().run(&["lint", &url, "--check-pages", "all", "--seed", "1"]);
        assert!(
            said.starts_with(&format!("{checked} of 7 pages checked (--seed 1)\n")),
            "{said}"
        );
        assert_eq!(said.matches(": status 503\n").count(), 6 - checked, "{said}");
        // Not counting the sitemap and robots.txt.
        assert_eq!(server.requests().len(), 2 + requests, "{headers}");
    }
}

/// URLs are encoded as browsers encode them, whatever characters a loc has. A page that refuses only this client (401, 403, 451) is not
/// reported as missing.
#[test]
fn pages_as_browsers_request_them() {
    let server = Server::start(|_, request| {
        let host = &request.host;
        match &*request.path {
            "/sitemap.xml" => {
                let paths = [
                    "caf\u{e9}",
                    "a b",
                    "%7Euser",
                    "c|d",
                    "401",
                    "403",
                    "451",
                    "link",
                    "refresh",
                    "late",
                ];
                let urls = paths.map(|path| format!("<url><loc>http://{host}/{path}</loc></url>"));
                let idn = format!("<url><loc>http://b\u{fc}cher.localhost:1/{}</loc></url>", "x");
                xml(format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><urlset xmlns=\"{CORE}\">{}{idn}</urlset>",
                    urls.concat()
                ))
            }
            "/robots.txt" => Answer::ok(format!("Sitemap: http://{host}/sitemap.xml")),
            "/caf%C3%A9" | "/a%20b" | "/%7Euser" | "/c|d" | "/c%7Cd" => Answer::ok("<title>A page</title>"),
            "/link" => Answer::ok("").with("Link: </other>; rel=canonical"),
            "/refresh" => Answer::ok("").with("Refresh: 0; url=/other"),
            "/late" => Answer::ok("").with("X-Robots-Tag: unavailable_after: 2020-01-01"),
            path => Answer::status(path[1..].parse().unwrap_or(404)),
        }
    });
    let url = server.url("/sitemap.xml");
    let arguments = [
        "lint",
        &url,
        "--check-pages",
        "all",
        "--seed",
        "1",
        "--format",
        "json",
    ];
    let (status, printed, said) = Folder::empty().run(&arguments);
    let lines = printed
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let mut found: Vec<String> = lines
        .filter_map(|object| Some(object["message"].as_str()?.replace(&server.url(""), "")))
        .filter(|message| message.contains(" is listed, and "))
        .collect();
    found.sort();
    assert_eq!(
        found,
        [
            "`/late` is listed, and may not be indexed: `X-Robots-Tag: unavailable_after: 2020-01-01` (L-NOINDEX); remove the entry, or let the page be indexed",
            "`/link` is listed, and is not the canonical address of its page: `Link`: `/other` (L-CANONICAL); list the canonical address",
            "`/refresh` is listed, and leads to another address: `Refresh`, to `/other` (L-REDIRECT); list the address that it leads to",
        ]
    );
    let mut said: Vec<String> = said
        .replace(&server.url(""), "")
        .lines()
        .map(str::to_owned)
        .collect();
    said.sort();
    let may = |status: u16| {
        format!(
            "sitemap: /{status}: status {status}, which others may not get: the site may refuse this client"
        )
    };
    assert_eq!(said[1..4], [401, 403, 451].map(may), "{said:?}");
    assert_eq!(
        (status, &*said[0]),
        (2, "7 of 11 pages checked (--seed 1)"),
        "{said:?}"
    );
    let idn = "sitemap: http://xn--bcher-kva.localhost:1: robots.txt: 127.0.0.1 is not a public address: 1 page not checked";
    assert!(
        said.len() == 5 && said[4].starts_with("sitemap: http://xn--bcher-kva.localhost:1: robots.txt: "),
        "{said:?} {idn}"
    );
}

/// Pages on another site need that site's robots.txt. If it cannot be read, they are not requested.
#[test]
fn pages_of_another_site() {
    let other = Server::start(|_, request| pages(request));
    let listed = other.url("/good");
    let server = Server::start(move |_, request| match &*request.path {
        "/sitemap.xml" => Answer::ok(format!("{listed}\n")),
        _ => Answer::status(404),
    });
    let url = server.url("/sitemap.xml");
    let arguments = ["lint", &url, "--check-pages", "all", "--seed", "1", "--quiet"];
    let (status, _, said) = Folder::empty().run(&arguments);
    let problem = format!("sitemap: {}: robots.txt: ", other.url(""));
    assert!(status == 2 && said.starts_with(&problem), "{said}");
    assert!(
        said.ends_with("not a public address: 1 page not checked\n"),
        "{said}"
    );
    assert!(other.requests().is_empty());
}
