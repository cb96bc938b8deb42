//! The memory of a walk, by the number of its documents.

use std::fmt::Write as _;
use std::time::Duration;

use allocation_counter::measure;
use sitemap_tree::{Answer, Budget, BudgetItem, Cause, Fate, Head, Step, WalkBuilder};

/// The documents of one index.
const CHILDREN: u64 = 1000;

/// The peak memory of a walk over this many documents, in bytes.
fn most_bytes(documents: u64, have_validators: bool) -> u64 {
    let memory = measure(|| {
        let mut walk = WalkBuilder::new("TestBot")
            .seed(1)
            .walk_sitemap("https://example.com/index.xml")
            .unwrap();
        let mut read = 0;
        while let Step::Request(request) = walk.step(Duration::ZERO) {
            let mut head = Head::new(200);
            if have_validators {
                head.header("etag", b"\"0123456789abcdef\"")
                    .header("last-modified", b"Mon, 23 Nov 2026 10:00:00 GMT");
            }
            let Answer::Read(ticket) = walk.respond(request.id(), &head, Duration::ZERO) else {
                panic!("{}", request.url());
            };
            let body = body(request.url(), documents);
            let mut document = ticket.read(body.as_bytes());
            read += document.entries().count();
            walk.finish(document.outcome(), Duration::ZERO);
        }
        assert_eq!(read as u64, documents);
    });
    memory.bytes_max
}

/// An index of indexes of sitemaps with one page each.
fn body(url: &str, documents: u64) -> String {
    let name = url.rsplit('/').next().unwrap();
    let range = match name.strip_prefix("index-") {
        _ if name == "index.xml" => 0..documents / CHILDREN,
        Some(number) => {
            let first = number.parse::<u64>().unwrap() * CHILDREN;
            first..first + CHILDREN
        }
        None => return "https://example.com/".to_owned(),
    };
    let kind = if name == "index.xml" {
        "index-"
    } else {
        "products/sitemap-"
    };
    let mut body = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">".to_owned();
    for number in range {
        let date = "<lastmod>2026-11-23T10:00:00Z</lastmod>";
        write!(
            body,
            "<sitemap><loc>https://example.com/{kind}{number}</loc>{date}</sitemap>"
        )
        .unwrap();
    }
    body + "</sitemapindex>"
}

/// The memory of a document with an address of 44 bytes and a lastmod in its index: at most 5 % above the documented number.
#[test]
fn ten_thousand_documents() {
    for (have_validators, expected) in [(true, 690), (false, 623)] {
        let (few, many) = (
            most_bytes(5000, have_validators),
            most_bytes(10_000, have_validators),
        );
        let each = (many - few) / 5000;
        eprintln!("{few} bytes for 5,000 documents, {many} for 10,000: {each} each");
        assert!(each * 100 <= expected * 105, "{each}");
        // A walk without documents needs little.
        assert!(few <= 5000 * expected + (1 << 20), "{few}");
    }
}

/// The budget bounds the memory of hostile addresses, however many are listed and redirected to. Documents hold them, the list of
/// an index while it is read, and the list kept for the next walk.
#[test]
fn long_addresses() {
    const BYTES: usize = 1 << 20;
    let locs = (0..1500).map(|number| format!("https://example.com/a{number}/{}", "x".repeat(8100)));
    let listed: Vec<String> = locs
        .map(|loc| format!("<sitemap><loc>{loc}</loc></sitemap>"))
        .collect();
    let body = format!(
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{}</sitemapindex>",
        listed.concat()
    );
    let memory = measure(|| {
        let mut budget = Budget::default();
        budget.url_bytes = BYTES;
        let mut walk = WalkBuilder::new("TestBot")
            .budget(budget)
            .walk_sitemap("https://example.com/index.xml")
            .unwrap();
        while let Step::Request(request) = walk.step(Duration::ZERO) {
            let mut head = Head::new(200);
            if request.url().contains("/a") {
                head = Head::new(302);
                head.header("location", request.url().replace("/a", "/b").as_bytes());
            }
            if let Answer::Read(ticket) = walk.respond(request.id(), &head, Duration::ZERO) {
                walk.finish(ticket.read(body.as_bytes()).outcome(), Duration::ZERO);
            }
        }
        let report = walk.report();
        assert_eq!(report.documents().len() as u64 - 1 + report.over_budget(), 1500);
        assert_eq!(
            report.count(|fate| *fate == Fate::Skipped(Cause::Budget(BudgetItem::UrlBytes))),
            129
        );
    });
    let most = usize::try_from(memory.bytes_max).unwrap();
    eprintln!("{most} bytes for {} of addresses", body.len());
    assert!(most < 4 * BYTES, "{most}");
}
