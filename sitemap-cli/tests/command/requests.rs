//! The options for requests: headers and their recipients, certificates, proxies, timeouts, cookies.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use crate::folder::Folder;
use crate::live::{index, urlset};
use crate::server::{Answer, Request, Server};

/// Header values and a password. They must not appear in any output, or on another host. The last one is the password as encoded on the
/// wire.
const SECRETS: [&str; 3] = ["t0psecret", "hunter2", "dXNlcjpodW50ZXIy"];
const CREDENTIALS: [&str; 4] = ["--header", "X-Token: t0psecret", "--basic-auth", "user:hunter2"];

const KEY: &str = "0123456789abcdef";

/// The commands that read URLs.
const COMMANDS: [&str; 9] = [
    "lint", "stat", "cat", "convert", "split", "diff", "submit", "repair", "index",
];

/// Environment variables that would affect a test.
const VARIABLES: [&str; 10] = [
    "http_proxy",
    "HTTP_PROXY",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SITEMAP_BASIC_AUTH",
];

/// Runs the command with only these variables.
fn run(folder: &Folder, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = folder.command(arguments);
    for name in VARIABLES {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Two sites on one server, which acts as their proxy. The first one lists documents of the second and redirects to it.
fn two_sites() -> Server {
    Server::start(|_, request| {
        let page = |name: &str| format!("http://site.example/{name}");
        match (&*request.host, &*request.path) {
            ("site.example", "/robots.txt") => Answer::ok(
                "Sitemap: http://site.example/index.xml\nSitemap: http://other.example/named.xml\n",
            )
            .with("Set-Cookie: session=fresh"),
            ("site.example", "/index.xml") => Answer::ok(index(&[
                &page("ok.xml"),
                &page("moved.xml"),
                &page("refused.xml"),
                &page("broken.xml"),
                "http://other.example/listed.xml",
            ])),
            ("site.example", "/ok.xml") => {
                Answer::ok(urlset(&[&page("a"), &page("moved"), "http://other.example/page"]))
            }
            ("site.example", "/moved.xml" | "/moved") => {
                Answer::status(302).with(&format!("Location: http://other.example{}", request.path))
            }
            ("site.example", "/refused.xml") => Answer::status(401).with("WWW-Authenticate: Basic"),
            ("site.example", "/broken.xml") => Answer::ok("<urlset><url><loc>http://site.example/x</url>"),
            ("site.example", "/a") => Answer::ok("<html><head><title>A</title></head><body></body></html>")
                .with("Content-Type: text/html"),
            ("other.example", "/named.xml" | "/listed.xml" | "/moved.xml") => {
                Answer::ok(urlset(&["http://other.example/page"]))
            }
            (_, path) if path.contains(KEY) => Answer::ok(KEY),
            ("other.example", "/indexnow") => Answer::status(200),
            _ => Answer::status(404),
        }
    })
}

/// The bytes of all files below a folder.
fn files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
}

/// Runs of every command that reads URLs.
fn runs() -> Vec<Vec<&'static str>> {
    let (site, document) = ("http://site.example/", "http://site.example/ok.xml");
    let follow = ["--site", "--other-hosts", "follow", "--retries", "0"];
    let whole = |command: &[&'static str]| [command, &follow].concat();
    vec![
        whole(&["cat", site, "--save", "state", "--report", "report"]),
        whole(&["cat", site, "--save", "state", "--fields", "loc,lastmod"]),
        whole(&["stat", site]),
        whole(&["stat", site, "--format", "json"]),
        whole(&["stat", site, "--format", "html"]),
        whole(&[
            "lint",
            site,
            "--check-pages",
            "all",
            "--write-baseline",
            "baseline",
        ]),
        whole(&["lint", site, "--format", "json"]),
        whole(&["lint", site, "--format", "sarif"]),
        whole(&["lint", site, "--format", "github"]),
        whole(&["lint", site, "--format", "html"]),
        whole(&["convert", site, "--to", "jsonl", "-o", "pages.jsonl"]),
        whole(&["split", site, "-o", "set", "--base", site]),
        whole(&["diff", site, "old.xml", "--report", "report"]),
        whole(&["diff", site, "old.xml", "--format", "json"]),
        vec!["repair", document, "-o", "repaired.xml"],
        vec!["repair", "http://site.example/broken.xml"],
        vec!["repair", "http://site.example/moved.xml"],
        vec![
            "index",
            "folder",
            "--location",
            site,
            "--add",
            document,
            "-o",
            "index.xml",
        ],
        vec![
            "submit",
            "old.xml",
            "folder/new.xml",
            "--key",
            KEY,
            "--wait",
            "http://site.example/new.xml",
            "--max-wait",
            "0",
        ],
        vec![
            "submit",
            "old.xml",
            document,
            "--key",
            KEY,
            "--endpoint",
            "http://other.example/indexnow",
            "--record",
            "record",
        ],
    ]
}

/// All requests to the named host have the headers. No other host receives them, and no output contains their values.
#[test]
fn secrets_stay_with_the_named_host() {
    for arguments in runs() {
        for secrets in [
            &CREDENTIALS[..],
            &CREDENTIALS[..2],
            // A header that the walk sets itself.
            &["--header", "Cookie: t0psecret=hunter2"],
            &[],
        ] {
            let server = two_sites();
            let folder = Folder::with(&[
                ("old.xml", urlset(&["http://site.example/old"])),
                ("folder/new.xml", urlset(&["http://site.example/a"])),
            ]);
            let proxy = format!("http://hunter2:t0psecret@127.0.0.1:{}", server.port);
            let variable = if secrets.is_empty() { "user:hunter2" } else { "" };
            let variables = [
                ("http_proxy", &*proxy),
                ("SITEMAP_BASIC_AUTH", variable),
                ("RUST_LOG", "trace"),
            ];
            let arguments = [&arguments[..], secrets].concat();
            let (_, printed, said) = run(&folder, &arguments, &variables);
            let mut outputs = Vec::new();
            files(&folder.path(""), &mut outputs);
            outputs.push(("standard output".to_owned(), printed.into_bytes()));
            outputs.push(("standard error".to_owned(), said.into_bytes()));
            for (name, bytes) in &outputs {
                let has = |secret: &&str| {
                    bytes
                        .windows(secret.len())
                        .any(|window| window == secret.as_bytes())
                };
                let found = SECRETS.iter().find(|secret| has(secret));
                assert_eq!(found, None, "{arguments:?}: {name}");
            }
            let sent = match secrets {
                [] => ("authorization", "Basic dXNlcjpodW50ZXIy"),
                [_, header, ..] if header.starts_with("Cookie") => ("cookie", "t0psecret=hunter2"),
                _ => ("x-token", "t0psecret"),
            };
            check_requests(&server.requests(), sent, &arguments);
        }
    }
}

/// Checks which requests have a header, by its name and the start of its value.
fn check_requests(requests: &[Request], (name, value): (&str, &str), arguments: &[&str]) {
    let (own, others): (Vec<_>, Vec<_>) = requests
        .iter()
        .partition(|request| request.host == "site.example");
    assert!(!own.is_empty(), "{arguments:?}");
    for request in own {
        let values = request.values(name);
        let is_sent = values.len() == 1 && values[0].starts_with(value);
        assert!(is_sent, "{arguments:?}: {request:?}");
    }
    for request in others {
        let headers: String = request
            .headers
            .lines()
            .filter(|line| !line.starts_with("proxy-authorization"))
            .collect();
        // No secrets, and no cookie of the site.
        let found = SECRETS
            .iter()
            .chain(&["fresh"])
            .find(|secret| headers.contains(**secret));
        assert_eq!(found, None, "{arguments:?}: {request:?}");
    }
}

/// Each command's first request has the header, because the commands share the options and their help.
#[test]
fn every_command_that_reads_urls_has_the_options() {
    let folder = Folder::empty();
    let mut helps = BTreeSet::new();
    for command in COMMANDS {
        let (status, help, _) = run(&folder, &[command, "--help"], &[]);
        assert_eq!(status, 0, "{command}");
        let section = help
            .split("\n\n")
            .skip_while(|section| !section.starts_with("Requests:"))
            .take_while(|section| section.starts_with("Requests:") || section.starts_with("      --"))
            .collect::<Vec<_>>()
            .join("\n");
        // clap adds empty lines to long help if any option has them.
        let words: Vec<&str> = section.split_whitespace().collect();
        helps.insert(words.join(" "));
    }
    assert_eq!(helps.len(), 1, "{helps:#?}");
    let help = helps.first().unwrap();
    for option in [
        "--header <NAME: VALUE>",
        "--basic-auth <USER:PASSWORD>",
        "--auth-to <URL>",
        "--user-agent <TEXT>",
        "--ca-file <FILE>",
        "--insecure",
        "--timeout <SECONDS>",
        "--retries <NUMBER>",
        "--rate <RATE>",
    ] {
        assert!(help.contains(option), "{help}");
    }
}

/// A server without documents, and a URL on it.
fn nothing() -> (Server, String) {
    let server = Server::start(|_, _| Answer::status(404));
    let url = server.url("/sitemap.xml");
    (server, url)
}

/// Runs `cat` with extra arguments. Asserts that it refuses them without output or requests. Returns the message.
fn refusal(folder: &Folder, rest: &[&str], variables: &[(&str, &str)]) -> String {
    let (server, url) = nothing();
    let (status, printed, said) = run(folder, &[&["cat", &url], rest].concat(), variables);
    assert_eq!((status, &*printed), (2, ""), "{rest:?}: {said}");
    assert_eq!(server.lines(), [""; 0], "{rest:?}");
    said.replace(&server.url(""), "SERVER")
}

/// Messages about invalid values list the allowed values, but never the value itself.
#[test]
fn invalid_headers() {
    let name = "--header: the name of a header has only letters, digits and the signs !#$%&'*+-.^_`|~";
    let value = "--header: the value of a header is one line of text without control characters";
    for (rest, expected) in [
        (
            &["--header", "t0psecret"][..],
            "--header is written as 'NAME: VALUE', such as 'Authorization: Bearer TOKEN'".to_owned(),
        ),
        (&["--header", "Bad Name: t0psecret"], name.to_owned()),
        (&["--header", ": t0psecret"], name.to_owned()),
        (&["--header", "X-Token:"], value.to_owned()),
        (&["--header", "X-Token: t0psecret\nX: hunter2"], value.to_owned()),
        (
            &["--header", "Host: t0psecret"],
            "--header: the client sets the header host itself; any header but those of the connection, of ranges and of conditions is \
             allowed"
                .to_owned(),
        ),
        (
            &["--header", "User-Agent: t0psecret"],
            "--header: the client sets the header user-agent itself; any header but those of the connection, of ranges and of conditions \
             is allowed"
                .to_owned(),
        ),
    ] {
        let said = refusal(&Folder::empty(), rest, &[]);
        assert_eq!(said, format!("sitemap: {expected}\n"), "{rest:?}");
    }
}

#[test]
fn invalid_values() {
    let folder = Folder::with(&[
        ("empty.pem", ""),
        (
            "broken.pem",
            "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
        ),
    ]);
    let no_certificate =
        "it has no certificate: one in PEM begins with the line `-----BEGIN CERTIFICATE-----`";
    for (rest, expected) in [
        (
            &["--basic-auth", "hunter2"][..],
            "--basic-auth is written as USER:PASSWORD".to_owned(),
        ),
        (
            &["--basic-auth", "user:hunter2\n"],
            "--basic-auth: a user name has no colon, and neither a user name nor a password has control characters"
                .to_owned(),
        ),
        (
            &[
                "--basic-auth",
                "user:hunter2",
                "--header",
                "authorization: t0psecret",
            ],
            "--header Authorization and --basic-auth exclude each other, since a request has one Authorization"
                .to_owned(),
        ),
        (
            &["--auth-to", "example.com", "--basic-auth", "user:hunter2"],
            "--auth-to: the URL is not an absolute URL".to_owned(),
        ),
        (
            &["--user-agent", "B\u{e9}"],
            "--user-agent: a User-Agent is one line of visible ASCII, such as `ExampleBot/1.0 (+https://example.com/bot)`"
                .to_owned(),
        ),
        (
            &["--ca-file", "missing.pem"],
            "--ca-file missing.pem: No such file or directory (os error 2)".to_owned(),
        ),
        (
            &["--ca-file", "empty.pem"],
            format!("--ca-file empty.pem: {no_certificate}"),
        ),
        (
            &["--ca-file", "broken.pem"],
            "--ca-file broken.pem: it has an invalid section of PEM".to_owned(),
        ),
        (
            &["https://example.com/", "--basic-auth", "user:hunter2"],
            "--basic-auth is for one host, and URLs of several are named: --auth-to says which one of SERVER, https://example.com"
                .to_owned(),
        ),
    ] {
        let said = refusal(&folder, rest, &[]);
        assert_eq!(said, format!("sitemap: {expected}\n"), "{rest:?}");
    }
}

/// Options for requests and for documents at URLs, with values.
const WITHOUT_EFFECT: [&[&str]; 14] = [
    &["--header", "X: t0psecret"],
    &["--basic-auth", "user:hunter2"],
    &["--auth-to", "https://example.com/"],
    &["--user-agent", "test"],
    &["--ca-file", "missing.pem"],
    &["--insecure"],
    &["--timeout", "5"],
    &["--retries", "2"],
    &["--rate", "2"],
    &["--connections", "2"],
    &["--max-documents", "2"],
    &["--max-transfer", "2"],
    &["--max-time", "2"],
    &["--report", "report.jsonl"],
];

/// An option that is only for URLs is an error where none is read or requested, in every command; nothing is printed or written.
#[test]
fn options_without_a_url() {
    let folder = Folder::with(&[
        ("file.xml", urlset(&["https://example.com/"])),
        ("folder/a.xml", urlset(&["https://example.com/"])),
    ]);
    for command in COMMANDS {
        let arguments: &[&str] = match command {
            "convert" => &["file.xml", "--to", "text", "-o", "out.txt"],
            "split" => &["file.xml", "-o", "out", "--base", "https://example.com"],
            "diff" => &["file.xml", "file.xml"],
            "repair" => &["file.xml", "-o", "out.xml"],
            "index" => &["folder", "--location", "https://example.com/", "-o", "out.xml"],
            // Its own requests use the options.
            "submit" => continue,
            _ => &["file.xml"],
        };
        for option in WITHOUT_EFFECT {
            let is_of_documents = WITHOUT_EFFECT[9..].contains(&option);
            if is_of_documents && ["repair", "index"].contains(&command) {
                continue;
            }
            let whole = [&[command], arguments, option].concat();
            assert_eq!(
                run(&folder, &whole, &[]),
                (
                    2,
                    String::new(),
                    format!(
                        "sitemap: {} is for documents at URLs, and no URL is named\n",
                        option[0]
                    )
                ),
                "{whole:?}"
            );
        }
        assert!(!folder.path("out.txt").exists() && !folder.path("out.xml").exists());
        assert!(!folder.path("out").exists() && !folder.path("report.jsonl").exists());
    }
}

/// `lint --check-pages` and `submit` use them for their own requests; `--auth-to` names the host of headers.
#[test]
fn options_of_other_requests() {
    let server = Server::start(|_, request| match &*request.path {
        path if path.contains(KEY) => Answer::ok(KEY),
        "/robots.txt" => Answer::status(404),
        _ => Answer::ok("<html><head><title>A</title></head><body></body></html>")
            .with("Content-Type: text/html"),
    });
    let folder = Folder::with(&[("file.xml", urlset(&[&server.url("/")]))]);
    let lint = ["lint", "file.xml", "--check-pages", "all"];
    let submit = ["submit", "file.xml", "file.xml", "--key", KEY, "--dry-run"];
    for option in WITHOUT_EFFECT {
        let expected = match option[0] {
            name @ ("--header" | "--basic-auth") => {
                format!(
                    "sitemap: {name} is for documents at URLs, and no URL is named: --auth-to names the host that gets it\n"
                )
            }
            "--ca-file" => {
                "sitemap: --ca-file missing.pem: No such file or directory (os error 2)\n".to_owned()
            }
            name @ ("--connections" | "--max-documents" | "--max-transfer" | "--report") => {
                format!("sitemap: {name} is for documents at URLs, and no URL is named\n")
            }
            _ => String::new(),
        };
        for command in [&lint[..], &submit] {
            let (status, _, told) = run(&folder, &[command, option].concat(), &[]);
            if expected.is_empty() {
                let is_used = told.contains("page checked") || command[0] == "submit";
                assert!(
                    is_used && !told.contains("no URL is named"),
                    "{command:?} {option:?}: {told}"
                );
            } else if !(option[0] == "--ca-file" && command[0] == "submit") {
                assert_eq!((status, told), (2, expected.clone()), "{command:?} {option:?}");
            }
        }
    }
    let auth = ["--header", "X: y", "--auth-to", &server.url("/")];
    let (_, _, told) = run(&folder, &[&lint[..], &auth].concat(), &[]);
    assert!(!told.contains("no URL is named"), "{told}");
}

#[test]
fn invalid_variables() {
    for (variable, value, expected) in [
        (
            "SITEMAP_BASIC_AUTH",
            "hunter2",
            "SITEMAP_BASIC_AUTH is written as USER:PASSWORD",
        ),
        (
            "https_proxy",
            "ftp://user:hunter2@proxy.example",
            "the variable https_proxy is not the URL of a proxy, such as http://proxy.example:3128: its scheme is one of http, https, \
             socks4, socks4a, socks5, socks5h",
        ),
    ] {
        let said = refusal(&Folder::empty(), &[], &[(variable, value)]);
        assert_eq!(said, format!("sitemap: {expected}\n"));
    }
}

/// Messages from clap contain the value, because these values are no secrets.
#[test]
fn invalid_numbers() {
    let rate = "write a number of requests a second, such as 2 or 0.5, or a minute or hour, such as 30/m or 100/h; at least one a day";
    for (option, value, expected) in [
        (
            "--rate",
            "0",
            format!("error: invalid value '0' for '--rate <RATE>': {rate}\n"),
        ),
        (
            "--rate",
            "2/d",
            format!("error: invalid value '2/d' for '--rate <RATE>': {rate}\n"),
        ),
        (
            "--timeout",
            "0",
            "error: invalid value '0' for '--timeout <SECONDS>': 0 is not in 1..=86400\n".to_owned(),
        ),
        (
            "--retries",
            "101",
            "error: invalid value '101' for '--retries <NUMBER>': 101 is not in 0..=100\n".to_owned(),
        ),
        (
            "--retries",
            "some",
            "sitemap: --retries some: write a whole number, such as 10\n".to_owned(),
        ),
    ] {
        let said = refusal(&Folder::empty(), &[option, value], &[]);
        assert!(said.starts_with(&expected), "{said}");
    }
}

/// Messages about misspelt options, and about options of other tools, contain no secrets.
#[test]
fn other_names() {
    let folder = Folder::empty();
    for rest in [
        &["-H", "X-Token: t0psecret"][..],
        &["-HX-Token: t0psecret"],
        &["--hedder", "X-Token: t0psecret"],
        &["--hedder=X-Token: t0psecret"],
        &["-u", "user:hunter2"],
        &["-uuser:hunter2"],
        &["--user=user:hunter2"],
        &["--user", "user:hunter2"],
        &["--basic-auth", "user:hunter2", "--basic-auth", "user:t0psecret"],
        &["--basic-auth=user:hunter2", "--no-such-option"],
        &["--header=X-Token: t0psecret", "--site=hunter2"],
    ] {
        let said = refusal(&folder, rest, &[]);
        let shown = SECRETS.iter().find(|secret| said.contains(**secret));
        let is_of_site = rest.contains(&"--site=hunter2") && shown == Some(&"hunter2");
        assert!(shown.is_none() || is_of_site, "{rest:?}: {said}");
    }
    for (option, rest) in [
        (
            "-H",
            "`--header 'NAME: VALUE'` sends a header to the named URL's host",
        ),
        (
            "--user",
            "`--basic-auth USER:PASSWORD`, or the variable SITEMAP_BASIC_AUTH, is sent to the named URL's host",
        ),
        (
            "--cookie",
            "`--header 'Cookie: NAME=VALUE'` sends a cookie, and those that a site sets are sent back to it",
        ),
        ("--cacert", "`--ca-file FILE` trusts the certificates in a file"),
        ("-k", "`--insecure` accepts every certificate"),
        (
            "--retry",
            "`--retries NUMBER` is how often a document is requested again",
        ),
        (
            "--connect-timeout",
            "`--timeout SECONDS` gives up a server that sends nothing for so long, and `--max-time SECONDS` a whole site",
        ),
        (
            "--delay",
            "`--rate RATE` is the number of requests a second, or a minute: 30/m",
        ),
        (
            "--proxy",
            "the variables http_proxy and https_proxy name proxies, and no_proxy the hosts that are asked directly",
        ),
    ] {
        let expected = format!("sitemap: `sitemap cat` has no {option}: {rest}\n");
        assert_eq!(refusal(&folder, &[option, "x"], &[]), expected);
    }
}

#[test]
fn valid_values() {
    let (folder, (_, url)) = (Folder::empty(), nothing());
    for rest in [
        &["--header", "X-Token:value:with: colons"][..],
        &["--header", "x: \u{e9}"],
        &["--basic-auth", ":"],
        &["--basic-auth", "user:pass:word", "--auth-to", &url],
        &["--rate", "100/s", "--timeout", "86400", "--retries", "0"],
    ] {
        let (status, _, said) = run(&folder, &[&["cat", &url], rest].concat(), &[]);
        assert_eq!(
            (status, said),
            (2, format!("sitemap: cannot open {url}: does not exist\n")),
            "{rest:?}"
        );
    }
    // The same host in another spelling is no second one.
    let other = url.replace("http:", "HTTP:");
    let (_, _, said) = run(&folder, &["cat", &url, &other, "--basic-auth", "user:pass"], &[]);
    let expected = format!("sitemap: cannot open {url}: does not exist\n").repeat(2);
    assert_eq!(
        said,
        format!("{expected}2 of 2 documents could not be read to the end\n")
    );
}

/// With URLs on two hosts, only the host in --auth-to receives the headers.
#[test]
fn one_of_two_hosts() {
    let server = two_sites();
    let proxy = server.url("");
    let (old, new) = ("http://other.example/named.xml", "http://site.example/ok.xml");
    let arguments = [
        &["diff", old, new, "--auth-to", "http://site.example"],
        &CREDENTIALS[..],
    ]
    .concat();
    let (status, _, said) = run(&Folder::empty(), &arguments, &[("http_proxy", &proxy)]);
    assert_eq!(
        (status, &*said),
        (1, "2 added, 0 removed, 0 changed, 1 as before\n")
    );
    let sent: Vec<(String, usize)> = server
        .requests()
        .iter()
        .map(|request| (request.host.clone(), request.values("x-token").len()))
        .collect();
    assert_eq!(
        sent,
        [("other.example".to_owned(), 0), ("site.example".to_owned(), 1)]
    );
}

/// A refused request gets advice about the option that would help.
#[test]
fn advice_for_refused_requests() {
    let server = two_sites();
    let proxy = server.url("");
    let (url, moved) = ("http://site.example/refused.xml", "http://site.example/away.xml");
    let away = Server::start(|_, request| match &*request.host {
        "site.example" => Answer::status(301).with("Location: http://www.site.example/away.xml"),
        _ => Answer::status(401),
    });
    let away = away.url("");
    let none = Server::start(|_, _| Answer::status(407));
    let none = none.url("");
    let cannot = |url: &str, rest: &str| format!("sitemap: cannot open {url}: could not be read: {rest}\n");
    for (proxy, url, secrets, expected) in [
        (
            &proxy,
            url,
            &[][..],
            cannot(url, "status 401 (--basic-auth or --header send credentials)"),
        ),
        (&proxy, url, &CREDENTIALS, cannot(url, "status 401")),
        (
            &away,
            moved,
            &CREDENTIALS,
            format!(
                "note: {moved} redirects to http://www.site.example, which does not get the headers: name a URL there, or --auth-to \
                 http://www.site.example\n{}",
                cannot(
                    moved,
                    "status 401 (--header and --basic-auth are sent only to the host of the named URL: --auth-to URL names another one)",
                ),
            ),
        ),
        (
            &none,
            url,
            &[],
            cannot(
                url,
                "status 407 (the URL of a proxy may have a user name and a password: http://USER:PASSWORD@proxy.example:3128)",
            ),
        ),
    ] {
        let arguments = [&["cat", url], secrets].concat();
        let (status, _, said) = run(&Folder::empty(), &arguments, &[("http_proxy", proxy)]);
        assert_eq!((status, said), (2, expected));
    }
}

/// A site that redirects to another host of its own gets no headers there. The command says so, but never names a foreign host.
#[test]
fn redirects_that_lose_headers() {
    let server = Server::start(|_, request| match (&*request.host, &*request.path) {
        ("site.example", "/own.txt") => Answer::status(301).with("Location: http://www.site.example/own.txt"),
        ("site.example", "/strange.txt") => {
            Answer::status(301).with("Location: http://evil.example/strange.txt")
        }
        _ => Answer::ok("http://site.example/a\n"),
    });
    let proxy = server.url("");
    let note = "note: http://site.example/own.txt redirects to http://www.site.example, which does not get the headers: name a URL \
                there, or --auth-to http://www.site.example\n";
    for (url, rest, expected) in [
        ("http://site.example/own.txt", &CREDENTIALS[..], note),
        ("http://site.example/own.txt", &[][..], ""),
        ("http://site.example/strange.txt", &CREDENTIALS[..], ""),
        ("http://www.site.example/own.txt", &CREDENTIALS[..], ""),
    ] {
        let arguments = [&["cat", url], rest].concat();
        let ran = run(&Folder::empty(), &arguments, &[("http_proxy", &proxy)]);
        let printed = "http://site.example/a\n".to_owned();
        assert_eq!(ran, (0, printed, expected.to_owned()), "{url} {rest:?}");
    }
}

/// Requests through a proxy. For http URLs, the proxy gets the whole URL, without CONNECT.
#[test]
fn proxies() {
    let body = || Answer::ok(urlset(&["http://site.example/a"]));
    for (variables, is_proxied) in [
        (&["http_proxy"][..], true),
        (&["HTTP_PROXY"], true),
        (&["all_proxy"], true),
        (&["ALL_PROXY"], true),
        (&["https_proxy"], false),
        (&["HTTPS_PROXY"], false),
        (&["http_proxy", "no_proxy"], false),
        (&["ALL_PROXY", "NO_PROXY"], false),
        (&[], false),
    ] {
        let (server, proxy) = (
            Server::start(move |_, _| body()),
            Server::start(move |_, _| body()),
        );
        let (url, at) = (server.url("/sitemap.xml"), proxy.url(""));
        let variables: Vec<(&str, &str)> = variables
            .iter()
            .map(|name| {
                let is_exception = name.eq_ignore_ascii_case("no_proxy");
                let value = if is_exception {
                    "example.org, 127.0.0.0/8"
                } else {
                    &*at
                };
                (*name, value)
            })
            .collect();
        let ran = run(&Folder::empty(), &["cat", &url], &variables);
        assert_eq!(
            ran,
            (0, "http://site.example/a\n".to_owned(), String::new()),
            "{variables:?}"
        );
        let flags = |server: &Server| -> Vec<(bool, String)> {
            let requests = server.requests();
            let of = |request: &Request| (request.is_proxied, request.host.clone());
            requests.iter().map(of).collect()
        };
        let host = url.trim_start_matches("http://").trim_end_matches("/sitemap.xml");
        let expected = vec![(is_proxied, host.to_owned())];
        let (by_proxy, directly) = (flags(&proxy), flags(&server));
        if is_proxied {
            assert_eq!((by_proxy, directly), (expected, vec![]), "{variables:?}");
        } else {
            assert_eq!((by_proxy, directly), (vec![], expected), "{variables:?}");
        }
    }
}

/// A proxy that only opens tunnels, all to one port. Returns its URL and the first line of each request.
fn tunnel(port: u16) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let lines = Arc::clone(&seen);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, lines) = (stream.unwrap(), Arc::clone(&lines));
            thread::spawn(move || -> io::Result<()> {
                let mut reader = BufReader::new(stream.try_clone()?);
                let mut line = String::new();
                reader.read_line(&mut line)?;
                lines.lock().unwrap().push(line.trim_end().to_owned());
                line.clear();
                while reader.read_line(&mut line)? > 2 {
                    line.clear();
                }
                let mut server = TcpStream::connect(("127.0.0.1", port))?;
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
                let (mut from, mut to) = (server.try_clone()?, stream.try_clone()?);
                thread::spawn(move || {
                    let _ = io::copy(&mut from, &mut to);
                    let _ = to.shutdown(Shutdown::Write);
                });
                io::copy(&mut reader, &mut server)?;
                server.shutdown(Shutdown::Write)
            });
        }
    });
    (url, seen)
}

