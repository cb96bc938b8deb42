//! Habits of real servers: what stands at robots.txt, redirects that meet, damaged compression.

use std::fs::File;

use crate::folder::{Folder, gzipped};
use crate::live::{index, urlset};
use crate::server::{Answer, Request, Server};

const HTML: &str = "<!doctype html><title>Shop</title><div id=app></div>";

/// The status, the output and the messages of a command, without the server's address.
fn run(server: &Server, arguments: &[&str]) -> (i32, String, String) {
    let (status, printed, said) = Folder::empty().run(arguments);
    let address = server.url("");
    (
        status,
        printed.replace(&address, "SITE"),
        said.replace(&address, "SITE"),
    )
}

fn page(request: &Request) -> Answer {
    Answer::ok(urlset(&[&format!("http://{}/page", request.host)]))
}

/// A site without sitemaps: the message says what was there instead.
#[test]
fn why_a_site_has_no_sitemap() {
    for (robots, sitemap, expected) in [
        (
            Answer::status(404),
            Answer::status(404),
            "there is no robots.txt, and there is none at the usual URLs",
        ),
        (
            Answer::status(204),
            Answer::status(404),
            "robots.txt is empty, and there is none at the usual URLs",
        ),
        (
            Answer::ok("User-agent: *\n"),
            Answer::status(404),
            "robots.txt names none, and there is none at the usual URLs",
        ),
        (
            Answer::ok(HTML),
            Answer::status(404),
            "robots.txt is an HTML page, and there is none at the usual URLs",
        ),
        (
            Answer::ok(HTML),
            Answer::ok(HTML),
            "robots.txt and the usual URLs are HTML pages: the server answers every path with its application",
        ),
    ] {
        let server = Server::start(move |_, request| match &*request.path {
            "/robots.txt" => robots.clone(),
            _ => sitemap.clone(),
        });
        let (status, printed, said) = run(&server, &["cat", &server.url("/"), "--site"]);
        assert_eq!(
            (status, &*printed, &*said),
            (2, "", &*format!("sitemap: SITE/ has no sitemap: {expected}\n"))
        );
    }
    let server = Server::start(|_, request| match &*request.path {
        "/sitemap.xml" => Answer::ok("<feeds/>"),
        _ => Answer::status(404),
    });
    let (_, _, said) = run(&server, &["cat", &server.url("/"), "--site"]);
    assert!(
        said.starts_with(
            "sitemap: SITE/ has no sitemap: there is no robots.txt, and SITE/sitemap.xml is none: "
        ),
        "{said}"
    );
}

/// Lines of robots.txt that name no URL are findings, and do not keep the usual places from being read.
#[test]
fn lines_of_robots_txt() {
    let server = Server::start(|_, request| match &*request.path {
        "/robots.txt" => {
            Answer::ok("User-agent: *\nSitemap: {{ site.url }}sitemap.xml\nSitemap: \"/a.xml\"\n")
        }
        "/sitemap.xml" => page(request),
        _ => Answer::status(404),
    });
    let url = server.url("/");
    let (status, printed, said) = run(&server, &["cat", &url, "--site"]);
    assert_eq!((status, &*printed), (2, "SITE/page\n"));
    assert!(
        said.contains("line 2, `Sitemap: {{ site.url }}sitemap.xml`, is a template that was not filled in"),
        "{said}"
    );
    let found = |server: &Server| {
        let url = server.url("/");
        let (_, printed, _) = run(server, &["lint", &url, "--site", "--format", "github", "--quiet"]);
        let lines = printed.lines().filter(|line| line.contains("L-UNNAMED"));
        let lines = lines.map(|line| line.rsplit("::").next().unwrap_or_default().to_owned());
        lines.collect::<Vec<_>>().join("\n")
    };
    let lines = found(&server);
    for expected in [
        "line 2 of robots.txt, `Sitemap: {{ site.url }}sitemap.xml`, is a template that was not filled in (L-UNNAMED)",
        "line 3 of robots.txt, `Sitemap: \"/a.xml\"`, is in quotes, which are not removed (L-UNNAMED)",
    ] {
        assert!(lines.contains(expected), "{lines}");
    }
    let server = Server::start(|_, request| match &*request.path {
        "/robots.txt" => {
            let text = "\u{FEFF}Sitemap: /map.xml\r\n";
            Answer::ok(
                text.encode_utf16()
                    .flat_map(u16::to_le_bytes)
                    .collect::<Vec<u8>>(),
            )
        }
        "/map.xml" => page(request),
        _ => Answer::status(404),
    });
    assert_eq!(
        run(&server, &["cat", &server.url("/"), "--site"]),
        (0, "SITE/page\n".to_owned(), String::new())
    );
    let lines = found(&server);
    let expected =
        "robots.txt is in UTF-16, so that crawlers find no rules and no sitemaps in it (L-UNNAMED)";
    assert!(lines.contains(expected), "{lines}");
}

