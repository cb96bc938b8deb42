//! The sitemaps of other applications in the index.

use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::Request;
use sitemap_serde::UrlEntry;
use sitemap_serving_tests::{body, logged, sitemaps};
use sitemap_site::source::BoxError;
use sitemap_site::{Site, SiteBuilder};

use crate::server::Server;

const CORE: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
const BLOG: &str = "https://example.com/blog/index.xml";

fn index(names: &[&str]) -> String {
    let entry = |name: &&str| {
        format!("<sitemap><loc>https://example.com/blog/{name}</loc><lastmod>2026-05-06</lastmod></sitemap>")
    };
    let entries: String = names.iter().map(entry).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex {CORE}>{entries}</sitemapindex>")
}

/// The other application's current answer.
type Answer = Arc<Mutex<Result<Vec<u8>, String>>>;

fn builder(answer: &Answer) -> SiteBuilder {
    let answer = Arc::clone(answer);
    let mut builder = SiteBuilder::new("https://example.com");
    builder
        .section("pages", [UrlEntry::new("/")])
        .max_age(Duration::ZERO)
        .external(BLOG, move |url| {
            assert_eq!(url, BLOG);
            let answer = answer.lock().unwrap().clone();
            async move { answer.map_err(BoxError::from) }
        });
    builder
}

/// The index's contents: the names, each with its date, if any.
async fn listed(site: &Site) -> Result<Vec<String>, u16> {
    let response = site
        .respond(&Request::get("/sitemap.xml").body(()).unwrap())
        .await;
    if response.status() != 200 {
        return Err(response.status().as_u16());
    }
    let found = sitemaps(&body(response).await).into_iter().skip(1);
    Ok(found
        .map(|part| {
            let name = part
                .loc
                .strip_prefix("https://example.com/blog/")
                .unwrap_or(&part.loc)
                .to_owned();
            part.lastmod.map_or(name.clone(), |date| format!("{name} {date}"))
        })
        .collect())
}

fn gzip(text: &str) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// For any answer, the index has the last good list, and the log has the reason.
#[test]
fn every_answer() {
    let good = index(&["1.xml", "2.xml"]);
    let answers: Vec<(Result<Vec<u8>, String>, &str)> = vec![
        (Ok(good.clone().into_bytes()), ""),
        (Ok(gzip(&good)), ""),
        (
            Err("503 Service Unavailable".to_owned()),
            "503 Service Unavailable",
        ),
        (
            Ok(b"<html><body>Not found</body></html>".to_vec()),
            "this is an HTML page, not a sitemap: the root is `urlset` or `sitemapindex` (P-NS); check the address: this may be an error page, at line 1, \
             column 1 (byte 0)",
        ),
        (
            Ok(good.as_bytes()[..good.len() - 20].to_vec()),
            "the document ends inside a tag that begins here: it is truncated, or its `>` was never written; get a complete copy, at line 2, column 235 \
             (byte 273), entry 2",
        ),
        (Ok(index(&[]).into_bytes()), "it is an index without sitemaps"),
        (
            Ok(Vec::new()),
            "the document is empty: a sitemap is an XML document with the root `urlset` or `sitemapindex` (P-NS), at line 1, column 1 (byte 0)",
        ),
    ];
    for (answer, reason) in answers {
        let shared: Answer = Arc::new(Mutex::new(Ok(good.clone().into_bytes())));
        let site = builder(&shared).build().unwrap();
        let (found, lines) = logged(async {
            site.ready().await.unwrap();
            *shared.lock().unwrap() = answer.clone();
            listed(&site).await
        });
        assert_eq!(
            found.unwrap(),
            ["1.xml 2026-05-06", "2.xml 2026-05-06"],
            "{answer:?}"
        );
        let warned: Vec<_> = lines
            .iter()
            .filter(|line| line.contains("another application"))
            .collect();
        if reason.is_empty() {
            assert_eq!(warned, Vec::<&String>::new());
        } else {
            let start = "WARN the sitemap https://example.com/blog/index.xml of another application cannot be read, so that its last list \
                stays in the index: ";
            assert_eq!(warned, [&format!("{start}{reason}")]);
        }
        // If there is no earlier list, there is no index, or the index lacks these sitemaps.
        let shared: Answer = Arc::new(Mutex::new(answer));
        let strict = builder(&shared).build().unwrap();
        let omits = builder(&shared).skip_failed_sections(true).build().unwrap();
        let ((ready, strict, omits), _) =
            logged(async { (strict.ready().await, listed(&strict).await, listed(&omits).await) });
        assert_eq!(ready.is_ok(), reason.is_empty());
        if let Err(error) = ready {
            let error = error.to_string();
            assert!(
                error.starts_with("sitemap `https://example.com/blog/index.xml`: "),
                "{error}"
            );
        }
        assert_eq!(strict.is_ok(), reason.is_empty());
        assert_eq!(strict.err().unwrap_or(503), 503);
        assert_eq!(omits.unwrap().is_empty(), !reason.is_empty());
    }
}