/// A SOCKS proxy gets the names of hosts.
#[test]
fn socks() {
    let server = Server::start(|_, _| Answer::ok("http://site.example/a\n"));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("socks5h://{}", listener.local_addr().unwrap());
    let port = server.port;
    let proxy = thread::spawn(move || -> io::Result<Vec<u8>> {
        let mut client = listener.accept()?.0;
        let mut hello = [0; 3];
        client.read_exact(&mut hello)?;
        client.write_all(&[5, 0])?;
        // Version, command, and a name with its length.
        let mut request = [0; 5];
        client.read_exact(&mut request)?;
        let mut name = vec![0; usize::from(request[4]) + 2];
        client.read_exact(&mut name)?;
        client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0])?;
        let mut server = TcpStream::connect(("127.0.0.1", port))?;
        let (mut from, mut to) = (server.try_clone()?, client.try_clone()?);
        thread::spawn(move || io::copy(&mut client, &mut server));
        io::copy(&mut from, &mut to)?;
        Ok(name)
    });
    let ran = run(
        &Folder::empty(),
        &["cat", "http://site.example/sitemap.txt"],
        &[("all_proxy", &at)],
    );
    assert_eq!(ran, (0, "http://site.example/a\n".to_owned(), String::new()));
    assert_eq!(proxy.join().unwrap().unwrap(), b"site.example\0\x50");
    assert_eq!(server.requests()[0].host, "site.example");
}