/// Listed sitemaps that are redirected to one document, or to their index, have a finding each, in the order of the list.
#[test]
fn redirects_that_meet() {
    let server = Server::start(|number, request| {
        let host = &request.host;
        // Which of them is there first differs.
        if number.is_multiple_of(3) {
            std::thread::sleep(std::time::Duration::from_millis(40));
        }
        match &*request.path {
            "/robots.txt" => Answer::ok(format!("Sitemap: http://{host}/index.xml")),
            "/index.xml" => Answer::ok(index(
                &["self", "old", "same", "plain"]
                    .map(|name| format!("http://{host}/{name}.xml"))
                    .each_ref()
                    .map(|url| &**url),
            )),
            "/self.xml" => Answer::status(301).with("Location: /index.xml"),
            "/old.xml" | "/same.xml" => Answer::status(301).with("Location: /new.xml"),
            _ => page(request),
        }
    });
    let url = server.url("/");
    for _ in 0..6 {
        let (_, printed, _) = run(
            &server,
            &["lint", &url, "--site", "--format", "github", "--quiet"],
        );
        let moved: Vec<&str> = printed.lines().filter(|line| line.contains("L-MOVED")).collect();
        let expected = [("self", "index"), ("old", "new"), ("same", "new")];
        assert_eq!(moved.len(), expected.len(), "{printed}");
        for (line, (from, to)) in moved.iter().zip(expected) {
            assert!(line.contains(&format!("/{from}.xml,title")), "{line}");
            assert!(line.contains(&format!("redirected to `SITE/{to}.xml`")), "{line}");
        }
        // The pages are read once.
        let (_, printed, _) = run(&server, &["stat", &url, "--site"]);
        assert!(printed.contains('2'), "{printed}");
    }
    let (_, printed, _) = run(&server, &["diff", &url, &url, "--site"]);
    assert_eq!(printed, "");
}

/// Of a document whose compression is damaged or cut, nothing is printed: entries behind the damage are garbage.
#[test]
fn damaged_compression() {
    let text = urlset(
        &(0..2000)
            .map(|number| format!("https://example.com/{number}"))
            .collect::<Vec<_>>()
            .iter()
            .map(|url| &**url)
            .collect::<Vec<_>>(),
    );
    let whole = gzipped(&text);
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    let mut checksum = whole.clone();
    let end = checksum.len() - 6;
    checksum[end] ^= 1;
    let cut = whole[..middle].to_vec();
    let padded = [&*whole, &[0; 700]].concat();
    for (body, pages, expected) in [
        (damaged, 1, Some("compressed document")),
        (
            checksum,
            1,
            Some("the checksum of the compressed document is wrong"),
        ),
        (cut, 1, Some("the compressed document is truncated")),
        (padded, 2001, None),
    ] {
        let server = Server::start(move |_, request| match &*request.path {
            "/robots.txt" => Answer::ok(format!(
                "Sitemap: http://{0}/a.xml.gz\nSitemap: http://{0}/b.xml",
                request.host
            )),
            "/a.xml.gz" => Answer::ok(body.clone()),
            _ => page(request),
        });
        let (status, printed, said) = run(&server, &["cat", &server.url("/"), "--site", "--retries", "0"]);
        assert_eq!(
            (status, printed.lines().count()),
            (if expected.is_some() { 2 } else { 0 }, pages),
            "{said}"
        );
        let expected = expected.unwrap_or_default();
        assert!(
            said.contains(expected) && said.is_empty() == expected.is_empty(),
            "{said}"
        );
        assert!(expected.is_empty() || said.contains("SITE/a.xml.gz"), "{said}");
    }
}

/// Zeros after the last member, such as tapes have, are accepted from text too.
#[test]
fn padded_text() {
    let folder = Folder::empty();
    let padded = [
        gzipped("https://example.com/a\n"),
        gzipped("https://example.com/b\n"),
        vec![0; 1000],
    ]
    .concat();
    folder.write("pages.txt.gz", &padded);
    for arguments in [
        &["cat", "pages.txt.gz"][..],
        &["convert", "pages.txt.gz", "--to", "text"],
    ] {
        let (status, printed, said) = folder.run(arguments);
        assert_eq!(
            (status, &*printed),
            (0, "https://example.com/a\nhttps://example.com/b\n"),
            "{said}"
        );
    }
    folder.write("pages.txt.gz", [&*padded, b"x"].concat());
    let (status, _, said) = folder.run(&["convert", "pages.txt.gz", "--to", "text"]);
    assert!(status != 0 && said.contains("P-GZIP"), "{said}");
}

/// Two runs with one state do not print the same pages.
#[test]
fn a_state_in_use() {
    let server = Server::start(|_, request| match &*request.path {
        "/robots.txt" => Answer::ok(format!("Sitemap: http://{}/a.xml", request.host)),
        _ => page(request),
    });
    let folder = Folder::empty();
    let url = server.url("/");
    let arguments = ["cat", &*url, "--site", "--save", "state"];
    let (status, printed, _) = folder.run(&arguments);
    assert_eq!((status, printed.lines().count()), (0, 1));
    let file = File::open(folder.path("state")).unwrap();
    file.lock().unwrap();
    let (status, printed, said) = folder.run(&arguments);
    assert_eq!(
        (status, &*printed, &*said),
        (
            2,
            "",
            "sitemap: state is written to by another run: run the command again when that has ended\n"
        )
    );
    drop(file);
    assert_eq!(folder.run(&arguments), (0, String::new(), String::new()));
}

/// A device has no end, and is no record.
#[cfg(unix)]
#[test]
fn a_record_is_a_file() {
    let folder = Folder::with(&[
        ("old.txt", "https://example.com/a\n"),
        ("new.txt", "https://example.com/b\n"),
    ]);
    for more in [&[][..], &["--dry-run"]] {
        let arguments = [
            "submit",
            "old.txt",
            "new.txt",
            "--key",
            "0123456789abcdef",
            "--record",
            "/dev/full",
        ];
        let (status, _, said) = folder.run(&[&arguments[..], more].concat());
        assert_eq!(
            (status, &*said),
            (
                2,
                "sitemap: /dev/full is not a file: a record is a file to append to\n"
            )
        );
    }
}
