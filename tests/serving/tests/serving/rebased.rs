//! The sitemaps of another server under the site's own host.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use bytes::Bytes;
use http::{Request, Response};
use http_body::{Frame, SizeHint};
use sitemap_serving_tests::{body, logged};
use sitemap_site::{ErrorKind, Rebased};
use tokio::sync::Notify;

use crate::server::Server;

const OLD: &str = "https://cms.example.net";
const NEW: &str = "https://example.com";
const CORE: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

/// A body in pieces, which may be truncated or endless.
#[derive(Clone, Default)]
struct Pieces {
    left: VecDeque<Bytes>,
    breaks_off: bool,
    hangs: bool,
    length: Option<u64>,
}

impl Pieces {
    fn of(bytes: impl AsRef<[u8]>, size: usize) -> Self {
        Pieces {
            left: bytes.as_ref().chunks(size).map(Bytes::copy_from_slice).collect(),
            ..Pieces::default()
        }
    }
}

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match self.left.pop_front() {
            Some(piece) => Poll::Ready(Some(Ok(Frame::data(piece)))),
            None if self.hangs => Poll::Pending,
            None if self.breaks_off => Poll::Ready(Some(Err(io::Error::other("the connection was reset")))),
            None => Poll::Ready(None),
        }
    }

    fn size_hint(&self) -> SizeHint {
        self.length.map(SizeHint::with_exact).unwrap_or_default()
    }
}

fn urlset(base: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset {CORE}>\n  <!-- {OLD} -->\n  <url><loc>{base}/a?b=1&amp;c=2</loc></url>\n\
         </urlset>\n"
    )
}

fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_ref()).unwrap();
    encoder.finish().unwrap()
}

/// The other server's current answer. `None` if it is unreachable.
type Answer = Arc<Mutex<Option<Response<Pieces>>>>;

fn ok(body: impl AsRef<[u8]>) -> Response<Pieces> {
    Response::new(Pieces::of(body, 7))
}

fn status(status: u16) -> Response<Pieces> {
    let mut response = ok("an error page");
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap();
    response
}

fn with(name: &'static str, value: &'static str, mut response: Response<Pieces>) -> Response<Pieces> {
    response
        .headers_mut()
        .insert(name, http::HeaderValue::from_static(value));
    response
}

fn rebased(answer: &Answer) -> Rebased {
    let answer = Arc::clone(answer);
    Rebased::new(OLD, NEW, move |url| {
        assert_eq!(url, "https://cms.example.net/sitemap.xml");
        let answer = answer.lock().unwrap().clone();
        async move { answer.ok_or_else(|| io::Error::other("connection refused").into()) }
    })
    .unwrap()
}

async fn get(service: &Rebased, path: &str) -> (u16, String) {
    let response = service.respond(&Request::get(path).body(()).unwrap()).await;
    (response.status().as_u16(), body(response).await)
}

/// The other server's answer, and the expected status, text and log reason.
type Case = (Option<Response<Pieces>>, u16, &'static str, &'static str);

const ELSE: &str = "Bad Gateway: the server with this sitemap has sent something else\n";
const FAILED: &str = "Bad Gateway: the server with this sitemap has failed\n";

fn documents() -> Vec<Case> {
    let cms = urlset(OLD);
    vec![
        (Some(ok(&cms)), 200, "", ""),
        (Some(ok(gzip(&cms))), 200, "", ""),
        (
            Some(with("content-encoding", "gzip", ok(gzip(&cms)))),
            200,
            "",
            "",
        ),
        (
            Some(with("content-encoding", "x-GZIP", ok(gzip(gzip(&cms))))),
            200,
            "",
            "",
        ),
        (Some(with("content-encoding", "identity", ok(&cms))), 200, "", ""),
        (
            Some(with("content-encoding", "br", ok(&cms))),
            502,
            ELSE,
            "it has the Content-Encoding `br`, and only gzip is known",
        ),
        (
            Some(status(404)),
            404,
            "Not Found: this site has no sitemap at this address\n",
            "",
        ),
        (Some(status(410)), 410, "Gone: this sitemap was removed\n", ""),
    ]
}