/// The certificates of an authority as PEM, and the TLS configuration of a server that it certifies.
struct Certificates {
    authority: String,
    tls: Arc<ServerConfig>,
}

fn certificates(name: &str) -> Certificates {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = params.self_signed(&key).unwrap().pem();
    let issuer = Issuer::new(params, key);
    let own_key = KeyPair::generate().unwrap();
    let names = ["127.0.0.1", "site.example"].map(str::to_owned);
    let own = CertificateParams::new(names).unwrap();
    let own = own.signed_by(&own_key, &issuer).unwrap();
    Certificates {
        authority,
        tls: tls(own.der().clone(), &own_key),
    }
}

fn tls(certificate: CertificateDer<'static>, key: &KeyPair) -> Arc<ServerConfig> {
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth();
    Arc::new(config.with_single_cert(vec![certificate], key).unwrap())
}

const WARNING: &str = "sitemap: warning: certificates are not checked (--insecure): anyone on the way can read and change everything\n";

/// Servers with certificates from a private authority, and with self-signed ones.
#[test]
fn own_certificates() {
    let Certificates { authority, tls: own } = certificates("own");
    let key = KeyPair::generate().unwrap();
    let names = ["127.0.0.1".to_owned()];
    let self_signed = CertificateParams::new(names).unwrap().self_signed(&key).unwrap();
    let folder = Folder::with(&[
        ("authority.pem", authority.clone()),
        ("self.pem", self_signed.pem()),
        // With text before the certificates, as in system bundles.
        (
            "both.pem",
            format!("# An authority\n{authority}\n{}", self_signed.pem()),
        ),
        ("empty.pem", String::new()),
    ]);
    let other = certificates("another").authority;
    folder.write("other.pem", other);
    let path = |name: &str| folder.path(name).display().to_string();
    let page = |_: usize, _: &Request| Answer::ok("https://site.example/a\n");
    let advice = "(--ca-file FILE trusts an authority of your own, and --insecure accepts every certificate)";
    for (server, trusted) in [
        (Server::start_with(Some(own), page), "authority.pem"),
        (
            Server::start_with(Some(tls(self_signed.der().clone(), &key)), page),
            "self.pem",
        ),
    ] {
        let url = server.url("/sitemap.txt").replace("http:", "https:");
        let unknown =
            format!("sitemap: cannot open {url}: could not be read: invalid peer certificate: UnknownIssuer");
        let read = (0, "https://site.example/a\n".to_owned(), String::new());
        let not_read = |said: String| (2, String::new(), said);
        let empty = format!(
            "sitemap: cannot open {url}: could not be read: SSL_CERT_FILE names {}: it has no certificate: one in PEM begins with the \
             line `-----BEGIN CERTIFICATE-----`\n",
            path("empty.pem")
        );
        for (rest, variable, expected) in [
            (&[][..], "", not_read(format!("{unknown} {advice}\n"))),
            (&["--ca-file", trusted], "", read.clone()),
            (&["--ca-file", "both.pem"], "", read.clone()),
            (&["--ca-file", "other.pem"], "", not_read(format!("{unknown}\n"))),
            (&[], trusted, read.clone()),
            (&[], "other.pem", not_read(format!("{unknown} {advice}\n"))),
            (&[], "empty.pem", not_read(empty)),
            // The option overrides the variable.
            (&["--ca-file", trusted], "other.pem", read.clone()),
            (&["--ca-file", trusted], "empty.pem", read.clone()),
            (&["--insecure"], "", (0, read.1.clone(), WARNING.to_owned())),
            (
                &["--insecure", "--quiet"],
                "empty.pem",
                (0, read.1.clone(), WARNING.to_owned()),
            ),
        ] {
            let variable = if variable.is_empty() {
                String::new()
            } else {
                path(variable)
            };
            let arguments = [&["cat", &url], rest].concat();
            assert_eq!(
                run(&folder, &arguments, &[("SSL_CERT_FILE", &variable)]),
                expected,
                "{rest:?} {variable}"
            );
        }
        // Certificate errors are not retried.
        assert_eq!(server.lines().len(), 7);
    }
    // A self-signed certificate as openssl makes it by default.
    let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let own = params.self_signed(&key).unwrap();
    folder.write("ca.pem", own.pem());
    let server = Server::start_with(Some(tls(own.der().clone(), &key)), page);
    let url = server.url("/").replace("http:", "https:");
    let ran = run(&folder, &["cat", &url, "--ca-file", "ca.pem"], &[]);
    let expected = format!(
        "sitemap: cannot open {url}: could not be read: invalid peer certificate: Other(OtherError(CaUsedAsEndEntity)) (the \
         certificate is for an authority and not for a server: make one with CA:FALSE, or use --insecure)\n"
    );
    assert_eq!(ran, (2, String::new(), expected));
    // http URLs need no certificates.
    let server = Server::start(page);
    let ran = run(
        &folder,
        &["cat", &server.url("/")],
        &[("SSL_CERT_FILE", "missing.pem")],
    );
    assert_eq!(ran, (0, "https://site.example/a\n".to_owned(), String::new()));
}