/// A urlset is listed itself. Changes appear after `max_age`. Sitemaps that the index must not list are skipped.
#[test]
fn what_is_listed() {
    let urlset = format!("<urlset {CORE}><url><loc>https://example.com/blog/1</loc></url></urlset>");
    let foreign = index(&["1.xml", "2.xml"]).replace("example.com/blog/2.xml", "example.net/2.xml");
    let shared: Answer = Arc::new(Mutex::new(Ok(Vec::new())));
    let site = builder(&shared).build().unwrap();
    let (found, lines) = logged(async {
        let mut found = Vec::new();
        for answer in [urlset, index(&["1.xml"]), index(&["1.xml", "2.xml"]), foreign] {
            *shared.lock().unwrap() = Ok(answer.into_bytes());
            found.push(listed(&site).await.unwrap());
        }
        found
    });
    assert_eq!(
        found,
        [
            vec!["index.xml"],
            vec!["1.xml 2026-05-06"],
            vec!["1.xml 2026-05-06", "2.xml 2026-05-06"],
            vec!["1.xml 2026-05-06"]
        ]
    );
    assert_eq!(
        lines,
        [
            "WARN the index https://example.com/blog/index.xml of another application has sitemaps that the index of this site cannot list; the first: \
          `https://example.net/2.xml` is not on the site of the document, `https://example.com/`: an index lists sitemaps of its own scheme, host and \
          port (P-IDX1); list them in an index of their own, or allow cross-submission, entry 2 · loc skipped=1"
        ]
    );
}

/// A fetch that hangs or panics fails within the time limit.
#[test]
fn a_fetch_that_does_not_end() {
    let site = |hangs: bool| {
        SiteBuilder::new("https://example.com")
            .section("pages", [UrlEntry::new("/")])
            .time_limit(Duration::from_millis(50))
            .external(BLOG, move |_| async move {
                if hangs {
                    std::future::pending::<()>().await;
                }
                assert!(hangs, "a panic");
                Ok(Vec::<u8>::new())
            })
            .build()
            .unwrap()
    };
    for (hangs, expected) in [
        (
            true,
            "sitemap `https://example.com/blog/index.xml`: fetching it took more than 50ms",
        ),
        (
            false,
            "sitemap `https://example.com/blog/index.xml`: a panic: a panic",
        ),
    ] {
        let (ready, _) = logged(async { site(hangs).ready().await });
        assert_eq!(ready.unwrap_err().to_string(), expected);
    }
}

#[test]
fn what_build_refuses() {
    let refusal = |change: fn(&mut SiteBuilder)| {
        let mut builder = SiteBuilder::new("https://example.com");
        change(builder.section("pages", [UrlEntry::new("/")]));
        builder.build().unwrap_err().to_string()
    };
    assert_eq!(
        refusal(|site| {
            site.sitemap("https://example.com/blog/sitemap.xml").flat(true);
        }),
        "the site lists the sitemap `https://example.com/blog/sitemap.xml`, and is flat: only an index lists sitemaps; leave out `flat`"
    );
    assert_eq!(
        refusal(|site| {
            site.sitemap("https://blog.example.com/sitemap.xml");
        }),
        "`https://blog.example.com/sitemap.xml` is not on the site of the document, `https://example.com/`: an index lists sitemaps of its own \
         scheme, host and port (P-IDX1); list them in an index of their own, or allow cross-submission, entry 1 · loc"
    );
}

/// The document at an address of another host is fetched and listed by a real client: curl.
#[test]
fn curl_fetches_and_reads() {
    let Some(curl) = sitemap_tests::program("curl_fetches_and_reads", "curl") else {
        return;
    };
    let blog = SiteBuilder::new("https://blog.example.com")
        .section("posts", ["/1", "/2"].map(UrlEntry::new))
        .section("pages", ["/about"].map(UrlEntry::new))
        .build()
        .unwrap();
    let blog = Server::start(&blog);
    let (address, program) = (blog.address, curl.clone());
    let site = SiteBuilder::new("https://example.com")
        .section("pages", [UrlEntry::new("/")])
        .external(format!("http://{address}/sitemap.xml"), move |url| {
            let mut command = Command::new(&program);
            command.args(["--fail", "--silent", "--compressed", &url]);
            async move {
                Ok(tokio::task::spawn_blocking(move || command.output())
                    .await??
                    .stdout)
            }
        })
        .sitemap("https://example.com/shop/sitemap.xml")
        .writer(|writer| writer.cross_submission(true))
        .build()
        .unwrap();
    let server = Server::start(&site);
    let answer = Command::new(&curl)
        .args(["--fail", "--silent"])
        .arg(format!("http://{}/sitemap.xml", server.address))
        .output()
        .unwrap();
    let locs: Vec<_> = sitemaps(std::str::from_utf8(&answer.stdout).unwrap())
        .into_iter()
        .map(|part| part.loc)
        .collect();
    assert_eq!(
        locs,
        [
            "https://example.com/sitemap-pages.xml",
            "https://blog.example.com/sitemap-posts.xml",
            "https://blog.example.com/sitemap-pages.xml",
            "https://example.com/shop/sitemap.xml"
        ]
    );
}