fn failures() -> Vec<Case> {
    vec![
        (
            Some(status(500)),
            502,
            FAILED,
            "it answers 500 Internal Server Error",
        ),
        (Some(status(302)), 502, FAILED, "it answers 302 Found"),
        (Some(status(401)), 502, FAILED, "it answers 401 Unauthorized"),
        (
            Some(with("retry-after", "7", status(503))),
            503,
            "Service Unavailable: the server with this sitemap is not available\n",
            "it answers 503 Service Unavailable",
        ),
        (
            Some(status(429)),
            503,
            "Service Unavailable: the server with this sitemap is not available\n",
            "it answers 429 Too Many Requests",
        ),
        (
            None,
            502,
            "Bad Gateway: the server with this sitemap cannot be reached\n",
            "connection refused",
        ),
    ]
}

fn broken_bodies() -> Vec<Case> {
    let cms = urlset(OLD);
    let too_large = Pieces {
        length: Some(52_428_801),
        ..Pieces::default()
    };
    vec![
        (
            Some(Response::new(Pieces {
                breaks_off: true,
                ..Pieces::of(&cms, 20)
            })),
            502,
            "Bad Gateway: the server with this sitemap cannot be reached\n",
            "the connection was reset",
        ),
        (
            Some(ok(&cms[..cms.len() - 20])),
            502,
            ELSE,
            "the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, at line 4, \
             column 50 (byte 184), entry 1",
        ),
        (
            Some(ok(&gzip(&cms)[..60])),
            502,
            ELSE,
            "the compressed document is truncated (P-GZIP); get a complete copy, at line 1, column 15 (byte 14)",
        ),
        (
            Some(ok("<!DOCTYPE html><html><body>Login</body></html>")),
            502,
            ELSE,
            "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at \
             line 1, column 16 (byte 15)",
        ),
        (
            Some(ok("https://cms.example.net/a\n")),
            502,
            ELSE,
            "`https://cms.example.net/a` before the root: this is text, not XML; a sitemap begins with `<?xml` or its root (P-DECL), at line 1, \
             column 1 (byte 0)",
        ),
        (
            Some(ok("")),
            502,
            ELSE,
            "the document is empty: a sitemap is an XML document with the root `urlset` or `sitemapindex` (P-NS), at line 1, column 1 (byte 0)",
        ),
        (
            Some(Response::new(too_large)),
            502,
            ELSE,
            "it has more than 52,428,800 bytes (P-SIZE)",
        ),
        (
            // A small file that decompresses to a large text.
            Some(ok(gzip(format!("<urlset {CORE}>{}", " ".repeat(53_000_000))))),
            502,
            ELSE,
            "it has more than 52,428,800 bytes (P-SIZE)",
        ),
        (
            Some(Response::new(Pieces {
                hangs: true,
                ..Pieces::of(&cms, 20)
            })),
            504,
            "Gateway Timeout: the server with this sitemap took too long\n",
            "fetching and editing it takes more than 2s (`time_limit`)",
        ),
    ]
}

/// For every answer of the other server, the response is the whole document or an error, and the log gives the reason.
#[test]
fn every_answer() {
    let (good, cms) = (urlset(NEW), urlset(OLD));
    let cases = [documents(), failures(), broken_bodies()].concat();
    let mut told = Vec::new();
    for (answer, status, text, reason) in cases {
        let shared: Answer = Arc::new(Mutex::new(answer));
        // It includes the edit, which takes longer for long documents.
        let limit = Duration::from_secs(if status == 504 { 2 } else { 60 });
        let service = rebased(&shared).time_limit(limit);
        let ((first, second, copy), lines) = logged(async {
            let first = get(&service, "/sitemap.xml").await;
            // A failure is not retried immediately. The other server has recovered.
            *shared.lock().unwrap() = Some(ok(&cms));
            let second = get(&service, "/sitemap.xml").await;
            let keeps = rebased(&shared).time_limit(limit).max_age(Duration::ZERO);
            let copy = get(&keeps, "/sitemap.xml").await;
            (first, second, copy)
        });
        let text = if status == 200 { &good } else { text };
        assert_eq!(first, (status, text.to_owned()), "{reason}");
        assert_eq!(second, first);
        assert_eq!(copy, (200, good.clone()));
        let start =
            "ERROR the sitemap https://cms.example.net/sitemap.xml of another server cannot be served: ";
        let expected: Vec<_> = (!reason.is_empty())
            .then(|| format!("{start}{reason}"))
            .into_iter()
            .collect();
        told.push((lines, expected));
        let stats = service.stats();
        assert_eq!(
            (stats.requests, stats.renderings, stats.failures),
            (2, u64::from(status == 200), u64::from(status > 410))
        );
    }
    let (lines, expected): (Vec<_>, Vec<_>) = told.into_iter().unzip();
    assert_eq!(lines, expected);
}