/// https URLs use a tunnel through the proxy. Messages omit the proxy's user name and password, and only the server receives the headers.
#[test]
fn tunnels() {
    let Certificates { authority, tls } = certificates("own");
    let folder = Folder::with(&[("authority.pem", authority)]);
    let server = Server::start_with(Some(tls), |_, _| Answer::ok("https://site.example/a\n"));
    let (proxy, lines) = tunnel(server.port);
    let proxy = proxy.replace("http://", "http://user:hunter2@");
    let arguments = [
        &[
            "cat",
            "https://site.example/sitemap.txt",
            "--ca-file",
            "authority.pem",
        ],
        &CREDENTIALS[..2],
    ]
    .concat();
    let ran = run(&folder, &arguments, &[("https_proxy", &proxy)]);
    assert_eq!(ran, (0, "https://site.example/a\n".to_owned(), String::new()));
    assert_eq!(*lines.lock().unwrap(), ["CONNECT site.example:443 HTTP/1.1"]);
    assert_eq!(server.requests()[0].values("x-token"), ["t0psecret"]);
    assert_eq!(server.requests()[0].values("proxy-authorization"), [""; 0]);
    // A proxy that speaks TLS itself gets http URLs whole.
    let own = certificates("own");
    folder.write("proxy.pem", own.authority);
    let secure = Server::start_with(Some(own.tls), |_, _| Answer::ok("http://site.example/a\n"));
    let at = secure.url("").replace("http:", "https:");
    let arguments_of_proxy = ["cat", "http://site.example/sitemap.txt", "--ca-file", "proxy.pem"];
    let ran = run(&folder, &arguments_of_proxy, &[("http_proxy", &at)]);
    assert_eq!(ran, (0, "http://site.example/a\n".to_owned(), String::new()));
    assert!(secure.requests()[0].is_proxied);
    // A proxy that refuses tunnels.
    let refusing = Server::start(|_, _| Answer::status(403));
    let at = refusing.url("").replace("http://", "http://user:hunter2@");
    let rest = ["--retries", "0"];
    let (status, _, said) = run(
        &folder,
        &[&arguments[..], &rest].concat(),
        &[("https_proxy", &at)],
    );
    assert_eq!(
        (status, &*said),
        (
            2,
            "sitemap: cannot open https://site.example/sitemap.txt: could not be read: the proxy opens no tunnel: status 403\n"
        )
    );
}

