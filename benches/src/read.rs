//! Reading, side by side with quick-xml.

use serde::Deserialize;
use std::hint::black_box;
use std::time::Instant;

pub(crate) fn plain(n: usize) -> String {
    use std::fmt::Write;
    let mut s = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for i in 0..n {
        write!(s, "  <url>\n    <loc>https://www.example.com/catalog/category-{}/product-{i}</loc>\n    <lastmod>2024-{:02}-{:02}T12:30:{:02}+00:00</lastmod>\n    <changefreq>weekly</changefreq>\n    <priority>0.{}</priority>\n  </url>\n", i % 97, i % 12 + 1, i % 28 + 1, i % 60, i % 10).unwrap();
    }
    s.push_str("</urlset>\n");
    s
}

#[derive(Deserialize)]
struct QUrlset {
    url: Vec<Url>,
}
#[derive(Deserialize)]
#[allow(dead_code)]
struct Url {
    loc: String,
    lastmod: Option<String>,
    changefreq: Option<String>,
    priority: Option<f32>,
}

fn bench(name: &str, bytes: usize, mut f: impl FnMut() -> usize) -> f64 {
    f();
    let mut best = f64::MAX;
    for _ in 0..15 {
        let t = Instant::now();
        black_box(f());
        best = best.min(t.elapsed().as_secs_f64());
    }
    let mbs = bytes as f64 / best / 1e6;
    println!("{name:40} {mbs:8.0} MB/s");
    mbs
}

pub(crate) fn run(what: Option<&str>) {
    if let Some(what) = what {
        if what == "loop" {
            let s = plain(50_000);
            for _ in 0..200 {
                black_box(
                    sitemap_serde::Reader::from_str(&s)
                        .entries()
                        .map(|e| e.unwrap())
                        .count(),
                );
            }
            return;
        }
        if what == "loop2" {
            let s = plain(50_000);
            for _ in 0..200 {
                black_box(
                    sitemap_serde::Reader::from_str(&s)
                        .deserialize::<Url>()
                        .map(|e| e.unwrap())
                        .count(),
                );
            }
            return;
        }
        let s = plain(5_000);
        match what {
            "records" => {
                let mut r = sitemap_serde::Reader::from_str(&s);
                let mut rec = sitemap_serde::Record::new();
                let mut n = 0;
                while r.read_record(&mut rec).unwrap() {
                    n += rec.loc().len();
                }
                println!("{n}");
            }
            "entries" => println!(
                "{}",
                sitemap_serde::Reader::from_str(&s)
                    .entries()
                    .map(|e| e.unwrap())
                    .count()
            ),
            "none" => {}
            _ => println!("{}", sitemap_serde::from_str::<Vec<Url>>(&s).unwrap().len()),
        }
        return;
    }
    let s = plain(50_000);
    println!("{} bytes", s.len());
    let q = bench("quick-xml events", s.len(), || {
        let mut r = quick_xml::Reader::from_str(&s);
        let mut n = 0;
        loop {
            match r.read_event().unwrap() {
                quick_xml::events::Event::Eof => break,
                _ => n += 1,
            }
        }
        n
    });
    let qs = bench("quick-xml serde", s.len(), || {
        quick_xml::de::from_str::<QUrlset>(&s).unwrap().url.len()
    });
    let qr = bench("quick-xml serde from_reader", s.len(), || {
        quick_xml::de::from_reader::<_, QUrlset>(s.as_bytes())
            .unwrap()
            .url
            .len()
    });
    let r = |n: f64, d: f64| println!("{:>60.2} x", n / d);
    r(
        bench("entries() str", s.len(), || {
            sitemap_serde::Reader::from_str(&s)
                .entries()
                .map(|e| e.unwrap())
                .collect::<Vec<_>>()
                .len()
        }),
        qs,
    );
    r(
        bench("from_str Vec<UrlEntry>", s.len(), || {
            sitemap_serde::from_str::<Vec<sitemap_serde::UrlEntry>>(&s)
                .unwrap()
                .len()
        }),
        qs,
    );
    r(
        bench("from_slice Vec<UrlEntry>", s.len(), || {
            sitemap_serde::from_slice::<Vec<sitemap_serde::UrlEntry>>(s.as_bytes())
                .unwrap()
                .len()
        }),
        qs,
    );
    r(
        bench("entries() stream", s.len(), || {
            sitemap_serde::Reader::from_reader(s.as_bytes())
                .entries()
                .map(|e| e.unwrap())
                .count()
        }),
        qr,
    );
    r(
        bench("serde struct str", s.len(), || {
            sitemap_serde::from_str::<Vec<Url>>(&s).unwrap().len()
        }),
        qs,
    );
    r(
        bench("IgnoredAny (records)", s.len(), || {
            sitemap_serde::Reader::from_str(&s)
                .deserialize::<serde::de::IgnoredAny>()
                .map(|e| e.unwrap())
                .count()
        }),
        q,
    );
    r(
        bench("IgnoredAny (records), bytes", s.len(), || {
            sitemap_serde::Reader::from_slice(s.as_bytes())
                .deserialize::<serde::de::IgnoredAny>()
                .map(|e| e.unwrap())
                .count()
        }),
        q,
    );
}