/// The time limit ends the edit of a long document too, and its place is free again: more of them than may be fetched at a time leave room for
/// others.
#[test]
fn a_long_edit_takes_no_longer_than_the_limit() {
    let entry = |i: u32| format!("<url><loc>{OLD}/{i}</loc></url>");
    let long = format!(
        "<urlset {CORE}>{}</urlset>",
        (0..600_000).map(entry).collect::<String>()
    );
    let long = Bytes::from(long);
    let limit = Duration::from_millis(400);
    let service = Rebased::new(OLD, NEW, move |url| {
        let body = if url.contains("long") {
            long.clone()
        } else {
            urlset(OLD).into()
        };
        async move {
            let left = VecDeque::from([body]);
            Ok(Response::new(Pieces {
                left,
                ..Pieces::default()
            }))
        }
    })
    .unwrap()
    .time_limit(limit);
    let (answers, lines) = logged(async {
        let mut answers = Vec::new();
        for i in 0..6 {
            let began = std::time::Instant::now();
            let (status, _) = get(&service, &format!("/long{i}.xml")).await;
            answers.push((status, began.elapsed() < Duration::from_secs(5)));
        }
        tokio::time::sleep(limit).await;
        answers.push((get(&service, "/short.xml").await.0, true));
        answers
    });
    let mut expected = vec![(504, true); 6];
    expected.push((200, true));
    assert_eq!(answers, expected);
    let first = "ERROR the sitemap https://cms.example.net/long0.xml of another server cannot be served: fetching and editing it takes more \
                 than 400ms (`time_limit`)";
    assert_eq!((lines.len(), &*lines[0]), (6, first));
}

/// Queries are passed on only if the setting says so: otherwise strangers could cause any number of fetches. The log names an index that needs
/// it.
#[test]
fn queries() {
    let index = format!(
        "<sitemapindex {CORE}><sitemap><loc>{OLD}/a.xml</loc></sitemap><sitemap><loc>{OLD}/a.xml?from=1</loc></sitemap>\
         <sitemap><loc>https://other.example/b.xml?c</loc></sitemap><sitemap><loc>{OLD}/a.xml?from=2</loc></sitemap></sitemapindex>"
    );
    for passes in [false, true] {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (seen, index) = (Arc::clone(&asked), index.clone());
        let service = Rebased::new(OLD, NEW, move |url| {
            let body = if url.ends_with("index.xml") {
                index.clone()
            } else {
                urlset(OLD)
            };
            seen.lock().unwrap().push(url);
            async move { Ok(ok(body)) }
        })
        .unwrap()
        .queries(passes);
        let paths = [
            "/index.xml",
            "/a.xml",
            "/a.xml?from=1",
            "/a.xml?",
            "/a.xml?from=1",
            "/a.xml?x=1",
        ];
        let (statuses, lines) = logged(async {
            let mut statuses = Vec::new();
            for path in paths {
                statuses.push(get(&service, path).await.0);
            }
            statuses
        });
        let other = "WARN the sitemap https://cms.example.net/index.xml of another server lists URLs that do not begin with \
                     https://cms.example.net, and stay; the first: https://other.example/b.xml?c entries=1";
        let query = "WARN the sitemap index https://cms.example.net/index.xml of another server lists sitemaps with a query, which are not served \
                     (`queries` passes queries on); the first: https://cms.example.net/a.xml?from=1";
        let mut fetched = vec!["/index.xml", "/a.xml"];
        if passes {
            fetched.extend(["/a.xml?from=1", "/a.xml?", "/a.xml?x=1"]);
            assert_eq!((statuses, lines), (vec![200; 6], vec![other.to_owned()]));
        } else {
            let expected = vec![200, 200, 404, 404, 404, 404];
            assert_eq!(
                (statuses, lines),
                (expected, vec![query.to_owned(), other.to_owned()])
            );
        }
        let fetched: Vec<String> = fetched.into_iter().map(|path| format!("{OLD}{path}")).collect();
        assert_eq!(*asked.lock().unwrap(), fetched);
    }
}