/// A silent server runs into the timeout, and a busy one is retried up to the limit.
#[test]
fn times_and_retries() {
    let server = Server::start(|_, request| match &*request.path {
        "/silent.xml" => Answer::Hang,
        _ => Answer::status(503),
    });
    let began = Instant::now();
    let (silent, busy) = (server.url("/silent.xml"), server.url("/busy.xml"));
    let ran = run(
        &Folder::empty(),
        &["cat", &silent, "--timeout", "1", "--retries", "0"],
        &[],
    );
    let expected = format!("sitemap: cannot open {silent}: could not be read: it took longer than 1 s\n");
    assert_eq!(ran, (2, String::new(), expected));
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    for retries in [0, 1] {
        let number = retries.to_string();
        let before = server.lines().len();
        let ran = run(&Folder::empty(), &["cat", &busy, "--retries", &number], &[]);
        let expected = format!("sitemap: cannot open {busy}: could not be read: status 503\n");
        assert_eq!(ran, (2, String::new(), expected));
        assert_eq!(server.lines().len() - before, 1 + retries);
    }
}

/// A page of a busy site is requested once more, or as often as allowed.
#[test]
fn retries_of_pages() {
    let server = Server::start(|_, request| match &*request.path {
        "/sitemap.txt" => Answer::ok(format!("http://{}/a\n", request.host)),
        "/a" => Answer::status(503),
        _ => Answer::status(404),
    });
    let url = server.url("/sitemap.txt");
    for (rest, expected) in [(&[][..], 2), (&["--retries", "0"], 1), (&["--retries", "2"], 3)] {
        let before = server.lines().len();
        let arguments = [&["lint", &url, "--check-pages", "all"], rest].concat();
        run(&Folder::empty(), &arguments, &[]);
        let lines = &server.lines()[before..];
        let pages = lines.iter().filter(|line| *line == "GET /a").count();
        assert_eq!(pages, expected, "{rest:?}");
    }
}