/// After a failure, the last copy is served with its age. After a 404, it is not.
#[test]
fn the_last_copy() {
    for (answer, expected) in [
        (None, 200),
        (Some(status(500)), 200),
        (Some(ok("<html/>")), 200),
        (Some(status(404)), 404),
    ] {
        let shared: Answer = Arc::new(Mutex::new(Some(ok(urlset(OLD)))));
        let service = rebased(&shared).max_age(Duration::ZERO);
        let (response, _) = logged(async {
            assert_eq!(get(&service, "/sitemap.xml").await, (200, urlset(NEW)));
            *shared.lock().unwrap() = answer;
            let request = Request::get("/sitemap.xml").body(()).unwrap();
            let _ = service.respond(&request).await;
            service.respond(&request).await
        });
        assert_eq!(response.status(), expected);
        assert_eq!(response.headers().contains_key("age"), expected == 200);
    }
}

/// While the other server hangs, a request waits at most a second if there is a copy, for any number of documents. The fetch continues, and its
/// document is served once it has arrived.
#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_does_not_hold_up_the_last_copies() {
    let (is_closed, go) = (Arc::new(AtomicBool::new(false)), Arc::new(Notify::new()));
    let (closed, opened) = (Arc::clone(&is_closed), Arc::clone(&go));
    let service = Rebased::new(OLD, NEW, move |_| {
        let (closed, opened) = (Arc::clone(&closed), Arc::clone(&opened));
        async move {
            if closed.load(Ordering::SeqCst) {
                opened.notified().await;
            }
            Ok(ok(urlset(OLD)))
        }
    })
    .unwrap()
    .max_age(Duration::from_millis(1));
    let ask = async |path: &str| {
        // Real time, not simulated.
        std::thread::sleep(Duration::from_millis(2));
        let started = tokio::time::Instant::now();
        let response = service.respond(&Request::get(path).body(()).unwrap()).await;
        let is_old = response.headers().contains_key("age");
        (response.status().as_u16(), is_old, started.elapsed().as_secs())
    };
    let paths: Vec<String> = (0..6).map(|number| format!("/{number}.xml")).collect();
    for path in &paths {
        assert_eq!(ask(path).await, (200, false, 0));
    }
    is_closed.store(true, Ordering::SeqCst);
    for path in &paths {
        assert_eq!(ask(path).await, (200, true, 1), "{path}");
        assert_eq!(ask(path).await, (200, true, 0), "{path}: it was late");
    }
    is_closed.store(false, Ordering::SeqCst);
    go.notify_waiters();
    while service.stats().renderings < 2 * paths.len() as u64 {
        tokio::task::yield_now().await;
    }
    assert_eq!(service.stats().failures, 0);
}

/// A document is fetched once for all waiting requests, and again when it is old.
#[test]
fn it_is_fetched_once() {
    for (age, expected) in [(Duration::from_secs(60), 1), (Duration::ZERO, 2)] {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let service = Rebased::new(OLD, NEW, move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            async {
                tokio::time::sleep(Duration::from_millis(50)).await;
                Ok(ok(urlset(OLD)))
            }
        })
        .unwrap()
        .max_age(age);
        let ((), lines) = logged(async {
            let (one, other) = tokio::join!(get(&service, "/sitemap.xml"), get(&service, "/sitemap.xml"));
            assert_eq!((one.0, other.0), (200, 200));
            assert_eq!(get(&service, "/sitemap.xml").await.0, 200);
        });
        assert_eq!(lines, Vec::<String>::new());
        assert_eq!(count.load(Ordering::Relaxed), expected);
    }
}