/// The rate limits all requests: documents, robots.txt and pages.
#[test]
fn rates() {
    let last: Arc<Mutex<Option<Instant>>> = Arc::default();
    let seen = Arc::clone(&last);
    let server = Server::start(move |_, request| {
        *seen.lock().unwrap() = Some(Instant::now());
        let url = |name: &str| format!("http://{}/{name}", request.host);
        match &*request.path {
            "/robots.txt" => Answer::ok(format!("Sitemap: {}\n", url("1.xml"))),
            "/1.xml" => Answer::ok(urlset(&[&url("a"), &url("b"), &url("c")])),
            _ => Answer::ok("<html><head></head></html>").with("Content-Type: text/html"),
        }
    });
    let site = server.url("/");
    let arguments = ["lint", &site, "--site", "--check-pages", "all", "--rate", "4"];
    let began = Instant::now();
    run(&Folder::empty(), &arguments, &[]);
    let lines = server.lines();
    // The site's documents, robots.txt for the lint, and the pages.
    assert_eq!(
        lines[..3],
        ["GET /robots.txt", "GET /1.xml", "GET /robots.txt"],
        "{lines:?}"
    );
    assert_eq!(lines.len(), 6, "{lines:?}");
    // A busy machine may delay single requests, but the last one cannot be early.
    let time = last.lock().unwrap().unwrap() - began;
    assert!(time >= 5 * Duration::from_millis(250), "{time:?}");
}

/// A site's cookies are sent back during the whole run, including cookies from documents when pages are requested. The next run starts
/// without cookies.
#[test]
fn cookies_of_a_run() {
    let server = Server::start(|_, request| {
        let url = |name: &str| format!("http://{}/{name}", request.host);
        let has_cookie = request
            .values("cookie")
            .iter()
            .any(|cookie| cookie.contains("gate=open"));
        match &*request.path {
            "/robots.txt" => Answer::ok(format!("Sitemap: {}\n", url("1.xml"))),
            // Many sites put a redirect that sets a cookie before their pages.
            path if !has_cookie => Answer::status(302)
                .with(&format!("Location: {path}"))
                .with("Set-Cookie: gate=open; Path=/; HttpOnly"),
            "/1.xml" => Answer::ok(urlset(&[&url("a")])),
            _ => Answer::ok("<html><head></head></html>").with("Content-Type: text/html"),
        }
    });
    let site = server.url("/");
    for rest in [&[][..], &["--header", "Cookie: lang=de"]] {
        let folder = Folder::empty();
        let before = server.requests().len();
        let arguments = [
            &["lint", &site, "--site", "--check-pages", "all", "--quiet"],
            rest,
        ]
        .concat();
        let (_, printed, _) = run(&folder, &arguments, &[]);
        assert!(!printed.contains("redirect"), "{printed}");
        let sent: Vec<(String, String)> = server.requests()[before..]
            .iter()
            .map(|request| (request.path.clone(), request.values("cookie").join(" | ")))
            .collect();
        let (without, with) = if rest.is_empty() {
            ("", "gate=open")
        } else {
            ("lang=de", "lang=de; gate=open")
        };
        let expected = [
            ("/robots.txt", without),
            ("/1.xml", without),
            ("/1.xml", with),
            ("/robots.txt", with),
            ("/a", with),
        ];
        let expected = expected.map(|(path, cookie)| (path.to_owned(), cookie.to_owned()));
        assert_eq!(sent, expected);
        assert_eq!(folder.names(), [""; 0]);
    }
}