/// The address on the other server for a path. `None` answers 404 without a fetch.
#[test]
fn addresses() {
    let long = format!("/{}", "x".repeat(2_048));
    for (new, path, expected) in [
        (
            NEW,
            "/sitemap.xml",
            Some("https://cms.example.net/space/sitemap.xml"),
        ),
        (
            NEW,
            "/a/b.xml?from=1&to=2",
            Some("https://cms.example.net/space/a/b.xml?from=1&to=2"),
        ),
        (
            NEW,
            "/%E2%82%AC.xml",
            Some("https://cms.example.net/space/%E2%82%AC.xml"),
        ),
        (
            NEW,
            "//evil.example/",
            Some("https://cms.example.net/space//evil.example/"),
        ),
        (
            "https://example.com/blog/",
            "/blog/sitemap.xml",
            Some("https://cms.example.net/space/sitemap.xml"),
        ),
        (
            "https://example.com/blog",
            "/sitemap.xml",
            Some("https://cms.example.net/space/sitemap.xml"),
        ),
        (
            "https://example.com/blog",
            "/blogs/sitemap.xml",
            Some("https://cms.example.net/space/blogs/sitemap.xml"),
        ),
        (NEW, "/../sitemap.xml", None),
        (NEW, "/a/%2e%2E/sitemap.xml", None),
        (NEW, "/a/..", None),
        (NEW, "/..%2fother/sitemap.xml", None),
        (NEW, "/a%2F%2e%2e%2F..%2Fprivate.xml", None),
        (NEW, "/..%5Cother.xml", None),
        (NEW, "/..;/other.xml", None),
        (NEW, "/./sitemap.xml", None),
        (NEW, &long, None),
    ] {
        let fetched = Arc::new(Mutex::new(None));
        let seen = Arc::clone(&fetched);
        let service = Rebased::new("https://cms.example.net/space", new, move |url| {
            *seen.lock().unwrap() = Some(url);
            async { Ok(ok(urlset("https://cms.example.net/space"))) }
        })
        .unwrap()
        .queries(true);
        let ((status, text), _) = logged(get(&service, path));
        assert_eq!(fetched.lock().unwrap().as_deref(), expected, "{path}");
        match expected {
            Some(_) => assert_eq!((status, text), (200, urlset(new.trim_end_matches('/')))),
            None => assert_eq!(
                (status, text),
                (
                    404,
                    "Not Found: this site has no sitemap at this address\n".to_owned()
                )
            ),
        }
    }
}

/// Entries that cannot be moved are logged. An entry that would become invalid is left out, and an entry that was invalid before stays.
#[test]
fn entries_that_do_not_move_are_told() {
    let long = format!("<url><loc>{OLD}/{}</loc></url>", "x".repeat(2_020));
    let document = format!(
        "<urlset {CORE}><url><loc>{OLD}/</loc></url>{long}<url><lastmod>2026</lastmod></url><url><loc>http://cms.example.net/b</loc></url>\
         </urlset>"
    );
    let answer = document.clone();
    let service = Rebased::new(OLD, "https://www.example.com/a/longer/path", move |_| {
        let answer = answer.clone();
        async move { Ok(ok(answer)) }
    })
    .unwrap();
    let ((status, text), lines) = logged(get(&service, "/sitemap.xml"));
    assert_eq!(status, 200);
    assert_eq!(
        text,
        document
            .replace(&long, "")
            .replace(OLD, "https://www.example.com/a/longer/path")
    );
    let loc = &long["<url><loc>".len()..long.len() - "</loc></url>".len()];
    assert_eq!(
        lines,
        [
            format!(
                "WARN the sitemap https://cms.example.net/sitemap.xml of another server has invalid entries; the first: \
                 `https://www.example.com/a/longer/path/xxxxxxxxxxxxxxxxxxxxxx…` has 2,058 characters: 2,048 are allowed (P-LOCLEN); shorten the URL \
                 or leave the page out, entry 2 · loc, loc `{loc}` skipped=1 unchanged=1"
            ),
            "WARN the sitemap https://cms.example.net/sitemap.xml of another server lists URLs that do not begin with https://cms.example.net, \
             and stay; the first: http://cms.example.net/b entries=1"
                .to_owned()
        ]
    );
    assert_eq!(service.stats().skipped, 1);
}

/// A small file may decompress to any number of entries that are left out, and do not count for the output.
#[test]
fn entries_that_are_left_out_count_for_the_size() {
    let entry = format!("<url><loc>{OLD}/{}</loc></url>", "x".repeat(2_020));
    let document = gzip(format!("<urlset {CORE}>{}</urlset>", entry.repeat(27_000)));
    let service = Rebased::new(OLD, "https://www.example.com/a/longer/path", move |_| {
        let answer = document.clone();
        async move { Ok(ok(answer)) }
    })
    .unwrap();
    let ((status, _), lines) = logged(get(&service, "/sitemap.xml"));
    assert_eq!(status, 502);
    assert_eq!(
        lines,
        [
            "ERROR the sitemap https://cms.example.net/sitemap.xml of another server cannot be served: it has more than 52,428,800 bytes (P-SIZE)"
        ]
    );
}

#[test]
fn a_base_that_is_none() {
    let error = Rebased::new("cms.example.net", NEW, |_| async { Ok(ok("")) }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Setting);
    assert_eq!(
        error.to_string(),
        "`cms.example.net` is not a base: it has no scheme and host (did you mean `https://cms.example.net`?); a base is a scheme (http or \
         https), a host, a port and a path prefix, such as `https://example.com` or `https://example.com/shop` (P-LOC)"
    );
}