/// Every request has the configured User-Agent. Its first word selects the group in robots.txt.
#[test]
fn user_agents() {
    let server = Server::start(|_, request| {
        let url = |name: &str| format!("http://{}/{name}", request.host);
        match &*request.path {
            "/robots.txt" => Answer::ok(format!(
                "User-agent: OtherBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nSitemap: {}\n",
                url("1.xml")
            )),
            "/1.xml" => Answer::ok(urlset(&[&url("a"), &url("b")])),
            _ => Answer::ok("<html><head></head></html>").with("Content-Type: text/html"),
        }
    });
    let site = server.url("/");
    for (rest, agent, page, name) in [
        (
            &[][..],
            concat!("sitemap/", env!("CARGO_PKG_VERSION")),
            "/a",
            "sitemap",
        ),
        (
            &["--user-agent", "OtherBot/2.0 (+https://example.com/bot)"],
            "OtherBot/2.0 (+https://example.com/bot)",
            "/b",
            "OtherBot",
        ),
    ] {
        let before = server.requests().len();
        let arguments = [&["lint", &site, "--site", "--check-pages", "all"], rest].concat();
        let (_, _, said) = run(&Folder::empty(), &arguments, &[]);
        let expected = format!("sitemap: 1 page not checked: forbidden to `{name}` by robots.txt\n");
        assert!(said.contains(&expected), "{said}");
        let requests = &server.requests()[before..];
        assert!(
            requests.iter().all(|request| request.user_agent == agent),
            "{requests:?}"
        );
        let paths: Vec<&str> = requests.iter().map(|request| &*request.path).collect();
        assert_eq!(paths, ["/robots.txt", "/1.xml", "/robots.txt", page]);
    }
}

/// A password in a URL is refused, in every argument of every command, without printing it or writing anything.
#[test]
fn passwords_in_urls() {
    let folder = Folder::with(&[("a.xml", ""), ("sitemap.toml", "")]);
    let mut commands: Vec<String> = [
        "URL",
        "cat URL",
        "stat --site URL",
        "lint URL",
        "lint URL --nothing",
        "diff a.xml URL",
        "diff URL a.xml",
        "submit a.xml URL --key 0123456789abcdef",
        "convert URL --to text",
        "convert a.xml -oURL --to text",
        "repair URL",
        "edit URL --drop /a",
        "edit a.xml --set /a loc=URL",
        "edit a.xml --rebase URL https://example.com",
        "edit a.xml --rebase https://example.com URL",
        "split URL -o out --base https://example.com",
        "index URL --location https://example.com",
        "from URL --location https://example.com",
        "lint a.xml --level P-LOC=URL",
    ]
    .map(str::to_owned)
    .to_vec();
    // Every option whose value is a URL, a page or a file.
    for command in [
        "lint", "repair", "edit", "diff", "stat", "cat", "convert", "split", "from", "submit", "index",
    ] {
        let (_, help, _) = folder.run(&[command, "--help"]);
        let before = commands.len();
        for line in help.lines() {
            let Some((_, option)) = line.split_once("--").filter(|(start, _)| start.len() < 9) else {
                continue;
            };
            let (name, value) = option.split_once(' ').unwrap_or((option, ""));
            let is_url = ["URL", "LOC", "FILE", "OLD", "FOLDER", "DIRECTORY"];
            if is_url.iter().any(|word| value.starts_with(&format!("<{word}"))) {
                commands.push(format!("{command} a.xml --{name} URL"));
                commands.push(format!("{command} a.xml --{name}=URL"));
            }
        }
        assert!(commands.len() > before, "{command}: {help}");
    }
    assert!(commands.len() > 80, "{commands:?}");
    for command in commands {
        for url in [
            "http://me:secret@127.0.0.1:9/",
            "HTTPS://me:secret@example.com?a",
            "http://secret@example.com/a#b",
            "https://me:/secret@example.com/",
        ] {
            let arguments = command.replace("URL", url);
            let (status, printed, said) = folder.run(&arguments.split(' ').collect::<Vec<_>>());
            let expected = "sitemap: a URL has a user name or a password: leave them out of it; commands that request it take them with \
                            --basic-auth USER:PASSWORD or the variable SITEMAP_BASIC_AUTH\n";
            assert_eq!((status, &*printed, &*said), (2, "", expected), "{arguments}");
        }
    }
    // The settings of a project.
    for (section, command) in [("lint", "lint a.xml"), ("from", "from .")] {
        folder.write(
            "sitemap.toml",
            format!("[{section}]\nlocation = \"https://me:secret@example.com/\"\n"),
        );
        let (status, printed, said) = folder.run(&command.split(' ').collect::<Vec<_>>());
        assert_eq!((status, &*printed), (2, ""), "{said}");
        assert!(
            said.contains("a URL has a user name or a password") && !said.contains("secret"),
            "{said}"
        );
    }
    assert_eq!(folder.names(), ["a.xml", "sitemap.toml"]);
}