fn curl(curl: &Path, address: SocketAddr, arguments: &[&str]) -> (String, Vec<u8>) {
    let (last, options) = arguments.split_last().unwrap();
    let output = Command::new(curl)
        .args(["--silent", "--show-error", "--dump-header", "/dev/stderr"])
        .args(options)
        .arg(format!("http://{address}{last}"))
        .output()
        .unwrap();
    assert!(output.status.success());
    let head = String::from_utf8(output.stderr).unwrap().replace("\r\n", "\n");
    (head, output.stdout)
}

/// Everything, with a third-party client.
#[test]
#[cfg(unix)]
fn curl_reads_it() {
    let Some(program) = sitemap_tests::program("curl_reads_it", "curl") else {
        return;
    };
    let service = Rebased::new(OLD, NEW, |url| async move {
        Ok(match &url["https://cms.example.net".len()..] {
            "/sitemap.xml" => ok(format!(
                "<sitemapindex {CORE}><sitemap><loc>{OLD}/sitemaps/1.xml.gz</loc></sitemap></sitemapindex>"
            )),
            "/sitemaps/1.xml.gz" => ok(gzip(urlset(OLD))),
            "/sitemaps/2.xml" => Response::new(Pieces {
                breaks_off: true,
                ..Pieces::of(urlset(OLD), 50)
            }),
            _ => status(404),
        })
    })
    .unwrap();
    let router = Router::new()
        .route_service("/sitemap.xml", service.clone())
        .route_service("/sitemaps/{file}", service.clone());
    let server = Server::of(router);
    let get = |arguments: &[&str]| curl(&program, server.address, arguments);

    let index =
        format!("<sitemapindex {CORE}><sitemap><loc>{NEW}/sitemaps/1.xml.gz</loc></sitemap></sitemapindex>");
    let (head, text) = get(&["/sitemap.xml"]);
    assert_eq!(String::from_utf8(text).unwrap(), index);
    assert!(head.starts_with("HTTP/1.1 200 OK\n"), "{head}");
    for line in [
        "content-type: application/xml; charset=utf-8",
        &format!("content-length: {}", index.len()),
        "vary: Accept-Encoding",
        "x-robots-tag: noindex",
        "cache-control: public, max-age=600, stale-while-revalidate=86400, stale-if-error=86400",
    ] {
        assert!(head.lines().any(|found| found == line), "{line}: {head}");
    }
    let (head, text) = get(&["--compressed", "/sitemap.xml"]);
    assert!(head.contains("\ncontent-encoding: gzip\n"), "{head}");
    assert_eq!(String::from_utf8(text).unwrap(), index);
    let etag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let condition = format!("If-None-Match: {etag}");
    let (head, text) = get(&["--compressed", "--header", &condition, "/sitemap.xml"]);
    assert!(
        head.starts_with("HTTP/1.1 304 Not Modified\n") && text.is_empty(),
        "{head}"
    );

    // The sitemap that it lists is a compressed file.
    let (head, file) = get(&["--compressed", "/sitemaps/1.xml.gz"]);
    assert!(head.contains("\ncontent-type: application/gzip\n"), "{head}");
    assert!(!head.contains("content-encoding"), "{head}");
    assert_eq!(sitemap_serving_tests::inflate(&file), urlset(NEW));
    let etag = head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let (head, _) = get(&[
        "--header",
        &format!("If-None-Match: {etag}"),
        "/sitemaps/1.xml.gz",
    ]);
    assert!(head.starts_with("HTTP/1.1 304 Not Modified\n"), "{head}");

    for (arguments, expected, text) in [
        (&["--head", "/sitemap.xml"][..], "200 OK", ""),
        (
            &["/sitemaps/2.xml"],
            "502 Bad Gateway",
            "Bad Gateway: the server with this sitemap cannot be reached\n",
        ),
        (
            &["/sitemaps/3.xml"],
            "404 Not Found",
            "Not Found: this site has no sitemap at this address\n",
        ),
        (
            &["--data", "x", "/sitemap.xml"],
            "405 Method Not Allowed",
            "Method Not Allowed: a sitemap is requested by GET or HEAD\n",
        ),
    ] {
        let (head, found) = get(arguments);
        assert!(head.starts_with(&format!("HTTP/1.1 {expected}\n")), "{head}");
        // With --head, curl prints the head.
        if arguments[0] != "--head" {
            assert_eq!(String::from_utf8(found).unwrap(), text);
        }
    }
}
